/* SPDX-License-Identifier: Apache-2.0 */
/* The launch record: the arguments of a generated loop or kernel other than its fields.
 *
 * The engine makes the record in its own size, struct_size. A plugin's entry has the size that the plugin knows
 * (mass_plugin.launch_size). The engine refuses a plugin that knows more members than the engine has. So all members in
 * these headers exist, also in records of newer engines. New members are appended. A new member of a struct inside the
 * record makes a new ABI (types.h). */
#ifndef MASS_LAUNCH_H
#define MASS_LAUNCH_H

#include <mass/arithmetic.h>
#include <mass/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Special cells of a request: stay; a move out of the space; a move out of the part of the space that the process
 * holds, to the place in remote_move or remote_child. */
#define MASS_CELL_STAY UINT32_MAX
#define MASS_CELL_NOWHERE (UINT32_MAX - 1)
#define MASS_CELL_REMOTE (UINT32_MAX - 2)
#define MASS_ASKED_KILL 0x80000000u /* in mass_agents.asked */
#define MASS_LOTTERY_DRAW 65535u

/* The occupancy bitmap of 32 cells, if a place holds one agent at most. A bit of `held` is 1 if the cell has an agent;
 * the first cell is the lowest bit. The number of agents in all cells before them is `before`. */
typedef struct mass_seats {
    uint32_t held, before;
} mass_seats;

/* The agents of one population, of all worlds of the launch, in canonical order: by (cell, id). A cell is world *
 * places of the space + row-major global place. So the agents of a range of cells are a range, as are those of a
 * partition or a world. The engine owns all arrays; `room` is their capacity. */
typedef struct mass_agents {
    const uint64_t *id;    /* [room] */
    const uint32_t *cell;  /* [room] */
    const uint8_t *lost;   /* [room] 1: its last request to move was refused */
    const uint32_t *start; /* [worlds * places + 1] first agent of each cell; see occupancy */
    /* [worlds * places / 32 + 1], the last element with the number of all agents; or NULL. If it is not NULL, start has
     * only the first agent of each world, and the number of all at its end. */
    const mass_seats *occupancy;
    uint32_t *move;        /* [room] request: cell to move to */
    uint32_t *asked;       /* [room] request: MASS_ASKED_KILL and the number of births */
    uint32_t *child_cell;  /* [children][room] request: cell of each child */
    uint32_t room, children;
    int64_t places;        /* number of places of the space, in one world */
    int32_t reach;         /* how far bodies may read, in places */
    uint32_t kill_mask;    /* the bit that KILL sets: MASS_ASKED_KILL, or 0 if the number of agents is constant */
    /* If a process holds a part of the space, the part is a slab of its slowest axis. Then `cell`, `start`, `move` and
     * `child_cell` number its places in 32 bits, from first_place on. The number of these places is `places`. If it
     * holds the whole space, first_place is 0, places_all is `places`, and the arrays below are NULL. */
    mass_gidx first_place, places_all; /* row-major place of cell 0; number of places of the whole space, in one
                                          world */
    mass_gidx *remote_move;   /* [room] place of the whole space, if `move` is MASS_CELL_REMOTE */
    mass_gidx *remote_child;  /* [children][room] the same for child_cell */
    /* [worlds][2][crowd_places] number of agents on each place before the part, and after it, as far as bodies may
     * read. An axis that wraps continues there. */
    const uint32_t *place_counts;
    int64_t crowd_places;
    /* Copies of the agents on `copy_places` places before the part, and on as many after it, as far as a walk goes:
     * [worlds][2][copy_places] cells, by place as place_counts. Their values are behind those of the agents, from
     * element `room` on. NULL: the process holds the whole space, or no body reads agents nearby. */
    const uint32_t *copy_start; /* [worlds * 2 * copy_places + 1] */
    const uint32_t *copy_cell;
    const uint64_t *copy_id;
    int64_t copy_places;
} mass_agents;

/* Requests of places for new agents of a population, its sprouts. The engine owns the array. */
typedef struct mass_sprouts {
    /* [worlds * places] by cell, as in mass_agents.cell. Low 16 bits: the sprouts that the place asks for. High 16
     * bits: the most that it has asked for since the last manage; so many values may differ from the defaults. NULL:
     * the population has no sprouts. */
    uint32_t *asked;
    uint32_t most; /* at once, on a place */
    uint32_t reserved; /* 0 */
} mass_sprouts;

