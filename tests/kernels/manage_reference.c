/* One list of agents, walked again and again: as slow and as plain as can be. */
#include "manage_reference.h"

#include <mass/random.h>
#include <stdlib.h>
#include <string.h>

typedef struct agent {
    uint64_t id;
    uint32_t cell, was, birth; /* `was` is the parent's index for a birth; one that is refused is dead */
    bool open, born, dead, claims, lost;
} agent;

static long double priority(const mass_manage_work *w, uint32_t i)
{
    if (w->priority_type == MASS_I32) return ((const int32_t *)w->priority)[i];
    if (w->priority_type == MASS_U32) return ((const uint32_t *)w->priority)[i];
    if (w->priority_type == MASS_I64) return ((const int64_t *)w->priority)[i];
    if (w->priority_type == MASS_U64) return ((const uint64_t *)w->priority)[i];
    return w->priority_type == MASS_F32 ? ((const float *)w->priority)[i] : ((const double *)w->priority)[i];
}

static uint64_t lot(const mass_manage_work *w, const agent *a)
{
    const uint64_t step = w->step + (w->clock ? *w->clock : 0), key = w->keys[a->cell / w->places];
    const mass_random4 r = mass_random_block(key, a->id, step, w->phase, MASS_LOTTERY_DRAW);
    return (uint64_t)r.v[0] << 32 | r.v[1];
}

static bool better(const mass_manage_work *w, const agent *a, const agent *b)
{
    if (w->conflict == MASS_HIGHEST_PRIORITY && priority(w, a->was) != priority(w, b->was))
        return priority(w, a->was) > priority(w, b->was);
    if (w->conflict == MASS_LOTTERY && lot(w, a) != lot(w, b)) return lot(w, a) < lot(w, b);
    return a->id < b->id;
}

/* A birth finds a seat where those on its cell, and the births there that come first, leave one. */
static uint32_t spawn(const mass_manage_work *w, agent *all, uint32_t count, uint64_t *next_id)
{
    uint32_t after = count, taken;
    for (const agent *a = all; a < all + count; a++)
        for (uint32_t b = 0; a->open && b < (w->asked[a->was] & ~MASS_ASKED_KILL); b++) {
            const uint32_t cell = w->child_cell[(size_t)b * w->room + a->was];
            all[after++] = (agent){.id = a->id, .cell = cell == MASS_CELL_STAY ? a->cell : cell, .was = a->was,
                                   .birth = b, .open = true, .born = true};
        }
    for (agent *a = all + count; a < all + after; a++) {
        taken = 0;
        for (const agent *o = all; o < all + count; o++) taken += !o->dead && o->cell == a->cell;
        for (const agent *o = all + count; o < all + after; o++)
            taken += o->cell == a->cell && (o->id < a->id || (o->id == a->id && o->birth < a->birth));
        a->dead = a->cell == MASS_CELL_NOWHERE || (w->capacity && taken >= w->capacity);
    }
    for (agent *a = all + count; a < all + after; a++)
        if (!a->dead) a->id = next_id[w->cell[a->was] / w->places]++;
    return after;
}

static void migrate(const mass_manage_work *w, agent *all, uint32_t count)
{
    for (agent *a = all; a < all + count; a++) {
        if (!a->open || a->born || a->dead) continue;
        const uint32_t cell = w->move[a->was];
        a->lost = cell == MASS_CELL_NOWHERE;
        a->claims = !a->lost && cell != MASS_CELL_STAY && cell != a->cell;
    }
    for (bool changed = w->capacity > 0; changed;) {
        changed = false;
        for (agent *a = all; a < all + count; a++) {
            uint32_t ahead = 0; /* on the cell that a claims, or with a better claim to it */
            for (const agent *o = all; a->claims && o < all + count; o++)
                ahead += o->claims ? w->move[o->was] == w->move[a->was] && better(w, o, a)
                                   : !o->dead && o->cell == w->move[a->was];
            if (!a->claims || ahead < w->capacity) continue;
            a->claims = false;
            a->lost = changed = true;
        }
    }
    for (agent *a = all; a < all + count; a++)
        if (a->claims) a->cell = w->move[a->was];
}

static int canonical(const void *x, const void *y)
{
    const agent *a = x, *b = y;
    if (a->dead != b->dead) return a->dead ? 1 : -1;
    if (a->cell != b->cell) return a->cell < b->cell ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

/* Those of closed worlds keep theirs. */
static void put_requests(void *array, size_t size, const void *none, size_t room, const agent *all, uint32_t count)
{
    char *const to = array, *const from = memcpy(malloc(room * size), array, room * size);
    for (uint32_t i = 0; i < count; i++)
        if (!all[i].open) memcpy(to + i * size, from + all[i].was * size, size);
        else if (none) memcpy(to + i * size, none, size);
    free(from);
}

static void put_attribute(const mass_agent_array *x, size_t room, uint32_t children, const agent *all, uint32_t count)
{
    const char *from = x->from, *child = x->child;
    for (uint32_t i = 0; i < count; i++) {
        const char *value = from + all[i].was * x->size;
        if (all[i].born) value = child ? child + (all[i].birth * room + all[i].was) * x->size : x->initial;
        memcpy((char *)x->to + i * x->size, value, x->size);
    }
    for (uint32_t b = 0; child && b < children; b++)
        put_requests((char *)x->child + b * room * x->size, x->size, NULL, room, all, count);
}

static void put(const mass_manage_work *w, agent *all, uint32_t count, uint32_t listed)
{
    const uint32_t stay = MASS_CELL_STAY, none = 0;
    for (const agent *a = all; a < all + listed; a++) { /* the dead come last, on cells that may be none */
        const int64_t world = w->cell[a->was] / w->places;
        if (!a->open) continue;
        w->born[world] += a->born && !a->dead;
        w->next_id[world] += a->born && !a->dead;
        w->refused[world] += a->born && a->dead;
        w->died[world] += !a->born && a->dead;
        w->alive[world] += !a->dead;
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
    uint32_t listed = *w->count, count = 0, births = 0;
    for (uint32_t i = 0; i < listed; i++) births += w->asked[i] & ~MASS_ASKED_KILL;
    agent *const all = calloc(listed + births + 1, sizeof *all);
    uint64_t *const next_id = memcpy(malloc((size_t)w->worlds * 8), w->next_id, (size_t)w->worlds * 8);
    for (uint32_t i = 0; i < listed; i++) {
        const bool open = !w->gates || !w->gates[w->cell[i] / w->places];
        all[i] = (agent){.id = w->id[i], .cell = w->cell[i], .was = i, .open = open, .lost = !open && w->lost[i]};
    }
    for (int s = 0; s < 3; s++) {
        if (w->order[s] == MASS_SPAWN) listed = spawn(w, all, listed, next_id);
        if (w->order[s] == MASS_MIGRATE) migrate(w, all, listed);
        for (uint32_t i = 0; w->order[s] == MASS_KILL && i < listed; i++)
            if (all[i].open && !all[i].born && w->asked[all[i].was] & MASS_ASKED_KILL) all[i].dead = true;
    }
    qsort(all, listed, sizeof *all, canonical);
    for (uint32_t i = 0; i < listed; i++) count += !all[i].dead;
    if (count <= w->room) put(w, all, count, listed);
    free(all);
    free(next_id);
    return count;
}
