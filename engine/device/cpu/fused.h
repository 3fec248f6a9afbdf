/* SPDX-License-Identifier: Apache-2.0 */
/* Launches on CPUs of several steps at once (mass_work.steps). */
#ifndef MASS_ENGINE_DEVICE_CPU_FUSED_H
#define MASS_ENGINE_DEVICE_CPU_FUSED_H

#include "device/cpu/cpu.h"

/* Returns the most steps that one launch may take. Returns 1 if the space is one row, or if the callback has fields
 * that steps cannot pass on row by row. For bits: mass_cpu_bit_steps. Returns 1 also for contributions that count,
 * unless a rule tells what each change of a bit adds. */
int32_t mass_cpu_steps(mass_device *, const mass_prepared *, const mass_launch *, bool tallies);

/* Implements mass_launch_operations.around. */
uint32_t mass_cpu_around(mass_device *, const mass_work *work);

/* Launches several steps at once. Returns MASS_NO_DEVICE if there is no memory for the rows between steps; then nothing
 * was written. */
mass_status mass_cpu_launch_fused(mass_cpu *cpu, const mass_work *work, mass_error *error);

/* Returns the size of the second cache; 1 MiB if it is unknown. */
int64_t mass_cpu_cache_bytes(void);
/* Reserves memory for rows between steps, in cpu->between. Memory that is large enough remains; otherwise the new
 * memory is all 0. */
mass_status mass_cpu_make_room(mass_cpu *cpu, size_t bytes, mass_error *error);

#endif
