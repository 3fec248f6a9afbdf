/* SPDX-License-Identifier: Apache-2.0 */
/* Implements --load NAME=FILE: attributes of places start with the numbers of a file. */
#ifndef MASS_ENGINE_IO_INPUT_LOAD_H
#define MASS_ENGINE_IO_INPUT_LOAD_H

#include "io/input/load_source.h"
#include "state/domain.h"

/* Parses "NAME=FILE" or "NAME=FILE.png@0.5". NAME is an attribute of the first space, or SPACE.ATTRIBUTE, with an
 * optional [component]. MASS_BAD_USAGE if there is no such attribute, if it is a struct or of a stream, or
 * if the threshold is invalid. text is borrowed, and has to contain a "=". */
mass_status mass_load_find(const mass_load_request *request, const char *text, mass_load *out, mass_error *error);

/* Reads the file of a load, after mass_load_find. The file's extents have to be those of the space, outermost axis
 * first, then the number of components if there are several. An axis of worlds may come first. Every number has to be a
 * value of the attribute's type and in its range. Sets the load's values, hash, by_world and transparent. The caller
 * frees it, also on failure.
 *
 * A picture in colours has to have the colours of the model's own pictures (mass_load_colours). A black and white
 * picture gives 0 and 1 to an attribute of these values. With a threshold, pixels with at least that share of white are
 * 1, and others 0. MASS_BAD_INPUT names the first wrong place. */
mass_status mass_load_read(const mass_load_request *request, mass_load *load, mass_error *error);

/* Reads the size that the file of a load needs of its space, x first, after mass_load_find. *dimensions: the number of
 * axes of the space if the file fits it, else that of the file. It is 0 if the file has more than three axes. */
mass_status mass_load_size(const mass_load_request *request, const mass_load *load, mass_gidx size[3],
                           uint32_t *dimensions, mass_error *error);

/* Writes the values, which mass_load_read has read, to the attribute in all worlds, the same in each unless by_world.
 * Keeps its other components. */
mass_status mass_load_apply(const mass_load *load, mass_domain *d, mass_error *error);

void mass_load_free(mass_load *load); /* all zero is allowed */

#endif
