/* SPDX-License-Identifier: Apache-2.0 */
/* Continuous space: agents with positions, which find each other within a distance and move by any step.
 *
 *     MASS_SPACE(sky, 2, .size = {100, 100}, .torus = MASS_AXES_ALL, .cell = 5)
 *     MASS_POPULATION(birds, sky, .count = 200)
 *     MASS_POSITIONS(birds, 2, float)
 *     MASS_AGENT_VECTOR(birds, mass_point_float_2, float, velocity)
 *
 *     MASS_AGENT(fly, birds, 2, READS(position), WITHIN(birds), NEARBY(velocity), UPDATES(velocity))
 *     {
 *         float x = OUT(velocity).x, y = OUT(velocity).y;
 *         EACH_WITHIN(o, birds, 5) x += 0.05f * OF(velocity, o).x, y += 0.05f * OF(velocity, o).y;
 *         OUT(velocity).x = x, OUT(velocity).y = y;
 *         MOVE_BY(x, y);
 *     }
 *     MASS_SCHEDULE(STEPS(fly, .reach = 1), MANAGES(birds))
 *
 * The space is a lattice of cells. `.size` is in cells, and `.cell` is the edge of one (1 if it is left out): the sky
 * above has 500 by 500 units of length. Each agent stands on the cell that its position lies in, so that cells are its
 * places: SEES, COUNT_AT and NEARBY, pictures and partitions work as on any lattice. A cell may have any number of
 * agents; the population has no .capacity. Cells as long as the distance of EACH_WITHIN are a good choice.
 *
 * MASS_POSITIONS(population, dimensions, float or double) gives the agents an attribute `position`: a struct
 * mass_point_float_2, or of other numbers and dimensions, with members x, y and z. Callbacks may read it, and write it
 * by moves alone. Files have it as columns x, y and z. A coordinate is from 0 to before the length of the axis. At the
 * start, an agent gets a random point of its place, if no file and no `load` gives its position. A space of floats is
 * refused if the distance of neighbouring floats at its end is more than 1/256 of a cell.
 *
 * In bodies over agents, or refused agents, with READS(position):
 *     MOVE_BY(dx[, dy[, dz]])  MOVE_TO(x[, y[, z]])   request a move, which the next manage carries out. The last one
 *                             counts. Coordinates wrap along an axis that wraps. Over a bounded edge the population's
 *                             .at_edge decides: MASS_REFUSES (the default): the agent stays, and WAS_REFUSED is 1;
 *                             MASS_STOPS: it stops at the edge; MASS_REFLECTS: the edge reflects it. A request with an
 *                             infinity, or with what is no number, changes nothing, and the run reports it
 *     SPAWN(n)                a child is born where its parent was in this phase, or
 *     CHILD_AT(k, x[, y[, z]])   at a point, which wraps, stops or is reflected as a move
 *
 * ... and with WITHIN(birds), for each population whose agents it looks for. The callback lists them (kernel_agents.h).
 * `.reach` of the phase is in cells: at least the distance by the edge of a cell, rounded up. That is CELLS(sky,
 * distance):
 *     EACH_WITHIN(o, birds, distance) { ... }   loops over the agents at most that far away, the agent itself left out:
 *                             by cell, along z, y and x, and in a cell by id. So sums have the same bits everywhere
 *     EACH_NEAREST(o, birds, n, distance) { ... }   loops over the n nearest of them, the nearest first. Those as near
 *                             come in the order of EACH_WITHIN
 *     AWAY_X(o)  AWAY_Y(o)  AWAY_Z(o)   in these loops, the way to `o`, the shorter one on an axis that wraps
 *     AWAY_2(o)               the square of its length
 *     IS_AHEAD(o, cosine, hx[, hy[, hz]])   1 if the way to `o` makes an angle with the direction (hx, hy, hz) whose
 *                             cosine is at least that, else 0: agents in a cone
 *     OF(f, o)  ID_OF(o)      as of an agent nearby: an attribute of NEARBY, and its id
 *
 * To the last bit: a cell is floor(coordinate / edge), of doubles, at most the last one. Ways are in the type of the
 * positions, or in doubles if one of both populations has doubles. At exactly half the length of an axis that wraps the
 * way is the negative one. An agent is within a distance r if its cell is at most r / edge away, rounded up, and if the
 * square of the way is at most r * r in that type. A sum of coordinates that rounds to the end of an axis that wraps
 * is 0; MASS_STOPS gives the largest number below the end. */
