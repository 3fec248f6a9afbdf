/* SPDX-License-Identifier: Apache-2.0 */
#include "device/paranoid/late_order.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define DONE UINT32_MAX

enum { WORD = 64 };

/* An actor: where it was when the phase began, and how many must act before it that have not acted yet. */
typedef struct actor {
    int64_t at[3];
    uint32_t number, waits; /* DONE: it has acted */
} actor;

/* A launch, with what tells which of its actors may matter to each other. */
typedef struct late_launch {
    const mass_launch *l;
    uint64_t *seen; /* of nodes: [nodes][words] bits of the node itself and of those from which edges come; else NULL */
    size_t words;
} late_launch;

/* Marks for each node of a world itself, and the nodes from which edges come into it, of any set. */
static void mark_edges(const late_launch *p, int32_t world)
{
    const mass_edges *sets[1 + MASS_EDGE_SETS] = {&p->l->edges};
    const size_t nodes = (size_t)p->l->size[0];
    for (int k = 0; k < MASS_EDGE_SETS; k++) sets[1 + k] = &p->l->sets[k];
    memset(p->seen, 0, nodes * p->words * sizeof *p->seen);
    for (size_t i = 0; i < nodes; i++) {
        uint64_t *const row = p->seen + i * p->words;
        row[i / WORD] |= UINT64_C(1) << i % WORD;
        for (int k = 0; k <= MASS_EDGE_SETS; k++) {
            const uint64_t *const first = sets[k]->first ? sets[k]->first + world * sets[k]->each + i : NULL;
            for (uint64_t e = first ? first[0] : 0; first && e < first[1]; e++)
                row[sets[k]->source[e] / WORD] |= UINT64_C(1) << sets[k]->source[e] % WORD;
        }
    }
}

/* Returns whether two nodes may matter to each other: an edge joins them. If bodies change something over edges, edges
 * from one node into both do, too. */
static bool are_joined(const late_launch *p, int64_t a, int64_t b)
{
    const uint64_t *const of_a = p->seen + (size_t)a * p->words, *const of_b = p->seen + (size_t)b * p->words;
    bool joined = (of_a[b / WORD] >> b % WORD & 1) || (of_b[a / WORD] >> a % WORD & 1);
    for (size_t k = 0; p->l->turn->scope.changes && k < p->words; k++) joined |= (of_a[k] & of_b[k]) != 0;
    return joined;
}

/* Returns whether two actors may matter to each other: one sees or meets what the other changes (mass_turn_scope). */
static bool is_near(const late_launch *p, const actor *a, const actor *b)
{
    const mass_launch *const l = p->l;
    const mass_turn_scope *c = &l->turn->scope;
    if (p->seen) return are_joined(p, a->at[0], b->at[0]);
    int64_t least = INT64_MAX, most = 0, axes = 0; /* of the offsets that are not 0 */
    for (int axis = 0; axis < 3; axis++) {
        const int64_t size = l->size[axis], across = llabs(a->at[axis] - b->at[axis]);
        const bool wraps = (l->torus >> axis & 1) && size - across < across;
        const int64_t by = wraps ? size - across : across;
        if (by == 0) continue;
        axes++;
        if (by < least) least = by;
        if (by > most) most = by;
    }
    if (!c->axes || axes < 2) return most <= (int64_t)c->sees + c->changes;
    return axes == 2 && most <= c->sees && least <= c->changes;
}

/* Describes the actors of a world in their order, each with the number of earlier ones near it, for which it waits. */
static void describe(const late_launch *p, int32_t world, const uint32_t *order, actor *actors, uint32_t count)
{
    const mass_launch *const l = p->l;
    const mass_agents *g = &l->populations[0];
    const int64_t row = l->size[0], layer = row * l->size[1], places = layer * l->size[2];
    for (uint32_t k = 0; k < count; k++) {
        const int64_t place = (g->id ? g->cell[order[k]] : order[k]) - world * places;
        actors[k] = (actor){{place % row, place % layer / row, place / layer}, order[k], 0};
        for (uint32_t before = 0; before < k; before++) actors[k].waits += is_near(p, &actors[before], &actors[k]);
    }
}

/* Returns the last actor that may act next; there is one. */
static uint32_t last_ready(const actor *actors, uint32_t count)
{
    uint32_t k = count - 1;
    while (actors[k].waits != 0) k--;
    return k;
}

/* Orders the actors of a world: each time the last of those that wait for no other. Returns whether the order is
 * another one. */
static bool order_world(const late_launch *p, actor *actors, uint32_t *to, uint32_t count)
{
    bool differs = false;
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t k = last_ready(actors, count);
        differs |= actors[n].number != actors[k].number;
        to[n] = actors[k].number;
        actors[k].waits = DONE;
        for (uint32_t after = k + 1; after < count; after++)
            if (actors[after].waits != DONE) actors[after].waits -= is_near(p, &actors[k], &actors[after]);
    }
    return differs;
}

mass_status mass_late_order(const mass_launch *l, uint32_t *order, bool *differs, mass_error *error)
{
    const mass_agents *g = &l->populations[0];
    const int64_t places = l->size[0] * l->size[1] * l->size[2];
    const size_t bytes = (l->turn->populations[0].count + (size_t)1) * sizeof(actor);
    actor *const actors = malloc(bytes);
    late_launch p = {.l = l, .words = (size_t)places / WORD + 1};
    const bool nodes = l->turn->scope.axes == MASS_TURN_ALONG_EDGES;
    if (nodes) p.seen = malloc((size_t)places * p.words * sizeof *p.seen);
    *differs = false;
    if (!actors || (nodes && !p.seen)) {
        free(actors);
        free(p.seen);
        return mass_error_memory(error, bytes, "the paranoid device");
    }
    for (int32_t w = 0; w < l->worlds; w++) {
        const int64_t first = g->id ? g->start[w * places] : w * places;
        const int64_t end = g->id ? g->start[(w + 1) * places] : (w + 1) * places;
        if (l->gates && l->gates[w]) continue;
        if (nodes) mark_edges(&p, w);
        describe(&p, w, l->turn->order + first, actors, (uint32_t)(end - first));
        *differs |= order_world(&p, actors, order + first, (uint32_t)(end - first));
    }
    free(actors);
    free(p.seen);
    return MASS_OK;
}
