/* SPDX-License-Identifier: Apache-2.0 */
#include "wolf-sheep/plain.h"
#include "standard/stored.h"

#include <mass/random.h>

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of the phases that draw, of those of a step and of the three of the start. GRAZE and HUNT are in turn. */
enum { WALK_SHEEP = 3, WALK_WOLVES = 4, LIVE = 7, GRAZE = 4, HUNT = 5, ORDER_DRAW = 65535 };

typedef struct animal {
    int64_t place;
    uint64_t id;
    float energy;
    bool dies, bears;
} animal;

typedef struct herd {
    const char *name;
    animal *at;
    size_t count;
    uint64_t next_id;
    int64_t first, born, starved;
} herd;

typedef struct setting {
    int nx, ny, sheep, wolves;
    bool torus;
    float grass_energy, sheep_energy;
    int regrowth;
    double sheep_births, wolf_births;
    int steps;
} setting;

static const setting settings[] = {
    {25, 25, 60, 40, false, 5, 13, 20, 0.2, 0.1, 60},  {33, 20, 500, 300, true, 5, 13, 10, 0.4, 0.2, 60},
    {3, 50, 200, 40, false, 3.5f, 6.25f, 3, 0.4, 0.1, 24}, {2, 2, 30, 20, true, 9, 7, 2, 0.3, 0.6, 40},
    {90, 6, 800, 120, true, 5, 8, 6, 0.4, 0.05, 24},      {1, 60, 100, 30, false, 1.5f, 5, 0, 0.3, 0, 12}};
enum { SETTINGS = sizeof settings / sizeof *settings };

typedef struct meadow {
    const setting *set;
    bool in_turn;
    uint64_t key, step;
    int32_t *bare;
    herd sheep, wolves;
    int64_t eaten, *shown; /* shown[]: tallies of all runs */
} meadow;
enum { TALLIES = 8 };

/* ---- a step ---- */

