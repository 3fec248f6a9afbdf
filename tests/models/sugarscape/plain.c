/* SPDX-License-Identifier: Apache-2.0 */
/* Sugarscape as a plain sequential program: what the README of the model says, in its order. */
#include "sugarscape.h"

#include <criterion/criterion.h>
#include <mass/random.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of the phases that draw: the first look, or all that ants do in turn; and the last but two, with what new
 * ants begin with. */
enum { LOOK = 4, ORDER_DRAW = 65535 };
static int live_phase(int looks) { return LOOK + 2 * looks + 1; }

typedef struct ant {
    uint64_t id;
    int place, vision, metabolism, wealth;
    bool dead, lost;
    uint64_t lot;
} ant;

typedef struct setting {
    int nx, ny, ants, vision_max, growback;
    const char *landscape;
    int sugar_max;
    bool replace;
    int reproduce, looks;
} setting;

typedef struct scape {
    const setting *set;
    bool in_turn;
    int nx, ny;
    int *sugar, *most, count;
    ant *ants; /* by place; room for two on each */
    uint64_t key, next_id, step;
    int64_t births, deaths, grown, eaten, burnt, endowed;
} scape;

/* ---- the step ---- */

static int place_at(const scape *s, int place, int direction, int far)
{
    static const int dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1};
    const int x = place % s->nx + far * dx[direction], y = place / s->nx + far * dy[direction];
    return (y % s->ny + s->ny) % s->ny * s->nx + (x % s->nx + s->nx) % s->nx;
}

static int *occupation(const scape *s)
{
    int *ants = calloc((size_t)(s->nx * s->ny), sizeof *ants);
    for (int i = 0; i < s->count; i++) ants[s->ants[i].place]++;
    return ants;
}

/* The four directions, in the order that an ant looks into them. */
static void order_directions(const scape *s, const ant *a, int phase, int order[4])
{
    const mass_random4 r = mass_random_block(s->key, a->id, s->step, (uint32_t)phase, 0);
    for (int i = 0; i < 4; i++) {
        int before = 0;
        for (int k = 0; k < 4; k++) before += r.v[k] > r.v[i] || (r.v[k] == r.v[i] && k < i);
        order[before] = i;
    }
}

static int look(const scape *s, const ant *a, int phase, const int *ants)
{
    int best = a->place, order[4];
    order_directions(s, a, phase, order);
    for (int far = 1; far <= a->vision; far++)
        for (int i = 0; i < 4; i++) {
            const int place = place_at(s, a->place, order[i], far);
            if (ants[place] == 0 && s->sugar[place] > s->sugar[best]) best = place;
        }
    return best;
}

static int by_falling_lot(const void *a, const void *b)
{
    const ant *x = a, *y = b;
    if (x->lot != y->lot) return (x->lot < y->lot) - (x->lot > y->lot);
    return (x->id < y->id) - (x->id > y->id);
}

static int by_place(const void *a, const void *b) { return ((const ant *)a)->place - ((const ant *)b)->place; }

/* The lots are drawn in the phase after that of the look. */
static void draw_lots(scape *s, int phase)
{
    for (int i = 0; i < s->count; i++) {
        const mass_random4 r =
            mass_random_block(s->key, s->ants[i].id, s->step, (uint32_t)phase, MASS_LOTTERY_DRAW);
        s->ants[i].lot = (uint64_t)r.v[0] << 32 | r.v[1];
    }
    qsort(s->ants, (size_t)s->count, sizeof *s->ants, by_falling_lot);
}

/* All that have lost before go where they want to; while places have two, the highest lot that came there goes back. */
static void move(scape *s, int phase)
{
    int *ants = occupation(s), *from = malloc((size_t)s->count * sizeof *from + 1);
    draw_lots(s, phase + 1);
    for (int i = 0; i < s->count; i++) from[i] = s->ants[i].place;
    for (int i = 0; i < s->count; i++)
        if (s->ants[i].lost) s->ants[i].place = look(s, &s->ants[i], phase, ants);
    for (int i = 0; i < s->count; i++) s->ants[i].lost = false;
    free(ants);
    ants = occupation(s);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < s->count; i++) {
            ant *a = &s->ants[i];
            if (a->place == from[i] || ants[a->place] == 1) continue;
            ants[a->place]--;
            ants[a->place = from[i]]++;
            a->lost = changed = true;
        }
    }
    qsort(s->ants, (size_t)s->count, sizeof *s->ants, by_place);
    free(ants);
    free(from);
}

