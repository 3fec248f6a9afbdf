/* SPDX-License-Identifier: Apache-2.0 */
/* Rules over bits on CPUs (rule/rule.h): launches that use a rule compute whole words. Main thread, except for
 * running. */
#ifndef MASS_ENGINE_DEVICE_CPU_RULE_H
#define MASS_ENGINE_DEVICE_CPU_RULE_H

#include "device/cpu/thread_parts.h"

/* Implements mass_launch_operations.follow. If a rule cannot be computed in words, *follows is false, and
 * launches stay as they are. */
mass_status mass_cpu_follow(mass_device *, mass_prepared *, const mass_world_rules *rules, bool *follows,
                            mass_error *error);

/* Returns whether a launch of one step uses its rule. False for a launch of several steps. */
bool mass_cpu_follows(const mass_work *work);

/* Returns the rules of a callback that uses rules. */
const mass_world_rules *mass_cpu_rules_of(const mass_prepared *prepared);

/* Runs a range of such a launch; fields are as mass_loop takes them. Whole rows get their ghosts along x. Any
 * thread. */
void mass_cpu_run_rule(const mass_cpu_thread_parts *s, void *const *fields, const mass_range *range);

/* Runs a range of one world by its rule, in memory with the layout of the launch, as if it were the only world, and
 * without tallies. */
void mass_cpu_run_rule_in(const mass_prepared *, int64_t world, void *const *fields, const mass_launch *,
                          const mass_range *);

/* mass_cpu_counts_changes returns whether there are rules, all are by counts, and all sums depend on a place's old and
 * new bit. If so, mass_cpu_count_changes_in adds what the places of a range contribute, after such a step of a world,
 * to world 0 of its tallies. */
bool mass_cpu_counts_changes(const mass_prepared *);
void mass_cpu_count_changes_in(const mass_prepared *, int64_t world, void *const *fields, const mass_launch *,
                               const mass_range *);

void mass_cpu_rules_free(mass_cpu_rules *); /* NULL is allowed */

#endif
