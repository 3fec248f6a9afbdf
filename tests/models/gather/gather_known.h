/* SPDX-License-Identifier: Apache-2.0 */
/* The expected results of the model `gather`, by plain loops. */
#ifndef MASS_TESTS_MODELS_GATHER_KNOWN_H
#define MASS_TESTS_MODELS_GATHER_KNOWN_H

#include <stdint.h>

/* Runs it to a step with options, and checks every tally that depends on places, ids and steps. Unless `sum` is NULL,
 * it gets a checksum of all tallies and the state. */
void expect_gathered(const char *options, int steps, uint64_t *sum);

#endif
