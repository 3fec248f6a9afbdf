/* SPDX-License-Identifier: Apache-2.0 */
/* Series with bins among those of single values: what is read is what was added, and other shapes are refused. */
#include "io/folder/names.h"
#include "io/series/series.h"
#include "io/series/text.h"

#include <criterion/criterion.h>
#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/mass-series-XXXXXX", file[64];

static void make_folder(void)
{
    cr_assert_not_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/" MASS_SERIES_FILE, folder);
}

static void remove_folder(void)
{
    unlink(file);
    rmdir(folder);
}

TestSuite(series, .init = make_folder, .fini = remove_folder);

/* ---- a file of three columns ---- */

enum { BINS = 7, MOST = 5000 };

static mass_series_column columns[3];

static mass_series_set set_of(int32_t worlds, uint32_t bins)
{
    columns[0] = (mass_series_column){.name = "mean", .expression = "mean", .unit = "K"};
    columns[1] = (mass_series_column){.name = "wealth", .expression = "wealth", .unit = "EUR", .length = bins,
                                      .lo = -0.5, .hi = 3};
    columns[2] = (mass_series_column){.name = "ages", .expression = "ages", .length = 2};
    return (mass_series_set){.plugin = "test", .schema = "s", .run = "r", .every = 5, .worlds = worlds, .count = 3,
                             .columns = columns};
}

/* Value i of a row. */
static double value_of(uint64_t row, size_t i) { return (double)row * 1000003 + (double)i / 3; }

static void add_rows(mass_series_writer *s, const mass_series_set *set, uint64_t first, uint64_t rows)
{
    mass_error error = {0};
    const size_t size = mass_series_row_values(set);
    double *row = malloc(size * sizeof *row);
    for (uint64_t r = first; r < first + rows; r++) {
        for (size_t i = 0; i < size; i++) row[i] = value_of(r, i);
        cr_assert_eq(mass_series_add(s, 5 * r, row, &error), MASS_OK);
    }
    free(row);
    cr_assert_eq(mass_series_publish(s, &error), MASS_OK, "%s", error.text);
}

static void write_rows(const mass_series_set *set, uint64_t rows)
{
    mass_error error = {0};
    mass_series_writer *s;
    cr_assert_eq(mass_series_create(set, folder, NULL, NULL, 0, &s, &error), MASS_OK);
    const uint64_t half = rows / 2;
    add_rows(s, set, 0, half);
    add_rows(s, set, half, rows - half);
    mass_series_free(s);
}

static mass_series_contents describe(void)
{
    mass_error error = {0};
    mass_series_contents c;
    cr_assert_eq(mass_series_describe(file, &c, &error), MASS_OK, "%s", error.text);
    return c;
}

/* Some rows of all columns are those that were added. */
static void compare(const mass_series_contents *c, uint64_t first, uint64_t rows)
{
    const size_t size = mass_series_row_values(&c->set);
    size_t before = 0;
    for (uint32_t k = 0; k < c->set.count; k++) {
        mass_error error = {0};
        const size_t own = mass_series_length(&c->set.columns[k]) * (size_t)c->set.worlds;
        double *values = malloc(rows * own * sizeof *values);
        cr_assert_eq(mass_series_read(c, k, first, rows, values, &error), MASS_OK, "%s", error.text);
        for (uint64_t i = 0; i < rows * own; i++)
            cr_assert_eq(values[i], value_of(first + i / own, before + i % own), "%s %zu", c->set.columns[k].name,
                         (size_t)i);
        free(values);
        before += own;
    }
    cr_assert_eq(before, size);
}

Test(series, rows_with_bins_come_back)
{
    static const uint32_t lengths[] = {2, BINS, MOST};
    for (int32_t worlds = 1; worlds <= 4; worlds += 3)
        for (size_t i = 0; i < 3; i++) {
            mass_series_set set = set_of(worlds, lengths[i]);
            write_rows(&set, 9);
            mass_series_contents c = describe();
            cr_assert(c.rows == 9 && mass_series_same(&c.set, &set));
            const mass_series_column *wealth = &c.set.columns[1], *ages = &c.set.columns[2];
            cr_assert(wealth->lo == -0.5 && wealth->hi == 3 && ages->lo == ages->hi && ages->length == 2);
            cr_assert_str_eq(wealth->unit, "EUR");
            compare(&c, 0, 9);
            compare(&c, 4, 1);
            mass_series_contents_free(&c);
        }
}

