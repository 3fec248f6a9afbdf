/* SPDX-License-Identifier: Apache-2.0 */
/* model/ holds what a plugin declares, checked and resolved.
 *
 * A model as the engine holds it: the declarations of a plugin, checked, copied and resolved to
 * indices. Built on the main thread by the host tables, then read-only. */
#ifndef MASS_ENGINE_MODEL_H
#define MASS_ENGINE_MODEL_H

#include "model/access.h"
#include "model/parameter.h"

#include <mass/agents.h>
#include <mass/impl/exact.h>
#include <mass/plugin.h>
#include <mass/reductions.h>
#include <mass/series.h>

#define MASS_STEPS_MAX (((uint64_t)1 << 40) - 1) /* what the counter of random numbers has room for */

/* Phases are numbered by 8 bits of the counter of random numbers, and the last number is left to the draws of who
 * stands where at the start. */
enum { MASS_SPACES_MAX = 16, MASS_POPULATIONS_MAX = 16, MASS_PHASES_MAX = 255, MASS_LENGTH_MAX = 1024,
       MASS_MEMBERS_MAX = 1024 };
enum { MASS_DRAWN_COLOURS = 64, MASS_DRAWN_COLOURS_ALL = 128 }; /* of a population, of all */

typedef struct mass_space_def {
    char name[MASS_NAME_SIZE];
    uint32_t dimensions;  /* 1 to 3 */
    uint32_t torus;       /* axes that wrap */
    mass_gidx size[3];    /* 1 along axes it does not have */
    int32_t ghost[3];     /* layers that its widest stencil reads, or adds to, per axis; more where steps are fused
                             (plan/fuse.h) */
    int32_t cut_every;    /* partitions begin at multiples of so many rows: 1, or of bits along x some words; 0: 1 */
    bool scattered;       /* some callback adds to other places than its own */
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
    int32_t population; /* whose agents have it, on `space`; -1: places */
    bool derived;       /* follows from where agents stand, and has no array */
    bool streamed;      /* input: no part of the state */
    bool ranged;        /* values lie from least to most */
    bool flushed;       /* floats or doubles: what callbacks write next to 0 becomes 0 (the SDK's flush.h) */
    double least, most;
    char **names;          /* [name_count] of values from first_name on, each of which may be NULL (value_names.h) */
    uint32_t name_count;
    double first_name;
    size_t component_size; /* bytes of one component */
    uint8_t *initial;      /* component_size bytes */
    mass_member_def *members;
    uint32_t member_count;
    uint32_t first_array; /* PLANES: one array a component; INTERLEAVED: one */
} mass_attribute_def;

/* What lies in memory as one array over places or agents: a component of an attribute, or all of them. */
typedef struct mass_array_def {
    uint32_t attribute, component;
    size_t element_size; /* of bits, a byte: what hosts are given, and CPU forms */
    bool bits;           /* eight places a byte on devices and in files: see mass_array_bytes */
    bool buffered; /* old and new values are kept apart for some stencil, or for manage */
    bool child;    /* some callback gives children their own values */
} mass_array_def;

/* What every population has beside the attributes that are declared, by number of its attribute. */
enum { MASS_AGENT_ID, MASS_AGENT_LOST, MASS_AGENT_WORLD, MASS_AGENT_PLACE, MASS_AGENT_COLUMNS };

