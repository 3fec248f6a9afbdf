/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep whose rows need several runs, as they have seeds, steps or sizes of their own: each is this program again,
 * one after the other. Main thread. */
#ifndef MASS_ENGINE_SWEEP_RUNS_H
#define MASS_ENGINE_SWEEP_RUNS_H

#include "command/run/sweep_rows.h"

/* Whether the options ask for such a sweep, which is not one of its runs; MASS_OK, and *rows to be freed by the caller,
 * also on failure. */
mass_status mass_sweep_is_several(const mass_options *o, mass_sweep_rows *rows, bool *several, mass_error *error);

/* Does them all. The first that fails or is interrupted is the last, and its status is that of all; it has said why. */
mass_status mass_sweep_runs(const mass_options *o, const mass_sweep_rows *rows, mass_error *error);

#endif
