/* SPDX-License-Identifier: Apache-2.0 */
/* The file of --results: a table of the worlds of a sweep, a row for each world that has ended.
 *
 *   /                attributes mass_results 1, seed, total and made
 *   /sweep/number    [rows] the world's place in the table, from 0; the scale of the rows
 *   /sweep/NAME      [rows] or [rows][bins] a column
 *
 * With --log, it also has their series:
 *
 *   /series/number   [rows] as in /sweep, and all other coordinates but the step that was reached
 *   /series/step     [steps] the steps of the series: 0, every, 2 * every ... up to the last step of any world
 *   /series/NAME     [rows][steps] or [rows][steps][bins]: f64; NaN if there is no value, as after a world's end
 *
 * The file is replaced, and never appended to in place, so that it is whole at any time: rows are added to a copy,
 * which is brought to disk and renamed. Main thread. */
#ifndef MASS_ENGINE_IO_RESULTS_H
#define MASS_ENGINE_IO_RESULTS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum mass_results_kind { MASS_RESULTS_INTEGER, MASS_RESULTS_REAL, MASS_RESULTS_TEXT } mass_results_kind;

/* A column of some rows. */
typedef struct mass_results_column {
    char *name;
    mass_results_kind kind;
    uint32_t width;    /* values of a row: bins, or 1 */
    bool binned;       /* it has an axis of bins, even if there is one bin */
    bool coordinate;   /* it says which world a row is of: a coordinate for xarray */
    int64_t *integers; /* [rows][width], if it is of integers */
    double *reals;     /* [rows][width], if it is of reals */
    const char **texts; /* [rows], if it is of texts; borrowed texts */
} mass_results_column;

/* A series of each world. */
typedef struct mass_results_series {
    char *name;
    uint32_t width; /* bins, or 1 */
    bool binned;
} mass_results_series;

/* The series of some rows, which are read block by block: the steps 0, every, 2 * every and so on, in order. */
typedef struct mass_results_source {
    const mass_results_series *list;
    uint32_t count;
    uint64_t every;
    /* Reads the next block into values[count], each [rows][steps][width] and valid until the next call. *steps becomes
     * the number of its steps; 0: there are no more. */
    mass_status (*next)(void *context, double *const **values, uint64_t *steps, mass_error *error);
    void *context;
} mass_results_source;

/* What a file says of its sweep. */
typedef struct mass_results_head {
    uint64_t seed;
    int64_t total; /* worlds of the whole sweep */
    char *made;    /* what the results depend on, as a text of lines; owned */
    int64_t rows;  /* that the file has */
    double copied; /* seconds of the last addition, without those for its rows: they follow from the file's size */
} mass_results_head;

/* A lock on "FILE.h5.lock", which ends with its process, however that ends. */
typedef struct mass_results_lock_file {
    char *path;
    int file; /* -1: none */
} mass_results_lock_file;

/* Locks a file of results for this process. MASS_BAD_USAGE if another one has it. The caller ends with
 * mass_results_unlock, also on failure, which removes the lock's file. */
mass_status mass_results_lock(const char *path, mass_results_lock_file *out, mass_error *error);
void mass_results_unlock(mass_results_lock_file *l);

/* Reads the head of a file. *there becomes whether there is a file; without one, *out is empty. MASS_BAD_INPUT if it is
 * no such file. The caller frees out->made. */
mass_status mass_results_look(const char *path, bool *there, mass_results_head *out, mass_error *error);

/* Adds rows to a file that has head->rows, or makes a new one with them if `fresh`, in place of any other. The columns
 * have the names and kinds of those before; a new column is a failure. The first one is `number`. series: those of the
 * same rows; NULL: none. Sets head->copied, and leaves head->rows as it is. */
mass_status mass_results_append(const char *path, bool fresh, mass_results_head *head,
                                const mass_results_column *columns, uint32_t count, uint64_t rows,
                                const mass_results_source *series, mass_error *error);

#endif
