/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of bits from files: packed data sets, pictures of two colours, and checkpoints that say what is not so. */
#include "command.h"

#include <hdf5.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

TestSuite(bits, SCRATCH);

#define LIFE "--plugin", "life", "--seed", "1", "--quiet"
#define SIZE "--size", "11x3"
#define CHECKPOINT scratch("out/ckpt-000000000004.h5")
#define SET path_of("%s:/places/grid/health", CHECKPOINT)

static const char *load(const char *name, const char *path) { return path_of("%s=%s", name, path); }

static char *tallies_of(const outcome o)
{
    DONE(o);
    json_t *report = outcome_json(&o);
    char *tallies = kept(json_dumps(json_object_get(report, "tallies"), JSON_SORT_KEYS));
    json_decref(report);
    return tallies;
}

static char *hash_of(const outcome o)
{
    DONE(o);
    return kept(strdup(outcome_hash(&o, 0)));
}

/* The state of 11 x 3 places, which end within a byte, and as often in the second of two worlds. */
static void make(const char *worlds)
{
    DONE(RUN(LIFE, SIZE, "--steps", "4", "--worlds", worlds, "--checkpoint", scratch("out"), "--force"));
}

/* Changes an attribute of the data set, or of its group. */
static void change(const char *of, const char *name, hid_t type, const void *value)
{
    const hid_t file = H5Fopen(CHECKPOINT, H5F_ACC_RDWR, H5P_DEFAULT), at = H5Oopen(file, of, H5P_DEFAULT);
    const hid_t a = H5Aopen(at, name, H5P_DEFAULT);
    cr_assert_geq(H5Awrite(a, type, value), 0, "%s of %s", name, of);
    H5Aclose(a);
    H5Oclose(at);
    H5Fclose(file);
}

/* ---- --load ---- */

/* A state that is loaded goes on as one that is resumed. */
Test(bits, packed_ones_are_loaded_as_bits)
{
    static const char *const worlds[] = {"1", "2"};
    for (int i = 0; i < 2; i++) {
        make(worlds[i]);
        const char *same = tallies_of(RUN("--resume", CHECKPOINT, "--steps", "7", "--json", "--quiet"));
        const char *loaded = load("health", SET);
        cr_expect_str_eq(tallies_of(RUN(LIFE, SIZE, "--worlds", worlds[i], "--steps", "3", "--json", "--load", loaded)),
                         same);
        cr_expect_str_eq(tallies_of(RUN(LIFE, "--worlds", worlds[i], "--steps", "3", "--json", "--load", loaded)),
                         same, "by the file's extents");
    }
}

static json_int_t sum_of(const outcome *o, const char *tally)
{
    DONE(*o);
    json_t *report = outcome_json(o);
    const json_int_t sum = json_integer_value(json_object_get(json_object_get(report, "tallies"), tally));
    json_decref(report);
    return sum;
}

Test(bits, packed_ones_are_loaded_as_bytes)
{
    make("1");
    const outcome living = RUN(LIFE, "--steps", "0", "--json", "--load", load("health", SET));
    const outcome sugar = RUN("--plugin", "sugarscape", SIZE, "--seed", "1", "--set", "ants=0", "--steps", "0",
                              "--quiet", "--json", "--load", load("sugar", SET), "--load", load("most", SET), "--tally",
                              "all=sum(sugar)", "--tally", "right=max(most)");
    cr_expect_gt(sum_of(&living, "population"), 0);
    cr_expect_eq(sum_of(&sugar, "all"), sum_of(&living, "population"));
    cr_expect_eq(sum_of(&sugar, "right"), 1);
}

Test(bits, packed_ones_that_do_not_fit_are_refused)
{
    make("1");
    REFUSED(RUN(LIFE, "--size", "12x3", "--load", load("health", SET)), MASS_BAD_INPUT, "out/ckpt-000000000004.h5",
            "its size is 11x3, and grid.health needs 12x3");
    static const uint64_t wrong[] = {0, 8, 17, 1u << 20, (uint64_t)1 << 63, UINT64_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        change("/places/grid/health", "extent", H5T_NATIVE_UINT64, &wrong[i]);
        REFUSED(RUN(LIFE, SIZE, "--load", load("health", SET)), MASS_BAD_INPUT, "out/ckpt-000000000004.h5",
                "is of bits, and what it says of its extent does not fit its bytes");
    }
    change("/places/grid/health", "extent", H5T_NATIVE_UINT64, &(const uint64_t){11});
    change("/places/grid/health", "length", H5T_NATIVE_UINT64, &(const uint64_t){5});
    REFUSED(RUN(LIFE, SIZE, "--load", load("health", SET)), MASS_BAD_INPUT, "does not fit its bytes");
}

