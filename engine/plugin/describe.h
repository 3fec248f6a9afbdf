/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a plugin's entry, its name, version and help, in a subprocess, without running the model. */
#ifndef MASS_ENGINE_DESCRIBE_H
#define MASS_ENGINE_DESCRIBE_H

#include "base/error.h"

enum { MASS_DESCRIBE_SECONDS = 2, MASS_DESCRIPTION_SIZE = 900 };

typedef struct mass_plugin_description {
    char name[32], version[64], help[MASS_DESCRIPTION_SIZE]; /* control characters are replaced by blanks */
} mass_plugin_description;

/* Describes a plugin by running this program with --probe-entry PATH. Returns MASS_BAD_PLUGIN, with *out unchanged, if
 * the plugin cannot be loaded, or if loading it crashes or hangs. Main thread. */
mass_status mass_plugin_describe(const char *path, mass_plugin_description *out, mass_error *error);

/* Loads the plugin in the subprocess, reports, and returns the exit status. */
int mass_plugin_answer_description(const char *path);

#endif
