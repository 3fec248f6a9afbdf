/* SPDX-License-Identifier: Apache-2.0 */
/* Models over several ranks come to what they come to on one: by slabs, and by whole worlds. */
#include "on_ranks.h"

#include "domain/transfer.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define COUNT(LIST) (sizeof(LIST) / sizeof *(LIST))

static void on(const trial *t, int32_t a, int32_t b)
{
    const int32_t ranks[] = {a, b};
    expect_same_on_ranks(t, ranks, COUNT(ranks));
}

/* ---- slabs ---- */

/* The other rank is the neighbour on both sides. */
Test(ranks, of_a_torus_that_is_cut_in_two)
{
    on(&(trial){.plugin = "life", .dimensions = 2, .size = {33, 17, 1}, .steps = 40}, 2, 3);
}

Test(ranks, of_a_bounded_space_with_partitions)
{
    on(&(trial){.plugin = "life", .settings = {{"edge", "dead", NULL}}, .dimensions = 2, .size = {40, 25, 1},
                .steps = 30, .partitions = 2}, 3, 5);
}

/* Slabs of one row, whose ghosts reach over two ranks. */
Test(ranks, whose_slabs_are_thinner_than_their_ghosts)
{
    on(&(trial){.plugin = "heat", .settings = {{"radius", "2", NULL}, {"edge_z", "torus", NULL}}, .dimensions = 3,
                .size = {9, 8, 7}, .steps = 20}, 7, 4);
    on(&(trial){.plugin = "heat", .settings = {{"radius", "2", NULL}, {"start", "sine", NULL}}, .dimensions = 2,
                .size = {9, 6, 1}, .steps = 20, .partitions = 2}, 3, 2);
    on(&(trial){.plugin = "heat", .settings = {{"edge_x", "torus", NULL}}, .dimensions = 1, .size = {5, 1, 1},
                .steps = 20}, 5, 2);
}

Test(ranks, of_fewer_worlds_than_ranks)
{
    on(&(trial){.plugin = "life", .dimensions = 2, .size = {20, 12, 1}, .steps = 20, .worlds = 2, .first_world = 3},
       4, 3);
}

Test(ranks, on_the_device_that_checks)
{
    on(&(trial){.plugin = "life", .dimensions = 2, .size = {20, 12, 1}, .steps = 5, .paranoid = true}, 2, 3);
}

/* Blocks of the state hash lie on several ranks. */
Test(ranks, of_spaces_whose_blocks_are_divided)
{
    on(&(trial){.plugin = "life", .dimensions = 2, .size = {500, 41, 1}, .steps = 3}, 4, 3);
    on(&(trial){.plugin = "life", .dimensions = 2, .size = {500, 41, 1}, .steps = 3, .worlds = 7}, 4, 3);
    on(&(trial){.plugin = "heat", .dimensions = 2, .size = {123, 45, 1}, .steps = 3, .worlds = 2}, 5, 2);
}

Test(ranks, move_what_is_long_in_pieces)
{
    for (uint64_t limit = 24; limit < 600; limit = limit * 2 + 3) {
        mass_transfer_limit = limit;
        on(&(trial){.plugin = "heat", .settings = {{"start", "sine", NULL}}, .dimensions = 3, .size = {6, 5, 7},
                    .steps = 2, .worlds = 2}, 3, 4);
        on(&(trial){.plugin = "minesweeper", .settings = {{"agents", "9", NULL}}, .dimensions = 2, .size = {8, 8, 1},
                    .steps = 4, .worlds = 5}, 3, 2);
    }
}

/* ---- whole worlds ---- */

Test(ranks, of_worlds_of_places)
{
    on(&(trial){.plugin = "life", .dimensions = 2, .size = {20, 12, 1}, .steps = 20, .worlds = 5, .partitions = 2}, 2,
       5);
}

Test(ranks, of_worlds_of_agents)
{
    on(&(trial){.plugin = "minesweeper", .settings = {{"agents", "40", NULL}}, .dimensions = 2, .size = {16, 16, 1},
                .steps = 60, .worlds = 5, .first_world = 2}, 3, 2);
    on(&(trial){.plugin = "sugarscape", .dimensions = 2, .size = {20, 20, 1}, .steps = 40, .worlds = 4}, 4, 3);
}

/* ---- the end of a run ---- */

Test(ranks, stop_at_the_step_at_which_the_condition_holds)
{
    on(&(trial){.plugin = "life", .dimensions = 2, .size = {24, 18, 1}, .steps = 400,
                .until = "steady(population, 3) || population < 60"}, 2, 3);
    on(&(trial){.plugin = "life", .dimensions = 2, .size = {16, 12, 1}, .steps = 400, .worlds = 5, .first_world = 7,
                .until = "population[8] < 40 || population < 20"}, 2, 3);
}

Test(ranks, stop_after_the_same_step_when_asked_to)
{
    const trial t = {.plugin = "life", .dimensions = 2, .size = {24, 18, 1}, .steps = 1000000, .stop_at = 300};
    outcome found = run_on_ranks(&t, 3, NULL);
    cr_assert_eq(found.error.status, MASS_OK, "%s", found.error.text);
    cr_expect(found.step >= 300 && found.step < t.steps);
    const trial same = {.plugin = "life", .dimensions = 2, .size = {24, 18, 1}, .steps = found.step};
    outcome expected = run_on_ranks(&same, 1, NULL);
    expect_same_outcome(&expected, &found, "stopped");
    free_outcome(&found);
    free_outcome(&expected);
}

Test(ranks, that_count_in_every_step)
{
    on(&(trial){.plugin = "life", .dimensions = 2, .size = {24, 18, 1}, .steps = 30, .every = true}, 2, 3);
}

/* ---- what is refused ---- */

static void expect_refused(const trial *t, int32_t ranks, const char *text)
{
    outcome o = run_on_ranks(t, ranks, NULL);
    cr_expect_eq(o.error.status, MASS_BAD_USAGE);
    cr_expect_str_eq(o.error.text, text);
    free_outcome(&o);
}

Test(ranks, more_slabs_than_rows_are_refused)
{
    expect_refused(&(trial){.plugin = "life", .dimensions = 2, .size = {9, 5, 1}, .partitions = 2, .steps = 1}, 3,
                   "3 ranks (--ranks) with --partitions 2 each cut space grid more often than it has rows, of which "
                   "there are 5");
}

Test(ranks, agents_in_slabs_are_refused)
{
    expect_refused(&(trial){.plugin = "sugarscape", .dimensions = 2, .size = {20, 20, 1}, .steps = 1, .worlds = 2}, 3,
                   "population ants: agents cannot be cut over ranks yet: give at least as many --worlds as ranks, "
                   "which are 3, or one rank");
}

Test(ranks, a_stream_is_refused)
{
    expect_refused(&(trial){.plugin = "histogram", .steps = 1}, 2,
                   "histogram reads a stream, which several ranks cannot share yet: give one rank");
}
