/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the rows of a table from columns of any file format. */
#ifndef MASS_ENGINE_IO_INPUT_TABLE_ROWS_H
#define MASS_ENGINE_IO_INPUT_TABLE_ROWS_H

#include "io/input/table.h"
#include "population/table.h"
#include "text/number.h"

#include <stdbool.h>

typedef enum mass_table_role {
    MASS_TABLE_X, MASS_TABLE_Y, MASS_TABLE_Z, MASS_TABLE_ID, MASS_TABLE_WORLD, MASS_TABLE_ATTRIBUTE
} mass_table_role;

typedef struct mass_table_column {
    char name[100];
    mass_table_role role;
    uint32_t attribute, component;
} mass_table_column;

typedef struct mass_table_rows {
    const mass_table_request *request;
    const char *path;
    bool lines; /* rows are lines of text, from line 2 on; else they are numbered from 0 */
    mass_table_column *columns;
    uint32_t column_count;
    uint64_t count, room;
    uint64_t *place;  /* [room], as the next three */
    uint64_t *id;     /* NULL: not given */
    int32_t *world;   /* NULL: not given */
    void **values;    /* [attribute_count]; NULL: not given */
} mass_table_rows;

/* Declares the next column; MASS_BAD_INPUT if there is no column of that name, or if it was declared before. */
mass_status mass_table_add_column(mass_table_rows *rows, const char *name, mass_error *error);

/* Call this after the last column: checks that every axis has one, and allocates `room` rows with default values. */
mass_status mass_table_allocate(mass_table_rows *rows, uint64_t room, mass_error *error);

/* Returns true if a column holds real numbers. */
bool mass_table_is_real(const mass_table_rows *rows, uint32_t column);

/* Returns the attribute whose values a column holds; NULL: none. */
const mass_attribute_def *mass_table_attribute(const mass_table_rows *rows, uint32_t column);

/* Stores one number in row `row` < room. MASS_BAD_INPUT if the column cannot hold it. */
mass_status mass_table_put(mass_table_rows *rows, uint32_t column, uint64_t row, mass_number number,
                           mass_error *error);

/* Call this after the last row, with `count` set: checks the agents of all worlds, and sorts them. */
mass_status mass_table_finish(const mass_table_rows *rows, mass_table *out, mass_error *error);

void mass_table_rows_free(mass_table_rows *rows);

/* Sets an error about a row. Returns MASS_BAD_INPUT. */
mass_status mass_table_refuse(const mass_table_rows *rows, uint64_t row, mass_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Reads the columns of an HDF5 file. */
mass_status mass_table_read_hdf5(mass_table_rows *rows, mass_error *error);

#endif
