/* SPDX-License-Identifier: Apache-2.0 */
/* A copy of contiguous runs along up to three strided axes, as ghosts and boxes need it. Strides in bytes; counts at
 * least 1. Source and target do not overlap. */
#ifndef MASS_KERNELS_STRIDED_H
#define MASS_KERNELS_STRIDED_H

#include <stddef.h>
#include <stdint.h>

typedef struct mass_strided {
    void *to;
    const void *from;
    size_t bytes; /* of a run */
    int64_t count[3];
    int64_t to_stride[3], from_stride[3];
} mass_strided;

#endif
