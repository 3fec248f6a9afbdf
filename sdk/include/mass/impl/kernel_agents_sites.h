/* SPDX-License-Identifier: Apache-2.0 */
/* The accessors of kernel_agents.h on CPUs and GPUs: an agent's position, the agents around it, and its requests. */
#include <mass/kernel.h> /* which includes this file where it belongs */

#ifndef MASS_KERNEL_AGENTS_SITES_H
#define MASS_KERNEL_AGENTS_SITES_H

#ifndef __CUDACC__
#include <mass/impl/seats.h>
#endif

#ifdef __CUDACC__
/* Is true if 32 bits are enough for offsets of type T. The sum of an offset and a number below 2^31, or 0 with ALONE,
 * is then below an extent modulo 2^32 only if the true sum is. */
template <class T, bool ALONE> constexpr bool mass_is_short = false;
template <bool ALONE> constexpr bool mass_is_short<int8_t, ALONE> = true;
template <bool ALONE> constexpr bool mass_is_short<uint8_t, ALONE> = true;
template <bool ALONE> constexpr bool mass_is_short<int16_t, ALONE> = true;
template <bool ALONE> constexpr bool mass_is_short<uint16_t, ALONE> = true;
template <bool ALONE> constexpr bool mass_is_short<int32_t, ALONE> = true;
template <> constexpr bool mass_is_short<uint32_t, true> = true;

/* Is true if an offset is within the reach. */
template <class T> MASS_FN bool mass_is_near(T by, uint32_t reach)
{
    if constexpr (mass_is_short<T, false>) return (by < 0 ? 0 - (uint32_t)by : (uint32_t)by) <= reach;
    else return mass_within(by, reach);
}
/* Returns the address of the place at an offset, as mass_place of reach.h does, for offsets that mostly have 32
 * bits. */
template <class X, class Y, class Z>
MASS_FN const void *mass_place(const mass_site *, const mass_reach *r, uint32_t, const void *own, const void *none,
                               size_t size, int64_t pitch, int64_t plane, X dx, Y dy, Z dz)
{
    const bool within = mass_is_near(dx, r->along[0]) & mass_is_near(dy, r->along[1]) & mass_is_near(dz, r->along[2]);
    return within ? (const char *)own + (dx + dy * pitch + dz * plane) * (int64_t)size : (const char *)none;
}
#endif

/* Returns the coordinate at an offset along an axis that wraps. It is a call on CPUs, to keep it out of loops over
 * agents. */
#ifdef __CUDACC__
MASS_FN mass_gidx mass_wrapped(mass_gidx at, mass_gidx by, mass_gidx size)
#else
static mass_gidx mass_wrapped(mass_gidx at, mass_gidx by, mass_gidx size)
    __attribute__((noinline, const, unused));
static mass_gidx mass_wrapped(mass_gidx at, mass_gidx by, mass_gidx size)
#endif
{
    at += by % size;
    return at < 0 ? at + size : at >= size ? at - size : at;
}
/* Gets the row-major place at an offset of any length. Returns 0 if it is beyond a bounded edge, else 1. */
MASS_FN int mass_place_from(const mass_launch *l, mass_gidx x, mass_gidx y, mass_gidx z, mass_gidx dx, mass_gidx dy,
                            mass_gidx dz, mass_gidx *place)
{
    const mass_gidx from[3] = {x, y, z}, by[3] = {dx, dy, dz};
    mass_gidx at[3];
    for (int a = 0; a < 3; a++) {
        at[a] = mass_sum_i64(from[a], by[a]); /* a sum beyond 2^63 is negative */
        if (MASS_IS_NONE_(by[a])) continue;
        if ((uint64_t)at[a] < (uint64_t)l->size[a]) continue;
        if (!(l->torus >> a & 1)) return 0;
        at[a] = mass_wrapped(from[a], by[a], l->size[a]);
    }
    *place = (at[2] * l->size[1] + at[1]) * l->size[0] + at[0];
    return 1;
}
/* Is true if the process holds only a part of the space: the rare case, kept out of the way of loops. */
#define MASS_HOLDS_A_PART_(l) __builtin_expect((l)->populations[0].remote_move != 0, 0)
/* Returns the cell at an offset; MASS_CELL_NOWHERE beyond a bounded edge. If another process holds the place, it stores
 * the place in remote[index] and returns MASS_CELL_REMOTE. */
