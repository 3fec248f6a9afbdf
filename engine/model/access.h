/* SPDX-License-Identifier: Apache-2.0 */
/* What a field is: whose values it has, by which relation to what the callback is called for, and with what effect. An
 * access (mass_access in the SDK) is a word for a relation and an effect. access.c has a row for each relation, effect
 * and access, and computes the traits of an access from these. The engine asks for traits, and names an access only for
 * bins and keys. */
#ifndef MASS_ENGINE_ACCESS_H
#define MASS_ENGINE_ACCESS_H

#include <mass/arithmetic.h>
#include <mass/callback.h>
#include <stdbool.h>

/* What a field is. It may depend on what the callback runs over: READ is of a place, or of an agent. */
typedef enum mass_access_class {
    MASS_CLASS_NONE = 0,    /* such a callback does not have the access */
    MASS_CLASS_PLACES,      /* an array over the places of the callback's space */
    MASS_CLASS_AGENTS,      /* an array over the agents of its population */
    MASS_CLASS_WORLD,       /* one value a world, which is only read: a parameter or constant */
    MASS_CLASS_ACCUMULATOR, /* a tally: one or more accumulators a world, which contributions go to */
    MASS_CLASS_REQUEST      /* an array over agents with what manage will give to their children */
} mass_access_class;

/* What a callback does with the field's values; bits. */
enum { MASS_EFFECT_READS = 1, MASS_EFFECT_WRITES = 2, MASS_EFFECT_ADDS = 4 };

/* How far from the element that the callback is called for it may do so. */
typedef enum mass_access_reach {
    MASS_REACH_OWN = 0, /* that element alone, or the callback's own place or residents */
    MASS_REACH_AROUND,  /* places as far as the callback's radius, or the reach of its phase over agents */
    MASS_REACH_ROW      /* places of the partition's row; the callback has no radius */
} mass_access_reach;

/* Which element types it takes. */
typedef enum mass_access_elements {
    MASS_ELEMENTS_ANY = 0,  /* those of the attribute */
    MASS_ELEMENTS_COUNTERS, /* i32, u32, i64 and u64: what every device can add to at once */
    MASS_ELEMENTS_VALUES    /* int64_t or double, as the parameter or tally is an integer or real */
} mass_access_elements;

/* What the engine does with the memory of a place array around a launch. */
typedef enum mass_access_buffer {
    MASS_BUFFER_SAME = 0, /* nothing: values are where they were */
    MASS_BUFFER_OLD,      /* beside a field of the same array that is NEW, it is given the values from before */
    MASS_BUFFER_NEW,      /* every element is written and none read before; beside a field of the same array that is
                             OLD, into a second buffer, and buffers are swapped after the launch */
    MASS_BUFFER_CLEARED   /* ghosts are cleared before the launch, and added to the places that they stand for after */
} mass_access_buffer;

/* How contributions to an accumulator, and the accumulators of threads, become one. */
typedef enum mass_combine_rule { MASS_COMBINE_ADD = 0, MASS_COMBINE_LEAST, MASS_COMBINE_GREATEST } mass_combine_rule;

typedef struct mass_access_traits {
    const char *name;  /* "SCATTER_ADD", as mass/callback.h has it; NULL: there is no such access */
    const char *entry; /* "SCATTERS", as a callback's list has it (entries.h) */
    mass_access_class over[MASS_OVER_OCCUPIED + 1]; /* by what the callback runs over */
    unsigned effect;
    mass_access_reach reach;
    mass_access_elements elements;
    mass_access_buffer buffer;
    mass_combine_rule combine;
    bool own;       /* of an attribute of what the callback runs over, the places or the agents */
    bool any_population; /* of agents: of any population that the callback sees, and not of its own alone */
    bool addressed; /* bodies have its elements' addresses, so that texts to be counted may lie in it */
    bool races;     /* what it comes to depends on the order of the calls: the model is not reproducible */
} mass_access_traits;

