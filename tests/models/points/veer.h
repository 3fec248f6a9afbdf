/* SPDX-License-Identifier: Apache-2.0 */
/* Agents with positions in turn: flies have floats, and lures doubles. They look for each other before and after they
 * move, bear, kill and die, each at once. After the last step, a plain program does all of it again (veer_plain.c). The
 * models veer1.c to veer3.c define AXES. */
#include <mass/model.h>

#include "veers.h"

#if AXES == 1
#define ALONG_(x, y, z) x
#elif AXES == 2
#define ALONG_(x, y, z) x, y
#else
#define ALONG_(x, y, z) x, y, z
#endif

MASS_PARAMETER(int64_t, torus, MASS_AXES_ALL, 0, MASS_AXES_ALL, "axes that wrap")
MASS_PARAMETER(int64_t, flies, 60, 0, 100000, "at the start")
MASS_PARAMETER(int64_t, lures, 40, 0, 100000, "at the start")
MASS_PARAMETER(int64_t, edge, 0, 0, 2, "what becomes of moves over an edge")
MASS_PARAMETER(double, cell, 1.0, 0.001, 1000, "edge of a cell")
MASS_PARAMETER(double, sight, 1, 0, 3, "the most that agents see, in cells")
MASS_PARAMETER(int64_t, meets, 2, 1, VEER_RADIUS, "how far they meet, in cells")
MASS_PARAMETER(int64_t, changes, 1, 1, VEER_RADIUS, "how far they change something, at most as far")
MASS_PARAMETER(int64_t, odd, 0, 0, 5, "what a body does wrong")
MASS_PARAMETER(int64_t, when, 0, 0, 1000, "the step in which it is, but for moves too far; 0: never")
MASS_PARAMETER(int64_t, shared, 0, 0, 1, "1: both populations share a turn, which the plain program does not know")
MASS_PARAMETER(int64_t, axes, 0, 0, 1, "1: a phase that looks along the axes alone, which is refused")

MASS_SPACE(dish, AXES, .size = {ALONG_(9, 8, 7)}, .torus = (uint32_t)VALUE(torus), .cell = VALUE(cell))
MASS_ATTRIBUTE(dish, int64_t, marks, .initial = &(const int64_t){3})
MASS_ATTRIBUTE(dish, double, depth, .initial = &(const double){0.5})
MASS_WORLD_ARRAY(int64_t, words, 1, .help = "drawn in this step: they tell the number of the world")
MASS_TALLY(SUM, int64_t, met, "what all bodies met")
MASS_TALLY(SUM, int64_t, born, "flies", .cumulative = 1)
MASS_TALLY(SUM, int64_t, died, "flies", .cumulative = 1)

MASS_POPULATION(flies, dish, .initial = MASS_BY_LOAD, .children = 2, .at_edge = (uint32_t)VALUE(edge), .born = "born",
                .died = "died")
MASS_POSITIONS(flies, AXES, float)
MASS_AGENT_ATTRIBUTE(flies, uint64_t, trail)
MASS_POPULATION(lures, dish, .initial = MASS_BY_LOAD, .children = 1, .at_edge = (uint32_t)VALUE(edge))
MASS_POSITIONS(lures, AXES, double)
MASS_AGENT_ATTRIBUTE(lures, uint64_t, trail)

MASS_REDUCTION(flies_mean, .operation = MASS_MEAN, .population = "flies", .attribute = "position")
MASS_REDUCTION(flies_sum, .operation = MASS_SUM, .population = "flies", .attribute = "position", .component = AXES - 1)
MASS_REDUCTION(lures_sum, .operation = MASS_SUM, .population = "lures", .attribute = "position", .component = AXES / 2)
MASS_REDUCTION(flies_most, .operation = MASS_MAX, .population = "flies", .attribute = "position", .component = AXES - 1)
MASS_REDUCTION(lures_least, .operation = MASS_MIN, .population = "lures", .attribute = "position")
MASS_REDUCTION(lures_far, .operation = MASS_HISTOGRAM, .population = "lures", .attribute = "position",
               .component = AXES - 1, .bins = 1, .low = 2, .high = 1e300)

