/* SPDX-License-Identifier: Apache-2.0 */
/* An input that a harness takes apart: numbers and texts, one after another; behind its end are zeros. */
#ifndef MASS_FUZZ_INPUT_H
#define MASS_FUZZ_INPUT_H

#include "harness.h"

#include <string.h>

typedef struct input {
    const uint8_t *next, *end;
} input;

static inline size_t input_left(const input *in) { return (size_t)(in->end - in->next); }

static inline uint8_t take_u8(input *in) { return in->next < in->end ? *in->next++ : 0; }

/* All that is left, or the first `size` bytes of it: returns how many there were. */
static inline size_t take_bytes(input *in, void *to, size_t size)
{
    const size_t there = input_left(in) < size ? input_left(in) : size;
    if (there > 0) memcpy(to, in->next, there);
    in->next += there;
    return there;
}

static inline uint64_t take_u64(input *in)
{
    uint64_t value = 0;
    take_bytes(in, &value, sizeof value);
    return value;
}

/* Any 64 bits, as a double: NaN, infinite and subnormal ones among them. */
static inline double take_f64(input *in)
{
    const uint64_t bits = take_u64(in);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Bytes up to the next zero, with an end of their own; they need not be a text in any language. The caller frees
 * them. */
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
