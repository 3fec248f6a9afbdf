/* SPDX-License-Identifier: Apache-2.0 */
/* Launches on a CPU, over partitions with ghosts, and with gaps around their rows, planes and worlds. */
#ifndef MASS_TESTS_CPU_LAUNCH_H
#define MASS_TESTS_CPU_LAUNCH_H

#include "device/cpu/cpu.h"

#include <mass/callback.h>

enum { THREADS_MAX = 4, WORLDS_MAX = 70 };

mass_device *open_cpu(int threads);
/* Gets those of "base", "avx2" and "avx512" that this machine has, the first ones, and returns their number. MASS_ISA
 * selects one. */
int instruction_sets(const char *names[3]);

mass_launch launch_of(int nx, int ny, int nz, int worlds);
/* first_place returns the position of the first place in an array, elements_of the number of elements. is_own returns
 * true if an element is a place. */
size_t first_place(const mass_launch *l);
size_t elements_of(const mass_launch *l);
bool is_own(const mass_launch *l, size_t element);

mass_status launch_on(mass_device *device, const mass_callback *callback, const mass_launch *l, void *const *fields,
                      bool tallies, mass_error *error);
/* Runs a launch, which must succeed, on a device of its own. */
void launch_with(int threads, const mass_callback *callback, const mass_launch *l, void *const *fields, bool tallies);

#define LOOP_FORM(ISA, FLAGS, LOOP, STEPS, BITS) \
    {sizeof(mass_form), MASS_FORM_LOOP, ISA, FLAGS, LOOP, NULL, STEPS, 1, 1, BITS}
#define TALLIES MASS_FORM_TALLIES

/* Returns a callback of two fields, bytes and a sum, with these forms. */
mass_callback touch_with(const mass_form *forms, uint32_t count);
/* The form with tallies adds 1 to the byte of every place and counts it. The other form does nothing. */
extern const mass_form touch_forms[2];

#endif
