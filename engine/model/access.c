/* SPDX-License-Identifier: Apache-2.0 */
#include "model/access.h"

#include <mass/plugin.h>
#include <string.h>

/* Relations between the element that a callback is called for and a field's values. A row has the class for callbacks
 * over places, agents, residents, occupied places, worlds, agents or places in turn, and nodes in turn. The reach and
 * three flags follow. The first: it is of what the callback runs over. The second: bodies have addresses of what they
 * read. The third: agents may be of any population that the callback sees. BESIDE is NEARBY, but places have none. */
#define RELATIONS(X)                                                                                                  \
  /*relation   places       agents       residents    occupied     worlds turns        nodes        reach    flags */ \
  X(ELEMENT,   PLACES,      AGENTS,      PLACES,      PLACES,      KEPT,  AGENTS,      PLACES,      AROUND,  1, 0, 0) \
  X(PLACE,     NONE,        PLACES,      NONE,        NONE,        NONE,  PLACES,      NONE,        AROUND,  0, 1, 0) \
  X(ANYWHERE,  PLACES,      PLACES,      PLACES,      PLACES,      NONE,  NONE,        NONE,        AROUND,  0, 0, 0) \
  X(ROW,       PLACES,      NONE,        NONE,        NONE,        NONE,  NONE,        NONE,        ROW,     0, 1, 0) \
  X(RESIDENTS, NONE,        NONE,        AGENTS,      AGENTS,      NONE,  AGENTS,      PLACES,      OWN,     0, 1, 1) \
  X(NEARBY,    AGENTS,      AGENTS,      AGENTS,      AGENTS,      NONE,  AGENTS,      NONE,        NEARBY,  0, 1, 1) \
  X(BESIDE,    NONE,        AGENTS,      AGENTS,      AGENTS,      NONE,  NONE,        NONE,        NEARBY,  0, 1, 1) \
  X(CHILD,     NONE,        REQUEST,     REQUEST,     REQUEST,     NONE,  NONE,        NONE,        OWN,     0, 0, 1) \
  X(SPROUT,    SPROUTS,     NONE,        SPROUTS,     SPROUTS,     NONE,  NONE,        NONE,        OWN,     0, 0, 1) \
  X(WORLD,     WORLD,       WORLD,       WORLD,       WORLD,       WORLD, WORLD,       WORLD,       OWN,     0, 0, 0) \
  X(TALLY,     ACCUMULATOR, ACCUMULATOR, ACCUMULATOR, ACCUMULATOR, NONE,  ACCUMULATOR, ACCUMULATOR, OWN,     0, 0, 0) \
  X(TOTAL,     TOTAL,       TOTAL,       TOTAL,       TOTAL,       TOTAL, TOTAL,       TOTAL,       OWN,     0, 0, 0) \
  X(ANYBODY,   NONE,        AGENTS,      AGENTS,      AGENTS,      NONE,  NONE,        NONE,        ANYBODY, 0, 0, 1) \
  X(FREE,      NONE,        AGENTS,      NONE,        NONE,        NONE,  NONE,        NONE,        FREE,    0, 0, 0) \
  X(TURN,      NONE,        NONE,        NONE,        NONE,        NONE,  PLACES,      NONE,        OWN,     0, 0, 0) \
  X(LINKED,    LINKED,      LINKED,      NONE,        NONE,        NONE,  NONE,        PLACES,      OWN,     0, 0, 0) \
  X(EDGE,      EDGES,       EDGES,       NONE,        NONE,        NONE,  NONE,        EDGES,       OWN,     0, 0, 0) \
  X(KEPT,      KEPT,        KEPT,        KEPT,        KEPT,        KEPT,  KEPT,        KEPT,        OWN,     0, 0, 0)

/* Effects. A row has what a callback does to the values, and what that means for the buffers of what it runs over. It
 * also has how contributions are combined. whole: every element must be called for, since none keeps its value. races:
 * the result depends on the order of calls. */
#define EFFECTS(X)                                                \
    /*   effect   does            buffer combine   whole races */ \
    X(READ,     READS,          OLD,   ADD,      0, 0)            \
    X(WRITE,    WRITES,         NEW,   ADD,      1, 0)            \
    X(UPDATE,   READS | WRITES, SAME,  ADD,      0, 0)            \
    X(RACE,     READS | WRITES, SAME,  ADD,      0, 1)            \
    X(ADD,      ADDS,           SAME,  ADD,      0, 0)            \
    X(LEAST,    ADDS,           SAME,  LEAST,    0, 0)            \
    X(GREATEST, ADDS,           SAME,  GREATEST, 0, 0)

