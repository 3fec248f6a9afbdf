/* SPDX-License-Identifier: Apache-2.0 */
/* What ranks hold: slabs of equal or unequal shares cover every space, of any size, without gaps, and so do worlds. */
#include "split/share.h"

#include <mass/random.h>

#include <criterion/criterion.h>

enum { RANKS_MOST = 64 };

static uint32_t draw(uint64_t n, uint32_t which, uint32_t below)
{
    return mass_random_block(11, n, 0, 0, which).v[0] % below;
}

static mass_share share_of(mass_comm *comm, int32_t ranks, int32_t worlds, int32_t partitions, int64_t *before)
{
    *comm = (mass_comm){.size = ranks};
    return mass_share_make(comm, worlds, partitions, before);
}

static mass_space_def space_of(mass_gidx rows) { return (mass_space_def){.dimensions = 2, .size = {3, rows, 1}}; }

static void random_shares(uint64_t n, int32_t ranks, int64_t *before)
{
    int32_t shares[RANKS_MOST];
    for (int32_t r = 0; r < ranks; r++)
        shares[r] = 1 + (int32_t)draw(n, 100 + (uint32_t)r, n % 3 == 0 ? MASS_SHARE_MOST : 5);
    mass_share_add_up(shares, ranks, before);
}

/* Every partition has a row and holds exactly those from its first to that of the next. */
static void expect_cover(const mass_share *s, const mass_space_def *space)
{
    const mass_gidx rows = space->size[mass_slab_axis(space)];
    cr_assert_eq(mass_share_row(s, space, 0), 0);
    cr_assert_eq(mass_share_row(s, space, s->partitions), rows);
    for (int32_t i = 0; i < s->partitions; i++) {
        const mass_gidx first = mass_share_row(s, space, i), end = mass_share_row(s, space, i + 1);
        cr_assert_lt(first, end, "partition %d of %d", i, s->partitions);
        cr_assert_eq(mass_share_owner(s, space, first), i);
        cr_assert_eq(mass_share_owner(s, space, end - 1), i);
    }
}

/* ---- slabs ---- */

Test(share, equal_ones_differ_by_a_row_at_most)
{
    for (mass_gidx rows = 1; rows <= 40; rows++)
        for (int32_t count = 1; count <= rows; count++) {
            mass_comm comm;
            const mass_share s = share_of(&comm, 1, 1, count, NULL);
            const mass_space_def space = space_of(rows);
            expect_cover(&s, &space);
            for (int32_t i = 0; i <= count; i++) cr_assert_eq(mass_share_row(&s, &space, i), rows * i / count);
        }
}

/* Whatever number they are given as, and however they are divided into ranks and partitions. */
Test(share, equal_ones_are_cut_as_if_none_were_given)
{
    for (uint64_t n = 0; n < 3000; n++) {
        const int32_t ranks = 2 + (int32_t)draw(n, 0, 9), partitions = 1 + (int32_t)draw(n, 1, 4);
        const mass_gidx rows = ranks * partitions + draw(n, 2, n % 2 ? 30 : 1u << 30);
        const mass_space_def space = space_of(rows);
        mass_comm comm;
        int64_t before[RANKS_MOST + 1] = {0};
        for (int32_t r = 0; r < ranks; r++) before[r + 1] = before[r] + 1 + draw(n, 3, MASS_SHARE_MOST);
        const mass_share given = share_of(&comm, ranks, 1, partitions, before);
        const mass_share none = share_of(&comm, ranks, 1, partitions, NULL);
        for (int32_t i = 0; i <= ranks * partitions; i++)
            cr_assert_eq(mass_share_row(&given, &space, i), mass_share_row(&none, &space, i));
    }
}