MASS_FN uint32_t mass_cell(const mass_site *s, mass_gidx x, mass_gidx y, mass_gidx z, mass_gidx dx, mass_gidx dy,
                           mass_gidx dz, mass_gidx *remote, size_t index)
{
    mass_gidx place;
    if (!mass_place_from(s->launch, x, y, z, dx, dy, dz, &place)) return MASS_CELL_NOWHERE;
    if (MASS_HOLDS_A_PART_(s->launch)) {
        const mass_gidx here = place - s->launch->populations[0].first_place;
        if ((uint64_t)here >= (uint64_t)s->launch->populations[0].places) {
            remote[index] = place;
            return MASS_CELL_REMOTE;
        }
        place = here;
    }
    return (uint32_t)(s->world * s->launch->populations[0].places + place);
}
/* Is true if agents of the body's population may ask for places. If they have positions, a place does not say where
 * they are to be, and it records that a body asks. */
MASS_FN int mass_may_ask_for_place(const mass_site *s)
{
    if (!__builtin_expect(s->launch->positions[0].at != 0, 0)) return 1;
    mass_report_no_point(s->launch);
    return 0;
}
/* Return the request for a move by an offset, and to a place: a cell, MASS_CELL_NOWHERE or MASS_CELL_REMOTE. */
MASS_FN uint32_t mass_move(const mass_site *s, uint32_t agent, mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    return mass_cell(s, s->x, s->y, s->z, dx, dy, dz, s->launch->populations[0].remote_move, agent);
}
MASS_FN uint32_t mass_move_to(const mass_site *s, uint32_t agent, mass_gidx x, mass_gidx y, mass_gidx z)
{
    return mass_cell(s, 0, 0, 0, x, y, z, s->launch->populations[0].remote_move, agent);
}
#ifdef __CUDACC__
/* Returns the number of agents in the cells before `cell`, from the element of the occupancy bitmap with that cell. */
MASS_FN uint32_t mass_agents_before(uint2 occupancy, uint32_t cell)
{
    return occupancy.y + (uint32_t)__popc(occupancy.x & ((1u << cell % 32) - 1));
}
/* Returns the number of the first agent of a cell; after the last cell, the number of all agents. */
MASS_FN uint32_t mass_first_agent(const mass_launch *l, int64_t cell)
{
    const mass_agents &g = l->populations[0];
    if (!g.occupancy) return g.start[cell];
    return mass_agents_before(((const uint2 *)g.occupancy)[cell / 32], (uint32_t)cell);
}
#else
/* Returns the number of the first agent of a cell; after the last cell, the number of all agents. */
MASS_FN uint32_t mass_first_agent(const mass_launch *l, int64_t cell)
{
    const mass_agents *const g = &l->populations[0];
    return g->occupancy ? mass_agents_before(g->occupancy[cell / 32], (uint32_t)cell) : g->start[cell];
}
/* Reads the occupancy bitmap: held[i] becomes 0 if cell `cell` + i of `cells` has no agent. It writes up to 7 more
 * elements. Returns the first agent after these cells. */
static uint32_t mass_find_held(const mass_launch *l, int64_t cell, int64_t cells, uint8_t *held)
    __attribute__((noinline, unused));
