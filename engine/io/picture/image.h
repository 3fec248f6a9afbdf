/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of a space: numbers become palette indices (raster), and these a PNG file. Nothing here
 * knows of spaces or devices: the caller hands over rows of doubles. A file appears under its name
 * complete or not at all. Every function may be called by any thread, with objects of its own. */
#ifndef MASS_ENGINE_IO_PICTURE_IMAGE_H
#define MASS_ENGINE_IO_PICTURE_IMAGE_H

#include "base/error.h"
#include "io/folder/temporary.h"

#include <stdbool.h>
#include <stdio.h>

enum {
    MASS_IMAGE_LIMIT = 2048,    /* pixels a side of an image */
    MASS_RASTER_SMALL = 512,    /* a space below this is enlarged to at most this */
    MASS_RASTER_MAXIMUM = 65535 /* pixels a side that the file formats allow */
};

/* ---- palettes ---- */

/* 256 colours 0xRRGGBB, from `low` in the first to `high` in number `last`; after it, those of spots. */
typedef struct mass_palette {
    double low, high;
    int last;
    uint32_t rgb[256];
} mass_palette;

/* Interpolates 2 to 256 colours linearly; each stays exact where a value of its own is drawn, as long as there are no
 * more of them than levels, and the first and the last always. Fails with MASS_BAD_PLUGIN, *out untouched, on another
 * count, on a colour that is not 0xRRGGBB, and unless low < high with a finite difference. */
mass_status mass_palette_make(mass_palette *out, double low, double high, const uint32_t *colours,
                              uint32_t count, mass_error *error);

/* The same with `spots` colours of their own at its end, at most 128. */
mass_status mass_palette_make_spotted(mass_palette *out, double low, double high, const uint32_t *colours,
                                      uint32_t count, const uint32_t *spot_colours, uint32_t spots, mass_error *error);

/* The number of the colour of a value: that of low or high beyond them. */
uint8_t mass_palette_level(const mass_palette *palette, double value);

/* ---- rasters ---- */

/* Palette indices [height][width]. Whoever got it from mass_raster_end frees it. */
typedef struct mass_raster {
    int32_t width, height;
    int32_t grow; /* pixels of a place, along each side; 0: there are fewer pixels than places */
    uint8_t *index;
} mass_raster;

/* The pixels of a picture of a space, all arguments at least 1. A space with a side above limit is
 * reduced by the smallest integer factor that fits, its last blocks possibly partial; one whose
 * largest side is below 512 is enlarged by the largest factor that stays within 512 and limit. */
void mass_raster_size(int64_t width, int64_t height, int32_t limit, int32_t *out_width,
                      int32_t *out_height);

/* The greatest limit at which mass_raster_size stays within columns x rows, all arguments at least 1. */
int32_t mass_raster_limit(int64_t width, int64_t height, int32_t columns, int32_t rows);

/* A raster being drawn from bands of rows. Its memory grows with the picture, not the space. */
typedef struct mass_drawing mass_drawing;

/* Starts a raster of mass_raster_size pixels for a space of width x height, with low, high and last of
 * the palette. limit is 1 to MASS_RASTER_MAXIMUM. The caller ends the drawing with
 * mass_raster_end. On failure *out is untouched. */
mass_status mass_raster_begin(mass_drawing **out, int64_t width, int64_t height, int32_t limit,
                              const mass_palette *palette, mass_error *error);

/* Draws the next `rows` rows, values being [rows][width]. Each pixel is the mean of its block's
 * numbers, NaN left out; (mean - low) / (high - low), clamped to 0..1, is rounded to 0..last, and a
 * block without numbers is 0. How the rows are cut into bands changes no pixel. Rows beyond the
 * height are ignored. */
void mass_raster_rows(mass_drawing *drawing, int64_t rows, const double *values);

/* After all rows: colour `index` on the place (x, y), unless one of a higher index is there already. Where a place
 * is many pixels, on its middle, so that its own colour is seen around it. */
void mass_raster_spot(mass_drawing *drawing, int64_t x, int64_t y, uint8_t index);

/* Frees the drawing and gives its raster to *out, or drops it if out is NULL. Rows that never came
 * count as NaN. */
void mass_raster_end(mass_drawing *drawing, mass_raster *out);

/* Frees the indices and zeroes the raster. Nothing happens to a zeroed one. */
void mass_raster_free(mass_raster *raster);

/* ---- files ---- */

/* Before a run: MASS_OK if an image can be written to path, else MASS_BAD_USAGE with what is
 * expected: a name ending in .png, not a folder, in a writable folder that exists, and under it
 * nothing or, if not `force`, a picture of this program. Writes nothing. */
mass_status mass_image_check(const char *path, bool force, mass_error *error);

/* Writes an 8-bit palette PNG, replacing a picture of this program or, with `force`, any file.
 * Fails with MASS_BAD_USAGE if the folder does not exist, else MASS_FAILED; a former file at path
 * then stays, and nothing else is left. */
mass_status mass_image_write_png(const char *path, const mass_raster *raster,
                                 const mass_palette *palette, bool force, mass_error *error);

/* Whether a file is a PNG or a GIF that says it is of this program: "Software" in a PNG, the comment
 * of a GIF. */
bool mass_image_is_ours(const char *path);

/* What says so in a PNG: a whole chunk, to stand after its first one, which ends at byte
 * MASS_PNG_FIRST; and in a GIF. */
enum { MASS_PNG_MARK_BYTES = 32, MASS_PNG_FIRST = 33 };
extern const unsigned char mass_png_mark[MASS_PNG_MARK_BYTES];
/* What a PNG says of its places, as a text: their `grow`. */
#define MASS_PNG_PLACES "Pixels per place"
#define MASS_IMAGE_SOFTWARE "mass-engine"

/* ---- for writers of other formats ---- */

/* The check above for a kind of picture ("movie") and its extension (".gif"). */
mass_status mass_image_check_path(const char *path, const char *kind, const char *extension, bool force,
                                  mass_error *error);

/* A file under a temporary name in the folder of path, as mass_temporary has it. A killed process
 * leaves that, and never half a picture, until the same picture is written again. */
typedef struct mass_image_file {
    FILE *stream;
    char *path;
    mass_temporary temporary;
    bool force; /* replaces any file */
    int cause; /* errno of the first failure, 0 while there is none */
} mass_image_file;

/* Creates the temporary file. On failure there is nothing to close. The caller ends it with commit
 * or abandon. */
mass_status mass_image_file_open(mass_image_file *file, const char *path, bool force, mass_error *error);

/* Appends bytes; false, and the cause kept, once a write has failed. */
bool mass_image_file_write(mass_image_file *file, const void *bytes, size_t size);

/* Records why the file cannot be written. An unknown cause is taken for a lack of memory, the only
 * one that the encoders have besides writing. */
mass_status mass_image_file_failed(const mass_image_file *file, mass_error *error);

/* Brings everything to disk and gives the file its name, if what has it may be replaced. On any
 * failure, also an earlier one, the temporary file is removed instead. Frees what `file` holds. */
mass_status mass_image_file_commit(mass_image_file *file, mass_error *error);

/* Removes the temporary file and frees what `file` holds. */
void mass_image_file_abandon(mass_image_file *file);

/* For mass_publish: *force, or the file is ours. */
bool mass_image_may_replace(const void *force, const char *path);

#endif
