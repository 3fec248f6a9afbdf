/* SPDX-License-Identifier: Apache-2.0 */
/* Time series: the values of some expressions after every so many steps, in an HDF5 file that readers may open
 * while the run goes on. A series has one value a row in each world, or one for each of its bins.
 *
 *   /             format "mass-engine series", format_version, engine_version, plugin, seed, schema (as of a
 *                 checkpoint), run (a hash of all that the run was started with), worlds, first_world, log_every,
 *                 identity and plugin_hash (as of a checkpoint); where the rows are written as text, too, text: the
 *                 name of that file; made: what the run is made of (io/folder/made.h), of which versions before said
 *                 nothing
 *   /series/step  [rows]: u64
 *   /series/world [worlds]: i64: their numbers
 *   /series/NAME  [rows][worlds]: f64: expression, unit, dimension_labels; NaN where there is no number, as of a
 *                 minimum to which nothing contributed
 *   /series/NAME  [rows][bins], or [rows][worlds][bins] where there are several worlds, of a series with bins: f64:
 *                 the same, and where it is known lo and hi, f64: where the first bin begins and the last one ends,
 *                 in `unit`
 *   /series/NAME-bin  [bins]: f64: of these, the middle of each bin, or its number where that is not known
 *   /series/NAME  [worlds], or NAME-parameter: what the worlds of a sweep have of a parameter: i64, f64, or texts of a
 *                 choice: unit
 *
 * step, world and NAME-bin are dimension scales of HDF5's own high-level library. Format 1 has none, and neither world,
 * NAME-bin nor parameters; a run that goes on with such a file leaves it so.
 *
 * Row i is of step first + i * log_every. The file is never changed under its name: rows that have come together are
 * added to a copy, which is brought to disk and takes its place. So what is found under the name is whole at any
 * time, also after a SIGKILL. One thread at a time may be in HDF5, and SIGXFSZ has to be ignored. */
#ifndef MASS_ENGINE_IO_SERIES_SERIES_H
#define MASS_ENGINE_IO_SERIES_SERIES_H

#include "model/swept.h"
#include "io/checkpoint/checkpoint.h"
#include "io/hdf5/open.h"
#include "text/expression.h"

#include <limits.h>

enum { MASS_SERIES_FORMAT = 2, MASS_SERIES_COLUMNS_MAX = 1000, MASS_SERIES_UNIT_SIZE = 64,
       MASS_SERIES_LENGTH_MAX = 1 << 20 };

/* NAME of a series: one of a tally, or two joined by a dot. */
#define MASS_SERIES_NAME_SIZE (2 * MASS_NAME_SIZE)

/* What is not a series may be called as one is, with one of these behind it, which no series' name has in it. */
#define MASS_SERIES_PARAMETER "-parameter"
#define MASS_SERIES_BIN "-bin"
#define MASS_SERIES_FULL_NAME (MASS_SERIES_NAME_SIZE + 16)

typedef struct mass_series_column {
    char name[MASS_SERIES_NAME_SIZE], expression[MASS_EXPRESSION_LENGTH + 1], unit[MASS_SERIES_UNIT_SIZE];
    bool given; /* by the user, and not the plugin; not stored */
    uint32_t length; /* bins; 0 or 1: it has none */
    double lo, hi;   /* of all bins; equal: not known */
} mass_series_column;

/* Values of a column in a row and world. */
static inline uint32_t mass_series_length(const mass_series_column *c) { return c->length > 1 ? c->length : 1; }

/* What a file of series is about: all that is stored beside the rows. */
typedef struct mass_series_set {
    char plugin[MASS_NAME_SIZE], schema[33], run[33];
    char text[NAME_MAX + 1]; /* the name, without its folder, of the text that has the same rows; "": there is none */
    uint64_t seed, every;
    int32_t worlds, first_world;
    const struct mass_ownership *owner; /* stored, and held against a file in the way; NULL: nobody */
    uint32_t count;
    mass_series_column *columns; /* [count], owned */
    mass_parameters parameters;  /* of a sweep, those that it is over, owned; a file may lack them */
} mass_series_set;

void mass_series_set_free(mass_series_set *set);

/* Values of a row: of its columns one after another, each [worlds][length]. */
size_t mass_series_row_values(const mass_series_set *set);

/* Whether two sets have the same series at the same steps. How many bins there are follows from the expressions. */
bool mass_series_same(const mass_series_set *a, const mass_series_set *b);

/* What a parameter is called beside the series: by its name or, where a series, the step or the world is called so,
 * "NAME-parameter". */
void mass_series_parameter_name(const mass_series_set *set, const mass_parameter_slot *slot,
                                char out[MASS_SERIES_FULL_NAME]);

/* Fills plugin, schema, run, seed, worlds and parameters from a model with its parameters, and from what else it
 * starts with. */
mass_status mass_series_identify(const mass_model *m, const mass_inputs *inputs, uint64_t seed, int32_t worlds,
                                 int32_t first_world, mass_series_set *out, mass_error *error);

/* ---- reading: every refusal is MASS_BAD_INPUT ---- */

typedef struct mass_series_contents {
    mass_series_set set;
    uint64_t rows, first;    /* first: step of row 0 */
    mass_hdf5_source source; /* the file */
    char *path;              /* owned: the source's */
} mass_series_contents;

void mass_series_contents_free(mass_series_contents *c); /* all zero is fine */

/* What a file says of itself, checked in full but for the values. A hostile file may crash HDF5. On failure *out holds
 * nothing. */
mass_status mass_series_describe(const char *path, mass_series_contents *out, mass_error *error);

/* Describes what a confined subprocess of limited memory and time, started with "--probe-series" PATH, has described
 * and read: that very file, whatever has become of its name since. */
mass_status mass_series_describe_probed(const char *path, mass_series_contents *out, mass_error *error);
int mass_series_answer_probe(const char *path); /* what that subprocess runs: its exit status */

/* The values of one column in some rows: out[rows][worlds][length]. */
mass_status mass_series_read(const mass_series_contents *of, uint32_t column, uint64_t first, uint64_t rows,
                             double *out, mass_error *error);

/* ---- writing ---- */

typedef struct mass_series_writer mass_series_writer;

/* A series in `folder`, which need not be there yet. `source`, if not NULL, is a file of this run, whose rows up to
 * `step` are taken over; contents describe it. set is borrowed, and contents until the first rows are
 * published. */
mass_status mass_series_create(const mass_series_set *set, const char *folder, const char *source,
                               const mass_series_contents *contents, uint64_t step, mass_series_writer **out,
                                   mass_error *error);
void mass_series_free(mass_series_writer *); /* NULL is fine; rows that were not published are lost */

bool mass_series_has(const mass_series_writer *s, uint64_t step); /* a row of this step, or one after it */

/* Adds the row of a step, as mass_series_row_values has it, in memory. */
mass_status mass_series_add(mass_series_writer *s, uint64_t step, const double *values, mass_error *error);

/* Whether enough rows or time have come together to bring them to disk, at little cost to the run. */
bool mass_series_is_due(const mass_series_writer *s);

/* Brings all rows to disk, where they survive a crash of the machine. On failure (MASS_FAILED) the file is as it was,
 * and the rows stay in memory. */
mass_status mass_series_publish(mass_series_writer *s, mass_error *error);

#endif
