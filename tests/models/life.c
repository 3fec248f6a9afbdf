/* SPDX-License-Identifier: Apache-2.0 */
/* Life on the CPU. */
#include "run.h"
#include "soup.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(life, soups_are_those_of_a_plain_reference)
{
    expect_soups("--device cpu --threads 1", 200);
}

Test(life, soups_on_paranoid_are_those_of_a_plain_reference)
{
    expect_soups("--device paranoid --threads 1", 12);
}

Test(life, acorn_has_633_cells_at_generation_5206)
{
    expect_population("--device cpu --threads 2", "acorn.rle", 5206, 633);
}

Test(life, r_pentomino_has_116_cells_at_generation_1103)
{
    expect_population("--device cpu --threads 2", "r-pentomino.rle", 1103, 116);
}

static dataset gun_at(int step)
{
    const char *folder = folder_make();
    outcome o = engine_run(text("--plugin '%s/life.so' --device cpu --threads 1 --size 256x256 --set x=10 --set y=10 "
                                "--set edge=dead --set 'pattern=%s/gosper-gun.rle' --steps %d --checkpoint %s",
                                getenv("MASS_PLUGINS"), getenv("MASS_DATA"), step, folder));
    outcome_free(&o);
    return dataset_read(checkpoint_path(folder, (uint64_t)step), "/places/grid/health");
}

/* Cells of the gun at one step that are dead at another. */
static int lost(int from, int to)
{
    int count = 0;
    dataset a = gun_at(from), b = gun_at(to);
    for (size_t i = 0; i < a.size; i++) count += a.bytes[i] && !b.bytes[i];
    free(a.bytes);
    free(b.bytes);
    return count;
}

static int cells_at(int step)
{
    int count = 0;
    dataset d = gun_at(step);
    for (size_t i = 0; i < d.size; i++) count += d.bytes[i];
    free(d.bytes);
    return count;
}

/* Each period, the stream of gliders looks as before, with one more at its end. */
Test(life, gosper_gun_repeats_every_30_generations_with_a_glider_more)
{
    for (int period = 0; period <= 5; period++) cr_expect_eq(cells_at(30 * period), 36 + 5 * period);
    for (int period = 1; period <= 5; period++) cr_expect_eq(lost(30 * period - 30, 30 * period), 0);
    for (int step = 31; step < 60; step++) cr_expect_gt(lost(30, step), 0, "it repeats after %d", step - 30);
}