static uint32_t mass_find_held(const mass_launch *l, int64_t cell, int64_t cells, uint8_t *held)
{
    for (int64_t k = 0; k < cells; k += 8) {
        const uint32_t bit = (uint32_t)(cell + k) % 32;
        const mass_seats *const occupancy = l->populations[0].occupancy + (cell + k) / 32;
        uint64_t bits = occupancy->held >> bit;
        if (bit > 24 && bit + (cells - k) > 32) bits |= (uint64_t)occupancy[1].held << (32 - bit);
        bits = (bits & 255) * 0x0101010101010101u & 0x8040201008040201u; /* each bit into a byte of its own */
        memcpy(held + k, &bits, sizeof bits);
    }
    return mass_first_agent(l, cell + cells);
}
#endif
/* Returns the agents of a cell. */
MASS_FN mass_span mass_agents_of_cell(const mass_agents *g, int64_t cell)
{
    if (g->occupancy) {
#ifdef __CUDACC__
        const uint2 occupancy = ((const uint2 *)g->occupancy)[cell / 32];
        const uint32_t held = occupancy.x;
#else
        const mass_seats occupancy = g->occupancy[cell / 32];
        const uint32_t held = occupancy.held;
#endif
        const uint32_t first = mass_agents_before(occupancy, (uint32_t)cell);
        const mass_span one = {first, first + (held >> cell % 32 & 1)};
        return one;
    }
    const mass_span all = {g->start[cell], g->start[cell + 1]};
    return all;
}
/* Finds the agents here of the other populations that a body sees, which are numbered from 1 on. */
MASS_FN void mass_find_others(const mass_site *s, mass_span *others, int populations)
{
    const mass_launch *const l = s->launch;
    for (int k = 1; k < populations; k++) {
        const mass_agents *const g = &l->populations[k];
        others[k] = mass_agents_of_cell(g, s->world * g->places - g->first_place +
                                        (s->z * l->size[1] + s->y) * l->size[0] + s->x);
    }
}
/* Returns 1 if any of these other populations has an agent here, else 0. */
MASS_FN int mass_has_others(const mass_span *others, int populations)
{
    int is = 0;
    for (int k = 1; k < populations; k++) is |= others[k].first != others[k].end;
    return is;
}
#define MASS_MEET_OTHERS_(NAME)                 \
    if ((int)MASS_JOIN(NAME, _meets) > 1)       \
        mass_find_others(&window.site, window.sight.others, MASS_JOIN(NAME, _meets));
#ifdef __CUDACC__
/* The agents of a row of places, from the first place on. With an occupancy bitmap it looks up 32 cells at once. */
struct mass_row_met {
    int64_t cell; /* that of the first place */
    uint32_t held, next; /* with an occupancy bitmap: the places with an agent, the first in the lowest bit; the next
                            agent */
    /* Begins a row of `places` places, at most 32. */
    MASS_FN_MEMBER void begin(const mass_site *first, int places)
    {
        const mass_launch *const l = first->launch;
        cell = first->world * l->populations[0].places - l->populations[0].first_place +
               (first->z * l->size[1] + first->y) * l->size[0] + first->x;
        if (!l->populations[0].occupancy) return;
        const uint32_t bit = (uint32_t)cell % 32;
        const uint2 *const at = (const uint2 *)l->populations[0].occupancy + cell / 32, occupancy = *at;
        const uint32_t behind = (int)bit + places > 32 ? at[1].x : 0;
        held = __funnelshift_r(occupancy.x, behind, bit);
        next = mass_agents_before(occupancy, bit);
    }
    /* Begins with a single place, whose agent is known. */
    MASS_FN_MEMBER void begin_alone(const mass_site *here, uint32_t agent)
    {
        cell = here->launch->populations[0].cell[agent];
        held = 1, next = agent;
    }
    /* Gets the agents of a place; the caller goes through the places in order. ALONE: there is an occupancy bitmap. */
    template <bool ALONE>
    MASS_FN_MEMBER void meet(const mass_residents<ALONE> *, const mass_launch *l, int place, uint32_t *first,
                             uint32_t *end)
    {
        if (!ALONE && !l->populations[0].occupancy) {
            *first = l->populations[0].start[cell + place];
            *end = l->populations[0].start[cell + place + 1];
            return;
        }
        *first = next;
        *end = next += held >> place & 1;
    }
    /* Is true if it is known before the first place that the row has no agents. */
    MASS_FN_MEMBER bool is_empty(const mass_launch *l, int places) const
    {
        if (!l->populations[0].occupancy) return l->populations[0].start[cell] == l->populations[0].start[cell +
                                                                                                          places];
        return !(held & ((1u << places) - 1));
    }
};
/* How the threads of any grid share agents that are alone on their places. In each world, a thread computes the agent
 * with the number `first`, counted from the launch's first agent, and then every `step`-th. A thread without work has
 * first >= step. A few blocks are enough, and each of them adds to tallies. */
