/* SPDX-License-Identifier: Apache-2.0 */
/* The launch record: what a generated loop or kernel is told beside its fields.
 *
 * The engine makes the record in its own size, which struct_size tells, and a plugin says in its entry in which size it
 * knows the record (mass_plugin.launch_size): one that knows more than the engine has is refused. So whatever is in
 * these headers is there, also where the engine was built with newer ones. New members are appended; one in a struct
 * inside the record makes a new ABI (types.h). */
#ifndef MASS_LAUNCH_H
#define MASS_LAUNCH_H

#include <mass/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Cells of a request that are none: stay; a move that leads out of the space; and one that leads out of the part of it
 * that the process holds, to where remote_move or remote_child says. */
#define MASS_CELL_STAY UINT32_MAX
#define MASS_CELL_NOWHERE (UINT32_MAX - 1)
#define MASS_CELL_REMOTE (UINT32_MAX - 2)
#define MASS_ASKED_KILL 0x80000000u /* in mass_agents.asked */
#define MASS_LOTTERY_DRAW 65535u

/* Who stands on 32 cells, where a place holds one agent at most: which cells hold one, the first in the lowest bit, and
 * how many agents there are in all cells before them. */
typedef struct mass_seats {
    uint32_t held, before;
} mass_seats;

/* The agents of one population, of all worlds of the launch, in canonical order: by (cell, id), a cell
 * being world * places of the space + row-major global place. Agents of any cell, and so of a partition
 * or a world, are a range. */
typedef struct mass_agents {
    const uint64_t *id;    /* [room] */
    const uint32_t *cell;  /* [room] */
    const uint8_t *lost;   /* [room] 1: its last request to move was refused */
    const uint32_t *start; /* [worlds * places + 1] first agent of each cell */
    /* [worlds * places / 32 + 1] of agents, the last of them with what there are in all; or NULL. Where it is not
     * NULL, start has the first agent of each world alone, and the number of all at its end. */
    const mass_seats *occupancy;
    uint32_t *move;        /* [room] requests: cell to move to */
    uint32_t *asked;       /* [room] MASS_ASKED_KILL and the number of births */
    uint32_t *child_cell;  /* [children][room] */
    uint32_t room, children;
    int64_t places;        /* of the space, in one world */
    int32_t reach;         /* how far bodies may look */
    uint32_t kill_mask;    /* what KILL asks for: MASS_ASKED_KILL, or 0 where the number of agents is constant */
    /* Where a process holds a part of the space, a slab of its slowest axis, `cell`, `start`, `move` and `child_cell`
     * number its places in 32 bits, from first_place on, and `places` counts them. Where it holds all, first_place is
     * 0, places_all is `places`, and the lists are NULL. */
    mass_gidx first_place, places_all; /* row-major place that is cell 0; places of the whole space, in one world */
    mass_gidx *remote_move;   /* [room] place of the whole space, where `move` is MASS_CELL_REMOTE */
    mass_gidx *remote_child;  /* [children][room] likewise, where child_cell is */
    /* [worlds][2][crowd_places] how many agents are on each place before the part, and behind it, as far as bodies
     * look. An axis that wraps continues there. */
    const uint32_t *place_counts;
    int64_t crowd_places;
} mass_agents;

/* The populations that a callback may see: its own and others on the same space. */
enum { MASS_POPULATIONS_SEEN = 4 };

/* What a body asks for and nobody carries out: more children than an agent may have, a death where it is constant, a
 * child's place over an edge, a draw that RANDOM does not have; and any request where no manage comes. Every device
 * notes it. */
enum {
    MASS_IGNORED_CHILDREN = 0,
    MASS_IGNORED_EDGE = 1,
    MASS_IGNORED_DRAW = 2,
    MASS_IGNORED_REQUEST = 3,
    MASS_IGNORED_KILL = 4,
    MASS_IGNORED_KINDS = 5
};

/* What a body names that it may not: a place beyond its reach, or a child or resident that is none. Nothing is added
 * there, or read but a default; a CPU may be told of it. */
enum {
    MASS_OUT_OF_REACH_SCATTER = 1,
    MASS_OUT_OF_REACH_SEE = 2,
    MASS_OUT_OF_REACH_NEAR = 3,
    MASS_OUT_OF_REACH_COUNT = 4,
    MASS_OUT_OF_REACH_CHILD = 5,   /* offset[0]: its number */
    MASS_OUT_OF_REACH_RESIDENT = 6 /* the same */
};
typedef struct mass_diagnostics {
    uint32_t struct_size; /* no less than the plugin knows (mass_plugin.diagnostics_size) */
    uint32_t seen; /* MASS_OUT_OF_REACH_..., 0: there was none; MASS_DIAGNOSTICS_OFF: nobody asks */
    int32_t world;
    mass_gidx from[3], offset[3]; /* the first one's own place, and how far away from it */
    uint32_t ignored[MASS_IGNORED_KINDS]; /* 1: it happened; 2: and the engine has said so */
} mass_diagnostics;
#define MASS_DIAGNOSTICS_OFF UINT32_MAX

/* What bodies ask for beside the values of their fields: their position, the space's size, the step, random numbers,
 * whether a neighbour exists. A callback that asks for none of it does the same to equal neighbourhoods, wherever and
 * whenever they are. Forms that check leave it (effects.h); an empty note of a plugin whose effects_size is 0 means
 * nothing. */
