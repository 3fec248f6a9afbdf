/* SPDX-License-Identifier: Apache-2.0 */
/* The conflict rule (manage.h): decides which of two agents that claim a cell has the better claim. The CPU and CUDA
 * share it, and get the same bits. */
#ifndef MASS_KERNELS_CONFLICT_H
#define MASS_KERNELS_CONFLICT_H

#include "manage.h"

#include <mass/arithmetic.h>
#include <mass/random.h>

/* Maps a signed number to an unsigned one, and keeps the order. */
MASS_FN uint64_t mass_conflict_unsigned(int64_t rank) { return (uint64_t)rank ^ (uint64_t)1 << 63; }

/* Returns an agent's priority as an unsigned number of the same order. */
MASS_FN uint64_t mass_conflict_priority(const mass_manage_work *w, uint32_t agent)
{
    switch (w->priority_type) {
    case MASS_I32: return mass_conflict_unsigned(((const int32_t *)w->priority)[agent]);
    case MASS_U32: return ((const uint32_t *)w->priority)[agent];
    case MASS_I64: return mass_conflict_unsigned(((const int64_t *)w->priority)[agent]);
    case MASS_U64: return ((const uint64_t *)w->priority)[agent];
    case MASS_F32: return mass_conflict_unsigned(mass_rank_f64(((const float *)w->priority)[agent]));
    default: return mass_conflict_unsigned(mass_rank_f64(((const double *)w->priority)[agent]));
    }
}

/* Returns the random number that the agent with this id draws in this manage. */
MASS_FN uint64_t mass_conflict_lot(const mass_manage_work *w, uint64_t world, uint64_t id)
{
    const uint64_t step = w->clock ? w->step + *w->clock : w->step;
    const mass_random4 r = mass_random_block(w->random_keys[world], id, step, w->phase, MASS_LOTTERY_DRAW);
    return (uint64_t)r.v[0] << 32 | r.v[1];
}

/* Returns the key of an agent's claim, for rules other than the lowest id. The lower key is better; of equal keys, the
 * lower id. */
MASS_FN uint64_t mass_conflict_key(const mass_manage_work *w, uint32_t agent, uint64_t world, uint64_t id)
{
    return w->conflict == MASS_HIGHEST_PRIORITY ? ~mass_conflict_priority(w, agent) : mass_conflict_lot(w, world, id);
}

#endif
