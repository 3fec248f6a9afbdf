/* SPDX-License-Identifier: Apache-2.0 */
/* The plugin ABI: one exported symbol, the declarations a model makes when it is opened, and the
 * services of the engine.
 *
 * Every struct that one side fills in and the other reads says its size, as the compiler of that side knew it: first
 * in itself, or, of what a pointer leads to, beside the pointer. It only ever grows behind that size, padding
 * included. The engine takes what both know: what a shorter struct does not have is zero, and what a longer one has
 * beyond the engine's has to be zero, since nobody would carry it out. Tables of functions grow in the same way
 * (MASS_HAS); a function that changes is a new table under a new id.
 *
 * All of it is called on the engine's main thread. Strings and structs given to the engine are
 * copied during the call.
 *
 * MASS_DECLARE and MASS_PLUGIN are for C; C++ fills in the same structs by hand. */
#ifndef MASS_PLUGIN_H
#define MASS_PLUGIN_H

#include <mass/callback.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mass_host mass_host;

/* What a plugin exports, under the name mass_plugin_entry. Use MASS_PLUGIN() to define it. */
typedef struct mass_plugin {
    uint32_t struct_size;
    uint16_t abi_major, abi_minor;
    /* Of the structs of impl/launch.h, as the plugin was compiled with them; effects_size 0: its bodies leave no notes.
     * */
    uint32_t launch_size, diagnostics_size, effects_size;
    const char *name;            /* [a-z][a-z0-9_-]*, at most 31 characters; stored in checkpoints */
    const char *version;         /* "1.0.0" */
    const char *help;            /* one sentence: what it models */
    const char *const *services; /* ids of the tables it needs, ended by NULL */
    const void *device_code;     /* a fatbin, or NULL */

    /* Declares the model through MASS_DECLARE(). Values of parameters can be asked for as soon as
     * they are declared. The first declaration that fails decides the outcome, so that their
     * statuses may be ignored. Returns MASS_OK or what host->fail returned. */
    mass_status (*open)(mass_host *host);

    /* Optional. Sets attributes on the host before the schedule `start`. Not called on a resume. */
    mass_status (*load)(mass_host *host);

    /* Optional. Reads attributes and tallies after the last step, to report a result. */
    mass_status (*finish)(mass_host *host);
} mass_plugin;

/* The engine, as a plugin sees it. */
struct mass_host {
    uint32_t struct_size;
    /* The table of an id, or NULL if this engine does not have it. Owned by the engine. */
    const void *(*service)(mass_host *host, const char *id);
    /* Says in one sentence what is wrong, and returns status. MASS_BAD_USAGE for a parameter,
     * MASS_BAD_INPUT for a file. */
    mass_status (*fail)(mass_host *host, mass_status status, const char *format, ...)
#if defined(__GNUC__)
        __attribute__((format(printf, 3, 4)))
#endif
        ;
};

/* ---- declarations, in open ---- */

typedef enum mass_parameter_type {
    MASS_INTEGER = 1, /* int64_t to callbacks */
    MASS_REAL = 2,    /* double */
    MASS_TEXT = 3,    /* not for kernels */
    MASS_CHOICE = 4   /* one of `choices`; to callbacks its index, an int64_t */
} mass_parameter_type;

/* A value that the user may set with --set NAME=VALUE. A range with an open end has INT64_MIN, INT64_MAX,
 * -INFINITY or INFINITY there: "at least 1" is .integer_min = 1, .integer_max = INT64_MAX. */
typedef struct mass_parameter {
    uint32_t struct_size;
    uint32_t type;
    const char *name, *help, *unit; /* unit may be NULL */
    int64_t integer, integer_min, integer_max; /* default, and range if min < max */
    double real, real_min, real_max;           /* likewise, for MASS_REAL */
    const char *text;                          /* default of MASS_TEXT and MASS_CHOICE */
    const char *const *choices;                /* ended by NULL */
    const char *by_default; /* what happens unless the user sets it, in words, where the default itself does not say
                             * so: "the pattern is centred"; may be NULL */
} mass_parameter;

/* A value that callbacks read as they read a parameter, and the user cannot set; stored in checkpoints. */
typedef struct mass_constant {
    uint32_t struct_size;
    uint32_t type; /* MASS_INTEGER or MASS_REAL */
    const char *name;
    int64_t integer;
    double real;
} mass_constant;

