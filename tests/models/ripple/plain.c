/* SPDX-License-Identifier: Apache-2.0 */
/* The model of ripple.c as a plain program: it sorts all that act, and lets one act after the other. */
#include <mass/agents.h>
#include <mass/random.h>
#include <mass/tallies.h>

#include "ripple.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILL, PLACE, GATE, RIPPLE, STROLL, SPREAD = 8 }; /* phases; bins */

typedef struct walker {
    uint64_t id;
    int64_t place, frame;
    int32_t rank;
    float weight;
} walker;

typedef struct world {
    mass_host *host;
    int64_t size[3], places, torus, radius, order, reversed, gated;
    int32_t number;
    uint64_t key, step;
    int32_t *value;
    double *height;
    bool *wet;
    int8_t *kind;
    walker *walkers;
    int64_t walker_count;
    int64_t met, most, spread[SPREAD];
} world;

/* One that acts: a place, or a walker by its number in the list. */
typedef struct actor {
    double by;
    uint64_t key, id;
    int64_t number;
} actor;

static void *take(int64_t count, size_t size)
{
    void *p = calloc((size_t)count + 1, size);
    if (!p) abort();
    return p;
}

static mass_random4 draw(const world *w, uint64_t id, uint32_t phase, uint32_t number)
{
    return mass_random_block(w->key, id, w->step, phase, number);
}

/* Returns the place at an offset, or -1 over an edge. */
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

/* ---- the order ---- */

