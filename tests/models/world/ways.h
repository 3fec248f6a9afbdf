/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of world, and what a plain loop makes of the same model. */
#ifndef MASS_TESTS_MODELS_WORLD_WAYS_H
#define MASS_TESTS_MODELS_WORLD_WAYS_H

#include "plain.h"
#include "run.h"

#include <criterion/criterion.h>

static const market_run markets[] = {MARKET(24, 18, 1, 1), MARKET(24, 18, 2, 2), MARKET(24, 18, 45, 3),
                                     MARKET(31, 7, 40, 4), MARKET(20, 21, 40, 5)};
enum { MARKETS = sizeof markets / sizeof *markets };

/* Returns the options of the command for a run of this model. */
static inline const char *market_options(const market_run *r)
{
    const char *size = r->size[2] > 1 ? text("%dx%dx%d", r->size[0], r->size[1], r->size[2])
                                      : text("%dx%d", r->size[0], r->size[1]);
    const char *weights = "";
    for (int i = 0; i < r->weights; i++) weights = text("%s%s%.17g", weights, i ? "," : "", r->weight[i]);
    return text("--plugin '%s/world.so' --size %s --steps %d --seed %d --set torus=%d --set span=%d --set last=%d "
                "--set speed=%.17g --set weights=%s", MASS_TEST_PLUGINS, size, r->steps, r->seed, r->torus, r->span,
                r->last, r->speed, weights);
}

/* Expects a value to the last bit. */
static inline void expect_value(const json_t *found, const char *name, int at, double value, const char *options)
{
    cr_expect(json_is_number(found) && json_number_value(found) == value, "%s: %s[%d] is %.17g and not %.17g", options,
              name, at, json_number_value(found), value);
}

/* Expects the values of one world. */
static inline void expect_values(const json_t *tallies, int world, int worlds, const market *t, const char *options)
{
    const struct { const char *name; double value; } all[] = {
        {"demand", (double)t->demand}, {"attendance", (double)t->attendance}, {"trace", (double)t->trace},
        {"price", t->price}, {"turns", (double)t->turns}, {"luck", (double)t->luck}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const json_t *found = json_object_get(tallies, all[i].name);
        expect_value(worlds > 1 ? json_array_get(found, (size_t)world) : found, all[i].name, 0, all[i].value, options);
    }
    const json_t *memory = json_object_get(tallies, "memory"), *past = json_object_get(tallies, "past");
    if (worlds > 1) memory = json_array_get(memory, (size_t)world), past = json_array_get(past, (size_t)world);
    cr_assert(json_array_size(memory) == 5 && json_array_size(past) == 3, "%s", options);
    for (int i = 0; i < 5; i++)
        expect_value(json_array_get(memory, (size_t)i), "memory", i, (double)t->memory[i], options);
    for (int i = 0; i < 3; i++) expect_value(json_array_get(past, (size_t)i), "past", i, t->past[i], options);
}

/* Expects of a run with these options what the plain loop computes. */
static inline void expect_market_of(const market_run *r, int worlds, const char *options)
{
    outcome o = engine_run(options);
    for (int w = 0; w < worlds; w++) {
        const market t = market_after(r, (uint64_t)w);
        expect_values(json_object_get(o.report, "tallies"), w, worlds, &t, options);
    }
    outcome_free(&o);
}

/* The same for a run in some worlds with more options. */
static inline void expect_market(const market_run *r, int worlds, const char *more)
{
    expect_market_of(r, worlds, text("%s --worlds %d %s", market_options(r), worlds, more));
}

#endif
