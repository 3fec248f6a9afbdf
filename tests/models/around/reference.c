/* SPDX-License-Identifier: Apache-2.0 */
/* The walks of around.c in a plain program: for each place and each ant it looks at all agents of the world, keeps
 * those within the distance, and sorts them by offset. */
#include <mass/agents.h>

#include "around.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The agents of a population in one world, in canonical order. */
typedef struct crowd {
    int64_t count, *place;
    uint64_t *id;
    int32_t *value;
} crowd;

/* The places of one world. */
typedef struct ground {
    int32_t *heat;
    uint64_t *first, *here, *seen, *words;
    uint8_t *open, *marked, *crowd;
} ground;

typedef struct scene {
    mass_host *host;
    mass_gidx size[3], places;
    uint32_t torus;
    int32_t world;
    int64_t far;
    ground g;
    crowd ants, bees;
    mass_status status;
} scene;

/* An agent that a walk meets: its number, and its offset. */
typedef struct met {
    int64_t agent;
    int by[3];
} met;

/* What a walk meets, in its order. */
typedef struct walk {
    const crowd *of;
    met *met;
    int64_t count;
} walk;

static void *take(int64_t count, size_t size)
{
    void *p = calloc((size_t)count + 1, size);
    if (!p) abort();
    return p;
}

/* ---- the state ---- */

static void *column(scene *s, int64_t count, const char *population, const char *attribute, size_t size)
{
    void *p = take(count, size);
    if (s->status == MASS_OK)
        s->status = mass_agents_of(s->host)->read(s->host, population, attribute, s->world, count, p);
    return p;
}

static crowd crowd_of(scene *s, const char *name)
{
    crowd c = {0};
    if (s->status == MASS_OK) s->status = mass_agents_of(s->host)->count(s->host, name, s->world, &c.count);
    c.id = column(s, c.count, name, "id", 8);
    c.place = column(s, c.count, name, "place", 8);
    c.value = column(s, c.count, name, "value", 4);
    return c;
}

static void *plane(scene *s, const char *attribute, size_t size)
{
    const mass_gidx origin[3] = {0, 0, 0};
    void *p = take(s->places, size);
    if (s->status == MASS_OK)
        s->status = mass_run_of(s->host)->read(s->host, "field", attribute, s->world, origin, s->size, p);
    return p;
}

static void read_all(scene *s)
{
    s->ants = crowd_of(s, "ants");
    s->bees = crowd_of(s, "bees");
    s->g = (ground){.heat = plane(s, "heat", 4), .first = plane(s, "first", 8), .here = plane(s, "here", 8),
                    .seen = plane(s, "seen", 8), .words = plane(s, "words", 8), .open = plane(s, "open", 1),
                    .marked = plane(s, "marked", 1), .crowd = plane(s, "crowd", 1)};
}

static void free_all(scene *s)
{
    free(s->ants.id), free(s->ants.place), free(s->ants.value);
    free(s->bees.id), free(s->bees.place), free(s->bees.value);
    free(s->g.heat), free(s->g.first), free(s->g.here), free(s->g.seen), free(s->g.words);
    free(s->g.open), free(s->g.marked), free(s->g.crowd);
}

/* ---- walks ---- */

/* Returns the coordinate of a place along an axis. */
static int64_t coordinate(const scene *s, int64_t place, int axis)
{
    for (int a = 0; a < axis; a++) place /= s->size[a];
    return place % s->size[axis];
}

/* Returns the offset between two places along an axis, the short way round one that wraps; at half the extent the
 * negative one. */
static int64_t offset(const scene *s, int64_t from, int64_t to, int axis)
{
    const int64_t by = coordinate(s, to, axis) - coordinate(s, from, axis), size = s->size[axis];
    if (!(s->torus >> axis & 1)) return by;
    return 2 * by >= size ? by - size : 2 * by < -size ? by + size : by;
}

static int compare(const void *one, const void *two)
{
    const met *a = one, *b = two;
    for (int axis = 2; axis >= 0; axis--)
        if (a->by[axis] != b->by[axis]) return a->by[axis] < b->by[axis] ? -1 : 1;
    return a->agent < b->agent ? -1 : a->agent > b->agent;
}

/* Finds all within r of a place, and within the radius, but for one agent; -1: for none. */
static void look(const scene *s, walk *w, const crowd *of, int64_t place, int64_t r, int64_t radius, int64_t self)
{
    w->of = of;
    w->count = 0;
    for (int64_t i = 0; i < of->count; i++) {
        met m = {.agent = i};
        int64_t farthest = 0;
        for (int a = 0; a < 3; a++) {
            m.by[a] = (int)offset(s, place, of->place[i], a);
            if (llabs(m.by[a]) > farthest) farthest = llabs(m.by[a]);
        }
        if (i != self && farthest <= r && farthest <= radius) w->met[w->count++] = m;
    }
    qsort(w->met, (size_t)w->count, sizeof *w->met, compare);
}

