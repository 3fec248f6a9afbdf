/* SPDX-License-Identifier: Apache-2.0 */
/* Compares reductions with plain loops over the checkpoint of the same step. */
#ifndef MASS_TESTS_REDUCED_KNOWN_H
#define MASS_TESTS_REDUCED_KNOWN_H

#include <stdint.h>

/* Runs `reduced` with all reductions of all attributes, and expects those of its checkpoint in every world. Returns the
 * state_hash and a sum over all tallies, in memory like that of text(). */
const char *expect_reduced(const char *options, int steps, int worlds);

/* Returns the options that request all of them. */
const char *all_reductions(void);

/* Expects that the tallies of a report, of one or more worlds, are those of a checkpoint. */
struct outcome;
void expect_reductions_of(const struct outcome *o, const char *checkpoint, int worlds, const char *options);

#endif
