/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the agents that a population starts with: a .csv with a header line, or an .h5 or .hdf5 with one data
 * set of one dimension a column in its root. Columns:
 *
 *   x, y, z    where an agent stands, counted from 0, of the axes that the space has
 *   id         0 to 2^62, none twice in a world; without it agents are counted from 0 in each world
 *   world      as --first-world counts: rows of other worlds than the run's are passed over. Without it every
 *              world gets the whole table
 *   attributes of the population, and NAME[1] for a component, counted from 0, of one with several. What is
 *              not given has its default value */
#ifndef MASS_ENGINE_IO_INPUT_TABLE_H
#define MASS_ENGINE_IO_INPUT_TABLE_H

#include "population/table.h"

typedef struct mass_table_request {
    const mass_model *model;
    uint32_t population;
    int32_t worlds, first_world;
} mass_table_request;

/* Reads a file. What is wrong with it is MASS_BAD_INPUT, and said with its line or its row, counted from 0. On
 * failure *out is untouched. */
mass_status mass_table_read(const mass_table_request *request, const char *path, mass_table *out, mass_error *error);

/* The same from the bytes of a .csv; path is what messages call it. Pure. */
mass_status mass_table_parse_csv(const mass_table_request *request, const char *path, const uint8_t *bytes, size_t size,
                                 mass_table *out, mass_error *error);

void mass_table_free(const mass_model *model, mass_table *table); /* all zero is fine */

/* What a confined subprocess runs, started with the arguments "--probe-table" PATH, by which an HDF5 file is read
 * first, as a hostile one may crash the library: it reports and returns its exit status. */
int mass_table_answer_probe(const char *path);

#endif
