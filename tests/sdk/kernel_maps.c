/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of maps read, write, update and tally, against plain nested loops over the same arrays. */
#include "everything.h"
#include "loops.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { MOST_WORLDS = 3 };
typedef struct tallies { int64_t total, least, most, coldest, hottest; } tallies;

/* What a test gives to `everything`, in the order of its fields, and beside it what it expects. */
typedef struct scene {
    mass_launch l;
    uint8_t *seen;
    int32_t *count, *expected_count;
    pair *both, *expected_both;
    double *made, *expected_made;
    int64_t gain[MOST_WORLDS];
    double rate[MOST_WORLDS];
    int64_t total[MOST_WORLDS], least[MOST_WORLDS], most[MOST_WORLDS];
    int64_t coldest[MOST_WORLDS], hottest[MOST_WORLDS];
    tallies expected[MOST_WORLDS];
} scene;

static scene *scene_new(int nx, int ny, int nz, int worlds)
{
    scene *const s = calloc(1, sizeof *s);
    cr_assert(s);
    s->l = launch_of(nx, ny, nz, worlds);
    s->seen = array_of(&s->l, sizeof *s->seen);
    s->count = array_of(&s->l, sizeof *s->count);
    s->both = array_of(&s->l, sizeof *s->both);
    s->made = array_of(&s->l, sizeof *s->made);
    s->expected_count = array_of(&s->l, sizeof *s->count);
    s->expected_both = array_of(&s->l, sizeof *s->both);
    s->expected_made = array_of(&s->l, sizeof *s->made);
    for (int w = 0; w < worlds; w++) {
        s->gain[w] = 3 - 5 * w;
        s->rate[w] = 0.375 * (w + 1);
    }
    return s;
}

static void scene_free(scene *s)
{
    array_free(&s->l, s->seen, sizeof *s->seen);
    array_free(&s->l, s->count, sizeof *s->count);
    array_free(&s->l, s->both, sizeof *s->both);
    array_free(&s->l, s->made, sizeof *s->made);
    array_free(&s->l, s->expected_count, sizeof *s->count);
    array_free(&s->l, s->expected_both, sizeof *s->both);
    array_free(&s->l, s->expected_made, sizeof *s->made);
    free(s);
}

