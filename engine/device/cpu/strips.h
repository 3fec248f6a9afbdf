/* SPDX-License-Identifier: Apache-2.0 */
/* Launches on CPUs over places with bits, strip by strip: a few rows at a time are copied to memory that caches hold,
 * bits as bytes, the loop runs there, and what it wrote is copied back. */
#ifndef MASS_ENGINE_DEVICE_CPU_STRIPS_H
#define MASS_ENGINE_DEVICE_CPU_STRIPS_H

#include "device/cpu/shares.h"

/* Whether a callback has bits and can be launched so: all that it does to places is within its radius, or at its own
 * place. */
bool mass_cpu_takes_strips(const mass_callback *c);

/* Before a launch, after s->stretch was found: how strips lie, and memory for one of each thread. Fails without. */
mass_status mass_cpu_begin_strips(mass_cpu *cpu, mass_cpu_shares *s, mass_error *error);
/* In a thread: a part of its share. The first place is one that begins a word. */
void mass_cpu_run_strips(const mass_cpu_shares *s, void *const *fields, int thread, const mass_range *range);

#endif
