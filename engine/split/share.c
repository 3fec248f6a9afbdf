/* SPDX-License-Identifier: Apache-2.0 */
#include "split/share.h"

/* Returns the first of `count` items of part `index` of `parts`. The parts before it have shares that sum to
 * `before` of `all`. Each part gets one item, if there are enough, and its share of the rest. With equal shares,
 * before / all is index / parts, and the result is count * index / parts. */
static int64_t deal(int64_t count, int64_t parts, int64_t index, __int128 before, __int128 all)
{
    const int64_t each = count < parts ? 0 : 1;
    return each * index + (int64_t)((count - each * parts) * before / all);
}

int32_t mass_share_first_world(const mass_share *s, int32_t rank)
{
    const int32_t ranks = s->comm->size;
    if (!s->by_world) return rank == ranks ? s->worlds : 0;
    return (int32_t)deal(s->worlds, ranks, rank, s->before ? s->before[rank] : rank,
                         s->before ? s->before[ranks] : ranks);
}

int32_t mass_share_worlds_of(const mass_share *s, int32_t rank)
{
    return s->by_world ? mass_share_first_world(s, rank + 1) - mass_share_first_world(s, rank) : s->worlds;
}

mass_share mass_share_make(mass_comm *comm, int32_t worlds, int32_t partitions, int64_t *before)
{
    const bool by_world = comm->size > 1 && worlds >= comm->size;
    mass_share s = {.comm = comm, .by_world = by_world, .worlds = worlds, .partitions = partitions, .before = before};
    if (by_world) s.first_world = mass_share_first_world(&s, comm->rank);
    else {
        s.partitions = partitions * comm->size;
        s.first_partition = partitions * comm->rank;
    }
    return s;
}

void mass_share_add_up(const int32_t *shares, int32_t ranks, int64_t *before)
{
    before[0] = 0;
    for (int32_t r = 0; r < ranks; r++) before[r + 1] = before[r] + shares[r];
}

/* Returns the first unit of a partition. A unit is a group of rows that are never divided. */
static mass_gidx unit(const mass_share *s, const mass_space_def *space, int32_t index)
{
    const mass_gidx units = mass_share_units(space);
    if (s->by_world || !s->before) return deal(units, s->partitions, index, index, s->partitions);
    const int32_t each = s->partitions / s->comm->size, rank = index / each, inside = index % each;
    const int64_t own = inside ? s->before[rank + 1] - s->before[rank] : 0;
    return deal(units, s->partitions, index, (__int128)s->before[rank] * each + (__int128)own * inside,
                (__int128)s->before[s->comm->size] * each);
}

mass_gidx mass_share_row(const mass_share *s, const mass_space_def *space, int32_t index)
{
    const mass_gidx rows = space->size[mass_slab_axis(space)], row = unit(s, space, index) * mass_share_every(space);
    return row < rows ? row : rows;
}

mass_gidx mass_share_first_row(const mass_share *s, const mass_space_def *space, int32_t rank)
{
    return mass_share_row(s, space, rank * (s->partitions / s->comm->size));
}

/* Returns the partition of a row if all shares are equal. It starts from an estimate. */
static int32_t owner_of_equals(const mass_share *s, const mass_space_def *space, mass_gidx row)
{
    int32_t index = (int32_t)((__int128)(row / mass_share_every(space)) * s->partitions / mass_share_units(space));
    while (mass_share_row(s, space, index + 1) <= row) index++;
    return index;
}

int32_t mass_share_owner(const mass_share *s, const mass_space_def *space, mass_gidx row)
{
    int32_t low = 0, high = s->partitions;
    if (!s->before) return owner_of_equals(s, space, row);
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (mass_share_row(s, space, middle) <= row) low = middle;
        else high = middle;
    }
    return low;
}
