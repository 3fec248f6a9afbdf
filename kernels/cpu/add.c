/* Adding a box of integers to another. */
#include "cpu/kernels.h"

#define ADD_INTEGERS(T)                                                                            \
    for (size_t i = 0; i < bytes / sizeof(T); i++) ((T *)to)[i] += ((const T *)from)[i]

static void add_run(void *to, const void *from, size_t bytes, size_t size)
{
    if (size == sizeof(uint32_t)) ADD_INTEGERS(uint32_t);
    else ADD_INTEGERS(uint64_t);
}

static int64_t run_at(const int64_t stride[3], const int64_t count[3], int64_t run)
{
    const int64_t i = run % count[0], rest = run / count[0];
    return i * stride[0] + rest % count[1] * stride[1] + rest / count[1] * stride[2];
}

void mass_cpu_add(const mass_strided *c, size_t size, int threads)
{
    const int64_t runs = c->count[0] * c->count[1] * c->count[2];
    const double bytes = (double)runs * (double)c->bytes;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1 && bytes > 1 << 18)
    for (int64_t run = 0; run < runs; run++)
        add_run((char *)c->to + run_at(c->to_stride, c->count, run),
                (const char *)c->from + run_at(c->from_stride, c->count, run), c->bytes, size);
}
