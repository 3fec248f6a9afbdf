/* SPDX-License-Identifier: Apache-2.0 */
/* Writes agents in their new order, after a manage by lists (manage_lists.h). Each cell is the merge of the agents that
 * stay and the list of those that come. */
#include "cpu/manage_lists.h"

#include <string.h>

enum { BLOCK = 64 };

/* Returns the thread's part that contains a cell. */
static int part_of(const manage_job *j, uint64_t cell)
{
    int low = 0, high = j->parts;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (j->part[middle].cell <= cell) low = middle;
        else high = middle;
    }
    return low;
}

/* Counts the agents of part p by the part that they move to, and its births too: adds to `after` of those parts. */
static void count_after(manage_job *j, int p)
{
    uint32_t after[MANAGE_PARTS_MAX] = {0};
    const uint64_t first = j->part[p].cell, cells = j->part[p + 1].cell - first;
    for (uint32_t i = j->part[p].agent; i < j->part[p + 1].agent; i++) {
        const bool own = !is_moving(j->state[i]) || j->w->move[i] - first < cells;
        after[own ? p : part_of(j, j->w->move[i])] += j->state[i] != GONE && j->state[i] != LEAVES;
    }
    for (uint32_t k = j->part[p].births; k < j->part[p + 1].births; k++)
        if (j->where[k] < MASS_CELL_REMOTE) after[part_of(j, j->where[k])]++;
    for (int q = 0; q < j->parts; q++) __atomic_fetch_add(&j->part[q].after, after[q], __ATOMIC_RELAXED);
}

/* Finds the first agent of each part in the new order. */
static void find_begins(manage_job *j)
{
    if (j->parts > 1) {
        for (int p = 0; p < j->parts; p++) j->part[p].after = 0;
        manage_each_part(j, count_after);
        for (uint32_t i = 0; i < j->arrival_count; i++) j->part[part_of(j, j->arrival_cell[i])].after++;
    }
    j->part[0].begin = 0;
    for (int p = 1; p < j->parts; p++) j->part[p].begin = j->part[p - 1].begin + j->part[p - 1].after;
}

/* Returns true if item a has the lower id. */
static bool id_before(const manage_job *j, uint32_t a, uint32_t b) { return item_id(j, a) < item_id(j, b); }

/* A block of cells in progress. */
typedef struct manage_block {
    uint64_t first;            /* the first cell */
    uint32_t cells, end;       /* end: of its agents in the old order */
    uint32_t placed[BLOCK];    /* agents of each cell; all 0 between blocks */
    uint32_t count, item[BLOCK], cell[BLOCK]; /* items of cells with one agent, not yet written */
} manage_block;

/* Writes an item at index `at` of the new order. */
static inline void put(const manage_job *j, uint32_t at, uint32_t cell, uint32_t item)
{
    const uint8_t state = j->state[item - 1];
    j->order[at] = item - 1;
    j->w->id_to[at] = item_id(j, item);
    j->w->cell_to[at] = cell;
    j->w->lost_to[at] = state == KEPT ? j->w->lost[item - 1] : is_lost(state);
}

/* Writes the waiting items of a block. Returns the index after them. */
static uint32_t put_block(const manage_job *j, uint32_t at, manage_block *block)
{
    for (uint32_t i = 0; i < block->count; i++) put(j, at++, block->cell[i], block->item[i]);
    block->count = 0;
    return at;
}

/* Writes the agents of a cell by id: those of i to end - 1 that stay on it, and those of the list. Returns the index
 * after them in the new order. */
static uint32_t put_cell(const manage_job *j, uint32_t at, uint32_t cell, uint32_t i, uint32_t end, uint32_t list)
{
    if (j->next[list]) list = sort(j, list, length(j, list), id_before);
    for (; i < end; i++) {
        if (!is_staying(j->state[i])) continue;
        for (; list && id_before(j, list, 1 + i); list = j->next[list]) put(j, at++, cell, list);
        put(j, at++, cell, 1 + i);
    }
    for (; list; list = j->next[list]) put(j, at++, cell, list);
    return at;
}

/* Arranges a cell, and empties its list. Most cells get one agent at most. Their items wait in the block, so that no
 * branch depends on them. Returns the index after the agents that are written. */
static inline uint32_t arrange_cell(const manage_job *j, uint32_t at, uint32_t k, manage_block *block)
{
    const uint32_t cell = (uint32_t)block->first + k, list = j->head[cell];
    const uint32_t i = j->w->start[cell], end = k + 1 < block->cells ? j->w->start[cell + 1] : block->end;
    const bool stays = (end > i) & is_staying(j->state[i]);
    j->head[cell] = 0;
    if ((end - i > 1) | (stays & (list > 0)) | (j->next[list] > 0)) {
        at = put_block(j, at, block);
        const uint32_t after = put_cell(j, at, cell, i, end, list);
        block->placed[k] = after - at;
        return after;
    }
    const uint32_t item = stays ? 1 + i : list;
    block->item[block->count] = item;
    block->cell[block->count] = cell;
    block->placed[k] = item > 0;
    block->count += item > 0;
    return at;
}

/* Returns the set of a block's cells that have or get agents, as bits. */
static inline uint64_t occupied(const manage_job *j, const manage_block *block)
{
    const uint32_t *const start = j->w->start + block->first, *const head = j->head + block->first;
    const uint32_t last = block->cells - 1;
    uint8_t flags[BLOCK] = {0};
    uint64_t set = 0;
    for (uint32_t k = 0; k < last; k++) flags[k] = (head[k] | (start[k] ^ start[k + 1])) != 0;
    flags[last] = head[last] || start[last] != block->end;
    for (int k = BLOCK / 8 - 1; k >= 0; k--) {
        uint64_t eight;
        memcpy(&eight, flags + 8 * k, sizeof eight);
        set = set << 8 | (eight * 0x0102040810204080) >> 56;
    }
    return set;
}

/* Arranges a block of cells and sets their `start`. Returns the index after their agents. */
static uint32_t arrange_block(const manage_job *j, uint32_t at, manage_block *block)
{
    uint32_t *const start = j->w->start + block->first, n = at;
    const uint64_t all = occupied(j, block);
    for (uint64_t set = all; set; set &= set - 1)
        __builtin_prefetch(&j->next[j->head[block->first + (uint64_t)__builtin_ctzll(set)]]);
    for (uint64_t set = all; set; set &= set - 1)
        at = arrange_cell(j, at, (uint32_t)__builtin_ctzll(set), block);
    for (uint32_t k = 0; k < block->cells; k++) {
        start[k] = n;
        n += block->placed[k];
        block->placed[k] = 0;
    }
    return put_block(j, at, block);
}

/* Arranges the cells of part p, block by block. */
static void arrange_part(manage_job *j, int p)
{
    const uint64_t last = j->part[p + 1].cell;
    uint32_t at = j->part[p].begin;
    manage_block block = {.first = j->part[p].cell};
    for (; block.first < last; block.first += BLOCK) {
        const uint64_t left = last - block.first;
        block.cells = left < BLOCK ? (uint32_t)left : BLOCK;
        block.end = left > BLOCK ? j->w->start[block.first + BLOCK] : j->part[p + 1].agent;
        at = arrange_block(j, at, &block);
    }
}

void manage_lists_arrange(manage_job *j)
{
    for (uint32_t i = 0, item = 1 + j->count + j->births; i < j->arrival_count; i++, item++) {
        push(j, j->arrival_cell[i], item, false);
        j->state[item - 1] = BORN;
    }
    find_begins(j);
    manage_each_part(j, arrange_part);
}
