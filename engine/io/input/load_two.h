/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures as 0 and 1: those that are black and white, and any with a threshold, as in FILE.png@0.5. */
#ifndef MASS_ENGINE_IO_INPUT_LOAD_TWO_H
#define MASS_ENGINE_IO_INPUT_LOAD_TWO_H

#include "io/input/load_source.h"
#include "io/input/numbers.h"

/* Whether an attribute has 0 and 1, and nothing else. */
bool mass_load_is_of_two(const mass_attribute_def *a);

/* Takes the threshold off "FILE.png@0.5": *length is that of the file's name, and *threshold more than 0 and at most 1,
 * or 0 if the text has none, as no other name of a picture ends so. MASS_BAD_USAGE if it is no threshold. */
mass_status mass_load_threshold(const char *text, size_t *length, double *threshold, mass_error *error);

/* Makes 1 of pixels that have at least this share of white, and 0 of the others. Of colours, the luma counts, by which
 * ITU-R BT.601 makes grey of them. */
void mass_load_cut(mass_numbers *n, double threshold);

/* Whether pixels are all black or white; and makes 0 and 1 of them. */
bool mass_load_is_black_and_white(const mass_numbers *n);
void mass_load_take_black_and_white(mass_numbers *n);

/* What a refusal of a pixel adds if a threshold would help: "; a.png@0.5 has 1 from half of white on", or nothing. */
const char *mass_load_advice(const mass_load *load, const mass_attribute_def *a, bool picture, char out[200]);

#endif
