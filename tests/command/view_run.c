/* SPDX-License-Identifier: Apache-2.0 */
/* --view: what a browser is given of a run, and what it may do to it. */
#include "process/sanitized.h"
#include "viewer.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

TestSuite(view_run, SCRATCH);

#define LIFE "life", "--seed", "3", "--device", "cpu"

static uint32_t word_at(const reply *r, size_t at)
{
    uint32_t word;
    cr_assert(at + sizeof word <= r->size);
    memcpy(&word, r->body + at, sizeof word);
    return word;
}

/* ---- what is seen ---- */

/* The pixels of a PNG with a palette, [height][width]. */
static uint8_t *png_pixels(const char *path, uint32_t *width, uint32_t *height)
{
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file);
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file);
    png_read_info(png, info);
    *width = png_get_image_width(png, info);
    *height = png_get_image_height(png, info);
    uint8_t *pixels = kept(malloc((size_t)*width * *height));
    for (uint32_t y = 0; y < *height; y++) png_read_row(png, pixels + (size_t)y * *width, NULL);
    png_destroy_read_struct(&png, &info, NULL);
    fclose(file);
    return pixels;
}

/* A run is paused at a step, looked at, and stopped there, where it draws the image. */
static void expect_the_image(const char *const arguments[], int step)
{
    viewer v = viewer_start(arguments);
    viewer_run_to(&v, step);
    const reply r = viewer_get(&v, "/run/frame?picture=0&pw=2048&ph=2048&agents=1");
    cr_assert_eq(r.status, 200);
    cr_assert_eq(memcmp(r.body, "MSF1", 4), 0);
    cr_assert_eq(viewer_control(&v, "{\"do\": \"stop\"}"), 200);
    const outcome o = command_finish(&v.run);
    cr_assert_eq(o.status, 130, "%s", o.err);
    uint32_t width, height;
    const uint8_t *image = png_pixels(scratch("seen.png"), &width, &height);
    const uint32_t across = word_at(&r, 16), down = word_at(&r, 20), flags = word_at(&r, 40), grow = width / across;
    const uint8_t *pixels = (const uint8_t *)r.body + 44, *spots = flags & 4 ? pixels + across * down : NULL;
    cr_assert(across * grow == width && down * grow == height, "%ux%u for %ux%u", across, down, width, height);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const uint32_t at = y / grow * across + x / grow, margin = grow / 4, side = grow - 2 * margin;
            const bool middle = x % grow - margin < side && y % grow - margin < side;
            const uint8_t spot = spots && middle ? spots[at] : 0;
            cr_assert_eq(image[y * width + x], spot > pixels[at] ? spot : pixels[at], "at %u,%u", x, y);
        }
}

#define SEEN "--seed", "3", "--device", "cpu", "--steps", "1000", "--view=control", "--view-wait", "--image", \
             scratch("seen.png")

Test(view_run, a_frame_has_the_pixels_of_the_image)
{
    expect_the_image(ARGUMENTS("life", "--size", "300x200", SEEN), 7);
    expect_the_image(ARGUMENTS("life", "--size", "4200x300", "--partitions", "3", SEEN), 3);
    expect_the_image(ARGUMENTS("heat", "--size", "2500x200", "--threads", "2", SEEN), 4);
    expect_the_image(ARGUMENTS("sugarscape", "--size", "100x90", SEEN), 5);
    expect_the_image(ARGUMENTS("sugarscape", "--size", "2100x60", SEEN), 2);
}

Test(view_run, a_box_shows_its_places_and_each_of_them_its_values)
{
    viewer v = VIEWER(LIFE, "--size", "60x50", "--steps", "9", "--view=control", "--view-wait", "--worlds", "2");
    const reply r = viewer_get(&v, "/run/frame?picture=1&world=1&x=-5&y=40&w=25&h=100&pw=300&ph=300");
    cr_assert(word_at(&r, 16) == 20 && word_at(&r, 20) == 10, "%u %u", word_at(&r, 16), word_at(&r, 20));
    cr_assert(word_at(&r, 24) == 0 && word_at(&r, 28) == 40 && word_at(&r, 32) == 20 && word_at(&r, 36) == 10);
    for (int y = 40; y < 50; y += 3)
        for (int x = 0; x < 20; x += 3) {
            char target[100];
            snprintf(target, sizeof target, "/run/place?space=0&world=1&x=%d&y=%d", x, y);
            json_t *place = viewer_json(&v, target);
            const json_t *value = json_object_get(json_array_get(json_object_get(place, "attributes"), 0), "value");
            const uint8_t pixel = (uint8_t)r.body[44 + (y - 40) * 20 + x];
            cr_assert_eq(pixel, json_integer_value(value) ? 255 : 0, "%d,%d", x, y);
            json_decref(place);
        }
    viewer_stop(&v);
}

