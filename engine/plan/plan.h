/* SPDX-License-Identifier: Apache-2.0 */
/* The plan: a model's schedules over a domain, compiled once into lists of operations, each with what it reads and
 * writes. The stepper runs the lists and recordings keep them; where a step goes on that was stopped in its middle, and
 * the steps of small worlds, are read off them: what a phase consists of is said here and nowhere else. Main thread. */
#ifndef MASS_ENGINE_PLAN_H
#define MASS_ENGINE_PLAN_H

#include "plan/order.h"
#include "population/requests.h"
#include "state/domain.h"

/* What an operand is; always that of all worlds and partitions. */
typedef enum mass_data {
    MASS_DATA_PLACES,    /* an array of places */
    MASS_DATA_GHOSTS,    /* the ghosts of one */
    MASS_DATA_AGENTS,    /* an array of a population's agents */
    MASS_DATA_CHILDREN,  /* what agents give their children in such an array */
    MASS_DATA_ORDER,     /* of a population: where its agents stand, and which stand where */
    MASS_DATA_REQUESTS,  /* of a population: moves, births and deaths that its agents ask for */
    MASS_DATA_PARAMETER,
    MASS_DATA_TALLY,
    MASS_DATA_TOTAL,     /* a tally over all ranks */
    MASS_DATA_GATES,     /* of a phase */
    MASS_DATA_UNTIL,     /* what the stop condition has seen */
    MASS_DATA_INPUT      /* the host's memory that pieces of a stream arrive in */
} mass_data;

enum { MASS_READS = 1, MASS_WRITES = 2 };

/* One buffer, and what becomes of it. PLACES, AGENTS and ORDER may have two, of which one holds the present values; a
 * SWAP has them change places. */
typedef struct mass_operand {
    mass_data data;
    uint32_t index; /* of the array, population, parameter, tally or phase */
    uint32_t use;   /* MASS_READS, MASS_WRITES or both */
    bool next;      /* the buffer that takes the next values; else the one that holds the present ones */
    int32_t reach;  /* how far from its own place a callback reads PLACES or adds to them; 0: there alone. Of GHOSTS:
                       the layers that are added to */
    /* Axes: of PLACES that are written, those along which their ghosts show the new values afterwards; of GHOSTS that a
     * callback reads or writes, those along which it does, and of those that an EXCHANGE writes, those along which it
     * finds them stale, as its axes say of all its arrays. */
    uint32_t valid;
    mass_order order; /* of ORDER that a callback reads: what it requires */
} mass_operand;

typedef enum mass_plan_kind {
    MASS_PLAN_RESET,    /* tally `index` to its neutral element */
    MASS_PLAN_POPULATE, /* the first agents of population `index` take their places; once */
    MASS_PLAN_GUARD_MEMORY,    /* stops a replay whose next step needs memory that is not there yet */
    MASS_PLAN_READ,     /* the next piece of the input; when the pass has ended, goes on at operation `to` instead */
    MASS_PLAN_ALL_REDUCE, /* some tallies over all ranks, for those who look at them in a step */
    MASS_PLAN_GATE,     /* looks at the condition of `phase` in every world, for what follows of the phase */
    MASS_PLAN_REFRESH,  /* ghosts of array `index` to the present values, where they are not */
    MASS_PLAN_EXCHANGE, /* ghosts of its operands' arrays that show other ranks' places to the present values, where
                           they are not */
    MASS_PLAN_CLEAR,    /* ghosts of array `index` that show another partition's places to zero, `reach` deep */
    MASS_PLAN_LAUNCH,   /* the callback of `phase`; operand i is its field i, and others follow */
    MASS_PLAN_ADD,      /* ghosts of array `index` to the places that they show, `reach` deep */
    MASS_PLAN_DELIVER,  /* the same of its operands' arrays to other ranks' places */
    MASS_PLAN_MANAGE,   /* carries out what the agents of population `index` ask for */
    MASS_PLAN_SWAP,     /* the next values of its operand become the present ones: those of PLACES, or with ORDER those
                           of a whole population */
    MASS_PLAN_DISCARD,     /* requests of population `index` that no manage has carried out end */
    MASS_PLAN_CENSUS,   /* the agents of population `index` are counted in its tally */
    MASS_PLAN_CONSUMED, /* the piece may be overwritten; goes back to operation `to` */
    MASS_PLAN_COUNT,    /* items of the input, to tally `index` */
    MASS_PLAN_LOOK,     /* at the stop condition */
    MASS_PLAN_KINDS
} mass_plan_kind;

/* The steps in which something is done. */
typedef enum mass_when {
    MASS_ALWAYS,
    MASS_OBSERVED, /* somebody looks at their tallies */
    MASS_RECORDED, /* they are kept for replay */
    MASS_UNTIL,    /* the run has a stop condition */
    MASS_NEVER
} mass_when;

#define MASS_NO_PHASE UINT32_MAX

typedef struct mass_plan_operation {
    mass_plan_kind kind;
    mass_when when;
    uint32_t phase;   /* that it is part of, by number, or MASS_NO_PHASE */
    uint32_t index;   /* see its kind */
    mass_when counts; /* LAUNCH, MANAGE: when what they contribute to tallies counts */
    int32_t reach;
    uint32_t to;      /* READ: behind CONSUMED; CONSUMED: READ */
    uint32_t axes;    /* REFRESH, EXCHANGE: those along which ghosts are stale here in a step that follows another
                         step. Where the host has written places, or a stopped step goes on, they may be stale along
                         others, too */
    int32_t edges;    /* EXCHANGE: how many layers at each cut the launch computes only after this exchange, when both
                         run side by side; 0: they may not */
    bool ignored;     /* DROP: no manage of the schedule could have carried them out */
    mass_manage_order order; /* MANAGE: of its population, before and after. SWAP: that of its manage; if it leaves any
                                order, agents stay where they are until one dies or is born (domain.h) */
    const mass_operand *operands; /* [operand_count], the plan's */
    uint32_t operand_count;
} mass_plan_operation;

typedef struct mass_plan_list {
    mass_plan_operation *list; /* [count], in the order in which they are done */
    uint32_t count;
} mass_plan_list;

typedef struct mass_plan {
    mass_plan_list start;   /* the schedule `start`, once */
    mass_plan_list step;    /* a step */
    mass_plan_list observe; /* what the engine computes at the end of an observed step (reductions, census), for a state
                               that was restored instead */
    mass_operand *operands;
} mass_plan;

/* The domain's model must not change afterwards. On failure *out is untouched. */
mass_status mass_plan_create(const mass_domain *d, mass_plan **out, mass_error *error);
void mass_plan_free(mass_plan *); /* NULL is fine */

/* The first operation of a phase, or the number of operations. */
uint32_t mass_plan_find_phase(const mass_plan_list *, uint32_t phase);

/* Has the buffers of operations first to before last change places, as if these had been replayed. */
void mass_plan_swap(mass_domain *d, const mass_plan_list *, uint32_t first, uint32_t last);
/* One of them. recorded: it is of a step that is recorded. */
void mass_plan_swap_one(mass_domain *d, const mass_plan_operation *swap, bool recorded);

#endif
