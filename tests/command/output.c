/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures and movies: refused before the run, or there and right after it. */
#include "command.h"

#include <gif_lib.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(output, SCRATCH);

#define LIFE "--plugin", "life", "--steps", "10", "--seed", "2", "--quiet"

/* Decodes all of a PNG to RGB. */
static png_image read_png(const char *path, uint8_t **pixels)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    cr_assert(png_image_begin_read_from_file(&image, path), "%s: %s", path, image.message);
    image.format = PNG_FORMAT_RGB;
    *pixels = kept(malloc(PNG_IMAGE_SIZE(image)));
    cr_assert(png_image_finish_read(&image, NULL, *pixels, 0, NULL), "%s: %s", path, image.message);
    return image;
}

static void assert_png(const char *path, uint32_t width, uint32_t height)
{
    uint8_t *pixels;
    const png_image image = read_png(path, &pixels);
    cr_assert(image.width == width && image.height == height, "%u x %u", image.width, image.height);
}

static void assert_gif(const char *path, int width, int height, int frames)
{
    int error;
    GifFileType *gif = DGifOpenFileName(path, &error);
    cr_assert_not_null(gif, "%s: %s", path, GifErrorString(error));
    cr_assert_eq(DGifSlurp(gif), GIF_OK);
    cr_assert(gif->SWidth == width && gif->SHeight == height, "%d x %d", gif->SWidth, gif->SHeight);
    cr_assert_eq(gif->ImageCount, frames, "%d frames", gif->ImageCount);
    DGifCloseFile(gif, &error);
}

Test(output, image_has_the_size_of_the_space)
{
    DONE(RUN(LIFE, "--size", "600x515", "--image", scratch("a.png")));
    assert_png(scratch("a.png"), 600, 515);
}

Test(output, image_of_a_large_space_is_reduced)
{
    DONE(RUN(LIFE, "--size", "4100x1000", "--image", scratch("a.png")));
    uint8_t *pixels;
    const png_image image = read_png(scratch("a.png"), &pixels);
    cr_assert(image.width <= 2048 && image.width >= 1025, "%u", image.width);
}

/* All places alive: the last colour of Life's palette; all dead: the first. */
Test(output, image_has_the_plugins_colours)
{
    uint8_t *pixels;
    DONE(RUN("--plugin", "life", "--steps", "0", "--quiet", "--set", "density=1", "--image", scratch("a.png")));
    read_png(scratch("a.png"), &pixels);
    cr_assert_arr_eq(pixels, "\xf2\xc1\x4e", 3);
    DONE(RUN("--plugin", "life", "--steps", "0", "--quiet", "--set", "density=0", "--image", scratch("a.png")));
    read_png(scratch("a.png"), &pixels);
    cr_assert_arr_eq(pixels, "\x10\x14\x18", 3);
}

static int count_pixels(const char *path, const char colour[3])
{
    uint8_t *pixels;
    const png_image image = read_png(path, &pixels);
    int count = 0;
    for (uint32_t i = 0; i < image.width * image.height; i++) count += memcmp(pixels + 3 * i, colour, 3) == 0;
    return count;
}

/* One pixel for each ant of the first world, wherever it has gone and whatever partition it is on; none dies in the
 * first step. */
Test(output, image_shows_every_agent_of_the_first_world)
{
    static const char *const more[][2] = {{"--partitions", "1"}, {"--partitions", "7"}, {"--worlds", "3"}};
    for (size_t i = 0; i < 3; i++) {
        DONE(RUN("--plugin", "sugarscape", "--size", "320x300", "--seed", "1", "--steps", "1", "--quiet", "--set",
                 "ants=777", more[i][0], more[i][1], "--image", scratch("a.png")));
        const int ants = count_pixels(scratch("a.png"), "\x7a\x1f\x2b");
        cr_assert_eq(ants, 777, "%d ants with %s %s", ants, more[i][0], more[i][1]);
    }
}

