/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of claims: spaces of one to three dimensions, on tori and bounded, few agents on a place and many. */
#ifndef MASS_TESTS_MODELS_CLAIMS_WAYS_H
#define MASS_TESTS_MODELS_CLAIMS_WAYS_H

#include "run.h"

#include <criterion/criterion.h>

typedef struct claims_run {
    int rows; /* that partitions divide */
    const char *options;
} claims_run;
static const claims_run claims_runs[] = {
    {18, "--size 24x18 --seed 1 --steps 20"},
    {18, "--size 24x18 --seed 2 --steps 9 --set reach=3 --set far=3 --set capacity=1"},
    {40, "--size 40 --seed 3 --steps 20 --set torus=0 --set wolves=25 --set sheep=30 --set reach=3 --set far=3"},
    {7, "--size 9x8x7 --seed 4 --steps 8 --set torus=6 --set wolves=200 --set sheep=90 --set reach=2 --set far=3"},
    {9, "--size 12x9 --seed 5 --steps 12 --set torus=1 --worlds 3 --set reach=2 --set far=2 --set capacity=2"},
    {4, "--size 5x4 --seed 6 --steps 12 --set torus=3 --set wolves=9 --set reach=9 --set far=9 --set capacity=1"},
    {2, "--size 2x2 --seed 7 --steps 12 --set torus=3 --set wolves=9"},
    {8, "--size 3x2x8 --seed 8 --steps 8 --set torus=7 --set wolves=20 --set reach=2 --set far=1024"},
    {1, "--size 1x1 --seed 9 --steps 8 --set torus=3"},
    {20, "--size 60x20 --seed 10 --steps 3 --set torus=0 --set wolves=700 --set sheep=900"}};
enum { CLAIMS_RUNS = sizeof claims_runs / sizeof *claims_runs };

/* Returns the options of the command for a run of this model. */
static inline const char *claims_options(int i)
{
    return text("--plugin '%s/claims.so' %s", MASS_TEST_PLUGINS, claims_runs[i].options);
}

/* Finishes a run of two steps whose trial may complain. */
static inline outcome claims_outcome(const char *more)
{
    process p = engine_start(text("--plugin '%s/claims.so' --seed 1 --steps 2 %s", MASS_TEST_PLUGINS, more));
    return engine_finish(&p);
}

/* Expects that the same runs have the same hash, although some of the claims are wrong. */
static inline void expect_same_wrong(const char *wrong, const char *where)
{
    outcome a = claims_outcome(text("--device cpu --threads 1 %s", wrong));
    outcome b = claims_outcome(text("%s %s", where, wrong));
    cr_expect(a.status == 0 && b.status == 0, "%s, %s: %s, %s", wrong, where, a.errors, b.errors);
    cr_expect_str_eq(a.hash, b.hash, "%s, %s", wrong, where);
    outcome_free(&a);
    outcome_free(&b);
}
static const char *const wrong_claims[] = {"--set mistake=nan", "--set mistake=nobody", "--set reach=3 --set far=1"};
enum { WRONG_CLAIMS = sizeof wrong_claims / sizeof *wrong_claims };

#endif
