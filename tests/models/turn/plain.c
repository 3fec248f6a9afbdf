/* SPDX-License-Identifier: Apache-2.0 */
/* The model of turn.c as a plain program: one agent after the other, in plain lists that are searched from end to
 * end. */
#include <mass/agents.h>
#include <mass/random.h>

#include "../world_key.h"
#include "turn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HUNTERS, PREY, CROWDS };

typedef struct agent {
    uint64_t id, trail, key;
    int64_t place, energy, frame;       /* of prey: energy is its weight */
    uint64_t parent_id;
    int64_t parent_frame;
    int number;                         /* of a child among those of its parent */
    bool dead, child;
} agent;

typedef struct crowd {
    agent *list;
    int64_t count, room, seats;
    uint64_t next_id;
} crowd;

typedef struct world {
    mass_host *host;
    int64_t size[3], places, torus, radius, far, fertile, deadly, gated;
    int32_t number;
    uint64_t key, step;
    uint32_t phase;
    crowd crowds[CROWDS];
    int32_t *sign;
    int64_t *grass;
    bool *wet;
    int64_t met, most, born, died, unborn, eaten, alive;
} world;

/* An agent that a walk met. */
typedef struct meeting {
    agent *a;
    int by[3];
} meeting;

static void *take(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    if (!p) abort();
    return p;
}

/* Returns the place at an offset of any length, or -1 over an edge. */
static int64_t place_at(const world *w, int64_t from, int x, int y, int z)
{
    const int64_t by[3] = {x, y, z};
    int64_t at[3] = {from % w->size[0], from / w->size[0] % w->size[1], from / w->size[0] / w->size[1]};
    for (int a = 0; a < 3; a++) {
        at[a] += by[a];
        if (at[a] >= 0 && at[a] < w->size[a]) continue;
        if (!(w->torus >> a & 1)) return -1;
        at[a] = (at[a] % w->size[a] + w->size[a]) % w->size[a];
    }
    return (at[2] * w->size[1] + at[1]) * w->size[0] + at[0];
}

/* Orders the agents of one place: elders by id, then children. */
static int compare(const void *x, const void *y)
{
    const agent *a = ((const meeting *)x)->a, *b = ((const meeting *)y)->a;
    if (a->child != b->child) return a->child ? 1 : -1;
    if (!a->child) return a->id < b->id ? -1 : a->id > b->id;
    if (a->parent_frame != b->parent_frame) return a->parent_frame < b->parent_frame ? -1 : 1;
    if (a->parent_id != b->parent_id) return a->parent_id < b->parent_id ? -1 : 1;
    return a->number - b->number;
}

static int64_t count_on(const crowd *c, int64_t place)
{
    int64_t count = 0;
    for (int64_t i = 0; i < c->count; i++) count += !c->list[i].dead && c->list[i].place == place;
    return count;
}

/* Lists the agents within r of a frame, without `self`. Returns their number. */
static int64_t walk(const world *w, crowd *c, int64_t frame, const agent *self, int64_t r, meeting *all)
{
    const int64_t here[3] = {frame % w->size[0], frame / w->size[0] % w->size[1], frame / w->size[0] / w->size[1]};
    int64_t low[3], high[3], count = 0;
    if (r < 0) return 0;
    for (int a = 0; a < 3; a++) {
        const int64_t n = w->size[a];
        low[a] = w->torus >> a & 1 ? -(n / 2) : -here[a];
        high[a] = w->torus >> a & 1 ? (n - 1) / 2 : n - 1 - here[a];
        if (low[a] < -r) low[a] = -r;
        if (high[a] > r) high[a] = r;
    }
    for (int z = (int)low[2]; z <= high[2]; z++)
        for (int y = (int)low[1]; y <= high[1]; y++)
            for (int x = (int)low[0]; x <= high[0]; x++) {
                const int64_t there = place_at(w, frame, x, y, z), first = count;
                for (int64_t i = 0; i < c->count; i++)
                    if (!c->list[i].dead && c->list[i].place == there && &c->list[i] != self)
                        all[count++] = (meeting){&c->list[i], {x, y, z}};
                qsort(all + first, (size_t)(count - first), sizeof *all, compare);
            }
    return count;
}

