/* SPDX-License-Identifier: Apache-2.0 */
/* Values of places, agents, tallies and series: read, written and viewed. */
#include "scene.h"

#include <math.h>

static mass_engine_array find(mass_engine *run, const char *name)
{
    mass_engine_array array = {.struct_size = sizeof array};
    WORKS(mass_engine_find(run, name, &array));
    return array;
}

static double tally(mass_engine *run, const char *name)
{
    double value = 0;
    WORKS(mass_engine_tally(run, name, &value, 1));
    return value;
}

Test(values, of_places_are_read_whole_and_in_boxes)
{
    mass_engine *run = OPEN("sugarscape", {"size", "30x20"}, {"seed", "2"}, {"worlds", "3"});
    WORKS(mass_engine_step(run, 3, 0, NULL));
    const mass_engine_array a = find(run, "sugar");
    const int64_t extent[] = {3, 1, 20, 30, 1};
    cr_assert(memcmp(a.extent, extent, sizeof extent) == 0 && a.bytes == 1800 && a.value_bytes == 1 && !a.of_agents);
    uint8_t all[3][20][30], box[2][4][5];
    WORKS(mass_engine_read(run, a.attribute, NULL, all, sizeof all));
    const mass_engine_box part = {.world = 1, .worlds = 2, .origin = {7, 3, 0}, .extent = {5, 4, 1}};
    WORKS(mass_engine_read(run, a.attribute, &part, box, sizeof box));
    for (int w = 0; w < 2; w++)
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 5; x++) cr_assert_eq(box[w][y][x], all[w + 1][y + 3][x + 7]);
    mass_engine_close(run);
}

Test(values, of_bits_are_bytes_or_packed)
{
    mass_engine *run = OPEN("life", {"size", "21x10"}, {"seed", "2"}, {"set", "edge=dead"});
    const mass_engine_array a = find(run, "health");
    uint8_t bytes[10][21], packed[10][3];
    double living = 0;
    WORKS(mass_engine_read(run, a.attribute, NULL, bytes, sizeof bytes));
    WORKS(mass_engine_read_packed(run, a.attribute, packed, sizeof packed));
    for (int y = 0; y < 10; y++)
        for (int x = 0; x < 21; x++) {
            cr_assert_eq(packed[y][x / 8] >> x % 8 & 1, bytes[y][x]);
            living += bytes[y][x];
        }
    cr_expect_eq(living, tally(run, "population"));
    cr_expect(isnan(tally(run, "births"))); /* the start counts none */
    mass_engine_close(run);
}

Test(values, that_are_set_are_those_that_steps_take)
{
    mass_engine *run = OPEN("life", {"size", "16x12"}, {"seed", "2"});
    const mass_engine_array a = find(run, "health");
    uint8_t cells[12][16] = {0}, expected[12][16] = {0};
    cells[4][5] = cells[4][6] = cells[4][7] = 1; /* a blinker */
    expected[3][6] = expected[4][6] = expected[5][6] = 1;
    WORKS(mass_engine_write(run, a.attribute, NULL, cells, sizeof cells));
    WORKS(mass_engine_step(run, 1, 0, NULL));
    WORKS(mass_engine_read(run, a.attribute, NULL, cells, sizeof cells));
    cr_expect_arr_eq(cells, expected, sizeof cells);
    const mass_engine_box one = {.worlds = 1, .origin = {6, 3, 0}, .extent = {1, 3, 1}};
    const uint8_t none[3] = {0};
    WORKS(mass_engine_write(run, a.attribute, &one, none, sizeof none));
    WORKS(mass_engine_step(run, 1, 0, NULL));
    cr_expect_eq(tally(run, "population"), 0);
    mass_engine_close(run);
}

Test(values, of_agents_are_in_canonical_order_and_can_be_set)
{
    mass_engine *run = OPEN("sugarscape", {"size", "30x30"}, {"seed", "2"}, {"tally", "rich=max(ants.wealth)"});
    WORKS(mass_engine_step(run, 10, 0, NULL));
    const mass_engine_array wealth = find(run, "ants.wealth"), place = find(run, "ants.place");
    const size_t count = (size_t)wealth.extent[0];
    cr_assert(wealth.of_agents && count > 10 && wealth.type == MASS_I32 && place.type == MASS_I64);
    int32_t *values = calloc(count, sizeof *values), most = 0;
    int64_t *places = calloc(count, sizeof *places);
    WORKS(mass_engine_read(run, wealth.attribute, NULL, values, wealth.bytes));
    WORKS(mass_engine_read(run, place.attribute, NULL, places, place.bytes));
    for (size_t i = 0; i < count; i++) {
        if (i) cr_assert(places[i] > places[i - 1]);
        if (values[i] > most) most = values[i];
    }
    cr_expect_eq(tally(run, "rich"), most);
    char before[33], after[33];
    WORKS(mass_engine_hash(run, before));
    WORKS(mass_engine_write(run, wealth.attribute, NULL, values, wealth.bytes));
    check_state(run, before); /* the same values are the same state */
    for (size_t i = 0; i < count; i++) values[i] = 777;
    WORKS(mass_engine_write(run, wealth.attribute, NULL, values, wealth.bytes));
    cr_expect_eq(tally(run, "rich"), 777);
    WORKS(mass_engine_hash(run, after));
    cr_expect_str_neq(after, before);
    WORKS(mass_engine_step(run, 1, 0, NULL));
    mass_engine_close(run);
    free(values);
    free(places);
}

