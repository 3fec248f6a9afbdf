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
                        plugin("life"), nx, ny, rule, edge), "/places/grid/health", ny, steps};
}

model heat_model(int nx, int ny, int nz, int steps, int radius, int torus, int materials)
{
    static const char *const edges[] = {"bounded", "torus"};
    const char *size = nz > 1 ? text("%dx%dx%d", nx, ny, nz) : text("%dx%d", nx, ny);
    return (model){text("%s --seed 23 --size %s --set start=random --set heat_steps=%d --set radius=%d "
                        "--set edge_x=%s --set edge_y=%s --set edge_z=%s --set materials=%d",
                        plugin("heat"), size, steps / 2, radius, edges[torus & 1], edges[torus >> 1 & 1],
                        edges[torus >> 2 & 1], materials), "/places/grid/temperature", nz > 1 ? nz : ny, steps};
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
    return engine_result(options_of(m, "--device cpu --threads 1"));
}

void expect_same(const model *m, const char *where, const char *expected)
{
    cr_expect_str_eq(engine_result(options_of(m, where)), expected, "%s", options_of(m, where));
}

void expect_same_in_partitions(const model *m, const char *where, const char *expected)
{
    static const int counts[] = {1, 2, 3, 7};
    for (size_t i = 0; i < sizeof counts / sizeof *counts && counts[i] <= m->rows; i++)
        expect_same(m, text("%s --partitions %d", where, counts[i]), expected);
}

/* Runs with a checkpoint of the end. Only the report of the outcome is the caller's. */
static dataset run_for_state(const model *m, const char *where, json_t **tallies)
{
    const char *folder = folder_make();
    outcome o = engine_run(text("%s --checkpoint %s", options_of(m, where), folder));
    *tallies = json_incref(json_object_get(o.report, "tallies"));
    outcome_free(&o);
    const dataset state = dataset_read(checkpoint_path(folder, (uint64_t)m->steps), m->state);
    folder_empty(folder);
    return state;
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

void expect_same_worlds(const model *m, const char *together, const char *apart)
{
    enum { FIRST = 2, WORLDS = 3 };
    json_t *all_tallies, *tallies;
    const char *how = text("%s --worlds %d --first-world %d", together, WORLDS, FIRST);
    dataset all = run_for_state(m, how, &all_tallies);
    cr_assert_eq(all.extents[0], WORLDS);
    const size_t size = all.size / WORLDS;
    for (int w = 0; w < WORLDS; w++) {
        dataset one = run_for_state(m, text("%s --worlds 1 --first-world %d", apart, FIRST + w), &tallies);
        cr_assert_eq(one.rank, all.rank - 1);
        cr_assert_eq(one.size, size);
        cr_expect_arr_eq(one.bytes, all.bytes + (size_t)w * size, size, "world %d of %s", FIRST + w,
                         options_of(m, how));
        expect_tallies_of_world(all_tallies, tallies, w);
        json_decref(tallies);
        free(one.bytes);
    }
    if (size > 100) cr_expect_arr_neq(all.bytes, all.bytes + size, size, "worlds are copies: %s", m->options);
    json_decref(all_tallies);
    free(all.bytes);
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