static int drawn(int least, int most, uint32_t high, uint32_t low)
{
    return least + (int)mass_below_u32((uint32_t)(most - least + 1), high, low);
}

/* One that stands where a has died, from the numbers of a draw and of the next. */
static ant replacement(scape *s, const ant *a, uint64_t id, int phase, uint32_t draw)
{
    const mass_random4 r = mass_random_block(s->key, a->id, s->step, (uint32_t)phase, draw);
    const mass_random4 e = mass_random_block(s->key, a->id, s->step, (uint32_t)phase, draw + 1);
    const ant n = {.id = id, .place = a->place, .vision = drawn(1, s->set->vision_max, r.v[0], r.v[1]),
                   .metabolism = drawn(1, 4, r.v[2], r.v[3]), .wealth = drawn(5, 25, e.v[0], e.v[1])};
    s->endowed += n.wealth;
    return n;
}

static void live(scape *s)
{
    int *ants = occupation(s), born = 0;
    for (int i = 0; i < s->count; i++) {
        ant *a = &s->ants[i], *child = &s->ants[s->count + born];
        const int burnt = a->metabolism < a->wealth ? a->metabolism : a->wealth;
        const int beside = place_at(s, a->place, (int)(s->step % 4), 1);
        a->wealth -= burnt;
        s->burnt += burnt;
        a->dead = a->wealth == 0;
        if (a->dead && s->set->replace) {
            *child = replacement(s, a, s->next_id++, live_phase(s->set->looks), 0);
            born++;
        } else if (!a->dead && s->set->reproduce && a->wealth >= s->set->reproduce && ants[beside] == 0) {
            *child = (ant){.id = s->next_id++, .place = beside, .vision = a->vision, .metabolism = a->metabolism,
                           .wealth = a->wealth / 2};
            a->wealth -= child->wealth;
            born++;
        }
    }
    int alive = 0;
    for (int i = 0; i < s->count + born; i++)
        if (!s->ants[i].dead) s->ants[alive++] = s->ants[i];
    s->births += born;
    s->deaths += s->count + born - alive;
    s->count = alive;
    qsort(s->ants, (size_t)s->count, sizeof *s->ants, by_place);
    free(ants);
}

/* ---- in turn ---- */

static int by_rising_lot(const void *a, const void *b) { return by_falling_lot(b, a); }

/* An ant's turn, with the number of ants on each place. */
static void act(scape *s, ant *a, int *ants, ant *child)
{
    const int to = look(s, a, LOOK, ants);
    ants[a->place]--;
    ants[a->place = to]++;
    const int burnt = a->wealth + s->sugar[to] < a->metabolism ? a->wealth + s->sugar[to] : a->metabolism;
    a->wealth += s->sugar[to] - burnt;
    s->eaten += s->sugar[to];
    s->burnt += burnt;
    s->sugar[to] = 0;
    const int beside = place_at(s, to, (int)(s->step % 4), 1);
    if (a->wealth == 0) {
        s->deaths++;
        s->births += s->set->replace;
        if (s->set->replace) *a = replacement(s, a, a->id, LOOK, 1);
        else ants[to]--, a->dead = true;
    } else if (s->set->reproduce && a->wealth >= s->set->reproduce && ants[beside] == 0) {
        *child = (ant){.place = beside, .vision = a->vision, .metabolism = a->metabolism, .wealth = a->wealth / 2};
        a->wealth -= child->wealth;
        ants[beside]++;
        s->births++;
    }
}

