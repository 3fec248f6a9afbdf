/* SPDX-License-Identifier: Apache-2.0 */
/* Reads back pictures that the model has drawn. */
#ifndef MASS_ENGINE_IO_INPUT_LOAD_COLOURS_H
#define MASS_ENGINE_IO_INPUT_LOAD_COLOURS_H

#include "io/input/load_source.h"
#include "io/input/numbers.h"

/* Replaces the colours of pixels with the numbers that the model draws in them: [ny][nx], or for a line the last row.
 * The width nx is in places if n->grow gives a place's pixels, or if the picture is the space enlarged. Else it is in
 * pixels. Numbers are as exact as 256 colours allow, and integers for an attribute of integers.
 *
 * MASS_BAD_INPUT if the attribute is not the one in the model's pictures, if places share pixels, or for the first
 * place whose colour means no number. */
mass_status mass_load_colours(const mass_load_request *request, const mass_load *load, mass_numbers *n,
                              mass_error *error);

#endif
