/* SPDX-License-Identifier: Apache-2.0 */
/* The other agents that bodies over agents and residents name by handles: walks of agents nearby, their attributes and
 * additions to these.
 *
 * The agents of a population are sorted by cell. So those of a row of places are one range of its arrays, or a few. An
 * edge of a torus cuts a row, and so does the boundary of the part that the process holds. Such a range is a piece
 * here. */
#include <mass/kernel.h> /* which includes this file where it belongs */

#ifndef MASS_KERNEL_AGENTS_NEARBY_H
#define MASS_KERNEL_AGENTS_NEARBY_H

#include <mass/impl/edges.h>

/* A walk of the agents of a population: rows of places by z and y, their pieces, and the agents of a piece. */
typedef struct mass_walk {
    const mass_site *site;
    const mass_agents *g;
    mass_walked *walked;
    const uint32_t *cell; /* of the agents of the piece */
    uint32_t next, end;   /* the agents of the piece that are left */
    uint32_t zero;        /* cell of offset 0 along x in the piece, modulo 2^32 */
    uint32_t base;        /* what to add to get numbers of agents; not 0 for copies of other processes' agents */
    uint32_t self;
    int32_t low[3], high[3], dy, dz;
    int32_t piece, pieces; /* of the row */
    int32_t whole;         /* each row is one piece: no edge and no boundary is within reach */
    int32_t once;
} mass_walk;

/* Returns the number of the first agent of a population on a cell or after it. */
MASS_FN uint32_t mass_first_on(const mass_agents *g, uint32_t cell)
{
    if (!g->occupancy) return g->start[cell];
#ifdef __CUDACC__
    return mass_agents_before(((const uint2 *)g->occupancy)[cell / 32], cell);
#else
    return mass_agents_before(g->occupancy[cell / 32], cell);
#endif
}

/* Is true if the process holds a part of a space of one row: the part's boundaries cut the row. */
MASS_FN int mass_walk_is_cut(const mass_launch *l)
{
    return MASS_HOLDS_A_PART_(l) && l->size[1] == 1 && l->size[2] == 1;
}

/* A piece: its agents, their cells, and what mass_walk has of it. */
typedef struct mass_piece {
    const uint32_t *cell;
    uint32_t next, end, zero, base;
} mass_piece;

/* Returns the piece of a row that is not in the part of the process: copies of the agents of others. The row's places
 * `first` to `last` are `from` places from the part's first one on. */
MASS_CALLED_FN_ mass_piece mass_find_copies(const mass_agents *g, int32_t world, mass_gidx from, mass_gidx first,
                                            mass_gidx last, mass_gidx zero)
{
    const mass_gidx at = from + first < 0 ? from : from - g->places;
    const uint32_t cells = (uint32_t)((2 * world + 1) * g->copy_places + at);
    const mass_piece p = {g->copy_cell, g->copy_start[cells + (uint32_t)first],
                          g->copy_start[cells + (uint32_t)last + 1], cells + (uint32_t)zero, g->room};
    return p;
}

/* Finds the present piece of the present row. */
MASS_FN void mass_walk_find(mass_walk *w)
{
    const mass_site *const s = w->site;
    const mass_launch *const l = s->launch;
    const mass_agents *const g = w->g;
    const int part = MASS_HOLDS_A_PART_(l), slowest = l->size[2] > 1 ? 2 : l->size[1] > 1 ? 1 : 0;
    mass_gidx first = s->x + w->low[0], last = s->x + w->high[0], zero = s->x, y = s->y + w->dy, z = s->z + w->dz;
    if ((uint64_t)y >= (uint64_t)l->size[1] && !(part && slowest == 1)) y += y < 0 ? l->size[1] : -l->size[1];
    if ((uint64_t)z >= (uint64_t)l->size[2] && !(part && slowest == 2)) z += z < 0 ? l->size[2] : -l->size[2];
    if (w->pieces == 2) {
        const mass_gidx wide = l->size[0];
        if (first < 0) { /* all of it may be beyond the edge */
            if (w->piece == 0) first += wide, last = last < 0 ? last + wide : wide - 1, zero += wide;
            else first = 0;
        } else {
            if (w->piece == 0) last = wide - 1;
            else first = first < wide ? 0 : first - wide, last -= wide, zero -= wide;
        }
    }
    w->next = w->end = 0;
    if (!part && first > last) return;
    const mass_gidx from = (z * l->size[1] + y) * l->size[0] - g->first_place;
    if (part) {
        if (w->pieces == 3) { /* before the part, in it and after it */
            const mass_gidx begin = w->piece ? w->piece == 1 ? -from : g->places - from : first;
            const mass_gidx end = w->piece < 2 ? (w->piece ? g->places - from : -from) - 1 : last;
            if (begin > first) first = begin;
            if (end < last) last = end;
        }
        w->next = w->end = 0;
        if (first > last) return;
        if (from + first < 0 || from + first >= g->places) {
            const mass_piece p = mass_find_copies(g, s->world, from, first, last, zero);
            w->cell = p.cell, w->next = p.next, w->end = p.end, w->zero = p.zero, w->base = p.base;
            return;
        }
    }
    const uint32_t cells = (uint32_t)(s->world * g->places + from);
    w->cell = g->cell;
    w->base = 0;
    w->zero = cells + (uint32_t)zero;
    w->next = mass_first_on(g, cells + (uint32_t)first);
    w->end = mass_first_on(g, cells + (uint32_t)last + 1);
}