Test(series, a_run_that_goes_on_takes_rows_with_bins_over)
{
    mass_error error = {0};
    mass_series_set set = set_of(2, BINS);
    mass_series_writer *s;
    write_rows(&set, 9);
    mass_series_contents c = describe();
    cr_assert_eq(mass_series_create(&set, folder, file, &c, 25, &s, &error), MASS_OK);
    add_rows(s, &set, 6, 30);
    mass_series_free(s);
    mass_series_contents_free(&c);
    c = describe();
    cr_assert_eq(c.rows, 36);
    compare(&c, 0, 36);
    mass_series_contents_free(&c);
}

/* As many as are read at once, and more. */
Test(series, many_rows_are_taken_over)
{
    enum { WORLDS = 100, ROWS = 400, KEPT = 399 };
    mass_error error = {0};
    mass_series_set set = set_of(WORLDS, 100);
    mass_series_writer *s;
    write_rows(&set, ROWS);
    mass_series_contents c = describe();
    cr_assert_eq(mass_series_create(&set, folder, file, &c, 5 * (KEPT - 1), &s, &error), MASS_OK);
    add_rows(s, &set, KEPT, 3);
    add_rows(s, &set, KEPT + 3, 2);
    mass_series_free(s);
    mass_series_contents_free(&c);
    c = describe();
    cr_assert_eq(c.rows, KEPT + 5);
    compare(&c, 0, KEPT + 5);
    mass_series_contents_free(&c);
}

static htri_t has_stray(void)
{
    const hid_t f = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
    const htri_t has = H5Aexists(f, "stray");
    H5Fclose(f);
    return has;
}

/* What is added to was made here: of what somebody else put into a file, only rows go on. */
Test(series, a_file_that_was_found_is_only_read)
{
    mass_error error = {0};
    mass_series_set set = set_of(1, BINS);
    mass_series_writer *s;
    write_rows(&set, 4);
    const hid_t f = H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT), space = H5Screate(H5S_SCALAR);
    H5Aclose(H5Acreate2(f, "stray", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
    H5Fclose(f);
    cr_assert_gt(has_stray(), 0);
    mass_series_contents c = describe();
    cr_assert_eq(mass_series_create(&set, folder, file, &c, 15, &s, &error), MASS_OK);
    add_rows(s, &set, 4, 1);
    mass_series_free(s);
    mass_series_contents_free(&c);
    cr_assert_eq(has_stray(), 0);
    c = describe();
    compare(&c, 0, 5);
    mass_series_contents_free(&c);
}

/* ---- what stands beside the series ---- */

static const char *const edges[] = {"dead", "torus", NULL};

/* The same of 2 worlds of a sweep, over a real, a choice and an integer that is called as a series is. */
static mass_series_set swept_set(void)
{
    static const double real[] = {0.5, 1e-3};
    static const uint64_t choice[] = {1, 0}, integer[] = {7, (uint64_t)-7};
    static const mass_parameter list[] = {{.name = "density", .type = MASS_REAL, .unit = "1"},
                                          {.name = "edge", .type = MASS_CHOICE, .choices = edges},
                                          {.name = "mean", .type = MASS_INTEGER}};
    const void *const values[] = {real, choice, integer};
    mass_error error = {0};
    mass_series_set set = set_of(2, BINS);
    set.parameters.worlds = 2;
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(mass_parameters_add(&set.parameters, &list[i], &error), MASS_OK);
        set.parameters.slots[i].swept = malloc(2 * sizeof(uint64_t));
        memcpy(set.parameters.slots[i].swept, values[i], 2 * sizeof(uint64_t));
    }
    return set;
}

static void write_swept(uint64_t rows)
{
    mass_series_set set = swept_set();
    write_rows(&set, rows);
    mass_parameters_free(&set.parameters);
}

static void expect_label(const mass_series_contents *c, int32_t world, const char *wanted)
{
    char label[200];
    mass_swept_label(&c->set.parameters, world, label, sizeof label);
    cr_expect_str_eq(label, wanted);
}

Test(series, parameters_of_a_sweep_come_back)
{
    write_swept(9);
    mass_series_contents c = describe();
    cr_assert_eq(c.set.parameters.count, 3);
    expect_label(&c, 0, "density = 0.5, edge = torus, mean = 7");
    expect_label(&c, 1, "density = 0.001, edge = dead, mean = -7");
    compare(&c, 0, 9);
    mass_series_contents_free(&c);
}

