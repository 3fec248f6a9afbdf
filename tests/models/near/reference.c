/* SPDX-License-Identifier: Apache-2.0 */
/* The walks of near.c in a plain program, one agent after the other, over the state that the last step left. */
#include <mass/agents.h>

#include "near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The agents of a population in one world, in canonical order. Unused attributes are NULL. */
typedef struct crowd {
    const char *name;
    int64_t count;
    uint64_t *id, *trail, *trail_now, *words;
    int64_t *place, *got, *got_now;
    int32_t *was, *value, *value_now, *wealth, *wealth_now;
    uint8_t *refused;
    int64_t *start; /* [places + 1] */
} crowd;

typedef struct scene {
    mass_host *host;
    mass_gidx size[3];
    uint32_t dimensions, torus;
    int32_t world;
    int64_t places, reach, far;
    crowd ants, bees;
    uint64_t *met, *words;
    mass_status status;
} scene;

/* A neighbour of a walk. */
typedef struct other {
    int64_t agent;
    int by[3];
} other;

static void *take(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    if (!p) abort();
    return p;
}

static void *read_column(scene *s, const crowd *c, const char *attribute, size_t size)
{
    void *p = take((size_t)c->count, size);
    if (s->status == MASS_OK)
        s->status = mass_agents_of(s->host)->read(s->host, c->name, attribute, s->world, c->count, p);
    return p;
}

static void read_crowd(scene *s, crowd *c, const char *name)
{
    const int bees = strcmp(name, "bees") == 0;
    c->name = name;
    s->status = mass_agents_of(s->host)->count(s->host, name, s->world, &c->count);
    c->id = read_column(s, c, "id", 8);
    c->place = read_column(s, c, "place", 8);
    c->refused = read_column(s, c, "lost", 1);
    c->was = read_column(s, c, "was", 4);
    c->value_now = read_column(s, c, "value", 4);
    c->trail_now = read_column(s, c, "trail", 8);
    c->value = take((size_t)c->count, 4);
    memcpy(c->value, c->was, (size_t)c->count * 4);
    c->trail = take((size_t)c->count, 8);
    memcpy(c->trail, c->id, (size_t)c->count * 8);
    c->got = take((size_t)c->count, 8);
    c->got_now = take((size_t)c->count, 8);
    void *now = read_column(s, c, "got", bees ? 4 : 8), *was = read_column(s, c, "got_was", bees ? 4 : 8);
    for (int64_t i = 0; i < c->count; i++) {
        c->got[i] = bees ? ((uint32_t *)was)[i] : ((int64_t *)was)[i];
        c->got_now[i] = bees ? ((uint32_t *)now)[i] : ((int64_t *)now)[i];
    }
    free(now), free(was);
    if (!bees) c->words = read_column(s, c, "words", 8);
    if (!bees) c->wealth = read_column(s, c, "wealth_was", 4), c->wealth_now = read_column(s, c, "wealth", 4);
    c->start = take((size_t)s->places + 1, 8);
    for (int64_t i = 0; i < c->count; i++) c->start[c->place[i] + 1]++;
    for (int64_t p = 0; p < s->places; p++) c->start[p + 1] += c->start[p];
}

static void free_crowd(crowd *c)
{
    free(c->id), free(c->place), free(c->refused), free(c->was), free(c->value_now), free(c->trail_now);
    free(c->value), free(c->trail), free(c->got), free(c->got_now), free(c->wealth), free(c->wealth_now);
    free(c->start), free(c->words);
}

/* Lists the agents within r of a place, without the agent `self`, into `all`. Returns their number. */
static int64_t list(const scene *s, const crowd *c, int64_t place, int64_t self, int64_t r, other *all)
{
    const int64_t here[3] = {place % s->size[0], place / s->size[0] % s->size[1], place / s->size[0] / s->size[1]};
    int64_t count = 0, low[3], high[3], at[3];
    if (r > s->reach) r = s->reach;
    for (int a = 0; a < 3; a++) {
        const int64_t n = s->size[a];
        low[a] = s->torus >> a & 1 ? -(n / 2) : -here[a];
        high[a] = s->torus >> a & 1 ? (n - 1) / 2 : n - 1 - here[a];
        if (low[a] < -r) low[a] = -r;
        if (high[a] > r) high[a] = r;
    }
    for (int64_t z = low[2]; r >= 0 && z <= high[2]; z++)
        for (int64_t y = low[1]; y <= high[1]; y++)
            for (int64_t x = low[0]; x <= high[0]; x++) {
                const int64_t by[3] = {x, y, z};
                for (int a = 0; a < 3; a++) at[a] = (here[a] + by[a] + s->size[a]) % s->size[a];
                const int64_t there = (at[2] * s->size[1] + at[1]) * s->size[0] + at[0];
                for (int64_t i = c->start[there]; i < c->start[there + 1]; i++)
                    if (i != self) all[count++] = (other){i, {(int)x, (int)y, (int)z}};
            }
    return count;
}

