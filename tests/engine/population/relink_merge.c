/* SPDX-License-Identifier: Apache-2.0 */
/* That arrays of edges which are merged are those that a sort of all edges gives. */
#include "population/relink_merge.h"

#include "../expect.h"

#include <stdlib.h>
#include <string.h>

enum { NODES_MOST = 7, WORLDS_MOST = 3, EDGES_MOST = 60, CASES = 400 };

/* An edge that comes into a node, by its number over all worlds. */
typedef struct end {
    uint32_t number, source;
    uint64_t id;
} end;

typedef struct ends {
    end list[2 * EDGES_MOST];
    int count;
} ends;

static uint32_t draw(uint32_t below)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (uint32_t)(state >> 20) % below;
}

static int by_node(const void *first, const void *second)
{
    const end *a = first, *b = second;
    if (a->number != b->number) return a->number < b->number ? -1 : 1;
    if (a->source != b->source) return a->source < b->source ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

/* Returns sorted arrays of edges. The caller clears them. */
static mass_changing_edges arrays_of(ends *all, size_t numbers)
{
    mass_changing_edges e = {.first = calloc(numbers + 1, sizeof *e.first), .count = (uint64_t)all->count,
                             .source = calloc((size_t)all->count + 1, sizeof *e.source),
                             .id = calloc((size_t)all->count + 1, sizeof *e.id)};
    qsort(all->list, (size_t)all->count, sizeof *all->list, by_node);
    for (int i = 0; i < all->count; i++) {
        e.source[i] = all->list[i].source, e.id[i] = all->list[i].id;
        for (size_t k = all->list[i].number + 1; k <= numbers; k++) e.first[k]++;
    }
    return e;
}

/* Draws edges with ids from `least` on; an id is of one edge in each world. */
static void draw_edges(ends *out, int count, uint32_t nodes, uint32_t worlds, uint64_t least)
{
    out->count = count;
    for (int i = 0; i < count; i++)
        out->list[i] = (end){draw(nodes * worlds), draw(nodes), least + (uint64_t)(i / 2)};
}

/* Merges, and compares with a sort of what is left and of what is new. */
static void expect_merged(uint32_t nodes, uint32_t worlds)
{
    static ends old, fresh, left;
    const size_t numbers = nodes * worlds;
    mass_ended_edge ended[3 * EDGES_MOST];
    uint64_t ended_count = 0;
    draw_edges(&old, (int)draw(EDGES_MOST), nodes, worlds, 100);
    draw_edges(&fresh, (int)draw(EDGES_MOST), nodes, worlds, 100 + EDGES_MOST);
    left.count = 0;
    for (int i = 0; i < old.count; i++) {
        const end e = old.list[i];
        const bool is_ended = (e.id + e.number / nodes) % 3 == 0; /* in one world, and not in another */
        if (!is_ended) left.list[left.count++] = e;
        for (int twice = 0; is_ended && twice <= (int)(e.id & 1); twice++)
            ended[ended_count++] = (mass_ended_edge){e.id, e.number / nodes};
    }
    for (int i = 0; i < fresh.count; i++) left.list[left.count++] = fresh.list[i];
    mass_changing_edges a = arrays_of(&old, numbers), b = arrays_of(&fresh, numbers), is = arrays_of(&left, numbers);
    mass_ended_set set;
    mass_edge_merge m;
    EXPECT_OK(mass_ended_set_make(ended, ended_count, &set, e));
    EXPECT_OK(mass_edges_merge(&a, &b, &set, nodes, numbers, &m, e));
    uint32_t source[2 * EDGES_MOST];
    uint64_t id[2 * EDGES_MOST];
    uint8_t mark[2 * EDGES_MOST];
    const uint8_t marks[EDGES_MOST] = {0};
    mass_edges_copy(&m, a.source, b.source, sizeof *source, source);
    mass_edges_copy(&m, a.id, b.id, sizeof *id, id);
    memset(mark, 1, sizeof mark);
    mass_edges_copy(&m, marks, NULL, 1, mark);
    for (size_t k = 0; k <= numbers; k++) cr_assert_eq(m.first[k], is.first[k], "node %zu", k);
    for (int i = 0; i < left.count; i++)
        cr_assert(source[i] == is.source[i] && id[i] == is.id[i] && mark[i] == 0, "edge %d of %d", i, left.count);
    mass_ended_set_free(&set);
    free(m.first), free(m.runs);
    mass_changing_edges_clear(&a), mass_changing_edges_clear(&b), mass_changing_edges_clear(&is);
}

Test(relink_merge, merged_edges_are_sorted_ones)
{
    for (int i = 0; i < CASES; i++) expect_merged(1 + draw(NODES_MOST), 1 + draw(WORLDS_MOST));
}

/* Returns an id that no other call has returned, or nearly for certain. */
static uint64_t draw_id(void) { return (uint64_t)draw(UINT32_MAX) << 32 | draw(UINT32_MAX); }

Test(relink_merge, a_set_has_what_is_in_its_list)
{
    enum { COUNT = 20000, OTHERS = 300000, WORLDS = 5 };
    mass_ended_edge *const list = calloc(COUNT, sizeof *list);
    mass_ended_set set;
    for (int i = 0; i < COUNT; i++) list[i] = (mass_ended_edge){draw_id(), draw(WORLDS)};
    EXPECT_OK(mass_ended_set_make(list, COUNT, &set, e));
    for (int i = 0; i < COUNT; i++)
        for (int world = 0; world < WORLDS; world++)
            cr_assert_eq(mass_ended_set_has(&set, list[i].id, world), list[i].world == world);
    for (int i = 0; i < OTHERS; i++) cr_assert_not(mass_ended_set_has(&set, draw_id(), draw(WORLDS)));
    mass_ended_set_free(&set);
    EXPECT_OK(mass_ended_set_make(NULL, 0, &set, e));
    cr_expect_not(mass_ended_set_has(&set, 0, 0));
    mass_ended_set_free(&set);
    free(list);
}
