/* SPDX-License-Identifier: Apache-2.0 */
/* The order of agents that manage_unsorted.c moves. Tests if they are sorted, arranges them after their moves, and
 * sorts them with their requests before another kind of manage. The occupancy bitmaps give each agent's new index, so
 * it is copied there directly. */
#include "cpu/manage_sparse.h"

#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 1024,         /* agents whose order is tested at once */
    COLUMN_BLOCK = 16384, /* agents whose arrays are copied one after the other */
    LINE = 64             /* bytes of a cache line */
};

bool manage_is_sorted(const mass_manage_work *w)
{
    const uint32_t *const cell = w->cell, count = *w->count;
    uint32_t behind = 0;
    for (uint32_t i = 1, end; i < count && !behind; i = end) {
        end = count - i < BLOCK ? count : i + BLOCK;
        for (uint32_t k = i; k < end; k++) behind |= cell[k] <= cell[k - 1];
    }
    return !behind;
}

/* ---- arranging after the moves ---- */

/* Returns which cells of a word are occupied after the moves. */
static inline uint64_t cells_after(const manage_job *j, uint64_t word)
{
    return j->few ? manage_held(j, word) : taken_after(&j->taken[word]);
}

/* Counts the part's agents after the moves. */
MANAGE_COUNTING count_after(manage_job *j, int p)
{
    uint32_t after = 0;
    for (uint64_t i = first_word(j, p); i < first_word(j, p + 1); i++) after += manage_ones(cells_after(j, i));
    j->part[p].after = after;
}
MANAGE_COUNTED(count_after)

/* Writes the part's words of the occupancy bitmap, counted from the part's first new index. */
MANAGE_COUNTING put_seats(manage_job *j, int p)
{
    uint32_t before = j->part[p].begin;
    for (uint64_t i = first_word(j, p); i < first_word(j, p + 1); i++) {
        const uint64_t taken = cells_after(j, i);
        manage_fetch(j->taken + i);
        manage_fetch(j->w->occupancy + 2 * i);
        manage_put_seats(j, i, taken, before);
        before += manage_ones(taken);
    }
}
MANAGE_COUNTED(put_seats)

/* Sets the refusal flags of the part's listed agents and clears all others, as agents keep their indices. */
static void keep_order(manage_job *j, int p)
{
    const uint32_t *const refused_moves = j->asking + j->part[p].agent, first = j->part[p].agent;
    memset(j->w->lost_to + first, 0, j->part[p + 1].agent - first);
    for (uint32_t k = 0; k < j->part[p].asking; k++) j->w->lost_to[refused_moves[k]] = 1;
}

#define PER_LINE(SIZE) ((SIZE) < LINE ? LINE / (uint32_t)(SIZE) : 1)
/* Copies n values of SIZE bytes to the positions at[]. */
#define PUT_VALUES(SIZE)                                                                                         \
    for (uint32_t i = 0, end; i < n; i = end) {                                                                  \
        end = n - i < PER_LINE(SIZE) ? n : i + PER_LINE(SIZE);                                                   \
        manage_fetch(from + (size_t)i * (SIZE));                                                                 \
        __builtin_prefetch(next + (size_t)i * (SIZE), 1, 2);                                                     \
        for (uint32_t k = i; k < end; k++) memcpy(to + (size_t)at[k] * (SIZE), from + (size_t)k * (SIZE), SIZE); \
    }

/* Copies n values to the indices in `at`. Prefetches as many from `next` on, where most of the next agents go. */
static inline void put_values(char *to, const char *from, size_t size, const uint32_t *at, uint32_t n, const char *next)
{
    switch (size) {
    case 1: PUT_VALUES(1); break;
    case 2: PUT_VALUES(2); break;
    case 4: PUT_VALUES(4); break;
    case 8: PUT_VALUES(8); break;
    default: PUT_VALUES(size);
    }
}

/* Copies the values of n agents, from agent `first` on, to the new indices of one array. */
static inline void order_values(void *to, const void *from, size_t size, const uint32_t *at, uint32_t first, uint32_t n)
{
    put_values(to, (const char *)from + first * size, size, at, n, (const char *)to + ((size_t)first + n) * size);
}

/* Copies a share of the agents, a block at a time, to their new indices. Most go to rows nearby, so the cache keeps the
 * lines of one array until all its values have arrived. */
MANAGE_COUNTING make_order(manage_job *j, int p)
{
    const mass_manage_work *w = j->w;
    const uint64_t total = j->total, parts = (uint64_t)j->parts;
    const uint32_t first = (uint32_t)(total * (uint64_t)p / parts), end = (uint32_t)(total * ((uint64_t)p + 1) / parts);
    uint32_t at[COLUMN_BLOCK];
    for (uint32_t i = first, n; i < end; i += n) {
        n = end - i < COLUMN_BLOCK ? end - i : COLUMN_BLOCK;
        for (uint32_t k = 0; k < n; k++) {
            manage_fetch(w->cell + i + k);
            at[k] = manage_first_agent(w, w->cell[i + k]);
        }
        order_values(w->id_to, w->id, sizeof *w->id, at, i, n);
        order_values(w->cell_to, w->cell, sizeof *w->cell, at, i, n);
        for (uint32_t a = 0; a < w->array_count; a++)
            order_values(w->arrays[a].to, w->arrays[a].from, w->arrays[a].size, at, i, n);
    }
    memset(w->lost_to + first, 0, end - first);
}
MANAGE_COUNTED(make_order)

