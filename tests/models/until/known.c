/* SPDX-License-Identifier: Apache-2.0 */
#include "until_known.h"
#include "../../extended.h"
#include "same.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 300 };

/* ---- what is known: the tallies of every step ---- */

typedef struct series {
    int worlds;
    double population[STEPS + 1][4], births[STEPS + 1][4];
} series;

#define LIFE "--plugin life --size 61x45 --seed 3 --set density=0.25"

static series series_of(const char *options, int worlds)
{
    series s = {.worlds = worlds};
    const char *path = text("%s/rows.csv", folder_make());
    engine_result(text("%s --steps %d --log population --log births --series %s --device cpu --threads 1", options,
                       STEPS, path));
    FILE *file = fopen(path, "re");
    char line[200];
    cr_assert(file && fgets(line, sizeof line, file));
    for (int i = 0; i <= STEPS; i++)
        for (int w = 0; w < worlds; w++) {
            char *at = fgets(line, sizeof line, file);
            cr_assert_not_null(at);
            cr_assert_eq(strtol(at, &at, 10), i);
            if (worlds > 1) strtol(at + 1, &at, 10);
            s.population[i][w] = strtod(at + 1, &at);
            s.births[i][w] = strtod(at + 1, &at);
        }
    fclose(file);
    return s;
}

/* ---- conditions, and what C makes of them ---- */

typedef struct condition {
    const char *text;
    bool (*holds)(const series *s, int step, int world);
} condition;

static bool same_for(const double values[][4], int step, int world, int steps)
{
    for (int i = step - steps; i < step; i++)
        if (i < 1 || values[i][world] != values[step][world]) return false;
    return true;
}

static bool few(const series *s, int i, int w) { return s->population[i][w] < 215; }
static bool twice(const series *s, int i, int w) { return s->population[i][w] > 5 * s->births[i][w] && i >= 40; }
static bool still(const series *s, int i, int w) { return same_for(s->births, i, w, 1) && i > 2; }
static bool rests(const series *s, int i, int w)
{
    return same_for(s->births, i, w, 2) || (same_for(s->population, i, w, 3) && i > 70);
}
static bool at_77(const series *s, int i, int w) { return (void)s, (void)w, i == 77; }
static bool at_32(const series *s, int i, int w) { return (void)s, (void)w, i == 32; }
static bool at_once(const series *s, int i, int w) { return (void)s, (void)i, (void)w, true; }
static bool never(const series *s, int i, int w) { return (void)s, (void)i, (void)w, false; }

static const condition conditions[] = {{"population < 215", few},
                                       {"population > 5 * births && step >= 40", twice},
                                       {"steady(births, 1) && step > 2", still},
                                       {"steady(births, 2) || steady(population, 3) && step > 70", rests},
                                       {"step == 77", at_77},
                                       {"step == 32", at_32},
                                       {"1", at_once},
                                       {"0 / 0", never},
                                       {"steady(population, 1000)", never}};
enum { CONDITIONS = sizeof conditions / sizeof *conditions };

static int first_step(const series *s, const condition *c)
{
    for (int i = 1; i <= STEPS; i++) {
        bool holds = true;
        for (int w = 0; w < s->worlds; w++) holds &= c->holds(s, i, w);
        if (holds) return i;
    }
    return 0;
}

/* The run ended at `step`, 0 for its end, as one that was to end there. */
static void expect_end(const char *options, const char *where, const char *plain, const char *until, int step)
{
    outcome o = engine_run(text("%s %s", options, where));
    const char *expected = engine_known_result(text("%s --steps %d --device cpu --threads 1", plain,
                                                    step ? step : STEPS));
    const json_t *steps = json_object_get(o.report, "steps"), *held = json_object_get(o.report, "held");
    cr_expect_eq((int)json_integer_value(steps), step ? step : STEPS, "%s: %s ends at %d, not %d", where, until,
                 (int)json_integer_value(steps), step ? step : STEPS);
    cr_expect_eq(json_is_true(held), step != 0);
    cr_expect_str_eq(text("%s %s", o.hash, o.tallies), expected, "%s: %s", where, until);
    outcome_free(&o);
}

void expect_until_of_life(const char *where)
{
    const series s = series_of(LIFE, 1);
    int middle = 0;
    for (int i = 0; i < CONDITIONS; i++) {
        const int step = first_step(&s, &conditions[i]);
        middle += step > 1;
        if (!takes_part((size_t)i, 2)) continue;
        expect_end(text("%s --steps %d --until '%s'", LIFE, STEPS, conditions[i].text), where, LIFE, conditions[i].text,
                   step);
    }
    cr_assert_geq(middle, 5, "too few conditions come to hold");
}

