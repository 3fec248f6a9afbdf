/* SPDX-License-Identifier: Apache-2.0 */
/* What bodies in turn do: they read and change places, walk agents, move, kill and bear. Each acts at once, on the
 * lists of agents by place that mass_turn has. */
#include <mass/impl/turn_keys.h>
#include <mass/kernel.h> /* which includes this file where it belongs */

#ifndef MASS_KERNEL_TURN_H
#define MASS_KERNEL_TURN_H

#include <mass/impl/edges.h>

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

/* What became of the last move to a point. Other bodies have a request in its place, which is a number. So words that
 * request, such as MIGRATE, do not compile in turn. */
typedef struct mass_turn_moves {
    int there; /* 1: the agent is there now */
} mass_turn_moves;
MASS_FN int mass_turn_is_there(mass_turn_moves move) { return move.there; }

MASS_FN mass_turn_population *mass_turn_of(const mass_site *s, uint32_t k) { return &s->launch->turn->populations[k]; }

/* Returns the number of agents with the children that they may have. */
MASS_FN uint32_t mass_turn_rows(const mass_turn_population *t) { return t->count * (1 + t->children); }

/* ---- parts of worlds ---- */

/* Return the place of the space that a place of the part is, and the place of the part that one of the space is. */
MASS_FN mass_gidx mass_turn_from_part(const mass_turn_part *p, mass_gidx place)
{
    return place < p->low_end ? place : place + p->gap;
}
MASS_FN mass_gidx mass_turn_in_part(const mass_turn_part *p, mass_gidx place)
{
    return place < p->low_end ? place : place - p->gap;
}
/* Returns whether a site is on one of `count` places, which may wrap. */
MASS_FN int mass_turn_is_among(const mass_site *s, mass_gidx first, mass_gidx count)
{
    const mass_gidx *const size = s->launch->size;
    const mass_gidx by = (s->z * size[1] + s->y) * size[0] + s->x - first;
    return (by < 0 ? by + size[0] * size[1] * size[2] : by) < count;
}
/* Return whether who began on a site counts, and whether it acts. */
MASS_FN int mass_turn_counts(const mass_site *s)
{
    const mass_turn_part *const p = &s->launch->turn->part;
    return MASS_LIKELY_(!p->shared) || mass_turn_is_among(s, p->counted_first, p->counted);
}
MASS_FN int mass_turn_may_act(const mass_site *s)
{
    const mass_turn_part *const p = &s->launch->turn->part;
    return MASS_LIKELY_(!p->shared) || mass_turn_is_among(s, p->acting_first, p->acting);
}
/* Moves a site from a place of the part, as if the part were the space, to that place of the space. */
MASS_FN void mass_turn_leave_part(mass_site *s)
{
    const mass_gidx *const size = s->launch->size;
    const mass_turn_part *const p = &s->launch->turn->part;
    if (MASS_LIKELY_(p->gap == 0)) return;
    const mass_gidx place = mass_turn_from_part(p, (s->z * size[1] + s->y) * size[0] + s->x), row = place / size[0];
    s->x = place - row * size[0];
    s->z = row / size[1];
    s->y = row - s->z * size[1];
}

/* Adds 1 to the count of a world, if who began on the site counts. */
MASS_FN void mass_turn_count_one(const mass_site *s, int64_t *counts)
{
    if (!mass_turn_counts(s)) return;
#ifdef __CUDA_ARCH__
    atomicAdd((unsigned long long *)&counts[s->world], 1ull);
#else
    if (s->launch->alone) counts[s->world]++;
    else __atomic_fetch_add(&counts[s->world], 1, __ATOMIC_RELAXED);
#endif
}

/* Records the first access of a body that it may not make, with its agent if it has one. */
MASS_FN void mass_turn_report(const mass_site *s, const mass_reach *r, uint32_t what, mass_gidx dx, mass_gidx dy,
                              mass_gidx dz)
{
    const int first = r->checked && s->launch->diagnostics && !s->launch->diagnostics->seen;
    mass_report_out_of_reach(s, r->checked, what, dx, dy, dz);
    if (first && s->launch->diagnostics->seen && s->id) s->launch->diagnostics->agent = *s->id;
}

