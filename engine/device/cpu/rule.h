/* SPDX-License-Identifier: Apache-2.0 */
/* Rules over bits on CPUs (rule/rule.h): launches that follow one go by words. Main thread, but for running. */
#ifndef MASS_ENGINE_DEVICE_CPU_RULE_H
#define MASS_ENGINE_DEVICE_CPU_RULE_H

#include "device/cpu/shares.h"

/* mass_launch_operations.follow. Where a rule is none for words, launches stay as they are. */
mass_status mass_cpu_follow(mass_device *, mass_prepared *, const mass_world_rules *rules, bool *follows,
                            mass_error *error);

/* Whether a launch goes by words. */
bool mass_cpu_follows(const mass_work *work);

/* That it follows. */
const mass_world_rules *mass_cpu_rules_of(const mass_prepared *prepared);

/* A range of such a launch, in any thread; fields are as mass_loop takes them. Whole rows get their ghosts along x. */
void mass_cpu_run_rule(const mass_cpu_shares *s, void *const *fields, const mass_range *range);

/* The same of one world, in any memory that is laid out as the launch says, as if it were the only one, and without
 * tallies. */
void mass_cpu_run_rule_in(const mass_prepared *, int64_t world, void *const *fields, const mass_launch *,
                          const mass_range *);

/* Whether it follows rules by counts whose sums all depend on what a place was and is. If so: what the places of a
 * range, of such a step of a world that was done, add to world 0 of its tallies. */
bool mass_cpu_counts_changes(const mass_prepared *);
void mass_cpu_count_changes_in(const mass_prepared *, int64_t world, void *const *fields, const mass_launch *,
                               const mass_range *);

void mass_cpu_rules_free(mass_cpu_rules *); /* NULL is fine */

#endif
