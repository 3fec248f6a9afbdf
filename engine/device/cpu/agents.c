/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU's operations on populations: functions of the tables of device/agents.h, under their names there. They call
 * kernels/cpu. */
#include "device/cpu/cpu.h"

#include <string.h>

/* Applies the requests of all agents; see mass_agents_operations.manage. May use fewer threads, as the tuner finds. */
static mass_status manage(mass_device *device, const mass_manage_work *work, uint64_t *agents, mass_error *error)
{
    mass_cpu *cpu = (mass_cpu *)device;
    const double cells = (double)work->worlds * (double)work->places + *work->count;
    const int most = mass_cpu_team_threads(cpu->team);
    const bool paced = cpu->paced && most > 1;
    const int threads = paced ? mass_thread_tuner_begin(&cpu->manage_pace, most, cells) : most;
    *agents = mass_cpu_manage(work, &cpu->manage, cpu->team, threads);
    if (paced) mass_thread_tuner_end(&cpu->manage_pace, true);
    if (*agents == UINT64_MAX) return mass_error_memory(error, (size_t)work->room * 24, "moving agents");
    if (*agents == MASS_MANAGE_CHANGES) *agents = UINT64_MAX;
    return MASS_OK;
}

/* Gives agents that move their new positions. */
static mass_status reposition(mass_device *device, const mass_reposition_work *work, mass_error *error)
{
    (void)error;
    mass_cpu_reposition(work, ((mass_cpu *)device)->team);
    return MASS_OK;
}

/* Discards all requests that no manage has applied. */
static mass_status drop(mass_device *device, const mass_discard_work *work, mass_error *error)
{
    (void)error;
    mass_cpu_discard_requests(work, ((mass_cpu *)device)->team);
    return MASS_OK;
}

/* Writes each world's number of agents to tally[]. */
static mass_status census(mass_device *device, const uint32_t *start, int64_t places, int32_t worlds, int64_t *tally,
                          mass_error *error)
{
    (void)device;
    (void)error;
    for (int32_t w = 0; w < worlds; w++) tally[w] = mass_agents_of_world(start, places, w);
    return MASS_OK;
}

/* Fills the index of agents by their ids. */
static mass_status make_index(mass_device *device, const mass_index_work *work, mass_error *error)
{
    (void)device;
    (void)error;
    mass_cpu_index(work);
    return MASS_OK;
}

/* Fills the bitmap of full places. */
static mass_status find_full(mass_device *device, const mass_full_work *work, mass_error *error)
{
    (void)device;
    (void)error;
    mass_cpu_find_full(work);
    return MASS_OK;
}

/* Finds the sprouts that are born: work->before, and their number. *any: a place of an open world has a request. */
static mass_status count_sprouts(mass_device *device, const mass_sprout_work *work, uint64_t *born, bool *any,
                                 mass_error *error)
{
    (void)error;
    mass_cpu_sprout_count(work, ((mass_cpu *)device)->team, born, any);
    return MASS_OK;
}

/* Adds the sprouts that count_sprouts found, from the present arrays to the next ones, which have room. */
static mass_status grow_sprouts(mass_device *device, const mass_sprout_work *work, mass_error *error)
{
    (void)error;
    mass_cpu_sprout_grow(work, ((mass_cpu *)device)->team);
    return MASS_OK;
}

/* Clears the requests for sprouts in open worlds, and counts those that are not born (mass_sprout_operations.clear). */
static mass_status clear_sprouts(mass_device *device, const mass_sprout_work *work, mass_error *error)
{
    (void)error;
    mass_cpu_sprout_clear(work, ((mass_cpu *)device)->team);
    return MASS_OK;
}

static const mass_sprout_operations sprouts = {sizeof sprouts, count_sprouts, grow_sprouts, clear_sprouts};

enum { TURN_ROWS_A_THREAD = 4096 }; /* agents to list, or to bring back to order */

/* Returns how many threads go through so many agents before or after a phase in turn. *paced: the tuner *pace chose the
 * number, and the caller ends it. */
