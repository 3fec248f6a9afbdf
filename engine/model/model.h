/* SPDX-License-Identifier: Apache-2.0 */
/* model/ holds the declarations of a plugin: checked, copied, and resolved to indices. The host tables build a model on
 * the main thread; then it is read-only. */
#ifndef MASS_ENGINE_MODEL_H
#define MASS_ENGINE_MODEL_H

#include "model/access.h"
#include "model/parameter.h"

#include <mass/agents.h>
#include <mass/impl/exact.h>
#include <mass/plugin.h>
#include <mass/reductions.h>
#include <mass/series.h>

#define MASS_STEPS_MAX (((uint64_t)1 << 40) - 1) /* most that fit into the counter of random numbers */

/* Phases are numbered by 8 bits of the counter of random numbers. The last number is for the draws of agents' places at
 * the start. */
enum { MASS_SPACES_MAX = 16, MASS_POPULATIONS_MAX = 16, MASS_PHASES_MAX = 255, MASS_LENGTH_MAX = 1024,
       MASS_MEMBERS_MAX = 1024 };
enum { MASS_DRAWN_COLOURS = 64, MASS_DRAWN_COLOURS_ALL = 128 }; /* most colours of a population, and of all */

typedef struct mass_space_def {
    char name[MASS_NAME_SIZE];
    uint32_t dimensions;  /* 1 to 3 */
    uint32_t torus;       /* axes that wrap */
    mass_gidx size[3];    /* 1 along axes that it does not have */
    int32_t ghost[3];     /* layers that its widest stencil reads or adds to, along each axis; more if steps are fused
                             (plan/fuse.h) */
    int32_t cut_every;    /* partitions begin at multiples of this many rows: 1; along x for bits, some words; 0 means
                             1 */
    bool scattered;       /* some callback adds to other places than its own */
    double cell;          /* the edge of a place, in units of length */
    uint32_t first_array, array_count;
} mass_space_def;

typedef struct mass_member_def {
    char name[MASS_NAME_SIZE];
    uint32_t type, offset;
} mass_member_def;

typedef struct mass_attribute_def {
    char name[MASS_NAME_SIZE];
    char *help, *unit;
    uint32_t space, type, length, layout;
    int32_t population; /* whose agents have it, on `space`; -1: places have it */
    bool derived;       /* computed from the agents' places; has no array */
    bool streamed;      /* input, not part of the state */
    bool ranged;        /* values are from `least` to `most` */
    uint32_t claims;    /* MASS_OF_CLAIMS, MASS_OF_PAIRS or 0 (claims.h) */
    bool flushed;       /* floats or doubles: subnormal values that callbacks write become 0 (the SDK's flush.h) */
    double least, most;
    char **names;          /* [name_count] of values from first_name on, each may be NULL (value_names.h) */
    uint32_t name_count;
    double first_name;
    size_t component_size; /* bytes of a component */
    uint8_t *initial;      /* component_size bytes */
    mass_member_def *members;
    uint32_t member_count;
    uint32_t first_array; /* PLANES: one array a component; INTERLEAVED: one */
} mass_attribute_def;

/* One array in memory over places or agents: a component of an attribute, or all components. */
typedef struct mass_array_def {
    uint32_t attribute, component;
    size_t element_size; /* for bits, a byte: as hosts and CPU forms see them */
    bool bits;           /* eight places a byte, on devices and in files: see mass_array_bytes */
    bool buffered; /* old and new values are kept apart, for a stencil or for manage */
    bool child;    /* some callback gives children values of their own */
    bool before;   /* of agents: some phase reads its values from before the phase, and writes new ones */
    bool added;    /* of agents: what some phase adds to it is kept apart until the phase ends */
    bool anywhere; /* of agents: some callback names any agents of the world */
    bool added_anywhere; /* ... and adds to them */
    bool sprout;   /* some callback gives sprouts values of their own */
} mass_array_def;

/* Attributes that every population has in addition to the declared ones, by number. */
enum { MASS_AGENT_ID, MASS_AGENT_LOST, MASS_AGENT_WORLD, MASS_AGENT_PLACE, MASS_AGENT_COLUMNS };

