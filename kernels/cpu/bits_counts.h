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

typedef void mass_bits_by_counts(const mass_bits_band *b);

/* That of an instruction set (mass_form.isa) that the machine has. Any thread. */
mass_bits_by_counts *mass_bits_by_counts_of(uint32_t isa);

#endif
