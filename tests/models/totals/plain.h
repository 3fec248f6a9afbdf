/* SPDX-License-Identifier: Apache-2.0 */
/* The model of totals.c as one sequential loop, without the engine. */
#ifndef MASS_TESTS_MODELS_TOTALS_PLAIN_H
#define MASS_TESTS_MODELS_TOTALS_PLAIN_H

#include <stdint.h>

typedef struct town {
    int64_t demand, least, ever, fixed, once, attendance, alive, born, trace, total_seen;
    double price, most, mean, rare;
} town;

/* Returns the tallies after `steps` steps, 1 or more, of a town of that size. */
town town_after(int nx, int ny, int steps, int64_t rare_from);

#endif
