/* SPDX-License-Identifier: Apache-2.0 */
/* Tallies of a launch on CPUs. Each thread counts in accumulators of its own, which are added at the end. If there are
 * too many bins for that, they are counted directly in the tally. */
#include "model/access.h"
#include "device/cpu/thread_parts.h"

#include <stdlib.h>

enum { CACHE_LINE = 64 };

/* Reserves memory for the tallies of every thread, in separate cache lines. Memory that is large enough remains; else
 * its contents are lost. stride: bytes of a thread. */
static mass_status make_scratch(mass_cpu *cpu, size_t stride, mass_error *error)
{
    const size_t bytes = stride * (size_t)mass_cpu_team_threads(cpu->team);
    if (bytes <= cpu->scratch_bytes) return MASS_OK;
    free(cpu->scratch);
    cpu->scratch = NULL;
    cpu->scratch_bytes = 0;
    void *memory;
    if (posix_memalign(&memory, CACHE_LINE, bytes) != 0) return mass_error_memory(error, bytes, "tallies");
    cpu->scratch = memory;
    cpu->scratch_bytes = bytes;
    return MASS_OK;
}

/* Returns the number of a thread's accumulators for a field, over all worlds; 0 for a field that is no tally, and
 * for bins that are counted in place. Sets *copies to the accumulators of each bin. */
static size_t own_count(const mass_cpu_thread_parts *s, uint32_t field, size_t *copies)
{
    const uint32_t access = s->work->prepared->callback->fields[field].access;
    *copies = 1;
    if (!mass_access_is_tally(access) || (access == MASS_BINS && s->bins_in_place)) return 0;
    if (access == MASS_BINS) *copies <<= s->launch.bins[0].copies_log2;
    return (size_t)s->launch.worlds * s->work->memory[field].words * *copies;
}

/* Returns the accumulators that a thread keeps of its own for all tallies. */
static size_t own_count_of_all(const mass_cpu_thread_parts *s)
{
    size_t all = 0, copies;
    for (uint32_t i = 0; i < s->work->prepared->callback->field_count; i++) all += own_count(s, i, &copies);
    return all;
}

void mass_cpu_own_tallies(const mass_cpu_thread_parts *s, int thread, void **fields)
{
    const mass_callback *c = s->work->prepared->callback;
    int64_t *own = s->scratch + (size_t)thread * s->stride;
    size_t copies;
    for (uint32_t i = 0; i < c->field_count; i++) {
        const size_t count = own_count(s, i, &copies);
        const int64_t neutral = mass_accumulator_neutral(mass_access_of(c->fields[i].access)->combine);
        for (size_t k = 0; k < count; k++) own[k] = neutral;
        if (count) fields[i] = own;
        own += count;
    }
}

/* Combines a thread's own tallies, all copies of each, with those of the work. */
static void merge(const mass_cpu_thread_parts *s, const int64_t *own)
{
    const mass_callback *c = s->work->prepared->callback;
    size_t copies;
    uint32_t sums = 0, bins = 0;
    for (uint32_t i = 0; i < c->field_count; i++) {
        const size_t count = own_count(s, i, &copies);
        const mass_combine_rule rule = mass_access_of(c->fields[i].access)->combine;
        const bool fixed = mass_field_is_fixed(&c->fields[i], &s->launch, &sums, &bins);
        int64_t *total = s->work->fields[i];
        for (size_t k = 0; k < count; k++)
            total[k / copies] = fixed ? mass_sum_fixed(total[k / copies], own[k])
                                      : mass_accumulator_combine(rule, total[k / copies], own[k]);
        own += count;
    }
}

/* Chooses how a callback's bins are counted, unless one of them prescribes it. If a thread's table fits into the
 * nearest cache, it has several copies that take turns. Larger tables exist once for each thread, the largest once for
 * all threads. */
enum { LANED_BYTES = 256 << 10, OWN_BYTES = 64 << 20 };

/* Chooses how bins are counted: in the tallies, in copies of each thread, or in lanes. SEQUENTIAL reduces s->threads to
 * 1. Changes nothing if the callback has no bins. */
static void choose_bins(mass_cpu_thread_parts *s)
{
    const mass_callback *c = s->work->prepared->callback;
    size_t bins = 0;
    uint32_t method = MASS_COUNT_AUTO;
    for (uint32_t i = 0; i < c->field_count; i++) {
        if (c->fields[i].access != MASS_BINS) continue;
        bins += s->work->memory[i].words;
        if (s->work->memory[i].method > method) method = s->work->memory[i].method;
    }
    if (bins == 0) return;
    const size_t bytes = bins * (size_t)s->launch.worlds * sizeof(int64_t);
    const bool laned = method == MASS_COUNT_AUTO && bytes << MASS_CPU_LANES_LOG2 <= LANED_BYTES;
    if (method == MASS_COUNT_SEQUENTIAL) s->threads = 1;
    s->bins_in_place = method == MASS_COUNT_AUTO ? !laned && (s->threads == 1 || bytes * (size_t)s->threads > OWN_BYTES)
                                                 : method != MASS_COUNT_SHARED;
    s->in_turn = method == MASS_COUNT_STRIDE;
    for (uint32_t k = 0; k < MASS_BINS_FIELDS; k++) {
        s->launch.bins[k].copies_log2 = laned ? MASS_CPU_LANES_LOG2 : 0;
        s->launch.bins[k].shared = s->bins_in_place && s->threads > 1;
    }
}

mass_status mass_cpu_begin_tallies(mass_cpu *cpu, mass_cpu_thread_parts *s, mass_error *error)
{
    choose_bins(s);
    s->stride = (own_count_of_all(s) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    const mass_status status = make_scratch(cpu, s->stride * sizeof *s->scratch, error);
    if (status == MASS_OK) s->scratch = s->stride ? cpu->scratch : NULL;
    return status;
}

void mass_cpu_end_tallies(const mass_cpu_thread_parts *s)
{
    for (int i = 0; i < s->threads; i++) merge(s, s->scratch + (size_t)i * s->stride);
}
