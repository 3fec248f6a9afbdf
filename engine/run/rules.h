/* SPDX-License-Identifier: Apache-2.0 */
/* Probes callbacks over bits for rules, which launches then use (rule/rule.h). Main thread. */
#ifndef MASS_ENGINE_RUN_RULES_H
#define MASS_ENGINE_RUN_RULES_H

#include "state/domain.h"
#include "rule/rule.h"

/* Derives the rules of the steps' callbacks, if the device can use rules: one rule for all worlds with the same
 * parameter values. Both arrays are all NULL before.
 *
 * rules: [phase_count], NULL if a world has none or there are too many. The caller frees each with
 * mass_world_rules_free, after the last launch of prepared[phase_count].
 *
 * why_not: [phase_count], for callbacks with attributes of bits, a clause with the reason that launches use no rule.
 * NULL if they use one, or none was expected. */
mass_status mass_rules_attach(const mass_domain *d, mass_prepared *const *prepared, mass_world_rules **rules,
                              const char **why_not, mass_error *error);

#endif