/* Goes to the next row of a walk whose rows are one piece each. Returns 0 after the last one. The cells of a row are
 * those of the row before it, one row further. */
MASS_FN int mass_walk_row(mass_walk *w)
{
    const mass_launch *const l = w->site->launch;
    if (w->dy == w->high[1]) {
        if (w->dz == w->high[2]) return 0;
        w->dz++;
        w->dy = w->low[1] - 1;
        w->zero += ((uint32_t)l->size[1] - (uint32_t)(w->high[1] - w->low[1] + 1)) * (uint32_t)l->size[0];
    }
    w->dy++;
    w->zero += (uint32_t)l->size[0];
    w->next = mass_first_on(w->g, w->zero + (uint32_t)w->low[0]);
    w->end = mass_first_on(w->g, w->zero + (uint32_t)w->high[0] + 1);
    return 1;
}
/* Goes to the next piece of a walk whose rows may have several. Returns 0 after the last one. */
MASS_FN int mass_walk_piece(mass_walk *w)
{
    if (++w->piece >= w->pieces) {
        w->piece = 0;
        if (++w->dy > w->high[1]) {
            w->dy = w->low[1];
            if (++w->dz > w->high[2]) return 0;
        }
    }
    mass_walk_find(w);
    return 1;
}
/* Goes to the next piece. Returns 0 after the last one. */
MASS_FN int mass_walk_on(mass_walk *w)
{
    if (!(w->whole ? mass_walk_row(w) : mass_walk_piece(w))) return 0;
    w->walked->first = w->base + w->next;
    w->walked->end = w->base + w->end;
    return 1;
}

/* Begins a walk of the agents from the offsets `low` to `high`, before its first piece. */
MASS_FN void mass_walk_start(mass_walk *w)
{
    const mass_site *const s = w->site;
    const mass_launch *const l = s->launch;
    w->piece = -1;
    w->dy = w->low[1];
    w->dz = w->low[2];
    w->next = w->end = 0;
    if (w->whole) {
        const uint32_t row = ((uint32_t)s->z + (uint32_t)w->dz) * (uint32_t)l->size[1] + (uint32_t)s->y +
                             (uint32_t)w->dy - 1; /* the row before the first one, modulo 2^32 */
        w->pieces = 1;
        w->zero = (uint32_t)s->world * (uint32_t)w->g->places + row * (uint32_t)l->size[0] + (uint32_t)s->x;
        w->dy--;
        return;
    }
    const int wraps = s->x + w->low[0] < 0 || s->x + w->high[0] >= l->size[0];
    w->pieces = mass_walk_is_cut(l) ? 3 : wraps ? 2 : 1;
}

/* Is true if all places within r of one are in the space without going over an edge, and the process holds all. */
MASS_FN int mass_is_whole(const mass_launch *l, const mass_gidx at[3], int64_t r)
{
    int inside = r >= 0 && !MASS_HOLDS_A_PART_(l);
    for (int a = 0; a < 3; a++) inside &= l->size[a] == 1 || (at[a] >= r && at[a] < l->size[a] - r);
    return inside;
}

