/* SPDX-License-Identifier: Apache-2.0 */
/* The model of scope.c as a plain program: one agent after the other, in a plain list that is searched from end to
 * end. */
#include <mass/agents.h>
#include <mass/random.h>

#include "scope.h"

#include <stdlib.h>

enum { PHASE = 1 }; /* after that of the start */

typedef struct ant {
    uint64_t id, trail, key;
    int64_t place, frame, parent;  /* frame: where it began; parent: number of the parent, -1: it is no child */
    int64_t strength;
    bool dead;
} ant;

typedef struct world {
    int64_t size[3], places, torus, sees, meets, changes, axes, looks, seats;
    uint64_t key, step, next_id;
    ant *ants;
    int64_t count, met, died;
    int64_t *grass, *height;
} world;

/* Returns the place at an offset, or -1 over an edge. */
static int64_t place_at(const world *w, int64_t from, scope_step s)
{
    const int64_t by[3] = {s.x, s.y, s.z};
    int64_t at[3] = {from % w->size[0], from / w->size[0] % w->size[1], from / w->size[0] / w->size[1]};
    for (int a = 0; a < 3; a++) {
        at[a] += by[a];
        if (at[a] >= 0 && at[a] < w->size[a]) continue;
        if (!(w->torus >> a & 1)) return -1;
        at[a] = (at[a] % w->size[a] + w->size[a]) % w->size[a];
    }
    return (at[2] * w->size[1] + at[1]) * w->size[0] + at[0];
}

/* Returns whether ant a is met before ant b of its place: elders by id, then children by their parents. */
static bool precedes(const ant *a, const ant *b)
{
    if ((a->parent < 0) != (b->parent < 0)) return a->parent < 0;
    return a->parent < 0 ? a->id < b->id : a->parent < b->parent;
}

/* Lists the living ants of a place, without `self`. Returns their number. */
static int64_t list_on(const world *w, int64_t place, const ant *self, ant **out)
{
    int64_t n = 0;
    for (int64_t i = 0; i < w->count; i++) {
        ant *a = &w->ants[i];
        if (a->dead || a->place != place || a == self) continue;
        int64_t k = n++;
        for (; k > 0 && precedes(a, out[k - 1]); k--) out[k] = out[k - 1];
        out[k] = a;
    }
    return n;
}

static bool has_seat(const world *w, int64_t place, ant **space)
{
    return w->seats == 0 || list_on(w, place, NULL, space) < w->seats;
}

static uint64_t meet(const world *w, const ant *self, int64_t place, scope_step s, uint64_t trail, ant **space)
{
    const int64_t n = list_on(w, place, self, space);
    for (int64_t i = 0; i < n; i++) trail = scope_mix(trail, space[i]->strength, s.x, s.y, s.z);
    return trail;
}

/* Meets all ants within a distance, each place once, at its shortest offset. */
static uint64_t meet_around(const world *w, const ant *self, uint64_t trail, ant **space)
{
    const int r = (int)w->meets;
    for (int z = -r; z <= r; z++)
        for (int y = -r; y <= r; y++)
            for (int x = -r; x <= r; x++) {
                const int by[3] = {x, y, z};
                bool shortest = true;
                for (int a = 0; a < 3; a++)
                    if (w->torus >> a & 1) shortest &= 2 * by[a] >= -w->size[a] && 2 * by[a] < w->size[a];
                if (!shortest || (w->axes && (x != 0) + (y != 0) + (z != 0) > 1)) continue;
                const int64_t place = place_at(w, self->frame, (scope_step){x, y, z});
                if (place >= 0) trail = meet(w, self, place, (scope_step){x, y, z}, trail, space);
            }
    return trail;
}

