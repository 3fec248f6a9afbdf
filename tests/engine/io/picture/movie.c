/* SPDX-License-Identifier: Apache-2.0 */
/* Movies as giflib reads them back, with each frame drawn over those before it. Also what is left in the folder when a
 * movie is abandoned, cannot be written or loses its process. */
#include "drawn_file.h"
#include "io/picture/movie.h"

#include <criterion/criterion.h>
#include <gif_lib.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void make(void) { make_folder("a.gif"); }

TestSuite(movie, .init = make, .fini = remove_folder);
TestSuite(movie_end, .init = make, .fini = remove_folder);
TestSuite(movie_failure, .init = make, .fini = remove_folder);
TestSuite(movie_check, .init = make, .fini = remove_folder);

static void expect_entries(int count, int hidden)
{
    int found;
    cr_assert_eq(entries_in(folder, &found), count);
    cr_assert_eq(found, hidden);
}

static mass_palette colours(void)
{
    static const uint32_t some[] = {0x102030, 0xfedcba, 0x00ff80, 0x800001};
    mass_error error = {0};
    mass_palette palette;
    cr_assert_eq(mass_palette_make(&palette, 0, 1, some, 4, &error), MASS_OK);
    return palette;
}

static mass_movie *open_movie(int32_t width, int32_t height, int32_t delay)
{
    mass_error error = {0};
    mass_palette palette = colours();
    mass_movie *movie;
    mass_status status = mass_movie_open(&movie, path, width, height, &palette, delay, true, &error);
    cr_assert_eq(status, MASS_OK, "%s", error.text);
    return movie;
}

static void add(mass_movie *movie, const mass_raster *raster)
{
    mass_error error = {0};
    cr_assert_eq(mass_movie_add(movie, raster, &error), MASS_OK, "%s", error.text);
}

static void close_movie(mass_movie *movie)
{
    mass_error error = {0};
    cr_assert_eq(mass_movie_close(movie, &error), MASS_OK, "%s", error.text);
}

static GifFileType *read_movie(void)
{
    int code;
    GifFileType *gif = DGifOpenFileName(path, &code);
    cr_assert_not_null(gif);
    cr_assert_eq(DGifSlurp(gif), GIF_OK);
    return gif;
}

static void close_read(GifFileType *gif)
{
    int code;
    cr_assert_eq(DGifCloseFile(gif, &code), GIF_OK);
}

/* Paints frame number i over the canvas of the movie's size. */
static void paint(const GifFileType *gif, int i, uint8_t *canvas)
{
    const SavedImage *image = &gif->SavedImages[i];
    const GifImageDesc *at = &image->ImageDesc;
    for (int y = 0; y < at->Height; y++)
        for (int x = 0; x < at->Width; x++)
            canvas[(at->Top + y) * gif->SWidth + at->Left + x] =
                image->RasterBits[y * at->Width + x];
}

/* Changes a few pixels of a frame, none in every fifth. */
static void change(mass_raster *raster, int frame)
{
    if (frame % 5 == 4) return;
    for (int i = 0; i < frame % 5 + 1; i++)
        raster->index[rand() % (raster->width * raster->height)] ^= (uint8_t)(1 + rand() % 255);
}

static void expect_round_trip(int32_t width, int32_t height)
{
    enum { FRAMES = 23 };
    size_t pixels = (size_t)width * (size_t)height;
    uint8_t *frames = malloc(FRAMES * pixels), *canvas = calloc(pixels, 1);
    cr_assert(frames && canvas);
    mass_raster raster = noise(width, height);
    mass_movie *movie = open_movie(width, height, 7);
    for (int i = 0; i < FRAMES; i++) {
        memcpy(frames + (size_t)i * pixels, raster.index, pixels);
        add(movie, &raster);
        change(&raster, i);
    }
    close_movie(movie);
    expect_entries(1, 0);
    GifFileType *gif = read_movie();
    cr_assert_eq(gif->SWidth, width);
    cr_assert_eq(gif->SHeight, height);
    cr_assert_eq(gif->ImageCount, FRAMES);
    for (int i = 0; i < FRAMES; i++) {
        paint(gif, i, canvas);
        cr_assert_eq(memcmp(canvas, frames + (size_t)i * pixels, pixels), 0, "frame %d", i);
    }
    close_read(gif);
    mass_raster_free(&raster);
    free(frames);
    free(canvas);
}

