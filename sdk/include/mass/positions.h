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
 *     MOVE_BY(dx[, dy[, dz]])  MOVE_TO(x[, y[, z]])   request a move, which the next manage applies. The last one
 *                             counts. Coordinates wrap along an axis that wraps. Over a bounded edge the population's
 *                             .at_edge decides: MASS_REFUSES (the default): the agent stays, and WAS_REFUSED is 1;
 *                             MASS_STOPS: it stops at the edge; MASS_REFLECTS: the edge reflects it. A request with an
 *                             infinity, or with what is no number, changes nothing, and the run reports it
 *                             MIGRATE and CHILD_TO ask for a place instead. The run ignores them and reports it
 *     SPAWN(n)                a child is born where its parent was in this phase, or
 *     CHILD_AT(k, x[, y[, z]])   at a point, which wraps, stops or is reflected as a move
 * Places bring forth agents by SPROUT (kernel_agents.h). Each begins at a random point of its place
 *
 * In bodies in turn (turn.h), with READS(position):
 *     MOVE_BY(dx[, dy[, dz]])  MOVE_TO(x[, y[, z]])   move the agent at once. Are 1 if it is there now, and 0 over a
 *                             bounded edge that refuses, or to what is no number. IN(position) is where it is now
 *     BEAR_AT(x[, y[, z]])    bears a child at a point, which wraps, stops or is reflected as a move; is the child, or
 *                             nobody
 * Both reach cells as far from the frame as MOVE and BEAR reach places. MOVE and BEAR are ignored and reported
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
 * In turn, these loops find agents where they are now, around the point where the agent itself is now. Places come by
 * offset from the frame, as in EACH_NEARBY. An agent that has left the cell of its frame looks through as many more
 * cells as it has moved away: the radius, or .meets, is to be that much larger.
 *
 * To the last bit: a cell is floor(coordinate / edge), of doubles, at most the last one. Ways are in the type of the
 * positions, or in doubles if one of both populations has doubles. At exactly half the length of an axis that wraps the
 * way is the negative one. An agent is within a distance r if its cell is at most r / edge away, rounded up, and if the
 * square of the way is at most r * r in that type. A sum of coordinates that rounds to the end of an axis that wraps
 * is 0; MASS_STOPS gives the largest number below the end. In turn, cells are counted from the frame, and their number
 * is larger by as many as the agent has moved away from it. */
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
/* Begin a search for agents within a distance of a point. The first argument only chooses the type of the ways. */
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
#define MASS_BY_WITHIN_(function, w, p)                                                                      \
    _Generic((w), mass_within_float *: _Generic(*(p), mass_point_float_1: function##_float_float_1,          \
                                                mass_point_float_2: function##_float_float_2,                \
                                                default: function##_float_float_3),                          \
             mass_within_double *: _Generic(*(p), mass_point_float_1: function##_double_float_1,             \
                                            mass_point_float_2: function##_double_float_2,                   \
                                            mass_point_float_3: function##_double_float_3,                   \
                                            mass_point_double_1: function##_double_double_1,                 \
                                            mass_point_double_2: function##_double_double_2,                 \
                                            default: function##_double_double_3))
#define MASS_IS_WITHIN_POINT_(w, p) MASS_BY_WITHIN_(mass_is_within, w, p)((w), (p))

/* Is true if all ways to the agents of a range of a walk go over the same edges, and if differences of coordinates tell
 * which: each axis that wraps is more than twice as long as they are far away, by a cell that roundings cannot make up
 * for. */
MASS_FN int mass_is_direct(const mass_launch *l, const mass_walk *walk, int64_t cells)
{
    int direct = walk->pieces < 3;
    for (int a = 0; a < 3; a++) direct &= !(l->torus >> a & 1) || l->size[a] >= 2 * cells + 3;
    return direct;
}
/* Returns how an offset goes over an edge: -1 before the first cell, 1 after the last one. */
MASS_FN int mass_is_over(mass_gidx at, mass_gidx size) { return at < 0 ? -1 : at >= size; }
/* Finds what the edges that ways go over subtract from differences of coordinates, in the present range of a walk. */
#define MASS_SHIFT_(T)                                                                                       \
    MASS_FN void mass_find_shift_##T(mass_within_##T *w, const mass_walk *walk)                              \
    {                                                                                                        \
        const mass_site *const s = walk->site;                                                               \
        const mass_launch *const l = s->launch;                                                              \
        if (w->direct == 2) w->direct = mass_is_direct(l, walk, w->cells);                                   \
        if (MASS_LIKELY_(walk->whole) || !w->direct) return;                                                 \
        const int low = s->x + walk->low[0] < 0, cut = walk->pieces == 2;                                    \
        const int over_x = !cut ? 0 : low ? -(walk->piece == 0) : walk->piece == 1;                          \
        const int over_y = mass_is_over(s->y + walk->dy, l->size[1]);                                        \
        const int over_z = mass_is_over(s->z + walk->dz, l->size[2]);                                        \
        w->shift[0] = over_x ? over_x < 0 ? w->length[0] : -w->length[0] : 0;                                \
        w->shift[1] = over_y ? over_y < 0 ? w->length[1] : -w->length[1] : 0;                                \
        w->shift[2] = over_z ? over_z < 0 ? w->length[2] : -w->length[2] : 0;                                \
    }
MASS_SHIFT_(float)
MASS_SHIFT_(double)

/* mass_seek_... get the next agent of a walk that is within the distance, and the way to it. They return 0 after the
 * last one. They first look at up to 32 agents of a range, without a branch for each. Then they give those within. */
#define MASS_SEEK_(T, P, DIMENSIONS, SQUARE, ...)                                                            \
    /* Finds the way to a point, if it goes over the edges of its range. */                                  \
    MASS_FN int mass_is_across_##T##_##P##_##DIMENSIONS(mass_within_##T *w,                                  \
                                                        const mass_point_##P##_##DIMENSIONS *p)              \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
        w->way.square = SQUARE;                                                                              \
        return w->way.square <= w->most;                                                                     \
    }                                                                                                        \
    MASS_FN uint32_t mass_hits_##T##_##P##_##DIMENSIONS(const mass_within_##T *of,                           \
                                                        const mass_point_##P##_##DIMENSIONS *p, uint32_t n)  \
    {                                                                                                        \
        mass_within_##T w = *of;                                                                             \
        uint32_t hits = 0;                                                                                   \
        if (MASS_LIKELY_(w.direct))                                                                          \
            for (uint32_t j = 0; j < n; j++)                                                                 \
                hits |= (uint32_t)mass_is_across_##T##_##P##_##DIMENSIONS(&w, p + j) << j;                   \
        else                                                                                                 \
            for (uint32_t j = 0; j < n; j++)                                                                 \
                hits |= (uint32_t)mass_is_within_##T##_##P##_##DIMENSIONS(&w, p + j) << j;                   \
        return hits;                                                                                         \
    }                                                                                                        \
    MASS_FN int mass_seek_##T##_##P##_##DIMENSIONS(mass_within_##T *w, mass_walk *walk,                      \
                                                   const mass_point_##P##_##DIMENSIONS *at, mass_other *o)   \
    {                                                                                                        \
        while (w->hits == 0) {                                                                               \
            if (walk->next == walk->end) {                                                                   \
                if (!mass_walk_on(walk)) return 0;                                                           \
                mass_find_shift_##T(w, walk);                                                                \
                continue;                                                                                    \
            }                                                                                                \
            const uint32_t left = walk->end - walk->next, n = left < 32 ? left : 32;                         \
            w->first = walk->next;                                                                           \
            w->hits = mass_hits_##T##_##P##_##DIMENSIONS(w, at + walk->base + walk->next, n);                \
            if (walk->self - walk->base - walk->next < n)                                                    \
                w->hits &= ~(1u << (walk->self - walk->base - walk->next));                                  \
            walk->next += n;                                                                                 \
        }                                                                                                    \
        const uint32_t i = w->first + (uint32_t)__builtin_ctz(w->hits);                                      \
        w->hits &= w->hits - 1;                                                                              \
        o->agent = walk->base + i;                                                                           \
        o->dx = (int32_t)(walk->cell[i] - walk->zero);                                                       \
        o->dy = walk->dy;                                                                                    \
        o->dz = walk->dz;                                                                                    \
        if (MASS_LIKELY_(w->direct)) (void)mass_is_across_##T##_##P##_##DIMENSIONS(w, at + o->agent);        \
        else (void)mass_is_within_##T##_##P##_##DIMENSIONS(w, at + o->agent);                                \
        return 1;                                                                                            \
    }                                                                                                        \
    MASS_FN int mass_turn_seek_##T##_##P##_##DIMENSIONS(mass_within_##T *w, mass_turn_walk *walk,            \
                                                        const mass_point_##P##_##DIMENSIONS *at, mass_peer *o) \
    {                                                                                                        \
        while (mass_turn_walk_next(walk, o))                                                                 \
            if (mass_is_within_##T##_##P##_##DIMENSIONS(w, at + o->agent)) return 1;                         \
        return 0;                                                                                            \
    }
#define MASS_ACROSS_(T, A, I) w->way.A = (T)p->A - w->from[I] - w->shift[I];
#define MASS_SEEKS_OF_(T, P)                                                                                 \
    MASS_SEEK_(T, P, 1, w->way.x * w->way.x, MASS_ACROSS_(T, x, 0))                                          \
    MASS_SEEK_(T, P, 2, w->way.x * w->way.x + w->way.y * w->way.y, MASS_ACROSS_(T, x, 0) MASS_ACROSS_(T, y, 1)) \
    MASS_SEEK_(T, P, 3, w->way.x * w->way.x + w->way.y * w->way.y + w->way.z * w->way.z,                     \
               MASS_ACROSS_(T, x, 0) MASS_ACROSS_(T, y, 1) MASS_ACROSS_(T, z, 2))
MASS_SEEKS_OF_(float, float)
MASS_SEEKS_OF_(double, float)
MASS_SEEKS_OF_(double, double)
#endif

/* The positions of a population that WITHIN names. */
#define MASS_POINTS_IN_(f) MASS_HELD_BY_(POINTER, &mass_w->others_, f)

#include <mass/impl/search.h>
#include <mass/impl/turn_points.h>

/* Returns how many cells from the body's cell a search walks, to find all agents up to `cells` cells from the agent's.
 * In turn the agent may have left the body's cell. */
MASS_FN int64_t mass_cells_from_here(const mass_walked *walked, const mass_site *s, uint32_t self,
                                     mass_point_double_3 at, int64_t cells)
{
    (void)walked, (void)s, (void)self, (void)at;
    return cells;
}
#define MASS_CELLS_(cells)                                                                                       \
    MASS_BY_TURN_(mass_turn_cells_from_frame, mass_cells_from_here)(&mass_w->walked_, &mass_w->site, mass_w->self_, \
                                                                    MASS_THREE_OF_(IN(position)), (cells))

/* Loops. On CPUs they are around that of EACH_NEARBY, so that `break` and `continue` work. */
#define EACH_WITHIN(o, population, distance)                                                                      \
    MASS_EACH_WITHIN_(MASS_POPULATION_IN_(population), position_in_##population,                                  \
                      "EACH_WITHIN(" #o ", " #population ", " #distance ")", o, distance)
#ifdef __cplusplus
template <uint32_t K, class Walk> MASS_FN typename mass_handle_of_<Walk, K>::type mass_handle_like(const Walk &);
#define MASS_NEAREST_HANDLE_(k, call) __typeof__(mass_handle_like<(uint32_t)(k)>(MASS_WALK_(k, call, 0)))
#define MASS_EACH_WITHIN_(k, f, call, o, distance)                                                                 \
    for (mass_found mass_found_##o = mass_found_nobody(); mass_found_##o.once; mass_found_##o.once = 0)            \
        for (auto mass_within_##o = mass_search_begin(                                                             \
                 MASS_WITHIN_BEGIN_(f, distance),                                                                  \
                 [&](int64_t cells) { return MASS_WALK_(k, call, MASS_CELLS_(cells)); },                           \
                 MASS_POINTS_IN_(f), &mass_w->site, (uint32_t)(k), (k) ? MASS_NOBODY : mass_w->self_,              \
                 &mass_found_##o);                                                                                 \
             mass_within_##o.once; mass_within_##o.once = 0)                                                       \
            for (MASS_NEAREST_HANDLE_(k, call) o; mass_within_##o.next(&o, &mass_found_##o);)
#else
#define MASS_EACH_WITHIN_(k, f, call, o, distance)                                                                \
    for (MASS_WITHIN_TYPE_(f) mass_within_##o = MASS_WITHIN_BEGIN_(f, distance); mass_within_##o.once;            \
         mass_within_##o.once = 0)                                                                                \
        for (MASS_WALK_TYPE_ mass_walk_##o = MASS_WALK_(k, call, MASS_CELLS_(mass_within_##o.cells));             \
             mass_walk_##o.once; mass_walk_##o.once = 0)                                                          \
            for (MASS_HANDLE_(k, mass_walk_##o) o;                                                                \
                 MASS_BY_TURN_(MASS_BY_WITHIN_(mass_turn_seek, &mass_within_##o, MASS_POINTS_IN_(f)),             \
                               MASS_BY_WITHIN_(mass_seek, &mass_within_##o, MASS_POINTS_IN_(f)))(                 \
                     &mass_within_##o, &mass_walk_##o, MASS_POINTS_IN_(f), &o);)
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
    mass_find_nearest<__typeof__(o)>(MASS_WALK_(k, call, MASS_CELLS_(mass_within_##o.cells)), &mass_within_##o, \
                                     MASS_POINTS_IN_(f), &o)
#define MASS_UNFOUND_
#else
#define MASS_FIND_NEAREST_(k, f, call, o)                                                                          \
    __extension__({                                                                                                \
        MASS_WALK_TYPE_ mass_walk_##o = MASS_WALK_(k, call, MASS_CELLS_(mass_within_##o.cells));                   \
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
/* Is 1 if the way (x, y, z), of this square, and the heading (hx, hy, hz) are at an angle with at least this cosine.
 * Any way is ahead of a heading that is 0, and the way 0 is ahead. */
MASS_FN int mass_is_ahead(double x, double y, double z, double square, double cosine, double hx, double hy, double hz)
{
    const double along = x * hx + y * hy + z * hz, lengths = mass_sqrt_f64(square * (hx * hx + hy * hy + hz * hz));
    return along >= cosine * lengths;
}

/* Requests of moves and of children's points. They return the request: a cell, or MASS_CELL_NOWHERE over a bounded
 * edge; `before` if a coordinate is no finite number. */
#define MASS_POINT_REQUESTS_(T, DIMENSIONS)                                                                        \
    MASS_FN uint32_t mass_move_point_##T##_##DIMENSIONS(const mass_site *s, const mass_reach *r, uint32_t agent,   \
                                                        uint32_t before, mass_point_##T##_##DIMENSIONS own,        \
                                                        int by, double x, double y, double z)                      \
    {                                                                                                              \
        const mass_positions *const all = &s->launch->positions[0];                                                \
        mass_point_##T##_##DIMENSIONS to = mass_moved_##T##_##DIMENSIONS(own, x, y, z, by);                        \
        mass_gidx cell[3];                                                                                         \
        const int what = mass_bring_##T##_##DIMENSIONS(s->launch, all->at_edge, &to, cell);                        \
        (void)r;                                                                                                   \
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
    MASS_FN uint32_t mass_move_point(const mass_site *s, const mass_reach *r, uint32_t agent, uint32_t before,     \
                                     mass_point_##T##_##DIMENSIONS own, int by, double x, double y, double z)      \
    {                                                                                                              \
        return mass_move_point_##T##_##DIMENSIONS(s, r, agent, before, own, by, x, y, z);                          \
    }                                                                                                              \
    MASS_FN void mass_child_point(const mass_site *s, const mass_reach *r, uint32_t agent,                         \
                                  mass_point_##T##_##DIMENSIONS own, int64_t k, double x, double y, double z)      \
    {                                                                                                              \
        mass_child_point_##T##_##DIMENSIONS(s, r, agent, own, k, x, y, z);                                         \
    }
MASS_EACH_POINT_(MASS_REQUEST_OVERLOADS_)
#define MASS_CHILD_POINT_ mass_child_point
/* Keeps the request. */
template <class Own> MASS_FN void mass_keep_move(uint32_t *move, Own *, const mass_site *, uint32_t, uint32_t request)
{
    *move = request;
}
#define MASS_MOVE_(by, ...)                                                                                          \
    mass_keep_move(&mass_w->move, &mass_w->in_position, &mass_w->site, mass_w->agent,                                \
                   mass_move_point(&mass_w->site, &mass_w->reach_, mass_w->agent, mass_w->move, IN(position), by,    \
                                   __VA_ARGS__))
#else
#define MASS_CHILD_POINT_ MASS_BY_POINT_(mass_child_point, IN(position))
/* Makes MOVE_BY and MOVE_TO without a value: a request has no result before the manage. */
MASS_FN void mass_is_asked(uint32_t move) { (void)move; }
#define MASS_MOVE_(by, ...)                                                                                          \
    (mass_w->move = MASS_BY_TURN_(MASS_BY_POINT_(mass_turn_move_point, IN(position)),                                \
                                  MASS_BY_POINT_(mass_move_point, IN(position)))(                                    \
         &mass_w->site, &mass_w->reach_, mass_w->agent, mass_w->move, IN(position), by, __VA_ARGS__),                \
     MASS_BY_TURN_(mass_turn_is_there, mass_is_asked)(mass_w->move))
#endif
#define MOVE_BY(...) MASS_MOVE_(1, MASS_THREE_("MOVE_BY(" #__VA_ARGS__ ")", __VA_ARGS__))
#define MOVE_TO(...) MASS_MOVE_(0, MASS_THREE_("MOVE_TO(" #__VA_ARGS__ ")", __VA_ARGS__))
#define CHILD_AT(k, ...)                                                                                          \
    ((void)mass_w->asked, MASS_CHILD_POINT_(&mass_w->site, &mass_w->reach_, mass_w->agent, IN(position), (k),     \
                                            MASS_THREE_("CHILD_AT(" #k ", " #__VA_ARGS__ ")", __VA_ARGS__)))

#endif
