/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU gives the bits of the CPU. */
#include "same.h"
#include "soup.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* More than two recordings of steps, and some on each side of them. */
enum { STEPS = 75 };

Test(cuda, soups_are_those_of_a_plain_reference) { expect_soups("--device cuda", 200); }

Test(cuda, acorn_has_633_cells_at_generation_5206) { expect_population("--device cuda", "acorn.rle", 5206, 633); }

Test(cuda, r_pentomino_has_116_cells_at_generation_1103)
{
    expect_population("--device cuda", "r-pentomino.rle", 1103, 116);
}

Test(cuda, is_what_ran)
{
    outcome o = engine_run("--plugin life --device cuda --steps 0");
    cr_expect_str_eq(json_string_value(json_object_get(o.report, "device")), "cuda:0");
    outcome_free(&o);
}

static void partitions(const model *m) { expect_same_in_partitions(m, "--device cuda", expected_result(m)); }

Test(cuda, life_in_any_number_of_partitions) { each_life(STEPS, partitions); }
Test(cuda, heat_in_any_number_of_partitions) { each_heat(STEPS, partitions); }

/* Sizes for which kernels take their different forms, and blocks their different shapes. */
Test(cuda, life_of_every_form)
{
    static const int sizes[][2] = {{1, 3},     {3, 1},      {3, 3},      {4, 4},      {7, 2},       {64, 64},
                                   {512, 512}, {1024, 24},  {8, 5000},   {1023, 999}, {2048, 2048}, {4096, 4096},
                                   {4097, 4095}, {8192, 4096}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int general = 0; general < 2; general++) {
            const model m = life_model(sizes[i][0], sizes[i][1], STEPS, general ? "B36/S23" : "B3/S23",
                                       (i + (size_t)general) % 2 ? "dead" : "torus");
            partitions(&m);
        }
}

Test(cuda, heat_of_every_form)
{
    static const int sizes[][3] = {{1, 1, 1},    {3, 3, 1},       {2, 3, 2},      {1024, 24, 1},  {515, 513, 1},
                                   {64, 64, 64}, {200, 100, 50},  {2048, 2048, 1}, {256, 256, 64}, {4096, 4096, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int radius = 1; radius <= 2; radius++) {
            const model m = heat_model(sizes[i][0], sizes[i][1], sizes[i][2], STEPS, radius, (int)(i * 3 + 1) % 8,
                                       i % 3 == 1 ? 1 : 2);
            partitions(&m);
        }
}

/* A step between the recorded ones is as good as any other, and its tallies count. */
Test(cuda, ends_at_any_step)
{
    for (int steps = 1; steps <= 104; steps += steps % 32 < 4 || steps % 32 > 30 ? 1 : 9) {
        const model life = life_model(77, 65, steps, "B3/S23", "torus"), heat = heat_model(33, 18, 1, steps, 1, 1, 2);
        expect_same(&life, "--device cuda", expected_result(&life));
        expect_same(&heat, "--device cuda", expected_result(&heat));
    }
}

static void worlds(const model *m)
{
    expect_same_worlds(m, "--device cuda", "--device cpu --threads 1");
    expect_same_worlds(m, m->rows >= 3 ? "--device cuda --partitions 3" : "--device cuda", "--device cuda");
}

Test(cuda, life_worlds_together_and_apart) { each_life(STEPS, worlds); }
Test(cuda, heat_worlds_together_and_apart) { each_heat(STEPS, worlds); }

static void back_and_forth(const model *m)
{
    const leg legs[] = {{3, "--device cpu --threads 2"},
                        {41, text("--device cuda --partitions %d", m->rows < 3 ? m->rows : 3)},
                        {42, "--device paranoid --threads 1"},
                        {0, "--device cuda"}};
    expect_same_resumed(m, legs, sizeof legs / sizeof *legs);
    const leg other[] = {{40, "--device cuda"}, {0, "--device cpu --threads 2"}};
    expect_same_resumed(m, other, sizeof other / sizeof *other);
}

Test(cuda, life_resumed_back_and_forth) { each_life(STEPS, back_and_forth); }
Test(cuda, heat_resumed_back_and_forth) { each_heat(STEPS, back_and_forth); }

/* Cumulative tallies count in all steps, the others in the last, in recorded steps too. */
Test(cuda, tallies_of_a_step_and_cumulative_ones)
{
    for (int steps = 1; steps <= 140; steps += 23) {
        const model m = {text("--plugin '%s/count.so' --seed 1", MASS_TEST_PLUGINS), "/places/grid/sum", 23, steps,
                         NULL, NULL};
        partitions(&m);
    }
}

/* Widths of whole strips and of others, and heights of the forms with few rows and with many. */
Test(cuda, sums_of_every_kind)
{
    static const int sizes[][2] = {{37, 23}, {8, 2}, {3, 5}, {64, 64}, {1023, 99}, {4096, 1024}, {4099, 1030}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const model m = {text("--plugin '%s/sums.so' --seed 1 --size %dx%d", MASS_TEST_PLUGINS, sizes[i][0],
                              sizes[i][1]), "/places/grid/byte", sizes[i][1], 5, NULL, NULL};
        partitions(&m);
    }
}
