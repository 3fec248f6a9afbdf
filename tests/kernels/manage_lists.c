/* SPDX-License-Identifier: Apache-2.0 */
/* From the arrays of a manage to a list of agents, and back. */
#include "manage_reference.h"

#include <mass/random.h>
#include <stdlib.h>
#include <string.h>

static long double priority(const mass_manage_work *w, uint32_t i)
{
    if (w->priority_type == MASS_I32) return ((const int32_t *)w->priority)[i];
    if (w->priority_type == MASS_U32) return ((const uint32_t *)w->priority)[i];
    if (w->priority_type == MASS_I64) return ((const int64_t *)w->priority)[i];
    if (w->priority_type == MASS_U64) return ((const uint64_t *)w->priority)[i];
    return w->priority_type == MASS_F32 ? ((const float *)w->priority)[i] : ((const double *)w->priority)[i];
}

static uint64_t lot(const mass_manage_work *w, uint32_t i)
{
    const uint64_t step = w->step + (w->clock ? *w->clock : 0), key = w->random_keys[w->cell[i] / w->places];
    const mass_random4 r = mass_random_block(key, w->id[i], step, w->phase, MASS_LOTTERY_DRAW);
    return (uint64_t)r.v[0] << 32 | r.v[1];
}

/* With room for all births. */
static agent *get(const mass_manage_work *w)
{
    uint32_t most = *w->count + 1;
    for (uint32_t i = 0; i < *w->count; i++) most += w->asked[i] & ~MASS_ASKED_KILL;
    agent *const all = calloc(most, sizeof *all);
    for (uint32_t i = 0; i < *w->count; i++) {
        const bool open = !w->gates || !w->gates[w->cell[i] / w->places];
        all[i] = (agent){.id = w->id[i], .cell = w->cell[i], .from = i, .open = open, .alive = true,
                         .lost = !open && w->lost[i]};
        if (w->conflict == MASS_HIGHEST_PRIORITY) all[i].priority = priority(w, i);
        if (w->conflict == MASS_LOTTERY) all[i].lot = lot(w, i);
    }
    return all;
}

static int canonical(const void *x, const void *y)
{
    const agent *a = x, *b = y;
    if (a->alive != b->alive) return a->alive ? -1 : 1;
    if (a->cell != b->cell) return a->cell < b->cell ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

/* Those of closed worlds keep theirs. */
static void put_requests(void *array, size_t size, const void *none, size_t room, const agent *all, uint32_t count)
{
    char *const to = array, *const from = memcpy(malloc(room * size), array, room * size);
    for (uint32_t i = 0; i < count; i++)
        if (!all[i].open) memcpy(to + i * size, from + all[i].from * size, size);
        else if (none) memcpy(to + i * size, none, size);
    free(from);
}

static void put_attribute(const mass_agent_array *x, size_t room, uint32_t children, const agent *all, uint32_t count)
{
    const char *from = x->from, *child = x->child;
    for (uint32_t i = 0; i < count; i++) {
        const char *value = from + all[i].from * x->size;
        if (all[i].child) value = child ? child + (all[i].birth * room + all[i].from) * x->size : x->initial;
        memcpy((char *)x->to + i * x->size, value, x->size);
    }
    for (uint32_t b = 0; child && b < children; b++)
        put_requests((char *)x->child + b * room * x->size, x->size, NULL, room, all, count);
}

static void put(const mass_manage_work *w, agent *all, uint32_t count, uint32_t listed)
{
    const uint32_t stay = MASS_CELL_STAY, none = 0;
    for (const agent *a = all; a < all + listed; a++) { /* the dead come last, on cells that may be none */
        const int64_t world = w->cell[a->from] / w->places;
        if (!a->open) continue;
        w->born[world] += a->child && a->alive;
        w->next_id[world] += a->child && a->alive;
        w->refused[world] += a->child && !a->alive;
        w->died[world] += !a->child && !a->alive;
    }
    put_requests(w->move, 4, &stay, w->room, all, count);
    put_requests(w->asked, 4, &none, w->room, all, count);
    for (uint32_t b = 0; b < w->children; b++)
        put_requests(w->child_cell + (size_t)b * w->room, 4, NULL, w->room, all, count);
    for (uint32_t i = 0; i < w->array_count; i++) put_attribute(&w->arrays[i], w->room, w->children, all, count);
    for (int64_t c = w->places * w->worlds, i = count; c >= 0; w->start[c--] = (uint32_t)i)
        while (i > 0 && all[i - 1].cell >= c) i--;
    for (uint32_t i = 0; i < count; i++) {
        w->id_to[i] = all[i].id;
        w->cell_to[i] = all[i].cell;
        w->lost_to[i] = all[i].lost;
    }
    *w->count = count;
}

uint64_t manage_reference(const mass_manage_work *w)
{
    agent *const all = get(w);
    uint64_t *const next_id = memcpy(malloc((size_t)w->worlds * 8), w->next_id, (size_t)w->worlds * 8);
    const uint32_t listed = manage_agents(w, all, *w->count, next_id);
    uint32_t count = 0;
    for (uint32_t i = 0; i < listed; i++) count += all[i].alive;
    qsort(all, listed, sizeof *all, canonical);
    if (count <= w->room) put(w, all, count, listed);
    free(next_id);
    free(all);
    return count;
}
