/* SPDX-License-Identifier: Apache-2.0 */
/* Loops over words of rows of bits, for each instruction set. Source and target rows are the same row or do not
 * overlap. */
#ifndef MASS_KERNELS_CPU_BITS_LOOPS_H
#define MASS_KERNELS_CPU_BITS_LOOPS_H

#include <stdint.h>

typedef void mass_bits_of_two(uint64_t *to, const uint64_t *a, const uint64_t *b, int64_t words);

/* A choice between choices. The members have the names of mass_bits_operation's (bits_step.h). */
typedef struct mass_bits_choices {
    const uint64_t *x, *y, *high, *high_else, *z, *low, *low_else;
} mass_bits_choices;
typedef void mass_bits_of_choices(uint64_t *to, const mass_bits_choices *of, int64_t words);

typedef struct mass_bits_loops {
    void (*choose)(uint64_t *to, const uint64_t *x, const uint64_t *high, const uint64_t *low, int64_t words);
    mass_bits_of_choices *choose_high, *choose_low, *choose_both;
    mass_bits_of_two *and, *or, *less, *more; /* less: b & ~a; more: b | ~a */
    /* Shifts the row by x places, -63 to 63, not 0. Reads the word before it or after it, too. */
    void (*shift)(uint64_t *to, const uint64_t *row, int x, int64_t words);
    int64_t (*count)(const uint64_t *row, int64_t words);
} mass_bits_loops;

/* Returns the loops of an instruction set (mass_form.isa), which the machine must have. Any thread. */
const mass_bits_loops *mass_bits_loops_of(uint32_t isa);

#endif