Test(view_run, a_line_shows_its_last_steps)
{
    enum { WIDTH = 16, STEPS = 5 };
    viewer v = VIEWER("--plugin", bad_plugin("shape"), "--size", "16", "--seed", "1", "--steps", "1000",
                      "--view=control", "--view-wait");
    json_t *model = viewer_json(&v, "/run/model");
    const bool seen = json_array_size(json_object_get(model, "pictures")) > 0;
    json_decref(model);
    reply each[STEPS];
    for (int i = 0; seen && i < STEPS; i++) {
        each[i] = viewer_get(&v, "/run/frame?picture=0&h=1");
        cr_assert_eq(viewer_control(&v, "{\"do\": \"step\"}"), 200);
        json_decref(viewer_json(&v, "/run/numbers?state=running"));
    }
    const reply all = viewer_get(&v, "/run/frame?picture=0&h=100");
    cr_assert(seen && word_at(&all, 16) == WIDTH && word_at(&all, 20) == STEPS + 1, "%u", word_at(&all, 20));
    for (int i = 0; i < STEPS; i++)
        cr_assert_eq(memcmp(each[i].body + each[i].size - WIDTH, all.body + all.size - (STEPS + 1 - i) * WIDTH, WIDTH),
                     0, "%d", i);
    viewer_stop(&v);
}

/* Points of steps that nobody looked at, with the values that a series has. */
Test(view_run, charts_begin_before_anybody_looks)
{
#define MANY_STEPS "life", "--size", "512x512", "--seed", "1", "--quiet"
    viewer v = VIEWER(MANY_STEPS, "--steps", "1000000000", "--view");
    usleep(700000);
    json_t *numbers = viewer_json(&v, "/run/numbers"), *rows = json_object_get(numbers, "rows");
    viewer_stop(&v);
    const size_t count = json_array_size(rows);
    const json_int_t last = json_integer_value(json_array_get(json_array_get(rows, count - 1), 0));
    char steps[24], line[64];
    snprintf(steps, sizeof steps, "%lld", (long long)last);
    RUN(MANY_STEPS, "--steps", steps, "--series", scratch("all.csv"), "--log-every", "1");
    FILE *series = fopen(scratch("all.csv"), "r");
    size_t found = 0;
    while (series && fgets(line, sizeof line, series)) {
        const json_t *row = json_array_get(rows, found);
        char wanted[64];
        snprintf(wanted, sizeof wanted, "%lld,", (long long)json_integer_value(json_array_get(row, 0)));
        if (strncmp(line, wanted, strlen(wanted)) != 0) continue;
        cr_assert_eq(strtoll(line + strlen(wanted), NULL, 10), (long long)json_number_value(json_array_get(row, 1)),
                     "step %s", line);
        found++;
    }
    cr_assert(series && count >= 3 && found == count, "%zu of %zu points", found, count);
    fclose(series);
    json_decref(numbers);
#undef MANY_STEPS
}

Test(view_run, what_steps_count_has_no_first_point)
{
    viewer v = VIEWER("life", "--size", "16", "--seed", "1", "--view=control", "--view-wait");
    json_t *before = viewer_json(&v, "/run/numbers"), *row = json_array_get(json_object_get(before, "rows"), 0);
    cr_assert(json_is_number(json_array_get(row, 1)) && json_is_null(json_array_get(row, 2)) &&
              json_is_null(json_array_get(row, 3)));
    json_decref(before);
    viewer_run_to(&v, 1);
    json_t *after = viewer_json(&v, "/run/numbers"), *rows = json_object_get(after, "rows");
    cr_assert(json_is_number(json_array_get(json_array_get(rows, json_array_size(rows) - 1), 2)));
    json_decref(after);
    viewer_stop(&v);
}

