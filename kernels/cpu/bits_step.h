/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of bits on a CPU, a word at a time: by counts of neighbours, with adders, or by operations between words. */
#ifndef MASS_KERNELS_CPU_BITS_STEP_H
#define MASS_KERNELS_CPU_BITS_STEP_H

#include <mass/impl/launch.h>

#include <stdbool.h>
#include <stdint.h>

enum { MASS_BITS_FIELDS = 64, MASS_BITS_INPUTS = 27, MASS_BITS_SLOTS = 1024 };

/* The bits of a field at an offset; x from -63 to 63. */
typedef struct mass_bits_input {
    uint32_t field;
    int32_t x, y, z;
} mass_bits_input;

/* Slots hold words of a row. Slot 0 has zeros, slot 1 ones, slot 2 + i the words of input i without its offset along x.
 * Operations write the others. A SHIFT applies the offset along x of the input whose number is `input`. */
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

/* Bits that a step gives, and their use: written to a field, or `weight` times their number added to a tally of worlds.
 * By operations, the bits are those of a slot. By counts, a place with n set neighbours gives bit n of `birth` if it is
 * not set, else of `survive`. A sum may depend only on a place's own bit and on its bit in output `after`: then
 * adds[before][after] tells whether the place counts. Otherwise `after` is MASS_BITS_FIELDS. */
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
    bool counted, von_neumann; /* counted: by counts of the 8 neighbours, or of 4, in field inputs[0].field */
    uint32_t input_count, operation_count, output_count, slots;
    mass_bits_input inputs[MASS_BITS_INPUTS];
    const mass_bits_operation *operations;
    const mass_bits_output *outputs;
} mass_bits_program;

/* Steps the places of a range, which begins at a word and ends at a word or with the row. With `tallies`, adds to them.
 * Leaves worlds with a closed gate. Bits behind the row's end keep their values, except ghosts along x that the launch
 * pushes, if the range has whole rows. Uses the widest loops of `isa`. Any thread, on disjoint ranges. */
void mass_cpu_step_bits(const mass_bits_program *p, uint32_t isa, void *const *fields, bool tallies,
                        const mass_launch *launch, const mass_range *range);

/* Writes the ghosts along x of rows of a torus that are `pitch` words apart. extent: places of a row. ghosts: their
 * width on each side, at least 1. Other bits in these words keep their values if the ghosts are narrower than a word
 * and the row is not. Any thread, on rows of its own. */
void mass_cpu_push_bits(uint64_t *row, int64_t pitch, int64_t rows, int32_t extent, int32_t ghosts);

/* Adds to the tallies what the places of a range add, after a step of them without tallies. The range is in one plane
 * of world 0. The program must be by counts, and all its sums must follow from changes. */
void mass_cpu_count_bits(const mass_bits_program *p, uint32_t isa, void *const *fields, const mass_launch *launch,
                         const mass_range *range);

#endif