/* Begins a walk of the agents of population k within r. The number of the agent itself is `self`. */
MASS_FN mass_walk mass_walk_begin(const mass_site *s, const mass_reach *reach, mass_walked *walked, uint32_t k,
                                  uint32_t self, int64_t r)
{
    const mass_launch *const l = s->launch;
    const mass_gidx at[3] = {s->x, s->y, s->z};
    mass_walk w;
    w.site = s;
    w.g = &l->populations[k];
    w.walked = walked;
    w.cell = w.g->cell;
    w.zero = w.base = 0;
    w.self = self;
    w.once = 1;
    walked->population = k;
    if (r > l->reach) {
        mass_report_other(s, reach->checked, MASS_OUT_OF_REACH_WALK, r, 0, 0);
        r = l->reach;
    }
    w.whole = mass_is_whole(l, at, r);
    for (int a = 0; a < 3; a++) {
        if (w.whole) {
            w.high[a] = l->size[a] == 1 ? 0 : (int32_t)r;
            w.low[a] = -w.high[a];
        } else {
            w.low[a] = mass_walk_low(l, a, at[a], (int32_t)(r < 0 ? 0 : r));
            w.high[a] = mass_walk_high(l, a, at[a], (int32_t)(r < 0 ? 0 : r));
        }
    }
    mass_walk_start(&w);
    if (r < 0) w.high[1] = w.dy - 1, w.high[2] = w.dz - 1, w.pieces = 0;
    return w;
}

/* Gets the next agent of a walk. Returns 0 after the last one. */
MASS_FN int mass_walk_next(mass_walk *w, mass_other *o)
{
    for (;;) {
        while (w->next == w->end)
            if (!mass_walk_on(w)) return 0;
        const uint32_t i = w->next++;
        if (w->base + i == w->self) continue;
        o->agent = w->base + i;
        o->dx = (int32_t)(w->cell[i] - w->zero);
        o->dy = w->dy;
        o->dz = w->dz;
        return 1;
    }
}

/* Returns the handle of nobody. */
MASS_FN mass_other mass_nobody(void)
{
    const mass_other nobody = {MASS_NOBODY, 0, 0, 0};
    return nobody;
}

/* Returns the number of agents of a walk. */
MASS_FN uint32_t mass_walk_count(mass_walk w)
{
    uint32_t count = 0;
    const int himself = w.self != MASS_NOBODY && w.pieces > 0;
    while (mass_walk_on(&w)) count += w.end - w.next;
    return count - (uint32_t)himself;
}

/* Returns agent number n of a walk, or nobody. */
MASS_FN mass_other mass_walk_nth(mass_walk w, uint32_t n)
{
    mass_other o = mass_nobody();
    while (mass_walk_on(&w)) {
        const int himself = w.base == 0 && w.self - w.next < w.end - w.next;
        const uint32_t count = w.end - w.next - (uint32_t)himself;
        if (n < count) {
            w.next += n + (himself && w.next + n >= w.self);
            mass_walk_next(&w, &o);
            return o;
        }
        n -= count;
    }
    return o;
}

/* Returns one of the agents of a walk, each as probable as the others, or nobody if there is none. */
MASS_FN mass_other mass_walk_one(mass_walk w, mass_random4 r)
{
    const uint32_t count = mass_walk_count(w);
    return count ? mass_walk_nth(w, mass_below_u32(count, r.v[0], r.v[1])) : mass_nobody();
}

/* Returns the agent of a walk with the least squared offset, the first of those with the same; or nobody. */
MASS_FN mass_other mass_walk_nearest(mass_walk w)
{
    mass_other o, best = mass_nobody();
    int64_t least = INT64_MAX;
    while (mass_walk_on(&w)) {
        const int64_t across = (int64_t)w.dy * w.dy + (int64_t)w.dz * w.dz;
        while (across < least && w.next != w.end) {
            if (!mass_walk_next(&w, &o)) return best;
            const int64_t far = (int64_t)o.dx * o.dx + (int64_t)o.dy * o.dy + (int64_t)o.dz * o.dz;
            if (far < least) least = far, best = o;
        }
    }
    return best;
}

