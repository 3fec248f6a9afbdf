/* SPDX-License-Identifier: Apache-2.0 */
/* The rule of conflicts (manage.h): which of two agents that claim a cell has the better claim. Shared by the CPU and
 * CUDA, to the same bits. */
#ifndef MASS_KERNELS_CONFLICT_H
#define MASS_KERNELS_CONFLICT_H

#include "manage.h"

#include <mass/arithmetic.h>
#include <mass/random.h>

/* A signed number as an unsigned one of the same order. */
MASS_FN uint64_t mass_conflict_unsigned(int64_t rank) { return (uint64_t)rank ^ (uint64_t)1 << 63; }

/* An agent's priority as a number of the same order. */
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

/* The number that an agent of a world draws in this manage. */
MASS_FN uint64_t mass_conflict_lot(const mass_manage_work *w, uint64_t world, uint64_t id)
{
    const uint64_t step = w->clock ? w->step + *w->clock : w->step;
    const mass_random4 r = mass_random_block(w->keys[world], id, step, w->phase, MASS_LOTTERY_DRAW);
    return (uint64_t)r.v[0] << 32 | r.v[1];
}

/* What claims are compared by before ids are, where the rule is another than the lowest id: the lower is the better. */
MASS_FN uint64_t mass_conflict_key(const mass_manage_work *w, uint32_t agent, uint64_t world, uint64_t id)
{
    return w->conflict == MASS_HIGHEST_PRIORITY ? ~mass_conflict_priority(w, agent) : mass_conflict_lot(w, world, id);
}

#endif
