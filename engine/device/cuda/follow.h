/* SPDX-License-Identifier: Apache-2.0 */
/* Launches that follow a rule over bits (rule/rule.h) instead of running a plugin's kernel: by counts of neighbours
 * with kernels that are there, also several steps at once; any other rule with one that the driver compiles. Worlds
 * with rules of their own are launches of their own. Main thread. */
#ifndef MASS_ENGINE_CUDA_FOLLOW_H
#define MASS_ENGINE_CUDA_FOLLOW_H

#include "device/cuda/cuda.h"
#include "rule/rule.h"

typedef struct mass_cuda_rules mass_cuda_rules;

/* For launches of `callback`, which has to live as long. *out is NULL where no kernel can follow a rule, or where
 * worlds differ in it and one is not by counts: the callback's own run then. On failure, which is lack of memory, *out
 * is untouched. */
mass_status mass_cuda_rules_create(mass_cuda *cuda, const mass_callback *callback, const mass_world_rules *rules,
                                   mass_cuda_rules **out, mass_error *error);
void mass_cuda_rules_free(mass_cuda_rules *r); /* also after the rules; NULL is fine */

/* Whether they do what the work asks for. */
bool mass_cuda_rules_do(const mass_cuda_rules *r, const mass_work *work);
/* The most steps of such a launch. */
int32_t mass_cuda_rules_steps(const mass_cuda_rules *r, const mass_launch *launch);
/* mass_launch_operations.around, where they do. */
uint32_t mass_cuda_rules_around(const mass_cuda_rules *r, const mass_work *work);
/* Queues it. */
cudaError_t mass_cuda_rules_launch(mass_cuda *cuda, const mass_cuda_rules *r, const mass_work *work, bool overlaps);
void mass_cuda_rules_form(const mass_cuda_rules *r, char text[MASS_FORM_TEXT]);

#endif