/* Tallies start as a step of an engine with earlier contributions would find them. */
static void scene_scramble(scene *s)
{
    scramble(&s->l, s->seen, sizeof *s->seen, 10);
    scramble(&s->l, s->count, sizeof *s->count, 11);
    scramble(&s->l, s->both, sizeof *s->both, 12);
    scramble(&s->l, s->made, sizeof *s->made, 13);
    scramble(&s->l, s->expected_count, sizeof *s->count, 11);
    scramble(&s->l, s->expected_both, sizeof *s->both, 12);
    scramble(&s->l, s->expected_made, sizeof *s->made, 13);
    for (int w = 0; w < MOST_WORLDS; w++) {
        const tallies earlier = {1000 + w, 5000, -5000, mass_rank_f64(1e9), mass_rank_f64(-1e9)};
        s->expected[w] = earlier;
        s->total[w] = earlier.total;
        s->least[w] = earlier.least;
        s->most[w] = earlier.most;
        s->coldest[w] = earlier.coldest;
        s->hottest[w] = earlier.hottest;
    }
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* One place of the reference; the arrays are those of this place. */
static void expect_place(scene *s, int w, int64_t x, int64_t y, int64_t z, int64_t at, int tally)
{
    const int64_t seen = s->seen[at], place = (100 + x) + 7 * (200 + y) + 11 * (300 + z);
    const double heat = s->rate[w] * (double)(seen - 100);
    s->expected_count[at] = (int32_t)((uint32_t)s->expected_count[at] + (uint32_t)(s->gain[w] * seen));
    s->expected_both[at].b = (int16_t)(s->expected_both[at].a + s->expected_both[at].b);
    s->expected_made[at] = heat + (double)place + 12.0;
    if (!tally) return;
    tallies *const t = &s->expected[w];
    t->total += seen + 1;
    t->least = smaller(t->least, place - seen);
    t->most = larger(t->most, place * seen);
    t->coldest = smaller(t->coldest, mass_rank_f64(heat));
    t->hottest = larger(t->hottest, mass_rank_f64(heat));
}

static void expect_scene(scene *s, const mass_range *range, int tally)
{
    const mass_launch *const l = &s->l;
    int64_t row = 0;
    for (int w = 0; w < l->worlds; w++)
        for (int z = 0; z < l->extent[2]; z++)
            for (int y = 0; y < l->extent[1]; y++, row++) {
                if (row < range->first_row || row >= range->last_row) continue;
                if (l->gates && l->gates[w]) continue;
                for (int x = range->first_x; x < range->last_x; x++)
                    expect_place(s, w, x, y, z, place_at(l, w, z, y, x), tally);
            }
}

static void expect_tallies(const scene *s, const mass_form *form)
{
    for (int w = 0; w < s->l.worlds; w++) {
        const tallies got = {s->total[w], s->least[w], s->most[w], s->coldest[w], s->hottest[w]};
        cr_assert_eq(memcmp(&got, &s->expected[w], sizeof got), 0, "world %d, instruction set %u, flags %u", w,
                     form->isa, form->flags);
    }
}

static void check_scene(scene *s, mass_range range)
{
    const void *const fields[] = {s->seen,  s->count, s->both, s->made,    s->gain,   s->rate,
                                  s->total, s->least, s->most, s->coldest, s->hottest};
    EACH_FORM(form, everything) {
        scene_scramble(s);
        expect_scene(s, &range, form->flags & MASS_FORM_TALLIES);
        form->loop(fields, &s->l, &range);
        expect_equal(&s->l, s->count, s->expected_count, sizeof *s->count, form);
        expect_equal(&s->l, s->both, s->expected_both, sizeof *s->both, form);
        expect_equal(&s->l, s->made, s->expected_made, sizeof *s->made, form);
        expect_tallies(s, form);
    }
}

Test(kernel, maps_read_write_update_and_tally_every_place)
{
    static const int widths[] = {1, 5, 16, 33, 71};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        scene *const s = scene_new(widths[i], 4, 3, 2);
        check_scene(s, whole(&s->l));
        scene_free(s);
    }
}

Test(kernel, tallies_are_those_of_the_range_alone)
{
    scene *const s = scene_new(41, 5, 2, 3);
    const mass_range part = {4, 23, 6, 39}, none = {4, 23, 9, 9};
    check_scene(s, part);
    check_scene(s, none);
    scene_free(s);
}

/* All of the worlds but one, or all, or none. */
Test(kernel, a_world_whose_gate_is_closed_is_left_alone)
{
    const uint32_t gates[][MOST_WORLDS] = {{0, 1, 0}, {7, 0, 0x80000000u}, {1, 1, 1}, {0, 0, 0}};
    scene *const s = scene_new(19, 3, 2, 3);
    for (int i = 0; i < 4; i++) {
        s->l.gates = gates[i];
        check_scene(s, whole(&s->l));
    }
    scene_free(s);
}

Test(kernel, quiet_forms_leave_tallies_alone)
{
    scene *const s = scene_new(19, 3, 2, 2);
    const mass_range all = whole(&s->l);
    const void *const fields[] = {s->seen, s->count, s->both, s->made, s->gain, s->rate, NULL, NULL, NULL, NULL, NULL};
    EACH_FORM(form, everything) {
        if (form->flags & MASS_FORM_TALLIES) continue;
        scene_scramble(s);
        expect_scene(s, &all, 0);
        form->loop(fields, &s->l, &all);
        expect_equal(&s->l, s->count, s->expected_count, sizeof *s->count, form);
        expect_equal(&s->l, s->made, s->expected_made, sizeof *s->made, form);
    }
    scene_free(s);
}