static int turn_threads(const mass_cpu *cpu, mass_thread_tuner *pace, uint64_t rows, bool *paced)
{
    const int all = mass_cpu_team_threads(cpu->team);
    const uint64_t worth = 1 + rows / TURN_ROWS_A_THREAD;
    const int most = worth < (uint64_t)all ? (int)worth : all;
    *paced = cpu->paced && most > 1;
    return *paced ? mass_thread_tuner_begin(pace, most, (double)rows) : most;
}

/* Returns the agents of a population in turn, with those that they may bear. */
static uint64_t rows_of(const mass_turn_population *t) { return (uint64_t)t->count * (1 + t->children); }

/* Makes the lists of a population from its cells; they are empty before. Sets its counts to 0. */
static mass_status list_turn(mass_device *device, const mass_turn_population *population, const uint32_t *cell,
                             int32_t worlds, mass_error *error)
{
    mass_cpu *const cpu = (mass_cpu *)device;
    const size_t bytes = (size_t)worlds * sizeof *population->born;
    bool paced;
    const int threads = turn_threads(cpu, &cpu->turn_list_pace, rows_of(population), &paced);
    (void)error;
    memset(population->born, 0, bytes);
    memset(population->died, 0, bytes);
    memset(population->unborn, 0, bytes);
    mass_cpu_turn_list(population, cell, cpu->team, threads);
    if (paced) mass_thread_tuner_end(&cpu->turn_list_pace, true);
    return MASS_OK;
}

/* Leaves it to the launch to find the order, on as many threads as it has; turn->order is where it will be. Phases that
 * share a turn get it now. */
static mass_status order_turn(mass_device *device, const mass_turn_order_work *work, mass_error *error)
{
    mass_cpu *const cpu = (mass_cpu *)device;
    (void)error;
    if (work->shared) {
        mass_cpu_turn_order(work);
        return MASS_OK;
    }
    cpu->turn_order = *work;
    cpu->turn_order.turn = NULL;
    work->turn->order = mass_cpu_turn_order_in(work);
    return MASS_OK;
}

/* Finds the order at once. */
static mass_status order_turn_now(mass_device *device, const mass_turn_order_work *work, mass_error *error)
{
    (void)device;
    (void)error;
    mass_cpu_turn_order(work);
    return MASS_OK;
}

/* Brings a population back to canonical order, and empties its lists. */
static mass_status restore_turn(mass_device *device, const mass_turn_restore_work *work, mass_error *error)
{
    mass_cpu *const cpu = (mass_cpu *)device;
    bool paced;
    const int threads = turn_threads(cpu, &cpu->turn_restore_pace, rows_of(work->population), &paced);
    (void)error;
    mass_cpu_turn_restore(work, cpu->team, threads);
    if (paced) mass_thread_tuner_end(&cpu->turn_restore_pace, true);
    return MASS_OK;
}

/* Copies places of a partition to the copy of the space, or back. */
static mass_status copy_turn_places(mass_device *device, const mass_turn_places_work *work, bool back,
                                    mass_error *error)
{
    (void)device;
    (void)error;
    mass_cpu_turn_copy_places(work, back);
    return MASS_OK;
}

static const mass_turn_operations turns = {sizeof turns, list_turn, mass_cpu_turn_order_bytes, order_turn,
                                           restore_turn, copy_turn_places, NULL};
static const mass_turn_operations turns_by_loop = {sizeof turns_by_loop, list_turn, mass_cpu_turn_order_bytes,
                                                   order_turn_now, restore_turn, copy_turn_places, NULL};

static mass_cpu_team *team(mass_device *device) { return ((mass_cpu *)device)->team; }

const mass_agents_operations mass_cpu_agents = {
    .struct_size = sizeof mass_cpu_agents,
    .takes_any_order = true,
    .occupied_requires_order = true,
    .knows_seats = true,
    .manage = manage,
    .reposition = reposition,
    .drop = drop,
    .census = census,
    .team = team,
    .index = make_index,
    .find_full = find_full,
    .sprout = &sprouts,
    .turn = &turns,
};

const mass_agents_operations mass_cpu_agents_by_starts = {
    .struct_size = sizeof mass_cpu_agents_by_starts,
    .manage = manage,
    .reposition = reposition,
    .drop = drop,
    .census = census,
    .team = team,
    .index = make_index,
    .find_full = find_full,
    .sprout = &sprouts,
    .turn = &turns_by_loop,
};
