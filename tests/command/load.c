/* SPDX-License-Identifier: Apache-2.0 */
/* --load: attributes that start with the numbers of a file, and what the user is told of a bad one. */
#include "command.h"

#include <hdf5.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

TestSuite(load, SCRATCH);

#define LIFE "--plugin", "life", "--size", "4x3", "--steps", "0", "--seed", "1", "--quiet"
#define HEAT "--plugin", "heat", "--size", "3x2", "--steps", "0", "--seed", "1", "--quiet"
#define OUT "--checkpoint", scratch("out")

static const char *file(const char *name, const char *text)
{
    const char *path = scratch(name);
    file_write_text(path, text);
    return path;
}

/* A .npy of version 1. */
static const char *npy(const char *name, const char *descr, const char *order, const char *shape, const void *numbers,
                       size_t size)
{
    uint8_t bytes[4096] = "\x93NUMPY\x01\x00";
    const int length = sprintf((char *)bytes + 10, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n", descr,
                               order, shape);
    bytes[8] = (uint8_t)length;
    memcpy(bytes + 10 + length, numbers, size);
    file_write(scratch(name), bytes, 10 + (size_t)length + size);
    return scratch(name);
}
#define NPY(NAME, DESCR, ORDER, SHAPE, T, ...) \
    npy(NAME, DESCR, ORDER, SHAPE, (const T[]){__VA_ARGS__}, sizeof(const T[]){__VA_ARGS__})

static const char *load(const char *name, const char *path) { return path_of("%s=%s", name, path); }

/* Rows of eight places a byte to a number each. Returns how many there are. */
static size_t unpack(hid_t set, int rows, double *values)
{
    uint64_t places;
    uint8_t bytes[64];
    const hid_t extent = H5Aopen(set, "extent", H5P_DEFAULT);
    cr_assert_geq(H5Aread(extent, H5T_NATIVE_UINT64, &places), 0);
    cr_assert_geq(H5Dread(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes), 0);
    H5Aclose(extent);
    for (size_t i = 0; i < (size_t)rows * places; i++)
        values[i] = bytes[i / places * ((places + 7) / 8) + i % places / 8] >> i % places % 8 & 1;
    return (size_t)rows * places;
}

