/* SPDX-License-Identifier: Apache-2.0 */
/* Runs killed at random moments, resumed on another device and in other partitions, end as if nothing
 * had been: 100 of each model, or a sample. */
#include "../extended.h"
#include "killed.h"
#include "minesweeper/minesweeper.h"
#include "sugarscape/sugarscape.h"

#include <criterion/criterion.h>

enum { KILLS = 100, SAMPLE = 16, STEPS = 320, EVERY = 16 };

static const char *const places[] = {"--device cpu --threads 1", "--device paranoid --threads 1 --partitions 2",
                                     "--device cpu --threads 2 --partitions 7",
                                     "--device cpu --threads 1 --partitions 3"};
enum { PLACES = sizeof places / sizeof *places };

static void kill_often(const model *models, int count, uint64_t seed)
{
    const char *expected[2];
    for (int i = 0; i < count; i++) expected[i] = expected_result(&models[i]);
    const int wanted = extended(SAMPLE, KILLS);
    kills k = {.random = seed};
    for (int i = 0; k.resumed < wanted; i++) {
        const int from = i % PLACES, to = (from + 1 + i / PLACES % (PLACES - 1)) % PLACES;
        kill_and_resume(&models[i % count], EVERY, places[from], places[to], expected[i % count], &k);
        cr_assert_leq(k.early + k.late, wanted / 2 + 4, "most kills miss the runs: %d too early, %d too late", k.early,
                      k.late);
    }
}

Test(kill, life_ends_as_if_it_had_not_been_killed)
{
    const model models[] = {life_model(160, 120, STEPS, "B3/S23", "torus"),
                            life_model(77, 41, STEPS, "B36/S23", "dead")};
    kill_often(models, 2, 1);
}

Test(kill, heat_ends_as_if_it_had_not_been_killed)
{
    const model models[] = {heat_model(64, 48, 1, STEPS, 2, 1, 2), heat_model(13, 11, 9, STEPS, 1, 6, 2)};
    kill_often(models, 2, 2);
}

Test(kill, sugarscape_ends_as_if_it_had_not_been_killed)
{
    const model models[] = {
        sugarscape_model(60, 44, STEPS, "--seed 6 --set replace=yes --set reproduce=30 --set growback=2"),
        sugarscape_model(37, 50, STEPS, "--seed 7 --set reproduce=12 --set landscape=flat --worlds 2")};
    kill_often(models, 2, 3);
}

Test(kill, minesweeper_ends_as_if_it_had_not_been_killed)
{
    const model models[] = {minesweeper_model(46, 46, STEPS, "--seed 8 --set restart=0.6"),
                            minesweeper_model(20, 31, STEPS, "--seed 9 --worlds 3 --set agents=200")};
    kill_often(models, 2, 4);
}
