/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of several steps of bits by a rule (rule.h), a word at a time. */
#ifndef MASS_ENGINE_DEVICE_CPU_FUSED_BITS_H
#define MASS_ENGINE_DEVICE_CPU_FUSED_BITS_H

#include "device/cpu/cpu.h"

/* Returns the most steps that one launch may take, a power of two, for a callback that passes on its places
 * (argument_kinds.h). Returns 1 if it uses no rule, or if its space has three dimensions. */
int32_t mass_cpu_bit_steps(const mass_prepared *, const mass_launch *);

/* Implements mass_launch_operations.around for such a callback. */
uint32_t mass_cpu_bits_around(const mass_work *work);

/* Launches several steps, like mass_cpu_launch_fused. */
mass_status mass_cpu_launch_fused_bits(mass_cpu *cpu, const mass_work *work, mass_error *error);

#endif
