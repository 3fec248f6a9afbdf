/* SPDX-License-Identifier: Apache-2.0 */
/* Rasters against a reference that looks at one pixel at a time. */
#include "grey_palette.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>

/* ---- sizes ---- */

static void expect_size(int64_t width, int64_t height, int32_t limit, int32_t out_width, int32_t out_height)
{
    int32_t w = -1, h = -1;
    mass_raster_size(width, height, limit, &w, &h);
    cr_assert_eq(w, out_width, "%lld x %lld: %d", (long long)width, (long long)height, w);
    cr_assert_eq(h, out_height, "%lld x %lld: %d", (long long)width, (long long)height, h);
}

Test(raster_size, spaces_between_512_and_the_limit_are_drawn_one_to_one)
{
    expect_size(512, 512, 2048, 512, 512);
    expect_size(511, 3, 2048, 511, 3);
    expect_size(2048, 1, 2048, 2048, 1);
    expect_size(300, 257, 2048, 300, 257);
}

Test(raster_size, large_spaces_shrink_by_the_least_factor)
{
    expect_size(2049, 2049, 2048, 1025, 1025);
    expect_size(65536, 65536, 2048, 2048, 2048);
    expect_size(65536, 2, 2048, 2048, 1);
    expect_size(5, 4097, 2048, 2, 1366);
    expect_size(INT64_MAX, 1, 2048, 2048, 1);
    expect_size(3000, 1, 1024, 1000, 1);
}

Test(raster_size, small_spaces_grow_to_at_most_512)
{
    expect_size(1, 1, 2048, 512, 512);
    expect_size(256, 100, 2048, 512, 200);
    expect_size(100, 1, 2048, 500, 5);
    expect_size(3, 170, 2048, 9, 510);
    expect_size(10, 10, 64, 60, 60);
}

Test(raster_size, factor_is_the_best_one_for_any_side)
{
    for (int64_t side = 1; side < 20000; side += 13) {
        int32_t w, h;
        mass_raster_size(side, 1, 2048, &w, &h);
        int64_t shrink = 1, grow = 1;
        while ((side + shrink - 1) / shrink > 2048) shrink++;
        while (side * (grow + 1) <= 512) grow++;
        cr_assert_eq(w, (side + shrink - 1) / shrink * grow);
        cr_assert_eq(h, grow);
    }
}

Test(raster_size, the_limit_for_a_screen_is_the_greatest_that_fits)
{
    for (int64_t width = 1; width < 5000; width += 1 + width / 7)
        for (int64_t height = 1; height < 5000; height += 1 + height / 5)
            for (int32_t columns = 1; columns < 300; columns += 37)
                for (int32_t rows = 2; rows < 200; rows += 22) {
                    const int32_t most = columns > rows ? columns : rows;
                    int32_t limit = mass_raster_limit(width, height, columns, rows), w, h;
                    mass_raster_size(width, height, limit, &w, &h);
                    cr_assert(limit >= 1 && limit <= most && w <= columns && h <= rows);
                    while (++limit <= most) {
                        mass_raster_size(width, height, limit, &w, &h);
                        cr_assert(w > columns || h > rows, "%lld x %lld on %d x %d", (long long)width,
                                  (long long)height, columns, rows);
                    }
                }
}

/* ---- drawing ---- */

static double *numbers(int64_t count, unsigned seed)
{
    double *values = malloc((size_t)count * sizeof *values);
    cr_assert_not_null(values);
    srand(seed);
    for (int64_t i = 0; i < count; i++) values[i] = -1.3 + 3.6 * rand() / (double)RAND_MAX;
    return values;
}

/* The one of 256 evenly spaced levels that is nearest to value. */
static int nearest_level(double value, double low, double high)
{
    int best = 0;
    for (int i = 1; i < 256; i++) {
        double level = low + (high - low) * i / 255;
        if (fabs(level - value) < fabs(low + (high - low) * best / 255 - value)) best = i;
    }
    return best;
}

