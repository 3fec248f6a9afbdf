/* SPDX-License-Identifier: Apache-2.0 */
/* An input from which a harness takes numbers and texts, one after another. After its end there are zeros. */
#ifndef MASS_FUZZ_INPUT_H
#define MASS_FUZZ_INPUT_H

#include "harness.h"

#include <string.h>

typedef struct input {
    const uint8_t *next, *end;
} input;

/* Returns the bytes that are left. */
static inline size_t input_left(const input *in) { return (size_t)(in->end - in->next); }

/* Returns the next byte; 0 at the end. */
static inline uint8_t take_u8(input *in) { return in->next < in->end ? *in->next++ : 0; }

/* Takes the first `size` bytes, or all that remain. Returns their number. */
static inline size_t take_bytes(input *in, void *to, size_t size)
{
    const size_t there = input_left(in) < size ? input_left(in) : size;
    if (there > 0) memcpy(to, in->next, there);
    in->next += there;
    return there;
}

/* Returns the next eight bytes as a number. */
static inline uint64_t take_u64(input *in)
{
    uint64_t value = 0;
    take_bytes(in, &value, sizeof value);
    return value;
}

/* Takes any 64 bits as a double: NaN, infinities and subnormal numbers too. */
static inline double take_f64(input *in)
{
    const uint64_t bits = take_u64(in);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Takes the bytes up to the next zero, and ends them with one. They need not be a valid text. The caller frees them. */
static inline char *take_text(input *in)
{
    const size_t length = strnlen((const char *)in->next, input_left(in));
    char *text = malloc(length + 1);
    ALWAYS(text);
    take_bytes(in, text, length);
    text[length] = '\0';
    take_u8(in);
    return text;
}

#endif
