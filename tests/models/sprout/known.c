/* SPDX-License-Identifier: Apache-2.0 */
#include "sprout/known.h"
#include "sprout/ways.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

const sprout_case sprout_cases[] = {
    {{12, 10, 1}, 1, 3, 0, 0, 0, 40},   {{12, 10, 1}, 3, 1, 0, 0, 0, 40},  {{97, 1, 1}, 0, 0, 0, 0, 0, 12},
    {{9, 8, 7}, 6, 3, 0, 1, 70, 15},    {{33, 14, 1}, 2, 1, 0, 2, 70, 30}, {{5, 64, 1}, 0, 2, 0, 1, 1, 25},
    {{40, 1, 1}, 1, 1, 0, 0, 5, 30},    {{17, 9, 1}, 0, 3, 0, 2, 20, 30},  {{1, 23, 1}, 2, 3, 0, 0, 0, 20},
    {{128, 70, 1}, 3, 1, 0, 0, 0, 8}};
const int sprout_case_count = sizeof sprout_cases / sizeof *sprout_cases;

const char *sprout_options(const sprout_case *c)
{
    const char *size = c->size[2] > 1   ? text("%" PRId64 "x%" PRId64 "x%" PRId64, c->size[0], c->size[1], c->size[2])
                       : c->size[1] > 1 ? text("%" PRId64 "x%" PRId64, c->size[0], c->size[1])
                                        : text("%" PRId64, c->size[0]);
    return text("--plugin '%s/sprout.so' --seed 1 --size %s --steps %" PRId64 " --set torus=%" PRId64
                " --set capacity=%" PRId64 " --set order=%" PRId64 " --set gate=%" PRId64, MASS_TEST_PLUGINS, size,
                c->steps, c->torus, c->capacity, c->order, c->gate);
}

/* ---- the plain loop ---- */

enum { MOST = 200000 };

typedef struct agent {
    uint64_t id;
    int64_t place, energy;
    int64_t from, to;  /* the place at the beginning of a manage; where it wants to go, or -1 */
    int32_t asks, got; /* children */
    int32_t size, height, kind, dew, hunger;
    bool dies, refused, alive;
} agent;

typedef struct population {
    agent *agents; /* all that ever lived, in the order of their ids */
    int count;
    int64_t capacity, born, died, unborn;
    int64_t *held;    /* agents on each place */
    int *list, *first; /* those alive by place and id, and the first of each place */
    int32_t *asked;   /* sprouts of each place */
    uint64_t *wish;   /* the number by which it asked */
} population;

typedef struct run {
    const sprout_case *c;
    int64_t places, digest, all;
    int32_t *soil;
    population of[2]; /* weeds and beasts */
} run;

/* Returns the place at an offset, or -1 beyond an edge. */
static int64_t find_place(const sprout_case *c, int64_t place, int dx, int dy, int dz)
{
    int64_t at[3] = {place % c->size[0] + dx, place / c->size[0] % c->size[1] + dy,
                     place / c->size[0] / c->size[1] + dz};
    for (int a = 0; a < 3; a++) {
        if (at[a] >= 0 && at[a] < c->size[a]) continue;
        if (!(c->torus >> a & 1)) return -1;
        at[a] = (at[a] + c->size[a]) % c->size[a];
    }
    return (at[2] * c->size[1] + at[1]) * c->size[0] + at[0];
}

static agent *add(population *p, int64_t place)
{
    cr_assert_lt(p->count, MOST);
    agent *a = &p->agents[p->count];
    *a = (agent){.id = (uint64_t)p->count++, .place = place, .from = place, .to = -1, .energy = 7, .size = 5,
                 .height = 5, .kind = 3, .dew = 1, .hunger = 9, .alive = true};
    p->held[place]++;
    p->born++;
    return a;
}

/* Lists the living agents by place and id. */
static void list_agents(population *p, int64_t places)
{
    for (int64_t i = 0; i <= places; i++) p->first[i] = 0;
    for (int i = 0; i < p->count; i++)
        if (p->agents[i].alive) p->first[p->agents[i].place + 1]++;
    for (int64_t i = 0; i < places; i++) p->first[i + 1] += p->first[i];
    for (int i = p->count - 1; i >= 0; i--)
        if (p->agents[i].alive) p->list[--p->first[p->agents[i].place + 1]] = i;
    for (int64_t i = 0; i < places; i++) p->first[i] = p->first[i + 1];
    p->first[places] = 0;
    for (int i = 0; i < p->count; i++) p->first[places] += p->agents[i].alive;
}

/* Grants seats to births, by the parents' ids. */
static void grant(population *p)
{
    for (int i = 0; i < p->count; i++)
        for (int k = 0; k < p->agents[i].asks; k++) {
            agent *parent = &p->agents[i];
            if (p->capacity && p->held[parent->place] >= p->capacity) {
                p->unborn++;
                continue;
            }
            p->held[parent->place]++;
            parent->got++;
        }
}

