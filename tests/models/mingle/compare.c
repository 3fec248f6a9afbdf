/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the state of a run of mingle.c with that of the plain program. */
#include "plain.h"

#include <mass/agents.h>
#include <mass/random.h>
#include <mass/tallies.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[KINDS] = {"ants", "bees", "cows"};

static int by_place(const void *x, const void *y)
{
    const agent *a = x, *b = y;
    if (a->place != b->place) return a->place < b->place ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static mass_status differ(world *w, const char *of, const char *what, int64_t at, int64_t is, int64_t expected)
{
    return w->host->fail(w->host, MASS_BAD_PLUGIN, "world %d: %s: %s %lld is %lld and should be %lld", w->number, of,
                         what, (long long)at, (long long)is, (long long)expected);
}

static void *column(const world *w, int kind, const char *attribute, int64_t count, size_t size)
{
    void *data = mingle_take(count, size);
    if (mass_agents_of(w->host)->read(w->host, names[kind], attribute, w->number, count, data) != MASS_OK) abort();
    return data;
}

static mass_status compare_population(world *w, int kind)
{
    population *p = &w->all[kind];
    const char *const name = names[kind];
    int64_t count;
    if (mass_agents_of(w->host)->count(w->host, name, w->number, &count) != MASS_OK) return MASS_FAILED;
    if (count != p->count) return differ(w, name, "number", 0, count, p->count);
    uint64_t *id = column(w, kind, "id", count, 8), *trail = column(w, kind, "trail", count, 8);
    int64_t *place = column(w, kind, "place", count, 8);
    int32_t *food = column(w, kind, "food", count, 4);
    float *mood = column(w, kind, "mood", count, 4);
    mass_status status = MASS_OK;
    qsort(p->list, (size_t)count, sizeof *p->list, by_place);
    for (int64_t i = 0; status == MASS_OK && i < count; i++) {
        const agent *a = &p->list[i];
        if (place[i] != a->place) status = differ(w, name, "place of agent", i, place[i], a->place);
        else if (id[i] != a->id) status = differ(w, name, "id of agent", i, (int64_t)id[i], (int64_t)a->id);
        else if (food[i] != a->food) status = differ(w, name, "food of agent", i, food[i], a->food);
        else if (trail[i] != a->trail)
            status = differ(w, name, "trail of agent", i, (int64_t)trail[i], (int64_t)a->trail);
        else if (memcmp(&mood[i], &a->mood, sizeof *mood) != 0)
            status = differ(w, name, "mood of agent", i, (int64_t)(mood[i] * 2), (int64_t)(a->mood * 2));
    }
    free(id), free(trail), free(place), free(food), free(mood);
    return status;
}

static mass_status compare_places(world *w)
{
    const mass_gidx origin[3] = {0, 0, 0};
    const mass_run_table *run_table = mass_run_of(w->host);
    int32_t *mark = mingle_take(w->places, sizeof *mark);
    uint8_t *wet = mingle_take(w->places, 1);
    mass_status status = MASS_OK;
    if (run_table->read(w->host, "town", "mark", w->number, origin, w->size, mark) != MASS_OK ||
        run_table->read(w->host, "town", "wet", w->number, origin, w->size, wet) != MASS_OK)
        abort();
    for (int64_t p = 0; status == MASS_OK && p < w->places; p++)
        if (mark[p] != w->mark[p]) status = differ(w, "town", "mark", p, mark[p], w->mark[p]);
        else if (wet[p] != w->wet[p]) status = differ(w, "town", "wet", p, wet[p], w->wet[p]);
    free(mark), free(wet);
    return status;
}

static mass_status compare_tallies(world *w)
{
    const struct { const char *name; int64_t value; } all[] = {
        {"met", w->met}, {"born", w->born}, {"died", w->died}, {"unborn", w->unborn}, {"lost", w->lost},
        {"bees_left", w->bees_left}, {"least", w->least}};
    for (size_t i = 0; i < sizeof all / sizeof *all - (w->least == INT64_MAX); i++) {
        double value;
        if (mass_run_of(w->host)->tally(w->host, all[i].name, w->number, &value) != MASS_OK) return MASS_FAILED;
        if (value != (double)all[i].value)
            return differ(w, "tally", all[i].name, 0, (int64_t)value, all[i].value);
    }
    return MASS_OK;
}

/* Returns the key of a world. Its number may be larger than that within the run: the model has drawn by it. */
static uint64_t key_of(mass_host *host, int32_t number, uint32_t gate)
{
    const mass_run_table *of_run = mass_run_of(host);
    int64_t words = 0;
    if (mass_tallies_of(host)->bins(host, "words", number, 0, 1, &words) != MASS_OK) abort();
    for (uint64_t first = 0; first < 100; first++) {
        const uint64_t key = mass_random_key(of_run->seed(host), first + (uint64_t)number);
        const mass_random4 r = mass_random_block(key, 0, of_run->step(host), gate, 7);
        if (((uint64_t)r.v[0] << 32 | r.v[1]) == (uint64_t)words) return key;
    }
    abort();
}

static mass_status compare_world(mass_host *host, int32_t number)
{
    const mass_values_table *v = mass_values_of(host);
    const int64_t starts = v->integer(host, "starts"), reach = v->integer(host, "reach");
    uint32_t dimensions;
    world w = {.host = host, .number = number, .torus = v->integer(host, "torus"), .starts = starts,
               .radius = reach ? reach : v->integer(host, "radius"), .fertile = v->integer(host, "fertile"),
               .deadly = v->integer(host, "deadly"), .order = v->integer(host, "order"),
               .order_of_bees = v->integer(host, "order_of_bees"), .reversed = v->integer(host, "reversed"),
               .times = v->integer(host, "times"), .gated = v->integer(host, "gated"),
               .shared = v->integer(host, "shared"),
               .key = key_of(host, number, starts != 0)};
    mass_status status = v->size(host, "town", w.size, &dimensions);
    w.torus &= (1 << dimensions) - 1;
    w.places = w.size[0] * w.size[1] * w.size[2];
    w.mark = mingle_take(w.places, sizeof *w.mark), w.wet = mingle_take(w.places, 1);
    for (int64_t p = 0; p < w.places; p++) w.mark[p] = MINGLE_MARK;
    mingle_begin(&w, ANTS, v->integer(host, "ants"), v->integer(host, "seats_of_ants"));
    mingle_begin(&w, BEES, v->integer(host, "bees"), v->integer(host, "seats_of_bees"));
    mingle_begin(&w, COWS, v->integer(host, "cows"), v->integer(host, "seats_of_cows"));
    mingle_run(&w, mass_run_of(host)->step(host));
    if (status == MASS_OK) status = compare_places(&w);
    for (int k = 0; status == MASS_OK && k < KINDS; k++) status = compare_population(&w, k);
    if (status == MASS_OK) status = compare_tallies(&w);
    for (int k = 0; k < KINDS; k++) free(w.all[k].list);
    free(w.mark), free(w.wet);
    return status;
}

mass_status mingle_compare(mass_host *host)
{
    mass_status status = MASS_OK;
    if (mass_run_of(host)->step(host) == 0 || !mass_values_of(host)->integer(host, "compared")) return MASS_OK;
    for (int32_t k = 0; status == MASS_OK && k < mass_run_of(host)->worlds(host); k++) status = compare_world(host, k);
    return status;
}
