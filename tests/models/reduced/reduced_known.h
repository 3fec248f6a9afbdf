/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions against plain loops over what the checkpoint of the same step holds. */
#ifndef MASS_TESTS_REDUCED_KNOWN_H
#define MASS_TESTS_REDUCED_KNOWN_H

#include <stdint.h>

/* Runs `reduced` with all reductions of all attributes, and fails the test unless they are those of its checkpoint in
 * every world. Returns the state_hash and a sum over all tallies, to live as text() does. */
const char *expect_reduced(const char *options, int steps, int worlds);

/* The options that ask for all of them. */
const char *all_reductions(void);

/* Fails unless the tallies of a report, of one or more worlds, are those of a checkpoint. */
struct outcome;
void expect_reductions_of(const struct outcome *o, const char *checkpoint, int worlds, const char *options);

#endif
