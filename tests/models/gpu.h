/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons of a GPU with the CPU. */
#ifndef MASS_TESTS_MODELS_GPU_H
#define MASS_TESTS_MODELS_GPU_H

/* A run with these options ends on a GPU at the step, with the state and the tallies that it has on the CPU. */
void expect_outcome_of_cpu(const char *options);

#endif
