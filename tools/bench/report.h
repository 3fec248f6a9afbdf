/* SPDX-License-Identifier: Apache-2.0 */
/* One table: facts about the machine, then rows as they come; or the same as one JSON object. */
#ifndef MASS_BENCH_REPORT_H
#define MASS_BENCH_REPORT_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>

typedef struct bench_column {
    const char *key;     /* in JSON */
    const char *heading; /* with its unit */
    double scale;        /* JSON's value times this is the table's */
    int width, decimals;
} bench_column;

typedef struct bench_report {
    const bench_column *columns;
    int column_count;
    bool json, headed;
    json_t *root, *facts, *rows;
} bench_report;

/* Columns are borrowed. Begins with what is known of every machine: processor, cores, compiler, engine. */
void bench_report_begin(bench_report *r, const char *command, const bench_column *columns, int column_count,
                        bool json);
void bench_report_fact(bench_report *r, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* One value a column; NAN where there is none. */
void bench_report_row(bench_report *r, const char *label, const double *values);
/* Prints the JSON object if `status` is MASS_OK, frees all, and returns the status. */
mass_status bench_report_end(bench_report *r, mass_status status, mass_error *error);

#endif
