/* SPDX-License-Identifier: Apache-2.0 */
/* Sugarscape by hand: one thread, own arrays. */
#ifndef MASS_BENCH_SUGARSCAPE_PLAIN_H
#define MASS_BENCH_SUGARSCAPE_PLAIN_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct plain_ant {
    int32_t x, y, wealth;
    uint8_t vision, metabolism;
} plain_ant;

/* The plugin's rules with its default values and replace=yes, with one difference. Ants move, eat and live one after
 * the other: each takes the best free place at once, and there are no conflicts. */
typedef struct bench_plain {
    int64_t width, height;
    uint8_t *sugar, *most, *taken; /* [height][width] */
    plain_ant *ants;
    size_t count;
    uint64_t random;
    int64_t grown, eaten, burnt, endowed;
} bench_plain;

/* Allocates arrays: the caller fills sugar, most and ants. The caller must free it also on failure. */
mass_status bench_plain_create(bench_plain *p, int64_t width, int64_t height, size_t ants, mass_error *error);
void bench_plain_free(bench_plain *p);
void bench_plain_settle(bench_plain *p); /* marks the places of the ants */
void bench_plain_step(bench_plain *p);

#endif
