/* SPDX-License-Identifier: Apache-2.0 */
/* Sprouts: agents that places bring forth. After a manage, each place asks for a number of new agents of the
 * population. With a capacity, it gets as many as it has free seats; the others are not born, and counted so. The CPU's
 * and the CUDA kernel implement this specification, to the same bits.
 *
 * A sprout gets the values that the place's body has set, otherwise the defaults, and no lost flag. Its position, if
 * the population has some, is a random point of its place. Ids start at
 * id_base of the world, and number the sprouts by (place, k). They are the largest of the world. So the sprouts of a
 * cell come after its other agents, and no other agents change their order. A closed gate leaves a world's requests and
 * agents unchanged. */
#ifndef MASS_KERNELS_SPROUTS_H
#define MASS_KERNELS_SPROUTS_H

#include "point_in_place.h"

#include <mass/impl/launch.h>
#include <stdbool.h>

/* An attribute of agents, one element each. */
typedef struct mass_sprout_array {
    const void *from;    /* [room] present values */
    void *to;            /* [room] next values */
    size_t size;         /* bytes of an element */
    void *value;         /* [most][cells] the value of sprout k of cell c is at k * cells + c; or NULL: `initial` */
    const void *initial; /* one element, in host memory */
} mass_sprout_array;

/* Addresses are on the kernel's device unless marked as host. */
typedef struct mass_sprout_work {
    int64_t places; /* of one world */
    int32_t worlds;
    uint32_t capacity;     /* most agents of a place; 0: no limit */
    const uint32_t *gates; /* [worlds] not 0: closed; or NULL */
    uint32_t *asked;       /* [cells] mass_sprouts.asked */
    uint32_t *before;      /* [cells + 1] sprouts that are born in all cells before; NULL: only clear requests */
    uint32_t *count;       /* [1] number of agents, in and out */
    uint32_t *start;       /* [cells + 1] in and out, as in mass_agents */
    mass_seats *occupancy; /* [cells / 32 + 1] in and out, as in mass_agents; or NULL */
    const uint64_t *id;
    uint64_t *id_to;
    const uint32_t *cell;
    uint32_t *cell_to;
    const uint8_t *lost;
    uint8_t *lost_to;
    uint32_t array_count;
    const mass_sprout_array *arrays; /* host */
    int32_t points;          /* the one of these that has positions; -1: there are none */
    mass_point_draws draws;  /* of positions */
    const uint64_t *id_base;         /* [worlds] id of the first sprout of a world; may be next_id */
    uint64_t *next_id;               /* [worlds] in and out */
    int64_t *born, *unborn;          /* [worlds] tallies to add to, or NULL */
    uint32_t *ignored;               /* becomes 1 if it is 0 and a request is cleared; or NULL */
} mass_sprout_work;

#endif
