/* Adding a box of integers to another. */
#include "cpu/kernels.h"

#define ADD_INTEGERS(T)                                                                            \
    for (size_t i = 0; i < c->bytes / sizeof(T); i++) ((T *)to)[i] += ((const T *)from)[i]

static void add_run(const mass_strided *c, size_t size, int64_t run)
{
    const int64_t i = run % c->count[0], rest = run / c->count[0], j = rest % c->count[1], k = rest / c->count[1];
    void *to = (char *)c->to + i * c->to_stride[0] + j * c->to_stride[1] + k * c->to_stride[2];
    const void *from = (const char *)c->from + i * c->from_stride[0] + j * c->from_stride[1] + k * c->from_stride[2];
    if (size == sizeof(uint32_t)) ADD_INTEGERS(uint32_t);
    else ADD_INTEGERS(uint64_t);
}

void mass_cpu_add(const mass_strided *c, size_t size, int threads)
{
    const int64_t runs = c->count[0] * c->count[1] * c->count[2];
    const double bytes = (double)runs * (double)c->bytes;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1 && bytes > 1 << 18)
    for (int64_t run = 0; run < runs; run++) add_run(c, size, run);
}