/* What all places say that lie on a diagonal, of a run at step 20. */
static char *say_places(const viewer *v)
{
    json_t *all = json_array();
    size_t residents = 0;
    viewer_run_to(v, 20);
    for (int x = 0; x < 24; x++)
        for (int y = 0; y < 4; y++) {
            char target[60];
            snprintf(target, sizeof target, "/run/place?space=0&world=%d&x=%d&y=%d", x % 2, x, (x + 6 * y) % 24);
            json_t *place = viewer_json(v, target);
            residents += json_array_size(json_object_get(place, "residents"));
            json_array_append_new(all, place);
        }
    cr_assert(residents > 0);
    char *text = json_dumps(all, 0);
    json_decref(all);
    return text;
}

Test(view_run, who_stands_on_a_place_is_the_same_over_ranks)
{
#define ANTS "sugarscape", "--size", "24x24", "--worlds", "2", "--seed", "3", "--view=control", "--view-wait"
    if (!ranks_can_run()) cr_skip_test("there is no MPI here");
    viewer one = VIEWER(ANTS), two = VIEWER(ANTS, "--ranks", "2");
    char *of_one = say_places(&one), *of_two = say_places(&two);
    cr_assert_str_eq(of_one, of_two);
    free(of_one);
    free(of_two);
    viewer_stop(&one);
    viewer_stop(&two);
#undef ANTS
}

/* Every ant, by its id, is where its place says, with the same values. */
static void find_ants(const viewer *v)
{
    int found = 0;
    for (int i = 0; i < 24 * 24 && found < 5; i += 5) {
        char target[100];
        snprintf(target, sizeof target, "/run/place?space=0&world=1&x=%d&y=%d", i % 24, i / 24);
        json_t *place = viewer_json(v, target);
        const json_t *ant = json_array_get(json_object_get(place, "residents"), 0);
        if (ant) {
            snprintf(target, sizeof target, "/run/agent?population=0&world=1&id=%lld",
                     (long long)json_integer_value(json_object_get(ant, "id")));
            json_t *agent = viewer_json(v, target);
            cr_assert(json_is_true(json_object_get(agent, "there")));
            cr_assert_eq(json_integer_value(json_object_get(agent, "x")), i % 24);
            cr_assert_eq(json_integer_value(json_object_get(agent, "y")), i / 24);
            cr_assert(json_equal(json_object_get(agent, "attributes"), json_object_get(ant, "attributes")));
            json_decref(agent);
            found++;
        }
        json_decref(place);
    }
    cr_assert_eq(found, 5);
}

Test(view_run, an_agent_is_found_by_its_id)
{
    for (int ranks = 1; ranks <= (ranks_can_run() ? 2 : 1); ranks++) {
        viewer v = VIEWER("sugarscape", "--size", "24x24", "--worlds", "2", "--seed", "3", "--view=control",
                          "--view-wait", "--ranks", path_of("%d", ranks));
        viewer_run_to(&v, 3);
        find_ants(&v);
        json_t *none = viewer_json(&v, "/run/agent?population=0&world=1&id=123456");
        cr_assert(json_is_false(json_object_get(none, "there")));
        json_decref(none);
        cr_assert_eq(viewer_get(&v, "/run/agent?population=1&id=1").status, 400);
        cr_assert_eq(viewer_get(&v, "/run/agent?population=0&id=1&world=2").status, 400);
        viewer_stop(&v);
    }
}