static void bury(population *p)
{
    for (int i = 0; i < p->count; i++) {
        agent *a = &p->agents[i];
        if (!a->alive || !a->dies) continue;
        a->alive = false;
        p->held[a->place]--;
        p->died++;
    }
}

/* Lets all move, and takes back the moves of the highest ids where a place then has too many, until none has. */
static void migrate(population *p, int64_t places)
{
    int64_t *in = calloc((size_t)places, sizeof *in);
    for (int64_t i = 0; i < places; i++) in[i] = p->held[i];
    for (int i = 0; i < p->count; i++) {
        agent *a = &p->agents[i];
        if (!a->alive || a->to < 0) continue;
        in[a->place]--;
        in[a->to]++;
    }
    for (int i = p->capacity ? p->count - 1 : -1; i >= 0; i--) {
        agent *a = &p->agents[i];
        if (!a->alive || a->to < 0 || in[a->to] <= p->capacity) continue;
        in[a->to]--;
        in[a->place]++;
        a->to = -1;
        a->refused = true;
        i = p->count; /* its own place may have too many now, of higher ids */
    }
    for (int i = 0; i < p->count; i++) {
        agent *a = &p->agents[i];
        if (!a->alive || a->to < 0) continue;
        p->held[a->place]--;
        p->held[a->to]++;
        a->place = a->to;
    }
    free(in);
}

/* Gives the children that got a seat their ids: by the parent's place at the beginning, its id, and their number. The
 * list has the agents that were alive at the beginning. */
static void bear(population *p, int parents, bool after_moves)
{
    for (int i = 0; i < parents; i++)
        for (int k = 0; k < p->agents[p->list[i]].got; k++) {
            const agent *parent = &p->agents[p->list[i]];
            const int64_t place = after_moves ? parent->place : parent->from;
            p->held[place]--; /* add counts it */
            add(p, place)->energy = parent->energy / 2 + k;
        }
}

/* Adds the sprouts of each place, as many as it has seats for. */
static void sprout(run *r, population *p)
{
    for (int64_t place = 0; place < r->places; place++) {
        for (int k = 0; k < p->asked[place]; k++) {
            const uint64_t h = p->wish[place];
            if (p->capacity && p->held[place] >= p->capacity) {
                p->unborn++;
                continue;
            }
            agent *a = add(p, place);
            if (p == &r->of[1] && k == p->asked[place] - 1) a->hunger = (int32_t)(h % 50);
            if (p == &r->of[0] && k == 2) a->energy = 1000;
            if (p == &r->of[1] || !sprout_is_set(h, k)) continue;
            a->energy = sprout_energy(h, k);
            a->height = (int32_t)(h % 100) + k;
            a->dew = k ? 0 : 2;
        }
        p->asked[place] = 0;
    }
}

static void manage(run *r, population *p, int64_t order)
{
    list_agents(p, r->places);
    const int parents = p->first[r->places];
    for (int i = 0; i < p->count; i++) p->agents[i].got = p->agents[i].refused = 0;
    for (int i = 0; i < p->count; i++)
        if (!p->agents[i].alive) p->agents[i].asks = 0;
    if (order == 0) grant(p);
    bury(p);
    if (order == 1) grant(p);
    migrate(p, r->places);
    if (order == 2) grant(p);
    bear(p, parents, order == 2);
    sprout(r, p);
    for (int i = 0; i < p->count; i++) {
        agent *a = &p->agents[i];
        a->from = a->place;
        a->to = -1;
        a->asks = a->dies = 0;
    }
}

/* ---- the phases ---- */

static void live(run *r, int64_t step)
{
    population *p = &r->of[0];
    for (int i = 0; i < p->count; i++) {
        agent *a = &p->agents[i];
        if (!a->alive) continue;
        const uint64_t h = sprout_agent(a->id, (uint64_t)step, 0);
        a->energy += 1 + a->refused;
        a->asks = sprout_children(h);
        r->all += a->asks;
        a->dies = sprout_dies(h);
        const int64_t to = find_place(r->c, a->place, sprout_move(h, 0), r->c->size[1] > 1 ? sprout_move(h, 1) : 0,
                                      r->c->size[2] > 1 ? sprout_move(h, 2) : 0);
        a->to = to == a->place ? -1 : to;
    }
}

static void prey(run *r, int64_t step)
{
    population *p = &r->of[1];
    for (int i = 0; i < p->count; i++) {
        agent *a = &p->agents[i];
        if (!a->alive) continue;
        const uint64_t h = sprout_agent(a->id, (uint64_t)step, 1);
        a->hunger = (a->hunger + 1) % 256;
        a->dies |= sprout_dies(h);
        const int64_t to = find_place(r->c, a->place, sprout_move(h, 0), 0, 0);
        if (to >= 0) a->to = to == a->place ? -1 : to;
    }
}

