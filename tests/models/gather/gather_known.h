/* SPDX-License-Identifier: Apache-2.0 */
/* What the model `gather` has to come to, by plain loops. */
#ifndef MASS_TESTS_MODELS_GATHER_KNOWN_H
#define MASS_TESTS_MODELS_GATHER_KNOWN_H

#include <stdint.h>

/* Runs it to a step with options, and checks every tally that follows from places, ids and steps. *sum becomes
 * one number of all tallies and the state, unless it is NULL. */
void expect_gathered(const char *options, int steps, uint64_t *sum);

#endif
