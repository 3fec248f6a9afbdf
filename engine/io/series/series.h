/* SPDX-License-Identifier: Apache-2.0 */
/* Time series: the values of expressions at regular steps, in an HDF5 file that other programs may read while the run
 * goes on. A row of a series has one value for each world, or one for each bin.
 *
 *   /             format "mass-engine series", format_version, engine_version, plugin, seed, schema (as in a
 *                 checkpoint), run (a hash of everything that the run was started with), worlds, first_world,
 *                 log_every, identity and plugin_hash (as in a checkpoint); text: the name of the text file with the
 *                 same rows, if there is one; made: what the run is made of (io/folder/made.h), missing in files of
 *                 earlier versions
 *   /series/step  [rows]: u64
 *   /series/world [worlds]: i64: the worlds' numbers
 *   /series/NAME  [rows][worlds]: f64: expression, unit, dimension_labels; NaN if there is no number, as for a
 *                 minimum without contributions
 *   /series/NAME  [rows][bins], or [rows][worlds][bins] with several worlds, for a series with bins: f64: the same
 *                 attributes, and if known lo and hi, f64: where the first bin begins and the last one ends, in
 *                 `unit`
 *
 *   /series/NAME-bin  [bins]: f64: for such a series, the middle of each bin, or its number if that is unknown
 *   /series/NAME  [worlds], or NAME-parameter: the worlds' values of a swept parameter: i64, f64, or choices as
 *                 texts: unit
 *
 * step, world and NAME-bin are dimension scales of HDF5's high-level library. Format 1 has no scales, and neither
 * world, NAME-bin nor parameters. A run that resumes with such a file keeps its format.
 *
 * Row i is that of step first + i * log_every. The file is never changed under its name. New rows are added to a copy,
 * which is brought to disk and replaces the file. So the named file is complete at any time, even after a SIGKILL. Only
 * one thread at a time may use HDF5, and SIGXFSZ has to be ignored. */
#ifndef MASS_ENGINE_IO_SERIES_SERIES_H
#define MASS_ENGINE_IO_SERIES_SERIES_H

#include "model/swept.h"
#include "io/checkpoint/checkpoint.h"
#include "io/hdf5/open.h"
#include "text/expression.h"

#include <limits.h>

enum { MASS_SERIES_FORMAT = 2, MASS_SERIES_COLUMNS_MAX = 1000, MASS_SERIES_UNIT_SIZE = 64,
       MASS_SERIES_LENGTH_MAX = 1 << 20 };

/* Size of a series' name: that of a tally, or two names joined by a dot. */
#define MASS_SERIES_NAME_SIZE (2 * MASS_NAME_SIZE)

/* Suffixes of data sets that are not series, which may then have a series' name before them. Series' names contain no
 * '-'. */
#define MASS_SERIES_PARAMETER "-parameter"
#define MASS_SERIES_BIN "-bin"
#define MASS_SERIES_FULL_NAME (MASS_SERIES_NAME_SIZE + 16)

typedef struct mass_series_column {
    char name[MASS_SERIES_NAME_SIZE], expression[MASS_EXPRESSION_LENGTH + 1], unit[MASS_SERIES_UNIT_SIZE];
    bool given; /* by the user, and not by the plugin; not stored */
    uint32_t length; /* number of bins; 0 or 1: none */
    double lo, hi;   /* range of all bins; equal: unknown */
} mass_series_column;

/* Returns how many values a column has in a row and world: at least 1. */
static inline uint32_t mass_series_length(const mass_series_column *c) { return c->length > 1 ? c->length : 1; }

/* The contents of a file of series, except its rows. */
typedef struct mass_series_set {
    char plugin[MASS_NAME_SIZE], schema[33], run[33];
    char text[NAME_MAX + 1]; /* name, without folder, of the text file with the same rows; "": none */
    uint64_t seed, every;
    int32_t worlds, first_world;
    const struct mass_ownership *owner; /* the run: stored, and compared with an existing file; NULL: none */
    uint32_t count;
    mass_series_column *columns; /* [count], owned */
    mass_parameters parameters;  /* swept parameters, owned; a file may lack them */
} mass_series_set;

