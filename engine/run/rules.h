/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks over bits are asked what they do, and launches follow the rules that come of it (rule/rule.h). Main
 * thread. */
#ifndef MASS_ENGINE_RUN_RULES_H
#define MASS_ENGINE_RUN_RULES_H

#include "state/domain.h"
#include "rule/rule.h"

/* Asks the callbacks of steps, if the device can follow rules: once for all worlds that have the same of all parameters
 * that the callback is given. rules[phase_count], NULL where a world has none or they are too many; the caller frees
 * each with mass_world_rules_free, not before the last launch of prepared[phase_count]. why_not[phase_count] are
 * clauses that tell, of callbacks with attributes of bits, why launches follow no rule; NULL where they do, or none was
 * to be. */
mass_status mass_rules_attach(const mass_domain *d, mass_prepared *const *prepared, mass_world_rules **rules,
                              const char **why_not, mass_error *error);

#endif