typedef struct mass_population_def {
    char name[MASS_NAME_SIZE], priority_name[MASS_NAME_SIZE], where_name[MASS_NAME_SIZE];
    char *help;
    uint32_t space, capacity, conflict, children, sprouts, initial;
    bool constant;           /* no births or deaths */
    int64_t count;           /* for the initial rule: the most of all worlds */
    int64_t *counts;         /* by world, if a sweep makes them differ; else NULL */
    int table;               /* parameter, or -1 */
    int priority, where;     /* array of agents; attribute of places; or -1 */
    int born, died, unborn, alive; /* tallies, or -1 */
    uint32_t next_id;        /* hidden tally: the next id in each world */
    uint32_t first_attribute; /* of id, lost, world and place; the model's are elsewhere */
    uint32_t first_array, array_count; /* id first, then lost */
    char drawn_name[MASS_NAME_SIZE]; /* attribute that selects an agent's colour; "": the first colour */
    int drawn;                       /* that attribute, or -1 */
    char heading_name[MASS_NAME_SIZE]; /* declared attribute of an agent's direction; "": none */
    int heading;                       /* that attribute, or the one that stands for it; or -1 (model/heading.h) */
    int position;                    /* attribute of its agents' positions, or -1 (model/positions.h) */
    uint32_t at_edge;                /* MASS_REFUSES, MASS_STOPS or MASS_REFLECTS */
    uint32_t colours;                /* 0: not drawn */
    uint32_t palette[MASS_DRAWN_COLOURS];
    bool anywhere;    /* callbacks name any of its agents in the world */
    bool found_by_id; /* ... and find them by their ids */
    bool sought;      /* callbacks draw places with a free seat for it */
    bool in_turn;     /* a phase in turn sees it */
} mass_population_def;

typedef struct mass_tally_def {
    char name[MASS_NAME_SIZE];
    char *help, *unit;
    uint32_t access, kind, fraction_bits;
    uint32_t bins, method; /* bins: 0: one value; of a world attribute: the length of an array */
    uint32_t keys;         /* MASS_KEYS_...; 0: does not count by key */
    double low, high;
    uint32_t words; /* accumulators a world: one, one a bin, those of an exact sum, or none if keys are counted */
    uint64_t first; /* accumulators a world of all tallies before it */
    bool cumulative;
    bool needed; /* a condition or a body reads it in every step */
    bool read;   /* ... a body */
    bool has_initial;
    double initial; /* what bodies read until it is first counted, and if a minimum, maximum or mean has none */
    bool hidden; /* the engine's own: part of the state, but not shown */
    bool at_start; /* the start counts it, or at its end a population's size */
    bool late; /* only steps count it: it has no value at step 0 */
    bool reduced; /* the engine computes it when it is read; not part of checkpoints */
    bool outside; /* ... and counts what a histogram's bins do not: reported if it is not 0 */
} mass_tally_def;

enum { MASS_OBSERVE = MASS_STEP + 1 }; /* the engine's own schedule, of reductions: runs when they are read */

/* See mass_reduction. */
typedef struct mass_reduction_def {
    uint32_t operation, attribute, component;
    uint32_t tally; /* the first of its tallies, which are consecutive */
    double low, high;
    uint32_t bins;
} mass_reduction_def;

/* A series of the log: its expression and its name. */
typedef struct mass_series_def {
    char name[2 * MASS_NAME_SIZE];
    char *expression, *unit;
} mass_series_def;

/* The target of a field: an index into the list that its access tells. */
typedef struct mass_target {
    uint32_t access; /* mass_access */
    uint32_t index;  /* of an array, a parameter or a tally */
} mass_target;

/* See mass_condition. */
typedef struct mass_condition_def {
    uint32_t tally, relation;
    double value;
    int parameter, population; /* or -1 */
} mass_condition_def;

typedef struct mass_phase_def {
    uint32_t schedule, space;
    int32_t population;            /* of agents or residents, or managed; -1: places alone */
    uint32_t populations[MASS_POPULATIONS_SEEN]; /* [population_count] populations that the callback sees, its own
                                                    first. Places alone have none of their own */
    uint32_t population_count;
    const mass_callback *callback; /* in the engine's sizes; NULL: manage */
    mass_callback *taken;          /* ... to be freed, if a plugin declared it */
    const void *declared;          /* the plugin's address: the same for phases of one callback */
    mass_target *targets;          /* [callback->field_count] */
    int32_t reach;                 /* how far it reads places */
    uint64_t flush_floats, flush_doubles; /* bit i: field i writes such numbers to an attribute with .flush */
    uint32_t order;                /* of manage */
    uint32_t turn_order;           /* MASS_TURN_...: of a phase in turn */
    char turn_by[MASS_NAME_SIZE];  /* by value: the attribute */
    uint32_t turn_array;           /* ... and its array */
    bool turn_reversed;
    mass_turn_scope turn_scope;
    char turn_name[MASS_NAME_SIZE]; /* .turn (shared_turns.h); "": a turn of its own */
    bool conditional;
    mass_condition_def condition;
    bool tallies;    /* adds to some tally */
    bool keys;       /* ... by key, and does nothing else */
    bool cumulative; /* ... that must see every step */
    bool replaced;   /* of the start, and left out: files have what it would write */
} mass_phase_def;