struct mass_lone_agents {
    uint32_t first, step, skipped; /* the launch's first cell in a world */
    int64_t places;
};
/* Returns this thread's share of the agents. */
MASS_FN mass_lone_agents mass_find_lone_agents(const mass_launch &l)
{
    constexpr uint32_t BLOCKS = 2112;
    const uint32_t all = gridDim.x * gridDim.y * gridDim.z, blocks = all < BLOCKS ? all : BLOCKS;
    const uint32_t block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const uint32_t threads = blockDim.x * blockDim.y;
    return {block * threads + (uint32_t)mass_block_thread(), blocks * threads,
            (uint32_t)((l.origin[2] * l.size[1] + l.origin[1]) * l.size[0] + l.origin[0] -
                       l.populations[0].first_place),
            (int64_t)l.extent[0] * l.extent[1] * l.extent[2]};
}
#endif
#ifndef __CUDACC__
/* Returns the number of agents on a cell. */
MASS_FN uint32_t mass_count_of_cell(const mass_launch *l, int64_t cell)
{
    if (l->populations[0].occupancy) return l->populations[0].occupancy[cell / 32].held >> cell % 32 & 1;
    return l->populations[0].start[cell + 1] - l->populations[0].start[cell];
}
#endif
/* The same as mass_count_at within the reach, for a part of the space. Coordinates on the slowest axis do not wrap:
 * place_counts has the places beyond the part. It is a call, so that compilers do not see addresses on which loops
 * depend. */
#ifndef __CUDACC__
static uint32_t mass_count_around_part(const mass_launch *l, int32_t world, mass_gidx x, mass_gidx y, mass_gidx z,
                                       mass_gidx dx, mass_gidx dy, mass_gidx dz)
    __attribute__((noinline, cold, pure, unused));
static uint32_t mass_count_around_part(const mass_launch *l, int32_t world, mass_gidx x, mass_gidx y, mass_gidx z,
                                       mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    const mass_agents *g = &l->populations[0];
    const mass_gidx from[3] = {x, y, z}, by[3] = {dx, dy, dz};
    const int slowest = l->size[2] > 1 ? 2 : l->size[1] > 1 ? 1 : 0;
    mass_gidx at[3];
    for (int a = 0; a < 3; a++) {
        at[a] = from[a] + by[a];
        if ((uint64_t)at[a] < (uint64_t)l->size[a]) continue;
        if (!(l->torus >> a & 1)) return 0;
        if (a != slowest) at[a] = mass_wrapped(from[a], by[a], l->size[a]);
    }
    const mass_gidx here = (at[2] * l->size[1] + at[1]) * l->size[0] + at[0] - g->first_place;
    if ((uint64_t)here < (uint64_t)g->places) return mass_count_of_cell(l, world * g->places + here);
    return g->place_counts[(2 * world + 1) * g->crowd_places + (here < 0 ? here : here - g->places)];
}
/* Returns the same number, fast if the place is within the part and at no edge that wraps. */
static uint32_t mass_count_of_part(const mass_launch *l, int32_t world, mass_gidx x, mass_gidx y, mass_gidx z,
                                   mass_gidx dx, mass_gidx dy, mass_gidx dz) __attribute__((noinline, pure, unused));
static uint32_t mass_count_of_part(const mass_launch *l, int32_t world, mass_gidx x, mass_gidx y, mass_gidx z,
                                   mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    const mass_agents *g = &l->populations[0];
    const mass_gidx to_x = x + dx, to_y = y + dy, to_z = z + dz;
    const mass_gidx here = (to_z * l->size[1] + to_y) * l->size[0] + to_x - g->first_place;
    if (MASS_LIKELY_(((uint64_t)to_x < (uint64_t)l->size[0]) & ((uint64_t)to_y < (uint64_t)l->size[1]) &
                     ((uint64_t)to_z < (uint64_t)l->size[2]) & ((uint64_t)here < (uint64_t)g->places)))
        return mass_count_of_cell(l, world * g->places + here);
    return mass_count_around_part(l, world, x, y, z, dx, dy, dz);
}
#else
/* Returns the number of agents on a place of the space outside the part, `here` places from its first one. If the
 * slowest axis wraps, the place may be nearer in the other direction. */
