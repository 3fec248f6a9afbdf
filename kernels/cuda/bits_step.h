/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of bits by counts, on a GPU: a place's next bit, and what it adds to tallies, depend on its own bit and on how
 * many of its neighbours are set. 32 places are one operation, by adders; several steps are one launch. Addresses are
 * the device's. */
#ifndef MASS_KERNELS_CUDA_BITS_STEP_H
#define MASS_KERNELS_CUDA_BITS_STEP_H

#include <cuda_runtime.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MASS_BITS_STEPS_MOST = 16, MASS_BITS_SUMS = 8, MASS_BITS_TOTALS = 10 };
/* Sides beyond which there are no places, at once or within as many of the ghosts as there are steps. */
enum { MASS_BITS_LEFT = 1, MASS_BITS_RIGHT = 2, MASS_BITS_TOP = 4, MASS_BITS_BOTTOM = 8 };
/* Axes of a torus. */
enum { MASS_BITS_X = 1, MASS_BITS_Y = 2 };

/* A tally of a step: so much for each place that is set afterwards, for each that became set, and that ceased to be. */
typedef struct mass_bits_sum {
    int64_t *tally; /* [worlds] added to */
    int64_t set, born, died;
} mass_bits_sum;

/* Row y of world w begins w * world_stride + y * pitch words of 32 places behind `from` and `to`, and with ghosts as
 * deep as there are steps on all sides but those named by `open`, or along axes named by `around`. A row's last word is
 * written whole. */
typedef struct mass_bits_work {
    const uint32_t *from; /* to 16 bytes, and so are strides */
    uint32_t *to;
    int64_t pitch, world_stride;
    int32_t width, height, worlds; /* width and height in places */
    int32_t steps;                 /* a power of two, at most MASS_BITS_STEPS_MOST */
    uint32_t open;                 /* MASS_BITS_LEFT, ..., beyond which places are `beyond` */
    int32_t first_row, end_row;    /* of those that there are, where the top or the bottom is open */
    uint32_t around;               /* MASS_BITS_X, _Y: beyond a side come the places of the other side, whatever its
                                      ghosts hold; a width of whole words, a height of steps at least */
    uint32_t beyond;               /* 0, or UINT32_MAX for set */
    bool von_neumann;              /* four neighbours, else eight */
    uint32_t birth, survive;       /* bit n: a place with n set neighbours becomes set, or remains so */
    const uint32_t *gates;         /* [worlds], NULL: all open (mass_launch) */
    uint32_t sum_count;
    mass_bits_sum sums[MASS_BITS_SUMS]; /* of the last step; */
    int64_t row; /* those of the step before are so many int64_t before them, and so on; 0: all steps add to the same */
} mass_bits_work;

/* Queues it. overlaps: it may begin while the launch before it ends. */
cudaError_t mass_cuda_step_bits(cudaStream_t stream, const mass_bits_work *work, bool overlaps);

#ifdef __cplusplus
}
#endif
#endif
