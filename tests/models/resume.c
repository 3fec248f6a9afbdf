/* SPDX-License-Identifier: Apache-2.0 */
/* A run that stops and goes on, somewhere else each time, is one that never stopped. */
#include "../extended.h"
#include "same.h"

#include <criterion/criterion.h>

enum { STEPS = 61 };

static const char *cut(const model *m, const char *where, int partitions)
{
    return text("%s --partitions %d", where, partitions < m->rows ? partitions : m->rows);
}

static void across_devices(const model *m)
{
    const leg legs[] = {{1, "--device cpu --threads 1"},
                        {9, "--device paranoid --threads 1"},
                        {10, cut(m, "--device cpu --threads 2", 7)},
                        {23, cut(m, "--device paranoid --threads 1", 3)},
                        {23, cut(m, "--device cpu --threads 2", 2)},
                        {40, cut(m, "--device cpu --threads 1", 3)},
                        {0, "--device cpu --threads 2"}};
    expect_same_resumed(m, legs, sizeof legs / sizeof *legs);
}

Test(resume, life_across_devices_and_partitions) { each_life(STEPS, across_devices); }
Test(resume, heat_across_devices_and_partitions) { each_heat(STEPS, across_devices); }

static void from_the_start(const model *m)
{
    const char *folder = folder_make();
    engine_result(text("%s --steps 0 --device cpu --threads 1 --checkpoint %s", m->options, folder));
    cr_expect_str_eq(engine_result(text("--resume %s --steps %d --device cpu --threads 2", folder, m->steps)),
                     expected_result(m), "%s", m->options);
}

Test(resume, life_from_a_checkpoint_of_step_0) { each_life(STEPS, from_the_start); }
Test(resume, heat_from_a_checkpoint_of_step_0) { each_heat(STEPS, from_the_start); }

static void in_worlds(const model *m)
{
    const char *folder = folder_make();
    model worlds = *m;
    worlds.options = text("%s --worlds 3 --first-world 4", m->options);
    engine_result(text("%s --steps 20 --device cpu --threads 2 --checkpoint %s", worlds.options, folder));
    cr_expect_str_eq(engine_result(text("--resume %s --steps %d %s", folder, m->steps,
                                        cut(m, "--device cpu --threads 2", 2))),
                     expected_result(&worlds), "%s", worlds.options);
}

Test(resume, life_in_several_worlds) { each_life(STEPS, in_worlds); }
Test(resume, heat_in_several_worlds) { each_heat(STEPS, in_worlds); }

/* Multiples of `every` after `first`, then the last step. */
static void expect_steps(const char *folder, int first, int every, int last)
{
    uint64_t steps[STEPS + 1];
    const int count = checkpoint_steps(folder, false, steps, STEPS + 1);
    int i = 0;
    for (int step = first + 1; step <= last; step++)
        if (step % every == 0 || step == last)
            cr_expect(i < count && steps[i++] == (uint64_t)step, "no checkpoint of step %d", step);
    cr_expect_eq(i, count, "%d checkpoints too many", count - i);
}

static void from_each_checkpoint(const model *m, int every)
{
    const int each = unsanitized(2, 1);
    const char *folder = folder_make(), *next = folder_make(), *expected = expected_result(m);
    cr_expect_str_eq(engine_result(text("%s --steps %d --device cpu --threads 2 --checkpoint %s --checkpoint-every %d "
                                        "--keep 0", m->options, m->steps, folder, every)), expected);
    expect_steps(folder, 0, every, m->steps);
    for (int step = every; step < m->steps; step += each * every) {
        folder_empty(next);
        cr_expect_str_eq(engine_result(text("--resume %s --checkpoint %s --device cpu --threads 1",
                                            checkpoint_path(folder, (uint64_t)step), next)), expected,
                         "resumed at %d: %s", step, m->options);
        expect_steps(next, step, every, m->steps);
    }
}

static const int intervals[] = {3, 7, 16, 60, 61, 100};
enum { INTERVALS = sizeof intervals / sizeof *intervals };

Test(resume, life_from_each_checkpoint_of_a_run)
{
    const model m = life_model(45, 31, STEPS, "B36/S23", "torus");
    for (int i = unsanitized(2, 0); i < INTERVALS; i++) from_each_checkpoint(&m, intervals[i]);
}

Test(resume, heat_from_each_checkpoint_of_a_run)
{
    const model m = heat_model(13, 9, 7, STEPS, 2, 5, 2);
    for (int i = unsanitized(2, 0); i < INTERVALS; i++) from_each_checkpoint(&m, intervals[i]);
}

/* Resumed at step 10, a run with a checkpoint every 7 steps goes on with those of 14, 21, ... */
Test(resume, checkpoints_keep_their_steps_after_a_resume_between_them)
{
    const model m = life_model(45, 31, STEPS, "B3/S23", "dead");
    const char *folder = folder_make(), *next = folder_make();
    engine_result(text("%s --steps 10 --device cpu --checkpoint %s --checkpoint-every 7 --keep 0", m.options, folder));
    expect_steps(folder, 0, 7, 10);
    cr_expect_str_eq(engine_result(text("--resume %s --steps %d --checkpoint %s", folder, STEPS, next)),
                     expected_result(&m));
    expect_steps(next, 10, 7, STEPS);
}

Test(resume, the_newest_three_checkpoints_are_kept_unless_told_otherwise)
{
    const model m = life_model(45, 31, STEPS, "B3/S23", "dead");
    for (int keep = 1; keep <= 4; keep++) {
        const char *folder = folder_make();
        uint64_t steps[STEPS];
        engine_result(text("%s --steps %d --device cpu --checkpoint %s --checkpoint-every 5 %s", m.options, STEPS,
                           folder, keep == 3 ? "" : text("--keep %d", keep)));
        cr_expect_eq(checkpoint_steps(folder, false, steps, STEPS), keep);
        for (int i = 1; i < keep; i++) cr_expect_eq((int)steps[keep - 1 - i], STEPS - STEPS % 5 - 5 * (i - 1));
    }
}
