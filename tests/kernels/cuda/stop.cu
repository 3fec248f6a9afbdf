/* What a stop leaves alone, and what sets it before a step. Ends with 77 where there is no GPU. */
#include "cuda/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace {

enum { SKIPPED = 77, WORLDS = 300, ELEMENTS = 5003 };

#define CHECK(CALL)                                                                             \
    do {                                                                                        \
        const cudaError_t e_ = (CALL);                                                          \
        if (e_ != cudaSuccess) {                                                                \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #CALL, cudaGetErrorString(e_)); \
            exit(1);                                                                            \
        }                                                                                       \
    } while (0)

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
struct shared {
    mass_stop stop;
    uint64_t clock;
    uint32_t count, limit, closed[WORLDS], gates[WORLDS], start[WORLDS + 1];
    int64_t tally[WORLDS];
    alignas(16) uint32_t filled[ELEMENTS];
} *all;

void finish() { CHECK(cudaStreamSynchronize(stream)); }

/* Everything that takes a stop, or is closed by one. */
void queue(const mass_stop *stop)
{
    static const uint32_t five = 5;
    mass_gate_work gate = {};
    gate.worlds = WORLDS, gate.relation = MASS_AT_LEAST, gate.tally = all->tally;
    gate.closed = all->closed, gate.gates = all->gates;
    CHECK(mass_cuda_gate(stream, &gate));
    CHECK(mass_cuda_fill(stream, all->filled, &five, sizeof five, ELEMENTS, stop));
    CHECK(mass_cuda_advance(stream, &all->clock, 32, stop));
    CHECK(mass_cuda_census(stream, all->start, 1, WORLDS, all->tally, stop));
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
    memset(all, 0, sizeof *all);
    for (int w = 0; w <= WORLDS; w++) all->start[w] = (uint32_t)w;
    all->stop.stopped = 1;
    for (int w = 0; w < WORLDS; w++) all->closed[w] = 1;
    queue(&all->stop);
    EXPECT(all->clock == 0);
    EXPECT(is_everywhere(all->filled, ELEMENTS, 0));
    EXPECT(is_everywhere(all->gates, WORLDS, 1));
    EXPECT(all->tally[0] == 0 && all->tally[WORLDS - 1] == 0);
}

void expect_all_without(mass_stop *stop)
{
    memset(all, 0, sizeof *all);
    for (int w = 0; w <= WORLDS; w++) all->start[w] = (uint32_t)w;
    queue(stop);
    EXPECT(all->clock == 32);
    EXPECT(is_everywhere(all->filled, ELEMENTS, 5));
    EXPECT(is_everywhere(all->gates, WORLDS, 0));
    EXPECT(all->tally[0] == 1 && all->tally[WORLDS - 1] == 1);
}

void guard(uint32_t count, uint32_t limit, uint64_t step)
{
    all->count = count, all->limit = limit;
    mass_guard_work w = {};
    w.count = &all->count, w.limit = &all->limit, w.step = step, w.clock = &all->clock;
    w.closed = all->closed, w.worlds = WORLDS;
    CHECK(mass_cuda_guard(stream, &w, &all->stop));
    finish();
}

void expect_guards_to_stop()
{
    memset(all, 0, sizeof *all);
    all->clock = 64;
    guard(7, 7, 1);
    EXPECT(!all->stop.stopped && is_everywhere(all->closed, WORLDS, 0));
    guard(8, 7, 2);
    EXPECT(all->stop.stopped && all->stop.phase == MASS_BEFORE_STEP && all->stop.step == 66 && all->stop.needed == 8);
    EXPECT(is_everywhere(all->closed, WORLDS, 1));
    guard(9, 7, 3); /* the first stays */
    EXPECT(all->stop.step == 66 && all->stop.needed == 8);
}

} // namespace

int main()
{
    int devices;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        printf("Skipped: there is no GPU\n");
        return SKIPPED;
    }
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaMallocHost((void **)&all, sizeof *all));
    expect_nothing_behind_a_stop();
    expect_all_without(&all->stop);
    expect_all_without(NULL);
    expect_guards_to_stop();
    CHECK(cudaFreeHost(all));
    CHECK(cudaStreamDestroy(stream));
    return failures != 0;
}
