/* SPDX-License-Identifier: Apache-2.0 */
/* Interprets a word of the command line that is no option: a plugin, or a misspelt command. */
#ifndef MASS_ENGINE_POSITIONAL_H
#define MASS_ENGINE_POSITIONAL_H

#include "base/error.h"

#include <limits.h>

/* Returns the command that a word is most like, compared without dashes: plot, --info, --list, --resume, --version or
 * --help. The two are the same, or differ by one letter or two swapped ones. Otherwise NULL. Pure. */
const char *mass_command_like(const char *word);

/* Finds a plugin as mass_plugin_find does. Refuses a word that is no plugin but nearly a command with a hint at it. */
mass_status mass_word_plugin(const char *word, char path[PATH_MAX], mass_error *error);

#endif
