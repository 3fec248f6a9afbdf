/* SPDX-License-Identifier: Apache-2.0 */
/* manage (kernels/manage.h) of a population whose places are divided among ranks. The outcome is the one that is
 * defined there, to the same bits, wherever the cuts are.
 *
 * Every rank has the agents of its own places, in canonical order; its cells number these places, a world after the
 * other, and what is asked for of other ranks' places is told as MASS_CELL_REMOTE and the place. First the ranks
 * decide, and exchange the agents that change rank, without writing anything of the population; then each commits its
 * own part, which cannot fail. In between a rank whose arrays are too small makes room. Host memory, main thread. */
#ifndef MASS_ENGINE_MANAGE_OVER_RANKS_H
#define MASS_ENGINE_MANAGE_OVER_RANKS_H

#include "comm/comm.h"
#include "manage.h"

/* Who holds which places of a space, in every world. Borrowed by a decision. */
typedef struct mass_weights {
    mass_comm *comm;
    const int64_t *first_place; /* [ranks + 1] row-major, ascending: rank r holds those from first_place[r] to before
                                   first_place[r + 1]; none is fine */
    struct mass_cpu_team *team; /* threads of this rank, or NULL: the one that calls */
    uint64_t part;              /* least work worth one of them, in cells; 0: as measured */
} mass_weights;

typedef struct mass_decision mass_decision;

/* Decides. w->places counts this rank's. Tallies, next_id among them, are those that the ranks' add up to; gates, the
 * step and all else that is no array of agents are the same on all ranks. Where w->order has ANY (manage.h), there
 * is one world. All ranks call it. *kept: memory, which is NULL at first and then goes from one manage to the next;
 * the caller frees it. *after: how many agents this rank will have; or where it leaves ANY, MASS_MANAGE_CHANGES if
 * somebody on any rank dies or asks for a birth: nothing is decided then, but agents are sorted. Of the population it
 * changes only that requests which are refused for what other ranks' agents ask for become ones for MASS_CELL_NOWHERE;
 * where w->order has ANY also, in the arrays where agents are, their order, or their cells, where requests end. On
 * failure, which may be of one rank alone while the others wait for it, the communicator is of no use any more. */
mass_status mass_manage_decide(const mass_manage_work *w, const mass_weights *weights, mass_decision **kept,
                               uint64_t *after, mass_error *error);

/* Whether all ranks know that each has room for the agents that it will have. The same on all ranks. */
bool mass_decision_fits(const mass_decision *d);

/* Carries the decision out. w: as it was, but for larger arrays, with room for `after` agents. Tallies go on by what
 * became of this rank's agents and their births. */
void mass_manage_commit(mass_decision *d, const mass_manage_work *w);

/* NULL is fine. */
void mass_decision_free(mass_decision *d);

#endif