/* ---- pictures ---- */

/* Of 3 x 2 pixels in one of the formats of libpng; with a palette where there is one. */
static const char *picture(const char *name, int depth, int kind, const uint8_t *rows, size_t bytes)
{
    static const png_color palette[] = {{0, 0, 0}, {255, 255, 255}};
    FILE *to = fopen(scratch(name), "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, to);
    png_set_IHDR(png, info, 3, 2, depth, kind, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (kind == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png, info, palette, 2);
    png_write_info(png, info);
    for (int y = 0; y < 2; y++) png_write_row(png, rows + (size_t)y * bytes);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    fclose(to);
    return scratch(name);
}

Test(bits, pictures_of_black_and_white_are_0_and_1)
{
    static const uint8_t rgb[] = {255, 255, 255, 0, 0, 0, 255, 255, 255, /**/ 0, 0, 0, 255, 255, 255, 255, 255, 255};
    file_write_text(scratch("a.csv"), "1,0,1\n0,1,1\n");
#define THREE LIFE, "--size", "3x2", "--steps", "1", "--json", "--load"
    const char *plain = hash_of(RUN(THREE, load("health", scratch("a.csv"))));
    const char *const pictures[] = {
        picture("grey1.png", 1, PNG_COLOR_TYPE_GRAY, (const uint8_t[]){0xa0, 0x60}, 1),
        picture("grey8.png", 8, PNG_COLOR_TYPE_GRAY, (const uint8_t[]){255, 0, 255, 0, 255, 255}, 3),
        picture("palette1.png", 1, PNG_COLOR_TYPE_PALETTE, (const uint8_t[]){0xa0, 0x60}, 1),
        picture("palette8.png", 8, PNG_COLOR_TYPE_PALETTE, (const uint8_t[]){1, 0, 1, 0, 1, 1}, 3),
        picture("rgb.png", 8, PNG_COLOR_TYPE_RGB, rgb, 9)};
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
        cr_expect_str_eq(hash_of(RUN(THREE, load("health", pictures[i]))), plain, "%s", pictures[i]);
    REFUSED(RUN(LIFE, "--size", "3x2", "--load", load("health", picture("grey.png", 8, PNG_COLOR_TYPE_GRAY,
            (const uint8_t[]){255, 0, 254, 0, 255, 255}, 3))), MASS_BAD_INPUT,
            "grey.png: 255 at (y 0, x 0) is not a value that grid.health has: 0 or 1");
}

/* ---- checkpoints ---- */

Test(bits, a_checkpoint_of_another_extent_is_refused)
{
    static const int64_t sizes[][2] = {{3, 10}, {3, 16}, {3, 17}, {3, INT64_MAX}};
    make("1");
    change("/places/grid/health", "extent", H5T_NATIVE_UINT64, &(const uint64_t){12});
    REFUSED(RUN("--resume", CHECKPOINT, "--steps", "9"), MASS_BAD_INPUT, "out/ckpt-000000000004.h5",
            "'health' has other extents than its space or population");
    change("/places/grid/health", "extent", H5T_NATIVE_UINT64, &(const uint64_t){UINT64_MAX});
    REFUSED(RUN("--resume", CHECKPOINT, "--steps", "9"), MASS_BAD_INPUT, "out/ckpt-000000000004.h5", "'extent' is ");
    change("/places/grid/health", "extent", H5T_NATIVE_UINT64, &(const uint64_t){11});
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        change("/places/grid", "size", H5T_NATIVE_INT64, sizes[i]);
        REFUSED(RUN("--resume", CHECKPOINT, "--steps", "9"), MASS_BAD_INPUT, "out/ckpt-000000000004.h5");
    }
}