/* Returns whether an offset is within a distance along each axis, and on an axis if it has to be; reports it if not. */
MASS_FN int mass_turn_reaches(const mass_site *s, const mass_reach *r, const uint32_t along[3], uint32_t what,
                              mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    const int within = mass_within(dx, along[0]) & mass_within(dy, along[1]) & mass_within(dz, along[2]);
    const int allowed = within & (!r->axes | ((dx != 0) + (dy != 0) + (dz != 0) < 2));
    if (!allowed) mass_turn_report(s, r, what, dx, dy, dz);
    return allowed;
}

/* Returns the distances along each axis of a body with a number of dimensions; 0: any. */
MASS_FN mass_reach mass_turn_reach(const mass_launch *l, int dimensions, int checked)
{
    const mass_turn_scope scope = l->turn->scope;
    mass_reach r = {{0, 0, 0}, checked, {0, 0, 0}, {0, 0, 0}, (int)scope.axes, l->turn->part.gap != 0};
    for (int a = 0; a < 3; a++) {
        if (dimensions != 0 && a >= dimensions) continue;
        r.along[a] = (uint32_t)l->reach;
        r.meets[a] = (uint32_t)scope.meets;
        r.changes[a] = (uint32_t)scope.changes;
    }
    return r;
}

/* ---- places ---- */

/* Returns the number of places of a world, or of the part. */
MASS_FN mass_gidx mass_turn_places(const mass_launch *l)
{
    return (mass_gidx)l->extent[0] * l->extent[1] * l->extent[2];
}
/* Sets the site of a body over place i (mass_turn). */
MASS_FN void mass_turn_stand_on(mass_site *s, const mass_launch *l, uint32_t i, int32_t world)
{
    const uint32_t place = i - (uint32_t)(world * mass_turn_places(l)), row = place / (uint32_t)l->size[0];
    s->launch = l;
    s->x = place - (mass_gidx)row * l->size[0];
    s->z = row / (uint32_t)l->size[1];
    s->y = row - s->z * l->size[1];
    s->world = world;
    s->id = 0;
    mass_turn_leave_part(s);
}

MASS_FN int mass_turn_is_inside(const mass_launch *l, mass_gidx x, mass_gidx y, mass_gidx z)
{
    return ((uint64_t)x < (uint64_t)l->size[0]) & ((uint64_t)y < (uint64_t)l->size[1]) &
           ((uint64_t)z < (uint64_t)l->size[2]);
}
/* Returns the product of a coordinate and a distance between elements. If the coordinate is not 0, both have 32 bits,
 * as the places of a space in turn have. A GPU multiplies these faster. */
MASS_FN int64_t mass_turn_product(mass_gidx at, int64_t stride)
{
#ifdef __CUDA_ARCH__
    return (int64_t)((uint64_t)(uint32_t)at * (uint32_t)stride);
#else
    return at * stride;
#endif
}
#ifndef __CUDACC__
/* Returns the element of a place by its number among those of all worlds. */
MASS_FN int64_t mass_turn_element_of(const mass_launch *l, int32_t world, uint32_t cell)
{
    const uint32_t place = cell - (uint32_t)(world * mass_turn_places(l)), row = place / (uint32_t)l->size[0];
    const uint32_t z = l->size[2] > 1 ? row / (uint32_t)l->size[1] : 0;
    return world * l->world_stride + z * l->plane + (row - z * l->size[1]) * l->pitch +
           (place - row * (uint32_t)l->size[0]);
}
/* Returns the address of two numbers: of the first edge that comes into node i (mass_turn), and of the one after the
 * last. */