/* Accesses of the SDK: the word of a callback's list, and its relation and effect. */
#define ACCESSES(X)                                     \
    X(READ,            "READS",    ELEMENT,   READ)     \
    X(WRITE,           "WRITES",   ELEMENT,   WRITE)    \
    X(UPDATE,          "UPDATES",  ELEMENT,   UPDATE)   \
    X(PARAM,           "GIVEN",    WORLD,     READ)     \
    X(SUM,             "SUMS",     TALLY,     ADD)      \
    X(MIN,             "MINS",     TALLY,     LEAST)    \
    X(MAX,             "MAXES",    TALLY,     GREATEST) \
    X(PLACE,           "SEES",     PLACE,     READ)     \
    X(CHILD,           "CHILDREN", CHILD,     WRITE)    \
    X(RESIDENT,        "MEETS",    RESIDENTS, READ)     \
    X(RESIDENT_UPDATE, "CHANGES",  RESIDENTS, UPDATE)   \
    X(RACE,            "RACES",    PLACE,     RACE)     \
    X(BINS,            "BINS",     TALLY,     ADD)      \
    X(KEYS,            "KEYS",     TALLY,     ADD)      \
    X(SCATTER_ADD,     "SCATTERS", ANYWHERE,  ADD)      \
    X(ITEMS,           "ITEMS",    ROW,       READ)     \
    X(NEARBY,          "NEARBY",   NEARBY,    READ)     \
    X(NEARBY_ADD,      "ADDS",     BESIDE,    ADD)      \
    X(TOTAL,           "TOTALS",   TOTAL,     READ)     \
    X(LIST,            "LISTS",    WORLD,     READ)     \
    X(SPROUT,          "SPROUTS",  SPROUT,    UPDATE)   \
    X(ANYBODY_ADD, "ADDS_ANYBODY", ANYBODY,   ADD)      \
    X(ANYBODY,         "ANYBODY",  ANYBODY,   READ)     \
    X(BY_ID,           "BY_ID",    ANYBODY,   READ)     \
    X(FREE_PLACES, "FREE_PLACES",  FREE,      READ)     \
    X(WORLD,           "WORLD",    KEPT,      READ)     \
    X(ALTER,           "ALTERS",   TURN,      UPDATE)   \
    X(LINKED,          "LINKED",   LINKED,    READ)     \
    X(EDGE,            "EDGES",    EDGE,      READ)

