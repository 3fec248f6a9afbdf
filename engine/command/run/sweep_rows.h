/* SPDX-License-Identifier: Apache-2.0 */
/* The table of a sweep, as rows with one value for each parameter. Lists and ranges in a line become a row for every
 * combination. The columns seed, steps, size and repeat set the run, not parameters. A row with a seed of its own, or
 * with other steps or another size than the row before, begins a new run. Main thread. */
#ifndef MASS_ENGINE_SWEEP_ROWS_H
#define MASS_ENGINE_SWEEP_ROWS_H

#include "command/options/options.h"
#include "base/file.h"
#include "io/input/csv.h"

/* Rows that run together, in consecutive worlds. */
typedef struct mass_sweep_run {
    int64_t seed, steps; /* -1: not in the table */
    mass_gidx size[3];
    uint32_t dimensions; /* 0: not in the table */
    uint32_t first_row, rows;
    int32_t worlds, before; /* before: worlds of earlier runs, after which its own are numbered */
} mass_sweep_run;

typedef struct mass_sweep_rows {
    mass_file file;
    mass_csv csv; /* its header, and the place that messages name */
    uint32_t columns; /* number of parameters */
    char (*names)[MASS_NAME_SIZE];     /* [columns] */
    mass_csv_field *fields;            /* [count][columns] */
    uint64_t *lines;                   /* [count] in the file */
    int32_t *starts, *repeats;         /* [count] a row's first world in its run, and its number of worlds */
    uint32_t count;
    mass_sweep_run *runs;
    uint32_t run_count;
    char **texts; /* of ranges; fields point to them */
    uint32_t text_count;
    bool seed, steps, size, repeat; /* columns for the run that exist */
    int64_t first, worlds; /* worlds of the table before those of the runs; worlds of the runs */
} mass_sweep_rows;

/* Columns for the run: seed, steps, size, repeat; then NULL. */
extern const char *const mass_sweep_own_names[];

/* Reads the table. A row has as many worlds as its column `repeat` says, by default options->worlds. Refuses columns
 * that conflict with the options, and anything wrong in the file, with MASS_BAD_INPUT. The caller frees *out with
 * mass_sweep_rows_free, also on failure. */
mass_status mass_sweep_rows_read(const mass_options *o, mass_sweep_rows *out, mass_error *error);
void mass_sweep_rows_free(mass_sweep_rows *rows); /* may be all zero */

/* Leaves only some of the table's worlds in its runs: those of --sweep-part, or of the internal --sweep-worlds; without
 * both, all. Worlds keep their numbers. MASS_BAD_USAGE if no row is left, MASS_BAD_INPUT if the table has fewer worlds.
 * Part of mass_sweep_rows_read. */
mass_status mass_sweep_rows_select(mass_sweep_rows *rows, const mass_options *o, mass_error *error);

/* Sets the options to those of one run of the table, which uses its rows. `run` counts from 0. Call it once for
 * options: it adds to their first world. */
void mass_sweep_rows_use(const mass_sweep_rows *rows, uint32_t run, mass_options *o);

#endif
