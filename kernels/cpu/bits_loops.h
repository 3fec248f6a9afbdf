/* SPDX-License-Identifier: Apache-2.0 */
/* Loops over words of rows of bits, for each instruction set. Rows that are read and written do not overlap, but for
 * the same row. */
#ifndef MASS_KERNELS_CPU_BITS_LOOPS_H
#define MASS_KERNELS_CPU_BITS_LOOPS_H

#include <stdint.h>

/* A row with those above and below it; and for the places of all three, in this order from above, how many of a place
 * and its two neighbours along x are set, in binary. */
typedef struct mass_bits_rows {
    const uint64_t *above, *own, *below;
    uint64_t *low[3], *high[3];
} mass_bits_rows;

/* Bits of places by how many neighbours are set: bit n of `birth` and of `survive`. With eight neighbours, low[2] and
 * high[2] are found on the way; with four, none are looked at. */
typedef void mass_bits_by_counts(uint64_t *to, const mass_bits_rows *r, uint32_t birth, uint32_t survive,
                                 int64_t words);
typedef void mass_bits_of_two(uint64_t *to, const uint64_t *a, const uint64_t *b, int64_t words);

typedef struct mass_bits_loops {
    void (*sum)(uint64_t *low, uint64_t *high, const uint64_t *row, int64_t words); /* for mass_bits_rows */
    mass_bits_by_counts *moore, *life, *neumann; /* life: of birth 3 and survive 2 and 3 alone */
    void (*choose)(uint64_t *to, const uint64_t *x, const uint64_t *high, const uint64_t *low, int64_t words);
    mass_bits_of_two *and, *or, *less, *more; /* less: b & ~a; more: b | ~a */
    void (*shift)(uint64_t *to, const uint64_t *row, int x, int64_t words); /* the bits x further along, -63 to 63 */
    int64_t (*count)(const uint64_t *row, int64_t words);
} mass_bits_loops;

/* Those of an instruction set (mass_form.isa) that the machine has. Any thread. */
const mass_bits_loops *mass_bits_loops_of(uint32_t isa);

#endif