/* Returns whether field i of other agents has memory of its own in the phase. It is a copy of an attribute that the
 * phase writes, or the sums for an attribute that another field of the phase names. */
bool mass_phase_is_apart(const mass_phase_def *p, uint32_t i);
/* Returns true if bodies of a phase may request something of the population's agents: moves, children or deaths. */
bool mass_phase_asks(const mass_phase_def *phase, uint32_t population);

/* Returns whether a phase lets agents act one after the other, or places, nodes included. */
static inline bool mass_phase_is_in_turn(const mass_phase_def *p)
{
    return p->callback && mass_over_is_in_turn(p->callback->over);
}
/* Returns whether a phase lets places act one after the other. */
static inline bool mass_phase_turns_places(const mass_phase_def *p)
{
    return mass_phase_is_in_turn(p) && p->population < 0;
}
/* Returns whether a phase lets nodes of a network act one after the other, over its edges. */
static inline bool mass_phase_turns_nodes(const mass_phase_def *p)
{
    return p->callback && p->callback->over == MASS_OVER_NODES_IN_TURN;
}
/* Returns whether agents of the population are born, die or move in a phase: it is its manage, or a phase in turn. */
bool mass_phase_applies(const mass_phase_def *p, uint32_t population);

/* Returns the class of a phase's field i, once the field is resolved. */
static inline mass_access_class mass_phase_class(const mass_phase_def *p, uint32_t i)
{
    return mass_access_class_of(p->targets[i].access, p->callback->over);
}

typedef struct mass_picture_def {
    bool declared;
    uint32_t array, component; /* component: within an element of the array */
    uint32_t attribute;
    double low, high;
    uint32_t colours;
    uint32_t palette[256];
} mass_picture_def;

/* Reads the next items of the input: see mass_stream in the SDK. */
typedef mass_status mass_read_items(void *context, uint64_t given, void *data, int64_t room, int64_t *count,
                                    mass_error *error);

typedef struct mass_stream_def {
    mass_read_items *read; /* NULL: there is no stream */
    void *context;
    uint64_t items;  /* of a pass, if known; or 0 */
    int total;       /* tally in which items are counted, or -1 */
    uint32_t attribute, array;
    uint64_t pieces_most; /* of a pass; 0: all */
    bool changed;    /* callbacks change the values that they get */
} mass_stream_def;

typedef struct mass_model {
    char plugin[MASS_NAME_SIZE], version[MASS_NAME_SIZE];
    uint32_t effects_size; /* size of effect logs, as the plugin knows them */
    char *help;
    uint64_t default_steps;
    mass_parameters parameters;
    mass_space_def spaces[MASS_SPACES_MAX];
    uint32_t space_count;
    mass_population_def populations[MASS_POPULATIONS_MAX];
    uint32_t population_count;
    mass_attribute_def *attributes;
    uint32_t attribute_count;
    mass_array_def *arrays;
    uint32_t array_count;
    mass_tally_def *tallies;
    uint32_t tally_count;
    uint64_t tally_words; /* accumulators a world of all tallies */
    mass_phase_def *phases;
    uint32_t phase_count;
    mass_picture_def picture;
    bool seedless; /* it declares that it draws no random numbers */
    const mass_callback *racy; /* a callback that writes places in no order; NULL: the model is reproducible */
    bool nearby; /* some callback names agents nearby */
    mass_stream_def stream;
    mass_series_def *series;
    uint32_t series_count;
    mass_reduction_def *reductions;
    uint32_t reduction_count, reductions_resolved;
    struct mass_networks *networks; /* network.h; NULL: there are none; owned */
} mass_model;

/* Add a declaration to the model: check and copy it. On failure the model is unchanged, and the error tells what the
 * plugin must correct. `size`, if not NULL, has `dimensions` extents that replace the defaults (--size); errors in it
 * are the user's. */
mass_status mass_model_add_space(mass_model *m, const mass_space *s, const mass_gidx *size,
                                 uint32_t dimensions, mass_error *error);
