/* SPDX-License-Identifier: Apache-2.0 */
/* A run that is repartitioned in the middle has the results of one rank, and ranks that had more to do have less of the
 * space. Shares are measured on all ranks alike. */
#include "on_ranks.h"

#include "../comm/threads.h"
#include "ranks/transfer.h"
#include "run/repartition.h"

#include <mass/kernel.h>

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void expect_same_state(const trial *t, int32_t ranks, uint64_t least)
{
    outcome expected = run_on_ranks(t, 1, NULL), found = run_on_ranks(t, ranks, NULL);
    expect_same_outcome(&expected, &found, t->plugin ? t->plugin : "the model");
    cr_expect_geq(found.repartitions, least, "%d repartitions", (int)found.repartitions);
    cr_expect_eq(expected.repartitions, 0);
    free_outcome(&expected);
    free_outcome(&found);
}

Test(repartition, leaves_places_as_they_are)
{
    trial t = {.plugin = "life", .dimensions = 2, .size = {33, 37, 1}, .steps = 60, .rebalance = 4, .pretended = true};
    expect_same_state(&t, 2, 2);
    expect_same_state(&t, 5, 5);
    t.partitions = 2;
    expect_same_state(&t, 3, 5);
    t.worlds = 2;
    expect_same_state(&t, 4, 5);
}

/* Bounded edges, whose ghosts hold defaults, and slabs that are thinner than what is read around a place. */
Test(repartition, leaves_edges_as_they_are)
{
    expect_same_state(&(trial){.plugin = "heat", .settings = {{"radius", "2", NULL}, {"start", "sine", NULL}},
                               .dimensions = 3, .size = {9, 8, 11}, .steps = 40, .rebalance = 3, .pretended = true},
                      4, 5);
}

Test(repartition, leaves_agents_as_they_are)
{
    expect_same_state(&(trial){.plugin = "sugarscape", .dimensions = 2, .size = {20, 30, 1}, .steps = 60,
                               .rebalance = 4, .pretended = true}, 3, 5);
    expect_same_state(&(trial){.plugin = "minesweeper", .settings = {{"agents", "40", NULL}}, .dimensions = 2,
                               .size = {16, 24, 1}, .steps = 60, .rebalance = 4, .pretended = true, .worlds = 2}, 4,
                      5);
}

Test(repartition, moves_what_is_long_in_pieces)
{
    const uint64_t usual = mass_transfer_limit;
    for (mass_transfer_limit = 1; mass_transfer_limit < 300; mass_transfer_limit = mass_transfer_limit * 3 + 4) {
        expect_same_state(&(trial){.plugin = "heat", .settings = {{"start", "sine", NULL}}, .dimensions = 2,
                                   .size = {6, 15, 1}, .steps = 12, .worlds = 2, .rebalance = 2, .pretended = true}, 3,
                          2);
        expect_same_state(&(trial){.plugin = "sugarscape", .dimensions = 2, .size = {9, 12, 1}, .steps = 12,
                                   .rebalance = 2, .pretended = true}, 4, 2);
    }
    mass_transfer_limit = usual;
}

Test(repartition, ends_a_run_where_it_ends_otherwise)
{
    expect_same_state(&(trial){.plugin = "life", .dimensions = 2, .size = {24, 18, 1}, .steps = 400, .rebalance = 3,
                               .pretended = true, .until = "steady(population, 3) || population < 60"}, 3, 3);
}

/* ---- as measured ---- */

enum { SLOW_ROWS = 6, ROWS = 48 };

static void take_time(void) { nanosleep(&(struct timespec){0, 100000}, NULL); }

MASS_MAP(work, UPDATES(TYPED(value, int64_t)))
{
    OUT(value) = (OUT(value) * 3 + AT_Y + (int64_t)STEP) % 1000003;
    if (AT_Y < SLOW_ROWS) take_time();
}

