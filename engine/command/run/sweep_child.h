/* SPDX-License-Identifier: Apache-2.0 */
/* One run of a sweep in a process of its own, which is this program. Main thread. */
#ifndef MASS_ENGINE_SWEEP_CHILD_H
#define MASS_ENGINE_SWEEP_CHILD_H

#include "command/options/arguments.h"

#include <stdbool.h>

/* Executes this command line without some options, by name, and with more words; NULL ends both lists. Waits for the
 * end of the process, and passes kept signals on to it. *text becomes its standard output, which the caller frees, also
 * on failure; NULL if there is none. Returns its exit status, or MASS_INTERRUPTED if it was killed after a signal was
 * passed on. `what` names the run in the message that a signal has ended it. */
mass_status mass_sweep_child(const mass_arguments *a, const char *const *without, const char *const *more,
                             const char *what, char **text, mass_error *error);

/* Returns whether a signal has asked the sweep to end, whether it was passed on or is kept. */
bool mass_sweep_is_to_end(void);

/* Returns a random seed below 2^32. */
uint64_t mass_sweep_draw_seed(void);

#endif
