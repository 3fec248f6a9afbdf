/* SPDX-License-Identifier: Apache-2.0 */
/* Reads numbers from a data set. It checks what HDF5 reports about the set before it allocates memory. */
#include "io/hdf5/library.h"
#include "io/hdf5/probe.h"
#include "io/input/numbers.h"
#include "io/input/numbers_packed.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A window has WINDOW_BYTES, or at least one chunk if a chunk has at most WINDOW_MOST bytes. It has at most CHUNKS_MOST
 * chunks, since the library takes some memory for each. */
enum { WINDOW_BYTES = 1 << 23, WINDOW_MOST = 1 << 29, CHUNKS_MOST = 1 << 15 };

size_t mass_numbers_hdf5_file(const char *source)
{
    for (const char *colon = source; (colon = strstr(colon, ":/")); colon++) {
        const size_t length = (size_t)(colon - source);
        if ((length > 3 && strncasecmp(colon - 3, ".h5", 3) == 0) ||
            (length > 5 && strncasecmp(colon - 5, ".hdf5", 5) == 0))
            return length;
    }
    return 0;
}

/* Refuses the data set; but if the system or a lack of memory hindered reading, reports that. */
static mass_status bad(const char *source, mass_error *error, const char *what)
{
    if (mass_hdf5_is_hindered(source, error)) return error->status;
    return mass_error_set(error, MASS_BAD_INPUT, "%s %s", source, what);
}

/* Refuses with the library's reason. If memory is short, the machine is at fault, and not the file. */
static mass_status unreadable(const char *source, mass_error *error)
{
    char reason[200];
    if (mass_hdf5_is_hindered(source, error)) return error->status;
    return mass_error_set(error, MASS_BAD_INPUT, "%s cannot be read (%s)", source, mass_hdf5_reason(reason));
}

/* Finds the type of numbers, in *out. h5py stores truth values as an enumeration of bytes. Returns false for other
 * types. */
static bool find_type(hid_t stored, uint32_t *out)
{
    static const uint32_t integers[9][2] = {[1] = {MASS_U8, MASS_I8}, [2] = {MASS_U16, MASS_I16},
                                            [4] = {MASS_U32, MASS_I32}, [8] = {MASS_U64, MASS_I64}};
    const size_t size = H5Tget_size(stored);
    const H5T_class_t class = H5Tget_class(stored);
    *out = MASS_TYPE_NONE;
    if (class == H5T_ENUM) {
        const hid_t super = H5Tget_super(stored);
        const bool found = find_type(super, out);
        H5Tclose(super);
        return found;
    }
    if (class == H5T_FLOAT) *out = size <= 4 ? MASS_F32 : size <= 8 ? MASS_F64 : MASS_TYPE_NONE; /* 16 bits also */
    if (class == H5T_INTEGER && size <= 8) *out = integers[size][H5Tget_sign(stored) == H5T_SGN_2];
    return *out != MASS_TYPE_NONE;
}

/* Checks the set's rank, type and size against its file, and sets rank, extents, type and count. */
static mass_status check_set(const char *source, hid_t set, uint64_t file_size, mass_numbers *n, mass_error *error)
{
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    const int rank = H5Sget_simple_extent_ndims(space);
    hsize_t extent[MASS_NUMBERS_AXES] = {0};
    mass_status status = MASS_OK;
    bool beyond = false;
    if (H5Sget_simple_extent_type(space) != H5S_SIMPLE || rank < 1 || rank > MASS_NUMBERS_AXES ||
        H5Sget_simple_extent_dims(space, extent, NULL) != rank)
        status = bad(source, error, "does not have 1 to 6 dimensions");
    else if (!find_type(type, &n->type)) status = bad(source, error, "does not hold numbers of at most 64 bits");
    n->truth = H5Tget_class(type) == H5T_ENUM;
    n->rank = (uint32_t)rank;
    n->count = 1;
    for (int i = 0; status == MASS_OK && i < rank; i++) {
        n->extent[i] = extent[i];
        beyond |= __builtin_mul_overflow(n->count, n->extent[i], &n->count);
    }
    if (status == MASS_OK && (beyond || (n->count > MASS_HDF5_SPARSE_MOST / mass_type_size(n->type) &&
                                         n->count / MASS_HDF5_PACKED_MOST > file_size)))
        status = bad(source, error, "is larger than its file");
    H5Sclose(space);
    H5Tclose(type);
    return status;
}

/* ---- windows: parts of the set that are read at once. They have whole chunks, so that the library unpacks each chunk
 * once, and few bytes ---- */

/* Gets the extents of a chunk. False if the set has no chunks, or if they are larger than a window may be. */
static bool find_chunk(hid_t set, const mass_numbers *n, hsize_t chunk[MASS_NUMBERS_AXES])
{
    const hid_t list = H5Dget_create_plist(set);
    uint64_t bytes = mass_type_size(n->type);
    bool fits = H5Pget_layout(list) == H5D_CHUNKED && H5Pget_chunk(list, (int)n->rank, chunk) == (int)n->rank;
    H5Pclose(list);
    if (!fits) return false;
    for (uint32_t i = 0; i < n->rank; i++) {
        if (chunk[i] > n->extent[i]) chunk[i] = n->extent[i];
        fits = fits && !__builtin_mul_overflow(bytes, chunk[i], &bytes);
    }
    return fits && bytes <= WINDOW_MOST;
}

/* Chooses the extents of a window. It grows by whole chunks along the innermost axis, then along the next one, while
 * it has at most WINDOW_BYTES and CHUNKS_MOST chunks. Along the other axes it is one chunk. */
