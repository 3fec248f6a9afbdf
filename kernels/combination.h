/* SPDX-License-Identifier: Apache-2.0 */
/* How a contribution combines with the integer that it is for. Each kind has a neutral integer, which contributes
 * nothing: the engine initialises copies with it. The result does not depend on the order of contributions. */
#ifndef MASS_KERNELS_COMBINATION_H
#define MASS_KERNELS_COMBINATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum mass_combination_kind {
    MASS_COMBINATION_ADD,    /* modulo 2^(8 * size); 0 is neutral */
    MASS_COMBINATION_LEAST,  /* the largest integer is neutral */
    MASS_COMBINATION_REPLACE /* from at most one writer; -1, all bits 1, is neutral */
} mass_combination_kind;

typedef struct mass_combination {
    mass_combination_kind kind;
    size_t size;    /* of an integer: 4 or 8 bytes */
    bool is_signed; /* for MASS_COMBINATION_LEAST */
} mass_combination;

/* A copy of elements by number, `size` bytes each. One side holds them at index[count], the other side contiguously. */
typedef struct mass_indexed {
    void *to;
    const void *from;
    const uint32_t *index;
    int64_t count;
    size_t size;
} mass_indexed;

#endif
