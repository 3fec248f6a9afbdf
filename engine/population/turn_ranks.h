/* SPDX-License-Identifier: Apache-2.0 */
/* Phases in turn over ranks that share the space. Each rank plays the phase on a window of its own (turn_window.h): it
 * gets the agents and places of the window, and while the phase runs, these are the domain's. No message is sent
 * meanwhile. The keys of the order tell if the window suffices before anybody acts. If that of a rank does not, all
 * ranks take larger ones, up to the whole space. Afterwards a rank keeps what has become of those that began in its
 * slab. Ranks number the children one after the other, as canonical order does. Then each agent goes to the rank that
 * holds its place. Main thread; all ranks call each function together. */
#ifndef MASS_ENGINE_POPULATION_TURN_RANKS_H
#define MASS_ENGINE_POPULATION_TURN_RANKS_H

#include "state/domain.h"

/* Gets the window for the phases of a turn, of which `first` is the first. Makes it larger until it suffices. gates:
 * NULL, or those of their condition. */
mass_status mass_turn_ranks_open(mass_domain *d, uint32_t first, uint64_t step, const uint32_t *gates,
                                 mass_error *error);

/* Takes back a population that the phase sees. Children get their ids. counted: add to tallies that restart in each
 * step. `status` is this rank's until now. */
mass_status mass_turn_ranks_close(mass_domain *d, uint32_t population, bool counted, mass_status status,
                                  mass_error *error);

/* Exchanges the domain's agents of a population for the other ones. */
void mass_turn_ranks_swap(mass_domain *d, uint32_t population);

/* Frees what phases in turn over ranks keep. */
void mass_turn_ranks_free(mass_domain *d);

#endif
