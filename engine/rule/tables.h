/* SPDX-License-Identifier: Apache-2.0 */
/* Results of probes, from which a rule is made. Each output has a table, with one bit for each combination of inputs.
 * Input i is bit i of an entry's number. */
#ifndef MASS_ENGINE_RULE_TABLES_H
#define MASS_ENGINE_RULE_TABLES_H

#include "rule/rule.h"

/* Most inputs that are probed: all neighbours of all fields or, if these are more, those that bodies read. */
enum { MASS_RULE_PROBES_MOST = 18 };

typedef struct mass_rule_table {
    mass_rule_output output; /* its kind, field and weight */
    uint8_t *bits;           /* [1 << input_count] 0 or 1 */
} mass_rule_table;

typedef struct mass_rule_tables {
    mass_rule_input inputs[MASS_RULE_PROBES_MOST];
    uint32_t input_count;
    mass_rule_table list[MASS_RULE_OUTPUTS_MOST];
    uint32_t count;
} mass_rule_tables;

/* Adds a table of zeros, for which the list must have room. Returns NULL if out of memory. The inputs
 * must be known. */
mass_rule_table *mass_rule_tables_add(mass_rule_tables *t, mass_rule_output output);
void mass_rule_tables_free(mass_rule_tables *t); /* frees what is in it */

/* Adds tables for a tally, so that addends[entry] is the sum of all weights whose bit is set, modulo 2^64. If there
 * would be too many tables, sets *fits to false, and leaves the list unchanged. Fails for lack of memory. */
mass_status mass_rule_add_addends(mass_rule_tables *t, uint32_t field, const int64_t *addends, bool *fits,
                                  mass_error *error);

/* Removes inputs that no output depends on. */
void mass_rule_tables_narrow(mass_rule_tables *t);

/* Returns whether all outputs depend only on a place itself and on how many neighbours are set; sets their birth and
 * survive, some of them also if it returns false. The inputs must be all 9 of a field, row by row. */
bool mass_rule_is_counted(const mass_rule_tables *t, bool von_neumann, mass_rule_output *outputs);

#endif