MASS_ONCE(veer_key, WRITES(words))
{
    const mass_random4 r = RANDOM(7);
    OUT_AT(words, 0) = (int64_t)((uint64_t)r.v[0] << 32 | r.v[1]);
}

#define WAY_(SIZE, r, at, i) \
    veer_step(r, i, PARAM(cell), (double)(SIZE) * PARAM(cell), at, PARAM(changes), PARAM(odd) == VEER_FAR)
#define IS_NEAR_(o) (veer_is_within((o).dx, (o).dy, (o).dz, PARAM(changes)))

/* Both populations do the same. */
#define VEER_BODY(NAME, OWN, OTHER)                                                                                    \
    MASS_IN_TURN(NAME, (OWN, OTHER), AXES, VEER_RADIUS, READS(position), UPDATES(trail), CHANGES(AS(path, trail)),     \
                 WITHIN(OWN), WITHIN(OTHER), SEES(depth), ALTERS(marks),                                               \
                 GIVEN(cell, sight, meets, changes, odd, when), SUMS(met))                                             \
    {                                                                                                                  \
        const mass_random4 r = RANDOM(0), u = RANDOM(1), v = RANDOM(2);                                                \
        const mass_point_double_3 at = MASS_THREE_OF_(IN(position));                                                   \
        const trail_three by = {WAY_(SIZE_X, r, at.x, 0), WAY_(SIZE_Y, r, at.y, 1), WAY_(SIZE_Z, r, at.z, 2)};         \
        const trail_three to = {WAY_(SIZE_X, u, at.x, 0), WAY_(SIZE_Y, u, at.y, 1), WAY_(SIZE_Z, u, at.z, 2)};         \
        const double far = veer_sight(v, PARAM(sight), PARAM(meets), PARAM(cell));                                     \
        const double less = veer_sight(v, PARAM(sight), PARAM(meets) - PARAM(changes), PARAM(cell));                   \
        const double nan = mass_f64_bits(0x7ff8000000000000ull);                                                       \
        const int64_t odd = (int64_t)STEP == PARAM(when) ? PARAM(odd) : 0;                                             \
        uint64_t trail = OUT(trail) + mass_bits_f64(SEE_AT(depth, ALONG_(at.x, at.y, at.z)));                          \
        mass_peer prey = NOBODY;                                                                                       \
        EACH_WITHIN(o, OWN, far) {                                                                                     \
            trail = trail_mix(trail, ID_OF(o), VEER_BITS(AWAY_2(o)) + VEER_BITS(AWAY_X(o)));                           \
            if (!IS_NEAR_(o)) continue;                                                                                \
            trail += OF(path, o);                                                                                      \
            OF(path, o) ^= trail;                                                                                      \
        }                                                                                                              \
        EACH_NEAREST(n, OTHER, 2, far) {                                                                               \
            trail = trail_mix(trail, ID_OF_IN(OTHER, n), VEER_BITS(AWAY_2(n)));                                        \
            if (IS_NEAR_(n)) prey = n;                                                                                 \
        }                                                                                                              \
        trail += 5 * (uint64_t)MOVE_BY(ALONG_(by.x, by.y, by.z));                                                      \
        trail += VEER_BITS(IN(position).x);                                                                            \
        EACH_WITHIN(o, OTHER, less) trail = trail_mix(trail, ID_OF_IN(OTHER, o), VEER_BITS(AWAY_X(o)));                \
        EACH_WITHIN(o, OWN, less) {                                                                                    \
            trail = trail_mix(trail, ID_OF(o), VEER_BITS(AWAY_2(o)));                                                  \
            if (ID_OF(o) % 64 == 1) break;                                                                             \
        }                                                                                                              \
        THERE(marks, 0, 0, 0) += (int64_t)(trail % 7);                                                                 \
        if (IS_ANYBODY(prey) && v.v[0] % 8 == 0) KILL_NEARBY_OF(OTHER, prey);                                          \
        if (v.v[1] % 6 == 0) {                                                                                         \
            const mass_peer child = BEAR_AT(ALONG_(at.x + to.x, at.y + to.y, at.z + to.z));                            \
            trail = trail * 2 + (uint64_t)IS_ANYBODY(child);                                                           \
            if (IS_ANYBODY(child)) OF(path, child) = trail;                                                            \
        }                                                                                                              \
        trail += 7 * (uint64_t)MOVE_TO(ALONG_(at.x + to.x, at.y + to.y, at.z + to.z));                                 \
        if (v.v[0] % 16 == 1) {                                                                                        \
            DIE();                                                                                                     \
            trail += 11 * (uint64_t)MOVE_BY(ALONG_(0, 0, 0));                                                          \
            trail += 13 * (uint64_t)IS_ANYBODY(BEAR_AT(ALONG_(at.x, at.y, at.z)));                                     \
            EACH_WITHIN(o, OWN, less) trail = trail_mix(trail, ID_OF(o), 5);                                           \
        }                                                                                                              \
        if (odd == VEER_TO_PLACE) trail += (uint64_t)MOVE(ALONG_(0, 0, 0));                                            \
        if (odd == VEER_BEARS_ON_PLACE) trail += (uint64_t)IS_ANYBODY(BEAR(ALONG_(0, 0, 0)));                          \
        if (odd == VEER_NAN) trail += (uint64_t)MOVE_BY(ALONG_(nan, 0, 0));                                            \
        if (odd == VEER_BEARS_AT_NAN) trail += (uint64_t)IS_ANYBODY(BEAR_AT(ALONG_(nan, 0, 0)));                       \
        OUT(trail) = trail;                                                                                            \
        ADD(met, (int64_t)(trail % 1000));                                                                             \
    }
