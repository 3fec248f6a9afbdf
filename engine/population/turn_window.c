/* SPDX-License-Identifier: Apache-2.0 */
#include "population/turn_window.h"

#include <stdlib.h>

enum { WORD = 64 };

/* ---- layers ---- */

mass_gidx mass_turn_window_more(const mass_model *m, uint32_t space)
{
    mass_gidx more = 0;
    for (uint32_t i = 0; i < m->phase_count; i++) {
        const mass_phase_def *p = &m->phases[i];
        const mass_gidx wanted = mass_phase_turns_nodes(p) ? m->spaces[space].size[0]
                                                           : MASS_TURN_MORE * (mass_gidx)p->reach;
        if (mass_phase_is_in_turn(p) && p->space == space && wanted > more) more = wanted;
    }
    return more;
}

mass_turn_window mass_turn_window_make(const mass_space_def *space, mass_gidx own_first, mass_gidx own_end,
                                       mass_gidx more)
{
    const uint32_t axis = mass_slab_axis(space);
    const bool torus = space->torus >> axis & 1;
    const mass_gidx size = space->size[axis], most = more < size ? more : size;
    mass_turn_window w = {.size = size, .more = more, .own_first = own_first, .own = own_end - own_first,
                          .across = {1, 1}};
    for (uint32_t a = 0; a < axis; a++) {
        w.across[a] = space->size[a];
        w.wraps[a] = space->torus >> a & 1;
    }
    mass_gidx low = own_first - most, high = own_end + most;
    if (!torus) {
        low = low < 0 ? 0 : low;
        high = high > size ? size : high;
    }
    if (high - low >= size) {
        w.count = size;
        return w;
    }
    w.first = low < 0 ? low + size : low;
    w.count = high - low;
    w.cut[0] = torus || low > 0;
    w.cut[1] = torus || high < size;
    return w;
}

mass_turn_window mass_turn_window_of(const mass_share *share, const mass_space_def *space, int32_t rank,
                                     mass_gidx more)
{
    return mass_turn_window_make(space, mass_share_first_row(share, space, rank),
                                 mass_share_first_row(share, space, rank + 1), more);
}

/* Returns the layers of the window at the beginning of the space, if the window wraps; else 0. */
static mass_gidx low_end_of(const mass_turn_window *w)
{
    return w->first + w->count > w->size ? w->first + w->count - w->size : 0;
}

mass_turn_part mass_turn_window_part(const mass_turn_window *w, mass_gidx radius)
{
    const mass_gidx row = mass_turn_window_row(w), low_end = low_end_of(w);
    const mass_gidx gap = low_end ? w->size - w->count : w->first;
    const mass_gidx below = w->cut[0] ? radius : 0, above = w->cut[1] ? radius : 0;
    const mass_gidx acting = w->count > below + above ? w->count - below - above : 0;
    return (mass_turn_part){.shared = 1, .low_end = low_end * row, .gap = gap * row,
        .counted_first = w->own_first * row, .counted = w->own * row,
        .acting_first = (w->first + below) % w->size * row, .acting = acting * row};
}

mass_gidx mass_turn_window_in_part(const mass_turn_window *w, mass_gidx layer)
{
    const mass_gidx low_end = low_end_of(w), gap = low_end ? w->size - w->count : w->first;
    return layer < low_end ? layer : layer - gap;
}

uint32_t mass_turn_window_meet(const mass_turn_window *w, mass_gidx first, mass_gidx end, mass_turn_layers out[2])
{
    const mass_gidx low_end = low_end_of(w), high = low_end ? w->size : w->first + w->count;
    const mass_turn_layers all[2] = {{0, low_end}, {w->first, high}};
    uint32_t count = 0;
    for (int k = 0; k < 2; k++) {
        const mass_turn_layers l = {all[k].first > first ? all[k].first : first, all[k].end < end ? all[k].end : end};
        if (l.first < l.end) out[count++] = l;
    }
    return count;
}

/* ---- who is needed ---- */

/* The actors of a window that are needed: a bit for each place. */
typedef struct needed {
    const mass_turn_window *w;
    mass_gidx distance;
    size_t words; /* of a row along x */
    uint64_t *bits; /* [count][across[1]][words] */
} needed;

/* The position of an actor: its layer in the window, and its coordinates in the layer. */
typedef struct position {
    mass_gidx layer, x, y;
} position;

