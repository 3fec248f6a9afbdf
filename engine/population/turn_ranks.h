/* SPDX-License-Identifier: Apache-2.0 */
/* Phases in turn over ranks that share the space. Each rank runs the phase on a window of its own: its slab and some
 * layers around it (turn_window.h). The rank gets the agents and places of the window, and while the phase runs, the
 * domain has these in place of its own. No message is sent meanwhile.
 *
 * Before anybody acts, each rank checks by the order of the actors that its window suffices. If the window of any rank
 * does not, all ranks take larger ones, up to the whole space.
 *
 * Afterwards each rank keeps only the agents that began in its slab, and their children. Ranks give the children ids in
 * canonical order. Then each agent is sent to the rank that holds its place. Main thread; all ranks call each function
 * together. */
#ifndef MASS_ENGINE_POPULATION_TURN_RANKS_H
#define MASS_ENGINE_POPULATION_TURN_RANKS_H

#include "state/domain.h"

/* Gets the window for the phases of a turn, of which `first` is the first. Makes it larger until it suffices. gates:
 * NULL, or those of their condition. */
mass_status mass_turn_ranks_open(mass_domain *d, uint32_t first, uint64_t step, const uint32_t *gates,
                                 mass_error *error);

/* Ends the phase for a population that it sees. Children get ids, and agents are sent to their ranks. counted:
 * births and deaths also count in tallies that restart in each step. status: this rank's so far. The domain has the
 * rank's own agents again then, on failure too. */
mass_status mass_turn_ranks_close(mass_domain *d, uint32_t population, bool counted, mass_status status,
                                  mass_error *error);

/* Exchanges the domain's agents of a population: the rank's own ones for those of the window, and back. */
void mass_turn_ranks_swap(mass_domain *d, uint32_t population);

/* Frees what phases in turn over ranks keep. */
void mass_turn_ranks_free(mass_domain *d);

#endif
