/* SPDX-License-Identifier: Apache-2.0 */
/* Gives a run another stop condition between two steps. Main thread. */
#ifndef MASS_ENGINE_REPLACE_UNTIL_H
#define MASS_ENGINE_REPLACE_UNTIL_H

#include "run/stepper.h"
#include "text/expression.h"

/* Replaces the stop condition of all ranks, if there is one. text NULL: the run has none from now on. Rank 0 calls it,
 * with the compiled text. On failure there is none. */
mass_status mass_stepper_replace_until(mass_stepper *, const char *text, const mass_expression *compiled,
                                       mass_error *error);

/* Does a rank's part, from mass_serve. bytes: of the text, which rank 0 sends; 0: none. */
mass_status mass_stepper_replace_until_here(mass_stepper *, uint64_t bytes, mass_error *error);

#endif