/* Of a data set, that an axis has this scale, and no more of them. */
static void expect_scale(hid_t f, const char *name, unsigned axis, const char *scale)
{
    const hid_t set = H5Dopen2(f, name, H5P_DEFAULT), along = H5Dopen2(f, scale, H5P_DEFAULT);
    cr_expect(H5DSis_scale(along) > 0 && H5DSis_attached(set, along, axis) > 0, "%s of axis %u of %s", scale, axis,
              name);
    cr_expect_eq(H5DSget_num_scales(set, axis), 1);
    H5Dclose(along);
    H5Dclose(set);
}

Test(series, axes_are_dimension_scales)
{
    write_swept(9); /* in two parts, of which the second one is added to a copy */
    const hid_t f = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
    expect_scale(f, "/series/mean", 0, "/series/step");
    expect_scale(f, "/series/mean", 1, "/series/world");
    expect_scale(f, "/series/wealth", 0, "/series/step");
    expect_scale(f, "/series/wealth", 1, "/series/world");
    expect_scale(f, "/series/wealth", 2, "/series/wealth-bin");
    expect_scale(f, "/series/ages", 2, "/series/ages-bin");
    expect_scale(f, "/series/density", 0, "/series/world");
    expect_scale(f, "/series/mean-parameter", 0, "/series/world");
    double middle[BINS];
    const hid_t bins = H5Dopen2(f, "/series/wealth-bin", H5P_DEFAULT);
    cr_assert_geq(H5Dread(bins, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, middle), 0);
    for (int i = 0; i < BINS; i++) cr_expect_float_eq(middle[i], -0.5 + (i + 0.5) * 3.5 / BINS, 1e-12);
    H5Dclose(bins);
    H5Fclose(f);
    mass_series_set one = set_of(1, BINS);
    write_rows(&one, 2);
    const hid_t g = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
    expect_scale(g, "/series/wealth", 1, "/series/wealth-bin");
    H5Fclose(g);
}

/* Format 1 had nothing beside its series. */
Test(series, a_run_goes_on_with_a_file_of_format_1)
{
    mass_error error = {0};
    mass_series_writer *s;
    mass_series_contents before, after;
    static const char old[] = MASS_DATA_DIR "/../tests/fuzz/corpus/series/worlds.h5";
    cr_assert_eq(mass_series_describe(old, &before, &error), MASS_OK, "%s", error.text);
    const uint64_t last = before.first + (before.rows - 1) * before.set.every;
    const size_t size = mass_series_row_values(&before.set), own = size / before.set.count;
    double *row = calloc(size, sizeof *row), *column = calloc((before.rows + 1) * own, sizeof *column);
    for (size_t i = 0; i < size; i++) row[i] = (double)i + 0.5;
    cr_assert_eq(mass_series_create(&before.set, folder, old, &before, last, &s, &error), MASS_OK);
    cr_assert_eq(mass_series_add(s, last + before.set.every, row, &error), MASS_OK);
    cr_assert_eq(mass_series_publish(s, &error), MASS_OK, "%s", error.text);
    mass_series_free(s);
    after = describe();
    cr_expect(after.rows == before.rows + 1 && mass_series_same(&after.set, &before.set));
    cr_assert_eq(mass_series_read(&after, 0, 0, after.rows, column, &error), MASS_OK);
    cr_expect_arr_eq(column + before.rows * own, row, own * sizeof *row);
    mass_series_contents_free(&before);
    mass_series_contents_free(&after);
    free(column);
    free(row);
}

/* A file that was changed behind the writer's back is refused with these words. */
static void refuse_changed(void (*change)(hid_t group), const char *refusal)
{
    mass_error error = {0};
    mass_series_contents c;
    write_swept(3);
    const hid_t f = H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT), group = H5Gopen2(f, "series", H5P_DEFAULT);
    change(group);
    H5Gclose(group);
    H5Fclose(f);
    cr_expect_eq(mass_series_describe(file, &c, &error), MASS_BAD_INPUT, "%s", refusal);
    cr_expect_not_null(strstr(error.text, refusal), "%s", error.text);
    mass_series_contents_free(&c);
}

static hid_t make_set(hid_t group, const char *name, hid_t type, int rank, const hsize_t *extent);
static void put_text(hid_t at, const char *name);

