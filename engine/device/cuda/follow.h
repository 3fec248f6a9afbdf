/* SPDX-License-Identifier: Apache-2.0 */
/* Launches that follow a rule over bits (rule/rule.h) instead of running a plugin's kernel: by counts of neighbours
 * with kernels that are there, also several steps at once; any other rule with one that the driver compiles. Main
 * thread. */
#ifndef MASS_ENGINE_CUDA_FOLLOW_H
#define MASS_ENGINE_CUDA_FOLLOW_H

#include "device/cuda/cuda.h"
#include "rule/rule.h"

typedef struct mass_cuda_rule mass_cuda_rule;

/* For launches of `callback`; both have to live as long. *out is NULL where no kernel can follow the rule: the
 * callback's own run then. On failure, which is lack of memory, *out is untouched. */
mass_status mass_cuda_rule_create(mass_cuda *cuda, const mass_callback *callback, const mass_rule *rule,
                                  mass_cuda_rule **out, mass_error *error);
void mass_cuda_rule_free(mass_cuda_rule *r); /* NULL is fine */

/* Whether the rule does what the work asks for. */
bool mass_cuda_rule_does(const mass_cuda_rule *r, const mass_work *work);
/* The most steps of such a launch. */
int32_t mass_cuda_rule_steps(const mass_cuda_rule *r, const mass_launch *launch);
/* mass_launch_operations.around, where it does. */
uint32_t mass_cuda_rule_around(const mass_cuda_rule *r, const mass_work *work);
/* Queues it. */
cudaError_t mass_cuda_rule_launch(mass_cuda *cuda, const mass_cuda_rule *r, const mass_work *work, bool overlaps);
void mass_cuda_rule_form(const mass_cuda_rule *r, char text[MASS_FORM_TEXT]);

#endif
