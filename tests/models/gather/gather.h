/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers that the model `gather` counts and sums, for the model and for a plain loop. */
#ifndef MASS_TESTS_MODELS_GATHER_H
#define MASS_TESTS_MODELS_GATHER_H

#include <stdint.h>

enum { FEW = 7, MANY = 70001, MOST = 300000 };

/* The number of a place or an agent in a step. */
#define NUMBER_OF(x, y, step) (((x)*7919 + (y)*104729 + (step)*31) % 1000003)
/* Its bins; some of FEW do not exist. */
#define FEW_OF(number) ((number) % 9)
#define MANY_OF(number) ((number)*13 % MANY)
#define MOST_OF(number) ((number)*17 % MOST)
/* An integer times 2^(-40 to 39), so that a sum without rounding errors fits into 128 bits. */
#define MANTISSA_OF(number) ((number) % 2001 - 1000)
#define EXPONENT_OF(number) ((int)((number) % 80) - 40)

#endif