/* The columns of the rows as constants, from which the traits of an access are computed. */
enum { READS = MASS_EFFECT_READS, WRITES = MASS_EFFECT_WRITES, ADDS = MASS_EFFECT_ADDS };
#define RELATION_COLUMNS(NAME, PLACES, AGENTS, RESIDENTS, OCCUPIED, WORLDS, TURNS, NODES, REACH, OWN, ADDRESSED, ANY)  \
    enum { NAME##_over_places = MASS_CLASS_##PLACES, NAME##_over_agents = MASS_CLASS_##AGENTS,                         \
           NAME##_over_residents = MASS_CLASS_##RESIDENTS, NAME##_over_occupied = MASS_CLASS_##OCCUPIED,               \
           NAME##_over_worlds = MASS_CLASS_##WORLDS, NAME##_over_turns = MASS_CLASS_##TURNS,                           \
           NAME##_over_nodes = MASS_CLASS_##NODES,                                                                     \
           NAME##_reach = MASS_REACH_##REACH, NAME##_own = OWN,                                                        \
           NAME##_addressed = ADDRESSED, NAME##_any = ANY,                                                             \
           NAME##_is_value = NAME##_over_places == MASS_CLASS_WORLD || NAME##_over_places == MASS_CLASS_TOTAL ||       \
                            NAME##_over_places == MASS_CLASS_KEPT ||                                                   \
                            NAME##_over_places == MASS_CLASS_ACCUMULATOR,                                              \
           NAME##_is_places = NAME##_over_places == MASS_CLASS_PLACES || NAME##_over_agents == MASS_CLASS_PLACES ||    \
                              NAME##_over_turns == MASS_CLASS_PLACES };
#define EFFECT_COLUMNS(NAME, DOES, BUFFER, COMBINE, WHOLE, RACES)                                                      \
    enum { NAME##_does = DOES, NAME##_buffer = MASS_BUFFER_##BUFFER, NAME##_combine = MASS_COMBINE_##COMBINE,          \
           NAME##_whole = WHOLE, NAME##_races = RACES };
RELATIONS(RELATION_COLUMNS)
EFFECTS(EFFECT_COLUMNS)

/* Only reads and contributions reach beyond the element itself. If only places with agents are called for, no array of
 * places can be written as a whole. Contributions to places are added to ghosts first. */
#define IN_TURN(ACCESS, RELATION, EFFECT, OVER)                                              \
    EFFECT##_whole || EFFECT##_races || MASS_##ACCESS == MASS_KEYS ||                        \
            (EFFECT##_does & ADDS && !RELATION##_is_value)                                   \
        ? MASS_CLASS_NONE : (mass_access_class)RELATION##_over_##OVER
#define TRAITS(ACCESS, ENTRY, RELATION, EFFECT)                                                                        \
    [MASS_##ACCESS] = {                                                                                                \
        .name = #ACCESS, .entry = ENTRY, .effect = EFFECT##_does, .own = RELATION##_own, .races = EFFECT##_races,      \
        .over = {[MASS_OVER_PLACES] = (mass_access_class)RELATION##_over_places,                                       \
                 [MASS_OVER_AGENTS] = (mass_access_class)RELATION##_over_agents,                                       \
                 [MASS_OVER_RESIDENTS] = (mass_access_class)RELATION##_over_residents,                                 \
                 [MASS_OVER_OCCUPIED] = EFFECT##_whole && RELATION##_is_places ? MASS_CLASS_NONE                       \
                                                       : (mass_access_class)RELATION##_over_occupied,                  \
                 [MASS_OVER_TURNS] = IN_TURN(ACCESS, RELATION, EFFECT, turns),                                         \
                 [MASS_OVER_NODES_IN_TURN] = IN_TURN(ACCESS, RELATION, EFFECT, nodes),                                 \
                 [MASS_OVER_WORLDS] = EFFECT##_does & WRITES || !RELATION##_own                                        \
                                          ? (mass_access_class)RELATION##_over_worlds : MASS_CLASS_NONE},              \
        .reach = EFFECT##_does & WRITES ? MASS_REACH_OWN : (mass_access_reach)RELATION##_reach,                        \
        .elements = RELATION##_is_value ? MASS_ELEMENTS_VALUES                                                         \
                    : EFFECT##_does & ADDS ? MASS_ELEMENTS_COUNTERS : MASS_ELEMENTS_ANY,                               \
        .buffer = RELATION##_is_places && EFFECT##_does & ADDS ? MASS_BUFFER_CLEARED                                   \
                  : RELATION##_own ? (mass_access_buffer)EFFECT##_buffer : MASS_BUFFER_SAME,                           \
        .combine = (mass_combine_rule)EFFECT##_combine,                                                                \
        .addressed = RELATION##_addressed && EFFECT##_does == (int)READS, .any_population = RELATION##_any, \
        .finds_ids = MASS_##ACCESS == MASS_BY_ID},

const mass_access_traits mass_access_rows[MASS_ACCESS_COUNT] = {ACCESSES(TRAITS)};

const mass_tally_operation mass_tally_operations[MASS_TALLY_OPERATIONS] = {
    {"sum", MASS_SUM, MASS_SUM}, {"min", MASS_MIN, MASS_MIN}, {"max", MASS_MAX, MASS_MAX},
    {"mean", MASS_MEAN, MASS_SUM}, {"world", MASS_OF_WORLD, MASS_WORLD}};

const mass_tally_operation *mass_tally_operation_of(uint32_t operation)
{
    for (int i = 0; i < MASS_TALLY_OPERATIONS; i++)
        if (mass_tally_operations[i].operation == operation) return &mass_tally_operations[i];
    return NULL;
}

const mass_tally_operation *mass_tally_operation_named(const char *name)
{
    for (int i = 0; i < MASS_TALLY_OPERATIONS; i++)
        if (strcmp(mass_tally_operations[i].name, name) == 0) return &mass_tally_operations[i];
    return NULL;
}
