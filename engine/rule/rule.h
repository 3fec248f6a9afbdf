/* SPDX-License-Identifier: Apache-2.0 */
/* What a callback over bits does to a place, as found out by asking its body all neighbourhoods: logic that serves as
 * many places at once as a word has bits. */
#ifndef MASS_ENGINE_RULE_H
#define MASS_ENGINE_RULE_H

#include "base/error.h"

#include <mass/callback.h>
#include <stdbool.h>

enum { MASS_RULE_INPUTS_MOST = 27, MASS_RULE_OUTPUTS_MOST = 64 };

typedef struct mass_rule mass_rule;

/* A bit that the rule depends on: that of READ field `field` at an offset. */
typedef struct mass_rule_input {
    uint32_t field;
    int8_t x, y, z;
} mass_rule_input;

/* Value 0 is all zeros, 1 all ones, 2 + k that of node k: input ? high : low, which are earlier values. */
typedef struct mass_rule_node {
    uint16_t input, high, low;
} mass_rule_node;

/* FIELD: the bits that field `field` gets. SUM: `weight` times the number of places with that bit is added to the tally
 * of field `field`. */
typedef enum mass_rule_kind { MASS_RULE_FIELD, MASS_RULE_SUM } mass_rule_kind;
typedef struct mass_rule_output {
    mass_rule_kind kind;
    uint32_t field;
    int64_t weight;
    uint16_t value;
    uint32_t birth, survive; /* where the rule is counted */
} mass_rule_output;

struct mass_rule {
    mass_rule_input *inputs;
    uint32_t input_count;
    mass_rule_node *nodes; /* of all outputs together */
    uint32_t node_count;
    mass_rule_output *outputs;
    uint32_t output_count;
    /* In two dimensions, with radius 1 and one field read, an output depends on the place itself and on how many of its
     * 8 neighbours, or 4 (von_neumann), are set: bit n of `birth` where it is not set itself, of `survive` where it
     * is. */
    bool counted, von_neumann;
    bool tallies; /* the callback adds to no tallies but those that the rule adds to; else launches that tally are not
                     the rule's to serve */
};

/* The rules of a callback in worlds that differ in its parameters. */
enum { MASS_WORLD_RULES_MOST = 64 };
typedef struct mass_world_rules {
    mass_rule **list; /* [count] at least one */
    uint32_t count;
    uint8_t *of; /* [worlds] the number in the list of each world's */
    int32_t worlds;
} mass_world_rules;

enum { MASS_RULE_TEXT = 120 };

/* Asks a callback over places what it does to each combination of what it looks at, in each of `parameters`,
 * [count][field_count]: of its field i, where that is a parameter, the value of one world. note_size says which notes
 * its bodies leave (mass_plugin). out[count] become the rules, which the caller frees; or NULL where one of them is
 * none: not all its places are bits, its bodies look at too many of them, or go by more than their values. *why_not
 * tells then which it is, in a clause, if any of its attributes are bits; else it is NULL. Fails for lack of memory,
 * and out[count] are NULL. Main thread. */
mass_status mass_rule_ask(const mass_callback *callback, uint32_t note_size, const void *const *parameters,
                          uint32_t count, mass_rule **out, const char **why_not, mass_error *error);
void mass_rule_free(mass_rule *); /* NULL is fine */
/* How many neighbourhoods that asks in each of them at most; 1 where it asks none. */
size_t mass_rule_questions(const mass_callback *callback, uint32_t note_size);

/* The first world after `world` that has not its rule; or how many worlds there are. */
int32_t mass_world_rules_same(const mass_world_rules *rules, int32_t world);
void mass_world_rules_free(mass_world_rules *); /* with the rules; NULL is fine */

/* Whether what a sum of a counted rule adds for a place depends only on the place's bit before the step and on that of
 * output `field` after it: adds[before][after] tells then whether it adds its weight. */
bool mass_rule_adds_by_change(const mass_rule *rule, const mass_rule_output *sum, const mass_rule_output *field,
                              bool adds[2][2]);

/* What people call it, and what it takes of places when nobody looks at tallies: "isotropic, 97 operations a word".
 * Where neighbours are counted, the operations are those that it would take without: "B3/S23, neighbours are counted;
 * as a table 26 operations a word". */
void mass_rule_text(const mass_rule *rule, char *text, size_t size);

#endif
