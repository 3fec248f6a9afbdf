/* SPDX-License-Identifier: Apache-2.0 */
/* manage applies the requests of a population's agents since its last manage: births, deaths and moves. The CPU's
 * and the CUDA kernel implement this specification, to the same bits.
 *
 * Agents have a canonical order: by (world, place, id). A cell is world * places + place. So the order is by (cell,
 * id), and the agents of a cell are a range that start[] gives.
 *
 * Sub-phases run in the order of `sub_phases`. Each sees the occupancy that the ones before it left. A closed gate
 * leaves a world's agents and their requests unchanged, and nothing of that world is tallied. KILL always comes
 * before MIGRATE.
 *
 * SPAWN: Birth b (0 to births - 1) of a parent requests child_cell[b], or the parent's cell if that is
 * MASS_CELL_STAY. With a capacity, a cell has free positions: the capacity less its agents. It grants them to its
 * requests in order of (parent's id, b). Other births are refused, and counted so. A birth that requests
 * MASS_CELL_NOWHERE is refused too.
 *
 * A child gets the child values of its attributes if there are any, otherwise the defaults, and no lost flag. Ids
 * start at the world's next_id. They number the granted births by parent, in the canonical order at the start of the
 * manage, then by b. A parent that dies in the same manage still has its children. After a MIGRATE, the parent's
 * cell is the one that it moved to.
 *
 * KILL: Removes the agents with the flag.
 *
 * MIGRATE: Grants the largest consistent set of moves. At first every request is granted. Then each cell refuses the
 * claims beyond its free positions, worst first, until nothing changes. Free positions are the capacity less the
 * agents that do not leave. Agents whose own move was refused do not leave.
 *
 * The conflict rule defines the better claim. By id: the lower id. By priority: the higher priority, then the lower
 * id. By lottery: the lower number, then the lower id. The number is mass_random_block(key of the world, id, step,
 * phase, MASS_LOTTERY_DRAW), its first two words as one (v[0] high).
 *
 * A move to the agent's own cell is no move. A move to MASS_CELL_NOWHERE is refused. Children of this manage do not
 * move. `lost` is 1 for living agents with a refused move, and 0 for all others of the world. */
#ifndef MASS_KERNELS_MANAGE_H
#define MASS_KERNELS_MANAGE_H

#include <mass/agents.h>
#include <mass/impl/launch.h>
#include <stdbool.h>

enum { MASS_ARRAYS_OF_AGENTS_MAX = 256 };

/* The order of a population's agents in their arrays. The plan defines what a phase requires and a manage leaves. */
typedef enum mass_order {
    MASS_ORDER_SORTED, /* by world, place and id: the canonical order */
    MASS_ORDER_ANY     /* by world only; a phase that requires it accepts sorted agents too */
} mass_order;

/* The order that a manage requires, and the order that it leaves. */
typedef struct mass_manage_order {
    mass_order finds, leaves;
} mass_manage_order;

/* Returns true if either order is ANY. */
static inline bool mass_manage_has_any(mass_manage_order order)
{
    return order.finds == MASS_ORDER_ANY || order.leaves == MASS_ORDER_ANY;
}

/* An attribute of agents, one element each. */
typedef struct mass_agent_array {
    const void *from; /* [room] present values */
    void *to;         /* [room] written in the new canonical order */
    size_t size;      /* bytes of an element */
    const void *child; /* [children][room] the value of child b of agent i is at b * room + i; or NULL */
    const void *initial; /* one element, in host memory, for children without a value of their own */
} mass_agent_array;

