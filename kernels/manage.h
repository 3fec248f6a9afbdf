/* SPDX-License-Identifier: Apache-2.0 */
/* manage: carries out what agents asked for since the last manage of their population: births, deaths,
 * moves. The CPU and the CUDA kernel implement these words, to the same bits.
 *
 * Agents are kept in canonical order: by (world, place, id). A cell is world * places + place, so that
 * the order is by (cell, id), and start[] gives the agents of each cell as a range.
 *
 * Sub-phases run in the order of `sub_phases`; each sees the occupation that the ones before it left. A closed
 * gate leaves a world's agents as they are, and drops nothing: their requests stay. Nor is anything of it
 * tallied. KILL always comes before MIGRATE.
 *
 *   SPAWN    Birth b (0 to births - 1) of a parent asks for child_cell[b], or its parent's cell where that
 *            is MASS_CELL_STAY. With a capacity, the free seats of a cell (capacity less the agents on it)
 *            go to the births that ask for it by (parent's id, b); the others do not happen, and are
 *            counted as refused, as is one that asks for MASS_CELL_NOWHERE. A child gets the child values
 *            of its attributes where there are any, else the defaults, and no lost flag. Ids: next_id of
 *            the world and up, over the births that happened, parents in the canonical order that manage
 *            began with, then by b. A parent that dies in the same manage has its children all the same;
 *            after a MIGRATE the parent's cell is where it then stands.
 *   KILL     Agents with the flag are gone.
 *   MIGRATE  The largest consistent set of moves. Every request is granted at first; then at each cell the
 *            claims beyond its free seats (the capacity less the agents that do not leave it, those among
 *            them whose own move was taken back) are taken back, worst first, until nothing changes. Better
 *            is: the lower id; or the higher priority, then the lower id; or the lower number drawn by
 *            mass_random_block(key of the world, id, step, phase, MASS_LOTTERY_DRAW), its first two words
 *            as one (v[0] high), then the lower id. A move to the own cell is none. A move to
 *            MASS_CELL_NOWHERE is refused. Children of this manage do not move. lost is 1 for those
 *            alive whose move was refused, 0 for all others of the world.
 */
#ifndef MASS_KERNELS_MANAGE_H
#define MASS_KERNELS_MANAGE_H

#include <mass/agents.h>
#include <mass/impl/launch.h>
#include <stdbool.h>

enum { MASS_ARRAYS_OF_AGENTS_MAX = 256 };

/* The order of a population's agents in their arrays. The plan says what a phase requires and a manage leaves. */
typedef enum mass_order {
    MASS_ORDER_SORTED, /* by world, place and id: the canonical order */
    MASS_ORDER_ANY     /* by world alone. As a requirement: sorted agents do as well */
} mass_order;

/* What a manage finds, which it takes as a requirement, and what it leaves. */
typedef struct mass_manage_order {
    mass_order finds, leaves;
} mass_manage_order;

/* Whether either is ANY. */
static inline bool mass_manage_has_any(mass_manage_order order)
{
    return order.finds == MASS_ORDER_ANY || order.leaves == MASS_ORDER_ANY;
}

/* An attribute of agents, one element each. */
typedef struct mass_agent_array {
    const void *from; /* [room] */
    void *to;         /* [room], written in the new canonical order */
    size_t size;      /* of an element */
    const void *child; /* [children][room], the value of child b of agent i at b * room + i, or NULL */
    const void *initial; /* one element, in host memory; for children without a value of their own */
} mass_agent_array;

