/* SPDX-License-Identifier: Apache-2.0 */
/* The places where a test program runs the model. */
#ifndef MASS_TESTS_BRIM_H
#define MASS_TESTS_BRIM_H

extern const char *const brim_places[]; /* options of each */
extern const int brim_place_count;

#endif
