/* SPDX-License-Identifier: Apache-2.0 */
/* A space-time diagram: the picture of a model whose space is a line, with a row for each step, the first step on top.
 * In a long run it keeps every second step, then every fourth, and so on, so that it has at most MASS_IMAGE_LIMIT rows.
 * It always shows the whole run so far. Main thread. */
#ifndef MASS_ENGINE_IO_PICTURE_SPACE_TIME_H
#define MASS_ENGINE_IO_PICTURE_SPACE_TIME_H

#include "state/domain.h"
#include "io/picture/raster.h"

typedef struct mass_space_time mass_space_time;

/* Returns true if a model declares a picture, and this shows a line. */
bool mass_space_time_suits(const mass_model *m);

/* Creates an empty diagram of such a model. The palette is borrowed; the caller frees the diagram. On failure *out is
 * untouched. */
mass_status mass_space_time_create(const mass_model *m, const mass_palette *palette, mass_space_time **out,
                                   mass_error *error);
void mass_space_time_free(mass_space_time *); /* NULL is allowed */

/* Returns the distance of rows in steps: a row is due at its multiples. It grows with the diagram. */
uint64_t mass_space_time_every(const mass_space_time *);

/* Draws the present state as the next row, if one is due or if it is the first. `step` is above all earlier ones. */
mass_status mass_space_time_at(mass_space_time *, mass_domain *d, uint64_t step, mass_error *error);

/* Draws the run's last state as a row, due or not, unless it is there; and then the diagram. Its places are squares of
 * pixels as in other pictures; the caller frees *out. */
mass_status mass_space_time_end(mass_space_time *, mass_domain *d, uint64_t step, mass_raster *out, mass_error *error);

#endif
