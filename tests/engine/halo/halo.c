/* SPDX-License-Identifier: Apache-2.0 */
/* Halos of several ranks, which are threads. */
#include "copies.h"

#include "halo/boxes.h"
#include "snapshot/create.h"

#include "../comm/threads.h"
#include "../run/linked_cpu.h"
#include "device/cpu/cpu.h"

#include <mass/kernel.h>

#include <criterion/criterion.h>

enum { RANKS = 4, SPACES = 3, EXCHANGES = 6 };

MASS_STENCIL(cut_look, 2, 3, READS(TYPED(old, int64_t, value)), WRITES(TYPED(next, int64_t, value)))
{
    OUT(next) = NEAR(old, 0, -3) + NEAR(old, 0, 3);
}

/* Edges of a bounded space have one neighbour; and of slabs of one row, each shows others to many. */
static const mass_space spaces[SPACES] = {
    {.name = "bounded", .dimensions_min = 2, .dimensions_max = 2, .size = {5, 40}},
    {.name = "torus", .dimensions_min = 2, .dimensions_max = 2, .size = {5, 40}, .torus = 3},
    {.name = "thin", .dimensions_min = 2, .dimensions_max = 2, .size = {30, RANKS}}};

static void make_model(mass_model *m, mass_error *e)
{
    for (int i = 0; i < SPACES; i++) {
        mass_model_add_space(m, &spaces[i], NULL, 0, e);
        mass_model_add_attribute(m, &(mass_attribute){.space = spaces[i].name, .name = "value", .type = MASS_I64}, e);
        mass_model_add_agent_phase(m, &(mass_agent_phase){.schedule = MASS_STEP, .callback = &cut_look,
                                                          .space = spaces[i].name}, e);
    }
    mass_model_resolve(m, e);
}

/* What crosses the boundaries of several spaces: all ranks make room for it after the same exchange, as recordings have
 * to be made again then. After each exchange, of one space after the other. */
static void count_changes(mass_comm *comm, void *context)
{
    static const int32_t shares[RANKS] = {1, 30, 2, 30};
    uint64_t (*changes)[EXCHANGES] = context;
    mass_model m = {0};
    mass_device *device = NULL;
    mass_domain *d = NULL;
    mass_error error = {0}, *e = &error;
    make_model(&m, e);
    mass_cpu_open(&mass_cpu_table, 1, &device, e);
    mass_domain_create(&m, device, &(mass_domain_options){.partitions = 1, .worlds = 1, .comm = comm,
                                                          .shares = shares}, &d, e);
    for (uint32_t i = 0; e->status == MASS_OK && i < EXCHANGES; i++) {
        const mass_space_def *space = &m.spaces[i % SPACES];
        const uint32_t array = space->first_array;
        mass_boxes_refresh(d, &array, 1, space->ghost[mass_slab_axis(space)], e);
        changes[comm->rank][i] = d->changes;
    }
    if (e->status != MASS_OK) comm->table->abort(comm, 1);
    mass_domain_free(d);
    mass_device_close(device);
    mass_model_free(&m);
}

Test(boxes, changes_at_the_same_time_on_all_ranks)
{
    uint64_t changes[RANKS][EXCHANGES];
    mass_run_as_ranks(RANKS, count_changes, changes);
    for (int r = 1; r < RANKS; r++) cr_assert_arr_eq(changes[r], changes[0], sizeof changes[0], "rank %d", r);
    cr_assert_gt(changes[0][0], 0);
    cr_assert_eq(changes[0][EXCHANGES - 1], changes[0][SPACES - 1]);
}

enum { DRAWS = 60 };

static void open_device(mass_comm *comm, mass_device **device)
{
    mass_error e = {0};
    if (mass_cpu_open(&mass_cpu_table, 1, device, &e) != MASS_OK) comm->table->abort(comm, 1);
}

static void check_on_cpu(mass_comm *comm, void *context)
{
    mass_device *device = NULL;
    (void)context;
    open_device(comm, &device);
    check_copies(comm, device, NULL, 1000 * (uint64_t)comm->size, DRAWS);
    mass_device_close(device);
}

/* context: whether the link is used, or the host carries what it downloads. */
static void check_linked(mass_comm *comm, void *context)
{
    mass_error e = {0};
    mass_device *device = NULL;
    mass_link *link = NULL;
    if (linked_cpu_open(comm, MASS_BESIDE_LAST, &device, &link, &e) != MASS_OK) comm->table->abort(comm, 1);
    check_copies(comm, device, *(const bool *)context ? link : NULL, 5000, DRAWS / 2);
    if (link) link->table->close(link);
    mass_device_close(device);
}

Test(halos, of_one_rank)
{
    check_on_cpu(mass_comm_self(), NULL);
    mass_run_as_ranks(1, check_on_cpu, NULL);
}

Test(halos, of_two_ranks) { mass_run_as_ranks(2, check_on_cpu, NULL); }
Test(halos, of_three_ranks) { mass_run_as_ranks(3, check_on_cpu, NULL); }
Test(halos, of_five_ranks) { mass_run_as_ranks(5, check_on_cpu, NULL); }
Test(halos, over_a_link) { mass_run_as_ranks(3, check_linked, &(bool){true}); }
Test(halos, of_devices_whose_memory_is_not_the_hosts) { mass_run_as_ranks(3, check_linked, &(bool){false}); }
