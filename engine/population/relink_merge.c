/* SPDX-License-Identifier: Apache-2.0 */
#include "population/relink_merge.h"

#include <stdlib.h>
#include <string.h>

/* ---- edges that end ---- */

/* Returns by how much a hash is shifted to the right, so that its upper bits remain: enough for `wanted` values, and
 * for 64 at least. */
static int shift_for(uint64_t wanted)
{
    int bits = 6;
    while (bits < 62 && UINT64_C(1) << bits < wanted) bits++;
    return 64 - bits;
}

bool mass_ended_set_finds(const mass_ended_set *s, uint64_t hash, uint64_t id, int64_t world)
{
    const uint64_t last = (UINT64_C(1) << (64 - s->slot_shift)) - 1;
    for (uint64_t at = hash >> s->slot_shift; s->slots[at]; at = (at + 1) & last) {
        const mass_ended_edge *const e = &s->list[s->slots[at] - 1];
        if (e->id == id && e->world == world) return true;
    }
    return false;
}

mass_status mass_ended_set_make(const mass_ended_edge *list, uint64_t count, mass_ended_set *out, mass_error *error)
{
    enum { FILTER = 32, SLOTS = 2 }; /* for each edge */
    *out = (mass_ended_set){.list = list, .filter_shift = shift_for(FILTER * count),
                            .slot_shift = shift_for(SLOTS * count)};
    const uint64_t bits = UINT64_C(1) << (64 - out->filter_shift), slots = UINT64_C(1) << (64 - out->slot_shift);
    out->filter = calloc(bits / 64, sizeof *out->filter);
    out->slots = calloc(slots, sizeof *out->slots);
    if (!out->filter || !out->slots || count >= UINT32_MAX)
        return mass_error_memory(error, bits / 8 + slots * sizeof *out->slots, "requests for edges");
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t hash = mass_ended_hash(list[i].id, list[i].world), bit = hash >> out->filter_shift;
        if (mass_ended_set_has(out, list[i].id, list[i].world)) continue;
        uint64_t at = hash >> out->slot_shift;
        while (out->slots[at]) at = (at + 1) & (slots - 1);
        out->slots[at] = (uint32_t)i + 1;
        out->filter[bit / 64] |= UINT64_C(1) << bit % 64;
    }
    return MASS_OK;
}

void mass_ended_set_free(mass_ended_set *s)
{
    free(s->filter);
    free(s->slots);
}

/* ---- runs ---- */

/* Appends a run. If its elements follow those of the last run, makes that longer instead. Returns false if out of
 * memory. */
static bool append(mass_edge_merge *m, uint64_t from, uint64_t count, bool fresh)
{
    mass_edge_run *const last = m->count ? &m->runs[m->count - 1] : NULL;
    if (count == 0) return true;
    if (last && last->fresh == fresh && last->from + last->count == from) {
        last->count += count;
        return true;
    }
    if (m->count == m->room) {
        const uint64_t room = 2 * m->room + 64;
        mass_edge_run *const larger = realloc(m->runs, room * sizeof *larger);
        if (!larger) return false;
        m->runs = larger;
        m->room = room;
    }
    m->runs[m->count++] = (mass_edge_run){from, count, fresh};
    return true;
}

/* Returns whether new edge `i` comes before old edge `k` of the same node. */
static bool comes_before(const mass_changing_edges *fresh, uint64_t i, const mass_changing_edges *old, uint64_t k)
{
    if (fresh->source[i] != old->source[k]) return fresh->source[i] < old->source[k];
    return fresh->id[i] < old->id[k];
}

/* Appends the runs of the edges that come into one node, by source and id: old ones that have not ended, and new ones.
 * Adds their number to *count. node: its number among those of all worlds. Returns false if out of memory. */
static bool merge_node(const mass_changing_edges *old, const mass_changing_edges *fresh, const mass_ended_set *ended,
                       size_t node, int64_t world, mass_edge_merge *out, uint64_t *count)
{
    const uint64_t end = old->first[node + 1], fresh_end = fresh->first[node + 1];
    uint64_t begin = old->first[node], i = fresh->first[node];
    bool room = true;
    for (uint64_t k = begin; k < end; k++) { /* edges from `begin` to k are kept */
        const bool ends = mass_ended_set_has(ended, old->id[k], world);
        const bool before = i < fresh_end && comes_before(fresh, i, old, k);
        if (!ends && !before) continue;
        room = room && append(out, begin, k - begin, false);
        *count += k - begin;
        for (; i < fresh_end && comes_before(fresh, i, old, k); i++, ++*count)
            room = room && append(out, i, 1, true);
        begin = k + ends;
    }
    room = room && append(out, begin, end - begin, false) && append(out, i, fresh_end - i, true);
    *count += end - begin + (fresh_end - i);
    return room;
}

mass_status mass_edges_merge(const mass_changing_edges *old, const mass_changing_edges *fresh,
                             const mass_ended_set *ended, size_t nodes, size_t numbers, mass_edge_merge *out,
                             mass_error *error)
{
    *out = (mass_edge_merge){.first = malloc((numbers + 1) * sizeof *out->first)};
    bool room = out->first != NULL;
    uint64_t count = 0;
    for (size_t world = 0; room && world * nodes < numbers; world++)
        for (size_t k = world * nodes; room && k < (world + 1) * nodes; k++) {
            out->first[k] = count;
            room = merge_node(old, fresh, ended, k, (int64_t)world, out, &count);
        }
    if (!room) return mass_error_memory(error, (numbers + 1) * sizeof *out->first, "edges");
    out->first[numbers] = count;
    return MASS_OK;
}

void mass_edges_copy(const mass_edge_merge *m, const void *old, const void *fresh, size_t size, void *to)
{
    char *at = to;
    for (uint64_t i = 0; i < m->count; i++) {
        const mass_edge_run *const r = &m->runs[i];
        const void *const from = r->fresh ? fresh : old;
        if (from) memcpy(at, (const char *)from + r->from * size, r->count * size);
        else memset(at, 0, r->count * size);
        at += r->count * size;
    }
}