enum {
    MASS_NOTED_POSITION = 1,
    MASS_NOTED_SIZE = 2,
    MASS_NOTED_STEP = 4,
    MASS_NOTED_RANDOM = 8,
    MASS_NOTED_EXISTS = 16
};
typedef struct mass_effects {
    uint32_t struct_size; /* no less than the plugin knows (mass_plugin.effects_size) */
    uint32_t asked;       /* MASS_NOTED_..., set by bodies of all threads; only the engine clears them */
    /* Where a body looks at an element by NEAR, looks[(its address - looks_from) % looks_period] becomes 1. NULL:
     * nobody asks. A plugin whose own loops leave none of that has a effects_size that ends with `asked`. */
    uint8_t *looks;
    const void *looks_from;
    uint64_t looks_period;
} mass_effects;

/* How the bins of one BINS field are counted. Set by the device. */
enum { MASS_BINS_FIELDS = 4 };
typedef struct mass_bins {
    uint32_t length;       /* bins of the tally, in each world */
    uint32_t first, count; /* those that this launch counts */
    uint32_t copies_log2;  /* a thread's, or a block's, own bins: copies, side by side, that contributions spread
                              over */
    uint32_t local;        /* CUDA: where in the block's memory they are, in words of 32 bit, and one bin more; or
                              MASS_BINS_GLOBAL */
    uint32_t shared;       /* CPU: 1 if threads count in the same bins */
    uint32_t fixed;        /* 1 if they are sums in fixed point */
    uint32_t reserved;     /* 0 */
} mass_bins;
#define MASS_BINS_GLOBAL UINT32_MAX
enum { MASS_CPU_LANES_LOG2 = 3, MASS_CPU_LANES = 1 << MASS_CPU_LANES_LOG2 }; /* copies on a CPU, if more than one */

/* What loops call to count by key; set by the device, and of CPUs alone. `tables` is the field's pointer. */
typedef void mass_count_number(void *tables, int32_t world, uint64_t key);
typedef void mass_count_text(void *tables, int32_t world, const void *text, uint64_t length);

/* One launch covers all places of one partition in `worlds` worlds. The engine owns it; it is
 * passed by value to a kernel and by pointer to a loop, and holds device addresses on a device.
 * Members are only ever appended.
 *
 * A place (x, y, z) of the partition in world w of the launch lies at element
 *     w * world_stride + z * plane + y * pitch + x
 * of every field's array; ghosts lie at negative coordinates and from the extent on. Behind the last world's there is
 * one element that nobody writes: the attribute's default, for who looks too far (mass_default_element). */
typedef struct mass_launch {
    uint32_t struct_size;
    uint32_t phase;       /* number of the phase, unique over both schedules: random numbers */
    uint64_t step;        /* the step being computed, counted from 1; 0 in `start` */
    const uint64_t *clock;       /* if not NULL, *clock is added to step (launches replayed by a graph) */
    const uint64_t *random_keys; /* [worlds] */
    const uint32_t *gates;       /* [worlds], a world whose gate is not 0 is left alone; NULL: all open */
    int64_t world_stride, plane, pitch; /* in places */
    mass_gidx origin[3];                /* global coordinates of the partition's first place */
    mass_gidx size[3];                  /* of the whole space; 1 along axes it does not have */
    mass_lidx extent[3];                /* of the partition */
    int32_t ghost[3];                   /* layers on either side, per axis */
    int32_t first_world, worlds;        /* number of the first world, and how many */
    uint32_t torus;                     /* axes that wrap; the others are bounded */
    uint32_t push;                      /* axes along which a pushing kernel writes the ghosts
                                           that its own places are the source of */
    /* From first to before last along each axis, a pushing kernel has no ghosts to write, but for
     * those of the outermost strips along x and y, where these lie inside. Set by the device. */
    mass_lidx inner_first[3], inner_last[3];
    mass_diagnostics *diagnostics; /* if not NULL, takes what was out of reach first, on a CPU, and what was ignored */
    /* NULL in ordinary launches; else takes what bodies ask for, in forms that check */
    mass_effects *note;
    mass_count_number *count_number;
    mass_count_text *count_text;
    int32_t reach;      /* how far along an axis a body may look at places, or add to them */
    uint16_t steps;     /* that a kernel of several advances; set by the device, as is */
    uint16_t gathers;   /* ... 1 if such a kernel adds to the tallies, in the last step; else both are 0 */
    /* In sight of the callback, in the order of mass_callback.populations; the first is its own. */
    mass_agents populations[MASS_POPULATIONS_SEEN];
    mass_bins bins[MASS_BINS_FIELDS]; /* of BINS fields, in their order */
    uint64_t fixed_sums;     /* bit k: the callback's k-th SUM field adds to a sum in fixed point (mass_sum_fixed) */
    /* Bit i: field i has floats, or doubles, of an attribute with .flush, which the callback writes (flush.h) */
    uint64_t flush_floats, flush_doubles;
} mass_launch;

/* The part of a partition that one call of a CPU loop covers, a struct that never changes: rows
 * (world * extent[2] + z) * extent[1] + y from first_row to before last_row, and of each the places
 * from first_x to before last_x. */
typedef struct mass_range {
    int64_t first_row, last_row;
    mass_lidx first_x, last_x;
} mass_range;

/* Where a body stands: global coordinates, and the world's number within the launch. */
typedef struct mass_site {
    const mass_launch *launch;
    mass_gidx x, y, z;
    int32_t world;
    const uint64_t *id; /* of the agent, in a body over agents; else NULL */
} mass_site;

#ifdef __cplusplus
}
#endif
#endif
