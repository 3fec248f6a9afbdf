/* SPDX-License-Identifier: Apache-2.0 */
/* Agents: the declarations of populations, in the table mass.agents/0, and agents that load adds, in mass.placing/0.
 *
 * A population is a set of agents of one kind on one space. Every agent has an id (64 bits, unique in its world, never
 * used twice), is on a place, and has the attributes that are declared with .population. Callbacks over agents only
 * request moves, children and deaths. A manage phase applies the requests of all agents of the population at once, with
 * the same result on every device and partition. */
#ifndef MASS_AGENTS_H
#define MASS_AGENTS_H

#include <mass/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The places of the agents at the start, unless the user gives a table. */
enum {
    MASS_RANDOM_PLACES = 0, /* `count` agents, each on a place drawn at random; with a capacity, no place gets more than
                               that */
    MASS_EVERY_PLACE = 1,   /* `count` agents on every place (0 means 1) */
    MASS_BY_ATTRIBUTE = 2,  /* as many agents on each place as the integer attribute `where` of the space has after
                               `load` and the phases of `start` before the first phase of the population */
    MASS_FROM_TABLE = 3,    /* the agents in the file that the TEXT parameter `table` names: a .csv with a header line,
                               or an .h5 with one data set per column in its root. Columns: x[, y[, z]], optional id and
                               world, and attributes by name */
    MASS_BY_LOAD = 4        /* the agents that the plugin's `load` adds (mass_placing); none if it adds none */
};

/* The agents that win a conflict: more agents request a place than it can hold. Ties: the lower id wins. */
enum { MASS_LOWEST_ID = 0, MASS_HIGHEST_PRIORITY = 1, MASS_LOTTERY = 2 };

/* How --image and --movie draw the agents of a population, over the picture of their space. The colour is palette[v]: v
 * is the value of an integer attribute of the agent, 0 if negative, the last colour's number if too large. If several
 * agents share a pixel, the last colour of the palette wins; of several populations, the later one. */
typedef struct mass_drawn {
    const char *attribute;   /* NULL: palette[0] for all */
    uint32_t colours;        /* 1 to 64; all populations together have at most 128 */
    const uint32_t *palette; /* 0xRRGGBB */
    const char *heading; /* the attribute with the agent's direction: two or more numbers, along x and y, or an angle
                            from x towards y, whose unit is "rad" or "deg". Agents with positions are arrows then, and
                            --view shows arrows at first. NULL: the population's first angle with such a unit, if any */
} mass_drawn;

typedef struct mass_population {
    uint32_t struct_size;
    uint32_t capacity; /* most agents on a place; 0: any number */
    const char *name, *space, *help; /* space NULL: the space declared first */
    uint32_t conflict;
    uint32_t children;    /* most births that an agent may request in one call; 0: none */
    const char *priority; /* MASS_HIGHEST_PRIORITY: a number attribute of the population */
    uint32_t initial;
    int64_t count;
    const char *where, *table;
    /* Names of declared integer SUM tallies, or NULL. Manage adds to the first three: births, deaths, and births
     * without a free seat. The fourth is set to the number of agents at the end of a step, and at step 0. */
    const char *born, *died;
    union {
        const char *unborn;
        const char *refused; /* the old name of `unborn` */
    };
    const char *alive;
    const mass_drawn *drawn; /* NULL: pictures do not show it */
    uint32_t drawn_size;     /* sizeof(mass_drawn) when the plugin was compiled */
    uint32_t constant; /* 1: the number of agents never changes; children is 0, and KILL does nothing. Block-resident
                          worlds need it (MASS_WORLD_STEPS in kernel.h) */
    uint32_t sprouts; /* most agents that a place may bring forth at once (SPROUT in kernel_agents.h); 0: none */
    uint32_t at_edge; /* MASS_REFUSES, MASS_STOPS or MASS_REFLECTS: of agents with positions (positions.h) */
} mass_population;

enum { MASS_SPAWN = 1, MASS_KILL = 2, MASS_MIGRATE = 3 };

/* Orders of a manage's sub-phases. Each sees the places as the ones before left them. In each order, the agents that
 * places bring forth (SPROUT) come last: they take the seats that are left. */
enum {
    MASS_SPAWN_KILL_MIGRATE = 0, /* the default; MASS C++ and MASS Java */
    MASS_KILL_SPAWN_MIGRATE = 1, /* a child may be born where an agent just died */
    MASS_KILL_MIGRATE_SPAWN = 2  /* MASS CUDA */
};

