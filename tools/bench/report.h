/* SPDX-License-Identifier: Apache-2.0 */
/* One table: facts about the machine, then rows as they are measured; or the same as one JSON object. */
#ifndef MASS_BENCH_REPORT_H
#define MASS_BENCH_REPORT_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>

typedef struct bench_column {
    const char *key;     /* name in JSON */
    const char *heading; /* with its unit */
    double scale;        /* the table's value is JSON's times this */
    int width, decimals;
} bench_column;

typedef struct bench_report {
    const bench_column *columns;
    int column_count;
    bool json, headed;
    json_t *root, *facts, *rows;
} bench_report;

/* Begins with facts of every machine: processor, cores, compiler, engine. The caller keeps the columns. */
void bench_report_begin(bench_report *r, const char *command, const bench_column *columns, int column_count,
                        bool json);
void bench_report_fact(bench_report *r, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds a row with one value for each column; NAN: no value. */
void bench_report_row(bench_report *r, const char *label, const double *values);
/* Prints the JSON object if `status` is MASS_OK, frees everything, and returns the status. */
mass_status bench_report_end(bench_report *r, mass_status status, mass_error *error);

#endif
