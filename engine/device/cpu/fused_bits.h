/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of several steps of bits that follow a rule (rule.h), by words. */
#ifndef MASS_ENGINE_DEVICE_CPU_FUSED_BITS_H
#define MASS_ENGINE_DEVICE_CPU_FUSED_BITS_H

#include "device/cpu/cpu.h"

/* The most that one launch takes, of a callback that hands on its places (roles.h): 1 where it follows no rule, or its
 * space has three dimensions. */
int32_t mass_cpu_bit_steps(const mass_prepared *, const mass_launch *);

/* mass_launch_operations.around, of such a callback. */
uint32_t mass_cpu_bits_around(const mass_work *work);

/* As mass_cpu_launch_fused. */
mass_status mass_cpu_launch_fused_bits(mass_cpu *cpu, const mass_work *work, mass_error *error);

#endif
