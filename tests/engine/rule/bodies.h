/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks over bits, with a second implementation of each. */
#ifndef MASS_TESTS_RULE_BODIES_H
#define MASS_TESTS_RULE_BODIES_H

#include <mass/callback.h>
#include <stdbool.h>
#include <stdint.h>

enum { BODY_GIVEN = 16, BODY_OUTPUTS = 2, BODY_TALLIES = 2 };

/* The expected result of a place. `in` has its neighbourhoods, field by field, each row by row with the radius of the
 * callback. `given` has its parameters. */
typedef struct answer {
    bool bits[BODY_OUTPUTS];
    int64_t addends[BODY_TALLIES];
} answer;
typedef answer body_answer(const bool *in, const uint64_t *given);

typedef struct body {
    const mass_callback *callback;
    body_answer *answer;
    int inputs, outputs, tallies, given; /* numbers of fields, in this order; with `updates`, outputs are inputs too */
    bool updates;
} body;

extern const body by_moore, by_neumann, by_table, by_two, by_line, by_swap, by_star, by_far, by_stars, by_turns,
    by_most, by_one;
extern const mass_callback asks_position, asks_size, asks_step, asks_random, asks_exists, looks_far, looks_at_19,
    looks_at_19_at_times, of_bytes, of_no_bits, of_space, adds_doubles, divides, divides_in_space, never_ends;

#endif