static void add_beside(hid_t group, const char *name, hid_t type, hsize_t count, const void *values)
{
    const hid_t set = make_set(group, name, type, 1, &count);
    put_text(set, "unit");
    if (values) cr_assert_geq(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
    H5Dclose(set);
}

static void no_world(hid_t g) { H5Ldelete(g, "world", H5P_DEFAULT); }
static void other_worlds(hid_t g)
{
    const hid_t set = H5Dopen2(g, "world", H5P_DEFAULT);
    H5Dwrite(set, H5T_STD_I64LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, (const int64_t[]){0, 2});
    H5Dclose(set);
}
static void bins_of_nothing(hid_t g) { add_beside(g, "mean-bin", H5T_IEEE_F64LE, 1, NULL); }
static void too_few(hid_t g) { add_beside(g, "speed", H5T_IEEE_F64LE, 1, NULL); }
static void odd_type(hid_t g) { add_beside(g, "speed", H5T_STD_U8LE, 2, NULL); }
static void odd_name(hid_t g) { add_beside(g, "speed-parameter", H5T_IEEE_F64LE, 2, (const double[]){1, 2}); }
static void odder_name(hid_t g) { add_beside(g, "2-3", H5T_IEEE_F64LE, 2, (const double[]){1, 2}); }
static void no_number(hid_t g) { add_beside(g, "speed", H5T_IEEE_F64LE, 2, (const double[]){1, __builtin_nan("")}); }
static void no_unit(hid_t g)
{
    H5Adelete_by_name(g, "density", "unit", H5P_DEFAULT);
}

Test(series, what_stands_beside_them_is_held_to_the_format)
{
    refuse_changed(no_world, "it has no 'world'");
    refuse_changed(other_worlds, "its numbers of worlds are wrong");
    refuse_changed(bins_of_nothing, "'mean-bin' is of no series with bins");
    refuse_changed(too_few, "'speed' has another type or extent");
    refuse_changed(odd_type, "'speed' has another type or extent");
    refuse_changed(odd_name, "parameter 'speed' is called 'speed-parameter'");
    refuse_changed(odder_name, "parameter '2-3' is not named by letters");
    refuse_changed(no_number, "parameter 'speed' is not finite");
    refuse_changed(no_unit, "it has no 'unit'");
}

/* ---- other shapes ---- */

static hid_t make_set(hid_t group, const char *name, hid_t type, int rank, const hsize_t *extent)
{
    const hsize_t chunk[4] = {1, 1, 1, 1};
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(rank, extent, NULL);
    H5Pset_chunk(list, rank, chunk);
    H5Pset_fletcher32(list);
    const hid_t set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Sclose(space);
    H5Pclose(list);
    return set;
}

static void put(hid_t at, const char *name, hid_t type, const void *value)
{
    const hid_t space = H5Screate(H5S_SCALAR), a = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    cr_assert(a >= 0 && H5Awrite(a, type, value) >= 0);
    H5Aclose(a);
    H5Sclose(space);
}

static void put_text(hid_t at, const char *name)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    put(at, name, type, "");
    H5Tclose(type);
}

/* Adds a series to a file with 3 rows, with edges where they are no NaN. */
static void add_series(hid_t type, int rank, const hsize_t *extent, double lo, double hi)
{
    const hid_t f = H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT), group = H5Gopen2(f, "series", H5P_DEFAULT);
    const hid_t set = make_set(group, "foreign", type, rank, extent);
    cr_assert(f >= 0 && set >= 0);
    put_text(set, "expression");
    put_text(set, "unit");
    if (lo == lo) put(set, "lo", H5T_IEEE_F64LE, &lo);
    if (hi == hi) put(set, "hi", H5T_IEEE_F64LE, &hi);
    H5Dclose(set);
    H5Gclose(group);
    H5Fclose(f);
}

static void expect(int32_t worlds, int rank, const hsize_t *extent, double lo, double hi, const char *refusal)
{
    mass_error error = {0};
    mass_series_contents c;
    mass_series_set set = set_of(worlds, BINS);
    write_rows(&set, 3);
    add_series(H5T_IEEE_F64LE, rank, extent, lo, hi);
    mass_series_describe(file, &c, &error);
    cr_expect_eq(error.status, refusal ? MASS_BAD_INPUT : MASS_OK, "%s", error.text);
    if (refusal) cr_expect_not_null(strstr(error.text, refusal), "%s", error.text);
    mass_series_contents_free(&c);
}