typedef struct mass_population_def {
    char name[MASS_NAME_SIZE], priority_name[MASS_NAME_SIZE], where_name[MASS_NAME_SIZE];
    char *help;
    uint32_t space, capacity, conflict, children, initial;
    bool constant;           /* nobody is born or dies */
    int64_t count;           /* as the initial rule takes it: the most of all worlds */
    int64_t *counts;         /* by world, where a sweep makes them differ; else NULL */
    int table;               /* parameter, or -1 */
    int priority, where;     /* array of agents, attribute of places; or -1 */
    int born, died, unborn, alive; /* tallies, or -1 */
    uint32_t next_id;        /* hidden tally: the next id of each world */
    uint32_t first_attribute; /* id, lost, world and place; the model's follow anywhere */
    uint32_t first_array, array_count; /* id first, then lost */
    char drawn_name[MASS_NAME_SIZE]; /* attribute that chooses an agent's colour; "": the first */
    int drawn;                       /* that attribute, or -1 */
    uint32_t colours;                /* 0: not drawn */
    uint32_t palette[MASS_DRAWN_COLOURS];
} mass_population_def;

typedef struct mass_tally_def {
    char name[MASS_NAME_SIZE];
    char *help, *unit;
    uint32_t access, kind, fraction_bits;
    uint32_t bins, method; /* 0: one value */
    uint32_t keys;         /* MASS_KEYS_...; 0: it does not count by key */
    double low, high;
    uint32_t words; /* accumulators a world: one, one a bin, those of an exact sum, or none where keys are counted */
    uint64_t first; /* accumulators a world of all tallies before it */
    bool cumulative;
    bool needed; /* a condition looks at it in every step */
    bool hidden; /* the engine's own: kept with the state, and not shown */
    bool late; /* steps alone count it: it has no value at step 0 */
    bool reduced; /* the engine computes it where somebody looks: no part of checkpoints */
    bool outside; /* ... counts what a histogram's bins do not: people are told if it is not 0 */
} mass_tally_def;

enum { MASS_OBSERVE = MASS_STEP + 1 }; /* the engine's own schedule, of reductions: after what somebody looks at */

/* See mass_reduction. */
typedef struct mass_reduction_def {
    uint32_t operation, attribute, component;
    uint32_t tally; /* the first of its tallies, which follow each other */
    double low, high;
    uint32_t bins;
} mass_reduction_def;

/* What is logged, and what it is called. */
typedef struct mass_series_def {
    char name[2 * MASS_NAME_SIZE];
    char *expression, *unit;
} mass_series_def;

/* What a field names: its access says of which of the model's lists. */
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
    uint32_t populations[MASS_POPULATIONS_SEEN]; /* [population_count] that the callback sees, its own first */
    uint32_t population_count;
    const mass_callback *callback; /* in the engine's sizes; NULL: manage */
    mass_callback *taken;          /* ... and to be freed, if a plugin declared it */
    const void *declared;          /* where the plugin has it: the same for phases of one callback */
    mass_target *targets;          /* [callback->field_count] */
    int32_t reach;                 /* how far it reads places */
    uint32_t order;                /* of manage */
    bool conditional;
    mass_condition_def condition;
    bool tallies;    /* adds to some tally */
    bool keys;       /* ... by key, and does nothing else */
    bool cumulative; /* ... that has to see every step */
    bool replaced;   /* of the start, and left out: what it would write comes from files */
} mass_phase_def;

/* What a phase's i-th field is to it. */
static inline mass_access_class mass_phase_class(const mass_phase_def *p, uint32_t i)
{
    return mass_access_class_of(p->targets[i].access, p->callback->over);
}

typedef struct mass_picture_def {
    bool declared;
    uint32_t array, component; /* component within an element of the array */
    uint32_t attribute;
    double low, high;
    uint32_t colours;
    uint32_t palette[256];
} mass_picture_def;

/* The next items of the input: see mass_stream in the SDK. */
typedef mass_status mass_read_items(void *context, uint64_t given, void *data, int64_t room, int64_t *count,
                                    mass_error *error);

typedef struct mass_stream_def {
    mass_read_items *read; /* NULL: there is no stream */
    void *context;
    uint64_t items;  /* of a pass, as far as known; or 0 */
    int total;       /* tally that items are counted in, or -1 */
    uint32_t attribute, array;
    uint64_t pieces_most; /* of a pass; 0: all */
    bool changed;    /* callbacks change what they are given */
} mass_stream_def;