/* All walk at first, in the corner: one spot of 7 by 7 pixels in a place of 11, in the colour of their value. */
Test(output, image_shows_agents_in_the_colour_of_their_attribute)
{
    DONE(RUN("--plugin", "minesweeper", "--seed", "1", "--steps", "0", "--quiet", "--set", "start=corner", "--image",
             scratch("a.png")));
    cr_assert_eq(count_pixels(scratch("a.png"), "\xf5\x85\x18"), 7 * 7);
    cr_assert_eq(count_pixels(scratch("a.png"), "\x8a\x90\x99"), 0);
}

/* A row of places is 0, 10, 20 at step 0, and each grows by one in every step. */
static png_image draw_line(const char *steps, const char *more, uint8_t **pixels)
{
    file_write_text(scratch("line.csv"), "0,10,20\n");
    DONE(RUN("--plugin", bad_plugin("shape-drawn"), "--size", "3", "--load", path_of("value=%s", scratch("line.csv")),
             "--steps", steps, "--quiet", "--image", scratch("a.png"), "--until", more));
    return read_png(scratch("a.png"), pixels);
}

/* Rows are `every` steps apart, in places of `side` pixels. */
static void assert_line(const png_image *image, const uint8_t *pixels, uint32_t rows, uint32_t side, uint32_t every)
{
    cr_assert(image->width == 3 * side && image->height == rows * side, "%u x %u", image->width, image->height);
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t x = 0; x < 3; x++) {
            const uint8_t *corner = pixels + 3 * ((size_t)row * side * image->width + x * side);
            const uint8_t *last = corner + 3 * ((side - 1) * image->width + side - 1);
            const uint8_t grey = (uint8_t)(10 * x + row * every);
            cr_assert(*corner == grey && *last == grey, "row %u, place %u: %u and %u", row, x, *corner, *last);
        }
}

Test(output, image_of_a_line_has_a_row_for_each_step)
{
    uint8_t *pixels;
    png_image image = draw_line("5", "0", &pixels);
    assert_line(&image, pixels, 6, 85, 1);
    image = draw_line("1000000", "step == 5", &pixels); /* however long it was to be */
    assert_line(&image, pixels, 6, 85, 1);
}

Test(output, image_of_a_line_in_a_long_run_has_rows_that_lie_evenly_apart)
{
    uint8_t *pixels;
    png_image image = draw_line("2046", "0", &pixels);
    assert_line(&image, pixels, 2047, 1, 1);
    image = draw_line("5000", "0", &pixels);
    assert_line(&image, pixels, 1251, 1, 4);
}

Test(output, movie_has_a_frame_for_every_step)
{
    DONE(RUN(LIFE, "--size", "520x514", "--movie", scratch("a.gif")));
    assert_gif(scratch("a.gif"), 520, 514, 11);
}

/* Of every frame, how long it is shown: as many hundredths of a second as a letter of `wanted` says. */
static void expect_delays(const char *rate, const char *wanted)
{
    int error;
    DONE(RUN(LIFE, "--size", "20x20", "--movie", scratch("a.gif"), "--steps", "5", "--movie-rate", rate));
    GifFileType *gif = DGifOpenFileName(scratch("a.gif"), &error);
    cr_assert(gif && DGifSlurp(gif) == GIF_OK && gif->ImageCount == 6);
    for (int i = 0; i < 6; i++) {
        GraphicsControlBlock control;
        cr_assert_eq(DGifSavedExtensionToGCB(gif, i, &control), GIF_OK);
        cr_expect_eq(control.DelayTime, wanted[i] - '0', "--movie-rate %s, frame %d: %d", rate, i, control.DelayTime);
    }
    DGifCloseFile(gif, &error);
}

/* Where no delay gives the rate, several do in the mean. */
Test(output, movie_has_the_rate_that_is_asked_for)
{
    expect_delays("20", "555555");
    expect_delays("50", "222222");
    expect_delays("12.5", "888888");
    expect_delays("30", "343343");
    expect_delays("40", "323232");
    REFUSED(RUN(LIFE, "--movie", scratch("b.gif"), "--movie-rate", "51"), MASS_BAD_USAGE, "--movie-rate 51 is not a");
    REFUSED(RUN(LIFE, "--movie", scratch("b.gif"), "--movie-rate", "nan"), MASS_BAD_USAGE, "--movie-rate nan");
    REFUSED(RUN(LIFE, "--movie-rate", "5"), MASS_BAD_USAGE, "--movie-rate needs --movie FILE.gif");
}

