/* Strided copies: columns of single elements as well as whole planes. */
#include "cpu/kernels.h"

#include <string.h>

#define COPY_ELEMENTS(T)                                                                           \
    for (int64_t i = 0; i < n; i++, to += to_step, from += from_step) memcpy(to, from, sizeof(T))

/* One axis of runs; the sizes of numbers get a loop of their own. */
static void copy_axis(char *to, const char *from, size_t bytes, int64_t n, int64_t to_step, int64_t from_step)
{
    switch (bytes) {
    case 1: COPY_ELEMENTS(uint8_t); break;
    case 2: COPY_ELEMENTS(uint16_t); break;
    case 4: COPY_ELEMENTS(uint32_t); break;
    case 8: COPY_ELEMENTS(uint64_t); break;
    default:
        for (int64_t i = 0; i < n; i++) memcpy(to + i * to_step, from + i * from_step, bytes);
    }
}

static void copy_runs(const mass_strided *c, int64_t i)
{
    const int64_t j = i % c->count[1], k = i / c->count[1];
    copy_axis((char *)c->to + j * c->to_stride[1] + k * c->to_stride[2],
              (const char *)c->from + j * c->from_stride[1] + k * c->from_stride[2], c->bytes, c->count[0],
              c->to_stride[0], c->from_stride[0]);
}

void mass_cpu_copy(const mass_strided *c, int threads)
{
    const int64_t outer = c->count[1] * c->count[2];
    const double bytes = (double)outer * (double)c->count[0] * (double)(c->bytes + 32);
    if (threads == 1 || outer == 1 || bytes <= 1 << 18) { /* a region of one thread costs as much as a small copy */
        for (int64_t i = 0; i < outer; i++) copy_runs(c, i);
        return;
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < outer; i++) copy_runs(c, i);
}
