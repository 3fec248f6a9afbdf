/* SPDX-License-Identifier: Apache-2.0 */
/* Before a manage, agents that move get the positions that they asked for (positions.h of the SDK). */
#ifndef MASS_KERNELS_REPOSITION_H
#define MASS_KERNELS_REPOSITION_H

#include <mass/impl/launch.h>

/* Addresses are on the kernel's device. An agent moves if its request is a cell, or MASS_CELL_REMOTE. Those of worlds
 * with a closed gate stay. Requests remain: the manage applies them. To do it twice is the same as once. */
typedef struct mass_reposition_work {
    int64_t places;        /* of one world */
    const uint32_t *gates; /* [worlds] not 0: closed; or NULL */
    const uint32_t *count; /* [1] number of agents */
    uint32_t room;
    const uint32_t *cell, *move; /* [room] */
    void *at;                    /* [room] points */
    const void *to;              /* [room] where the agents move */
    size_t size;                 /* bytes of a point: a multiple of 4 */
} mass_reposition_work;

#endif
