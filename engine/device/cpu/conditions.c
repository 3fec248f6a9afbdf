/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions over tallies, on the CPU. */
#include "device/cpu/cpu.h"

/* Opens or closes each world's gate (mass_gate_of). */
static mass_status gate(mass_device *device, const mass_gate_work *w, mass_error *error)
{
    (void)device;
    (void)error;
    for (int32_t i = 0; i < w->worlds; i++) w->gates[i] = mass_gate_of(w, i);
    return MASS_OK;
}

/* Looks for the first step, of the rows since w->step, at which the stop condition holds in all worlds; sets *w->held.
 * Does nothing if an earlier step was found. */
static mass_status look(mass_device *device, const mass_until_work *w, mass_error *error)
{
    (void)device, (void)error;
    if (*w->held != UINT64_MAX) return MASS_OK;
    const uint64_t step = w->step + (w->clock ? *w->clock : 0);
    for (int32_t later = 0; later < w->rows && *w->held == UINT64_MAX; later++) {
        int holds = 1;
        for (int32_t i = 0; i < w->worlds; i++) holds &= mass_until_holds(w, i, step, later);
        if (holds) *w->held = step + (uint64_t)later;
    }
    return MASS_OK;
}

/* Splits sums in fixed point into parts, or joins them. */
static mass_status fixed(mass_device *device, const mass_fixed_work *w, mass_error *error)
{
    (void)device, (void)error;
    for (int64_t i = 0; i < w->count; i++) mass_fixed_do(w, i);
    return MASS_OK;
}

/* Writes the values of a tally that bodies read. */
static mass_status settle(mass_device *device, const mass_settle_work *w, mass_error *error)
{
    (void)device, (void)error;
    for (int32_t i = 0; i < w->worlds; i++) w->values[i] = mass_settled(w, i);
    return MASS_OK;
}

const mass_condition_operations mass_cpu_conditions = {
    .struct_size = sizeof mass_cpu_conditions,
    .gate = gate,
    .look = look,
    .fixed = fixed,
    .settle = settle,
};
