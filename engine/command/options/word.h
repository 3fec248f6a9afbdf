/* SPDX-License-Identifier: Apache-2.0 */
/* A word of the command line that is no option: it names a plugin, or a command that it misspells. */
#ifndef MASS_ENGINE_WORD_H
#define MASS_ENGINE_WORD_H

#include "base/error.h"

#include <limits.h>

/* "plot" or "--info", where one letter is wrong or two are swapped; NULL: none is that near. Pure. */
const char *mass_word_command(const char *word);

/* As mass_plugin_find. What is no plugin, but nearly a command, is refused as that. */
mass_status mass_word_plugin(const char *word, char path[PATH_MAX], mass_error *error);

#endif
