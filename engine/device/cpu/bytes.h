/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks over attributes of bits on CPUs, whose loops see a byte of 0 or 1 for each place. Main thread. */
#ifndef MASS_ENGINE_DEVICE_CPU_BYTES_H
#define MASS_ENGINE_DEVICE_CPU_BYTES_H

#include "device/cpu/cpu.h"

/* Whether one of its fields is of bits. */
bool mass_cpu_has_bits(const mass_callback *c);

/* Launches that way on copies of the whole arrays of bits, as bytes, and makes bits of what it wrote. */
typedef mass_status mass_cpu_launcher(mass_cpu *cpu, const mass_work *work, mass_error *error);
mass_status mass_cpu_with_bytes(mass_cpu *cpu, const mass_work *work, mass_cpu_launcher *launch, mass_error *error);

#endif