/* The pixel (px, py) of a picture in which a block of shrink x shrink places is grow x grow. */
static int reference_pixel(const double *values, int64_t width, int64_t height, int64_t shrink, int64_t grow,
                           int64_t px, int64_t py, const mass_palette *palette)
{
    double sum = 0;
    int count = 0;
    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0; x < width; x++) {
            double value = values[y * width + x];
            if (x / shrink != px / grow || y / shrink != py / grow || value != value) continue;
            sum += value;
            count++;
        }
    return count ? nearest_level(sum / count, palette->low, palette->high) : 0;
}

static mass_raster draw(const double *values, int64_t width, int64_t height, int32_t limit, const mass_palette *palette,
                        int64_t band)
{
    mass_error error = {0};
    mass_drawing *drawing;
    mass_raster raster;
    mass_status status = mass_raster_begin(&drawing, width, height, limit, palette, &error);
    cr_assert_eq(status, MASS_OK, "%s", error.text);
    for (int64_t y = 0; y < height; y += band)
        mass_raster_rows(drawing, y + band < height ? band : height - y, values + y * width);
    mass_raster_end(drawing, &raster);
    return raster;
}

static void expect_reference(int64_t width, int64_t height, int32_t limit, int64_t shrink, int64_t grow)
{
    mass_palette palette = palette_of(-1, 2);
    double *values = numbers(width * height, (unsigned)(width * 31 + height));
    for (int64_t i = 0; i < width * height; i += 7) values[i] = NAN;
    mass_raster raster = draw(values, width, height, limit, &palette, height);
    cr_assert_eq(raster.width, (width + shrink - 1) / shrink * grow);
    cr_assert_eq(raster.height, (height + shrink - 1) / shrink * grow);
    for (int32_t y = 0; y<raster.height; y += grow> 8 ? 5 : 1)
        for (int32_t x = 0; x<raster.width; x += grow> 8 ? 5 : 1)
            cr_assert_eq(raster.index[(size_t)y * (size_t)raster.width + (size_t)x],
                         reference_pixel(values, width, height, shrink, grow, x, y, &palette), "pixel %d, %d", x, y);
    mass_raster_free(&raster);
    free(values);
}

Test(raster, one_to_one_matches_the_reference) { expect_reference(61, 47, 64, 1, 1); }
Test(raster, reduced_matches_the_reference) { expect_reference(64, 48, 16, 4, 1); }
Test(raster, odd_sizes_end_in_partial_blocks) { expect_reference(53, 37, 10, 6, 1); }
Test(raster, enlarged_matches_the_reference) { expect_reference(40, 23, 2048, 1, 12); }
Test(raster, single_place_fills_the_picture) { expect_reference(1, 1, 2048, 1, 512); }
Test(raster, line_is_enlarged) { expect_reference(37, 1, 2048, 1, 13); }
Test(raster, line_is_reduced) { expect_reference(5001, 1, 100, 51, 1); }

Test(raster, single_place_shows_its_level)
{
    mass_palette palette = palette_of(0, 255);
    for (int level = 0; level < 256; level++) {
        double value = level;
        mass_raster raster = draw(&value, 1, 1, 1, &palette, 1);
        cr_assert_eq(raster.index[0], level);
        mass_raster_free(&raster);
    }
}

Test(raster, values_outside_the_range_are_clamped)
{
    static const double values[] = {-5, 5, -INFINITY, INFINITY, -1.7e308, 1.7e308};
    mass_palette palette = palette_of(-1, 1);
    mass_raster raster = draw(values, 6, 1, 6, &palette, 1);
    for (int i = 0; i < 6; i++) cr_assert_eq(raster.index[i], i % 2 ? 255 : 0);
    mass_raster_free(&raster);
}

Test(raster, nan_is_left_out_and_alone_is_zero)
{
    const double values[] = {NAN, 1, NAN, NAN};
    mass_palette palette = palette_of(-1, 1);
    mass_raster raster = draw(values, 4, 1, 2, &palette, 1);
    cr_assert_eq(raster.index[0], 255);
    cr_assert_eq(raster.index[1], 0);
    mass_raster_free(&raster);
}

