/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons of a GPU with the CPU. */
#ifndef MASS_TESTS_MODELS_GPU_H
#define MASS_TESTS_MODELS_GPU_H

/* Expects that a run with these options ends on a GPU at the same step as on the CPU, with the same state and
 * tallies. */
void expect_outcome_of_cpu(const char *options);

#endif
