/* SPDX-License-Identifier: Apache-2.0 */
/* What a stop leaves alone, and what sets it before a step. Ends with 77 where there is no GPU. */
#include "../../gpu.cuh"
#include "cuda/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace {

enum { WORLDS = 300, ELEMENTS = 5003 };

#define EXPECT(WHAT)                                                        \
    do {                                                                    \
        if (!(WHAT)) {                                                      \
            fprintf(stderr, "%s:%d: not %s\n", __FILE__, __LINE__, #WHAT); \
            failures++;                                                     \
        }                                                                   \
    } while (0)

int failures;
cudaStream_t stream;

/* Memory that both sides see. */
struct views {
    mass_stop stop;
    uint64_t clock;
    uint32_t count, limit, closed[WORLDS], gates[WORLDS], start[WORLDS + 1];
    int64_t tally[WORLDS];
    alignas(16) uint32_t filled[ELEMENTS];
} *seen;

void finish() { CHECK(cudaStreamSynchronize(stream)); }

/* Everything that takes a stop, or is closed by one. */
void queue(const mass_stop *stop)
{
    static const uint32_t five = 5;
    mass_gate_work gate = {};
    gate.worlds = WORLDS, gate.relation = MASS_AT_LEAST, gate.tally = seen->tally;
    gate.closed = seen->closed, gate.gates = seen->gates;
    CHECK(mass_cuda_gate(stream, &gate));
    CHECK(mass_cuda_fill(stream, seen->filled, &five, sizeof five, ELEMENTS, stop, false));
    CHECK(mass_cuda_advance(stream, &seen->clock, 32, stop));
    CHECK(mass_cuda_census(stream, seen->start, 1, WORLDS, seen->tally, stop));
    finish();
}

bool is_everywhere(const uint32_t *list, int count, uint32_t value)
{
    for (int i = 0; i < count; i++)
        if (list[i] != value) return false;
    return true;
}

void expect_nothing_behind_a_stop()
{
    memset(seen, 0, sizeof *seen);
    for (int w = 0; w <= WORLDS; w++) seen->start[w] = (uint32_t)w;
    seen->stop.stopped = 1;
    for (int w = 0; w < WORLDS; w++) seen->closed[w] = 1;
    queue(&seen->stop);
    EXPECT(seen->clock == 0);
    EXPECT(is_everywhere(seen->filled, ELEMENTS, 0));
    EXPECT(is_everywhere(seen->gates, WORLDS, 1));
    EXPECT(seen->tally[0] == 0 && seen->tally[WORLDS - 1] == 0);
}

void expect_all_without(mass_stop *stop)
{
    memset(seen, 0, sizeof *seen);
    for (int w = 0; w <= WORLDS; w++) seen->start[w] = (uint32_t)w;
    queue(stop);
    EXPECT(seen->clock == 32);
    EXPECT(is_everywhere(seen->filled, ELEMENTS, 5));
    EXPECT(is_everywhere(seen->gates, WORLDS, 0));
    EXPECT(seen->tally[0] == 1 && seen->tally[WORLDS - 1] == 1);
}

void guard(uint32_t count, uint32_t limit, uint64_t step)
{
    seen->count = count, seen->limit = limit;
    mass_memory_guard_work w = {};
    w.count = &seen->count, w.limit = &seen->limit, w.step = step, w.clock = &seen->clock;
    w.closed = seen->closed, w.worlds = WORLDS;
    CHECK(mass_cuda_memory_guard(stream, &w, &seen->stop));
    finish();
}

void expect_guards_to_stop()
{
    memset(seen, 0, sizeof *seen);
    seen->clock = 64;
    guard(7, 7, 1);
    EXPECT(!seen->stop.stopped && is_everywhere(seen->closed, WORLDS, 0));
    guard(8, 7, 2);
    EXPECT(seen->stop.stopped && seen->stop.phase == MASS_BEFORE_STEP);
    EXPECT(seen->stop.step == 66 && seen->stop.needed == 8);
    EXPECT(is_everywhere(seen->closed, WORLDS, 1));
    guard(9, 7, 3); /* the first stays */
    EXPECT(seen->stop.step == 66 && seen->stop.needed == 8);
}

} // namespace

int main()
{
    if (!there_is_a_gpu()) return SKIPPED;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaMallocHost((void **)&seen, sizeof *seen));
    expect_nothing_behind_a_stop();
    expect_all_without(&seen->stop);
    expect_all_without(NULL);
    expect_guards_to_stop();
    CHECK(cudaFreeHost(seen));
    CHECK(cudaStreamDestroy(stream));
    return failures != 0;
}
