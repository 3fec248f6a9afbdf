/* SPDX-License-Identifier: Apache-2.0 */
/* Sugarscape, after J. M. Epstein and R. Axtell, "Growing artificial societies" (1996): ants move to the place in sight
 * with most sugar, and eat it. */
#include <mass/model.h>

MASS_SPACE(grid, 2, .size = {256, 256}, .torus = MASS_AXES_ALL)

MASS_PARAMETER(int64_t, ants, 0, 0, UINT32_MAX - 2, "how many there are at first",
               .by_default = "a tenth of the places, as with 0")
MASS_PARAMETER(int64_t, vision_min, 1, 1, 64, "how far an ant sees along the axes, at least")
MASS_PARAMETER(int64_t, vision_max, 6, 1, 64, "... and at most")
MASS_PARAMETER(int64_t, metabolism_min, 1, 1, 200, "sugar that an ant burns in a step, at least")
MASS_PARAMETER(int64_t, metabolism_max, 4, 1, 200, "... and at most")
MASS_PARAMETER(int64_t, endowment_min, 5, 1, 1000000, "sugar that an ant begins with, at least")
MASS_PARAMETER(int64_t, endowment_max, 25, 1, 1000000, "... and at most")
MASS_PARAMETER(int64_t, sugar_max, 4, 1, 200, "most sugar that a place holds")
MASS_PARAMETER(int64_t, growback, 1, 0, 200, "sugar that grows on a place in a step")
MASS_PARAMETER(int64_t, reproduce, 0, 0, 1000000, "wealth from which an ant has a child",
               .by_default = "it has none, as with 0")
MASS_PARAMETER(int64_t, looks, 3, 1, 8,
               "how often an ant looks for a place in a step, as long as others get those that it asks for")
MASS_PARAMETER(choice, landscape, "hills", "two hills of sugar, or as much everywhere", "hills", "flat")
MASS_PARAMETER(choice, replace, "no", "whether a new ant replaces one that died", "no", "yes")
MASS_PARAMETER(choice, activation, "all", "whether ants act all at once, or one after the other", "all", "turn")

MASS_TALLY(SUM, int64_t, ants, "alive")
MASS_TALLY(SUM, int64_t, sugar, "on the places")
MASS_TALLY(SUM, int64_t, wealth, "sugar that the ants hold")
MASS_TALLY(SUM, int64_t, births, "ants born", .cumulative = 1)
MASS_TALLY(SUM, int64_t, deaths, "ants that died", .cumulative = 1)
MASS_TALLY(SUM, int64_t, grown, "sugar that grew", .cumulative = 1)
MASS_TALLY(SUM, int64_t, eaten, "sugar that ants ate", .cumulative = 1)
MASS_TALLY(SUM, int64_t, burnt, "sugar that ants burnt", .cumulative = 1)
MASS_TALLY(SUM, int64_t, endowed, "sugar that ants brought along that replace others", .cumulative = 1)

MASS_ATTRIBUTE(grid, uint8_t, sugar, .most = (double)VALUE(sugar_max), .help = "on the place")
MASS_ATTRIBUTE(grid, uint8_t, most, .most = (double)VALUE(sugar_max), .help = "sugar that it can hold")

#if MASS_HOST

/* Fails if one parameter is above the other. */
static mass_status check_range(mass_host *host, const char *least, const char *most)
{
    const long long from = mass_values_of(host)->integer(host, least), to = mass_values_of(host)->integer(host, most);
    if (from <= to) return MASS_OK;
    return host->fail(host, MASS_BAD_USAGE, "parameter %s: %lld is above %s, %lld", least, from, most, to);
}

/* The engine executes statements in the order of the file: these compute values that the population below needs. */
MASS_OPEN(sugarscape_check_ranges)
{
    mass_status status = check_range(host, "vision_min", "vision_max");
    if (status == MASS_OK) status = check_range(host, "metabolism_min", "metabolism_max");
    return status == MASS_OK ? check_range(host, "endowment_min", "endowment_max") : status;
}

static int64_t ants_at_start; /* set when the engine opens the plugin */

/* Sets the number of ants at the start: a tenth of the places by default. Fails if there are more than places. */
MASS_OPEN(sugarscape_count_ants)
{
    mass_gidx size[3];
    uint32_t dimensions;
    const mass_status status = mass_values_of(host)->size(host, "grid", size, &dimensions);
    if (status != MASS_OK) return status;
    const int64_t places = size[0] * size[1];
    ants_at_start = VALUE(ants) ? VALUE(ants) : places < 10 ? 1 : places / 10;
    if (ants_at_start <= places) return MASS_OK;
    return host->fail(host, MASS_BAD_USAGE, "parameter ants: %lld are more than there are places, %lld",
                      (long long)ants_at_start, (long long)places);
}

#endif