mass_status mass_model_add_attribute(mass_model *m, const mass_attribute *a, mass_error *error);
mass_status mass_model_add_tally(mass_model *m, const mass_tally *t, mass_error *error);
mass_status mass_model_add_phase(mass_model *m, const mass_phase *p, mass_error *error);
mass_status mass_model_add_population(mass_model *m, const mass_population *p, mass_error *error);
mass_status mass_model_add_agent_phase(mass_model *m, const mass_agent_phase *p, mass_error *error);
/* Finds the populations that a callback sees, for a phase that has its population and space. Sets phase->populations
 * and .population_count. A callback over agents that lists none sees its own. */
mass_status mass_model_find_seen(const mass_model *m, const mass_callback *c, mass_phase_def *phase, mass_error *error);
/* Add a declaration, as the functions above. A reduction also gets its tallies. */
mass_status mass_model_add_manage(mass_model *m, const mass_manage *p, mass_error *error);
mass_status mass_model_add_reduction(mass_model *m, const mass_reduction *r, mass_error *error);
/* Returns whether an attribute can be reduced: not structs, derived or streamed ones, and most interleaved ones. */
bool mass_attribute_is_reducible(const mass_attribute_def *a);
struct mass_stream;
/* Add a stream, whose `context` is handed to read, and the picture, which replaces a former one: check and copy them,
 * as above. The attribute of the stream becomes .streamed. `context` stays the caller's. */
mass_status mass_model_add_stream(mass_model *m, const struct mass_stream *s, mass_read_items *read, void *context,
                                  mass_error *error);
mass_status mass_model_set_picture(mass_model *m, const mass_picture *p, mass_error *error);

/* After the last declaration: lays out arrays, resolves every field's target, checks types, accesses and schedules,
 * finds ghosts and buffered arrays, and makes the phases of reductions. */
mass_status mass_model_resolve(mass_model *m, mass_error *error);
/* Checks what a model with a stream may also have. Sets .array and .changed of the stream, and marks its array as
 * buffered. Does nothing without a stream. Part of mass_model_resolve. */
mass_status mass_model_check_stream(mass_model *m, mass_error *error);

/* Makes the phases of reductions that were added since the last call. Part of mass_model_resolve, and for reductions
 * that are added later. */
mass_status mass_model_resolve_reductions(mass_model *m, mass_error *error);

/* Returns what keeps two resolved models of one plugin from being worlds of one run, as a clause; NULL: nothing. Values
 * of numbers and choices, counts of populations and how far phases act may differ. */
const char *mass_model_difference(const mass_model *a, const mass_model *b);
/* Returns true if two phases' conditions are the same. Phases without one are the same. */
bool mass_model_same_condition(const mass_phase_def *a, const mass_phase_def *b);
/* Frees what a model owns, and sets it to zeros. */
void mass_model_free(mass_model *m);

/* Return an index, or -1. space may be NULL for the first; a population's name NULL gives -1. Attributes are those of
 * places, or of agents. */
int mass_model_find_space(const mass_model *m, const char *space);
int mass_model_find_population(const mass_model *m, const char *name);
int mass_model_find_agent_attribute(const mass_model *m, uint32_t population, const char *name);
/* Returns the attribute with a name that users and plugins give. "refused" means "lost", unless the population has an
 * attribute of that name. */
int mass_model_named_agent_attribute(const mass_model *m, uint32_t population, const char *name);
/* Return the index of an attribute of a space's places, and of a tally, hidden ones too; or -1. */
int mass_model_find_attribute(const mass_model *m, uint32_t space, const char *name);
int mass_model_find_tally(const mass_model *m, const char *name);
/* Returns whether some body reads a tally. Once fields are resolved. */
bool mass_model_reads_totals(const mass_model *m);
/* Returns whether some tally counts by key. */
bool mass_model_counts_keys(const mass_model *m);

/* Adds a tally like mass_model_add_tally, without any check. */
mass_status mass_model_append_tally(mass_model *m, const mass_tally *t, mass_error *error);
/* Removes the last attributes and tallies, until these numbers of them remain. */
void mass_model_take_back(mass_model *m, uint32_t attributes, uint32_t tallies);

/* Return the number of PARAM fields of reductions, which are numbered from parameters.count on; and the bits of one,
 * the same in all worlds. `index` counts them from 0. */
uint32_t mass_model_reduction_values(const mass_model *m);
uint64_t mass_model_reduction_value(const mass_model *m, uint32_t index);

