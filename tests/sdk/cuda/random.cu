/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers on a GPU: all of random.h, to the bits of the CPU. Ends with 77 where there is no GPU. */
#include "../../gpu.cuh"
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

namespace {

enum { SAMPLES = 1 << 20, THREADS = 256 };

__global__ void fill(sample *out)
{
    const uint64_t i = blockIdx.x * (uint64_t)THREADS + threadIdx.x;
    out[i] = sample_of(i);
}

std::vector<sample> samples_of_device()
{
    std::vector<sample> samples(SAMPLES);
    sample *on_device;
    CHECK(cudaMalloc(&on_device, SAMPLES * sizeof *on_device));
    fill<<<SAMPLES / THREADS, THREADS>>>(on_device);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(samples.data(), on_device, SAMPLES * sizeof(sample), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(on_device));
    return samples;
}

} // namespace

int main()
{
    static_assert(sizeof(sample) == 56, "a sample has padding");
    if (!there_is_a_gpu()) return SKIPPED;
    const std::vector<sample> samples = samples_of_device();
    int wrong = 0;
    for (uint64_t i = 0; i < SAMPLES; i++) {
        const sample expected = sample_on_host(i);
        if (memcmp(&samples[i], &expected, sizeof expected) != 0 && wrong++ == 0)
            fprintf(stderr, "sample %llu differs\n", (unsigned long long)i);
    }
    if (wrong) fprintf(stderr, "%d of %d samples differ\n", wrong, SAMPLES);
    return wrong != 0;
}