/* The ants act by their lots. Children get their ids in the order in which their parents stood. */
static void take_turns(scape *s)
{
    const size_t count = (size_t)s->count;
    int *ants = occupation(s), alive = 0;
    ant *order = malloc(count * sizeof *order + 1), *children = s->ants + count;
    for (size_t i = 0; i < count; i++) {
        const mass_random4 r = mass_random_block(s->key, s->ants[i].id, s->step, LOOK, ORDER_DRAW);
        order[i] = (ant){.id = s->ants[i].id, .lot = (uint64_t)r.v[0] << 32 | r.v[1], .place = (int)i};
        children[i].dead = true;
    }
    qsort(order, count, sizeof *order, by_rising_lot);
    for (size_t i = 0; i < count; i++) act(s, &s->ants[order[i].place], ants, &children[order[i].place]);
    for (size_t i = 0; i < count; i++)
        if (!children[i].dead) children[i].id = s->next_id++;
    for (size_t i = 0; i < 2 * count; i++)
        if (!s->ants[i].dead) s->ants[alive++] = s->ants[i];
    s->count = alive;
    qsort(s->ants, (size_t)s->count, sizeof *s->ants, by_place);
    free(ants);
    free(order);
}

/* ---- all at once, or in turn ---- */

static void move_and_live(scape *s)
{
    for (int i = 0; i < s->count; i++) s->ants[i].lost = true;
    for (int i = 0; i < s->set->looks; i++) move(s, LOOK + 2 * i);
    for (int i = 0; i < s->count; i++) {
        s->ants[i].wealth += s->sugar[s->ants[i].place];
        s->eaten += s->sugar[s->ants[i].place];
        s->sugar[s->ants[i].place] = 0;
    }
    live(s);
}

static void advance(scape *s)
{
    s->step++;
    for (int p = 0; p < s->nx * s->ny; p++) {
        const int before = s->sugar[p];
        s->sugar[p] = before + s->set->growback < s->most[p] ? before + s->set->growback : s->most[p];
        s->grown += s->sugar[p] - before;
    }
    if (s->in_turn) take_turns(s);
    else move_and_live(s);
}

/* ---- the engine's ---- */

static const char *options_of(const scape *s)
{
    return text("--plugin '%s/sugarscape.so' --seed 5 --size %dx%d --set ants=%d --set vision_max=%d --set growback=%d "
                "--set landscape=%s --set sugar_max=%d --set replace=%s --set reproduce=%d --set looks=%d "
                "--set activation=%s",
                getenv("MASS_PLUGINS"), s->nx, s->ny, s->set->ants, s->set->vision_max, s->set->growback,
                s->set->landscape, s->set->sugar_max, s->set->replace ? "yes" : "no", s->set->reproduce, s->set->looks,
                s->in_turn ? "turn" : "all");
}

static dataset places_of(const scape *s, const char *path, const char *name)
{
    const dataset d = dataset_read(path, text("/places/grid/%s", name));
    cr_assert_eq(d.size, (size_t)(s->nx * s->ny));
    return d;
}

static dataset ants_of(const char *path, const char *name, size_t size, int count)
{
    const dataset d = dataset_read(path, text("/agents/ants/%s", name));
    cr_assert_eq(d.size, size * (size_t)count, "%s has %zu bytes for %d ants", name, d.size, count);
    return d;
}

/* The state of step 0, which is drawn. */
static void begin(scape *s, const char *where)
{
    const char *folder = folder_make(), *path = checkpoint_path(folder, 0);
    engine_result(text("%s --steps 0 --checkpoint %s %s", options_of(s), folder, where));
    const size_t places = (size_t)(s->nx * s->ny);
    s->sugar = calloc(places, sizeof *s->sugar);
    s->most = calloc(places, sizeof *s->most);
    s->ants = calloc(2 * places, sizeof *s->ants);
    dataset sugar = places_of(s, path, "sugar"), most = places_of(s, path, "most");
    for (size_t p = 0; p < places; p++) s->sugar[p] = sugar.bytes[p], s->most[p] = most.bytes[p];
    s->count = s->set->ants;
    s->next_id = (uint64_t)s->count;
    s->key = mass_random_key(5, 0);
    dataset id = ants_of(path, "id", 8, s->count), place = ants_of(path, "place", 8, s->count);
    dataset vision = ants_of(path, "vision", 1, s->count), metabolism = ants_of(path, "metabolism", 1, s->count);
    dataset wealth = ants_of(path, "wealth", 4, s->count);
    for (int i = 0; i < s->count; i++)
        s->ants[i] = (ant){.id = ((uint64_t *)id.bytes)[i], .place = (int)((int64_t *)place.bytes)[i],
                           .vision = vision.bytes[i], .metabolism = metabolism.bytes[i],
                           .wealth = ((int32_t *)wealth.bytes)[i]};
    dataset *const all[] = {&sugar, &most, &id, &place, &vision, &metabolism, &wealth};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]->bytes);
    folder_empty(folder);
}

