/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions over tallies, which a GPU evaluates without the host. */
#include "device/cuda/cuda.h"
#include "cuda/kernels.h"

/* Opens or closes each world's gate. Queued. */
static mass_status gate(mass_device *device, const mass_gate_work *work, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_gate(cuda->stream, work), "a condition cannot be looked at");
    return MASS_OK;
}

/* Writes the step after which the stop condition holds to *work->held; in a recording, stops replays then. Queued. */
static mass_status look(mass_device *device, const mass_until_work *work, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    cuda->may_stop = true;
    TRY(mass_cuda_look(cuda->stream, work, cuda->recording ? cuda->stop : NULL),
        "the stop condition cannot be looked at");
    return MASS_OK;
}

/* Splits sums in fixed point into parts, or joins them. Queued. */
static mass_status fixed(mass_device *device, const mass_fixed_work *work, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    if (work->count > 0) TRY(mass_cuda_fixed(cuda->stream, work), "sums in fixed point cannot be added up over ranks");
    return MASS_OK;
}

/* Writes the values of a tally that bodies read. Queued. */
static mass_status settle(mass_device *device, const mass_settle_work *work, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_settle(cuda->stream, work, mass_cuda_stop(cuda)), "the total of a tally cannot be computed");
    return MASS_OK;
}

const mass_condition_operations mass_cuda_conditions = {
    .struct_size = sizeof mass_cuda_conditions,
    .gate = gate,
    .look = look,
    .fixed = fixed,
    .settle = settle,
};