void mass_series_set_free(mass_series_set *set);

/* Returns the number of values in a row: all columns in order, each [worlds][length]. */
size_t mass_series_row_values(const mass_series_set *set);

/* Returns true if two sets have the same series at the same steps. Expressions determine the number of bins. Does not
 * compare runs and parameters. */
bool mass_series_same(const mass_series_set *a, const mass_series_set *b);

/* Writes the name of a parameter's data set: its own name, or "NAME-parameter" if a series, the step or the world has
 * that name. */
void mass_series_parameter_name(const mass_series_set *set, const mass_parameter_slot *slot,
                                char out[MASS_SERIES_FULL_NAME]);

/* Fills in plugin, schema, run, seed, worlds and parameters, from a model with its parameters and from the run's
 * inputs, which are not NULL. */
mass_status mass_series_identify(const mass_model *m, const mass_inputs *inputs, uint64_t seed, int32_t worlds,
                                 int32_t first_world, mass_series_set *out, mass_error *error);

/* ---- reading: an error is MASS_BAD_INPUT ---- */

typedef struct mass_series_contents {
    mass_series_set set;
    uint64_t rows, first;    /* first: step of row 0 */
    mass_hdf5_source source; /* the file */
    char *path;              /* owned: the path of `source` */
} mass_series_contents;

void mass_series_contents_free(mass_series_contents *c); /* all zero is allowed */

/* Reads and checks everything in a file but its values. A hostile file may crash HDF5: use mass_series_describe_probed
 * for files of unknown origin. The caller frees *out, which keeps the file open. On failure *out is empty. */
mass_status mass_series_describe(const char *path, mass_series_contents *out, mass_error *error);

/* Describes a file after a confined subprocess, limited in memory and time, has described and read it. The program
 * starts the subprocess with "--probe-series" PATH and passes it the open file. So both read the same file, even if its
 * name now means another one. */
mass_status mass_series_describe_probed(const char *path, mass_series_contents *out, mass_error *error);
int mass_series_answer_probe(const char *path); /* runs in that subprocess; returns its exit status */

/* Reads the values of one column in some rows, which have to exist: out[rows][worlds][length]. */
mass_status mass_series_read(const mass_series_contents *of, uint32_t column, uint64_t first, uint64_t rows,
                             double *out, mass_error *error);

/* ---- writing ---- */

typedef struct mass_series_writer mass_series_writer;

/* Creates a series in `folder`, which need not exist before the first rows are published; writes nothing yet. If
 * `source` is not NULL, it is a file of this run that `contents` describes, with the same series. Its rows up to `step`
 * are kept. `set` is borrowed. So is `contents`, until the first rows are published. */
mass_status mass_series_create(const mass_series_set *set, const char *folder, const char *source,
                               const mass_series_contents *contents, uint64_t step, mass_series_writer **out,
                                   mass_error *error);
void mass_series_free(mass_series_writer *); /* NULL is allowed; rows that were not published are lost */

bool mass_series_has(const mass_series_writer *s, uint64_t step); /* has a row of this step, or of a later one */

/* Adds the row of a step in memory. The step is set->every after that of the last row, if there is one. values: as
 * mass_series_row_values describes. */
mass_status mass_series_add(mass_series_writer *s, uint64_t step, const double *values, mass_error *error);

/* Returns true if enough new rows have accumulated, or if there are some and enough time has passed: publishing then
 * costs the run little. */
bool mass_series_is_due(const mass_series_writer *s);

/* Brings all rows to disk, where they survive a crash of the machine. Does nothing if the file has them all. On failure
 * (MASS_FAILED) the file is as before, and the rows stay in memory. */
mass_status mass_series_publish(mass_series_writer *s, mass_error *error);

#endif
