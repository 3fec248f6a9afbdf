/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of losers.c. */
#ifndef MASS_TESTS_LOSERS_KNOWN_H
#define MASS_TESTS_LOSERS_KNOWN_H

#include "same.h"

model losers_model(int nx, int ny, int steps, const char *more);

/* Models of every kind: who dies or is born early, or does not; calls check for each. */
void each_refused(void (*check)(const model *m));

/* Run with the options `where`, what a callback over losers adds up is what one over all agents does that asks them. */
void expect_all_losers(const model *m, const char *where);

#endif
