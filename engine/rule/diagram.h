/* SPDX-License-Identifier: Apache-2.0 */
/* Reduced ordered decision diagrams of tables, of all outputs together: of the orders in which inputs can be tested,
 * one that takes few nodes (R. E. Bryant, Graph-Based Algorithms for Boolean Function Manipulation, 1986). */
#ifndef MASS_ENGINE_RULE_DIAGRAM_H
#define MASS_ENGINE_RULE_DIAGRAM_H

#include "rule/tables.h"

enum { MASS_RULE_NODES_MOST = 4096 };

/* Sets rule->nodes, which the caller frees, and node_count, and the value of each output; the same for equal tables.
 * *fits is false, and nothing is set, where they would be too many. Fails for lack of memory. */
mass_status mass_rule_draw(const mass_rule_tables *t, mass_rule *rule, bool *fits, mass_error *error);

#endif