/* All that are asked for in the box, or as many as there is room for; of places and of agents. */
Test(view_run, arrows_are_values_in_a_box)
{
    viewer v = VIEWER("sugarscape", "--size", "40x30", "--set", "ants=600", "--seed", "3", "--view=control",
                      "--view-wait");
    json_t *model = viewer_json(&v, "/run/model"), *kinds = json_object_get(model, "arrows");
    for (size_t k = 0; k < json_array_size(kinds); k++) {
        const json_t *kind = json_array_get(kinds, k);
        const bool agents = json_is_true(json_object_get(kind, "agents"));
        const long long id = json_integer_value(json_object_get(kind, "id"));
        json_t *all = viewer_json(&v, path_of("/run/arrows?attribute=%lld", id));
        json_t *box = viewer_json(&v, path_of("/run/arrows?attribute=%lld&x=10&y=5&w=8&h=6", id));
        json_t *few = viewer_json(&v, path_of("/run/arrows?attribute=%lld&most=20", id));
        const size_t count = json_array_size(json_object_get(all, "arrows"));
        cr_assert_eq(count, agents ? 600 : 1200, "%zu", count);
        cr_assert(json_array_size(json_object_get(few, "arrows")) <= 20 + (agents ? 0 : 10));
        cr_assert(json_array_size(json_object_get(few, "arrows")) >= 10);
        json_t *in = json_object_get(box, "arrows");
        cr_assert(agents ? json_array_size(in) > 5 : json_array_size(in) == 48);
        for (size_t i = 0; i < json_array_size(in); i++) {
            const json_t *arrow = json_array_get(in, i);
            const json_int_t x = json_integer_value(json_array_get(arrow, 0));
            const json_int_t y = json_integer_value(json_array_get(arrow, 1));
            cr_assert(x >= 10 && x < 18 && y >= 5 && y < 11 && json_is_number(json_array_get(arrow, 2)));
        }
        json_decref(all);
        json_decref(box);
        json_decref(few);
    }
    cr_assert_eq(json_array_size(kinds), 5);
    json_decref(model);
    cr_assert_eq(viewer_get(&v, "/run/arrows?attribute=99").status, 400);
    viewer_stop(&v);
}

/* Returns the number of edges that a viewer gets of the first network in a world. Each has two nodes. */
static size_t edges_of(viewer *v, int world, int nodes)
{
    json_t *answer = viewer_json(v, path_of("/run/edges?world=%d", world)), *edges = json_object_get(answer, "edges");
    const size_t count = json_array_size(edges) / 2;
    cr_assert_eq(json_integer_value(json_object_get(answer, "nodes")), nodes);
    cr_assert_eq(json_integer_value(json_object_get(answer, "count")), (json_int_t)count);
    for (size_t i = 0; i < 2 * count; i++) {
        const json_int_t node = json_integer_value(json_array_get(edges, i));
        cr_assert(node >= 0 && node < nodes);
    }
    json_decref(answer);
    return count;
}

Test(view_run, a_small_network_has_all_its_edges)
{
    viewer v = VIEWER("epidemic", "--size", "50", "--set", "network=ring", "--set", "degree=4", "--seed", "1",
                      "--view=control", "--view-wait");
    json_t *answer = viewer_json(&v, "/run/edges"), *edges = json_object_get(answer, "edges");
    cr_assert_eq(edges_of(&v, 0, 50), 100);
    for (size_t i = 0; i < 200; i += 2) {
        const json_int_t by = json_integer_value(json_array_get(edges, i)) -
                              json_integer_value(json_array_get(edges, i + 1));
        cr_assert(llabs(by) == 1 || llabs(by) == 2 || llabs(by) == 48 || llabs(by) == 49, "%lld", (long long)by);
    }
    json_decref(answer);
    cr_assert_eq(viewer_get(&v, "/run/edges?network=1").status, 400);
    cr_assert_eq(viewer_get(&v, "/run/edges?world=1").status, 400);
    viewer_stop(&v);
    v = VIEWER("life", "--size", "8x8", "--view=control", "--view-wait");
    cr_assert_eq(viewer_get(&v, "/run/edges").status, 400);
    viewer_stop(&v);
}

/* Worlds have other edges once these have changed, as many as the charts say. */
Test(view_run, edges_that_change_are_those_of_the_step)
{
    viewer v = VIEWER("innovation", "--size", "60", "--set", "churn=0.3", "--worlds", "2", "--seed", "3",
                      "--view=control", "--view-wait");
    cr_assert(edges_of(&v, 0, 60) == 360 && edges_of(&v, 1, 60) == 360);
    viewer_run_to(&v, 4);
    const size_t first = edges_of(&v, 0, 60), second = edges_of(&v, 1, 60);
    cr_assert(first != 360 && first != second, "%zu %zu", first, second);
    viewer_stop(&v);
}

