/* SPDX-License-Identifier: Apache-2.0 */
#include "device/paranoid/late_order.h"

#include <stdint.h>
#include <stdlib.h>

#define DONE UINT32_MAX

/* An actor: where it was when the phase began, and how many must act before it that have not acted yet. */
typedef struct actor {
    int64_t at[3];
    uint32_t number, waits; /* DONE: it has acted */
} actor;

/* Returns whether two actors may matter to each other: one sees or meets what the other changes (mass_turn_scope). */
static bool is_near(const mass_launch *l, const actor *a, const actor *b)
{
    const mass_turn_scope *c = &l->turn->scope;
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

/* Describes the actors of a world in their order. */
static void describe(const mass_launch *l, int32_t world, const uint32_t *order, actor *actors, uint32_t count)
{
    const mass_agents *g = &l->populations[0];
    const int64_t row = l->size[0], layer = row * l->size[1], places = layer * l->size[2];
    for (uint32_t k = 0; k < count; k++) {
        const int64_t place = (g->id ? g->cell[order[k]] : order[k]) - world * places;
        actors[k] = (actor){{place % row, place % layer / row, place / layer}, order[k], 0};
        for (uint32_t before = 0; before < k; before++) actors[k].waits += is_near(l, &actors[before], &actors[k]);
    }
}

/* Returns the last actor that may act next. */
static uint32_t last_ready(const actor *actors, uint32_t count)
{
    uint32_t k = count - 1;
    while (actors[k].waits != 0) k--;
    return k;
}

/* Orders the actors of a world. Returns whether the order is another one. */
static bool order_world(const mass_launch *l, actor *actors, uint32_t *to, uint32_t count)
{
    bool differs = false;
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t k = last_ready(actors, count);
        differs |= actors[n].number != actors[k].number;
        to[n] = actors[k].number;
        actors[k].waits = DONE;
        for (uint32_t after = k + 1; after < count; after++)
            if (actors[after].waits != DONE) actors[after].waits -= is_near(l, &actors[k], &actors[after]);
    }
    return differs;
}

mass_status mass_late_order(const mass_launch *l, uint32_t *order, bool *differs, mass_error *error)
{
    const mass_agents *g = &l->populations[0];
    const int64_t places = l->size[0] * l->size[1] * l->size[2];
    const size_t bytes = (l->turn->populations[0].count + (size_t)1) * sizeof(actor);
    actor *const actors = malloc(bytes);
    *differs = false;
    if (!actors) return mass_error_memory(error, bytes, "the paranoid device");
    for (int32_t w = 0; w < l->worlds; w++) {
        const int64_t first = g->id ? g->start[w * places] : w * places;
        const int64_t end = g->id ? g->start[(w + 1) * places] : (w + 1) * places;
        if (l->gates && l->gates[w]) continue;
        describe(l, w, l->turn->order + first, actors, (uint32_t)(end - first));
        *differs |= order_world(l, actors, order + first, (uint32_t)(end - first));
    }
    free(actors);
    return MASS_OK;
}