/* The arguments of a manage. Addresses are on the kernel's device unless marked as host. */
typedef struct mass_manage_work {
    int64_t places;        /* of one world */
    int32_t worlds;
    const uint32_t *gates; /* [worlds] not 0: closed; or NULL */
    const uint64_t *random_keys; /* [worlds] */
    uint64_t step;         /* plus *clock, if clock is not NULL */
    const uint64_t *clock;
    uint32_t phase;
    uint32_t sub_phases[3]; /* MASS_SPAWN, MASS_KILL and MASS_MIGRATE, each once */
    uint32_t capacity;     /* most agents of a place; 0: no limit. If it is 1, the GPU kernel requires that no place
                              holds more at the start, as is the case after every manage */
    uint32_t conflict;     /* MASS_LOWEST_ID, MASS_HIGHEST_PRIORITY, MASS_LOTTERY */
    uint32_t priority_type; /* i32, u32, i64, u64, f32 or f64 (no NaN) */
    const void *priority;  /* [room] */
    uint32_t children;     /* most births that an agent may request at once */
    uint32_t room;         /* elements of every array of agents */

    uint32_t *count;       /* [1] number of agents, in and out */
    uint64_t *next_id;     /* [worlds] in and out */
    const uint64_t *id;    /* [room] */
    const uint32_t *cell;  /* [room] */
    uint64_t *id_to;
    uint32_t *cell_to;
    uint8_t *lost_to;
    const uint8_t *lost;
    uint32_t *start;       /* [worlds * places + 1] in and out */
    /* [worlds * places / 32 + 1] in and out, as in mass_launch; or NULL. If it is not NULL, `start` has only the
     * first agent of each world, and the number of all agents at its end. */
    mass_seats *occupancy;
    /* ANY requires an occupancy bitmap, open worlds, and `children` at most 1. If it finds ANY, a CPU may sort
     * agents in the present arrays, and `priority` must be one of these. If it leaves ANY, agents keep their array
     * index, in and out: cell_to is cell and lost_to is lost. Then no agent may request a death or a birth. If one
     * does, the manage does nothing. */
    mass_manage_order order;

    /* Requests, in. Out: none, for the agents in their new order. Worlds with a closed gate keep theirs, and the
     * children's values too. */
    uint32_t *move;        /* [room] a cell of the same world, MASS_CELL_STAY or MASS_CELL_NOWHERE */
    uint32_t *asked;       /* [room] MASS_ASKED_KILL and the number of births */
    uint32_t *child_cell;  /* [children][room] like move; only the first `births` of an agent are set */
    /* [room] if `move` is MASS_CELL_REMOTE: a place of the world that another process holds */
    int64_t *remote_move;
    int64_t *remote_child;    /* [children][room] likewise; both NULL if the process holds all places */

    uint32_t array_count;
    const mass_agent_array *arrays; /* host */

    /* [worlds] tallies to add to, or NULL: births, deaths, refused births. */
    int64_t *born, *died, *refused;

    uint32_t *closed; /* [worlds] gates that close if a manage on a GPU stops; or NULL */

    /* Host; NULL, or false before. A manage sets it to true if it keeps the result in the present arrays. It may do
     * so if no agent changes its index. A child may still take the index of an agent that dies. */
    bool *stayed;
} mass_manage_work;

/* Returned in place of a number of agents. Nothing was changed: the manage had to keep the order, but an agent dies
 * or is born. */
#define MASS_MANAGE_CHANGES (UINT64_MAX - 1)

/* The reason that replayed steps on a GPU need the host. It is in device memory. A manage, a guard or the stop
 * condition writes the first reason. Until the host clears it, work that has its address does nothing. */
typedef struct mass_stop {
    uint32_t stopped; /* 0: no reason */
    uint32_t phase;   /* of the manage whose arrays are too small; or MASS_BEFORE_STEP for a guard; or MASS_HELD */
    uint64_t step;    /* the first incomplete step */
    uint64_t needed;  /* number of agents after the manage; for a guard, their present number */
} mass_stop;

#define MASS_BEFORE_STEP UINT32_MAX /* there are more agents before `step` than the guard allows */
#define MASS_HELD (UINT32_MAX - 1)  /* the stop condition holds after the step before `step` */

/* A guard: stops the replay before a step if there are more agents than `limit`. Addresses are on the device. */
typedef struct mass_memory_guard_work {
    const uint32_t *count, *limit; /* [1] */
    uint64_t step;                 /* plus *clock, if clock is not NULL */
    const uint64_t *clock;
    uint32_t *closed; /* [worlds] gates that close if it stops */
    int32_t worlds;
} mass_memory_guard_work;

/* Discards the requests that no manage applied or will apply. Sets *ignored to 1 if it is 0 and there were any.
 * Addresses are on the device. */
typedef struct mass_discard_work {
    uint32_t *move, *asked; /* [room] */
    const uint32_t *count;  /* [1] number of agents */
    uint32_t room;
    uint32_t *ignored;
} mass_discard_work;

#endif