static const meeting *one_of(const meeting *all, int64_t count, mass_random4 r)
{
    const uint64_t words = (uint64_t)r.v[0] << 32 | r.v[1];
    return count ? &all[(uint64_t)((unsigned __int128)words * (uint64_t)count >> 64)] : NULL;
}

static const meeting *nearest_of(const meeting *all, int64_t count)
{
    const meeting *best = NULL;
    int64_t least = INT64_MAX;
    for (int64_t i = 0; i < count; i++) {
        const int *by = all[i].by, far = by[0] * by[0] + by[1] * by[1] + by[2] * by[2];
        if (far < least) least = far, best = &all[i];
    }
    return best;
}

static uint64_t id_of(const agent *a) { return a->child ? UINT64_MAX : a->id; }

static uint64_t mix(uint64_t trail, const meeting *o, int64_t value)
{
    return turn_mix(trail, id_of(o->a), value, o->by[0], o->by[1], o->by[2]);
}

static bool move(world *w, agent *a, int x, int y, int z)
{
    const int64_t to = place_at(w, a->frame, x, y, z);
    crowd *c = &w->crowds[HUNTERS];
    if (a->dead || to < 0) return false;
    if (to == a->place) return true;
    if (c->seats && count_on(c, to) >= c->seats) return false;
    a->place = to;
    return true;
}

static agent *bear(world *w, agent *parent, int number, int x, int y, int z)
{
    const int64_t to = place_at(w, parent->frame, x, y, z);
    crowd *c = &w->crowds[HUNTERS];
    if (parent->dead || to < 0) return NULL;
    if (c->seats && count_on(c, to) >= c->seats) {
        w->unborn++;
        return NULL;
    }
    w->born++;
    agent *child = &c->list[c->count++];
    *child = (agent){.energy = 100, .place = to, .child = true, .parent_id = parent->id, .parent_frame = parent->frame,
                     .number = number};
    return child;
}

static mass_random4 draw(const world *w, const agent *a, uint32_t number)
{
    return mass_random_block(w->key, a->id, w->step, w->phase, number);
}

