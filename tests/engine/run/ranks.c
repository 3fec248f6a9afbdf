/* SPDX-License-Identifier: Apache-2.0 */
/* Models over several ranks come to what they come to on one: by slabs, and by whole worlds. */
#include "on_ranks.h"
#include "population/table.h"
#include "snapshot/save.h"
#include "snapshot/snapshot.h"

#include "ranks/transfer.h"
#include "io/checkpoint/parts_write.h"

#include <mass/kernel.h>

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(LIST) (sizeof(LIST) / sizeof *(LIST))

static void on(const trial *t, int32_t a, int32_t b)
{
    const int32_t ranks[] = {a, b};
    expect_same_on_ranks(t, ranks, COUNT(ranks));
}

MASS_MAP(grow, UPDATES(TYPED(grown, int64_t)), GIVEN(TYPED(growth, int64_t))) { OUT(grown) += PARAM(growth); }

/* Letters and blanks. */
MASS_MAP(write_text, WRITES(TYPED(text, uint8_t)))
{
    const uint32_t r = RANDOM(0).v[0];
    OUT(text) = (uint8_t)(r % 4 ? 'a' + r / 4 % 3 : ' ');
}

MASS_MAP(count_words, ITEMS(TYPED(text, uint8_t)), KEYS(TYPED(words, int64_t)))
{
    int64_t length = 0;
    if (ITEMS_BEFORE > 0 && ITEM(text, -1) != ' ') return;
    while (length < ITEMS_LEFT && ITEM(text, length) != ' ') length++;
    COUNT_TEXT(words, ITEMS_AT(text), length);
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

static void make_text(mass_model *m, const void *context, mass_error *e);

/* ---- whole worlds ---- */

Test(ranks, of_worlds_of_places)
{
    on(&(trial){.plugin = "life", .dimensions = 2, .size = {20, 12, 1}, .steps = 20, .worlds = 5, .partitions = 2}, 2,
       5);
}

Test(ranks, of_unequal_shares)
{
    on(&(trial){.plugin = "life", .dimensions = 2, .size = {20, 12, 1}, .steps = 20, .worlds = 9, .uneven = 1}, 2, 5);
    on(&(trial){.plugin = "sugarscape", .dimensions = 2, .size = {20, 20, 1}, .steps = 40, .worlds = 7, .uneven = 2}, 4,
       3);
    on(&(trial){.make = make_text, .dimensions = 2, .size = {31, 12, 1}, .steps = 4, .worlds = 7, .uneven = 3}, 4, 3);
    on(&(trial){.plugin = "heat", .settings = {{"radius", "2", NULL}, {"edge_z", "torus", NULL}}, .dimensions = 3,
                .size = {9, 8, 17}, .steps = 20, .uneven = 4}, 7, 4);
    on(&(trial){.plugin = "life", .dimensions = 2, .size = {500, 61, 1}, .steps = 3, .uneven = 5, .partitions = 2}, 4,
       3);
}

Test(ranks, of_worlds_of_agents)
{
    on(&(trial){.plugin = "minesweeper", .settings = {{"agents", "40", NULL}}, .dimensions = 2, .size = {16, 16, 1},
                .steps = 60, .worlds = 5, .first_world = 2}, 3, 2);
    on(&(trial){.plugin = "sugarscape", .dimensions = 2, .size = {20, 20, 1}, .steps = 40, .worlds = 4}, 4, 3);
}

/* Parameters of a sweep, and how many agents there are, belong to the run's worlds. */
static void make_swept(mass_model *m, const void *context, mass_error *e)
{
    enum { WORLDS = 5 };
    (void)context;
    mass_model_add_space(m, &(mass_space){.name = "s", .dimensions_min = 1, .dimensions_max = 1, .size = {30}}, NULL,
                         0, e);
    mass_model_add_attribute(m, &(mass_attribute){.space = "s", .name = "grown", .type = MASS_I64}, e);
    mass_parameters_add(&m->parameters, &(mass_parameter){.name = "growth", .type = MASS_INTEGER}, e);
    m->parameters.worlds = WORLDS;
    m->parameters.slots[0].swept = calloc(WORLDS, sizeof *m->parameters.slots[0].swept);
    for (uint64_t w = 0; w < WORLDS; w++) m->parameters.slots[0].swept[w] = 3 + w * w;
    mass_model_add_population(m, &(mass_population){.name = "all", .space = "s", .count = 3, .constant = 1}, e);
    m->populations[0].counts = calloc(WORLDS, sizeof *m->populations[0].counts);
    for (int64_t w = 0; w < WORLDS; w++) m->populations[0].counts[w] = 1 + 2 * w;
    mass_model_add_phase(m, &(mass_phase){.schedule = MASS_STEP, .callback = &grow}, e);
}

Test(ranks, have_the_parameters_of_their_worlds)
{
    on(&(trial){.make = make_swept, .dimensions = 1, .size = {30, 1, 1}, .steps = 4, .worlds = 5}, 2, 3);
}

Test(ranks, divide_a_table_of_agents)
{
    static uint64_t id[] = {4, 1, 0, 9, 3, 2};
    static uint32_t cell[] = {7, 30, 30 * 2 + 1, 30 * 2 + 1, 30 * 3 + 29, 30 * 4};
    static int64_t next_id[] = {5, 2, 10, 4, 3};
    mass_table table = {6, id, cell, NULL, next_id};
    on(&(trial){.make = make_swept, .dimensions = 1, .size = {30, 1, 1}, .steps = 4, .worlds = 5, .table = &table}, 2,
       5);
}

/* ---- keys ---- */

static void make_text(mass_model *m, const void *context, mass_error *e)
{
    (void)context;
    mass_model_add_space(m, &(mass_space){.name = "s", .dimensions_min = 2, .dimensions_max = 2, .size = {31, 12}},
                         NULL, 0, e);
    mass_model_add_attribute(m, &(mass_attribute){.space = "s", .name = "text", .type = MASS_U8}, e);
    mass_model_add_tally(m, &(mass_tally){.name = "words", .access = MASS_SUM, .keys = MASS_KEYS_TEXTS,
                                          .cumulative = 1}, e);
    mass_model_add_phase(m, &(mass_phase){.schedule = MASS_START, .callback = &write_text}, e);
    mass_model_add_phase(m, &(mass_phase){.schedule = MASS_STEP, .callback = &count_words}, e);
}

Test(ranks, merge_the_texts_that_they_count)
{
    const trial t = {.make = make_text, .dimensions = 2, .size = {31, 12, 1}, .steps = 4};
    trial worlds = t;
    worlds.worlds = 5;
    on(&t, 4, 3);
    on(&worlds, 2, 5);
    outcome one = run_on_ranks(&t, 1, NULL);
    cr_expect_gt(one.state.keys[0].count, 20);
    free_outcome(&one);
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

/* Ranks of a run that has them somewhere else. */
static mass_status write_elsewhere(mass_domain *d, const mass_part_order *order, uint64_t *table, mass_error *error)
{
    (void)d, (void)order, (void)table, (void)error;
    return MASS_OK;
}

static mass_status finish_in_parts(mass_domain *d, mass_error *error)
{
    const mass_checkpoint_settings settings = {.folder = "/tmp"};
    mass_snapshot numbers;
    mass_status status = mass_domain_save_numbers(d, &numbers, error);
    if (status == MASS_OK) status = mass_parts_write(&settings, d, &numbers, NULL, error);
    mass_snapshot_free(&numbers);
    return status;
}

Test(ranks, parts_that_rank_0_does_not_see_are_refused)
{
    outcome o = run_on_ranks(&(trial){.plugin = "life", .dimensions = 2, .size = {9, 5, 1}, .steps = 1,
                                      .write_part = write_elsewhere, .finish = finish_in_parts}, 3, NULL);
    cr_expect_eq(o.error.status, MASS_BAD_USAGE);
    cr_expect(strstr(o.error.text, "-00000.h5, which rank 0 has written: --checkpoint-parts is for a folder that all "
                     "ranks share"), "%s", o.error.text);
    free_outcome(&o);
}
