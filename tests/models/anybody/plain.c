/* SPDX-License-Identifier: Apache-2.0 */
#include "anybody/plain.h"
#include "run.h"

#include <criterion/criterion.h>
#include <mass/random.h>
#include <stdlib.h>
#include <string.h>

const anybody_run anybody_runs[ANYBODY_RUNS] = {
    {{12, 9, 1}, 40, 60, 1, 1, 50},   {{9, 8, 7}, 300, 700, 3, 2, 30}, {{97, 1, 1}, 200, 250, 3, 3, 40},
    {{5, 7, 1}, 30, 35, 1, 4, 30},    {{64, 31, 1}, 900, 1500, 1, 5, 12}, {{6, 9, 1}, 0, 13, 2, 6, 10}};

enum { GIVE = 1, PAIR, LIVE, MANAGE_PEOPLE, SEEK, MANAGE_SEEK, AGAIN, MANAGE_AGAIN, TAX, PASS };

/* One of the people or of the movers. */
typedef struct agent {
    uint64_t id, boss;
    int64_t place, trace, tries, target;
    int32_t wealth, before;
    bool asks, lost, dead, granted;
} agent;

typedef struct crowd {
    agent *list;
    int64_t count;
} crowd;

typedef struct world {
    const anybody_run *run;
    int64_t places;
    uint64_t key, next_id, step;
    crowd people, movers;
    int64_t *paid, *passed;
} world;

static mass_random4 draw(const world *w, uint64_t entity, uint32_t phase, uint32_t number)
{
    return mass_random_block(w->key, entity, w->step, phase, number);
}

/* Returns a number below n: the product of n and a fraction of 64 bits. */
static int64_t below(mass_random4 r, int64_t n)
{
    const unsigned __int128 fraction = (uint64_t)r.v[0] << 32 | r.v[1];
    return (int64_t)(fraction * (unsigned __int128)n >> 64);
}

static agent *one_of(const crowd *c, mass_random4 r) { return c->count ? &c->list[below(r, c->count)] : NULL; }

static agent *by_id(const crowd *c, uint64_t id)
{
    for (int64_t i = 0; i < c->count; i++)
        if (c->list[i].id == id) return &c->list[i];
    return NULL;
}

static int64_t free_place(const world *w, mass_random4 r)
{
    int64_t *free_places = malloc((size_t)w->places * sizeof *free_places), count = 0;
    int *here = calloc((size_t)w->places, sizeof *here);
    for (int64_t i = 0; i < w->movers.count; i++) here[w->movers.list[i].place]++;
    for (int64_t p = 0; p < w->places; p++)
        if (here[p] < w->run->seats) free_places[count++] = p;
    const int64_t place = count ? free_places[below(r, count)] : -1;
    free(here);
    free(free_places);
    return place;
}

/* ---- the phases ---- */

static void give(world *w)
{
    for (int64_t i = 0; i < w->people.count; i++) w->people.list[i].before = w->people.list[i].wealth;
    for (int64_t i = 0; i < w->people.count; i++) {
        agent *a = &w->people.list[i];
        if (a->before <= 0) continue;
        a->wealth--;
        one_of(&w->people, draw(w, a->id, GIVE, 0))->wealth++;
    }
}

static void pair(world *w, int64_t *lonely)
{
    crowd old = {malloc((size_t)(w->people.count + 1) * sizeof(agent)), w->people.count};
    memcpy(old.list, w->people.list, (size_t)old.count * sizeof(agent));
    for (int64_t i = 0; i < w->people.count; i++) {
        agent *a = &w->people.list[i];
        const agent *boss = by_id(&old, a->boss), *other = one_of(&old, draw(w, a->id, PAIR, 1));
        if (!boss) {
            a->boss = other->id;
            ++*lonely;
            continue;
        }
        a->trace = (a->trace * 3 + boss->wealth + (int64_t)(boss->boss % 97) + (int64_t)boss->id) % 10007;
        if (draw(w, a->id, PAIR, 2).v[0] % 4 == 0) a->boss = other->boss;
    }
    free(old.list);
}