typedef struct mass_manage {
    uint32_t struct_size;
    uint32_t schedule; /* MASS_START or MASS_STEP */
    const char *population;
    uint32_t order;
    uint32_t condition_size; /* sizeof(mass_condition) when the plugin was compiled */
    const struct mass_condition *condition; /* NULL: always */
} mass_manage;

/* A condition: the phase runs only in worlds in which a tally, with its value at that point, compares so. The device
 * evaluates it. */
enum { MASS_AT_MOST = 1, MASS_LESS = 2, MASS_AT_LEAST = 3, MASS_GREATER = 4 };
typedef struct mass_condition {
    const char *tally; /* an integer SUM tally that restarts in each step, or a world attribute of one int64_t */
    uint32_t relation;
    double value;      /* constant ... */
    const char *parameter; /* ... times this number parameter, if not NULL ... */
    const char *population; /* ... times the number of agents of this population, if not NULL */
} mass_condition;

/* A callback over a population's agents (MASS_AGENT), or over the places of its space with the agents that are there
 * (MASS_RESIDENTS). With population NULL, a callback over places with a condition. */
typedef struct mass_agent_phase {
    uint32_t struct_size;
    uint32_t schedule;
    const char *population, *space;
    const mass_callback *callback;
    int32_t reach; /* how far from its agent's place a MASS_AGENT body reads or adds, in places along each axis: SEE,
                      COUNT_AT, SCATTER. Of a phase in turn: its radius, if it is smaller than its callback's, else 0 */
    uint32_t condition_size; /* sizeof(mass_condition) when the plugin was compiled */
    const mass_condition *condition; /* NULL: always */
    /* Of a phase in turn, the order in which agents or places act. NULL: shuffled in every step. "id": by the agent's
     * id, or by the place's number, x first, then y, then z. The name of an attribute with one value, which the agents
     * have or the callback names for places: by its value when the phase began, the least first, and by id if values
     * are equal. The run ends if a value is NaN. */
    const char *order;
    uint32_t reversed; /* 1: they act in exactly the other order */
    /* Of a phase in turn, what makes fewer of them wait for each other. A body sees attributes of places within .reach.
     * It meets agents within .meets: it counts, walks and reads them. It changes something within .changes: it alters
     * places, moves, bears, kills and changes other agents. Where `shape` is MASS_AXES, it does all that along the axes
     * alone, with offsets that are 0 on all axes but one. 0: .meets is .reach, .changes is .meets. */
    uint32_t shape; /* MASS_SQUARE or MASS_AXES */
    int32_t meets, changes; /* 0 to the radius, or MASS_OWN_PLACE: on the place of its frame alone */
    /* Of a phase in turn over agents: the name of a turn, or NULL. Up to four phases that follow one another and name
     * the same turn share it: the agents of all of them act in one shuffled order. They are of different populations
     * of one space, and have the same condition. */
    const char *turn;
} mass_agent_phase;
enum { MASS_OWN_PLACE = -1 };
enum { MASS_SQUARE = 0, MASS_AXES = 1 };

#define MASS_AGENTS_ID "mass.agents/0"
typedef struct mass_agents_table {
    uint32_t struct_size;
    /* Declarations, in open. Phases and manages run in the order of declaration, together with those of
     * mass.declare/0. */
    mass_status (*population)(mass_host *, const mass_population *);
    mass_status (*phase)(mass_host *, const mass_agent_phase *);
    mass_status (*manage)(mass_host *, const mass_manage *);
    /* The run, in finish. They get the number of agents of a world, and one attribute of them in canonical order: by
     * place (row-major), then id. There are three more attributes: "id" (u64), "place" (i64) and "lost" (u8, also named
     * "refused"). The caller owns data, which has space for `count` elements. */
    mass_status (*count)(mass_host *, const char *population, int32_t world, int64_t *count);
    mass_status (*read)(mass_host *, const char *population, const char *attribute, int32_t world, int64_t count,
                        void *data);
} mass_agents_table;

/* Returns the functions for agents that a plugin may call. */
static inline const mass_agents_table *mass_agents_of(mass_host *host)
{
    return (const mass_agents_table *)host->service(host, MASS_AGENTS_ID);
}

/* ---- agents by hand, in load ---- */

/* The values of one attribute for agents that load adds. Values have the type of the array or convert to that of the
 * attribute: reals to an attribute of integers only if they are whole, reals to a float by rounding. All numbers are
 * finite, and in the attribute's range. An attribute of several components, or of structs, takes an array of elements
 * that have its size, of type MASS_STRUCT. */
