/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of bits by counts on a GPU. A place's next bit, and what it adds to tallies, depend on its own bit and on the
 * number of its set neighbours. Adders process 32 places at once, and one launch may do several steps. Addresses are on
 * the device. */
#ifndef MASS_KERNELS_CUDA_BITS_STEP_H
#define MASS_KERNELS_CUDA_BITS_STEP_H

#include <cuda_runtime.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MASS_BITS_STEPS_MOST = 16, MASS_BITS_SUMS = 8, MASS_BITS_TOTALS = 10 };
/* Sides without places beyond them: right at the side, or within the first `steps` ghosts. */
enum { MASS_BITS_LEFT = 1, MASS_BITS_RIGHT = 2, MASS_BITS_TOP = 4, MASS_BITS_BOTTOM = 8 };
/* Axes that wrap. */
enum { MASS_BITS_X = 1, MASS_BITS_Y = 2 };

/* A tally of a step: adds `set` for each place that is set afterwards, `born` for each that became set, and `died` for
 * each that ceased to be set. */
typedef struct mass_bits_sum {
    int64_t *tally; /* [worlds] in and out */
    int64_t set, born, died;
} mass_bits_sum;

/* Row y of world w begins w * world_stride + y * pitch words (of 32 places) after `from` and `to`. Each side needs
 * ghosts as deep as there are steps, except sides in `open` and axes in `around`. The last word of a row is written
 * whole. */
typedef struct mass_bits_work {
    const uint32_t *from; /* aligned to 16 bytes, and so are the strides */
    uint32_t *to;
    int64_t pitch, world_stride;
    int32_t width, height, worlds; /* width and height in places */
    int32_t steps;                 /* a power of two, at most MASS_BITS_STEPS_MOST */
    uint32_t open;                 /* MASS_BITS_LEFT, ...: sides beyond which all places are `beyond` */
    int32_t first_row, end_row;    /* the rows that exist, if the top or the bottom is open */
    uint32_t around;               /* MASS_BITS_X, _Y: axes that wrap; their ghosts are not read. The width must be
                                      whole words, the height at least `steps` */
    uint32_t beyond;               /* 0, or UINT32_MAX for set */
    bool von_neumann;              /* four neighbours, else eight */
    uint32_t birth, survive;       /* bit n: with n set neighbours, a place becomes set, or stays set */
    const uint32_t *gates;         /* [worlds], NULL: all open (mass_launch) */
    uint32_t sum_count;
    mass_bits_sum sums[MASS_BITS_SUMS]; /* tallies of the last step */
    int64_t row; /* int64_t from the tallies of one step to those of the next; 0: all steps add to the same */
} mass_bits_work;

/* Queues the steps. overlaps: the launch may begin while the one before it ends. */
cudaError_t mass_cuda_step_bits(cudaStream_t stream, const mass_bits_work *work, bool overlaps);

#ifdef __cplusplus
}
#endif
#endif
