/* SPDX-License-Identifier: Apache-2.0 */
/* The axes of what a group of a checkpoint holds: written, and checked where they are. */
#ifndef MASS_ENGINE_IO_CHECKPOINT_AXES_H
#define MASS_ENGINE_IO_CHECKPOINT_AXES_H

#include "io/checkpoint/reader.h"
#include "io/hdf5/scales.h"
#include "snapshot/snapshot.h"

enum { MASS_AXIS_NAME_SIZE = MASS_NAME_SIZE + 16 };

/* The group of a population, or where that is negative of a space. */
typedef struct mass_axes_group {
    int32_t population;
    uint32_t space;
} mass_axes_group;

/* Puts the axes of all attributes of a group, which are there: "x", "agent", or "x-axis" where an attribute is called
 * so, and "ATTRIBUTE-component". Of more than a thousand attributes there are none. */
void mass_checkpoint_put_axes(mass_hdf5_writer *w, int64_t group, const mass_snapshot *s,
                              const mass_axes_group *whose);

/* The same of the parameters that are swept: "world", or "world-axis" where one of them is called so. */
void mass_checkpoint_put_parameter_axis(mass_hdf5_writer *w, int64_t group, const mass_snapshot *s);

/* Whether a data set of a group is an axis, and no attribute; and that it is one of its attributes' and no other, once
 * these are known. */
bool mass_reader_is_axis(int64_t group, const char *name);
bool mass_reader_check_axis(mass_reader *r, int64_t group, const mass_axes_group *whose, const char *name);
bool mass_reader_check_parameter_axis(mass_reader *r, int64_t group, const char *name);

#endif
