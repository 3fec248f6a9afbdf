/* SPDX-License-Identifier: Apache-2.0 */
#include "split/edge_shares.h"

/* Returns the nodes of a space before node `row`, and the edges that come into them. */
static int64_t weight_before(const mass_model *m, uint32_t space, mass_gidx row)
{
    int64_t weight = row;
    for (uint32_t i = 0; i < m->networks->count; i++)
        if (m->networks->list[i].space == space) weight += (int64_t)m->networks->list[i].ends.first[row];
    return weight;
}

/* Returns the space of nodes with the most nodes and edges; -1: there is none. */
static int heaviest_space(const mass_model *m)
{
    int heaviest = -1;
    int64_t most = 0;
    for (uint32_t i = 0; m->networks && i < m->networks->count; i++) {
        const mass_network_def *const n = &m->networks->list[i];
        const int64_t weight = weight_before(m, n->space, n->ends.nodes);
        if (weight <= most) continue;
        heaviest = (int)n->space;
        most = weight;
    }
    return heaviest;
}

/* Returns the weight before a unit, which is a group of rows that are never divided. */
static int64_t weight_before_unit(const mass_model *m, uint32_t space, mass_gidx unit)
{
    const mass_space_def *const s = &m->spaces[space];
    const mass_gidx row = unit * mass_share_every(s);
    return weight_before(m, space, row < s->size[0] ? row : s->size[0]);
}

/* Returns the unit before which the weight is closest to a part of all; of two, the first. */
static mass_gidx unit_at(const mass_model *m, uint32_t space, int64_t weight)
{
    mass_gidx low = 0, high = mass_share_units(&m->spaces[space]);
    while (high - low > 1) {
        const mass_gidx middle = low + (high - low) / 2;
        if (weight_before_unit(m, space, middle) <= weight) low = middle;
        else high = middle;
    }
    const int64_t below = weight - weight_before_unit(m, space, low);
    return weight_before_unit(m, space, high) - weight < below ? high : low;
}

bool mass_edge_shares_find(const mass_model *m, int32_t ranks, int32_t partitions, int64_t *before)
{
    const int space = heaviest_space(m);
    if (space < 0) return false;
    const mass_gidx units = mass_share_units(&m->spaces[space]), spare = units - (int64_t)ranks * partitions;
    const int64_t all = weight_before_unit(m, (uint32_t)space, units);
    before[0] = 0;
    for (int32_t r = 1; r < ranks; r++) {
        const mass_gidx unit = unit_at(m, (uint32_t)space, (int64_t)((__int128)all * r / ranks));
        const int64_t own = unit - (int64_t)r * partitions; /* each partition has a unit that is not shared out */
        before[r] = own < before[r - 1] ? before[r - 1] : own > spare ? spare : own;
    }
    before[ranks] = spare;
    return spare > 0;
}
