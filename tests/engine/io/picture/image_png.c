/* SPDX-License-Identifier: Apache-2.0 */
/* PNG files as libpng reads them back, what is left in the folder when writing fails, and the check before a run. */
#include "drawn_file.h"
#include "grey_palette.h"

#include <fcntl.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void make(void) { make_folder("a.png"); }

TestSuite(png, .init = make, .fini = remove_folder);
TestSuite(png_failure, .init = make, .fini = remove_folder);
TestSuite(image_check, .init = make, .fini = remove_folder);

/* ---- pictures ---- */

static void expect_png(const char *file, const mass_raster *raster, const mass_palette *palette)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    cr_assert(png_image_begin_read_from_file(&image, file), "%s", image.message);
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

/* Written to `to`, it reads back from `from`, the only entry of the folder. */
static void expect_round_trip(const char *to, const char *from, int32_t width, int32_t height)
{
    static const uint32_t colours[] = {0x102030, 0xfedcba, 0x00ff80, 0x800001};
    mass_error error = {0};
    mass_palette palette;
    cr_assert_eq(mass_palette_make(&palette, 0, 1, colours, 4, &error), MASS_OK);
    mass_raster raster = noise(width, height);
    cr_assert_eq(mass_image_write_png(to, &raster, &palette, true, &error), MASS_OK, "%s", error.text);
    expect_png(from, &raster, &palette);
    cr_assert_eq(entries_in(folder, NULL), 1);
    mass_raster_free(&raster);
}

Test(png, picture_reads_back) { expect_round_trip(path, path, 320, 200); }
Test(png, odd_sizes_read_back) { expect_round_trip(path, path, 37, 101); }
Test(png, single_pixel_reads_back) { expect_round_trip(path, path, 1, 1); }
Test(png, line_reads_back) { expect_round_trip(path, path, 2048, 1); }
Test(png, largest_picture_reads_back) { expect_round_trip(path, path, 2048, 2048); }

Test(png, permissions_follow_the_umask)
{
    struct stat about;
    umask(027);
    expect_round_trip(path, path, 3, 3);
    cr_assert_eq(stat(path, &about), 0);
    cr_assert_eq(about.st_mode & 0777, 0640);
}

Test(png, former_picture_is_replaced)
{
    write_former();
    expect_round_trip(path, path, 20, 10);
}

Test(png, path_without_a_folder_is_the_working_directory)
{
    mass_error error = {0};
    cr_assert_eq(chdir(folder), 0);
    cr_assert_eq(mass_image_check("a.png", true, &error), MASS_OK);
    expect_round_trip("a.png", path, 20, 10);
}

Test(png, longest_name_is_written)
{
    char name[256], longest[512];
    memset(name, 'n', 255);
    strcpy(name + 251, ".png");
    snprintf(longest, sizeof longest, "%s/%s", folder, name);
    expect_round_trip(longest, longest, 4, 4);
    unlink(longest);
}

/* ---- failures ---- */

static void expect_write_fails(const char *to, mass_status expected, const char *said)
{
    mass_error error = {0};
    mass_palette palette = palette_of(0, 1);
    mass_raster raster = noise(300, 300);
    cr_assert_eq(mass_image_write_png(to, &raster, &palette, true, &error), expected);
    cr_assert_not_null(strstr(error.text, to), "%s", error.text);
    cr_assert_not_null(strstr(error.text, said), "%s", error.text);
    mass_raster_free(&raster);
}

Test(png_failure, missing_folder_is_bad_usage)
{
    expect_write_fails("/tmp/mass-no-such-folder/a.png", MASS_BAD_USAGE, "mkdir -p");
}

Test(png_failure, file_in_place_of_the_folder_is_bad_usage)
{
    expect_write_fails("/dev/full/a.png", MASS_BAD_USAGE, "Not a directory");
}

Test(png_failure, unwritable_folder_fails)
{
    cr_assert_eq(chmod(folder, 0555), 0);
    uid_t user = geteuid();
    become_nobody();
    expect_write_fails(path, MASS_FAILED, "Permission denied");
    cr_assert_eq(entries_in(folder, NULL), 0);
    cr_assert_eq(seteuid(user), 0);
}

Test(png_failure, folder_at_the_path_leaves_no_temporary)
{
    cr_assert_eq(mkdir(path, 0755), 0);
    expect_write_fails(path, MASS_FAILED, "directory");
    cr_assert_eq(entries_in(folder, NULL), 1);
}

