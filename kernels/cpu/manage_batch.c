/* SPDX-License-Identifier: Apache-2.0 */
/* Copies the arrays of agents into a new order of long runs. */
#include "cpu/manage_batch.h"

#include <string.h>

enum { WIDE = 32 };

/* Copies in steps of WIDE bytes, and so may write up to 32 bytes after the end. */
static inline void copy_wide(char *to, const char *from, size_t size)
{
    size_t i = 0;
    do {
        memcpy(to + i, from + i, WIDE);
        i += WIDE;
    } while (__builtin_expect(i < size, 0));
}

/* Copies the values of all runs of a batch to `to`, in order. WIDELY: runs may be copied by whole vectors, past their
 * end. */
#define COPY_RUNS(SIZE, WIDELY)                                                                        \
    for (uint32_t r = 1; r < batch->runs; r++) {                                                       \
        const manage_run run = batch->run[r];                                                          \
        const char *const values = (const char *)from + (size_t)run.agent * (SIZE);                    \
        const size_t bytes = (size_t)run.count * (SIZE);                                               \
        if ((WIDELY) && run.agent + (uint64_t)run.count + WIDE <= limit) copy_wide(to, values, bytes); \
        else memcpy(to, values, bytes);                                                                \
        to += bytes;                                                                                   \
    }

/* Copies one array for the agents of the batch. */
static void copy_runs(const manage_batch *batch, const void *from, void *array, size_t size)
{
    /* Later runs overwrite the bytes that are written after a run, if enough of the part's agents follow. */
    const uint64_t limit = batch->end - batch->at - batch->count < WIDE ? 0 : batch->agents;
    char *to = (char *)array + batch->at * size;
    switch (size) {
    case 1: COPY_RUNS(1, true); break;
    case 2: COPY_RUNS(2, true); break;
    case 4: COPY_RUNS(4, true); break;
    case 8: COPY_RUNS(8, true); break;
    default: COPY_RUNS(size, false);
    }
}

/* Clears the refusal flags of the batch; agents of closed worlds keep theirs. Refused agents get theirs later. */
static void put_lost(const mass_manage_work *w, const manage_batch *batch)
{
    memset(w->lost_to + batch->at, 0, batch->count);
    for (uint32_t r = 1, at = batch->at; w->gates && r < batch->runs; r++)
        for (uint32_t k = 0; k < batch->run[r].count; k++, at++)
            if (is_closed(w, w->cell_to[at] / (uint64_t)w->places)) w->lost_to[at] = w->lost[batch->run[r].agent + k];
}

/* Begins a batch; see its declaration. The first run has an agent number that no agent has, so no run can extend it. */
manage_batch_end manage_begin_batch(manage_batch *batch, uint32_t at)
{
    batch->at = at;
    batch->run[0] = (manage_run){UINT32_MAX, 0};
    return (manage_batch_end){batch->run, batch->arrival, at};
}

manage_batch_end manage_put_batch(const mass_manage_work *w, manage_batch *batch, manage_batch_end end)
{
    batch->count = end.at - batch->at;
    batch->runs = (uint32_t)(end.run - batch->run) + 1;
    copy_runs(batch, w->cell, w->cell_to, sizeof *w->cell);
    for (const manage_arrival *i = batch->arrival; i < end.arrival; i++) w->cell_to[i->at] = i->cell;
    copy_runs(batch, w->id, w->id_to, sizeof *w->id);
    for (uint32_t i = 0; i < w->array_count; i++)
        copy_runs(batch, w->arrays[i].from, w->arrays[i].to, w->arrays[i].size);
    put_lost(w, batch);
    return manage_begin_batch(batch, end.at);
}
