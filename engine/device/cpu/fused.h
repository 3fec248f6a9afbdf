/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of several steps at once on CPUs (mass_work.steps). */
#ifndef MASS_ENGINE_DEVICE_CPU_FUSED_H
#define MASS_ENGINE_DEVICE_CPU_FUSED_H

#include "device/cpu/cpu.h"

/* The most that one launch takes: 1 where the callback has fields that its steps cannot hand on row by row, or where
 * their contributions are to count, and they are not by a rule that says what a change of a bit adds. */
int32_t mass_cpu_steps(mass_device *, const mass_prepared *, const mass_launch *, bool tallies);

/* mass_launch_operations.around. */
uint32_t mass_cpu_around(mass_device *, const mass_work *work);

/* A launch of more than one. MASS_NO_DEVICE where there is no memory for what lies between the steps; nothing was
 * written then. */
mass_status mass_cpu_launch_fused(mass_cpu *cpu, const mass_work *work, mass_error *error);

/* Of the second cache; and room for what lies between steps, cpu->between. */
int64_t mass_cpu_cache_bytes(void);
mass_status mass_cpu_make_room(mass_cpu *cpu, size_t bytes, mass_error *error);

#endif
