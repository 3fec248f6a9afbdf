/* SPDX-License-Identifier: Apache-2.0 */
/* What the bodies of claims.c note, and the plain program in reference.c reads: the claim that an agent made. */
#ifndef MASS_TESTS_MODELS_CLAIMS_H
#define MASS_TESTS_MODELS_CLAIMS_H

#include <mass/plugin.h>

/* The kinds of priorities that a claim may have. */
enum { NOTED_NONE, NOTED_INTEGER, NOTED_UNSIGNED, NOTED_REAL };

/* A claim: on whom, the priority's bits and kind, the lot, and the larger of its offsets. */
typedef struct noted {
    uint64_t aim, bits, lot;
    int32_t kind, far;
} noted;

/* What an agent got of it: its partner, the partner's value and offset, and what the accessors of PAIRS say. */
typedef struct gotten {
    uint64_t partner;
    int32_t value, dx, dy, dz;
    int32_t paired, claimant, refused, found;
} gotten;

/* Compares the pairs of the last step with those of a plain program; fails the run where they differ. */
mass_status claims_compare(mass_host *host);

#endif