static uint64_t mix(uint64_t trail, const walk *w, const met *m)
{
    return m ? around_mix(trail, w->of->id[m->agent], w->of->value[m->agent], m->by[0], m->by[1], m->by[2]) : trail;
}

/* ---- choices ---- */

static const met *draw(const walk *w, uint64_t words)
{
    return w->count ? &w->met[(uint64_t)((unsigned __int128)words * (uint64_t)w->count >> 64)] : NULL;
}

static const met *nearest(const walk *w)
{
    const met *best = NULL;
    int64_t least = INT64_MAX;
    for (int64_t i = 0; i < w->count; i++) {
        int64_t far = 0;
        for (int a = 0; a < 3; a++) far += (int64_t)w->met[i].by[a] * w->met[i].by[a];
        if (far < least) least = far, best = &w->met[i];
    }
    return best;
}

/* What agents are chosen by. */
typedef double measure(const walk *w, const met *m);
static double rank(const walk *w, const met *m) { return around_rank(w->of->value[m->agent]); }
static double byte(const walk *w, const met *m) { return (uint8_t)w->of->value[m->agent]; }
static double score(const walk *w, const met *m) { return around_score(w->of->value[m->agent], m->by[0], m->by[1]); }

/* Returns the one with the least, or the greatest, that is a number. */
static const met *best(const walk *w, measure *of, int greatest)
{
    const met *found = NULL;
    for (int64_t i = 0; i < w->count; i++) {
        const double v = of(w, &w->met[i]);
        if (v != v) continue;
        if (!found || (greatest ? v > of(w, found) : v < of(w, found))) found = &w->met[i];
    }
    return found;
}

/* Keeps those whose value is odd, or less than `below`. */
static void keep(walk *w, int odd, int32_t below)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < w->count; i++) {
        const int32_t value = w->of->value[w->met[i].agent];
        if (odd ? value % 2 : value < below) w->met[kept++] = w->met[i];
    }
    w->count = kept;
}

/* ---- the phases ---- */

/* Returns the place at an offset along x, or -1 over the edge. */
static int64_t beside(const scene *s, int64_t place, int64_t by)
{
    const int64_t x = coordinate(s, place, 0), wide = s->size[0];
    int64_t to = x + by;
    if (to < 0 || to >= wide) {
        if (!(s->torus & 1)) return -1;
        to = (to % wide + wide) % wide;
    }
    return place - x + to;
}
static int32_t heat_at(const scene *s, int64_t place) { return place < 0 ? 0 : s->g.heat[place]; }
static int open_at(const scene *s, int64_t place) { return place < 0 ? 0 : s->g.open[place]; }

static int64_t count(const scene *s, walk *w, const crowd *of, int64_t place, int64_t r)
{
    look(s, w, of, place, r, AROUND_RADIUS, -1);
    return w->count;
}

static uint64_t seen_of(const scene *s, int64_t p, walk *a, walk *b)
{
    look(s, a, &s->ants, p, s->far, AROUND_RADIUS, -1);
    look(s, b, &s->bees, p, s->far, AROUND_RADIUS, -1);
    uint64_t trail = (uint64_t)(s->g.heat[p] + heat_at(s, beside(s, p, -7)) + heat_at(s, beside(s, p, 3)));
    for (int64_t i = 0; i < a->count && i < 50; i++) trail = mix(trail, a, &a->met[i]);
    for (int64_t i = 0; i < b->count; i++)
        if (s->bees.value[b->met[i].agent] % 5) trail = mix(trail, b, &b->met[i]);
    trail = around_mix(trail, (uint64_t)a->count, b->count, 0, 0, 0);
    trail = mix(trail, b, nearest(b));
    trail = mix(trail, a, draw(a, s->g.words[p]));
    trail = mix(trail, a, best(a, rank, 0));
    trail = mix(trail, b, best(b, score, 1));
    keep(a, 1, 0);
    const met *odd = draw(a, s->g.words[p]);
    if (odd)
        trail = around_mix(trail, s->ants.id[odd->agent], s->ants.value[odd->agent], odd->by[0], odd->by[1], 0);
    return trail;
}

