/* SPDX-License-Identifier: Apache-2.0 */
#include "../extended.h"
#include "same.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const char *plugin(const char *name)
{
    return text("--plugin '%s/%s.so'", getenv("MASS_PLUGINS"), name);
}

model life_model(int nx, int ny, int steps, const char *rule, const char *edge)
{
    return (model){text("%s --seed 17 --size %dx%d --set rule=%s --set edge=%s --set density=0.35",
                        plugin("life"), nx, ny, rule, edge), "/places/grid/health", ny, steps, NULL, NULL};
}

model heat_model(int nx, int ny, int nz, int steps, int radius, int torus, int materials)
{
    static const char *const edges[] = {"bounded", "torus"};
    const char *size = nz > 1 ? text("%dx%dx%d", nx, ny, nz) : text("%dx%d", nx, ny);
    return (model){text("%s --seed 23 --size %s --set start=random --set heat_steps=%d --set radius=%d "
                        "--set edge_x=%s --set edge_y=%s --set edge_z=%s --set materials=%d",
                        plugin("heat"), size, steps / 2, radius, edges[torus & 1], edges[torus >> 1 & 1],
                        edges[torus >> 2 & 1], materials), "/places/grid/temperature", nz > 1 ? nz : ny, steps, NULL,
                   NULL};
}

void each_life(int steps, void (*check)(const model *m))
{
    static const struct {
        int nx, ny;
        const char *rule;
    } shapes[] = {{1, 1, "B3/S23"}, {5, 3, "B36/S23"}, {2, 9, "B3/S23"}, {64, 64, "B3/S23"},
                  {130, 7, "B03/S23"}, {333, 77, "B3/S23"}, {9, 300, "B2/S"}, {257, 40, "B36/S23"}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int edge = 0; edge < 2; edge++) {
            if (!takes_part(i + (size_t)(edge + steps), 4)) continue;
            const model m = life_model(shapes[i].nx, shapes[i].ny, steps, shapes[i].rule, edge ? "dead" : "torus");
            check(&m);
        }
}

void each_heat(int steps, void (*check)(const model *m))
{
    static const struct {
        int nx, ny, nz, torus;
    } shapes[] = {{64, 48, 1, 3}, {37, 22, 1, 0}, {3, 200, 1, 1}, {129, 8, 1, 2},
                  {13, 9, 7, 7},  {32, 16, 8, 0}, {5, 33, 12, 2}, {40, 3, 9, 5}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int radius = 1; radius <= 2; radius++) {
            if (!takes_part(i + (size_t)(radius + steps), 4)) continue;
            const model m = heat_model(shapes[i].nx, shapes[i].ny, shapes[i].nz, steps, radius, shapes[i].torus,
                                       i % 4 == 3 ? 1 : 2);
            check(&m);
        }
}

static const char *options_of(const model *m, const char *where)
{
    return text("%s --steps %d %s", m->options, m->steps, where);
}

const char *expected_result(const model *m)
{
    return engine_known_result(options_of(m, "--device cpu --threads 1"));
}

void expect_same(const model *m, const char *where, const char *expected)
{
    cr_expect_str_eq(engine_result(options_of(m, where)), expected, "%s", options_of(m, where));
}

partition_counts next_partition_counts(const model *m)
{
    static const int counts[] = {1, 2, 3, 7};
    static size_t turn = 1;
    size_t fitting = 0;
    while (fitting < sizeof counts / sizeof *counts && counts[fitting] <= m->rows) fitting++;
    if (unsanitized(0, 1)) return (partition_counts){counts, counts + fitting};
    const int *one = counts + (fitting > 1 ? 1 + turn++ % (fitting - 1) : 0);
    return (partition_counts){one, one + 1};
}

void expect_same_in_partitions(const model *m, const char *where, const char *expected)
{
    for (partition_counts p = next_partition_counts(m); p.first < p.end; p.first++)
        expect_same(m, text("%s --partitions %d", where, p.first[0]), expected);
}

/* Runs with a checkpoint of the end, which lies in the folder. The tallies are the caller's. */
static json_t *run_into(const char *folder, const model *m, const char *where)
{
    outcome o = engine_run(text("%s --checkpoint %s", options_of(m, where), folder));
    json_t *tallies = json_incref(json_object_get(o.report, "tallies"));
    outcome_free(&o);
    return tallies;
}

