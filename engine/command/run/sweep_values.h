/* SPDX-License-Identifier: Apache-2.0 */
/* The values of a field of a sweep's table: one value, or a list, "1; 2; 5" or "1, 2, 5" in quotes. Each item may be a
 * range: "1..4" is 1, 2, 3 and 4, and "0..1..0.25" has steps of 0.25. The value of a parameter that is a list
 * is in brackets: "[1; 2; 5]". Pure. */
#ifndef MASS_ENGINE_SWEEP_VALUES_H
#define MASS_ENGINE_SWEEP_VALUES_H

#include "io/input/csv.h"

enum { MASS_SWEEP_VALUE_MOST = 65000 /* bytes of a value */ };

typedef struct mass_sweep_values {
    mass_csv_field *list; /* owned; texts are in the field or in *made */
    uint32_t count, room;
} mass_sweep_values;

/* Reads a field. `name` is the column's, for messages. *made, if not NULL, has the texts of ranges. The caller frees it
 * after the values, also on failure. Refusals return MASS_BAD_INPUT. The caller frees *out with
 * mass_sweep_values_free. */
mass_status mass_sweep_values_read(const mass_csv *csv, const char *name, mass_csv_field field, mass_sweep_values *out,
                                   char **made, mass_error *error);

/* Returns whether a field is one range without a step, which a design draws from: "1..4" or "0.0..1.0". */
bool mass_sweep_values_is_range(mass_csv_field field);

/* Reads such a field, and makes a value for each of `count` numbers in [0, 1), which are `stride` apart: whole numbers
 * if both ends are written as such. Refuses a first end above the last. Else as mass_sweep_values_read. */
mass_status mass_sweep_values_draw(const mass_csv *csv, const char *name, mass_csv_field field, const double *units,
                                   size_t stride, uint32_t count, mass_sweep_values *out, char **made,
                                   mass_error *error);

/* Replaces values, at least one, by `count` choices of them, by numbers in [0, 1), which are `stride` apart. Returns
 * false, with the values as they were, if memory is short. */
bool mass_sweep_values_choose(mass_sweep_values *values, const double *units, size_t stride, uint32_t count);

void mass_sweep_values_free(mass_sweep_values *values); /* may be all zero */

#endif
