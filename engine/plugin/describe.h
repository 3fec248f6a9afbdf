/* SPDX-License-Identifier: Apache-2.0 */
/* What a plugin says of itself in its entry, without running it: its code is loaded in a process of its own. */
#ifndef MASS_ENGINE_DESCRIBE_H
#define MASS_ENGINE_DESCRIBE_H

#include "base/error.h"

enum { MASS_DESCRIBE_SECONDS = 2, MASS_DESCRIPTION_SIZE = 900 };

typedef struct mass_plugin_description {
    char name[32], version[64], help[MASS_DESCRIPTION_SIZE]; /* control characters are blanks */
} mass_plugin_description;

/* Runs this program with --probe-entry PATH. A plugin that cannot be loaded, or that crashes or hangs while it is, is
 * MASS_BAD_PLUGIN, and *out is untouched. Main thread. */
mass_status mass_plugin_describe(const char *path, mass_plugin_description *out, mass_error *error);

/* In the subprocess: loads the plugin, reports, and returns the exit status. */
int mass_plugin_answer_description(const char *path);

#endif
