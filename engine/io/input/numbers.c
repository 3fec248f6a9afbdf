/* SPDX-License-Identifier: Apache-2.0 */
#include "io/input/numbers.h"

#include "base/file.h"
#include "snapshot/state_hash.h"
#include "io/input/csv.h"
#include "io/input/npy.h"
#include "model/value_names.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const size_t file_bytes_most = (size_t)64 << 30;

/* ---- text ---- */

/* Returns the type in which decimals for an attribute's type are kept. */
static uint32_t type_of_text(uint32_t type)
{
    return mass_number_is_real(type) ? MASS_F64 : type == MASS_U64 ? MASS_U64 : MASS_I64;
}

/* Reads a number. An integer may be written as a real, "1.0" or "1e3", if doubles represent it exactly. Returns false
 * for other texts. */
static bool read_number(const char *text, uint32_t type, const mass_attribute_def *a, mass_number *out)
{
    if (mass_number_read_value(a, text, type == MASS_F64, out)) return true;
    return type != MASS_F64 && mass_number_read(text, true, out) && fabs(out->f) <= 0x1p53;
}

/* Stores a row's numbers behind those before. Refuses one that the type cannot hold exactly. */
static mass_status take_row(const mass_csv *csv, const mass_attribute_def *a, mass_numbers *n, mass_error *error)
{
    char names[MASS_NAMED_TEXT];
    for (uint32_t i = 0; i < csv->columns; i++, n->count++) {
        char text[MASS_CSV_NUMBER_SIZE];
        mass_number number;
        const mass_csv_field field = csv->fields[i];
        if (mass_csv_text(field, text, sizeof text) && read_number(text, n->type, a, &number) &&
            mass_number_store_exactly(n->type, number, (uint64_t *)n->memory + n->count))
            continue;
        return mass_csv_refuse(csv, MASS_BAD_INPUT, error, "column %u: '%.*s' is not %s%s", i + 1,
                               field.length > 80 ? 80 : (int)field.length, field.text,
                               n->type == MASS_F64 ? "a number" : "an integer of 64 bits",
                               mass_value_names_list(a, names));
    }
    return MASS_OK;
}

mass_status mass_numbers_parse_csv(const char *path, const uint8_t *bytes, size_t size,
                                   const mass_attribute_def *attribute, mass_numbers *out, mass_error *error)
{
    mass_csv csv;
    mass_numbers n = {.type = type_of_text(attribute->type), .rank = 2, .decimal = true};
    mass_status status = mass_csv_open_rows(path, bytes, size, &csv, error);
    const size_t most = status == MASS_OK ? mass_csv_rows_most(&csv) * csv.columns : 0;
    n.values = n.memory = malloc((most + 1) * sizeof(uint64_t));
    if (!n.memory) status = mass_error_memory(error, most * sizeof(uint64_t), "a table");
    for (bool more = true; status == MASS_OK && more;) {
        status = mass_csv_next(&csv, &more, error);
        if (status == MASS_OK && more) status = take_row(&csv, attribute, &n, error);
        if (status == MASS_OK && more) n.extent[0]++;
    }
    n.extent[1] = csv.columns;
    mass_csv_close(&csv);
    if (status == MASS_OK) *out = n;
    else free(n.memory);
    return status;
}

/* ---- any format ---- */

/* Returns true if the path has this ending, in upper or lower case. */
static bool ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}

/* Copies numbers to row-major order, and widens 16-bit floats, into n->memory, which n->values then is; both are
 * NULL if neither is needed. The caller frees n->memory. */
static mass_status copy_npy(const mass_npy *npy, const uint8_t *from, mass_numbers *n, mass_error *error)
{
    const size_t bytes = npy->count * mass_npy_number_size(npy), wide = npy->count * mass_type_size(npy->type);
    const bool turned = npy->fortran && npy->rank > 1;
    uint8_t *rows = turned ? malloc(bytes + 1) : NULL, *widened = npy->half ? malloc(wide + 1) : NULL;
    const bool good = (rows || !turned) && (widened || !npy->half);
    if (good && turned) mass_npy_transpose(npy, from, rows);
    if (good && npy->half) mass_npy_widen(turned ? rows : from, npy->count, (float *)widened);
    n->values = n->memory = npy->half ? widened : rows;
    if (npy->half) free(rows);
    return good ? MASS_OK : mass_error_memory(error, bytes + wide, "an array");
}

