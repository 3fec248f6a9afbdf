/* SPDX-License-Identifier: Apache-2.0 */
/* Strided copies: from columns of single elements to whole planes. */
#include "cpu/kernels.h"

#include <string.h>

#define COPY_ELEMENTS(T)                                                                           \
    for (int64_t i = 0; i < n; i++, to += to_step, from += from_step) memcpy(to, from, sizeof(T))

/* Copies the runs along one axis. Each size of a number has a loop of its own. */
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

/* Copies the runs along the first axis of the box, at number i of the other two axes. */
static void copy_runs(const mass_strided *c, int64_t i)
{
    const int64_t j = i % c->count[1], k = i / c->count[1];
    copy_axis((char *)c->to + j * c->to_stride[1] + k * c->to_stride[2],
              (const char *)c->from + j * c->from_stride[1] + k * c->from_stride[2], c->bytes, c->count[0],
              c->to_stride[0], c->from_stride[0]);
}

typedef struct job {
    const mass_strided *copy;
    int64_t outer;
    int parts;
} job;

/* Copies one thread's share of a box. */
static void copy_part(void *context, int part)
{
    const job *j = context;
    const int64_t last = j->outer * (part + 1) / j->parts;
    for (int64_t i = j->outer * part / j->parts; i < last; i++) copy_runs(j->copy, i);
}

/* Copies a box within host memory, on the team's threads if it is large. */
void mass_cpu_copy(const mass_strided *c, mass_cpu_team *team)
{
    job j = {c, c->count[1] * c->count[2], 1};
    const double bytes = (double)j.outer * (double)c->count[0] * (double)(c->bytes + 32);
    if (bytes > 1 << 18) j.parts = mass_cpu_team_threads(team);
    mass_cpu_team_run(team, j.parts, copy_part, &j);
}
