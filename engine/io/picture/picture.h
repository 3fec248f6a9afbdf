/* SPDX-License-Identifier: Apache-2.0 */
/* Draws a model's picture of the first world: the attribute and palette that its plugin declared, and over it the
 * agents. It draws row by row, so that a large space needs little memory. */
#ifndef MASS_ENGINE_IO_PICTURE_PICTURE_H
#define MASS_ENGINE_IO_PICTURE_PICTURE_H

#include "state/domain.h"
#include "io/picture/raster.h"

/* Returns MASS_BAD_USAGE if the model declares no picture or lacks layer `slice` (-1: the middle one). */
mass_status mass_picture_check(const mass_model *m, mass_gidx slice, mass_error *error);
/* Makes the palette of the picture that the model declares, with the colours of its agents. */
mass_status mass_picture_palette(const mass_model *m, mass_palette *out, mass_error *error);

/* Draws the present state, with at most `limit` pixels a side; the caller frees the raster. mass_picture_check has
 * allowed `slice`. */
mass_status mass_picture_draw(mass_domain *d, mass_gidx slice, int32_t limit, const mass_palette *palette,
                              mass_raster *out, mass_error *error);

/* Draws the present state within columns x rows pixels, at little cost. For a large space, a pixel is the mean of about
 * 16 of its places, in evenly spaced rows and columns. */
mass_status mass_picture_glance(mass_domain *d, mass_gidx slice, int32_t columns, int32_t rows,
                                const mass_palette *palette, mass_raster *out, mass_error *error);

#endif