Test(raster, bands_change_no_pixel)
{
    enum { WIDTH = 301, HEIGHT = 207 };
    mass_palette palette = palette_of(-1, 2);
    double *values = numbers(WIDTH * HEIGHT, 9);
    mass_raster whole = draw(values, WIDTH, HEIGHT, 100, &palette, HEIGHT);
    for (int64_t band = 1; band < 20; band++) {
        mass_raster raster = draw(values, WIDTH, HEIGHT, 100, &palette, band);
        cr_assert_eq(raster.width * raster.height, 76 * 52);
        cr_assert_arr_eq(raster.index, whole.index, 76 * 52);
        mass_raster_free(&raster);
    }
    mass_raster_free(&whole);
    free(values);
}

/* Of a space 2 wide, given three rows. */
static void expect_pixels(int64_t height, int32_t limit, const double values[6], const uint8_t *pixels, size_t count)
{
    mass_palette palette = palette_of(0, 1);
    mass_error error = {0};
    mass_drawing *drawing;
    mass_raster raster;
    cr_assert_eq(mass_raster_begin(&drawing, 2, height, limit, &palette, &error), MASS_OK);
    mass_raster_rows(drawing, 3, values);
    mass_raster_end(drawing, &raster);
    cr_assert_arr_eq(raster.index, pixels, count);
    mass_raster_free(&raster);
}

Test(raster, rows_that_never_came_count_as_nan)
{
    expect_pixels(6, 3, (double[]){1, 1, 1, 1, 1, 1}, (uint8_t[]){255, 255, 0}, 3);
}

Test(raster, rows_beyond_the_height_are_ignored)
{
    expect_pixels(1, 2, (double[]){0, 1, 1, 1, 1, 1}, (uint8_t[]){0, 255}, 2);
}

Test(raster, huge_space_is_drawn_in_little_memory)
{
    enum { WIDTH = 1 << 20 }; /* 2^40 places */
    mass_palette palette = palette_of(0, 1);
    mass_error error = {0};
    mass_drawing *drawing;
    mass_raster raster;
    double *row = numbers(WIDTH, 3);
    for (int i = 0; i < WIDTH; i++) row[i] = i % 512 == 0 ? 256 : 0;
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    cr_assert_eq(mass_raster_begin(&drawing, WIDTH, WIDTH, 2048, &palette, &error), MASS_OK);
    for (int y = 0; y < 4; y++) mass_raster_rows(drawing, 1, row);
    mass_raster_end(drawing, &raster);
    getrusage(RUSAGE_SELF, &after);
    cr_assert_lt(after.ru_maxrss - before.ru_maxrss, 32 << 10, "more than 32 MiB");
    cr_assert_eq(raster.width, 2048);
    cr_assert_eq(raster.height, 2048);
    for (int x = 0; x < 2048; x++) cr_assert_eq(raster.index[x], 128);
    cr_assert_eq(raster.index[2048], 0);
    mass_raster_free(&raster);
    free(row);
}

Test(raster, impossible_sizes_are_refused)
{
    mass_palette palette = palette_of(0, 1);
    static const int64_t sizes[][3] = {{0, 1, 9}, {1, 0, 9}, {-1, 1, 9}, {1, 1, 0}, {1, 1, 65536}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        mass_error error = {0};
        mass_drawing *drawing = NULL;
        cr_assert_eq(mass_raster_begin(&drawing, sizes[i][0], sizes[i][1], (int32_t)sizes[i][2], &palette, &error),
                     MASS_BAD_USAGE);
        cr_assert_null(drawing);
    }
}

/* ---- spots ---- */

/* Spots of two colours on a space whose places are all `high`, which is index 253. */
static mass_raster draw_spots(int width, int height, int limit)
{
    static const uint32_t colours[] = {0xff0000, 0x00ff00};
    mass_error error = {0};
    mass_palette palette;
    mass_drawing *drawing;
    mass_raster raster;
    double *values = malloc((size_t)(width * height) * sizeof *values);
    for (int i = 0; i < width * height; i++) values[i] = 1;
    cr_assert_eq(mass_palette_make_spotted(&palette, 0, 1, grey, 2, colours, 2, &error), MASS_OK);
    cr_assert_eq(mass_raster_begin(&drawing, width, height, limit, &palette, &error), MASS_OK);
    mass_raster_rows(drawing, height, values);
    mass_raster_spot(drawing, 0, 0, 255);
    mass_raster_spot(drawing, 0, 0, 254); /* beneath */
    mass_raster_spot(drawing, width - 1, height - 1, 254);
    mass_raster_end(drawing, &raster);
    free(values);
    return raster;
}

