/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of the writer of results: append.c has the file, columns.c the table, series.c the series. */
#ifndef MASS_ENGINE_IO_RESULTS_WRITER_H
#define MASS_ENGINE_IO_RESULTS_WRITER_H

#include "io/hdf5/writer.h"
#include "io/results/results.h"

/* A file that is being made. HDF5 ids are int64_t. */
typedef struct mass_results_writer {
    mass_hdf5_writer out;
    int64_t group, text; /* the group that is written to; the type of texts */
    const mass_results_column *columns; /* of the group; the first one is the scale of its rows */
    uint32_t count;
    uint64_t before, rows; /* rows before, and new ones */
} mass_results_writer;

/* Makes the columns of a new group, empty, with their scales. */
void mass_results_make_columns(mass_results_writer *w);

/* Adds the new rows to all columns of the group. */
void mass_results_add_columns(mass_results_writer *w);

/* Adds the series of the new rows, in a group of their own that it makes if the file is `fresh`. Closes that group.
 * Call it last: it replaces w->columns, which are not valid after it. */
void mass_results_put_series(mass_results_writer *w, bool fresh, const mass_results_source *series);

#endif