static dataset read_of(const char *folder, const model *m, const char *name)
{
    return dataset_read(checkpoint_path(folder, (uint64_t)m->steps), name);
}

static void expect_tallies_of_world(json_t *together, json_t *alone, int world)
{
    const char *name;
    json_t *value;
    json_object_foreach(alone, name, value)
        cr_expect(json_equal(json_array_get(json_object_get(together, name), (size_t)world), value),
                  "tally %s of world %d", name, world);
    cr_expect_eq(json_object_size(together), json_object_size(alone));
}

enum { FIRST_WORLD = 2, WORLDS = 3 };

static void expect_places_of_world(const model *m, const char *together, const char *apart, int world)
{
    if (!m->state) return;
    dataset all = read_of(together, m, m->state), one = read_of(apart, m, m->state);
    const size_t size = all.size / WORLDS;
    cr_assert_eq(all.extents[0], WORLDS);
    cr_assert_eq(one.rank, all.rank - 1);
    cr_assert_eq(one.size, size);
    cr_expect_arr_eq(one.bytes, all.bytes + (size_t)world * size, size, "world %d of %s", FIRST_WORLD + world,
                     m->options);
    if (size > 100 && world == 0)
        cr_expect_arr_neq(all.bytes, all.bytes + size, size, "worlds are copies: %s", m->options);
    free(all.bytes);
    free(one.bytes);
}

/* The agents of a world are a range of all. */
static void find_agents(const dataset *worlds, int world, size_t *first, size_t *last)
{
    const size_t agents = worlds->extents[0], width = agents ? worlds->size / agents : 0;
    *first = *last = 0;
    for (size_t i = 0; i < agents; i++) {
        const int its = worlds->bytes[i * width]; /* little-endian, and there are few worlds */
        *first += its < world;
        *last += its <= world;
    }
}

static void expect_agents_of_world(const model *m, const char *together, const char *apart, int world)
{
    dataset worlds = read_of(together, m, text("/agents/%s/world", m->population));
    size_t first, last;
    find_agents(&worlds, world, &first, &last);
    for (int i = 0; m->attributes[i]; i++) {
        const char *name = text("/agents/%s/%s", m->population, m->attributes[i]);
        dataset all = read_of(together, m, name), one = read_of(apart, m, name);
        cr_assert_eq(all.extents[0], worlds.extents[0]);
        cr_assert_eq(one.extents[0], last - first, "%zu agents and not %zu in world %d of %s", one.extents[0],
                     last - first, FIRST_WORLD + world, m->options);
        if (last > first)
            cr_expect_arr_eq(one.bytes, all.bytes + first * (all.size / all.extents[0]), one.size,
                             "%s of world %d of %s", name, FIRST_WORLD + world, m->options);
        free(all.bytes);
        free(one.bytes);
    }
    free(worlds.bytes);
}

void expect_same_worlds(const model *m, const char *together, const char *apart)
{
    const char *all = folder_make();
    json_t *all_tallies = run_into(all, m, text("%s --worlds %d --first-world %d", together, WORLDS, FIRST_WORLD));
    for (int w = 0; w < WORLDS; w++) {
        const char *one = folder_make();
        json_t *tallies = run_into(one, m, text("%s --worlds 1 --first-world %d", apart, FIRST_WORLD + w));
        expect_places_of_world(m, all, one, w);
        if (m->population) expect_agents_of_world(m, all, one, w);
        expect_tallies_of_world(all_tallies, tallies, w);
        json_decref(tallies);
        folder_empty(one);
    }
    json_decref(all_tallies);
    folder_empty(all);
}

void expect_same_resumed(const model *m, const leg *legs, int count)
{
    const char *folder = folder_make(), *result = "";
    for (int i = 0; i < count; i++) {
        const int step = legs[i].step ? legs[i].step : m->steps;
        const char *start = i == 0 ? text("%s --checkpoint %s", m->options, folder) : text("--resume %s", folder);
        result = engine_result(text("%s --steps %d %s", start, step, legs[i].where));
        uint64_t steps[16];
        const int found = checkpoint_steps(folder, false, steps, 16);
        cr_assert(found > 0 && steps[found - 1] == (uint64_t)step, "no checkpoint of step %d: %s", step, m->options);
    }
    cr_expect_str_eq(result, expected_result(m), "resumed %d times: %s", count - 1, m->options);
    folder_empty(folder);
}
