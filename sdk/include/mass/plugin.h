/* SPDX-License-Identifier: Apache-2.0 */
/* The plugin ABI: one exported symbol, the declarations that a model makes when the engine opens it, and the services
 * of the engine.
 *
 * Every struct that one side fills in and the other reads has its size, as the compiler of the first side knew it. The
 * size is the struct's first member; that of an array's elements is a member next to the pointer. New members come only
 * after the present end, padding included. The engine uses the members that both sides know. Members that a shorter
 * struct lacks are zero. Bytes of a longer struct beyond the engine's size must be zero, as the engine cannot apply
 * them. Tables of functions grow in the same way (MASS_HAS). A function that changes moves to a new table with a new
 * id.
 *
 * The engine calls a plugin, and a plugin calls these functions, on the engine's main thread only. The engine copies
 * strings and structs during the call.
 *
 * MASS_DECLARE and MASS_PLUGIN are for C. C++ fills in the same structs by hand. */
#ifndef MASS_PLUGIN_H
#define MASS_PLUGIN_H

#include <mass/callback.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mass_host mass_host;

/* The export of a plugin, named mass_plugin_entry. MASS_PLUGIN() defines it. */
typedef struct mass_plugin {
    uint32_t struct_size;
    uint16_t abi_major, abi_minor;
    /* Sizes of the structs of impl/launch.h when the plugin was compiled. effects_size 0: its bodies record no
     * effects. */
    uint32_t launch_size, diagnostics_size, effects_size;
    const char *name;            /* [a-z][a-z0-9_-]*, at most 31 characters; checkpoints store it */
    const char *version;         /* "1.0.0" */
    const char *help;            /* one sentence: the subject of the model */
    const char *const *services; /* ids of the tables that it needs, ended by NULL */
    const void *device_code;     /* a fatbin, or NULL */

    /* Declares the model through MASS_DECLARE(). The values of a parameter are known as soon as it is declared. The
     * first declaration that fails decides the outcome, so the plugin may ignore the statuses. Returns MASS_OK or the
     * result of host->fail. */
    mass_status (*open)(mass_host *host);

    /* Optional. Sets attributes on the host before the schedule `start`. The engine does not call it on a resume. */
    mass_status (*load)(mass_host *host);

    /* Optional. Reads attributes and tallies after the last step, to report a result. */
    mass_status (*finish)(mass_host *host);
} mass_plugin;

/* The engine, as a plugin sees it. */
struct mass_host {
    uint32_t struct_size;
    /* Returns the table with an id, or NULL if this engine does not have it. The engine owns the table. */
    const void *(*service)(mass_host *host, const char *id);
    /* Reports the error in one sentence, and returns status: MASS_BAD_USAGE for a parameter, MASS_BAD_INPUT for a
     * file. */
    mass_status (*fail)(mass_host *host, mass_status status, const char *format, ...)
#if defined(__GNUC__)
        __attribute__((format(printf, 3, 4)))
#endif
        ;
};

/* ---- declarations, in open ---- */

typedef enum mass_parameter_type {
    MASS_INTEGER = 1, /* callbacks read it as an int64_t */
    MASS_REAL = 2,    /* callbacks read it as a double */
    MASS_TEXT = 3,    /* callbacks cannot read it */
    MASS_CHOICE = 4,  /* one of `choices`; callbacks read its index as an int64_t */
    MASS_INTEGER_LIST = 5, /* any number of values up to `length`, each an int64_t; a list has a default in `text` */
    MASS_REAL_LIST = 6     /* ... each a double */
} mass_parameter_type;

/* A value that the user may set with --set NAME=VALUE. The open end of a range is INT64_MIN, INT64_MAX, -INFINITY or
 * INFINITY: "at least 1" is .integer_min = 1, .integer_max = INT64_MAX. */
typedef struct mass_parameter {
    uint32_t struct_size;
    uint32_t type;
    const char *name, *help, *unit; /* unit may be NULL */
    int64_t integer, integer_min, integer_max; /* default, and range if min < max */
    double real, real_min, real_max;           /* likewise, for MASS_REAL; the range of a list holds for each value */
    const char *text;                          /* default of MASS_TEXT and MASS_CHOICE; of a list: "1, 2, 3" */
    const char *const *choices;                /* ended by NULL */
    const char *by_default; /* the effect of leaving it unset, in words, if the default does not show it: "the pattern
                               is centred"; may be NULL */
    uint64_t length;  /* of a list: the most values that it may have, 1 to MASS_LIST_MAX */
    uint32_t by_step; /* of a list: 1 if value i is that of step i + 1; a run has no more steps than the list values */
    uint32_t reserved; /* 0 */
} mass_parameter;
enum { MASS_LIST_MAX = 1 << 20 };

