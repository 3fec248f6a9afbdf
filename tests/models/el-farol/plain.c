/* SPDX-License-Identifier: Apache-2.0 */
#include "el-farol/plain.h"
#include "standard/stored.h"

#include <mass/random.h>

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of the phases of the start. */
enum { BEGIN = 0, THINK = 1 };
enum { STRATEGIES = 10, MEMORY = 5, WEEKS = 2 * MEMORY, WEIGHTS = STRATEGIES * (MEMORY + 1), STEPS = 60 };

typedef struct setting {
    int nx, ny, people;
    double crowded;
} setting;

static const setting settings[] = {{10, 10, 100, 0.6}, {7, 9, 301, 0.35}, {4, 31, 53, 0.8}, {3, 3, 1, 0.5}};
enum { SETTINGS = sizeof settings / sizeof *settings };

typedef struct town {
    const setting *set;
    uint64_t key;
    float (*weights)[WEIGHTS]; /* [people] in the order of the checkpoint */
    uint8_t *goes;
    double past[WEEKS];
    int64_t attendance, visits;
} town;

static double forecast(const float *weights, const double *before)
{
    double share = (double)weights[MEMORY];
    for (int week = 0; week < MEMORY; week++) share += (double)weights[week] * before[week];
    return share;
}

static int best_of(const float *weights, const double *past)
{
    double errors[STRATEGIES] = {0};
    int best = 0;
    for (int s = 0; s < STRATEGIES; s++)
        for (int week = 0; week < MEMORY; week++)
            errors[s] += fabs(past[week] - forecast(weights + s * (MEMORY + 1), past + week + 1));
    for (int s = 1; s < STRATEGIES; s++)
        if (errors[s] < errors[best]) best = s;
    return best;
}

static void step(town *t)
{
    t->attendance = 0;
    for (int i = 0; i < t->set->people; i++) {
        const float *trusted = t->weights[i] + best_of(t->weights[i], t->past) * (MEMORY + 1);
        t->goes[i] = forecast(trusted, t->past) <= t->set->crowded;
        t->attendance += t->goes[i];
    }
    t->visits += t->attendance;
    memmove(t->past + 1, t->past, (WEEKS - 1) * sizeof *t->past);
    t->past[0] = (double)t->attendance / t->set->people;
}

/* ---- the engine's ---- */

static const char *options_of(const setting *s)
{
    return text("--size %dx%d --set people=%d --set crowded=%g", s->nx, s->ny, s->people, s->crowded);
}

static void begin(void *loop, const char *path)
{
    town *t = loop;
    size_t count;
    uint64_t *ids = stored_agents(path, "people", "id", sizeof *ids, &count);
    cr_assert_eq(count, (size_t)t->set->people);
    t->weights = calloc(count, sizeof *t->weights);
    t->goes = calloc(count, sizeof *t->goes);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < WEIGHTS; k++) {
            const mass_random4 r = mass_random_block(t->key, ids[i], 0, THINK, (uint32_t)k / 4);
            t->weights[i][k] = 2 * mass_unit_f32(r.v[k % 4]) - 1;
        }
    for (int week = 0; week < WEEKS; week++) {
        const mass_random4 r = mass_random_block(t->key, 0, 0, BEGIN, (uint32_t)week);
        t->past[week] = mass_unit_f64(r.v[0], r.v[1]);
    }
    expect_agents(path, "people", "strategies", t->weights, sizeof *t->weights, count, "the start");
    free(ids);
}

static void advance(void *loop, const char *path, const char *what)
{
    town *t = loop;
    step(t);
    if (path) expect_agents(path, "people", "goes", t->goes, sizeof *t->goes, (size_t)t->set->people, what);
}

static void end(void *loop, const outcome *o, const char *what)
{
    const town *t = loop;
    const json_t *past = json_object_get(json_object_get(o->report, "tallies"), "past");
    cr_assert_eq(json_array_size(past), WEEKS, "past of %s", what);
    for (size_t week = 0; week < WEEKS; week++)
        cr_expect_eq(json_number_value(json_array_get(past, week)), t->past[week], "week %zu of %s", week, what);
    cr_expect_eq(tally_of(o, "attendance"), t->attendance, "%s", what);
    cr_expect_eq(tally_of(o, "visits"), t->visits, "%s", what);
    cr_expect(t->set->people < 50 || (t->visits > 0 && t->visits < (int64_t)STEPS * t->set->people), "%s", what);
}

void expect_el_farol(const char *where)
{
    for (int i = 0; i < SETTINGS; i++) {
        town t = {.set = &settings[i], .key = mass_random_key((uint64_t)i + 1, 0)};
        const standard_run r = {"el-farol", options_of(t.set), i + 1, STEPS};
        each_step(&r, where, &t, begin, advance, end);
        free(t.weights), free(t.goes);
    }
}

void each_el_farol(void (*check)(const model *m))
{
    static const char *const attributes[] = {"id", "place", "strategies", "goes", NULL};
    for (int i = 1; i < 3; i++) {
        const model m = {text("--plugin '%s/el-farol.so' --seed %d %s", getenv("MASS_PLUGINS"), i + 1,
                              options_of(&settings[i])), NULL, settings[i].ny, 24, "people", attributes};
        check(&m);
    }
}
