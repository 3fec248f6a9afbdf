/* SPDX-License-Identifier: Apache-2.0 */
#include "anybody/plain.h"
#include "run.h"

#include <criterion/criterion.h>
#include <mass/random.h>
#include <stdlib.h>
#include <string.h>

const anybody_run anybody_runs[ANYBODY_RUNS] = {
    {{12, 9, 1}, 40, 60, 1, 1, 50, 1},   {{9, 8, 7}, 300, 700, 3, 2, 30, 1}, {{97, 1, 1}, 200, 250, 3, 3, 40, 1},
    {{5, 7, 1}, 30, 35, 1, 4, 30, 1},    {{64, 31, 1}, 900, 1500, 1, 5, 12, 1}, {{6, 9, 1}, 0, 13, 2, 6, 10, 1}};

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

/* The worlds' agents and places follow one another in the data sets of a checkpoint. */
static void *column(const char *folder, int step, const char *name, size_t *bytes)
{
    const dataset d = dataset_read(checkpoint_path(folder, (uint64_t)step), name);
    if (bytes) *bytes = d.size;
    return d.bytes;
}

/* Reads the agents of a world, of which `next` tells the first one's number in the data sets, and moves it on. */
static void read_agents(const char *folder, const char *population, int32_t number, size_t *next, crowd *c)
{
    size_t bytes;
    uint64_t *id = column(folder, 0, text("/agents/%s/id", population), &bytes);
    int64_t *place = column(folder, 0, text("/agents/%s/place", population), NULL);
    int32_t *of = column(folder, 0, text("/agents/%s/world", population), NULL);
    const size_t all = bytes / sizeof *id;
    c->count = 0;
    c->list = calloc(all + 1, sizeof *c->list);
    for (; *next < all && of[*next] == number; ++*next)
        c->list[c->count++] = (agent){.id = id[*next], .place = place[*next]};
    free(id);
    free(place);
    free(of);
}