/* A value that callbacks read as they read a parameter. The user cannot set it. Checkpoints store it. */
typedef struct mass_constant {
    uint32_t struct_size;
    uint32_t type; /* MASS_INTEGER or MASS_REAL */
    const char *name;
    int64_t integer;
    double real;
} mass_constant;

/* A lattice of places. --size sets the extents of the space that is declared first. */
typedef struct mass_space {
    uint32_t struct_size;
    uint32_t dimensions_min, dimensions_max; /* 1 to 3, the numbers of dimensions that the model supports */
    uint32_t torus;                          /* mask of the axes that wrap; beyond a bounded edge bodies read the
                                                defaults */
    const char *name;
    mass_gidx size[3]; /* default extents in places; 0 along axes that the space does not have */
    double cell; /* the edge of a place, in units of length, for populations with positions (positions.h); 0 means 1 */
} mass_space;

/* Is true if a table or another struct of the engine has a member. The struct of an older engine may end before it. */
#define MASS_HAS(THING, MEMBER) \
    ((THING)->struct_size >= (uint64_t)((const char *)(&(THING)->MEMBER + 1) - (const char *)(THING)))

/* One member of a plugin's own element type. */
typedef struct mass_member {
    const char *name;
    uint32_t type;   /* a number type */
    uint32_t offset; /* members must fill the struct without padding */
} mass_member;

enum {
    MASS_PLANES = 0,     /* component by component: the default, best for callbacks that pass over a whole space */
    MASS_INTERLEAVED = 1 /* an element's components together; a field's type is then a struct of them */
};

enum { MASS_VALUE_NAMES = 32, MASS_OF_CLAIMS = 1, MASS_OF_PAIRS = 2 };

/* A named array over the places of a space, or over the agents of a population. */
typedef struct mass_attribute {
    uint32_t struct_size;
    uint32_t type;
    const char *space, *name, *help, *unit;
    uint32_t length; /* components; 0 means 1 */
    uint32_t layout;
    const void *initial; /* default value of one component; NULL: zero bytes */
    uint32_t element_size; /* MASS_STRUCT: size in bytes, and number of members */
    uint32_t member_count;
    const mass_member *members;
    const char *population; /* the population whose agents have the attribute; NULL: places have it */
    uint32_t member_size;   /* sizeof(mass_member) when the plugin was compiled */
    double least, most; /* range of the values that files may contain; one end may be -INFINITY or INFINITY; both 0: any
                           value. `initial` must be within it. Numbers only */
    uint32_t flush; /* 1: numbers near 0 that callbacks write become 0 (impl/flush.h). Floats and doubles only */
    const char *names[MASS_VALUE_NAMES]; /* names of the values, to be shown to people: the first names the value
                                            `least`, or 0 without a range. All values of a range have a name, or none
                                            has. Integers only */
    uint32_t claims; /* MASS_OF_CLAIMS or MASS_OF_PAIRS: MASS_CLAIMS declares it (claims.h); else 0 */
    uint32_t position; /* 1: it has the positions of agents: MASS_POSITIONS declares it (positions.h); else 0 */
} mass_attribute;

enum { MASS_TALLY_INTEGER = 0, MASS_TALLY_REAL = 1, MASS_TALLY_FIXED = 2 };

/* How a device counts bins. By default the engine chooses. The other methods are for comparison; CUDA courses teach
 * them:
 * - SEQUENTIAL: one thread counts all items.
 * - GLOBAL: one thread for each item adds to the device's memory with atomic additions.
 * - STRIDE: a fixed number of threads stride over the items, with the same additions.
 * - SHARED: each block has a table in its shared memory; the tables are added at the end.
 *
 * On a CPU these are: one thread; shared bins, with one range of items for each thread; shared bins, with chunks in
 * turn; and a table for each thread. */
enum {
    MASS_COUNT_AUTO = 0,
    MASS_COUNT_SEQUENTIAL = 1,
    MASS_COUNT_GLOBAL = 2,
    MASS_COUNT_STRIDE = 3,
    MASS_COUNT_SHARED = 4
};

