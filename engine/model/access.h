/* SPDX-License-Identifier: Apache-2.0 */
/* Describes a field: whose values it has, how they relate to the element that the callback is called for, and what it
 * does with them. An access (mass_access in the SDK) stands for a relation and an effect. access.c has a row for each
 * relation, effect and access, and computes the traits of an access from these. The engine uses traits, and names an
 * access only for bins and keys. */
#ifndef MASS_ENGINE_ACCESS_H
#define MASS_ENGINE_ACCESS_H

#include <mass/arithmetic.h>
#include <mass/callback.h>
#include <stdbool.h>

/* The class of a field. It may depend on what the callback runs over: READ is of a place, or of an agent. */
typedef enum mass_access_class {
    MASS_CLASS_NONE = 0,    /* such a callback cannot have the access */
    MASS_CLASS_PLACES,      /* an array over the places of the callback's space */
    MASS_CLASS_AGENTS,      /* an array over the agents of its population */
    MASS_CLASS_WORLD,       /* one value a world, read only: a parameter or constant */
    MASS_CLASS_TOTAL,       /* one value a world, read only: that of a tally */
    MASS_CLASS_KEPT,        /* the values of a world attribute, which callbacks over worlds write */
    MASS_CLASS_ACCUMULATOR, /* a tally: one or more accumulators a world, which get contributions */
    MASS_CLASS_REQUEST,     /* an array over agents with values for their children, used by manage */
    MASS_CLASS_SPROUTS,     /* an array over places with values for the agents that they bring forth, used by manage */
    MASS_CLASS_LINKED,      /* an array over the nodes of the callback's network, as they were before the phase */
    MASS_CLASS_EDGES        /* an array over its edges */
} mass_access_class;

/* Effects of a callback on the field's values, as bits. */
enum { MASS_EFFECT_READS = 1, MASS_EFFECT_WRITES = 2, MASS_EFFECT_ADDS = 4 };

/* How far from the element that the callback is called for. */
typedef enum mass_access_reach {
    MASS_REACH_OWN = 0, /* only that element, or the callback's own place or residents */
    MASS_REACH_AROUND,  /* places as far as the callback's radius, or the reach of its phase over agents */
    MASS_REACH_ROW,     /* places of the partition's row; the callback has no radius */
    MASS_REACH_NEARBY,  /* agents as far as the callback's radius, or the reach of its phase over agents */
    MASS_REACH_ANYBODY, /* any agent of the world */
    MASS_REACH_FREE     /* any place of the world with a free seat */
} mass_access_reach;

/* The element types that an access takes. */
typedef enum mass_access_elements {
    MASS_ELEMENTS_ANY = 0,  /* those of the attribute */
    MASS_ELEMENTS_COUNTERS, /* i32, u32, i64 and u64: every device can add to them atomically */
    MASS_ELEMENTS_VALUES    /* int64_t or double, if the parameter or tally is an integer or real */
} mass_access_elements;

/* How the engine handles the memory of a place array around a launch. */
typedef enum mass_access_buffer {
    MASS_BUFFER_SAME = 0, /* nothing: values stay where they are */
    MASS_BUFFER_OLD,      /* with a NEW field of the same array, it gets the values from before */
    MASS_BUFFER_NEW,      /* every element is written, and none read before. With an OLD field of the same array, it is
                             a second buffer, and buffers are swapped after the launch */
    MASS_BUFFER_CLEARED   /* ghosts are cleared before the launch, and added to the places that they copy after it */
} mass_access_buffer;

/* How contributions to an accumulator, and accumulators of threads, are combined. */
typedef enum mass_combine_rule { MASS_COMBINE_ADD = 0, MASS_COMBINE_LEAST, MASS_COMBINE_GREATEST } mass_combine_rule;

typedef struct mass_access_traits {
    const char *name;  /* "SCATTER_ADD", as in mass/callback.h; NULL: there is no such access */
    const char *entry; /* "SCATTERS", as in a callback's list (entries.h) */
    mass_access_class over[MASS_OVER_NODES_IN_TURN + 1]; /* by what the callback runs over */
    unsigned effect;
    mass_access_reach reach;
    mass_access_elements elements;
    mass_access_buffer buffer;
    mass_combine_rule combine;
    bool own;       /* an attribute of what the callback runs over, places or agents */
    bool any_population; /* of agents: of any population that the callback sees, not only its own */
    bool addressed; /* bodies get addresses of its elements, so texts to count may be in it */
    bool finds_ids; /* bodies find agents by their ids */
    bool races;     /* the result depends on the order of calls: the model is not reproducible */
} mass_access_traits;

extern const mass_access_traits mass_access_rows[MASS_ACCESS_COUNT];

/* Returns the traits of an access. An unknown number has those of access 0, without name and class. Any thread. */
static inline const mass_access_traits *mass_access_of(uint32_t access)
{
    return &mass_access_rows[access < MASS_ACCESS_COUNT ? access : 0];
}

