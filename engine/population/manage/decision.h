/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a manage over ranks (manage_over_ranks.h).
 *
 * Most requests do not concern other ranks. The CPU's own manage (kernels/cpu) decides those. The steps here decide
 * the others first, and tell it the results.
 *
 * An agent that requests a place of another rank sends a claim to that rank. A cell with such a claim is a boundary
 * cell. If agents on a boundary cell request another cell of their rank, that is a boundary cell too. So claims to
 * boundary cells depend only on boundary cells, of this rank and others.
 *
 * The rank of a boundary cell sorts the claims to it, its own and others', keeps the best and refuses the rest. An
 * agent with a refused move keeps its position on its own rank. If its cell is a boundary cell, a claim to it may
 * now be one too many, and so on. Each rank follows such chains until they end or leave the rank. In rounds, the
 * ranks send each other the refusals that left, until there are none. A granted claim can be refused later, but
 * never the reverse. For each missing free position, a cell refuses its worst claim. So the result does not depend
 * on the order of messages.
 *
 * A refused request becomes a request for MASS_CELL_NOWHERE. Agents from other ranks get positions that no remaining
 * request needs. So the CPU's manage grants the same requests as these steps. */
#ifndef MASS_ENGINE_DECISION_H
#define MASS_ENGINE_DECISION_H

#include "cpu/manage_job.h"
#include "population/manage/manage_over_ranks.h"
#include "ranks/record_buffers.h"

/* An agent's request to move to a cell, or for a birth there. Ranks send this record too. The claim with the lower
 * key is better; with equal keys, the one with the lower id. */
typedef struct mass_claim {
    uint64_t key, id;
    uint32_t cell;  /* number on the rank that holds the place */
    uint32_t index; /* number of the agent or the birth on the rank that requests it */
    int32_t rank;   /* the requesting rank */
    uint32_t next;  /* next claim to the same cell, as 1 + its number; 0: none */
    uint64_t is_birth;
} mass_claim;

/* Claims to boundary cells of this rank: of moves, or of births. */
typedef struct mass_claims {
    uint32_t count, room;
    mass_claim *claim; /* [count] */
    uint32_t *cell;    /* [cell_count] the cells with claims */
    uint32_t cell_count;
} mass_claims;

/* Flags that ranks send with claims: there are claims of moves or of births; an agent requests a birth. Flag with
 * claims of unsorted agents: one is born or dies. Flags that ranks send with refusals: there are some; arrays may be
 * too small. */
enum {
    MASS_CLAIMS_OF_MOVES = 1,
    MASS_CLAIMS_OF_BIRTHS = 2,
    MASS_CLAIMS_BESIDE_BIRTHS = 4,
    MASS_CLAIMS_BESIDE_CHANGES = 8
};
enum { MASS_REFUSALS = 1, MASS_REFUSALS_BESIDE_NO_ROOM = 2 };

/* The cell that an agent gets. */
typedef struct mass_seat {
    int32_t rank;  /* the rank that holds the cell */
    uint32_t cell; /* number on that rank, or MASS_CELL_NOWHERE */
} mass_seat;

typedef struct mass_birth {
    uint32_t parent, number; /* birth `number` of agent `parent` */
} mass_birth;

/* A growing list of numbers. */
typedef struct mass_numbers {
    uint32_t *at; /* [count] */
    uint32_t count, room;
} mass_numbers;

/* A decision. Its memory serves one manage after another. */
struct mass_decision {
    const mass_manage_work *w;
    const mass_weights *weights;
    manage_job job; /* the CPU's manage */
    mass_cpu_manage_scratch scratch;
    uint64_t cells;
    bool spawn_last, moved; /* births come after moves; moves are decided */

    uint64_t *is_near;  /* bitmap of boundary cells; 0 between manages */
    mass_numbers near;  /* the boundary cells */
    uint32_t *held;     /* [cells] of boundary cells: occupied positions, and those of granted claims */
    uint32_t *head;     /* [cells] lists of claims as 1 + number, sorted worst first once decided; 0 between steps */
    mass_claims claims;
    void (*take_back)(mass_decision *d, uint32_t index); /* handles the refusal of a claim of this rank */
    mass_numbers leavers; /* agents that request a cell of another rank */
    mass_numbers refused_moves; /* agents with a refused move whose own cell does not count them yet */
    mass_birth *births;  /* births with a claim */
    uint32_t birth_count, birth_room;
    mass_numbers arrivals; /* cells for agents from other ranks */
    int64_t *died;         /* [worlds] deaths of this rank */
    int64_t *numbers;      /* [1 + ranks][worlds][2] births of this rank and its share of next_id; then those of all
                              ranks */
    mass_record_buffers sent_claims, refusals, travellers;
    mass_record_buffers visits;       /* of unsorted agents: claims with the agents' values */
    manage_visitor *visitors;  /* [visitor_room] */
    uint32_t visitor_room;
    uint64_t after;     /* agents on this rank after the manage */
    uint64_t claims_of; /* kinds of claims that any rank sent: MASS_CLAIMS_OF_... */
    bool any_births;    /* agents of some rank request births */
    bool fits;          /* all ranks know that all arrays are large enough */
};

