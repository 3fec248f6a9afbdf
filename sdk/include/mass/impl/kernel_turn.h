/* SPDX-License-Identifier: Apache-2.0 */
/* Moves, deaths and births of bodies in turn. Each acts at once, on the lists of agents by place that mass_turn has. */
#include <mass/impl/turn_keys.h>
#include <mass/kernel.h> /* which includes this file where it belongs */

#ifndef MASS_KERNEL_TURN_H
#define MASS_KERNEL_TURN_H

#include <mass/impl/kernel_turn_handles.h>

/* What became of the last move to a point. Other bodies have a request in its place, which is a number. So words that
 * request, such as MIGRATE, do not compile in turn. */
typedef struct mass_turn_moves {
    int there; /* 1: the agent is there now */
} mass_turn_moves;
MASS_FN int mass_turn_is_there(mass_turn_moves move) { return move.there; }

/* Kills an agent of population k, unless it is dead, or the number of agents is constant. */
MASS_FN void mass_turn_kill(const mass_site *s, uint32_t k, uint32_t agent)
{
    mass_turn_population *const t = mass_turn_of(s, k);
    if (mass_turn_is_dead(t, agent)) return;
    if (s->launch->populations[k].kill_mask == 0) {
        if (mass_turn_counts(s)) mass_effects_ignored(s->launch, MASS_IGNORED_KILL);
        return;
    }
    mass_turn_unlink(t, agent);
    t->agents[agent].cell = MASS_CELL_NOWHERE;
    mass_turn_count_one(s, t->died);
}
MASS_FN void mass_turn_kill_peer(const mass_site *s, const mass_reach *r, uint32_t k, mass_peer o)
{
    if (mass_is_changed_peer(s, r, k, &o)) mass_turn_kill(s, k, o.agent);
}
/* Returns 1 if another agent is dead, or is none that the body may see. */
MASS_FN int mass_turn_is_dead_peer(const mass_site *s, const mass_reach *r, uint32_t k, mass_peer o)
{
    return !mass_is_peer(s, r, k, &o) || mass_turn_is_dead(mass_turn_of(s, k), o.agent);
}
/* Returns whether a body may ask for a place, and reports it if not: its agents must have no positions. */
MASS_FN int mass_turn_may_ask_for_place(const mass_site *s)
{
    if (MASS_LIKELY_(s->launch->positions[0].at == 0)) return 1;
    if (mass_turn_counts(s)) mass_report_no_point(s->launch);
    return 0;
}
/* Moves an agent to the place at an offset. Returns 1 if it is there now. */
MASS_FN int mass_turn_move_there(const mass_site *s, const mass_reach *r, uint32_t agent, mass_gidx dx, mass_gidx dy,
                                 mass_gidx dz)
{
    mass_turn_population *const t = mass_turn_of(s, 0);
    if (!mass_turn_reaches(s, r, r->changes, MASS_OUT_OF_REACH_MOVE, dx, dy, dz) || mass_turn_is_dead(t, agent))
        return 0;
    const uint32_t cell = mass_turn_cell(s, r, dx, dy, dz);
    if (cell == t->agents[agent].cell) return 1;
    if (cell == MASS_CELL_NOWHERE || !mass_turn_has_seat(t, cell)) return 0;
    mass_turn_unlink(t, agent);
    mass_turn_link(t, agent, cell);
    return 1;
}
MASS_FN int mass_turn_move(const mass_site *s, const mass_reach *r, uint32_t agent, mass_gidx dx, mass_gidx dy,
                           mass_gidx dz)
{
    return mass_turn_may_ask_for_place(s) && mass_turn_move_there(s, r, agent, dx, dy, dz);
}
/* Adds a child on a cell with a free seat. */
MASS_FN void mass_turn_add_child(const mass_site *s, mass_turn_population *t, uint32_t child, uint32_t cell)
{
    t->id[child] = UINT64_MAX;
    for (uint32_t i = 0; i < t->array_count; i++) {
        const mass_turn_array *const a = &t->arrays[i];
        memcpy((char *)a->values + child * a->size, a->initial, a->size);
    }
    mass_turn_link(t, child, cell);
    mass_turn_count_one(s, t->born);
}
/* Bears a child of an agent on the place at an offset, if there is a seat. *born: the agent's children so far. */
MASS_FN mass_peer mass_turn_bear_there(const mass_site *s, const mass_reach *r, uint32_t agent, uint32_t *born,
                                       mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    mass_turn_population *const t = mass_turn_of(s, 0);
    if (!mass_turn_reaches(s, r, r->changes, MASS_OUT_OF_REACH_BEAR, dx, dy, dz) || mass_turn_is_dead(t, agent))
        return mass_turn_nobody();
    if (*born >= t->children) {
        if (mass_turn_counts(s)) mass_effects_ignored(s->launch, MASS_IGNORED_CHILDREN);
        return mass_turn_nobody();
    }
    const uint32_t cell = mass_turn_cell(s, r, dx, dy, dz);
    if (cell == MASS_CELL_NOWHERE) return mass_turn_nobody();
    if (!mass_turn_has_seat(t, cell)) {
        mass_turn_count_one(s, t->unborn);
        return mass_turn_nobody();
    }
    const mass_peer child = {t->count + agent * t->children + (*born)++, 0, (int32_t)dx, (int32_t)dy, (int32_t)dz};
    mass_turn_add_child(s, t, child.agent, cell);
    return child;
}
MASS_FN mass_peer mass_turn_bear(const mass_site *s, const mass_reach *r, uint32_t agent, uint32_t *born, mass_gidx dx,
                                 mass_gidx dy, mass_gidx dz)
{
    return mass_turn_may_ask_for_place(s) ? mass_turn_bear_there(s, r, agent, born, dx, dy, dz) : mass_turn_nobody();
}

#endif
