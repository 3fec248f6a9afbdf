/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of all models. Spaces have one to three dimensions and one place at least, and are tori or bounded. Reaches go
 * beyond the space. Places hold few agents or any number. There are none or many agents, in one world or several. */
#include "cases.h"

#include "anybody/plain.h"
#include "eaten/known.h"
#include "lists/plain.h"
#include "sprout/known.h"
#include "totals/ways.h"
#include "world/ways.h"

#include <mass/random.h>
#include <string.h>

int64_t roll(dice *d, int64_t least, int64_t most)
{
    const mass_random4 r = mass_random_block(d->key, d->next++, 0, 0, 0);
    return least + (int64_t)(((uint64_t)r.v[0] << 32 | r.v[1]) % (uint64_t)(most - least + 1));
}

/* Returns a number from `least` to `most`, in half of the cases small ones more often. */
static int64_t roll_small(dice *d, int64_t least, int64_t most)
{
    return roll(d, least, d->small ? roll(d, least, most) : most);
}

/* ---- ways to run ---- */

static way_source *draw_way;
static int64_t least_rows; /* that it divides */

/* A partition has a row, or a layer, at least. */
const char *draw_cpu_way(dice *d, int64_t rows, int worlds)
{
    (void)worlds;
    const int partitions = (int)roll(d, 1, rows < 7 ? rows : 7), threads = (int)roll(d, 1, 3);
    const char *device = roll(d, 0, 3) ? "cpu" : "paranoid";
    return text("--device %s --threads %d --partitions %d", device, threads, partitions);
}

/* A space, in some worlds: extents of 1 along axes that it does not have. */
typedef struct space {
    int dimensions, worlds;
    int64_t size[3], torus, places;
    bool whole; /* it has one partition only: bits of a line are cut every 512 places */
} space;

static int64_t rows_of(const space *s) { return s->whole ? 1 : s->size[s->dimensions - 1]; }

static space draw_space(dice *d, int dimensions, int64_t most)
{
    space s = {.dimensions = dimensions, .size = {1, 1, 1}, .places = 1};
    for (int a = 0; a < dimensions; a++) {
        const int64_t least = a == dimensions - 1 ? least_rows : 1;
        s.size[a] = roll_small(d, least, dimensions == 1 ? most * 4 : dimensions == 2 ? most : most / 3);
        s.torus |= roll(d, 0, 1) << a;
        s.places *= s.size[a];
    }
    s.worlds = (int)roll_small(d, 1, 3);
    return s;
}

static const char *size_text(const space *s)
{
    return s->dimensions == 1   ? text("--size %d", (int)s->size[0])
           : s->dimensions == 2 ? text("--size %dx%d", (int)s->size[0], (int)s->size[1])
                                : text("--size %dx%dx%d", (int)s->size[0], (int)s->size[1], (int)s->size[2]);
}

/* Returns the options of the last run of a case: of one that never stops, or of the last part of one that stopped. The
 * parts before it are run. plugin: the file's name. options: all but the way and the steps. */
static const char *draw_run(dice *d, const space *s, const char *plugin, const char *options, int64_t steps)
{
    static const char *folder;
    const int64_t stops = roll(d, 0, 2) ? 0 : 1 + roll(d, 0, 1);
    if (!folder) folder = folder_make();
    else folder_empty(folder);
    const char *resume = text("--plugin '%s/%s.so' --resume '%s'", MASS_TEST_PLUGINS, plugin, folder);
    const char *run = text("%s --checkpoint '%s'", options, folder), *next = options;
    for (int64_t stop = 0, at = 0; stop < stops && at < steps; stop++, at++) {
        at = roll(d, at, steps - 1);
        const char *way = roll(d, 0, 1) ? draw_way(d, rows_of(s), s->worlds) : draw_cpu_way(d, rows_of(s), s->worlds);
        engine_write(text("%s %s --steps %d", run, way, (int)at));
        run = next = resume;
    }
    return text("%s %s --steps %d", next, draw_way(d, rows_of(s), s->worlds), (int)steps);
}

