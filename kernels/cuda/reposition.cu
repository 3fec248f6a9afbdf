/* SPDX-License-Identifier: Apache-2.0 */
/* Gives agents that move their new positions. */
#include "cuda/kernels.h"
#include "cuda/each.cuh"

namespace {

/* Copies the new position of each agent that moves, unless queued work has stopped. */
__global__ void reposition(const mass_reposition_work w, const mass_stop *stop)
{
    if (stop && stop->stopped) return;
    EACH(i, *w.count) {
        if (w.move[i] == MASS_CELL_STAY || w.move[i] == MASS_CELL_NOWHERE) continue;
        if (w.gates && w.gates[w.cell[i] / (uint64_t)w.places]) continue;
        copy_element<uint32_t>((char *)w.at + i * w.size, (const char *)w.to + i * w.size, w.size);
    }
}

} // namespace

extern "C" cudaError_t mass_cuda_reposition(cudaStream_t stream, const mass_reposition_work *w, const mass_stop *stop)
{
    if (w->room == 0) return cudaSuccess;
    reposition<<<blocks_for(w->room), THREADS, 0, stream>>>(*w, stop);
    return cudaGetLastError();
}
