/* SPDX-License-Identifier: Apache-2.0 */
/* Launches on CPUs over places with bits, in blocks of rows. A few rows at a time are copied to memory that fits into
 * caches, with bits as bytes. The loop runs there, and its results are copied back. */
#ifndef MASS_ENGINE_DEVICE_CPU_ROW_BLOCKS_H
#define MASS_ENGINE_DEVICE_CPU_ROW_BLOCKS_H

#include "device/cpu/thread_parts.h"

/* Returns whether a callback has bits and can be launched so: it must access places only within its radius, or its own
 * place, and not add to them. Never over agents or in turn. */
bool mass_cpu_takes_row_blocks(const mass_callback *c);

/* Lays out the blocks (s->strip), and reserves memory for one for each thread. Call it before a launch, once s->stretch
 * is set. Fails for lack of memory. */
mass_status mass_cpu_begin_row_blocks(mass_cpu *cpu, mass_cpu_thread_parts *s, mass_error *error);
/* Runs a part of a thread's share, on that thread. The first place must begin a word. Leaves out worlds with a closed
 * gate. */
void mass_cpu_run_row_blocks(const mass_cpu_thread_parts *s, void *const *fields, int thread, const mass_range *range);

#endif
