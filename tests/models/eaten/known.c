/* SPDX-License-Identifier: Apache-2.0 */
#include "eaten/known.h"
#include "eaten/eaten.h"

#include <mass/random.h>

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* An agent of any population: value is fat, energy or rings; mark is the dam, or the first component of line. */
typedef struct agent {
    int64_t place, value, mark, born_with[2], born_mark;
    uint64_t id;
    float wool;
    int births, dies;
} agent;

typedef struct herd {
    agent *at;
    size_t count, room;
    uint64_t next_id;
} herd;

typedef struct world {
    int64_t size[3];
    int torus;
    herd sheep, wolves, trees;
    int64_t eaten, killed, asked, lambs, seedlings, shaded;
    int32_t *graves, *waiting; /* [places] */
} world;

static void add(herd *h, agent a)
{
    if (h->count == h->room) {
        h->room = h->room ? 2 * h->room : 256;
        h->at = realloc(h->at, h->room * sizeof *h->at);
    }
    h->at[h->count++] = a;
}

static int compare(const void *a, const void *b)
{
    const agent *x = a, *y = b;
    if (x->place != y->place) return x->place < y->place ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static void sort(herd *h)
{
    if (h->count) qsort(h->at, h->count, sizeof *h->at, compare);
}

static int64_t places_of(const world *w) { return w->size[0] * w->size[1] * w->size[2]; }

static void begin(world *w, uint64_t seed, uint64_t number)
{
    const uint64_t key = mass_random_key(seed, number);
    w->graves = calloc((size_t)places_of(w), sizeof *w->graves);
    w->waiting = calloc((size_t)places_of(w), sizeof *w->waiting);
    for (int64_t place = 0; place < places_of(w); place++) {
        const mass_random4 r = mass_random_block(key, (uint64_t)place, 0, 0, 0);
        for (uint32_t i = 0; i < EATEN_FLOCK(r); i++)
            add(&w->sheep, (agent){.place = place, .value = 3, .id = w->sheep.next_id++});
        for (uint32_t i = 0; i < EATEN_PACK(r); i++)
            add(&w->wolves, (agent){.place = place, .value = 6, .id = w->wolves.next_id++});
        if (EATEN_WOOD(r)) add(&w->trees, (agent){.place = place, .id = w->trees.next_id++});
    }
}

static void walk(const world *w, herd *h, int64_t step)
{
    for (size_t i = 0; i < h->count; i++) {
        agent *a = &h->at[i];
        int64_t at[3] = {a->place % w->size[0], a->place / w->size[0] % w->size[1],
                         a->place / w->size[0] / w->size[1]};
        const int offsets[3] = {0, 7, 9};
        bool stays = false;
        for (int k = 0; k < 3; k++) {
            at[k] += k == 0 || w->size[k] > 1 ? EATEN_STEP_BY(a->id + (uint64_t)offsets[k], step) : 0;
            stays |= (at[k] < 0 || at[k] >= w->size[k]) && !(w->torus >> k & 1);
            at[k] = (at[k] + w->size[k]) % w->size[k];
        }
        if (!stays) a->place = (at[2] * w->size[1] + at[1]) * w->size[0] + at[0];
    }
    sort(h);
}

/* Carries out births and deaths. Children get ids in the order of their parents, and then stand among the others. */
static void manage(herd *h, int64_t *died, int64_t *born)
{
    const size_t parents = h->count;
    for (size_t i = 0; i < parents; i++)
        for (int k = 0; k < h->at[i].births; k++) {
            const agent p = h->at[i];
            add(h, (agent){.place = p.place, .value = p.born_with[k], .mark = p.born_mark, .id = h->next_id++,
                           .wool = k ? 0 : 0.5f});
            *born += 1;
        }
    size_t kept = 0;
    for (size_t i = 0; i < h->count; i++) {
        *died += h->at[i].dies;
        if (h->at[i].dies) continue;
        h->at[kept] = h->at[i];
        h->at[kept++].births = 0;
    }
    h->count = kept;
    sort(h);
}

static void eat(world *w)
{
    for (size_t i = 0; i < w->wolves.count; i++) {
        agent *wolf = &w->wolves.at[i];
        wolf->value--;
        for (size_t s = 0; s < w->sheep.count; s++) {
            agent *one = &w->sheep.at[s];
            if (one->place != wolf->place || one->dies) continue;
            one->dies = 1;
            wolf->value += one->value;
            w->graves[wolf->place]++;
            w->eaten++;
            break;
        }
        wolf->dies = wolf->value < 0;
    }
}

static void breed(world *w)
{
    memset(w->waiting, 0, (size_t)places_of(w) * sizeof *w->waiting);
    for (size_t i = 0; i < w->sheep.count; i++) w->waiting[w->sheep.at[i].place]++;
    for (size_t i = 0; i < w->wolves.count; i++) w->waiting[w->wolves.at[i].place] += 100;
    for (size_t i = 0; i < w->sheep.count; i++) {
        agent *a = &w->sheep.at[i];
        if (a->dies || a->value < EATEN_LAMBING) continue;
        a->births = 1 + (a->id % 3 == 0);
        for (int k = 0; k < 2; k++) a->born_with[k] = a->value / 3 + k;
        a->born_mark = (int64_t)a->id;
        a->value /= 2;
        w->asked += a->births;
    }
    for (size_t i = 0; i < w->wolves.count; i++) {
        agent *a = &w->wolves.at[i];
        if (a->dies || a->value < EATEN_LITTERING) continue;
        a->births = 1;
        a->born_with[0] = a->value / 2;
        a->born_mark = (int64_t)(a->id % 1000);
        a->value -= a->value / 2;
    }
}

/* A seedling has a place only if its tree falls. */
static void grow(world *w)
{
    for (size_t i = 0; i < w->trees.count; i++) {
        agent *a = &w->trees.at[i];
        a->value++;
        if (a->value < EATEN_OLD(a->id)) continue;
        const bool bears = a->value % 2, falls = a->value % 3;
        if (bears && !falls) w->shaded++;
        if (bears && falls) {
            w->seedlings++;
            *a = (agent){.place = a->place, .value = -a->value, .id = w->trees.next_id++};
        } else {
            a->dies = falls;
        }
    }
    int64_t fallen = 0, none = 0;
    manage(&w->trees, &fallen, &none);
}

static void step(world *w, int64_t number)
{
    int64_t starved = 0, pups = 0;
    for (size_t i = 0; i < w->sheep.count; i++) w->sheep.at[i].value++;
    walk(w, &w->sheep, number);
    walk(w, &w->wolves, number);
    eat(w);
    breed(w);
    manage(&w->sheep, &w->killed, &w->lambs);
    manage(&w->wolves, &starved, &pups);
    grow(w);
}

/* ---- against the run ---- */

static const eaten_run kinds[] = {{{24, 18, 1}, 1, 1, 1, 30}, {{97, 1, 1}, 0, 2, 1, 40}, {{9, 8, 7}, 6, 3, 1, 25},
                                  {{33, 14, 1}, 3, 4, 3, 25}, {{31, 11, 1}, 2, 5, 1, 30}, {{200, 9, 1}, 3, 6, 1, 12}};
enum { KINDS = sizeof kinds / sizeof *kinds };

const char *eaten_options(const eaten_run *k)
{
    const char *size = k->size[2] > 1   ? text("%dx%dx%d", (int)k->size[0], (int)k->size[1], (int)k->size[2])
                       : k->size[1] > 1 ? text("%dx%d", (int)k->size[0], (int)k->size[1])
                                        : text("%d", (int)k->size[0]);
    const char *worlds = k->worlds > 1 ? text("--worlds %d", k->worlds) : "";
    return text("--plugin '%s/eaten.so' --size %s --seed %d --set torus=%d %s", MASS_TEST_PLUGINS, size, k->seed,
                k->torus, worlds);
}

static model model_of(const eaten_run *k)
{
    static const char *const attributes[] = {"fat", "dam", "wool", NULL};
    return (model){.options = eaten_options(k),
                   .state = "/places/field/graves", .steps = k->steps, .population = "sheep",
                   .rows = (int)(k->size[2] > 1 ? k->size[2] : k->size[1] > 1 ? k->size[1] : k->size[0]),
                   .attributes = attributes};
}

void each_eaten(void (*check)(const model *m))
{
    for (int i = 0; i < KINDS; i++) {
        const model m = model_of(&kinds[i]);
        check(&m);
    }
}

static dataset stored(const char *path, const char *population, const char *attribute)
{
    return dataset_read(path, text("/agents/%s/%s", population, attribute));
}

/* Expects the agents of a population from number `from` of the checkpoint on. Returns the number after them. */
static size_t expect_herd(const char *path, const char *population, const char *value, const herd *h, size_t from,
                          const char *what)
{
    dataset ids = stored(path, population, "id"), places = stored(path, population, "place");
    dataset values = stored(path, population, value);
    cr_assert_geq(ids.extents[0], from + h->count, "%s of %s", population, what);
    for (size_t i = 0; i < h->count; i++) {
        const agent *a = &h->at[i];
        cr_assert_eq(((uint64_t *)ids.bytes)[from + i], a->id, "%s %zu of %s", population, i, what);
        cr_assert_eq(((int64_t *)places.bytes)[from + i], a->place, "%s %zu of %s", population, i, what);
        cr_assert_eq(((int32_t *)values.bytes)[from + i], a->value, "%s %zu of %s", population, i, what);
    }
    free(ids.bytes), free(places.bytes), free(values.bytes);
    return from + h->count;
}

/* The same for what lambs and wolves have from their parents. */
static void expect_marks(const char *path, const world *w, size_t sheep, size_t wolves, const char *what)
{
    dataset dams = stored(path, "sheep", "dam"), wool = stored(path, "sheep", "wool");
    dataset lines = stored(path, "wolves", "line");
    for (size_t i = 0; i < w->sheep.count; i++) {
        cr_assert_eq(((uint64_t *)dams.bytes)[sheep + i], (uint64_t)w->sheep.at[i].mark, "%s", what);
        cr_assert_eq(((float *)wool.bytes)[sheep + i], w->sheep.at[i].wool, "%s", what);
    }
    for (size_t i = 0; i < w->wolves.count; i++) {
        const int16_t *line = (const int16_t *)lines.bytes + 2 * (wolves + i);
        cr_assert(line[0] == w->wolves.at[i].mark && line[1] == 0, "%s", what);
    }
    free(dams.bytes), free(wool.bytes), free(lines.bytes);
}

static void expect_places(const char *path, const world *w, int number, const char *what)
{
    dataset graves = dataset_read(path, "/places/field/graves"), waiting = dataset_read(path, "/places/field/waiting");
    const size_t bytes = (size_t)places_of(w) * sizeof(int32_t), first = (size_t)number * bytes;
    cr_expect_arr_eq(graves.bytes + first, w->graves, bytes, "graves of %s", what);
    cr_expect_arr_eq(waiting.bytes + first, w->waiting, bytes, "waiting of %s", what);
    free(graves.bytes), free(waiting.bytes);
}

static void expect_tally(const outcome *o, const char *name, int number, int worlds, int64_t expected)
{
    const json_t *found = json_object_get(json_object_get(o->report, "tallies"), name);
    if (worlds > 1) found = json_array_get(found, (size_t)number);
    cr_assert_eq(json_integer_value(found), expected, "%s of world %d", name, number);
}

/* Expects that so many of a population are in the checkpoint. */
static void expect_count(const char *path, const char *population, size_t count, const char *what)
{
    dataset all = stored(path, population, "id");
    cr_assert_eq(all.extents[0], count, "%s of %s", population, what);
    free(all.bytes);
}

static void expect_tallies(const outcome *o, const world *w, int number, int worlds)
{
    cr_assert_eq(w->eaten, w->killed);
    expect_tally(o, "eaten", number, worlds, w->eaten);
    expect_tally(o, "killed", number, worlds, w->killed);
    expect_tally(o, "asked", number, worlds, w->asked);
    expect_tally(o, "lambs", number, worlds, w->lambs);
    expect_tally(o, "seedlings", number, worlds, w->seedlings);
    expect_tally(o, "shaded", number, worlds, w->shaded);
}

/* Returns whether every kind of request came to something. */
static bool is_lively(const world *w) { return w->eaten > 0 && w->lambs > 0 && w->seedlings > 0 && w->shaded > 0; }

bool expect_eaten_of(const eaten_run *k, const char *options)
{
    const char *folder = folder_make(), *path = checkpoint_path(folder, (uint64_t)k->steps);
    outcome o = engine_run(text("%s --checkpoint '%s'", options, folder));
    size_t sheep = 0, wolves = 0, trees = 0;
    bool lively = true;
    for (int number = 0; number < k->worlds; number++) {
        world w = {.size = {k->size[0], k->size[1], k->size[2]}, .torus = k->torus};
        begin(&w, (uint64_t)k->seed, (uint64_t)number);
        for (int64_t s = 1; s <= k->steps; s++) step(&w, s);
        expect_marks(path, &w, sheep, wolves, options);
        expect_places(path, &w, number, options);
        sheep = expect_herd(path, "sheep", "fat", &w.sheep, sheep, options);
        wolves = expect_herd(path, "wolves", "energy", &w.wolves, wolves, options);
        trees = expect_herd(path, "trees", "rings", &w.trees, trees, options);
        expect_tallies(&o, &w, number, k->worlds);
        lively &= is_lively(&w);
        free(w.sheep.at), free(w.wolves.at), free(w.trees.at), free(w.graves), free(w.waiting);
    }
    expect_count(path, "sheep", sheep, options);
    expect_count(path, "wolves", wolves, options);
    expect_count(path, "trees", trees, options);
    outcome_free(&o);
    folder_empty(folder);
    return lively;
}

void expect_eaten(const char *where)
{
    for (int i = 0; i < KINDS; i++) {
        const char *options = text("%s %s --steps %d", eaten_options(&kinds[i]), where, kinds[i].steps);
        cr_assert(expect_eaten_of(&kinds[i], options), "%s", options);
    }
}
