/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of the model's own, read back. */
#ifndef MASS_ENGINE_IO_INPUT_LOAD_COLOURS_H
#define MASS_ENGINE_IO_INPUT_LOAD_COLOURS_H

#include "io/input/load_source.h"
#include "io/input/numbers.h"

/* Makes of pixels, which are colours, the numbers of places that the model draws in them: [ny][nx], or of a line the
 * last row. nx is the width of the places where n says how large they are, or the picture is the space enlarged, else
 * that of the pixels. Numbers are as near as 256 colours tell, and integers for an attribute of integers.
 * MASS_BAD_INPUT if the attribute is not what the model's pictures show, if places share pixels, and with the first
 * place whose colour is none of a number. */
mass_status mass_load_colours(const mass_load_request *request, const mass_load *load, mass_numbers *n,
                              mass_error *error);

#endif
