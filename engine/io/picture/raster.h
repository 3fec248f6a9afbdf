/* SPDX-License-Identifier: Apache-2.0 */
/* Rasters: numbers of places become indices of a palette, pixel by pixel. Nothing here knows of spaces or devices: the
 * caller gives rows of doubles. Every function may be called by any thread, with objects of its own. */
#ifndef MASS_ENGINE_IO_PICTURE_RASTER_H
#define MASS_ENGINE_IO_PICTURE_RASTER_H

#include "base/error.h"

enum {
    MASS_RASTER_SMALL = 512,    /* a smaller space is enlarged to at most this many pixels a side */
    MASS_RASTER_MAXIMUM = 65535 /* most pixels a side in the file formats */
};

/* ---- palettes ---- */

/* 256 colours 0xRRGGBB. Colours 0 to `last` run from the value `low` to `high`; after them come the spots' colours. */
typedef struct mass_palette {
    double low, high;
    int last;
    uint32_t rgb[256];
} mass_palette;

/* Makes a palette from 2 to 256 colours by linear interpolation. The first and the last colour stay exact. So do the
 * others at their own values, unless there are more of them than levels. MASS_BAD_PLUGIN, with *out untouched, for
 * another count, for a colour that is not 0xRRGGBB, and unless low < high with a finite difference. */
mass_status mass_palette_make(mass_palette *out, double low, double high, const uint32_t *colours,
                              uint32_t count, mass_error *error);

/* Makes such a palette with `spots` further colours at its end, at most 128: those of agents over the places. */
mass_status mass_palette_make_spotted(mass_palette *out, double low, double high, const uint32_t *colours,
                                      uint32_t count, const uint32_t *spot_colours, uint32_t spots, mass_error *error);

/* Returns the index of a value's colour. Values outside low to high are clamped. */
uint8_t mass_palette_level(const mass_palette *palette, double value);

/* ---- rasters ---- */

/* Palette indices [height][width]. The caller of mass_raster_end frees them with mass_raster_free. */
typedef struct mass_raster {
    int32_t width, height;
    int32_t grow; /* pixels of a place, along each side; 0: a pixel shows several places */
    uint8_t *index;
} mass_raster;

/* Computes the size of a space's picture in pixels; all arguments are at least 1. A space with a side above `limit` is
 * reduced by the smallest integer factor that fits; its last blocks may be partial. A space whose largest side is below
 * 512 is enlarged by the largest factor within 512 and `limit`. */
void mass_raster_size(int64_t width, int64_t height, int32_t limit, int32_t *out_width,
                      int32_t *out_height);

/* Returns the greatest limit at which mass_raster_size stays within columns x rows; all arguments are at least 1. */
int32_t mass_raster_limit(int64_t width, int64_t height, int32_t columns, int32_t rows);

/* A raster that is drawn from bands of rows. Its memory depends on the picture's size, not on the space's. */
typedef struct mass_drawing mass_drawing;

/* Begins a raster of mass_raster_size pixels for a space of width x height, with the palette's low, high and last.
 * `limit` is 1 to MASS_RASTER_MAXIMUM. The caller ends with mass_raster_end. On failure *out is untouched. */
mass_status mass_raster_begin(mass_drawing **out, int64_t width, int64_t height, int32_t limit,
                              const mass_palette *palette, mass_error *error);

/* Draws the next `rows` rows from values [rows][width]. A pixel is the mean of its block's numbers, without NaN. (mean
 * - low) / (high - low) is clamped to 0..1 and rounded to an index 0..last. A block without numbers is 0. The division
 * into bands changes no pixel. Rows beyond the height are ignored. */
void mass_raster_rows(mass_drawing *drawing, int64_t rows, const double *values);

/* Draws colour `index` on place (x, y), unless a higher index is there. Call it after all rows. If a place has many
 * pixels, the spot is in its middle, and the place's own colour surrounds it. */
void mass_raster_spot(mass_drawing *drawing, int64_t x, int64_t y, uint8_t index);

/* Draws colour `index` at a point of continuous space, in units of places: a square of 1, 3 or 5 pixels a side. Pixels
 * with a higher index stay. Call it after all rows. */
void mass_raster_point(mass_drawing *drawing, double x, double y, uint8_t index);

/* Draws an arrow of colour `index` whose middle is the pixel of such a point. (dx, dy) is its direction, of length 0 to
 * 1. A length of 1 is 0.9 of a place, but 11 to 24 pixels. If bit i of `torus` is set, pixels beyond an edge of axis i
 * are drawn at the opposite edge; else they are left out. If a place or the arrow would have fewer than 4 pixels, draws
 * a point. Pixels with a higher index stay. Call it after all rows. */
void mass_raster_arrow(mass_drawing *drawing, double x, double y, double dx, double dy, uint32_t torus, uint8_t index);

/* Frees the drawing and gives its raster to *out, or frees it too if out is NULL. Missing rows count as NaN. */
void mass_raster_end(mass_drawing *drawing, mass_raster *out);

/* Frees the indices and zeroes the raster. A zeroed raster is allowed. */
void mass_raster_free(mass_raster *raster);

#endif
