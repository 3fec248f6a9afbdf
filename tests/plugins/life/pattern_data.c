/* SPDX-License-Identifier: Apache-2.0 */
/* The patterns that ship do what they are known for. */
#include "reading.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

/* A torus of SIDE x SIDE that visits living places and their neighbours only. */
enum { SIDE = 4096, PLACES = SIDE * SIDE, CROWD_MAX = 100000 };

typedef struct world {
    life_rule rule;
    uint8_t *alive, *near; /* [SIDE][SIDE]; near: living neighbours, 0 between generations */
    int32_t *living, *touched;
    int population;
} world;

static int32_t place(int64_t x, int64_t y) { return (int32_t)((y & (SIDE - 1)) * SIDE + (x & (SIDE - 1))); }

static life_pattern load(const char *name)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", MASS_DATA_DIR, name);
    read_result r = read_file(path);
    cr_assert_eq(r.status, MASS_OK, "%s: %s", path, r.message);
    life_pattern pattern = {0};
    life_pattern_error error;
    mass_status status = life_pattern_parse(life_pattern_format_of(path, r.bytes, r.size), r.bytes, r.size, SIDE, SIDE,
                                            &pattern, &error);
    cr_assert_eq(status, MASS_OK, "%s, %s", path, error.text);
    free(r.bytes);
    return pattern;
}

static void set_alive(world *w, int32_t at)
{
    w->alive[at] = 1;
    w->living[w->population++] = at;
}

static void put(world *w, const life_pattern *p, int64_t x0, int64_t y0)
{
    for (int64_t y = 0; y < p->height; y++)
        for (int64_t x = 0; x < p->width; x++)
            if (p->cells[y * p->width + x]) set_alive(w, place(x0 + x, y0 + y));
}

/* The pattern in the middle, under its own rule or Conway's. */
static world world_of(const life_pattern *p)
{
    world w = {.rule = {1u << 3, 1u << 2 | 1u << 3}};
    if (p->has_rule) w.rule = p->rule;
    w.alive = (uint8_t *)calloc(PLACES, 1);
    w.near = (uint8_t *)calloc(PLACES, 1);
    w.living = (int32_t *)calloc(CROWD_MAX, sizeof *w.living);
    w.touched = (int32_t *)calloc(9 * CROWD_MAX, sizeof *w.touched);
    cr_assert(w.alive && w.near && w.living && w.touched);
    put(&w, p, SIDE / 2, SIDE / 2);
    return w;
}

static void free_world(world *w)
{
    free(w->alive);
    free(w->near);
    free(w->living);
    free(w->touched);
}

/* Counts the living neighbours of every place that has any, or lives. */
static int touch_neighbours(world *w)
{
    int touched = 0;
    for (int i = 0; i < w->population; i++) {
        int64_t x = w->living[i] % SIDE, y = w->living[i] / SIDE;
        for (int64_t dy = -1; dy <= 1; dy++)
            for (int64_t dx = -1; dx <= 1; dx++) {
                int32_t at = place(x + dx, y + dy);
                w->touched[touched++] = at;
                w->near[at] = (uint8_t)(w->near[at] + (dx || dy));
            }
    }
    return touched;
}

static void generation(world *w)
{
    int touched = touch_neighbours(w);
    cr_assert_leq(touched, 8 * CROWD_MAX);
    w->population = 0;
    for (int i = 0; i < touched; i++) {
        int32_t at = w->touched[i];
        if (w->near[at] & 0x80) continue; /* a place touched twice is decided once */
        unsigned counts = w->alive[at] ? w->rule.survive : w->rule.birth;
        int lives = counts >> w->near[at] & 1;
        w->near[at] = 0x80;
        w->alive[at] = 0;
        if (lives) w->living[w->population++] = at;
    }
    for (int i = 0; i < touched; i++) w->near[w->touched[i]] = 0;
    for (int i = 0; i < w->population; i++) w->alive[w->living[i]] = 1;
}

static void generations(world *w, int count)
{
    while (count-- > 0) generation(w);
}

/* Whether exactly the places of the pattern live, in a box as wide and high at x0, y0. */
static int shows(const world *w, const life_pattern *p, int64_t x0, int64_t y0)
{
    for (int64_t y = 0; y < p->height; y++)
        for (int64_t x = 0; x < p->width; x++)
            if (w->alive[place(x0 + x, y0 + y)] != p->cells[y * p->width + x]) return 0;
    return 1;
}

static int cells_alive(const life_pattern *p)
{
    int alive = 0;
    for (int64_t i = 0; i < p->width * p->height; i++) alive += p->cells[i];
    return alive;
}

static void expect_population(const char *name, int count, int population)
{
    life_pattern pattern = load(name);
    world w = world_of(&pattern);
    generations(&w, count);
    cr_expect_eq(w.population, population, "%s: %d at %d", name, w.population, count);
    free_world(&w);
    life_pattern_free(&pattern);
}

Test(life_data, acorn_has_633_cells_at_5206) { expect_population("acorn.rle", 5206, 633); }

Test(life_data, r_pentomino_has_116_cells_at_1103) { expect_population("r-pentomino.rle", 1103, 116); }

Test(life_data, gosper_gun_adds_a_glider_every_30_generations)
{
    life_pattern gun = load("gosper-gun.rle");
    world w = world_of(&gun);
    cr_assert_eq(w.population, 36);
    for (int gliders = 1; gliders <= 20; gliders++) {
        generations(&w, 30);
        cr_expect(shows(&w, &gun, SIDE / 2, SIDE / 2), "after %d", 30 * gliders);
        cr_expect_eq(w.population, 36 + 5 * gliders);
    }
    free_world(&w);
    life_pattern_free(&gun);
}

static void expect_ship(const char *name, int64_t dx, int64_t dy)
{
    life_pattern ship = load(name);
    world w = world_of(&ship);
    generations(&w, 4);
    cr_expect(shows(&w, &ship, SIDE / 2 + dx, SIDE / 2 + dy), "%s", name);
    cr_expect_eq(w.population, cells_alive(&ship), "%s", name);
    free_world(&w);
    life_pattern_free(&ship);
}

Test(life_data, glider_moves_right_and_down) { expect_ship("glider.cells", 1, 1); }

Test(life_data, lwss_moves_left) { expect_ship("lwss.cells", -2, 0); }

Test(life_data, replicator_becomes_two_of_itself_in_12_generations)
{
    life_pattern replicator = load("replicator.rle");
    cr_assert(replicator.has_rule && replicator.rule.birth == (1u << 3 | 1u << 6));
    world w = world_of(&replicator);
    generations(&w, 12);
    cr_expect(shows(&w, &replicator, SIDE / 2 - 2, SIDE / 2 - 2));
    cr_expect(shows(&w, &replicator, SIDE / 2 + 2, SIDE / 2 + 2));
    cr_expect_eq(w.population, 2 * cells_alive(&replicator));
    free_world(&w);
    life_pattern_free(&replicator);
}
