/* SPDX-License-Identifier: Apache-2.0 */
/* A callback as the engine sees it: its fields, and the forms it was compiled to. The macros of
 * kernel.h write these tables; an author seldom does. */
#ifndef MASS_CALLBACK_H
#define MASS_CALLBACK_H

#include <mass/impl/launch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a callback uses a field. In front is the word by which a model says it (impl/entries.h); the one in --info is in
 * the engine's model/access.c. */
typedef enum mass_access {
    MASS_READ = 1,   /* READS: an attribute of its own place and, in a stencil, of its neighbours; never written */
    MASS_WRITE = 2,  /* WRITES: an attribute of its own place, written on every call and never read */
    MASS_UPDATE = 3, /* UPDATES: an attribute of its own place, read and written */
    MASS_PARAM = 4,  /* GIVEN: a parameter or constant: one value a world */
    MASS_SUM = 5,    /* SUMS: a tally: int64_t contributions added up; or double, exactly, also for a mean */
    MASS_MIN = 6,    /* MINS: a tally: the least contribution, int64_t or double */
    MASS_MAX = 7,    /* MAXES: a tally: the greatest contribution, int64_t or double */
    MASS_PLACE = 8,  /* SEES, over agents: an attribute of the places around, read */
    MASS_CHILD = 9,  /* CHILDREN, over agents: an attribute that its children start with, written */
    MASS_RESIDENT = 10,        /* MEETS, over residents: an attribute of the agents on the place, read */
    MASS_RESIDENT_UPDATE = 11, /* CHANGES: ... read and written */
    MASS_RACE = 12,  /* RACES, over agents: an attribute of its place, read and written there and then, in no order: a
                        model with such a field is not reproducible */
    MASS_BINS = 13,  /* BINS: a tally of bins: int64_t contributions, each to one bin */
    MASS_KEYS = 14,  /* KEYS: a tally of keys: contributions of 1, each to a number or a text; the callback's only
                        output */
    MASS_SCATTER_ADD = 15, /* SCATTERS: an attribute of the places around, added to; i32, u32, i64 or u64, and no other
                              field's */
    MASS_ITEMS = 16  /* ITEMS, over places: an attribute of the places before and after in the partition's row, read */
} mass_access;
enum { MASS_ACCESS_COUNT = MASS_ITEMS + 1 };

/* One field of a callback. Field i is the i-th pointer of the callback's struct of pointers. `target`
 * names an attribute of the callback's space, or of a population that it sees, one
 * component of it ("temperature[1]"), a parameter, a constant or a tally. */
typedef struct mass_field {
    const char *name;
    const char *target;
    uint32_t access; /* mass_access */
    uint32_t type;   /* mass_type of the C type */
    uint32_t size;   /* its size in bytes */
    uint32_t population; /* whose attribute it is, of agents: a number among mass_callback.populations */
} mass_field;

/* Runs a range of one partition on the calling thread. fields points at the callback's struct of
 * pointers, launch at its record; both stay the engine's. Thread-safe on disjoint ranges. */
typedef void mass_loop(const void *fields, const mass_launch *launch, const mass_range *range);

/* Form ids. The engine skips ids that it does not know. */
enum {
    MASS_FORM_LOOP = 1,  /* `loop`, for instruction set `isa` */
    MASS_FORM_KERNEL = 2, /* CUDA kernel `kernel` of the plugin's device code, called with
                            (fields by value, mass_launch by value); a thread covers places_x by
                            places_y places, grid z strides over worlds * extent[2]. One of several steps: blocks of
                            32 by places_y threads, whose tiles are 32 strips of places_x places wide */
    MASS_FORM_CHECKED = 3  /* `loop` for devices that check: it reports to launch.diagnostics all that a body may not
                              name, and elements of WRITE fields that a body leaves unwritten stay as they were */
};
enum { MASS_ISA_BASE = 0, MASS_ISA_AVX2 = 1, MASS_ISA_AVX512 = 2 };
enum {
    MASS_FORM_TALLIES = 1, /* adds to the callback's tallies; the quiet twin leaves them alone */
    MASS_FORM_PUSHES = 2,  /* writes ghosts along launch.push; a loop along x only, of whole rows */
    MASS_FORM_STRIDES = 4, /* a kernel whose blocks, of at most 1,024 threads and any number, stride over the places of
                              the worlds that grid y strides over, and count bins as launch.bins says */
    MASS_FORM_AROUND = 8   /* of several steps: along an axis that wraps, and all of whose places the launch has, it
                              reads these instead of ghosts */
};

/* Warps of the blocks of a form of several steps, which are its places_y: in 3-D, rows of a sheet. */
#define MASS_TILE_WARPS(DIMENSIONS) ((DIMENSIONS) > 2 ? 16 : 4)

typedef struct mass_form {
    uint32_t struct_size;
    uint32_t id;
    uint32_t isa;
    uint32_t flags;
    mass_loop *loop;
    const char *kernel;
    int32_t steps; /* the most that a launch advances (launch.steps); 0: this form is none */
    int32_t places_x, places_y;
    int32_t element_bits; /* 0: one element a place; else bits of a packed word */
} mass_form;

/* What a callback is applied to. */
enum {
    MASS_OVER_PLACES = 1,
    MASS_OVER_AGENTS = 2,   /* a loop's mass_range holds agents in first_row and last_row */
    MASS_OVER_RESIDENTS = 3, /* places, with the agents on them */
    MASS_OVER_OCCUPIED = 4   /* the same, and only places with agents; no WRITE fields */
};

typedef struct mass_callback {
    uint32_t struct_size;
    uint32_t over;
    const char *name;
    int32_t dimensions; /* of the spaces it fits; 0: any */
    int32_t radius;     /* how far READ fields may be read, and SCATTER_ADD added to, along each of those dimensions */
    uint32_t field_count;
    uint32_t field_size; /* sizeof(mass_field) where the plugin was compiled */
    const mass_field *fields;
    uint32_t form_count;
    uint32_t form_size; /* sizeof(mass_form) where the plugin was compiled */
    const mass_form *forms;
    /* The populations that it sees, by name, its own first; none where it runs over places alone. */
    uint32_t population_count;
    const char *const *populations;
} mass_callback;

#ifdef __cplusplus
}
#endif
#endif
