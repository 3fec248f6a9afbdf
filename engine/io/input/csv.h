/* SPDX-License-Identifier: Apache-2.0 */
/* Tables as text: a header line of names, or none, then one line a row, fields apart by commas. Pure functions over
 * bytes, which have to outlive what is read from them.
 *
 * Lines end in LF, CRLF or CR. Blanks around a field do not count, and neither do the quotes of "a field", in which
 * commas do not separate, and which has no quotes in it. A byte order mark before the header and empty lines
 * at the end are passed over. Row i is line i + 2, or i + 1 where there is no header. */
#ifndef MASS_ENGINE_IO_INPUT_CSV_H
#define MASS_ENGINE_IO_INPUT_CSV_H

#include "base/error.h"

#include <stdbool.h>

enum { MASS_CSV_COLUMNS_MAX = 4096, MASS_CSV_NUMBER_SIZE = 64 };

typedef struct mass_csv_field {
    const char *text; /* without an end */
    size_t length;
} mass_csv_field;

typedef struct mass_csv {
    const char *path; /* borrowed: what messages call it */
    const uint8_t *next, *end;
    uint64_t line; /* of the header or row read last */
    uint32_t columns;
    mass_csv_field *names, *fields; /* [columns]; fields are those of the row read last */
    bool headless; /* there are no names */
} mass_csv;

/* Reads the header: at least one name, none empty or twice. Every refusal is MASS_BAD_INPUT and says "PATH, line
 * N: ...". The caller ends with mass_csv_close, also on failure. */
mass_status mass_csv_open(const char *path, const uint8_t *bytes, size_t size, mass_csv *out, mass_error *error);
void mass_csv_close(mass_csv *csv);

/* The same of a table without a header, whose first row says how many columns there are. */
mass_status mass_csv_open_rows(const char *path, const uint8_t *bytes, size_t size, mass_csv *out, mass_error *error);

/* The next row, or *more = false at the end. */
mass_status mass_csv_next(mass_csv *csv, bool *more, mass_error *error);

/* Records what is wrong with the line read last. Returns status. */
mass_status mass_csv_refuse(const mass_csv *csv, mass_status status, mass_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A field as a text with an end: false if that does not fit. */
bool mass_csv_text(mass_csv_field field, char *out, size_t room);

/* No more rows than this can follow what was read: times the columns, no more than there are bytes. */
size_t mass_csv_rows_most(const mass_csv *csv);

#endif
