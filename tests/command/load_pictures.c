/* SPDX-License-Identifier: Apache-2.0 */
/* --load of the pictures that a model draws, and spaces that are as large as a file. */
#include "../extended.h"
#include "command.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(load_pictures, SCRATCH);

#define LIFE "--plugin", "life", "--steps", "0", "--seed", "1", "--json", "--quiet"
#define PICTURE scratch("a.png")

static const char *load(const char *name, const char *path) { return path_of("%s=%s", name, path); }

static char *hash_of(const outcome o)
{
    return kept(strdup(outcome_hash(&o, 0)));
}

/* The same picture as an editor of pictures may leave it: colours without a palette, and nothing beside them. */
static const char *edited(const char *path, const char *name)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    cr_assert(png_image_begin_read_from_file(&image, path), "%s", image.message);
    image.format = PNG_FORMAT_RGBA;
    uint8_t *pixels = kept(malloc(PNG_IMAGE_SIZE(image)));
    cr_assert(png_image_finish_read(&image, NULL, pixels, 0, NULL), "%s", image.message);
    cr_assert(png_image_write_to_file(&image, scratch(name), 0, pixels, 0, NULL), "%s", image.message);
    return scratch(name);
}

/* ---- pictures ---- */

/* Enlarged by 12, not at all, and with sides that share no factor. */
Test(load_pictures, make_the_state_that_they_were_drawn_of)
{
    static const char *const sizes[] = {"40x30", "600x515", "7x511", "1x1"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *drawn = hash_of(RUN(LIFE, "--size", sizes[i], "--image", PICTURE));
        cr_expect_str_eq(hash_of(RUN(LIFE, "--load", load("health", PICTURE))), drawn, "%s", sizes[i]);
        cr_expect_str_eq(hash_of(RUN(LIFE, "--size", sizes[i], "--load", load("health", edited(PICTURE, "b.png")))),
                         drawn, "%s, edited", sizes[i]);
    }
}

/* As near as 256 colours tell: the picture of what was loaded is the picture that was loaded. */
Test(load_pictures, of_reals_are_drawn_again_as_they_were)
{
#define HEAT "--plugin", "heat", "--set", "start=random", "--set", "materials=1", "--steps", "0", "--seed", "1", \
             "--quiet"
    DONE(RUN(HEAT, "--size", "31x20", "--image", PICTURE));
    DONE(RUN(HEAT, "--load", load("temperature", PICTURE), "--image", scratch("b.png")));
    const content first = file_read(PICTURE), second = file_read(scratch("b.png"));
    cr_assert(first.size == second.size && memcmp(first.bytes, second.bytes, first.size) == 0);
}

static double tally(const outcome *o, const char *name)
{
    json_t *report = outcome_json(o);
    const double number = json_number_value(json_object_get(json_object_get(report, "tallies"), name));
    json_decref(report);
    return number;
}

/* The last row, which is the state that the run ended with: 5, 15 and 25. */
Test(load_pictures, of_a_line_give_the_last_row)
{
#define LINE "--plugin", bad_plugin("shape-drawn"), "--quiet"
    file_write_text(scratch("line.csv"), "0,10,20\n");
    DONE(RUN(LINE, "--steps", "5", "--load", load("value", scratch("line.csv")), "--image", PICTURE));
    const outcome o = RUN(LINE, "--steps", "0", "--size", "3", "--json", "--load", load("value", PICTURE), "--tally",
                          "all=sum(value)", "--tally", "least=min(value)", "--tally", "most=max(value)");
    cr_expect(tally(&o, "all") == 45 && tally(&o, "least") == 5 && tally(&o, "most") == 25, "%s", o.out);
}

