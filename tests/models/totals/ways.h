/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of totals, and what a plain loop makes of the same model. */
#ifndef MASS_TESTS_MODELS_TOTALS_WAYS_H
#define MASS_TESTS_MODELS_TOTALS_WAYS_H

#include "plain.h"
#include "run.h"

#include <criterion/criterion.h>

typedef struct town_run {
    int nx, ny, steps, rare_from;
} town_run;
static const town_run towns[] = {{24, 18, 1, 230}, {24, 18, 2, 230}, {24, 18, 45, 230}, {31, 7, 40, 0},
                                 {20, 21, 40, 100000}};
enum { TOWNS = sizeof towns / sizeof *towns };

/* Returns the options of the command for a run of this model. */
static inline const char *town_options(const town_run *r)
{
    return text("--plugin '%s/totals.so' --size %dx%d --steps %d --set rare_from=%d", MASS_TEST_PLUGINS, r->nx, r->ny,
                r->steps, r->rare_from);
}

/* Expects a tally in every world: integers and doubles to the last bit. */
static inline void expect_tally(const json_t *tallies, const char *name, double value, const char *options)
{
    const json_t *found = json_object_get(tallies, name);
    const size_t worlds = json_is_array(found) ? json_array_size(found) : 1;
    for (size_t w = 0; w < worlds; w++) {
        const json_t *one = json_is_array(found) ? json_array_get(found, w) : found;
        cr_expect(json_is_number(one) && json_number_value(one) == value, "%s: %s is %.17g and not %.17g", options,
                  name, json_number_value(one), value);
    }
}

/* Expects of a run with these options the tallies of the plain loop. */
static inline void expect_town_of(const town_run *r, const char *options)
{
    const town t = town_after(r->nx, r->ny, r->steps, r->rare_from);
    outcome o = engine_run(options);
    const json_t *tallies = json_object_get(o.report, "tallies");
    const struct { const char *name; double value; } all[] = {
        {"demand", (double)t.demand}, {"least", (double)t.least}, {"most", t.most}, {"mean", t.mean},
        {"ever", (double)t.ever}, {"fixed", (double)t.fixed / 256}, {"price", t.price},
        {"attendance", (double)t.attendance}, {"alive", (double)t.alive}, {"born", (double)t.born},
        {"trace", (double)t.trace}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) expect_tally(tallies, all[i].name, all[i].value, options);
    outcome_free(&o);
}

/* The same for a run with more options. */
static inline void expect_town(const town_run *r, const char *more)
{
    expect_town_of(r, text("%s %s", town_options(r), more));
}

#endif
