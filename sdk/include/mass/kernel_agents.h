/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel macros for agents: one body for every agent, or for every place with the agents on it.
 *
 *     MASS_AGENT(graze, sheep, 2, SEES(grass), UPDATES(energy), CHILDREN(energy))
 *     {
 *         OUT(energy) += SEE(grass, 0, 0);
 *         if (SEE(grass, 1, 0) > 0) MIGRATE(1, 0);
 *         if (OUT(energy) > 10) { SPAWN(1); CHILD(energy, 0) = 5; }
 *         if (OUT(energy) < 0) KILL();
 *     }
 *
 * MASS_AGENT(name, population, dimensions, entries...): what it READS, WRITES and UPDATES are attributes of the agent
 * itself, what it SEES those of the places around it, RACES those of its own place; what it SCATTERS, too, is of the
 * places around it, and SCATTER adds to them, as far as the phase's reach. Besides what
 * kernel.h lists (IN, OUT, PARAM, tallies, AT_X, SIZE_X, EXISTS, STEP, RANDOM), in a body:
 *     SEE(f, dx[,dy[,dz]])    what it SEES at an offset from the agent's place, as far as the phase's reach; beyond
 *                             that the attribute's default
 *     HERE(f)                 the element of RACES at the agent's place, to be read and written
 *     CROWD(dx[,dy[,dz]])     how many agents of the population stand there, itself included at (0, 0); beyond the
 *                             reach 0
 *     AGENT_ID  WAS_LOST      its id; whether its last request to move was refused
 *     MIGRATE(dx[,dy[,dz]])   asks to move by an offset of any length; MIGRATE_TO(x[,y[,z]]) to a place.
 *                             An axis that wraps wraps, over a bounded edge the move is refused. The last
 *                             request counts
 *     KILL()                  asks to die
 *     SPAWN(n)                asks for n children, at most the population's `children`; each stands on its
 *                             parent's place unless CHILD_TO(k, dx[,dy[,dz]]) says otherwise, which is of any
 *                             length, as MIGRATE; over a bounded edge it is not born
 *     CHILD(f, k) = v         what child k (0 to n - 1) starts with; attributes that are not in CHILDREN start
 *                             with their defaults. From `children` on, k stands for the last, and CHILD_TO does nothing
 *
 * RACES is for comparison with programs that do so: agents of one place write its element by plain stores, in no
 * order and perhaps at once, so that contributions get lost and no two runs need to be the same. What the callback SEES
 * of the same attribute may be values from before the phase, or of later. A model that has RACES is not
 * reproducible, and its runs say so.
 *
 * MASS_RESIDENTS(name, population, dimensions, radius, entries...): a stencil over places that also sees the agents on
 * its own place. What it READS, WRITES and UPDATES are attributes of the space, what it MEETS and CHANGES of
 * the population. In a body, beside those of a stencil:
 *     EACH_RESIDENT(a) { OF(f, a) ... }   the agents on this place, in the order of their ids; OF of a number that
 *                                         is none's is 0, and forgets what it is given. Numbers
 *                                         are those of a launch: another device has others
 *     EACH_RESIDENT_WHERE(f, a) { ... }   those of them whose f, of MEETS or CHANGES, is not 0 when their turn comes
 *     RESIDENT_COUNT  RESIDENT_ID(a)
 * That is how shared state is updated without races: a place's residents one after the other.
 *
 * MASS_OCCUPIED(name, population, dimensions, radius, entries...) is the same, and leaves places without agents as they
 * are; attributes of the space it READS and UPDATES alone. */
#ifndef MASS_KERNEL_AGENTS_H
#define MASS_KERNEL_AGENTS_H

#include <mass/kernel.h>

#ifdef __CUDACC__
#define SEE(f, ...) mass_see(*w, w->see_##f, w->unseen_##f, MASS_THREE_(__VA_ARGS__))
#else
#define SEE(f, ...) MASS_BESIDE_(MASS_OUT_OF_REACH_SEE, see_##f, unseen_##f, MASS_THREE_(__VA_ARGS__))
#endif
#define HERE(f) (*w->here_##f)
#define CROWD(...) ((void)w->agent, mass_crowd(&w->site, &w->reach_, MASS_THREE_(__VA_ARGS__)))
#define AGENT_ID ((void)w->agent, *w->site.id)
#define WAS_LOST (w->lost)
#define MIGRATE(...) ((void)(w->move = mass_move(&w->site, w->agent, MASS_THREE_(__VA_ARGS__))))
#define MIGRATE_TO(...) ((void)(w->move = mass_move_to(&w->site, w->agent, MASS_THREE_(__VA_ARGS__))))
#define KILL() ((void)(w->asked |= w->site.launch->agents.kill_mask))
#define SPAWN(n) ((void)(w->asked = mass_spawn(&w->site, w->agent, w->asked, (n))))
#define CHILD(f, k) (w->child_##f[mass_child(&w->site, &w->reach_, (k))])
#define CHILD_TO(k, ...) mass_child_to(&w->site, &w->reach_, w->agent, (k), MASS_THREE_(__VA_ARGS__))

/* The first resident, in windows that have residents. */
#define MASS_FIRST_RESIDENT_ ((void)sizeof(w->residents), w->first_resident)
/* Of the numbers that EACH_RESIDENT counts, compilers know that they are residents': nvcc by their type, others by
 * the way it counts. */
