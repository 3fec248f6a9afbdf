/* SPDX-License-Identifier: Apache-2.0 */
#include "io/picture/movie.h"
#include "io/picture/image.h"

#include <gif_lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct mass_movie {
    mass_image_file file;
    GifFileType *gif;
    int32_t width, height;
    double delay;    /* hundredths of a second */
    uint64_t frames; /* written so far */
    bool started, failed; /* started: it has a frame; failed: a frame is incomplete */
    uint8_t *shown;       /* [height][width], indices of the last frame */
};

typedef struct rectangle {
    int32_t left, top, width, height;
} rectangle;

mass_status mass_movie_check(const char *path, bool force, mass_error *error)
{
    return mass_image_check_path(path, "movie", ".gif", force, error);
}

/* ---- GIF ---- */

/* Writes bytes for giflib. Returns `size`, or 0 on failure. */
static int gif_put(GifFileType *gif, const GifByteType *bytes, int size)
{
    return mass_image_file_write(gif->UserData, bytes, (size_t)size) ? size : 0;
}

/* Writes the extension that repeats the movie without end. Returns false if that fails. */
static bool put_loop_for_ever(GifFileType *gif)
{
    static const GifByteType repeat[] = {1, 0, 0}; /* sub-block 1, with a count of 0: endless */
    return EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
           EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0") == GIF_OK &&
           EGifPutExtensionBlock(gif, sizeof repeat, repeat) == GIF_OK &&
           EGifPutExtensionTrailer(gif) == GIF_OK;
}

/* Writes the size, the palette, endless repetition and the program's name. Returns false if that fails. */
static bool put_header(const mass_movie *movie, const mass_palette *palette)
{
    GifColorType colours[256];
    for (int i = 0; i < 256; i++) {
        uint32_t rgb = palette->rgb[i];
        colours[i] =
            (GifColorType){(GifByteType)(rgb >> 16), (GifByteType)(rgb >> 8), (GifByteType)rgb};
    }
    ColorMapObject *map = GifMakeMapObject(256, colours);
    if (!map) return false;
    EGifSetGifVersion(movie->gif, true);
    bool put = EGifPutScreenDesc(movie->gif, movie->width, movie->height, 8, 0, map) == GIF_OK &&
               put_loop_for_ever(movie->gif) &&
               EGifPutComment(movie->gif, MASS_IMAGE_SOFTWARE) == GIF_OK;
    GifFreeMapObject(map);
    return put;
}

/* Returns the delay of the next frame: the rounded time of the frame after it, minus its own. */
static int delay_of(const mass_movie *movie)
{
    const double from = (double)movie->frames * movie->delay;
    return (int)(llround(from + movie->delay) - llround(from));
}

/* Writes how long the next picture is shown. Returns false if that fails. */
static bool put_timing(const mass_movie *movie)
{
    GraphicsControlBlock control = {
        .DisposalMode = DISPOSE_DO_NOT,
        .DelayTime = delay_of(movie),
        .TransparentColor = NO_TRANSPARENT_COLOR,
    };
    GifByteType bytes[4];
    EGifGCBToExtension(&control, bytes);
    return EGifPutExtension(movie->gif, GRAPHICS_EXT_FUNC_CODE, sizeof bytes, bytes) == GIF_OK;
}

/* Writes a rectangle of what is shown, with its timing, as the next picture. Returns false if the file cannot be
 * written. */
static bool put_shown(const mass_movie *movie, rectangle part)
{
    if (!put_timing(movie) || EGifPutImageDesc(movie->gif, part.left, part.top, part.width,
                                               part.height, false, NULL) != GIF_OK)
        return false;
    for (int32_t y = part.top; y < part.top + part.height; y++) {
        uint8_t *line = movie->shown + (size_t)y * (size_t)movie->width + part.left;
        if (EGifPutLine(movie->gif, line, part.width) != GIF_OK) return false;
    }
    return true;
}

/* ---- frames ---- */

/* Returns the smallest rectangle around all changes from the last frame; one pixel if there are none, since a frame
 * cannot be empty. */
static rectangle changed_part(const mass_movie *movie, const uint8_t *next)
{
    int32_t left = movie->width, right = -1, top = movie->height, bottom = -1;
    size_t width = (size_t)movie->width;
    for (int32_t y = 0; y < movie->height; y++) {
        const uint8_t *old = movie->shown + (size_t)y * width, *new = next + (size_t)y * width;
        if (memcmp(old, new, width) == 0) continue;
        int32_t first = 0, last = movie->width - 1;
        while (old[first] == new[first]) first++;
        while (old[last] == new[last]) last--;
        if (first < left) left = first;
        if (last > right) right = last;
        if (bottom < 0) top = y;
        bottom = y;
    }
    if (bottom < 0) return (rectangle){0, 0, 1, 1};
    return (rectangle){left, top, right - left + 1, bottom - top + 1};
}

