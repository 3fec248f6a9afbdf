/* SPDX-License-Identifier: Apache-2.0 */
/* Agents with positions, on a GPU: recorded steps, partitions and worlds. */
#include "gpu.h"
#include "lost.h"
#include "ways.h"

Test(points_cuda, finds_what_a_plain_program_finds)
{
    for (int i = 0; i < POINTS_RUNS; i++)
        for (int partitions = 1; partitions <= 2; partitions++)
            cr_expect_str_eq(engine_result(text("%s --device cuda --partitions %d", points_options(i), partitions)),
                             engine_result(text("%s --device cpu", points_options(i))), "%s", points_options(i));
}

Test(points_cuda, long_runs_and_many_agents_are_the_same)
{
    static const char *const more[] = {
        "points2.so' --size 20x30 --steps 150 --seed 1",
        "points3.so' --size 30x20x40 --set specks=20000 --set motes=9000 --steps 40 --seed 3",
        "points2.so' --size 9x9 --worlds 20 --steps 60 --seed 4",
    };
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        const char *run = text("--plugin '%s/%s", MASS_TEST_PLUGINS, more[i]);
        cr_expect_str_eq(engine_result(text("%s --device cuda", run)), engine_result(text("%s --device cpu", run)),
                         "%s", run);
    }
}

Test(points_cuda, in_turn_rounds_are_the_loop)
{
    for (int i = 0; i < VEER_RUNS; i++)
        for (int partitions = 1; partitions <= 2; partitions++)
            cr_expect_str_eq(engine_result(text("%s --device cuda --partitions %d", veer_options(i), partitions)),
                             engine_result(text("%s --device cpu", veer_options(i))), "%s", veer_options(i));
}

Test(points_cuda, fields_at_points_are_the_same)
{
    for (int i = 0; i < BLUR_RUNS; i++)
        for (int partitions = 1; partitions <= 2; partitions++)
            cr_expect_str_eq(engine_result(text("%s --device cuda --partitions %d", blur_options(i), partitions)),
                             engine_result(text("%s --device cpu", blur_options(i))), "%s", blur_options(i));
}

Test(points_cuda, sprouts_are_the_same)
{
    for (int i = 0; i < SEEDED_RUNS; i++)
        for (int partitions = 1; partitions <= 2; partitions++)
            cr_expect_str_eq(engine_result(text("%s --device cuda --partitions %d", seeded_options(i), partitions)),
                             engine_result(text("%s --device cpu", seeded_options(i))), "%s", seeded_options(i));
}

Test(points_cuda, places_and_what_is_no_number_are_ignored_and_reported)
{
    expect_all_ignored("--device cuda");
    expect_ignored("--device cuda --partitions 2 --worlds 3", 31, 2, 1);
}
