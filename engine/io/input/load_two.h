/* SPDX-License-Identifier: Apache-2.0 */
/* Turns pictures into 0 and 1: black and white ones, and others with a threshold, as in FILE.png@0.5. */
#ifndef MASS_ENGINE_IO_INPUT_LOAD_TWO_H
#define MASS_ENGINE_IO_INPUT_LOAD_TWO_H

#include "io/input/load_source.h"
#include "io/input/numbers.h"

/* Returns true if 0 and 1 are an attribute's only values. */
bool mass_load_is_of_two(const mass_attribute_def *a);

/* Separates the threshold of "FILE.png@0.5". *length: bytes of the file's name. *threshold: more than 0 and at most 1;
 * 0: the text has none. MASS_BAD_USAGE if the threshold is invalid. */
mass_status mass_load_threshold(const char *text, size_t *length, double *threshold, mass_error *error);

/* Makes pixels with at least this share of white 1, and others 0: bytes, in place of the pixels. For colours, the share
 * is the luma of ITU-R BT.601. */
void mass_load_cut(mass_numbers *n, double threshold);

/* Returns true if the numbers are a picture, and all its pixels are black or white. */
bool mass_load_is_black_and_white(const mass_numbers *n);

/* Turns such pixels into 0 and 1: bytes, in place of the pixels. */
void mass_load_take_black_and_white(mass_numbers *n);

/* Writes the advice to use a threshold, if one would help: "; a.png@0.5 has 1 from half of white on"; else "". */
const char *mass_load_advice(const mass_load *load, const mass_attribute_def *a, bool picture, char out[200]);

#endif
