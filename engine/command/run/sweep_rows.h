/* SPDX-License-Identifier: Apache-2.0 */
/* The table of a sweep, as rows of one value a parameter: lists and ranges in its fields are every combination, and the
 * columns seed, steps, size and repeat are the run's and no parameters. Rows of other steps or another size than those
 * before, and all rows of a seed of their own, make a run of their own. Main thread. */
#ifndef MASS_ENGINE_SWEEP_ROWS_H
#define MASS_ENGINE_SWEEP_ROWS_H

#include "command/options/options.h"
#include "base/file.h"
#include "io/input/csv.h"

/* Rows that run side by side, in worlds that follow each other. */
typedef struct mass_sweep_run {
    int64_t seed, steps; /* -1: not said by the table */
    mass_gidx size[3];
    uint32_t dimensions; /* 0: not said */
    uint32_t first_row, rows;
    int32_t worlds, before; /* before: worlds of runs before it, which its own are numbered after */
} mass_sweep_run;

typedef struct mass_sweep_rows {
    mass_file file;
    mass_csv csv; /* its header, and what messages are of */
    uint32_t columns; /* of parameters */
    char (*names)[MASS_NAME_SIZE];     /* [columns] */
    mass_csv_field *fields;            /* [count][columns] */
    uint64_t *lines;                   /* [count] of the file */
    int32_t *starts, *repeats;         /* [count] of each, its first world in its run, and how many it has */
    uint32_t count;
    mass_sweep_run *runs;
    uint32_t run_count;
    char **texts; /* of ranges, which the fields point into */
    uint32_t text_count;
    bool seed, steps, size, repeat; /* which columns of the run there are */
} mass_sweep_rows;

/* Columns that are the run's: seed, steps, size, repeat; then NULL. */
extern const char *const mass_sweep_own_names[];

enum { MASS_SWEEP_VALUE = 256 /* bytes of a value, with its end */ };

/* Reads the table. Each row is as many worlds as its column `repeat` says, or `worlds`. What does not go together with
 * the options is refused, as everything about the file, by MASS_BAD_INPUT. The caller ends with mass_sweep_rows_free,
 * also on failure. */
mass_status mass_sweep_rows_read(const mass_options *o, mass_sweep_rows *out, mass_error *error);
void mass_sweep_rows_free(mass_sweep_rows *rows); /* all zero is fine */

/* The options become those of one run of the table, which takes its rows by them. */
void mass_sweep_rows_use(const mass_sweep_rows *rows, uint32_t run, mass_options *o);

#endif