/* ---- the models: each number is drawn by a statement of its own, so that all compilers draw the same ---- */

/* Compares a run with one on a thread. The plugin itself compares its last step with a plain program. */
static void expect_plugin_agrees(dice *d, const space *s, const char *plugin, const char *options, int64_t steps)
{
    options = text("--plugin '%s/%s.so' %s --set torus=%d %s", MASS_TEST_PLUGINS, plugin, size_text(s), (int)s->torus,
                   options);
    const char *run = draw_run(d, s, plugin, options, steps);
    cr_expect_str_eq(engine_result(run), engine_result(text("%s --device cpu --threads 1 --steps %d", options,
                                                            (int)steps)), "%s: %s", options, run);
}

typedef struct number {
    const char *option;
    int64_t least, most;
} number;

static const char *draw_options(dice *d, const number *all, size_t count)
{
    const char *options = "";
    for (size_t i = 0; i < count; i++)
        options = text("%s %s%d", options, all[i].option, (int)roll_small(d, all[i].least, all[i].most));
    return options;
}
#define OPTIONS(...) draw_options(d, (const number[]){__VA_ARGS__}, sizeof(number[]){__VA_ARGS__} / sizeof(number))

static void near_case(dice *d)
{
    const int dimensions = (int)roll(d, 1, 3);
    const space s = draw_space(d, dimensions, 12);
    const int64_t reach = roll_small(d, 1, 12), steps = roll_small(d, 1, 6);
    const char *options = OPTIONS({"--seed ", 0, 9999}, {"--worlds ", s.worlds, s.worlds},
                                  {"--set reach=", reach, reach}, {"--set far=", -1, reach},
                                  {"--set ants=", 0, 2 * s.places}, {"--set bees=", 0, s.places});
    expect_plugin_agrees(d, &s, "near", options, steps);
}

/* Who claims from farther away than the pairs' radius makes a mistake. */
static void claims_case(dice *d)
{
    const int dimensions = (int)roll(d, 1, 3);
    const space s = draw_space(d, dimensions, 12);
    const int64_t capacity = roll_small(d, 0, 3), reach = roll_small(d, 1, 12), steps = roll_small(d, 1, 6);
    const char *options = OPTIONS({"--seed ", 0, 9999}, {"--worlds ", s.worlds, s.worlds},
                                  {"--set reach=", reach, reach}, {"--set far=", reach, 14},
                                  {"--set capacity=", capacity, capacity},
                                  {"--set wolves=", 0, (capacity ? capacity : 2) * s.places},
                                  {"--set sheep=", 0, 2 * s.places});
    expect_plugin_agrees(d, &s, "claims", options, steps);
}

static void sprout_case_of(dice *d)
{
    const int dimensions = (int)roll(d, 1, 3);
    space s = draw_space(d, dimensions, 12);
    s.worlds = 1;
    sprout_case c = {.size = {s.size[0], s.size[1], s.size[2]}, .torus = s.torus};
    c.capacity = roll(d, 0, 3);
    c.order = roll(d, 0, 2);
    c.gate = roll_small(d, 0, s.places);
    c.steps = roll(d, 1, 7);
    expect_known(&c, draw_run(d, &s, "sprout", text("%s %s", sprout_options(&c), size_text(&s)), c.steps));
}

/* With so many places each tally counts something; of nothing, a report has no minimum. */
static void totals_case(dice *d)
{
    space s = {.dimensions = 2, .size = {0, 0, 1}};
    town_run r;
    r.nx = (int)(s.size[0] = roll(d, 8, 24));
    r.ny = (int)(s.size[1] = roll(d, 6, 24));
    r.steps = (int)roll(d, 1, 20);
    r.rare_from = (int)roll_small(d, 0, 500);
    s.worlds = (int)roll_small(d, 1, 3);
    const char *more = OPTIONS({"--worlds ", s.worlds, s.worlds}, {"--set torus=", 0, 3});
    expect_town_of(&r, draw_run(d, &s, "totals", text("%s %s", town_options(&r), more), r.steps));
}

