/* SPDX-License-Identifier: Apache-2.0 */
/* The device's operations for conditions over tallies, which it evaluates without the host: whether a phase runs, and
 * whether the run ends. Failures and order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_CONDITIONS_H
#define MASS_ENGINE_DEVICE_CONDITIONS_H

#include "base/error.h"
#include "fixed_sums.h"
#include "gate.h"
#include "settle.h"
#include "stop_condition.h"

typedef struct mass_device mass_device;

typedef struct mass_condition_operations {
    uint32_t struct_size;
    /* Opens the gates of a conditional phase in worlds whose condition holds, and closes them in the others (gate.h).
     * Queued. */
    mass_status (*gate)(mass_device *, const mass_gate_work *work, mass_error *error);
    /* Evaluates the run's stop condition after a step, or after each of several. If it holds, stores the step in
     * *work->held, which the host reads. In a recording, the replay stops too (recordings.h). Queued. */
    mass_status (*look)(mass_device *, const mass_until_work *work, mass_error *error);
    /* Splits fixed-point sums before a link adds them over ranks, or joins them afterwards (fixed_sums.h). Queued. */
    mass_status (*fixed)(mass_device *, const mass_fixed_work *work, mass_error *error);
    /* Writes the values of a tally that bodies read (settle.h); without effect if queued work has stopped by then.
     * Queued. */
    mass_status (*settle)(mass_device *, const mass_settle_work *work, mass_error *error);
} mass_condition_operations;

#endif