static int compare(const void *a, const void *b)
{
    const animal *x = a, *y = b;
    if (x->place != y->place) return x->place < y->place ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static void sort(herd *h) { qsort(h->at, h->count, sizeof *h->at, compare); }

/* To one of the eight places around; one that would leave the meadow stays. */
static void walk_one(const meadow *m, animal *a, uint32_t phase)
{
    static const int dx[] = {-1, 0, 1, -1, 1, -1, 0, 1}, dy[] = {-1, -1, -1, 0, 0, 1, 1, 1};
    const int nx = m->set->nx, ny = m->set->ny;
    const mass_random4 r = mass_random_block(m->key, a->id, m->step, phase, 0);
    const uint32_t way = mass_below_u32(8, r.v[0], r.v[1]);
    int x = (int)(a->place % nx) + dx[way], y = (int)(a->place / nx) + dy[way];
    a->energy -= 1;
    if (!m->set->torus && (x < 0 || y < 0 || x >= nx || y >= ny)) return;
    x = (x + nx) % nx, y = (y + ny) % ny;
    a->place = (int64_t)y * nx + x;
}

static void walk(const meadow *m, herd *h, uint32_t phase)
{
    for (size_t i = 0; i < h->count; i++) walk_one(m, &h->at[i], phase);
    sort(h);
}

static void eat_sheep(meadow *m, size_t first, size_t end, animal *wolf)
{
    for (size_t i = first; i < end; i++) {
        if (m->sheep.at[i].dies) continue;
        m->sheep.at[i].dies = true;
        wolf->energy += m->set->sheep_energy;
        m->eaten++;
        return;
    }
}

/* Starves or has a young one, by a draw of the place or of the animal. */
static void end_or_bear(herd *h, animal *a, double births, mass_random4 r)
{
    a->dies = a->energy < 0;
    h->starved += a->dies;
    a->bears = !a->dies && mass_unit_f64(r.v[0], r.v[1]) < births;
    if (a->bears) a->energy /= 2;
}

static mass_random4 draw_on(const meadow *m, int64_t place, uint32_t draw)
{
    return mass_random_block(m->key, (uint64_t)place, m->step, LIVE, draw);
}

/* Lives a step on a place, which has the sheep and wolves of these numbers. */
static void live_on(meadow *m, int64_t place, size_t sheep, size_t sheep_end, size_t wolf, size_t wolf_end)
{
    int32_t *bare = &m->bare[place];
    uint32_t draw = 0;
    if (*bare > 0) --*bare;
    for (size_t i = wolf; i < wolf_end; i++) eat_sheep(m, sheep, sheep_end, &m->wolves.at[i]);
    for (size_t i = sheep; i < sheep_end; i++) {
        animal *one = &m->sheep.at[i];
        if (one->dies) continue;
        if (*bare == 0) {
            *bare = m->set->regrowth;
            one->energy += m->set->grass_energy;
        }
        end_or_bear(&m->sheep, one, m->set->sheep_births, draw_on(m, place, draw++));
    }
    for (size_t i = wolf; i < wolf_end; i++)
        end_or_bear(&m->wolves, &m->wolves.at[i], m->set->wolf_births, draw_on(m, place, draw++));
}

static size_t end_of(const herd *h, size_t from, int64_t place)
{
    while (from < h->count && h->at[from].place == place) from++;
    return from;
}

/* Carries out births and deaths. Young ones get ids in the order of their parents. */
static void manage(herd *h)
{
    animal *next = malloc((2 * h->count + 1) * sizeof *next);
    size_t count = 0;
    for (size_t i = 0; i < h->count; i++) {
        const animal a = h->at[i];
        if (!a.dies) next[count++] = (animal){.place = a.place, .id = a.id, .energy = a.energy};
        if (!a.bears) continue;
        next[count++] = (animal){.place = a.place, .id = h->next_id++, .energy = a.energy};
        h->born++;
    }
    free(h->at);
    h->at = next;
    h->count = count;
    sort(h);
}

/* ---- a step in turn ---- */

typedef struct turn {
    uint64_t lot, id;
    animal *of;
} turn;

static int by_lot(const void *a, const void *b)
{
    const turn *x = a, *y = b;
    if (x->lot != y->lot) return x->lot < y->lot ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* Returns the animals in the order in which they act. */
static turn *shuffle(const meadow *m, const herd *h, uint32_t phase)
{
    turn *order = calloc(h->count + 1, sizeof *order);
    for (size_t i = 0; i < h->count; i++) {
        const mass_random4 r = mass_random_block(m->key, h->at[i].id, m->step, phase, ORDER_DRAW);
        order[i] = (turn){(uint64_t)r.v[0] << 32 | r.v[1], h->at[i].id, &h->at[i]};
    }
    qsort(order, h->count, sizeof *order, by_lot);
    return order;
}

static void graze(meadow *m, animal *one)
{
    walk_one(m, one, GRAZE);
    int32_t *bare = &m->bare[one->place];
    if (*bare == 0) {
        *bare = m->set->regrowth;
        one->energy += m->set->grass_energy;
    }
    end_or_bear(&m->sheep, one, m->set->sheep_births, mass_random_block(m->key, one->id, m->step, GRAZE, 1));
}

/* A wolf eats one of the living sheep of its place, drawn from them by id. */
static void hunt(meadow *m, animal *wolf)
{
    uint32_t count = 0;
    walk_one(m, wolf, HUNT);
    for (size_t i = 0; i < m->sheep.count; i++)
        count += m->sheep.at[i].place == wolf->place && !m->sheep.at[i].dies;
    if (count) {
        const mass_random4 r = mass_random_block(m->key, wolf->id, m->step, HUNT, 2);
        uint32_t before = mass_below_u32(count, r.v[0], r.v[1]);
        animal *prey = m->sheep.at;
        while (prey->place != wolf->place || prey->dies || before-- > 0) prey++;
        prey->dies = true;
        wolf->energy += m->set->sheep_energy;
        m->eaten++;
    }
    end_or_bear(&m->wolves, wolf, m->set->wolf_births, mass_random_block(m->key, wolf->id, m->step, HUNT, 1));
}

static void take_turns(meadow *m, herd *h, uint32_t phase, void (*act)(meadow *, animal *))
{
    turn *order = shuffle(m, h, phase);
    for (size_t i = 0; i < h->count; i++) act(m, order[i].of);
    manage(h);
    free(order);
}

static void step_in_turn(meadow *m)
{
    for (int64_t place = 0; place < m->set->nx * m->set->ny; place++) m->bare[place] -= m->bare[place] > 0;
    take_turns(m, &m->sheep, GRAZE, graze);
    take_turns(m, &m->wolves, HUNT, hunt);
    manage(&m->sheep);
}

/* ---- all at once, or in turn ---- */

static void step(meadow *m)
{
    size_t sheep = 0, wolf = 0;
    m->step++;
    if (m->in_turn) {
        step_in_turn(m);
        return;
    }
    walk(m, &m->sheep, WALK_SHEEP);
    walk(m, &m->wolves, WALK_WOLVES);
    for (int64_t place = 0; place < m->set->nx * m->set->ny; place++) {
        const size_t sheep_end = end_of(&m->sheep, sheep, place), wolf_end = end_of(&m->wolves, wolf, place);
        live_on(m, place, sheep, sheep_end, wolf, wolf_end);
        sheep = sheep_end, wolf = wolf_end;
    }
    manage(&m->sheep);
    manage(&m->wolves);
}

/* ---- the engine's ---- */

static const char *options_of(const setting *s, bool in_turn)
{
    return text("--size %dx%d --set sheep=%d --set wolves=%d --set edge=%s --set grass_energy=%g --set sheep_energy=%g "
                "--set regrowth=%d --set sheep_births=%g --set wolf_births=%g --set activation=%s", s->nx, s->ny,
                s->sheep, s->wolves,
                s->torus ? "torus" : "bounded", (double)s->grass_energy, (double)s->sheep_energy, s->regrowth,
                s->sheep_births, s->wolf_births, in_turn ? "turn" : "all");
}

static void begin_herd(herd *h, const char *path, int expected)
{
    size_t count, same, third;
    uint64_t *ids = stored_agents(path, h->name, "id", sizeof *ids, &count);
    int64_t *places = stored_agents(path, h->name, "place", sizeof *places, &same);
    float *energy = stored_agents(path, h->name, "energy", sizeof *energy, &third);
    cr_assert(count == (size_t)expected && same == count && third == count);
    h->at = calloc(count + 1, sizeof *h->at);
    for (size_t i = 0; i < count; i++) h->at[i] = (animal){.place = places[i], .id = ids[i], .energy = energy[i]};
    h->count = h->next_id = count;
    h->first = (int64_t)count;
    free(ids), free(places), free(energy);
}

static void begin(void *loop, const char *path)
{
    meadow *m = loop;
    size_t places;
    m->bare = stored_places(path, "meadow", "bare", sizeof *m->bare, &places);
    cr_assert_eq(places, (size_t)(m->set->nx * m->set->ny));
    begin_herd(&m->sheep, path, m->set->sheep);
    begin_herd(&m->wolves, path, m->set->wolves);
}

static void expect_herd(const herd *h, const char *path, const char *what)
{
    uint64_t *ids = calloc(h->count + 1, sizeof *ids);
    int64_t *places = calloc(h->count + 1, sizeof *places);
    float *energy = calloc(h->count + 1, sizeof *energy);
    for (size_t i = 0; i < h->count; i++)
        ids[i] = h->at[i].id, places[i] = h->at[i].place, energy[i] = h->at[i].energy;
    expect_agents(path, h->name, "id", ids, sizeof *ids, h->count, what);
    expect_agents(path, h->name, "place", places, sizeof *places, h->count, what);
    expect_agents(path, h->name, "energy", energy, sizeof *energy, h->count, what);
    free(ids), free(places), free(energy);
}

static void advance(void *loop, const char *path, const char *what)
{
    meadow *m = loop;
    step(m);
    if (!path) return;
    expect_places(path, "meadow", "bare", m->bare, sizeof *m->bare, (size_t)(m->set->nx * m->set->ny), what);
    expect_herd(&m->sheep, path, what);
    expect_herd(&m->wolves, path, what);
}

static void end(void *loop, const outcome *o, const char *what)
{
    const meadow *m = loop;
    int64_t grass = 0;
    for (int64_t place = 0; place < m->set->nx * m->set->ny; place++) grass += m->bare[place] == 0;
    const int64_t found[] = {tally_of(o, "sheep"), tally_of(o, "wolves"), tally_of(o, "grass"),
                             tally_of(o, "lambs"), tally_of(o, "cubs"), tally_of(o, "eaten"),
                             tally_of(o, "starved_sheep"), tally_of(o, "starved_wolves")};
    const int64_t expected[] = {(int64_t)m->sheep.count, (int64_t)m->wolves.count, grass, m->sheep.born,
                                m->wolves.born, m->eaten, m->sheep.starved, m->wolves.starved};
    cr_expect_arr_eq(found, expected, sizeof found, "tallies of %s", what);
    cr_expect_eq(found[0] + found[5] + found[6], m->sheep.first + found[3], "sheep are lost: %s", what);
    cr_expect_eq(found[1] + found[7], m->wolves.first + found[4], "wolves are lost: %s", what);
    for (int i = 0; i < TALLIES; i++) m->shown[i] += found[i];
}

void expect_wolf_sheep(const char *where, bool in_turn)
{
    int64_t shown[TALLIES] = {0};
    for (int i = 0; i < SETTINGS; i++) {
        const setting *s = &settings[i];
        meadow m = {.set = s, .in_turn = in_turn, .key = mass_random_key((uint64_t)i + 1, 0), .sheep.name = "sheep",
                    .wolves.name = "wolves", .shown = shown};
        const standard_run r = {"wolf-sheep", options_of(s, in_turn), i + 1, s->steps};
        each_step(&r, where, &m, begin, advance, end);
        free(m.bare), free(m.sheep.at), free(m.wolves.at);
    }
    for (int i = 0; i < TALLIES; i++) cr_expect_gt(shown[i], 100, "too little happens: %d", i);
}

void each_wolf_sheep(bool in_turn, void (*check)(const model *m))
{
    static const char *const attributes[] = {"id", "place", "energy", NULL};
    for (int i = 2; i < SETTINGS; i += 2) {
        const model m = {text("--plugin '%s/wolf-sheep.so' --seed %d %s", getenv("MASS_PLUGINS"), i + 1,
                              options_of(&settings[i], in_turn)),
                         "/places/meadow/bare", settings[i].ny, 24, "sheep", attributes};
        check(&m);
    }
}