Test(movie, frames_read_back) { expect_round_trip(160, 120); }
Test(movie, odd_sizes_read_back) { expect_round_trip(37, 101); }
Test(movie, single_pixel_reads_back) { expect_round_trip(1, 1); }
Test(movie, line_reads_back) { expect_round_trip(500, 1); }
Test(movie, largest_frames_read_back) { expect_round_trip(1024, 1024); }

static GifFileType *short_movie(int frames, int32_t delay)
{
    mass_raster raster = noise(20, 10);
    mass_movie *movie = open_movie(20, 10, delay);
    for (int i = 0; i < frames; i++) {
        add(movie, &raster);
        raster.index[i] ^= 1;
    }
    close_movie(movie);
    mass_raster_free(&raster);
    return read_movie();
}

Test(movie, palette_is_global_and_complete)
{
    mass_palette palette = colours();
    GifFileType *gif = short_movie(2, 10);
    cr_assert_eq(gif->SColorMap->ColorCount, 256);
    for (int i = 0; i < 256; i++) {
        GifColorType colour = gif->SColorMap->Colors[i];
        uint32_t rgb =
            (uint32_t)colour.Red << 16 | (uint32_t)colour.Green << 8 | (uint32_t)colour.Blue;
        cr_assert_eq(rgb, palette.rgb[i]);
    }
    for (int i = 0; i < 2; i++) cr_assert_null(gif->SavedImages[i].ImageDesc.ColorMap);
    close_read(gif);
}

static void expect_delay(int32_t delay)
{
    GifFileType *gif = short_movie(4, delay);
    cr_assert_eq(gif->ImageCount, 4);
    for (int i = 0; i < 4; i++) {
        GraphicsControlBlock control;
        cr_assert_eq(DGifSavedExtensionToGCB(gif, i, &control), GIF_OK);
        cr_assert_eq(control.DelayTime, delay);
        cr_assert_eq(control.DisposalMode, DISPOSE_DO_NOT);
        cr_assert_eq(control.TransparentColor, NO_TRANSPARENT_COLOR);
    }
    close_read(gif);
}

Test(movie, every_frame_has_the_delay)
{
    expect_delay(1);
    expect_delay(10);
    expect_delay(65535);
}

Test(movie, loops_for_ever)
{
    GifFileType *gif = short_movie(3, 10);
    const SavedImage *first = &gif->SavedImages[0];
    cr_assert_geq(first->ExtensionBlockCount, 2);
    const ExtensionBlock *name = &first->ExtensionBlocks[0], *count = name + 1;
    cr_assert_eq(name->Function, APPLICATION_EXT_FUNC_CODE);
    cr_assert_eq(name->ByteCount, 11);
    cr_assert_arr_eq(name->Bytes, "NETSCAPE2.0", 11);
    cr_assert_eq(count->ByteCount, 3);
    cr_assert_arr_eq(count->Bytes, ((GifByteType[]){1, 0, 0}), 3);
    close_read(gif);
}

static void expect_part(const GifFileType *gif, int i, int left, int top, int width, int height)
{
    const GifImageDesc *part = &gif->SavedImages[i].ImageDesc;
    cr_assert_eq(part->Left, left);
    cr_assert_eq(part->Top, top);
    cr_assert_eq(part->Width, width);
    cr_assert_eq(part->Height, height);
}

