/* SPDX-License-Identifier: Apache-2.0 */
/* The statements that declare a model:
 *
 *     MASS_SPACE(forest, 2, .size = {512, 512}, .torus = MASS_AXES_ALL)
 *     MASS_ATTRIBUTE(forest, uint8_t, state, .most = FIRE, .help = "0 empty, 1 tree, 2 fire")
 *     MASS_PARAMETER(double, growth, 0.01, 0, 1, "chance that a tree grows in a step")
 *     MASS_TALLY(SUM, int64_t, burning, "places on fire")
 *
 *     MASS_STENCIL(forest_step, 2, 1, READS(state), WRITES(state), GIVEN(growth), SUMS(burning))
 *     {
 *         OUT(state) = ... NEAR(state, 0, -1) ...;
 *         ADD(burning, OUT(state) == FIRE);
 *     }
 *
 *     MASS_SCHEDULE(STARTS(forest_plant), STEPS(forest_step))
 *     MASS_PLUGIN(.name = "forest-fire", .version = "1.0.0", .help = "a forest that burns");
 *
 * Statements are at file scope. When the engine opens the plugin, it executes them in the order of the file. Their
 * arguments are expressions. In them `host` is the engine, and VALUE(growth) is the value of a parameter that was
 * declared above. MASS_OPEN(name) { ... } is a statement written by hand: plain C that makes any other declaration
 * (plugin.h), and returns a status.
 *
 * nvcc compiles the same file as C++20 for the GPU. There, statements declare only their types. Functions for the host
 * are between #if MASS_HOST and #endif, and may be any C. kernel.h describes callbacks and their bodies. */
#ifndef MASS_MODEL_H
#define MASS_MODEL_H

#ifdef __cplusplus
#define MASS_HOST 0
#else
#define MASS_HOST 1
#endif

#include <mass/claims.h>
#include <mass/kernel.h>
#include <mass/math.h>
#if MASS_HOST
#include <mass/agents.h>
#include <mass/impl/seed.h>
#include <mass/network.h>
#include <mass/plugin.h>
#include <mass/reductions.h>
#include <mass/series.h>
#include <mass/streams.h>
#include <mass/tallies.h>
#endif

/* MASS_SPACE(name, dimensions, .size = {...}, ...): any members of mass_space in plugin.h may follow. With
 * MASS_SPACE_OF(name, fewest, most, ...) the user chooses the number of dimensions by --size. */
#define MASS_SPACE(NAME, DIMENSIONS, ...) MASS_SPACE_OF(NAME, DIMENSIONS, DIMENSIONS, __VA_ARGS__)
#define MASS_SPACE_OF(NAME, FEWEST, MOST, ...)                                                                 \
    MASS_STATEMENT_(MASS_JOIN(mass_declare_space_, NAME),                                                      \
                    MASS_DECLARE(host, space, .name = #NAME, .dimensions_min = FEWEST, .dimensions_max = MOST, \
                                 __VA_ARGS__))

/* MASS_NETWORK(name, ...) declares a network, and MASS_EDGE_SET(network, name, ...) a further set of edges on its
 * nodes. MASS_EDGE_ATTRIBUTE(network or set, type, name, ...) declares an attribute of edges. Any members of
 * mass_network and mass_edge_attribute in network.h may follow. Attributes of the same name on the edges of two
 * networks, or sets, must have the same type. The array is for MASS_NO_NETWORK_ of turn.h. */
