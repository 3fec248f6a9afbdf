/* SPDX-License-Identifier: Apache-2.0 */
/* Rasters: numbers of places become indices of a palette, pixel by pixel. Nothing here knows of spaces or devices: the
 * caller gives rows of doubles. Every function may be called by any thread, with objects of its own. */
#ifndef MASS_ENGINE_IO_PICTURE_RASTER_H
#define MASS_ENGINE_IO_PICTURE_RASTER_H

#include "base/error.h"

enum {
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

#endif
