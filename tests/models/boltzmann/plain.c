/* SPDX-License-Identifier: Apache-2.0 */
#include "boltzmann/plain.h"
#include "standard/stored.h"

#include <mass/random.h>

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of the phases that draw, of those of a step and of the two of the start. */
enum { GIVE = 2, WALK = 2, MEET = 4, ACT = 2, ORDER_DRAW = 65535 };

typedef struct setting {
    int nx, ny, people, money;
    bool on_place, in_turn;
} setting;

static const setting settings[] = {
    {12, 9, 200, 1, false, false}, {30, 40, 500, 3, true, false}, {10, 10, 100, 1, true, true},
    {2, 31, 150, 2, true, true},   {1, 7, 40, 2, true, false},    {5, 1, 1, 4, false, false},
    {4, 50, 900, 1, true, false},  {33, 8, 300, 20, false, false}, {1, 3, 20, 4, true, true},
    {40, 30, 300, 3, true, true}};
enum { SETTINGS = sizeof settings / sizeof *settings, FIRST_IN_TURN = 2, STEPS = 60 };

typedef struct person {
    int64_t place, wealth, received;
    uint64_t id, lot;
} person;

typedef struct town {
    const setting *set;
    uint64_t key, step;
    person *people;
    int64_t given;
} town;

/* ---- a step ---- */

