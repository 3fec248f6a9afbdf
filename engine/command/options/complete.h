/* SPDX-License-Identifier: Apache-2.0 */
/* mass-engine --complete: completions of a word, for shells. */
#ifndef MASS_ENGINE_COMPLETE_H
#define MASS_ENGINE_COMPLETE_H

#include "base/error.h"

/* Prints the completions of the last word. `words` are those after the program's name; the last is "" if it has not
 * begun. Prints one line for each completion: the word, a tab and a description. Or prints one line ":file", which
 * suffixes may follow, or ":folder": the shell then completes names of files after the last '=' of the word. A plugin
 * is opened for the names of its parameters only if it is named as in --list: a path may be any user's. Fails only if
 * the output does. Main thread. */
mass_status mass_complete(int count, char *const words[], mass_error *error);

#endif