/* Traders on many places meet in the shortest of the runs. */
static void lists_case_of(dice *d)
{
    static const double halves[] = {0.5, 0.25};
    int64_t prices[24];
    const char *list = "";
    const space s = draw_space(d, 2, 16);
    lists_case c = {.nx = (int)s.size[0], .ny = (int)s.size[1], .price = prices};
    c.steps = (int)roll(d, 6, 20);
    c.prices = (int)roll(d, 3, 24); /* a body reads the third */
    c.span = (int)roll(d, 1, c.prices);
    for (int i = 0; i < c.prices; i++) list = text("%s%s%d", list, i ? "," : "", (int)(prices[i] = roll(d, -99, 99)));
    const char *options = text("%s --set prices='[%s]' --set span=%d --worlds %d --seed %d", size_text(&s), list,
                               c.span, s.worlds, (int)roll(d, 0, 9999));
    outcome o = engine_run(draw_run(d, &s, "lists", lists_options(options), c.steps));
    for (int w = 0; w < s.worlds; w++) expect_lists(&o, &c, halves, w);
    outcome_free(&o);
}

static void anybody_case(dice *d)
{
    const int dimensions = (int)roll(d, 1, 3);
    const space s = draw_space(d, dimensions, 12);
    anybody_run r = {.extents = {(int)s.size[0], (int)s.size[1], (int)s.size[2]}};
    r.seats = (int)roll_small(d, 1, 5);
    r.people = (int)roll_small(d, 0, 3 * s.places);
    r.movers = (int)(roll(d, 0, 3) ? roll(d, 0, r.seats * s.places) : r.seats * s.places);
    r.seed = (int)roll(d, 0, 9999);
    r.steps = (int)roll(d, 1, 12);
    r.worlds = s.worlds;
    const char *options = text("%s %s --set torus=%d", anybody_options(&r), size_text(&s), (int)s.torus);
    expect_anybody_of(&r, draw_run(d, &s, "anybody", options, r.steps));
}

static void world_case(dice *d)
{
    const int dimensions = (int)roll(d, 1, 3);
    const space s = draw_space(d, dimensions, 24);
    market_run r = {.size = {(int)s.size[0], (int)s.size[1], (int)s.size[2]}, .torus = (int)s.torus};
    r.steps = (int)roll(d, 1, 20);
    r.seed = (int)roll(d, 0, 9999);
    r.span = (int)roll(d, 1, 5);
    r.last = (int)roll(d, 1, MARKET_PAST - 1);
    r.speed = (double)roll(d, 0, 16) / 16;
    r.weights = (int)roll(d, 1, MARKET_PAST);
    for (int i = 0; i < r.weights; i++) r.weight[i] = (double)roll(d, 0, 16) / 16;
    const char *options = text("%s %s --worlds %d", market_options(&r), size_text(&s), s.worlds);
    expect_market_of(&r, s.worlds, draw_run(d, &s, "world", options, r.steps));
}

static void points_case(dice *d)
{
    const int dimensions = (int)roll(d, 1, 3);
    const space s = draw_space(d, dimensions, 12);
    const int64_t sight = roll_small(d, 0, 40), cell = roll(d, 1, 40), steps = roll_small(d, 1, 6);
    const char *options = OPTIONS({"--seed ", 0, 9999}, {"--worlds ", s.worlds, s.worlds}, {"--set edge=", 0, 2},
                                  {"--set specks=", 0, 2 * s.places}, {"--set motes=", 0, 2 * s.places});
    options = text("%s --set sight=%.3g --set cell=%.3g", options, (double)sight / 8, (double)cell / 13);
    expect_plugin_agrees(d, &s, text("points%d", dimensions), options, steps);
}