/* A lattice of places. --size sets the extents of the space declared first. */
typedef struct mass_space {
    uint32_t struct_size;
    uint32_t dimensions_min, dimensions_max; /* 1 to 3, what the model can do */
    uint32_t torus;                          /* axes that wrap; a bounded edge shows the defaults */
    const char *name;
    mass_gidx size[3]; /* default; 0 along axes that it does not have */
} mass_space;

/* Whether a table, or another struct of the engine's, has a member: that of an older engine may end before it. */
#define MASS_HAS(THING, MEMBER) \
    ((THING)->struct_size >= (uint64_t)((const char *)(&(THING)->MEMBER + 1) - (const char *)(THING)))

/* One member of a plugin's own element type. */
typedef struct mass_member {
    const char *name;
    uint32_t type;   /* a number type */
    uint32_t offset; /* members must fill the struct without padding */
} mass_member;

enum {
    MASS_PLANES = 0,     /* component by component: the default, best for sweeps */
    MASS_INTERLEAVED = 1 /* an element's components together; a field's type is then a struct of them */
};

enum { MASS_VALUE_NAMES = 32 };

/* A named array over the places of a space, or over the agents of a population. */
typedef struct mass_attribute {
    uint32_t struct_size;
    uint32_t type;
    const char *space, *name, *help, *unit;
    uint32_t length; /* components; 0 means 1 */
    uint32_t layout;
    const void *initial; /* one component's default value; NULL: zero bytes */
    uint32_t element_size; /* MASS_STRUCT: its size and members */
    uint32_t member_count;
    const mass_member *members;
    const char *population; /* an attribute of its agents; NULL: of places */
    uint32_t member_size;   /* sizeof(mass_member) where the plugin was compiled */
    double least, most; /* what values of files have to lie between; one end may be -INFINITY or INFINITY, both 0: any
                           value. `initial` lies there too. Of numbers alone */
    uint32_t flush; /* 1: numbers next to 0 that callbacks write become 0 (impl/flush.h). Of floats and doubles alone */
    const char *names[MASS_VALUE_NAMES]; /* of its values, the first of `least`, or of 0 without a range: what people
                                            are shown. All of a range, or none; of integers alone */
} mass_attribute;

enum { MASS_TALLY_INTEGER = 0, MASS_TALLY_REAL = 1, MASS_TALLY_FIXED = 2 };

/* How bins are counted. The engine chooses best; the others are there to be compared with it, and are those that
 * CUDA is taught with: all by one thread; a thread for each item, and atomic additions in the device's memory; a
 * fixed number of threads that stride over the items, and the same; one table a block in its shared memory, added up
 * at the end. On a CPU they are one thread; shared bins, with one stretch a thread or pieces in turn; a table a
 * thread. */
enum {
    MASS_COUNT_AUTO = 0,
    MASS_COUNT_SEQUENTIAL = 1,
    MASS_COUNT_GLOBAL = 2,
    MASS_COUNT_STRIDE = 3,
    MASS_COUNT_SHARED = 4
};

enum { MASS_MEAN = 64 }; /* in a declaration: what SUMS of double add, divided by the number of their ADDs */

/* A global accumulator, one a world. A REAL sum is the double nearest to the exact sum of doubles, and a REAL mean
 * the one nearest to the exact mean, in whatever order they came; FIXED is an exact sum of integers in units of
 * 2^-fraction_bits (see mass_fixed). It restarts each step unless cumulative. */
typedef struct mass_tally {
    uint32_t struct_size;
    uint32_t access; /* MASS_SUM, MASS_MIN, MASS_MAX or MASS_MEAN; a mean is REAL */
    uint32_t kind;
    uint32_t fraction_bits;
    uint32_t cumulative;
    const char *name, *help, *unit;
    uint32_t bins;    /* not 0: so many sums, integer or fixed, that callbacks COUNT_IN */
    uint32_t method;  /* of counting bins */
    double low, high; /* of bins, where low < high: what the first begins and the last ends with, in `unit` */
    uint32_t keys;    /* not 0: one integer sum for each key that callbacks count; without bins */
} mass_tally;