typedef struct mass_agent_column {
    const char *attribute;
    const void *values;  /* [count]; the caller owns it */
    uint32_t type, size; /* of an element: MASS_F64 and 8, for example */
} mass_agent_column;

enum { MASS_EVERY_WORLD = -1 };

/* Agents to add to a population. The caller owns all arrays; the engine copies them during the call. */
typedef struct mass_placing {
    uint32_t struct_size;
    int32_t world; /* from 0, below worlds() of mass_run_table; MASS_EVERY_WORLD: the same agents in each world */
    const char *population;
    int64_t count; /* of agents; may be 0 */
    const mass_gidx *x, *y, *z; /* [count] places: coordinates along the axes that the space has; NULL for others ... */
    const mass_gidx *place;     /* [count] ... or x + nx * (y + ny * z), for extents nx, ny and nz; x, y, z are NULL */
    const uint64_t *id; /* [count] 0 to 2^62, each once in its world. NULL: each agent gets the number above all ids of
                           those that were added to its world before, in order from 0 */
    const mass_agent_column *columns; /* ended by one without an attribute; NULL: none. Attributes without a column have
                                         their defaults */
    uint32_t column_size; /* sizeof(mass_agent_column) when the plugin was compiled */
    uint32_t reserved; /* 0 */
} mass_placing;

#define MASS_PLACING_ID "mass.placing/0"
typedef struct mass_placing_table {
    uint32_t struct_size;
    /* Adds agents to a population with .initial = MASS_BY_LOAD. In load only, any number of times. The order of calls
     * matters for ids only. Whether ids are unique and places have room is known when load has returned. What is wrong
     * fails the run in one line; agents are numbered there from 0, over all calls for their population. If the user
     * gives the population's `.table`, its agents replace these. In the trial of a plugin, whose spaces are smaller,
     * places count modulo the extents, and agents that do not fit are left out. */
    mass_status (*add)(mass_host *, const mass_placing *);
} mass_placing_table;

/* Returns the functions that add agents. */
static inline const mass_placing_table *mass_placing_of(mass_host *host)
{
    return (const mass_placing_table *)host->service(host, MASS_PLACING_ID);
}

/* MASS_ADD_AGENTS(host, world, population, count, .x = x, .y = y, ...) adds agents, and returns a status. Any members
 * of mass_placing may follow. MASS_COLUMNS(MASS_COLUMN(energy, array), ...) gives attributes their values. */
#define MASS_ADD_AGENTS(HOST, WORLD, POPULATION, COUNT, ...)                                                      \
    mass_placing_of(HOST)->add((HOST), &(const mass_placing){MASS_SIZES_placing, .world = WORLD,                  \
                                                             .population = #POPULATION, .count = COUNT, __VA_ARGS__})
#define MASS_COLUMNS(...) .columns = (const mass_agent_column[]){__VA_ARGS__, {0}}
#define MASS_COLUMN(ATTRIBUTE, ARRAY) \
    {#ATTRIBUTE, (ARRAY), MASS_TYPE_OF(__typeof__(*(ARRAY))), sizeof(*(ARRAY))}

/* MASS_DECLARE_AGENTS(host, population, .name = "ants", .capacity = 1, .count = 1000); the same for phase and
 * manage. */
#define MASS_DECLARE_AGENTS(HOST, WHAT, ...) MASS_DECLARE_AGENTS_##WHAT(HOST, __VA_ARGS__)
#define MASS_DECLARE_AGENTS_population(HOST, ...) \
    mass_agents_of(HOST)->population((HOST), &(const mass_population){MASS_SIZES_population, __VA_ARGS__})
#define MASS_DECLARE_AGENTS_phase(HOST, ...) \
    mass_agents_of(HOST)->phase((HOST), &(const mass_agent_phase){MASS_SIZES_agent_phase, __VA_ARGS__})
#define MASS_DECLARE_AGENTS_manage(HOST, ...) \
    mass_agents_of(HOST)->manage((HOST), &(const mass_manage){MASS_SIZES_manage, __VA_ARGS__})
#define MASS_SIZES_population .struct_size = sizeof(mass_population), .drawn_size = sizeof(mass_drawn)
#define MASS_SIZES_agent_phase .struct_size = sizeof(mass_agent_phase), .condition_size = sizeof(mass_condition)
#define MASS_SIZES_placing .struct_size = sizeof(mass_placing), .column_size = sizeof(mass_agent_column)
#define MASS_SIZES_manage .struct_size = sizeof(mass_manage), .condition_size = sizeof(mass_condition)

#ifdef __cplusplus
}
#endif
#endif
