/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the agents that a population starts with. The file is a .csv with a header line, or an .h5 or .hdf5 with a data
 * set of one dimension in its root for each column. Columns:
 *
 *   x, y, z: position of an agent, from 0, for the axes that the space has
 *   id: 0 to 2^62, unique in a world; without it, agents are numbered from 0 in each world
 *   world: numbered as in --first-world; rows of worlds outside the run are ignored. Without it, every world gets the
 *     whole table
 *   ATTRIBUTE: of the population; NAME[1] for component 1, counted from 0, of an attribute with several. An attribute
 *     without a column has its default value */
#ifndef MASS_ENGINE_IO_INPUT_TABLE_H
#define MASS_ENGINE_IO_INPUT_TABLE_H

#include "population/table_rows.h"

/* Reads a file. A fault of the file is MASS_BAD_INPUT, with its line, or its row from 0. The caller frees *out. On
 * failure *out is untouched. */
mass_status mass_table_read(const mass_table_request *request, const char *path, mass_table *out, mass_error *error);

/* Reads a table from the bytes of a .csv; path: the file's name in messages. The caller frees *out, which is untouched
 * on failure. Pure. */
mass_status mass_table_parse_csv(const mass_table_request *request, const char *path, const uint8_t *bytes, size_t size,
                                 mass_table *out, mass_error *error);

/* Reads the columns of the HDF5 file rows->path into `rows`, which has only a request and that path. The caller frees
 * the rows, also on failure. */
mass_status mass_table_read_hdf5(mass_table_rows *rows, mass_error *error);

/* Runs in the confined subprocess that reads an HDF5 file first, since a hostile file may crash the library. It is
 * started with the arguments "--probe-table" PATH. Reports, and returns its exit status. */
int mass_table_answer_probe(const char *path);

#endif
