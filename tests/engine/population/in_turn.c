/* SPDX-License-Identifier: Apache-2.0 */
/* Where phases in turn run. */
#include "population/in_turn.h"

#include "device/device.h"

#include "../expect.h"

#include <stdio.h>

/* Returns a phase in turn of a population. */
static mass_phase_def phase_of(const mass_callback *c, int32_t population, const char *turn)
{
    mass_phase_def p = {.callback = c, .schedule = MASS_STEP, .population = population, .population_count = 1,
                        .populations = {(uint32_t)population}};
    snprintf(p.turn_name, sizeof p.turn_name, "%s", turn);
    return p;
}

/* A device like GPUs does not launch callbacks together. */
Test(in_turn, a_shared_turn_is_refused_by_devices_that_cannot_do_it)
{
    const mass_callback hunt = {.name = "hunt", .over = MASS_OVER_TURNS};
    const mass_callback graze = {.name = "graze", .over = MASS_OVER_TURNS};
    mass_phase_def phases[] = {phase_of(&hunt, 0, "day"), phase_of(&graze, 1, "day")};
    const mass_model m = {.phases = phases, .phase_count = 2, .space_count = 1, .population_count = 2};
    const mass_share share = mass_share_make(mass_comm_self(), 1, 1, NULL);
    mass_launch_operations launch = *mass_cpu_table.launch;
    mass_device_table table = mass_cpu_table;
    mass_device device = {.table = &table};
    table.launch = &launch;
    EXPECT_OK(mass_turn_check(&m, &device, &share, e));
    launch.together = NULL;
    EXPECT_REFUSAL(mass_turn_check(&m, &device, &share, e), MASS_BAD_USAGE,
                   "callbacks hunt and graze share turn 'day', which cpu cannot do: use --device cpu");
    phases[1].turn_name[0] = 0;
    EXPECT_OK(mass_turn_check(&m, &device, &share, e));
}

/* Nodes find nobody far from them. */
Test(in_turn, nodes_are_refused_by_devices_like_gpus)
{
    const mass_callback meet = {.name = "meet", .over = MASS_OVER_NODES_IN_TURN, .network = "town"};
    mass_phase_def phase = {.callback = &meet, .schedule = MASS_STEP, .population = -1};
    const mass_model m = {.phases = &phase, .phase_count = 1, .space_count = 1,
                          .spaces = {{.name = "town", .dimensions = 1, .size = {100, 1, 1}}}};
    const mass_share share = mass_share_make(mass_comm_self(), 1, 1, NULL);
    mass_launch_operations launch = *mass_cpu_table.launch;
    mass_device_table table = mass_cpu_table;
    mass_device device = {.table = &table};
    table.launch = &launch;
    EXPECT_OK(mass_turn_check(&m, &device, &share, e));
    launch.together = NULL;
    EXPECT_REFUSAL(mass_turn_check(&m, &device, &share, e), MASS_BAD_USAGE,
                   "nodes act in turn in callback meet, which cpu cannot do: use --device cpu");
}