mass_status mass_movie_add(mass_movie *movie, const mass_raster *raster, mass_error *error)
{
    if (raster->width != movie->width || raster->height != movie->height)
        return mass_error_set(error, MASS_BAD_USAGE,
                              "movie %s: a frame of %d x %d pixels in a movie of %d x %d",
                              movie->file.path, raster->width, raster->height, movie->width,
                              movie->height);
    if (movie->failed) return mass_image_file_failed(&movie->file, error);
    rectangle part = {0, 0, movie->width, movie->height};
    if (movie->started) part = changed_part(movie, raster->index);
    memcpy(movie->shown, raster->index, (size_t)movie->width * (size_t)movie->height);
    movie->started = true;
    /* giflib misses some failed writes, but the file records them all */
    movie->failed = !put_shown(movie, part) || movie->file.cause != 0;
    movie->frames++;
    return movie->failed ? mass_image_file_failed(&movie->file, error) : MASS_OK;
}

/* ---- opening and ending ---- */

/* Frees the movie's memory; leaves its file as it is. */
static void free_movie(mass_movie *movie)
{
    free(movie->shown);
    free(movie);
}

/* Allocates a movie, without a file. NULL, with the error set, if there is no memory. */
static mass_movie *allocate(int32_t width, int32_t height, double delay, mass_error *error)
{
    size_t pixels = (size_t)width * (size_t)height;
    mass_movie *movie = calloc(1, sizeof *movie);
    uint8_t *shown = malloc(pixels);
    if (!movie || !shown) {
        free(movie);
        free(shown);
        mass_error_memory(error, pixels + sizeof *movie, "the movie");
        return NULL;
    }
    *movie = (mass_movie){.width = width, .height = height, .delay = delay, .shown = shown};
    return movie;
}

mass_status mass_movie_open(mass_movie **out, const char *path, int32_t width, int32_t height,
                            const mass_palette *palette, double delay, bool force, mass_error *error)
{
    if (width < 1 || height < 1 || width > MASS_RASTER_MAXIMUM || height > MASS_RASTER_MAXIMUM)
        return mass_error_set(error, MASS_BAD_USAGE, "movie %s: %d x %d pixels, sides are 1 to %d",
                              path, width, height, MASS_RASTER_MAXIMUM);
    if (!(delay >= 1 && delay <= 65535))
        return mass_error_set(error, MASS_BAD_USAGE,
                              "movie %s: a frame of %g hundredths of a second, expected 1 to 65535",
                              path, delay);
    mass_movie *movie = allocate(width, height, delay, error);
    if (!movie) return error->status;
    mass_status status = mass_image_file_open(&movie->file, path, force, error);
    if (status != MASS_OK) {
        free_movie(movie);
        return status;
    }
    int code;
    movie->gif = EGifOpen(&movie->file, gif_put, &code);
    if (!movie->gif || !put_header(movie, palette) || movie->file.cause != 0) {
        status = mass_image_file_failed(&movie->file, error);
        mass_movie_abandon(movie);
        return status;
    }
    *out = movie;
    return MASS_OK;
}

mass_status mass_movie_close(mass_movie *movie, mass_error *error)
{
    mass_status status = MASS_OK;
    if (!movie->started)
        status = mass_error_set(error, MASS_FAILED, "movie %s: not written, it has no frame",
                                movie->file.path);
    else if (movie->failed)
        status = mass_image_file_failed(&movie->file, error);
    if (status != MASS_OK) {
        mass_movie_abandon(movie);
        return status;
    }
    int code;
    bool closed = EGifCloseFile(movie->gif, &code) == GIF_OK;
    if (closed) {
        status = mass_image_file_commit(&movie->file, error);
    } else {
        status = mass_image_file_failed(&movie->file, error);
        mass_image_file_abandon(&movie->file);
    }
    free_movie(movie);
    return status;
}

void mass_movie_abandon(mass_movie *movie)
{
    int code;
    if (movie->gif) EGifCloseFile(movie->gif, &code);
    mass_image_file_abandon(&movie->file);
    free_movie(movie);
}