/* Everything on the device where the kernel runs, unless it says host. */
typedef struct mass_manage_work {
    int64_t places;        /* of one world */
    int32_t worlds;
    const uint32_t *gates; /* [worlds], not 0: closed; or NULL */
    const uint64_t *random_keys; /* [worlds] */
    uint64_t step;         /* plus *clock, if clock is not NULL */
    const uint64_t *clock;
    uint32_t phase;
    uint32_t sub_phases[3]; /* MASS_SPAWN, MASS_KILL, MASS_MIGRATE, each once */
    uint32_t capacity;     /* agents a place may hold; 0: any number. Where it is 1, a GPU relies on it that no place
                              holds more when manage begins, as none does once it has ended */
    uint32_t conflict;     /* MASS_LOWEST_ID, MASS_HIGHEST_PRIORITY, MASS_LOTTERY */
    uint32_t priority_type; /* of the priorities: i32, u32, i64, u64, f32 or f64 (no NaN) */
    const void *priority;  /* [room] */
    uint32_t children;     /* births that an agent may ask for at once */
    uint32_t room;         /* elements of every array of agents */

    uint32_t *count;       /* [1] agents, in and out */
    uint64_t *next_id;     /* [worlds] in and out */
    const uint64_t *id;    /* [room] */
    const uint32_t *cell;  /* [room] */
    uint64_t *id_to;
    uint32_t *cell_to;
    uint8_t *lost_to;
    const uint8_t *lost;
    uint32_t *start;       /* [worlds * places + 1], in and out */
    /* [worlds * places / 32 + 1] in and out, as in mass_launch; or NULL. If it is not NULL, start has only the first
     * agent of each world, and the number of all agents at its end. */
    mass_seats *occupancy;
    /* ANY only where seats is not NULL, all worlds open and children 1 at most. Where it finds ANY, a CPU may sort
     * agents in the arrays where they are, and relies on `priority` being among these. Where it leaves ANY, agents keep
     * their places in the arrays, in and out; cell_to is cell and lost_to lost. Then nobody may ask for a death or a
     * birth: if somebody does, nothing is done. */
    mass_manage_order order;

    /* Requests, in; out: none, for the agents in their new order. Those of worlds with a closed gate are
     * kept, children's values too. */
    uint32_t *move;        /* [room] a cell of the same world, MASS_CELL_STAY or MASS_CELL_NOWHERE */
    uint32_t *asked;       /* [room] MASS_ASKED_KILL and the number of births */
    uint32_t *child_cell;  /* [children][room] as move; only the first `births` of an agent are set */
    /* [room] where `move` is MASS_CELL_REMOTE: a place of the world that another process holds */
    int64_t *remote_move;
    int64_t *remote_child;    /* [children][room] likewise; both NULL where the process holds all places */

    uint32_t array_count;
    const mass_agent_array *arrays; /* host */

    /* [worlds] tallies to add to, or NULL: births, deaths, refused births. */
    int64_t *born, *died, *refused;

    uint32_t *closed; /* [worlds] gates that close where a manage on a GPU stops; or NULL */

    /* Host; NULL, or false before. A manage may set it where every agent is to stay where it is in the order, but for
     * those whose place another is born on: then agents are as they are to be in the arrays where they were. */
    bool *stayed;
} mass_manage_work;

/* In place of a number of agents: nothing was changed, since order was to be kept, and somebody dies or is born. */
#define MASS_MANAGE_CHANGES (UINT64_MAX - 1)

/* Why replayed steps on a GPU need the host before they can go on. It lies on the device. A manage, a guard or the stop
 * condition fills it in, whichever is the first to find a reason; from then on, until the host clears it, work that is
 * told of it has no effect. */
typedef struct mass_stop {
    uint32_t stopped; /* 0: there is no reason */
    uint32_t phase;   /* of the manage whose arrays are too small; MASS_BEFORE_STEP: a guard's; MASS_HELD */
    uint64_t step;    /* the first step that is not complete */
    uint64_t needed;  /* agents that there would be, or for a guard, that there are */
} mass_stop;

#define MASS_BEFORE_STEP UINT32_MAX /* there are more agents before `step` than the guard's limit */
#define MASS_HELD (UINT32_MAX - 1)  /* the stop condition holds after the step before `step` */

/* A guard: stops before a step if there are more agents than `limit`. Pointers are addresses on the device. */
typedef struct mass_memory_guard_work {
    const uint32_t *count, *limit; /* [1] */
    uint64_t step;                 /* plus *clock, if clock is not NULL */
    const uint64_t *clock;
    uint32_t *closed; /* [worlds] gates that close where it stops */
    int32_t worlds;
} mass_memory_guard_work;

/* Takes back what agents have asked for, that no manage has carried out, and none will. *ignored becomes 1, if it is
 * 0, where any of them had asked for anything. Pointers are addresses on the device. */
typedef struct mass_discard_work {
    uint32_t *move, *asked; /* [room] */
    const uint32_t *count;  /* [1] agents */
    uint32_t room;
    uint32_t *ignored;
} mass_discard_work;

#endif