Test(spots, cover_a_place_of_one_pixel)
{
    mass_raster r = draw_spots(300, 270, 2048);
    cr_assert(r.width == 300 && r.height == 270);
    for (int i = 0; i < 300 * 270; i++)
        cr_assert_eq(r.index[i], i == 0 ? 255 : i == 300 * 270 - 1 ? 254 : 253, "pixel %d is %d", i, r.index[i]);
    mass_raster_free(&r);
}

Test(spots, leave_a_rim_of_a_place_of_many_pixels)
{
    mass_raster r = draw_spots(51, 40, 2048); /* 10 pixels a side, of which a quarter is rim on each side */
    for (int y = 0; y < r.height; y++)
        for (int x = 0; x < r.width; x++) {
            const bool middle = x % 10 >= 2 && x % 10 < 8 && y % 10 >= 2 && y % 10 < 8;
            const bool first = x < 10 && y < 10, last = x >= 500 && y >= 390;
            cr_assert_eq(r.index[y * r.width + x], middle && first ? 255 : middle && last ? 254 : 253, "%d, %d", x, y);
        }
    mass_raster_free(&r);
}

/* Also those of the last blocks, which are partial. */
Test(spots, show_on_the_pixel_of_many_places)
{
    mass_raster r = draw_spots(53, 37, 10);
    cr_assert(r.width == 9 && r.height == 7);
    for (int i = 0; i < 9 * 7; i++)
        cr_assert_eq(r.index[i], i == 0 ? 255 : i == 9 * 7 - 1 ? 254 : 253, "pixel %d is %d", i, r.index[i]);
    mass_raster_free(&r);
}

/* ---- arrows ---- */

typedef struct arrow {
    double x, y, angle, length; /* length: of the longest one */
    uint32_t torus;
} arrow;

/* Draws an arrow of colour 254 on a space of zeros. */
static mass_raster draw_arrow(int width, int height, const arrow *a)
{
    static const uint32_t colours[] = {0xff0000, 0x00ff00};
    mass_error error = {0};
    mass_palette palette;
    mass_drawing *drawing;
    mass_raster raster;
    double *values = calloc((size_t)(width * height), sizeof *values);
    cr_assert_eq(mass_palette_make_spotted(&palette, 0, 1, grey, 2, colours, 2, &error), MASS_OK);
    cr_assert_eq(mass_raster_begin(&drawing, width, height, 2048, &palette, &error), MASS_OK);
    mass_raster_rows(drawing, height, values);
    mass_raster_arrow(drawing, a->x, a->y, a->length * cos(a->angle), a->length * sin(a->angle), a->torus, 254);
    mass_raster_end(drawing, &raster);
    free(values);
    return raster;
}

static double between(double v, double least, double most) { return v < least ? least : v > most ? most : v; }

/* Returns if a pixel so far from the middle of an arrow is on it: 1 or 0; -1: it is so near its edge that rounding may
 * decide. length: in pixels. */
static int is_on_arrow(double dx, double dy, double angle, double length)
{
    const double along = dx * cos(angle) + dy * sin(angle) + length / 2;
    const double aside = fabs(dy * cos(angle) - dx * sin(angle));
    const double left = length - along, head = between(0.4 * length, 5, 10), width = length >= 20 ? 2 : 1, near = 0.1;
    const double out = fmax(fmax(-along, -left), left <= head ? aside - 0.6 * left : aside - width / 2);
    return fabs(out) < near || fabs(left - head) < near ? -1 : out < 0;
}

