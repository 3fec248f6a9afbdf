/* SPDX-License-Identifier: Apache-2.0 */
/* Divides rows between ranks: in proportion to rates, or so that all ranks need the same time.
 *
 * The seconds of a slab are attributed to its rows, not to its rank. A rank may be slow, or its rows may have many
 * agents. Attributing the time of agents to the rank would make slabs oscillate. Attributing a slow rank's time to
 * its rows moves too few rows at once, and later checks move the rest.
 *
 * Only sums over slabs are known. Within a slab, rows are assumed to keep their proportions, so each new division
 * adds knowledge. New slabs end where the sums over rows are equal parts of the total. */
#include "split/repartition.h"

const double mass_repartition_bound = 1.2;

enum { MOST = 1000 }; /* the share of the fastest rank */
static const double NOISE = 1.1; /* factor below which rates count as equal */

static const double LEAST_SECONDS = 1e-3; /* of the slowest rank: shorter times are noise */
static const double LEAST_PART = 0.01;    /* of the mean: rows without work may get some */

/* ---- by rates ---- */

bool mass_shares_of_rates(const double *rates, int32_t ranks, int32_t *shares)
{
    double least = rates[0], most = rates[0];
    for (int32_t r = 1; r < ranks; r++) {
        if (rates[r] < least) least = rates[r];
        if (rates[r] > most) most = rates[r];
    }
    for (int32_t r = 0; r < ranks; r++) {
        const int32_t share = (int32_t)(MOST * (rates[r] / most) + 0.5);
        shares[r] = share > 0 ? share : 1;
    }
    return most > NOISE * least;
}

/* ---- by times ---- */

/* The space that determines the cuts, divided into bins. The cuts of other spaces follow it. */
typedef struct axis {
    const mass_share *share;
    const mass_space_def *space;
    int32_t bins;
    double width; /* rows of a bin */
} axis;

/* Returns the bins of the rows of the largest space: one for each row, or MASS_ROW_TIME_BINS. */
static axis axis_of(const mass_share *share, const mass_model *m)
{
    const mass_space_def *largest = &m->spaces[0];
    for (uint32_t s = 1; s < m->space_count; s++)
        if (mass_space_places(&m->spaces[s]) > mass_space_places(largest)) largest = &m->spaces[s];
    const mass_gidx rows = largest->size[mass_slab_axis(largest)];
    const int32_t bins = rows < MASS_ROW_TIME_BINS ? (int32_t)rows : MASS_ROW_TIME_BINS;
    return (axis){share, largest, bins, (double)rows / bins};
}

/* Returns the part of a bin that is in a rank's slab, from 0 to 1. */
static double part_in(const axis *a, int32_t bin, int32_t rank)
{
    const double first = (double)mass_share_first_row(a->share, a->space, rank) / a->width - bin;
    const double end = (double)mass_share_first_row(a->share, a->space, rank + 1) / a->width - bin;
    const double part = (end < 1 ? end : 1) - (first > 0 ? first : 0);
    return part > 0 ? part : 0;
}

/* Returns the bin at the end of a rank's slab. */
static int32_t last_bin(const axis *a, int32_t rank)
{
    const int32_t bin = (int32_t)((double)mass_share_first_row(a->share, a->space, rank + 1) / a->width);
    return bin < a->bins ? bin : a->bins - 1;
}

/* Returns the bin at the start of a rank's slab. */
static int32_t first_bin(const axis *a, int32_t rank)
{
    return (int32_t)((double)mass_share_first_row(a->share, a->space, rank) / a->width);
}

/* Scales the estimates of each slab's rows so that their sum is the measured time; each bin gets at least LEAST_PART of
 * the mean. learnt: [bins], scratch. */
static void learn(mass_row_times *t, const axis *a, const double *seconds, double *learnt)
{
    double all = 0;
    for (int32_t i = 0; i < a->bins; i++) {
        if (!t->known) t->bins[i] = 1;
        learnt[i] = 0;
    }
    t->known = true;
    for (int32_t r = 0; r < a->share->comm->size; r++) {
        double thought = 0;
        for (int32_t i = first_bin(a, r); i <= last_bin(a, r); i++) thought += part_in(a, i, r) * t->bins[i];
        for (int32_t i = first_bin(a, r); i <= last_bin(a, r); i++)
            learnt[i] += part_in(a, i, r) * t->bins[i] * seconds[r] / thought;
        all += seconds[r];
    }
    const double least = LEAST_PART * all / a->bins;
    for (int32_t i = 0; i < a->bins; i++) t->bins[i] = learnt[i] > least ? learnt[i] : least;
}

/* Sets the shares whose cuts divide the sum of all bins into equal parts. Returns false if the present cuts do so
 * already, or if no unit is left to distribute. */
static bool cut(const mass_row_times *t, const axis *a, int64_t *before)
{
    const int32_t ranks = a->share->comm->size, each = a->share->partitions / ranks;
    const mass_gidx every = mass_share_every(a->space);                           /* a unit: rows that are never
                                                                                     divided */
    const int64_t spare = mass_share_units(a->space) - a->share->partitions; /* units to distribute */
    double all = 0, sum = 0;
    bool moves = false;
    for (int32_t i = 0; i < a->bins; i++) all += t->bins[i];
    before[0] = 0;
    before[ranks] = spare;
    for (int32_t r = 1, i = 0; r < ranks; r++) {
        const double part = all * r / ranks;
        while (i < a->bins - 1 && sum + t->bins[i] < part) sum += t->bins[i++];
        const double row = (i + (part - sum) / t->bins[i]) * a->width;
        const int64_t own = (int64_t)(row / (double)every + 0.5) - (int64_t)r * each;
        before[r] = own < before[r - 1] ? before[r - 1] : own > spare ? spare : own;
        moves |= (before[r] + (int64_t)r * each) * every != mass_share_first_row(a->share, a->space, r);
    }
    return spare > 0 && moves;
}

bool mass_repartition_find(mass_row_times *t, const mass_share *share, const mass_model *m, const double *seconds,
                           int64_t *before)
{
    const axis a = axis_of(share, m);
    double learnt[MASS_ROW_TIME_BINS], all = 0, slowest = 0;
    for (int32_t r = 0; r < share->comm->size; r++) {
        all += seconds[r];
        if (seconds[r] > slowest) slowest = seconds[r];
    }
    if (slowest < LEAST_SECONDS) return false;
    learn(t, &a, seconds, learnt);
    return slowest > mass_repartition_bound * all / share->comm->size && cut(t, &a, before);
}