MASS_FN const uint64_t *mass_turn_edges_of(const mass_launch *l, int32_t world, uint32_t i)
{
    return l->edges.first + world * l->edges.each + (i - (uint32_t)(world * mass_turn_places(l)));
}
/* Asks for the memory at an address, and at the same x in `rows` rows before and after it, `row` bytes apart. */
MASS_FN void mass_turn_fetch(const void *at, int64_t row, int64_t rows)
{
    for (int64_t y = -rows; y <= rows; y++) __builtin_prefetch((const char *)at + y * row);
}
#endif
/* Returns the element of the place at an offset, or MASS_NO_ELEMENT over a bounded edge, and beyond the distance. */
MASS_FN int64_t mass_turn_element(const mass_site *s, const mass_reach *r, const uint32_t along[3], uint32_t what,
                                  mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    const mass_launch *const l = s->launch;
    const mass_gidx x = s->x + dx, y = s->y + dy, z = s->z + dz;
    if (!mass_turn_reaches(s, r, along, what, dx, dy, dz)) return MASS_NO_ELEMENT;
    if (!MASS_LIKELY_(!r->part)) {
        mass_gidx place;
        return mass_place_from(l, s->x, s->y, s->z, dx, dy, dz, &place)
                   ? s->world * l->world_stride + mass_turn_in_part(&l->turn->part, place)
                   : MASS_NO_ELEMENT;
    }
    if (mass_turn_is_inside(l, x, y, z))
        return s->world * l->world_stride + mass_turn_product(z, l->plane) + mass_turn_product(y, l->pitch) + x;
    return mass_element_beyond(l, s->world, x, y, z);
}
/* Returns the address of the element at an offset in an array, or `none`. It has the form of mass_place. */
MASS_FN const void *mass_turn_place(const mass_site *s, const mass_reach *r, uint32_t what, const void *array,
                                    const void *none, size_t size, int64_t pitch, int64_t plane, mass_gidx dx,
                                    mass_gidx dy, mass_gidx dz)
{
    const int64_t element = mass_turn_element(s, r, r->along, what, dx, dy, dz);
    (void)pitch, (void)plane;
    return element == MASS_NO_ELEMENT ? none : (const char *)array + element * (int64_t)size;
}
/* Returns the address of an element that the body may change. If there is none, it is that of a copy of the default. */
MASS_FN void *mass_turn_there(const mass_site *s, const mass_reach *r, void *array, const void *none, void *nowhere,
                              size_t size, mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    const int64_t element = mass_turn_element(s, r, r->changes, MASS_OUT_OF_REACH_ALTER, dx, dy, dz);
    if (element != MASS_NO_ELEMENT) return (char *)array + element * (int64_t)size;
    memcpy(nowhere, none, size);
    return nowhere;
}

/* Returns the cell of the place at an offset, or MASS_CELL_NOWHERE over a bounded edge. */
MASS_FN uint32_t mass_turn_cell(const mass_site *s, const mass_reach *r, mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    const mass_launch *const l = s->launch;
    const mass_gidx x = s->x + dx, y = s->y + dy, z = s->z + dz;
    mass_gidx place;
    if (MASS_LIKELY_(!r->part) && mass_turn_is_inside(l, x, y, z))
        return (uint32_t)s->world * (uint32_t)l->populations[0].places +
               ((uint32_t)z * (uint32_t)l->size[1] + (uint32_t)y) * (uint32_t)l->size[0] + (uint32_t)x;
    if (!mass_place_from(l, s->x, s->y, s->z, dx, dy, dz, &place)) return MASS_CELL_NOWHERE;
    if (r->part) place = mass_turn_in_part(&l->turn->part, place);
    return (uint32_t)(s->world * l->populations[0].places + place);
}

/* ---- the agents of a place ---- */

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

/* ---- walks ---- */

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
        mass_turn_report(s, reach, MASS_OUT_OF_REACH_WALK, r, 0, 0);
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

/* ---- handles ---- */

/* A bit of the number of a population in the windows of bodies in turn: CHANGES names the attribute. */
enum { MASS_TURN_CHANGED = 16 };

/* Returns whether a handle names an agent of population k. */
MASS_FN int mass_is_peer(const mass_site *s, const mass_reach *r, uint32_t k, const mass_peer *o)
{
    if (MASS_LIKELY_(o->agent < mass_turn_rows(mass_turn_of(s, k)) && o->population == k)) return 1;
    mass_turn_report(s, r, o->agent == MASS_NOBODY ? MASS_OUT_OF_REACH_NOBODY : MASS_OUT_OF_REACH_OTHER, o->dx, o->dy,
                     o->dz);
    return 0;
}
/* Returns whether a handle names an agent of population k that the body may change. */
MASS_FN int mass_is_changed_peer(const mass_site *s, const mass_reach *r, uint32_t k, const mass_peer *o)
{
    return mass_is_peer(s, r, k, o) &&
           mass_turn_reaches(s, r, r->changes, MASS_OUT_OF_REACH_CHANGE, o->dx, o->dy, o->dz);
}
/* Returns the address of an agent's element in an array; `none` of nobody. k: the number of its population, with
 * MASS_TURN_CHANGED if the body may change the element. */
