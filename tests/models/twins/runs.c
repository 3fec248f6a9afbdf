/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of bits on CPUs: the same values as their twins of bytes, however they are run. */
#include "same.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TWINS "'" MASS_TEST_PLUGINS "/twins.so'"

/* Widths around words and cache lines; one to three dimensions. */
static const char *const sizes[] = {"1",    "2",    "31",    "33",   "65",    "700",    "1600",  "1x1",      "2x3",
                                    "31x7", "32x5", "33x32", "63x2", "65x33", "129x17", "1000x7", "5x3x4", "66x5x9"};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const char *run_twins(const char *size, int torus, const char *where)
{
    return engine_result(text("--plugin '%s/twins.so' --size %s --steps 7 --seed 5 --set torus=%d --set walkers=%d %s",
                              MASS_TEST_PLUGINS, size, torus, strchr(size, 'x') ? 3 : 1, where));
}

static void expect_equal_twins(const char *size, int torus, const char *where)
{
    outcome o = engine_run(text("--plugin '%s/twins.so' --size %s --steps 7 --seed 5 --set torus=%d "
                                "--set walkers=%d %s", MASS_TEST_PLUGINS, size, torus,
                                strchr(size, 'x') ? 3 : 1, where));
    cr_assert_eq(tally_of(&o, "differ"), 0, "%s %s", size, where);
    cr_assert_eq(tally_of(&o, "alive"), tally_of(&o, "alive_too"), "%s %s", size, where);
    outcome_free(&o);
}

Test(twins, bits_and_bytes_stay_the_same)
{
    for (int i = 0; i < SIZES; i++) expect_equal_twins(sizes[i], i % 8, "--threads 1");
    expect_equal_twins("1000x777", 3, "--threads 2");
}

Test(twins, every_place_to_run_is_the_same)
{
    for (int i = 0; i < SIZES; i += 3) {
        const char *expected = run_twins(sizes[i], (i + 5) % 8, "--threads 1");
        cr_assert_str_eq(run_twins(sizes[i], (i + 5) % 8, "--threads 3"), expected, "%s", sizes[i]);
        cr_assert_str_eq(run_twins(sizes[i], (i + 5) % 8, "--device paranoid"), expected, "%s", sizes[i]);
    }
}

Test(twins, partitions_are_the_same)
{
    static const char *const cut[] = {"700", "1600", "31x7", "63x2", "65x33", "5x3x4"};
    for (int i = 0; i < (int)(sizeof cut / sizeof *cut); i++) {
        const char *expected = run_twins(cut[i], i + 1, "--threads 1");
        cr_assert_str_eq(run_twins(cut[i], i + 1, "--threads 2 --partitions 2"), expected, "%s", cut[i]);
    }
    engine_refuse(text("--plugin '%s/twins.so' --size 700 --partitions 3", MASS_TEST_PLUGINS), 2,
                  "it can be cut every 512 places, into 2");
}

Test(twins, worlds_are_apart)
{
    outcome o = engine_run(text("--plugin '%s/twins.so' --size 70x9 --steps 9 --worlds 5 --threads 2",
                                MASS_TEST_PLUGINS));
    const json_t *differ = json_object_get(json_object_get(o.report, "tallies"), "differ");
    cr_assert_eq(json_array_size(differ), 5);
    for (size_t i = 0; i < 5; i++) cr_assert_eq(json_integer_value(json_array_get(differ, i)), 0, "world %zu", i);
    outcome_free(&o);
}

/* ---- files ---- */

/* Rows of bits, the lowest first and spare ones 0, are rows of bytes. dataset_read takes bits apart. */
static void expect_packed(const char *path, const char *bits_name, const char *bytes_name, size_t width)
{
    dataset bits = dataset_read_packed(path, bits_name), apart = dataset_read(path, bits_name);
    dataset bytes = dataset_read(path, bytes_name);
    const size_t row = (width + 7) / 8;
    cr_assert_eq(bits.size / row, bytes.size / width);
    for (size_t y = 0; y < bytes.size / width; y++)
        for (size_t x = 0; x < row * 8; x++)
            cr_assert_eq(bits.bytes[y * row + x / 8] >> x % 8 & 1, x < width ? bytes.bytes[y * width + x] : 0,
                         "%s (%zu, %zu)", bits_name, x, y);
    cr_assert_eq(apart.size, bytes.size);
    cr_assert_eq(memcmp(apart.bytes, bytes.bytes, bytes.size), 0);
    free(bits.bytes);
    free(apart.bytes);
    free(bytes.bytes);
}

