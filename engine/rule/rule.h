/* SPDX-License-Identifier: Apache-2.0 */
/* A rule: what a callback over bits does to a place, found by probing its body with all neighbourhoods. It is logic
 * that a device can apply to as many places at once as a word has bits. */
#ifndef MASS_ENGINE_RULE_H
#define MASS_ENGINE_RULE_H

#include "base/error.h"

#include <mass/callback.h>
#include <stdbool.h>

enum { MASS_RULE_INPUTS_MOST = 27, MASS_RULE_OUTPUTS_MOST = 64 };

typedef struct mass_rule mass_rule;

/* A bit that the rule depends on: of READ field `field`, at an offset. */
typedef struct mass_rule_input {
    uint32_t field;
    int8_t x, y, z;
} mass_rule_input;

/* A choice: input ? high : low. Values 0 and 1 are all zeros and all ones; value 2 + k is that of node k, which comes
 * earlier. */
typedef struct mass_rule_node {
    uint16_t input, high, low;
} mass_rule_node;

/* FIELD: the bits become field `field`. SUM: adds `weight` times the number of places with that bit to the tally of
 * field `field`. */
typedef enum mass_rule_kind { MASS_RULE_FIELD, MASS_RULE_SUM } mass_rule_kind;
typedef struct mass_rule_output {
    mass_rule_kind kind;
    uint32_t field;
    int64_t weight;
    uint16_t value;
    uint32_t birth, survive; /* if the rule is counted */
} mass_rule_output;

struct mass_rule {
    mass_rule_input *inputs;
    uint32_t input_count;
    mass_rule_node *nodes; /* of all outputs together */
    uint32_t node_count;
    mass_rule_output *outputs;
    uint32_t output_count;
    /* In two dimensions, with radius 1 and one field read: outputs depend on the place itself and on how many of its 8
     * neighbours, or 4 (von_neumann), are set. With n set neighbours, an output is bit n of `birth` if the place is not
     * set, else bit n of `survive`. */
    bool counted, von_neumann;
    bool tallies; /* the rule has all tallies that the callback adds to; false: launches that count tallies cannot use
                     the rule */
};

enum { MASS_WORLD_RULES_MOST = 64 };

/* The rules of a callback in worlds that differ in its parameters. */
typedef struct mass_world_rules {
    mass_rule **list; /* [count] at least one */
    uint32_t count;
    uint8_t *of; /* [worlds] number of each world's rule in the list */
    int32_t worlds;
} mass_world_rules;

enum { MASS_RULE_TEXT = 120 };

/* Probes a callback over places with each combination of the bits that it reads, in each of `parameters`,
 * [count][field_count]: for a field that is a parameter, its value in one world. effects_size tells which effect logs
 * the bodies write (mass_plugin). Sets out[count] to the rules, which the caller frees. All are NULL if one of them
 * cannot be a rule. That is so if not all its places are bits, its bodies read too many of them, or they use more than
 * these values. Then *why_not is the reason, as a clause, if any of its attributes are bits; else NULL. Fails for lack
 * of memory, with out[count] all NULL. Main thread. */
mass_status mass_rule_probe(const mass_callback *callback, uint32_t effects_size, const void *const *parameters,
                          uint32_t count, mass_rule **out, const char **why_not, mass_error *error);
void mass_rule_free(mass_rule *); /* NULL is allowed */
/* Returns the most neighbourhoods that mass_rule_probe probes in each set of parameters; 1 if it probes none. */
size_t mass_rule_questions(const mass_callback *callback, uint32_t effects_size);

/* Returns the first world after `world` that has another rule, or the number of worlds. */
int32_t mass_world_rules_same(const mass_world_rules *rules, int32_t world);
void mass_world_rules_free(mass_world_rules *); /* frees the rules too; NULL is allowed */

/* Returns whether what a sum of a counted rule adds for a place depends only on the place's bit before the step and its
 * bit in output `field` after it. If so, adds[before][after] tells whether it adds its weight; else part of it may have
 * been changed. */
bool mass_rule_adds_by_change(const mass_rule *rule, const mass_rule_output *sum, const mass_rule_output *field,
                              bool adds[2][2]);

/* Writes a rule's name, and its operations for places if no tally is needed: "isotropic, 97 operations a word". If
 * neighbours are counted, the operations are those of the same rule as a table: "B3/S23, neighbours are counted; as a
 * table 26 operations a word". It is cut off at `size` bytes. */
void mass_rule_text(const mass_rule *rule, char *text, size_t size);

#endif