void expect_same_rows(const char *where)
{
    static const int every[] = {1, 5, 40};
    for (int i = 0; i < 3; i++) {
        char *rows[2];
        for (int k = 0; k < 2; k++) {
            const char *path = text("%s/rows.jsonl", folder_make());
            engine_result(text("%s --worlds 3 --steps 120 --log births --log 'x=deaths / births' --log-every %d "
                               "--series %s %s", LIFE, every[i], path, k ? where : "--device cpu --threads 1"));
            FILE *file = fopen(path, "re");
            rows[k] = calloc(1, 1 << 16);
            cr_assert(file && rows[k] && fread(rows[k], 1, (1 << 16) - 1, file) > 1000 / (size_t)every[i]);
            fclose(file);
        }
        cr_expect_str_eq(rows[0], rows[1], "%s, every %d steps", where, every[i]);
        free(rows[0]);
        free(rows[1]);
    }
}

/* The run ends where it does on one CPU, which is after more than `from` steps, and fewer than `steps`. */
static void expect_end_of_cpu(const char *plain, const char *until, const char *where, int from, int steps)
{
    const char *options = text("%s --steps %d --until '%s'", plain, steps, until);
    outcome o = engine_run(text("%s --device cpu --threads 1", options));
    const int step = (int)json_integer_value(json_object_get(o.report, "steps"));
    cr_assert(step > from && step < steps, "%s holds at %d", until, step);
    outcome_free(&o);
    expect_end(options, where, plain, until, step);
}

#define ANTS "--plugin sugarscape --size 40x30 --seed 5"

void expect_until_of_agents(const char *where)
{
    const char *const texts[] = {"steady(ants, 8)", "step == 45", "ants < 100 || step > 61"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) expect_end_of_cpu(ANTS, texts[i], where, 1, 100);
}

void expect_until_late(const char *where)
{
    static const char *const worlds[] = {"--worlds 1", "--worlds 5"};
    for (int i = unsanitized(1, 0); i < 2; i++) {
        const char *life = text("--plugin life --size 150x120 --seed 3 --set density=0.25 %s", worlds[i]);
        for (int step = 640; step < 640 + 33; step += unsanitized(32, 8))
            expect_end_of_cpu(life, text("step == %d || steady(births, 9000)", step), where, 600, 5000);
        expect_end_of_cpu(life, "births < 250 && step > 400", where, 400, 9000);
        expect_end_of_cpu(life, "births < 500 && steady(deaths > 300, 4) && step > 400", where, 400, 9000);
        const char *ants = text("--plugin sugarscape --size 40x30 --seed 5 --set reproduce=30 %s", worlds[i]);
        expect_end_of_cpu(ants, "step == 777 && steady(births >= 0, 776)", where, 700, 5000);
    }
}

void expect_until_in_worlds(const char *where)
{
    const char *four = text("%s --worlds 4 --first-world 2", LIFE);
    const series s = series_of(four, 4);
    for (int i = 0; i < CONDITIONS; i++)
        if (takes_part((size_t)i + 1, 2))
            expect_end(text("%s --steps %d --until '%s'", four, STEPS, conditions[i].text), where, four,
                       conditions[i].text, first_step(&s, &conditions[i]));
    int step = 1;
    while (step <= STEPS && s.population[step][1] >= 290) step++;
    cr_assert(step > 1 && step < STEPS);
    expect_end(text("%s --steps %d --until 'population[3] < 290'", four, STEPS), where, four, "of a world", step);
}

void expect_until_beside_output(const char *where)
{
    const series s = series_of(LIFE, 1);
    const int step = first_step(&s, &conditions[3]);
    const char *folder = folder_make();
    const char *const outputs[] = {text("--checkpoint %s/a --checkpoint-every 7 --keep 0", folder),
                                   text("--checkpoint %s/b --log births --log-every 5", folder),
                                   text("--movie %s/c.gif --movie-every 11", folder),
                                   text("--series %s/d.jsonl --log-every 1", folder)};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        expect_end(text("%s --steps %d --until '%s' %s", LIFE, STEPS, conditions[3].text, outputs[i]), where, LIFE,
                   conditions[3].text, step);
    uint64_t steps[STEPS];
    const int count = checkpoint_steps(text("%s/a", folder), false, steps, STEPS);
    cr_expect_eq((int)steps[count - 1], step, "the last checkpoint is of step %d", (int)steps[count - 1]);
}

void expect_until_resumed(const char *where, const char *to)
{
    const series s = series_of(LIFE, 1);
    for (int i = unsanitized(1, 0); i < CONDITIONS; i += unsanitized(2, 1)) {
        const int end = first_step(&s, &conditions[i]);
        const char *folder = folder_make();
        engine_result(text("%s --steps %d --until '%s' --checkpoint %s --checkpoint-every 23 --keep 0 %s", LIFE, STEPS,
                           conditions[i].text, folder, where));
        uint64_t steps[STEPS];
        const int count = checkpoint_steps(folder, false, steps, STEPS), each = unsanitized((count + 1) / 2, 3);
        for (int k = 0; k < count; k += k + each < count ? each : 1) {
            const char *from = checkpoint_path(folder, steps[k]), *next = folder_make();
            expect_end(text("--resume %s --checkpoint %s", from, next), to, LIFE, conditions[i].text, end);
            if (unsanitized(k == 0, true))
                expect_end(text("--resume %s --checkpoint %s --until '%s'", from, next, conditions[i].text), to, LIFE,
                           conditions[i].text, end);
        }
    }
}