MASS_FN uint32_t mass_count_outside(const mass_agents *g, int32_t world, mass_gidx here)
{
    const mass_gidx others = g->places_all - g->places;
    mass_gidx at = here < 0 ? here : here - g->places;
    if (at < -g->crowd_places) at += others;
    else if (at >= g->crowd_places) at -= others;
    return g->place_counts[(2 * world + 1) * g->crowd_places + at];
}
#endif
/* Returns the number of agents of the body's population on the place at an offset; 0 over a bounded edge. Beyond the
 * reach it is 0, too, and forms that check report it. */
MASS_FN uint32_t mass_count_at(const mass_site *s, const mass_reach *r, mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    if (!mass_is_in_reach(r, dx, dy, dz)) {
        mass_report_out_of_reach(s, r->checked, MASS_OUT_OF_REACH_COUNT, dx, dy, dz);
        return 0;
    }
#ifdef __CUDACC__
    const mass_agents &g = s->launch->populations[0];
    mass_gidx place;
    if (!mass_place_from(s->launch, s->x, s->y, s->z, dx, dy, dz, &place)) return 0;
    if (MASS_HOLDS_A_PART_(s->launch)) {
        place -= g.first_place;
        if ((uint64_t)place >= (uint64_t)g.places) return mass_count_outside(&g, s->world, place);
    }
    const uint32_t cell = (uint32_t)(s->world * g.places + place);
    if (g.occupancy) return g.occupancy[cell / 32].held >> cell % 32 & 1;
    return g.start[cell + 1] - g.start[cell];
#else
    if (MASS_HOLDS_A_PART_(s->launch))
        return mass_count_of_part(s->launch, s->world, s->x, s->y, s->z, dx, dy, dz);
    const uint32_t cell = mass_cell(s, s->x, s->y, s->z, dx, dy, dz, 0, 0);
    return cell == MASS_CELL_NOWHERE ? 0 : mass_count_of_cell(s->launch, cell);
#endif
}
/* Returns the requests `asked` with the agent's death. In a population whose number is constant it only records that
 * the request is ignored. */
MASS_FN uint32_t mass_kill(const mass_site *s, uint32_t asked)
{
    const uint32_t dies = s->launch->populations[0].kill_mask;
    if (dies == 0) mass_effects_ignored(s->launch, MASS_IGNORED_KILL);
    return asked | dies;
}
#ifdef __CUDACC__
/* For extents below 2^31: gets the coordinate at an offset, wrapped once at most. Returns true if it is in the
 * space. */
template <class T> MASS_FN bool mass_near_axis(const mass_launch *l, int axis, mass_gidx at, T by, uint32_t *to)
{
    const uint32_t size = (uint32_t)l->size[axis];
    *to = (uint32_t)at + (uint32_t)by;
    if (by == 0 || *to < size) return true; /* compilers know it for most axes */
    *to += by < 0 ? size : 0u - size;
    return *to < size && l->torus >> axis & 1;
}
/* The same as mass_count_at, as a call. */
MASS_CALLED_FN_ uint32_t mass_count_anywhere(const mass_launch *l, int32_t world, mass_gidx x, mass_gidx y, mass_gidx z,
                                             const mass_reach r, mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    const mass_site s = {l, x, y, z, world, nullptr};
    return mass_count_at(&s, &r, dx, dy, dz);
}
/* Returns the number of agents at an offset, as mass_count_at does, for offsets that mostly have 32 bits. Nearly all of
 * them lead to places that 32 bits can number. */
