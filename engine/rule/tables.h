/* SPDX-License-Identifier: Apache-2.0 */
/* What bodies answered, on the way to a rule: of each output a table with one bit for each combination of inputs. Input
 * i is bit i of an entry's number. */
#ifndef MASS_ENGINE_RULE_TABLES_H
#define MASS_ENGINE_RULE_TABLES_H

#include "rule/rule.h"

/* Inputs that may be asked: all neighbours of all fields, or where these are more, those that bodies look at. */
enum { MASS_RULE_ASKED_MOST = 18 };

typedef struct mass_rule_table {
    mass_rule_output output; /* its kind, field and weight */
    uint8_t *bits;           /* [1 << input_count] 0 or 1 */
} mass_rule_table;

typedef struct mass_rule_tables {
    mass_rule_input inputs[MASS_RULE_ASKED_MOST];
    uint32_t input_count;
    mass_rule_table list[MASS_RULE_OUTPUTS_MOST];
    uint32_t count;
} mass_rule_tables;

/* A further table, of zeros. NULL: there is no memory for it. There is room for it in the list. */
mass_rule_table *mass_rule_tables_add(mass_rule_tables *t, mass_rule_output output);
void mass_rule_tables_free(mass_rule_tables *t); /* of what is in it */

/* Tables of what is added to a tally: addends[entry] is the sum of all weights whose bit is set, modulo 2^64. *fits is
 * false, and the list as before, where they are too many. Fails for lack of memory. */
mass_status mass_rule_add_addends(mass_rule_tables *t, uint32_t field, const int64_t *addends, bool *fits,
                                  mass_error *error);

/* Leaves out inputs that no output depends on. */
void mass_rule_tables_narrow(mass_rule_tables *t);

/* Whether all outputs depend on a place itself and on how many neighbours are set, which it then says of each. The
 * inputs are all 9 of a field, row by row. */
bool mass_rule_is_counted(const mass_rule_tables *t, bool von_neumann, mass_rule_output *outputs);

#endif
