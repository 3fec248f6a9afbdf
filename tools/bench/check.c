/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "bench.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Compares a model's state with the expected one, byte by byte. Fails with the first place that differs. */
static mass_status compare(const bench_model *m, const char *device, int steps, const void *found,
                           const void *expected, mass_error *error)
{
    const mass_space_def *space = &m->model.spaces[0];
    const size_t size = mass_element_size(&m->model.attributes[0]);
    const size_t bytes = (size_t)mass_space_places(space) * size;
    if (memcmp(found, expected, bytes) == 0) return MASS_OK;
    size_t at = 0;
    while (((const uint8_t *)found)[at] == ((const uint8_t *)expected)[at]) at++;
    return mass_error_set(error, MASS_FAILED, "%s on %s is wrong after %d steps, first at place %zu of %" PRId64
                          "x%" PRId64 "x%" PRId64 ": nothing is measured", m->model.plugin, device, steps, at / size,
                          space->size[0], space->size[1], space->size[2]);
}

/* Advances *state by `steps` steps of the reference. *state may become another buffer; the caller frees it. */
static mass_status step_reference(const bench_model *m, void **state, int steps, bench_reference *reference,
                                  mass_error *error)
{
    const mass_space_def *space = &m->model.spaces[0];
    const size_t bytes = (size_t)mass_space_places(space) * mass_element_size(&m->model.attributes[0]);
    void *next = malloc(bytes);
    if (!next) return mass_error_memory(error, bytes, "the reference");
    for (int i = 0; i < steps; i++) {
        reference(*state, next, space->size);
        void *swap = *state;
        *state = next;
        next = swap;
    }
    free(next);
    return MASS_OK;
}

mass_status bench_check(bench_model *m, const char *device, int threads, int steps, bench_reference *reference,
                        mass_error *error)
{
    bench_run r;
    void *expected = NULL, *found = NULL;
    mass_status status = bench_run_open(&r, m, device, threads, error);
    if (status == MASS_OK) status = bench_run_read(&r, &expected, error);
    if (status == MASS_OK) status = bench_run_advance(&r, (uint64_t)steps, NULL, error);
    if (status == MASS_OK) status = bench_run_read(&r, &found, error);
    bench_run_close(&r);
    if (status == MASS_OK) status = step_reference(m, &expected, steps, reference, error);
    if (status == MASS_OK) status = compare(m, device, steps, found, expected, error);
    free(expected);
    free(found);
    return status;
}

mass_status bench_hash_after(bench_model *m, const char *device, int threads, uint64_t steps, char hash[33],
                             mass_error *error)
{
    bench_run r;
    mass_status status = bench_run_open(&r, m, device, threads, error);
    if (status == MASS_OK) status = bench_run_advance(&r, steps, NULL, error);
    if (status == MASS_OK) status = bench_run_hash(&r, hash, error);
    bench_run_close(&r);
    return status;
}

mass_status bench_check_hash(bench_model *m, const char *device, const char *hash, mass_error *error)
{
    char expected[33];
    mass_status status = bench_hash_after(m, "cpu", bench_cores(), BENCH_GENERATIONS, expected, error);
    if (status == MASS_OK && strcmp(hash, expected) != 0)
        status = mass_error_set(error, MASS_FAILED, "%s on %s differs from the CPU after %d steps: nothing is measured",
                                m->model.plugin, device, BENCH_GENERATIONS);
    return status;
}
