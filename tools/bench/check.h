/* SPDX-License-Identifier: Apache-2.0 */
/* Results against a few plain lines that know nothing of the engine. */
#ifndef MASS_BENCH_CHECK_H
#define MASS_BENCH_CHECK_H

#include "measure.h"

/* One step on a torus, row-major. */
typedef void bench_reference(const void *now, void *next, const mass_gidx size[3]);

/* Steps from the start and compares every byte of the state. */
mass_status bench_check(bench_model *m, const char *device, int threads, int steps, bench_reference *reference,
                        mass_error *error);

/* The same bits on the device and on the CPU with all its threads after BENCH_GENERATIONS steps: whether
 * `hash` is that of the CPU. */
mass_status bench_check_hash(bench_model *m, const char *device, const char *hash, mass_error *error);

/* state_hash after some steps from the start. */
mass_status bench_hash_after(bench_model *m, const char *device, int threads, uint64_t steps, char hash[33],
                             mass_error *error);

static inline mass_gidx bench_wrap(mass_gidx at, mass_gidx size)
{
    return at < 0 ? at + size : at >= size ? at - size : at;
}

#endif
