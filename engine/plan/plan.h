/* SPDX-License-Identifier: Apache-2.0 */
/* The plan: a model's schedules over a domain, compiled once to lists of operations. Each operation names the data
 * that it reads and writes. The stepper runs the lists and recordings keep them. A stopped step resumes from them,
 * and block-resident worlds get their steps from them. The plan alone defines which operations a phase has. Main
 * thread. */
#ifndef MASS_ENGINE_PLAN_H
#define MASS_ENGINE_PLAN_H

#include "plan/order.h"
#include "population/requests.h"
#include "state/domain.h"

/* The kind of an operand. An operand covers all worlds and partitions of the rank. */
typedef enum mass_data {
    MASS_DATA_PLACES,    /* an array of places */
    MASS_DATA_GHOSTS,    /* the ghosts of such an array */
    MASS_DATA_AGENTS,    /* an array of a population's agents */
    MASS_DATA_CHILDREN,  /* values of that array for the children that agents request */
    MASS_DATA_SPROUTS,   /* values of that array for the agents that places bring forth */
    MASS_DATA_ORDER,     /* of a population: the place of each agent, and the agents of each place */
    MASS_DATA_REQUESTS,  /* of a population: requests of its agents for moves, births and deaths */
    MASS_DATA_PARAMETER,
    MASS_DATA_TALLY,
    MASS_DATA_TOTAL,     /* a tally over all ranks */
    MASS_DATA_SETTLED,   /* the value of a tally, as bodies read it */
    MASS_DATA_GATES,     /* of a conditional phase */
    MASS_DATA_UNTIL,     /* the state of the stop condition */
    MASS_DATA_INPUT,     /* host memory that receives chunks of the input */
    MASS_DATA_BEFORE,    /* a copy of an array of agents, as it was before the phase; copies of other ranks' agents
                            follow */
    MASS_DATA_LINKED,    /* a copy of an array over all nodes of a network, as it was before the phase */
    MASS_DATA_EDGES,     /* an attribute of edges */
    MASS_DATA_ADDED      /* what a phase adds to an array of agents nearby */
} mass_data;

enum { MASS_READS = 1, MASS_WRITES = 2 };

/* One buffer and its use. PLACES, AGENTS and ORDER may have two buffers, one for the present values. A SWAP
 * exchanges them. */
typedef struct mass_operand {
    mass_data data;
    uint32_t index; /* of the array, population, parameter, tally or phase */
    uint32_t use;   /* MASS_READS, MASS_WRITES or both */
    bool next;      /* true: the buffer for the next values; false: that of the present ones */
    int32_t reach;  /* PLACES: distance that a callback reads or adds to, 0 for its own place. GHOSTS: layers that
                       get additions */
    /* A set of axes. PLACES that are written: ghosts along these show the new values afterwards. GHOSTS of a
     * callback: it reads or writes those along these axes. GHOSTS of an EXCHANGE: those along these are stale before
     * it. The operation's `axes` are the union over its arrays. */
    uint32_t valid;
    mass_order order; /* ORDER that a callback reads: the order that it requires */
    bool of_all; /* AGENTS: of all ranks' agents. If it is written: what this rank adds to them */
} mass_operand;

