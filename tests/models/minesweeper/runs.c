/* SPDX-License-Identifier: Apache-2.0 */
/* Minesweeper: what agents learn is right, and the same however it is run. */
#include "../../extended.h"
#include "minesweeper.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 60 };

Test(minesweeper, agents_learn_the_shortest_ways_that_hit_no_mine)
{
    for (int seed = 1; seed <= extended(2, 6); seed++) expect_learnt("--device cpu --threads 1", seed);
}

/* Writes that get lost, and values that are newer than the step, do not keep them from it. */
Test(minesweeper, agents_that_race_learn_the_same)
{
    for (int seed = 1; seed <= extended(2, 6); seed++)
        expect_learnt("--set update=racy --device cpu --threads 2", seed);
}

Test(minesweeper, every_step_is_that_of_a_plain_program)
{
    expect_minesweepers("--device cpu --threads 1", extended(80, 150));
}

/* ---- boards ---- */

static dataset drawn(const char *options, const char *name)
{
    const char *folder = folder_make();
    outcome o = engine_run(text("--plugin '%s/minesweeper.so' --device cpu --threads 1 --steps 0 --set agents=1 "
                                "--checkpoint %s %s", getenv("MASS_PLUGINS"), folder, options));
    outcome_free(&o);
    const dataset d = dataset_read(checkpoint_path(folder, 0), text("/places/grid/%s", name));
    folder_empty(folder);
    return d;
}

Test(minesweeper, boards_have_their_mines_and_one_flag)
{
    static const struct {
        int nx, ny, mines;
    } boards[] = {{1, 1, 0}, {1, 2, 0}, {2, 1, 1}, {3, 3, 8}, {46, 46, 138}, {17, 4, 17}, {5, 400, 1000}, {33, 31, 1}};
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++)
        for (int seed = 0; seed < extended(2, 5); seed++) {
            const char *options = text("--size %dx%d --set mines=%d --seed %d", boards[i].nx, boards[i].ny,
                                       boards[i].mines, seed);
            dataset mine = drawn(options, "mine"), flag = drawn(options, "flag");
            int mines = 0, flags = 0;
            for (size_t p = 0; p < mine.size; p++) {
                mines += mine.bytes[p];
                flags += flag.bytes[p];
                cr_expect_leq(mine.bytes[p] + flag.bytes[p], 1);
            }
            cr_expect_eq(mines, boards[i].mines, "%d mines: %s", mines, options);
            cr_expect_eq(flags, 1, "%d flags: %s", flags, options);
            free(mine.bytes);
            free(flag.bytes);
        }
}

/* Over many boards, places get mines alike, and so do pairs of places. Bounds: six standard deviations. */
Test(minesweeper, boards_favour_no_place_and_no_pair)
{
    enum { SIDE = 6, PLACES = SIDE * SIDE, MINES = 9, BOARDS = 4000 };
    dataset mine = drawn(text("--size %dx%d --set mines=%d --seed 1 --worlds %d", SIDE, SIDE, MINES, BOARDS), "mine");
    cr_assert_eq(mine.size, PLACES * BOARDS);
    for (int p = 0; p < PLACES; p++)
        for (int other = p; other < PLACES; other++) {
            int both = 0;
            for (int b = 0; b < BOARDS; b++) both += mine.bytes[b * PLACES + p] & mine.bytes[b * PLACES + other];
            const double one = MINES / (double)PLACES, share = p == other ? one : one * (MINES - 1) / (PLACES - 1);
            const double away = both - BOARDS * share;
            cr_expect_lt(away * away, 36 * BOARDS * share * (1 - share), "places %d and %d: %d times", p, other, both);
        }
    free(mine.bytes);
}

/* ---- the same everywhere ---- */

Test(minesweeper, is_the_same_on_any_number_of_threads) { each_minesweeper(STEPS, same_on_threads); }
Test(minesweeper, is_the_same_in_any_number_of_partitions) { each_minesweeper(STEPS, same_in_partitions); }
Test(minesweeper, is_the_same_on_paranoid) { each_minesweeper(STEPS / 3, same_on_paranoid); }
Test(minesweeper, has_the_same_worlds_together_and_apart) { each_minesweeper(STEPS / 2, same_worlds); }
Test(minesweeper, is_the_same_resumed) { each_minesweeper(STEPS, same_resumed); }

/* With one agent on the board, `racy` is `ordered`. */
static void alone(const model *m)
{
    const char *expected = expected_result(m);
    expect_same_in_partitions(m, "--set update=racy --device cpu --threads 2", expected);
    expect_same_in_partitions(m, "--set update=racy --device paranoid --threads 1", expected);
}

Test(minesweeper, an_agent_alone_has_nobody_to_race_with) { each_lonely_minesweeper(STEPS, alone); }

/* ---- what a run says of itself ---- */

static bool reproducible(const char *options)
{
    outcome o = engine_run(text("--plugin '%s/minesweeper.so' --device cpu --threads 1 --steps 1 %s",
                                getenv("MASS_PLUGINS"), options));
    json_t *answer = json_object_get(o.report, "reproducible");
    cr_assert(json_is_boolean(answer));
    const bool is = json_is_true(answer);
    outcome_free(&o);
    return is;
}

Test(minesweeper, says_whether_it_is_reproducible)
{
    cr_expect(reproducible(""));
    cr_expect(reproducible("--set update=ordered"));
    cr_expect_not(reproducible("--set update=racy"));
}

Test(minesweeper, refuses_more_mines_than_fit)
{
    process p = engine_start(text("--plugin '%s/minesweeper.so' --size 3x3 --device cpu", getenv("MASS_PLUGINS")));
    outcome o = engine_finish(&p);
    cr_expect_eq(o.status, 2);
    cr_expect_not_null(strstr(o.errors, "parameter mines: 9 and the flag do not fit on 9 places"), "%s", o.errors);
    outcome_free(&o);
}