MASS_POPULATION(ants, grid, .capacity = 1, .children = 1, .count = ants_at_start, .conflict = MASS_LOTTERY,
                .initial = MASS_RANDOM_PLACES, .born = "births", .died = "deaths",
                .drawn = &(const mass_drawn){.colours = 1, .palette = (const uint32_t[]){0x7a1f2b}},
                .help = "at most one on a place")
MASS_AGENT_ATTRIBUTE(ants, uint8_t, vision, .initial = &(const uint8_t){1}, .least = 1,
                     .most = (double)VALUE(vision_max), .help = "how far it sees")
MASS_AGENT_ATTRIBUTE(ants, uint8_t, metabolism, .initial = &(const uint8_t){1}, .least = 1,
                     .most = (double)VALUE(metabolism_max), .help = "sugar that it burns in a step")
MASS_AGENT_ATTRIBUTE(ants, int32_t, wealth, .most = INT32_MAX, .help = "sugar that it holds")

/* ---- the start ---- */

/* Returns the square of the distance to a hill's top, in quarters of the space; the top is at `quarters` along an
 * axis. */
MASS_FN double square_to(mass_gidx at, mass_gidx size, int quarters)
{
    const double away = 4.0 * (double)at / (double)size - quarters, near = away < 0 ? -away : away;
    return near < 2 ? near * near : (4 - near) * (4 - near);
}

/* Terraces of equal area around the hills' tops, or `sugar_max` everywhere. */
MASS_MAP(sugarscape_plant, WRITES(most, sugar), GIVEN(sugar_max, landscape))
{
    const double first = square_to(AT_X, SIZE_X, 3) + square_to(AT_Y, SIZE_Y, 1);
    const double second = square_to(AT_X, SIZE_X, 1) + square_to(AT_Y, SIZE_Y, 3);
    const double height = 1.0 - 0.5 * mass_min_f64(first, second);
    const int32_t most = (int32_t)PARAM(sugar_max), level = mass_i32_f64((most + 1) * mass_max_f64(height, 0));
    OUT(most) = (uint8_t)(PARAM(landscape) == 1 || level > most ? most : level);
    OUT(sugar) = OUT(most);
}

#define RANGES GIVEN(vision_min, vision_max, metabolism_min, metabolism_max, endowment_min, endowment_max)

/* Returns a random integer from `least` to `most`, from 64 random bits in two words. */
MASS_FN int32_t between(int64_t least, int64_t most, uint32_t high, uint32_t low)
{
    return (int32_t)least + (int32_t)mass_below_u32((uint32_t)(most - least + 1), high, low);
}

/* Sets the attributes of an ant that inherits nothing, by RANDOM(DRAW) and the next one. It is a macro, since only a
 * body may use accessors. */
#define ENDOW(DRAW, VISION, METABOLISM, WEALTH)                                                        \
    do {                                                                                               \
        const mass_random4 r_ = RANDOM(DRAW), s_ = RANDOM((DRAW) + 1);                                 \
        VISION = (uint8_t)between(PARAM(vision_min), PARAM(vision_max), r_.v[0], r_.v[1]);             \
        METABOLISM = (uint8_t)between(PARAM(metabolism_min), PARAM(metabolism_max), r_.v[2], r_.v[3]); \
        WEALTH = between(PARAM(endowment_min), PARAM(endowment_max), s_.v[0], s_.v[1]);                \
    } while (0)

/* Gives every ant of the start its vision, metabolism and wealth. */
MASS_AGENT(sugarscape_settle, ants, 2, RANGES, WRITES(vision, metabolism, wealth))
{
    ENDOW(0, OUT(vision), OUT(metabolism), OUT(wealth));
}

/* ---- the step ---- */

/* If a file brings more sugar than the place can hold, that sugar remains until ants eat it. */
MASS_MAP(sugarscape_grow, READS(most), UPDATES(sugar), GIVEN(growback), SUMS(grown))
{
    const int32_t growback = (int32_t)PARAM(growback);
    const int32_t room = IN(most) > OUT(sugar) ? IN(most) - OUT(sugar) : 0;
    const int32_t grown = growback < room ? growback : room;
    OUT(sugar) = (uint8_t)(OUT(sugar) + grown);
    ADD(grown, grown);
}

/* Return the steps in x and y for the directions 0 right, 1 down, 2 left, 3 up. */
MASS_FN int ahead_x(int direction) { return (direction == 0) - (direction == 2); }
MASS_FN int ahead_y(int direction) { return (direction == 1) - (direction == 3); }

/* Finds the best free place in sight, if it has more sugar than the ant's own. The nearest of equal places is best.
 * Among equally near ones, the direction with the largest random number is best, else the lower direction. TO becomes 4
 * times its distance, plus its direction; or 0 if the ant stays. PLACE is the word for the value of a place.
 *
 * An ant reads all places at one distance before it compares them, so that a GPU does not wait for each read. It counts
 * the ants on a place only if the place has more sugar than the best so far. */
