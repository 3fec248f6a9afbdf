/* SPDX-License-Identifier: Apache-2.0 */
/* Random small cases of agents that meet, in random ways to run: spaces of one to three dimensions down to one place,
 * tori and bounded ones, reaches beyond the space, none or many agents. Each comes to what a plain program does.
 *
 * A case is a number. MASS_CASES sets how many there are, MASS_CASES_FROM the first:
 *
 *     MASS_CASES=20000 build/release/tests/bin/test-models-cases
 */
#include "lists/plain.h"
#include "sprout/known.h"
#include "totals/ways.h"

#include <mass/random.h>

enum { SAMPLE = 96 };

/* A source of the numbers of one case. */
typedef struct dice {
    uint64_t key;
    uint64_t next;
} dice;

/* Returns a number from `least` to `most`. */
static int64_t draw(dice *d, int64_t least, int64_t most)
{
    const mass_random4 r = mass_random_block(d->key, d->next++, 0, 0, 0);
    return least + (int64_t)(((uint64_t)r.v[0] << 32 | r.v[1]) % (uint64_t)(most - least + 1));
}

/* Returns a number from `least` to `most`, small ones more often. */
static int64_t draw_small(dice *d, int64_t least, int64_t most) { return draw(d, least, draw(d, least, most)); }

/* A space: extents of 1 along axes that it does not have. */
typedef struct space {
    int dimensions;
    int64_t size[3], torus, places;
} space;

static space draw_space(dice *d, int dimensions, int64_t most)
{
    space s = {dimensions, {1, 1, 1}, 0, 1};
    for (int a = 0; a < dimensions; a++) {
        s.size[a] = draw_small(d, 1, dimensions == 1 ? most * 4 : dimensions == 2 ? most : most / 3);
        s.torus |= draw(d, 0, 1) << a;
        s.places *= s.size[a];
    }
    return s;
}

static const char *size_text(const space *s)
{
    return s->dimensions == 1   ? text("--size %d", (int)s->size[0])
           : s->dimensions == 2 ? text("--size %dx%d", (int)s->size[0], (int)s->size[1])
                                : text("--size %dx%dx%d", (int)s->size[0], (int)s->size[1], (int)s->size[2]);
}

/* Returns options for a way to run on a CPU. A partition has a row, or a layer, at least. */
static const char *draw_way(dice *d, const space *s)
{
    const int64_t slabs = s->size[s->dimensions - 1];
    const int partitions = (int)draw(d, 1, slabs < 7 ? slabs : 7), threads = (int)draw(d, 0, 3);
    return threads ? text("--device cpu --threads %d --partitions %d", threads, partitions)
                   : text("--device paranoid --partitions %d", partitions);
}

/* ---- the models: each number is drawn by a statement of its own, so that all compilers draw the same ---- */

