/* SPDX-License-Identifier: Apache-2.0 */
/* manage (kernels/manage.h) of a population whose places are split among ranks. The result is the one defined there,
 * to the same bits, for every split.
 *
 * Every rank has the agents of its own places, in canonical order. Its cells number these places, world after world.
 * A request for another rank's place is MASS_CELL_REMOTE and the place. First the ranks decide, and exchange the
 * agents that change rank, without writing the population. Then each rank commits its part, which cannot fail. In
 * between, a rank enlarges its arrays if they are too small. Host memory, main thread. */
#ifndef MASS_ENGINE_MANAGE_OVER_RANKS_H
#define MASS_ENGINE_MANAGE_OVER_RANKS_H

#include "comm/comm.h"
#include "manage.h"

/* The rank of every place of a space, in every world. A decision borrows it. */
typedef struct mass_weights {
    mass_comm *comm;
    const int64_t *first_place; /* [ranks + 1] row-major, ascending: rank r holds places first_place[r] to
                                   first_place[r + 1] - 1; a rank may hold none */
    struct mass_cpu_team *team; /* threads of this rank; NULL: the calling thread */
    uint64_t part;              /* least work for one thread, in cells; 0: the measured default */
} mass_weights;

typedef struct mass_decision mass_decision;

/* Decides a manage. All ranks call it.
 *
 * w->places are those of this rank. The ranks' tallies, next_id among them, add up to the totals. Gates, the step
 * and everything else but arrays of agents are the same on all ranks. If w->order has ANY (manage.h), there is one
 * world.
 *
 * *kept: memory for the next manage, NULL at first; the caller frees it. *after: agents that this rank will have. If
 * w->order leaves ANY and an agent of any rank dies or requests a birth, *after is MASS_MANAGE_CHANGES. Then the
 * function has sorted the agents and decided nothing.
 *
 * The population changes in one way: a request that is refused because of other ranks' agents becomes one for
 * MASS_CELL_NOWHERE. If w->order has ANY, the function may also change, in the present arrays, the order of agents,
 * or cells and requests.
 *
 * A failure may be of one rank alone, while the others wait for it. The communicator is unusable afterwards. */
mass_status mass_manage_decide(const mass_manage_work *w, const mass_weights *weights, mass_decision **kept,
                               uint64_t *after, mass_error *error);

/* Returns true if all ranks know that each has arrays for its agents. The same on all ranks. */
bool mass_decision_fits(const mass_decision *d);

/* Applies the decision. w: as before, but arrays may be larger, for `after` agents or more. Tallies count what
 * happened to this rank's agents and their births. */
void mass_manage_commit(mass_decision *d, const mass_manage_work *w);

/* Accepts NULL. */
void mass_decision_free(mass_decision *d);

#endif