/* The body. */
static void act(world *w, agent *self, meeting *near, meeting *far)
{
    crowd *hunters = &w->crowds[HUNTERS], *prey = &w->crowds[PREY];
    const mass_random4 r = draw(w, self, 0), v = draw(w, self, 1), u = draw(w, self, 2);
    const int x = turn_offset(r.v[0], (int)w->radius), y = turn_offset(r.v[1], (int)w->radius);
    const int z = turn_offset(r.v[2], (int)w->radius);
    int64_t n = walk(w, hunters, self->frame, self, w->far, near), m = walk(w, prey, self->frame, NULL, w->far, far);
    uint64_t trail = self->trail + (uint64_t)w->alive;
    if (n > w->most) w->most = n;
    for (int64_t i = 0; i < n; i++) trail = mix(trail, &near[i], near[i].a->energy);
    for (int64_t i = 0; i < m; i++) trail = mix(trail, &far[i], far[i].a->energy++);
    const int64_t xyz = place_at(w, self->frame, x, y, z), yxz = place_at(w, self->frame, y, x, z);
    const int64_t xxz = place_at(w, self->frame, x, x, z), yyy = place_at(w, self->frame, y, y, y);
    const int64_t xzy = place_at(w, self->frame, x, z, y);
    trail = trail * 3 + (uint64_t)((xyz < 0 ? 7 : w->sign[xyz]) + (yxz < 0 ? 3 : w->grass[yxz])) +
            (uint64_t)(xxz < 0 ? 0 : w->wet[xxz]);
    trail = trail * 3 + (uint64_t)(xzy < 0 ? 0 : count_on(hunters, xzy)) + (uint64_t)m * 17 + (uint64_t)(xyz >= 0);
    if (xyz >= 0) w->grass[xyz] += 1 + (int64_t)(trail % 5);
    if (yyy >= 0) w->wet[yyy] = (trail >> 7 & 1) != 0;
    const meeting *one = one_of(near, n, draw(w, self, 3)), *nearest = nearest_of(near, n);
    const meeting *food = one_of(far, m, draw(w, self, 4));
    if (one) {
        one->a->energy += 3;
        one->a->trail ^= trail;
        self->energy -= 3;
    }
    if (food && v.v[0] % 4 == 0) {
        self->energy += food->a->energy;
        food->a->dead = true;
        w->eaten++;
        trail += 1 + (uint64_t)food->a->energy;
    }
    if (nearest && v.v[1] % (uint32_t)w->deadly == 0) {
        nearest->a->dead = true;
        w->died++;
    }
    trail += 5 * (uint64_t)move(w, self, x, y, z);
    if (v.v[2] % (uint32_t)w->fertile == 0)
        for (int k = 0; k < TURN_CHILDREN; k++) {
            agent *child = bear(w, self, k, k ? z : 0, k ? x : 0, k ? y : 0);
            trail = trail * 2 + (child != NULL);
            if (child) child->energy = self->energy / 2 + k;
        }
    n = walk(w, hunters, self->frame, self, w->far, near);
    for (int64_t i = 0; i < n; i++) trail = mix(trail, &near[i], near[i].a->energy);
    const int to[3] = {turn_offset(u.v[0], (int)w->radius), turn_offset(u.v[1], (int)w->radius),
                       turn_offset(u.v[2], (int)w->radius)};
    trail += 7 * (uint64_t)move(w, self, to[0], to[1], to[2]);
    if (u.v[3] % (uint32_t)w->deadly == 1) {
        self->dead = true;
        w->died++;
        trail += (uint64_t)walk(w, hunters, self->frame, self, w->far, near);
    }
    self->trail = trail;
    w->met += (int64_t)(trail % 1000);
}

