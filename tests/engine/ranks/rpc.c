/* SPDX-License-Identifier: Apache-2.0 */
/* How ranks call each other and agree on failures. */
#include "ranks/rpc.h"
#include "population/requests.h"
#include "snapshot/create.h"

#include "../comm/threads.h"
#include "device/cpu/cpu.h"
#include "ranks/transfer.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 5 };

/* ---- devices ---- */

typedef struct kinds {
    uint32_t gpus; /* a bit for each rank that has one */
    mass_status status[RANKS];
    mass_error error[RANKS];
} kinds;

static void check_devices(mass_comm *comm, void *context)
{
    static const mass_remote_operations remote;
    kinds *k = context;
    const mass_model m = {.population_count = 1};
    const mass_agents_operations agents = {.remote = k->gpus >> comm->rank & 1 ? &remote : NULL};
    const mass_device_table table = {.agents = &agents};
    mass_device device = {.table = &table};
    mass_domain d = {.model = &m, .device = &device, .share = {.comm = comm, .worlds = 1}};
    k->status[comm->rank] = mass_population_check_devices(&d, &k->error[comm->rank]);
}

Test(devices, agents_are_not_on_gpus_and_cpus_at_once)
{
    for (uint32_t gpus = 0; gpus < 1u << RANKS; gpus++) {
        kinds k = {.gpus = gpus};
        char text[200];
        mass_run_as_ranks(RANKS, check_devices, &k);
        const bool mixed = gpus != 0 && gpus != (1u << RANKS) - 1;
        const int some = __builtin_popcount(gpus);
        snprintf(text, sizeof text, "%d of 5 ranks %s GPUs and the others have none, so that they cannot share "
                 "agents: use --device cpu", some, some == 1 ? "has" : "have");
        for (int r = 0; r < RANKS; r++) {
            cr_assert_eq(k.status[r], mixed ? MASS_BAD_USAGE : MASS_OK, "%u: %s", gpus, k.error[r].text);
            cr_assert_str_eq(k.error[r].text, mixed ? text : "");
        }
    }
}

/* ---- agreements ---- */

typedef struct failing {
    uint32_t which; /* a bit for each rank that fails */
    mass_status status[RANKS];
    mass_error error[RANKS];
} failing;

static void agree(mass_comm *comm, void *context)
{
    failing *f = context;
    mass_error *e = &f->error[comm->rank];
    const bool fails = f->which >> comm->rank & 1;
    const mass_status own = fails ? mass_error_set(e, MASS_BAD_INPUT + comm->rank % 2, "no %d", comm->rank) : MASS_OK;
    f->status[comm->rank] = mass_rpc_agree(comm, own, e);
    if (mass_rpc_agree(comm, MASS_OK, &(mass_error){0}) != MASS_OK) comm->table->abort(comm, 1);
}

Test(call, what_fails_on_any_rank_fails_on_all_as_on_the_first)
{
    for (uint32_t which = 0; which < 1u << RANKS; which++) {
        failing f = {.which = which};
        char expected[64] = "";
        const int first = __builtin_ctz(which | 1u << RANKS);
        mass_run_on_hosts(RANKS, 2, agree, &f);
        if (first > 0) snprintf(expected, sizeof expected, "rank %d on host%d: no %d", first, first / 2, first);
        else snprintf(expected, sizeof expected, "no 0");
        for (int r = 0; r < RANKS; r++) {
            cr_assert_eq(f.status[r], which ? MASS_BAD_INPUT + (mass_status)(first % 2) : MASS_OK);
            cr_assert_str_eq(f.error[r].text, !which ? "" : r == first ? f.error[first].text : expected);
        }
    }
}