/* Compares an arrow with one that is drawn by real numbers: in the space, and around its edges if these are joined. */
static void expect_arrow(int width, int height, const arrow *a)
{
    mass_raster r = draw_arrow(width, height, a);
    const int grow = r.width / width;
    const double pixels = between(0.9 * grow, 11, 24) * a->length;
    int set = 0;
    for (int y = 0; y < r.height; y++)
        for (int x = 0; x < r.width; x++) {
            int on = 0, found = r.index[y * r.width + x] == 254;
            for (int j = a->torus & 2 ? -1 : 0; j <= (a->torus & 2 ? 1 : 0); j++)
                for (int i = a->torus & 1 ? -1 : 0; i <= (int)(a->torus & 1); i++) {
                    const int one = is_on_arrow(x + i * r.width - floor(a->x * grow),
                                                y + j * r.height - floor(a->y * grow), a->angle, pixels);
                    on = one == 1 || on == 1 ? 1 : one | on;
                }
            set += found;
            cr_assert(on == found || on == -1, "%d, %d of %g, %g towards %g, torus %u", x, y, a->x, a->y, a->angle,
                      a->torus);
        }
    cr_assert_gt(set, 0); /* the middle at least */
    mass_raster_free(&r);
}

Test(arrows, of_all_directions_and_sizes_are_those_of_real_numbers)
{
    static const int sizes[][2] = {{4, 3}, {30, 20}, {90, 100}};
    static const double lengths[] = {1, 0.5};
    for (int s = 0; s < 3; s++)
        for (int l = 0; l < 2; l++)
            for (int k = 0; k < 48; k++)
                expect_arrow(sizes[s][0], sizes[s][1], &(const arrow){sizes[s][0] * 0.51, sizes[s][1] * 0.47,
                                                                      k * 0.1309, lengths[l], 0});
}

/* At bounded edges they end. Edges that are joined they cross, and also corners. */
Test(arrows, end_at_edges_or_cross_them)
{
    static const double at[][2] = {{0, 0}, {29.99, 0.1}, {0.1, 19.99}, {29.9, 19.9}, {15, 0}, {0.01, 10}};
    for (size_t p = 0; p < sizeof at / sizeof *at; p++)
        for (uint32_t torus = 0; torus < 4; torus++)
            for (int k = 0; k < 12; k++)
                expect_arrow(30, 20, &(const arrow){at[p][0], at[p][1], k * 0.5236, 1, torus});
}

/* Returns how many pixels an arrow has. */
static int pixels_of(int width, int height, const arrow *a)
{
    mass_raster r = draw_arrow(width, height, a);
    int set = 0;
    for (int i = 0; i < r.width * r.height; i++) set += r.index[i] == 254;
    mass_raster_free(&r);
    return set;
}

Test(arrows, are_points_if_they_would_be_too_small)
{
    const arrow none = {5, 5, 1, 0, 0}, still = {5, 5, 1, 0.1, 0}, whole = {5, 5, 1, 1, 0};
    cr_expect_eq(pixels_of(20, 20, &none), 25); /* as mass_raster_point draws it */
    cr_expect_eq(pixels_of(20, 20, &still), 25);
    cr_expect_eq(pixels_of(170, 170, &whole), 1); /* places of three pixels */
    cr_expect_gt(pixels_of(128, 128, &whole), 15);
}

Test(arrows, leave_higher_colours)
{
    static const uint32_t colours[] = {0xff0000, 0x00ff00};
    mass_error error = {0};
    mass_palette palette;
    mass_drawing *drawing;
    mass_raster r;
    cr_assert_eq(mass_palette_make_spotted(&palette, 0, 1, grey, 2, colours, 2, &error), MASS_OK);
    cr_assert_eq(mass_raster_begin(&drawing, 2, 2, 64, &palette, &error), MASS_OK);
    mass_raster_rows(drawing, 2, (const double[4]){0});
    mass_raster_spot(drawing, 0, 0, 255);
    mass_raster_arrow(drawing, 0.5, 0.5, 1, 0, 0, 254);
    mass_raster_end(drawing, &r);
    cr_expect_eq(r.index[16 * r.width + 16], 255);
    cr_expect_eq(r.index[16 * r.width + 27], 254);
    mass_raster_free(&r);
}
