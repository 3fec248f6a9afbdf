/* SPDX-License-Identifier: Apache-2.0 */
/* Moves where a cell holds one agent (capacity 1), of agents that are in no order, or keep theirs (manage.h), and of
 * whom none dies or is born.
 *
 * The outcome is found as in manage_sparse.c, but agents change their cells where they are. Who they are on a cell is
 * of no interest to that: seats know whether somebody is there. Where order is to be made, an agent goes straight to
 * where its cell comes in it, which seats tell, too. Over ranks, some leave and others come (manage_visits.c). */
#include "cpu/manage_sparse.h"

#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 1024,        /* agents of whom it is found out at once whether they are in order */
    COLUMN_BLOCK = 16384 /* agents of whom one column after the other is put where it goes */
};

bool manage_finds_order(const mass_manage_work *w)
{
    const uint32_t *const cell = w->cell, count = *w->count;
    uint32_t behind = 0;
    for (uint32_t i = 1, end; i < count && !behind; i = end) {
        end = count - i < BLOCK ? count : i + BLOCK;
        for (uint32_t k = i; k < end; k++) behind |= cell[k] <= cell[k - 1];
    }
    return !behind;
}

/* ---- who asks for what ---- */

static void look(manage_job *j, int p)
{
    const uint32_t *const move = j->w->move, first = j->part[p].agent, end = j->part[p + 1].agent;
    uint32_t *const asking = j->asking + first, n = 0;
    take_seats(j, p);
    for (uint32_t i = first, last; i < end; i = last) {
        last = end - i < MANAGE_LOOK ? end : i + MANAGE_LOOK;
        if (last - i == MANAGE_LOOK && !manage_any_moves(move + i)) continue;
        for (uint32_t k = i; k < last; k++) {
            asking[n] = k;
            n += move[k] != MASS_CELL_STAY;
        }
    }
    j->part[p].asking = n;
}

static inline void add_bit(uint64_t *word, uint32_t cell, bool shared)
{
    if (shared) __atomic_fetch_or(word, bit_of(cell), __ATOMIC_RELAXED);
    else *word |= bit_of(cell);
}

/* A move to the own cell is none. Nobody here is asked for the cells of other ranks. */
static void seek(manage_job *j, int p)
{
    const bool shared = j->parts > 1;
    const uint32_t *const asking = j->asking + j->part[p].agent, *const cell = j->w->cell;
    uint32_t *const move = j->w->move;
    for (uint32_t k = 0; k < j->part[p].asking; k++) {
        const uint32_t i = asking[k], own = cell[i], to = move[i];
        if (to == own) move[i] = MASS_CELL_STAY;
        else if (to <= MASS_CELL_FAR) {
            add_bit(&word_of(j, own)->leaving, own, shared);
            if (to < MASS_CELL_FAR) add_bit(&word_of(j, to)->sought, to, shared);
        }
    }
}

/* ---- who gets it ---- */

static inline __attribute__((always_inline)) void claim_all(manage_job *j, int p, bool shared)
{
    const uint32_t *const asking = j->asking + j->part[p].agent, *const move = j->w->move;
    for (uint32_t k = 0; k < j->part[p].asking; k++)
        if (move[asking[k]] < MASS_CELL_FAR) claim(j, asking[k], shared);
}

MANAGE_COUNTING claim_seats(manage_job *j, int p)
{
    if (j->parts > 1) claim_all(j, p, true);
    else claim_all(j, p, false);
}
MANAGE_COUNTED(claim_seats)

static void take_back(const manage_job *j, uint32_t cell)
{
    uint64_t *const leaving = &word_of(j, cell)->leaving;
    if (j->parts > 1) __atomic_fetch_and(leaving, ~bit_of(cell), __ATOMIC_RELAXED);
    else *leaving &= ~bit_of(cell);
}

/* Agents stand on their new cells, requests end, and those who were refused one remain in the list. Those who ask for a
 * cell of another rank still go there. */
MANAGE_COUNTING settle(manage_job *j, int p)
{
    uint32_t *const asking = j->asking + j->part[p].agent, *const cell = (uint32_t *)j->w->cell, losers = 0;
    uint32_t *const move = j->w->move;
    for (uint32_t k = 0; k < j->part[p].asking; k++) {
        const uint32_t i = asking[k], to = move[i];
        if (to == MASS_CELL_STAY) continue;
        move[i] = MASS_CELL_STAY;
        if (to == MASS_CELL_FAR) continue;
        if (to < MASS_CELL_FAR) {
            if (*seat_of(j, to) == 1 + i) {
                cell[i] = to;
                continue;
            }
            take_back(j, cell[i]);
        }
        asking[losers++] = i;
    }
    j->part[p].asking = losers;
}
MANAGE_COUNTED(settle)

void manage_loose_look(manage_job *j) { manage_each_part(j, look); }

void manage_loose_claim(manage_job *j)
{
    manage_each_part(j, seek);
    for (uint32_t k = 0; k < j->visitor_count; k++)
        add_bit(&word_of(j, j->visitor[k].cell)->sought, j->visitor[k].cell, false);
    manage_number_sought(j);
    MANAGE_EACH_PART(j, claim_seats);
    if (j->visitor_count) manage_claim_visits(j);
}

void manage_loose_return(manage_job *j, uint32_t agent)
{
    j->w->move[agent] = MASS_CELL_NOWHERE;
    word_of(j, j->w->cell[agent])->leaving &= ~bit_of(j->w->cell[agent]);
    return_home(j, agent, false);
}

void manage_loose_settle(manage_job *j) { MANAGE_EACH_PART(j, settle); }

