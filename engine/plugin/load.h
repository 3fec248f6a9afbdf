/* SPDX-License-Identifier: Apache-2.0 */
/* Loading a plugin: checks before any of its code runs, then dlopen, then its entry. Main thread. */
#ifndef MASS_ENGINE_LOAD_H
#define MASS_ENGINE_LOAD_H

#include "base/error.h"

#include <limits.h>
#include <mass/plugin.h>

#define MASS_PLUGIN_BYTES_MAX ((size_t)1 << 32) /* of its file, to be hashed */

typedef struct mass_loaded {
    void *library;
    mass_plugin *entry; /* in the engine's size; freed with the rest */
    char path[PATH_MAX];
} mass_loaded;

/* Loads a shared object by its path. Only a file that passed mass_elf_check_file is opened. A crash
 * in its constructors is a crash of this process: mass_probe_plugin tries it in a subprocess before. */
mass_status mass_plugin_load(const char *path, mass_loaded *out, mass_error *error);
void mass_plugin_unload(mass_loaded *);

#endif
