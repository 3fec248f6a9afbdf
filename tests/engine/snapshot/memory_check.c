/* SPDX-License-Identifier: Apache-2.0 */
/* The memory that ranks need together of what they share, a device or a host. */
#include "snapshot/memory_check.h"
#include "ranks/rpc.h"

#include "../comm/threads.h"
#include "device/cpu/cpu.h"

#include <criterion/criterion.h>
#include <string.h>

enum { RANKS = 4, HOST_SIZE = 3, PLACES = 400000, MANY = 4 * PLACES };

/* A run whose ranks have devices with `available` bytes; device[rank] says which one; 0: the host's memory. */
typedef struct ranks {
    size_t available;
    mass_gidx places;
    uint8_t device[RANKS];
    mass_error error[RANKS];
    int32_t neighbours[RANKS];
    double needed; /* by the first rank */
} ranks;

static _Thread_local const ranks *own_ranks;
static _Thread_local int32_t own_rank;

static mass_status available(mass_device *device, size_t *bytes, mass_error *error)
{
    (void)device, (void)error;
    *bytes = own_ranks->available;
    return MASS_OK;
}

static void identify(mass_device *device, uint8_t id[16])
{
    (void)device;
    memset(id, own_ranks->device[own_rank], 16);
}

static void check(mass_comm *comm, void *context)
{
    ranks *all = context;
    mass_error *e = &all->error[comm->rank];
    mass_memory_operations memory = mass_cpu_memory;
    mass_device_table table = mass_cpu_table;
    mass_model m = {.plugin = "bytes"};
    mass_device *device = NULL;
    own_ranks = all;
    own_rank = comm->rank;
    memory.available = available;
    if (all->device[comm->rank]) memory.identify = identify;
    memory.in_host_memory = !all->device[comm->rank];
    table.memory = &memory;
    mass_model_add_space(&m, &(mass_space){.name = "s", .dimensions_min = 1, .dimensions_max = 1,
                                           .size = {all->places}}, NULL, 0, e);
    mass_model_add_attribute(&m, &(mass_attribute){.space = "s", .name = "a", .type = MASS_I64}, e);
    mass_model_resolve(&m, e);
    mass_cpu_open(&table, 1, &device, e);
    mass_share share = mass_share_make(comm, 1, 1, NULL);
    if (comm->rank == 0) all->needed = mass_memory_of_share(&m, &share);
    mass_rpc_agree(comm, mass_memory_check(&m, device, &share, e), e);
    all->neighbours[comm->rank] = share.neighbours;
    mass_device_close(device);
    mass_model_free(&m);
}

static ranks run(double available, mass_gidx places, const uint8_t device[RANKS])
{
    ranks all = {.available = (size_t)available, .places = places};
    memcpy(all.device, device, RANKS);
    mass_run_on_hosts(RANKS, HOST_SIZE, check, &all);
    return all;
}

/* Each of four ranks holds so much, as nearly as it matters. */
static const double PART = 8.0 * PLACES / RANKS;

Test(room, ranks_that_share_a_gpu_need_it_together)
{
    static const uint8_t apart[] = {1, 2, 3, 1}, together[] = {1, 2, 1, 1};
    ranks all = run(1.1 * PART, PLACES, apart);
    for (int r = 0; r < RANKS; r++) {
        cr_assert_eq(all.error[r].status, MASS_OK, "%s", all.error[r].text);
        cr_assert_eq(all.neighbours[r], 1);
    }
    cr_assert(all.needed > PART && all.needed < 1.01 * PART);
    all = run(1.1 * PART, PLACES, together);
    cr_assert_eq(all.error[0].status, MASS_NO_DEVICE);
    cr_assert_not_null(strstr(all.error[0].text, "bytes needs 1.5 MiB for 2 of its ranks, cpu has 859.4 KiB free"),
                       "%s", all.error[0].text);
    all = run(2.1 * PART, PLACES, together);
    for (int r = 0; r < RANKS; r++) {
        cr_assert_eq(all.error[r].status, MASS_OK, "%s", all.error[r].text);
        cr_assert_eq(all.neighbours[r], r == 0 || r == 2 ? 2 : 1);
    }
}

/* The first host has three of them, and rank 0's snapshot of all. */
Test(room, ranks_of_a_host_need_its_memory_together)
{
    static const uint8_t none[RANKS] = {0};
    ranks all = run(7.1 * PART, PLACES, none);
    for (int r = 0; r < RANKS; r++) {
        cr_assert_eq(all.error[r].status, MASS_OK, "%s", all.error[r].text);
        cr_assert_eq(all.neighbours[r], r < HOST_SIZE ? HOST_SIZE : 1);
    }
    all = run(6.9 * PART, PLACES, none);
    for (int r = 0; r < RANKS; r++) cr_assert_eq(all.error[r].status, MASS_NO_DEVICE);
    cr_assert_not_null(strstr(all.error[0].text, " for 3 of its ranks, cpu has "), "%s", all.error[0].text);
}

Test(room, a_large_snapshot_takes_memory_to_be_written)
{
    static const uint8_t none[RANKS] = {0};
    const double needed = 7 * 8.0 * MANY / RANKS, writer = 16 << 20;
    ranks all = run(1.01 * (needed + writer), MANY, none);
    cr_assert_eq(all.error[0].status, MASS_OK, "%s", all.error[0].text);
    all = run(0.99 * (needed + writer), MANY, none);
    cr_assert_eq(all.error[0].status, MASS_NO_DEVICE);
}
