/* SPDX-License-Identifier: Apache-2.0 */
/* Launches on a CPU, over partitions with ghosts and gaps around their rows, planes and worlds. */
#ifndef MASS_TESTS_CPU_LAUNCH_H
#define MASS_TESTS_CPU_LAUNCH_H

#include "device/cpu/cpu.h"

#include <mass/mass.h>

enum { THREADS_MAX = 4, WORLDS_MAX = 70 };

mass_device *open_cpu(int threads);
/* Those of "base", "avx2" and "avx512" that this machine has, which are the first ones; MASS_ISA chooses. */
int instruction_sets(const char *names[3]);

mass_launch launch_of(int nx, int ny, int nz, int worlds);
/* Of an array: where its first place lies, how many elements it has, and which of them are places. */
size_t first_place(const mass_launch *l);
size_t elements_of(const mass_launch *l);
bool is_own(const mass_launch *l, size_t element);

mass_status launch_on(mass_device *device, const mass_callback *callback, const mass_launch *l, void *const *fields,
                      bool tallies, mass_error *error);
/* On a device of its own, where it succeeds. */
void launch_with(int threads, const mass_callback *callback, const mass_launch *l, void *const *fields, bool tallies);

#define LOOP_FORM(ISA, FLAGS, LOOP, STEPS, BITS) \
    {sizeof(mass_form), MASS_FORM_LOOP, ISA, FLAGS, LOOP, NULL, STEPS, 1, 1, BITS}
#define TALLIES MASS_FORM_TALLIES

/* A callback of two fields, bytes and a sum, with these forms. */
mass_callback touch_with(const mass_form *forms, uint32_t count);
/* Where tallies count, it adds 1 to the byte of every place and counts it; the other form does nothing. */
extern const mass_form touch_forms[2];

#endif
