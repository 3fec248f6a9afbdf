/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the lists of agents by place for a phase in turn, and brings the agents back to canonical order after it
 * (turn.h). */
#include "cpu/kernels.h"

#include <mass/arithmetic.h>
#include <string.h>

void mass_cpu_turn_list(const mass_turn_population *t, const uint32_t *cell)
{
    const uint32_t rows = t->count * (1 + t->children);
    for (uint32_t i = 0; i < t->count; i++) {
        const bool begins = i == 0 || cell[i - 1] != cell[i], ends = i + 1 == t->count || cell[i + 1] != cell[i];
        t->agents[i] = (mass_turn_agent){cell[i], ends ? MASS_NOBODY : i + 1};
        if (begins) t->first[cell[i]] = i;
    }
    for (uint32_t i = t->count; i < rows; i++) t->agents[i].cell = MASS_CELL_NOWHERE;
}

/* Gives ids to the children that live. */
static void number_children(const mass_turn_restore_work *w)
{
    const mass_turn_population *const t = w->population;
    for (uint32_t i = t->count; i < t->count * (1 + t->children); i++)
        if (t->agents[i].cell != MASS_CELL_NOWHERE) t->id[i] = w->next_id[t->agents[i].cell / (uint64_t)w->places]++;
}

/* ---- canonical order ---- */

/* Copies an agent to its new number. */
static void copy_agent(const mass_turn_restore_work *w, uint32_t from, uint32_t to, uint32_t cell)
{
    const mass_turn_population *const t = w->population;
    w->id_to[to] = t->id[from];
    w->cell_to[to] = cell;
    w->lost_to[to] = from < t->count ? w->lost[from] : 0;
}

/* Marks the cells of all agents in the occupancy bitmap. Returns the number of agents. */
static uint32_t mark_cells(const mass_turn_restore_work *w, uint64_t cells)
{
    const mass_turn_population *const t = w->population;
    uint32_t before = 0;
    for (uint64_t i = 0; i <= cells / 32; i++) w->occupancy[i].held = 0;
    for (uint32_t i = 0; i < t->count * (1 + t->children); i++) {
        const uint32_t cell = t->agents[i].cell;
        if (cell != MASS_CELL_NOWHERE) w->occupancy[cell / 32].held |= 1u << cell % 32;
    }
    for (uint64_t i = 0; i <= cells / 32; i++) {
        w->occupancy[i].before = before;
        before += (uint32_t)__builtin_popcount(w->occupancy[i].held);
    }
    return before;
}

/* Returns the number of agents in the cells before `cell`. */
static uint32_t first_agent(const mass_turn_restore_work *w, uint64_t cell)
{
    const mass_seats s = w->occupancy[cell / 32];
    return s.before + (uint32_t)__builtin_popcount(s.held & ((1u << cell % 32) - 1));
}

/* The same as write_lists for places that hold one agent: goes through the agents instead of the places. */
static uint32_t write_agents(const mass_turn_restore_work *w, uint64_t cells)
{
    const mass_turn_population *const t = w->population;
    const uint32_t count = mark_cells(w, cells);
    for (uint32_t i = 0; i < t->count * (1 + t->children); i++) {
        const uint32_t cell = t->agents[i].cell;
        if (cell == MASS_CELL_NOWHERE) continue;
        const uint32_t to = first_agent(w, cell);
        t->first[cell] = MASS_NOBODY;
        copy_agent(w, i, to, cell);
        w->from_of[to] = i;
    }
    for (int32_t world = 0; world <= w->worlds; world++)
        w->start[world * w->places] = first_agent(w, (uint64_t)world * (uint64_t)w->places);
    return count;
}

/* Writes the agents of all lists one after the other, and empties the lists. */
static uint32_t write_lists(const mass_turn_restore_work *w, uint64_t cells)
{
    const mass_turn_population *const t = w->population;
    uint32_t to = 0;
    for (uint64_t c = 0; c < cells; c++) {
        uint32_t i = t->first[c];
        w->start[c] = to;
        if (i == MASS_NOBODY) continue;
        t->first[c] = MASS_NOBODY;
        for (; i != MASS_NOBODY; i = t->agents[i].next) {
            copy_agent(w, i, to, (uint32_t)c);
            w->from_of[to++] = i;
        }
    }
    w->start[cells] = to;
    return to;
}

/* Copies the values of one attribute. */
static void copy_column(const mass_turn_column *c, const uint32_t *from_of, uint32_t count)
{
#define COPY_AS(T)                                                                                      \
    case sizeof(T):                                                                                     \
        for (uint32_t i = 0; i < count; i++) ((T *)c->to)[i] = ((const T *)c->from)[from_of[i]];        \
        return
    switch (c->size) {
        COPY_AS(uint8_t);
        COPY_AS(uint16_t);
        COPY_AS(uint32_t);
        COPY_AS(uint64_t);
    default: break;
    }
    for (uint32_t i = 0; i < count; i++)
        memcpy((char *)c->to + i * c->size, (const char *)c->from + from_of[i] * c->size, c->size);
}

/* Adds to the population's tallies what the phase counted. */
static void add_counts(const mass_turn_restore_work *w)
{
    const int64_t *const counts[] = {w->population->born, w->population->died, w->population->unborn};
    for (int k = 0; k < 3; k++)
        for (int32_t world = 0; w->tallies[k] && world < w->worlds; world++)
            w->tallies[k][world] = mass_sum_i64(w->tallies[k][world], counts[k][world]);
}

void mass_cpu_turn_restore(const mass_turn_restore_work *w)
{
    const uint64_t cells = (uint64_t)w->worlds * (uint64_t)w->places;
    number_children(w);
    const uint32_t count = w->occupancy ? write_agents(w, cells) : write_lists(w, cells);
    for (uint32_t k = 0; k < w->column_count; k++) copy_column(&w->columns[k], w->from_of, count);
    add_counts(w);
    *w->count = count;
}
