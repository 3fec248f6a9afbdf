/* SPDX-License-Identifier: Apache-2.0 */
/* Reduced ordered decision diagrams of tables, for all outputs together. Inputs are tested in one of the orders that
 * take few nodes (R. E. Bryant, Graph-Based Algorithms for Boolean Function Manipulation, 1986). */
#ifndef MASS_ENGINE_RULE_DIAGRAM_H
#define MASS_ENGINE_RULE_DIAGRAM_H

#include "rule/tables.h"

enum { MASS_RULE_NODES_MOST = 4096 };

/* Sets rule->nodes, which the caller frees, node_count, and the value of each of rule->outputs, which must be there.
 * The result is the same for equal tables. If there would be too many nodes, sets *fits to false, and nothing else.
 * Fails for lack of memory. */
mass_status mass_rule_draw(const mass_rule_tables *t, mass_rule *rule, bool *fits, mass_error *error);

#endif
