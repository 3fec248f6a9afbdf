/* SPDX-License-Identifier: Apache-2.0 */
/* Shares of rates are in proportion, and repartitioned slabs take all ranks as long, if rows differ or ranks do. */
#include "split/repartition.h"

#include <mass/random.h>

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MOST = 16, ROWS_MOST = 4000 };

static uint32_t draw(uint64_t n, uint32_t which, uint32_t below)
{
    return mass_random_block(13, n, 0, 0, which).v[0] % below;
}

/* What a test draws: what a row takes, and how much slower each rank is. */
typedef struct load {
    int32_t ranks, every; /* rows that stay together; 0: each goes by itself */
    mass_gidx rows;
    double row[ROWS_MOST], slow[RANKS_MOST];
} load;

typedef struct scene {
    mass_comm comm;
    mass_model *model;
    int64_t before[RANKS_MOST + 1];
    mass_share share;
} scene;

static scene make_scene(const load *l, int32_t partitions)
{
    scene s = {.model = calloc(1, sizeof *s.model)};
    s.model->space_count = 2;
    s.model->spaces[0] = (mass_space_def){.dimensions = 1, .size = {l->ranks * partitions, 1, 1}};
    s.model->spaces[1] = (mass_space_def){.dimensions = 2, .size = {5, l->rows, 1}, .cut_every = l->every};
    return s;
}

static mass_share share_of(scene *s, const load *l, int32_t partitions, bool first)
{
    s->comm = (mass_comm){.size = l->ranks};
    return mass_share_make(&s->comm, 1, partitions, first ? NULL : s->before);
}

/* Returns by how much the slowest rank is slower than all in the mean. */
static double measure(const mass_share *share, const mass_space_def *space, const load *l, double *seconds)
{
    double all = 0, slowest = 0;
    for (int32_t r = 0; r < l->ranks; r++) {
        seconds[r] = 0;
        for (mass_gidx i = mass_share_first_row(share, space, r); i < mass_share_first_row(share, space, r + 1); i++)
            seconds[r] += l->row[i] * l->slow[r];
        all += seconds[r];
        if (seconds[r] > slowest) slowest = seconds[r];
    }
    return slowest * l->ranks / all;
}

/* How much slower the slowest rank is in the end, and after how many cuts. */
static double repartition(const load *l, int32_t partitions, int32_t *cuts)
{
    scene s = make_scene(l, partitions);
    double seconds[RANKS_MOST], found;
    mass_row_times *t = calloc(1, sizeof *t);
    for (*cuts = 0; *cuts < 60; ++*cuts) {
        const mass_share share = share_of(&s, l, partitions, *cuts == 0);
        int64_t before[RANKS_MOST + 1];
        found = measure(&share, &s.model->spaces[1], l, seconds);
        if (!mass_repartition_find(t, &share, s.model, seconds, before)) break;
        cr_assert_gt(found, mass_repartition_bound - 1e-6);
        memcpy(s.before, before, sizeof before);
        for (int32_t r = 0; r < l->ranks; r++) cr_assert_leq(s.before[r], s.before[r + 1]);
        cr_assert_gt(s.before[l->ranks], 0);
    }
    free(t);
    free(s.model);
    return found;
}

static void draw_load(uint64_t n, load *l)
{
    l->ranks = 2 + (int32_t)draw(n, 0, 9), l->every = 0;
    l->rows = 1000 + draw(n, 1, ROWS_MOST - 1000);
    for (mass_gidx i = 0; i < l->rows; i++) l->row[i] = 1;
    for (int32_t r = 0; r < l->ranks; r++) l->slow[r] = 1;
}

Test(repartition, of_rows_that_take_longer_somewhere)
{
    for (uint64_t n = 0; n < 200; n++) {
        load l;
        int32_t cuts;
        draw_load(n, &l);
        const mass_gidx first = draw(n, 2, (uint32_t)l.rows / 2), width = l.rows / 8 + draw(n, 3, (uint32_t)l.rows / 4);
        for (mass_gidx i = first; i < first + width; i++) l.row[i] = 2 + draw(n, 4, 200);
        const double found = repartition(&l, 1 + (int32_t)draw(n, 5, 3), &cuts);
        cr_assert_leq(found, mass_repartition_bound + 0.01, "case %d: %g after %d cuts", (int)n, found, cuts);
        cr_assert_lt(cuts, 12, "case %d", (int)n);
    }
}

Test(repartition, of_ranks_that_are_slower)
{
    for (uint64_t n = 0; n < 200; n++) {
        load l;
        int32_t cuts;
        draw_load(n, &l);
        for (int32_t r = 0; r < l.ranks; r++) l.slow[r] = 1 + draw(n, 10 + (uint32_t)r, 3);
        const double found = repartition(&l, 1, &cuts);
        cr_assert_leq(found, mass_repartition_bound + 0.01, "case %d: %g after %d cuts", (int)n, found, cuts);
    }
}

Test(repartition, is_left_alone_where_ranks_take_about_as_long)
{
    load l;
    int32_t cuts;
    draw_load(1, &l);
    for (int32_t r = 0; r < l.ranks; r++) l.slow[r] = 1 + 0.05 * (r % 3);
    repartition(&l, 2, &cuts);
    cr_assert_eq(cuts, 0);
    for (int32_t r = 0; r < l.ranks; r++) l.slow[r] = r == 0 ? 1e-12 : 1e-13; /* of too little, nothing can be told */
    repartition(&l, 2, &cuts);
    cr_assert_eq(cuts, 0);
}

/* As those of a line of bits do: cuts cannot be where they would have to, and are left where they come nearest. */
Test(repartition, of_rows_that_stay_together_ends)
{
    for (uint64_t n = 0; n < 200; n++) {
        load l;
        int32_t cuts;
        draw_load(n, &l);
        l.every = 64;
        if (l.ranks > l.rows / 64 / 3) continue;
        for (mass_gidx i = l.rows / 3; i < l.rows; i++) l.row[i] = 2 + draw(n, 4, 200);
        repartition(&l, 1 + (int32_t)draw(n, 5, 3), &cuts);
        cr_assert_lt(cuts, 12, "case %d", (int)n);
    }
}

Test(repartition, of_no_more_rows_than_slabs_is_as_it_is)
{
    const double seconds[] = {9, 1, 1};
    load l = {.ranks = 3, .rows = 6};
    scene s = make_scene(&l, 2);
    int64_t before[4];
    const mass_share share = share_of(&s, &l, 2, true);
    mass_row_times *t = calloc(1, sizeof *t);
    cr_assert_not(mass_repartition_find(t, &share, s.model, seconds, before));
    free(t);
    free(s.model);
}

Test(shares, are_in_proportion_to_rates)
{
    int32_t shares[4];
    cr_assert(mass_shares_of_rates((const double[]){3e12, 1.5e12, 3e12, 1e8}, 4, shares));
    cr_assert_arr_eq(shares, ((const int32_t[]){1000, 500, 1000, 1}), sizeof shares);
}

Test(shares, are_equal_where_rates_differ_by_noise)
{
    int32_t shares[3];
    cr_assert_not(mass_shares_of_rates((const double[]){1.05e9, 1e9, 1.09e9}, 3, shares));
    cr_assert(mass_shares_of_rates((const double[]){1.05e9, 1e9, 1.2e9}, 3, shares));
}
