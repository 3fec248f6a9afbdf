/* SPDX-License-Identifier: Apache-2.0 */
/* Populations whose agents have positions in continuous space: what a model may do with them. */
#ifndef MASS_ENGINE_MODEL_POSITIONS_H
#define MASS_ENGINE_MODEL_POSITIONS_H

#include "model/model.h"

/* Makes an attribute that was added to the model its population's positions. Refuses one that does not suit the space,
 * and a population that already has some, or has a capacity. */
mass_status mass_positions_declare(mass_model *m, uint32_t attribute, mass_error *error);

/* After fields are resolved: checks that no callback writes positions but by moves, that no phase in turn with WITHIN
 * has a .shape of axes, and that the numbers are fine enough for the space. Marks what children need. */
mass_status mass_positions_check(mass_model *m, mass_error *error);

/* Returns the coordinate of an agent's position along an axis. point: an element of the population's positions. */
double mass_positions_coordinate(const mass_model *m, uint32_t population, const void *point, uint32_t axis);

/* Finds the row-major place of a point. Returns the first axis along which it is outside of the space, or no number;
 * -1: it is inside. Only then *place is set. */
int mass_positions_find_place(const mass_model *m, uint32_t population, const void *point, int64_t *place);

/* Sets at[] to where agent `index` is along x and y in units of places, whose middles are whole numbers; y is 0 on a
 * line. points: the positions of the population's agents. */
void mass_positions_in_places(const mass_model *m, uint32_t population, const void *points, uint64_t index,
                              double at[2]);

#endif