template <class X, class Y, class Z>
MASS_FN uint32_t mass_count_at(const mass_site *s, const mass_reach *r, X dx, Y dy, Z dz)
{
    const mass_launch *const l = s->launch;
    const mass_agents &g = l->populations[0];
    if constexpr (mass_is_short<X, false> && mass_is_short<Y, false> && mass_is_short<Z, false>) {
        const bool near = mass_is_near(dx, r->along[0]) & mass_is_near(dy, r->along[1]) & mass_is_near(dz, r->along[2]);
        uint32_t x, y, z;
        if (near && (l->size[0] | l->size[1] | l->size[2]) >> 31 == 0 && mass_near_axis(l, 0, s->x, dx, &x) &&
            mass_near_axis(l, 1, s->y, dy, &y) && mass_near_axis(l, 2, s->z, dz, &z)) {
            uint32_t cell = (z * (uint32_t)l->size[1] + y) * (uint32_t)l->size[0] + x;
            if (MASS_HOLDS_A_PART_(l)) {
                const mass_gidx place = ((mass_gidx)z * l->size[1] + y) * l->size[0] + x, here = place - g.first_place;
                if ((uint64_t)here >= (uint64_t)g.places) return mass_count_outside(&g, s->world, here);
                cell = (uint32_t)here;
            }
            cell += (uint32_t)s->world * (uint32_t)g.places;
            if (l->populations[0].occupancy) return l->populations[0].occupancy[cell / 32].held >> cell % 32 & 1;
            return g.start[cell + 1] - g.start[cell];
        }
    }
    return mass_count_anywhere(l, s->world, s->x, s->y, s->z, *r, dx, dy, dz);
}
#endif
/* Returns the requests `asked` of an agent with n births in place of those so far. The children are to be born where
 * their parent is. */
MASS_FN uint32_t mass_spawn_in(const mass_site *s, uint32_t population, uint32_t agent, uint32_t asked, int64_t n)
{
    const mass_agents *g = &s->launch->populations[population];
    const uint32_t births = n < 0 ? 0 : n > g->children ? g->children : (uint32_t)n;
    const mass_positions *const p = &s->launch->positions[population];
    if (n > g->children) mass_effects_ignored(s->launch, MASS_IGNORED_CHILDREN);
    for (uint32_t k = 0; k < births; k++) g->child_cell[(size_t)k * g->room + agent] = MASS_CELL_STAY;
    if (p->child) /* it is born where its parent is now, also if births come after moves */
        for (uint32_t k = 0; k < births; k++) {
            const size_t at = (size_t)k * g->room + agent;
            memcpy((char *)p->child + at * p->size, (const char *)p->at + (size_t)agent * p->size, p->size);
            g->child_cell[at] = g->cell[agent];
        }
    return (asked & MASS_ASKED_KILL) | births;
}
/* The same for the body's own population. */
MASS_FN uint32_t mass_spawn(const mass_site *s, uint32_t agent, uint32_t asked, int64_t n)
{
    return mass_spawn_in(s, 0, agent, asked, n);
}

/* Returns the distance of child k's value from child 0's, for agents of the population with a number. A k that an agent
 * cannot have means the last child. */
MASS_FN size_t mass_child_in(const mass_site *s, const mass_reach *r, uint32_t population, int64_t k)
{
    const mass_agents *g = &s->launch->populations[population];
    const uint64_t last = g->children ? g->children - 1 : 0;
    if ((uint64_t)k >= g->children) mass_report_out_of_reach(s, r->checked, MASS_OUT_OF_REACH_CHILD, k, population, 0);
    return (size_t)((uint64_t)k < last ? (uint64_t)k : last) * g->room;
}
/* The same for the body's own population. */
MASS_FN size_t mass_child(const mass_site *s, const mass_reach *r, int64_t k) { return mass_child_in(s, r, 0, k); }
/* Sets where child k of an agent is to be born, as an offset from the agent. */
MASS_FN void mass_child_to(const mass_site *s, const mass_reach *r, uint32_t agent, int64_t k, mass_gidx dx,
                           mass_gidx dy, mass_gidx dz)
{
    const mass_agents *g = &s->launch->populations[0];
    if ((uint64_t)k >= g->children) {
        mass_report_out_of_reach(s, r->checked, MASS_OUT_OF_REACH_CHILD, k, 0, 0);
        return;
    }
    if (!mass_may_ask_for_place(s)) return;
    const size_t at = (size_t)k * g->room + agent;
    const uint32_t cell = mass_cell(s, s->x, s->y, s->z, dx, dy, dz, g->remote_child, at);
    if (cell == MASS_CELL_NOWHERE) mass_effects_ignored(s->launch, MASS_IGNORED_EDGE);
    g->child_cell[at] = cell;
}

