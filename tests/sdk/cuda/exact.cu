/* SPDX-License-Identifier: Apache-2.0 */
/* Exact sums on a GPU, by many threads at a time, to the bits of the CPU. Ends with 77 where there is no GPU. */
#include "../../gpu.cuh"
#include "sum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace {

enum { BLOCKS = 64, THREADS = 256, PER_THREAD = 32 };

/* Half of the blocks add to global memory, the others to shared memory first. */
__global__ void add(sum *sums)
{
    __shared__ int64_t shared[MASS_EXACT_WORDS];
    const bool direct = blockIdx.x % 2;
    int64_t *const words = sums[blockIdx.y].words;
    for (int i = threadIdx.x; i < MASS_EXACT_WORDS; i += THREADS) shared[i] = 0;
    __syncthreads();
    mass_exact_window w;
    mass_exact_begin(&w, direct ? words : shared);
    for (uint64_t i = 0; i < PER_THREAD; i++)
        mass_exact_add(&w, summand(blockIdx.y, (i * BLOCKS + blockIdx.x) * THREADS + threadIdx.x));
    mass_exact_flush(&w);
    __syncthreads();
    for (int i = threadIdx.x; i < MASS_EXACT_WORDS; i += THREADS) mass_exact_put_(words + i, shared[i]);
}

__global__ void finish_all(sum *sums) { finish(sums + blockIdx.x); }

void sums_of_device(sum *sums)
{
    sum *on_device;
    CHECK(cudaMalloc(&on_device, SUMS * sizeof *sums));
    CHECK(cudaMemset(on_device, 0, SUMS * sizeof *sums));
    add<<<dim3(BLOCKS, SUMS), THREADS>>>(on_device);
    finish_all<<<SUMS, 1>>>(on_device);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(sums, on_device, SUMS * sizeof *sums, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(on_device));
}

} // namespace

int main()
{
    if (!there_is_a_gpu()) return SKIPPED;
    sum sums[SUMS];
    sums_of_device(sums);
    int wrong = 0;
    for (int which = 0; which < SUMS; which++) {
        sum expected;
        sum_on_host(&expected, which, (uint64_t)BLOCKS * THREADS * PER_THREAD);
        if (memcmp(&sums[which], &expected, sizeof expected) == 0) continue;
        fprintf(stderr, "sum %d: %a on the device, %a on the host, or other words\n", which, sums[which].value,
                expected.value);
        wrong = 1;
    }
    return wrong;
}
