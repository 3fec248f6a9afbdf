/* SPDX-License-Identifier: Apache-2.0 */
/* How kernels that stride over places or agents cover a launch, and where they count bins. Bins are in a block's shared
 * memory, with as many copies as fit, so that threads seldom collide. If not even one copy fits, several launches count
 * some of the bins each. If that would take too long, bins are in the device's memory, in practice in its cache. */
#include "model/access.h"
#include "device/cuda/cuda.h"

enum {
    WORD = sizeof(uint32_t),
    COPIES_LOG2_MAX = 5,
    PASSES_MAX = 4,
    THREADS_OF_GLOBAL = MASS_AGENT_THREADS,
    OWN_STATIC = 4096
};

/* Threads of a block, and blocks that a processor is to hold. Kernels over agents get more blocks if registers and bins
 * allow it. */
typedef struct block_shape {
    unsigned threads, a_processor;
} block_shape;
static const block_shape OF_PLACES = {1024, 2}, OF_AGENTS = {MASS_CUDA_STRIDE_THREADS, 4};

/* Returns whether a callback only counts, so that it may run again for other bins. */
static bool only_counts(const mass_callback *c)
{
    bool only = c->over == MASS_OVER_PLACES;
    for (uint32_t i = 0; i < c->field_count; i++)
        only &= c->fields[i].access == MASS_BINS || mass_access_of(c->fields[i].access)->effect == MASS_EFFECT_READS;
    return only;
}

/* Returns the greatest method of counting that the callback's bins ask for. */
static uint32_t method_of(const mass_work *work)
{
    const mass_callback *c = mass_cuda_callback(work->prepared);
    uint32_t method = MASS_COUNT_AUTO;
    for (uint32_t i = 0; i < c->field_count; i++)
        if (c->fields[i].access == MASS_BINS && work->memory[i].method > method) method = work->memory[i].method;
    return method;
}

/* Places the bins of all fields in a block's shared memory. Returns their bytes. */
static uint32_t place_bins(mass_launch *l, uint32_t fields, uint32_t copies_log2)
{
    uint32_t words = 0;
    for (uint32_t k = 0; k < fields; k++) {
        l->bins[k].local = words;
        l->bins[k].copies_log2 = copies_log2;
        words += (l->bins[k].count + 1) << copies_log2;
    }
    return words * WORD;
}

mass_cuda_strides mass_cuda_choose_strides(const mass_cuda *cuda, const mass_work *work, mass_launch *l, int64_t items,
                                           int resident)
{
    const mass_callback *c = mass_cuda_callback(work->prepared);
    const block_shape shape = c->over == MASS_OVER_AGENTS ? OF_AGENTS : OF_PLACES;
    const uint64_t most = cuda->block_memory - OWN_STATIC;
    const uint64_t good = cuda->processor_memory / shape.a_processor - OWN_STATIC;
    const uint32_t method = method_of(work);
    mass_cuda_strides s = {.threads = shape.threads, .blocks = shape.a_processor * (unsigned)cuda->processors,
                           .passes = 1};
    for (uint32_t k = 0; k < MASS_BINS_FIELDS; k++) l->bins[k].local = MASS_BINS_GLOBAL;
    uint32_t fields = 0, copies_log2 = COPIES_LOG2_MAX;
    uint64_t bytes = 0; /* of all bins, one copy */
    for (uint32_t i = 0; i < c->field_count; i++)
        if (c->fields[i].access == MASS_BINS) bytes += ((uint64_t)l->bins[fields++].length + 1) * WORD;
    while (copies_log2 > 0 && bytes << copies_log2 > good) copies_log2--;
    if (fields > 0 && resident > (int)shape.a_processor &&
        (bytes << copies_log2) + OWN_STATIC <= cuda->processor_memory / (unsigned)resident)
        s.blocks = (unsigned)resident * (unsigned)cuda->processors;
    if (method == MASS_COUNT_SEQUENTIAL) s.threads = s.blocks = 1;
    if (method == MASS_COUNT_GLOBAL || method == MASS_COUNT_STRIDE) {
        s.threads = THREADS_OF_GLOBAL;
        s.blocks = 8 * (unsigned)cuda->processors;
    }
    if (method == MASS_COUNT_GLOBAL) s.blocks = UINT32_MAX;
    if (method == MASS_COUNT_SHARED) copies_log2 = 0;
    const bool local = fields > 0 && (method == MASS_COUNT_AUTO || method == MASS_COUNT_SHARED);
    /* The first field's bins are divided among the passes. Other fields, if they are small, are counted in the first
     * pass. */
    const uint64_t first = fields ? (uint64_t)l->bins[0].length * WORD : 0, others = bytes - first;
    const uint64_t share = others < most ? most - others : 0;
    if (local && bytes > most && share > 0 && only_counts(c) &&
        (method == MASS_COUNT_SHARED || first <= PASSES_MAX * share)) {
        s.passes = (uint32_t)((first + share - 1) / share);
        l->bins[0].count = (l->bins[0].length + s.passes - 1) / s.passes;
    }
    if (local && (bytes <= most || s.passes > 1)) s.local = place_bins(l, fields, copies_log2);
    const int64_t need = (items + s.threads - 1) / s.threads;
    const int64_t a_world = (unsigned)l->worlds < s.blocks ? s.blocks / (unsigned)l->worlds : 1;
    if (need < a_world) s.blocks = need < 1 ? 1 : (unsigned)need;
    else s.blocks = (unsigned)(a_world < INT32_MAX ? a_world : INT32_MAX);
    return s;
}
