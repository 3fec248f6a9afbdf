/* SPDX-License-Identifier: Apache-2.0 */
#include "io/input/list.h"
#include "base/file.h"
#include "io/input/csv.h"
#include "io/input/npy.h"
#include "text/decimal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FILE_BYTES_MAX = 64 << 20 };

/* Appends a field to the text, which has room for all fields. */
static void append(char *text, size_t *used, const char *field, size_t length)
{
    if (*used) text[(*used)++] = ',';
    memcpy(text + *used, field, length);
    *used += length;
}

/* Returns whether a field is no number, and so a column's name. */
static bool is_name(mass_csv_field field)
{
    char text[MASS_CSV_NUMBER_SIZE];
    double value;
    return !mass_csv_text(field, text, sizeof text) || !mass_read_f64(text, &value);
}

/* Puts the numbers of a table into a text with room for all bytes of the file. Refuses several columns with several
 * rows. */
static mass_status take_table(mass_csv *csv, char *text, size_t *used, mass_error *error)
{
    bool more;
    uint64_t rows = 0;
    for (;; rows++) {
        const mass_status status = mass_csv_next(csv, &more, error);
        if (status != MASS_OK || !more) return status;
        if (csv->columns > 1 && rows > 0)
            return mass_csv_refuse(csv, MASS_BAD_INPUT, error, "there are %" PRIu32 " columns and several rows: a list "
                                   "is one column or one row", csv->columns);
        if (rows == 0 && csv->columns == 1 && is_name(csv->fields[0])) continue;
        for (uint32_t c = 0; c < csv->columns; c++) append(text, used, csv->fields[c].text, csv->fields[c].length);
    }
}

/* Reads a list from a .csv, as one text with commas. The caller frees *out. */
static mass_status read_csv(const char *path, const mass_file *file, char **out, mass_error *error)
{
    mass_csv csv;
    size_t used = 0;
    char *text = malloc(file->size + 2);
    if (!text) return mass_error_memory(error, file->size, "a list");
    mass_status status = mass_csv_open_rows(path, file->bytes, file->size, &csv, error);
    if (status == MASS_OK) status = take_table(&csv, text, &used, error);
    mass_csv_close(&csv);
    text[used] = '\0';
    if (status == MASS_OK) *out = text;
    else free(text);
    return status;
}

/* Writes number i of a file as a text. */
static void print_number(const mass_npy *npy, const uint8_t *values, uint64_t i, char text[32])
{
    const mass_number n = mass_number_at(npy->type, values + i * mass_type_size(npy->type));
    if (n.kind == MASS_NUMBER_SIGNED) snprintf(text, 32, "%" PRId64, n.i);
    else if (n.kind == MASS_NUMBER_UNSIGNED) snprintf(text, 32, "%" PRIu64, n.u);
    else snprintf(text, 32, "%.17g", n.f);
}

/* Reads a list from an array of NumPy of which one axis at most is longer than 1, as one text with commas. The
 * caller frees *out. */
static mass_status read_npy(const char *path, const mass_file *file, char **out, mass_error *error)
{
    mass_npy npy;
    mass_status status = mass_npy_parse(path, file->bytes, file->size, &npy, error);
    if (status != MASS_OK) return status;
    uint64_t longest = 1;
    for (uint32_t i = 0; i < npy.rank; i++)
        if (npy.extent[i] > longest) longest = npy.extent[i];
    if (npy.count != longest && npy.count != 0)
        return mass_error_set(error, MASS_BAD_INPUT, "%s has %" PRIu32 " axes: a list is one column or one row", path,
                              npy.rank);
    char *text = malloc(32 * npy.count + 1);
    float *wide = npy.half ? malloc(4 * npy.count + 4) : NULL;
    if (!text || (npy.half && !wide)) {
        free(text);
        free(wide);
        return mass_error_memory(error, 32 * npy.count, "a list");
    }
    if (wide) mass_npy_widen(file->bytes + npy.offset, npy.count, wide);
    const uint8_t *values = wide ? (const uint8_t *)wide : file->bytes + npy.offset;
    size_t used = 0;
    for (uint64_t i = 0; i < npy.count; i++) {
        char number[32];
        print_number(&npy, values, i, number);
        append(text, &used, number, strlen(number));
    }
    text[used] = '\0';
    free(wide);
    *out = text;
    return MASS_OK;
}

/* Returns true if the path has this ending, in upper or lower case. */
static bool ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}

mass_status mass_list_file_read(const char *path, char **out, mass_error *error)
{
    const bool csv = ends_with(path, ".csv");
    mass_file file = {0};
    if (!csv && !ends_with(path, ".npy"))
        return mass_error_set(error, MASS_BAD_INPUT, "%s: a list is in a file whose name ends in .csv or .npy", path);
    mass_status status = mass_file_read(path, FILE_BYTES_MAX, MASS_BAD_INPUT, &file, error);
    if (status == MASS_OK) status = (csv ? read_csv : read_npy)(path, &file, out, error);
    mass_file_free(&file);
    return status;
}