/* The populations that a callback may see: its own and others on the same space. */
enum { MASS_POPULATIONS_SEEN = 4 };

/* The positions of a population's agents in continuous space (points.h). The engine owns the arrays. */
typedef struct mass_positions {
    const void *at; /* [room] points; NULL: the population has no positions */
    void *to;       /* [room] request: the point to which an agent moves, if its `move` is a cell */
    void *child;    /* [children][room] request: the point of each child */
    uint32_t size;  /* bytes of a point */
    uint32_t type;  /* MASS_F32 or MASS_F64: of its coordinates */
    uint32_t at_edge; /* MASS_REFUSES, MASS_STOPS or MASS_REFLECTS */
    uint32_t reserved; /* 0 */
} mass_positions;
/* What becomes of a move over a bounded edge. */
enum { MASS_REFUSES = 0, MASS_STOPS = 1, MASS_REFLECTS = 2 };

/* Another agent, as a body names it: the index in arrays of its population, and its offset along each axis, the short
 * way round an axis that wraps. Its values are those from before the phase. If agent is MASS_NOBODY, there is none. */
typedef struct mass_other {
    uint32_t agent;
    int32_t dx, dy, dz;
} mass_other;
#define MASS_NOBODY UINT32_MAX

/* The agents that a walk of a population found last: it has checked them. */
typedef struct mass_walked {
    uint32_t population, first, end;
} mass_walked;

/* Any agent of the world, as a body names it, by its number among all of its population; or MASS_NOBODY. */
typedef struct mass_somebody {
    uint32_t agent;
} mass_somebody;

/* An edge that comes into a node, as a body names it: by its number among all edges (mass_edges). */
typedef struct mass_edge {
    uint64_t number;
} mass_edge;

/* The same of a further set of edges, which has a number from 1 among those that the callback walks. */
typedef struct mass_set_edge {
    uint64_t number;
    uint32_t set;
} mass_set_edge;
/* The most sets of edges that a callback walks next to the network's own. */
enum { MASS_EDGE_SETS = 3 };

/* The edges of a network. Those that come into node i of world w are first[k] to before first[k + 1], with k = w * each
 * + i, by the node at the other end. Edges that do not change are the same in all worlds, and `each` is 0. Else it is
 * the number of nodes, and a world has edges of its own. Arrays of LINKED fields have the values of all nodes: of node
 * i of world w at w * stride + i, and of the default at `none`. Arrays of EDGES fields have those of all edges, and the
 * default at `count`. */
typedef struct mass_edges {
    const uint64_t *first;  /* [nodes + 1], or [worlds * nodes + 1]; NULL: the space is no network */
    const uint32_t *source; /* [count] the node at the other end of each edge */
    uint64_t count;
    int64_t stride, none;
    int64_t each;
    uint8_t *cut;            /* [count] 1: a request of UNLINK; NULL: the edges do not change */
    const void *reserved[1]; /* NULL */
} mass_edges;

/* The agents of one population in the whole space, as a body names them (mass_somebody): in canonical order, world by
 * world. If one process holds the space, they are those of mass_agents. If it holds a part, they are those of all
 * processes; the arrays of fields that name any agent are then as long. */
