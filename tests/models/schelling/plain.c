/* SPDX-License-Identifier: Apache-2.0 */
#include "schelling/plain.h"
#include "standard/stored.h"

#include <mass/random.h>

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The phase that looks, or that takes turns, is the second of all, after that of the start. All at once, a manage
 * follows it, and further draws. */
enum { LOOK = 1, ORDER_DRAW = 65535 };

typedef struct setting {
    int nx, ny, households, radius, needs;
    double threshold;
    int tries;
    bool torus;
    int within; /* 0: all at once */
} setting;

static const setting settings[] = {
    {40, 40, 1000, 1, 3, 0.375, 3, false, 0}, {31, 20, 500, 1, 0, 0.375, 2, true, 0},
    {25, 30, 700, 2, 8, 0, 8, false, 0},      {7, 90, 600, 1, 0, 0.6, 1, true, 0},
    {4, 4, 16, 1, 0, 0.5, 3, true, 0},        {60, 1, 30, 3, 0, 0.9, 3, false, 0},
    {40, 40, 1000, 1, 3, 0.375, 3, false, 5}, {31, 60, 1500, 1, 0, 0.5, 1, true, 2},
    {6, 43, 200, 2, 0, 0.6, 3, true, 3},      {25, 30, 700, 2, 8, 0, 3, false, 1},
    {5, 7, 30, 3, 0, 0.5, 3, true, 9},        {60, 1, 30, 1, 0, 0.9, 3, false, 64}};
enum { SETTINGS = sizeof settings / sizeof *settings, FIRST_IN_TURN = 6, STEPS = 24 };

typedef struct household {
    int place, target; /* target: where it wants to go in this round, -1: nowhere */
    uint64_t id, lot;
    uint8_t kind;
    bool refused;
} household;

typedef struct town {
    const setting *set;
    uint64_t key, step;
    household *all;
    int places, *who, *free, free_count; /* who[place]: the number of its household, -1: none */
    int64_t moved, unhappy, alike, neighbours, with_neighbours;
    double likeness;
} town;

/* ---- a step ---- */

static int wrap(int at, int size, bool torus) { return torus ? (at + size) % size : at < 0 || at >= size ? -1 : at; }

/* Counts the neighbours of a household, each once, and those of its kind. */
static void look(const town *t, const household *h, int *same, int *all)
{
    const setting *s = t->set;
    bool *met = calloc((size_t)t->places, sizeof *met);
    *same = *all = 0;
    met[h->place] = true;
    for (int dy = -s->radius; dy <= s->radius; dy++)
        for (int dx = -s->radius; dx <= s->radius; dx++) {
            const int x = wrap(h->place % s->nx + dx, s->nx, s->torus);
            const int y = wrap(h->place / s->nx + dy, s->ny, s->torus);
            if (x < 0 || y < 0 || met[y * s->nx + x]) continue;
            met[y * s->nx + x] = true;
            const int other = t->who[y * s->nx + x];
            *all += other >= 0;
            *same += other >= 0 && t->all[other].kind == h->kind;
        }
    free(met);
}

static void draw_place(const town *t, household *h, uint32_t phase)
{
    const mass_random4 r = mass_random_block(t->key, h->id, t->step, phase, 0);
    h->target = t->free_count ? t->free[mass_below_u32((uint32_t)t->free_count, r.v[0], r.v[1])] : -1;
}

static void find_free(town *t)
{
    t->free_count = 0;
    for (int place = 0; place < t->places; place++)
        if (t->who[place] < 0) t->free[t->free_count++] = place;
}

/* Returns whether a household wants to move. Counts it. */
static bool is_unhappy(town *t, const household *h)
{
    int same, all;
    look(t, h, &same, &all);
    t->alike += same;
    t->neighbours += all;
    t->with_neighbours += all > 0;
    t->likeness += all ? (double)same / all : 0;
    const bool stays = t->set->needs ? same >= t->set->needs : same >= t->set->threshold * all;
    t->unhappy += !stays;
    return !stays;
}

static void begin_round(town *t, uint32_t phase)
{
    find_free(t);
    for (int i = 0; i < t->set->households; i++) {
        household *h = &t->all[i];
        h->target = -1;
        if (is_unhappy(t, h)) draw_place(t, h, phase);
    }
}