/* Is true if a walk may give a handle: the agent is where the handle says, and not the agent itself. */
MASS_CALLED_FN_ int mass_is_of_walk(const mass_site here, const mass_reach reach, uint32_t k, uint32_t self,
                                    const mass_other o)
{
    mass_walked walked;
    const mass_site *const s = &here;
    const int32_t by[3] = {o.dx, o.dy, o.dz};
    if (o.agent == MASS_NOBODY) {
        mass_report_other(s, reach.checked, MASS_OUT_OF_REACH_NOBODY, 0, 0, 0);
        return 0;
    }
    mass_walk w = mass_walk_begin(s, &reach, &walked, k, self, s->launch->reach);
    int within = 1;
    for (int a = 0; a < 3; a++) {
        within &= by[a] >= w.low[a] && by[a] <= w.high[a];
        w.low[a] = w.high[a] = by[a];
    }
    if (within && o.agent != self) {
        mass_walk_start(&w);
        while (mass_walk_on(&w))
            if (o.agent - w.base - w.next < w.end - w.next) return 1;
    }
    mass_report_other(s, reach.checked, MASS_OUT_OF_REACH_OTHER, o.dx, o.dy, o.dz);
    return 0;
}
MASS_FN int mass_is_nearby(const mass_site *s, const mass_reach *reach, const mass_walked *walked, uint32_t k,
                           uint32_t self, const mass_other *o)
{
    const int found = walked->population == k && o->agent - walked->first < walked->end - walked->first;
    if (MASS_LIKELY_(found && !reach->checked)) return 1;
    return mass_is_of_walk(*s, *reach, k, self, *o);
}
/* Returns the address of another agent's element in an array; `none` if no walk gave the handle. */
MASS_FN const void *mass_of_other(const mass_site *s, const mass_reach *reach, const mass_walked *walked, uint32_t k,
                                  uint32_t self, mass_other o, const void *array, size_t size, const void *none)
{
    return mass_is_nearby(s, reach, walked, k, self, &o) ? (const char *)array + (size_t)o.agent * size
                                                         : (const char *)none;
}
MASS_FN uint64_t mass_id_of_other(const mass_site *s, const mass_reach *reach, const mass_walked *walked, uint32_t k,
                                  uint32_t self, mass_other o)
{
    const mass_agents *const g = &s->launch->populations[k];
    if (!mass_is_nearby(s, reach, walked, k, self, &o)) return UINT64_MAX;
    return g->copy_id && o.agent >= g->room ? g->copy_id[o.agent - g->room] : g->id[o.agent];
}

#ifdef __cplusplus
/* A handle of EACH_NEARBY of population K: it needs no check. */
template <uint32_t K> struct mass_walked_other : mass_other {};
template <uint32_t K>
MASS_FN const void *mass_of_other(const mass_site *s, const mass_reach *reach, const mass_walked *walked, uint32_t k,
                                  uint32_t self, const mass_walked_other<K> &o, const void *array, size_t size,
                                  const void *none)
{
    if (K == k && !reach->checked) return (const char *)array + (size_t)o.agent * size;
    return mass_of_other(s, reach, walked, k, self, (mass_other)o, array, size, none);
}
template <class Handle> constexpr bool mass_is_edge = __is_base_of(mass_edge, Handle) ||
                                                      __is_base_of(mass_set_edge, Handle);