static int by_place(const void *a, const void *b)
{
    const agent *x = a, *y = b;
    if (x->place != y->place) return x->place < y->place ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* Births, deaths and moves of people, who may be any number on a place. */
static void live(world *w)
{
    crowd next = {malloc((size_t)(2 * w->people.count + 1) * sizeof(agent)), 0};
    for (int64_t i = 0; i < w->people.count; i++) {
        agent a = w->people.list[i];
        const mass_random4 r = draw(w, a.id, LIVE, 0);
        if (r.v[1] % 17 == 0) next.list[next.count++] = (agent){.id = w->next_id++, .boss = a.id, .place = a.place};
        if (a.wealth == 0 && r.v[0] % 5 == 0) continue;
        if (r.v[3] % 3) a.place = r.v[2] % w->places;
        next.list[next.count++] = a;
    }
    qsort(next.list, (size_t)next.count, sizeof(agent), by_place);
    free(w->people.list);
    w->people = next;
}

/* Takes the grant from the worst claim on a place that holds too many then. Returns false if there is none. */
static bool refuse_one(const world *w, int64_t place)
{
    agent *worst = NULL;
    int64_t there = 0;
    for (int64_t i = 0; i < w->movers.count; i++) {
        agent *a = &w->movers.list[i];
        if ((a->granted ? a->target : a->place) != place) continue;
        there++;
        if (a->granted && (!worst || a->id > worst->id)) worst = a;
    }
    if (there <= w->run->seats || !worst) return false;
    worst->granted = false;
    worst->lost = true;
    return true;
}

static void move(world *w)
{
    for (int64_t i = 0; i < w->movers.count; i++) {
        agent *a = &w->movers.list[i];
        a->lost = false;
        a->granted = a->asks && a->target != a->place;
    }
    for (bool again = true; again;) {
        again = false;
        for (int64_t p = 0; p < w->places; p++)
            while (refuse_one(w, p)) again = true;
    }
    for (int64_t i = 0; i < w->movers.count; i++) {
        agent *a = &w->movers.list[i];
        if (a->granted) a->place = a->target;
        a->asks = false;
    }
    qsort(w->movers.list, (size_t)w->movers.count, sizeof(agent), by_place);
}

static void seek(world *w, uint32_t phase, bool refused)
{
    for (int64_t i = 0; i < w->movers.count; i++) {
        agent *a = &w->movers.list[i];
        if (refused ? !a->lost : draw(w, a->id, phase, 1).v[0] % 3 != 0) continue;
        a->target = free_place(w, draw(w, a->id, phase, 0));
        a->asks = a->target >= 0;
        a->tries += a->target + (refused ? 1000 : 2);
    }
}

static void tax(world *w)
{
    int64_t place = -1;
    uint32_t number = 0;
    for (int64_t i = 0; i < w->people.count; i++) w->people.list[i].before = w->people.list[i].wealth;
    memset(w->paid, 0, (size_t)w->places * sizeof *w->paid);
    for (int64_t i = 0; i < w->movers.count; i++) {
        const agent *a = &w->movers.list[i];
        if (a->place != place) place = a->place, number = 0;
        agent *from = one_of(&w->people, draw(w, (uint64_t)place, TAX, number++));
        agent *to = by_id(&w->people, (uint64_t)a->tries % 50);
        if (!to || from->before < 3) continue;
        from->wealth -= 2;
        to->wealth += 2;
        w->paid[place] += 2 * from->before + (int64_t)to->id;
    }
}

static void pass(world *w)
{
    for (int64_t i = 0; i < w->people.count; i++) w->people.list[i].before = w->people.list[i].wealth;
    for (int64_t first = 0, end; first < w->people.count; first = end) {
        agent *list = w->people.list;
        const int64_t place = list[first].place;
        const agent *other = one_of(&w->people, draw(w, (uint64_t)place, PASS, 9));
        for (end = first; end < w->people.count && list[end].place == place; end++)
            w->passed[place] = (w->passed[place] * 5 + list[end].trace + list[end].wealth + other->before) % 10007;
        int32_t pot = 0;
        for (int64_t i = first; i < end; i++)
            if (list[i].wealth > 1) list[i].wealth--, pot++;
        list[first].wealth += pot;
    }
}

/* ---- the comparison ---- */

static void *column(const char *folder, int step, const char *name, size_t *bytes)
{
    const dataset d = dataset_read(checkpoint_path(folder, (uint64_t)step), name);
    if (bytes) *bytes = d.size;
    return d.bytes;
}

static void read_agents(const char *folder, const char *population, crowd *c)
{
    size_t bytes;
    uint64_t *id = column(folder, 0, text("/agents/%s/id", population), &bytes);
    int64_t *place = column(folder, 0, text("/agents/%s/place", population), NULL);
    c->count = (int64_t)(bytes / sizeof *id);
    c->list = calloc((size_t)c->count + 1, sizeof *c->list);
    for (int64_t i = 0; i < c->count; i++) c->list[i].id = id[i], c->list[i].place = place[i];
    free(id);
    free(place);
}

#define EXPECT_COLUMN(TYPE, POPULATION, NAME, MEMBER)                                                       \
    do {                                                                                                    \
        size_t bytes_;                                                                                      \
        TYPE *found_ = column(folder, r->steps, "/agents/" #POPULATION "/" NAME, &bytes_);                  \
        cr_assert_eq(bytes_ / sizeof(TYPE), (size_t)w->POPULATION.count, "%s of %s", #POPULATION, options); \
        for (int64_t i_ = 0; i_ < w->POPULATION.count; i_++)                                                \
            cr_assert_eq(found_[i_], (TYPE)w->POPULATION.list[i_].MEMBER, NAME " %d of %s", (int)i_, options); \
        free(found_);                                                                                       \
    } while (0)

static void expect_end(const world *w, const anybody_run *r, const char *folder, const char *options)
{
    EXPECT_COLUMN(uint64_t, people, "id", id);
    EXPECT_COLUMN(int64_t, people, "place", place);
    EXPECT_COLUMN(int32_t, people, "wealth", wealth);
    EXPECT_COLUMN(uint64_t, people, "boss", boss);
    EXPECT_COLUMN(int64_t, people, "trace", trace);
    EXPECT_COLUMN(uint64_t, movers, "id", id);
    EXPECT_COLUMN(int64_t, movers, "place", place);
    EXPECT_COLUMN(uint8_t, movers, "lost", lost);
    EXPECT_COLUMN(int64_t, movers, "tries", tries);
    int64_t *paid = column(folder, r->steps, "/places/field/paid", NULL);
    int64_t *passed = column(folder, r->steps, "/places/field/passed", NULL);
    cr_expect_arr_eq(paid, w->paid, (size_t)w->places * sizeof *paid, "paid of %s", options);
    cr_expect_arr_eq(passed, w->passed, (size_t)w->places * sizeof *passed, "passed of %s", options);
    free(paid);
    free(passed);
}

const char *anybody_options(const anybody_run *r)
{
    const int dimensions = r->extents[2] > 1 ? 3 : r->extents[1] > 1 ? 2 : 1;
    const char *size = text("%d%s%s", r->extents[0], dimensions > 1 ? text("x%d", r->extents[1]) : "",
                            dimensions > 2 ? text("x%d", r->extents[2]) : "");
    return text("--plugin '%s/anybody.so' --size %s --seed %d --set torus=0 --set people=%d --set movers=%d "
                "--set seats=%d", MASS_TEST_PLUGINS, size, r->seed, r->people, r->movers, r->seats);
}

void expect_plain(const anybody_run *r, const char *where)
{
    const char *folder = folder_make(), *options = text("%s %s", anybody_options(r), where);
    world all = {.run = r, .places = (int64_t)r->extents[0] * r->extents[1] * r->extents[2],
                 .key = mass_random_key((uint64_t)r->seed, 0), .next_id = (uint64_t)r->people}, *w = &all;
    int64_t lonely = 0, wealth = 0;
    engine_write(text("%s --steps 0 --checkpoint %s", options, folder));
    read_agents(folder, "people", &w->people);
    read_agents(folder, "movers", &w->movers);
    for (int64_t i = 0; i < w->people.count; i++) {
        w->people.list[i].wealth = 3;
        w->people.list[i].boss = w->people.list[i].id * 7 % (uint64_t)(r->people + 1);
    }
    w->paid = calloc((size_t)w->places, sizeof *w->paid);
    w->passed = calloc((size_t)w->places, sizeof *w->passed);
    for (w->step = 1; w->step <= (uint64_t)r->steps; w->step++) {
        give(w);
        pair(w, &lonely);
        live(w);
        seek(w, SEEK, false);
        move(w);
        seek(w, AGAIN, true);
        move(w);
        tax(w);
        pass(w);
    }
    outcome o = engine_run(text("%s --steps %d --checkpoint %s", options, r->steps, folder));
    cr_expect_eq(tally_of(&o, "lonely"), lonely, "%s", options);
    for (int64_t i = 0; i < w->people.count; i++) wealth += w->people.list[i].wealth;
    cr_expect_eq(wealth, 3 * r->people, "the plain program keeps wealth");
    cr_expect_eq(tally_of(&o, "total"), 3 * r->people, "wealth is lost: %s", options);
    expect_end(w, r, folder, options);
    outcome_free(&o);
    free(w->people.list);
    free(w->movers.list);
    free(w->paid);
    free(w->passed);
}