static void expect_state(const scape *s, const char *path, const char *how)
{
    dataset sugar = places_of(s, path, "sugar");
    dataset id = ants_of(path, "id", 8, s->count), place = ants_of(path, "place", 8, s->count);
    dataset vision = ants_of(path, "vision", 1, s->count), metabolism = ants_of(path, "metabolism", 1, s->count);
    dataset wealth = ants_of(path, "wealth", 4, s->count);
    for (int p = 0; p < s->nx * s->ny; p++)
        cr_assert_eq(sugar.bytes[p], s->sugar[p], "step %d, place %d: %s", (int)s->step, p, how);
    for (int i = 0; i < s->count; i++) {
        const ant *a = &s->ants[i];
        cr_assert(((uint64_t *)id.bytes)[i] == a->id && ((int64_t *)place.bytes)[i] == a->place &&
                  vision.bytes[i] == a->vision && metabolism.bytes[i] == a->metabolism &&
                  ((int32_t *)wealth.bytes)[i] == a->wealth, "step %d, ant %d: %s", (int)s->step, (int)a->id, how);
    }
    dataset *const all[] = {&sugar, &id, &place, &vision, &metabolism, &wealth};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]->bytes);
}

static void expect_sugarscape(const setting *set, const char *where, bool in_turn, int steps)
{
    scape s = {.set = set, .in_turn = in_turn, .nx = set->nx, .ny = set->ny};
    begin(&s, where);
    const char *folder = folder_make(), *how = text("%s %s", options_of(&s), where);
    outcome o = engine_run(text("%s --steps %d --checkpoint %s --checkpoint-every 1 --keep 0", how, steps, folder));
    while ((int)s.step < steps) {
        advance(&s);
        expect_state(&s, checkpoint_path(folder, s.step), how);
    }
    const int64_t found[] = {tally_of(&o, "ants"), tally_of(&o, "births"), tally_of(&o, "deaths"),
                             tally_of(&o, "grown"), tally_of(&o, "eaten"), tally_of(&o, "burnt"),
                             tally_of(&o, "endowed")};
    const int64_t expected[] = {s.count, s.births, s.deaths, s.grown, s.eaten, s.burnt, s.endowed};
    cr_expect_arr_eq(found, expected, sizeof found, "tallies of %s", how);
    outcome_free(&o);
    folder_empty(folder);
    free(s.sugar);
    free(s.most);
    free(s.ants);
}

void expect_sugarscapes(const char *where, bool in_turn, int steps)
{
    static const setting all[] = {
        {1, 1, 1, 6, 1, "flat", 4, true, 0, 3},      {3, 2, 5, 6, 1, "flat", 4, true, 3, 3},
        {16, 16, 25, 6, 1, "hills", 4, false, 0, 3}, {20, 13, 200, 6, 1, "hills", 4, false, 0, 1},
        {31, 17, 80, 6, 1, "flat", 3, true, 0, 2},   {24, 24, 40, 3, 2, "hills", 9, false, 20, 3},
        {40, 12, 60, 9, 1, "hills", 4, true, 30, 8}, {9, 9, 81, 20, 1, "flat", 2, true, 12, 3},
        {1, 50, 20, 4, 1, "flat", 4, false, 10, 1},  {50, 1, 50, 2, 0, "flat", 200, true, 40, 3}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) expect_sugarscape(&all[i], where, in_turn, steps);
}