typedef struct mass_model {
    char plugin[MASS_NAME_SIZE], version[MASS_NAME_SIZE];
    uint32_t note_size; /* of notes, as the plugin knows them */
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
    uint64_t tally_words; /* accumulators a world of all of them */
    mass_phase_def *phases;
    uint32_t phase_count;
    mass_picture_def picture;
    bool seedless; /* it says that it draws no random numbers */
    const mass_callback *racy; /* one that writes to places in no order; NULL: the model is reproducible */
    mass_stream_def stream;
    mass_series_def *series;
    uint32_t series_count;
    mass_reduction_def *reductions;
    uint32_t reduction_count, reductions_resolved;
} mass_model;

/* Each checks one declaration and copies it; on failure the model is unchanged and error says what
 * the plugin has to mend. `size`, if not NULL, replaces the default extents ("--size"), dimensions of
 * them, and is the user's to mend. */
mass_status mass_model_add_space(mass_model *m, const mass_space *s, const mass_gidx *size,
                                 uint32_t dimensions, mass_error *error);
mass_status mass_model_add_attribute(mass_model *m, const mass_attribute *a, mass_error *error);
mass_status mass_model_add_tally(mass_model *m, const mass_tally *t, mass_error *error);
mass_status mass_model_add_phase(mass_model *m, const mass_phase *p, mass_error *error);
mass_status mass_model_add_population(mass_model *m, const mass_population *p, mass_error *error);
mass_status mass_model_add_agent_phase(mass_model *m, const mass_agent_phase *p, mass_error *error);
mass_status mass_model_add_manage(mass_model *m, const mass_manage *p, mass_error *error);
mass_status mass_model_add_reduction(mass_model *m, const mass_reduction *r, mass_error *error);
struct mass_stream;
mass_status mass_model_add_stream(mass_model *m, const struct mass_stream *s, mass_read_items *read, void *context,
                                  mass_error *error);
mass_status mass_model_set_picture(mass_model *m, const mass_picture *p, mass_error *error);

/* After the last declaration: lays out arrays, resolves every field's target, checks types and
 * accesses, finds ghosts and buffered arrays. */
mass_status mass_model_resolve(mass_model *m, mass_error *error);
/* A part of that: what a model with a stream may have beside it. */
mass_status mass_model_check_stream(mass_model *m, mass_error *error);

/* The phases of reductions that were added since: part of the above, and for those that are added later. */
mass_status mass_model_resolve_reductions(mass_model *m, mass_error *error);

/* What keeps two resolved models of one plugin from being worlds of one run: NULL, or words that go on with
 * "than". Values of numbers and choices, counts of populations and how far phases look may differ. */
const char *mass_model_difference(const mass_model *a, const mass_model *b);
void mass_model_free(mass_model *m);

/* Index, or -1. space may be NULL for the first. Attributes are those of places, or of agents. */
int mass_model_find_space(const mass_model *m, const char *space);
int mass_model_find_population(const mass_model *m, const char *name);
int mass_model_find_agent_attribute(const mass_model *m, uint32_t population, const char *name);
/* As users and plugins name it: "refused" is "lost", unless the population has an attribute called so. */
int mass_model_named_agent_attribute(const mass_model *m, uint32_t population, const char *name);
int mass_model_find_attribute(const mass_model *m, uint32_t space, const char *name);
int mass_model_find_tally(const mass_model *m, const char *name);
/* Whether some tally counts by key. */
bool mass_model_counts_keys(const mass_model *m);

/* mass_model_add_tally, of a name that was checked. */
mass_status mass_model_append_tally(mass_model *m, const mass_tally *t, mass_error *error);
/* Takes back the last attributes and tallies that were added, down to these numbers of them. */
void mass_model_take_back(mass_model *m, uint32_t attributes, uint32_t tallies);

/* PARAM fields of reductions have numbers from parameters.count on: how many there are, and their bits, the same in all
 * worlds. */