extern const mass_access_traits mass_access_rows[MASS_ACCESS_COUNT];

/* The traits of an access; of a number that is none, those of access 0, which has no name and no class. Any thread. */
static inline const mass_access_traits *mass_access_of(uint32_t access)
{
    return &mass_access_rows[access < MASS_ACCESS_COUNT ? access : 0];
}

/* What a field of an access is in a callback over places, agents, residents or occupied places. */
static inline mass_access_class mass_access_class_of(uint32_t access, uint32_t over)
{
    return over <= MASS_OVER_OCCUPIED ? mass_access_of(access)->over[over] : MASS_CLASS_NONE;
}
/* Accumulators are that in every callback. */
static inline bool mass_access_is_tally(uint32_t access)
{
    return mass_access_class_of(access, MASS_OVER_PLACES) == MASS_CLASS_ACCUMULATOR;
}
static inline bool mass_access_is_of_agents(uint32_t access, uint32_t over)
{
    const mass_access_class c = mass_access_class_of(access, over);
    return c == MASS_CLASS_AGENTS || c == MASS_CLASS_REQUEST;
}
/* Whether it is an attribute, of places or agents. */
static inline bool mass_access_is_attribute(uint32_t access, uint32_t over)
{
    return mass_access_class_of(access, over) == MASS_CLASS_PLACES || mass_access_is_of_agents(access, over);
}
/* Whether it does one of these effects to places. */
static inline bool mass_access_does_to_places(uint32_t access, uint32_t over, unsigned effects)
{
    return mass_access_class_of(access, over) == MASS_CLASS_PLACES && (mass_access_of(access)->effect & effects);
}
/* Whether two fields of one array are given old values and write new ones, which are kept apart. */
static inline bool mass_access_keeps_apart(uint32_t old, uint32_t new, uint32_t over)
{
    return over != MASS_OVER_AGENTS && mass_access_of(old)->buffer == MASS_BUFFER_OLD &&
           mass_access_of(new)->buffer == MASS_BUFFER_NEW;
}

/* An accumulator to which nothing was contributed, and two accumulators in one; of sums modulo 2^64, but for those in
 * fixed point. */
static inline int64_t mass_accumulator_neutral(mass_combine_rule rule)
{
    return rule == MASS_COMBINE_ADD ? 0 : rule == MASS_COMBINE_LEAST ? INT64_MAX : INT64_MIN;
}
static inline int64_t mass_accumulator_combine(mass_combine_rule rule, int64_t a, int64_t b)
{
    switch (rule) {
    case MASS_COMBINE_LEAST: return b < a ? b : a;
    case MASS_COMBINE_GREATEST: return b > a ? b : a;
    default: return mass_sum_i64(a, b);
    }
}
/* Whether a callback's field adds to sums in fixed point, in a launch of this record; *sums and *bins count the SUM and
 * BINS fields before it, and it with them. */
static inline bool mass_field_is_fixed(const mass_field *f, const mass_launch *l, uint32_t *sums, uint32_t *bins)
{
    if (f->access == MASS_SUM) return l->fixed_sums >> (*sums)++ & 1;
    return f->access == MASS_BINS && l->bins[(*bins)++].fixed;
}

/* What a tally's declaration may ask for (mass_tally.access), in files and in --info; and by which access callbacks
 * contribute to it, if it has neither bins nor keys. */
typedef struct mass_tally_operation {
    const char *name;
    uint32_t operation, access;
} mass_tally_operation;
enum { MASS_TALLY_OPERATIONS = 4 };
extern const mass_tally_operation mass_tally_operations[MASS_TALLY_OPERATIONS];

/* NULL if there is none of that number, or of that name. Any thread. */
const mass_tally_operation *mass_tally_operation_of(uint32_t operation);
const mass_tally_operation *mass_tally_operation_named(const char *name);

#endif