/* Returns the position of a place of the space, whose layer is in the window. */
static position position_of(const mass_turn_window *w, mass_gidx place)
{
    const mass_gidx row = mass_turn_window_row(w), rest = place % row;
    return (position){mass_turn_window_at(w, place / row), rest % w->across[0], rest / w->across[0]};
}

/* Returns the bits of a row along x. */
static uint64_t *row_at(const needed *n, mass_gidx layer, mass_gidx y)
{
    return n->bits + (size_t)(layer * n->w->across[1] + y) * n->words;
}

/* Returns whether any bit from `first` to `last` is set. */
static bool any_between(const uint64_t *row, mass_gidx first, mass_gidx last)
{
    const uint64_t from = ~UINT64_C(0) << first % WORD, to = ~UINT64_C(0) >> (WORD - 1 - last % WORD);
    const mass_gidx begin = first / WORD, end = last / WORD;
    if (begin == end) return (row[begin] & from & to) != 0;
    bool any = (row[begin] & from) != 0 || (row[end] & to) != 0;
    for (mass_gidx i = begin + 1; !any && i < end; i++) any = row[i] != 0;
    return any;
}

/* Returns whether any bit of a row is set within the distance of x. */
static bool any_in_row(const needed *n, const uint64_t *row, mass_gidx x)
{
    const mass_gidx size = n->w->across[0], low = x - n->distance, high = x + n->distance;
    if (2 * n->distance + 1 >= size && n->w->wraps[0]) return any_between(row, 0, size - 1);
    if (any_between(row, low < 0 ? 0 : low, high < size ? high : size - 1)) return true;
    if (!n->w->wraps[0]) return false;
    return (low < 0 && any_between(row, low + size, size - 1)) || (high >= size && any_between(row, 0, high - size));
}

/* Returns whether any needed actor is within the distance in a layer of the window. */
static bool any_in_layer(const needed *n, mass_gidx layer, position at)
{
    const mass_gidx size = n->w->across[1];
    const bool all = n->w->wraps[1] && 2 * n->distance + 1 >= size;
    const mass_gidx low = all ? 0 : at.y - n->distance, high = all ? size - 1 : at.y + n->distance;
    for (mass_gidx y = low; y <= high; y++) {
        if ((y < 0 || y >= size) && !n->w->wraps[1]) continue;
        if (any_in_row(n, row_at(n, layer, (y + size) % size), at.x)) return true;
    }
    return false;
}

/* Returns whether an actor matters to the slab itself, or to one that is known to be needed. */
static bool is_needed(const needed *n, position at)
{
    const mass_turn_window *w = n->w;
    const mass_gidx begin = mass_turn_window_at(w, w->own_first), end = begin + w->own;
    if (at.layer >= begin - n->distance && at.layer < end + n->distance) return true;
    const mass_gidx low = at.layer < n->distance ? 0 : at.layer - n->distance;
    const mass_gidx high = at.layer + n->distance < w->count ? at.layer + n->distance : w->count - 1;
    for (mass_gidx layer = low; layer <= high; layer++)
        if (any_in_layer(n, layer, at)) return true;
    return false;
}

/* Returns whether all places within the distance of the slab are in the window. */
static bool has_distance(const mass_turn_window *w, mass_gidx distance)
{
    const mass_gidx below = mass_turn_window_at(w, w->own_first), above = w->count - below - w->own;
    return (!w->cut[0] || below >= distance) && (!w->cut[1] || above >= distance);
}

mass_status mass_turn_window_suffices(const mass_turn_window *w, mass_gidx distance, const mass_gidx *place,
                                      size_t count, bool *suffices, mass_error *error)
{
    needed n = {.w = w, .distance = distance, .words = (size_t)(w->across[0] + WORD - 1) / WORD};
    const size_t words = (size_t)w->count * (size_t)w->across[1] * n.words;
    n.bits = calloc(words, sizeof *n.bits);
    if (!n.bits) return mass_error_memory(error, words * sizeof *n.bits, "a phase in turn");
    bool found = has_distance(w, distance);
    for (size_t i = count; found && i > 0; i--) {
        const position at = position_of(w, place[i - 1]);
        if (!is_needed(&n, at)) continue;
        row_at(&n, at.layer, at.y)[at.x / WORD] |= UINT64_C(1) << at.x % WORD;
        found = !(w->cut[0] && at.layer < distance) && !(w->cut[1] && at.layer >= w->count - distance);
    }
    free(n.bits);
    *suffices = found;
    return MASS_OK;
}
