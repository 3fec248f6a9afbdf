/* SPDX-License-Identifier: Apache-2.0 */
/* Segregation, after T. C. Schelling, "Dynamic models of segregation" (1971): households that have too few neighbours
 * of their own kind move to a free place. All act at once, and draw it from those of the whole space, or they act in
 * turn, and draw it from those nearby. */
#include <mass/model.h>

MASS_PARAMETER(double, full, 0.8, 0, 1, "share of places with a household")
MASS_PARAMETER(int64_t, households, 0, 0, UINT32_MAX - 2, "how many there are",
               .by_default = "the share full of the places, as with 0")
MASS_PARAMETER(double, threshold, 0.375, 0, 1, "least share of neighbours of its own kind with which one stays")
MASS_PARAMETER(int64_t, needs, 0, 0, 16640, "least number of neighbours of its own kind with which one stays",
               .by_default = "threshold decides, as with 0")
MASS_PARAMETER(int64_t, radius, 1, 1, 64, "how far neighbours are, along each axis")
MASS_PARAMETER(int64_t, tries, 3, 1, 8, "how often one draws a place in a step, while others get those that it draws")
MASS_PARAMETER(int64_t, within, 10, 1, 64, "how far one that acts in turn moves at most, along each axis")
MASS_PARAMETER(choice, edge, "bounded", "whether opposite edges of the town meet", "torus", "bounded")
MASS_PARAMETER(choice, activation, "all", "whether households act all at once, or one after the other", "all", "turn")

MASS_SPACE(town, 2, .size = {100, 100}, .torus = VALUE(edge) == 0 ? MASS_AXES_ALL : 0)
MASS_ATTRIBUTE(town, uint8_t, ground, .most = 0, .help = "what pictures show households on")

MASS_TALLY(SUM, int64_t, households, "households")
MASS_TALLY(SUM, int64_t, unhappy, "households that wanted to move in this step")
MASS_TALLY(SUM, int64_t, alike, "neighbours of the same kind, over all households, before they moved")
MASS_TALLY(SUM, int64_t, neighbours, "neighbours, over all households, before they moved")
MASS_TALLY(MEAN, double, likeness, "share of neighbours of the same kind, of households that have any")

MASS_POPULATION(people, town, .capacity = 1, .conflict = MASS_LOTTERY, .initial = MASS_RANDOM_PLACES, .constant = 1,
                .count = VALUE(households) ? VALUE(households)
                                           : (int64_t)(VALUE(full) * (double)(EXTENT(town, 0) * EXTENT(town, 1))),
                .alive = "households", .help = "households, at most one on a place",
                .drawn = &(const mass_drawn){.attribute = "kind", .colours = 2,
                                             .palette = (const uint32_t[]){0xc2452d, 0x2d6cc2}})
MASS_AGENT_ATTRIBUTE(people, uint8_t, kind, .most = 1, .help = "0 or 1")

MASS_AGENT(schelling_settle, people, 2, WRITES(kind)) { OUT(kind) = RANDOM(0).v[0] & 1; }

/* Counts the neighbours of a household. UNHAPPY becomes whether too few of them are like it. */
#define LOOK_AROUND(UNHAPPY)                                                             \
    do {                                                                                 \
        int32_t same_ = 0, all_ = 0;                                                     \
        EACH_NEARBY(o, (int)PARAM(radius)) {                                             \
            same_ += OF(other, o) == IN(kind);                                           \
            all_++;                                                                      \
        }                                                                                \
        ADD(alike, same_);                                                               \
        ADD(neighbours, all_);                                                           \
        if (all_) ADD(likeness, (double)same_ / all_);                                   \
        UNHAPPY = PARAM(needs) ? same_ < PARAM(needs) : same_ < PARAM(threshold) * all_; \
        ADD(unhappy, (uint8_t)(UNHAPPY));                                                \
    } while (0)
#define LOOKS READS(kind), NEARBY(AS(other, kind)), SUMS(unhappy, alike, neighbours, likeness)

/* ---- all at once, to a free place anywhere ---- */

MASS_AGENT(schelling_look, people, 2, LOOKS, FREE_PLACES(people), GIVEN(threshold, needs, radius))
{
    bool unhappy;
    LOOK_AROUND(unhappy);
    if (unhappy) MIGRATE_TO_PLACE(FREE_PLACE(0));
}

/* One whose place another got draws again, from those that are free now. */
MASS_REFUSED(schelling_try_again, people, 2, FREE_PLACES(people)) { MIGRATE_TO_PLACE(FREE_PLACE(0)); }

/* ---- in turn, to a free place nearby ---- */

/* Returns 1 if no shorter step along an axis leads to the same place. Opposite edges of a torus meet. */
MASS_FN int is_shortest(int step, mass_gidx size, int64_t bounded)
{
    return bounded || (2 * step > -size && 2 * step <= size);
}

#define EACH_FREE_PLACE(dx, dy, r)                                                           \
    for (int dy = -(r); dy <= (r); dy++)                                                     \
        for (int dx = -(r); dx <= (r); dx++)                                                 \
            if (EXISTS(dx, dy) && is_shortest(dx, SIZE_X, PARAM(edge)) &&                    \
                is_shortest(dy, SIZE_Y, PARAM(edge)) && COUNT_AT(dx, dy) == 0)

/* An unhappy household draws one of the free places nearby, and moves there at once. */
MASS_IN_TURN(schelling_act, people, 2, 64, LOOKS, GIVEN(threshold, needs, radius, within, edge))
{
    uint32_t places = 0;
    bool unhappy;
    LOOK_AROUND(unhappy);
    if (!unhappy) return;
    EACH_FREE_PLACE(dx, dy, (int)PARAM(within)) places++;
    uint32_t before = places ? mass_below_u32(places, RANDOM(0).v[0], RANDOM(0).v[1]) : 0;
    EACH_FREE_PLACE(dx, dy, (int)PARAM(within)) {
        if (before-- > 0) continue;
        MOVE(dx, dy);
        return;
    }
}

MASS_SCHEDULE(STARTS(schelling_settle))

#if MASS_HOST

/* Declares what households do in a step: one phase in turn, or `tries` moves. */
MASS_OPEN(schelling_declare_acts)
{
    const int32_t reach = (int32_t)VALUE(radius), within = (int32_t)VALUE(within);
    if (VALUE(activation) == 1)
        return MASS_DECLARE_PHASE(host, MASS_STEP, schelling_act, .reach = reach > within ? reach : within);
    MASS_DECLARE_PHASE(host, MASS_STEP, schelling_look, .reach = reach);
    MASS_DECLARE_MANAGE(host, MASS_STEP, people);
    for (int64_t k = 1; k < VALUE(tries); k++) {
        MASS_DECLARE_PHASE(host, MASS_STEP, schelling_try_again);
        MASS_DECLARE_MANAGE(host, MASS_STEP, people);
    }
    return MASS_OK;
}

#endif

MASS_PICTURE(town, ground, 0, 1, 0xf4f1e8, 0)
MASS_SERIES("likeness")
MASS_DEFAULT_STEPS(20)
MASS_PLUGIN(.name = "schelling", .version = "1.1.0", .help = "households that move away from neighbours unlike them");
