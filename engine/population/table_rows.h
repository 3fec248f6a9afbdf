/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the rows of a table, from columns of any file format or from arrays, and makes the table of them. */
#ifndef MASS_ENGINE_POPULATION_TABLE_ROWS_H
#define MASS_ENGINE_POPULATION_TABLE_ROWS_H

#include "population/table.h"
#include "text/number.h"

#include <stdbool.h>

/* What a table is for: a population, in `worlds` worlds of a run. Worlds of rows count from 0; the run begins with
 * first_world. */
typedef struct mass_table_request {
    const mass_model *model;
    uint32_t population;
    int32_t worlds, first_world;
} mass_table_request;

typedef enum mass_table_role {
    MASS_TABLE_X, MASS_TABLE_Y, MASS_TABLE_Z, MASS_TABLE_ID, MASS_TABLE_WORLD, MASS_TABLE_ATTRIBUTE,
    MASS_TABLE_PLACE /* row-major; not in files */
} mass_table_role;

typedef struct mass_table_column {
    char name[100];
    mass_table_role role;
    uint32_t attribute, component; /* of MASS_TABLE_ATTRIBUTE */
} mass_table_column;

#define MASS_TABLE_UNNUMBERED UINT64_MAX /* the id of a row that gets the next free one of its world */

typedef struct mass_table_rows {
    const mass_table_request *request;
    const char *path;
    bool lines; /* rows are lines of text, from line 2 on; else they are numbered from 0 */
    bool by_hand; /* the plugin gives the rows, whose faults are its own */
    mass_table_column *columns;
    uint32_t column_count;
    uint64_t count, room;
    uint64_t *place;  /* [room], as the next three */
    uint64_t *id;     /* NULL: not given */
    int32_t *world;   /* may be MASS_EVERY_WORLD; NULL: not given */
    void **values;    /* [attribute_count]; NULL: not given */
} mass_table_rows;

/* Declares the next column: x, y, z, id, world or an attribute, as "gene[2]". MASS_BAD_INPUT if there is no column of
 * that name, if its attribute is a struct, or if it was declared before. */
mass_status mass_table_add_column(mass_table_rows *rows, const char *name, mass_error *error);

/* Call this after the last column: allocates `room` rows with default values. MASS_BAD_INPUT if an axis has no column,
 * or if there are too many rows. */
mass_status mass_table_allocate(mass_table_rows *rows, uint64_t room, mass_error *error);

/* For rows that the caller adds without columns: make room for `room` rows, with default values; and begin to hold ids
 * (all are MASS_TABLE_UNNUMBERED) or the values of an attribute (all are its default). Room that is there, and values
 * that are held already, remain. Widen before holding values. MASS_BAD_USAGE for more than 2^32 - 3 rows. */
mass_status mass_table_widen(mass_table_rows *rows, uint64_t room, mass_error *error);
mass_status mass_table_hold_ids(mass_table_rows *rows, mass_error *error);
mass_status mass_table_hold_values(mass_table_rows *rows, uint32_t attribute, mass_error *error);

/* Returns true if a column holds real numbers. */
bool mass_table_is_real(const mass_table_rows *rows, uint32_t column);

/* Returns the attribute whose values a column holds; NULL: none. */
const mass_attribute_def *mass_table_attribute(const mass_table_rows *rows, uint32_t column);

/* Store one number in row `row` < room, of a column of the table or of the caller's own, whose array must be there.
 * Coordinates of places are added up, so each is stored once. They refuse a number that the column cannot hold
 * (mass_table_refuse). */
mass_status mass_table_put(mass_table_rows *rows, uint32_t column, uint64_t row, mass_number number,
                           mass_error *error);
mass_status mass_table_put_in(mass_table_rows *rows, const mass_table_column *column, uint64_t row, mass_number number,
                              mass_error *error);

/* Call this after the last row, with `count` set: checks the agents of all worlds, and sorts them. Leaves out rows of
 * other worlds. It refuses a row (mass_table_refuse) whose id is there already, whose place is full, or whose position
 * is outside of the space. MASS_BAD_USAGE: more than 2^32 - 3 agents or places over all worlds. Positions set
 * rows->place. The caller frees *out. On failure *out is untouched. */
mass_status mass_table_finish(const mass_table_rows *rows, mass_table *out, mass_error *error);

void mass_table_rows_free(mass_table_rows *rows); /* frees what is in it; call it once */

void mass_table_free(const mass_model *model, mass_table *table); /* all zero is allowed, and is what remains */

/* Sets an error about a row, counted from 0. Returns MASS_BAD_INPUT; MASS_BAD_PLUGIN for rows by hand. */
mass_status mass_table_refuse(const mass_table_rows *rows, uint64_t row, mass_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