static void eaten_case(dice *d)
{
    const int dimensions = (int)roll(d, 1, 3);
    const space s = draw_space(d, dimensions, 16);
    eaten_run r = {.size = {s.size[0], s.size[1], s.size[2]}, .torus = (int)s.torus};
    r.seed = (int)roll(d, 0, 9999);
    r.worlds = s.worlds;
    r.steps = (int)roll(d, 1, 25);
    const char *options = text("%s %s", eaten_options(&r), size_text(&s));
    (void)expect_eaten_of(&r, draw_run(d, &s, "eaten", options, r.steps));
}

/* ---- in turn, on one process alone ---- */

/* Draws a space with bits. Half of them are long, so that threads share a world. */
static space draw_turning_space(dice *d)
{
    const int dimensions = (int)roll(d, 1, 3);
    space s = draw_space(d, dimensions, 14);
    s.whole = dimensions == 1;
    if (roll(d, 0, 1)) return s;
    int64_t *const last = &s.size[dimensions - 1];
    s.places /= *last;
    *last = dimensions == 1 ? roll(d, 64, 200) : roll(d, 12, 28);
    s.places *= *last;
    s.worlds = (int)roll_small(d, 1, 2);
    return s;
}

/* Returns a number of agents: few, or as many as threads share. */
static int64_t draw_agents(dice *d, const space *s)
{
    const int64_t few = s->places < 50 ? s->places : 50, many = s->places < 350 ? s->places : 350;
    return roll_small(d, 0, roll(d, 0, 1) ? few : many);
}

static void turn_case(dice *d)
{
    static const int radii[] = {0, 1, 1, 2, 3, 6};
    const space s = draw_turning_space(d);
    const int64_t radius = radii[roll(d, 0, 5)], hunters = draw_agents(d, &s), prey = draw_agents(d, &s);
    const int64_t steps = roll_small(d, 1, 8);
    const char *options = OPTIONS({"--seed ", 0, 9999}, {"--worlds ", s.worlds, s.worlds},
                                  {"--set radius=", radius, radius}, {"--set far=", -1, radius},
                                  {"--set hunters=", hunters, hunters}, {"--set prey=", prey, prey},
                                  {"--set seats=", 0, 3}, {"--set prey_seats=", 0, 3}, {"--set fertile=", 1, 20},
                                  {"--set deadly=", 2, 40}, {"--set gated=", 0, 1});
    expect_plugin_agrees(d, &s, "turn", options, steps);
}

/* Most phases are shuffled and not reversed, which threads share. */
static void ripple_case(dice *d)
{
    static const int radii[] = {0, 1, 1, 2, 3};
    const space s = draw_turning_space(d);
    const int64_t radius = radii[roll(d, 0, 4)], shuffled = roll(d, 0, 3) > 0, steps = roll_small(d, 1, 8);
    const char *options = OPTIONS({"--seed ", 0, 9999}, {"--worlds ", s.worlds, s.worlds},
                                  {"--set radius=", radius, radius}, {"--set reach=", 0, radius},
                                  {"--set order=", 0, shuffled ? 0 : 5}, {"--set reversed=", 0, !shuffled},
                                  {"--set walkers=", 0, s.places}, {"--set gated=", 0, 1});
    expect_plugin_agrees(d, &s, "ripple", options, steps);
}

