/* SPDX-License-Identifier: Apache-2.0 */
/* What a row takes belongs to it, as far as one can tell, and not to its rank: agents may stand there. So slabs end
 * where the sums of what rows take are equal parts of all. Of ranks that are slow themselves, that moves too little at
 * once, but it never moves too much: the next time goes on from there. */
#include "domain/balance.h"

const double mass_balance_bound = 1.2;

static const double LEAST_SECONDS = 1e-3; /* of the slowest rank: less is chance */
static const double LEAST_PART = 0.01;    /* of the mean, so that every row takes something */

/* By which the cuts are found: those of other spaces follow. */
static const mass_space_def *largest_space(const mass_model *m)
{
    const mass_space_def *largest = &m->spaces[0];
    for (uint32_t s = 1; s < m->space_count; s++)
        if (mass_space_places(&m->spaces[s]) > mass_space_places(largest)) largest = &m->spaces[s];
    return largest;
}

static double at_least(double value, double least) { return value > least ? value : least; }

/* The row before which what rows take comes to `part`: *rank and *before, the slab that it is in and what comes before
 * that, go up from call to call. */
static double find_row(const mass_share *share, const mass_space_def *s, const double *seconds, double least,
                       double part, int32_t *rank, double *before)
{
    while (*rank < share->comm->size - 1 && *before + at_least(seconds[*rank], least) < part)
        *before += at_least(seconds[(*rank)++], least);
    const mass_gidx first = mass_share_first_row(share, s, *rank), end = mass_share_first_row(share, s, *rank + 1);
    return (double)first + (double)(end - first) * (part - *before) / at_least(seconds[*rank], least);
}

bool mass_balance_find(const mass_share *share, const mass_model *m, const double *seconds, int64_t *before)
{
    const mass_space_def *s = largest_space(m);
    const int32_t ranks = share->comm->size, each = share->partitions / ranks;
    const int64_t spare = s->size[mass_slab_axis(s)] - share->partitions; /* rows that are dealt out */
    double all = 0, slowest = 0, mean, passed = 0;
    for (int32_t r = 0; r < ranks; r++) {
        all += seconds[r];
        if (seconds[r] > slowest) slowest = seconds[r];
    }
    mean = all / ranks;
    if (slowest < LEAST_SECONDS || slowest <= mass_balance_bound * mean || spare == 0) return false;
    const double least = LEAST_PART * mean;
    all = 0;
    for (int32_t r = 0; r < ranks; r++) all += at_least(seconds[r], least);
    bool moves = false;
    before[0] = 0;
    before[ranks] = spare;
    for (int32_t r = 1, rank = 0; r < ranks; r++) {
        const double row = find_row(share, s, seconds, least, all * r / ranks, &rank, &passed);
        const int64_t own = (int64_t)(row + 0.5) - (int64_t)r * each;
        before[r] = own < before[r - 1] ? before[r - 1] : own > spare ? spare : own;
        moves |= before[r] + (int64_t)r * each != mass_share_first_row(share, s, r);
    }
    return moves;
}