#ifdef __CUDACC__
struct mass_resident {
    uint32_t number;
    MASS_FN_MEMBER operator uint32_t() const { return number; }
};
#define EACH_RESIDENT(a)                                                                                     \
    for (uint32_t mass_at_##a = MASS_FIRST_RESIDENT_, mass_end_##a = w->end_of_residents;                    \
         mass_at_##a < mass_end_##a; mass_at_##a++) /* a number of its own, by which the loop is unrolled */ \
        if (const mass_resident a = {mass_at_##a}; true)
/* Windows in worlds that a block of a GPU holds, where arrays of agents begin and end at multiples of 16 bytes. */
struct mass_in_block {};
/* Of 16 elements of one byte, a bit for each that is not 0. */
MASS_FN uint32_t mass_set_of_16(uint4 v)
{
    const uint32_t words[] = {v.x, v.y, v.z, v.w};
    uint32_t set = 0;
    for (int k = 0; k < 4; k++) {
        const uint32_t high = (((words[k] & 0x7f7f7f7fu) + 0x7f7f7f7fu) | words[k]) & 0x80808080u;
        set |= ((high >> 7) * 0x10204080u >> 28) << 4 * k; /* the product has the four bits side by side */
    }
    return set;
}
/* The first agent from `at` on whose f is not 0, or `end`. */
template <class T> MASS_FN uint32_t mass_next_where(const void *, const T *f, uint32_t at, uint32_t end)
{
    while (at < end && !f[at]) at++;
    return at;
}
/* Where several follow that are 0, it looks at 16 of them at once. */
template <class T> MASS_FN uint32_t mass_next_where(const mass_in_block *, const T *f, uint32_t at, uint32_t end)
{
    if constexpr (sizeof(T) != 1) return mass_next_where((const void *)nullptr, f, at, end);
    if (at >= end || f[at]) return at;
    for (uint32_t first = at / 16 * 16, skipped = at - first; first < end; first += 16, skipped = 0) {
        const uint4 v = ((const uint4 *)f)[first / 16];
        if (!(v.x | v.y | v.z | v.w)) continue;
        const uint32_t set = mass_set_of_16(v) & ~0u << skipped;
        if (set) return min(end, first + __ffs((int)set) - 1);
    }
    return end;
}
#define EACH_RESIDENT_WHERE(f, a)                                                                              \
    for (uint32_t mass_end_##a = w->end_of_residents,                                                          \
                  mass_at_##a = mass_next_where(w, w->of_##f, MASS_FIRST_RESIDENT_, mass_end_##a);             \
         mass_at_##a < mass_end_##a; mass_at_##a = mass_next_where(w, w->of_##f, mass_at_##a + 1, mass_end_##a)) \
        if (const mass_resident a = {mass_at_##a}; true)
#else
#define EACH_RESIDENT(a)                                      \
    for (uint32_t a = MASS_FIRST_RESIDENT_, mass_nth_##a = 0; \
         mass_nth_##a < RESIDENT_COUNT && (a = w->first_resident + mass_nth_##a, 1); mass_nth_##a++)
#define EACH_RESIDENT_WHERE(f, a) \
    EACH_RESIDENT(a)              \
        if (OF(f, a))
#endif
#define OF(f, a) MASS_OF_(of_##f, of_nobody_##f, (a))
#define MASS_OF_(f, nobody, a)                                                                                         \
    (*(__typeof__(w->f))mass_of(&w->site, &w->reach_, w->first_resident, w->end_of_residents, (a), w->f, sizeof *w->f, \
                                w->nobody))
#define RESIDENT_COUNT (w->end_of_residents - MASS_FIRST_RESIDENT_)
#define RESIDENT_ID(a) mass_resident_id(&w->site, &w->reach_, MASS_FIRST_RESIDENT_, w->end_of_residents, (a))

/* Where that many places from `at` come to along an axis that wraps; loops over agents keep it out of their way. */
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
/* The row-major place that many places from one of the space, however many; 0: it is beyond a bounded edge. */
MASS_FN int mass_place_from(const mass_launch *l, mass_gidx x, mass_gidx y, mass_gidx z, mass_gidx dx, mass_gidx dy,
                            mass_gidx dz, mass_gidx *place)
{
    const mass_gidx from[3] = {x, y, z}, by[3] = {dx, dy, dz};
    mass_gidx at[3];
    for (int a = 0; a < 3; a++) {
        at[a] = mass_sum_i64(from[a], by[a]); /* beyond 2^63 that is negative */
        if (MASS_IS_NONE_(by[a])) continue;
        if ((uint64_t)at[a] < (uint64_t)l->size[a]) continue;
        if (!(l->torus >> a & 1)) return 0;
        at[a] = mass_wrapped(from[a], by[a], l->size[a]);
    }
    *place = (at[2] * l->size[1] + at[1]) * l->size[0] + at[0];
    return 1;
}
/* Whether the process holds a part of the space: the rare case, kept out of the way of loops. */
#define MASS_HOLDS_A_PART_(l) __builtin_expect((l)->agents.move_far != 0, 0)
/* The cell that many places from one, or NOWHERE beyond a bounded edge. far[index] is where a place goes that is not
 * here. */
MASS_FN uint32_t mass_cell(const mass_site *s, mass_gidx x, mass_gidx y, mass_gidx z, mass_gidx dx, mass_gidx dy,
                           mass_gidx dz, mass_gidx *far, size_t index)
{
    mass_gidx place;
    if (!mass_place_from(s->launch, x, y, z, dx, dy, dz, &place)) return MASS_CELL_NOWHERE;
    if (MASS_HOLDS_A_PART_(s->launch)) {
        const mass_gidx here = place - s->launch->agents.first_place;
        if ((uint64_t)here >= (uint64_t)s->launch->agents.places) {
            far[index] = place;
            return MASS_CELL_FAR;
        }
        place = here;
    }
    return (uint32_t)(s->world * s->launch->agents.places + place);
}
MASS_FN uint32_t mass_move(const mass_site *s, uint32_t agent, mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    return mass_cell(s, s->x, s->y, s->z, dx, dy, dz, s->launch->agents.move_far, agent);
}
MASS_FN uint32_t mass_move_to(const mass_site *s, uint32_t agent, mass_gidx x, mass_gidx y, mass_gidx z)
{
    return mass_cell(s, 0, 0, 0, x, y, z, s->launch->agents.move_far, agent);
}
/* The agents of the own cell. */
MASS_FN void mass_meet_residents(const mass_site *s, uint32_t *first, uint32_t *end)
{
    const mass_launch *l = s->launch;
    const int64_t cell = s->world * l->agents.places - l->agents.first_place +
                         (s->z * l->size[1] + s->y) * l->size[0] + s->x;
    *first = l->agents.start[cell];
    *end = l->agents.start[cell + 1];
}
/* As mass_crowd, within the reach. The slowest axis is not wrapped: beyond the part are the crowds. A call of it tells
 * compilers no address that loops depend on. */
#ifndef __CUDACC__
static uint32_t mass_crowd_of_part(const mass_launch *l, int32_t world, mass_gidx x, mass_gidx y, mass_gidx z,
                                   mass_gidx dx, mass_gidx dy, mass_gidx dz)
    __attribute__((noinline, cold, pure, unused));
static uint32_t mass_crowd_of_part(const mass_launch *l, int32_t world, mass_gidx x, mass_gidx y, mass_gidx z,
                                   mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    const mass_agents *g = &l->agents;
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
    const uint32_t *const start = g->start + world * g->places, *const crowds = g->crowds;
    if ((uint64_t)here < (uint64_t)g->places) return start[here + 1] - start[here];
    return crowds[(2 * world + 1) * g->crowd_places + (here < 0 ? here : here - g->places)];
}
#else
/* The crowd of a place of the space that is not among the part's, `here` places from its first one. Where the slowest
 * axis wraps, it may be nearer the other way round. */
MASS_FN uint32_t mass_crowd_beside(const mass_agents *g, int32_t world, mass_gidx here)
{
    const mass_gidx others = g->places_all - g->places;
    mass_gidx at = here < 0 ? here : here - g->places;
    if (at < -g->crowd_places) at += others;
    else if (at >= g->crowd_places) at -= others;
    return g->crowds[(2 * world + 1) * g->crowd_places + at];
}
#endif
MASS_FN uint32_t mass_crowd(const mass_site *s, const mass_reach *r, mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    if (!mass_is_in_reach(r, dx, dy, dz)) {
        mass_report_out_of_reach(s, r->checked, MASS_OUT_OF_REACH_CROWD, dx, dy, dz);
        return 0;
    }
#ifdef __CUDACC__
    const mass_agents &g = s->launch->agents;
    mass_gidx place;
    if (!mass_place_from(s->launch, s->x, s->y, s->z, dx, dy, dz, &place)) return 0;
    if (MASS_HOLDS_A_PART_(s->launch)) {
        place -= g.first_place;
        if ((uint64_t)place >= (uint64_t)g.places) return mass_crowd_beside(&g, s->world, place);
    }
    const uint32_t *const start = g.start + (uint32_t)(s->world * g.places + place);
    return start[1] - start[0];
#else
    if (MASS_HOLDS_A_PART_(s->launch))
        return mass_crowd_of_part(s->launch, s->world, s->x, s->y, s->z, dx, dy, dz);
    const uint32_t cell = mass_cell(s, s->x, s->y, s->z, dx, dy, dz, 0, 0), *start = s->launch->agents.start;
    return cell == MASS_CELL_NOWHERE ? 0 : start[cell + 1] - start[cell];
#endif
}
MASS_FN uint32_t mass_spawn(const mass_site *s, uint32_t agent, uint32_t asked, int64_t n)
{
    const mass_agents *g = &s->launch->agents;
    const uint32_t births = n < 0 ? 0 : n > g->children ? g->children : (uint32_t)n;
    if (n > 0 && g->children == 0) mass_note_ignored(s->launch, MASS_IGNORED_CHILDREN);
    for (uint32_t k = 0; k < births; k++) g->child_cell[(size_t)k * g->room + agent] = MASS_CELL_STAY;
    return (asked & MASS_ASKED_KILL) | births;
}

/* Where child k's value is, from child 0's. One that an agent cannot have is taken for the last. */
MASS_FN size_t mass_child(const mass_site *s, const mass_reach *r, int64_t k)
{
    const mass_agents *g = &s->launch->agents;
    const uint64_t last = g->children ? g->children - 1 : 0;
    if ((uint64_t)k >= g->children) mass_report_out_of_reach(s, r->checked, MASS_OUT_OF_REACH_CHILD, k, 0, 0);
    return (size_t)((uint64_t)k < last ? (uint64_t)k : last) * g->room;
}
MASS_FN void mass_child_to(const mass_site *s, const mass_reach *r, uint32_t agent, int64_t k, mass_gidx dx,
                           mass_gidx dy, mass_gidx dz)
{
    const mass_agents *g = &s->launch->agents;
    if ((uint64_t)k >= g->children) {
        mass_report_out_of_reach(s, r->checked, MASS_OUT_OF_REACH_CHILD, k, 0, 0);
        return;
    }
    const size_t at = (size_t)k * g->room + agent;
    const uint32_t cell = mass_cell(s, s->x, s->y, s->z, dx, dy, dz, g->child_far, at);
    if (cell == MASS_CELL_NOWHERE) mass_note_ignored(s->launch, MASS_IGNORED_EDGE);
    g->child_cell[at] = cell;
}

MASS_FN int mass_is_resident(const mass_site *s, const mass_reach *r, uint32_t first, uint32_t end, int64_t a)
{
    if (a == (uint32_t)a && (uint32_t)a - first < end - first) return 1;
    mass_report_out_of_reach(s, r->checked, MASS_OUT_OF_REACH_RESIDENT, a, 0, 0);
    return 0;
}
/* A resident's element of an array of agents, or what stands for that of nobody. */
MASS_FN const void *mass_of(const mass_site *s, const mass_reach *r, uint32_t first, uint32_t end, int64_t a,
                            const void *array, size_t size, const void *none)
{
    return mass_is_resident(s, r, first, end, a) ? (const char *)array + (size_t)a * size : (const char *)none;
}
MASS_FN uint64_t mass_resident_id(const mass_site *s, const mass_reach *r, uint32_t first, uint32_t end, int64_t a)
{
    return mass_is_resident(s, r, first, end, a) ? s->launch->agents.id[a] : UINT64_MAX;
}
#ifdef __CUDACC__
MASS_FN const void *mass_of(const mass_site *, const mass_reach *, uint32_t, uint32_t, mass_resident a,
                            const void *array, size_t size, const void *)
{
    return (const char *)array + (size_t)a.number * size;
}
MASS_FN uint64_t mass_resident_id(const mass_site *s, const mass_reach *, uint32_t, uint32_t, mass_resident a)
{
    return s->launch->agents.id[a.number];
}
#endif

/* Where agent i stands: global coordinates and world. world is that of an agent before it, or 0. */
MASS_FN void mass_stand(mass_site *s, const mass_launch *l, uint32_t i, int32_t world)
{
    uint64_t rest = l->agents.cell[i] - (uint64_t)world * (uint64_t)l->agents.places;
    while (rest >= (uint64_t)l->agents.places) rest -= (uint64_t)l->agents.places, world++;
    const uint32_t place = (uint32_t)rest, row = place / (uint32_t)l->size[0];
    s->launch = l;
    s->x = place - (mass_gidx)row * l->size[0];
    s->z = row / (uint32_t)l->size[1];
    s->y = row - s->z * l->size[1];
    s->world = world;
    s->id = l->agents.id + i;
    if (MASS_HOLDS_A_PART_(l)) {
        const mass_gidx there = l->agents.first_place + (mass_gidx)rest, row_there = there / l->size[0];
        s->x = there - row_there * l->size[0];
        s->z = row_there / l->size[1];
        s->y = row_there - s->z * l->size[1];
    }
}
/* As mass_stand, where s stood on an agent of the same world, so many cells before. */
MASS_FN void mass_stand_ahead(mass_site *s, const mass_launch *l, uint32_t i, uint32_t cells)
{
    if (s->x + cells >= l->size[0]) {
        mass_stand(s, l, i, s->world);
        return;
    }
    s->x += cells;
    s->id = l->agents.id + i;
}

/* Element of a place field under it. */
MASS_FN int64_t mass_element_of(const mass_site *s)
{
    const mass_launch *l = s->launch;
    return s->world * l->world_stride + (s->z - l->origin[2]) * l->plane + (s->y - l->origin[1]) * l->pitch +
           s->x - l->origin[0];
}

#ifdef __CUDACC__

/* One thread's contribution; threads of a warp that are in the same world add up first. */
template <int ACCESS> MASS_FN void mass_add_by_world(int64_t *tally, int64_t v, int world)
{
    const unsigned active = __activemask();
    if (active == ~0u && __match_any_sync(active, world) == active) mass_flush_warp<ACCESS>(tally + world, v);
    else mass_contribute<ACCESS>(tally + world, v);
}

/* What an agent SEES, from the element of its own place; of bits, from the array and that element's number. */
template <class Window, class T>
MASS_FN T mass_see(const Window &w, const T *own, const T *none, int64_t dx, int64_t dy, int64_t dz)
{
    return *(const T *)mass_place(&w.site, &w.reach_, MASS_OUT_OF_REACH_SEE, own, none, sizeof(T), w.pitch, w.plane, dx,
                                  dy, dz);
}
struct mass_bit_at {
    const bool *start;
    int64_t at;
};
template <class Window>
MASS_FN bool mass_see(const Window &w, mass_bit_at own, const bool *, int64_t dx, int64_t dy, int64_t dz)
{
    const int64_t at = own.at + dx + dy * w.pitch + dz * w.plane, none = mass_default_element(w.site.launch);
    return mass_bit(own.start, mass_is_in_reach(&w.reach_, dx, dy, dz) ? at : none);
}

/* A READ field of an agent. */
template <class T> struct mass_own {
    T v;
    MASS_FN_MEMBER T own() const { return v; }
};

/* What a thread of a kernel over agents does with a field, by its view (entries.h): of agent `own` that stands on
 * element `here`, get shows it to the body, put takes over what the body left, and cast adds its contribution to the
 * tally; what is gathered of all agents of a world begins and ends with it. */
struct mass_met_nothing {
    struct gathered {};
    template <class... A> static MASS_FN_MEMBER void put(A &&...) {}
    template <class... A> static MASS_FN_MEMBER void cast(A &&...) {}
    template <class... A> static MASS_FN_MEMBER void begin(A &&...) {}
    template <class... A> static MASS_FN_MEMBER void end(A &&...) {}
};
struct mass_met_at {
    const mass_launch &l;
    uint32_t own;
    int64_t here;
    int32_t world;
    bool gathers;
};
/* Of a pointer: to the agent's element, or to its place's and those around; or of all. */
template <mass_view VIEW, class T, int ACCESS> struct mass_met : mass_met_nothing {
    typedef T *window;
    static MASS_FN_MEMBER void get(window &n, T *p, const mass_met_at &a, gathered *, int)
    {
        n = VIEW == MASS_VIEW_WHOLE_ ? p : MASS_IS_REQUEST_(ACCESS) ? p + a.own : p + a.here;
    }
};
template <int ACCESS> struct mass_met<MASS_VIEW_AROUND_, const bool, ACCESS> : mass_met_nothing {
    typedef mass_bit_at window;
    static MASS_FN_MEMBER void get(window &n, const bool *p, const mass_met_at &a, gathered *, int) { n = {p, a.here}; }
};
template <class T, int ACCESS> struct mass_met<MASS_VIEW_POINT_, const T, ACCESS> : mass_met_nothing {
    typedef mass_own<T> window;
    static MASS_FN_MEMBER void get(window &n, const T *p, const mass_met_at &a, gathered *, int) { n.v = p[a.own]; }
};
template <class T, int ACCESS> struct mass_met<MASS_VIEW_VALUE_, T, ACCESS> : mass_met_nothing {
    typedef T window;
    static MASS_FN_MEMBER void get(window &n, const T *p, const mass_met_at &a, gathered *, int)
    {
        if constexpr (MASS_IS_LOADED_(ACCESS)) n = p[a.own];
    }
    static MASS_FN_MEMBER void put(const window &n, T *p, uint32_t own) { p[own] = n; }
};
template <class T, int ACCESS> struct mass_met<MASS_VIEW_SCALAR_, T, ACCESS> : mass_met_nothing {
    typedef T window;
    static MASS_FN_MEMBER void get(window &n, const T *p, const mass_met_at &a, gathered *, int) { n = p[a.world]; }
};
template <class T, int ACCESS> struct mass_met<MASS_VIEW_SUM_, T, ACCESS> : mass_met_nothing {
    typedef mass_sum window;
    static MASS_FN_MEMBER void get(window &n, int64_t *, const mass_met_at &, gathered *, int) { n = 0; }
    static MASS_FN_MEMBER void cast(const window &n, int64_t *p, int32_t world)
    {
        mass_add_by_world<MASS_SUM>(p, n, world);
    }
};
template <int ACCESS> struct mass_met<MASS_VIEW_SUM_, double, ACCESS> : mass_met_nothing {
    typedef mass_exact_window *window;
    typedef mass_exact_window gathered;
    static MASS_FN_MEMBER void get(window &n, int64_t *, const mass_met_at &a, gathered *g, int)
    {
        n = a.gathers ? g : nullptr;
    }
    static MASS_FN_MEMBER void begin(gathered &g, int64_t *p, int world)
    {
        mass_exact_begin(&g, p + world * MASS_EXACT_WORDS);
    }
    static MASS_FN_MEMBER void end(gathered &g, int64_t *, const mass_launch &, int, int) { mass_exact_flush_warp(&g); }
};
template <class T, int ACCESS> struct mass_met<MASS_VIEW_EXTREME_, T, ACCESS> : mass_met_nothing {
    typedef T window;
    static MASS_FN_MEMBER void get(window &n, int64_t *, const mass_met_at &, gathered *, int)
    {
        n = mass_farthest<ACCESS, T>();
    }
    static MASS_FN_MEMBER void cast(const window &n, int64_t *p, int32_t world)
    {
        mass_add_by_world<ACCESS>(p, mass_limits<T>::rank(n), world);
    }
};
template <class T, int ACCESS> struct mass_met<MASS_VIEW_BINS_, T, ACCESS> : mass_met_nothing {
    typedef mass_counter window;
    static MASS_FN_MEMBER void get(window &n, int64_t *p, const mass_met_at &a, gathered *, int number)
    {
        n = mass_counter_of(p, a.l.bins[number], a.world, a.gathers, MASS_ANYWHERE);
    }
    static MASS_FN_MEMBER void end(gathered &, int64_t *p, const mass_launch &l, int world, int number)
    {
        mass_bins_hand_over(p, l.bins[number], world);
    }
};
template <class T, int ACCESS> struct mass_met<MASS_VIEW_KEYS_, T, ACCESS> : mass_met_nothing {
    typedef mass_key_counter window;
    static MASS_FN_MEMBER void get(window &n, mass_key_table *p, const mass_met_at &a, gathered *, int)
    {
        n.table = a.gathers ? p + a.world : nullptr;
    }
};
#define MASS_MET_(VIEW, ACCESS, T) \
    mass_met<MASS_VIEW_##VIEW, MASS_REST_(MASS_POINTS_##VIEW(ACCESS)) T, ACCESS>
#define MASS_POINTS_AROUND_(ACCESS) ~, const
#define MASS_POINTS_POINT_(ACCESS) ~, MASS_CONST_(ACCESS)
#define MASS_SELF_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) \
    MASS_MET_(VIEW, ACCESS, T)::window n; MASS_REST_(MASS_UNSEEN_##VIEW(n2, T))
#define MASS_UNSEEN_AROUND_(n2, T) ~, const T *n2;
#define MASS_GATHER_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_MET_(VIEW, ACCESS, T)::gathered n;
#define MASS_MEET_(CLASS, VIEW, ACCESS, n, n2, S, T, ...)                                                              \
    MASS_MET_(VIEW, ACCESS, T)::get(window.n, f.n, met, gathered ? &gathered->n : nullptr, MASS_BIN_NUMBER_(VIEW, n)); \
    MASS_REST_(MASS_MEET_UNSEEN_##VIEW(n, n2))
#define MASS_MEET_UNSEEN_AROUND_(n, n2) ~, window.n2 = f.n + none;
#define MASS_LEAVE_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_MET_(VIEW, ACCESS, T)::put(window.n, f.n, i);
#define MASS_CAST_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) \
    MASS_MET_(VIEW, ACCESS, T)::cast(window.n, f.n, window.site.world);
#define MASS_BEGIN_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_MET_(VIEW, ACCESS, T)::begin(gathered.n, f.n, k);
#define MASS_END_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) \
    MASS_MET_(VIEW, ACCESS, T)::end(gathered.n, f.n, l, k, MASS_BIN_NUMBER_(VIEW, n));

/* Where agent i stands, of a partition whose first cell in each world has the number `skipped`: global coordinates and
 * world. world is that of an agent before it, or 0. Coordinates but for that of a line have 32 bits, which spares
 * registers. */
template <int DIMENSIONS>
MASS_FN void mass_stand_in(mass_site *s, const mass_launch *l, uint32_t i, int32_t world, uint32_t skipped)
{
    uint32_t place = l->agents.cell[i] - (uint32_t)(world * l->agents.places);
    while (place >= l->agents.places) place -= (uint32_t)l->agents.places, world++;
    place -= skipped;
    if constexpr (DIMENSIONS < 2) {
        if (l->size[1] == 1) {
            *s = {l, l->origin[0] + place, 0, 0, world, l->agents.id + i};
            return;
        }
    }
    const uint32_t row = place / (uint32_t)l->size[0], x = place - row * (uint32_t)l->size[0];
    if constexpr (DIMENSIONS == 2) {
        *s = {l, x, row + (uint32_t)l->origin[1], 0, world, l->agents.id + i};
        return;
    }
    const uint32_t sheet = row / (uint32_t)l->size[1], y = row - sheet * (uint32_t)l->size[1];
    *s = {l, x + (uint32_t)l->origin[0], y + (uint32_t)l->origin[1], sheet + (uint32_t)l->origin[2], world,
          l->agents.id + i};
}

/* Threads stride over the partition's agents, world by world unless it is the whole space and they gather nothing. */
#define MASS_AGENT_(NAME, LIST, DIMENSIONS)                                                                   \
    struct MASS_JOIN(NAME, _fields) { MASS_EACH_(MASS_POINTER_, LIST) };                                      \
    struct MASS_JOIN(NAME, _window) {                                                                         \
        MASS_EACH_(MASS_SELF_, LIST)                                                                          \
        int64_t pitch, plane;                                                                                 \
        mass_reach reach_;                                                                                    \
        mass_site site;                                                                                       \
        uint32_t agent, move, asked, lost;                                                                    \
    };                                                                                                        \
    struct MASS_JOIN(NAME, _gathered) { MASS_EACH_(MASS_GATHER_, LIST) };                                     \
    MASS_FN void MASS_JOIN(NAME, _body)(MASS_JOIN(NAME, _window) *const w);                                   \
    /* Agent i, whose site is known, and the element of its place. */                                         \
    MASS_FN void MASS_JOIN(NAME, _agent)(const MASS_JOIN(NAME, _fields) &f, const mass_launch &l, uint32_t i, \
                                         int64_t at, MASS_JOIN(NAME, _window) &window,                        \
                                         MASS_JOIN(NAME, _gathered) *gathered)                                \
    {                                                                                                         \
        enum { MASS_EACH_(MASS_BIN_FIELD_, LIST) MASS_JOIN(NAME, _bin_fields) };                              \
        const mass_agents &g = l.agents;                                                                      \
        const int64_t none = mass_default_element(&l);                                                        \
        const mass_met_at met = {l, i, at, window.site.world, gathered != nullptr};                           \
        (void)met, (void)gathered, (void)none;                                                                \
        __builtin_assume(window.site.id != nullptr);                                                          \
        window.pitch = l.pitch;                                                                               \
        window.plane = l.plane;                                                                               \
        window.reach_ = mass_reach_of(&l, DIMENSIONS, 0);                                                     \
        window.agent = i;                                                                                     \
        window.lost = g.lost[i];                                                                              \
        window.move = g.move[i];                                                                              \
        window.asked = g.asked[i];                                                                            \
        MASS_EACH_(MASS_MEET_, LIST)                                                                          \
        MASS_JOIN(NAME, _body)(&window);                                                                      \
        g.move[i] = window.move;                                                                              \
        g.asked[i] = window.asked;                                                                            \
        MASS_EACH_(MASS_LEAVE_, LIST)                                                                         \
    }                                                                                                         \
    template <bool TALLY>                                                                                     \
    MASS_FN void MASS_JOIN(NAME, _agents)(const MASS_JOIN(NAME, _fields) &f, const mass_launch &l)            \
    {                                                                                                         \
        enum { MASS_EACH_(MASS_BIN_FIELD_, LIST) MASS_JOIN(NAME, _bin_fields) };                              \
        constexpr bool gathers = TALLY && (0 MASS_EACH_(MASS_GATHERS_, LIST)) != 0;                           \
        MASS_JOIN(NAME, _gathered) gathered;                                                                  \
        if (gathers) mass_bins_begin(l, MASS_JOIN(NAME, _bin_fields));                                        \
        mass_follow_predecessor();                                                                            \
        const mass_agents &g = l.agents;                                                                      \
        const int64_t places = (int64_t)l.extent[0] * l.extent[1] * l.extent[2];                              \
        const int64_t skipped = (l.origin[2] * l.size[1] + l.origin[1]) * l.size[0] + l.origin[0] -           \
                                g.first_place;                                                                \
        const bool whole = places == g.places && (!gathers || l.worlds == 1);                                 \
        for (int k = blockIdx.y; k < (whole ? 1 : l.worlds); k += gridDim.y) {                                \
            const int64_t cell = k * g.places + skipped;                                                      \
            const uint32_t last = g.start[whole ? l.worlds * g.places : cell + places];                       \
            if (gathers) { MASS_EACH_(MASS_BEGIN_, LIST) }                                                    \
            for (uint32_t i = g.start[cell] + blockIdx.x * blockDim.x + threadIdx.x; i < last;                \
                 i += gridDim.x * blockDim.x) {                                                               \
                MASS_JOIN(NAME, _window) window;                                                              \
                mass_stand_in<DIMENSIONS>(&window.site, &l, i, (int32_t)(g.cell[i] / (uint64_t)g.places),     \
                                          (uint32_t)skipped);                                                 \
                if (l.gates && l.gates[window.site.world]) continue;                                          \
                MASS_JOIN(NAME, _agent)(f, l, i, mass_element_of(&window.site), window,                       \
                                        gathers ? &gathered : nullptr);                                       \
                if (TALLY) { MASS_EACH_(MASS_CAST_, LIST) }                                                   \
            }                                                                                                 \
            if (gathers) { MASS_EACH_(MASS_END_, LIST) }                                                      \
        }                                                                                                     \
    }                                                                                                         \
    extern "C" __global__ void MASS_JOIN(NAME, _agents_quiet)(                                                \
        const __grid_constant__ MASS_JOIN(NAME, _fields) f, const __grid_constant__ mass_launch l)            \
    {                                                                                                         \
        MASS_JOIN(NAME, _agents)<false>(f, l);                                                                \
    }                                                                                                         \
    extern "C" __global__ void MASS_JOIN(NAME, _agents_tally)(                                                \
        const __grid_constant__ MASS_JOIN(NAME, _fields) f, const __grid_constant__ mass_launch l)            \
    {                                                                                                         \
        MASS_JOIN(NAME, _agents)<true>(f, l);                                                                 \
    }                                                                                                         \
    MASS_WORLD_AGENTS_(NAME, LIST, DIMENSIONS)                                                                \
    MASS_FN void MASS_JOIN(NAME, _body)(MASS_JOIN(NAME, _window) *const w)

#else

/* Crowds of the farthest row that an agent sees are fetched before it gets there. */
#define MASS_AGENT_LOOP_(NAME, LIST, DIMENSIONS, SUFFIX, CHECKED, TALLIES, TALLY, FLUSH)    \
    static void MASS_JOIN(NAME, SUFFIX)(const void *fields, const mass_launch *launch,      \
                                        const mass_range *range)                            \
    {                                                                                       \
        enum { MASS_EACH_(MASS_BIN_FIELD_, LIST) MASS_JOIN(NAME, _bin_fields) };            \
        const int checked = CHECKED, tallies = TALLIES;                                     \
        (void)checked, (void)tallies;                                                       \
        const MASS_JOIN(NAME, _fields) f = *(const MASS_JOIN(NAME, _fields) *)fields;       \
        mass_launch l = *launch;                                                            \
        l.step = mass_launch_step(launch);                                                  \
        l.clock = 0;                                                                        \
        const mass_reach reach = mass_reach_of(&l, DIMENSIONS, checked);                    \
        const int64_t none = mass_default_element(&l);                                      \
        mass_site site;                                                                     \
        int32_t world = 0;                                                                  \
        for (int64_t next = range->first_row; next < range->last_row;) {                    \
            mass_stand(&site, &l, (uint32_t)next, world);                                   \
            world = site.world;                                                             \
            uint32_t cell = l.agents.cell[next];                                            \
            const int64_t world_end = l.agents.start[(world + 1) * l.agents.places];        \
            const int64_t last = world_end < range->last_row ? world_end : range->last_row; \
            const int closed = l.gates && l.gates[world];                                   \
            const int64_t ahead = l.agents.reach > 1 ? l.agents.reach * l.size[0] : 0;      \
            const int64_t at = 0; /* a row is all of them */                                \
            const int lane = -1;                                                            \
            (void)f, (void)at, (void)none, (void)lane;                                      \
            MASS_EACH_(MASS_ROW_, LIST)                                                     \
            MASS_EACH_(MASS_WIDE_LOW_, LIST)                                                \
            for (uint32_t own = (uint32_t)next; !closed && own < last; own++) {             \
                MASS_JOIN(NAME, _window) window;                                            \
                mass_stand_ahead(&site, &l, own, l.agents.cell[own] - cell);                \
                cell = l.agents.cell[own];                                                  \
                window.site = site;                                                         \
                if (ahead) __builtin_prefetch(l.agents.start + cell + ahead);               \
                const int64_t here = mass_element_of(&window.site);                         \
                (void)here;                                                                 \
                window.pitch = l.pitch;                                                     \
                window.plane = l.plane;                                                     \
                window.reach_ = reach;                                                      \
                window.agent = own;                                                         \
                window.lost = l.agents.lost[own];                                           \
                window.move = l.agents.move[own];                                           \
                window.asked = l.agents.asked[own];                                         \
                MASS_EACH_(MASS_GET_, LIST)                                                 \
                MASS_JOIN(NAME, _body)(&window);                                            \
                l.agents.move[own] = window.move;                                           \
                l.agents.asked[own] = window.asked;                                         \
                MASS_EACH_(MASS_PUT_, LIST)                                                 \
                MASS_EACH_(TALLY, LIST)                                                     \
            }                                                                               \
            MASS_EACH_(MASS_CARRY_, LIST)                                                   \
            MASS_EACH_(FLUSH, LIST)                                                         \
            next = last;                                                                    \
        }                                                                                   \
    }

#define MASS_AGENT_(NAME, LIST, DIMENSIONS)                                                                           \
    typedef struct { MASS_EACH_(MASS_POINTER_, LIST) } MASS_JOIN(NAME, _fields);                                      \
    typedef struct {                                                                                                  \
        MASS_EACH_(MASS_WINDOW_, LIST)                                                                                \
        int64_t pitch, plane;                                                                                         \
        mass_reach reach_;                                                                                            \
        mass_site site;                                                                                               \
        char (*radius_)[1025][1025][1025]; /* which the phase says */                                                 \
        uint32_t agent, move, asked, lost;                                                                            \
    } MASS_JOIN(NAME, _window);                                                                                       \
    MASS_FN void MASS_JOIN(NAME, _body)(MASS_JOIN(NAME, _window) *const w);                                           \
    MASS_AGENT_LOOP_(NAME, LIST, DIMENSIONS, _quiet_base, 0, 0, MASS_NOTHING_, MASS_NOTHING_)                         \
    MASS_AGENT_LOOP_(NAME, LIST, DIMENSIONS, _tally_base, 0, 1, MASS_TALLY_, MASS_FLUSH_)                             \
    MASS_AGENT_LOOP_(NAME, LIST, DIMENSIONS, _quiet_checked, 1, 0, MASS_NOTHING_, MASS_NOTHING_)                      \
    MASS_AGENT_LOOP_(NAME, LIST, DIMENSIONS, _tally_checked, 1, 1, MASS_TALLY_, MASS_FLUSH_)                          \
    static const mass_field MASS_JOIN(NAME, _reflection)[] = {MASS_EACH_(MASS_REFLECT_, LIST)};                       \
    static const mass_form MASS_JOIN(NAME, _forms)[] = {                                                              \
        {sizeof(mass_form), MASS_FORM_LOOP, 0, 0, MASS_JOIN(NAME, _quiet_base), 0, 1, 1, 1, 0},                       \
        {sizeof(mass_form), MASS_FORM_LOOP, 0, MASS_FORM_TALLIES, MASS_JOIN(NAME, _tally_base), 0, 1, 1, 1, 0},       \
        {sizeof(mass_form), MASS_FORM_CHECKED, 0, 0, MASS_JOIN(NAME, _quiet_checked), 0, 1, 1, 1, 0},                 \
        {sizeof(mass_form), MASS_FORM_CHECKED, 0, MASS_FORM_TALLIES, MASS_JOIN(NAME, _tally_checked), 0, 1, 1, 1, 0}, \
        {sizeof(mass_form), MASS_FORM_KERNEL, 0, MASS_FORM_PUSHES, 0, #NAME "_agents_quiet", 1, 1, 1, 0},             \
        {sizeof(mass_form), MASS_FORM_KERNEL, 0, MASS_FORM_PUSHES | MASS_FORM_TALLIES | MASS_STRIDES_(LIST), 0,       \
            #NAME "_agents_tally", 1, 1, 1, 0}};                                                                      \
    MASS_CALLBACK_(NAME) = {                                                                                          \
        sizeof(mass_callback), MASS_OVER_AGENTS, #NAME, DIMENSIONS, 0,                                                \
        sizeof MASS_JOIN(NAME, _reflection) / sizeof(mass_field), sizeof(mass_field),                                 \
        MASS_JOIN(NAME, _reflection),                                                                                 \
        sizeof MASS_JOIN(NAME, _forms) / sizeof(mass_form), sizeof(mass_form),                                        \
        MASS_JOIN(NAME, _forms)};                                                                                     \
    MASS_FN void MASS_JOIN(NAME, _body)(MASS_JOIN(NAME, _window) *const w)

#endif

#define MASS_OCCUPIED_(NAME, LIST, DIMENSIONS, RADIUS)                \
    MASS_KERNEL_(NAME, LIST, DIMENSIONS, RADIUS, MASS_OVER_OCCUPIED); \
    MASS_BODY_(NAME, _occupied);                                      \
    MASS_BODY_(NAME, _body)                                           \
    {                                                                 \
        if (RESIDENT_COUNT != 0) MASS_JOIN(NAME, _occupied)(w);       \
    }                                                                 \
    MASS_BODY_(NAME, _occupied)

#define MASS_AGENT(NAME, POPULATION, DIMENSIONS, ...)                \
    MASS_POPULATED_(NAME, #POPULATION)                               \
    MASS_CHECK_NUMBER_(NAME, "its number of dimensions", DIMENSIONS) \
    MASS_CHECKED_(NAME, AGENTS_, POPULATION, __VA_ARGS__)            \
    MASS_AGENT_(NAME, (MASS_LISTED_(AGENTS_, POPULATION, NAME, __VA_ARGS__)), MASS_NUMBER_(DIMENSIONS))
#define MASS_RESIDENTS(NAME, POPULATION, DIMENSIONS, RADIUS, ...)                                                   \
    MASS_POPULATED_(NAME, #POPULATION)                                                                              \
    MASS_CHECK_NUMBER_(NAME, "its radius", RADIUS)                                                                  \
    MASS_CHECKED_(NAME, RESIDENTS_, POPULATION, __VA_ARGS__)                                                        \
    MASS_KERNEL_(NAME, (MASS_LISTED_(RESIDENTS_, POPULATION, NAME, __VA_ARGS__)), DIMENSIONS, MASS_NUMBER_(RADIUS), \
                 MASS_OVER_RESIDENTS)
#define MASS_OCCUPIED(NAME, POPULATION, DIMENSIONS, RADIUS, ...) \
    MASS_POPULATED_(NAME, #POPULATION)                           \
    MASS_CHECK_NUMBER_(NAME, "its radius", RADIUS)               \
    MASS_CHECKED_(NAME, OCCUPIED_, POPULATION, __VA_ARGS__)      \
    MASS_OCCUPIED_(NAME, (MASS_LISTED_(OCCUPIED_, POPULATION, NAME, __VA_ARGS__)), DIMENSIONS, MASS_NUMBER_(RADIUS))

#endif
