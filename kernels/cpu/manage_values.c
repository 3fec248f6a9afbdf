/* SPDX-License-Identifier: Apache-2.0 */
/* What goes with agents: their attributes, and the requests of closed worlds. */
#include "cpu/manage_job.h"

#include <string.h>

enum { BLOCK = 4096 };

/* Of a child. */
static const void *first_value(const manage_job *j, const mass_agent_array *a, uint32_t birth)
{
    if (!a->child) return a->initial;
    return (const char *)a->child + ((size_t)j->number[birth] * j->w->room + j->parent[birth]) * a->size;
}

#define COPY_VALUES(SIZE)                                                                             \
    for (uint32_t i = first; i < last; i++) {                                                         \
        const uint32_t was = order[i];                                                                \
        const size_t at = (size_t)i * (SIZE), old = (size_t)was * (SIZE);                             \
        memcpy(to + at, was < count ? from + old : first_value(j, a, was - count), SIZE);             \
    }

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

/* All arrays of a few agents at a time, while it is known where they were. */
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

static void move_within(void *array, size_t size, uint32_t to, uint32_t from, uint32_t n)
{
    memmove((char *)array + to * size, (char *)array + from * size, n * size);
}

/* The requests of a closed world follow its agents. */
static void keep_requests(const manage_job *j, int32_t world)
{
    const mass_manage_work *w = j->w;
    const uint32_t from = j->first[world], n = j->first[world + 1] - from;
    const uint32_t to = w->start[world * w->places];
    move_within(w->move, sizeof *w->move, to, from, n);
    move_within(w->asked, sizeof *w->asked, to, from, n);
    for (uint32_t b = 0; b < w->children; b++) {
        const size_t row = (size_t)b * w->room;
        move_within(w->child_cell + row, sizeof *w->child_cell, to, from, n);
        for (uint32_t i = 0; i < w->array_count; i++) {
            const mass_agent_array *const a = &w->arrays[i];
            if (a->child) move_within((char *)a->child + row * a->size, a->size, to, from, n);
        }
    }
}

/* Worlds that go down first, from the lowest on, then those that go up, from the highest: none is
 * written over before it was moved. */
static void keep_closed(const manage_job *j)
{
    const mass_manage_work *w = j->w;
    for (int32_t i = 0; i < w->worlds; i++)
        if (is_closed(w, i) && w->start[i * w->places] < j->first[i]) keep_requests(j, i);
    for (int32_t i = w->worlds - 1; i >= 0; i--)
        if (is_closed(w, i) && w->start[i * w->places] > j->first[i]) keep_requests(j, i);
}

void manage_reset_requests(manage_job *j)
{
    static const uint32_t stay = MASS_CELL_STAY, none = 0;
    const mass_manage_work *w = j->w;
    mass_cpu_team *const team = j->parts > 1 ? j->team : NULL;
    if (w->gates) keep_closed(j);
    for (int32_t i = 0, end; i < w->worlds; i = end + 1) { /* from one closed world to the next */
        for (end = i; end < w->worlds && !is_closed(w, end); end++) continue;
        const uint32_t first = w->start[i * w->places], n = w->start[end * w->places] - first;
        mass_cpu_fill(w->move + first, &stay, sizeof stay, n, team);
        mass_cpu_fill(w->asked + first, &none, sizeof none, n, team);
    }
}

