/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of agents by place that bodies in turn read and change (mass_turn). The agents of a place are in one list:
 * those from before the phase by id, then its children in the order of their numbers. */
#include <mass/kernel.h> /* which includes this file where it belongs */

#ifndef MASS_KERNEL_TURN_LISTS_H
#define MASS_KERNEL_TURN_LISTS_H

#include <mass/impl/kernel_turn_sites.h>

MASS_FN mass_turn_population *mass_turn_of(const mass_site *s, uint32_t k) { return &s->launch->turn->populations[k]; }

/* Returns the number of agents with the children that they may have. */
MASS_FN uint32_t mass_turn_rows(const mass_turn_population *t) { return t->count * (1 + t->children); }

/* Returns the number of agents on a cell, at most `most`. */
MASS_FN uint32_t mass_turn_count(const mass_turn_population *t, uint32_t cell, uint32_t most)
{
    uint32_t count = 0;
    for (uint32_t i = t->first[cell]; i != MASS_NOBODY && count < most; i = t->agents[i].next) count++;
    return count;
}
MASS_FN int mass_turn_has_seat(const mass_turn_population *t, uint32_t cell)
{
    return t->capacity == 0 || mass_turn_count(t, cell, t->capacity) < t->capacity;
}
/* Returns the number of agents at an offset, for COUNT_AT. Has the parameters of mass_count_seen, which other bodies
 * use. */
MASS_FN uint32_t mass_turn_count_seen(const mass_site *s, const mass_reach *r, int amid, uint32_t cell, mass_gidx dx,
                                      mass_gidx dy, mass_gidx dz)
{
    (void)amid, (void)cell;
    if (!mass_turn_reaches(s, r, r->meets, MASS_OUT_OF_REACH_COUNT, dx, dy, dz)) return 0;
    const uint32_t there = mass_turn_cell(s, r, dx, dy, dz);
    return there == MASS_CELL_NOWHERE ? 0 : mass_turn_count(mass_turn_of(s, 0), there, UINT32_MAX);
}

/* Returns whether agent a is before agent b on a place: elders by id, then children by number. */
MASS_FN int mass_turn_precedes(const mass_turn_population *t, uint32_t a, uint32_t b)
{
    return a < t->count && b < t->count ? t->id[a] < t->id[b] : a < b;
}
/* Puts an agent on a cell, and takes it away from there. */
MASS_FN void mass_turn_link(mass_turn_population *t, uint32_t agent, uint32_t cell)
{
    uint32_t *to = &t->first[cell];
    while (*to != MASS_NOBODY && mass_turn_precedes(t, *to, agent)) to = &t->agents[*to].next;
    t->agents[agent].next = *to;
    t->agents[agent].cell = cell;
    *to = agent;
}
MASS_FN void mass_turn_unlink(mass_turn_population *t, uint32_t agent)
{
    uint32_t *to = &t->first[t->agents[agent].cell];
    while (*to != agent) to = &t->agents[*to].next;
    *to = t->agents[agent].next;
}
MASS_FN int mass_turn_is_dead(const mass_turn_population *t, uint32_t agent)
{
    return t->agents[agent].cell == MASS_CELL_NOWHERE;
}

#endif
