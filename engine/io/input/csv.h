/* SPDX-License-Identifier: Apache-2.0 */
/* Reads tables as text: an optional header line of names, then one line a row, with fields separated by commas. These
 * are pure functions over bytes, which have to outlive everything read from them.
 *
 * Lines end in LF, CRLF or CR. Blanks around a field are ignored. A field may be in quotes, which then are not part of
 * it; it may have commas, but no quotes. A byte order mark before the header and empty lines at the end are ignored.
 * Row i is line i + 2, or i + 1 if there is no header. */
#ifndef MASS_ENGINE_IO_INPUT_CSV_H
#define MASS_ENGINE_IO_INPUT_CSV_H

#include "base/error.h"

#include <stdbool.h>

enum { MASS_CSV_COLUMNS_MAX = 4096, MASS_CSV_NUMBER_SIZE = 64 };

typedef struct mass_csv_field {
    const char *text; /* without a final zero byte */
    size_t length;
} mass_csv_field;

typedef struct mass_csv {
    const char *path; /* borrowed: the file's name in messages */
    const uint8_t *next, *end;
    uint64_t line; /* number of the line read last */
    uint32_t columns;
    mass_csv_field *names, *fields; /* [columns]; fields: of the row read last */
    bool headless; /* the table has no header, and so no names */
} mass_csv;

/* Reads the header, which needs at least one name, none of them empty or repeated. Errors are MASS_BAD_INPUT, in the
 * form "PATH, line N: ...". The caller ends with mass_csv_close, also on failure. */
mass_status mass_csv_open(const char *path, const uint8_t *bytes, size_t size, mass_csv *out, mass_error *error);
void mass_csv_close(mass_csv *csv);

/* Opens a table without a header as mass_csv_open does. Its first row determines the number of columns;
 * mass_csv_next reads that row again. */
mass_status mass_csv_open_rows(const char *path, const uint8_t *bytes, size_t size, mass_csv *out, mass_error *error);

/* Reads the next row into csv->fields, or sets *more to false at the end. Refuses a row of another number of fields,
 * and an empty line before others. */
mass_status mass_csv_next(mass_csv *csv, bool *more, mass_error *error);

/* Sets an error about the line read last. Returns status. */
mass_status mass_csv_refuse(const mass_csv *csv, mass_status status, mass_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Copies a field to `out` with a final zero byte: false if it does not fit. */
bool mass_csv_text(mass_csv_field field, char *out, size_t room);

/* Returns a bound, at least 1, on the rows that may follow in an opened table. Times the columns, it is at most the
 * bytes left and the columns once more. */
size_t mass_csv_rows_most(const mass_csv *csv);

#endif