/* Numbers of residents of population k of a callback are marked with it, those of its own with 0. */
#define MASS_MARK_OF_(k) ((int64_t)(k) << 32)
/* Takes off the mark of population k. What is left of a number of another population is no resident's. */
MASS_FN int64_t mass_unmarked(uint32_t k, int64_t a) { return a - MASS_MARK_OF_(k); }

/* Returns 1 if `a` is the number of an agent on the body's place: `first` to `end` - 1. Else reports it, and returns 0.
 * */
MASS_FN int mass_is_resident(const mass_site *s, const mass_reach *r, uint32_t first, uint32_t end, int64_t a)
{
    if (a == (uint32_t)a && (uint32_t)a - first < end - first) return 1;
    mass_report_out_of_reach(s, r->checked, MASS_OUT_OF_REACH_RESIDENT, a == (int32_t)a ? a : (int64_t)(uint32_t)a, 0,
                             0);
    return 0;
}
/* Returns the address of a resident's element in an array of agents; `none` for other agents. */
MASS_FN const void *mass_of(const mass_site *s, const mass_reach *r, uint32_t first, uint32_t end, int64_t a,
                            const void *array, size_t size, const void *none)
{
    return mass_is_resident(s, r, first, end, a) ? (const char *)array + (size_t)a * size : (const char *)none;
}
MASS_FN uint64_t mass_resident_id(const mass_site *s, const mass_reach *r, uint32_t first, uint32_t end, int64_t a,
                                  uint32_t population)
{
    return mass_is_resident(s, r, first, end, a) ? s->launch->populations[population].id[a] : UINT64_MAX;
}
#ifdef __CUDACC__
MASS_FN const void *mass_of(const mass_site *, const mass_reach *, uint32_t, uint32_t, mass_resident a,
                            const void *array, size_t size, const void *)
{
    return (const char *)array + (size_t)a.number * size;
}
MASS_FN uint64_t mass_resident_id(const mass_site *s, const mass_reach *, uint32_t, uint32_t, mass_resident a, uint32_t)
{
    return s->launch->populations[0].id[a.number];
}
#endif

/* Requests of residents. The calling thread is the only one that handles the agents of its place, so they do not race.
 * Numbers that are no resident's request nothing; such an agent is dead, and its children have no values. */
MASS_FN int mass_kill_resident(const mass_site *s, const mass_reach *r, uint32_t first, uint32_t end, int64_t a,
                               uint32_t population)
{
    const mass_agents *const g = &s->launch->populations[population];
    if (!mass_is_resident(s, r, first, end, a)) return 0;
    if (g->kill_mask == 0) {
        mass_effects_ignored(s->launch, MASS_IGNORED_KILL);
        return 0;
    }
    const uint32_t asked = g->asked[a];
    g->asked[a] = asked | g->kill_mask;
    return (asked & MASS_ASKED_KILL) == 0;
}
MASS_FN int mass_is_killed(const mass_site *s, const mass_reach *r, uint32_t first, uint32_t end, int64_t a,
                           uint32_t population)
{
    if (!mass_is_resident(s, r, first, end, a)) return 1;
    return (s->launch->populations[population].asked[a] & MASS_ASKED_KILL) != 0;
}
MASS_FN void mass_spawn_of_resident(const mass_site *s, const mass_reach *r, uint32_t first, uint32_t end, int64_t a,
                                    uint32_t population, int64_t n)
{
    const mass_agents *const g = &s->launch->populations[population];
    if (!mass_is_resident(s, r, first, end, a)) return;
    g->asked[a] = mass_spawn_in(s, population, (uint32_t)a, g->asked[a], n);
}
MASS_FN const void *mass_child_of_resident(const mass_site *s, const mass_reach *r, uint32_t first, uint32_t end,
                                           int64_t a, const void *array, size_t size, const void *none,
                                           uint32_t population, int64_t k)
{
    if (!mass_is_resident(s, r, first, end, a)) return none;
    return (const char *)array + (mass_child_in(s, r, population, k) + (size_t)a) * size;
}