#define MASS_BINS_MAX 1000000000u

/* What a tally counts by, however many there are: any 64-bit numbers; or texts, which are bytes of any number. */
enum { MASS_KEYS_NUMBERS = 1, MASS_KEYS_TEXTS = 2 };

enum {
    MASS_START = 0, /* once, before step 1; not on a resume */
    MASS_STEP = 1   /* every step */
};

/* One callback of a schedule; phases run in the order of their declaration. */
typedef struct mass_phase {
    uint32_t struct_size;
    uint32_t schedule;
    const char *space; /* NULL: the space declared first */
    const mass_callback *callback;
} mass_phase;

/* What --image and --movie draw: a component of an attribute, from `low` in the palette's first
 * colour to `high` in its last. */
typedef struct mass_picture {
    uint32_t struct_size;
    uint32_t component;
    const char *space, *attribute;
    double low, high;
    uint32_t colours;         /* 2 to 256; values between are interpolated */
    const uint32_t *palette;  /* 0xRRGGBB */
} mass_picture;

#define MASS_DECLARE_ID "mass.declare/0"
typedef struct mass_declare_table {
    uint32_t struct_size;
    mass_status (*parameter)(mass_host *, const mass_parameter *);
    mass_status (*constant)(mass_host *, const mass_constant *);
    mass_status (*space)(mass_host *, const mass_space *);
    mass_status (*attribute)(mass_host *, const mass_attribute *);
    mass_status (*tally)(mass_host *, const mass_tally *);
    mass_status (*phase)(mass_host *, const mass_phase *);
    mass_status (*picture)(mass_host *, const mass_picture *);
    mass_status (*steps)(mass_host *, uint64_t steps); /* default of --steps; 250 if not given */
} mass_declare_table;

/* ---- values, from open on ---- */

#define MASS_VALUES_ID "mass.values/0"
typedef struct mass_values_table {
    uint32_t struct_size;
    /* A declared parameter or constant. A name that was not declared, or has another type, fails
     * the plugin and returns 0, 0.0 or "". A choice answers text() and, with its index, integer(). */
    int64_t (*integer)(mass_host *, const char *name);
    double (*real)(mass_host *, const char *name);
    const char *(*text)(mass_host *, const char *name); /* the engine's, until open returns */
    /* Not 0 if the user set it, or it comes from the checkpoint being resumed. */
    int (*given)(mass_host *, const char *name);
    /* Gives a TEXT or CHOICE parameter a value that the model found out, such as a rule in a pattern
     * file. It is stored in checkpoints as if the user had set it. Only in open. */
    mass_status (*set_text)(mass_host *, const char *name, const char *value);
    /* Extents of a declared space, after --size, and how many axes it has. */
    mass_status (*size)(mass_host *, const char *space, mass_gidx size[3], uint32_t *dimensions);
    /* Not 0 if the run resumes from a checkpoint: input files need not be there any more. */
    int (*resumed)(mass_host *);
} mass_values_table;

/* ---- the run, in load and finish ---- */

#define MASS_RUN_ID "mass.run/0"
typedef struct mass_run_table {
    uint32_t struct_size;
    int32_t (*worlds)(mass_host *);
    uint64_t (*seed)(mass_host *);
    uint64_t (*step)(mass_host *);
    /* A box of an attribute, in global coordinates, of one world: origin and extent are 3 numbers
     * each, axes that the space does not have being 0 and 1. data is the caller's,
     * [extent[2]][extent[1]][extent[0]][length] elements, row-major. */
    mass_status (*read)(mass_host *, const char *space, const char *attribute, int32_t world,
                        const mass_gidx origin[3], const mass_gidx extent[3], void *data);
    mass_status (*write)(mass_host *, const char *space, const char *attribute, int32_t world,
                         const mass_gidx origin[3], const mass_gidx extent[3], const void *data);
    /* A tally's last value, as reported; integers beyond 2^53 lose their low bits. NaN at step 0 where the start does
     * not count it. */
    mass_status (*tally)(mass_host *, const char *name, int32_t world, double *value);
    /* One line for people, on standard error unless --quiet. No newline. */
    void (*say)(mass_host *, const char *line);
} mass_run_table;

