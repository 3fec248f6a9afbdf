/* SPDX-License-Identifier: Apache-2.0 */
/* What the steps of a manage over ranks share (manage_over_ranks.h).
 *
 * Most requests have nothing to do with other ranks: those the CPU's own manage (kernels/cpu) decides. It is told what
 * becomes of the rest, which is found out before. Who asks for a place of another rank sends a claim to it. A cell that
 * such a claim is for is near; and where agents who stand on a near cell ask for another one of their rank, that is
 * near as well. So whether a claim to a near cell is granted depends on near cells, here and on other ranks, alone.
 *
 * The rank of a near cell sorts the claims to it, its own and others', keeps the best and takes the others back. An
 * agent whose move was refused keeps its seat, on a cell of its own rank, so that if it is near, another claim there
 * may be one too many, of an agent of whatever rank, and so on: each rank follows such chains until they end or leave
 * it, and in rounds the ranks tell each other of those that left, until none did. Claims are only ever taken back, and
 * a cell takes back its worst one for every seat that it lacks; so the outcome does not depend on who comes first.
 *
 * A request that is taken back becomes one for MASS_CELL_NOWHERE, and who comes from other ranks is seated where nobody
 * asks for its seat any more. So the CPU's manage comes to what is granted here. */
#ifndef MASS_ENGINE_DECISION_H
#define MASS_ENGINE_DECISION_H

#include "cpu/manage_job.h"
#include "population/manage/manage_over_ranks.h"
#include "ranks/record_buffers.h"

/* An agent that asks to move to a cell, or a birth there; also as ranks send it. The claim with the lower key is
 * better, and with the lower id, where they are equal. */
typedef struct mass_claim {
    uint64_t key, id;
    uint32_t cell;  /* of the rank that holds it */
    uint32_t index; /* of the agent or the birth, on the rank that it comes from */
    int32_t rank;   /* that one */
    uint32_t next;  /* of the same cell, as 1 + its number; 0: none */
    uint64_t is_birth;
} mass_claim;

/* The claims to near cells of this rank, of births or of moves. */
typedef struct mass_claims {
    uint32_t count, room;
    mass_claim *claim; /* [count] */
    uint32_t *cell;    /* [cell_count] those with claims */
    uint32_t cell_count;
} mass_claims;

/* Notes of ranks that send claims: what of; that somebody asks for a birth; or, of agents that keep no order, that
 * somebody does so or dies. And of ranks that send refusals: that there are some, and that arrays may be too small. */
enum {
    MASS_CLAIMS_OF_MOVES = 1,
    MASS_CLAIMS_OF_BIRTHS = 2,
    MASS_CLAIMS_BESIDE_BIRTHS = 4,
    MASS_CLAIMS_BESIDE_CHANGES = 8
};
enum { MASS_REFUSALS = 1, MASS_REFUSALS_BESIDE_NO_ROOM = 2 };

/* Where an agent is to stand. */
typedef struct mass_seat {
    int32_t rank;  /* that holds the cell */
    uint32_t cell; /* of that rank, or MASS_CELL_NOWHERE */
} mass_seat;

typedef struct mass_birth {
    uint32_t parent, number; /* birth `number` of agent `parent` */
} mass_birth;

/* Grows as numbers are added. */
typedef struct mass_numbers {
    uint32_t *at; /* [count] */
    uint32_t count, room;
} mass_numbers;

/* Memory is kept from manage to manage. */
struct mass_decision {
    const mass_manage_work *w;
    const mass_weights *weights;
    manage_job job; /* of the CPU's manage */
    mass_cpu_manage_scratch scratch;
    uint64_t cells;
    bool spawn_last, moved; /* births come after the moves; moves have been decided */

    uint64_t *is_near;  /* [cells] as bits; 0 between manages */
    mass_numbers near;  /* cells */
    uint32_t *held;     /* [cells] of near ones: seats that are taken, by granted claims too */
    uint32_t *head;     /* [cells] lists of claims as 1 + number, worst first once decided; 0 between steps */
    mass_claims claims;
    void (*take_back)(mass_decision *d, uint32_t index); /* a claim of this rank was refused */
    mass_numbers leavers; /* agents that ask for a cell of another rank */
    mass_numbers refused_moves; /* agents whose move was refused and whose seat nobody has been told to leave yet */
    mass_birth *births;  /* that have a claim */
    uint32_t birth_count, birth_room;
    mass_numbers arrivals; /* cells that those who come from other ranks are to stand on */
    int64_t *died;         /* [worlds] of this rank's agents */
    int64_t *numbers;      /* [1 + ranks][worlds][2] births of this rank and its share of next_id; then all ranks' */
    mass_record_buffers sent_claims, refusals, travellers;
    mass_record_buffers visits;       /* of loose agents: claims with the values of those who ask */
    manage_visitor *visitors;  /* [visitor_room] */
    uint32_t visitor_room;
    uint64_t after;     /* agents that this rank will have */
    uint64_t claims_of; /* what any rank has sent claims of: MASS_CLAIMS_OF_... */
    bool any_births;    /* some rank's agents ask for births */
    bool fits;          /* all ranks know that all of them have room */
};

