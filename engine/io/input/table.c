/* SPDX-License-Identifier: Apache-2.0 */
#include "io/input/table.h"

#include "base/file.h"
#include "io/input/csv.h"
#include "model/network.h"
#include "model/value_names.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const size_t file_bytes_most = (size_t)8 << 30;

/* ---- text ---- */

/* Adds the header's columns to the table, each of which has to suit the population. */
static mass_status add_columns(mass_table_rows *rows, const mass_csv *csv, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < csv->columns; i++) {
        char name[128];
        snprintf(name, sizeof name, "%.*s", csv->names[i].length > 120 ? 120 : (int)csv->names[i].length,
                 csv->names[i].text);
        status = mass_table_add_column(rows, name, error);
    }
    return status;
}

/* Returns the names of the nodes on which a column puts agents; NULL: it has numbers. */
static const mass_node_names *names_of(const mass_table_rows *rows, uint32_t column)
{
    const mass_model *const m = rows->request->model;
    if (rows->columns[column].role != MASS_TABLE_X) return NULL;
    const mass_network_def *const n = mass_model_network_of(m, m->populations[rows->request->population].space);
    return n && n->names.count ? &n->names : NULL;
}

/* Puts an agent on the node with the name in a column of the row. Refuses a name that no node has. */
static mass_status put_named(mass_table_rows *rows, const mass_csv *csv, uint32_t column, const mass_node_names *names,
                             mass_error *error)
{
    char name[MASS_NODE_NAME_MOST + 1];
    const mass_csv_field field = csv->fields[column];
    const int64_t node = mass_csv_text(field, name, sizeof name) ? mass_node_names_find(names, name) : -1;
    if (node >= 0) return mass_table_put(rows, column, rows->count, (mass_number){.i = node}, error);
    return mass_csv_refuse(csv, MASS_BAD_INPUT, error, "%s: no node has the name '%.*s'", rows->columns[column].name,
                           field.length > 80 ? 80 : (int)field.length, field.text);
}

/* Puts the row that was read last behind those before. The table needs the header's columns, and room for the row. A
 * value or a node may be given by name. Refuses what the column cannot hold. The caller counts the row. */
static mass_status put_row(mass_table_rows *rows, const mass_csv *csv, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < csv->columns; i++) {
        char text[MASS_CSV_NUMBER_SIZE], names[MASS_NAMED_TEXT];
        const bool real = mass_table_is_real(rows, i);
        const mass_attribute_def *a = mass_table_attribute(rows, i);
        const mass_csv_field field = csv->fields[i];
        const mass_node_names *const nodes = names_of(rows, i);
        mass_number number;
        if (nodes) status = put_named(rows, csv, i, nodes, error);
        else if (mass_csv_text(field, text, sizeof text) &&
            (a ? mass_number_read_value(a, text, real, &number) : mass_number_read(text, real, &number)))
            status = mass_table_put(rows, i, rows->count, number, error);
        else
            status = mass_csv_refuse(csv, MASS_BAD_INPUT, error, "%s: '%.*s' is not %s%s", rows->columns[i].name,
                                     field.length > 80 ? 80 : (int)field.length, field.text,
                                     real ? "a number" : "an integer of 64 bits",
                                     a ? mass_value_names_list(a, names) : "");
    }
    return status;
}

mass_status mass_table_parse_csv(const mass_table_request *request, const char *path, const uint8_t *bytes, size_t size,
                                 mass_table *out, mass_error *error)
{
    mass_csv csv;
    mass_table_rows rows = {.request = request, .path = path, .lines = true};
    mass_status status = mass_csv_open(path, bytes, size, &csv, error);
    if (status == MASS_OK) status = add_columns(&rows, &csv, error);
    if (status == MASS_OK) status = mass_table_allocate(&rows, mass_csv_rows_most(&csv), error);
    for (bool more = true; status == MASS_OK && more;) {
        status = mass_csv_next(&csv, &more, error);
        if (status == MASS_OK && more) status = put_row(&rows, &csv, error);
        if (status == MASS_OK && more) rows.count++;
    }
    if (status == MASS_OK) status = mass_table_finish(&rows, out, error);
    mass_table_rows_free(&rows);
    mass_csv_close(&csv);
    return status;
}

/* Reads a CSV file whole and makes its table. */
static mass_status read_csv(const mass_table_request *request, const char *path, mass_table *out, mass_error *error)
{
    mass_file file = {0};
    mass_status status = mass_file_read(path, file_bytes_most, MASS_BAD_INPUT, &file, error);
    if (status == MASS_OK) status = mass_table_parse_csv(request, path, file.bytes, file.size, out, error);
    mass_file_free(&file);
    return status;
}

/* ---- HDF5 ---- */

/* Reads the columns of an HDF5 file and makes their table. */
static mass_status read_hdf5(const mass_table_request *request, const char *path, mass_table *out, mass_error *error)
{
    mass_table_rows rows = {.request = request, .path = path};
    mass_status status = mass_table_read_hdf5(&rows, error);
    if (status == MASS_OK) status = mass_table_finish(&rows, out, error);
    mass_table_rows_free(&rows);
    return status;
}

/* ---- either format ---- */

/* Returns true if the path has this ending, in upper or lower case. */
static bool ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}

/* Checks that the number of a cell fits 32 bits. */
static mass_status check_cells(const mass_table_request *r, const char *path, mass_error *error)
{
    const mass_population_def *p = &r->model->populations[r->population];
    const double cells = (double)mass_space_places(&r->model->spaces[p->space]) * r->worlds;
    if (cells < MASS_CELL_REMOTE) return MASS_OK;
    return mass_error_set(error, MASS_BAD_USAGE, "table %s: tables are for spaces of up to 2^32 - 4 places over all "
                          "worlds, and there are %.0f", path, cells);
}

mass_status mass_table_read(const mass_table_request *request, const char *path, mass_table *out, mass_error *error)
{
    const mass_status status = check_cells(request, path, error);
    if (status != MASS_OK) return status;
    if (ends_with(path, ".h5") || ends_with(path, ".hdf5")) return read_hdf5(request, path, out, error);
    if (ends_with(path, ".csv")) return read_csv(request, path, out, error);
    return mass_error_set(error, MASS_BAD_INPUT, "table %s: its name does not end in .csv, .h5 or .hdf5", path);
}
