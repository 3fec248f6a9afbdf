/* SPDX-License-Identifier: Apache-2.0 */
/* Records that ranks exchange in a manage that GPUs decide (cuda/manage_remote.h). */
#ifndef MASS_KERNELS_REMOTE_H
#define MASS_KERNELS_REMOTE_H

#include "manage.h"

/* A remote claim: a move to a cell of another rank, or a birth there. The claim with the lower key is better; of equal
 * keys, the one with the lower id. */
typedef struct mass_remote_claim {
    uint64_t key, id; /* for a birth: key is the parent's id, id the number of the birth */
    uint32_t cell;    /* as the rank that holds it numbers it */
    uint32_t index;   /* of the agent or the birth, on the requesting rank */
    int32_t rank;     /* the destination; in a received claim, the rank that sent it */
    uint32_t is_birth;
} mass_remote_claim;

/* A refused claim, sent back to the rank that made it. */
typedef struct mass_remote_refusal {
    int32_t rank; /* the destination */
    uint32_t index;
} mass_remote_refusal;

/* An agent that moves to another rank. The values of its attributes follow, each aligned to its size
 * (mass_remote_value). */
typedef struct mass_remote_traveller {
    uint64_t id;
    uint32_t cell; /* as the destination numbers it */
    int32_t rank;  /* the destination */
} mass_remote_traveller;

/* Returns the offset of array `array` in a traveller's record. With `array` the number of arrays: the record's
 * length. */
static inline size_t mass_remote_value(const mass_manage_work *w, uint32_t array)
{
    size_t at = sizeof(mass_remote_traveller);
    for (uint32_t i = 0; i <= array; i++) {
        const size_t size = i < w->array_count ? w->arrays[i].size : 16, own = size & (0 - size);
        const size_t whole = own < 16 ? own : 16;
        at = (at + whole - 1) / whole * whole;
        if (i < array) at += size;
    }
    return at;
}

#endif
