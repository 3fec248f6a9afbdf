/* SPDX-License-Identifier: Apache-2.0 */
/* Loads a plugin: checks its file before any of its code runs, then calls dlopen, then checks its entry. Main
 * thread. */
#ifndef MASS_ENGINE_LOAD_H
#define MASS_ENGINE_LOAD_H

#include "base/error.h"

#include <limits.h>
#include <mass/plugin.h>

#define MASS_PLUGIN_BYTES_MAX ((size_t)1 << 32) /* most bytes of a plugin's file that are hashed */

typedef struct mass_loaded {
    void *library;
    mass_plugin *entry; /* in the engine's size; owned */
    char path[PATH_MAX];
} mass_loaded;

/* Loads a shared object by its path, after mass_elf_check_file has accepted it. A crash in its constructors is a crash
 * of this process: mass_probe_plugin tries it in a subprocess first. The caller unloads *out; on failure *out is
 * unchanged. */
mass_status mass_plugin_load(const char *path, mass_loaded *out, mass_error *error);
/* Unloads the shared object, if there is one, frees the entry, and clears *loaded. */
void mass_plugin_unload(mass_loaded *);

#endif