/* The plugin itself compares its last step with a plain program. */
static void near_case(dice *d)
{
    const space s = draw_space(d, (int)draw(d, 1, 3), 12);
    const char *options = text("--plugin '%s/near.so' %s --set torus=%d", MASS_TEST_PLUGINS, size_text(&s),
                               (int)s.torus);
    const int64_t reach = draw_small(d, 1, 12);
    const struct { const char *option; int64_t least, most; } all[] = {
        {"--seed ", 0, 9999}, {"--steps ", 1, 5}, {"--worlds ", 1, 3}, {"--set reach=", reach, reach},
        {"--set far=", -1, reach}, {"--set ants=", 0, 2 * s.places}, {"--set bees=", 0, s.places}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        options = text("%s %s%d", options, all[i].option, (int)draw_small(d, all[i].least, all[i].most));
    const char *way = draw_way(d, &s);
    cr_expect_str_eq(engine_result(text("%s %s", options, way)), engine_result(text("%s --threads 1", options)),
                     "%s %s", options, way);
}

static void sprout_case_of(dice *d)
{
    const space s = draw_space(d, (int)draw(d, 1, 3), 12);
    sprout_case c = {.size = {s.size[0], s.size[1], s.size[2]}, .torus = s.torus};
    c.capacity = draw(d, 0, 3);
    c.order = draw(d, 0, 2);
    c.gate = draw_small(d, 0, s.places);
    c.steps = draw(d, 1, 7);
    expect_known(&c, text("%s %s", sprout_options(&c), draw_way(d, &s)));
}

/* With so many places each tally counts something; of nothing, a report has no minimum. */
static void totals_case(dice *d)
{
    space s = {.dimensions = 2};
    town_run r;
    r.nx = (int)(s.size[0] = draw(d, 8, 24));
    r.ny = (int)(s.size[1] = draw(d, 6, 24));
    r.steps = (int)draw(d, 1, 20);
    r.rare_from = (int)draw_small(d, 0, 500);
    expect_town(&r, draw_way(d, &s));
}

static void lists_case_of(dice *d)
{
    static const double halves[] = {0.5, 0.25};
    int64_t prices[24];
    const char *list = "";
    const space s = draw_space(d, 2, 16);
    lists_case c = {.nx = (int)s.size[0], .ny = (int)s.size[1], .steps = 20, .price = prices};
    c.prices = (int)draw(d, 3, 24); /* a body reads the third */
    c.span = (int)draw(d, 1, c.prices);
    for (int i = 0; i < c.prices; i++) list = text("%s%s%d", list, i ? "," : "", (int)(prices[i] = draw(d, -99, 99)));
    outcome o = engine_run(lists_options(text("%s --set prices='[%s]' --set span=%d %s", size_text(&s), list, c.span,
                                              draw_way(d, &s))));
    expect_lists(&o, &c, halves, 0);
    outcome_free(&o);
}

/* The plugin itself compares its state with that of a plain program. A line of bits is one partition. */
static void turn_case(dice *d)
{
    static const int radii[] = {0, 1, 1, 2, 3, 6};
    const space s = draw_space(d, (int)draw(d, 1, 3), 12);
    const char *options = text("--plugin '%s/turn.so' %s --set torus=%d", MASS_TEST_PLUGINS, size_text(&s),
                               (int)s.torus);
    const int64_t radius = radii[draw(d, 0, 5)];
    const struct { const char *option; int64_t least, most; } all[] = {
        {"--seed ", 0, 9999}, {"--steps ", 1, 8}, {"--worlds ", 1, 3}, {"--set radius=", radius, radius},
        {"--set far=", -1, radius}, {"--set hunters=", 0, s.places < 50 ? s.places : 50},
        {"--set prey=", 0, s.places < 50 ? 2 * s.places : 100}, {"--set seats=", 0, 3}, {"--set prey_seats=", 0, 3},
        {"--set fertile=", 1, 20}, {"--set deadly=", 2, 40}, {"--set gated=", 0, 1}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        options = text("%s %s%d", options, all[i].option, (int)draw(d, all[i].least, all[i].most));
    const char *way = s.dimensions > 1 ? draw_way(d, &s) : text("--device paranoid");
    cr_expect_str_eq(engine_result(text("%s %s", options, way)), engine_result(text("%s --threads 1", options)),
                     "%s %s", options, way);
}

static void (*const models[])(dice *) = {near_case, sprout_case_of, totals_case, lists_case_of, turn_case};
enum { MODELS = sizeof models / sizeof *models };

static int64_t number_in(const char *variable, int64_t otherwise)
{
    const char *given = getenv(variable);
    return given ? strtoll(given, NULL, 10) : otherwise;
}

Test(cases, come_to_what_plain_programs_do)
{
    const int64_t first = number_in("MASS_CASES_FROM", 0), count = number_in("MASS_CASES", SAMPLE);
    for (int64_t i = first; i < first + count; i++) {
        dice d = {mass_random_key(40, (uint64_t)i), 0};
        models[i % MODELS](&d);
    }
}