Test(movie, only_the_part_that_changed_is_stored)
{
    mass_raster raster = noise(64, 32);
    mass_movie *movie = open_movie(64, 32, 10);
    add(movie, &raster);
    raster.index[5 * 64 + 40]++;
    raster.index[9 * 64 + 12]++;
    add(movie, &raster);
    raster.index[31 * 64 + 63]++;
    add(movie, &raster);
    add(movie, &raster);
    close_movie(movie);
    GifFileType *gif = read_movie();
    expect_part(gif, 0, 0, 0, 64, 32);
    expect_part(gif, 1, 12, 5, 29, 5);
    expect_part(gif, 2, 63, 31, 1, 1);
    expect_part(gif, 3, 0, 0, 1, 1);
    close_read(gif);
    mass_raster_free(&raster);
}

/* ---- how movies end ---- */

Test(movie_end, former_movie_stays_until_the_new_one_is_closed)
{
    write_former();
    mass_raster raster = noise(64, 32);
    mass_movie *movie = open_movie(64, 32, 10);
    add(movie, &raster);
    expect_former();
    expect_entries(2, 1);
    close_movie(movie);
    expect_entries(1, 0);
    GifFileType *gif = read_movie();
    cr_assert_eq(gif->ImageCount, 1);
    close_read(gif);
    mass_raster_free(&raster);
}

Test(movie_end, abandoned_movie_leaves_nothing)
{
    write_former();
    mass_raster raster = noise(64, 32);
    mass_movie *movie = open_movie(64, 32, 10);
    add(movie, &raster);
    mass_movie_abandon(movie);
    expect_entries(1, 0);
    expect_former();
    mass_raster_free(&raster);
}

Test(movie_end, killed_process_leaves_only_a_hidden_file)
{
    pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        mass_raster raster = noise(300, 300);
        mass_movie *movie = open_movie(300, 300, 10);
        add(movie, &raster);
        kill(getpid(), SIGKILL);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFSIGNALED(status));
    expect_entries(1, 1);
}

Test(movie_end, movie_without_frames_is_not_written)
{
    mass_error error = {0};
    cr_assert_eq(mass_movie_close(open_movie(64, 32, 10), &error), MASS_FAILED);
    cr_assert_not_null(strstr(error.text, path));
    expect_entries(0, 0);
}

Test(movie_end, two_movies_of_one_name_do_not_mix)
{
    mass_raster wide = noise(64, 32), high = noise(32, 64);
    mass_movie *first = open_movie(64, 32, 10), *second = open_movie(32, 64, 10);
    add(first, &wide);
    add(second, &high);
    close_movie(second);
    close_movie(first);
    GifFileType *gif = read_movie();
    cr_assert_eq(gif->SWidth, 64);
    cr_assert_arr_eq(gif->SavedImages[0].RasterBits, wide.index, 64 * 32);
    close_read(gif);
    expect_entries(1, 0);
    mass_raster_free(&wide);
    mass_raster_free(&high);
}

/* ---- failures ---- */

static void expect_open_fails(const char *name, int32_t width, int32_t height, int32_t delay,
                              mass_status expected)
{
    mass_error error = {0};
    mass_palette palette = colours();
    mass_movie *movie = NULL;
    cr_assert_eq(mass_movie_open(&movie, name, width, height, &palette, delay, true, &error), expected);
    cr_assert_not_null(strstr(error.text, name), "%s", error.text);
    cr_assert_null(movie);
}

Test(movie_failure, wrong_sizes_and_delays_are_refused)
{
    expect_open_fails(path, 0, 1, 10, MASS_BAD_USAGE);
    expect_open_fails(path, 1, -1, 10, MASS_BAD_USAGE);
    expect_open_fails(path, 65536, 1, 10, MASS_BAD_USAGE);
    expect_open_fails(path, 1, 1, 0, MASS_BAD_USAGE);
    expect_open_fails(path, 1, 1, 65536, MASS_BAD_USAGE);
    expect_entries(0, 0);
}

