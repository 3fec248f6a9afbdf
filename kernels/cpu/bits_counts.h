/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of bits by counts of neighbours, for each instruction set. */
#ifndef MASS_KERNELS_CPU_BITS_COUNTS_H
#define MASS_KERNELS_CPU_BITS_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

/* Rows of `words` words each, and the array to write them to, which must be another. The step reads one word on either
 * side of the rows, and one row above and below. A place has 8 neighbours, or 4 if von_neumann. With n set neighbours,
 * it becomes bit n of `birth` if it is not set, else bit n of `survive`. */
typedef struct mass_bits_band {
    const uint64_t *from;
    uint64_t *to;
    int64_t pitch, to_pitch; /* in words */
    int64_t rows, words;
    bool von_neumann;
    uint32_t birth, survive;
} mass_bits_band;

/* Numbers of places of a band that are set before a step, after it, and both. */
typedef struct mass_bits_changes {
    int64_t before, after, both;
} mass_bits_changes;

typedef struct mass_bits_by_counts {
    void (*step)(const mass_bits_band *b);
    /* Counts changes after a step. `last` masks the places in the last word of each row. */
    mass_bits_changes (*changes)(const mass_bits_band *b, uint64_t last);
} mass_bits_by_counts;

/* Returns the loops of an instruction set (mass_form.isa), which the machine must have. Any thread. */
const mass_bits_by_counts *mass_bits_by_counts_of(uint32_t isa);

#endif