/* A model draws the colours that it declares, so that one who knows them can paint a picture. */
Test(load_pictures, are_painted_in_the_colours_of_the_model)
{
#define PAINTED "--plugin", "sugarscape", "--steps", "0", "--set", "ants=1", "--json", "--quiet", "--load", \
                load("sugar", PICTURE), "--load", load("most", scratch("most.csv")), "--tally", "all=sum(sugar)"
    uint8_t pixels[][3] = {{0xf4, 0xec, 0xd8}, {0xf0, 0xdc, 0xa0}, {0xe8, 0xc4, 0x68}, {0xd9, 0xa4, 0x41},
                           {0xb9, 0x7f, 0x24}};
    png_image image = {.version = PNG_IMAGE_VERSION, .width = 5, .height = 1, .format = PNG_FORMAT_RGB};
    cr_assert(png_image_write_to_file(&image, PICTURE, 0, pixels, 0, NULL));
    file_write_text(scratch("most.csv"), "4,4,4,4,4\n");
    const outcome o = RUN(PAINTED);
    cr_expect_eq(tally(&o, "all"), 0 + 1 + 2 + 3 + 4, "%s", o.err);
    pixels[1][0] = 0;
    cr_assert(png_image_write_to_file(&image, PICTURE, 0, pixels, 0, NULL));
    REFUSED(RUN(PAINTED), MASS_BAD_INPUT, "a.png: colour #00dca0 at (y 0, x 1) is not one that sugarscape draws: it "
            "draws #f4ecd8 for 0, #f0dca0 for 1, #e8c468 for 2, #d9a441 for 3 and #b97f24 for 4, and steps between "
            "them");
}

Test(load_pictures, that_do_not_tell_are_refused)
{
    DONE(RUN(LIFE, "--size", "4100x30", "--image", PICTURE));
    REFUSED(RUN(LIFE, "--load", load("health", PICTURE)), MASS_BAD_INPUT, "a.png", "places share pixels");
    REFUSED(RUN("--plugin", "heat", "--load", load("temperature[1]", PICTURE)), MASS_BAD_INPUT, "a.png",
            "only temperature[0] can be read from colours, as the pictures of heat show it");
    REFUSED(RUN("--plugin", "heat", "--load", load("temperature[0]", edited(PICTURE, "b.png"))), MASS_BAD_INPUT,
            "b.png", "colour #", "is not one that heat draws");
    DONE(RUN(LIFE, "--size", "40x30", "--image", PICTURE, "--force"));
    REFUSED(RUN(LIFE, "--size", "30x40", "--load", load("health", PICTURE)), MASS_BAD_INPUT,
            "a.png: its size is 40x30, and grid.health needs 30x40");
    DONE(RUN("--plugin", "sugarscape", "--size", "200x200", "--steps", "0", "--quiet", "--image", scratch("ants.png")));
    REFUSED(RUN("--plugin", "sugarscape", "--load", load("sugar", scratch("ants.png"))), MASS_BAD_INPUT, "ants.png",
            "an agent hides the place (y ");
}

/* ---- sizes ---- */

static void expect_size(const outcome *o, const char *expected)
{
    json_t *report = outcome_json(o);
    char *size = kept(json_dumps(json_object_get(report, "size"), JSON_COMPACT));
    cr_expect_str_eq(size, expected, "%s", o->err);
    json_decref(report);
}

/* A .npy of zeros. */
static const char *zeros(const char *name, const char *shape, size_t bytes)
{
    uint8_t all[4096] = "\x93NUMPY\x01\x00";
    const int length = sprintf((char *)all + 10, "{'descr': '|u1', 'fortran_order': False, 'shape': %s, }\n", shape);
    all[8] = (uint8_t)length;
    file_write(scratch(name), all, 10 + (size_t)length + bytes);
    return scratch(name);
}

Test(load_pictures, a_space_is_as_large_as_its_file)
{
    file_write_text(scratch("rows.csv"), "0,1,0,0,0\n1,1,0,0,1\n");
    outcome o = RUN(LIFE, "--load", load("health", scratch("rows.csv")));
    expect_size(&o, "[5,2]");
    o = RUN(LIFE, "--worlds", "3", "--load", load("health", zeros("worlds.npy", "(3, 4, 6)", 72)));
    expect_size(&o, "[6,4]");
    o = RUN(LIFE, "--sweep", scratch("sweep.csv"), "--load", load("health", scratch("rows.csv")));
    cr_expect_eq(o.status, MASS_BAD_INPUT, "%s", o.err); /* there is no such file */
    file_write_text(scratch("sweep.csv"), "density\n0.1\n0.2\n");
    o = RUN(LIFE, "--sweep", scratch("sweep.csv"), "--load", load("health", scratch("rows.csv")));
    expect_size(&o, "[5,2]");
#define WARM "--plugin", "heat", "--steps", "0", "--json", "--quiet"
    o = RUN(WARM, "--load", load("temperature[1]", zeros("deep.npy", "(2, 3, 4)", 24)));
    expect_size(&o, "[4,3,2]");
    o = RUN(WARM, "--load", load("temperature", zeros("both.npy", "(3, 4, 2)", 24)));
    expect_size(&o, "[4,3]");
}