enum { MASS_MEAN = 64 }; /* in a declaration: the sum of the doubles that callbacks add with SUMS, divided by the number
                            of their ADDs */

/* In a declaration: the tally is a world attribute. Callbacks do not contribute to it: those over worlds write it, and
 * all may read it (MASS_WORLD). It begins with `initial`. */
enum { MASS_OF_WORLD = 66 };

/* A global accumulator, one for each world. A REAL sum is the double nearest to the exact sum of its doubles, in
 * whatever order they come. A REAL mean is the double nearest to the exact mean. A FIXED sum is an exact sum of
 * integers in units of 2^-fraction_bits (see mass_fixed). A tally restarts in each step unless it is cumulative. */
typedef struct mass_tally {
    uint32_t struct_size;
    uint32_t access; /* MASS_SUM, MASS_MIN, MASS_MAX or MASS_MEAN; a mean is REAL */
    uint32_t kind;
    uint32_t fraction_bits;
    uint32_t cumulative;
    const char *name, *help, *unit;
    uint32_t bins;    /* not 0: the number of bins; each is a sum, integer or fixed; callbacks COUNT_IN them */
    uint32_t method;  /* how bins are counted: MASS_COUNT_... */
    double low, high; /* of bins, if low < high: the start of the first bin and the end of the last, in `unit` */
    uint32_t keys;    /* not 0: MASS_KEYS_...; one integer sum for each key that callbacks count; without bins */
    double initial;   /* what TOTAL reads until the tally is first counted, and of a minimum, maximum or mean of
                         nothing. MASS_TALLY notes that it is given; other declarations of 0 need has_initial = 1 */
    uint32_t has_initial;
    uint64_t length;   /* of a world attribute: the number of its values, 1 to MASS_WORLD_LENGTH_MAX; 0 means 1 */
} mass_tally;
enum { MASS_WORLD_LENGTH_MAX = 1024 };

#define MASS_BINS_MAX 1000000000u

/* The kind of a tally's keys, of which there may be any number: 64-bit numbers, or texts of any number of bytes. */
enum { MASS_KEYS_NUMBERS = 1, MASS_KEYS_TEXTS = 2 };

enum {
    MASS_START = 0, /* once, before step 1; not on a resume */
    MASS_STEP = 1   /* every step */
};

/* One callback of a schedule. Phases run in the order of their declaration. */
typedef struct mass_phase {
    uint32_t struct_size;
    uint32_t schedule;
    const char *space; /* NULL: the space declared first */
    const mass_callback *callback;
} mass_phase;

/* The picture that --image and --movie draw: a component of an attribute. `low` has the palette's first colour, `high`
 * its last. */
typedef struct mass_picture {
    uint32_t struct_size;
    uint32_t component;
    const char *space, *attribute;
    double low, high;
    uint32_t colours;         /* 2 to 256; the engine interpolates between them */
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
    /* Return a declared parameter or constant. A name that was not declared, or has another type, fails the plugin and
     * returns 0, 0.0 or "". For a choice, text() returns the name and integer() the index. */
    int64_t (*integer)(mass_host *, const char *name);
    double (*real)(mass_host *, const char *name);
    const char *(*text)(mass_host *, const char *name); /* owned by the engine, valid until open returns */
    /* Returns non-zero if the user set it, or if the checkpoint of a resumed run contains it. */
    int (*given)(mass_host *, const char *name);
    /* Sets a TEXT or CHOICE parameter to a value that the model found, such as a rule in a pattern file. Checkpoints
     * store it as if the user had set it. In open only. */
    mass_status (*set_text)(mass_host *, const char *name, const char *value);
    /* Gets the extents of a declared space, after --size, and the number of its axes. */
    mass_status (*size)(mass_host *, const char *space, mass_gidx size[3], uint32_t *dimensions);
    /* Returns non-zero if the run resumes from a checkpoint. Input files may be absent then. */
    int (*resumed)(mass_host *);
    /* Return a value of a list, from 0, 0 beyond the last; and the number of its values. */
    int64_t (*integer_at)(mass_host *, const char *name, uint64_t i);
    double (*real_at)(mass_host *, const char *name, uint64_t i);
    uint64_t (*count)(mass_host *, const char *name);
    /* Returns the extent of a declared space along an axis, 0 to 2, after --size; 1 along an axis that it does not
     * have. A space that was not declared fails the plugin, and the extent is 1. */
    mass_gidx (*extent)(mass_host *, const char *space, uint32_t axis);
    /* Returns how many places away an agent at a distance may stand: the distance by the edge of a place, rounded up,
     * and at least 1.
     * A space that was not declared, and a distance that is not from 0 to 1,024 places, fail the plugin. */
    int32_t (*cells)(mass_host *, const char *space, double distance);
} mass_values_table;

