/* SPDX-License-Identifier: Apache-2.0 */
/* Agents with positions, over several ranks: slabs thick and thin, thinner than the distance too. */
#include "lost.h"
#include "needed.h"
#include "ways.h"

const needed what_is_needed = {"--plugin life --steps 0 --quiet --ranks 2",
                               {"there is no MPI in this build", "needs mpirun, which is not in PATH", NULL}};

Test(points_ranks, several_ranks_are_one)
{
    for (int i = 0; i < POINTS_RUNS; i++)
        cr_expect_str_eq(engine_result(text("%s --device cpu --threads 1 --ranks %d --partitions %d", points_options(i),
                                            2 + i % 2, 1 + i % 4 / 3)),
                         engine_result(text("%s --device cpu --threads 1", points_options(i))), "%s",
                         points_options(i));
}

Test(points_ranks, in_turn_several_ranks_are_one)
{
    for (int i = 0; i < VEER_RUNS; i++)
        if (points_rows(&veer_runs[i]) >= 3)
            cr_expect_str_eq(engine_result(text("%s --device %s --threads 1 --ranks %d --partitions %d",
                                                veer_options(i), i % 4 ? "cpu" : "paranoid", 2 + i % 2,
                                                1 + i % 3 / 2)),
                             engine_result(text("%s --device cpu --threads 1", veer_options(i))), "%s",
                             veer_options(i));
}

Test(points_ranks, fields_at_points_are_the_same)
{
    for (int i = 0; i < BLUR_RUNS; i++)
        cr_expect_str_eq(engine_result(text("%s --device cpu --threads 1 --ranks 2", blur_options(i))),
                         engine_result(text("%s --device cpu --threads 1", blur_options(i))), "%s", blur_options(i));
}

Test(points_ranks, sprouts_are_the_same)
{
    for (int i = 0; i < SEEDED_RUNS; i++)
        cr_expect_str_eq(engine_result(text("%s --device cpu --threads 1 --ranks 3", seeded_options(i))),
                         engine_result(text("%s --device cpu --threads 1", seeded_options(i))), "%s",
                         seeded_options(i));
}

Test(points_ranks, places_and_what_is_no_number_are_ignored_and_reported)
{
    expect_ignored("--device cpu --threads 1 --ranks 2", 31, 2, 1);
}