/* Returns whether agents, places or nodes act one after the other in callbacks over these. */
static inline bool mass_over_is_in_turn(uint32_t over)
{
    return over == MASS_OVER_TURNS || over == MASS_OVER_NODES_IN_TURN;
}
/* Returns the class of an access in a callback over places, agents, residents, occupied places, worlds, turns or nodes
 * in turn. */
static inline mass_access_class mass_access_class_of(uint32_t access, uint32_t over)
{
    return over <= MASS_OVER_NODES_IN_TURN ? mass_access_of(access)->over[over] : MASS_CLASS_NONE;
}
/* Returns whether an access is a tally's; accumulators are that in every callback. */
static inline bool mass_access_is_tally(uint32_t access)
{
    return mass_access_class_of(access, MASS_OVER_PLACES) == MASS_CLASS_ACCUMULATOR;
}
/* Returns whether an access is to agents' attributes, or gives them to children or sprouts. */
static inline bool mass_access_is_of_agents(uint32_t access, uint32_t over)
{
    const mass_access_class c = mass_access_class_of(access, over);
    return c == MASS_CLASS_AGENTS || c == MASS_CLASS_REQUEST || c == MASS_CLASS_SPROUTS;
}
/* Returns whether an access is to nodes at the other ends of edges, or to edges. */
static inline bool mass_access_follows_edges(uint32_t access, uint32_t over)
{
    const mass_access_class c = mass_access_class_of(access, over);
    return c == MASS_CLASS_LINKED || c == MASS_CLASS_EDGES;
}
/* Returns whether an access is to an attribute of places or agents. */
static inline bool mass_access_is_attribute(uint32_t access, uint32_t over)
{
    return mass_access_class_of(access, over) == MASS_CLASS_PLACES || mass_access_is_of_agents(access, over);
}
/* Returns whether an access is to agents within the reach, as they were before the phase. Those in turn meet present
 * ones. */
static inline bool mass_access_is_nearby(uint32_t access, uint32_t over)
{
    return mass_access_class_of(access, over) == MASS_CLASS_AGENTS && over != MASS_OVER_TURNS &&
           mass_access_of(access)->reach == MASS_REACH_NEARBY;
}
/* Returns whether an access has one of these effects on places. */
static inline bool mass_access_does_to_places(uint32_t access, uint32_t over, unsigned effects)
{
    return mass_access_class_of(access, over) == MASS_CLASS_PLACES && (mass_access_of(access)->effect & effects);
}
/* Returns whether fields of one array with these accesses read old values and write new ones, which are kept apart.
 * Never over agents. */
static inline bool mass_access_keeps_apart(uint32_t old, uint32_t new, uint32_t over)
{
    return over != MASS_OVER_AGENTS && mass_access_of(old)->buffer == MASS_BUFFER_OLD &&
           mass_access_of(new)->buffer == MASS_BUFFER_NEW;
}

/* Return an accumulator without contributions; combine two accumulators. Sums are modulo 2^64; not for fixed-point
 * sums. */
static inline int64_t mass_accumulator_neutral(mass_combine_rule rule)
{
    return rule == MASS_COMBINE_ADD ? 0 : rule == MASS_COMBINE_LEAST ? INT64_MAX : INT64_MIN;
}
/* Combines two accumulators of one word. Sums wrap around. */
static inline int64_t mass_accumulator_combine(mass_combine_rule rule, int64_t a, int64_t b)
{
    switch (rule) {
    case MASS_COMBINE_LEAST: return b < a ? b : a;
    case MASS_COMBINE_GREATEST: return b > a ? b : a;
    default: return mass_sum_i64(a, b);
    }
}
/* Returns whether a callback's field adds to fixed-point sums, in a launch with this record. Counters *sums and *bins
 * count SUM and BINS fields. Before the call they count those before this field; the call adds this one. */
static inline bool mass_field_is_fixed(const mass_field *f, const mass_launch *l, uint32_t *sums, uint32_t *bins)
{
    if (f->access == MASS_SUM) return l->fixed_sums >> (*sums)++ & 1;
    return f->access == MASS_BINS && l->bins[(*bins)++].fixed;
}

/* An operation that a tally's declaration may ask for (mass_tally.access), in files and in --info. `access` is how
 * callbacks contribute to it, if it has neither bins nor keys. That of a world attribute is how they read it. */
typedef struct mass_tally_operation {
    const char *name;
    uint32_t operation, access;
} mass_tally_operation;
enum { MASS_TALLY_OPERATIONS = 5 };
extern const mass_tally_operation mass_tally_operations[MASS_TALLY_OPERATIONS];

/* Return the operation of a number or a name, or NULL. Any thread. */
const mass_tally_operation *mass_tally_operation_of(uint32_t operation);
const mass_tally_operation *mass_tally_operation_named(const char *name);

#endif
