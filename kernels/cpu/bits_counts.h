/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of bits by counts of neighbours, for each instruction set. */
#ifndef MASS_KERNELS_CPU_BITS_COUNTS_H
#define MASS_KERNELS_CPU_BITS_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

/* Rows of `words` words each, of 8 neighbours or 4, and where to write them: elsewhere. A word on either side of them
 * is read, and a row above and below. Bits become those of places by how many neighbours are set: bit n of `birth`
 * where a place is not set itself, of `survive` where it is. */
typedef struct mass_bits_band {
    const uint64_t *from;
    uint64_t *to;
    int64_t pitch, to_pitch; /* in words */
    int64_t rows, words;
    bool von_neumann;
    uint32_t birth, survive;
} mass_bits_band;

/* Places of a band: those that are set before a step, after it, and both times. */
typedef struct mass_bits_changes {
    int64_t before, after, both;
} mass_bits_changes;

typedef struct mass_bits_by_counts {
    void (*step)(const mass_bits_band *b);
    /* After a step. Of the rows' last words the bits of `last` are places. */
    mass_bits_changes (*changes)(const mass_bits_band *b, uint64_t last);
} mass_bits_by_counts;

/* Those of an instruction set (mass_form.isa) that the machine has. Any thread. */
const mass_bits_by_counts *mass_bits_by_counts_of(uint32_t isa);

#endif