/* Returns true if the manage's condition does not hold in a world. */
static inline bool mass_decision_is_closed(const mass_decision *d, int32_t world)
{
    return d->w->gates && d->w->gates[world];
}

/* Returns the number of births that an agent requests. */
static inline uint32_t mass_decision_births_of(const mass_decision *d, uint32_t agent)
{
    return d->w->asked[agent] & ~MASS_ASKED_KILL;
}

/* Returns true if a cell is a boundary cell. */
static inline bool mass_decision_is_boundary(const mass_decision *d, uint32_t cell)
{
    return d->is_near[cell / 64] >> cell % 64 & 1;
}

/* Returns the first agent of a world. The agents of a world end before the first one of the next world. */
static inline uint32_t mass_decision_first(const mass_decision *d, int32_t world)
{
    return d->w->start[world * d->w->places];
}

/* Returns the end of a cell's agents, and sets *first to the first one. */
static inline uint32_t mass_decision_agents(const mass_decision *d, uint32_t cell, uint32_t *first)
{
    *first = manage_first_agent(d->w, cell);
    return d->w->occupancy ? *first + manage_is_held(d->w, cell) : d->w->start[cell + 1];
}

/* Returns true if an agent lives and requests another cell, and no rank has refused the request. */
static inline bool mass_decision_is_moving(const mass_manage_work *w, uint32_t i)
{
    return w->move[i] <= MASS_CELL_REMOTE && w->move[i] != w->cell[i] && !(w->asked[i] & MASS_ASKED_KILL);
}

/* Adds a number to a list, which grows as needed. If memory is short, the list remains as it was. */
mass_status mass_numbers_add(mass_numbers *n, uint32_t number, mass_error *error);

/* Returns the cell that an agent of this rank requests: `cell`, or `place` if cell is MASS_CELL_REMOTE. */
mass_seat mass_decision_seat(const mass_decision *d, int32_t world, uint32_t cell, const int64_t *place);
/* Returns the cell that a birth requests, at the time of births. */
mass_seat mass_decision_seat_of_birth(const mass_decision *d, int32_t world, mass_birth b);

/* Finds requests for cells of other ranks, sends these claims, and finds the boundary cells, with their agents in
 * d->held. Lists the agents that leave in d->leavers, which is empty before. Counts this rank's deaths. Sets
 * d->claims_of, any_births and fits. Without a capacity there are no boundary cells: claims that arrive become
 * arrivals. All ranks call it together. */
mass_status mass_decision_look(mass_decision *d, mass_error *error);
/* Clears the set of boundary cells. */
void mass_decision_forget(mass_decision *d);

/* Adds a claim to a near cell of this rank. */
mass_status mass_decision_add(mass_decision *d, mass_claim claim, mass_error *error);
/* Adds the claims that arrived last, of births or of moves. */
mass_status mass_decision_add_arrived(mass_decision *d, bool births, mass_error *error);
/* Adds a claim to the next message to another rank. In it, the claim's rank is this one and its cell that of `seat`. */
mass_status mass_decision_send(mass_decision *d, mass_seat seat, mass_claim claim, mass_error *error);
/* Claims a cell of any rank for a birth, and lists the birth in d->births. */
mass_status mass_decision_claim_birth(mass_decision *d, mass_seat seat, mass_birth b, mass_error *error);
/* Grants each cell's best claims, as many as it has free positions, and refuses the others: calls d->take_back for
 * claims of this rank, and keeps refusals to other ranks for mass_decision_tell. */
mass_status mass_decision_keep_best(mass_decision *d, mass_error *error);
/* Counts one more agent on a boundary cell. If that is one too many, refuses the cell's worst claim, if it has one, as
 * mass_decision_keep_best does. */
mass_status mass_decision_take_seat(mass_decision *d, uint32_t cell, mass_error *error);
/* Sends the refusals since the last call to their ranks, and applies those that arrive. All ranks call it together. */
mass_status mass_decision_tell(mass_decision *d, mass_error *error);
/* Turns the granted claims of other ranks into arrivals, and clears all claims. */
mass_status mass_decision_settle(mass_decision *d, mass_error *error);

/* Decides for agents in no particular order that keep it, if all requests are moves. If an agent of any rank dies or
 * requests a birth, *done is false: the function has sorted the agents and decided nothing. Else d->after and d->fits
 * are set. All ranks call it together. */
mass_status mass_decision_unsorted(mass_decision *d, bool *done, mass_error *error);

/* Decide the births and the moves that concern other ranks. Without a capacity there is nothing to decide. All ranks
 * call them together. */
mass_status mass_decision_births(mass_decision *d, mass_error *error);
mass_status mass_decision_moves(mass_decision *d, mass_error *error);
/* Gives ids to all births, once all have their cells; next_id stays until the commit. Does nothing if no rank has
 * births. All ranks call it together. */
mass_status mass_decision_number(mass_decision *d, mass_error *error);
/* Sends agents and children with their values to other ranks, and receives theirs. Does nothing if no rank sent claims.
 * Adds the difference to d->after. All ranks call it together. */
mass_status mass_decision_transfer(mass_decision *d, mass_error *error);

#endif