void manage_loose_seat(manage_job *j)
{
    manage_loose_look(j);
    manage_loose_claim(j);
    manage_loose_settle(j);
}

/* ---- where they are ---- */

MANAGE_COUNTING count_after(manage_job *j, int p)
{
    uint32_t after = 0;
    for (uint64_t i = first_word(j, p); i < first_word(j, p + 1); i++) after += manage_ones(taken_after(&j->taken[i]));
    j->part[p].after = after;
}
MANAGE_COUNTED(count_after)

MANAGE_COUNTING put_seats(manage_job *j, int p)
{
    uint32_t before = j->part[p].begin;
    for (uint64_t i = first_word(j, p); i < first_word(j, p + 1); i++) {
        const uint64_t taken = taken_after(&j->taken[i]);
        manage_put_seats(j, i, taken, before);
        before += manage_ones(taken);
    }
}
MANAGE_COUNTED(put_seats)

static void keep_order(manage_job *j, int p)
{
    const uint32_t *const losers = j->asking + j->part[p].agent, first = j->part[p].agent;
    memset(j->w->lost_to + first, 0, j->part[p + 1].agent - first);
    for (uint32_t k = 0; k < j->part[p].asking; k++) j->w->lost_to[losers[k]] = 1;
}

#define PUT_VALUES(SIZE) \
    for (uint32_t i = 0; i < n; i++) memcpy(to + (size_t)at[i] * (SIZE), from + (size_t)i * (SIZE), SIZE)

/* n values go to where `at` says. */
static inline void put_values(char *to, const char *from, size_t size, const uint32_t *at, uint32_t n)
{
    switch (size) {
    case 1: PUT_VALUES(1); break;
    case 2: PUT_VALUES(2); break;
    case 4: PUT_VALUES(4); break;
    case 8: PUT_VALUES(8); break;
    default: PUT_VALUES(size);
    }
}

/* A share of the agents, some rows of them at a time, while it is known where they go: most go to rows nearby, whose
 * lines of one column stay in the cache until all have come. */
MANAGE_COUNTING make_order(manage_job *j, int p)
{
    const mass_manage_work *w = j->w;
    const uint64_t total = j->total, parts = (uint64_t)j->parts;
    const uint32_t first = (uint32_t)(total * (uint64_t)p / parts), end = (uint32_t)(total * ((uint64_t)p + 1) / parts);
    uint32_t at[COLUMN_BLOCK];
    for (uint32_t i = first, n; i < end; i += n) {
        n = end - i < COLUMN_BLOCK ? end - i : COLUMN_BLOCK;
        for (uint32_t k = 0; k < n; k++) at[k] = manage_first_agent(w, w->cell[i + k]);
        put_values((char *)w->id_to, (const char *)(w->id + i), sizeof *w->id, at, n);
        put_values((char *)w->cell_to, (const char *)(w->cell + i), sizeof *w->cell, at, n);
        for (uint32_t a = 0; a < w->array_count; a++) {
            const mass_agent_array *const array = &w->arrays[a];
            put_values(array->to, (const char *)array->from + i * array->size, array->size, at, n);
        }
    }
    memset(w->lost_to + first, 0, end - first);
}
MANAGE_COUNTED(make_order)

/* From now on the list of those refused has their cells, which say where they will be. */
static void find_losers(manage_job *j, int p)
{
    uint32_t *const losers = j->asking + j->part[p].agent;
    for (uint32_t k = 0; k < j->part[p].asking; k++) losers[k] = j->w->cell[losers[k]];
}

static void tell_losers(manage_job *j, int p)
{
    const uint32_t *const cells = j->asking + j->part[p].agent;
    for (uint32_t k = 0; k < j->part[p].asking; k++) j->w->lost_to[manage_first_agent(j->w, cells[k])] = 1;
}

void manage_loose_arrange(manage_job *j)
{
    if (j->parts > 1) MANAGE_EACH_PART(j, count_after);
    j->part[0].begin = 0;
    for (int p = 1; p < j->parts; p++) j->part[p].begin = j->part[p - 1].begin + j->part[p - 1].after;
    MANAGE_EACH_PART(j, put_seats);
    manage_each_part(j, j->w->keeps ? keep_order : find_losers);
    if (j->visitor_count + j->leaver_count) manage_exchange_agents(j);
    if (j->w->keeps) return;
    MANAGE_EACH_PART(j, make_order);
    manage_each_part(j, tell_losers);
}

/* ---- order before a manage ---- */

/* What a column of agents, or a row of what their children have, needs to get into another order. */
typedef struct column {
    const uint32_t *at;
    char *values, *memory;
    size_t size;
    uint32_t count;
    int parts;
} column;

static void put_column(void *context, int part)
{
    const column *c = context;
    const uint32_t first = (uint32_t)((uint64_t)c->count * (uint64_t)part / (uint64_t)c->parts);
    const uint32_t end = (uint32_t)((uint64_t)c->count * ((uint64_t)part + 1) / (uint64_t)c->parts);
    put_values(c->memory, c->values + first * c->size, c->size, c->at + first, end - first);
}

static void copy_column(void *context, int part)
{
    const column *c = context;
    const size_t all = c->count * c->size, first = all / (size_t)c->parts * (size_t)part;
    memcpy(c->values + first, c->memory + first, part + 1 < c->parts ? all / (size_t)c->parts : all - first);
}

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
        order_column(j, &c, w->move_far, sizeof *w->move_far);
        for (uint32_t b = 0; b < w->children; b++) {
            order_column(j, &c, w->child_cell + (size_t)b * w->room, sizeof *w->child_cell);
            if (w->child_far) order_column(j, &c, w->child_far + (size_t)b * w->room, sizeof *w->child_far);
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
