/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes of blocks on a GPU against the CPU's: odd sizes, partitions, worlds, planes and interleaved components, and
 * agents' worlds and places. Ends with 77 where there is no GPU. */
#include "../../gpu.cuh"
#include "cuda/kernels.h"
#include <mass/random.h> /* has C++ headers, and cpu/kernels.h includes it */
extern "C" {
#include "cpu/kernels.h"
}

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

namespace {

cudaStream_t stream;
int failures;

/* Tables and arrays on the device, whose addresses stand in `arrays`. */
struct scene {
    mass_blocks host = {}, device = {};
    std::vector<mass_blocks_part> parts;
    std::vector<std::vector<uint8_t>> memory;
    std::vector<const void *> arrays, device_arrays;
    std::vector<void *> allocated;
};

template <class T> T *copy_of(scene &s, const T *from, size_t count)
{
    void *to;
    CHECK(cudaMalloc(&to, count * sizeof(T)));
    CHECK(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice));
    s.allocated.push_back(to);
    return (T *)to;
}

std::vector<uint8_t> noise(size_t bytes, uint64_t seed)
{
    std::vector<uint8_t> out(bytes);
    uint64_t x = seed * 0x9e3779b97f4a7c15ull + 1;
    for (size_t i = 0; i < bytes; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        out[i] = (uint8_t)(x >> 24);
    }
    return out;
}

/* `first` elements lie before the element of place (0, 0, 0). */
void add_array(scene &s, size_t elements, int64_t first, size_t size)
{
    s.memory.push_back(noise(elements * size, s.memory.size() + 3));
    s.arrays.push_back(s.memory.back().data() + (size_t)first * size);
    s.device_arrays.push_back(copy_of(s, s.memory.back().data(), elements * size) + (size_t)first * size);
}

void compare(scene &s, const char *what)
{
    s.host.parts = s.parts.data();
    s.host.part_count = (int32_t)s.parts.size();
    s.host.arrays = s.arrays.data();
    s.device = s.host;
    s.device.parts = copy_of(s, s.parts.data(), s.parts.size());
    s.device.arrays = copy_of(s, s.device_arrays.data(), s.device_arrays.size());
    const int64_t bytes = s.host.worlds * s.host.elements * s.host.array_count * (int64_t)s.host.size;
    const int64_t count = (bytes + MASS_BLOCK_BYTES - 1) / MASS_BLOCK_BYTES, first = count / 3;
    std::vector<uint64_t> expected(count), got(count);
    mass_cpu_hash_blocks(&s.host, 0, count, expected.data(), nullptr);
    uint64_t *hashes = copy_of(s, got.data(), (size_t)count);
    CHECK(mass_cuda_hash_blocks(stream, &s.device, 0, first, hashes));
    CHECK(mass_cuda_hash_blocks(stream, &s.device, first, count - first, hashes + first));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(got.data(), hashes, (size_t)count * sizeof *hashes, cudaMemcpyDeviceToHost));
    for (int64_t i = 0; i < count; i++)
        if (got[i] != expected[i]) {
            fprintf(stderr, "%s: block %lld of %lld differs\n", what, (long long)i, (long long)count);
            failures++;
            break;
        }
    for (void *memory : s.allocated) CHECK(cudaFree(memory));
}

/* A box in slabs along z, or a grid along y, with ghosts around. */
void compare_places(int64_t nx, int64_t ny, int64_t nz, int parts, int64_t worlds, uint32_t size, int32_t arrays)
{
    scene s;
    const bool flat = nz == 1;
    const int64_t rows = flat ? ny : nz;
    s.host.size = size, s.host.array_count = arrays, s.host.worlds = worlds, s.host.elements = nx * ny * nz;
    for (int i = 0; i < parts; i++) {
        const int64_t from = rows * i / parts, own = rows * (i + 1) / parts - from;
        const int64_t height = flat ? own : ny, depth = flat ? 1 : own, pitch = (nx + 3 + 63) / 64 * 64;
        const int64_t plane = pitch * (height + 2), stride = plane * (depth + 2), first = plane + pitch + 64;
        s.parts.push_back({from * (flat ? nx : nx * ny), {nx, height, depth}, pitch, plane, stride});
        for (int32_t k = 0; k < arrays; k++) add_array(s, (size_t)(stride * worlds + 128 + first), first, size);
    }
    char what[120];
    snprintf(what, sizeof what, "%lld x %lld x %lld in %d partitions, %lld worlds, %d arrays of %u bytes",
             (long long)nx, (long long)ny, (long long)nz, parts, (long long)worlds, arrays, size);
    compare(s, what);
}

void compare_agents(int64_t count, uint32_t derived, uint32_t size)
{
    scene s;
    s.host.size = size, s.host.array_count = 1, s.host.worlds = 1, s.host.elements = count;
    s.host.derived = derived, s.host.cells = 70001;
    s.parts.push_back({0, {count, 1, 1}, 0, 0, 0});
    add_array(s, (size_t)count, 0, derived ? sizeof(uint32_t) : size);
    compare(s, derived ? "cells" : "agents");
}

} // namespace

int main()
{
    static const int64_t widths[] = {1, 7, 8, 20, 63, 1000, 1001, 4096, 70001};
    static const uint32_t sizes[] = {1, 2, 4, 8, 5, 6, 12, 16, 24};
    if (!there_is_a_gpu()) return SKIPPED;
    CHECK(cudaStreamCreate(&stream));
    for (int64_t nx : widths)
        for (uint32_t size : sizes)
            for (int parts = 1; parts <= 7; parts += 3) {
                compare_places(nx, 11, 1, parts, 2, size, 1);
                compare_places(nx, 7, 1, parts, 3, size, 3);
            }
    for (uint32_t size : sizes) compare_places(37, 13, 9, 4, 5, size, 2);
    compare_places(65536, 2048, 1, 3, 1, 1, 1); /* more blocks than one wave of threads */
    for (int64_t count : {1, 1023, 1000003}) {
        compare_agents(count, MASS_BLOCKS_WORLDS, 4);
        compare_agents(count, MASS_BLOCKS_PLACES, 8);
        compare_agents(count, MASS_BLOCKS_PLAIN, 12);
    }
    CHECK(cudaStreamDestroy(stream));
    return failures ? 1 : 0;
}