/* Returns the part of a window with the fields that handles of a type name. */
template <class Window, class Handle> MASS_FN auto mass_of_window(Window *w, const Handle *)
{
    if constexpr (__is_base_of(mass_other, Handle) || __is_base_of(mass_peer, Handle)) return &w->others_;
    else if constexpr (__is_base_of(mass_somebody, Handle) || mass_is_edge<Handle>) return &w->anybody_;
    else return w;
}
template <class Window, class Handle> MASS_FN auto mass_to_window(Window *w, const Handle *)
{
    if constexpr (__is_base_of(mass_somebody, Handle)) return &w->anybody_;
    else return &w->others_;
}
MASS_FN const void *mass_of_other(const mass_site *s, const mass_reach *reach, const mass_walked *walked, uint32_t k,
                                  uint32_t self, mass_somebody o, const void *array, size_t size, const void *none)
{
    return mass_of_somebody(s, reach, walked, k, self, o, array, size, none);
}
MASS_FN uint64_t mass_id_of_other(const mass_site *s, const mass_reach *reach, const mass_walked *walked, uint32_t k,
                                  uint32_t self, mass_somebody o)
{
    return mass_id_of_somebody(s, reach, walked, k, self, o);
}
template <class Handle>
MASS_FN const void *mass_of_edge(const mass_site *s, const mass_reach *reach, const mass_walked *, const Handle &e,
                                 const void *array, size_t size, const void *)
{
    return mass_at_edge_of(s, reach, e, array, size);
}
/* Returns the address of OF(f, a), for a handle of any kind or the number of a resident. */
template <uint32_t K, class Window, class Handle>
MASS_FN const void *mass_of_any(Window *w, const Handle &a, const void *array, size_t size, const void *none)
{
    if constexpr (__is_base_of(mass_other, Handle) || __is_base_of(mass_peer, Handle) ||
                  __is_base_of(mass_somebody, Handle))
        return mass_of_other(&w->site, &w->reach_, &w->walked_, K, K ? MASS_NOBODY : w->self_, a, array, size, none);
    else if constexpr (mass_is_edge<Handle>)
        return mass_of_edge(&w->site, &w->reach_, &w->walked_, a, array, size, none);
    else if constexpr (K != 0)
        return mass_of(&w->site, &w->reach_, MASS_FIRST_OF_(w, K), MASS_END_OF_(w, K), mass_unmarked(K, a), array, size,
                       none);
    else
        return mass_of(&w->site, &w->reach_, MASS_FIRST_OF_(w, K), MASS_END_OF_(w, K), a, array, size, none);
}
/* The functions of turns have the names of those for agents nearby. */
#define MASS_BY_TURN_(turned, other) other
#define MASS_WALK_TYPE_ auto
#define MASS_HANDLE_(k, walk) typename mass_handle_of_<decltype(walk), (uint32_t)(k)>::type
template <class Walk, uint32_t K> struct mass_handle_of_ { typedef mass_walked_other<K> type; };
template <uint32_t K> struct mass_handle_of_<mass_turn_walk, K> { typedef mass_peer type; };
#define MASS_OF_WINDOW_(a) mass_of_window(mass_w, (__typeof__(a) *)0)
#define MASS_TO_WINDOW_(a) mass_to_window(mass_w, (__typeof__(a) *)0)
#define MASS_TO_ADDRESS_(a) mass_of_other
#define MASS_ID_FUNCTION_(a) mass_id_of_other
#define MASS_OF_ADDRESS_(k, a, ...) mass_of_any<(uint32_t)(k)>(mass_w, (a), __VA_ARGS__)
#else
/* Selects a function, or a value, for bodies in turn, or for other bodies. */
#define MASS_BY_TURN_(turned, other) _Generic(&mass_w->walked_, mass_turn_walked *: turned, default: other)
#define MASS_WALK_TYPE_ __typeof__(*MASS_BY_TURN_((mass_turn_walk *)0, (mass_walk *)0))
#define MASS_HANDLE_(k, walk) __typeof__(*MASS_BY_TURN_((mass_peer *)0, (mass_other *)0))
MASS_FN const void *mass_of_resident(const mass_site *s, const mass_reach *reach, const mass_walked *walked, uint32_t k,
                                     uint32_t self, mass_span here, int64_t a, const void *array, size_t size,
                                     const void *none)
{
    (void)walked, (void)self;
    return mass_of(s, reach, here.first, here.end, mass_unmarked(k, a), array, size, none);
}
MASS_FN const void *mass_of_nearby(const mass_site *s, const mass_reach *reach, const mass_walked *walked, uint32_t k,
                                   uint32_t self, mass_span here, mass_other o, const void *array, size_t size,
                                   const void *none)
{
    (void)here;
    return mass_of_other(s, reach, walked, k, self, o, array, size, none);
}
MASS_FN const void *mass_of_anybody(const mass_site *s, const mass_reach *reach, const mass_walked *walked, uint32_t k,
                                    uint32_t self, mass_span here, mass_somebody o, const void *array, size_t size,
                                    const void *none)
{
    (void)here;
    return mass_of_somebody(s, reach, walked, k, self, o, array, size, none);
}
MASS_FN const void *mass_of_linked(const mass_site *s, const mass_reach *reach, const mass_walked *walked, uint32_t k,
                                   uint32_t self, mass_span here, mass_edge e, const void *array, size_t size,
                                   const void *none)
{
    (void)walked, (void)k, (void)self, (void)here, (void)none;
    return mass_at_edge_of(s, reach, e, array, size);
}
MASS_FN const void *mass_of_linked_by_set(const mass_site *s, const mass_reach *reach, const mass_walked *walked,
                                          uint32_t k, uint32_t self, mass_span here, mass_set_edge e, const void *array,
                                          size_t size, const void *none)
{
    (void)walked, (void)k, (void)self, (void)here, (void)none;
    return mass_at_set_edge_of(s, reach, e, array, size);
}
#define MASS_OF_WINDOW_(a) \
    _Generic((a), mass_other: &mass_w->others_, mass_peer: &mass_w->others_, mass_somebody: &mass_w->anybody_, \
             mass_edge: &mass_w->anybody_, mass_set_edge: &mass_w->anybody_, default: mass_w)