static void act(world *w, ant *self, ant **space)
{
    const mass_random4 v = mass_random_block(w->key, self->id, w->step, PHASE, 0);
    const mass_random4 u = mass_random_block(w->key, self->id, w->step, PHASE, 1);
    const mass_random4 q = mass_random_block(w->key, self->id, w->step, PHASE, 3);
    const scope_step far = scope_offset(v.v[0], w->sees, w->axes), by = scope_offset(v.v[1], w->meets, w->axes);
    const scope_step at = scope_offset(v.v[2], w->changes, w->axes), to = scope_offset(v.v[3], w->changes, w->axes);
    const int64_t seen = place_at(w, self->frame, far);
    const int64_t look = place_at(w, self->frame, (scope_step){far.y, far.x, far.z});
    const int64_t there = place_at(w, self->frame, by), near = place_at(w, self->frame, at);
    const int64_t goal = place_at(w, self->frame, to);
    uint64_t trail = self->trail * 3 + (uint64_t)(seen < 0 ? 0 : w->height[seen]);
    trail = trail * 3 + (uint64_t)(!w->looks ? 0 : look < 0 ? 3 : w->grass[look]);
    trail = meet_around(w, self, trail, space);
    if (there >= 0) trail = meet(w, self, there, by, trail, space);
    trail += 5 * (uint64_t)(there < 0 ? 0 : list_on(w, there, NULL, space));
    const int64_t n = near < 0 ? 0 : list_on(w, near, self, space);
    if (n > 0) {
        const uint64_t words = (uint64_t)q.v[0] << 32 | q.v[1];
        ant *one = space[(uint64_t)((unsigned __int128)words * (uint64_t)n >> 64)];
        one->trail ^= trail;
        if (u.v[0] % 4 == 0) one->dead = true, w->died++;
    }
    if (goal >= 0) w->grass[goal] += (int64_t)(trail % 7);
    if (goal >= 0 && (goal == self->place || has_seat(w, goal, space))) self->place = goal, trail += 7;
    if (u.v[1] % 6 == 0 && near >= 0 && has_seat(w, near, space))
        w->ants[w->count++] = (ant){.place = near, .parent = self - w->ants, .strength = 40, .trail = trail};
    if (u.v[2] % 16 == 0) self->dead = true, w->died++;
    self->strength = (int64_t)(trail % 50);
    self->trail = trail;
    w->met += (int64_t)(trail % 1000);
}

static int by_key(const void *x, const void *y)
{
    const ant *a = *(ant *const *)x, *b = *(ant *const *)y;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->id < b->id ? -1 : 1;
}

/* Sorts ants by place, then by id; children come after their elders, by parent. */
static int by_place(const void *x, const void *y)
{
    const ant *a = x, *b = y;
    if (a->place != b->place) return a->place < b->place ? -1 : 1;
    return precedes(a, b) ? -1 : 1;
}

/* Buries the dead, and gives ids to the children that live, in the order of their parents. */
static void settle(world *w)
{
    int64_t alive = 0;
    for (int64_t i = 0; i < w->count; i++) {
        if (w->ants[i].dead) continue;
        w->ants[alive] = w->ants[i];
        if (w->ants[alive].parent >= 0) w->ants[alive].id = UINT64_MAX;
        alive++;
    }
    w->count = alive;
    for (;;) {
        ant *first = NULL;
        for (int64_t i = 0; i < alive; i++)
            if (w->ants[i].parent >= 0 && (!first || w->ants[i].parent < first->parent)) first = &w->ants[i];
        if (!first) break;
        first->id = w->next_id++;
        first->parent = -1;
    }
    qsort(w->ants, (size_t)alive, sizeof *w->ants, by_place);
}

static void *take(int64_t count, size_t size)
{
    void *p = calloc((size_t)count + 1, size);
    if (!p) abort();
    return p;
}

/* Lets all ants act in turn. The list is in the order of places, so that a parent's number tells who comes first. */
static void take_turns(world *w)
{
    const int64_t n = w->count;
    w->ants = realloc(w->ants, (size_t)(2 * n + 1) * sizeof *w->ants);
    ant **order = take(n, sizeof *order), **space = take(2 * n, sizeof *space);
    if (!w->ants) abort();
    for (int64_t i = 0; i < n; i++) {
        const mass_random4 r = mass_random_block(w->key, w->ants[i].id, w->step, PHASE, 65535);
        w->ants[i].key = (uint64_t)r.v[0] << 32 | r.v[1];
        w->ants[i].frame = w->ants[i].place;
        order[i] = &w->ants[i];
    }
    qsort(order, (size_t)n, sizeof *order, by_key);
    w->met = 0;
    for (int64_t i = 0; i < n; i++)
        if (!order[i]->dead) act(w, order[i], space);
    free(order), free(space);
    settle(w);
}

static mass_status differ(mass_host *host, const char *what, int64_t at, int64_t is, int64_t expected)
{
    return host->fail(host, MASS_BAD_PLUGIN, "%s %lld is %lld and should be %lld", what, (long long)at, (long long)is,
                      (long long)expected);
}

