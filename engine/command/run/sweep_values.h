/* SPDX-License-Identifier: Apache-2.0 */
/* The values of a field of a sweep's table: one, or those of a list, "1; 2; 5" or "1, 2, 5" in quotes, of which each
 * may be a range: "1..4" is 1, 2, 3 and 4, and "0..1..0.25" goes by quarters. Pure. */
#ifndef MASS_ENGINE_SWEEP_VALUES_H
#define MASS_ENGINE_SWEEP_VALUES_H

#include "io/input/csv.h"

typedef struct mass_sweep_values {
    mass_csv_field *list; /* owned; texts are in the field, or in what was made of it */
    uint32_t count, room;
} mass_sweep_values;

/* `name` is the column's, for messages. *made, if not NULL, is memory that values of ranges are in, and the caller's to
 * free once they are of no use, also on failure. Refusals are MASS_BAD_INPUT. The caller ends with
 * mass_sweep_values_free. */
mass_status mass_sweep_values_read(const mass_csv *csv, const char *name, mass_csv_field field, mass_sweep_values *out,
                                   char **made, mass_error *error);
void mass_sweep_values_free(mass_sweep_values *values); /* all zero is fine */

#endif
