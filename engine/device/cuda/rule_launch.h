/* SPDX-License-Identifier: Apache-2.0 */
/* Launches that use a rule over bits (rule/rule.h) instead of a plugin's kernel. Rules by counts of neighbours use
 * kernels of the engine, which may also do several steps at once. The driver compiles a kernel for any other rule.
 * Worlds with different rules are separate launches. Main thread. */
#ifndef MASS_ENGINE_CUDA_RULE_LAUNCH_H
#define MASS_ENGINE_CUDA_RULE_LAUNCH_H

#include "device/cuda/cuda.h"
#include "rule/rule.h"

typedef struct mass_cuda_rules mass_cuda_rules;

/* Prepares rules for launches of `callback`, which must live as long. Sets *out to NULL if no kernel can compute a
 * rule, or if worlds differ in their rules and one is not by counts; then the callback's own kernels run. On failure,
 * for lack of memory, *out is untouched. */
mass_status mass_cuda_rules_create(mass_cuda *cuda, const mass_callback *callback, const mass_world_rules *rules,
                                   mass_cuda_rules **out, mass_error *error);
void mass_cuda_rules_free(mass_cuda_rules *r); /* may come after the rules are freed; NULL is allowed */

/* Returns whether the rules can do the work. */
bool mass_cuda_rules_do(const mass_cuda_rules *r, const mass_work *work);
/* Returns the most steps of such a launch. */
int32_t mass_cuda_rules_steps(const mass_cuda_rules *r, const mass_launch *launch);
/* Implements mass_launch_operations.around, if the rules do the work. */
uint32_t mass_cuda_rules_around(const mass_cuda_rules *r, const mass_work *work);
/* Queues the work. overlaps: it may begin while the work before it ends. */
cudaError_t mass_cuda_rules_launch(mass_cuda *cuda, const mass_cuda_rules *r, const mass_work *work, bool overlaps);
/* Writes for people which rule launches use, or how many rules. */
void mass_cuda_rules_form(const mass_cuda_rules *r, char text[MASS_FORM_TEXT]);

#endif