static void begin_again(town *t, uint32_t phase)
{
    find_free(t);
    for (int i = 0; i < t->set->households; i++) {
        t->all[i].target = -1;
        if (t->all[i].refused) draw_place(t, &t->all[i], phase);
    }
}

/* Of those who want the same place, the one of the least lot gets it. Lots are drawn in the manage. */
static void move(town *t, uint32_t manage)
{
    int *best = malloc((size_t)t->places * sizeof *best);
    for (int place = 0; place < t->places; place++) best[place] = -1;
    for (int i = 0; i < t->set->households; i++) {
        household *h = &t->all[i];
        const mass_random4 r = mass_random_block(t->key, h->id, t->step, manage, MASS_LOTTERY_DRAW);
        h->lot = (uint64_t)r.v[0] << 32 | r.v[1];
        h->refused = h->target >= 0;
        if (h->target < 0) continue;
        const household *before = best[h->target] < 0 ? NULL : &t->all[best[h->target]];
        if (!before || h->lot < before->lot || (h->lot == before->lot && h->id < before->id)) best[h->target] = i;
    }
    for (int place = 0; place < t->places; place++) {
        if (best[place] < 0) continue;
        household *h = &t->all[best[place]];
        t->who[h->place] = -1;
        t->who[h->place = place] = best[place];
        h->refused = false;
        t->moved++;
    }
    free(best);
}

/* ---- a step in turn ---- */