#define MASS_TO_WINDOW_(a) _Generic((a), mass_somebody: &mass_w->anybody_, default: &mass_w->others_)
#define MASS_TO_ADDRESS_(a) _Generic((a), mass_somebody: mass_of_somebody, default: mass_of_other)
#define MASS_ID_FUNCTION_(a) \
    _Generic((a), mass_somebody: mass_id_of_somebody, mass_peer: mass_id_of_peer, default: mass_id_of_other)
#define MASS_OF_SPAN_(k, a)                                                                      \
    _Generic((a), mass_other: (mass_span){0, 0}, mass_peer: (mass_span){0, 0},                   \
             mass_somebody: (mass_span){0, 0}, mass_edge: (mass_span){0, 0},                     \
             mass_set_edge: (mass_span){0, 0},                                                   \
             default: (mass_span){MASS_FIRST_OF_(mass_w, k), MASS_END_OF_(mass_w, k)})
#define MASS_OF_ADDRESS_(k, a, ...)                                                                   \
    _Generic((a), mass_other: mass_of_nearby, mass_peer: mass_of_peer, mass_somebody: mass_of_anybody,      \
             mass_edge: MASS_BY_TURN_(mass_turn_of_linked, mass_of_linked),                                 \
             mass_set_edge: MASS_BY_TURN_(mass_turn_of_linked_by_set, mass_of_linked_by_set),               \
             default: mass_of_resident)(                                                                    \
        &mass_w->site, &mass_w->reach_, &mass_w->walked_, (uint32_t)(k), (k) ? MASS_NOBODY : mass_w->self_, \
        MASS_OF_SPAN_(k, a), (a), __VA_ARGS__)
#endif

/* Checks that an entry of the callback names the population that a body walks. */
#define MASS_IS_NEAR_(k) ((sizeof *MASS_MEMBER_OF_(POINTER, near_) - 1) >> (k) & 1)
#define MASS_NEAR_TEXT_(call) \
    call " walks agents that no entry names: add NEARBY(...) with an attribute of that population"
#ifdef __cplusplus
#define MASS_CHECK_NEAR_(k, call) \
    (void)sizeof(__extension__({ MASS_ASSERT_(MASS_IS_NEAR_(k), MASS_NEAR_TEXT_(call)) 0; })),
#else
#define MASS_CHECK_NEAR_(k, call) \
    (void)sizeof(struct { _Static_assert(MASS_IS_NEAR_(k), MASS_NEAR_TEXT_(call)); int mass_; }),
#endif

#define MASS_POPULATION_IN_(population) MASS_NUMBER_IN_(sight.sees_##population)
#define MASS_WALK_(k, call, r)                                                                               \
    (MASS_CHECK_NEAR_(k, call) MASS_BY_TURN_(mass_turn_walk_begin, mass_walk_begin)(                         \
        &mass_w->site, &mass_w->reach_, &mass_w->walked_, (uint32_t)(k), (k) ? MASS_NOBODY : mass_w->self_, (r)))