/* Takes the numbers. If they are in row-major order, they stay in the file's memory, which *out then owns. */
static mass_status take_npy(const char *path, mass_file *file, mass_numbers *out, mass_error *error)
{
    mass_npy npy;
    const mass_status status = mass_npy_parse(path, file->bytes, file->size, &npy, error);
    if (status != MASS_OK) return status;
    mass_numbers n = {.type = npy.type, .rank = npy.rank, .count = npy.count, .truth = npy.truth};
    memcpy(n.extent, npy.extent, sizeof n.extent);
    if (npy.half || (npy.fortran && npy.rank > 1)) {
        if (copy_npy(&npy, file->bytes + npy.offset, &n, error) != MASS_OK) {
            free(n.memory);
            return error->status;
        }
    } else {
        n.memory = file->bytes;
        n.values = file->bytes + npy.offset;
        *file = (mass_file){0};
    }
    *out = n;
    return MASS_OK;
}

/* Reads a .npy, .csv or else PNG file whole, and hashes its bytes into out->hash. */
static mass_status read_bytes(const char *path, const mass_attribute_def *attribute, mass_numbers *out,
                              mass_error *error)
{
    mass_file file = {0};
    char hash[33];
    mass_status status = mass_file_read(path, file_bytes_most, MASS_BAD_INPUT, &file, error);
    if (status != MASS_OK) return status;
    mass_hash_file_bytes(file.bytes, file.size, hash);
    if (ends_with(path, ".npy")) status = take_npy(path, &file, out, error);
    else if (ends_with(path, ".csv"))
        status = mass_numbers_parse_csv(path, file.bytes, file.size, attribute, out, error);
    else status = mass_numbers_parse_png(path, file.bytes, file.size, out, error);
    mass_file_free(&file);
    if (status == MASS_OK) memcpy(out->hash, hash, sizeof hash);
    return status;
}

/* Hashes all of the file's bytes. Not for several threads at once. */
static mass_status hash_file(const mass_hdf5_source *file, char hex[33], mass_error *error)
{
    static uint8_t part[1 << 16];
    uint8_t hash[16];
    XXH3_state_t state;
    ssize_t got = 0;
    XXH3_INITSTATE(&state);
    XXH3_128bits_reset(&state);
    for (off_t at = 0; (got = pread(file->file, part, sizeof part, at)) > 0 || (got < 0 && errno == EINTR);) {
        if (got < 0) continue;
        XXH3_128bits_update(&state, part, (size_t)got);
        at += got;
    }
    if (got < 0) return mass_error_set(error, MASS_BAD_INPUT, "cannot read %s: %s", file->path, strerror(errno));
    mass_hash_digest(&state, hash);
    mass_hash_format(hash, hex);
    return MASS_OK;
}

/* Reads the data set that the source names, and hashes its whole file into out->hash. */
static mass_status read_hdf5(const char *source, mass_numbers *out, mass_error *error)
{
    char hash[33], path[MASS_NUMBERS_PATH];
    mass_hdf5_source file;
    mass_status status = mass_numbers_find_hdf5(source, path, &file, error);
    if (status == MASS_OK) status = hash_file(&file, hash, error);
    if (status == MASS_OK) status = mass_numbers_read_hdf5(&file, source, out, error);
    if (status == MASS_OK) memcpy(out->hash, hash, sizeof hash);
    mass_hdf5_close_source(&file);
    return status;
}

mass_status mass_numbers_read(const char *source, const mass_attribute_def *attribute, mass_numbers *out,
                              mass_error *error)
{
    if (mass_numbers_hdf5_file(source) > 0) return read_hdf5(source, out, error);
    if (ends_with(source, ".npy") || ends_with(source, ".csv") || ends_with(source, ".png"))
        return read_bytes(source, attribute, out, error);
    if (ends_with(source, ".h5") || ends_with(source, ".hdf5"))
        return mass_error_set(error, MASS_BAD_INPUT, "%s: name a data set in it, as in %s:/path", source, source);
    return mass_error_set(error, MASS_BAD_INPUT, "%s: its name does not end in .npy, .csv, .png, .h5:/path or "
                          ".hdf5:/path", source);
}

void mass_numbers_free(mass_numbers *n)
{
    free(n->memory);
    *n = (mass_numbers){0};
}
