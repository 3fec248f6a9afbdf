/* SPDX-License-Identifier: Apache-2.0 */
/* The expected results of the plugin `losers`. */
#ifndef MASS_TESTS_LOSERS_KNOWN_H
#define MASS_TESTS_LOSERS_KNOWN_H

#include "same.h"

model losers_model(int nx, int ny, int steps, const char *more);

/* Calls check for models of every kind: with early births or deaths, or without. */
void each_refused(void (*check)(const model *m));

/* Expects, with the options `where`, that a callback over refused agents has the same sums as one over all agents that
 * tests WAS_REFUSED. */
void expect_all_losers(const model *m, const char *where);

#endif