typedef struct mass_everybody {
    const uint32_t *start; /* the first agent of world w: start[w * stride]; of `worlds`: the number of all */
    int64_t stride;
    const uint64_t *id;    /* [start[worlds * stride]] */
    const uint32_t *moved; /* [worlds] added to the index of an agent of this process; NULL: 0 */
    /* For BY_ID: a hash table of agents (mass_slot_of), an agent's index or MASS_NOBODY in each slot. `last_slot` is
     * its length less one, which has all bits set. */
    const uint32_t *slots;
    uint32_t last_slot;
    uint32_t reserved; /* 0 */
} mass_everybody;
/* Returns the first slot in which an agent may be. The next ones follow, and the first follows the last. */
MASS_FN uint32_t mass_slot_of(int32_t world, uint64_t id, uint32_t last_slot)
{
    const uint64_t mixed = (id + (uint64_t)world * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
    return (uint32_t)(mixed >> 32) & last_slot;
}

/* An agent in a phase in turn: its present cell, or MASS_CELL_NOWHERE if it is dead; and the agent after it on that
 * cell, or MASS_NOBODY. */
typedef struct mass_turn_agent {
    uint32_t cell, next;
} mass_turn_agent;

/* An attribute of children that are born in turn. */
typedef struct mass_turn_array {
    void *values;        /* [count * (1 + children)] */
    const void *initial; /* one element, with which children start */
    uint64_t size;
} mass_turn_array;

/* The agents of one population in a phase in turn. The first `count` are those of the beginning, in canonical order as
 * in mass_agents; mass_agents.cell keeps where they were then. Child k of agent i has the number count + i * children +
 * k, and is dead until it is born. The agents of a cell are a list: elders by id, then children by number. The engine
 * owns all arrays. */
typedef struct mass_turn_population {
    mass_turn_agent *agents; /* [count * (1 + children)] */
    uint32_t *first;         /* [worlds * places] the first agent of each cell, or MASS_NOBODY */
    uint64_t *id;            /* [count * (1 + children)] 2^64 - 1 for a child */
    uint32_t count, children;
    uint32_t capacity;       /* most agents of a cell; 0: any number */
    uint32_t array_count;
    const mass_turn_array *arrays;
    int64_t *born, *died, *unborn; /* [worlds] */
} mass_turn_population;

enum { MASS_TURN_THREADS = 512 }; /* of a block, in a phase in turn on a GPU */
enum { MASS_AGENT_THREADS = 256 }; /* the most of a block over agents on a GPU */

/* The rounds of a phase in turn on a GPU. An actor waits for all that act before it and can matter to it
 * (mass_turn_scope). Those that wait for nobody act in the first round, all at once. Each round makes others ready for
 * the next one. */
typedef struct mass_turn_rounds {
    uint32_t *high, *low; /* [count] two words of a key. Agents act by ascending key, and by id if keys are equal */
    uint32_t *waits;    /* [count] the agents for which it waits */
    uint32_t *ready[2]; /* [count] the agents of a round with an even number, and with an odd one */
    uint32_t *number;   /* [3] number[r % 3]: the agents of round r. All are 0 at first */
    uint32_t *arrived;  /* blocks that have reached the end of a round, of all rounds. It is 0 at first */
} mass_turn_rounds;

/* The order of a phase in turn: by random keys, drawn in each step; by id alone; or by the values of an attribute when
 * the phase began (impl/turn_keys.h). */
enum { MASS_TURN_SHUFFLED = 0, MASS_TURN_BY_ID = 1, MASS_TURN_BY_VALUE = 2 };
typedef struct mass_turn_keys {
    uint32_t by;        /* MASS_TURN_... */
    uint32_t reversed;  /* 1: exactly the other way round */
    const void *values; /* [actors] by value; else NULL */
    uint32_t type;      /* mass_type of the values. MASS_BIT: a byte each */
    uint32_t reserved;  /* 0 */
    uint32_t *nan;      /* [1] 0 at first. 1: a value is not a number */
} mass_turn_keys;

/* How far bodies in turn may meet agents, and change something; the first two as in mass_agent_phase, with 0 for the
 * own place. Two actors can only matter to each other if one may change what the other may see or meet. Then they were
 * at most sees + changes apart along an axis when the phase began. */
typedef struct mass_turn_scope {
    int32_t meets, changes;
    int32_t sees;  /* how far a body sees or meets what others may change; at least `changes` */
    uint32_t axes; /* 1: all that along the axes alone; MASS_TURN_ALONG_EDGES: of nodes in turn */
} mass_turn_scope;
/* Distances of nodes in turn are in edges. A body sees the other ends of edges that come in, so `sees` is 1. If it also
 * changes something there, `changes` is 1, else 0. Two nodes can matter to each other if an edge joins them. If bodies
 * change something at the other ends, they also can if edges from one node come into both. */
enum { MASS_TURN_ALONG_EDGES = 2 };

/* The part of every world in which a process plays a phase in turn, if ranks share the worlds. Places are numbered row
 * by row. Place p of the space is place p of the part if p < low_end; else it is place p - gap. Cells, extents and
 * strides of the launch are those of the part. Of the two ranges of places of the space, the second may wrap. */
typedef struct mass_turn_part {
    uint32_t shared, reserved; /* 0: the process has the worlds for itself, and all other members are 0 */
    mass_gidx low_end, gap;
    mass_gidx counted_first, counted; /* where those began who count: in tallies, in births and deaths, in reports */
    mass_gidx acting_first, acting;   /* where those began who act */
} mass_turn_part;

/* The nodes that edges join, for nodes in turn on a GPU. Those of node i of world w begin at first[w * each + i], and
 * end where those of the next node begin. Each edge that comes into the node or leaves it, of any set that the body
 * follows, gives the node at its other end. An edge of an undirected network gives each end the other one once. `each`
 * is 0 if all worlds have the same edges; else it is the number of nodes. */
typedef struct mass_turn_joined {
    const uint64_t *first; /* [nodes + 1], or [worlds * nodes + 1]; NULL: no nodes act */
    const uint32_t *node;
    int64_t each;
} mass_turn_joined;

/* A phase in turn. Agents act, or places. Places have no population: actor i is then the place with number i % places
 * of the part of world i / places, and only `count` of populations[0] is set, to the places of all worlds. */
typedef struct mass_turn {
    const uint32_t *order; /* [count] on CPUs: the actors of each world, in the order in which they act */
    mass_turn_rounds rounds;
    mass_turn_population populations[MASS_POPULATIONS_SEEN]; /* as in mass_launch.populations */
    mass_turn_keys keys;
    mass_turn_scope scope;
    uint64_t *round_counts; /* on GPUs: [2] rounds of all launches so far, and the most of one; else NULL */
    mass_turn_part part;
    mass_turn_joined joined; /* on GPUs, of nodes in turn */
} mass_turn;

/* Requests of a body that the engine ignores: more children than an agent may have, a child's place over an edge, a
 * draw that RANDOM does not have, and any request without a manage. If the number of agents is constant, also a death.
 * More sprouts than a place may have at once.
 * Every device records them. */
enum {
    MASS_IGNORED_CHILDREN = 0,
    MASS_IGNORED_EDGE = 1,
    MASS_IGNORED_DRAW = 2,
    MASS_IGNORED_REQUEST = 3,
    MASS_IGNORED_KILL = 4,
    MASS_IGNORED_SPROUTS = 5,
    MASS_IGNORED_KINDS = 6
};

/* Accesses of a body that it may not make: to a place beyond its reach, or to a child, a resident or a value of
 * a list or a world attribute that does not exist.
 * They add nothing, and read a default. Only a CPU can record them. */
enum {
    MASS_OUT_OF_REACH_SCATTER = 1,
    MASS_OUT_OF_REACH_SEE = 2,
    MASS_OUT_OF_REACH_NEAR = 3,
    MASS_OUT_OF_REACH_COUNT = 4,
    MASS_OUT_OF_REACH_CHILD = 5,   /* offset[0]: the child's number */
    MASS_OUT_OF_REACH_RESIDENT = 6, /* offset[0]: the agent's number */
    MASS_OUT_OF_REACH_WALK = 7,    /* offset[0]: the distance of a walk of agents nearby */
    MASS_OUT_OF_REACH_NOBODY = 8,  /* nobody's attribute */
    MASS_OUT_OF_REACH_OTHER = 9,   /* offset: of an agent nearby that no walk has given */
    MASS_OUT_OF_REACH_SPROUT = 10, /* offset[0]: the sprout's number */
    MASS_OUT_OF_REACH_LIST = 20,   /* offset[0]: the number of a value of a list; offset[1]: how many it has */
    MASS_OUT_OF_REACH_WORLD = 21,  /* the same, of a world attribute */
    MASS_OUT_OF_REACH_PRIORITY = 26, /* offset[0]: the id of an agent that claims with a priority of NaN */
    MASS_OUT_OF_REACH_CLAIM = 27,  /* offset: of an agent claimed beyond the reach of the phase that decides */
    MASS_OUT_OF_REACH_ALTER = 28,
    MASS_OUT_OF_REACH_MOVE = 29,
    MASS_OUT_OF_REACH_BEAR = 30,
    MASS_OUT_OF_REACH_CHANGE = 31, /* offset: of an agent that it changes or kills */
    MASS_OUT_OF_REACH_WALK_AT = 32, /* of a place whose agents it walks */
    MASS_OUT_OF_REACH_EDGE = 40, /* offset[0]: the number of an edge that does not come into the node */
    MASS_OUT_OF_REACH_LINK = 41 /* offset[0]: the number of a node that there is not, to which an edge is to lead */
};
typedef struct mass_diagnostics {
    uint32_t struct_size; /* at least the size that the plugin knows (mass_plugin.diagnostics_size) */
    uint32_t seen; /* MASS_OUT_OF_REACH_..., 0: there was none; MASS_DIAGNOSTICS_OFF: do not record. Of the first one,
                      or of the farthest of its kind if it is too far (reach.h) */
    int32_t world;
    mass_gidx from[3], offset[3]; /* place of that one's body, and the offset from there */
    uint32_t ignored[MASS_IGNORED_KINDS]; /* 1: it happened; 2: it happened and the engine has reported it */
    uint64_t agent; /* the id of that one's agent, in a phase in turn */
    uint32_t no_number; /* 1: a body moved an agent by an infinity, or by what is no number; 2: it was reported */
    uint32_t no_point;  /* the same of a request for a place (MIGRATE, CHILD_TO) for an agent that has a position */
} mass_diagnostics;
#define MASS_DIAGNOSTICS_OFF UINT32_MAX

/* Bits of the effect log: uses of a body other than the values of its fields. They are its position, the space's size,
 * the step, random numbers, and the existence of a neighbour. A callback without any of them does the same to equal
 * neighbourhoods, at any place and step. Forms that check record them (effects.h). If a plugin's effects_size is 0, an
 * empty log means nothing. */
enum {
    MASS_NOTED_POSITION = 1,
    MASS_NOTED_SIZE = 2,
    MASS_NOTED_STEP = 4,
    MASS_NOTED_RANDOM = 8,
    MASS_NOTED_EXISTS = 16
};
typedef struct mass_effects {
    uint32_t struct_size; /* at least the size that the plugin knows (mass_plugin.effects_size) */
    uint32_t asked;       /* MASS_NOTED_..., set by bodies of all threads; only the engine clears them */
    /* If a body reads an element by NEAR, looks[(its address - looks_from) % looks_period] becomes 1. NULL: do not
     * record. A plugin whose own loops do not record that has an effects_size that ends with `asked`. */
    uint8_t *looks;
    const void *looks_from;
    uint64_t looks_period;
} mass_effects;

/* How the bins of one BINS field are counted. The device sets it. */
enum { MASS_BINS_FIELDS = 4 };
typedef struct mass_bins {
    uint32_t length;       /* bins of the tally, in each world */
    uint32_t first, count; /* the bins that this launch counts */
    uint32_t copies_log2;  /* log2 of the number of copies of a thread's, or a block's, own bins. Copies are next to
                              each other; contributions are spread over them */
    uint32_t local;        /* CUDA: where the block's memory has them, in words of 32 bits, with one bin more; or
                              MASS_BINS_GLOBAL */
    uint32_t shared;       /* CPU: 1 if threads count in the same bins */
    uint32_t fixed;        /* 1 if they are sums in fixed point */
    uint32_t reserved;     /* 0 */
} mass_bins;
#define MASS_BINS_GLOBAL UINT32_MAX
enum { MASS_CPU_LANES_LOG2 = 3, MASS_CPU_LANES = 1 << MASS_CPU_LANES_LOG2 }; /* copies on a CPU, if more than one */

/* Functions that loops call to count by key. The device sets them, on CPUs only. `tables` is the field's pointer. */
typedef void mass_count_number(void *tables, int32_t world, uint64_t key);
typedef void mass_count_text(void *tables, int32_t world, const void *text, uint64_t length);

/* One launch covers all places of one partition in `worlds` worlds. The engine owns the record. It passes it by value
 * to a kernel and by pointer to a loop. On a device it has device addresses. New members are appended only.
 *
 * A place (x, y, z) of the partition in world w of the launch is element
 *     w * world_stride + z * plane + y * pitch + x
 * of every field's array. Ghosts are at negative coordinates and from the extent on. After the last world there is one
 * element that nothing writes: the attribute's default, for reads beyond the reach (mass_default_element). */
typedef struct mass_launch {
    uint32_t struct_size;
    uint32_t phase;       /* number of the phase, unique over both schedules; random numbers depend on it */
    uint64_t step;        /* the step being computed, counted from 1; 0 in `start` */
    const uint64_t *clock;       /* if not NULL, *clock is added to step: in launches that a graph replays */
    const uint64_t *random_keys; /* [worlds] one key for each world */
    const uint32_t *gates;       /* [worlds], a body does not run in a world whose gate is not 0; NULL: all open */
    int64_t world_stride, plane, pitch; /* in places */
    mass_gidx origin[3];                /* global coordinates of the partition's first place */
    mass_gidx size[3];                  /* of the whole space; 1 along axes that it does not have */
    mass_lidx extent[3];                /* of the partition */
    int32_t ghost[3];                   /* layers on either side, per axis */
    int32_t first_world, worlds;        /* number of the first world, and number of worlds */
    uint32_t torus;                     /* mask of the axes that wrap; the others are bounded */
    uint32_t push;                      /* mask of the axes along which a pushing kernel writes the ghosts whose source
                                           are its own places */
    /* From first to before last along each axis, a pushing kernel has no ghosts to write. Exceptions are the outermost
     * strips along x and y, if they are inside. The device sets it. */
    mass_lidx inner_first[3], inner_last[3];
    mass_diagnostics *diagnostics; /* if not NULL, gets the first access out of reach, on a CPU, and the ignored
                                      requests */
    /* the effect log, in forms that check; NULL in ordinary launches */
    mass_effects *note;
    mass_count_number *count_number;
    mass_count_text *count_text;
    int32_t reach;      /* how far along an axis a body may read places, or add to them */
    uint16_t steps;     /* the number of steps that a kernel of several advances; else 0. The device sets it */
    uint16_t gathers;   /* 1 if such a kernel adds to the tallies, in the last step; else 0. The device sets it */
    /* The populations that the callback sees, in the order of mass_callback.populations; the first is its own. */
    mass_agents populations[MASS_POPULATIONS_SEEN];
    mass_bins bins[MASS_BINS_FIELDS]; /* those of BINS fields, in their order */
    uint64_t fixed_sums;     /* bit k: SUM field k of the callback is a sum in fixed point (mass_sum_fixed) */
    /* Bit i: field i has floats, or doubles, of an attribute with .flush, which the callback writes (flush.h). */
    uint64_t flush_floats, flush_doubles;
    mass_sprouts sprouts[MASS_POPULATIONS_SEEN]; /* of these populations */
    /* For fields of agents anywhere: the populations that the callback sees, in the order of `populations`. */
    mass_everybody everybody[MASS_POPULATIONS_SEEN];
    /* For FREE_PLACES: the full places of the callback's own population, as in mass_agents.occupancy, for all worlds
     * and all places of the space. */
    const mass_seats *full;
    mass_turn *turn; /* of a phase in turn; else NULL */
    uint32_t alone;  /* 1: one thread of a CPU runs the whole launch, so additions need not be atomic. The device sets
                        it */
    uint32_t reserved;
    double cell;     /* the edge of a cell of the space */
    mass_positions positions[MASS_POPULATIONS_SEEN]; /* of `populations` */
    mass_edges edges; /* of a callback over the nodes of a network */
    mass_edges sets[MASS_EDGE_SETS]; /* those of the sets that it walks, in the order of mass_callback.sets */
} mass_launch;
/* Returns whether SUM field `sum` of the callback is a sum in fixed point. */
MASS_FN int mass_is_fixed(const mass_launch *l, int sum) { return (int)(l->fixed_sums >> sum & 1); }

/* The part of a partition that one call of a CPU loop covers. It has the rows (world * extent[2] + z) * extent[1] +
 * y from first_row to before last_row, and of each the places from first_x to before last_x. This struct never
 * changes. */
typedef struct mass_range {
    int64_t first_row, last_row;
    mass_lidx first_x, last_x;
} mass_range;

/* The position of a body: global coordinates in places, and the world's number within the launch. */
typedef struct mass_site {
    const mass_launch *launch;
    mass_gidx x, y, z;
    int32_t world;
    const uint64_t *id; /* the agent's, in a body over agents; else NULL */
} mass_site;

#ifdef __cplusplus
}
#endif
#endif