/* Replaces the refused agents in the list by their cells, from which notify_refused finds their new indices. */
static void find_refused(manage_job *j, int p)
{
    uint32_t *const refused_moves = j->asking + j->part[p].agent;
    for (uint32_t k = 0; k < j->part[p].asking; k++) refused_moves[k] = j->w->cell[refused_moves[k]];
}

/* Sets lost_to[] of the refused agents at their new indices. */
static void notify_refused(manage_job *j, int p)
{
    const uint32_t *const cells = j->asking + j->part[p].agent;
    for (uint32_t k = 0; k < j->part[p].asking; k++) j->w->lost_to[manage_first_agent(j->w, cells[k])] = 1;
}

void manage_unsorted_arrange(manage_job *j)
{
    if (j->parts > 1) MANAGE_EACH_PART(j, count_after);
    j->part[0].begin = 0;
    for (int p = 1; p < j->parts; p++) j->part[p].begin = j->part[p - 1].begin + j->part[p - 1].after;
    MANAGE_EACH_PART(j, put_seats);
    manage_each_part(j, j->w->order.leaves == MASS_ORDER_ANY ? keep_order : find_refused);
    if (j->visitor_count + j->leaver_count) manage_exchange_agents(j);
    if (j->w->order.leaves == MASS_ORDER_ANY) return;
    MANAGE_EACH_PART(j, make_order);
    manage_each_part(j, notify_refused);
}

/* ---- sorting before a manage ---- */

/* An array of agents, or one row of children's values, that is to be sorted. */
typedef struct column {
    const uint32_t *at;
    char *values, *memory;
    size_t size;
    uint32_t count;
    int parts;
} column;

/* Copies one thread's share of an array's values to their new indices, in scratch memory. */
static void put_column(void *context, int part)
{
    const column *c = context;
    const uint32_t first = (uint32_t)((uint64_t)c->count * (uint64_t)part / (uint64_t)c->parts);
    const uint32_t end = (uint32_t)((uint64_t)c->count * ((uint64_t)part + 1) / (uint64_t)c->parts);
    const char *const from = c->values + first * c->size, *const next = c->memory + first * c->size;
    put_values(c->memory, from, c->size, c->at + first, end - first, next);
}

/* Copies one thread's share of the scratch memory back into the array. */
static void copy_column(void *context, int part)
{
    const column *c = context;
    const size_t all = c->count * c->size, first = all / (size_t)c->parts * (size_t)part;
    memcpy(c->values + first, c->memory + first, part + 1 < c->parts ? all / (size_t)c->parts : all - first);
}

/* Puts an array into the new order, in place, through scratch memory. No array: does nothing. */
static void order_column(const manage_job *j, const column *of, const void *values, size_t size)
{
    column c = *of;
    if (!values) return;
    c.values = (char *)values;
    c.size = size;
    mass_cpu_team_run(j->team, c.parts, put_column, &c);
    mass_cpu_team_run(j->team, c.parts, copy_column, &c);
}

bool manage_make_order(const manage_job *j)
{
    const mass_manage_work *w = j->w;
    size_t largest = sizeof(uint64_t);
    for (uint32_t i = 0; i < w->array_count; i++)
        if (w->arrays[i].size > largest) largest = w->arrays[i].size;
    uint32_t *const at = malloc(((size_t)j->count + 1) * sizeof *at);
    char *const memory = malloc((j->count + (size_t)1) * largest);
    if (at && memory) {
        const column c = {.at = at, .memory = memory, .count = j->count, .parts = j->parts};
        for (uint32_t i = 0; i < j->count; i++) at[i] = manage_first_agent(w, w->cell[i]);
        order_column(j, &c, w->id, sizeof *w->id);
        order_column(j, &c, w->cell, sizeof *w->cell);
        order_column(j, &c, w->lost, sizeof *w->lost);
        order_column(j, &c, w->move, sizeof *w->move);
        order_column(j, &c, w->asked, sizeof *w->asked);
        order_column(j, &c, w->remote_move, sizeof *w->remote_move);
        for (uint32_t b = 0; b < w->children; b++) {
            order_column(j, &c, w->child_cell + (size_t)b * w->room, sizeof *w->child_cell);
            if (w->remote_child) order_column(j, &c, w->remote_child + (size_t)b * w->room, sizeof *w->remote_child);
        }
        for (uint32_t i = 0; i < w->array_count; i++) {
            const mass_agent_array *const a = &w->arrays[i];
            order_column(j, &c, a->from, a->size);
            for (uint32_t b = 0; a->child && b < w->children; b++)
                order_column(j, &c, (const char *)a->child + (size_t)b * w->room * a->size, a->size);
        }
    }
    const bool made = at && memory;
    free(at);
    free(memory);
    return made;
}