Test(output, movie_has_a_frame_for_every_nth_step_and_the_last)
{
    DONE(RUN(LIFE, "--size", "520x514", "--movie", scratch("a.gif"), "--movie-every", "4"));
    assert_gif(scratch("a.gif"), 520, 514, 4);
}

Test(output, pictures_leave_the_result_as_it_is)
{
    const outcome plain = RUN(LIFE, "--size", "70x70", "--json");
    const outcome drawn = RUN(LIFE, "--size", "70x70", "--json", "--movie", scratch("a.gif"), "--image",
                              scratch("a.png"), "--checkpoint", scratch("out"), "--checkpoint-every", "3");
    cr_assert_str_eq(outcome_hash(&plain, 0), outcome_hash(&drawn, 0));
}

Test(output, three_dimensions_are_drawn_by_a_layer)
{
#define HEAT "--plugin", "heat", "--size", "516x20x10", "--steps", "3", "--quiet"
    DONE(RUN(HEAT, "--image", scratch("middle.png")));
    DONE(RUN(HEAT, "--image", scratch("same.png"), "--slice", "5"));
    DONE(RUN(HEAT, "--image", scratch("other.png"), "--slice", "0", "--movie", scratch("a.gif")));
    assert_png(scratch("middle.png"), 516, 20);
    assert_png(scratch("other.png"), 516, 20);
    assert_gif(scratch("a.gif"), 516, 20, 4);
    const content middle = file_read(scratch("middle.png")), same = file_read(scratch("same.png"));
    cr_assert_eq(middle.size, same.size);
    cr_assert_arr_eq(middle.bytes, same.bytes, middle.size);
    REFUSED(RUN(HEAT, "--image", scratch("none.png"), "--slice", "10"), MASS_BAD_USAGE, "--slice 10", "10 layers");
    cr_assert_not(file_exists(scratch("none.png")));
}

/* Returns whether a file has the bytes of another one. */
static bool has_bytes_of(const char *path, const char *other)
{
    const content a = file_read(path), b = file_read(other);
    return a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
}

Test(output, arrows_are_the_same_however_a_run_is_divided)
{
#define BIRDS(NAME) "boids", "--size", "12x9", "--set", "birds=150", "--seed", "1", "--steps", "12", "--quiet", \
    "--image", scratch(NAME ".png"), "--movie", scratch(NAME ".gif")
    DONE(RUN(BIRDS("one"), "--threads", "1"));
    DONE(RUN(BIRDS("many"), "--threads", "3", "--partitions", "5"));
    DONE(RUN(BIRDS("careful"), "--device", "paranoid"));
    if (ranks_can_run()) DONE(RUN(BIRDS("ranks"), "--device", "cpu", "--threads", "1", "--ranks", "3"));
    cr_expect(has_bytes_of(scratch("many.png"), scratch("one.png")));
    cr_expect(has_bytes_of(scratch("many.gif"), scratch("one.gif")));
    cr_expect(has_bytes_of(scratch("careful.png"), scratch("one.png")));
    cr_expect(!ranks_can_run() || has_bytes_of(scratch("ranks.png"), scratch("one.png")));
    cr_expect(!ranks_can_run() || has_bytes_of(scratch("ranks.gif"), scratch("one.gif")));
}

Test(output, a_run_without_steps_is_drawn_too)
{
    DONE(RUN("--plugin", "life", "--steps", "0", "--quiet", "--movie", scratch("a.gif"), "--image", scratch("a.png")));
    assert_gif(scratch("a.gif"), 512, 512, 1);
    assert_png(scratch("a.png"), 512, 512);
}

