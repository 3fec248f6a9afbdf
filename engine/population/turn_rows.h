/* SPDX-License-Identifier: Apache-2.0 */
/* Agents on their way between ranks, before and after a phase in turn, in host memory. An agent is a record: who and
 * where it is, and its values. Main thread. */
#ifndef MASS_ENGINE_POPULATION_TURN_ROWS_H
#define MASS_ENGINE_POPULATION_TURN_ROWS_H

#include "population/turn_window.h"
#include "ranks/record_buffers.h"
#include "state/domain.h"

/* The agents of a population on one rank or in one window. */
typedef struct mass_turn_agents {
    uint64_t count, room;
    char **columns; /* [array_count][count] ids, marks of refused agents, attributes; owned, as are: */
    uint32_t *cell; /* [count] */
    uint32_t arrays;
} mass_turn_agents;

/* What a population needs to send agents. It is kept from phase to phase. Initialize it with zeros. */
typedef struct mass_turn_rows {
    mass_turn_agents agents; /* those that were received last */
    const char **from;       /* [array_count] the columns that were read last: those of the device's memory, or of */
    mass_turn_agents read;
    mass_record_buffers sent; /* records for other ranks */
    char *own;                /* [own_count] records that stay */
    uint64_t own_count, own_room;
    const char **sorted;      /* memory: [all records] */
    uint64_t sorted_room;
    uint32_t *starts;         /* memory: [cells + 1] */
    uint64_t starts_room;
} mass_turn_rows;

/* An agent that is sent: element `row` of the columns, with a new id and place. */
typedef struct mass_turn_sent {
    uint64_t row, id;
    mass_gidx place; /* of the space */
    int32_t world;
    int32_t rank;    /* who gets it, maybe this rank */
    bool child;      /* it is no refused agent, whatever its column says */
} mass_turn_sent;

/* Finds the first `count` rows of all arrays of a population in host memory: r->from. It is valid until the next
 * exchange, and until the population changes. */
mass_status mass_turn_rows_read(mass_domain *d, uint32_t population, uint64_t count, mass_turn_rows *r,
                                mass_error *error);

/* Adds an agent of r->from to those that are sent. */
mass_status mass_turn_rows_send(mass_domain *d, uint32_t population, mass_turn_rows *r, const mass_turn_sent *sent,
                                mass_error *error);

/* Sends all. r->agents become those that this rank gets, in canonical order. `part` tells the cells of their places, of
 * which a world has `places`. All ranks call it, after they have agreed that none has failed. It may fail on one rank
 * alone: they must agree again. MASS_NO_DEVICE if a rank would get 2^32 - 3 agents or more. */
mass_status mass_turn_rows_exchange(mass_domain *d, uint32_t population, mass_turn_rows *r, const mass_turn_part *part,
                                    mass_gidx places, mass_error *error);

void mass_turn_rows_free(mass_turn_rows *r); /* frees what is in it, and makes it empty */

#endif
