/* SPDX-License-Identifier: Apache-2.0 */
#include "io/series/reader.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- refusals ---- */

bool mass_series_damaged(mass_series_reader *r, const char *format, ...)
{
    char what[400];
    if (mass_hdf5_is_hindered(r->path, r->error)) return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (mass_hdf5_doubts(r->source, what, r->error)) return false;
    mass_error_set(r->error, MASS_BAD_INPUT, "%s is not a whole file of series: %s", r->path, what);
    return false;
}

bool mass_series_unreadable(mass_series_reader *r, const char *what)
{
    char reason[200];
    if (mass_hdf5_is_hindered(r->path, r->error)) return false;
    return mass_series_damaged(r, "%s cannot be read (%s)", what, mass_hdf5_reason(reason));
}

/* ---- HDF5 attributes ---- */

bool mass_series_get(mass_series_reader *r, hid_t at, const char *name, hid_t type, void *out)
{
    const hid_t a = H5Aopen(at, name, H5P_DEFAULT);
    if (a < 0) return mass_series_damaged(r, "it has no '%s'", name);
    const hid_t stored = H5Aget_type(a), space = H5Aget_space(a);
    const bool fits = H5Tequal(stored, type) > 0 && H5Sget_simple_extent_type(space) == H5S_SCALAR;
    const bool good = fits ? H5Aread(a, type, out) >= 0 || mass_series_unreadable(r, name)
                           : mass_series_damaged(r, "'%s' has another type or extent", name);
    H5Sclose(space);
    H5Tclose(stored);
    H5Aclose(a);
    return good;
}

bool mass_series_get_text(mass_series_reader *r, hid_t at, const char *name, char *out, size_t room)
{
    const hid_t a = H5Aopen(at, name, H5P_DEFAULT);
    if (a < 0) return mass_series_damaged(r, "it has no '%s'", name);
    const hid_t type = H5Aget_type(a), space = H5Aget_space(a);
    const size_t size = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 ? H5Tget_size(type) : 0;
    bool good = size >= 1 && size <= room && H5Tget_strpad(type) == H5T_STR_NULLTERM &&
                H5Sget_simple_extent_type(space) == H5S_SCALAR && H5Aread(a, type, out) >= 0 && out[size - 1] == '\0';
    if (!good) mass_series_damaged(r, "'%s' is not a text of this length", name);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(a);
    return good;
}

/* ---- data sets ---- */

hid_t mass_series_find_set(mass_series_reader *r, const char *name)
{
    const hid_t set = mass_hdf5_set(r->group, name, MASS_HDF5_OURS);
    if (set < 0) mass_series_unreadable(r, name);
    return set;
}

/* Returns true if the file is large enough for the values, which are not compressed. So a hostile shape costs neither
 * memory nor time. */
static bool fits_file(const mass_series_reader *r, const mass_series_shape *shape)
{
    uint64_t bytes = sizeof(double);
    for (int i = 0; i < shape->rank; i++)
        if (__builtin_mul_overflow(bytes, shape->extent[i], &bytes)) return false;
    return bytes <= r->source->size;
}

hid_t mass_series_open_set(mass_series_reader *r, const char *name, hid_t type, const mass_series_shape *shape)
{
    const hid_t set = mass_series_find_set(r, name);
    if (set < 0) return -1;
    hsize_t found[3] = {0};
    const hid_t stored = H5Dget_type(set), space = H5Dget_space(set);
    bool same = H5Tequal(stored, type) > 0 && H5Sget_simple_extent_ndims(space) == shape->rank &&
                H5Sget_simple_extent_dims(space, found, NULL) == shape->rank;
    for (int i = 0; same && i < shape->rank; i++) same = found[i] == shape->extent[i];
    H5Sclose(space);
    H5Tclose(stored);
    if (same && fits_file(r, shape)) return set;
    mass_series_damaged(r, same ? "'%s' is not stored whole" : "'%s' has another type or extent", name);
    H5Dclose(set);
    return -1;
}

bool mass_series_read_rows(hid_t set, hid_t type, hsize_t first, const mass_series_shape *rows, void *out)
{
    const hsize_t start[3] = {first};
    const hid_t memory = H5Screate_simple(rows->rank, rows->extent, NULL), space = H5Dget_space(set);
    const bool good = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, rows->extent, NULL) >= 0 &&
                      H5Dread(set, type, memory, space, H5P_DEFAULT, out) >= 0;
    H5Sclose(space);
    H5Sclose(memory);
    return good;
}