static int by_all(const void *x, const void *y)
{
    const actor *a = x, *b = y;
    if (a->by != b->by) return a->by < b->by ? -1 : 1;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static void sort(const world *w, actor *list, int64_t count)
{
    qsort(list, (size_t)count, sizeof *list, by_all);
    for (int64_t i = 0; w->reversed && i < count / 2; i++) {
        const actor other = list[i];
        list[i] = list[count - 1 - i];
        list[count - 1 - i] = other;
    }
}

static uint64_t shuffled(const world *w, uint64_t id, uint32_t phase)
{
    const mass_random4 r = draw(w, id, phase, 65535);
    return w->order ? 0 : (uint64_t)r.v[0] << 32 | r.v[1];
}

static double by_of_place(const world *w, int64_t p)
{
    const double all[] = {0, 0, w->height[p], w->value[p], w->wet[p], w->kind[p]};
    return all[w->order];
}

static double by_of_walker(const world *w, const walker *a)
{
    const double all[] = {0, 0, (double)a->weight, a->rank, a->rank, (double)a->weight};
    return all[w->order];
}

/* ---- the bodies ---- */

static int32_t value_at(const world *w, int64_t place) { return place < 0 ? 7 : w->value[place]; }

static void ripple(world *w, int64_t p)
{
    const mass_random4 r = draw(w, (uint64_t)p, RIPPLE, 0);
    const int x = ripple_offset(r.v[0], (int)w->radius), y = ripple_offset(r.v[1], (int)w->radius);
    const int z = ripple_offset(r.v[2], (int)w->radius);
    const int64_t xyz = place_at(w, p, x, y, z), zyx = place_at(w, p, z, y, x), yzx = place_at(w, p, y, z, x);
    const int64_t zzz = place_at(w, p, z, z, z), yyy = place_at(w, p, y, y, y);
    const int64_t at[3] = {p % w->size[0], p / w->size[0] % w->size[1], p / w->size[0] / w->size[1]};
    uint64_t trail = ripple_mix(r.v[3], w->value[p]);
    trail = ripple_mix(trail, (int64_t)(xyz < 0 ? 0 : w->height[xyz] * 4) + (zyx < 0 ? 0 : w->kind[zyx]));
    trail = ripple_mix(trail, value_at(w, yzx) + (yzx >= 0));
    trail = ripple_mix(trail, (zzz < 0 ? 0 : w->wet[zzz]) + (at[0] + 3 * at[1] + 5 * at[2]) % 7);
    if (xyz >= 0) w->value[xyz] = (int32_t)(trail >> 40);
    if (yyy >= 0) w->wet[yyy] = (trail >> 7 & 1) != 0;
    if (trail >> 60 == 3) w->value[p] += 5;
    w->met += (int64_t)(trail % 1000);
    if ((int64_t)(trail % 1000) > w->most) w->most = (int64_t)(trail % 1000);
    w->spread[trail % SPREAD]++;
}

static void stroll(world *w, walker *a)
{
    const int x = (int)(a->id % 3) - 1;
    const int64_t there = place_at(w, a->frame, x, 0, 0), to = place_at(w, a->frame, 0, x, 0);
    const uint64_t trail = ripple_mix((uint64_t)a->rank, value_at(w, there) + value_at(w, to));
    a->rank = (int32_t)(trail >> 40) % 5;
    if (there >= 0) w->value[there] = (int32_t)(trail >> 32) % 1000;
    if (to >= 0) a->place = to;
}

static void take_turns(world *w)
{
    actor *list = take(w->places, sizeof *list);
    for (int64_t p = 0; p < w->places; p++)
        list[p] = (actor){by_of_place(w, p), shuffled(w, (uint64_t)p, RIPPLE), (uint64_t)p, p};
    sort(w, list, w->places);
    for (int64_t i = 0; i < w->places; i++) ripple(w, list[i].number);
    free(list);
}

static void walk(world *w)
{
    actor *list = take(w->walker_count, sizeof *list);
    for (int64_t i = 0; i < w->walker_count; i++) {
        walker *a = &w->walkers[i];
        a->frame = a->place;
        list[i] = (actor){by_of_walker(w, a), shuffled(w, a->id, STROLL), a->id, i};
    }
    sort(w, list, w->walker_count);
    for (int64_t i = 0; i < w->walker_count; i++) stroll(w, &w->walkers[list[i].number]);
    free(list);
}

static void lift(world *w)
{
    for (int64_t p = 0; p < w->places; p++) {
        const int64_t left = value_at(w, place_at(w, p, -1, 0, 0)), right = value_at(w, place_at(w, p, 1, 0, 0));
        w->height[p] = ripple_height((uint64_t)(left * 3 + right + w->value[p]));
    }
}

static void begin(world *w)
{
    for (int64_t p = 0; p < w->places; p++) {
        const mass_random4 r = draw(w, (uint64_t)p, FILL, 0);
        w->value[p] = (int32_t)(r.v[0] % 9) - 4;
        w->height[p] = ripple_height(r.v[1]);
        w->wet[p] = r.v[2] & 1;
        w->kind[p] = (int8_t)((int8_t)(r.v[3] % 5) - 2);
    }
    for (int64_t i = 0; i < w->walker_count; i++) {
        const mass_random4 r = draw(w, (uint64_t)i, PLACE, 0);
        w->walkers[i] = (walker){(uint64_t)i, ripple_place_of(i, w->places), 0, (int32_t)(r.v[0] % 5) - 2,
                                 (float)ripple_height(r.v[1])};
    }
}

static void run(world *w, uint64_t steps)
{
    begin(w);
    for (w->step = 1; w->step <= steps; w->step++) {
        w->met = 0;
        w->most = INT64_MIN;
        memset(w->spread, 0, sizeof w->spread);
        if (!w->gated || (w->gated == 1 && w->step % 3 != 0)) take_turns(w);
        walk(w);
        lift(w);
    }
}

/* ---- the comparison ---- */

static int by_place(const void *x, const void *y)
{
    const walker *a = x, *b = y;
    if (a->place != b->place) return a->place < b->place ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static mass_status differ(world *w, const char *what, int64_t at, double is, double expected)
{
    return w->host->fail(w->host, MASS_BAD_PLUGIN, "world %d: %s %lld is %.17g and should be %.17g", w->number, what,
                         (long long)at, is, expected);
}

static mass_status compare_places(world *w)
{
    const mass_gidx origin[3] = {0, 0, 0};
    int32_t *value = take(w->places, sizeof *value);
    double *height = take(w->places, sizeof *height);
    uint8_t *wet = take(w->places, sizeof *wet);
    const struct { const char *name; void *data; } all[] = {{"value", value}, {"height", height}, {"wet", wet}};
    mass_status status = MASS_OK;
    for (int i = 0; i < 3; i++)
        if (mass_run_of(w->host)->read(w->host, "pond", all[i].name, w->number, origin, w->size, all[i].data) !=
            MASS_OK)
            abort();
    for (int64_t p = 0; status == MASS_OK && p < w->places; p++)
        if (value[p] != w->value[p]) status = differ(w, "value", p, value[p], w->value[p]);
        else if (height[p] != w->height[p]) status = differ(w, "height", p, height[p], w->height[p]);
        else if (wet[p] != w->wet[p]) status = differ(w, "wet", p, wet[p], w->wet[p]);
    free(value), free(height), free(wet);
    return status;
}

static mass_status compare_walkers(world *w)
{
    const int64_t count = w->walker_count;
    const mass_agents_table *agents = mass_agents_of(w->host);
    int64_t *place = take(count, sizeof *place);
    int32_t *rank = take(count, sizeof *rank);
    mass_status status = MASS_OK;
    if (agents->read(w->host, "walkers", "place", w->number, count, place) != MASS_OK) abort();
    if (agents->read(w->host, "walkers", "rank", w->number, count, rank) != MASS_OK) abort();
    qsort(w->walkers, (size_t)count, sizeof *w->walkers, by_place);
    for (int64_t i = 0; status == MASS_OK && i < count; i++)
        if (place[i] != w->walkers[i].place)
            status = differ(w, "the place of walker", i, (double)place[i], (double)w->walkers[i].place);
        else if (rank[i] != w->walkers[i].rank) status = differ(w, "rank", i, rank[i], w->walkers[i].rank);
    free(place), free(rank);
    return status;
}

static mass_status compare_tallies(world *w)
{
    int64_t spread[SPREAD];
    double met, most;
    if (mass_run_of(w->host)->tally(w->host, "met", w->number, &met) != MASS_OK ||
        mass_run_of(w->host)->tally(w->host, "most", w->number, &most) != MASS_OK ||
        mass_tallies_of(w->host)->bins(w->host, "spread", w->number, 0, SPREAD, spread) != MASS_OK)
        return MASS_FAILED;
    if (met != (double)w->met) return differ(w, "met", 0, met, (double)w->met);
    if (w->most > INT64_MIN && most != (double)w->most) return differ(w, "most", 0, most, (double)w->most);
    for (int i = 0; i < SPREAD; i++)
        if (spread[i] != w->spread[i]) return differ(w, "bin", i, (double)spread[i], (double)w->spread[i]);
    return MASS_OK;
}

/* Returns the key of a world. Its number may be larger than that within the run: the model has drawn by it. */
static uint64_t key_of(mass_host *host, int32_t number)
{
    const mass_run_table *of_run = mass_run_of(host);
    int64_t words = 0;
    if (mass_tallies_of(host)->bins(host, "words", number, 0, 1, &words) != MASS_OK) abort();
    for (uint64_t first = 0; first < 100; first++) {
        const uint64_t key = mass_random_key(of_run->seed(host), first + (uint64_t)number);
        const mass_random4 r = mass_random_block(key, 0, of_run->step(host), GATE, 7);
        if (((uint64_t)r.v[0] << 32 | r.v[1]) == (uint64_t)words) return key;
    }
    abort();
}

static mass_status compare_world(mass_host *host, int32_t number)
{
    const mass_values_table *values = mass_values_of(host);
    world w = {.host = host, .number = number, .torus = values->integer(host, "torus"),
               .radius = values->integer(host, "radius"), .order = values->integer(host, "order"),
               .reversed = values->integer(host, "reversed"), .gated = values->integer(host, "gated"),
               .walker_count = values->integer(host, "walkers"), .key = key_of(host, number)};
    uint32_t dimensions;
    mass_status status = values->size(host, "pond", w.size, &dimensions);
    w.torus &= (1 << dimensions) - 1;
    if (values->integer(host, "reach")) w.radius = values->integer(host, "reach");
    w.places = w.size[0] * w.size[1] * w.size[2];
    w.value = take(w.places, sizeof *w.value), w.height = take(w.places, sizeof *w.height);
    w.wet = take(w.places, sizeof *w.wet), w.kind = take(w.places, sizeof *w.kind);
    w.walkers = take(w.walker_count, sizeof *w.walkers);
    run(&w, mass_run_of(host)->step(host));
    if (status == MASS_OK) status = compare_places(&w);
    if (status == MASS_OK) status = compare_walkers(&w);
    if (status == MASS_OK) status = compare_tallies(&w);
    free(w.value), free(w.height), free(w.wet), free(w.kind), free(w.walkers);
    return status;
}

mass_status ripple_compare(mass_host *host)
{
    const mass_values_table *values = mass_values_of(host);
    mass_status status = MASS_OK;
    if (mass_run_of(host)->step(host) == 0 || values->integer(host, "odd") || !values->integer(host, "compared"))
        return MASS_OK;
    for (int32_t k = 0; status == MASS_OK && k < mass_run_of(host)->worlds(host); k++) status = compare_world(host, k);
    return status;
}