/* ---- the run, in load and finish ---- */

#define MASS_RUN_ID "mass.run/0"
typedef struct mass_run_table {
    uint32_t struct_size;
    int32_t (*worlds)(mass_host *);
    uint64_t (*seed)(mass_host *);
    uint64_t (*step)(mass_host *);
    /* Read and write a box of an attribute of one world, in global coordinates. The arrays origin and extent have 3
     * numbers each: 0 and 1 along axes that the space does not have. The caller owns data:
     * [extent[2]][extent[1]][extent[0]][length] elements, row-major. */
    mass_status (*read)(mass_host *, const char *space, const char *attribute, int32_t world,
                        const mass_gidx origin[3], const mass_gidx extent[3], void *data);
    mass_status (*write)(mass_host *, const char *space, const char *attribute, int32_t world,
                         const mass_gidx origin[3], const mass_gidx extent[3], const void *data);
    /* Gets the last value of a tally, as reported. Integers beyond 2^53 lose their low bits. The value is NaN at step 0
     * if the schedule `start` does not contribute to it. */
    mass_status (*tally)(mass_host *, const char *name, int32_t world, double *value);
    /* Prints one line for people on standard error, unless --quiet is set. No newline. */
    void (*say)(mass_host *, const char *line);
} mass_run_table;

/* ---- counts by key, in finish ---- */

#define MASS_KEYS_ID "mass.keys/0"
typedef struct mass_keys_table {
    uint32_t struct_size;
    /* Gets the number of keys that were counted in a world, and the sum of their counts. Either may be NULL. */
    mass_status (*distinct)(mass_host *, const char *tally, int32_t world, uint64_t *keys, int64_t *total);
    /* Gets the keys with the largest counts: the largest first, equal counts in the order of the keys. *count is the
     * most keys to return, and becomes the number returned. Arrays of *count elements are the caller's: counts[], and
     * numbers[], or texts[] and lengths[]. An array may be NULL. The engine owns the bytes at texts[i] until the next
     * call. */
    mass_status (*top)(mass_host *, const char *tally, int32_t world, uint64_t *count, uint64_t *numbers,
                       const unsigned char **texts, uint64_t *lengths, int64_t *counts);
} mass_keys_table;

/* Returns the functions by which `finish` reads counts by key. */
static inline const mass_keys_table *mass_keys_of(mass_host *host)
{
    return (const mass_keys_table *)host->service(host, MASS_KEYS_ID);
}

/* Return the tables above, which every engine of this ABI has. */
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

/* The sizes in a declaration: that of the struct, and those of the elements that it points to. */
#define MASS_SIZES_parameter .struct_size = sizeof(mass_parameter)
#define MASS_SIZES_constant .struct_size = sizeof(mass_constant)
#define MASS_SIZES_space .struct_size = sizeof(mass_space)
#define MASS_SIZES_attribute .struct_size = sizeof(mass_attribute), .member_size = sizeof(mass_member)
#define MASS_SIZES_tally .struct_size = sizeof(mass_tally)
#define MASS_SIZES_phase .struct_size = sizeof(mass_phase)
#define MASS_SIZES_picture .struct_size = sizeof(mass_picture)

/* The device code that mass_add_plugin() links. It is absent in a plugin that was built without it. */
extern const unsigned char mass_device_code[] __attribute__((weak, visibility("hidden")));

/* The ELF note that tells the engine the ABI before it runs any of the plugin's code. */
typedef struct mass_abi_note {
    uint32_t name_size, value_size, type;
    char name[8];
    uint32_t major, minor;
} mass_abi_note;
#define MASS_NOTE_NAME "mass"
#define MASS_NOTE_TYPE 1

/* MASS_PLUGIN(.name = "life", .version = "1.0.0", .open = life_open); once in a plugin. Models with statements use the
 * macro of model.h. */
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
