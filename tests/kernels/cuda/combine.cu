/* SPDX-License-Identifier: Apache-2.0 */
/* Elements by their numbers on a GPU, gathered, scattered and combined, are those of the CPU. Ends with 77 where there
 * is no GPU. */
#include "../../gpu.cuh"
#include "cuda/kernels.h"

#include <mass/random.h> /* has C++ headers, and cpu/kernels.h includes it */
extern "C" {
#include "cpu/kernels.h"
}

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace {

enum { ELEMENTS = 3001, MOST = 20000 };

int failures;
cudaStream_t stream;
uint64_t state = 1;

uint32_t below(uint32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % n;
}

/* Memory that both sides see, and the CPU's copy of what is written. */
struct views {
    uint8_t *elements, *list;
    uint32_t *index;
    std::vector<uint8_t> expected;
};

void fill(uint8_t *to, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) to[i] = (uint8_t)below(256);
}

void expect(const char *what, size_t size, const uint8_t *found, const std::vector<uint8_t> &expected, size_t bytes)
{
    CHECK(cudaStreamSynchronize(stream));
    if (memcmp(found, expected.data(), bytes) == 0) return;
    fprintf(stderr, "%s of %zu bytes: other values than on the CPU\n", what, size);
    failures++;
}

void gather(views *v, size_t size, int64_t count)
{
    fill(v->elements, ELEMENTS * size);
    for (int64_t i = 0; i < count; i++) v->index[i] = below(ELEMENTS);
    mass_indexed g = {v->list, v->elements, v->index, count, size};
    CHECK(mass_cuda_gather(stream, &g, nullptr));
    v->expected.assign((size_t)count * size + 1, 0);
    g.to = v->expected.data();
    mass_cpu_gather(&g);
    expect("gather", size, v->list, v->expected, (size_t)count * size);
}

/* Each element is listed once, in any order, where `how` is NULL or has one writer replace; else some several times. */
void scatter(views *v, size_t size, int64_t count, const mass_combination *how)
{
    static const char *const names[] = {"add", "least", "replace"};
    const bool once = !how || how->kind == MASS_COMBINATION_REPLACE;
    if (once && count > ELEMENTS) count = ELEMENTS;
    fill(v->elements, ELEMENTS * size);
    fill(v->list, (size_t)count * size);
    for (int64_t i = 0; i < count; i++) v->index[i] = once ? (uint32_t)i : below(ELEMENTS);
    for (int64_t i = count - 1; once && i > 0; i--) std::swap(v->index[i], v->index[below((uint32_t)i + 1)]);
    for (int64_t i = 0; how && i < count; i += 3) memset(v->list + i * size, 0xff, size); /* replaces nothing */
    v->expected.assign(v->elements, v->elements + ELEMENTS * size);
    mass_indexed s = {v->elements, v->list, v->index, count, size};
    CHECK(mass_cuda_scatter(stream, &s, how, nullptr));
    CHECK(cudaStreamSynchronize(stream));
    s.to = v->expected.data();
    mass_cpu_scatter(&s, how);
    expect(how ? names[how->kind] : "scatter", size, v->elements, v->expected, ELEMENTS * size);
}
} // namespace

int main()
{
    if (!there_is_a_gpu()) return SKIPPED;
    CHECK(cudaStreamCreate(&stream));
    views v;
    CHECK(cudaMallocManaged(&v.elements, ELEMENTS * 24));
    CHECK(cudaMallocManaged(&v.list, MOST * 24));
    CHECK(cudaMallocManaged(&v.index, MOST * sizeof *v.index));
    for (int64_t count : {(int64_t)0, (int64_t)1, (int64_t)31, (int64_t)1000, (int64_t)MOST}) {
        for (size_t size : {1, 2, 3, 4, 8, 12, 16, 24}) {
            gather(&v, size, count);
            scatter(&v, size, count, nullptr);
        }
        for (int kind = MASS_COMBINATION_ADD; kind <= MASS_COMBINATION_REPLACE; kind++)
            for (size_t size : {4, 8})
                for (int is_signed = 0; is_signed < 2; is_signed++) {
                    const mass_combination how = {(mass_combination_kind)kind, size, is_signed != 0};
                    scatter(&v, size, count, &how);
                }
    }
    return failures ? 1 : 0;
}