#define EXTENT(...) (const hsize_t[]){__VA_ARGS__}
static const double none = __builtin_nan("");

Test(series, other_shapes_are_refused)
{
    static const char shape[] = "'foreign' has another type or extent";
    expect(1, 2, EXTENT(3, 9), none, none, NULL);
    expect(1, 2, EXTENT(4, 9), none, none, shape);
    expect(1, 2, EXTENT(3, MASS_SERIES_LENGTH_MAX + 1), none, none, shape);
    expect(1, 3, EXTENT(3, 1, 9), none, none, shape);
    expect(1, 1, EXTENT(3), none, none, shape);
    expect(2, 3, EXTENT(3, 2, 9), none, none, NULL);
    expect(2, 3, EXTENT(3, 3, 9), none, none, shape);
    expect(2, 3, EXTENT(3, 2, 1), none, none, shape);
    expect(2, 2, EXTENT(3, 9), none, none, shape);
    expect(2, 4, EXTENT(3, 2, 9, 1), none, none, shape);
}

Test(series, edges_that_are_none_are_refused)
{
    expect(1, 2, EXTENT(3, 9), 1, 2, NULL);
    expect(1, 2, EXTENT(3, 9), 2, 2, "have no extent");
    expect(1, 2, EXTENT(3, 9), 3, 2, "have no extent");
    expect(1, 2, EXTENT(3, 9), -1.7e308, 1.7e308, "have no extent");
    expect(1, 2, EXTENT(3, 9), 1, none, "it has no 'hi'");
    expect(1, 2, EXTENT(3, 9), none, 1, "it has no 'lo'");
}

/* A file of a few kilobytes that says it has a million million rows. */
Test(series, rows_that_are_not_there_are_refused)
{
    mass_error error = {0};
    mass_series_contents c;
    mass_series_set set = set_of(1, BINS);
    write_rows(&set, 3);
    const hid_t f = H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT), steps = H5Dopen2(f, "/series/step", H5P_DEFAULT);
    cr_assert_geq(H5Dset_extent(steps, EXTENT(1000000000000)), 0);
    H5Dclose(steps);
    H5Fclose(f);
    cr_assert_eq(mass_series_describe(file, &c, &error), MASS_BAD_INPUT);
    cr_assert_not_null(strstr(error.text, "'step' is not stored whole"), "%s", error.text);
}

/* ---- as text ---- */

static void expect_text(const mass_series_set *set, const char *name, const char *wanted)
{
    char path[80], text[500] = "";
    mass_error error = {0};
    mass_series_text *t;
    static const double row[] = {0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (int resumed = 0; resumed < 2; resumed++) {
        const mass_series_text_start start = {.resumed = resumed};
        cr_assert_eq(mass_series_text_create(set, path, &start, &t, &error), MASS_OK, "%s", error.text);
        cr_assert_eq(mass_series_text_begin(t, &error), MASS_OK);
        if (!resumed) cr_assert_eq(mass_series_text_add(t, 0, row, &error), MASS_OK);
        mass_series_text_free(t);
    }
    FILE *from = fopen(path, "r");
    cr_assert_lt(fread(text, 1, sizeof text, from), sizeof text);
    fclose(from);
    unlink(path);
    cr_expect_str_eq(text, wanted);
}

Test(series, bins_are_columns_and_lists_of_text)
{
    const mass_series_set one = set_of(1, 3);
    expect_text(&one, "a.csv", "step,mean,wealth[0],wealth[1],wealth[2],ages[0],ages[1]\n0,0.5,1,2,3,4,5\n");
    expect_text(&one, "a.jsonl", "{\"step\": 0, \"mean\": 0.5, \"wealth\": [1, 2, 3], \"ages\": [4, 5]}\n");
    const mass_series_set two = set_of(2, 2);
    expect_text(&two, "b.csv", "step,world,mean,wealth[0],wealth[1],ages[0],ages[1]\n0,0,0.5,2,3,6,7\n0,1,1,4,5,8,9\n");
    expect_text(&two, "b.jsonl",
                "{\"step\": 0, \"mean\": [0.5, 1], \"wealth\": [[2, 3], [4, 5]], \"ages\": [[6, 7], [8, 9]]}\n");
}