MASS_FN const void *mass_of_peer(const mass_site *s, const mass_reach *r, const mass_turn_walked *walked, uint32_t k,
                                 uint32_t self, mass_span here, mass_peer o, const void *array, size_t size,
                                 const void *none)
{
    const int named = k & MASS_TURN_CHANGED ? mass_is_changed_peer(s, r, k ^ MASS_TURN_CHANGED, &o)
                                            : mass_is_peer(s, r, k, &o);
    (void)walked, (void)self, (void)here;
    return named ? (const char *)array + (size_t)o.agent * size : (const char *)none;
}
/* Returns the address of the present value of the node at the other end of an edge. For an edge that does not come into
 * the body's node it is that of a copy of the default at `none`, which the body may change. */
MASS_FN const void *mass_turn_of_linked_by_set(const mass_site *s, const mass_reach *r, const mass_turn_walked *walked,
                                               uint32_t k, uint32_t self, mass_span here, mass_set_edge e,
                                               const void *array, size_t size, const void *none)
{
    const mass_edges *const g = mass_edges_of(s, e.set);
    (void)walked, (void)k, (void)self, (void)here;
    if (MASS_LIKELY_(mass_is_set_of_node(s, r, e)))
        return (const char *)array + (s->world * g->stride + g->source[e.number]) * (int64_t)size;
    memcpy((void *)(uintptr_t)none, (const char *)array + g->none * (int64_t)size, size);
    return none;
}
MASS_FN const void *mass_turn_of_linked(const mass_site *s, const mass_reach *r, const mass_turn_walked *walked,
                                        uint32_t k, uint32_t self, mass_span here, mass_edge e, const void *array,
                                        size_t size, const void *none)
{
    return mass_turn_of_linked_by_set(s, r, walked, k, self, here, mass_own_edge(e), array, size, none);
}
MASS_FN uint64_t mass_id_of_peer(const mass_site *s, const mass_reach *r, const mass_turn_walked *walked, uint32_t k,
                                 uint32_t self, mass_peer o)
{
    (void)walked, (void)self;
    return mass_is_peer(s, r, k, &o) ? mass_turn_of(s, k)->id[o.agent] : UINT64_MAX;
}
#ifdef __cplusplus
/* The names by which bodies in C++ call these functions. */
MASS_FN mass_turn_walk mass_walk_begin(const mass_site *s, const mass_reach *reach, mass_turn_walked *walked,
                                       uint32_t k, uint32_t self, int64_t r)
{
    return mass_turn_walk_begin(s, reach, walked, k, self, r);
}
MASS_FN int mass_walk_next(mass_turn_walk *w, mass_peer *o) { return mass_turn_walk_next(w, o); }
MASS_FN uint32_t mass_walk_count(const mass_turn_walk &w) { return mass_turn_walk_count(w); }
MASS_FN mass_peer mass_walk_one(const mass_turn_walk &w, mass_random4 r) { return mass_turn_walk_one(w, r); }
MASS_FN mass_peer mass_walk_nearest(const mass_turn_walk &w) { return mass_turn_walk_nearest(w); }
MASS_FN const void *mass_of_other(const mass_site *s, const mass_reach *r, const mass_turn_walked *walked, uint32_t k,
                                  uint32_t self, mass_peer o, const void *array, size_t size, const void *none)
{
    return mass_of_peer(s, r, walked, k, self, mass_span{0, 0}, o, array, size, none);
}
MASS_FN const void *mass_of_edge(const mass_site *s, const mass_reach *r, const mass_turn_walked *walked, mass_edge e,
                                 const void *array, size_t size, const void *none)
{
    return mass_turn_of_linked(s, r, walked, 0, 0, mass_span{0, 0}, e, array, size, none);
}
MASS_FN const void *mass_of_edge(const mass_site *s, const mass_reach *r, const mass_turn_walked *walked,
                                 mass_set_edge e, const void *array, size_t size, const void *none)
{
    return mass_turn_of_linked_by_set(s, r, walked, 0, 0, mass_span{0, 0}, e, array, size, none);
}
MASS_FN uint64_t mass_id_of_other(const mass_site *s, const mass_reach *r, const mass_turn_walked *walked, uint32_t k,
                                  uint32_t self, mass_peer o)
{
    return mass_id_of_peer(s, r, walked, k, self, o);
}
#endif

/* ---- deaths, moves and births ---- */

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