Test(values, in_views_are_those_of_copies)
{
    mass_engine *run = OPEN("heat", {"size", "9x7x5"}, {"seed", "1"}, {"worlds", "2"});
    WORKS(mass_engine_step(run, 4, 0, NULL));
    const mass_engine_array a = find(run, "temperature");
    const size_t count = a.bytes / a.value_bytes;
    cr_assert_eq(count, 2 * 9 * 7 * 5 * 2); /* two worlds, two components in arrays of their own */
    char *copy = malloc(a.bytes);
    mass_engine_view v;
    WORKS(mass_engine_read(run, a.attribute, NULL, copy, a.bytes));
    WORKS(mass_engine_view_begin(run, a.attribute, &v));
    size_t at = 0;
    for (int64_t w = 0; w < 2; w++)
        for (int64_t z = 0; z < 5; z++)
            for (int64_t y = 0; y < 7; y++)
                for (int64_t xk = 0; xk < 9 * 2; xk++, at += a.value_bytes)
                    cr_assert(memcmp((const char *)v.values + w * v.stride[0] + z * v.stride[1] + y * v.stride[2] +
                                     xk / 2 * v.stride[3] + xk % 2 * v.stride[4], copy + at, a.value_bytes) == 0);
    mass_engine_device_view of_device = {.struct_size = sizeof of_device};
    WORKS(mass_engine_device_view_begin(run, a.attribute, &of_device)); /* the device is the host */
    cr_assert(of_device.gpu == -1 && memcmp(&of_device.view, &v, sizeof v) == 0);
    mass_engine_view_end(run);
    of_device.struct_size = 8;
    FAILS(mass_engine_device_view_begin(run, a.attribute, &of_device), MASS_BAD_USAGE, "set struct_size");
    FAILS(mass_engine_step(run, 1, 0, NULL), MASS_ENGINE_VIEWED, "a view of the run is open");
    FAILS(mass_engine_write(run, a.attribute, NULL, copy, a.bytes), MASS_ENGINE_VIEWED, "a view of the run is open");
    WORKS(mass_engine_read(run, a.attribute, NULL, copy, a.bytes));
    mass_engine_view_end(run);
    WORKS(mass_engine_step(run, 1, 0, NULL));
    mass_engine_close(run);
    free(copy);
}

Test(values, that_no_view_shows)
{
    mass_engine_view v;
    mass_engine_device_view of_device = {.struct_size = sizeof of_device};
    mass_engine *life = OPEN("life", {"size", "64x64"}, {"seed", "1"});
    FAILS(mass_engine_view_begin(life, find(life, "health").attribute, &v), MASS_NO_DEVICE, "its values are bits");
    FAILS(mass_engine_device_view_begin(life, find(life, "health").attribute, &of_device), MASS_NO_DEVICE,
          "its values are bits");
    WORKS(mass_engine_step(life, 1, 0, NULL));
    mass_engine_close(life);
    mass_engine *parts = OPEN("heat", {"size", "64x64"}, {"seed", "1"}, {"partitions", "2"});
    FAILS(mass_engine_view_begin(parts, find(parts, "temperature").attribute, &v), MASS_NO_DEVICE,
          "several partitions");
    mass_engine_close(parts);
}

/* Checks a logged run: a row each `every` steps, with the tallies of single steps. */
static void check_log(uint64_t every)
{
    enum { STEPS = 12 };
    double ants[STEPS + 1];
    mass_engine_series s;
    mass_engine *run = OPEN("sugarscape", {"size", "30x30"}, {"seed", "2"});
    for (int i = 0; i <= STEPS; i++) {
        if (i) WORKS(mass_engine_step(run, 1, 0, NULL));
        ants[i] = tally(run, "ants");
    }
    mass_engine_close(run);
    run = OPEN("sugarscape", {"size", "30x30"}, {"seed", "2"});
    WORKS(mass_engine_log(run, (const char *const[]){"twice=2 * ants", "wealth_histogram"}, 2, every));
    WORKS(mass_engine_step(run, 5, 0, NULL));
    WORKS(mass_engine_step(run, STEPS - 5, 0, NULL));
    WORKS(mass_engine_series_of(run, &s));
    cr_assert_eq(s.rows, STEPS / every + 1);
    for (uint32_t c = 0; c < s.column_count; c++) {
        const mass_engine_column *column = &s.columns[c];
        if (strcmp(column->name, "wealth_histogram") == 0) cr_expect_eq(column->length, 50);
        for (uint64_t r = 0; r < s.rows && strcmp(column->name, "twice") == 0; r++) {
            cr_assert_eq(s.steps[r], r * every);
            cr_assert_eq(s.values[r * s.row_values + column->first], 2 * ants[s.steps[r]]);
        }
    }
    mass_engine_close(run);
}

Test(values, of_series_at_every_step) { check_log(1); }
Test(values, of_series_at_some_steps) { check_log(4); }