static int by_key(const void *x, const void *y)
{
    const agent *a = *(agent *const *)x, *b = *(agent *const *)y;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static int by_birth(const void *x, const void *y)
{
    const agent *a = *(agent *const *)x, *b = *(agent *const *)y;
    const meeting one = {(agent *)a, {0}}, other = {(agent *)b, {0}};
    return compare(&one, &other);
}

/* Buries the dead, and gives ids to the children that live. */
static void settle(crowd *c)
{
    agent **children = take((size_t)c->count, sizeof *children);
    int64_t alive = 0, born = 0;
    for (int64_t i = 0; i < c->count; i++)
        if (!c->list[i].dead) c->list[alive++] = c->list[i];
    c->count = alive;
    for (int64_t i = 0; i < alive; i++)
        if (c->list[i].child) children[born++] = &c->list[i];
    qsort(children, (size_t)born, sizeof *children, by_birth);
    for (int64_t i = 0; i < born; i++) {
        children[i]->id = c->next_id++;
        children[i]->child = false;
    }
    free(children);
}

/* Makes room for all children. */
static void grow(crowd *c)
{
    if (c->room > c->count * (1 + TURN_CHILDREN)) return;
    c->room = c->count * (1 + TURN_CHILDREN) + 16;
    c->list = realloc(c->list, (size_t)c->room * sizeof *c->list);
    if (!c->list) abort();
}

/* Lets all hunters act in turn. */
static void take_turns(world *w)
{
    crowd *c = &w->crowds[HUNTERS];
    grow(c);
    const int64_t n = c->count;
    agent **order = take((size_t)n, sizeof *order);
    meeting *near = take((size_t)c->room, sizeof *near), *far = take((size_t)w->crowds[PREY].count, sizeof *far);
    for (int64_t i = 0; i < n; i++) {
        const mass_random4 r = draw(w, &c->list[i], 65535);
        c->list[i].key = (uint64_t)r.v[0] << 32 | r.v[1];
        c->list[i].frame = c->list[i].place;
        order[i] = &c->list[i];
    }
    qsort(order, (size_t)n, sizeof *order, by_key);
    for (int64_t i = 0; i < n; i++)
        if (!order[i]->dead) act(w, order[i], near, far);
    free(order), free(near), free(far);
    for (int k = 0; k < CROWDS; k++) settle(&w->crowds[k]);
}

/* The stencil that follows. */
static void shift(world *w)
{
    for (int64_t p = 0; p < w->places; p++) {
        const int64_t left = place_at(w, p, -1, 0, 0), right = place_at(w, p, 1, 0, 0);
        w->sign[p] = (int32_t)(((left < 0 ? 3 : w->grass[left]) * 3 + (right < 0 ? 3 : w->grass[right]) +
                                w->grass[p]) % 1009);
    }
}

static void begin(world *w, int k, const char *count, const char *seats)
{
    const mass_values_table *values = mass_values_of(w->host);
    crowd *c = &w->crowds[k];
    const int64_t most = values->integer(w->host, count);
    c->seats = values->integer(w->host, seats);
    c->room = most + 1;
    c->list = take((size_t)c->room, sizeof *c->list);
    for (int64_t i = 0; i < most; i++) {
        const int64_t p = turn_place(i, w->places);
        if (c->seats && count_on(c, p) >= c->seats) continue;
        c->list[c->count] = (agent){.id = (uint64_t)c->count, .place = p, .energy = k == HUNTERS ? 100 : 5};
        c->count++;
    }
    c->next_id = (uint64_t)c->count;
}

/* ---- the comparison ---- */

static int by_place(const void *x, const void *y)
{
    const agent *a = x, *b = y;
    if (a->place != b->place) return a->place < b->place ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static void *column(world *w, const char *population, const char *attribute, int64_t count, size_t size)
{
    void *data = take((size_t)count, size);
    if (mass_agents_of(w->host)->read(w->host, population, attribute, w->number, count, data) != MASS_OK) abort();
    return data;
}

static mass_status differ(world *w, const char *what, int64_t at, int64_t is, int64_t expected)
{
    return w->host->fail(w->host, MASS_BAD_PLUGIN, "world %d: %s %lld is %lld and should be %lld", w->number, what,
                         (long long)at, (long long)is, (long long)expected);
}

static mass_status compare_crowd(world *w, int k, const char *name, const char *value)
{
    crowd *c = &w->crowds[k];
    int64_t count;
    if (mass_agents_of(w->host)->count(w->host, name, w->number, &count) != MASS_OK) return MASS_FAILED;
    if (count != c->count) return differ(w, name, 0, count, c->count);
    uint64_t *id = column(w, name, "id", count, 8), *trail = k ? NULL : column(w, name, "trail", count, 8);
    int64_t *place = column(w, name, "place", count, 8);
    void *energy = column(w, name, value, count, k ? 2 : 4);
    mass_status status = MASS_OK;
    qsort(c->list, (size_t)count, sizeof *c->list, by_place);
    for (int64_t i = 0; status == MASS_OK && i < count; i++) {
        const agent *a = &c->list[i];
        const int64_t has = k ? ((int16_t *)energy)[i] : ((int32_t *)energy)[i];
        if (place[i] != a->place) status = differ(w, "the place of agent", i, place[i], a->place);
        else if (id[i] != a->id) status = differ(w, "the id of agent", i, (int64_t)id[i], (int64_t)a->id);
        else if (has != (k ? (int64_t)(int16_t)a->energy : (int64_t)(int32_t)a->energy))
            status = differ(w, value, i, has, a->energy);
        else if (trail && trail[i] != a->trail) status = differ(w, "trail", i, (int64_t)trail[i], (int64_t)a->trail);
    }
    free(id), free(trail), free(place), free(energy);
    return status;
}

static mass_status compare_places(world *w)
{
    const mass_gidx origin[3] = {0, 0, 0};
    int64_t *grass = take((size_t)w->places, 8);
    int32_t *sign = take((size_t)w->places, 4);
    uint8_t *wet = take((size_t)w->places, 1);
    const struct { const char *name; void *data; } all[] = {{"grass", grass}, {"sign", sign}, {"wet", wet}};
    mass_status status = MASS_OK;
    for (int i = 0; i < 3; i++)
        if (mass_run_of(w->host)->read(w->host, "field", all[i].name, w->number, origin, w->size, all[i].data) !=
            MASS_OK)
            abort();
    for (int64_t p = 0; status == MASS_OK && p < w->places; p++)
        if (grass[p] != w->grass[p]) status = differ(w, "grass", p, grass[p], w->grass[p]);
        else if (sign[p] != w->sign[p]) status = differ(w, "sign", p, sign[p], w->sign[p]);
        else if (wet[p] != w->wet[p]) status = differ(w, "wet", p, wet[p], w->wet[p]);
    free(grass), free(sign), free(wet);
    return status;
}

static mass_status compare_tallies(world *w)
{
    const struct { const char *name; int64_t value; } all[] = {
        {"met", w->met}, {"born", w->born}, {"died", w->died}, {"unborn", w->unborn}, {"eaten", w->eaten},
        {"alive", w->crowds[HUNTERS].count}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        double value;
        if (mass_run_of(w->host)->tally(w->host, all[i].name, w->number, &value) != MASS_OK) return MASS_FAILED;
        if (value != (double)all[i].value) return differ(w, all[i].name, 0, (int64_t)value, all[i].value);
    }
    return MASS_OK;
}

static void run(world *w, uint64_t steps)
{
    w->phase = 1; /* after turn_gate */
    for (w->step = 1; w->step <= steps; w->step++) {
        w->alive = w->crowds[HUNTERS].count;
        w->met = w->most = 0;
        if (!w->gated || w->step % 3 != 0) take_turns(w);
        shift(w);
    }
}

mass_status turn_compare(mass_host *host)
{
    const mass_values_table *values = mass_values_of(host);
    const mass_run_table *of_run = mass_run_of(host);
    mass_status status = MASS_OK;
    if (of_run->step(host) == 0 || values->integer(host, "odd") || !values->integer(host, "compared")) return MASS_OK;
    for (int32_t k = 0; status == MASS_OK && k < of_run->worlds(host); k++) {
        world w = {.host = host, .number = k, .torus = values->integer(host, "torus"),
                   .radius = values->integer(host, "radius"), .far = values->integer(host, "far"),
                   .fertile = values->integer(host, "fertile"), .deadly = values->integer(host, "deadly"),
                   .gated = values->integer(host, "gated"), .key = world_key(host, k, 0)};
        uint32_t dimensions;
        status = values->size(host, "field", w.size, &dimensions);
        w.torus &= (1 << dimensions) - 1;
        w.places = w.size[0] * w.size[1] * w.size[2];
        w.sign = take((size_t)w.places, 4), w.grass = take((size_t)w.places, 8), w.wet = take((size_t)w.places, 1);
        for (int64_t p = 0; p < w.places; p++) w.sign[p] = 7, w.grass[p] = 3;
        if (w.far > w.radius) w.far = w.radius;
        begin(&w, HUNTERS, "hunters", "seats");
        begin(&w, PREY, "prey", "prey_seats");
        run(&w, of_run->step(host));
        if (status == MASS_OK) status = compare_places(&w);
        if (status == MASS_OK) status = compare_crowd(&w, HUNTERS, "hunters", "energy");
        if (status == MASS_OK) status = compare_crowd(&w, PREY, "prey", "weight");
        if (status == MASS_OK) status = compare_tallies(&w);
        free(w.sign), free(w.grass), free(w.wet), free(w.crowds[HUNTERS].list), free(w.crowds[PREY].list);
    }
    return status;
}
