/* SPDX-License-Identifier: Apache-2.0 */
/* A callback as the engine sees it: its fields, and its compiled forms. The macros of kernel.h write these tables;
 * authors rarely do. */
#ifndef MASS_CALLBACK_H
#define MASS_CALLBACK_H

#include <mass/impl/launch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a callback uses a field. Each comment begins with the word that a model uses for it (impl/entries.h). The word of
 * --info is in the engine's model/access.c. */
typedef enum mass_access {
    MASS_READ = 1,   /* READS: an attribute of its own place and, in a stencil, of its neighbours; never written */
    MASS_WRITE = 2,  /* WRITES: an attribute of its own place, written on every call and never read */
    MASS_UPDATE = 3, /* UPDATES: an attribute of its own place, read and written */
    MASS_PAIR = MASS_READ,    /* PAIRS, over agents: the same as READS, for an attribute of MASS_CLAIMS (claims.h) */
    MASS_CLAIM = MASS_UPDATE, /* CLAIMS, over agents: the same as UPDATES, for an attribute of MASS_CLAIMS */
    MASS_PARAM = 4,  /* GIVEN: a parameter or constant: one value a world */
    MASS_SUM = 5,    /* SUMS: a tally: the sum of int64_t contributions; or of doubles, exactly, also for a mean */
    MASS_MIN = 6,    /* MINS: a tally: the least contribution, int64_t or double */
    MASS_MAX = 7,    /* MAXES: a tally: the greatest contribution, int64_t or double */
    MASS_PLACE = 8,  /* SEES, over agents: an attribute of the places around, read */
    MASS_CHILD = 9,  /* CHILDREN: over agents, an attribute with which its children start, written; over residents,
                        one with which theirs do */
    MASS_RESIDENT = 10,        /* MEETS, over residents: an attribute of the agents on the place, read */
    MASS_RESIDENT_UPDATE = 11, /* CHANGES: ... read and written. Over agents in turn: of agents within the radius */
    MASS_RACE = 12,  /* RACES, over agents: an attribute of its place, read and written at once, in no order: a model
                        with such a field is not reproducible */
    MASS_BINS = 13,  /* BINS: a tally of bins: int64_t contributions, each to one bin */
    MASS_KEYS = 14,  /* KEYS: a tally of keys: contributions of 1, each to a number or a text; it is the only output of
                        the callback */
    MASS_SCATTER_ADD = 15, /* SCATTERS: an attribute of the places around, added to; i32, u32, i64 or u64, and no other
                              field's */
    MASS_ITEMS = 16, /* ITEMS, over places: an attribute of the places before and after in the partition's row, read */
    MASS_NEARBY = 17, /* NEARBY, over agents and residents: an attribute of agents within the reach, read as it was
                         before the phase */
    MASS_NEARBY_OF = MASS_NEARBY, /* NEARBY_OF, also over places: the same of a population that the entry names */
    MASS_NEARBY_ADD = 18, /* ADDS, over agents and residents: an attribute of agents within the reach, added to; i32,
                             u32, i64 or u64 */
    MASS_TOTAL = 19, /* TOTALS: a tally, read: one value a world */
    MASS_LIST = 20,  /* LISTS: a parameter that is a list of values; a world has one list */
    MASS_SPROUT = 21, /* SPROUTS, over residents: an attribute with which new agents of the place start, written */
    MASS_ANYBODY = 22, /* ANYBODY: an attribute of any agent of the world, read as it was before the phase */
    MASS_ANYBODY_ADD = 23, /* ADDS_ANYBODY: an attribute of any agent of the world, added to; i32, u32, i64 or u64 */
    MASS_WORLD = 24,      /* WORLD: a world attribute, read. Bodies over worlds write it: WRITE and UPDATE */
    MASS_LINKED = 25,     /* LINKED, over nodes: an attribute of the nodes at the other ends of edges, read as it was
                             before the phase */
    MASS_EDGE = 26,       /* EDGES, over nodes: an attribute of edges, read */
    MASS_BY_ID = 28,      /* BY_ID: the ids of a population, by which AGENT finds its agents */
    MASS_FREE_PLACES = 29, /* FREE_PLACES, over agents: the ids of its own population, for whose agents FREE_PLACE draws
                              among the free places of the world */
    MASS_ALTER = 30 /* ALTERS, in turn: an attribute of the places around, read and written at once */
} mass_access;
enum { MASS_ACCESS_COUNT = MASS_ALTER + 1 };

/* One field of a callback. Field i is pointer i of the callback's struct of pointers. Its `target` is the name of a
 * parameter, a constant, a tally, or an attribute. The attribute belongs to the callback's space or to a population
 * that it sees. One component is "temperature[1]". */