VEER_BODY(veer_fly, flies, lures)
VEER_BODY(veer_lure, lures, flies)

MASS_MAP(veer_sink, READS(marks), UPDATES(depth)) { OUT(depth) = OUT(depth) * 0.5 + (double)(IN(marks) % 100); }

#define SCOPE_ .reach = VEER_RADIUS, .meets = (int32_t)VALUE(meets), .changes = (int32_t)VALUE(changes), \
               .shape = (uint32_t)VALUE(axes), .turn = VALUE(shared) ? "day" : 0
MASS_SCHEDULE(STEPS(veer_key), STEPS(veer_fly, SCOPE_), STEPS(veer_lure, SCOPE_), STEPS(veer_sink))

#if MASS_HOST

/* Adds the agents of a population: `x` to `z` are its points. */
#define ADD_(POPULATION, NUMBER, MANY)                                                                      \
    for (int64_t i = 0; status == MASS_OK && i < (MANY); i++) {                                             \
        double p[3];                                                                                        \
        MASS_JOIN(MASS_JOIN(mass_point_, NUMBER), MASS_JOIN(_, AXES)) at;                                   \
        veer_point(i, size, VALUE(cell), sizeof(NUMBER) == sizeof(float), p);                               \
        for (int a = 0; a < AXES; a++) ((NUMBER *)(void *)&at)[a] = (NUMBER)p[a];                           \
        status = MASS_ADD_AGENTS(host, MASS_EVERY_WORLD, POPULATION, 1, MASS_COLUMNS(MASS_COLUMN(position, &at))); \
    }
static mass_status veer_load(mass_host *host)
{
    mass_gidx size[3];
    uint32_t dimensions;
    mass_status status = mass_values_of(host)->size(host, "dish", size, &dimensions);
    ADD_(flies, float, VALUE(flies))
    ADD_(lures, double, VALUE(lures))
    return status;
}

#endif