/* A large network has its nodes by degree, and its edges by their nodes, from both sides. */
Test(view_run, a_large_network_is_counted)
{
    viewer v = VIEWER("epidemic", "--size", "3000", "--set", "network=ring", "--set", "degree=4", "--seed", "1",
                      "--view=control", "--view-wait");
    json_t *answer = viewer_json(&v, "/run/edges"), *degrees = json_object_get(answer, "degrees");
    json_t *matrix = json_object_get(answer, "matrix");
    const size_t blocks = (size_t)json_integer_value(json_object_get(answer, "blocks"));
    json_int_t near = 0, all = 0;
    for (size_t i = 0; i < blocks * blocks; i++) {
        const json_int_t count = json_integer_value(json_array_get(matrix, i));
        const size_t by = (i % blocks + blocks - i / blocks) % blocks;
        all += count;
        if (by <= 1 || by == blocks - 1) near += count;
    }
    cr_assert(json_array_size(matrix) == blocks * blocks && all == 12000 && near == all, "%lld", (long long)all);
    cr_assert_eq(json_array_size(degrees), 4); /* of 0, of 1, from 2, from 4 on */
    for (size_t i = 0; i < 4; i++)
        cr_assert_eq(json_integer_value(json_array_get(json_array_get(degrees, i), 1)), i == 3 ? 3000 : 0);
    cr_assert_null(json_object_get(answer, "edges"));
    json_decref(answer);
    viewer_stop(&v);
}

/* Of each world its own: those of the wealth of ants count that world's ants. */
Test(view_run, bins_are_of_the_world_that_is_asked_for)
{
    enum { WORLDS = 2 };
    viewer v = VIEWER("sugarscape", "--size", "32x32", "--worlds", "2", "--seed", "3", "--view=control", "--view-wait");
    viewer_run_to(&v, 20);
    char *bins[WORLDS];
    for (int w = 0; w < WORLDS; w++) {
        char target[40];
        snprintf(target, sizeof target, "/run/numbers?world=%d", w);
        json_t *numbers = viewer_json(&v, target), *counts = json_array_get(json_object_get(numbers, "bins"), 0);
        json_t *rows = json_object_get(numbers, "rows"), *row = json_array_get(rows, json_array_size(rows) - 1);
        json_int_t sum = 0;
        for (size_t i = 0; i < json_array_size(counts); i++) sum += json_integer_value(json_array_get(counts, i));
        const double ants = json_number_value(json_array_get(json_array_get(row, 1), (size_t)w));
        cr_assert(sum > 0 && (double)sum == ants, "world %d: %lld in bins, %g ants", w, (long long)sum, ants);
        bins[w] = json_dumps(counts, 0);
        json_decref(numbers);
    }
    cr_assert_str_neq(bins[0], bins[1]);
    cr_assert_eq(viewer_get(&v, "/run/numbers?world=2").status, 400);
    for (int w = 0; w < WORLDS; w++) free(bins[w]);
    viewer_stop(&v);
}

/* ---- what it does to the run ---- */

/* The run that follows, once it answers. */
static json_t *next_run(const viewer *v, int run)
{
    for (int i = 0; i < 1000; i++) {
        const reply r = viewer_get(v, "/run/model");
        json_t *model = r.status == 200 ? json_loadb(r.body, r.size, 0, NULL) : NULL;
        if (model && json_integer_value(json_object_get(model, "run")) == run) return model;
        json_decref(model);
        usleep(10000);
    }
    cr_assert_fail("there is no run %d", run);
    return NULL;
}

#define RESTART(v, parameters) \
    viewer_ask(v, "POST", "/run/control", NULL, "{\"do\": \"restart\", \"parameters\": {" parameters "}}")

Test(view_run, control_pauses_steps_restarts_and_stops)
{
    viewer v = VIEWER(LIFE, "--size", "64x64", "--steps", "1e9", "--view=control", "--view-wait", "--json");
    viewer_run_to(&v, 10);
    cr_assert_eq(viewer_control(&v, "{\"do\": \"step\"}"), 200);
    viewer_run_to(&v, 12);
    cr_assert_eq(viewer_control(&v, "{\"do\": \"restart\", \"seed\": 9, \"parameters\": {\"density\": 0.5}}"), 200);
    json_t *model = next_run(&v, 2);
    cr_assert_eq(json_integer_value(json_object_get(model, "seed")), 9);
    json_decref(model);
    viewer_run_to(&v, 30);
    cr_assert_eq(viewer_control(&v, "{\"do\": \"stop\"}"), 200);
    const outcome o = command_finish(&v.run);
    const outcome plain = RUN("life", "--device", "cpu", "--seed", "9", "--set", "density=0.5",
                              "--size", "64x64", "--steps", "30", "--json");
    cr_assert_str_eq(outcome_hash(&o, 130), outcome_hash(&plain, 0));
}

