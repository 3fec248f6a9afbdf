/* SPDX-License-Identifier: Apache-2.0 */
/* A space-time diagram: the picture of a model whose space is a line, a row for each of its steps, the first on top. Of
 * a long run it has every second step, every fourth and so on, so that its rows are at most MASS_IMAGE_LIMIT, and
 * always those of the run so far, however long that turns out to be. Main thread. */
#ifndef MASS_ENGINE_IO_PICTURE_SPACE_TIME_H
#define MASS_ENGINE_IO_PICTURE_SPACE_TIME_H

#include "state/domain.h"
#include "io/picture/raster.h"

typedef struct mass_space_time mass_space_time;

/* Whether a model's picture is of a line. */
bool mass_space_time_suits(const mass_model *m);

/* An empty diagram of a model that suits. The palette is borrowed; the caller frees the diagram. On failure *out is
 * untouched. */
mass_status mass_space_time_create(const mass_model *m, const mass_palette *palette, mass_space_time **out,
                                   mass_error *error);
void mass_space_time_free(mass_space_time *); /* NULL is fine */

/* Steps from row to row: a row is due at multiples of it. It grows with the diagram. */
uint64_t mass_space_time_every(const mass_space_time *);

/* Draws the present state, of a step above all before, as the next row if one is due, and as the first in any case. */
mass_status mass_space_time_at(mass_space_time *, mass_domain *d, uint64_t step, mass_error *error);

/* The same with the state that the run ends with, whether it is due or not, and the diagram, whose places are squares
 * of pixels as in any other picture; the caller frees it. */
mass_status mass_space_time_end(mass_space_time *, mass_domain *d, uint64_t step, mass_raster *out, mass_error *error);

#endif