/* Two loops, so that `break` works: the outer one runs once. */
#define MASS_EACH_NEARBY_(k, call, o, r)                                                                      \
    for (MASS_WALK_TYPE_ mass_walk_##o = MASS_WALK_(k, call, r); mass_walk_##o.once; mass_walk_##o.once = 0) \
        for (MASS_HANDLE_(k, mass_walk_##o) o;                                                                \
             MASS_BY_TURN_(mass_turn_walk_next, mass_walk_next)(&mass_walk_##o, &o);)
#define MASS_COUNT_NEARBY_(k, call, r) \
    MASS_BY_TURN_(mass_turn_walk_count, mass_walk_count)(MASS_WALK_(k, call, r))
#define MASS_ONE_NEARBY_(k, call, r, draw) \
    MASS_BY_TURN_(mass_turn_walk_one, mass_walk_one)(MASS_WALK_(k, call, r), RANDOM(draw))
#define MASS_NEAREST_(k, call, r) \
    MASS_BY_TURN_(mass_turn_walk_nearest, mass_walk_nearest)(MASS_WALK_(k, call, r))
#define EACH_NEARBY(o, r) MASS_EACH_NEARBY_(0, "EACH_NEARBY(" #o ", " #r ")", o, r)
#define EACH_NEARBY_OF(population, o, r) \
    MASS_EACH_NEARBY_(MASS_POPULATION_IN_(population), "EACH_NEARBY_OF(" #population ", " #o ", " #r ")", o, r)
#define COUNT_NEARBY(r) MASS_COUNT_NEARBY_(0, "COUNT_NEARBY(" #r ")", r)
#define COUNT_NEARBY_OF(population, r) \
    MASS_COUNT_NEARBY_(MASS_POPULATION_IN_(population), "COUNT_NEARBY_OF(" #population ", " #r ")", r)
#define ONE_NEARBY(r, draw) MASS_ONE_NEARBY_(0, "ONE_NEARBY(" #r ", " #draw ")", r, draw)
#define ONE_NEARBY_OF(population, r, draw)                                                                        \
    MASS_ONE_NEARBY_(MASS_POPULATION_IN_(population), "ONE_NEARBY_OF(" #population ", " #r ", " #draw ")", r, draw)
#define NEAREST(r) MASS_NEAREST_(0, "NEAREST(" #r ")", r)
#define NEAREST_OF(population, r) \
    MASS_NEAREST_(MASS_POPULATION_IN_(population), "NEAREST_OF(" #population ", " #r ")", r)

#define IS_ANYBODY(o) ((o).agent != MASS_NOBODY)
#define ID_OF(o) MASS_OTHER_ID_(0, o)
#define ID_OF_IN(population, o) MASS_OTHER_ID_(MASS_POPULATION_IN_(population), o)
#define MASS_OTHER_ID_(k, o)                                                                   \
    MASS_ID_FUNCTION_(o)(&mass_w->site, &mass_w->reach_, &mass_w->walked_, (uint32_t)(k),      \
                         (k) ? MASS_NOBODY : mass_w->self_, (o))
#define OF(f, a) MASS_OF_(of_##f, of_##f##_owner, of_##f##_nobody, a)
#define MASS_OF_(f, owner, nobody, a)                                                                             \
    (*(__typeof__(MASS_HELD_BY_(POINTER, MASS_OF_WINDOW_(a), f)))MASS_OF_ADDRESS_(                                \
        sizeof *MASS_HELD_BY_(POINTER, MASS_OF_WINDOW_(a), owner) - 1, a,                                         \
        MASS_HELD_BY_(POINTER, MASS_OF_WINDOW_(a), f), sizeof *MASS_HELD_BY_(POINTER, MASS_OF_WINDOW_(a), f),     \
        MASS_HELD_BY_(POINTER, MASS_OF_WINDOW_(a), nobody)))
#define ADD_TO(f, o, v) MASS_ADD_TO_(#f, to_##f, to_##f##_owner, o, v)
#define MASS_ADD_TO_(name, f, owner, o, v)                                                                           \
    __extension__({                                                                                                  \
        MASS_ASSERT_(!MASS_IS_REAL_(v), "ADD_TO(" name ", ...) of a real number, and " name " is an integer: add "   \
                     "mass_fixed() or a cast")                                                                       \
        __typeof__(MASS_HELD_BY_(POINTER, MASS_TO_WINDOW_(o), f)) const mass_to_ =                                   \
            (__typeof__(MASS_HELD_BY_(POINTER, MASS_TO_WINDOW_(o), f)))MASS_TO_ADDRESS_(o)(                          \
                &mass_w->site, &mass_w->reach_, &mass_w->walked_,                                                    \
                (uint32_t)(sizeof *MASS_HELD_BY_(POINTER, MASS_TO_WINDOW_(o), owner) - 1),                           \
                sizeof *MASS_HELD_BY_(POINTER, MASS_TO_WINDOW_(o), owner) - 1 ? MASS_NOBODY : mass_w->self_, (o),    \
                MASS_HELD_BY_(POINTER, MASS_TO_WINDOW_(o), f),                                                       \
                sizeof *MASS_HELD_BY_(POINTER, MASS_TO_WINDOW_(o), f), 0);                                           \
        if (mass_to_) MASS_SCATTER_TO_(mass_to_, (v));                                                               \
    })

#endif