#define MASS_NETWORK(NAME, ...)                                      \
    extern const char NAME##_is_a_network_for_MASS_IN_TURN_NODES[2]; \
    MASS_STATEMENT_(MASS_JOIN(mass_declare_space_, NAME),            \
                    mass_networks_of(host)->network(                 \
                        host, &(const mass_network){.struct_size = sizeof(mass_network), .name = #NAME, __VA_ARGS__}))
#define MASS_EDGE_SET(NETWORK, NAME, ...)                                                                              \
    MASS_STATEMENT_(MASS_JOIN(mass_declare_edge_set_, NAME),                                                           \
                    mass_networks_of(host)->network(host, &(const mass_network){.struct_size = sizeof(mass_network),   \
                                                                                .of = #NETWORK, .name = #NAME,         \
                                                                                __VA_ARGS__}))
#define MASS_EDGE_ATTRIBUTE(NETWORK, TYPE, NAME, ...)                                                                  \
    typedef TYPE mass_edge_attribute_of_##NETWORK##_##NAME;                                                            \
    typedef TYPE mass_edge_attribute_of_the_network_##NAME;                                                            \
    MASS_STATEMENT_(mass_declare_edge_attribute_of_##NETWORK##_##NAME,                                                 \
                    mass_networks_of(host)->attribute(                                                                 \
                        host, &(const mass_edge_attribute){.struct_size = sizeof(mass_edge_attribute),                 \
                                                           .type = MASS_TYPE_OF(TYPE), .network = #NETWORK,            \
                                                           .name = #NAME, __VA_ARGS__}))

/* MASS_ATTRIBUTE(space, type, name, ...) declares an attribute of places, MASS_AGENT_ATTRIBUTE(population, type, name,
 * ...) one of agents. Any members of mass_attribute in plugin.h may follow. An attribute of a struct type names its
 * members: MASS_MEMBERS(type, a, b). MASS_VECTOR and MASS_AGENT_VECTOR(owner, struct, number, name, ...) take a struct
 * whose members all have the type `number`; each member is one component. Attributes of the same name on two spaces
 * must have the same type. */
#define MASS_ATTRIBUTE(SPACE, TYPE, NAME, ...)                  \
    typedef TYPE MASS_JOIN(mass_attribute_of_the_space_, NAME); \
    MASS_ARRAY_(SPACE, NAME, TYPE, .space = #SPACE, .name = #NAME, MASS_ELEMENT_OF_(TYPE), __VA_ARGS__)
#define MASS_AGENT_ATTRIBUTE(POPULATION, TYPE, NAME, ...) \
    typedef TYPE mass_attribute_of_##POPULATION##_##NAME; \
    MASS_ARRAY_(POPULATION, NAME, TYPE, .population = #POPULATION, .name = #NAME, MASS_ELEMENT_OF_(TYPE), __VA_ARGS__)
#define MASS_VECTOR(SPACE, TYPE, NUMBER, NAME, ...)             \
    typedef TYPE MASS_JOIN(mass_attribute_of_the_space_, NAME); \
    MASS_ARRAY_(SPACE, NAME, NUMBER, .space = #SPACE, .name = #NAME, MASS_NUMBERS_OF_(TYPE, NUMBER), __VA_ARGS__)
#define MASS_AGENT_VECTOR(POPULATION, TYPE, NUMBER, NAME, ...)                                                      \
    typedef TYPE mass_attribute_of_##POPULATION##_##NAME;                                                           \
    MASS_ARRAY_(POPULATION, NAME, NUMBER, .population = #POPULATION, .name = #NAME, MASS_NUMBERS_OF_(TYPE, NUMBER), \
                __VA_ARGS__)
/* MASS_POSITIONS(population, dimensions, float or double, ...) gives agents positions in continuous space
 * (positions.h). */
#define MASS_POSITIONS(POPULATION, DIMENSIONS, NUMBER, ...)                                                    \
    typedef MASS_JOIN(mass_point_##NUMBER##_, DIMENSIONS) mass_attribute_of_##POPULATION##_position;           \
    MASS_ARRAY_(POPULATION, position, NUMBER, .population = #POPULATION, .name = "position", .position = 1,    \
                MASS_NUMBERS_OF_(mass_attribute_of_##POPULATION##_position, NUMBER), __VA_ARGS__)
#define MASS_ARRAY_(OWNER, NAME, TYPE, ...)                            \
    MASS_STATEMENT_(mass_declare_attribute_of_##OWNER##_##NAME,        \
                    mass_declare_of(host)->attribute(                  \
                        host, &(const union {                          \
                            MASS_SAID_ATTRIBUTE_(TYPE) said;           \
                            mass_attribute told;                       \
                        }){.said = {MASS_SIZES_attribute, __VA_ARGS__}}.told))
/* A mass_attribute with an .initial whose type the compiler checks. The .initial of a bool may also be a uint8_t. */
#define MASS_SAID_ATTRIBUTE_(TYPE)                    \
    struct {                                          \
        uint32_t struct_size, type;                   \
        const char *space, *name, *help, *unit;       \
        uint32_t length, layout;                      \
        MASS_INITIAL_OF_(TYPE) initial;               \
        uint32_t element_size, member_count;          \
        const mass_member *members;                   \
        const char *population;                       \
        uint32_t member_size;                         \
        double least, most;                           \
        uint32_t flush;                               \
        const char *names[MASS_VALUE_NAMES];          \
        uint32_t claims, position;                    \
    }
#define MASS_INITIAL_OF_(TYPE) \
    __typeof__(_Generic((TYPE *)0, _Bool *: (const void *)0, default: (const TYPE *)0))
#define MASS_ELEMENT_OF_(TYPE) \
    .type = MASS_TYPE_OF(TYPE), .element_size = MASS_TYPE_OF(TYPE) == MASS_STRUCT ? sizeof(TYPE) : 0
#define MASS_NUMBERS_OF_(TYPE, NUMBER) \
    .type = MASS_TYPE_OF(NUMBER), .length = sizeof(TYPE) / sizeof(NUMBER), .layout = MASS_INTERLEAVED
#define MASS_MEMBERS(TYPE, ...)                                                     \
    .members = (const mass_member[]){MASS_NAMES_(MASS_MEMBER_, TYPE, __VA_ARGS__)}, \
    .member_count = MASS_COUNT_(__VA_ARGS__)
#define MASS_MEMBER_(TYPE, NAME) {#NAME, MASS_TYPE_OF(__typeof__(((TYPE *)0)->NAME)), offsetof(TYPE, NAME)},

/* A parameter that users may set. .unit = "K" and .by_default, the effect of leaving it unset, may follow the help,
 * except in a choice:
 *     MASS_PARAMETER(int64_t, name, default, least, most, help)    INT64_MIN or INT64_MAX: an open end of the range
 *     MASS_PARAMETER(double, name, default, least, most, help)     ... -INFINITY or INFINITY; 0, 0: no limits
 *     MASS_PARAMETER(text, name, default, help)
 *     MASS_PARAMETER(choice, name, default, help, choices...)      callbacks and VALUE get its number, from 0
 * MASS_CONSTANT(int64_t or double, name, value) declares a value that users cannot set. */
#define MASS_PARAMETER(TYPE, NAME, ...) MASS_PARAMETER_OF_##TYPE(NAME, __VA_ARGS__)
#define MASS_PARAMETER_OF_int64_t(NAME, DEFAULT, LEAST, MOST, ...)                                         \
    MASS_VALUED_(int64_t, integer, NAME)                                                                   \
    MASS_STATEMENT_(MASS_JOIN(mass_declare_parameter_, NAME),                                              \
                    MASS_DECLARE(host, parameter, .name = #NAME, .type = MASS_INTEGER, .integer = DEFAULT, \
                                 .integer_min = LEAST, .integer_max = MOST, .help = __VA_ARGS__))
#define MASS_PARAMETER_OF_double(NAME, DEFAULT, LEAST, MOST, ...)                                    \
    MASS_VALUED_(double, real, NAME)                                                                 \
    MASS_STATEMENT_(MASS_JOIN(mass_declare_parameter_, NAME),                                        \
                    MASS_DECLARE(host, parameter, .name = #NAME, .type = MASS_REAL, .real = DEFAULT, \
                                 .real_min = LEAST, .real_max = MOST, .help = __VA_ARGS__))
#define MASS_PARAMETER_OF_text(NAME, DEFAULT, ...)                                                   \
    MASS_VALUED_(const char *, text, NAME)                                                           \
    MASS_STATEMENT_(MASS_JOIN(mass_declare_parameter_, NAME),                                        \
                    MASS_DECLARE(host, parameter, .name = #NAME, .type = MASS_TEXT, .text = DEFAULT, \
                                 .help = __VA_ARGS__))
#define MASS_PARAMETER_OF_choice(NAME, DEFAULT, HELP, ...)                                             \
    MASS_VALUED_(int64_t, integer, NAME)                                                               \
    MASS_STATEMENT_(MASS_JOIN(mass_declare_parameter_, NAME),                                          \
                    MASS_DECLARE(host, parameter, .name = #NAME, .type = MASS_CHOICE, .text = DEFAULT, \
                                 .choices = (const char *const[]){__VA_ARGS__, NULL}, .help = HELP))
/* A list of parameters, which users set as --set rates=1,2,3 or --set rates=@file.csv. It has 1 to `length` values, or
 * none if the default is "". Bodies that have LISTS(name) use PARAM_AT and PARAM_COUNT:
 *     MASS_PARAMETER_LIST(int64_t or double, name, length, "0.1, 0.2", least, most, help)
 * A table by step has the value of each step, which bodies get by PARAM_NOW. A run has at most as many steps:
 *     MASS_PARAMETER_TABLE(int64_t or double, name, length, "", least, most, help) */
#define MASS_PARAMETER_LIST(TYPE, NAME, LENGTH, ...)          \
    MASS_LIST_TYPE_(TYPE, NAME, LENGTH, TYPE values[LENGTH];) \
    MASS_PARAMETER_LIST_OF_##TYPE(NAME, LENGTH, 0, __VA_ARGS__)
#define MASS_PARAMETER_TABLE(TYPE, NAME, LENGTH, ...)                \
    MASS_LIST_TYPE_(TYPE, NAME, LENGTH,                              \
                    union {                                          \
                        TYPE values[LENGTH];                         \
                        TYPE rows_of_a_MASS_PARAMETER_TABLE[LENGTH]; \
                    };)                                              \
    MASS_PARAMETER_LIST_OF_##TYPE(NAME, LENGTH, 1, __VA_ARGS__)
#define MASS_LIST_TYPE_(TYPE, NAME, LENGTH, ...)                                                             \
    MASS_ASSERT_((LENGTH) >= 1 && (LENGTH) <= (1 << 20),                                                     \
                 "the list " #NAME " has a length of " #LENGTH ", not 1 to 1048576")                         \
    typedef struct {                                                                                         \
        int64_t count;                                                                                       \
        __VA_ARGS__                                                                                          \
    } MASS_JOIN(mass_parameter_, NAME);
#define MASS_PARAMETER_LIST_OF_int64_t(NAME, LENGTH, BY_STEP, DEFAULT, LEAST, MOST, ...)                          \
    MASS_VALUE_AT_OF_(int64_t, integer, NAME)                                                                     \
    MASS_STATEMENT_(MASS_JOIN(mass_declare_parameter_, NAME),                                                     \
                    MASS_DECLARE(host, parameter, .name = #NAME, .type = MASS_INTEGER_LIST, .text = DEFAULT,      \
                                 .integer_min = LEAST, .integer_max = MOST, .length = LENGTH, .by_step = BY_STEP, \
                                 .help = __VA_ARGS__))
#define MASS_PARAMETER_LIST_OF_double(NAME, LENGTH, BY_STEP, DEFAULT, LEAST, MOST, ...)                     \
    MASS_VALUE_AT_OF_(double, real, NAME)                                                                   \
    MASS_STATEMENT_(MASS_JOIN(mass_declare_parameter_, NAME),                                               \
                    MASS_DECLARE(host, parameter, .name = #NAME, .type = MASS_REAL_LIST, .text = DEFAULT,   \
                                 .real_min = LEAST, .real_max = MOST, .length = LENGTH, .by_step = BY_STEP, \
                                 .help = __VA_ARGS__))
/* C types that an author may try: each fails to compile with a message that names the right ones. */
#define MASS_PARAMETER_OF_int(NAME, ...) MASS_NO_PARAMETER_(int, NAME)
#define MASS_PARAMETER_OF_long(NAME, ...) MASS_NO_PARAMETER_(long, NAME)
#define MASS_PARAMETER_OF_bool(NAME, ...) MASS_NO_PARAMETER_(bool, NAME)
#define MASS_PARAMETER_OF__Bool(NAME, ...) MASS_NO_PARAMETER_(bool, NAME)
#define MASS_PARAMETER_OF_float(NAME, ...) MASS_NO_PARAMETER_(float, NAME)
#define MASS_PARAMETER_OF_uint8_t(NAME, ...) MASS_NO_PARAMETER_(uint8_t, NAME)
#define MASS_PARAMETER_OF_int32_t(NAME, ...) MASS_NO_PARAMETER_(int32_t, NAME)
#define MASS_PARAMETER_OF_uint32_t(NAME, ...) MASS_NO_PARAMETER_(uint32_t, NAME)
#define MASS_PARAMETER_OF_uint64_t(NAME, ...) MASS_NO_PARAMETER_(uint64_t, NAME)
#define MASS_NO_PARAMETER_(TYPE, NAME)                                                                   \
    MASS_ASSERT_(0, "MASS_PARAMETER " #NAME " is of int64_t, double, text or choice, and not of " #TYPE) \
    MASS_VALUED_(int64_t, integer, NAME)
#define MASS_CONSTANT(TYPE, NAME, ...)           \
    MASS_VALUED_(TYPE, MASS_NUMBER_##TYPE, NAME) \
    MASS_STATEMENT_(MASS_JOIN(mass_declare_constant_, NAME), MASS_CONSTANT_OF_##TYPE(NAME, __VA_ARGS__))
#define MASS_CONSTANT_OF_int64_t(NAME, ...) \
    MASS_DECLARE(host, constant, .name = #NAME, .type = MASS_INTEGER, .integer = __VA_ARGS__)
#define MASS_CONSTANT_OF_double(NAME, ...) \
    MASS_DECLARE(host, constant, .name = #NAME, .type = MASS_REAL, .real = __VA_ARGS__)
#define MASS_NUMBER_int64_t integer
#define MASS_NUMBER_double real
#define MASS_VALUED_(TYPE, NUMBER, NAME)           \
    typedef TYPE MASS_JOIN(mass_parameter_, NAME); \
    MASS_VALUE_OF_(TYPE, NUMBER, NAME)

/* MASS_TALLY(SUM, MIN, MAX or MEAN, int64_t or double, name, help, ...): any members of mass_tally in plugin.h may
 * follow. With .fraction_bits, a sum of int64_t is in fixed point. With .initial, bodies may read it (TOTALS) before it
 * is first counted. */
#define MASS_TALLY(ACCESS, TYPE, NAME, ...)                                                                        \
    typedef TYPE MASS_JOIN(mass_tally_, NAME);                                                                     \
    MASS_ASSERT_(MASS_IS_WIDE_(TYPE), "MASS_TALLY " #NAME " is of int64_t or of double, and not of " #TYPE)        \
    MASS_STATEMENT_(MASS_JOIN(mass_declare_tally_, NAME),                                                          \
                    mass_declare_said_tally(host, MASS_TYPE_OF(TYPE) == MASS_F64, #__VA_ARGS__,                    \
                                            (mass_tally){MASS_SIZES_tally, .access = MASS_##ACCESS, .name = #NAME, \
                                                         .help = __VA_ARGS__}))

/* MASS_WORLD_ATTRIBUTE(int64_t or double, name, ...) declares a value that each world has one of.
 * MASS_WORLD_ARRAY(type, name, length, ...) declares an array. All values begin with .initial, or with 0. There may
 * also be .help and .unit. A body of MASS_ONCE writes the values, and every body may read them (WORLD). */
#define MASS_WORLD_ATTRIBUTE(TYPE, NAME, ...)           \
    typedef TYPE MASS_JOIN(mass_world_attribute_, NAME); \
    MASS_KEPT_BY_WORLDS_(MASS_WORLD_ATTRIBUTE, TYPE, NAME, .access = MASS_OF_WORLD, __VA_ARGS__)
#define MASS_WORLD_ARRAY(TYPE, NAME, LENGTH, ...)                                                                  \
    MASS_ASSERT_((LENGTH) >= 1 && (LENGTH) <= MASS_WORLD_LENGTH_MOST_,                                             \
                 "MASS_WORLD_ARRAY " #NAME " has a length of " #LENGTH ", not 1 to 1024")                          \
    typedef struct { TYPE values[LENGTH]; } MASS_JOIN(mass_world_attribute_, NAME);                                \
    MASS_KEPT_BY_WORLDS_(MASS_WORLD_ARRAY, TYPE, NAME, .access = MASS_OF_WORLD, .length = (LENGTH), __VA_ARGS__)
#define MASS_WORLD_LENGTH_MOST_ 1024
#define MASS_KEPT_BY_WORLDS_(STATEMENT, TYPE, NAME, ...)                                                       \
    MASS_ASSERT_(MASS_IS_WIDE_(TYPE), #STATEMENT " " #NAME " is of int64_t or of double, and not of " #TYPE)   \
    MASS_STATEMENT_(MASS_JOIN(mass_declare_world_attribute_, NAME),                                            \
                    MASS_DECLARE(host, tally, .name = #NAME,                                                   \
                                 .kind = MASS_TYPE_OF(TYPE) == MASS_F64 ? MASS_TALLY_REAL : MASS_TALLY_INTEGER, \
                                 __VA_ARGS__))

/* MASS_POPULATION(name, space, ...): any members of mass_population in agents.h may follow. */
#define MASS_POPULATION(NAME, SPACE, ...)                      \
    MASS_STATEMENT_(MASS_JOIN(mass_declare_population_, NAME), \
                    MASS_DECLARE_AGENTS(host, population, .name = #NAME, .space = #SPACE, __VA_ARGS__))

/* MASS_REDUCTION(name, .operation = MASS_SUM, ...) has the members of mass_reduction in reductions.h.
 * MASS_SERIES("population", ...) has those of mass_series in series.h. */
#define MASS_REDUCTION(NAME, ...) \
    MASS_STATEMENT_(MASS_JOIN(mass_declare_reduction_, NAME), MASS_DECLARE_REDUCTION(host, .name = #NAME, __VA_ARGS__))
#define MASS_SERIES(...) \
    MASS_STATEMENT_(MASS_JOIN(mass_declare_series_, __LINE__), MASS_DECLARE_SERIES(host, .expression = __VA_ARGS__))

/* MASS_PICTURE(space, attribute, low, high, colours...): the first colour is that of the value `low`, the last that of
 * `high`. MASS_DEFAULT_STEPS(n) sets the number of steps of a run without --steps. */
#define MASS_PICTURE(SPACE, NAME, LOW, HIGH, ...)                                                              \
    MASS_STATEMENT_(mass_declare_picture,                                                                      \
                    MASS_DECLARE(host, picture, .space = #SPACE, .attribute = #NAME, .low = LOW, .high = HIGH, \
                                 .colours = MASS_COUNT_(__VA_ARGS__),                                          \
                                 .palette = (const uint32_t[]){__VA_ARGS__}))
#define MASS_DEFAULT_STEPS(...) MASS_STATEMENT_(mass_declare_steps, mass_declare_of(host)->steps(host, __VA_ARGS__))

/* The phases, in their order. There may be several MASS_SCHEDULE: their phases follow one another.
 *     STARTS(callback, ...)               runs once, before the first step
 *     STEPS(callback, ...)                runs in every step; .reach, .condition, .space and others may follow:
 *                                         mass_agent_phase in agents.h
 *     MANAGES(population, ...)            applies the requests of its agents; .order, .condition: mass_manage
 *     MANAGES_AT_START(population, ...)
 *     RELINKS(network, ...)               applies the requests for edges of a network, new ones and ends (network.h);
 *                                         RELINKS_AT_START(network, ...)
 *     IF(condition, phase)                adds one of these phases if the condition holds when the engine opens the
 *                                         plugin; .condition, in contrast, is evaluated in every step
 * MASS_DECLARE_PHASE(host, MASS_STEP, callback, ...) and MASS_DECLARE_MANAGE(host, MASS_STEP, population, ...) do the
 * same in a statement by hand. */
#define MASS_SCHEDULE(...) \
    MASS_STATEMENT_(MASS_JOIN(mass_declare_schedule_, __LINE__), (MASS_ENTRIES_(, MASS_PHASE_, , __VA_ARGS__) MASS_OK))
#define MASS_PHASE_(none, entry) MASS_PHASE_##entry,
#define MASS_PHASE_STARTS(...) (void)MASS_DECLARE_PHASE(host, MASS_START, __VA_ARGS__)
#define MASS_PHASE_STEPS(...) (void)MASS_DECLARE_PHASE(host, MASS_STEP, __VA_ARGS__)
#define MASS_PHASE_MANAGES(...) (void)MASS_DECLARE_MANAGE(host, MASS_STEP, __VA_ARGS__)
#define MASS_PHASE_MANAGES_AT_START(...) (void)MASS_DECLARE_MANAGE(host, MASS_START, __VA_ARGS__)
#define MASS_PHASE_RELINKS(NETWORK, ...) \
    (void)MASS_DECLARE_MANAGE(host, MASS_STEP, NETWORK##_edges, ##__VA_ARGS__)
#define MASS_PHASE_RELINKS_AT_START(NETWORK, ...) \
    (void)MASS_DECLARE_MANAGE(host, MASS_START, NETWORK##_edges, ##__VA_ARGS__)
#define MASS_PHASE_START(...) MASS_LACKING_("MASS_SCHEDULE: it is STARTS(callback), and not START", (void)0)
#define MASS_PHASE_STEP(...) MASS_LACKING_("MASS_SCHEDULE: it is STEPS(callback), and not STEP", (void)0)
#define MASS_PHASE_MANAGE(...) MASS_LACKING_("MASS_SCHEDULE: it is MANAGES(population), and not MANAGE", (void)0)
#define MASS_PHASE_mass_the_step(...) MASS_PHASE_STEP
#define MASS_PHASE_IF(CONDITION, entry) ((CONDITION) ? (MASS_PHASE_##entry) : (void)0)
#define MASS_DECLARE_PHASE(HOST, SCHEDULE, CALLBACK, ...)                                                   \
    mass_declare_said_phase((HOST), &(const mass_agent_phase){MASS_SIZES_agent_phase, .schedule = SCHEDULE, \
                                                              .callback = &CALLBACK,                        \
                                                              .population = CALLBACK##_population, __VA_ARGS__})
#define MASS_DECLARE_MANAGE(HOST, SCHEDULE, POPULATION, ...) \
    MASS_DECLARE_AGENTS(HOST, manage, .schedule = SCHEDULE, .population = #POPULATION, __VA_ARGS__)

/* The value of a parameter or constant that was declared above; for code that has a `host`. */
#define VALUE(NAME) mass_value_of_##NAME(host)
/* A value of a list, from 0, and the number of its values; likewise. */
#define VALUE_AT(NAME, I) mass_value_at_##NAME(host, (I))
#define VALUE_COUNT(NAME) mass_value_count_##NAME(host)
/* The extent of a space that was declared above, along axis 0 (x), 1 (y) or 2 (z), after --size. It is 1 along an axis
 * that the space does not have. */
#define EXTENT(SPACE, AXIS) mass_extent_of(host, #SPACE, (AXIS))
/* The number of cells that a distance of continuous space reaches, for the .reach of a phase (positions.h). */
#define CELLS(SPACE, DISTANCE) mass_values_of(host)->cells(host, #SPACE, (DISTANCE))

/* A statement written by hand: the macro is followed by its body in braces. */
#define MASS_OPEN(NAME) MASS_STATED_(NAME)

/* MASS_PLUGIN(.name = "forest-fire", .version = "1.0.0", ...), once in a plugin: any members of mass_plugin in plugin.h
 * may follow. It requests all tables of the engine that this SDK knows. */
#undef MASS_PLUGIN
#define MASS_PLUGIN(...) MASS_STATED_PLUGIN_(__VA_ARGS__)

/* ---- statements become records, and mass_open_stated declares them ---- */

#if MASS_HOST

_Static_assert(sizeof(MASS_SAID_ATTRIBUTE_(int)) == sizeof(mass_attribute) &&
                   offsetof(mass_attribute, position) + sizeof(uint32_t) == sizeof(mass_attribute),
               "MASS_SAID_ATTRIBUTE_ has all members of mass_attribute");

/* The record of a statement. The linker puts the records of a plugin into one section, in any order. */
typedef struct mass_statement {
    mass_status (*declare)(mass_host *host);
    const char *file; /* an address that is the same for all statements of a file */
    int number;       /* the statement's number in its file */
} mass_statement;
extern const mass_statement *const __start_mass_statements[] __attribute__((visibility("hidden")));
extern const mass_statement *const __stop_mass_statements[] __attribute__((visibility("hidden")));
__attribute__((unused)) static const char mass_statement_file = 0;

#define MASS_STATED_(NAME)                                                                                             \
    static mass_status NAME(mass_host *host);                                                                          \
    static const mass_statement MASS_JOIN(NAME, _statement) = {NAME, &mass_statement_file, __COUNTER__};               \
    __attribute__((section("mass_statements"), used)) static const mass_statement *const MASS_JOIN(NAME, _is_stated) = \
        &MASS_JOIN(NAME, _statement);                                                                                  \
    static mass_status NAME(mass_host *host)
#define MASS_STATEMENT_(NAME, ...) \
    MASS_STATED_(NAME)             \
    {                              \
        return __VA_ARGS__;        \
    }
#define MASS_VALUE_OF_(TYPE, NUMBER, NAME)                                                       \
    __attribute__((unused)) static inline TYPE MASS_JOIN(mass_value_of_, NAME)(mass_host * host) \
    {                                                                                            \
        return mass_values_of(host)->NUMBER(host, #NAME);                                        \
    }

#define MASS_VALUE_AT_OF_(TYPE, NUMBER, NAME)                                                               \
    __attribute__((unused)) static inline TYPE MASS_JOIN(mass_value_at_, NAME)(mass_host * host, int64_t i) \
    {                                                                                                       \
        return mass_values_of(host)->NUMBER##_at(host, #NAME, (uint64_t)i);                                 \
    }                                                                                                       \
    __attribute__((unused)) static inline int64_t MASS_JOIN(mass_value_count_, NAME)(mass_host * host)      \
    {                                                                                                       \
        return (int64_t)mass_values_of(host)->count(host, #NAME);                                           \
    }

#define MASS_STATED_PLUGIN_(...) \
    MASS_ENTRY_POINT_(.services = mass_services, .open = mass_open_stated, __VA_ARGS__)

/* Returns the statement of a file after `last`, or the file's first if `last` is NULL. NULL: there is none. */
static inline const mass_statement *mass_statement_after(const char *file, const mass_statement *last)
{
    const mass_statement *next = NULL;
    for (const mass_statement *const *s = __start_mass_statements; s < __stop_mass_statements; s++)
        if ((*s)->file == file && (!last || (*s)->number > last->number) && (!next || (*s)->number < next->number))
            next = *s;
    return next;
}

/* Declares all statements, file by file, in the order in which the files are linked. */
__attribute__((unused)) static mass_status mass_open_stated(mass_host *host)
{
    mass_status status = MASS_OK;
    for (const mass_statement *const *f = __start_mass_statements; f < __stop_mass_statements; f++) {
        const mass_statement *const *same = __start_mass_statements;
        while ((*same)->file != (*f)->file) same++;
        if (same != f) continue;
        for (const mass_statement *s = NULL; status == MASS_OK && (s = mass_statement_after((*f)->file, s));)
            status = s->declare(host);
    }
    return status;
}

/* The tables that models request (mass_plugin.services). */
__attribute__((unused)) static const char *const mass_services[] = {
    MASS_DECLARE_ID, MASS_VALUES_ID, MASS_RUN_ID, MASS_KEYS_ID, MASS_AGENTS_ID, MASS_PLACING_ID, MASS_REDUCTIONS_ID,
    MASS_SEED_ID, MASS_SERIES_ID, MASS_STREAMS_ID, MASS_TALLIES_ID, MASS_NETWORKS_ID, NULL};

/* Returns the extent of a space along an axis: 1 if the space does not have it. A space that was not declared fails
 * the plugin. */
static inline mass_gidx mass_extent_of(mass_host *host, const char *space, int axis)
{
    return mass_values_of(host)->extent(host, space, (uint32_t)axis);
}

/* Returns whether the arguments of MASS_TALLY set .initial. Texts in them do not count. */
static inline int mass_says_initial(const char *arguments)
{
    static const char member[] = ".initial";
    int quoted = 0;
    for (const char *c = arguments; *c; c++) {
        size_t same = 0;
        while (same < sizeof member - 1 && c[same] == member[same]) same++;
        if (!quoted && same == sizeof member - 1) return 1;
        if (quoted && *c == '\\' && c[1]) c++;
        else if (*c == '"') quoted = !quoted;
    }
    return 0;
}

/* Declares the tally of MASS_TALLY. real: its C type is double. It sets .kind, which .fraction_bits makes fixed, and
 * .has_initial. */
static inline mass_status mass_declare_said_tally(mass_host *host, int real, const char *arguments, mass_tally tally)
{
    if (mass_says_initial(arguments)) tally.has_initial = 1;
    tally.kind = real ? MASS_TALLY_REAL : tally.fraction_bits ? MASS_TALLY_FIXED : MASS_TALLY_INTEGER;
    return mass_declare_of(host)->tally(host, &tally);
}

/* Declares a phase: in mass.agents/0 if it sets a member, or has a callback, that only this table takes; else in
 * mass.declare/0. */
static inline mass_status mass_declare_said_phase(mass_host *host, const mass_agent_phase *p)
{
    if (p->population || p->condition || p->reach || p->order || p->reversed || p->shape || p->meets || p->changes ||
        p->turn || p->callback->over == MASS_OVER_TURNS || p->callback->over == MASS_OVER_NODES_IN_TURN)
        return mass_agents_of(host)->phase(host, p);
    return MASS_DECLARE(host, phase, .schedule = p->schedule, .space = p->space, .callback = p->callback);
}

#else

#define MASS_STATED_(NAME)
#define MASS_STATEMENT_(NAME, ...)
#define MASS_VALUE_OF_(TYPE, NUMBER, NAME)
#define MASS_VALUE_AT_OF_(TYPE, NUMBER, NAME)
#define MASS_STATED_PLUGIN_(...)

#endif

#endif