Test(load_pictures, a_size_that_is_given_is_kept)
{
    file_write_text(scratch("rows.csv"), "0,1\n1,1\n");
    REFUSED(RUN(LIFE, "--size", "3x2", "--load", load("health", scratch("rows.csv"))), MASS_BAD_INPUT,
            "rows.csv: its size is 2x2, and grid.health needs 3x2");
    REFUSED(RUN(LIFE, "--load", load("health", zeros("deep.npy", "(2, 3, 4)", 24))), MASS_BAD_INPUT,
            "deep.npy: life: space grid has 2 dimensions and not 3; a first axis of worlds goes with --worlds 2");
    file_write_text(scratch("sweep.csv"), "density\n0.1\n0.2\n");
    REFUSED(RUN(LIFE, "--sweep", scratch("sweep.csv"), "--load", load("health", zeros("high.npy", "(3, 3, 4)", 36))),
            MASS_BAD_INPUT, "mass-engine: --load health=", "high.npy: life: space grid has 2 dimensions and not 3");
}

/* Sizes from files are refused as such, and what is only wrong with them by its own name. */
Test(load_pictures, what_does_not_go_with_the_size_of_a_file_is_said)
{
    const char *deep = zeros("deep.npy", "(2, 3, 4)", 24);
    REFUSED(RUN("--plugin", "heat", "--set", "alpha=0.2", "--load", load("temperature[0]", deep)), MASS_BAD_USAGE,
            "mass-engine: heat: parameter alpha: 0.2 is unstable in 3 dimensions",
            "; the size is that of --load temperature[0]=", "deep.npy");
    file_write_text(scratch("sweep.csv"), "alpha\n0.1\n0.2\n");
    REFUSED(RUN("--plugin", "heat", "--sweep", scratch("sweep.csv"), "--load",
                load("temperature[0]", zeros("high.npy", "(3, 3, 4)", 36))), MASS_BAD_INPUT,
            "sweep.csv, line 3: heat: parameter alpha: 0.2 is unstable in 3 dimensions");
    file_write_text(scratch("rows.csv"), "0,1\n1,1\n");
    REFUSED(RUN("--plugin", "sugarscape", "--set", "ants=5", "--load", load("sugar", scratch("rows.csv"))),
            MASS_BAD_USAGE, "parameter ants: 5 are more than there are places, 4; the size is that of --load sugar=",
            "rows.csv");
}

/* ---- without memory, by the library of tests/faults ---- */

static void use_shim(void)
{
    setenv("LD_PRELOAD", MASS_FAULT_SHIM, 1);
}

/* Each of the program's own calls of malloc fails in turn; those for libpng are among them. */
Test(load_pictures, without_memory_are_not_called_wrong)
{
    int refused = 0;
    if (MASS_SANITIZED) cr_skip_test("a sanitizer's malloc stands before the one that fails");
    DONE(RUN(LIFE, "--size", "16x12", "--image", PICTURE));
    setenv("MASS_FAULT_FOLDER", scratch(""), 1);
    for (int call = 1; call < 60; call++) {
        setenv("MASS_FAULT", path_of("malloc %d 12 once", call), 1);
        const outcome o = RUN_WITH(IN(.prepare = use_shim), LIFE, "--threads", "1", "--load", load("health", PICTURE));
        cr_expect(o.status == 0 || o.status == MASS_NO_DEVICE, "call %d: status %d: %s", call, o.status, o.err);
        refused += strstr(o.err, "an image needs ") != NULL;
    }
    cr_expect_gt(refused, 8, "libpng got its memory elsewhere");
}
