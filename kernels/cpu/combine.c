/* SPDX-License-Identifier: Apache-2.0 */
/* Combines integers with others: in boxes, and in lists of elements by number. */
#include "cpu/kernels.h"

#include <string.h>

/* Return the sum, which wraps, and the least of two numbers. */
static inline uint64_t add(uint64_t a, uint64_t b) { return a + b; }
static inline uint64_t least(uint64_t a, uint64_t b) { return b < a ? b : a; }
static inline int64_t least_signed(int64_t a, int64_t b) { return b < a ? b : a; }
/* Returns b, unless it is all ones: that stands for no value, and a stays. */
static inline uint64_t replace_4(uint64_t a, uint64_t b) { return b == UINT32_MAX ? a : b; }
static inline uint64_t replace_8(uint64_t a, uint64_t b) { return b == UINT64_MAX ? a : b; }

/* Combines `count` integers; number i of the source goes to index AT of the target. */
#define COMBINE(T, F, AT)                                                                          \
    for (int64_t i = 0; i < count; i++) ((T *)to)[AT] = (T)F(((T *)to)[AT], ((const T *)from)[i])

/* Combines elements as how->kind says, in numbers of how->size bytes. AT gives the addresses of element i. */
#define COMBINE_ANY(AT)                                                                            \
    do {                                                                                           \
        const bool small = how->size == sizeof(uint32_t);                                          \
        switch (how->kind) {                                                                       \
        case MASS_COMBINATION_ADD:                                                                 \
            if (small) COMBINE(uint32_t, add, AT);                                                 \
            else COMBINE(uint64_t, add, AT);                                                       \
            break;                                                                                 \
        case MASS_COMBINATION_LEAST:                                                               \
            if (how->is_signed && small) COMBINE(int32_t, least_signed, AT);                       \
            else if (how->is_signed) COMBINE(int64_t, least_signed, AT);                           \
            else if (small) COMBINE(uint32_t, least, AT);                                          \
            else COMBINE(uint64_t, least, AT);                                                     \
            break;                                                                                 \
        case MASS_COMBINATION_REPLACE:                                                             \
            if (small) COMBINE(uint32_t, replace_4, AT);                                           \
            else COMBINE(uint64_t, replace_8, AT);                                                 \
            break;                                                                                 \
        }                                                                                          \
    } while (0)

/* Combines `count` consecutive numbers into `to`. */
static void combine_run(void *to, const void *from, int64_t count, const mass_combination *how) { COMBINE_ANY(i); }

/* Combines `count` numbers into the elements of `to` that `index` names, one after the other: an element may be named
 * more than once. */
static void combine_indexed(void *to, const void *from, const uint32_t *index, int64_t count,
                            const mass_combination *how)
{
    COMBINE_ANY(index[i]);
}

/* Returns the byte offset of a run by its number in the box. */
static int64_t run_at(const int64_t stride[3], const int64_t count[3], int64_t run)
{
    const int64_t i = run % count[0], rest = run / count[0];
    return i * stride[0] + rest % count[1] * stride[1] + rest / count[1] * stride[2];
}

typedef struct job {
    const mass_strided *box;
    const mass_combination *how;
    int64_t runs;
    int parts;
} job;

/* Combines one thread's share of a box's runs. */
static void combine_part(void *context, int part)
{
    const job *j = context;
    const mass_strided *c = j->box;
    const int64_t last = j->runs * (part + 1) / j->parts, integers = (int64_t)(c->bytes / j->how->size);
    for (int64_t run = j->runs * part / j->parts; run < last; run++)
        combine_run((char *)c->to + run_at(c->to_stride, c->count, run),
                    (const char *)c->from + run_at(c->from_stride, c->count, run), integers, j->how);
}

void mass_cpu_combine(const mass_strided *c, const mass_combination *how, mass_cpu_team *team)
{
    job j = {c, how, c->count[0] * c->count[1] * c->count[2], 1};
    if ((double)j.runs * (double)c->bytes > 1 << 18) j.parts = mass_cpu_team_threads(team);
    mass_cpu_team_run(team, j.parts, combine_part, &j);
}

/* ---- by number ---- */

void mass_cpu_gather(const mass_indexed *g)
{
    for (int64_t i = 0; i < g->count; i++)
        memcpy((char *)g->to + (size_t)i * g->size, (const char *)g->from + g->index[i] * g->size, g->size);
}

void mass_cpu_scatter(const mass_indexed *s, const mass_combination *how)
{
    if (how) combine_indexed(s->to, s->from, s->index, s->count, how);
    else
        for (int64_t i = 0; i < s->count; i++)
            memcpy((char *)s->to + s->index[i] * s->size, (const char *)s->from + (size_t)i * s->size, s->size);
}