/* A limit of a few bytes fails when the last buffer goes out, one of many inside libpng. */
static void expect_full_disk_leaves_nothing(rlim_t size, int32_t side)
{
    write_former();
    int standard_error[2];
    cr_assert_eq(pipe(standard_error), 0);
    cr_assert_eq(fcntl(standard_error[0], F_SETFL, O_NONBLOCK), 0);
    int kept = dup(STDERR_FILENO);
    cr_assert_geq(dup2(standard_error[1], STDERR_FILENO), 0);
    fill_disk_after(size);
    mass_error error = {0};
    mass_palette palette = palette_of(0, 1);
    mass_raster raster = noise(side, side);
    mass_status status = mass_image_write_png(path, &raster, &palette, true, &error);
    dup2(kept, STDERR_FILENO);
    char printed;
    cr_assert_eq(status, MASS_FAILED);
    cr_assert_not_null(strstr(error.text, path));
    cr_assert_not_null(strstr(error.text, "File too large"), "%s", error.text);
    cr_assert_eq(read(standard_error[0], &printed, 1), -1, "something was printed");
    cr_assert_eq(entries_in(folder, NULL), 1);
    expect_former();
    mass_raster_free(&raster);
}

Test(png_failure, full_disk_while_encoding) { expect_full_disk_leaves_nothing(10000, 300); }
Test(png_failure, full_disk_at_the_first_byte) { expect_full_disk_leaves_nothing(0, 300); }
Test(png_failure, full_disk_at_the_end) { expect_full_disk_leaves_nothing(100, 2); }

Test(png_failure, failures_leave_no_descriptor_open)
{
    int before = entries_in("/proc/self/fd", NULL);
    expect_write_fails("/tmp/mass-no-such-folder/a.png", MASS_BAD_USAGE, "mkdir -p");
    cr_assert_eq(mkdir(path, 0755), 0);
    expect_write_fails(path, MASS_FAILED, "directory");
    rmdir(path);
    fill_disk_after(100);
    expect_write_fails(path, MASS_FAILED, "File too large");
    cr_assert_eq(entries_in("/proc/self/fd", NULL), before);
}

Test(png_failure, empty_raster_is_refused)
{
    mass_error error = {0};
    mass_palette palette = palette_of(0, 1);
    mass_raster raster = {0};
    cr_assert_eq(mass_image_write_png(path, &raster, &palette, true, &error), MASS_BAD_USAGE);
    cr_assert_eq(entries_in(folder, NULL), 0);
}

/* ---- the check before a run ---- */

static void expect_check(const char *to, const char *said)
{
    mass_error error = {0};
    cr_assert_eq(mass_image_check(to, true, &error), MASS_BAD_USAGE, "%s", to);
    cr_assert_not_null(strstr(error.text, to), "%s", error.text);
    cr_assert_not_null(strstr(error.text, said), "%s", error.text);
}

Test(image_check, writable_path_passes_and_nothing_is_written)
{
    char capitals[128];
    mass_error error = {0};
    snprintf(capitals, sizeof capitals, "%s/A.PNG", folder);
    cr_assert_eq(mass_image_check(path, true, &error), MASS_OK, "%s", error.text);
    cr_assert_eq(mass_image_check(capitals, true, &error), MASS_OK, "%s", error.text);
    cr_assert_eq(entries_in(folder, NULL), 0);
    write_former();
    cr_assert_eq(mass_image_check(path, true, &error), MASS_OK, "%s", error.text);
}

Test(image_check, other_names_are_refused)
{
    static const char *const others[] = {"/tmp/a.gif", "/tmp/a", "/tmp/.png", "/tmp/apng", "/tmp.png/a", ""};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) expect_check(others[i], ".png");
}

Test(image_check, folders_are_refused)
{
    expect_check(folder, "is a folder");
    cr_assert_eq(mkdir(path, 0755), 0);
    expect_check(path, "is a folder");
}

Test(image_check, folder_must_exist)
{
    expect_check("/tmp/mass-no-such-folder/a.png", "mkdir -p");
    expect_check("/dev/full/a.png", "Not a directory");
}

Test(image_check, folder_must_be_writable)
{
    cr_assert_eq(chmod(folder, 0555), 0);
    uid_t user = geteuid();
    become_nobody();
    expect_check(path, "cannot be written to");
    cr_assert_eq(seteuid(user), 0);
}

Test(image_check, name_must_fit_the_file_system)
{
    char longer[512] = "/tmp/";
    memset(longer + 5, 'n', 300);
    strcpy(longer + 305, ".png");
    expect_check(longer, "File name too long");
}