typedef enum mass_plan_kind {
    MASS_PLAN_RESET,    /* sets tally `index` to its neutral element */
    MASS_PLAN_POPULATE, /* places the first agents of population `index`, once */
    MASS_PLAN_GUARD_MEMORY,    /* stops a replay if the next step needs more memory than there is */
    MASS_PLAN_READ,     /* loads the next chunk of the input; after the last chunk, goes on at operation `to` */
    MASS_PLAN_ALL_REDUCE, /* reduces tallies over all ranks, for conditions and bodies that read them in a step */
    MASS_PLAN_GATE,     /* tests the condition of `phase` in every world, for the next operations of the phase */
    MASS_PLAN_REFRESH,  /* copies present values to the stale ghosts of array `index` */
    MASS_PLAN_EXCHANGE, /* fills stale ghosts of its operands' arrays with the present values of other ranks' places */
    MASS_PLAN_CLEAR,    /* zeroes ghosts of array `index` that show another partition's places, `reach` layers */
    MASS_PLAN_GATHER,   /* gets the agents of population `index` of all ranks, as launches name any of them */
    MASS_PLAN_INDEX,    /* indexes the agents of population `index` by their ids */
    MASS_PLAN_FULL,     /* finds the full places of population `index` */
    MASS_PLAN_LINK,     /* copies array `index` of the nodes to which edges lead, for bodies that follow edges */
    MASS_PLAN_EDGES,    /* brings the edges of population `index` up to date, for bodies that follow them */
    MASS_PLAN_NEARBY,   /* prepares what a launch reads of other agents of population `index`, and adds to them */
    MASS_PLAN_LAUNCH,   /* runs the callback of `phase`; operand i is its field i, and others follow */
    MASS_PLAN_ADD,      /* adds ghosts of array `index`, `reach` layers, to the places that they show */
    MASS_PLAN_DELIVER,  /* does the same with its operands' arrays and other ranks' places */
    MASS_PLAN_ADD_NEARBY, /* adds what the launch added to other agents of population `index` */
    MASS_PLAN_COLLECT,  /* adds what all ranks added to array `index` of agents to this rank's agents */
    MASS_PLAN_RELINK,   /* decides about the requests for edges of population `index`, before its manage */
    MASS_PLAN_MANAGE,   /* applies the requests of population `index` */
    MASS_PLAN_SPROUT,   /* adds the agents of population `index` that places bring forth; part of the manage `phase` */
    MASS_PLAN_LINE_UP,  /* lists the agents of all places for a phase in turn, and finds the order of its population,
                           `index`. If places act, `index` is their space */
    MASS_PLAN_RESTORE,  /* brings population `index` back to canonical order after a phase in turn; if places acted,
                           takes back copies of space `index` */
    MASS_PLAN_SWAP,     /* makes next values present: those of the array of PLACES, or with ORDER those of a whole
                           population */
    MASS_PLAN_DISCARD,     /* discards requests of population `index` that no manage applied */
    MASS_PLAN_CENSUS,   /* counts the agents of population `index` in its tally */
    MASS_PLAN_CONSUMED, /* releases the chunk for the next one; goes back to operation `to` */
    MASS_PLAN_COUNT,    /* counts items of the input in tally `index` */
    MASS_PLAN_LOOK,     /* tests the stop condition */
    MASS_PLAN_SETTLE,   /* computes the value of tally `index` that bodies read */
    MASS_PLAN_KINDS
} mass_plan_kind;

/* The steps in which an operation runs. */
typedef enum mass_when {
    MASS_ALWAYS,
    MASS_OBSERVED, /* steps whose tallies are observed */
    MASS_RECORDED, /* steps that are recorded for replay */
    MASS_UNTIL,    /* steps of a run with a stop condition */
    MASS_NEVER
} mass_when;

#define MASS_NO_PHASE UINT32_MAX

typedef struct mass_plan_operation {
    mass_plan_kind kind;
    mass_when when;
    uint32_t phase;   /* its phase, or MASS_NO_PHASE */
    uint32_t index;   /* see the kind */
    mass_when counts; /* LAUNCH, MANAGE, SPROUT: when their additions to tallies count */
    int32_t reach;
    uint32_t to;      /* READ: the operation after CONSUMED; CONSUMED: READ */
    uint32_t axes;    /* REFRESH, EXCHANGE: axes with stale ghosts in a step that follows another step. Further axes
                         may be stale after the host wrote places, or when a stopped step resumes */
    int32_t edges;    /* EXCHANGE: layers at each cut that the launch computes after this exchange, if both overlap;
                         0: they may not */
    bool before;      /* SETTLE: the tally is not counted yet, if no step was run */
    bool ignored;     /* DISCARD: no manage of the schedule could apply the requests */
    mass_manage_order order; /* MANAGE: the order of its population before and after. SWAP: that of its manage. If it
                                leaves any order, agents keep their array index until one dies or is born (domain.h) */
    const mass_operand *operands; /* [operand_count], owned by the plan */
    uint32_t operand_count;
} mass_plan_operation;

typedef struct mass_plan_list {
    mass_plan_operation *list; /* [count], in order of execution */
    uint32_t count;
} mass_plan_list;

typedef struct mass_plan {
    mass_plan_list start;   /* the schedule `start`, run once */
    mass_plan_list step;    /* a step */
    mass_plan_list observe; /* the engine's end of an observed step (reductions, census), for a restored state */
    mass_operand *operands;
} mass_plan;

/* Compiles the plan. The domain's model must not change afterwards. On failure *out is untouched. */
mass_status mass_plan_create(const mass_domain *d, mass_plan **out, mass_error *error);
void mass_plan_free(mass_plan *); /* accepts NULL */

/* Returns the first operation of a phase, or the number of operations. */
uint32_t mass_plan_find_phase(const mass_plan_list *, uint32_t phase);

/* Swaps buffers as operations first to last - 1 would, after a replay of them. */
void mass_plan_swap(mass_domain *d, const mass_plan_list *, uint32_t first, uint32_t last);
/* Swaps the buffers of one SWAP; not those of a population whose manage keeps agents in place. recorded: the step is
 * recorded. */
void mass_plan_swap_one(mass_domain *d, const mass_plan_operation *swap, bool recorded);

#endif