typedef struct mass_field {
    const char *name;
    const char *target;
    uint32_t access; /* mass_access */
    uint32_t type;   /* mass_type of its C type */
    uint32_t size;   /* size of its C type in bytes */
    uint32_t population; /* of an attribute of agents: the population's number among mass_callback.populations. Of one
                            of edges: 0, or that of a set among mass_callback.sets, from 1 */
} mass_field;

/* Runs a range of one partition on the calling thread. fields points at the callback's struct of pointers, launch at
 * its record. The engine owns both. Safe to call from several threads on disjoint ranges. */
typedef void mass_loop(const void *fields, const mass_launch *launch, const mass_range *range);

/* Ids of forms. The engine skips ids that it does not know. */
enum {
    MASS_FORM_LOOP = 1,  /* `loop`, for instruction set `isa` */
    MASS_FORM_KERNEL = 2, /* CUDA kernel `kernel` of the plugin's device code, called with (fields by value, mass_launch
                             by value). A thread computes places_x by places_y places; grid z strides over worlds *
                             extent[2]. A form of several steps has blocks of 32 by places_y threads; its tiles are 32
                             strips of places_x places wide */
    MASS_FORM_CHECKED = 3  /* `loop` for devices that check. It reports to launch.diagnostics each access that a body
                              may not make. Elements of WRITE fields that a body does not write keep their values */
};
enum { MASS_ISA_BASE = 0, MASS_ISA_AVX2 = 1, MASS_ISA_AVX512 = 2 };
enum {
    MASS_FORM_TALLIES = 1, /* adds to the callback's tallies; the same form without the flag does not */
    MASS_FORM_PUSHES = 2,  /* writes ghosts along launch.push; a loop along x only, of whole rows */
    MASS_FORM_STRIDES = 4, /* a kernel whose blocks, of at most 1,024 threads and any number, stride over the places of
                              the worlds; grid y strides over the worlds; it counts bins as in launch.bins */
    MASS_FORM_AROUND = 8   /* of several steps: along an axis that wraps it reads the places of the other edge instead
                              of ghosts, if the launch has all places of the axis */
};

/* Warps of the blocks of a form of several steps, equal to its places_y. In 3-D they are rows of a sheet. */
#define MASS_TILE_WARPS(DIMENSIONS) ((DIMENSIONS) > 2 ? 16 : 4)

typedef struct mass_form {
    uint32_t struct_size;
    uint32_t id;
    uint32_t isa;
    uint32_t flags;
    mass_loop *loop;
    const char *kernel;
    int32_t steps; /* the most steps that a launch advances (launch.steps); 0 or 1: one */
    int32_t places_x, places_y;
    int32_t element_bits; /* 0: one element a place; else bits of a packed word */
} mass_form;

/* The items to which a callback is applied. */
enum {
    MASS_OVER_PLACES = 1,
    MASS_OVER_AGENTS = 2,   /* the mass_range of a loop has agents in first_row and last_row */
    MASS_OVER_RESIDENTS = 3, /* places, with the agents on them */
    MASS_OVER_OCCUPIED = 4,  /* the same, for places with agents only; no WRITE fields */
    MASS_OVER_WORLDS = 5,    /* worlds, each once; the mass_range of a loop has worlds of the launch as rows */
    MASS_OVER_TURNS = 6,     /* one after the other (turn.h): agents, or places if the callback has no population; the
                                mass_range of a loop has positions in mass_turn.order as rows, their world as first_x */
    MASS_OVER_NODES_IN_TURN = 7 /* the same, for nodes of a network; no population */
};

typedef struct mass_callback {
    uint32_t struct_size;
    uint32_t over;
    const char *name;
    int32_t dimensions; /* of the spaces that it fits; 0: any */
    int32_t radius;     /* how far it may read READ fields, and add to SCATTER_ADD fields, along each of these
                           dimensions */
    uint32_t field_count;
    uint32_t field_size; /* sizeof(mass_field) when the plugin was compiled */
    const mass_field *fields;
    uint32_t form_count;
    uint32_t form_size; /* sizeof(mass_form) when the plugin was compiled */
    const mass_form *forms;
    /* The names of the populations that it sees, its own first. Over places: those of NEARBY_OF, or none. */
    uint32_t population_count;
    const char *const *populations;
    /* Over residents: bit k is 1 if it asks agents of population k to die or to have children (ASKS, CHILDREN). */
    uint32_t asks;
    const char *network; /* over nodes: the name of their network; else NULL or "" */
    const char *const *sets; /* [set_count] over nodes: the names of the sets of edges that it walks (WALKS) */
    uint32_t set_count;
    uint32_t reserved; /* 0 */
} mass_callback;

#ifdef __cplusplus
}
#endif
#endif