Test(share, any_give_every_partition_a_row)
{
    for (uint64_t n = 0; n < 3000; n++) {
        const int32_t ranks = 2 + (int32_t)draw(n, 0, 9), partitions = 1 + (int32_t)draw(n, 1, 4);
        const mass_space_def space = space_of(ranks * partitions + draw(n, 2, n % 2 ? 30 : INT32_MAX - 5000));
        mass_comm comm;
        int64_t before[RANKS_MOST + 1];
        random_shares(n, ranks, before);
        const mass_share s = share_of(&comm, ranks, 1, partitions, before);
        expect_cover(&s, &space);
        for (int32_t r = 0; r <= ranks; r++)
            cr_assert_eq(mass_share_first_row(&s, &space, r), mass_share_row(&s, &space, r * partitions));
    }
}

Test(share, of_three_to_one_is_three_times_the_rows)
{
    mass_comm comm;
    int64_t before[] = {0, 3, 4};
    const mass_share s = share_of(&comm, 2, 1, 1, before);
    const mass_space_def space = space_of(1002);
    cr_assert_eq(mass_share_first_row(&s, &space, 1), 751);
}

Test(share, owners_are_right_in_the_largest_spaces)
{
    for (uint64_t n = 0; n < 20000; n++) {
        const mass_gidx rows = INT32_MAX - 4096 - draw(n, 0, 1000);
        const int32_t count = 1 + (int32_t)draw(n, 1, n % 2 ? 64 : INT32_MAX / 2);
        const mass_space_def space = space_of(rows);
        mass_comm comm;
        const mass_share s = share_of(&comm, 1, 1, count, NULL);
        const mass_gidx start = mass_share_row(&s, &space, (int32_t)draw(n, 2, (uint32_t)count));
        for (mass_gidx at = start > 0 ? start - 1 : 0; at <= start + 1 && at < rows; at++) {
            const int32_t owner = mass_share_owner(&s, &space, at);
            cr_assert(mass_share_row(&s, &space, owner) <= at && at < mass_share_row(&s, &space, owner + 1));
        }
    }
}

Test(share, of_more_slabs_than_rows_is_no_more_than_there_is)
{
    mass_comm comm;
    const mass_share s = share_of(&comm, 1, 1, 9, NULL);
    const mass_space_def space = space_of(4);
    for (int32_t i = 0; i <= 9; i++) cr_assert_eq(mass_share_row(&s, &space, i), 4 * i / 9);
}

/* ---- worlds ---- */

static void expect_worlds(int32_t ranks, int32_t worlds, int64_t *before)
{
    int32_t next = 0;
    for (int32_t r = 0; r < ranks; r++) {
        mass_comm comm = {.rank = r, .size = ranks};
        const mass_share s = mass_share_make(&comm, worlds, 3, before);
        cr_assert(s.by_world && s.first_world == next && s.partitions == 3 && s.first_partition == 0);
        cr_assert_eq(mass_share_first_world(&s, r), next);
        cr_assert(mass_share_worlds_of(&s, r) >= (before ? 1 : worlds / ranks));
        next += mass_share_worlds_of(&s, r);
    }
    cr_assert_eq(next, worlds);
}

Test(share, whole_worlds_are_divided_without_gaps)
{
    for (int32_t ranks = 2; ranks < 9; ranks++)
        for (int32_t worlds = ranks; worlds < 40; worlds++) {
            int64_t before[RANKS_MOST + 1];
            random_shares((uint64_t)(worlds * 9 + ranks), ranks, before);
            expect_worlds(ranks, worlds, NULL);
            expect_worlds(ranks, worlds, before);
        }
}

Test(share, fewer_worlds_than_ranks_are_cut_into_slabs)
{
    for (int32_t r = 0; r < 4; r++) {
        mass_comm comm = {.rank = r, .size = 4};
        const mass_share s = mass_share_make(&comm, 3, 2, NULL);
        cr_assert(!s.by_world && mass_share_is_split(&s) && s.first_world == 0 && s.partitions == 8);
        cr_assert_eq(s.first_partition, 2 * r);
        cr_assert(mass_share_worlds_of(&s, r) == 3 && mass_share_first_world(&s, r) == 0);
    }
    const mass_share alone = mass_share_make(mass_comm_self(), 3, 2, NULL);
    cr_assert(!alone.by_world && !mass_share_is_split(&alone) && alone.partitions == 2);
}
