/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the columns of a table of agents from data sets. It checks what HDF5 reports about a file before it allocates
 * memory. */
#include "io/hdf5/library.h"
#include "io/hdf5/probe.h"
#include "io/input/table.h"

#include <hdf5.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MAX = 4096, WINDOW = 1 << 16, WINDOW_MOST = 1 << 26 /* rows */ };

typedef struct source {
    const char *path;
    hid_t file;
    uint64_t file_size;
    char (*names)[128];
    uint32_t count;
    uint64_t rows; /* length of every column */
    bool lacks_memory;
} source;

/* Refuses a column; but if the system or a lack of memory hindered reading, reports that. */
static mass_status bad(const source *s, mass_error *error, const char *name, const char *what)
{
    if (mass_hdf5_is_hindered(s->path, error)) return error->status;
    return mass_error_set(error, MASS_BAD_INPUT, "%s: column '%s' %s", s->path, name, what);
}

/* Refuses with the library's reason. If memory is short, the machine is at fault, and not the file. */
static mass_status unreadable(const source *s, mass_error *error, const char *name)
{
    char reason[200], what[240];
    if (mass_hdf5_is_hindered(s->path, error)) return error->status;
    snprintf(what, sizeof what, "cannot be read (%s)", mass_hdf5_reason(reason));
    return bad(s, error, name, what);
}

/* Adds a link's name to the source. Stops at a link to another file, and beyond the limits. Returns -1 to stop. */
static herr_t take_name(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
    (void)group;
    source *s = context;
    const bool inside = info->type == H5L_TYPE_HARD || info->type == H5L_TYPE_SOFT;
    if (!inside || s->count == COLUMNS_MAX || strlen(name) >= sizeof *s->names) return -1;
    void *larger = realloc(s->names, (s->count + 1) * sizeof *s->names);
    s->lacks_memory = !larger;
    if (!larger) return -1;
    s->names = larger;
    snprintf(s->names[s->count++], sizeof *s->names, "%s", name);
    return 0;
}

/* Finds the kind of numbers. Returns false if 64-bit numbers cannot hold the type's values. */
static bool kind_of(hid_t type, mass_number *out)
{
    const H5T_class_t class = H5Tget_class(type);
    if ((class != H5T_INTEGER && class != H5T_FLOAT) || H5Tget_size(type) > sizeof(uint64_t)) return false;
    if (class == H5T_FLOAT) out->kind = MASS_NUMBER_REAL;
    else out->kind = H5Tget_sign(type) == H5T_SGN_2 ? MASS_NUMBER_SIGNED : MASS_NUMBER_UNSIGNED;
    return true;
}

/* Opens column i and checks everything but its numbers. Column 0 has to be opened first: s->rows becomes its length,
 * and a column of another length is refused. The caller closes *out; on failure there is nothing to close. */
static mass_status open_column(source *s, uint32_t i, hid_t *out, mass_number *kind, mass_error *error)
{
    const char *name = s->names[i];
    const hid_t set = mass_hdf5_set(s->file, name, MASS_HDF5_FOREIGN);
    if (set < 0) return unreadable(s, error, name);
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    hsize_t extent = 0;
    mass_status status = MASS_OK;
    if (H5Sget_simple_extent_type(space) != H5S_SIMPLE || H5Sget_simple_extent_ndims(space) != 1 ||
        H5Sget_simple_extent_dims(space, &extent, NULL) != 1)
        status = bad(s, error, name, "does not have one dimension");
    else if (!kind_of(type, kind)) status = bad(s, error, name, "does not hold numbers of at most 64 bits");
    else if (extent > MASS_HDF5_SPARSE_MOST / sizeof(uint64_t) && extent / MASS_HDF5_PACKED_MOST > s->file_size)
        status = bad(s, error, name, "is longer than its file");
    else if (i > 0 && extent != s->rows) status = bad(s, error, name, "has another length than the ones before");
    s->rows = extent;
    H5Sclose(space);
    H5Tclose(type);
    if (status == MASS_OK) *out = set;
    else H5Dclose(set);
    return status;
}

/* Returns how many rows to read at once: whole chunks, so that the library unpacks each chunk once; WINDOW if chunks
 * are too large. */
static hsize_t find_window(hid_t set)
{
    const hid_t list = H5Dget_create_plist(set);
    hsize_t chunk = 1;
    if (H5Pget_layout(list) != H5D_CHUNKED || H5Pget_chunk(list, 1, &chunk) != 1 || chunk > WINDOW_MOST) chunk = 1;
    H5Pclose(list);
    return chunk >= WINDOW ? chunk : WINDOW / chunk * chunk;
}

/* Receives each number of a column. */
typedef mass_status (*taker)(void *context, uint32_t column, uint64_t row, mass_number number, mass_error *error);

/* Reads a column in windows, and passes each number with its row to `each`. As for open_column, column 0 comes
 * first. */
