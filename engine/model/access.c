/* SPDX-License-Identifier: Apache-2.0 */
#include "model/access.h"

#include <mass/plugin.h>
#include <string.h>

/* Callbacks of all kinds; those over agents; over places alone; over places with the agents on them. */
#define OVER_ALL(CLASS) {MASS_CLASS_NONE, CLASS, CLASS, CLASS, CLASS}
#define OVER_AGENTS(CLASS) {[MASS_OVER_AGENTS] = CLASS}
#define OVER_PLACES(CLASS) {[MASS_OVER_PLACES] = CLASS}
#define OVER_RESIDENTS(CLASS) {[MASS_OVER_RESIDENTS] = CLASS, [MASS_OVER_OCCUPIED] = CLASS}
/* What they run over: places, or agents. Where only places with agents are called, none is written everywhere. */
#define OWN {MASS_CLASS_NONE, MASS_CLASS_PLACES, MASS_CLASS_AGENTS, MASS_CLASS_PLACES, MASS_CLASS_PLACES}
#define OWN_EVERYWHERE {MASS_CLASS_NONE, MASS_CLASS_PLACES, MASS_CLASS_AGENTS, MASS_CLASS_PLACES, MASS_CLASS_NONE}

enum { READS = MASS_EFFECT_READS, WRITES = MASS_EFFECT_WRITES, ADDS = MASS_EFFECT_ADDS };

const mass_access_traits mass_access_rows[MASS_ACCESS_COUNT] = {
    [MASS_READ] = {"READ", "READS", OWN, READS, .reach = MASS_REACH_AROUND, .buffer = MASS_BUFFER_OLD, .own = true},
    [MASS_WRITE] = {"WRITE", "WRITES", OWN_EVERYWHERE, WRITES, .buffer = MASS_BUFFER_NEW, .own = true},
    [MASS_UPDATE] = {"UPDATE", "UPDATES", OWN, READS | WRITES, .own = true},
    [MASS_PARAM] = {"PARAM", "GIVEN", OVER_ALL(MASS_CLASS_WORLD), READS, .elements = MASS_ELEMENTS_VALUES},
    [MASS_SUM] = {"SUM", "SUMS", OVER_ALL(MASS_CLASS_ACCUMULATOR), ADDS, .elements = MASS_ELEMENTS_VALUES},
    [MASS_MIN] = {"MIN", "MINS", OVER_ALL(MASS_CLASS_ACCUMULATOR), ADDS, .elements = MASS_ELEMENTS_VALUES,
                  .combine = MASS_COMBINE_LEAST},
    [MASS_MAX] = {"MAX", "MAXES", OVER_ALL(MASS_CLASS_ACCUMULATOR), ADDS, .elements = MASS_ELEMENTS_VALUES,
                  .combine = MASS_COMBINE_GREATEST},
    [MASS_PLACE] = {"PLACE", "SEES", OVER_AGENTS(MASS_CLASS_PLACES), READS, .reach = MASS_REACH_AROUND,
                    .addressed = true},
    [MASS_CHILD] = {"CHILD", "CHILDREN", OVER_AGENTS(MASS_CLASS_REQUEST), WRITES, .reach = MASS_REACH_OWN},
    [MASS_RESIDENT] = {"RESIDENT", "MEETS", OVER_RESIDENTS(MASS_CLASS_AGENTS), READS, .addressed = true},
    [MASS_RESIDENT_UPDATE] = {"RESIDENT_UPDATE", "CHANGES", OVER_RESIDENTS(MASS_CLASS_AGENTS), READS | WRITES,
                              .reach = MASS_REACH_OWN},
    [MASS_RACE] = {"RACE", "RACES", OVER_AGENTS(MASS_CLASS_PLACES), READS | WRITES, .races = true},
    [MASS_BINS] = {"BINS", "BINS", OVER_ALL(MASS_CLASS_ACCUMULATOR), ADDS, .elements = MASS_ELEMENTS_VALUES},
    [MASS_KEYS] = {"KEYS", "KEYS", OVER_ALL(MASS_CLASS_ACCUMULATOR), ADDS, .elements = MASS_ELEMENTS_VALUES},
    [MASS_SCATTER_ADD] = {"SCATTER_ADD", "SCATTERS", OVER_ALL(MASS_CLASS_PLACES), ADDS, .reach = MASS_REACH_AROUND,
                          .elements = MASS_ELEMENTS_COUNTERS, .buffer = MASS_BUFFER_CLEARED},
    [MASS_ITEMS] = {"ITEMS", "ITEMS", OVER_PLACES(MASS_CLASS_PLACES), READS, .reach = MASS_REACH_ROW,
                    .addressed = true},
};

const mass_tally_operation mass_tally_operations[MASS_TALLY_OPERATIONS] = {
    {"sum", MASS_SUM, MASS_SUM}, {"min", MASS_MIN, MASS_MIN}, {"max", MASS_MAX, MASS_MAX},
    {"mean", MASS_MEAN, MASS_SUM}};

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
