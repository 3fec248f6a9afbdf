/* SPDX-License-Identifier: Apache-2.0 */
/* How contributions combine with the integer that they are for. Each kind has an integer that contributes nothing:
 * copies begin with it. The result does not depend on the order of contributions. */
#ifndef MASS_KERNELS_COMBINATION_H
#define MASS_KERNELS_COMBINATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum mass_combination_kind {
    MASS_COMBINATION_ADD,    /* modulo 2^(8 * size); 0 contributes nothing */
    MASS_COMBINATION_LEAST,  /* the largest integer contributes nothing */
    MASS_COMBINATION_REPLACE /* of one writer at most; -1, all bits 1, contributes nothing */
} mass_combination_kind;

typedef struct mass_combination {
    mass_combination_kind kind;
    size_t size;    /* of an integer: 4 or 8 bytes */
    bool is_signed; /* for the least */
} mass_combination;

/* Elements by their numbers: of `size` bytes each, those at index[count] on one side, and all together on the other. */
typedef struct mass_indexed {
    void *to;
    const void *from;
    const uint32_t *index;
    int64_t count;
    size_t size;
} mass_indexed;

#endif