/* Returns the cell of a place over which a body runs, in a population's arrays of sprouts. */
MASS_FN size_t mass_sprout_cell(const mass_site *s, uint32_t population)
{
    const mass_launch *const l = s->launch;
    const mass_agents *const g = &l->populations[population];
    return (size_t)(s->world * g->places - g->first_place + (s->z * l->size[1] + s->y) * l->size[0] + s->x);
}
/* Asks for n new agents of a population on the body's place. The last request counts. */
MASS_FN void mass_sprout(const mass_site *s, uint32_t population, int64_t n)
{
    const mass_sprouts *const g = &s->launch->sprouts[population];
    const uint32_t number = n < 0 ? 0 : n > g->most ? g->most : (uint32_t)n;
    if (n > g->most) mass_effects_ignored(s->launch, MASS_IGNORED_SPROUTS);
    if (!g->asked) return;
    uint32_t *const at = g->asked + mass_sprout_cell(s, population);
    const uint32_t before = *at >> 16;
    *at = (number > before ? number : before) << 16 | number;
}
/* Returns the number of sprouts of the body's place that may have values of their own. */
MASS_FN uint32_t mass_sprouts_touched(const mass_site *s, uint32_t population)
{
    const uint32_t *const asked = s->launch->sprouts[population].asked;
    return asked ? asked[mass_sprout_cell(s, population)] >> 16 : 0;
}
/* Returns the element of sprout k of the body's place in arrays of sprouts. */
MASS_FN size_t mass_sprout_at(const mass_site *s, uint32_t population, uint64_t k)
{
    return (size_t)k * (size_t)(s->launch->worlds * s->launch->populations[population].places) +
           mass_sprout_cell(s, population);
}
/* Returns its address; `none` for a sprout that was not asked for. */
MASS_FN const void *mass_sprout_value(const mass_site *s, const mass_reach *r, uint32_t population, int64_t k,
                                      const void *array, size_t size, const void *none)
{
    if ((uint64_t)k < mass_sprouts_touched(s, population))
        return (const char *)array + mass_sprout_at(s, population, (uint64_t)k) * size;
    mass_report_out_of_reach(s, r->checked, MASS_OUT_OF_REACH_SPROUT, k, 0, 0);
    return none;
}

/* The first and the last offset of a walk along an axis. On an axis that wraps every place is met once, at the shortest
 * offset; at half the extent the negative one. */
MASS_FN int32_t mass_walk_low(const mass_launch *l, int axis, mass_gidx at, int32_t r)
{
    const mass_gidx most = l->torus >> axis & 1 ? l->size[axis] / 2 : at;
    return r < most ? -r : -(int32_t)most;
}
MASS_FN int32_t mass_walk_high(const mass_launch *l, int axis, mass_gidx at, int32_t r)
{
    const mass_gidx most = l->torus >> axis & 1 ? (l->size[axis] - 1) / 2 : l->size[axis] - 1 - at;
    return r < most ? r : (int32_t)most;
}

/* Finds the position of agent i: global coordinates and world. `world` is that of an agent before it, or 0. */
MASS_FN void mass_stand(mass_site *s, const mass_launch *l, uint32_t i, int32_t world)
{
    uint64_t rest = l->populations[0].cell[i] - (uint64_t)world * (uint64_t)l->populations[0].places;
    while (rest >= (uint64_t)l->populations[0].places) rest -= (uint64_t)l->populations[0].places, world++;
    const uint32_t place = (uint32_t)rest, row = place / (uint32_t)l->size[0];
    s->launch = l;
    s->x = place - (mass_gidx)row * l->size[0];
    s->z = row / (uint32_t)l->size[1];
    s->y = row - s->z * l->size[1];
    s->world = world;
    s->id = l->populations[0].id + i;
    if (MASS_HOLDS_A_PART_(l)) {
        const mass_gidx there = l->populations[0].first_place + (mass_gidx)rest, row_there = there / l->size[0];
        s->x = there - row_there * l->size[0];
        s->z = row_there / l->size[1];
        s->y = row_there - s->z * l->size[1];
    }
}
/* Returns the element of the site's place in arrays of places. */
MASS_FN int64_t mass_element_of(const mass_site *s)
{
    const mass_launch *l = s->launch;
    return s->world * l->world_stride + (s->z - l->origin[2]) * l->plane + (s->y - l->origin[1]) * l->pitch +
           s->x - l->origin[0];
}

#endif