static uint64_t here_of(const scene *s, int64_t p, walk *w)
{
    uint64_t trail = 0;
    look(s, w, &s->ants, p, 0, 0, -1);
    for (int64_t i = 0; i < w->count; i++) trail = mix(trail, w, &w->met[i]);
    return trail + (uint64_t)w->count;
}

/* Returns the first bee within 2 of an ant that is above some other ant within 1 of it; else the first bee. */
static const met *above(const scene *s, int64_t i, walk *a, walk *b)
{
    look(s, a, &s->ants, s->ants.place[i], 1, AROUND_RADIUS, i);
    look(s, b, &s->bees, s->ants.place[i], 2, AROUND_RADIUS, -1);
    for (int64_t k = 0; k < b->count; k++)
        for (int64_t n = 0; n < a->count; n++)
            if (s->ants.value[a->met[n].agent] < s->bees.value[b->met[k].agent]) return &b->met[k];
    return b->count ? &b->met[0] : NULL;
}

static uint64_t chosen_of(const scene *s, int64_t i, uint64_t words, walk *a, walk *b)
{
    uint64_t trail = s->ants.id[i];
    look(s, a, &s->ants, s->ants.place[i], s->far, AROUND_RADIUS, i);
    trail = mix(trail, a, best(a, score, 0));
    trail = mix(trail, a, best(a, byte, 1));
    trail = mix(trail, b, above(s, i, a, b));
    look(s, a, &s->ants, s->ants.place[i], s->far, AROUND_RADIUS, i);
    keep(a, 0, s->ants.value[i]);
    return mix(trail, a, draw(a, words));
}

/* ---- the comparison ---- */

/* Returns the number of places that are wrong. */
static int64_t wrong_places(const scene *s, walk *a, walk *b)
{
    int64_t wrong = 0;
    for (int64_t p = 0; p < s->places; p++) {
        const int bees = count(s, a, &s->bees, p, 2) > 0;
        const int marked = open_at(s, beside(s, p, -1)) ^ open_at(s, beside(s, p, 2)) ^ bees;
        wrong += s->g.here[p] != here_of(s, p, a) || s->g.marked[p] != marked ||
                 s->g.crowd[p] != (uint8_t)count(s, a, &s->ants, p, 1) || s->g.seen[p] != seen_of(s, p, a, b);
    }
    return wrong;
}

static int64_t wrong_at_start(const scene *s, walk *w)
{
    int64_t wrong = 0;
    for (int64_t p = 0; p < s->places; p++) {
        const int64_t ants = count(s, w, &s->ants, p, 1);
        wrong += s->g.first[p] != (uint64_t)(ants * 1000 + count(s, w, &s->bees, p, 0));
    }
    return wrong;
}

static int64_t wrong_ants(scene *s, walk *a, walk *b)
{
    uint64_t *chosen = column(s, s->ants.count, "ants", "chosen", 8);
    uint64_t *words = column(s, s->ants.count, "ants", "words", 8);
    int64_t wrong = 0;
    for (int64_t i = 0; s->status == MASS_OK && i < s->ants.count; i++)
        wrong += chosen[i] != chosen_of(s, i, words[i], a, b);
    free(chosen), free(words);
    return wrong;
}

static mass_status compare_world(scene *s)
{
    read_all(s);
    walk a = {.met = take(s->ants.count + s->bees.count, sizeof(met))};
    walk b = {.met = take(s->ants.count + s->bees.count, sizeof(met))};
    int64_t places = 0, ants = 0;
    if (s->status == MASS_OK && mass_run_of(s->host)->step(s->host) == 0) places = wrong_at_start(s, &a);
    else if (s->status == MASS_OK) places = wrong_places(s, &a, &b), ants = wrong_ants(s, &a, &b);
    free(a.met), free(b.met);
    free_all(s);
    if (places || ants)
        return s->host->fail(s->host, MASS_BAD_PLUGIN, "%lld places and %lld ants are wrong in world %d",
                             (long long)places, (long long)ants, s->world);
    return s->status;
}

mass_status around_compare(mass_host *host)
{
    const mass_values_table *values = mass_values_of(host);
    const mass_run_table *run = mass_run_of(host);
    mass_status status = MASS_OK;
    if (values->integer(host, "odd")) return MASS_OK;
    for (int32_t w = 0; status == MASS_OK && w < run->worlds(host); w++) {
        uint32_t dimensions;
        scene s = {.host = host, .world = w, .torus = (uint32_t)values->integer(host, "torus"),
                   .far = values->integer(host, "far")};
        status = values->size(host, "field", s.size, &dimensions);
        s.places = s.size[0] * s.size[1] * s.size[2];
        if (status == MASS_OK) status = compare_world(&s);
    }
    return status;
}
