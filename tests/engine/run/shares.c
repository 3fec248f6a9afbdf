/* SPDX-License-Identifier: Apache-2.0 */
/* Shares by how fast devices are, which all ranks come to alike. */
#include "run/shares.h"

#include "../comm/threads.h"
#include "device/cpu/cpu.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite(shares);

Test(shares, are_in_proportion_to_rates)
{
    int32_t shares[4];
    cr_assert(mass_shares_of_rates((const double[]){3e12, 1.5e12, 3e12, 1e8}, 4, shares));
    cr_assert_arr_eq(shares, ((const int32_t[]){1000, 500, 1000, 1}), sizeof shares);
}

Test(shares, are_equal_where_rates_differ_by_noise)
{
    int32_t shares[3];
    cr_assert_not(mass_shares_of_rates((const double[]){1.05e9, 1e9, 1.09e9}, 3, shares));
    cr_assert(mass_shares_of_rates((const double[]){1.05e9, 1e9, 1.2e9}, 3, shares));
}

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