Test(movie_failure, missing_folder_is_bad_usage)
{
    expect_open_fails("/tmp/mass-no-such-folder/a.gif", 8, 8, 10, MASS_BAD_USAGE);
    expect_open_fails("/dev/full/a.gif", 8, 8, 10, MASS_BAD_USAGE);
}

Test(movie_failure, unwritable_folder_fails)
{
    cr_assert_eq(chmod(folder, 0555), 0);
    uid_t user = geteuid();
    become_nobody();
    expect_open_fails(path, 8, 8, 10, MASS_FAILED);
    cr_assert_eq(seteuid(user), 0);
    expect_entries(0, 0);
}

Test(movie_failure, frame_of_another_size_is_refused_and_harmless)
{
    mass_error error = {0};
    mass_raster raster = noise(64, 32), other = noise(32, 64);
    mass_movie *movie = open_movie(64, 32, 10);
    add(movie, &raster);
    cr_assert_eq(mass_movie_add(movie, &other, &error), MASS_BAD_USAGE);
    add(movie, &raster);
    close_movie(movie);
    GifFileType *gif = read_movie();
    cr_assert_eq(gif->ImageCount, 2);
    close_read(gif);
    mass_raster_free(&raster);
    mass_raster_free(&other);
}

Test(movie_failure, full_disk_while_adding_leaves_nothing)
{
    write_former();
    fill_disk_after(20000);
    mass_error error = {0}, again = {0}, closing = {0};
    mass_raster raster = noise(300, 300);
    mass_movie *movie = open_movie(300, 300, 10);
    cr_assert_eq(mass_movie_add(movie, &raster, &error), MASS_FAILED);
    cr_assert_not_null(strstr(error.text, path), "%s", error.text);
    cr_assert_not_null(strstr(error.text, "File too large"), "%s", error.text);
    cr_assert_eq(mass_movie_add(movie, &raster, &again), MASS_FAILED);
    cr_assert_str_eq(again.text, error.text);
    cr_assert_eq(mass_movie_close(movie, &closing), MASS_FAILED);
    expect_entries(1, 0);
    expect_former();
    mass_raster_free(&raster);
}

Test(movie_failure, full_disk_while_closing_leaves_nothing)
{
    write_former();
    fill_disk_after(100);
    mass_error error = {0};
    mass_raster raster = noise(4, 4);
    mass_movie *movie = open_movie(4, 4, 10);
    add(movie, &raster);
    cr_assert_eq(mass_movie_close(movie, &error), MASS_FAILED);
    cr_assert_not_null(strstr(error.text, "File too large"), "%s", error.text);
    expect_entries(1, 0);
    expect_former();
    mass_raster_free(&raster);
}

Test(movie_failure, no_descriptor_stays_open)
{
    const int before = entries_in("/proc/self/fd", NULL);
    mass_raster raster = noise(4, 4);
    mass_movie *movie = open_movie(4, 4, 10);
    add(movie, &raster);
    close_movie(movie);
    mass_movie_abandon(open_movie(4, 4, 10));
    fill_disk_after(100);
    movie = open_movie(4, 4, 10);
    add(movie, &raster);
    mass_error error = {0};
    cr_assert_eq(mass_movie_close(movie, &error), MASS_FAILED);
    cr_assert_eq(entries_in("/proc/self/fd", NULL), before);
    mass_raster_free(&raster);
}

/* ---- the check before a run ---- */

Test(movie_check, name_must_end_in_gif)
{
    mass_error error = {0};
    cr_assert_eq(mass_movie_check(path, true, &error), MASS_OK, "%s", error.text);
    cr_assert_eq(mass_movie_check("/tmp/a.png", true, &error), MASS_BAD_USAGE);
    cr_assert_not_null(strstr(error.text, ".gif"), "%s", error.text);
    expect_entries(0, 0);
}