static void choose_window(hid_t set, const mass_numbers *n, hsize_t window[MASS_NUMBERS_AXES])
{
    uint64_t chunk_values = 1;
    const bool chunks = find_chunk(set, n, window);
    for (uint32_t i = 0; !chunks && i < n->rank; i++) window[i] = 1;
    for (uint32_t i = 0; i < n->rank; i++) chunk_values *= window[i];
    uint64_t more = WINDOW_BYTES / mass_type_size(n->type) / chunk_values;
    if (chunks && more > CHUNKS_MOST) more = CHUNKS_MOST;
    for (uint32_t i = n->rank; i-- > 0 && more > 1;) {
        const uint64_t all = (n->extent[i] + window[i] - 1) / window[i], some = all < more ? all : more;
        window[i] = some == all ? n->extent[i] : window[i] * some;
        more = some == all ? more / some : 1;
    }
}

/* Returns how many values a window has. */
static uint64_t window_values(const mass_numbers *n, const hsize_t *window)
{
    uint64_t values = 1;
    for (uint32_t i = 0; i < n->rank; i++) values *= window[i];
    return values;
}

/* Reads a window. `whole`: `to` is the whole array, and the window keeps its position; else `to` has only the
 * window. */
static bool read_window(hid_t set, const mass_numbers *n, const hsize_t *start, const hsize_t *count, void *to,
                        bool whole)
{
    const hid_t space = H5Dget_space(set);
    bool read = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0;
    const hid_t memory = whole ? H5Scopy(space) : H5Screate_simple((int)n->rank, count, NULL);
    read = read && H5Dread(set, mass_hdf5_number_type(n->type), memory, space, H5P_DEFAULT, to) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return read;
}

/* Reads all windows. `whole`: `to` gets the whole array; else each window overwrites the one before. Returns false if
 * the library fails. */
static bool read_all(hid_t set, const mass_numbers *n, const hsize_t *window, void *to, bool whole)
{
    hsize_t start[MASS_NUMBERS_AXES] = {0}, count[MASS_NUMBERS_AXES];
    for (uint64_t done = 0; done < n->count;) {
        for (uint32_t i = 0; i < n->rank; i++)
            count[i] = window[i] < n->extent[i] - start[i] ? window[i] : n->extent[i] - start[i];
        if (!read_window(set, n, start, count, to, whole)) return false;
        done += window_values(n, count);
        for (uint32_t i = n->rank; i-- > 0; start[i] = 0)
            if ((start[i] += count[i]) < n->extent[i]) break;
    }
    return true;
}

/* Reads the whole set: into n->memory if `keep`, else window by window, only to check it. The caller frees n->memory in
 * any case. */
static mass_status read_set(const char *source, hid_t set, uint64_t file_size, bool keep, mass_numbers *n,
                            mass_error *error)
{
    mass_status status = check_set(source, set, file_size, n, error);
    if (status != MASS_OK) return status;
    hsize_t window[MASS_NUMBERS_AXES] = {0};
    if (n->count > 0) choose_window(set, n, window);
    const size_t bytes = (keep ? n->count : window_values(n, window)) * mass_type_size(n->type);
    n->memory = malloc(bytes ? bytes : 1);
    n->values = n->memory;
    if (!n->memory) return mass_error_memory(error, bytes, "a data set");
    return read_all(set, n, window, n->memory, keep) ? MASS_OK : unreadable(source, error);
}

/* Opens the file and reads the data set that the source names, with packed bits as bytes. Sets *out only if `keep`. */
static mass_status read_source(const mass_hdf5_source *file, const char *source, bool keep, mass_numbers *out,
                               mass_error *error)
{
    mass_numbers n = {0};
    mass_status status = MASS_OK;
    const hid_t opened = mass_hdf5_open(file);
    if (opened < 0) return unreadable(file->path, error);
    const hid_t set = mass_hdf5_set(opened, source + mass_numbers_hdf5_file(source) + 1, MASS_HDF5_FOREIGN);
    if (set < 0) status = unreadable(source, error);
    else status = read_set(source, set, file->size, keep, &n, error);
    if (status == MASS_OK) status = mass_numbers_unpack(source, set, keep, &n, error);
    if (set >= 0) H5Dclose(set);
    H5Fclose(opened);
    if (status == MASS_OK && keep) *out = n;
    else free(n.memory);
    return status;
}

mass_status mass_numbers_find_hdf5(const char *source, char path[MASS_NUMBERS_PATH], mass_hdf5_source *out,
                                   mass_error *error)
{
    const size_t length = mass_numbers_hdf5_file(source);
    *out = (mass_hdf5_source){0};
    if (length == 0 || length >= MASS_NUMBERS_PATH) return bad(source, error, "names no data set, as in FILE.h5:/path");
    snprintf(path, MASS_NUMBERS_PATH, "%.*s", (int)length, source);
    return mass_hdf5_find(path, MASS_HDF5_FOREIGN, NULL, out, error);
}

mass_status mass_numbers_read_hdf5(const mass_hdf5_source *file, const char *source, mass_numbers *out,
                                   mass_error *error)
{
    const mass_status status = mass_hdf5_probe("--probe-numbers", source, file, "write it again", error);
    return status == MASS_OK ? read_source(file, source, true, out, error) : status;
}

/* Reads the data set without keeping it, in the subprocess. */
static mass_status pass(mass_hdf5_source *file, const char *source, mass_error *error)
{
    return read_source(file, source, false, NULL, error);
}

int mass_numbers_answer_probe(const char *source)
{
    char path[MASS_NUMBERS_PATH];
    snprintf(path, sizeof path, "%.*s", (int)mass_numbers_hdf5_file(source), source);
    return mass_hdf5_answer_probe(path, MASS_HDF5_FOREIGN, source, pass);
}