/* Numbers of a data set of the checkpoint of step 0. */
static void expect_set(const char *name, size_t count, const double *values)
{
    double found[64];
    const hid_t f = H5Fopen(scratch("out/ckpt-000000000000.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t set = H5Dopen2(f, name, H5P_DEFAULT), space = H5Dget_space(set);
    const int points = (int)H5Sget_simple_extent_npoints(space);
    if (H5Aexists(set, "extent") > 0) cr_assert_eq(unpack(set, points, found), count, "%s", name); /* of few places */
    else {
        cr_assert_eq(points, (int)count, "%s", name);
        cr_assert_geq(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, found), 0);
    }
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(f);
    for (size_t i = 0; i < count; i++) cr_assert_float_eq(found[i], values[i], 0, "%s[%zu] is %g", name, i, found[i]);
}
#define EXPECT_SET(NAME, ...) \
    expect_set(NAME, sizeof(const double[]){__VA_ARGS__} / sizeof(double), (const double[]){__VA_ARGS__})

/* A data set of a file of its own; extents end with 0. */
static const char *hdf5(const char *name, hid_t type, const hsize_t *extent, const void *numbers)
{
    int rank = 0;
    while (extent[rank]) rank++;
    const hid_t f = H5Fcreate(scratch(name), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t group = H5Gcreate2(f, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(rank, extent, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, rank, extent);
    H5Pset_deflate(list, 6);
    const hid_t set = H5Dcreate2(group, "set", type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    cr_assert_geq(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers), 0);
    H5Dclose(set);
    H5Pclose(list);
    H5Sclose(space);
    H5Gclose(group);
    H5Lcreate_external("/etc/passwd", "/", f, "outside", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/group/set", f, "soft", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("./set", f, "group/near", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("group", f, "alias", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/outside", f, "out", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/circle/x", f, "circle", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/group/no", f, "nowhere", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(f);
    return path_of("%s:/group/set", scratch(name));
}

static const char *png(const char *name, bool deep, uint32_t width, uint32_t height, const void *pixels)
{
    png_image image = {.version = PNG_IMAGE_VERSION, .width = width, .height = height,
                       .format = deep ? PNG_FORMAT_LINEAR_Y : PNG_FORMAT_GRAY};
    cr_assert(png_image_write_to_file(&image, scratch(name), 0, pixels, 0, NULL), "%s", image.message);
    return scratch(name);
}

/* ---- what is loaded ---- */

#define GLIDER 0, 1, 0, 0, /**/ 0, 0, 1, 0, /**/ 1, 1, 1, 0

/* Life's file is not read, and its soup is not left: the start is what every format says. */
Test(load, every_format_says_the_same)
{
    static const uint8_t glider[] = {GLIDER}, columns[] = {0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 0};
    const char *const sources[] = {
        NPY("a.npy", "|u1", "False", "(3, 4)", uint8_t, GLIDER), NPY("b.npy", "<f8", "False", "(3, 4)", double, GLIDER),
        NPY("c.npy", "<i8", "False", "(1, 3, 4)", int64_t, GLIDER),
        npy("d.npy", "|b1", "True", "(3, 4)", columns, sizeof columns), file("a.csv", "0,1,0,0\n0,0, 1,0\r\n1,1,1,0"),
        hdf5("a.h5", H5T_STD_I32BE, (const hsize_t[]){3, 4, 0}, (const uint32_t[]){0, 1u << 24, 0, 0, 0, 0, 1u << 24, 0,
             1u << 24, 1u << 24, 1u << 24, 0}), png("a.png", false, 4, 3, glider)};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        DONE(RUN(LIFE, OUT, "--load", load(i % 2 ? "health" : "grid.health", sources[i]), "--force"));
        EXPECT_SET("/places/grid/health", GLIDER);
    }
}

/* As np.savetxt writes them. */
Test(load, integers_of_a_csv_may_be_reals)
{
    const char *rows = file("a.csv", "0,1.0,0e0,0\n0,0,1.000000000000000000e+00,0\n1,1,1,0\n");
    DONE(RUN(LIFE, OUT, "--load", load("health", rows)));
    EXPECT_SET("/places/grid/health", GLIDER);
}

Test(load, deep_grey_and_components)
{
    static const uint16_t grey[] = {0, 1, 65535, 256, 255, 513};
    DONE(RUN(HEAT, OUT, "--load", load("temperature[1]", png("a.png", true, 3, 2, grey)), "--load",
             load("grid.temperature[0]", file("a.csv", "1,2,-3\n4e3,5,0.5\n"))));
    EXPECT_SET("/places/grid/temperature", 1, 0, 2, 1, -3, 65535, 4e3, 256, 5, 255, 0.5, 513);
}

/* 1.5, the largest, the least above 0, -2, 0 and infinity, in 16 bits. */
#define HALVES 0x3e00, 0x7bff, 0x0001, 0xc000, 0x0000, 0x3c00
#define HALVES_ARE 1.5, 65504, 0x1p-24, -2, 0, 1

static hid_t half_type(void)
{
    const hid_t type = H5Tcopy(H5T_IEEE_F32LE);
    H5Tset_fields(type, 15, 10, 5, 0, 10);
    H5Tset_size(type, 2);
    H5Tset_ebias(type, 15);
    return type;
}

Test(load, floats_of_16_bits)
{
    static const uint16_t halves[] = {HALVES}, columns[] = {0x3e00, 0xc000, 0x7bff, 0x0000, 0x0001, 0x3c00};
    const char *const sources[] = {NPY("a.npy", "<f2", "False", "(2, 3)", uint16_t, HALVES),
        npy("b.npy", "<f2", "True", "(2, 3)", columns, sizeof columns),
        hdf5("a.h5", half_type(), (const hsize_t[]){2, 3, 0}, halves)};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        DONE(RUN(HEAT, OUT, "--force", "--set", "materials=1", "--load", load("temperature", sources[i])));
        EXPECT_SET("/places/grid/temperature", HALVES_ARE);
    }
    REFUSED(RUN(HEAT, "--load", load("temperature[0]", NPY("c.npy", "<f2", "False", "(3,)", uint16_t, 0, 0))),
            MASS_BAD_INPUT, "c.npy", "its shape asks for 6 bytes, and 4 follow");
}

/* ---- pictures of every depth ---- */

/* Rows as they lie in the file; clear: a tRNS of this grey, or of the first colour of the palette. */
static const char *png_of(const char *name, int depth, int kind, uint32_t width, const uint8_t *row, bool clear)
{
    FILE *to = fopen(scratch(name), "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    const png_color palette[2] = {{0, 0, 0}, {255, 255, 255}};
    png_color_16 grey = {0};
    const png_byte alpha = 0;
    cr_assert(to && png && info && setjmp(png_jmpbuf(png)) == 0);
    png_init_io(png, to);
    png_set_IHDR(png, info, width, 1, depth, kind, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (kind == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png, info, palette, 2);
    if (clear) png_set_tRNS(png, info, &alpha, 1, &grey);
    png_write_info(png, info);
    png_write_row(png, row);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    fclose(to);
    return scratch(name);
}

#define ROW "--plugin", "life", "--size", "4x1", "--steps", "0", "--seed", "1"
#define BYTES(...) ((const uint8_t[]){__VA_ARGS__})

/* White, black, black, white. */
Test(load, black_and_white_of_any_depth)
{
    static const struct {
        int depth, kind;
        uint8_t row[16];
        bool clear, said;
    } all[] = {{1, 0, {0x90}, false, false},
               {2, 0, {0xc3}, false, false},
               {4, 0, {0xf0, 0x0f}, false, false},
               {8, 0, {255, 0, 0, 255}, true, true},
               {16, 0, {255, 255, 0, 0, 0, 0, 255, 255}, false, false},
               {8, 4, {255, 255, 0, 255, 0, 255, 255, 255}, false, false},
               {8, 4, {255, 255, 0, 255, 0, 0, 255, 128}, false, true},
               {16, 4, {255, 255, 255, 255, 0, 0, 255, 255, 0, 0, 255, 255, 255, 255, 255, 255}, false, false},
               {16, 4, {255, 255, 255, 255, 0, 0, 255, 255, 0, 0, 0, 0, 255, 255, 255, 254}, false, true},
               {8, 3, {1, 0, 0, 1}, true, true},
               {8, 6, {255, 255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 255}, false, false},
               {8, 6, {255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255}, false, true}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const char *path = png_of("a.png", all[i].depth, all[i].kind, 4, all[i].row, all[i].clear);
        const outcome o = RUN(ROW, OUT, "--force", "--load", load("health", path));
        cr_assert(o.status == 0, "%zu: %s", i, o.err);
        cr_assert_eq(strstr(o.err, "a.png: its alpha is ignored") != NULL, all[i].said, "%zu: %s", i, o.err);
        EXPECT_SET("/places/grid/health", 1, 0, 0, 1);
    }
}

Test(load, shallow_grey_has_its_numbers)
{
    DONE(RUN(HEAT, OUT, "--size", "4x1", "--set", "materials=1", "--load",
             load("temperature", png_of("a.png", 2, 0, 4, BYTES(0x1b), false))));
    EXPECT_SET("/places/grid/temperature", 0, 1, 2, 3);
    DONE(RUN(HEAT, OUT, "--force", "--size", "4x1", "--set", "materials=1", "--load",
             load("temperature", png_of("a.png", 4, 0, 4, BYTES(0x0f, 0x71), false))));
    EXPECT_SET("/places/grid/temperature", 0, 15, 7, 1);
}

Test(load, a_threshold_makes_0_and_1_of_a_picture)
{
    const char *grey = png_of("a.png", 8, 0, 4, BYTES(127, 128, 0, 255), false);
    REFUSED(RUN(ROW, "--load", load("health", grey)), MASS_BAD_INPUT, "a.png: 127 at (y 0, x 0) is not a value",
            "a.png@0.5 has 1 from half of white on");
    DONE(RUN(ROW, OUT, "--quiet", "--load", load("health", scratch("a.png@0.5"))));
    EXPECT_SET("/places/grid/health", 0, 1, 0, 1);
    DONE(RUN(ROW, OUT, "--quiet", "--force", "--load", load("health", scratch("a.png@1"))));
    EXPECT_SET("/places/grid/health", 0, 0, 0, 1);
    const char *colours = png_of("b@0.5.PNG", 8, 2, 4, BYTES(255, 0, 0, 0, 255, 0, 0, 0, 255, 90, 90, 90), false);
    REFUSED(RUN(ROW, "--load", load("health", colours)), MASS_BAD_INPUT, "b@0.5.PNG: colour #ff0000",
            "b@0.5.PNG@0.5 has 1");
    DONE(RUN(ROW, OUT, "--quiet", "--force", "--load", load("health", scratch("b@0.5.PNG@0.3"))));
    EXPECT_SET("/places/grid/health", 0, 1, 0, 1);
    png_of("c.png", 16, 4, 4, BYTES(127, 255, 0, 0, 128, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255), false);
    DONE(RUN(ROW, OUT, "--quiet", "--force", "--load", load("health", scratch("c.png@0.5"))));
    EXPECT_SET("/places/grid/health", 0, 1, 0, 1);
    const char *kinds[] = {"a.png@0.5", "a.png@0.25", "a.png@0.50"};
    for (int i = 0; i < 3; i++) { /* of one series, whose run another threshold is not */
        const outcome o = RUN("--plugin", "life", "--size", "4x1", "--steps", "1", "--seed", "1", "--log", "population",
                              "--quiet", "--checkpoint", scratch("runs"), "--load", load("health", scratch(kinds[i])));
        cr_assert_eq(o.status == 0, i != 1, "%s: %d, %s", kinds[i], o.status, o.err);
    }
    static const char *const bad[] = {"", "half", "0", "-1", "1.01", "nan", "0.5x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        REFUSED(RUN(ROW, "--load", load("health", path_of("%s@%s", scratch("a.png"), bad[i]))), MASS_BAD_USAGE,
                "is not a threshold, a number above 0 and at most 1");
    REFUSED(RUN(ROW, "--load", load("health", scratch("none.png@0.5"))), MASS_BAD_INPUT, "none.png: No such file");
}

Test(load, all_components_and_worlds)
{
    const char *both = NPY("a.npy", "<f4", "False", "(2, 2, 3, 2)", float, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
                           14, 15, 16, 17, 18, 19, 20, 21, 22, 23);
    DONE(RUN(HEAT, OUT, "--worlds", "2", "--load", load("temperature", both)));
    EXPECT_SET("/places/grid/temperature", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
               22, 23);
    DONE(RUN(LIFE, OUT, "--force", "--worlds", "2", "--load", load("health", file("b.csv", "0,1,0,0\n0,0,1,0\n"
                                                                                           "1,1,1,0\n"))));
    EXPECT_SET("/places/grid/health", GLIDER, GLIDER);
}

/* Cut in partitions and on another device, a state that was saved and loaded again is the same. */
Test(load, a_checkpoint)
{
    DONE(RUN("--plugin", "life", "--size", "64x48", "--seed", "1", "--steps", "9", "--quiet", OUT));
    const outcome all = RUN("--plugin", "life", "--size", "64x48", "--seed", "1", "--steps", "20", "--quiet", "--json");
    const outcome rest = RUN("--plugin", "life", "--size", "64x48", "--seed", "2", "--steps", "11", "--json", "--quiet",
                             "--partitions", "3", "--device", "paranoid", "--load",
                             load("health", path_of("%s:/places/grid/health", scratch("out/ckpt-000000000009.h5"))));
    const json_t *tallies = json_object_get(outcome_json(&all), "tallies");
    cr_assert(json_equal(tallies, json_object_get(outcome_json(&rest), "tallies")));
}

/* A callback of the start that would overwrite what is loaded is left out, if it does nothing else. */
Test(load, what_the_start_would_write)
{
#define SUGAR "--plugin", "sugarscape", "--size", "2x2", "--set", "ants=0", "--steps", "0", "--seed", "1", "--quiet"
    const char *rows = file("a.csv", "1,2\n3,4\n");
    DONE(RUN(SUGAR, OUT, "--load", load("most", rows), "--load", load("sugar", rows)));
    EXPECT_SET("/places/grid/most", 1, 2, 3, 4);
    EXPECT_SET("/places/grid/sugar", 1, 2, 3, 4);
    REFUSED(RUN(SUGAR, "--load", load("most", rows)), MASS_BAD_USAGE,
            "--load grid.most: callback sugarscape_plant of the start would overwrite it, and writes sugar too",
            "load that, too");
}

/* Sugar that is more than its place can hold stays until it is eaten. */
Test(load, what_is_beyond_another_attribute)
{
    const outcome o = RUN("--plugin", "sugarscape", "--size", "4x1", "--set", "ants=1", "--steps", "3", "--seed", "1",
                          "--quiet", "--json", "--load", load("sugar", file("sugar.csv", "4,4,4,4\n")), "--load",
                          load("most", file("most.csv", "1,0,3,2\n")));
    const json_t *tallies = json_object_get(outcome_json(&o), "tallies");
    const json_int_t grown = json_integer_value(json_object_get(tallies, "grown"));
    const json_int_t eaten = json_integer_value(json_object_get(tallies, "eaten"));
    cr_assert_geq(grown, 0);
    cr_assert_eq(json_integer_value(json_object_get(tallies, "sugar")), 16 + grown - eaten);
}

/* A sum in fixed point of what a file brings is right, or none. */
Test(load, what_cannot_be_summed)
{
    static const struct { double first, others; bool none; } all[] = {
        {1e13, 0, false}, {-1e13, 0, false}, {1e13, 1e13, true}, {1e14, 0, true}, {1e14, 1e14, true},
        {HUGE_VAL, 1, true}, {-HUGE_VAL, 1, true}, {NAN, 1, true}, {3e38, -3e38, true}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        double numbers[64];
        for (int k = 0; k < 64; k++) numbers[k] = (float)(k ? all[i].others : all[i].first);
        const outcome o = RUN("--plugin", "heat", "--set", "materials=1", "--set", "heat_steps=0", "--steps", "0",
                              "--quiet", "--json", "--load",
                              load("temperature", npy("hot.npy", "<f8", "False", "(8, 8)", numbers, sizeof numbers)));
        const json_t *total = json_object_get(json_object_get(outcome_json(&o), "tallies"), "total");
        if (all[i].none) cr_expect(json_is_null(total), "%zu", i);
        else cr_expect_eq(json_real_value(total), (float)all[i].first, "%zu: %g", i, json_real_value(total));
    }
}

/* Loading what the start would have made is as if nothing had been loaded, with all random numbers of what follows. */
Test(load, what_the_start_would_have_made)
{
#define START "--plugin", "sugarscape", "--size", "40x30", "--worlds", "2", "--seed", "3", "--quiet"
    DONE(RUN(START, "--steps", "0", OUT));
    const char *state = scratch("out/ckpt-000000000000.h5");
    const outcome plain = RUN(START, "--steps", "30", "--json");
    const outcome loaded = RUN(START, "--steps", "30", "--json", "--load",
                               load("most", path_of("%s:/places/grid/most", state)), "--load",
                               load("sugar", path_of("%s:/places/grid/sugar", state)));
    cr_assert_str_eq(outcome_hash(&plain, 0), outcome_hash(&loaded, 0));
}

/* ---- what is remembered ---- */

static void read_text(hid_t at, const char *name, char out[300])
{
    const hid_t a = H5Aopen(at, name, H5P_DEFAULT), type = H5Aget_type(a);
    cr_assert_lt(H5Tget_size(type), 300);
    cr_assert_geq(H5Aread(a, type, out), 0);
    H5Tclose(type);
    H5Aclose(a);
}

static void expect_input(const char *checkpoint, const char *name, const char *path, const content *bytes)
{
    char found[300], hash[40] = "";
    const hid_t f = H5Fopen(checkpoint, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t group = H5Gopen2(f, path_of("/inputs/%s", name), H5P_DEFAULT);
    read_text(group, "file", found);
    cr_assert_str_eq(found, path);
    read_text(group, "hash", found);
    XXH128_canonical_t digest;
    XXH128_canonicalFromHash(&digest, XXH3_128bits(bytes->bytes, bytes->size));
    for (int i = 0; i < 16; i++) sprintf(hash + 2 * i, "%02x", digest.digest[i]);
    cr_assert_str_eq(found, hash);
    H5Gclose(group);
    H5Fclose(f);
}

Test(load, is_remembered_and_not_needed_again)
{
    const char *rows = file("a.csv", "1,2,3\n4,5,6\n"), *params = file("p.yaml", "alpha: 0.1\n");
    const content bytes = file_read(rows), values = file_read(params);
#define LOADED HEAT, "--load", load("temperature[0]", rows), "--params", params, OUT
    DONE(RUN(LOADED, "--steps", "5", "--log", "maximum"));
    remove(rows);
    remove(params);
    DONE(RUN("--resume", scratch("out"), "--steps", "9", "--quiet"));
    static const char *const steps[] = {"out/ckpt-000000000005.h5", "out/ckpt-000000000009.h5"};
    for (int i = 0; i < 2; i++) {
        expect_input(scratch(steps[i]), "grid.temperature[0]", rows, &bytes);
        expect_input(scratch(steps[i]), "parameters", params, &values);
    }
    REFUSED(RUN("--resume", scratch("out"), "--load", load("temperature[0]", rows)), MASS_BAD_USAGE, "--load");
    file_write_text(params, "alpha: 0.1\n# a remark\n");
    file_write_text(rows, "1,2,3\n4,5,6\n");
    DONE(RUN(LOADED, "--log", "maximum"));
    file_write_text(rows, "1,2,3\n4,5,7\n");
    REFUSED(RUN(LOADED, "--log", "maximum"), MASS_BAD_USAGE, "series.h5 belongs to another run",
            path_of("with other numbers of grid.temperature[0]: %s had the hash ", rows), " now: give another");
}

/* ---- what is refused ---- */

Test(load, names_that_there_are_not)
{
    const char *rows = file("a.csv", "1\n");
    static const char *const names[] = {"wealth", "grid.wealth", "sea.health", "health[1]", "health[-1]", "health[x]",
                                        "health]", "grid.health.x"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        REFUSED(RUN(LIFE, "--load", load(names[i], rows)), MASS_BAD_USAGE, path_of("--load %s: there is no such "
                "attribute of places; ", names[i]), "life has grid.health");
    REFUSED(RUN("--plugin", "histogram", "--set", path_of("input=%s", rows), "--load", load("item", rows)),
            MASS_BAD_USAGE, "--load item: it holds one piece of a stream at a time");
    static const char *const forms[] = {"health", "=a.csv", "health="};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        REFUSED(RUN(LIFE, "--load", forms[i]), MASS_BAD_USAGE, "is not of the form NAME=FILE");
    REFUSED(RUN(LIFE, "--load", load("health", rows), "--load", load("grid.health[0]", rows)), MASS_BAD_USAGE,
            "--load gives grid.health twice");
}

Test(load, attributes_of_agents)
{
    REFUSED(RUN("--plugin", bad_plugin("table"), "--load", load("wealth", scratch("a.csv"))), MASS_BAD_USAGE,
            "--load wealth: it is an attribute of the agents folk, which a table gives: --set folk_table=FILE.csv, "
            "with a column wealth");
    REFUSED(RUN("sugarscape", "--load", load("ants.wealth", scratch("a.csv"))), MASS_BAD_USAGE,
            "--load wealth: it is an attribute of the agents ants, and sugarscape takes no table of them");
}

Test(load, extents_that_do_not_fit)
{
    REFUSED(RUN(LIFE, "--load", load("health", file("a.csv", "1,2\n3,4\n"))), MASS_BAD_INPUT,
            "a.csv: its size is 2x2, and grid.health needs 4x3");
    const char *twelve = NPY("a.npy", "|u1", "False", "(12,)", uint8_t, GLIDER);
    REFUSED(RUN(LIFE, "--worlds", "2", "--load", load("health", twelve)), MASS_BAD_INPUT,
            "a.npy: its size is 12, and grid.health needs 4x3, or that behind a first axis of 2 worlds: "
            "it has one axis, and the space has 2");
    const char *deep = NPY("c.npy", "|u1", "False", "(1, 2, 3)", uint8_t, 0, 0, 0, 0, 0, 0);
    REFUSED(RUN(LIFE, "--load", load("health", deep)), MASS_BAD_INPUT,
            "c.npy: its size is 3x2 in 1 world, and grid.health needs 4x3");
    REFUSED(RUN(HEAT, "--load", load("temperature", file("b.csv", "1,2,3\n3,4,5\n"))), MASS_BAD_INPUT,
            "b.csv: it has one number for each place, and grid.temperature has 2 components: load one of them, as in "
            "--load 'temperature[0]=", "b.csv'");
    REFUSED(RUN("--plugin", "heat", "--load", load("temperature", scratch("b.csv"))), MASS_BAD_INPUT,
            "b.csv: it has one number for each place, and grid.temperature has 2 components");
}

Test(load, extents_that_another_file_gives)
{
    REFUSED(RUN("sugarscape", "--load", load("sugar", file("a.csv", "1,2\n3,4\n")), "--load",
                load("most", file("b.csv", "4,4\n4,4\n4,4\n"))), MASS_BAD_INPUT,
            "b.csv: its size is 2x3, and grid.most needs 2x2, the size of --load sugar=", "a.csv\n");
}

Test(load, numbers_that_do_not_fit)
{
    REFUSED(RUN(LIFE, "--load", load("health", NPY("a.npy", "<i4", "False", "(3, 4)", int32_t, 0, 0, 0, 0, 0, 0, 256, 0,
            0, 0, 0, -1))), MASS_BAD_INPUT, "a.npy: 256 at (y 1, x 2) is not a value that grid.health has: 0 or 1");
    REFUSED(RUN(LIFE, "--load", load("health", NPY("b.npy", "<f8", "False", "(3, 4)", double, 0, 0.5, 0, 0, 0, 0, 256,
            0, 0, 0, 0, -1))), MASS_BAD_INPUT, "b.npy: 0.5 at (y 0, x 1) is not a value that grid.health has: 0 or 1");
    REFUSED(RUN(LIFE, "--first-world", "5", "--worlds", "2", "--load", load("health", NPY("c.npy", "<i4", "False",
            "(2, 3, 4)", int32_t, GLIDER, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0))), MASS_BAD_INPUT,
            "c.npy: -1 at (world 6, y 1, x 3) is not a value that grid.health has: 0 or 1");
    REFUSED(RUN(LIFE, "--load", load("health", file("a.csv", "0,1,0,0\n0,0,x,0\n"))), MASS_BAD_INPUT,
            "a.csv, line 2: column 3: 'x' is not an integer of 64 bits");
    REFUSED(RUN(LIFE, "--load", load("health", file("a.csv", "0,1,0,0\n0,0.5,0,0\n"))), MASS_BAD_INPUT,
            "a.csv, line 2: column 2: '0.5' is not an integer of 64 bits");
}

Test(load, files_that_are_none)
{
    static const struct { const char *name, *text, *said; } bad[] = {
        {"a.npy", "x", "a.npy is not a .npy file that can be read: it does not begin as one"},
        {"a.png", "x", "a.png is not a PNG that can be read: it ends too early"},
        {"a.csv", "", "a.csv, line 1: there is no row"},
        {"a.csv", "1,2\n3\n", "a.csv, line 2: it has 1 field, and the first line has 2"},
        {"a.h5", "x", "a.h5: name a data set in it, as in"},
        {"a.h5:/x", NULL, "cannot read"},
        {"a.txt", "1", "a.txt: its name does not end in .npy, .csv, .png, .h5:/path or .hdf5:/path"},
        {"none.npy", NULL, "none.npy: No such file"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (i == 5) remove(scratch("a.h5"));
        if (bad[i].text) file(bad[i].name, bad[i].text);
        REFUSED(RUN(LIFE, "--load", load("health", scratch(bad[i].name))), MASS_BAD_INPUT, bad[i].said);
    }
    png_image image = {.version = PNG_IMAGE_VERSION, .width = 4, .height = 3, .format = PNG_FORMAT_RGB};
    uint8_t colours[3 * 12] = {0, 0, 1};
    png_image_write_to_file(&image, scratch("b.png"), 0, colours, 0, NULL);
    REFUSED(RUN(LIFE, "--load", load("health", scratch("b.png"))), MASS_BAD_INPUT,
            "b.png: colour #000001 at (y 0, x 0) is not one that life draws");
    REFUSED(RUN("--plugin", bad_plugin("shape"), "--steps", "1", "--load", load("value", scratch("b.png"))),
            MASS_BAD_INPUT, "b.png: its pixels are colours, and not 1 to 16 bits of grey");
}

Test(load, data_sets_that_are_none)
{
    static const uint8_t glider[] = {GLIDER};
    hdf5("a.h5", H5T_NATIVE_UINT8, (const hsize_t[]){3, 4, 0}, glider);
    static const struct { const char *path, *said; } bad[] = {
        {"/group/none", "there is no such object"}, {"/group", "it is not a data set"},
        {"/outside", "it is a link to another file"}, {"/outside/group", "it is a link to another file"},
        {"/out", "it is a link to another file"}, {"/nowhere", "there is no such object"},
        {"/circle", "its soft links lead in a circle"}, {"/alias", "it is not a data set"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        REFUSED(RUN(LIFE, "--load", load("health", path_of("%s:%s", scratch("a.h5"), bad[i].path))), MASS_BAD_INPUT,
                bad[i].path, bad[i].said);
}

/* They stay in their file, from its root or from where they are. */
Test(load, soft_links_are_followed)
{
    static const uint8_t glider[] = {GLIDER};
    static const char *const paths[] = {"/soft", "/group/near", "/alias/set", "/alias/near"};
    hdf5("a.h5", H5T_NATIVE_UINT8, (const hsize_t[]){3, 4, 0}, glider);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        DONE(RUN(LIFE, OUT, "--load", load("health", path_of("%s:%s", scratch("a.h5"), paths[i])), "--force"));
        EXPECT_SET("/places/grid/health", GLIDER);
    }
}

/* Refused or read, and never a crash or a hang. */
Test(load, damaged_hdf5)
{
    static const uint8_t glider[] = {GLIDER};
    const char *source = hdf5("a.h5", H5T_NATIVE_UINT8, (const hsize_t[]){3, 4, 0}, glider);
    const content whole = file_read(scratch("a.h5"));
    uint64_t state = 1;
    for (int i = 0; i < 60; i++) {
        file_write_damaged(scratch("a.h5"), &whole, i, &state);
        const outcome o = RUN(LIFE, "--load", load("health", source));
        cr_assert(o.status == MASS_OK || o.status == MASS_BAD_INPUT, "trial %d: %d %d: %s", i, o.status, o.signal,
                  o.err);
        cr_assert_leq(line_count(o.err), 1);
    }
}
