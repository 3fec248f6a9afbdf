/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of agents in turn on CPUs (cpu/turn_slabs.h). With at least as many open worlds as threads, a thread has
 * whole worlds. Otherwise threads share the slabs of worlds. */
#ifndef MASS_ENGINE_DEVICE_CPU_TURNS_H
#define MASS_ENGINE_DEVICE_CPU_TURNS_H

#include "device/cpu/thread_parts.h"

/* Returns the number of agents or places, with those of closed worlds. Lowers *most to the most threads that can share
 * a launch, at least one: one if its order is known already, as on the paranoid device. */
int64_t mass_cpu_turns_count(const mass_cpu *cpu, const mass_launch *l, int *most);

/* Before a launch, with s->threads as it will be: cuts worlds into slabs if needed, and orders their agents. Sets
 * s->order and s->slabs. MASS_NO_DEVICE: memory is short. Main thread. */
mass_status mass_cpu_turns_begin(mass_cpu *cpu, mass_cpu_thread_parts *s, mass_error *error);

/* Runs a thread's share, on that thread. fields: as the thread's loops take them. */
void mass_cpu_turns_run(const mass_cpu_thread_parts *s, const void *fields, int thread);

/* After a launch: forgets its order. Main thread. */
void mass_cpu_turns_end(mass_cpu *cpu);

#endif
