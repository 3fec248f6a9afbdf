/* SPDX-License-Identifier: Apache-2.0 */
/* What bodies in turn do: they read and change places, walk agents, move, kill and bear. Each acts at once, on the
 * lists of agents by place that mass_turn has. */
#include <mass/impl/turn_keys.h>
#include <mass/kernel.h> /* which includes this file where it belongs */

#ifndef MASS_KERNEL_TURN_H
#define MASS_KERNEL_TURN_H

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

MASS_FN mass_turn_population *mass_turn_of(const mass_site *s, uint32_t k) { return &s->launch->turn->populations[k]; }

/* Returns the number of agents with the children that they may have. */
MASS_FN uint32_t mass_turn_rows(const mass_turn_population *t) { return t->count * (1 + t->children); }

/* Adds 1 to the count of a world. */
MASS_FN void mass_turn_count_one(const mass_site *s, int64_t *counts)
{
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

/* Returns whether an offset is within the radius; reports it if not. */
MASS_FN int mass_turn_reaches(const mass_site *s, const mass_reach *r, uint32_t what, mass_gidx dx, mass_gidx dy,
                              mass_gidx dz)
{
    const int within = mass_is_in_reach(r, dx, dy, dz);
    if (!within) mass_turn_report(s, r, what, dx, dy, dz);
    return within;
}

/* Returns the radius along each axis of a body with a number of dimensions; 0: any. */
MASS_FN mass_reach mass_turn_reach(const mass_launch *l, int dimensions, int checked)
{
    mass_reach r = {{0, 0, 0}, checked};
    for (int a = 0; a < 3; a++)
        if (dimensions == 0 || a < dimensions) r.along[a] = (uint32_t)l->reach;
    return r;
}

/* ---- places ---- */

/* Returns the number of places of a world. */
MASS_FN mass_gidx mass_turn_places(const mass_launch *l) { return l->size[0] * l->size[1] * l->size[2]; }
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
}

/* Returns the element of the place at an offset, or MASS_NO_ELEMENT over a bounded edge, and beyond the radius. */
MASS_FN int64_t mass_turn_element(const mass_site *s, const mass_reach *r, uint32_t what, mass_gidx dx, mass_gidx dy,
                                  mass_gidx dz)
{
    const mass_launch *const l = s->launch;
    const mass_gidx x = s->x + dx, y = s->y + dy, z = s->z + dz;
    if (!mass_turn_reaches(s, r, what, dx, dy, dz)) return MASS_NO_ELEMENT;
    if ((x >= 0) & (x < l->size[0]) & (y >= 0) & (y < l->size[1]) & (z >= 0) & (z < l->size[2]))
        return s->world * l->world_stride + z * l->plane + y * l->pitch + x;
    return mass_element_beyond(l, s->world, x, y, z);
}
/* Returns the address of the element at an offset in an array, or `none`. It has the form of mass_place. */
MASS_FN const void *mass_turn_place(const mass_site *s, const mass_reach *r, uint32_t what, const void *array,
                                    const void *none, size_t size, int64_t pitch, int64_t plane, mass_gidx dx,
                                    mass_gidx dy, mass_gidx dz)
{
    const int64_t element = mass_turn_element(s, r, what, dx, dy, dz);
    (void)pitch, (void)plane;
    return element == MASS_NO_ELEMENT ? none : (const char *)array + element * (int64_t)size;
}
/* Returns the address of an element that the body may change. If there is none, it is that of a copy of the default. */
MASS_FN void *mass_turn_there(const mass_site *s, const mass_reach *r, void *array, const void *none, void *nowhere,
                              size_t size, mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    const int64_t element = mass_turn_element(s, r, MASS_OUT_OF_REACH_ALTER, dx, dy, dz);
    if (element != MASS_NO_ELEMENT) return (char *)array + element * (int64_t)size;
    memcpy(nowhere, none, size);
    return nowhere;
}