/* On CPUs, populations may share a turn. */
/* Without a limit of seats, agents that are more fertile become too many in a few steps. */
static void mingle_case(dice *d)
{
    const space s = draw_turning_space(d);
    const int64_t radius = roll(d, 0, 1) ? 3 : 1, shuffled = roll(d, 0, 1), steps = roll_small(d, 1, 6);
    const int64_t ants = draw_agents(d, &s), bees = draw_agents(d, &s), cows = draw_agents(d, &s);
    const int64_t shared = shuffled && draw_way == draw_cpu_way ? roll(d, 0, 2) : 0;
    const char *options = OPTIONS({"--seed ", 0, 9999}, {"--worlds ", s.worlds, s.worlds},
                                  {"--set radius=", radius, radius}, {"--set reach=", 0, radius},
                                  {"--set ants=", ants, ants}, {"--set bees=", bees, bees},
                                  {"--set cows=", cows, cows}, {"--set seats_of_ants=", 0, 3},
                                  {"--set seats_of_bees=", 0, 3}, {"--set seats_of_cows=", 0, 3},
                                  {"--set fertile=", 4, 20}, {"--set deadly=", 3, 40},
                                  {"--set order=", 0, shuffled ? 0 : 4}, {"--set order_of_bees=", 0, shuffled ? 0 : 4},
                                  {"--set reversed=", 0, shuffled ? 0 : 3}, {"--set times=", 1, shared ? 1 : 3},
                                  {"--set shared=", shared, shared}, {"--set starts=", 0, 1},
                                  {"--set gated=", 0, 2});
    expect_plugin_agrees(d, &s, "mingle", options, steps);
}

/* Moves too far are ignored, and paranoid refuses them: they are for the other tests. */
static void veer_case(dice *d)
{
    const int dimensions = (int)roll(d, 1, 3);
    const space s = draw_space(d, dimensions, 12);
    const int64_t sight = roll_small(d, 0, 24), cell = roll(d, 1, 40), meets = roll(d, 1, 3);
    const int64_t steps = roll_small(d, 1, 6);
    const char *options = OPTIONS({"--seed ", 0, 9999}, {"--worlds ", s.worlds, s.worlds}, {"--set edge=", 0, 2},
                                  {"--set flies=", 0, s.places < 200 ? s.places : 200},
                                  {"--set lures=", 0, s.places < 200 ? s.places : 200},
                                  {"--set meets=", meets, meets}, {"--set changes=", 1, meets});
    options = text("%s --set sight=%.3g --set cell=%.3g", options, (double)sight / 8, (double)cell / 13);
    expect_plugin_agrees(d, &s, text("veer%d", dimensions), options, steps);
}

typedef struct case_model {
    const char *name;
    void (*run)(dice *);
} case_model;

/* The last ones, in turn, are for one process. */
static const case_model models[] = {{"near", near_case},     {"sprout", sprout_case_of}, {"totals", totals_case},
                                    {"lists", lists_case_of}, {"anybody", anybody_case},  {"world", world_case},
                                    {"claims", claims_case}, {"eaten", eaten_case},      {"points", points_case},
                                    {"turn", turn_case},
                                    {"ripple", ripple_case}, {"mingle", mingle_case},
                                    {"veer", veer_case}};
enum { MODELS = sizeof models / sizeof *models, SHARED_MODELS = MODELS - 4 };

/* Returns the model of a case: the one of MASS_CASES_OF, or each after the other. */
static const case_model *model_of(int64_t i, bool alone)
{
    const char *of = getenv("MASS_CASES_OF");
    for (int k = 0; of && k < MODELS; k++)
        if (strcmp(of, models[k].name) == 0) return &models[k];
    cr_assert(!of, "MASS_CASES_OF=%s: no model of cases.c has this name", of);
    return &models[i % (alone ? MODELS : SHARED_MODELS)];
}

void expect_cases(way_source *ways, int64_t rows, bool alone, int sample)
{
    const char *count = getenv("MASS_CASES"), *from = getenv("MASS_CASES_FROM");
    const int64_t first = from ? strtoll(from, NULL, 10) : 0, end = first + (count ? strtoll(count, NULL, 10) : sample);
    draw_way = ways;
    least_rows = rows;
    for (int64_t i = first; i < end; i++) {
        if (count && i % 100 == 0) fprintf(stderr, "case %lld\n", (long long)i);
        dice d = {.key = mass_random_key(40, (uint64_t)i)};
        d.small = roll(&d, 0, 1);
        model_of(i, alone)->run(&d);
    }
}
