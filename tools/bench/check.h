/* SPDX-License-Identifier: Apache-2.0 */
/* Compares results with a few plain lines that do not use the engine. */
#ifndef MASS_BENCH_CHECK_H
#define MASS_BENCH_CHECK_H

#include "measure.h"

/* Computes one step on a torus, row-major. */
typedef void bench_reference(const void *now, void *next, const mass_gidx size[3]);

/* Runs steps from the start, and compares every byte of the state with the reference. */
mass_status bench_check(bench_model *m, const char *device, int threads, int steps, bench_reference *reference,
                        mass_error *error);

/* Checks that the device and the CPU with all its threads give the same bits after BENCH_GENERATIONS steps: `hash` must
 * be the CPU's hash. */
mass_status bench_check_hash(bench_model *m, const char *device, const char *hash, mass_error *error);

/* Gets the state_hash after some steps from the start. */
mass_status bench_hash_after(bench_model *m, const char *device, int threads, uint64_t steps, char hash[33],
                             mass_error *error);

/* Returns a coordinate on a torus. It may be up to one size outside. */
static inline mass_gidx bench_wrap(mass_gidx at, mass_gidx size)
{
    return at < 0 ? at + size : at >= size ? at - size : at;
}

#endif