static int by_lot(const void *a, const void *b)
{
    const household *x = a, *y = b;
    if (x->lot != y->lot) return x->lot < y->lot ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* Returns the offset from one place to another along an axis: on a torus the shortest, and of two the one forward. */
static int offset_to(int to, int from, int size, bool torus)
{
    const int by = to - from;
    if (!torus) return by;
    const int forward = (by + size) % size;
    return 2 * forward <= size ? forward : forward - size;
}

/* Makes a list of the free places within reach of one, line by line of their offsets. */
static void find_free_near(town *t, int place)
{
    const setting *s = t->set;
    t->free_count = 0;
    for (int dy = -s->within; dy <= s->within; dy++)
        for (int dx = -s->within; dx <= s->within; dx++) {
            const int x = wrap(place % s->nx + dx % s->nx, s->nx, s->torus);
            const int y = wrap(place / s->nx + dy % s->ny, s->ny, s->torus);
            if (!s->torus && (dx / s->nx || dy / s->ny)) continue;
            if (x < 0 || y < 0 || t->who[y * s->nx + x] >= 0) continue;
            if (offset_to(x, place % s->nx, s->nx, s->torus) != dx) continue;
            if (offset_to(y, place / s->nx, s->ny, s->torus) != dy) continue;
            t->free[t->free_count++] = y * s->nx + x;
        }
}

static void take_turns(town *t)
{
    const size_t count = (size_t)t->set->households;
    household *order = malloc(count * sizeof *order);
    for (size_t i = 0; i < count; i++) {
        const mass_random4 r = mass_random_block(t->key, t->all[i].id, t->step, LOOK, ORDER_DRAW);
        order[i] = t->all[i];
        order[i].lot = (uint64_t)r.v[0] << 32 | r.v[1];
    }
    qsort(order, count, sizeof *order, by_lot);
    for (size_t i = 0; i < count; i++) {
        const int number = t->who[order[i].place];
        household *h = &t->all[number];
        if (!is_unhappy(t, h)) continue;
        find_free_near(t, h->place);
        draw_place(t, h, LOOK);
        if (h->target < 0) continue;
        t->who[h->place] = -1;
        t->who[h->place = h->target] = number;
        t->moved++;
    }
    free(order);
}

/* ---- all at once, or in turn ---- */

static void step(town *t)
{
    t->step++;
    t->unhappy = t->alike = t->neighbours = t->with_neighbours = 0;
    t->likeness = 0;
    if (t->set->within) {
        take_turns(t);
        return;
    }
    for (int k = 0; k < t->set->tries; k++) {
        const uint32_t phase = (uint32_t)(LOOK + 2 * k);
        (k ? begin_again : begin_round)(t, phase);
        move(t, phase + 1);
    }
}

/* ---- the engine's ---- */

static const char *options_of(const setting *s)
{
    return text("--size %dx%d --set households=%d --set radius=%d --set needs=%d --set threshold=%g --set tries=%d "
                "--set edge=%s --set activation=%s --set within=%d", s->nx, s->ny, s->households, s->radius, s->needs,
                s->threshold, s->tries, s->torus ? "torus" : "bounded", s->within ? "turn" : "all",
                s->within ? s->within : 1);
}

static void begin(void *loop, const char *path)
{
    town *t = loop;
    size_t count, same, third;
    uint64_t *ids = stored_agents(path, "people", "id", sizeof *ids, &count);
    int64_t *places = stored_agents(path, "people", "place", sizeof *places, &same);
    uint8_t *kinds = stored_agents(path, "people", "kind", sizeof *kinds, &third);
    cr_assert(count == (size_t)t->set->households && same == count && third == count);
    t->places = t->set->nx * t->set->ny;
    t->all = calloc(count, sizeof *t->all);
    t->who = malloc((size_t)t->places * sizeof *t->who);
    t->free = malloc((size_t)t->places * sizeof *t->free);
    for (int place = 0; place < t->places; place++) t->who[place] = -1;
    for (size_t i = 0; i < count; i++) {
        t->all[i] = (household){.place = (int)places[i], .id = ids[i], .kind = kinds[i]};
        cr_assert_eq(t->who[places[i]], -1, "two on one place");
        t->who[places[i]] = (int)i;
    }
    free(ids), free(places), free(kinds);
}

/* Those of the loop in the order of their places. */
static void advance(void *loop, const char *path, const char *what)
{
    town *t = loop;
    const size_t count = (size_t)t->set->households;
    step(t);
    if (!path) return;
    uint64_t *ids = calloc(count, sizeof *ids);
    int64_t *places = calloc(count, sizeof *places);
    uint8_t *kinds = calloc(count, sizeof *kinds);
    size_t i = 0;
    for (int place = 0; place < t->places; place++) {
        if (t->who[place] < 0) continue;
        const household *h = &t->all[t->who[place]];
        ids[i] = h->id, places[i] = place, kinds[i++] = h->kind;
    }
    cr_assert_eq(i, count);
    expect_agents(path, "people", "id", ids, sizeof *ids, count, what);
    expect_agents(path, "people", "place", places, sizeof *places, count, what);
    expect_agents(path, "people", "kind", kinds, sizeof *kinds, count, what);
    free(ids), free(places), free(kinds);
}

static void end(void *loop, const outcome *o, const char *what)
{
    const town *t = loop;
    const int64_t found[] = {tally_of(o, "households"), tally_of(o, "unhappy"), tally_of(o, "alike"),
                             tally_of(o, "neighbours")};
    const int64_t expected[] = {t->set->households, t->unhappy, t->alike, t->neighbours};
    cr_expect_arr_eq(found, expected, sizeof found, "tallies of %s", what);
    const double likeness = json_number_value(json_object_get(json_object_get(o->report, "tallies"), "likeness"));
    cr_expect(fabs(likeness - t->likeness / (double)t->with_neighbours) < 1e-12, "%s: %.17g", what, likeness);
    cr_expect(t->moved || t->places == t->set->households, "nobody moved: %s", what);
}

void expect_schelling(const char *where)
{
    for (int i = 0; i < SETTINGS; i++) {
        town t = {.set = &settings[i], .key = mass_random_key((uint64_t)i + 1, 0)};
        const standard_run r = {"schelling", options_of(t.set), i + 1, STEPS};
        each_step(&r, where, &t, begin, advance, end);
        free(t.all), free(t.who), free(t.free);
    }
}

static void check_two(int first, void (*check)(const model *m))
{
    static const char *const attributes[] = {"id", "place", "kind", "lost", NULL};
    for (int i = first; i < first + 2; i++) {
        const model m = {text("--plugin '%s/schelling.so' --seed %d %s", getenv("MASS_PLUGINS"), i + 1,
                              options_of(&settings[i])), NULL, settings[i].ny, 24, "people", attributes};
        check(&m);
    }
}

void each_schelling(void (*check)(const model *m)) { check_two(1, check); }
void each_schelling_in_turn(void (*check)(const model *m)) { check_two(FIRST_IN_TURN, check); }
