/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of world, and what a plain loop makes of the same model. */
#ifndef MASS_TESTS_MODELS_WORLD_WAYS_H
#define MASS_TESTS_MODELS_WORLD_WAYS_H

#include "plain.h"
#include "run.h"

#include <criterion/criterion.h>

typedef struct town_run {
    int nx, ny, steps, seed;
} town_run;
static const town_run towns[] = {{24, 18, 1, 1}, {24, 18, 2, 2}, {24, 18, 45, 3}, {31, 7, 40, 4}, {20, 21, 40, 5}};
enum { TOWNS = sizeof towns / sizeof *towns };

static inline const char *town_options(const town_run *r)
{
    return text("--plugin '%s/world.so' --size %dx%d --steps %d --seed %d", MASS_TEST_PLUGINS, r->nx, r->ny, r->steps,
                r->seed);
}

/* Expects a value to the last bit. */
static inline void expect_value(const json_t *found, const char *name, int at, double value, const char *options)
{
    cr_expect(json_is_number(found) && json_number_value(found) == value, "%s: %s[%d] is %.17g and not %.17g", options,
              name, at, json_number_value(found), value);
}

/* Expects the values of one world. */
static inline void expect_town(const json_t *tallies, int world, int worlds, const town *t, const char *options)
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

/* Runs a town in some worlds with more options, and expects what the plain loop computes. */
static inline void expect_plain(const town_run *r, int worlds, const char *more)
{
    const char *options = text("%s --worlds %d %s", town_options(r), worlds, more);
    outcome o = engine_run(options);
    for (int w = 0; w < worlds; w++) {
        const town t = town_after(r->nx, r->ny, r->steps, (uint64_t)r->seed, (uint64_t)w);
        expect_town(json_object_get(o.report, "tallies"), w, worlds, &t, options);
    }
    outcome_free(&o);
}

#endif