Test(view_run, a_run_starts_anew_with_its_own_size_and_files)
{
    viewer v = VIEWER("sugarscape", "--device", "cpu", "--seed", "3", "--size", "30x30", "--set", "ants=500", "--steps",
                      "1e9", "--worlds", "2", "--view=control", "--view-wait");
    reply r = RESTART(&v, "\"ants\": 901");
    cr_assert(r.status == 400 && strstr(r.body, "901 are more than there are places, 900"), "%s", r.body);
    cr_assert_eq(RESTART(&v, "").status, 200, "as it began");
    json_decref(next_run(&v, 2));
    cr_assert_eq(RESTART(&v, "\"ants\": 65").status, 200, "more than the places of a trial");
    json_decref(next_run(&v, 3));
    viewer_stop(&v);
    v = VIEWER("minesweeper", "--device", "cpu", "--seed", "3", "--size", "40x40", "--steps", "1e9", "--view=control");
    cr_assert_eq(RESTART(&v, "\"mines\": 500").status, 200);
    json_decref(next_run(&v, 2));
    r = RESTART(&v, "\"mines\": 1600");
    cr_assert(r.status == 400 && strstr(r.body, "1600 and the flag do not fit on 1600 places"), "%s", r.body);
    viewer_stop(&v);
}

/* A pattern, and values of places; the size is that of the file. */
Test(view_run, a_run_starts_anew_only_with_files_that_fit)
{
    static const char row[] = "1,0,0,0,0,0,0,0,0,0,0,0\n";
    char grid[12 * sizeof row] = "";
    for (int i = 0; i < 12; i++) strcat(grid, row);
    const char *cells = kept(strdup(scratch("cells.csv"))), *wide = kept(strdup(scratch("wide.rle")));
    file_write_text(cells, grid);
    file_write_text(wide, "x = 13, y = 1, rule = B3/S23\n13o!\n");
    viewer v = VIEWER(LIFE, "--load", path_of("health=%s", cells), "--steps", "1e9", "--view=control", "--view-wait");
    reply r = RESTART(&v, "\"pattern\": \"no-such.rle\"");
    cr_assert(r.status == 400 && strstr(r.body, "no-such.rle"), "%s", r.body);
    char body[2 * PATH_MAX];
    snprintf(body, sizeof body, "{\"do\": \"restart\", \"parameters\": {\"pattern\": \"%s\"}}", wide);
    r = viewer_ask(&v, "POST", "/run/control", NULL, body);
    cr_assert(r.status == 400 && strstr(r.body, "wide.rle"), "%s", r.body);
    cr_assert_eq(RESTART(&v, "\"rule\": \"B36/S23\"").status, 200);
    json_decref(next_run(&v, 2));
    unlink(cells);
    r = RESTART(&v, "");
    cr_assert(r.status == 400 && strstr(r.body, "cells.csv"), "a file that is gone: %s", r.body);
    viewer_stop(&v);
}

static void limit_memory(void) { setrlimit(RLIMIT_AS, &(const struct rlimit){(rlim_t)3 << 30, (rlim_t)3 << 30}); }

/* What there is no memory for would end the run and begin none. */
Test(view_run, a_run_does_not_start_anew_beyond_the_memory)
{
    if (MASS_SANITIZED) cr_skip_test("a sanitizer takes all of it");
    file_write_text(scratch("numbers"), "abcdefgh");
    viewer v = {.run = command_start(&(const setting){.prepare = limit_memory},
                                     ARGUMENTS("histogram", "--device", "cpu", "--threads", "1", "--set", "mode=u32",
                                               "--set", path_of("input=%s", scratch("numbers")), "--view=control",
                                               "--view-wait"))};
    viewer_found(&v);
    const reply r = RESTART(&v, "\"bins\": 1000000000");
    cr_assert(r.status == 400 && strstr(r.body, "histogram needs"), "%s", r.body);
    cr_assert_eq(RESTART(&v, "\"bins\": 1000000").status, 200);
    json_decref(next_run(&v, 2));
    viewer_stop(&v);
}