static void make_uneven(mass_model *m, const void *context, mass_error *e)
{
    (void)context;
    mass_model_add_space(m, &(mass_space){.name = "s", .dimensions_min = 2, .dimensions_max = 2, .size = {2, ROWS}},
                         NULL, 0, e);
    mass_model_add_attribute(m, &(mass_attribute){.space = "s", .name = "value", .type = MASS_I64}, e);
    mass_model_add_phase(m, &(mass_phase){.schedule = MASS_STEP, .callback = &work}, e);
}

/* What takes time is all in the first slab of four: in the end all but the last have some of it. */
Test(repartition, spreads_what_takes_time)
{
    const trial t = {.make = make_uneven, .dimensions = 2, .size = {2, ROWS, 1}, .steps = 80, .rebalance = 8};
    outcome expected = run_on_ranks(&t, 1, NULL), found = run_on_ranks(&t, 4, NULL);
    expect_same_outcome(&expected, &found, "the model");
    cr_expect_geq(found.repartitions, 1);
    cr_expect_leq(found.rows[0], SLOW_ROWS / 2, "the first rank has %d rows", (int)found.rows[0]);
    cr_expect_geq(found.rows[3], ROWS / 3, "the last rank has %d rows", (int)found.rows[3]);
    free_outcome(&expected);
    free_outcome(&found);
}

/* ---- shares ---- */

/* Devices, of which that of rank r is r + 1 times as fast as the first. */
typedef struct fleet {
    mass_shares_wish wish;
    bool alike;
    int measured;
    int32_t shares[3][3]; /* of each rank; 0: none */
} fleet;

static _Thread_local int own_rank;
static fleet *own_fleet;

static mass_status rate_of_rank(mass_device *device, double *rate, mass_error *error)
{
    (void)device, (void)error;
    *rate = 1e9 * (own_rank + 1);
    __atomic_fetch_add(&own_fleet->measured, 1, __ATOMIC_RELAXED);
    return MASS_OK;
}

static void kind_of_rank(mass_device *device, char kind[MASS_DEVICE_KIND])
{
    (void)device;
    strcpy(kind, own_fleet->alike || own_rank == 0 ? "slow" : "fast");
}

static void measure(mass_comm *comm, void *context)
{
    fleet *f = context;
    const mass_memory_operations memory = {.struct_size = sizeof memory, .copy_rate = rate_of_rank};
    const mass_device_table table = {.struct_size = sizeof table, .kind = kind_of_rank, .memory = &memory};
    mass_device device = {&table};
    mass_error error = {0};
    int32_t *shares;
    own_rank = comm->rank;
    if (mass_shares_measure(comm, &device, f->wish, &shares, &error) != MASS_OK)
        comm->table->abort(comm, (int)error.status);
    if (shares) memcpy(f->shares[comm->rank], shares, sizeof f->shares[0]);
    free(shares);
}

static fleet measured(mass_shares_wish wish, bool alike)
{
    static fleet f;
    f = (fleet){.wish = wish, .alike = alike};
    own_fleet = &f;
    mass_run_as_ranks(3, measure, &f);
    return f;
}

Test(shares, are_measured_where_devices_are_of_different_kinds)
{
    const fleet f = measured(MASS_SHARES_BY_KIND, false);
    for (int r = 0; r < 3; r++) cr_assert_arr_eq(f.shares[r], ((const int32_t[]){333, 667, 1000}), sizeof f.shares[r]);
}

Test(shares, are_measured_where_that_is_asked_for)
{
    const fleet f = measured(MASS_SHARES_BY_RATE, true);
    for (int r = 0; r < 3; r++) cr_assert_arr_eq(f.shares[r], ((const int32_t[]){333, 667, 1000}), sizeof f.shares[r]);
}

Test(shares, are_not_measured_where_devices_are_alike_or_shares_given)
{
    const fleet alike = measured(MASS_SHARES_BY_KIND, true);
    const fleet given = measured(MASS_SHARES_GIVEN, false);
    cr_assert_eq(alike.measured + given.measured, 0);
    cr_assert_eq(alike.shares[0][0], 0);
}
