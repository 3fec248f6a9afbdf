/* SPDX-License-Identifier: Apache-2.0 */
/* The command line that repeats a run. Main thread. */
#ifndef MASS_ENGINE_COMMAND_RERUN_COMMAND_H
#define MASS_ENGINE_COMMAND_RERUN_COMMAND_H

#include "command/options/options.h"

/* Returns this program's command line, quoted for a shell, without the options of --view. Adds the seed if it was drawn
 * and the model has one (not `seedless`), but not for a resumed run. `steps`, if not 0, replaces --steps. `events`, if
 * not NULL, replaces --events. The caller frees the text. NULL: memory is short. */
char *mass_again(const mass_options *o, uint64_t seed, bool seedless, uint64_t steps, const char *events);

#endif