static void call_three(mass_comm *comm, void *context)
{
    static const mass_rpc_box box = {7, 1, 2, 1, 1, {3, -4, 5}, {6, 7, 8}};
    mass_error e = {0};
    mass_status status = mass_rpc_tell(comm, MASS_RPC_MOVE, &box, sizeof box, &e);
    if (status == MASS_OK) status = mass_rpc_tell(comm, MASS_RPC_START, NULL, 0, &e);
    for (mass_rpc expected = MASS_RPC_MOVE; comm->rank > 0; expected = MASS_RPC_START) {
        mass_rpc_box heard;
        mass_rpc call;
        status = mass_rpc_hear(comm, &call, &heard, &e);
        if (call != expected || (call == MASS_RPC_MOVE && memcmp(&heard, &box, sizeof box) != 0)) status = MASS_FAILED;
        if (status != MASS_OK || call == MASS_RPC_START) break;
    }
    ((mass_status *)context)[comm->rank] = status;
}

Test(call, is_heard_on_all_other_ranks)
{
    mass_status status[RANKS] = {MASS_FAILED};
    _Static_assert(sizeof(mass_rpc_box) == MASS_RPC_BYTES, "the longest call");
    mass_run_as_ranks(RANKS, call_three, status);
    for (int r = 0; r < RANKS; r++) cr_assert_eq(status[r], MASS_OK);
}

/* ---- transfers ---- */

static void move(mass_comm *comm, void *context)
{
    static const uint64_t lengths[RANKS] = {5, 0, 17, 4, 9};
    char all[35], own[17], back[35], *const to = comm->rank == 0 ? back : NULL;
    mass_error e = {0};
    for (size_t i = 0; i < sizeof all; i++) all[i] = (char)('!' + i);
    mass_status status = mass_transfer_scatter(comm, lengths, comm->rank == 0 ? all : NULL, own, &e);
    if (status == MASS_OK) status = mass_transfer_gather(comm, lengths, own, to, &e);
    if (comm->rank > 0) memset(all, 0, sizeof all);
    if (status == MASS_OK) status = mass_transfer_to_all(comm, all, sizeof all, &e);
    for (size_t i = 0; i < sizeof all; i++)
        if (all[i] != (char)('!' + i) || (to && back[i] != all[i])) status = MASS_FAILED;
    ((mass_status *)context)[comm->rank] = status;
}

Test(transfer, goes_there_and_back_in_pieces_of_any_length)
{
    for (mass_transfer_limit = 1; mass_transfer_limit < 40; mass_transfer_limit++) {
        mass_status status[RANKS];
        mass_run_as_ranks(RANKS, move, status);
        for (int r = 0; r < RANKS; r++) cr_assert_eq(status[r], MASS_OK, "%d", (int)mass_transfer_limit);
    }
}

/* ---- a domain ---- */

static mass_status nothing_available(mass_device *device, size_t *bytes, mass_error *error)
{
    (void)device, (void)error;
    *bytes = 0;
    return MASS_OK;
}

/* Rank 2 has no memory. */
static void create(mass_comm *comm, void *context)
{
    mass_memory_operations poor = *mass_cpu_table.memory;
    mass_device_table table = mass_cpu_table;
    mass_error *e = &((mass_error *)context)[comm->rank];
    mass_model m = {0};
    mass_device *device = NULL;
    mass_domain *d = NULL;
    poor.available = nothing_available;
    if (comm->rank == 2) table.memory = &poor;
    mass_model_add_space(&m, &(mass_space){.name = "s", .dimensions_min = 1, .dimensions_max = 1, .size = {40}}, NULL,
                         0, e);
    mass_model_add_attribute(&m, &(mass_attribute){.space = "s", .name = "a", .type = MASS_I64}, e);
    mass_model_resolve(&m, e);
    mass_cpu_open(&table, 1, &device, e);
    mass_domain_create(&m, device, &(mass_domain_options){.partitions = 1, .worlds = 1, .comm = comm}, &d, e);
    if (d) comm->table->abort(comm, 1);
    mass_device_close(device);
    mass_model_free(&m);
}

Test(call, a_domain_that_one_rank_cannot_have_none_has)
{
    mass_error error[3] = {0};
    mass_run_as_ranks(3, create, error);
    for (int r = 0; r < 3; r++) cr_assert_eq(error[r].status, MASS_NO_DEVICE);
    cr_assert_eq(strncmp(error[0].text, "rank 2 on host0: ", 17), 0, "%s", error[0].text);
    cr_assert_eq(strncmp(error[2].text, "rank", 4) == 0, false, "%s", error[2].text);
}