Test(twins, a_checkpoint_has_eight_places_a_byte_and_fields_have_one)
{
    const char *folder = folder_make(), *fields = folder_make();
    engine_write(text("--plugin " TWINS " --size 65x33 --worlds 2 --seed 5 --steps 4 --checkpoint '%s' --fields '%s' "
                      "--fields-every 4", folder, fields));
    expect_packed(checkpoint_path(folder, 4), "/places/grid/bit", "/places/grid/byte", 65);
    expect_packed(checkpoint_path(folder, 4), "/places/grid/seen", "/places/grid/seen_too", 65);
    const char *path = text("%s/fields-000000000004.h5", fields);
    dataset bits = dataset_read(path, "/world_1/places/grid/bit");
    dataset bytes = dataset_read(path, "/world_1/places/grid/byte");
    cr_assert_eq(bits.size, bytes.size);
    cr_assert_eq(memcmp(bits.bytes, bytes.bytes, bits.size), 0);
    free(bits.bytes);
    free(bytes.bytes);
}

Test(twins, resumed_anywhere_are_the_same)
{
    const model m = {.options = "--plugin " TWINS " --seed 3 --size 65x33 --set torus=2", .state = "/places/grid/bit",
                     .rows = 33, .steps = 20};
    const leg legs[] = {{3, "--device cpu --threads 2"}, {7, "--partitions 5 --plugin " TWINS},
                        {9, "--device paranoid --plugin " TWINS}, {0, "--threads 1 --plugin " TWINS}};
    expect_same_resumed(&m, legs, sizeof legs / sizeof *legs);
}

/* Which says that it is of another build. */
static outcome resume_as_bits(const char *folder)
{
    process p = engine_start(text("--resume '%s' --plugin " TWINS " --steps 9 --quiet", folder));
    return engine_finish(&p);
}

Test(twins, a_checkpoint_of_bytes_goes_on_as_bits)
{
    static const char *const shapes[] = {"--size 65x33 --worlds 2", "--size 700", "--size 5x3x4"};
    for (int i = 0; i < 3; i++) {
        const char *folder = folder_make();
        engine_write(text("--plugin '%s/../before/twins_of_bytes.so' %s --seed 5 --steps 4 --checkpoint '%s'",
                          MASS_TEST_PLUGINS, shapes[i], folder));
        outcome resumed = resume_as_bits(folder);
        outcome whole = engine_run(text("--plugin " TWINS " %s --seed 5 --steps 9", shapes[i]));
        cr_assert_eq(resumed.status, 0, "%s", resumed.errors);
        cr_assert_str_eq(resumed.hash, whole.hash, "%s", shapes[i]);
        cr_assert_str_eq(resumed.tallies, whole.tallies, "%s", shapes[i]);
        outcome_free(&resumed);
        outcome_free(&whole);
    }
}

static const char *csv_of(int values, int number)
{
    const char *path = text("%s/a.csv", folder_make());
    FILE *file = fopen(path, "w");
    for (int i = 0; i < values; i++) fprintf(file, "%s%d", i ? "," : "", i % 3 == 1 ? number : 0);
    fclose(file);
    return path;
}

Test(twins, bytes_that_are_no_bits_are_refused)
{
    const char *folder = folder_make();
    engine_write(text("--plugin '%s/../before/twins_of_bytes.so' --size 9 --seed 5 --steps 0 --load 'seen=%s' "
                      "--checkpoint '%s'", MASS_TEST_PLUGINS, csv_of(9, 2), folder));
    outcome resumed = resume_as_bits(folder);
    cr_assert_eq(resumed.status, 4);
    cr_assert(strstr(resumed.errors, "'seen' has a value of 2, and twins has bits there"), "%s", resumed.errors);
    outcome_free(&resumed);
    engine_refuse(text("--plugin " TWINS " --size 9 --load 'seen=%s'", csv_of(9, 2)), 4,
                  "2 at (x 1) is not a value that grid.seen has: 0 or 1");
}

Test(twins, loads_pictures_and_tallies_take_bits)
{
    const char *folder = folder_make(), *csv = csv_of(70, 1), *picture = text("%s/a.png", folder);
    outcome loaded = engine_run(text("--plugin " TWINS " --size 70 --seed 5 --steps 0 --load 'bit=%s' --load 'byte=%s' "
                                     "--tally 'n=sum(bit)' --tally 'm=max(seen)' --tally 'h=hist(bit,2,0,1)' "
                                     "--image '%s'", csv, csv, picture));
    cr_assert_eq(tally_of(&loaded, "n"), 23);
    cr_assert_eq(tally_of(&loaded, "m"), 0);
    outcome again = engine_run(text("--plugin " TWINS " --size 70x1 --seed 5 --steps 0 --load 'bit=%s' "
                                    "--load 'byte=%s' --tally 'n=sum(bit)'", picture, csv));
    cr_assert_eq(tally_of(&again, "n"), 23);
    outcome_free(&again);
    outcome_free(&loaded);
}