static mass_status read_column(source *s, uint32_t i, taker each, void *context, mass_error *error)
{
    mass_number number = {0};
    hid_t set;
    mass_status status = open_column(s, i, &set, &number, error);
    if (status != MASS_OK) return status;
    const hid_t memory_type = number.kind == MASS_NUMBER_REAL ? H5T_NATIVE_DOUBLE
                            : number.kind == MASS_NUMBER_SIGNED ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64;
    const hsize_t rows = find_window(set);
    uint64_t *window = malloc(rows * sizeof *window);
    if (!window) status = mass_error_memory(error, rows * sizeof *window, "a table");
    for (hsize_t first = 0; status == MASS_OK && first < s->rows; first += rows) {
        const hsize_t some = s->rows - first < rows ? s->rows - first : rows;
        const hid_t space = H5Dget_space(set), memory = H5Screate_simple(1, &some, NULL);
        if (H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &some, NULL) < 0 ||
            H5Dread(set, memory_type, memory, space, H5P_DEFAULT, window) < 0)
            status = unreadable(s, error, s->names[i]);
        H5Sclose(memory);
        H5Sclose(space);
        for (hsize_t k = 0; status == MASS_OK && k < some; k++) {
            memcpy(&number.u, &window[k], sizeof number.u);
            status = each(context, i, first + k, number, error);
        }
    }
    free(window);
    H5Dclose(set);
    return status;
}

/* Opens the file and lists its root's names. Refuses a root without data sets, or with what no table has. After a
 * failure, too, close_file is due. */
static mass_status open_file(source *s, const mass_hdf5_source *from, mass_error *error)
{
    *s = (source){.path = from->path, .file = mass_hdf5_open(from), .file_size = from->size};
    if (s->file < 0) return unreadable(s, error, "/");
    const bool taken = H5Literate(s->file, H5_INDEX_NAME, H5_ITER_INC, NULL, take_name, s) >= 0;
    if (!taken && s->lacks_memory) return mass_error_memory(error, (s->count + 1) * sizeof *s->names, "a table");
    if (mass_hdf5_is_hindered(s->path, error)) return error->status;
    if (!taken)
        return mass_error_set(error, MASS_BAD_INPUT, "%s: its root holds a link to another file, or more or longer "
                              "names than a table has", s->path);
    return s->count ? MASS_OK
                    : mass_error_set(error, MASS_BAD_INPUT, "%s: there is no data set in its root", s->path);
}

/* Closes the file and frees its names. */
static void close_file(source *s)
{
    if (s->file >= 0) H5Fclose(s->file);
    free(s->names);
}

/* Puts a number into the table's rows; `rows` is a mass_table_rows. */
static mass_status put(void *rows, uint32_t column, uint64_t row, mass_number number, mass_error *error)
{
    return mass_table_put(rows, column, row, number, error);
}

/* Reads all columns into the rows. Every column is checked before the first is read. */
static mass_status read_table(mass_table_rows *rows, const mass_hdf5_source *from, mass_error *error)
{
    source s;
    mass_status status = open_file(&s, from, error);
    for (uint32_t i = 0; status == MASS_OK && i < s.count; i++)
        status = mass_table_add_column(rows, s.names[i], error);
    for (uint32_t i = 0; status == MASS_OK && i < s.count; i++) {
        hid_t set;
        mass_number kind;
        status = open_column(&s, i, &set, &kind, error);
        if (status == MASS_OK) H5Dclose(set);
    }
    if (status == MASS_OK) status = mass_table_allocate(rows, s.rows, error);
    for (uint32_t i = 0; status == MASS_OK && i < s.count; i++) status = read_column(&s, i, put, rows, error);
    rows->count = s.rows;
    close_file(&s);
    return status;
}

/* ---- the subprocess ---- */

/* Takes a number and does nothing with it. */
static mass_status pass(void *context, uint32_t column, uint64_t row, mass_number number, mass_error *error)
{
    (void)context, (void)column, (void)row, (void)number, (void)error;
    return MASS_OK;
}

/* Runs in the subprocess: reads all columns of the file without keeping them. */
static mass_status pass_all(mass_hdf5_source *from, const char *argument, mass_error *error)
{
    (void)argument;
    source s;
    mass_status status = open_file(&s, from, error);
    for (uint32_t i = 0; status == MASS_OK && i < s.count; i++) status = read_column(&s, i, pass, NULL, error);
    close_file(&s);
    return status;
}

int mass_table_answer_probe(const char *path)
{
    return mass_hdf5_answer_probe(path, MASS_HDF5_FOREIGN, NULL, pass_all);
}

mass_status mass_table_read_hdf5(mass_table_rows *rows, mass_error *error)
{
    mass_hdf5_source from;
    mass_status status = mass_hdf5_find(rows->path, MASS_HDF5_FOREIGN, NULL, &from, error);
    if (status == MASS_OK) status = mass_hdf5_probe("--probe-table", rows->path, &from, "write it again", error);
    if (status == MASS_OK) status = read_table(rows, &from, error);
    mass_hdf5_close_source(&from);
    return status;
}
