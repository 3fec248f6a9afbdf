/* SPDX-License-Identifier: Apache-2.0 */
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

typedef struct job {
    const mass_strided *box;
    size_t size;
    int64_t runs;
    int parts;
} job;

static void add_part(void *context, int part)
{
    const job *j = context;
    const mass_strided *c = j->box;
    const int64_t last = j->runs * (part + 1) / j->parts;
    for (int64_t run = j->runs * part / j->parts; run < last; run++)
        add_run((char *)c->to + run_at(c->to_stride, c->count, run),
                (const char *)c->from + run_at(c->from_stride, c->count, run), c->bytes, j->size);
}

void mass_cpu_add(const mass_strided *c, size_t size, mass_cpu_team *team)
{
    job j = {c, size, c->count[0] * c->count[1] * c->count[2], 1};
    if ((double)j.runs * (double)c->bytes > 1 << 18) j.parts = mass_cpu_team_threads(team);
    mass_cpu_team_run(team, j.parts, add_part, &j);
}
