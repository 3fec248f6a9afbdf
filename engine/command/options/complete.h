/* SPDX-License-Identifier: Apache-2.0 */
/* mass-engine --complete: what the word may become that somebody is writing, for the completion of shells. */
#ifndef MASS_ENGINE_COMPLETE_H
#define MASS_ENGINE_COMPLETE_H

#include "base/error.h"

/* `words` are those after the program's name, up to the one that is written, "" if it has not begun. Prints a line for
 * each that it may become, followed by a tab and a description; or one line ":file", and after it endings, or
 * ":folder": names of those, in place of what stands behind the last '=' of the word. A plugin is opened for the names
 * of its parameters if it is named as in --list, and not by a path, which may be anybody's. Nothing that is wrong is
 * said. Main thread. */
mass_status mass_complete(int count, char *const words[], mass_error *error);

#endif