/* Returns the number of places that wish for a beast. */
static int64_t grow(run *r, int64_t step)
{
    population *weeds = &r->of[0], *beasts = &r->of[1];
    int64_t wishes = 0;
    list_agents(weeds, r->places);
    for (int64_t place = 0; place < r->places; place++) {
        const uint64_t h = sprout_place((uint64_t)place, (uint64_t)step, (uint64_t)r->soil[place]);
        uint64_t here = 0;
        for (int i = weeds->first[place]; i < weeds->first[place + 1]; i++)
            here = here * 31 + (uint64_t)weeds->agents[weeds->list[i]].energy + weeds->agents[weeds->list[i]].id;
        r->soil[place] = (int32_t)((r->soil[place] * 5 + (int64_t)(here % 1009) + beasts->held[place]) % 9973);
        weeds->asked[place] = sprout_weeds(h);
        weeds->wish[place] = h;
        r->all += weeds->asked[place];
        if (sprout_beasts(h) == 0) continue;
        beasts->asked[place] = sprout_beasts(h);
        beasts->wish[place] = h;
        wishes++;
    }
    return wishes;
}

static void digest(run *r)
{
    population *weeds = &r->of[0], *beasts = &r->of[1];
    list_agents(weeds, r->places);
    list_agents(beasts, r->places);
    for (int64_t place = 0; place < r->places; place++) {
        uint64_t h = sprout_mix((uint64_t)place, (uint64_t)r->soil[place], (uint64_t)weeds->held[place]);
        for (int i = weeds->first[place]; i < weeds->first[place + 1]; i++) {
            const agent *a = &weeds->agents[weeds->list[i]];
            h = sprout_mix(h, a->id, (uint64_t)a->energy);
            h = sprout_mix(h, (uint64_t)(a->kind * 100 + a->size), (uint64_t)(a->height * 4 + a->dew));
        }
        r->digest = mass_sum_i64(r->digest, (int64_t)(h >> 8));
        h = (uint64_t)r->soil[place];
        for (int i = beasts->first[place]; i < beasts->first[place + 1]; i++) {
            const agent *a = &beasts->agents[beasts->list[i]];
            h = sprout_mix(h, a->id + 77, (uint64_t)a->hunger);
        }
        r->digest = mass_sum_i64(r->digest, (int64_t)(h >> 8));
    }
}

static run compute(const sprout_case *c)
{
    run r = {.c = c, .places = c->size[0] * c->size[1] * c->size[2]};
    const size_t places = (size_t)r.places;
    r.soil = calloc(places, sizeof *r.soil);
    for (int k = 0; k < 2; k++)
        r.of[k] = (population){.capacity = k ? 1 : c->capacity, .agents = calloc(MOST, sizeof(agent)),
            .held = calloc(places, sizeof(int64_t)), .list = calloc(MOST, sizeof(int)),
            .first = calloc(places + 1, sizeof(int)), .asked = calloc(places, sizeof(int32_t)),
            .wish = calloc(places, sizeof(uint64_t))};
    for (int64_t step = 1; step <= c->steps; step++) {
        live(&r, step);
        prey(&r, step);
        const int64_t wishes = grow(&r, step);
        manage(&r, &r.of[0], c->order);
        if (wishes >= c->gate) manage(&r, &r.of[1], 0);
        else
            for (int64_t place = 0; place < r.places; place++) r.of[1].asked[place] = 0;
        for (int i = 0; wishes < c->gate && i < r.of[1].count; i++) {
            r.of[1].agents[i].dies = false;
            r.of[1].agents[i].to = -1;
        }
        digest(&r);
    }
    return r;
}

void expect_known(const sprout_case *c, const char *options)
{
    run r = compute(c);
    outcome o = engine_run(options);
    const struct { const char *name; int64_t value; } all[] = {
        {"digest", r.digest}, {"asked", r.all}, {"born", r.of[0].born}, {"died", r.of[0].died},
        {"unborn", r.of[0].unborn}, {"beasts_born", r.of[1].born}, {"beasts_died", r.of[1].died},
        {"beasts_unborn", r.of[1].unborn}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        cr_expect_eq(tally_of(&o, all[k].name), all[k].value, "%s: %s is %" PRId64 ", not %" PRId64, options,
                     all[k].name, tally_of(&o, all[k].name), all[k].value);
    cr_expect(c->steps < 8 || (r.of[0].born > 0 && r.of[1].born > 0), "%s: nothing is born", options);
    expect_conserved(&o);
    outcome_free(&o);
    free(r.soil);
    for (int k = 0; k < 2; k++) {
        void *const arrays[] = {r.of[k].agents, r.of[k].held, r.of[k].list, r.of[k].first, r.of[k].asked, r.of[k].wish};
        for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++) free(arrays[a]);
    }
}

void expect_conserved(const outcome *o)
{
    cr_expect_eq(tally_of(o, "born") - tally_of(o, "died"), tally_of(o, "alive"));
    cr_expect_eq(tally_of(o, "born") + tally_of(o, "unborn"), tally_of(o, "asked"));
    cr_expect_eq(tally_of(o, "beasts_born") - tally_of(o, "beasts_died"), tally_of(o, "beasts_alive"));
}
