/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that ranks create together, and what becomes of the others where one of them cannot. */
#include "../comm/threads.h"
#include "snapshot/create.h"

#include "device/cpu/cpu.h"
#include "run/create.h"

#include <criterion/criterion.h>
#include <mass/kernel.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 3, FAILS = 1 };

MASS_STENCIL(average, 2, 1, READS(TYPED(old, int64_t, u)), WRITES(TYPED(next, int64_t, u)))
{
    OUT(next) = (NEAR(old, -1, 0) + NEAR(old, 1, 0) + NEAR(old, 0, -1) + NEAR(old, 0, 1)) / 4;
}

static mass_status prepare_nothing(mass_device *device, const mass_callback *c, const void *code, mass_prepared **out,
                                   mass_error *error)
{
    (void)device, (void)c, (void)code, (void)out;
    return mass_error_set(error, MASS_NO_DEVICE, "no code can be had");
}

static void make(mass_model *m, mass_error *error)
{
    static const mass_space space = {.name = "s", .dimensions_min = 2, .dimensions_max = 2, .size = {20, 60}};
    mass_model_add_space(m, &space, NULL, 0, error);
    mass_model_add_attribute(m, &(mass_attribute){.space = "s", .name = "u", .type = MASS_I64}, error);
    mass_model_add_phase(m, &(mass_phase){.schedule = MASS_STEP, .callback = &average}, error);
    if (error->status == MASS_OK) mass_model_resolve(m, error);
}

/* One rank, whose error is errors[its number]. */
static void create(mass_comm *comm, void *errors)
{
    mass_error *const e = (mass_error *)errors + comm->rank;
    mass_model *m = calloc(1, sizeof *m);
    mass_launch_operations launch = *mass_cpu_table.launch;
    mass_device_table table = mass_cpu_table;
    mass_device *device = NULL;
    mass_domain *domain = NULL;
    mass_stepper *run = NULL;
    int32_t tries;
    table.launch = &launch;
    if (comm->rank == FAILS) launch.prepare = prepare_nothing;
    make(m, e);
    if (e->status == MASS_OK) mass_cpu_open(&table, 1, &device, e);
    const mass_run_request q = {.domain = {.worlds = 1, .partitions = 1, .comm = comm}, .fuse = 4};
    if (e->status == MASS_OK) mass_run_create(m, device, &q, &domain, &run, &tries, e);
    mass_stepper_free(run);
    mass_domain_free(domain);
    mass_device_close(device);
    mass_model_free(m);
    free(m);
}

/* The others would wait for it in what they do next. */
Test(create, what_one_rank_has_no_code_for_fails_on_all, .timeout = 60)
{
    mass_error errors[RANKS] = {0};
    mass_run_as_ranks(RANKS, create, errors);
    for (int32_t r = 0; r < RANKS; r++) {
        cr_assert_eq(errors[r].status, MASS_NO_DEVICE, "rank %d: %s", (int)r, errors[r].text);
        cr_assert(strstr(errors[r].text, "no code can be had"), "rank %d: %s", (int)r, errors[r].text);
    }
}