#define AHEAD(direction) far_ * ahead_x(direction), far_ * ahead_y(direction)
#define IN_FOUR_DIRECTIONS MASS_UNROLL_ for (int direction_ = 0; direction_ < 4; direction_++)
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define LOOK_FOR_BEST(PLACE, VISION, TO)                                                                 \
    do {                                                                                                 \
        const mass_random4 drawn_ = RANDOM(0);                                                           \
        uint32_t best_ = PLACE(sugar, 0, 0), seen_[4];                                                   \
        TO = 0;                                                                                          \
        for (int far_ = 1; far_ <= (VISION); far_++) {                                                   \
            uint32_t most_ = 0;                                                                          \
            uint64_t first_ = 0;                                                                         \
            IN_FOUR_DIRECTIONS seen_[direction_] = PLACE(sugar, AHEAD(direction_));                      \
            IN_FOUR_DIRECTIONS most_ = LARGER(seen_[direction_], most_);                                 \
            if (most_ <= best_) continue;                                                                \
            IN_FOUR_DIRECTIONS {                                                                         \
                const uint64_t drew_ = (uint64_t)drawn_.v[direction_] << 2 | (uint32_t)(3 - direction_); \
                const uint64_t found_ = ((uint64_t)seen_[direction_] << 34 | drew_) *                    \
                                        (COUNT_AT(AHEAD(direction_)) == 0);                              \
                first_ = LARGER(found_, first_);                                                         \
            }                                                                                            \
            if ((uint32_t)(first_ >> 34) <= best_) continue;                                             \
            best_ = (uint32_t)(first_ >> 34);                                                            \
            TO = 4 * far_ + 3 - (int)(first_ & 3);                                                       \
        }                                                                                                \
    } while (0)

/* Return the offset in x and y of a place that LOOK_FOR_BEST has found. */
MASS_FN int found_x(int to) { return to / 4 * ahead_x(to % 4); }
MASS_FN int found_y(int to) { return to / 4 * ahead_y(to % 4); }

/* Requests a move to the best place. */
#define ASK_FOR_BEST                                    \
    do {                                                \
        int to_;                                        \
        LOOK_FOR_BEST(SEE, IN(vision), to_);            \
        if (to_) MIGRATE(found_x(to_), found_y(to_));   \
    } while (0)

MASS_AGENT(sugarscape_look, ants, 2, READS(vision), SEES(sugar)) { ASK_FOR_BEST; }

/* Ants whose move was refused request another one. They now see where the others have gone. */
MASS_REFUSED(sugarscape_look_again, ants, 2, READS(vision), SEES(sugar)) { ASK_FOR_BEST; }

/* An ant eats all sugar, up to the most that it can hold. */
MASS_OCCUPIED(sugarscape_eat, ants, 2, 0, UPDATES(sugar), CHANGES(wealth), SUMS(eaten))
{
    EACH_RESIDENT(ant) {
        const int32_t room = INT32_MAX - OF(wealth, ant), eaten = OUT(sugar) < room ? OUT(sugar) : room;
        OF(wealth, ant) += eaten;
        ADD(eaten, (uint8_t)eaten);
        OUT(sugar) = (uint8_t)(OUT(sugar) - eaten);
    }
}

/* In one step all parents put their child in the same direction, so no two children request one place. Every requested
 * birth happens, and no sugar that a parent gives is lost. A dead ant may be replaced by a child that is born on its
 * place after it died: manage has that order below. */
MASS_AGENT(sugarscape_live, ants, 2, RANGES, GIVEN(replace, reproduce), READS(vision, metabolism), UPDATES(wealth),
           CHILDREN(vision, metabolism, wealth), SUMS(burnt, endowed))
{
    const int32_t burnt = IN(metabolism) < OUT(wealth) ? IN(metabolism) : OUT(wealth);
    const int direction = (int)(STEP & 3), dx = ahead_x(direction), dy = ahead_y(direction);
    OUT(wealth) -= burnt;
    ADD(burnt, burnt);
    if (OUT(wealth) == 0) {
        KILL();
        if (!PARAM(replace)) return;
        SPAWN(1);
        ENDOW(0, CHILD(vision, 0), CHILD(metabolism, 0), CHILD(wealth, 0));
        ADD(endowed, CHILD(wealth, 0));
    } else if (PARAM(reproduce) > 0 && OUT(wealth) >= PARAM(reproduce) && COUNT_AT(dx, dy) == 0) {
        SPAWN(1);
        CHILD_TO(0, dx, dy);
        CHILD(vision, 0) = IN(vision);
        CHILD(metabolism, 0) = IN(metabolism);
        CHILD(wealth, 0) = OUT(wealth) / 2;
        OUT(wealth) -= OUT(wealth) / 2;
    }
}

