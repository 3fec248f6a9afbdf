/* SPDX-License-Identifier: Apache-2.0 */
/* --load NAME=FILE: attributes of places that start with the numbers of a file. */
#ifndef MASS_ENGINE_IO_INPUT_LOAD_H
#define MASS_ENGINE_IO_INPUT_LOAD_H

#include "io/input/load_source.h"
#include "state/domain.h"

/* Finds what NAME of "NAME=FILE" or "NAME=FILE.png@0.5" means; NAME is an attribute of the first space, or
 * SPACE.ATTRIBUTE, and may end in [component]. MASS_BAD_USAGE if there is no such, if it is a struct, or for a bad
 * threshold. text is borrowed. */
mass_status mass_load_find(const mass_load_request *request, const char *text, mass_load *out, mass_error *error);

/* Reads the file of a load that was found. Extents have to be those of the space, outermost axis first, and of the
 * components where there are several; an axis of worlds may go before. Every number has to be a value of the
 * attribute's type, and of its range. Of a picture that is black and white, an attribute of 0 to 1 gets these. With a
 * threshold, pixels are 1 from that share of white on, and else 0.
 * MASS_BAD_INPUT names the first place that is wrong. Colours are those of the model's own pictures:
 * mass_load_colours. */
mass_status mass_load_read(const mass_load_request *request, mass_load *load, mass_error *error);

/* The extents that a space needs for the file of a load that was found, if it has as many dimensions as it is said to
 * have or if the file says otherwise: *dimensions becomes 1 to 3, or 0 where the file has another number of axes. */
mass_status mass_load_size(const mass_load_request *request, const mass_load *load, mass_gidx size[3],
                           uint32_t *dimensions, mass_error *error);

/* Sets the attribute in all worlds. */
mass_status mass_load_apply(const mass_load *load, mass_domain *d, mass_error *error);

void mass_load_free(mass_load *load); /* all zero is fine */

#endif
