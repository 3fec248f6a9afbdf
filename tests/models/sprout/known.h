/* SPDX-License-Identifier: Apache-2.0 */
/* The model `sprout` in a plain loop, and runs of it. */
#ifndef MASS_TESTS_MODELS_SPROUT_KNOWN_H
#define MASS_TESTS_MODELS_SPROUT_KNOWN_H

#include "run.h"

/* A run of one world with luck=0. */
typedef struct sprout_case {
    int64_t size[3], torus, capacity, weeds, order, gate, steps;
} sprout_case;
extern const sprout_case sprout_cases[];
extern const int sprout_case_count;

/* Returns the options of a case. */
const char *sprout_options(const sprout_case *c);

/* Expects of a run of the case the tallies that a plain loop comes to. Every kind of birth happens in cases of 8 steps
 * and more. */
void expect_known(const sprout_case *c, const char *options);

/* Expects that all weeds and beasts are accounted for. */
void expect_conserved(const outcome *o);

#endif