uint32_t mass_model_reduction_values(const mass_model *m);
uint64_t mass_model_reduction_value(const mass_model *m, uint32_t index);

/* Bytes of an element type, as hosts are given it: a bit is a byte, 0 or 1; 0 for one that is no number. And its name:
 * "u8", "f32", "bit", "struct". */
size_t mass_type_size(uint32_t type);
const char *mass_type_name(uint32_t type);

/* Bytes of so many consecutive elements of an array on its device; of bits there are a multiple of 8 of them. */
static inline int64_t mass_array_bytes(const mass_array_def *a, int64_t elements)
{
    return a->bits ? elements / 8 : elements * (int64_t)a->element_size;
}

/* Bytes of one element of an attribute: all its components. */
static inline size_t mass_element_size(const mass_attribute_def *a) { return a->component_size * a->length; }
/* Elements along x of an attribute of places as files and hashes have it: of bits, bytes of eight places, the lowest
 * bit first and spare bits 0. Its canonical bytes are those of an attribute with so many elements in every row. */
static inline mass_gidx mass_stored_width(const mass_attribute_def *a, const mass_space_def *s)
{
    return a->type == MASS_BIT ? (s->size[0] + 7) / 8 : s->size[0];
}
static inline mass_gidx mass_stored_places(const mass_attribute_def *a, const mass_space_def *s)
{
    return mass_stored_width(a, s) * s->size[1] * s->size[2];
}

/* What an attribute belongs to, by name: its population or its space. */
static inline const char *mass_owner_name(const mass_model *m, const mass_attribute_def *a)
{
    return a->population >= 0 ? m->populations[a->population].name : m->spaces[a->space].name;
}
/* Of an array that callbacks give children values in: there is a first child's for who has none. */
static inline uint32_t mass_rows_of_children(const mass_population_def *p) { return p->children ? p->children : 1; }
/* Places of a space in one world. */
static inline mass_gidx mass_space_places(const mass_space_def *s) { return s->size[0] * s->size[1] * s->size[2]; }

/* Accumulators are [tallies][worlds][words]: where those of a tally in a world begin. */
static inline size_t mass_tally_at(const mass_tally_def *t, int32_t worlds, int32_t world)
{
    return (size_t)t->first * (size_t)worlds + (size_t)world * t->words;
}
/* How many values a tally has in a world: its bins, or one. */
static inline uint32_t mass_tally_values(const mass_tally_def *t) { return t->bins ? t->bins : t->keys ? 0 : 1; }
/* Whether it sums doubles exactly. */
static inline bool mass_tally_is_exact(const mass_tally_def *t) { return t->words > 1 && t->bins == 0; }

/* Whether it is a sum in fixed point, or bins of such: at least -2^62 and below 2^62 units, or none
 * (mass_sum_fixed). */
static inline bool mass_tally_is_fixed_sum(const mass_tally_def *t)
{
    return t->kind == MASS_TALLY_FIXED && t->access == MASS_SUM;
}

/* The access by which callbacks contribute to a tally. */
uint32_t mass_tally_access(const mass_tally_def *t);

/* An accumulator before the first contribution; and a value as reported, of the accumulators that begin with its
 * own: 0 for a minimum or maximum, NaN for a mean, to which nothing contributed, and NaN for a sum in fixed point that
 * is none. */
int64_t mass_tally_neutral(const mass_tally_def *t);
double mass_tally_value(const mass_tally_def *t, const int64_t *accumulators);
/* Whether nothing contributed to a minimum, a maximum or a mean, or a sum in fixed point is none. */
bool mass_tally_is_empty(const mass_tally_def *t, const int64_t *accumulators);
/* Whether there is no value after a step: the start did not count it. */
static inline bool mass_tally_is_unknown(const mass_tally_def *t, uint64_t step) { return t->late && step == 0; }

#endif