/* ---- counts by key, in finish ---- */

#define MASS_KEYS_ID "mass.keys/0"
typedef struct mass_keys_table {
    uint32_t struct_size;
    /* How many keys were counted in a world, and their counts added up; either may be NULL. */
    mass_status (*distinct)(mass_host *, const char *tally, int32_t world, uint64_t *keys, int64_t *total);
    /* The keys of the largest counts, the largest first and equals by key: at most *count of them, which becomes
     * how many there are. counts[] and, of numbers, numbers[], or of texts, texts[] and lengths[], are the caller's;
     * what texts[] points at is the engine's, until the next call. NULL where not wanted. */
    mass_status (*top)(mass_host *, const char *tally, int32_t world, uint64_t *count, uint64_t *numbers,
                       const unsigned char **texts, uint64_t *lengths, int64_t *counts);
} mass_keys_table;

static inline const mass_keys_table *mass_keys_of(mass_host *host)
{
    return (const mass_keys_table *)host->service(host, MASS_KEYS_ID);
}

static inline const mass_declare_table *mass_declare_of(mass_host *host)
{
    return (const mass_declare_table *)host->service(host, MASS_DECLARE_ID);
}
static inline const mass_values_table *mass_values_of(mass_host *host)
{
    return (const mass_values_table *)host->service(host, MASS_VALUES_ID);
}
static inline const mass_run_table *mass_run_of(mass_host *host)
{
    return (const mass_run_table *)host->service(host, MASS_RUN_ID);
}

/* MASS_DECLARE(host, attribute, .space = "grid", .name = "health", .type = MASS_U8); */
#define MASS_DECLARE(HOST, WHAT, ...) \
    mass_declare_of(HOST)->WHAT((HOST), &(const mass_##WHAT){MASS_SIZES_##WHAT, __VA_ARGS__})

/* What a declaration says of sizes: its own, and those of what it points at. */
#define MASS_SIZES_parameter .struct_size = sizeof(mass_parameter)
#define MASS_SIZES_constant .struct_size = sizeof(mass_constant)
#define MASS_SIZES_space .struct_size = sizeof(mass_space)
#define MASS_SIZES_attribute .struct_size = sizeof(mass_attribute), .member_size = sizeof(mass_member)
#define MASS_SIZES_tally .struct_size = sizeof(mass_tally)
#define MASS_SIZES_phase .struct_size = sizeof(mass_phase)
#define MASS_SIZES_picture .struct_size = sizeof(mass_picture)

/* Device code that mass_add_plugin() links in; absent in a plugin built without it. */
extern const unsigned char mass_device_code[] __attribute__((weak, visibility("hidden")));

/* The note by which the engine knows the ABI before it runs any of the plugin's code. */
typedef struct mass_abi_note {
    uint32_t name_size, value_size, type;
    char name[8];
    uint32_t major, minor;
} mass_abi_note;
#define MASS_NOTE_NAME "mass"
#define MASS_NOTE_TYPE 1

/* MASS_PLUGIN(.name = "life", .version = "1.0.0", .open = life_open); once in a plugin. Models that are said by
 * statements have one of their own (model.h). */
#define MASS_PLUGIN(...) MASS_ENTRY_POINT_(__VA_ARGS__)
#define MASS_ENTRY_POINT_(...)                                                                     \
    __attribute__((section(".note.mass"), used, aligned(4))) static const mass_abi_note            \
        mass_plugin_note = {8, 8, MASS_NOTE_TYPE, MASS_NOTE_NAME, MASS_ABI_MAJOR, MASS_ABI_MINOR}; \
    extern const mass_plugin mass_plugin_entry;                                                    \
    __attribute__((visibility("default"))) const mass_plugin mass_plugin_entry = {                 \
        MASS_SIZES_plugin, .abi_major = MASS_ABI_MAJOR, .abi_minor = MASS_ABI_MINOR,               \
        .device_code = mass_device_code, __VA_ARGS__}
#define MASS_SIZES_plugin                                                   \
    .struct_size = sizeof(mass_plugin), .launch_size = sizeof(mass_launch), \
    .diagnostics_size = sizeof(mass_diagnostics), .effects_size = sizeof(mass_effects)

#ifdef __cplusplus
}
#endif
#endif
