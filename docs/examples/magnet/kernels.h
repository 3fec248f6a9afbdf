/* SPDX-License-Identifier: Apache-2.0 */
/* The callbacks of the magnet, and the elements that are structs. */
#ifndef MAGNET_KERNELS_H
#define MAGNET_KERNELS_H

#include <mass/callback.h>

enum { ENERGY_BITS = 20 }; /* after the binary point */

/* What happened to a place. The largest member comes first, so that there is no padding. */
typedef struct magnet_record {
    double work;    /* energy that its turns took */
    uint32_t turns; /* how many there were */
    uint32_t last;  /* the step of the last one */
} magnet_record;

/* Sums over the steps, of the field on a place and of its square. */
typedef struct magnet_moments {
    double first, second;
} magnet_moments;

extern const mass_callback magnet_draw, magnet_turn_black, magnet_turn_white, magnet_measure;

#endif
