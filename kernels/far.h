/* SPDX-License-Identifier: Apache-2.0 */
/* What ranks tell each other in a manage where GPUs decide it (cuda/manage_far.h). */
#ifndef MASS_KERNELS_FAR_H
#define MASS_KERNELS_FAR_H

#include "manage.h"

/* An agent that asks for a cell of another rank, or a birth there. The claim with the lower key is better, and with the
 * lower id, where they are equal. */
typedef struct mass_far_claim {
    uint64_t key, id; /* of a birth: its parent's id, and its number */
    uint32_t cell;    /* of the rank that holds it */
    uint32_t index;   /* of the agent or the birth, on the rank that asks */
    int32_t rank;     /* that it goes to; on that one, that it comes from */
    uint32_t is_birth;
} mass_far_claim;

/* A claim that comes back. */
typedef struct mass_far_refusal {
    int32_t rank; /* that it goes to */
    uint32_t index;
} mass_far_refusal;

/* One that goes to another rank. Its values follow, each where its size allows (mass_far_value). */
typedef struct mass_far_traveller {
    uint64_t id;
    uint32_t cell; /* of the rank that it goes to */
    int32_t rank;  /* that one */
} mass_far_traveller;

/* Where array `array` of a traveller lies; the number of all arrays: its length. */
static inline size_t mass_far_value(const mass_manage_work *w, uint32_t array)
{
    size_t at = sizeof(mass_far_traveller);
    for (uint32_t i = 0; i <= array; i++) {
        const size_t size = i < w->array_count ? w->arrays[i].size : 16, own = size & (0 - size);
        const size_t whole = own < 16 ? own : 16;
        at = (at + whole - 1) / whole * whole;
        if (i < array) at += size;
    }
    return at;
}

#endif
