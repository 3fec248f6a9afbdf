/* SPDX-License-Identifier: Apache-2.0 */
/* Walks of bodies in turn: the agents on the places around the body's frame, or on one of them, as they are now. A walk
 * leaves out agents that are dead, and the agent whose body walks. Its order is that of the places' offsets by z, y and
 * x, and on each place that of its list. */
#include <mass/kernel.h> /* which includes this file where it belongs */

#ifndef MASS_KERNEL_TURN_WALKS_H
#define MASS_KERNEL_TURN_WALKS_H

#include <mass/impl/kernel_turn_lists.h>

/* Another agent, as a body in turn names it, with the number of its population among those that the callback sees. Its
 * values are the present ones. The offset is from the place of the body's frame. */
typedef struct mass_peer {
    uint32_t agent, population;
    int32_t dx, dy, dz;
} mass_peer;

/* Tells bodies in turn from others: the type of a member of their windows. */
typedef struct mass_turn_walked {
    char none;
} mass_turn_walked;

/* A walk of the agents of a population: places by offset, and the agents of a place. */
typedef struct mass_turn_walk {
    const mass_site *site;
    const uint32_t *first;         /* of the population, as in mass_turn_population */
    const mass_turn_agent *agents;
    uint32_t at;   /* the agent of the place that was found last; MASS_NOBODY: none yet */
    uint32_t cell; /* of the place */
    uint32_t self, population;
    mass_gidx row; /* the cell of x = 0 in the row of the place; of a line, the first cell of the world */
    int32_t low[3], high[3], by[3];
    int8_t axes;       /* 1: places along the axes alone */
    int8_t part, line; /* part: as in mass_reach. line: 1: it is a part of a line */
    int32_t once;
} mass_turn_walk;

/* Returns a coordinate at an offset of a walk, which wraps once at most. */
MASS_FN mass_gidx mass_turn_wrap(mass_gidx at, mass_gidx size)
{
    return at < 0 ? at + size : at < size ? at : at - size;
}
/* Finds the first cell of the row of the walk's present offset. */
MASS_FN void mass_turn_walk_row(mass_turn_walk *w)
{
    const mass_site *const s = w->site;
    const mass_launch *const l = s->launch;
    const mass_gidx y = mass_turn_wrap(s->y + w->by[1], l->size[1]), z = mass_turn_wrap(s->z + w->by[2], l->size[2]);
    const mass_gidx first = (z * l->size[1] + y) * l->size[0];
    w->row = s->world * l->populations[0].places +
             (w->line ? 0 : w->part ? mass_turn_in_part(&l->turn->part, first) : first);
}
/* Finds the cell of the walk's present offset, before its first agent. */
MASS_FN void mass_turn_walk_place(mass_turn_walk *w)
{
    const mass_launch *const l = w->site->launch;
    const mass_gidx x = mass_turn_wrap(w->site->x + w->by[0], l->size[0]);
    w->cell = (uint32_t)(w->row + (w->line ? mass_turn_in_part(&l->turn->part, x) : x));
    w->at = MASS_NOBODY;
}
/* Goes to the next row of places, of those that have a place on an axis if there are to be no others. Returns 0 after
 * the last one. */
MASS_FN int mass_turn_walk_next_row(mass_turn_walk *w)
{
    do
        if (++w->by[1] > w->high[1]) {
            w->by[1] = w->low[1];
            if (++w->by[2] > w->high[2]) return 0;
        }
    while (w->axes && w->by[1] && w->by[2]);
    return 1;
}
/* Is true in a row that has one place on an axis, if there are to be no others. */
MASS_FN int mass_turn_walk_crosses(const mass_turn_walk *w) { return w->axes && (w->by[1] | w->by[2]); }
MASS_FN void mass_turn_walk_begin_row(mass_turn_walk *w)
{
    w->by[0] = mass_turn_walk_crosses(w) ? 0 : w->low[0];
    mass_turn_walk_row(w);
}
/* Goes to the next place. Returns 0 after the last one. */
MASS_FN int mass_turn_walk_on(mass_turn_walk *w)
{
    if (mass_turn_walk_crosses(w) || ++w->by[0] > w->high[0]) {
        if (!mass_turn_walk_next_row(w)) return 0;
        mass_turn_walk_begin_row(w);
    }
    mass_turn_walk_place(w);
    return 1;
}
/* Goes past the next places of the row if there are no agents on them. A GPU reads several at once, as a read takes
 * long. */
