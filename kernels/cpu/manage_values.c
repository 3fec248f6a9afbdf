/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of agents in their new order, and requests after a manage. */
#include "cpu/manage_job.h"

#include <string.h>

enum { BLOCK = 4096, LOOK = MANAGE_LOOK, WORTH_A_THREAD = 1 << 16 };

/* Returns the value that an arrival has for an array. */
static const void *arrived_value(const manage_job *j, const mass_agent_array *a, uint32_t arrival)
{
    const char *value = j->arrivals + arrival * j->arrival_size;
    for (const mass_agent_array *before = j->w->arrays; before < a; before++) value += before->size;
    return value;
}

const void *manage_first_value(const manage_job *j, const mass_agent_array *a, uint32_t birth)
{
    if (birth >= j->births) return arrived_value(j, a, birth - j->births);
    if (!a->child) return a->initial;
    return (const char *)a->child + ((size_t)j->number[birth] * j->w->room + j->parent[birth]) * a->size;
}

/* Copies values of SIZE bytes to positions `first` to `last` of the new order. Newborns get their first value. */
#define COPY_VALUES(SIZE)                                                                             \
    for (uint32_t i = first; i < last; i++) {                                                         \
        const uint32_t was = order[i];                                                                \
        const size_t at = (size_t)i * (SIZE), old = (size_t)was * (SIZE);                             \
        memcpy(to + at, was < count ? from + old : manage_first_value(j, a, was - count), SIZE);      \
    }

/* Copies one array's values to the new indices `first` to `last` - 1. Births and arrivals get their first values. */
static void copy_values(const manage_job *j, const mass_agent_array *a, uint32_t first, uint32_t last)
{
    const char *const from = a->from;
    char *const to = a->to;
    const uint32_t *const order = j->order, count = j->count;
    const size_t size = a->size;
    switch (size) {
    case 1: COPY_VALUES(1); break;
    case 2: COPY_VALUES(2); break;
    case 4: COPY_VALUES(4); break;
    case 8: COPY_VALUES(8); break;
    case 16: COPY_VALUES(16); break;
    default: COPY_VALUES(size);
    }
}

/* Copies all arrays of a part, a block of agents at a time. */
static void copy_part(manage_job *j, int p)
{
    const uint64_t total = j->total;
    const uint32_t end = (uint32_t)(total * (p + 1) / j->parts);
    for (uint32_t first = (uint32_t)(total * p / j->parts), last; first < end; first = last) {
        last = end - first < BLOCK ? end : first + BLOCK;
        for (uint32_t i = 0; i < j->w->array_count; i++) copy_values(j, &j->w->arrays[i], first, last);
    }
}

void manage_copy_attributes(manage_job *j) { manage_each_part(j, copy_part); }

/* ---- requests ---- */

/* Moves n elements within an array; the ranges may overlap. */
static void move_within(void *array, size_t size, uint32_t to, uint32_t from, uint32_t n)
{
    memmove((char *)array + to * size, (char *)array + from * size, n * size);
}

/* Moves the requests of a closed world, which began at agent `from`, to its agents' new indices. */
static void keep_requests(const mass_manage_work *w, int32_t world, uint32_t from, uint32_t n)
{
    const uint32_t to = w->start[world * w->places];
    move_within(w->move, sizeof *w->move, to, from, n);
    move_within(w->asked, sizeof *w->asked, to, from, n);
    if (w->remote_move) move_within(w->remote_move, sizeof *w->remote_move, to, from, n);
    for (uint32_t b = 0; b < w->children; b++) {
        const size_t row = (size_t)b * w->room;
        move_within(w->child_cell + row, sizeof *w->child_cell, to, from, n);
        if (w->remote_child) move_within(w->remote_child + row, sizeof *w->remote_child, to, from, n);
        for (uint32_t i = 0; i < w->array_count; i++) {
            const mass_agent_array *const a = &w->arrays[i];
            if (a->child) move_within((char *)a->child + row * a->size, a->size, to, from, n);
        }
    }
}

/* Moves worlds to lower indices first, in ascending order, then worlds to higher indices, in descending order. So no
 * world is overwritten before it is moved. */
static void keep_closed(const mass_manage_work *w, const uint32_t *first)
{
    for (int32_t i = 0; i < w->worlds; i++)
        if (is_closed(w, i) && w->start[i * w->places] < first[i])
            keep_requests(w, i, first[i], first[i + 1] - first[i]);
    for (int32_t i = w->worlds - 1; i >= 0; i--)
        if (is_closed(w, i) && w->start[i * w->places] > first[i])
            keep_requests(w, i, first[i], first[i + 1] - first[i]);
}

typedef struct reset {
    const mass_manage_work *w;
    uint32_t begin, n;
    int parts;
} reset;

/* Clears requests. Writes only blocks that have any. */
static void reset_share(void *context, int part)
{
    const reset *r = context;
    uint32_t *const move = r->w->move + r->begin, *const asked = r->w->asked + r->begin;
    const uint32_t end = (uint32_t)((uint64_t)r->n * ((uint64_t)part + 1) / (uint64_t)r->parts);
    for (uint32_t i = (uint32_t)((uint64_t)r->n * (uint64_t)part / (uint64_t)r->parts), last; i < end; i = last) {
        last = end - i < LOOK ? end : i + LOOK;
        if (last - i == LOOK && !manage_any_asks(move + i, asked + i)) continue;
        for (uint32_t k = i; k < last; k++) move[k] = MASS_CELL_STAY, asked[k] = 0;
    }
}

void mass_cpu_reset_requests(const mass_manage_work *w, const uint32_t *first, mass_cpu_team *team)
{
    if (w->gates) keep_closed(w, first);
    for (int32_t i = 0, end; i < w->worlds; i = end + 1) { /* the worlds up to the next closed one */
        for (end = i; end < w->worlds && !is_closed(w, end); end++) continue;
        const uint32_t begin = w->start[i * w->places], n = w->start[end * w->places] - begin;
        const uint32_t worth = 1 + n / WORTH_A_THREAD, threads = (uint32_t)mass_cpu_team_threads(team);
        reset r = {w, begin, n, (int)(worth < threads ? worth : threads)};
        mass_cpu_team_run(team, r.parts, reset_share, &r);
    }
}

void manage_reset_requests(manage_job *j) { mass_cpu_reset_requests(j->w, j->first, j->parts > 1 ? j->team : NULL); }