static uint64_t mix(uint64_t trail, const crowd *c, const int32_t *value, const other *o)
{
    return near_mix(trail, c->id[o->agent], value[o->agent], o->by[0], o->by[1], o->by[2]);
}

static const other *nearest_of(const other *all, int64_t count)
{
    const other *best = NULL;
    int64_t least = INT64_MAX;
    for (int64_t i = 0; i < count; i++) {
        const int64_t far = (int64_t)all[i].by[0] * all[i].by[0] + (int64_t)all[i].by[1] * all[i].by[1] +
                            (int64_t)all[i].by[2] * all[i].by[2];
        if (far < least) least = far, best = &all[i];
    }
    return best;
}

/* words: what the body drew. */
static const other *one_of(const other *all, int64_t count, uint64_t words)
{
    return count ? &all[(uint64_t)((unsigned __int128)words * (uint64_t)count >> 64)] : NULL;
}

/* Copies the values that other bodies of the phase see. */
static int32_t *before(const crowd *c)
{
    int32_t *copy = take((size_t)c->count, 4);
    memcpy(copy, c->value, (size_t)c->count * 4);
    return copy;
}

static void look(scene *s, other *near, other *far)
{
    crowd *a = &s->ants, *b = &s->bees;
    int32_t *old = before(a);
    for (int64_t i = 0; i < a->count; i++) {
        const int64_t n = list(s, a, a->place[i], i, s->far, near), m = list(s, b, a->place[i], -1, s->far, far);
        uint64_t trail = a->trail[i];
        for (int64_t k = 0; k < n && k < 50; k++) trail = mix(trail, a, old, &near[k]);
        for (int64_t k = 0; k < m; k++)
            if (b->value[far[k].agent] % 5) trail = mix(trail, b, b->value, &far[k]);
        trail = near_mix(trail, (uint64_t)n, m, 0, 0, 0);
        const other *nearest = nearest_of(near, n), *bee = nearest_of(far, m);
        if (nearest) trail = mix(trail, a, old, nearest);
        if (bee) {
            trail = mix(trail, b, b->value, bee);
            b->got[bee->agent] += 3;
        }
        const other *one = one_of(near, n, a->words[i]);
        if (one) {
            trail = mix(trail, a, old, one);
            a->got[one->agent] += old[i] - 50000;
            a->wealth[one->agent]++;
            a->wealth[i]--;
        }
        a->trail[i] = trail;
        a->value[i] = near_next(old[i], trail);
    }
    free(old);
}

static void hunt(scene *s, other *near, other *far)
{
    crowd *a = &s->ants, *b = &s->bees;
    int32_t *old = before(b);
    for (int64_t i = 0; i < b->count; i++) {
        uint64_t trail = b->trail[i];
        int64_t n = list(s, b, b->place[i], i, s->far, near);
        const int64_t m = list(s, a, b->place[i], -1, s->far, far);
        for (int64_t k = 0; k < n; k++) trail = mix(trail, b, old, &near[k]);
        n = list(s, b, b->place[i], i, 1, near);
        for (int64_t k = 0; k < m; k++) {
            trail = mix(trail, a, a->value, &far[k]);
            for (int64_t j = 0; j < n; j++)
                trail += (uint64_t)old[near[j].agent] + (uint64_t)a->value[far[k].agent];
        }
        for (int64_t j = 0; j < n; j++) b->got[near[j].agent] += 7;
        b->trail[i] = trail; /* nobody else is on its place */
        b->value[i] = near_next(old[i], trail);
    }
    free(old);
}

static void again(scene *s, other *near)
{
    crowd *a = &s->ants, *b = &s->bees;
    for (int64_t i = 0; i < b->count; i++) {
        if (!b->refused[i]) continue;
        int64_t n = list(s, b, b->place[i], i, 1, near);
        for (int64_t k = 0; k < n; k++) b->trail[i] = mix(b->trail[i], b, b->value, &near[k]);
        n = list(s, a, b->place[i], -1, 1, near);
        for (int64_t k = 0; k < n; k++) {
            const other *o = &near[k];
            b->trail[i] = near_mix(b->trail[i], 5, a->value[o->agent], o->by[0], o->by[1], o->by[2]);
            a->got[o->agent] += (int64_t)1 << 40;
        }
    }
}