/* Returns the cell of the place at an offset, or MASS_CELL_NOWHERE over a bounded edge. */
MASS_FN uint32_t mass_turn_cell(const mass_site *s, mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    const mass_launch *const l = s->launch;
    mass_gidx place;
    if (!mass_place_from(l, s->x, s->y, s->z, dx, dy, dz, &place)) return MASS_CELL_NOWHERE;
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
/* It has the form of mass_count_seen. */
MASS_FN uint32_t mass_turn_count_seen(const mass_site *s, const mass_reach *r, int amid, uint32_t cell, mass_gidx dx,
                                      mass_gidx dy, mass_gidx dz)
{
    (void)amid, (void)cell;
    if (!mass_turn_reaches(s, r, MASS_OUT_OF_REACH_COUNT, dx, dy, dz)) return 0;
    const uint32_t there = mass_turn_cell(s, dx, dy, dz);
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
    const mass_turn_population *t;
    uint32_t at;   /* the agent of the place that was found last; MASS_NOBODY: none yet */
    uint32_t cell; /* of the place */
    uint32_t self, population;
    mass_gidx row; /* the cell of x = 0 in the row of the place */
    int32_t low[3], high[3], by[3];
    int32_t once;
} mass_turn_walk;

/* Returns a coordinate at an offset of a walk, which wraps once at most. */
MASS_FN mass_gidx mass_turn_wrap(mass_gidx at, mass_gidx size)
{
    return at < 0 ? at + size : at < size ? at : at - size;
}
MASS_FN void mass_turn_walk_row(mass_turn_walk *w)
{
    const mass_site *const s = w->site;
    const mass_launch *const l = s->launch;
    const mass_gidx y = mass_turn_wrap(s->y + w->by[1], l->size[1]), z = mass_turn_wrap(s->z + w->by[2], l->size[2]);
    w->row = s->world * l->populations[0].places + (z * l->size[1] + y) * l->size[0];
}
MASS_FN void mass_turn_walk_place(mass_turn_walk *w)
{
    w->cell = (uint32_t)(w->row + mass_turn_wrap(w->site->x + w->by[0], w->site->launch->size[0]));
    w->at = MASS_NOBODY;
}
/* Goes to the next place. Returns 0 after the last one. */
MASS_FN int mass_turn_walk_on(mass_turn_walk *w)
{
    if (++w->by[0] > w->high[0]) {
        w->by[0] = w->low[0];
        if (++w->by[1] > w->high[1]) {
            w->by[1] = w->low[1];
            if (++w->by[2] > w->high[2]) return 0;
        }
        mass_turn_walk_row(w);
    }
    mass_turn_walk_place(w);
    return 1;
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
    w.t = mass_turn_of(s, k);
    w.self = self;
    w.population = k;
    w.once = 1;
    if (r > l->reach) {
        mass_turn_report(s, reach, MASS_OUT_OF_REACH_WALK, r, 0, 0);
        r = l->reach;
    }
    for (int a = 0; a < 3; a++) {
        w.low[a] = w.by[a] = mass_walk_low(l, a, at[a], (int32_t)(r < 0 ? 0 : r));
        w.high[a] = mass_walk_high(l, a, at[a], (int32_t)(r < 0 ? 0 : r));
    }
    mass_turn_walk_row(&w);
    mass_turn_walk_place(&w);
    if (r < 0) w.once = 0;
    return w;
}
/* Gets the next agent of a walk. Returns 0 after the last one. */
MASS_FN int mass_turn_walk_next(mass_turn_walk *w, mass_peer *o)
{
    const mass_turn_agent *const agents = w->t->agents;
    if (!w->once) return 0;
    do {
        uint32_t i = w->at == MASS_NOBODY ? w->t->first[w->cell] : agents[w->at].next;
        while (i != MASS_NOBODY && (i == w->self || agents[i].cell == MASS_CELL_NOWHERE)) i = agents[i].next;
        if (i == MASS_NOBODY) continue;
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

/* Returns whether a handle names an agent of population k. */
MASS_FN int mass_is_peer(const mass_site *s, const mass_reach *r, uint32_t k, const mass_peer *o)
{
    if (MASS_LIKELY_(o->agent < mass_turn_rows(mass_turn_of(s, k)) && o->population == k)) return 1;
    mass_turn_report(s, r, o->agent == MASS_NOBODY ? MASS_OUT_OF_REACH_NOBODY : MASS_OUT_OF_REACH_OTHER, o->dx, o->dy,
                     o->dz);
    return 0;
}
/* Returns the address of an agent's element in an array; `none` of nobody. */
MASS_FN const void *mass_of_peer(const mass_site *s, const mass_reach *r, const mass_turn_walked *walked, uint32_t k,
                                 uint32_t self, mass_span here, mass_peer o, const void *array, size_t size,
                                 const void *none)
{
    (void)walked, (void)self, (void)here;
    return mass_is_peer(s, r, k, &o) ? (const char *)array + (size_t)o.agent * size : (const char *)none;
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
        mass_effects_ignored(s->launch, MASS_IGNORED_KILL);
        return;
    }
    mass_turn_unlink(t, agent);
    t->agents[agent].cell = MASS_CELL_NOWHERE;
    mass_turn_count_one(s, t->died);
}
MASS_FN void mass_turn_kill_peer(const mass_site *s, const mass_reach *r, uint32_t k, mass_peer o)
{
    if (mass_is_peer(s, r, k, &o)) mass_turn_kill(s, k, o.agent);
}
MASS_FN int mass_turn_is_dead_peer(const mass_site *s, const mass_reach *r, uint32_t k, mass_peer o)
{
    return !mass_is_peer(s, r, k, &o) || mass_turn_is_dead(mass_turn_of(s, k), o.agent);
}
/* Moves an agent to the place at an offset. Returns 1 if it is there now. */
MASS_FN int mass_turn_move(const mass_site *s, const mass_reach *r, uint32_t agent, mass_gidx dx, mass_gidx dy,
                           mass_gidx dz)
{
    mass_turn_population *const t = mass_turn_of(s, 0);
    if (!mass_turn_reaches(s, r, MASS_OUT_OF_REACH_MOVE, dx, dy, dz) || mass_turn_is_dead(t, agent)) return 0;
    const uint32_t cell = mass_turn_cell(s, dx, dy, dz);
    if (cell == t->agents[agent].cell) return 1;
    if (cell == MASS_CELL_NOWHERE || !mass_turn_has_seat(t, cell)) return 0;
    mass_turn_unlink(t, agent);
    mass_turn_link(t, agent, cell);
    return 1;
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
MASS_FN mass_peer mass_turn_bear(const mass_site *s, const mass_reach *r, uint32_t agent, uint32_t *born, mass_gidx dx,
                                 mass_gidx dy, mass_gidx dz)
{
    mass_turn_population *const t = mass_turn_of(s, 0);
    if (!mass_turn_reaches(s, r, MASS_OUT_OF_REACH_BEAR, dx, dy, dz) || mass_turn_is_dead(t, agent))
        return mass_turn_nobody();
    if (*born >= t->children) {
        mass_effects_ignored(s->launch, MASS_IGNORED_CHILDREN);
        return mass_turn_nobody();
    }
    const uint32_t cell = mass_turn_cell(s, dx, dy, dz);
    if (cell == MASS_CELL_NOWHERE) return mass_turn_nobody();
    if (!mass_turn_has_seat(t, cell)) {
        mass_turn_count_one(s, t->unborn);
        return mass_turn_nobody();
    }
    const mass_peer child = {t->count + agent * t->children + (*born)++, 0, (int32_t)dx, (int32_t)dy, (int32_t)dz};
    mass_turn_add_child(s, t, child.agent, cell);
    return child;
}

#endif
