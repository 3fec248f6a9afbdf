/* SPDX-License-Identifier: Apache-2.0 */
/* The device's part for conditions over tallies, which it looks at without the host: whether a phase runs, and whether
 * the run has reached its end. Failures and order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_CONDITIONS_H
#define MASS_ENGINE_DEVICE_CONDITIONS_H

#include "base/error.h"
#include "fixed_sums.h"
#include "gate.h"
#include "until.h"

typedef struct mass_device mass_device;

typedef struct mass_condition_operations {
    uint32_t struct_size;
    /* Opens the gates of a conditional phase in the worlds whose condition holds, and closes them in the others
     * (gate.h). Queued. */
    mass_status (*gate)(mass_device *, const mass_gate_work *work, mass_error *error);
    /* Evaluates the run's stop condition after a step, or after one and then the next of several. Where it holds, the
     * step is noted in *work->held, which the host reads; in a recording, the replay stops too (recordings.h).
     * Queued. */
    mass_status (*look)(mass_device *, const mass_until_work *work, mass_error *error);
    /* Splits sums in fixed point before a link adds them up over ranks, or joins them afterwards (fixed_sums.h).
     * Queued. */
    mass_status (*fixed)(mass_device *, const mass_fixed_work *work, mass_error *error);
} mass_condition_operations;

#endif
