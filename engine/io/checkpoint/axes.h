/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the axes of a checkpoint group as dimension scales, and checks those of a file. */
#ifndef MASS_ENGINE_IO_CHECKPOINT_AXES_H
#define MASS_ENGINE_IO_CHECKPOINT_AXES_H

#include "io/checkpoint/reader.h"
#include "io/hdf5/scales.h"
#include "snapshot/snapshot.h"

enum { MASS_AXIS_NAME_SIZE = MASS_NAME_SIZE + 16 };

/* The group of a population, or of a space if `population` is negative. */
typedef struct mass_axes_group {
    int32_t population;
    uint32_t space;
} mass_axes_group;

/* Writes the axes of all attributes of a group; the attributes' data sets exist already. Axes are named "x", "agent",
 * and so on, or "x-axis" if an attribute has that name, and "ATTRIBUTE-component". A group of more than a thousand
 * attributes gets none. */
void mass_checkpoint_put_axes(mass_hdf5_writer *w, int64_t group, const mass_snapshot *s,
                              const mass_axes_group *whose);

/* Writes the axis of swept parameters: "world", or "world-axis" if a parameter has that name. Nothing without a
 * sweep. */
void mass_checkpoint_put_parameter_axis(mass_hdf5_writer *w, int64_t group, const mass_snapshot *s);

/* Return true if a data set of a group is an axis, and not an attribute. The check functions compare it with the axes
 * of the group's attributes or of the swept parameters, once these are known. */
bool mass_reader_is_axis(int64_t group, const char *name);
bool mass_reader_check_axis(mass_reader *r, int64_t group, const mass_axes_group *whose, const char *name);
bool mass_reader_check_parameter_axis(mass_reader *r, int64_t group, const char *name);

#endif