/* An ant in turn does all of that at once. A new ant that replaces it takes over its id. A child may be born 1 place
 * farther than its parent sees. */
MASS_IN_TURN(sugarscape_act, ants, 2, 65, RANGES, GIVEN(replace, reproduce), UPDATES(vision, metabolism, wealth),
             CHANGES(AS(its_vision, vision), AS(its_metabolism, metabolism), AS(its_wealth, wealth)), ALTERS(sugar),
             SUMS(births, deaths, eaten, burnt, endowed))
{
    int to;
    LOOK_FOR_BEST(THERE, OUT(vision), to);
    const int x = found_x(to), y = found_y(to), direction = (int)(STEP & 3);
    MOVE(x, y);
    const int32_t sugar = THERE(sugar, x, y), room = INT32_MAX - OUT(wealth), eaten = sugar < room ? sugar : room;
    THERE(sugar, x, y) = (uint8_t)(sugar - eaten);
    OUT(wealth) += eaten;
    ADD(eaten, eaten);
    const int32_t burnt = OUT(metabolism) < OUT(wealth) ? OUT(metabolism) : OUT(wealth);
    OUT(wealth) -= burnt;
    ADD(burnt, burnt);
    if (OUT(wealth) == 0 && PARAM(replace)) {
        ENDOW(1, OUT(vision), OUT(metabolism), OUT(wealth));
        ADD(endowed, OUT(wealth));
        ADD(births, 1);
        ADD(deaths, 1);
    } else if (OUT(wealth) == 0) {
        DIE();
    } else if (PARAM(reproduce) > 0 && OUT(wealth) >= PARAM(reproduce)) {
        const mass_peer child = BEAR(x + ahead_x(direction), y + ahead_y(direction));
        if (!IS_ANYBODY(child)) return;
        OF(its_vision, child) = OUT(vision);
        OF(its_metabolism, child) = OUT(metabolism);
        OF(its_wealth, child) = OUT(wealth) / 2;
        OUT(wealth) -= OUT(wealth) / 2;
    }
}

/* Adds up the ants, their wealth and the sugar of all places. */
MASS_RESIDENTS(sugarscape_census, ants, 2, 0, READS(sugar), MEETS(wealth), SUMS(ants, sugar, wealth))
{
    ADD(ants, RESIDENT_COUNT);
    ADD(sugar, IN(sugar));
    EACH_RESIDENT(ant) ADD(wealth, OF(wealth, ant));
}

/* ---- the schedule ---- */

MASS_SCHEDULE(STARTS(sugarscape_plant), STARTS(sugarscape_settle), STARTS(sugarscape_census), STEPS(sugarscape_grow))

#if MASS_HOST

/* Declares what ants do in a step: one phase in turn, or their moves. For these they look for a place and are then
 * moved, `looks` times. */
MASS_OPEN(sugarscape_declare_acts)
{
    const int32_t reach = (int32_t)VALUE(vision_max);
    if (VALUE(activation) == 1)
        return MASS_DECLARE_PHASE(host, MASS_STEP, sugarscape_act, .reach = reach + (VALUE(reproduce) > 0),
                                  .shape = VALUE(reproduce) > 0 ? MASS_SQUARE : MASS_AXES);
    MASS_DECLARE_PHASE(host, MASS_STEP, sugarscape_look, .reach = reach);
    MASS_DECLARE_MANAGE(host, MASS_STEP, ants);
    for (int64_t look = 1; look < VALUE(looks); look++) {
        MASS_DECLARE_PHASE(host, MASS_STEP, sugarscape_look_again, .reach = reach);
        MASS_DECLARE_MANAGE(host, MASS_STEP, ants);
    }
    return MASS_OK;
}

#endif

/* Deaths come first, so that an ant may be born where another died. */
#define AT_ONCE(phase) IF(VALUE(activation) == 0, phase)
MASS_SCHEDULE(AT_ONCE(STEPS(sugarscape_eat)), AT_ONCE(STEPS(sugarscape_live, .reach = 1)),
              AT_ONCE(MANAGES(ants, .order = MASS_KILL_SPAWN_MIGRATE)), STEPS(sugarscape_census))

MASS_REDUCTION(wealth_histogram, .operation = MASS_HISTOGRAM, .population = "ants", .attribute = "wealth", .bins = 50,
               .low = 0, .high = 1000, .help = "ants by what they hold")
MASS_PICTURE(grid, sugar, 0, (double)VALUE(sugar_max), 0xf4ecd8, 0xf0dca0, 0xe8c468, 0xd9a441, 0xb97f24)

MASS_PLUGIN(.name = "sugarscape", .version = "2.0.0",
            .help = "ants that move to where they see most sugar and eat it");