static inline bool mass_decision_is_closed(const mass_decision *d, int32_t world)
{
    return d->w->gates && d->w->gates[world];
}

static inline uint32_t mass_decision_births_of(const mass_decision *d, uint32_t agent)
{
    return d->w->asked[agent] & ~MASS_ASKED_KILL;
}

static inline bool mass_decision_is_boundary(const mass_decision *d, uint32_t cell)
{
    return d->is_near[cell / 64] >> cell % 64 & 1;
}

/* The agents of a world are those from the first one to before that of the next world. */
static inline uint32_t mass_decision_first(const mass_decision *d, int32_t world)
{
    return d->w->start[world * d->w->places];
}

/* The agents of a cell, from *first to before the end, which is returned. */
static inline uint32_t mass_decision_agents(const mass_decision *d, uint32_t cell, uint32_t *first)
{
    *first = manage_first_agent(d->w, cell);
    return d->w->occupancy ? *first + manage_is_held(d->w, cell) : d->w->start[cell + 1];
}

/* Whether an agent lives and asks for another cell, and may get it, for all that is known. */
static inline bool mass_decision_is_moving(const mass_manage_work *w, uint32_t i)
{
    return w->move[i] <= MASS_CELL_REMOTE && w->move[i] != w->cell[i] && !(w->asked[i] & MASS_ASKED_KILL);
}

mass_status mass_numbers_add(mass_numbers *n, uint32_t number, mass_error *error);

/* The seat that a request of an agent of this rank is for; `cell`, or `place` where cell is MASS_CELL_REMOTE. */
mass_seat mass_decision_seat(const mass_decision *d, int32_t world, uint32_t cell, const int64_t *place);
/* That of a birth, when births have their turn. */
mass_seat mass_decision_seat_of_birth(const mass_decision *d, int32_t world, mass_birth b);

/* Finds who asks for cells of other ranks, sends these claims, and finds the near cells. */
mass_status mass_decision_look(mass_decision *d, mass_error *error);
/* None are near any more. */
void mass_decision_forget(mass_decision *d);

/* Adds a claim to a near cell of this rank. */
mass_status mass_decision_add(mass_decision *d, mass_claim claim, mass_error *error);
/* The same of those that arrived last. */
mass_status mass_decision_add_arrived(mass_decision *d, bool births, mass_error *error);
/* Sends a claim to another rank. */
mass_status mass_decision_send(mass_decision *d, mass_seat seat, mass_claim claim, mass_error *error);
/* Claims the seat, on whatever rank, for a birth. */
mass_status mass_decision_claim_birth(mass_decision *d, mass_seat seat, mass_birth b, mass_error *error);
/* Keeps of the claims to each cell as many as it has seats. Others are taken back. */
mass_status mass_decision_keep_best(mass_decision *d, mass_error *error);
/* One agent more keeps its seat on a near cell: the worst claim is taken back, if it is one too many. */
mass_status mass_decision_take_seat(mass_decision *d, uint32_t cell, mass_error *error);
/* Tells the ranks of the claims that were taken back since the last time. */
mass_status mass_decision_tell(mass_decision *d, mass_error *error);
/* Those of other ranks that are left arrive. No claims any more. */
mass_status mass_decision_settle(mass_decision *d, mass_error *error);

/* Decides about agents that are in no order, or keep theirs, as long as they do nothing but move. *done is false where
 * somebody on any rank dies or asks for a birth: then agents are in order now, and nothing is decided. */
mass_status mass_decision_loosely(mass_decision *d, bool *done, mass_error *error);

/* The steps: what of births and moves has to do with other ranks. */
mass_status mass_decision_births(mass_decision *d, mass_error *error);
mass_status mass_decision_moves(mass_decision *d, mass_error *error);
/* Ids of all births, once all are seated. */
mass_status mass_decision_number(mass_decision *d, mass_error *error);
/* Sends agents and children to other ranks, with their values, and receives others. */
mass_status mass_decision_transfer(mass_decision *d, mass_error *error);

#endif
