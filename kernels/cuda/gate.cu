/* SPDX-License-Identifier: Apache-2.0 */
/* Gates of conditional phases, and the number of agents: one thread a world. Fixed-point sums: one thread a sum. */
#include "cuda/kernels.h"

namespace {
constexpr int THREADS = 128;

/* Opens or closes each world's gate. */
__global__ void set_gates(const mass_gate_work w)
{
    const int world = blockIdx.x * THREADS + threadIdx.x;
    if (world < w.worlds) w.gates[world] = mass_gate_of(&w, world);
}

/* Writes each world's number of agents to its tally, unless queued work has stopped. */
__global__ void count_agents(const uint32_t *start, int64_t places, int worlds, int64_t *tally, const mass_stop *stop)
{
    const int world = blockIdx.x * THREADS + threadIdx.x;
    if (stop && stop->stopped) return;
    if (world < worlds) tally[world] = mass_agents_of_world(start, places, world);
}

/* Writes the values of a tally that bodies read, unless queued work has stopped. */
__global__ void settle(const mass_settle_work w, const mass_stop *stop)
{
    const int world = blockIdx.x * THREADS + threadIdx.x;
    if (stop && stop->stopped) return;
    if (world < w.worlds) w.values[world] = mass_settled(&w, world);
}

/* Splits sums in fixed point into parts, or joins them (mass_fixed_do). */
__global__ void do_fixed(const mass_fixed_work w)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < w.count) mass_fixed_do(&w, i);
}
} // namespace

extern "C" cudaError_t mass_cuda_gate(cudaStream_t stream, const mass_gate_work *w)
{
    set_gates<<<(w->worlds + THREADS - 1) / THREADS, THREADS, 0, stream>>>(*w);
    return cudaGetLastError();
}

extern "C" cudaError_t mass_cuda_census(cudaStream_t stream, const uint32_t *start, int64_t places, int32_t worlds,
                                        int64_t *tally, const mass_stop *stop)
{
    count_agents<<<(worlds + THREADS - 1) / THREADS, THREADS, 0, stream>>>(start, places, worlds, tally, stop);
    return cudaGetLastError();
}

extern "C" cudaError_t mass_cuda_settle(cudaStream_t stream, const mass_settle_work *w, const mass_stop *stop)
{
    settle<<<(w->worlds + THREADS - 1) / THREADS, THREADS, 0, stream>>>(*w, stop);
    return cudaGetLastError();
}

extern "C" cudaError_t mass_cuda_fixed(cudaStream_t stream, const mass_fixed_work *w)
{
    do_fixed<<<(unsigned)((w->count + THREADS - 1) / THREADS), THREADS, 0, stream>>>(*w);
    return cudaGetLastError();
}
