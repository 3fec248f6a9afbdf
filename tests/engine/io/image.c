/* Rasters against a reference that looks at one pixel at a time, PNG files as libpng reads them
 * back, and what is left in the folder when writing fails. */
#include "io/image.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <png.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint32_t grey[] = {0x000000, 0xffffff};

static mass_palette palette_of(double low, double high)
{
    mass_error error = {0};
    mass_palette palette;
    cr_assert_eq(mass_palette_make(&palette, low, high, grey, 2, &error), MASS_OK);
    return palette;
}

/* ---- folders ---- */

static void make_folder(char folder[64])
{
    strcpy(folder, "/tmp/mass-image-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

static int entries_in(const char *folder)
{
    int count = -2; /* "." and ".." */
    DIR *open_folder = opendir(folder);
    cr_assert_not_null(open_folder);
    while (readdir(open_folder)) count++;
    closedir(open_folder);
    return count;
}

static const char *in(const char *folder, const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_text(const char *path, const char *text)
{
    FILE *stream = fopen(path, "w");
    cr_assert_not_null(stream);
    cr_assert_geq(fputs(text, stream), 0);
    cr_assert_eq(fclose(stream), 0);
}

static void expect_text(const char *path, const char *text)
{
    char read[64] = "";
    FILE *stream = fopen(path, "r");
    cr_assert_not_null(stream);
    cr_assert_not_null(fgets(read, sizeof read, stream));
    fclose(stream);
    cr_assert_str_eq(read, text);
}

/* Permission bits bind everyone but root. */
static void become_nobody(void)
{
    if (geteuid() == 0) cr_assert_eq(seteuid(65534), 0);
}

/* ---- reference ---- */

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
static int reference_pixel(const double *values, int64_t width, int64_t height, int64_t shrink,
                           int64_t grow, int64_t px, int64_t py, const mass_palette *palette)
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

static mass_raster draw(const double *values, int64_t width, int64_t height, int32_t limit,
                        const mass_palette *palette, int64_t band)
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

static void expect_reference(int64_t width, int64_t height, int32_t limit, int64_t shrink,
                             int64_t grow)
{
    mass_palette palette = palette_of(-1, 2);
    double *values = numbers(width * height, (unsigned)(width * 31 + height));
    for (int64_t i = 0; i < width * height; i += 7) values[i] = NAN;
    mass_raster raster = draw(values, width, height, limit, &palette, height);
    cr_assert_eq(raster.width, (width + shrink - 1) / shrink * grow);
    cr_assert_eq(raster.height, (height + shrink - 1) / shrink * grow);
    for (int32_t y = 0; y < raster.height; y += grow > 8 ? 5 : 1)
        for (int32_t x = 0; x < raster.width; x += grow > 8 ? 5 : 1)
            cr_assert_eq(raster.index[(size_t)y * (size_t)raster.width + (size_t)x],
                         reference_pixel(values, width, height, shrink, grow, x, y, &palette),
                         "pixel %d, %d", x, y);
    mass_raster_free(&raster);
    free(values);
}

/* ---- palettes ---- */

Test(palette, ends_are_the_first_and_the_last_colour)
{
    mass_error error = {0};
    mass_palette palette;
    uint32_t colours[256];
    for (uint32_t i = 0; i < 256; i++) colours[i] = i * 65793 ^ 0x5a3c96;
    for (uint32_t count = 2; count <= 256; count++) {
        cr_assert_eq(mass_palette_make(&palette, 0, 1, colours, count, &error), MASS_OK);
        cr_assert_eq(palette.rgb[0], colours[0]);
        cr_assert_eq(palette.rgb[255], colours[count - 1]);
    }
}

Test(palette, colours_between_are_interpolated_channel_by_channel)
{
    static const uint32_t colours[] = {0xff0000, 0x00ff40, 0x2000ff};
    mass_error error = {0};
    mass_palette palette;
    cr_assert_eq(mass_palette_make(&palette, 0, 1, colours, 3, &error), MASS_OK);
    for (int i = 0; i < 256; i++)
        for (int shift = 0; shift < 24; shift += 8) {
            double position = i * 2 / 255.0;
            int from = position < 1 ? 0 : 1;
            double a = colours[from] >> shift & 255, b = colours[from + 1] >> shift & 255;
            double expected = a + (b - a) * (position - from);
            int channel = palette.rgb[i] >> shift & 255;
            cr_assert_leq(fabs(channel - expected), 0.5 + 1e-9, "entry %d", i);
        }
}

Test(palette, full_set_of_colours_is_kept)
{
    mass_error error = {0};
    mass_palette palette;
    uint32_t colours[256];
    for (uint32_t i = 0; i < 256; i++) colours[i] = (i * 2654435761u) & 0xffffff;
    cr_assert_eq(mass_palette_make(&palette, 0, 1, colours, 256, &error), MASS_OK);
    cr_assert_arr_eq(palette.rgb, colours, sizeof colours);
}

Test(palette, spots_come_after_the_last_colour)
{
    static const uint32_t spots[] = {0x123456, 0x00ff00, 0xffffff};
    mass_error error = {0};
    mass_palette palette;
    for (uint32_t count = 0; count <= 3; count++) {
        cr_assert_eq(mass_palette_make_spotted(&palette, 0, 1, grey, 2, spots, count, &error), MASS_OK);
        cr_assert_eq(palette.last, 255 - (int)count);
        cr_assert_eq(palette.rgb[0], grey[0]);
        cr_assert_eq(palette.rgb[palette.last], grey[1]);
        cr_assert_arr_eq(palette.rgb + palette.last + 1, spots, count * sizeof *spots);
    }
}

static void expect_refused(double low, double high, const uint32_t *colours, uint32_t count)
{
    mass_error error = {0};
    mass_palette palette = {.low = 42};
    cr_assert_eq(mass_palette_make(&palette, low, high, colours, count, &error), MASS_BAD_PLUGIN);
    cr_assert_str_not_empty(error.text);
    cr_assert_eq(palette.low, 42);
}

Test(palette, what_cannot_be_drawn_is_refused)
{
    static const uint32_t with_alpha[] = {0, 0xff000000};
    expect_refused(1, 1, grey, 2);
    expect_refused(2, 1, grey, 2);
    expect_refused(NAN, 1, grey, 2);
    expect_refused(0, INFINITY, grey, 2);
    expect_refused(-1e308, 1e308, grey, 2);
    expect_refused(0, 1, grey, 1);
    expect_refused(0, 1, grey, 257);
    expect_refused(0, 1, with_alpha, 2);
}

/* ---- raster sizes ---- */

static void expect_size(int64_t width, int64_t height, int32_t limit, int32_t out_width,
                        int32_t out_height)
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

Test(raster, rows_that_never_came_count_as_nan)
{
    const double values[] = {1, 1, 1, 1, 1, 1};
    mass_palette palette = palette_of(0, 1);
    mass_error error = {0};
    mass_drawing *drawing;
    mass_raster raster;
    cr_assert_eq(mass_raster_begin(&drawing, 2, 6, 3, &palette, &error), MASS_OK);
    mass_raster_rows(drawing, 3, values);
    mass_raster_end(drawing, &raster);
    cr_assert_arr_eq(raster.index, ((uint8_t[]){255, 255, 0}), 3);
    mass_raster_free(&raster);
}

Test(raster, rows_beyond_the_height_are_ignored)
{
    const double values[] = {0, 1, 1, 1, 1, 1};
    mass_palette palette = palette_of(0, 1);
    mass_error error = {0};
    mass_drawing *drawing;
    mass_raster raster;
    cr_assert_eq(mass_raster_begin(&drawing, 2, 1, 2, &palette, &error), MASS_OK);
    mass_raster_rows(drawing, 3, values);
    mass_raster_end(drawing, &raster);
    cr_assert_arr_eq(raster.index, ((uint8_t[]){0, 255}), 2);
    mass_raster_free(&raster);
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
        cr_assert_eq(mass_raster_begin(&drawing, sizes[i][0], sizes[i][1], (int32_t)sizes[i][2],
                                       &palette, &error),
                     MASS_BAD_USAGE);
        cr_assert_null(drawing);
    }
}

/* ---- PNG ---- */

static mass_raster noise(int32_t width, int32_t height)
{
    mass_raster raster = {width, height, malloc((size_t)width * (size_t)height)};
    cr_assert_not_null(raster.index);
    srand(5);
    for (int32_t i = 0; i < width * height; i++) raster.index[i] = (uint8_t)(rand() >> 7);
    return raster;
}

static void expect_png(const char *path, const mass_raster *raster, const mass_palette *palette)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    cr_assert(png_image_begin_read_from_file(&image, path), "%s", image.message);
    cr_assert_eq(image.width, (uint32_t)raster->width);
    cr_assert_eq(image.height, (uint32_t)raster->height);
    cr_assert(image.format & PNG_FORMAT_FLAG_COLORMAP, "not a palette PNG");
    image.format = PNG_FORMAT_RGB;
    uint8_t *rgb = malloc(PNG_IMAGE_SIZE(image));
    cr_assert_not_null(rgb);
    cr_assert(png_image_finish_read(&image, NULL, rgb, 0, NULL), "%s", image.message);
    for (int32_t i = 0; i < raster->width * raster->height; i++) {
        uint32_t read = (uint32_t)rgb[3 * i] << 16 | (uint32_t)rgb[3 * i + 1] << 8 | rgb[3 * i + 2];
        cr_assert_eq(read, palette->rgb[raster->index[i]], "pixel %d", i);
    }
    free(rgb);
}

static void expect_round_trip(int32_t width, int32_t height)
{
    static const uint32_t colours[] = {0x102030, 0xfedcba, 0x00ff80, 0x800001};
    char folder[64];
    make_folder(folder);
    mass_error error = {0};
    mass_palette palette;
    cr_assert_eq(mass_palette_make(&palette, 0, 1, colours, 4, &error), MASS_OK);
    mass_raster raster = noise(width, height);
    const char *path = in(folder, "a.png");
    mass_status status = mass_image_write_png(path, &raster, &palette, &error);
    cr_assert_eq(status, MASS_OK, "%s", error.text);
    expect_png(path, &raster, &palette);
    cr_assert_eq(entries_in(folder), 1);
    unlink(path);
    rmdir(folder);
    mass_raster_free(&raster);
}

Test(png, picture_reads_back) { expect_round_trip(320, 200); }
Test(png, odd_sizes_read_back) { expect_round_trip(37, 101); }
Test(png, single_pixel_reads_back) { expect_round_trip(1, 1); }
Test(png, line_reads_back) { expect_round_trip(2048, 1); }
Test(png, largest_picture_reads_back) { expect_round_trip(2048, 2048); }

Test(png, permissions_follow_the_umask)
{
    char folder[64];
    make_folder(folder);
    mass_error error = {0};
    mass_palette palette = palette_of(0, 1);
    mass_raster raster = noise(3, 3);
    struct stat about;
    umask(027);
    const char *path = in(folder, "a.png");
    cr_assert_eq(mass_image_write_png(path, &raster, &palette, &error), MASS_OK);
    cr_assert_eq(stat(path, &about), 0);
    cr_assert_eq(about.st_mode & 0777, 0640);
    unlink(path);
    rmdir(folder);
    mass_raster_free(&raster);
}

Test(png, former_picture_is_replaced)
{
    char folder[64];
    make_folder(folder);
    mass_error error = {0};
    mass_palette palette = palette_of(0, 1);
    mass_raster raster = noise(20, 10);
    const char *path = in(folder, "a.png");
    write_text(path, "a former picture");
    cr_assert_eq(mass_image_write_png(path, &raster, &palette, &error), MASS_OK);
    expect_png(path, &raster, &palette);
    unlink(path);
    rmdir(folder);
    mass_raster_free(&raster);
}

Test(png, path_without_a_folder_is_the_working_directory)
{
    char folder[64];
    make_folder(folder);
    cr_assert_eq(chdir(folder), 0);
    mass_error error = {0};
    mass_palette palette = palette_of(0, 1);
    mass_raster raster = noise(20, 10);
    cr_assert_eq(mass_image_check("a.png", &error), MASS_OK);
    cr_assert_eq(mass_image_write_png("a.png", &raster, &palette, &error), MASS_OK);
    expect_png(in(folder, "a.png"), &raster, &palette);
    cr_assert_eq(entries_in(folder), 1);
    unlink("a.png");
    rmdir(folder);
    mass_raster_free(&raster);
}

Test(png, longest_name_is_written)
{
    char folder[64], name[256];
    make_folder(folder);
    memset(name, 'n', 255);
    strcpy(name + 251, ".png");
    mass_error error = {0};
    mass_palette palette = palette_of(0, 1);
    mass_raster raster = noise(4, 4);
    const char *path = in(folder, name);
    cr_assert_eq(mass_image_write_png(path, &raster, &palette, &error), MASS_OK, "%s", error.text);
    expect_png(path, &raster, &palette);
    unlink(path);
    rmdir(folder);
    mass_raster_free(&raster);
}

/* ---- failures ---- */

static void expect_write_fails(const char *path, mass_status expected, const char *said)
{
    mass_error error = {0};
    mass_palette palette = palette_of(0, 1);
    mass_raster raster = noise(300, 300);
    cr_assert_eq(mass_image_write_png(path, &raster, &palette, &error), expected);
    cr_assert_not_null(strstr(error.text, path), "%s", error.text);
    cr_assert_not_null(strstr(error.text, said), "%s", error.text);
    mass_raster_free(&raster);
}

Test(png_failure, missing_folder_is_bad_usage)
{
    expect_write_fails("/tmp/mass-no-such-folder/a.png", MASS_BAD_USAGE, "does not exist");
}

Test(png_failure, file_in_place_of_the_folder_is_bad_usage)
{
    expect_write_fails("/dev/full/a.png", MASS_BAD_USAGE, "does not exist");
}

Test(png_failure, unwritable_folder_fails)
{
    char folder[64];
    make_folder(folder);
    cr_assert_eq(chmod(folder, 0555), 0);
    uid_t user = geteuid();
    become_nobody();
    expect_write_fails(in(folder, "a.png"), MASS_FAILED, "Permission denied");
    cr_assert_eq(entries_in(folder), 0);
    cr_assert_eq(seteuid(user), 0);
    rmdir(folder);
}

Test(png_failure, folder_at_the_path_leaves_no_temporary)
{
    char folder[64];
    make_folder(folder);
    const char *path = in(folder, "a.png");
    cr_assert_eq(mkdir(path, 0755), 0);
    expect_write_fails(path, MASS_FAILED, "directory");
    cr_assert_eq(entries_in(folder), 1);
    rmdir(path);
    rmdir(folder);
}

/* From now on no file of this process grows beyond size bytes. */
static void fill_disk_after(rlim_t size)
{
    struct rlimit limit = {size, size};
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* A limit of a few bytes fails when the last buffer goes out, one of many inside libpng. */
static void expect_full_disk_leaves_nothing(rlim_t size, int32_t side)
{
    char folder[64];
    make_folder(folder);
    const char *path = in(folder, "a.png");
    write_text(path, "a former picture");
    int standard_error[2];
    cr_assert_eq(pipe(standard_error), 0);
    cr_assert_eq(fcntl(standard_error[0], F_SETFL, O_NONBLOCK), 0);
    int kept = dup(STDERR_FILENO);
    cr_assert_geq(dup2(standard_error[1], STDERR_FILENO), 0);
    fill_disk_after(size);
    mass_error error = {0};
    mass_palette palette = palette_of(0, 1);
    mass_raster raster = noise(side, side);
    mass_status status = mass_image_write_png(path, &raster, &palette, &error);
    dup2(kept, STDERR_FILENO);
    char printed;
    cr_assert_eq(status, MASS_FAILED);
    cr_assert_not_null(strstr(error.text, path));
    cr_assert_not_null(strstr(error.text, "File too large"), "%s", error.text);
    cr_assert_eq(read(standard_error[0], &printed, 1), -1, "something was printed");
    cr_assert_eq(entries_in(folder), 1);
    expect_text(path, "a former picture");
    unlink(path);
    rmdir(folder);
    mass_raster_free(&raster);
}

Test(png_failure, full_disk_while_encoding) { expect_full_disk_leaves_nothing(10000, 300); }
Test(png_failure, full_disk_at_the_first_byte) { expect_full_disk_leaves_nothing(0, 300); }
Test(png_failure, full_disk_at_the_end) { expect_full_disk_leaves_nothing(100, 2); }

Test(png_failure, failures_leave_no_descriptor_open)
{
    int before = entries_in("/proc/self/fd");
    expect_write_fails("/tmp/mass-no-such-folder/a.png", MASS_BAD_USAGE, "does not exist");
    char folder[64];
    make_folder(folder);
    const char *path = in(folder, "a.png");
    cr_assert_eq(mkdir(path, 0755), 0);
    expect_write_fails(path, MASS_FAILED, "directory");
    rmdir(path);
    fill_disk_after(100);
    expect_write_fails(path, MASS_FAILED, "File too large");
    cr_assert_eq(entries_in("/proc/self/fd"), before);
    rmdir(folder);
}

Test(png_failure, empty_raster_is_refused)
{
    char folder[64];
    make_folder(folder);
    mass_error error = {0};
    mass_palette palette = palette_of(0, 1);
    mass_raster raster = {0};
    cr_assert_eq(mass_image_write_png(in(folder, "a.png"), &raster, &palette, &error),
                 MASS_BAD_USAGE);
    cr_assert_eq(entries_in(folder), 0);
    rmdir(folder);
}

/* ---- the check before a run ---- */

static void expect_check(const char *path, const char *said)
{
    mass_error error = {0};
    cr_assert_eq(mass_image_check(path, &error), MASS_BAD_USAGE, "%s", path);
    cr_assert_not_null(strstr(error.text, path), "%s", error.text);
    cr_assert_not_null(strstr(error.text, said), "%s", error.text);
}

Test(image_check, writable_path_passes_and_nothing_is_written)
{
    char folder[64];
    make_folder(folder);
    mass_error error = {0};
    cr_assert_eq(mass_image_check(in(folder, "a.png"), &error), MASS_OK, "%s", error.text);
    cr_assert_eq(mass_image_check(in(folder, "A.PNG"), &error), MASS_OK, "%s", error.text);
    cr_assert_eq(entries_in(folder), 0);
    write_text(in(folder, "a.png"), "a former picture");
    cr_assert_eq(mass_image_check(in(folder, "a.png"), &error), MASS_OK, "%s", error.text);
    unlink(in(folder, "a.png"));
    rmdir(folder);
}

Test(image_check, other_names_are_refused)
{
    expect_check("/tmp/a.gif", ".png");
    expect_check("/tmp/a", ".png");
    expect_check("/tmp/.png", ".png");
    expect_check("/tmp/apng", ".png");
    expect_check("/tmp.png/a", ".png");
    expect_check("", ".png");
}

Test(image_check, folders_are_refused)
{
    char folder[64];
    make_folder(folder);
    expect_check(folder, "is a folder");
    const char *path = in(folder, "a.png");
    cr_assert_eq(mkdir(path, 0755), 0);
    expect_check(path, "is a folder");
    rmdir(path);
    rmdir(folder);
}

Test(image_check, folder_must_exist)
{
    expect_check("/tmp/mass-no-such-folder/a.png", "does not exist");
    expect_check("/dev/full/a.png", "Not a directory");
}

Test(image_check, folder_must_be_writable)
{
    char folder[64];
    make_folder(folder);
    cr_assert_eq(chmod(folder, 0555), 0);
    uid_t user = geteuid();
    become_nobody();
    expect_check(in(folder, "a.png"), "cannot be written to");
    cr_assert_eq(seteuid(user), 0);
    rmdir(folder);
}

Test(image_check, name_must_fit_the_file_system)
{
    char path[512] = "/tmp/";
    memset(path + 5, 'n', 300);
    strcpy(path + 305, ".png");
    expect_check(path, "File name too long");
}
