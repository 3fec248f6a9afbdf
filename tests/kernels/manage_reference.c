/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of manage.h on a list of agents, walked again and again: as slow and as plain as can be. */
#include "manage_reference.h"

#include <stdlib.h>

static uint32_t standing_on(const agent *all, uint32_t count, uint32_t cell)
{
    uint32_t standing = 0;
    for (uint32_t i = 0; i < count; i++) standing += all[i].alive && all[i].cell == cell;
    return standing;
}

static int by_parent(const void *x, const void *y)
{
    const agent *a = *(agent *const *)x, *b = *(agent *const *)y;
    if (a->id != b->id) return a->id < b->id ? -1 : 1;
    return a->birth < b->birth ? -1 : a->birth > b->birth;
}

/* Until it is born, a child has its parent's id. */
static uint32_t spawn(const mass_manage_work *w, agent *all, uint32_t parents, uint64_t *next_id)
{
    uint32_t count = parents;
    for (const agent *a = all; a < all + parents; a++)
        for (uint32_t b = 0; a->open && b < (w->asked[a->from] & ~MASS_ASKED_KILL); b++) {
            const uint32_t asked = w->child_cell[(size_t)b * w->room + a->from];
            all[count] = (agent){.id = a->id, .from = a->from, .birth = b, .open = true, .child = true};
            all[count++].cell = asked == MASS_CELL_STAY ? a->cell : asked;
        }
    const uint32_t births = count - parents;
    agent *queue[births + 1];
    for (uint32_t i = 0; i < births; i++) queue[i] = &all[parents + i];
    qsort(queue, births, sizeof *queue, by_parent);
    for (uint32_t i = 0; i < births; i++) {
        const bool seat = w->capacity == 0 || standing_on(all, count, queue[i]->cell) < w->capacity;
        queue[i]->alive = seat && queue[i]->cell != MASS_CELL_NOWHERE;
    }
    for (agent *a = all + parents; a < all + count; a++)
        if (a->alive) a->id = next_id[w->cell[a->from] / w->places]++;
    return count;
}

static bool better(const mass_manage_work *w, const agent *a, const agent *b)
{
    if (w->conflict == MASS_HIGHEST_PRIORITY && a->priority != b->priority) return a->priority > b->priority;
    if (w->conflict == MASS_LOTTERY && a->lot != b->lot) return a->lot < b->lot;
    return a->id < b->id;
}

/* How many stay on the cell that an agent claims, or have a better claim to it. */
static uint32_t ahead_of(const mass_manage_work *w, const agent *a, const agent *all, uint32_t count)
{
    const uint32_t cell = w->move[a->from];
    uint32_t ahead = 0;
    for (const agent *o = all; o < all + count; o++)
        ahead += o->moves ? w->move[o->from] == cell && better(w, o, a) : o->alive && o->cell == cell;
    return ahead;
}

/* Whether there was one to take back. */
static bool take_a_claim_back(const mass_manage_work *w, agent *all, uint32_t count)
{
    for (agent *a = all; a < all + count; a++)
        if (a->moves && ahead_of(w, a, all, count) >= w->capacity) {
            a->moves = false;
            a->lost = true;
            return true;
        }
    return false;
}

static void migrate(const mass_manage_work *w, agent *all, uint32_t count)
{
    for (agent *a = all; a < all + count; a++) {
        if (!a->open || !a->alive || a->child) continue;
        const uint32_t cell = w->move[a->from];
        a->lost = cell == MASS_CELL_NOWHERE;
        a->moves = !a->lost && cell != MASS_CELL_STAY && cell != a->cell;
    }
    while (w->capacity && take_a_claim_back(w, all, count)) continue;
    for (agent *a = all; a < all + count; a++)
        if (a->moves) a->cell = w->move[a->from];
}

static void kill(const mass_manage_work *w, agent *all, uint32_t count)
{
    for (agent *a = all; a < all + count; a++)
        if (a->open && !a->child && w->asked[a->from] & MASS_ASKED_KILL) a->alive = false;
}

uint32_t manage_agents(const mass_manage_work *w, agent *all, uint32_t count, uint64_t *next_id)
{
    for (int s = 0; s < 3; s++) {
        if (w->sub_phases[s] == MASS_SPAWN) count = spawn(w, all, count, next_id);
        if (w->sub_phases[s] == MASS_KILL) kill(w, all, count);
        if (w->sub_phases[s] == MASS_MIGRATE) migrate(w, all, count);
    }
    return count;
}
