/* SPDX-License-Identifier: Apache-2.0 */
/* What the steps of a manage over ranks share (manage_over_ranks.h).
 *
 * Who asks for a place where there is not room for all sends a claim to the rank that holds the place. That rank sorts
 * the claims to a cell, its own and others', keeps the best and tells the ranks of the rest. Births are done with then.
 * An agent whose move was refused keeps its seat, on a cell of its own rank, so that there another claim may be one too
 * many, of an agent of whatever rank, and so on: each rank follows such chains until they end or leave it, and in
 * rounds the ranks tell each other of those that left, until none did. Claims are only ever taken back, and a cell
 * takes back its worst one for every seat that it lacks; so the outcome does not depend on who comes first. */
#ifndef MASS_ENGINE_DECISION_H
#define MASS_ENGINE_DECISION_H

#include "domain/manage_over_ranks.h"
#include "domain/parcels.h"

/* What has become of an agent of this rank so far. The first three keep their seat. */
enum {
    MASS_IS_KEPT,    /* its world's gate is closed */
    MASS_IS_STAYING, /* it asks for no other cell */
    MASS_IS_REFUSED, /* its move was */
    MASS_IS_MOVING,  /* its move is granted, so far */
    MASS_IS_GONE     /* it dies */
};

/* An agent that asks to move to a cell, or a birth there; also as ranks send it. The claim with the lower key is
 * better, and with the lower id, where they are equal. */
typedef struct mass_claim {
    uint64_t key, id;
    uint32_t cell;  /* of the rank that holds it */
    uint32_t index; /* of the agent or the birth, on the rank that it comes from */
    int32_t rank;   /* that one */
    uint32_t next;  /* of the same cell, as 1 + its number; 0: none */
} mass_claim;

/* The claims to cells of this rank. */
typedef struct mass_claims {
    uint32_t count, room;
    mass_claim *claim;      /* [count] */
    uint32_t *cell;         /* [cell_count] those with claims */
    uint32_t cell_count;
} mass_claims;

/* Where an agent is to stand. */
typedef struct mass_seat {
    int32_t rank;  /* that holds the cell */
    uint32_t cell; /* of that rank, or MASS_CELL_NOWHERE */
} mass_seat;

typedef struct mass_birth {
    uint64_t id;
    uint32_t parent, number; /* birth `number` of agent `parent` */
    mass_seat seat;          /* nowhere: it does not happen */
} mass_birth;

struct mass_decision {
    const mass_manage_work *w;
    const mass_holders *holders;
    uint64_t cells;
    uint32_t count; /* agents, as they were */
    uint8_t *state; /* [count] MASS_IS_... */
    bool moved;     /* moves have been decided */
    uint32_t *held; /* [cells] seats that are taken, by granted claims too; NULL: cells hold any number */
    uint32_t *head; /* [cells] list of claims, worst first once the cell is decided, as 1 + number; 0 between steps */
    mass_claims claims;
    void (*take_back)(mass_decision *d, uint32_t index); /* a claim of this rank was refused */
    uint32_t *losers; /* [count] agents whose move was refused and whose seat nobody has been told to leave yet */
    uint32_t loser_count;
    mass_birth *births;
    uint32_t birth_count;
    int64_t *asked, *born, *died; /* [worlds] of this rank's agents: births asked for, and those that happen; deaths */
    int64_t *born_before;         /* [worlds] births of the ranks before this one */
    int64_t *next_id;             /* [worlds] over all ranks */
    uint32_t *first; /* [worlds + 1] agents, as they were */
    mass_parcels sent_claims, refusals, travellers;
    uint64_t after;  /* agents */
    uint32_t *order; /* [after] who comes where, as an item - 1 (decision_order.c) */
    uint32_t *next;  /* [items + 1] */
};

static inline bool mass_decision_is_closed(const mass_decision *d, int32_t world)
{
    return d->w->gates && d->w->gates[world];
}

/* The seat that a request of an agent of this rank is for; `cell`, or `place` where cell is MASS_CELL_FAR. */
mass_seat mass_decision_seat(const mass_decision *d, int32_t world, uint32_t cell, const int64_t *place);

/* Claims a cell, here or on the rank that holds it. */
mass_status mass_decision_claim(mass_decision *d, mass_seat seat, mass_claim claim, mass_error *error);
/* Exchanges the claims and keeps of those to each cell of this rank as many as it has seats. Others are taken back. */
mass_status mass_decision_keep_best(mass_decision *d, mass_error *error);
/* One agent more keeps its seat on a cell: the worst claim is taken back, if it is one too many. */
mass_status mass_decision_take_seat(mass_decision *d, uint32_t cell, mass_error *error);
/* Tells the ranks of the claims that were taken back since the last time. */
mass_status mass_decision_tell(mass_decision *d, mass_error *error);
/* No claims. */
void mass_decision_drop_claims(mass_decision *d);

/* The steps. */
mass_status mass_decision_births(mass_decision *d, mass_error *error);
mass_status mass_decision_moves(mass_decision *d, mass_error *error);
/* Sends agents and children to other ranks, with their values, and receives others. */
mass_status mass_decision_transfer(mass_decision *d, mass_error *error);
/* Takes memory for the new order; and puts agents into it. */
mass_status mass_decision_make_order(mass_decision *d, mass_error *error);
void mass_decision_arrange(mass_decision *d);

/* What an agent that arrives is sent as: this, and then its values, array by array, without gaps. */
typedef struct mass_traveller {
    uint64_t id;
    uint32_t cell, unused;
} mass_traveller;

static inline mass_traveller mass_decision_arrival(const mass_decision *d, uint64_t i)
{
    mass_traveller t;
    __builtin_memcpy(&t, d->travellers.arrivals + i * d->travellers.size, sizeof t);
    return t;
}

/* The value that a birth of this rank begins with. */
const void *mass_decision_first_value(const mass_decision *d, const mass_agent_array *a, const mass_birth *b);

#endif