/* Returns the number of places of which `met` is wrong. */
static int64_t meet(scene *s, other *near)
{
    crowd *a = &s->ants, *b = &s->bees;
    int32_t *old = before(a);
    int64_t wrong = 0;
    s->reach = NEAR_RADIUS;
    for (int64_t p = 0; p < s->places; p++) {
        uint64_t trail = 0;
        int64_t n = list(s, a, p, -1, NEAR_RADIUS, near);
        for (int64_t k = 0; k < n; k++) trail = mix(trail, a, old, &near[k]);
        n = list(s, b, p, -1, 1, near);
        for (int64_t k = 0; k < n; k++) trail = mix(trail, b, b->value, &near[k]);
        n = list(s, b, p, -1, NEAR_RADIUS, near);
        const other *one = one_of(near, n, s->words[p]);
        if (one) trail = mix(trail, b, b->value, one), b->got[one->agent] += 11;
        wrong += s->met[p] != trail + (uint64_t)list(s, a, p, -1, 1, near) * 1000;
        for (int64_t i = a->start[p]; i < a->start[p + 1]; i++)
            a->value[i] = near_next((old[i] + 1) % NEAR_MODULUS, trail);
    }
    free(old);
    return wrong;
}

static int64_t count_wrong(const crowd *c, const char *name, char *text, size_t size)
{
    int64_t wrong = 0;
    const int narrow = strcmp(name, "bees") == 0;
    for (int64_t i = 0; i < c->count; i++) {
        const int64_t got = narrow ? (int64_t)(uint32_t)c->got[i] : c->got[i];
        const int is = c->value[i] != c->value_now[i] || c->trail[i] != c->trail_now[i] || got != c->got_now[i] ||
                       (c->wealth && c->wealth[i] != c->wealth_now[i]);
        if (is && !wrong)
            snprintf(text, size, "%s: agent %llu at %lld: value %d not %d, trail %d, got %lld not %lld", name,
                     (unsigned long long)c->id[i], (long long)c->place[i], c->value_now[i], c->value[i],
                     c->trail[i] == c->trail_now[i], (long long)c->got_now[i], (long long)got);
        wrong += is;
    }
    return wrong;
}

static mass_status compare_world(scene *s)
{
    char text[256] = "places";
    const mass_gidx origin[3] = {0, 0, 0};
    s->met = take((size_t)s->places, 8);
    s->words = take((size_t)s->places, 8);
    read_crowd(s, &s->ants, "ants");
    read_crowd(s, &s->bees, "bees");
    if (s->status == MASS_OK)
        s->status = mass_run_of(s->host)->read(s->host, "field", "met", s->world, origin, s->size, s->met);
    if (s->status == MASS_OK)
        s->status = mass_run_of(s->host)->read(s->host, "field", "words", s->world, origin, s->size, s->words);
    other *near = take((size_t)(s->ants.count + s->bees.count), sizeof *near);
    other *far = take((size_t)(s->ants.count + s->bees.count), sizeof *far);
    int64_t wrong = 0;
    if (s->status == MASS_OK) {
        const int64_t reach = s->reach;
        look(s, near, far);
        hunt(s, near, far);
        s->reach = 1;
        again(s, near);
        wrong += meet(s, near);
        s->reach = reach;
        wrong += count_wrong(&s->ants, "ants", text, sizeof text);
        wrong += count_wrong(&s->bees, "bees", text, sizeof text);
    }
    free(near), free(far), free(s->met), free(s->words);
    free_crowd(&s->ants), free_crowd(&s->bees);
    if (wrong)
        return s->host->fail(s->host, MASS_BAD_PLUGIN, "%lld are wrong in world %d; %s", (long long)wrong, s->world,
                             text);
    return s->status;
}

mass_status near_compare(mass_host *host)
{
    const mass_values_table *values = mass_values_of(host);
    const mass_run_table *run = mass_run_of(host);
    mass_status status = MASS_OK;
    if (run->step(host) == 0 || values->integer(host, "odd")) return MASS_OK;
    for (int32_t w = 0; status == MASS_OK && w < run->worlds(host); w++) {
        scene s = {.host = host, .world = w, .torus = (uint32_t)values->integer(host, "torus"),
                   .reach = values->integer(host, "reach"), .far = values->integer(host, "far")};
        status = values->size(host, "field", s.size, &s.dimensions);
        s.places = s.size[0] * s.size[1] * s.size[2];
        if (status == MASS_OK) status = compare_world(&s);
    }
    return status;
}