MASS_FN void mass_turn_walk_skip(mass_turn_walk *w)
{
#ifdef __CUDA_ARCH__
    const int64_t size = w->site->launch->size[0];
    while (w->by[0] < w->high[0] && !w->line && !mass_turn_walk_crosses(w)) {
        const int64_t x = w->site->x + w->by[0], ahead = (x < 0 ? 0 : x < size ? size : 2 * size) - 1 - x;
        const int32_t left = w->high[0] - w->by[0], n = (int32_t)min(ahead, (int64_t)min(left, 8));
        unsigned found = 0;
        if (n == 0) return;
#pragma unroll
        for (int32_t k = 0; k < 8; k++) found |= (unsigned)(k < n && w->first[w->cell + 1 + k] != MASS_NOBODY) << k;
        const int32_t empty = found ? __ffs((int)found) - 1 : n;
        w->by[0] += empty;
        w->cell += (uint32_t)empty;
        if (found) return;
    }
#else
    (void)w;
#endif
}
/* Begins a walk of the agents of population k within r of the frame's place. It has the form of mass_walk_begin. */
MASS_FN mass_turn_walk mass_turn_walk_begin(const mass_site *s, const mass_reach *reach, mass_turn_walked *walked,
                                            uint32_t k, uint32_t self, int64_t r)
{
    const mass_launch *const l = s->launch;
    const mass_gidx at[3] = {s->x, s->y, s->z};
    mass_turn_walk w;
    (void)walked;
    w.site = s;
    w.first = mass_turn_of(s, k)->first;
    w.agents = mass_turn_of(s, k)->agents;
    w.self = self;
    w.population = k;
    w.once = 1;
    w.axes = (int8_t)reach->axes;
    w.part = (int8_t)reach->part;
    w.line = w.part && l->size[1] == 1 && l->size[2] == 1;
    if (r > (int64_t)reach->meets[0]) {
        mass_report_out_of_reach(s, reach->checked, MASS_OUT_OF_REACH_WALK, r, 0, 0);
        r = reach->meets[0];
    }
    for (int a = 0; a < 3; a++) {
        w.low[a] = w.by[a] = mass_walk_low(l, a, at[a], (int32_t)(r < 0 ? 0 : r));
        w.high[a] = mass_walk_high(l, a, at[a], (int32_t)(r < 0 ? 0 : r));
    }
    if (r < 0 || (w.axes && w.by[1] && w.by[2] && !mass_turn_walk_next_row(&w))) w.once = 0;
    mass_turn_walk_begin_row(&w);
    mass_turn_walk_place(&w);
    return w;
}
/* Begins a walk of the agents of population k on the place at an offset. */
MASS_FN mass_turn_walk mass_turn_walk_at(const mass_site *s, const mass_reach *reach, uint32_t k, uint32_t self,
                                         mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    mass_turn_walk w;
    w.site = s;
    w.first = mass_turn_of(s, k)->first;
    w.agents = mass_turn_of(s, k)->agents;
    w.at = MASS_NOBODY;
    w.self = self;
    w.population = k;
    w.low[0] = w.by[0] = w.high[0] = (int32_t)dx;
    w.low[1] = w.by[1] = w.high[1] = (int32_t)dy;
    w.low[2] = w.by[2] = w.high[2] = (int32_t)dz;
    w.axes = w.part = w.line = 0;
    w.row = 0;
    w.cell = MASS_CELL_NOWHERE;
    if (mass_turn_reaches(s, reach, reach->meets, MASS_OUT_OF_REACH_WALK_AT, dx, dy, dz))
        w.cell = mass_turn_cell(s, reach, dx, dy, dz);
    w.once = w.cell != MASS_CELL_NOWHERE;
    return w;
}
/* Gets the next agent of a walk. Returns 0 after the last one. */
MASS_FN int mass_turn_walk_next(mass_turn_walk *w, mass_peer *o)
{
    const mass_turn_agent *const agents = w->agents;
    if (!w->once) return 0;
    do {
        uint32_t i = w->at == MASS_NOBODY ? w->first[w->cell] : agents[w->at].next;
        while (i != MASS_NOBODY && (i == w->self || agents[i].cell == MASS_CELL_NOWHERE)) i = agents[i].next;
        if (i == MASS_NOBODY) {
            mass_turn_walk_skip(w);
            continue;
        }
        w->at = o->agent = i;
        o->population = w->population;
        o->dx = w->by[0], o->dy = w->by[1], o->dz = w->by[2];
        return 1;
    } while (mass_turn_walk_on(w));
    return 0;
}
MASS_FN mass_peer mass_turn_nobody(void)
{
    const mass_peer nobody = {MASS_NOBODY, 0, 0, 0, 0};
    return nobody;
}
/* Returns the number of agents of a walk. */
MASS_FN uint32_t mass_turn_walk_count(mass_turn_walk w)
{
    mass_peer o;
    uint32_t count = 0;
    while (mass_turn_walk_next(&w, &o)) count++;
    return count;
}
/* Returns one of the agents of a walk, each as probable as the others, or nobody if there is none. */
MASS_FN mass_peer mass_turn_walk_one(mass_turn_walk w, mass_random4 r)
{
    const uint32_t count = mass_turn_walk_count(w);
    mass_peer o = mass_turn_nobody();
    if (count == 0) return o;
    for (uint32_t n = mass_below_u32(count, r.v[0], r.v[1]) + 1; n > 0; n--) mass_turn_walk_next(&w, &o);
    return o;
}
/* Returns the agent of a walk with the least squared offset, the first of those with the same; or nobody. */
MASS_FN mass_peer mass_turn_walk_nearest(mass_turn_walk w)
{
    mass_peer o, best = mass_turn_nobody();
    int64_t least = INT64_MAX;
    while (mass_turn_walk_next(&w, &o)) {
        const int64_t far = (int64_t)o.dx * o.dx + (int64_t)o.dy * o.dy + (int64_t)o.dz * o.dz;
        if (far < least) least = far, best = o;
    }
    return best;
}

#endif