#define EXPECT_COLUMN(TYPE, POPULATION, NAME, MEMBER)                                                           \
    do {                                                                                                        \
        size_t bytes_;                                                                                          \
        TYPE *all_ = column(folder, w->run->steps, "/agents/" #POPULATION "/" NAME, &bytes_);                   \
        cr_assert(bytes_ / sizeof(TYPE) >= first + (size_t)w->POPULATION.count, #POPULATION " of %s", options); \
        for (int64_t i_ = 0; i_ < w->POPULATION.count; i_++)                                                    \
            cr_assert_eq(all_[first + (size_t)i_], (TYPE)w->POPULATION.list[i_].MEMBER, NAME " %d of %s",       \
                         (int)i_, options);                                                                     \
        free(all_);                                                                                             \
    } while (0)

static void expect_people(const world *w, size_t first, const char *folder, const char *options)
{
    EXPECT_COLUMN(uint64_t, people, "id", id);
    EXPECT_COLUMN(int64_t, people, "place", place);
    EXPECT_COLUMN(int32_t, people, "wealth", wealth);
    EXPECT_COLUMN(uint64_t, people, "boss", boss);
    EXPECT_COLUMN(int64_t, people, "trace", trace);
}

static void expect_movers(const world *w, size_t first, const char *folder, const char *options)
{
    EXPECT_COLUMN(uint64_t, movers, "id", id);
    EXPECT_COLUMN(int64_t, movers, "place", place);
    EXPECT_COLUMN(uint8_t, movers, "lost", lost);
    EXPECT_COLUMN(int64_t, movers, "tries", tries);
}

static void expect_places(const world *w, int number, const char *folder, const char *options)
{
    int64_t *paid = column(folder, w->run->steps, "/places/field/paid", NULL);
    int64_t *passed = column(folder, w->run->steps, "/places/field/passed", NULL);
    const size_t first = (size_t)number * (size_t)w->places, bytes = (size_t)w->places * sizeof *paid;
    cr_expect_arr_eq(paid + first, w->paid, bytes, "paid of %s", options);
    cr_expect_arr_eq(passed + first, w->passed, bytes, "passed of %s", options);
    free(paid);
    free(passed);
}

static void expect_count(const char *folder, const anybody_run *r, const char *population, size_t count,
                         const char *options)
{
    size_t bytes;
    free(column(folder, r->steps, text("/agents/%s/id", population), &bytes));
    cr_assert_eq(bytes / sizeof(uint64_t), count, "%s of %s", population, options);
}

const char *anybody_options(const anybody_run *r)
{
    const int dimensions = r->extents[2] > 1 ? 3 : r->extents[1] > 1 ? 2 : 1;
    const char *size = text("%d%s%s", r->extents[0], dimensions > 1 ? text("x%d", r->extents[1]) : "",
                            dimensions > 2 ? text("x%d", r->extents[2]) : "");
    const char *worlds = r->worlds > 1 ? text(" --worlds %d", r->worlds) : "";
    return text("--plugin '%s/anybody.so' --size %s --seed %d --set torus=0 --set people=%d --set movers=%d "
                "--set seats=%d%s", MASS_TEST_PLUGINS, size, r->seed, r->people, r->movers, r->seats, worlds);
}

static void prepare(world *w)
{
    for (int64_t i = 0; i < w->people.count; i++) {
        w->people.list[i].wealth = 3;
        w->people.list[i].boss = w->people.list[i].id * 7 % (uint64_t)(w->run->people + 1);
    }
    w->paid = calloc((size_t)w->places, sizeof *w->paid);
    w->passed = calloc((size_t)w->places, sizeof *w->passed);
}

/* Returns how many had a partner who is dead. */
static int64_t run_to_end(world *w)
{
    int64_t lonely = 0, wealth = 0;
    for (w->step = 1; w->step <= (uint64_t)w->run->steps; w->step++) {
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
    for (int64_t i = 0; i < w->people.count; i++) wealth += w->people.list[i].wealth;
    cr_expect_eq(wealth, 3 * w->run->people, "the plain program keeps wealth");
    return lonely;
}

static int64_t tally_in(const outcome *o, const char *name, int number, int worlds)
{
    const json_t *found = json_object_get(json_object_get(o->report, "tallies"), name);
    if (worlds > 1) found = json_array_get(found, (size_t)number);
    cr_assert(json_is_integer(found), "no integer tally %s", name);
    return json_integer_value(found);
}

void expect_anybody_of(const anybody_run *r, const char *options)
{
    const char *start = folder_make(), *end = folder_make();
    engine_write(text("%s --device cpu --threads 1 --steps 0 --checkpoint %s", anybody_options(r), start));
    outcome o = engine_run(text("%s --checkpoint %s", options, end));
    size_t next[2] = {0}, people = 0, movers = 0;
    for (int number = 0; number < r->worlds; number++) {
        world all = {.run = r, .places = (int64_t)r->extents[0] * r->extents[1] * r->extents[2],
                     .key = mass_random_key((uint64_t)r->seed, (uint64_t)number), .next_id = (uint64_t)r->people},
              *w = &all;
        read_agents(start, "people", number, &next[0], &w->people);
        read_agents(start, "movers", number, &next[1], &w->movers);
        prepare(w);
        cr_expect_eq(run_to_end(w), tally_in(&o, "lonely", number, r->worlds), "%s", options);
        cr_expect_eq(tally_in(&o, "total", number, r->worlds), 3 * r->people, "wealth is lost: %s", options);
        expect_people(w, people, end, options);
        expect_movers(w, movers, end, options);
        expect_places(w, number, end, options);
        people += (size_t)w->people.count;
        movers += (size_t)w->movers.count;
        free(w->people.list), free(w->movers.list), free(w->paid), free(w->passed);
    }
    expect_count(end, r, "people", people, options);
    expect_count(end, r, "movers", movers, options);
    outcome_free(&o);
    folder_empty(start);
    folder_empty(end);
}

void expect_anybody(const anybody_run *r, const char *where)
{
    expect_anybody_of(r, text("%s %s --steps %d", anybody_options(r), where, r->steps));
}
