/* SPDX-License-Identifier: Apache-2.0 */
/* Launches on CPUs of callbacks with attributes of bits. Their loops see a byte of 0 or 1 for each place. Main
 * thread. */
#ifndef MASS_ENGINE_DEVICE_CPU_BYTES_H
#define MASS_ENGINE_DEVICE_CPU_BYTES_H

#include "device/cpu/cpu.h"

/* Returns whether the callback has a field of bits. */
bool mass_cpu_has_bits(const mass_callback *c);

typedef mass_status mass_cpu_launcher(mass_cpu *cpu, const mass_work *work, mass_error *error);

/* Unpacks all arrays of bits to bytes, calls `launch` for these copies, and packs the arrays that the callback writes.
 * Without memory for the copies, or if `launch` fails, it packs nothing. */
mass_status mass_cpu_with_bytes(mass_cpu *cpu, const mass_work *work, mass_cpu_launcher *launch, mass_error *error);

#endif
