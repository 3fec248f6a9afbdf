/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the agents of a population as a table that io/input/table.h reads: a .csv with a header. Main thread. */
#ifndef MASS_ENGINE_IO_EXPORT_AGENTS_CSV_H
#define MASS_ENGINE_IO_EXPORT_AGENTS_CSV_H

#include "population/table_rows.h"
#include "snapshot/snapshot.h"

#include <stdio.h>

/* Declares the columns of a population's table in *rows, which has only a request: id, world, the axes of the space,
 * and the attributes that a table can have. The caller frees *rows, also on failure. Calls `leave_out` (NULL: nobody)
 * with each attribute that a table cannot have, and the reason. */
mass_status mass_agents_csv_columns(mass_table_rows *rows,
                                    void (*leave_out)(const mass_attribute_def *a, const char *why),
                                    mass_error *error);

/* Writes a row for each agent, in the order of world, place and id. Each number is written such that it is read back
 * with the same bits; NaN and infinities as nan, inf and -inf, which a table cannot have. rows: the columns. The
 * snapshot has all attributes. ferror(to) tells of failures. */
void mass_agents_csv_write(const mass_snapshot *s, const mass_table_rows *rows, FILE *to);

#endif
