/* SPDX-License-Identifier: Apache-2.0 */
/* Runs on a GPU killed at random moments and resumed on the CPU, and the other way round: 100 of
 * each model. */
#include "killed.h"
#include "minesweeper/minesweeper.h"
#include "sugarscape/sugarscape.h"

#include <criterion/criterion.h>

enum { KILLS = 100, STEPS = 800, EVERY = 40 };

static void kill_often(const model *m, uint64_t seed)
{
    const char *expected = expected_result(m);
    kills k = {.random = seed};
    for (int i = 0; k.resumed < KILLS; i++) {
        const char *gpu = text("--device cuda --partitions %d", i / 2 % 3 + 1);
        const char *cpu = text("--device cpu --threads 2 --partitions %d", i / 2 % 2 + 1);
        kill_and_resume(m, EVERY, i % 2 ? gpu : cpu, i % 2 ? cpu : gpu, expected, &k);
        cr_assert_leq(k.early + k.late, KILLS / 2, "most kills miss the runs: %d too early, %d too late", k.early,
                      k.late);
    }
}

Test(cuda_kill, life_ends_as_if_it_had_not_been_killed)
{
    const model m = life_model(160, 120, STEPS, "B3/S23", "torus");
    kill_often(&m, 3);
}

Test(cuda_kill, heat_ends_as_if_it_had_not_been_killed)
{
    const model m = heat_model(37, 26, 5, STEPS, 2, 5, 2);
    kill_often(&m, 4);
}

Test(cuda_kill, sugarscape_ends_as_if_it_had_not_been_killed)
{
    const model m = sugarscape_model(60, 44, STEPS, "--seed 6 --set replace=yes --set reproduce=30 --set growback=2");
    kill_often(&m, 5);
}

Test(cuda_kill, minesweeper_ends_as_if_it_had_not_been_killed)
{
    const model m = minesweeper_model(46, 46, STEPS, "--seed 8 --set restart=0.6");
    kill_often(&m, 6);
}