#include <mass/kernel.h> /* which includes this file where it belongs */

#ifndef MASS_POSITIONS_H
#define MASS_POSITIONS_H

/* Functions by the type of a point. */
#ifdef __cplusplus
#define MASS_EACH_POINT_(M)                                                                             \
    M(float, 1) M(float, 2) M(float, 3) M(double, 1) M(double, 2) M(double, 3)
#define MASS_POINT_OVERLOADS_(T, DIMENSIONS)                                                            \
    MASS_FN mass_point_double_3 mass_three(mass_point_##T##_##DIMENSIONS p) { return mass_three_##T##_##DIMENSIONS(p); }
MASS_EACH_POINT_(MASS_POINT_OVERLOADS_)
#define MASS_WITHIN_OVERLOAD_(T, P, DIMENSIONS)                                                         \
    MASS_FN int mass_is_within(mass_within_##T *w, const mass_point_##P##_##DIMENSIONS *p)              \
    {                                                                                                   \
        return mass_is_within_##T##_##P##_##DIMENSIONS(w, p);                                           \
    }
#define MASS_WITHIN_OVERLOADS_(T, P) \
    MASS_WITHIN_OVERLOAD_(T, P, 1) MASS_WITHIN_OVERLOAD_(T, P, 2) MASS_WITHIN_OVERLOAD_(T, P, 3)
MASS_WITHIN_OVERLOADS_(float, float)
MASS_WITHIN_OVERLOADS_(double, float)
MASS_WITHIN_OVERLOADS_(double, double)
/* Is true if a point is within the distance, by a way that goes round known edges. */
#define MASS_BESIDE_OVERLOADS_(T, P)                                                                    \
    MASS_FN bool mass_is_beside(const mass_within_##T *w, const mass_point_##P##_1 *p, const T shift[3]) \
    {                                                                                                   \
        const T x = ((T)p->x - w->from[0]) + shift[0];                                                  \
        return x * x <= w->most;                                                                        \
    }                                                                                                   \
    MASS_FN bool mass_is_beside(const mass_within_##T *w, const mass_point_##P##_2 *p, const T shift[3]) \
    {                                                                                                   \
        const T x = ((T)p->x - w->from[0]) + shift[0], y = ((T)p->y - w->from[1]) + shift[1];           \
        return x * x + y * y <= w->most;                                                                \
    }                                                                                                   \
    MASS_FN bool mass_is_beside(const mass_within_##T *w, const mass_point_##P##_3 *p, const T shift[3]) \
    {                                                                                                   \
        const T x = ((T)p->x - w->from[0]) + shift[0], y = ((T)p->y - w->from[1]) + shift[1];           \
        const T z = ((T)p->z - w->from[2]) + shift[2];                                                  \
        return x * x + y * y + z * z <= w->most;                                                        \
    }
MASS_BESIDE_OVERLOADS_(float, float)
MASS_BESIDE_OVERLOADS_(double, float)
MASS_BESIDE_OVERLOADS_(double, double)
MASS_FN mass_within_float mass_within_begin(float, const mass_launch *l, mass_point_double_3 from, double distance)
{
    return mass_within_begin_float(l, from, distance);
}
MASS_FN mass_within_double mass_within_begin(double, const mass_launch *l, mass_point_double_3 from, double distance)
{
    return mass_within_begin_double(l, from, distance);
}
#define MASS_THREE_OF_(p) mass_three(p)
#define MASS_WITHIN_TYPE_(f) auto
#define MASS_WITHIN_BEGIN_(f, distance)                                                                  \
    mass_within_begin(MASS_POINTS_IN_(f)->x + (IN(position)).x, mass_w->site.launch, MASS_THREE_OF_(IN(position)), \
                      (double)(distance))
#define MASS_IS_WITHIN_POINT_(w, p) mass_is_within((w), (p))
#else
#define MASS_BY_POINT_(function, p)                                                                          \
    _Generic((p), mass_point_float_1: function##_float_1, mass_point_float_2: function##_float_2,            \
             mass_point_float_3: function##_float_3, mass_point_double_1: function##_double_1,               \
             mass_point_double_2: function##_double_2, mass_point_double_3: function##_double_3)
#define MASS_THREE_OF_(p) MASS_BY_POINT_(mass_three, p)(p)
#define MASS_WITHIN_TYPE_(f) __typeof__(MASS_WITHIN_BEGIN_(f, 0))
#define MASS_WITHIN_BEGIN_(f, distance)                                                                      \
    _Generic(MASS_POINTS_IN_(f)->x + (IN(position)).x, float: mass_within_begin_float,                       \
             default: mass_within_begin_double)(mass_w->site.launch, MASS_THREE_OF_(IN(position)), (double)(distance))
#define MASS_IS_WITHIN_POINT_(w, p)                                                                          \
    _Generic((w), mass_within_float *: _Generic(*(p), mass_point_float_1: mass_is_within_float_float_1,      \
                                                mass_point_float_2: mass_is_within_float_float_2,            \
                                                default: mass_is_within_float_float_3),                      \
             mass_within_double *: _Generic(*(p), mass_point_float_1: mass_is_within_double_float_1,         \
                                            mass_point_float_2: mass_is_within_double_float_2,               \
                                            mass_point_float_3: mass_is_within_double_float_3,               \
                                            mass_point_double_1: mass_is_within_double_double_1,             \
                                            mass_point_double_2: mass_is_within_double_double_2,             \
                                            default: mass_is_within_double_double_3))((w), (p))
#endif

/* The positions of a population that WITHIN names. */
#define MASS_POINTS_IN_(f) MASS_HELD_BY_(POINTER, &mass_w->others_, f)

/* Loops. On CPUs they are around that of EACH_NEARBY, so that `break` and `continue` work. */
#define EACH_WITHIN(o, population, distance)                                                                      \
    MASS_EACH_WITHIN_(MASS_POPULATION_IN_(population), position_in_##population,                                  \
                      "EACH_WITHIN(" #o ", " #population ", " #distance ")", o, distance)
#ifdef __cplusplus
template <uint32_t K, class Walk> MASS_FN typename mass_handle_of_<Walk, K>::type mass_handle_like(const Walk &);
#define MASS_NEAREST_HANDLE_(k, call) __typeof__(mass_handle_like<(uint32_t)(k)>(MASS_WALK_(k, call, 0)))
/* Returns the offset of the cell of a coordinate, as of a walk. */
MASS_FN int32_t mass_offset_of(const mass_site *s, int axis, mass_gidx from, double to)
{
    const mass_launch *const l = s->launch;
    const mass_gidx by = mass_cell_along(to, l->cell, l->size[axis]) - from;
    if (!(l->torus >> axis & 1)) return (int32_t)by;
    return (int32_t)(2 * by >= l->size[axis] ? by - l->size[axis] : 2 * by < -l->size[axis] ? by + l->size[axis] : by);
}
/* What a search on a GPU has found, apart from mass_search, whose members are then in registers. */
struct mass_found {
    int once;
#ifdef __CUDACC__
    uint32_t agent[64];
    mass_walk walk; /* of a search that is not direct; and what it points to */
    mass_site site;
    mass_walked walked;
#endif
};
MASS_FN mass_found mass_found_nobody()
{
    mass_found found;
    found.once = 1;
    return found;
}
#ifdef __CUDACC__
#define MASS_SEARCH_FN_ MASS_FN_MEMBER
#else
#define MASS_SEARCH_FN_ inline
#endif
/* Finds the agents of a walk that are within a distance, one after the other. */
template <class Within, class Walk, class Point> struct mass_search : Within {
    Walk walk;
    const Point *at;
    template <class Begin>
    MASS_SEARCH_FN_ void begin(const mass_site *, const mass_agents *, uint32_t, Begin walk_begin, mass_found *)
    {
        walk = walk_begin(this->cells);
    }
    template <class Handle> MASS_SEARCH_FN_ bool next(Handle *o, mass_found *)
    {
        while (mass_walk_next(&walk, o))
            if (mass_is_within(this, at + o->agent)) return true;
        return false;
    }
};
#ifdef __CUDACC__
/* Goes on with a search by a walk, until there are no more agents or their memory is full. Returns how many it found,
 * with a bit more when it is over. */
enum : uint32_t { MASS_SEARCH_IS_OVER = 0x80000000u };
template <class Within, class Point>
static __device__ __noinline__ uint32_t mass_search_by_walk(Within w, const Point *at, mass_found *found)
{
    constexpr uint32_t MOST = sizeof found->agent / sizeof *found->agent;
    mass_walk *const walk = &found->walk;
    uint32_t count = 0;
    do
        for (; walk->next != walk->end; walk->next++) {
            if (count == MOST) return count;
            const uint32_t i = walk->base + walk->next;
            if (mass_is_within(&w, at + i)) found->agent[count++] = i;
        }
    while (mass_walk_on(walk));
    return count | MASS_SEARCH_IS_OVER;
}
/* The same of agents as they were before the phase. It first finds many, and then hands them out: if the threads of a
 * warp did both by turns, each would wait for the bodies of all others.
 *
 * Where the process holds the space, and twice the distance is less than an axis, the agents of a row of cells are one
 * range, or two if the row wraps. The ways to all agents of a range go round the same edges: `shift` is what that adds
 * to a difference of coordinates. Such a search is direct: it needs no walk, and does not ask for the shorter way. */
template <class Within, class Point> struct mass_search<Within, mass_walk, Point> : Within {
    typedef decltype(Within::most) number;
    const mass_site *site;
    const Point *at;
    const uint32_t *start; /* the first agent of each cell */
    uint32_t self, count, taken; /* count: of the agents that were found */
    bool is_over, is_direct;
    int32_t by_y, by_z, most_y, most_z;     /* the row's offset, and the last one */
    int32_t first, last, first_on, last_on; /* the ranges of a row: their cells along x. The second may be empty */
    uint32_t row, range;                    /* the row's first cell; the next range of the row */
    uint32_t from_agent, to_agent;          /* the agents of the range that are left */
    number shift[3], shift_x, shift_x_on;
    template <class Begin>
    MASS_FN_MEMBER void begin(const mass_site *s, const mass_agents *g, uint32_t own, Begin walk_begin,
                              mass_found *found)
    {
        site = s;
        self = own;
        start = g->start;
        count = taken = 0;
        is_over = false;
        is_direct = find_ranges(g);
        if (is_direct) return;
        mass_walk walk = walk_begin(this->cells);
        found->site = *s;
        walk.site = &found->site;
        walk.walked = &found->walked;
        found->walk = walk;
    }
    /* Finds the ranges of a row. Returns false if the search is not direct. */
    MASS_FN_MEMBER bool find_ranges(const mass_agents *g)
    {
        const mass_launch *const l = site->launch;
        const mass_gidx cells = this->cells;
        if (MASS_HOLDS_A_PART_(l) || g->occupancy || cells < 0 || cells > l->reach) return false;
        for (int a = 0; a < 3; a++)
            if (l->size[a] > 1 && l->size[a] < 2 * cells + 2) return false;
        const int32_t size = (int32_t)l->size[0], c = size > 1 ? (int32_t)cells : 0, x = (int32_t)site->x;
        const bool wraps = l->torus & 1, low = x < c, high = x + c >= size;
        first = low ? wraps ? x - c + size : 0 : x - c;
        last = low && !wraps ? x + c : low || high ? size - 1 : x + c;
        first_on = 0;
        last_on = wraps && low ? x + c : wraps && high ? x + c - size : -1;
        shift_x = wraps && low ? -this->length[0] : 0;
        shift_x_on = wraps && high ? this->length[0] : 0;
        most_y = l->size[1] > 1 ? (int32_t)cells : 0;
        most_z = l->size[2] > 1 ? (int32_t)cells : 0;
        by_y = -most_y - 1; /* before the first row */
        by_z = -most_z;
        range = 2;
        from_agent = to_agent = 0;
        return true;
    }
    /* Returns the coordinate of a row along axis 1 or 2, `by` from that of the agent; -1 over an edge. */
    MASS_FN_MEMBER int32_t cross(int axis, mass_gidx from, int32_t by)
    {
        const mass_launch *const l = site->launch;
        const int32_t size = (int32_t)l->size[axis], to = (int32_t)from + by;
        shift[axis] = to < 0 ? -this->length[axis] : to >= size ? this->length[axis] : 0;
        if ((uint32_t)to < (uint32_t)size) return to;
        return l->torus >> axis & 1 ? to < 0 ? to + size : to - size : -1;
    }
    /* Goes to the next row. Returns false after the last one. */
    MASS_FN_MEMBER bool next_row()
    {
        const mass_launch *const l = site->launch;
        for (;;) {
            if (++by_y > most_y) {
                by_y = -most_y;
                if (++by_z > most_z) return false;
            }
            const int32_t y = cross(1, site->y, by_y), z = cross(2, site->z, by_z);
            row = (uint32_t)site->world * (uint32_t)l->populations[0].places +
                  ((uint32_t)z * (uint32_t)l->size[1] + (uint32_t)y) * (uint32_t)l->size[0];
            range = 0;
            if (y >= 0 && z >= 0) return true;
        }
    }
    /* Goes to the next range. Returns false after the last one. */
    MASS_FN_MEMBER bool next_range()
    {
        const bool on = range == 1 && last_on >= 0;
        if (!on && !next_row()) return false;
        shift[0] = on ? shift_x_on : shift_x;
        from_agent = start[row + (uint32_t)(on ? first_on : first)];
        to_agent = start[row + (uint32_t)(on ? last_on : last) + 1];
        range = on ? 2 : 1;
        return true;
    }
    /* Finds agents, until there are no more or their memory is full. The threads that do this go through their ranges
     * side by side: those with shorter ones wait, and nobody else does. */
    MASS_FN_MEMBER void find(mass_found *found)
    {
        constexpr uint32_t MOST = sizeof found->agent / sizeof *found->agent, GROUP = 4;
        const unsigned threads = __activemask();
        bool more = from_agent != to_agent || next_range();
        is_over = !more;
        while (__any_sync(threads, more)) {
            const uint32_t left = to_agent - from_agent, room = MOST - count;
            const uint32_t n = !more ? 0 : left < room ? left : room, longest = __reduce_max_sync(threads, n);
            const Point *p = at + from_agent;
            for (uint32_t k = 0; k < longest; k += GROUP, p += GROUP) {
                Point some[GROUP] = {};
                for (uint32_t j = 0; j < GROUP; j++)
                    if (k + j < n) some[j] = p[j];
                for (uint32_t j = 0; j < GROUP; j++)
                    if ((k + j < n) & mass_is_beside(this, some + j, shift)) found->agent[count++] = from_agent + k + j;
            }
            from_agent += n;
            if (more && from_agent == to_agent) is_over = !next_range();
            more = more && !is_over && count < MOST;
        }
    }
    template <class Handle> MASS_FN_MEMBER bool next(Handle *o, mass_found *found)
    {
        do {
            if (taken == count) {
                if (is_over) return false;
                taken = count = 0;
                if (is_direct) find(found);
                else {
                    const uint32_t all = mass_search_by_walk<Within, Point>(*this, at, found);
                    count = all & ~MASS_SEARCH_IS_OVER;
                    is_over = all != count;
                }
                if (count == 0) return false;
            }
            o->agent = found->agent[taken++];
        } while (o->agent == self);
        const Point p = at[o->agent];
        mass_is_within(this, &p);
        const mass_point_double_3 there = mass_three(p);
        o->dx = mass_offset_of(site, 0, site->x, there.x);
        o->dy = mass_offset_of(site, 1, site->y, there.y);
        o->dz = mass_offset_of(site, 2, site->z, there.z);
        return true;
    }
};
#endif
template <class Within, class Begin, class Point>
MASS_FN auto mass_search_begin(const Within &within, Begin walk_begin, const Point *at, const mass_site *site,
                               uint32_t k, uint32_t self, mass_found *found)
{
    mass_search<Within, decltype(walk_begin(within.cells)), Point> s;
    (Within &)s = within;
    s.at = at;
    s.begin(site, &site->launch->populations[k], self, walk_begin, found);
    return s;
}
#define MASS_EACH_WITHIN_(k, f, call, o, distance)                                                                 \
    for (mass_found mass_found_##o = mass_found_nobody(); mass_found_##o.once; mass_found_##o.once = 0)            \
        for (auto mass_within_##o = mass_search_begin(                                                             \
                 MASS_WITHIN_BEGIN_(f, distance), [&](int64_t cells) { return MASS_WALK_(k, call, cells); },       \
                 MASS_POINTS_IN_(f), &mass_w->site, (uint32_t)(k), (k) ? MASS_NOBODY : mass_w->self_,              \
                 &mass_found_##o);                                                                                 \
             mass_within_##o.once; mass_within_##o.once = 0)                                                       \
            for (MASS_NEAREST_HANDLE_(k, call) o; mass_within_##o.next(&o, &mass_found_##o);)
#else
#define MASS_EACH_WITHIN_(k, f, call, o, distance)                                                                \
    for (MASS_WITHIN_TYPE_(f) mass_within_##o = MASS_WITHIN_BEGIN_(f, distance); mass_within_##o.once;            \
         mass_within_##o.once = 0)                                                                                \
        MASS_EACH_NEARBY_(k, call, o, mass_within_##o.cells)                                                      \
            if (MASS_IS_WITHIN_POINT_(&mass_within_##o, MASS_POINTS_IN_(f) + o.agent))
#endif

/* Finds the next nearest agent after the last one that was found: by the square of the way, then by the order of the
 * walk. */
#ifdef __cplusplus
template <class Handle, class Walk, class Within, class Point>
MASS_FN bool mass_find_nearest(Walk walk, Within *w, const Point *at, Handle *o)
{
    Within best = *w;
    bool found = false;
    Handle other;
    for (uint32_t rank = 1; mass_walk_next(&walk, &other); rank++) {
        if (!mass_is_within(w, at + other.agent)) continue;
        const auto square = w->way.square;
        const bool later = square > w->square || (square == w->square && rank > w->rank);
        if (!later || (found && square >= best.square)) continue;
        found = true;
        best.square = square, best.rank = rank, best.way = w->way;
        *o = other;
    }
    w->square = best.square, w->rank = best.rank, w->way = best.way;
    return found;
}
#define MASS_FIND_NEAREST_(k, f, call, o) \
    mass_find_nearest<__typeof__(o)>(MASS_WALK_(k, call, mass_within_##o.cells), &mass_within_##o, \
                                     MASS_POINTS_IN_(f), &o)
#define MASS_UNFOUND_
#else
#define MASS_FIND_NEAREST_(k, f, call, o)                                                                          \
    __extension__({                                                                                                \
        MASS_WALK_TYPE_ mass_walk_##o = MASS_WALK_(k, call, mass_within_##o.cells);                                \
        __typeof__(mass_within_##o) mass_best_##o = mass_within_##o;                                               \
        __typeof__(o) mass_other_##o;                                                                              \
        int mass_found_##o = 0;                                                                                    \
        for (uint32_t mass_rank_##o = 1; MASS_NEXT_(&mass_walk_##o, &mass_other_##o); mass_rank_##o++) {           \
            if (!MASS_IS_WITHIN_POINT_(&mass_within_##o, MASS_POINTS_IN_(f) + mass_other_##o.agent)) continue;     \
            if (!(mass_within_##o.way.square > mass_within_##o.square ||                                           \
                  (mass_within_##o.way.square == mass_within_##o.square && mass_rank_##o > mass_within_##o.rank)))  \
                continue;                                                                                          \
            if (mass_found_##o && mass_within_##o.way.square >= mass_best_##o.square) continue;                    \
            mass_found_##o = 1;                                                                                    \
            mass_best_##o.square = mass_within_##o.way.square;                                                     \
            mass_best_##o.rank = mass_rank_##o;                                                                    \
            mass_best_##o.way = mass_within_##o.way;                                                               \
            o = mass_other_##o;                                                                                    \
        }                                                                                                          \
        mass_within_##o.square = mass_best_##o.square;                                                             \
        mass_within_##o.rank = mass_best_##o.rank;                                                                 \
        mass_within_##o.way = mass_best_##o.way;                                                                   \
        mass_found_##o;                                                                                            \
    })
#define MASS_NEAREST_HANDLE_(k, call) MASS_HANDLE_(k, )
#define MASS_UNFOUND_ = MASS_CHOSEN_NOBODY_
#endif
#define EACH_NEAREST(o, population, n, distance)                                                                   \
    MASS_EACH_NEAREST_(MASS_POPULATION_IN_(population), position_in_##population,                                  \
                       "EACH_NEAREST(" #o ", " #population ", " #n ", " #distance ")", o, n, distance)
#define MASS_EACH_NEAREST_(k, f, call, o, n, distance)                                                             \
    for (MASS_WITHIN_TYPE_(f) mass_within_##o = MASS_WITHIN_BEGIN_(f, distance); mass_within_##o.once;             \
         mass_within_##o.once = 0)                                                                                 \
        for (MASS_NEAREST_HANDLE_(k, call) o MASS_UNFOUND_;                                                        \
             (int64_t)mass_within_##o.nth < (int64_t)(n) && MASS_FIND_NEAREST_(k, f, call, o);                     \
             mass_within_##o.nth++)

#define AWAY_X(o) (+mass_within_##o.way.x)
#define AWAY_Y(o) (+mass_within_##o.way.y)
#define AWAY_Z(o) (+mass_within_##o.way.z)
#define AWAY_2(o) (+mass_within_##o.way.square)
#define IS_AHEAD(o, cosine, ...)                                                                                   \
    mass_is_ahead(mass_within_##o.way.x, mass_within_##o.way.y, mass_within_##o.way.z, mass_within_##o.way.square, \
                  (cosine), MASS_THREE_("IS_AHEAD(" #o ", " #cosine ", " #__VA_ARGS__ ")", __VA_ARGS__))
MASS_FN int mass_is_ahead(double x, double y, double z, double square, double cosine, double hx, double hy, double hz)
{
    const double along = x * hx + y * hy + z * hz, lengths = mass_sqrt_f64(square * (hx * hx + hy * hy + hz * hz));
    return along >= cosine * lengths;
}

/* Requests of moves and of children's points. They return the request: a cell, or MASS_CELL_NOWHERE over a bounded
 * edge; `before` if a coordinate is no finite number. */
#define MASS_POINT_REQUESTS_(T, DIMENSIONS)                                                                        \
    MASS_FN uint32_t mass_move_point_##T##_##DIMENSIONS(const mass_site *s, uint32_t agent, uint32_t before,       \
                                                        mass_point_##T##_##DIMENSIONS own, int by, double x,       \
                                                        double y, double z)                                        \
    {                                                                                                              \
        const mass_positions *const all = &s->launch->positions[0];                                                \
        mass_point_##T##_##DIMENSIONS to = mass_moved_##T##_##DIMENSIONS(own, x, y, z, by);                        \
        mass_gidx cell[3];                                                                                         \
        const int what = mass_bring_##T##_##DIMENSIONS(s->launch, all->at_edge, &to, cell);                        \
        if (what & 2) mass_report_no_number(s->launch);                                                            \
        if (what) return what & 2 ? before : MASS_CELL_NOWHERE;                                                    \
        ((mass_point_##T##_##DIMENSIONS *)all->to)[agent] = to;                                                    \
        return mass_move_to(s, agent, cell[0], cell[1], cell[2]);                                                  \
    }                                                                                                              \
    MASS_FN void mass_child_point_##T##_##DIMENSIONS(const mass_site *s, const mass_reach *r, uint32_t agent,      \
                                                     mass_point_##T##_##DIMENSIONS own, int64_t k, double x,       \
                                                     double y, double z)                                           \
    {                                                                                                              \
        const mass_positions *const all = &s->launch->positions[0];                                                \
        const mass_agents *const g = &s->launch->populations[0];                                                   \
        mass_point_##T##_##DIMENSIONS to = mass_moved_##T##_##DIMENSIONS(own, x, y, z, 0);                         \
        mass_gidx cell[3];                                                                                         \
        if ((uint64_t)k >= g->children) {                                                                          \
            mass_report_out_of_reach(s, r->checked, MASS_OUT_OF_REACH_CHILD, k, 0, 0);                             \
            return;                                                                                                \
        }                                                                                                          \
        const size_t at = (size_t)k * g->room + agent;                                                             \
        const int what = mass_bring_##T##_##DIMENSIONS(s->launch, all->at_edge, &to, cell);                        \
        if (what & 2) mass_report_no_number(s->launch);                                                            \
        else if (what) mass_effects_ignored(s->launch, MASS_IGNORED_EDGE);                                         \
        if (what) {                                                                                                \
            if (!(what & 2)) g->child_cell[at] = MASS_CELL_NOWHERE;                                                \
            return;                                                                                                \
        }                                                                                                          \
        ((mass_point_##T##_##DIMENSIONS *)all->child)[at] = to;                                                    \
        g->child_cell[at] = mass_cell(s, 0, 0, 0, cell[0], cell[1], cell[2], g->remote_child, at);                 \
    }
MASS_POINT_REQUESTS_(float, 1)
MASS_POINT_REQUESTS_(float, 2)
MASS_POINT_REQUESTS_(float, 3)
MASS_POINT_REQUESTS_(double, 1)
MASS_POINT_REQUESTS_(double, 2)
MASS_POINT_REQUESTS_(double, 3)
#ifdef __cplusplus
#define MASS_REQUEST_OVERLOADS_(T, DIMENSIONS)                                                                     \
    MASS_FN uint32_t mass_move_point(const mass_site *s, uint32_t agent, uint32_t before,                          \
                                     mass_point_##T##_##DIMENSIONS own, int by, double x, double y, double z)      \
    {                                                                                                              \
        return mass_move_point_##T##_##DIMENSIONS(s, agent, before, own, by, x, y, z);                             \
    }                                                                                                              \
    MASS_FN void mass_child_point(const mass_site *s, const mass_reach *r, uint32_t agent,                         \
                                  mass_point_##T##_##DIMENSIONS own, int64_t k, double x, double y, double z)      \
    {                                                                                                              \
        mass_child_point_##T##_##DIMENSIONS(s, r, agent, own, k, x, y, z);                                         \
    }
MASS_EACH_POINT_(MASS_REQUEST_OVERLOADS_)
#define MASS_MOVE_POINT_ mass_move_point
#define MASS_CHILD_POINT_ mass_child_point
#else
#define MASS_MOVE_POINT_ MASS_BY_POINT_(mass_move_point, IN(position))
#define MASS_CHILD_POINT_ MASS_BY_POINT_(mass_child_point, IN(position))
#endif
#define MASS_MOVE_(by, ...)                                                                                      \
    ((void)(mass_w->move = MASS_MOVE_POINT_(&mass_w->site, mass_w->agent, mass_w->move, IN(position), by, __VA_ARGS__)))
#define MOVE_BY(...) MASS_MOVE_(1, MASS_THREE_("MOVE_BY(" #__VA_ARGS__ ")", __VA_ARGS__))
#define MOVE_TO(...) MASS_MOVE_(0, MASS_THREE_("MOVE_TO(" #__VA_ARGS__ ")", __VA_ARGS__))
#define CHILD_AT(k, ...)                                                                \
    MASS_CHILD_POINT_(&mass_w->site, &mass_w->reach_, mass_w->agent, IN(position), (k), \
                      MASS_THREE_("CHILD_AT(" #k ", " #__VA_ARGS__ ")", __VA_ARGS__))

#endif