static void *column(mass_host *host, const char *attribute, int64_t count, size_t size)
{
    void *data = take(count, size);
    if (mass_agents_of(host)->read(host, "ants", attribute, 0, count, data) != MASS_OK) abort();
    return data;
}

static mass_status compare(mass_host *host, const world *w)
{
    const mass_gidx origin[3] = {0, 0, 0};
    int64_t count, *grass = take(w->places, 8);
    double met = 0, died = 0;
    mass_status status = MASS_OK;
    if (mass_run_of(host)->read(host, "field", "grass", 0, origin, w->size, grass) != MASS_OK) abort();
    for (int64_t p = 0; status == MASS_OK && p < w->places; p++)
        if (grass[p] != w->grass[p]) status = differ(host, "grass", p, grass[p], w->grass[p]);
    free(grass);
    if (mass_agents_of(host)->count(host, "ants", 0, &count) != MASS_OK) abort();
    if (status == MASS_OK && count != w->count) status = differ(host, "count", 0, count, w->count);
    if (status != MASS_OK) return status;
    uint64_t *id = column(host, "id", count, 8), *trail = column(host, "trail", count, 8);
    int64_t *place = column(host, "place", count, 8);
    for (int64_t i = 0; status == MASS_OK && i < count; i++) {
        const ant *a = &w->ants[i];
        if (place[i] != a->place) status = differ(host, "the place of ant", i, place[i], a->place);
        else if (id[i] != a->id) status = differ(host, "the id of ant", i, (int64_t)id[i], (int64_t)a->id);
        else if (trail[i] != a->trail) status = differ(host, "trail", i, (int64_t)trail[i], (int64_t)a->trail);
    }
    free(id), free(trail), free(place);
    if (mass_run_of(host)->tally(host, "met", 0, &met) != MASS_OK) abort();
    if (mass_run_of(host)->tally(host, "died", 0, &died) != MASS_OK) abort();
    if (status == MASS_OK && met != (double)w->met) status = differ(host, "met", 0, (int64_t)met, w->met);
    if (status == MASS_OK && died != (double)w->died) status = differ(host, "died", 0, (int64_t)died, w->died);
    return status;
}

static void begin(world *w, int64_t most)
{
    int64_t *here = take(w->places, sizeof *here);
    w->ants = take(most, sizeof *w->ants);
    for (int64_t i = 0; i < most; i++) {
        const int64_t p = scope_place(i, w->places);
        if (w->seats && here[p] >= w->seats) continue;
        here[p]++;
        w->ants[w->count] = (ant){.id = (uint64_t)w->count, .place = p, .strength = 40, .parent = -1};
        w->count++;
    }
    w->next_id = (uint64_t)w->count;
    qsort(w->ants, (size_t)w->count, sizeof *w->ants, by_place);
    free(here);
}

/* Compares one world, the first. */
mass_status scope_compare(mass_host *host)
{
    const mass_values_table *values = mass_values_of(host);
    const mass_run_table *of_run = mass_run_of(host);
    world w = {.torus = values->integer(host, "torus"), .sees = values->integer(host, "sees"),
               .meets = values->integer(host, "meets"), .changes = values->integer(host, "changes"),
               .axes = values->integer(host, "axes"), .looks = values->integer(host, "looks"),
               .seats = values->integer(host, "seats")};
    uint32_t dimensions;
    if (of_run->step(host) == 0 || values->integer(host, "odd") || !values->integer(host, "compared")) return MASS_OK;
    mass_status status = values->size(host, "field", w.size, &dimensions);
    if (status != MASS_OK) return status;
    w.torus &= (1 << dimensions) - 1;
    w.places = w.size[0] * w.size[1] * w.size[2];
    w.key = mass_random_key(of_run->seed(host), 0);
    w.grass = take(w.places, 8), w.height = take(w.places, 8);
    for (int64_t p = 0; p < w.places; p++) {
        const int64_t row = p / w.size[0], y = row % w.size[1], z = row / w.size[1];
        w.grass[p] = 3;
        w.height[p] = (p % w.size[0] * 31 + y * 17 + z * 5) % 97;
    }
    begin(&w, values->integer(host, "ants"));
    for (w.step = 1; w.step <= of_run->step(host); w.step++) take_turns(&w);
    status = compare(host, &w);
    free(w.ants), free(w.grass), free(w.height);
    return status;
}