static int compare(const void *a, const void *b)
{
    const person *x = a, *y = b;
    if (x->place != y->place) return x->place < y->place ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* Each of the people from `first` to `end` who has something gives 1 to one of them. A draw of the person, or of the
 * place, decides who gets it. */
static void give(town *t, int first, int end, uint32_t phase)
{
    for (int i = first; i < end; i++) {
        person *p = &t->people[i];
        const uint64_t entity = t->set->on_place ? (uint64_t)p->place : p->id;
        const uint32_t draw = t->set->on_place ? (uint32_t)(i - first) : 0;
        const mass_random4 r = mass_random_block(t->key, entity, t->step, phase, draw);
        if (p->wealth == 0) continue;
        p->wealth--;
        t->people[first + (int)mass_below_u32((uint32_t)(end - first), r.v[0], r.v[1])].received++;
        t->given++;
    }
    for (int i = first; i < end; i++) {
        t->people[i].wealth += t->people[i].received;
        t->people[i].received = 0;
    }
}

static void walk_one(const town *t, person *p, uint32_t phase)
{
    const int nx = t->set->nx, ny = t->set->ny;
    const mass_random4 r = mass_random_block(t->key, p->id, t->step, phase, 0);
    const int64_t x = p->place % nx + mass_below_u32(3, r.v[0], r.v[1]) + nx - 1;
    const int64_t y = p->place / nx + mass_below_u32(3, r.v[2], r.v[3]) + ny - 1;
    p->place = y % ny * nx + x % nx;
}

static void walk(town *t)
{
    for (int i = 0; i < t->set->people; i++) walk_one(t, &t->people[i], WALK);
    qsort(t->people, (size_t)t->set->people, sizeof *t->people, compare);
}

/* ---- a step in turn ---- */

static int by_lot(const void *a, const void *b)
{
    const person *x = a, *y = b;
    if (x->lot != y->lot) return x->lot < y->lot ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* One walks and gives 1 to one of the others there, if there are any. People lie by id. */
static void act(town *t, person *p)
{
    person *const end = t->people + t->set->people;
    uint32_t others = 0;
    walk_one(t, p, ACT);
    for (person *q = t->people; q < end; q++) others += q != p && q->place == p->place;
    if (p->wealth == 0 || others == 0) return;
    const mass_random4 r = mass_random_block(t->key, p->id, t->step, ACT, 1);
    uint32_t before = mass_below_u32(others, r.v[0], r.v[1]);
    person *to = t->people;
    while (to == p || to->place != p->place || before-- > 0) to++;
    to->wealth++;
    p->wealth--;
    t->given++;
}

static void take_turns(town *t)
{
    const size_t count = (size_t)t->set->people;
    person *order = calloc(count, sizeof *order);
    for (size_t i = 0; i < count; i++) {
        const person *p = &t->people[i];
        const mass_random4 r = mass_random_block(t->key, p->id, t->step, ACT, ORDER_DRAW);
        order[i] = (person){.id = p->id, .lot = (uint64_t)r.v[0] << 32 | r.v[1]};
    }
    qsort(order, count, sizeof *order, by_lot);
    qsort(t->people, count, sizeof *t->people, by_lot); /* all have the lot 0 */
    for (size_t i = 0; i < count; i++) act(t, &t->people[order[i].id]);
    qsort(t->people, count, sizeof *t->people, compare);
    free(order);
}

/* ---- all at once, or in turn ---- */

static void step(town *t)
{
    t->step++;
    if (!t->set->on_place) {
        give(t, 0, t->set->people, GIVE);
        return;
    }
    if (t->set->in_turn) {
        take_turns(t);
        return;
    }
    walk(t);
    for (int first = 0, end; first < t->set->people; first = end) {
        for (end = first; end < t->set->people && t->people[end].place == t->people[first].place;) end++;
        give(t, first, end, MEET);
    }
}

/* ---- the engine's ---- */

static const char *options_of(const setting *s)
{
    return text("--size %dx%d --set people=%d --set money=%d --set to=%s --set activation=%s", s->nx, s->ny,
                s->people, s->money, s->on_place ? "place" : "anybody", s->in_turn ? "turn" : "all");
}

static void begin(void *loop, const char *path)
{
    town *t = loop;
    size_t count, same;
    uint64_t *ids = stored_agents(path, "people", "id", sizeof *ids, &count);
    int64_t *places = stored_agents(path, "people", "place", sizeof *places, &same);
    cr_assert(count == (size_t)t->set->people && same == count);
    t->people = calloc(count, sizeof *t->people);
    for (size_t i = 0; i < count; i++)
        t->people[i] = (person){.place = places[i], .id = ids[i], .wealth = t->set->money};
    free(ids), free(places);
}

static void advance(void *loop, const char *path, const char *what)
{
    town *t = loop;
    const size_t count = (size_t)t->set->people;
    step(t);
    if (!path) return;
    uint64_t *ids = calloc(count, sizeof *ids);
    int64_t *places = calloc(count, sizeof *places), *wealth = calloc(count, sizeof *wealth);
    int32_t *nothing = calloc(count, sizeof *nothing);
    for (size_t i = 0; i < count; i++)
        ids[i] = t->people[i].id, places[i] = t->people[i].place, wealth[i] = t->people[i].wealth;
    expect_agents(path, "people", "id", ids, sizeof *ids, count, what);
    expect_agents(path, "people", "place", places, sizeof *places, count, what);
    expect_agents(path, "people", "wealth", wealth, sizeof *wealth, count, what);
    expect_agents(path, "people", "received", nothing, sizeof *nothing, count, what);
    free(ids), free(places), free(wealth), free(nothing);
}

static void end(void *loop, const outcome *o, const char *what)
{
    const town *t = loop;
    int64_t money = 0, poor = 0, richest = 0;
    for (int i = 0; i < t->set->people; i++) {
        const int64_t wealth = t->people[i].wealth;
        money += wealth;
        poor += wealth == 0;
        richest = wealth > richest ? wealth : richest;
    }
    const int64_t found[] = {tally_of(o, "money"), tally_of(o, "poor"), tally_of(o, "richest"), tally_of(o, "given")};
    const int64_t expected[] = {money, poor, richest, t->given};
    cr_expect_arr_eq(found, expected, sizeof found, "tallies of %s", what);
    cr_expect_eq(found[0], (int64_t)t->set->people * t->set->money, "money is lost: %s", what);
    cr_expect_gt(t->given, STEPS - 1);
}

void expect_boltzmann(const char *where)
{
    for (int i = 0; i < SETTINGS; i++) {
        town t = {.set = &settings[i], .key = mass_random_key((uint64_t)i + 1, 0)};
        const standard_run r = {"boltzmann", options_of(t.set), i + 1, STEPS};
        each_step(&r, where, &t, begin, advance, end);
        free(t.people);
    }
}

static void check_two(int first, void (*check)(const model *m))
{
    static const char *const attributes[] = {"id", "place", "wealth", NULL};
    for (int i = first; i < first + 2; i++) {
        const model m = {text("--plugin '%s/boltzmann.so' --seed %d %s", getenv("MASS_PLUGINS"), i + 1,
                              options_of(&settings[i])), NULL, settings[i].ny, 24, "people", attributes};
        check(&m);
    }
}

void each_boltzmann(void (*check)(const model *m)) { check_two(0, check); }
void each_boltzmann_in_turn(void (*check)(const model *m)) { check_two(FIRST_IN_TURN, check); }