Test(output, wrong_names_are_refused_before_the_run)
{
    static const char *const images[] = {"a.jpg", "a.gif", "a", ".png", "png"};
    for (size_t i = 0; i < sizeof images / sizeof *images; i++)
        REFUSED(RUN(LIFE, "--image", scratch(images[i]), "--checkpoint", scratch("out")), MASS_BAD_USAGE, images[i],
                ".png");
    static const char *const movies[] = {"a.png", "a.mp4", "a"};
    for (size_t i = 0; i < sizeof movies / sizeof *movies; i++)
        REFUSED(RUN(LIFE, "--movie", scratch(movies[i]), "--checkpoint", scratch("out")), MASS_BAD_USAGE, movies[i],
                ".gif");
    cr_assert_eq(folder_count(scratch("")), 0);
}

Test(output, wrong_folders_are_refused_before_the_run)
{
    REFUSED(RUN(LIFE, "--image", scratch("none/a.png")), MASS_BAD_USAGE, "none/a.png", "No such file or directory",
            path_of("is made by mkdir -p %s", scratch("none")));
    REFUSED(RUN(LIFE, "--movie", scratch("none/a.gif")), MASS_BAD_USAGE, "none/a.gif", "mkdir -p ");
    REFUSED(RUN(LIFE, "--checkpoint", scratch("none/a/")), MASS_BAD_USAGE, "none/a/", "mkdir -p ");
    folder_make(scratch("folder.png"));
    REFUSED(RUN(LIFE, "--image", scratch("folder.png")), MASS_BAD_USAGE, "folder.png", "is a folder");
    cr_assert_eq(folder_count(scratch("")), 1);
}

Test(output, a_plugin_without_a_picture)
{
    REFUSED(RUN("--plugin", bad_plugin("shape"), "--image", scratch("a.png")), MASS_BAD_USAGE,
            "shape declares no picture: leave out --image and --movie, or add MASS_PICTURE to the model\n");
    REFUSED(RUN("--plugin", bad_plugin("table"), "--movie", scratch("a.gif")), MASS_BAD_USAGE,
            "table declares no picture", "an attribute of places for it, over which its agents are drawn\n");
}

Test(output, an_old_picture_stays_until_the_new_one_is_whole)
{
    file_write_text(scratch("a.png"), "old");
    REFUSED(RUN(LIFE, "--image", scratch("a.png"), "--set", "density=7"), MASS_BAD_USAGE, "density");
    cr_assert_eq(file_read(scratch("a.png")).size, 3);
    DONE(RUN(LIFE, "--image", scratch("a.png"), "--force"));
    assert_png(scratch("a.png"), 512, 512);
}

/* Also one that is what it says, but of another program. */
Test(output, pictures_of_others_stay)
{
    static const char *const names[][2] = {{"--image", "a.png"}, {"--movie", "a.gif"}};
    static const char *const begins[] = {"\211PNG\r\n\032\n and more of it", "GIF89a and more of it"};
    for (int i = 0; i < 2; i++) {
        const char *path = scratch(names[i][1]);
        file_write_text(path, begins[i]);
        REFUSED(RUN(LIFE, names[i][0], path, "--checkpoint", scratch("out")), MASS_BAD_USAGE, path,
                "not a picture that this version wrote", "--force");
        cr_assert_str_eq((char *)file_read(path).bytes, begins[i]);
        cr_assert_not(file_exists(scratch("out")));
        cr_assert_eq(symlink(path, scratch("link")), 0);
        rename(scratch("link"), scratch(path_of("link%s", names[i][1] + 1)));
        REFUSED(RUN(LIFE, names[i][0], scratch(path_of("link%s", names[i][1] + 1))), MASS_BAD_USAGE, "--force");
        DONE(RUN(LIFE, names[i][0], scratch(path_of("link%s", names[i][1] + 1)), "--force"));
        cr_assert_str_eq((char *)file_read(path).bytes, begins[i], "the link was followed");
        DONE(RUN(LIFE, names[i][0], path, "--force"));
        DONE(RUN(LIFE, names[i][0], path));
    }
    assert_png(scratch("a.png"), 512, 512);
    assert_gif(scratch("a.gif"), 512, 512, 11);
}