/* Return the bytes of an element type as hosts see it, 0 if it is not a number (a bit is a byte, 0 or 1); and its name:
 * "u8", "f32", "bit", "struct". The name of other numbers is "unknown". */
size_t mass_type_size(uint32_t type);
const char *mass_type_name(uint32_t type);

/* Returns the bytes of consecutive elements of an array on its device; for bits, their number must be a multiple of
 * 8. */
static inline int64_t mass_array_bytes(const mass_array_def *a, int64_t elements)
{
    return a->bits ? elements / 8 : elements * (int64_t)a->element_size;
}

/* Returns the bytes of one element of an attribute, with all its components. */
static inline size_t mass_element_size(const mass_attribute_def *a) { return a->component_size * a->length; }
/* Return the elements along x of an attribute of places, and all its elements, as files and hashes have them. For bits
 * these are bytes of eight places, lowest bit first, spare bits 0. Canonical bytes are those of an attribute with that
 * many elements in a row. */
static inline mass_gidx mass_stored_width(const mass_attribute_def *a, const mass_space_def *s)
{
    return a->type == MASS_BIT ? (s->size[0] + 7) / 8 : s->size[0];
}
static inline mass_gidx mass_stored_places(const mass_attribute_def *a, const mass_space_def *s)
{
    return mass_stored_width(a, s) * s->size[1] * s->size[2];
}

/* Returns the name of the population or the space that an attribute belongs to. */
static inline const char *mass_owner_name(const mass_model *m, const mass_attribute_def *a)
{
    return a->population >= 0 ? m->populations[a->population].name : m->spaces[a->space].name;
}
/* Returns the rows of an array in which callbacks give children values. It has one even if there are no children. */
static inline uint32_t mass_rows_of_children(const mass_population_def *p) { return p->children ? p->children : 1; }
/* Returns whether places bring forth agents of some population. */
bool mass_model_sprouts(const mass_model *m);
/* Returns whether a phase may ask for sprouts of a population. */
bool mass_phase_may_sprout(const mass_model *m, const mass_phase_def *p, uint32_t population);
/* Returns the places of a space in one world. */
static inline mass_gidx mass_space_places(const mass_space_def *s) { return s->size[0] * s->size[1] * s->size[2]; }

/* Returns where the accumulators of a tally in a world begin, in [tallies][worlds][words]. */
static inline size_t mass_tally_at(const mass_tally_def *t, int32_t worlds, int32_t world)
{
    return (size_t)t->first * (size_t)worlds + (size_t)world * t->words;
}
/* Returns the number of values of a tally in a world: its bins, or one; none if it counts keys. */
static inline uint32_t mass_tally_values(const mass_tally_def *t) { return t->bins ? t->bins : t->keys ? 0 : 1; }
/* Returns whether a tally is a world attribute: its accumulators are the values, an integer or the bits of a double. */
static inline bool mass_tally_is_kept(const mass_tally_def *t) { return t->access == MASS_OF_WORLD; }
/* Returns whether a tally sums doubles exactly. */
static inline bool mass_tally_is_exact(const mass_tally_def *t) { return t->words > 1 && t->bins == 0; }

/* Returns whether a tally is a fixed-point sum, or bins of such. Its range is -2^62 to below 2^62 units; beyond, it is
 * no sum (mass_sum_fixed). */
static inline bool mass_tally_is_fixed_sum(const mass_tally_def *t)
{
    return t->kind == MASS_TALLY_FIXED && t->access == MASS_SUM;
}

/* Returns the access by which callbacks contribute to a tally. */
uint32_t mass_tally_access(const mass_tally_def *t);

/* Return an accumulator before the first contribution (of a world attribute, its first value); and a value as
 * reported, from the accumulators that begin with its own. Without contributions, a minimum or maximum is 0, and a
 * mean NaN. The value of one that counts by key is 0. A fixed-point sum that overflowed is NaN. */
int64_t mass_tally_neutral(const mass_tally_def *t);
double mass_tally_value(const mass_tally_def *t, const int64_t *accumulators);
/* Returns whether a minimum, maximum or mean has no contributions, a fixed-point sum overflowed, or a world attribute
 * is NaN. A real minimum of infinity, or maximum of minus infinity, counts as none. */
bool mass_tally_is_empty(const mass_tally_def *t, const int64_t *accumulators);
/* Returns whether there is no value after a step, because the start does not count it. */
static inline bool mass_tally_is_unknown(const mass_tally_def *t, uint64_t step) { return t->late && step == 0; }

#endif
