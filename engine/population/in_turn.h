/* SPDX-License-Identifier: Apache-2.0 */
/* Phases in turn: agents, or places, act one after the other (kernels/turn.h).
 *
 * Before the launch, the agents of all populations that the phase sees become lists by place, and those that act get
 * their order. After it, each population is brought back to canonical order. Bodies act on whole arrays of places: of
 * attributes that are divided into partitions, or that are bits, they get a copy (turn_places.h). Several phases may
 * share a turn (model/shared_turns.h). Main thread. */
#ifndef MASS_ENGINE_POPULATION_IN_TURN_H
#define MASS_ENGINE_POPULATION_IN_TURN_H

#include "device/launch.h"
#include "state/domain.h"

/* Refuses phases in turn where they do not run: on devices that lack their operations, and for too many places. */
mass_status mass_turn_check(const mass_model *m, mass_device *device, const mass_share *share, mass_error *error);

/* Prepares the phases of a turn, of which `first` is the first. Makes room for as many children as their agents may
 * have. gates: NULL, or those of their condition. If ranks split the space, all call this function and
 * mass_turn_restore together. */
mass_status mass_turn_line_up(mass_domain *d, uint32_t first, uint64_t step, const uint32_t *gates, mass_error *error);

/* Completes the launch record of a phase that was prepared, and the addresses of its fields. Does nothing for phases
 * that are not in turn. */
void mass_turn_show(const mass_domain *d, uint32_t phase, mass_launch *launch, void **fields,
                    mass_field_memory *memory);

/* Brings population `index` back to canonical order after the launch of a turn. Children get their ids. With the own
 * population of its first phase, it also takes back the copies of places. If places acted, it does only that. counted:
 * add to tallies that restart in each step. Fails if values that make the order have none. */
mass_status mass_turn_restore(mass_domain *d, uint32_t first, uint32_t index, uint64_t step, bool counted,
                              mass_error *error);

/* Gives the rounds of the launches in turn since the last call, and the most of one launch. Both are 0 where actors do
 * not act in rounds. Waits for the device. */
mass_status mass_turn_take_rounds(mass_domain *d, uint64_t *rounds, uint64_t *most, mass_error *error);

#endif
