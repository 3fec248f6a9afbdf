/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of bits on a CPU, by words: by counts of neighbours, in adders, or by operations between words. */
#ifndef MASS_KERNELS_CPU_BITS_STEP_H
#define MASS_KERNELS_CPU_BITS_STEP_H

#include <mass/impl/launch.h>

#include <stdbool.h>
#include <stdint.h>

enum { MASS_BITS_FIELDS = 64, MASS_BITS_INPUTS = 27, MASS_BITS_SLOTS = 1024 };

/* Bits of a field at an offset, x from -63 to 63. */
typedef struct mass_bits_input {
    uint32_t field;
    int32_t x, y, z;
} mass_bits_input;

/* Slots hold words of a row: 0 zeros, 1 ones, 2 + i those of input i as they lie, others what operations write. Where
 * an input is further along x, a SHIFT makes its words out of those that lie there, input being its number. */
typedef enum mass_bits_kind {
    MASS_BITS_SHIFT,
    MASS_BITS_CHOOSE, /* to = x ? high : low */
    MASS_BITS_CHOOSE_HIGH, /* x ? (y ? high : high_else) : low */
    MASS_BITS_CHOOSE_LOW,  /* x ? high : (z ? low : low_else) */
    MASS_BITS_CHOOSE_BOTH, /* x ? (y ? high : high_else) : (z ? low : low_else) */
    MASS_BITS_AND,    /* x & high */
    MASS_BITS_OR,     /* x | low */
    MASS_BITS_LESS,   /* low & ~x */
    MASS_BITS_MORE,   /* high | ~x */
    MASS_BITS_NOT     /* ~x */
} mass_bits_kind;
typedef struct mass_bits_operation {
    mass_bits_kind kind;
    uint16_t to, x, high, low, input;
    uint16_t y, high_else, z, low_else;
} mass_bits_operation;

/* What becomes of bits: those of a field, or weight times how many are set is added to a tally of worlds. They are
 * those of a slot; or where the program goes by counts, of places with n set neighbours: bit n of birth where the place
 * is not set itself, of survive where it is. A sum that depends only on the place's own bit and on what output `after`
 * makes of it adds for it what adds[before][after] says; else `after` is MASS_BITS_FIELDS. */
typedef struct mass_bits_output {
    uint32_t field;
    bool sum;
    int64_t weight;
    uint16_t slot;
    uint32_t birth, survive;
    uint32_t after;
    bool adds[2][2];
} mass_bits_output;

typedef struct mass_bits_program {
    bool counted, von_neumann; /* by counts of the 8 neighbours, or 4, in field inputs[0].field */
    uint32_t input_count, operation_count, output_count, slots;
    mass_bits_input inputs[MASS_BITS_INPUTS];
    const mass_bits_operation *operations;
    const mass_bits_output *outputs;
} mass_bits_program;

/* Steps the places of a range, which begins at a word and ends at one or with the row. With tallies, adds to them.
 * Whatever lies behind the row's end stays, but for ghosts along x that the launch pushes, where the range has whole
 * rows. The widest loops are those of `isa`. Any thread, on disjoint ranges. */
void mass_cpu_step_bits(const mass_bits_program *p, uint32_t isa, void *const *fields, bool tallies,
                        const mass_launch *launch, const mass_range *range);

/* Writes the ghosts along x of some rows of a torus, `pitch` words apart. Whatever else is in their words stays, where
 * ghosts are less than a word and places are not. Any thread, on rows of its own. */
void mass_cpu_push_bits(uint64_t *row, int64_t pitch, int64_t rows, int32_t extent, int32_t ghosts);

/* After such a step without tallies, of a program by counts whose sums all follow from changes: adds what its places,
 * of one sheet of world 0, add to the tallies. Any thread, whose tallies they may be. */
void mass_cpu_count_bits(const mass_bits_program *p, uint32_t isa, void *const *fields, const mass_launch *launch,
                         const mass_range *range);

#endif
