/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the head of a file of results. */
#include "io/results/results.h"
#include "io/hdf5/library.h"
#include "io/hdf5/open.h"

#include <errno.h>
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MADE_MAX = 1 << 16 };

/* Reads a number that is an attribute of the file. False if it is not there. */
static bool read_number(hid_t file, const char *name, int64_t *out)
{
    const hid_t attribute = H5Aexists(file, name) > 0 ? H5Aopen(file, name, H5P_DEFAULT) : -1;
    const bool good = attribute >= 0 && H5Aread(attribute, H5T_NATIVE_INT64, out) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    return good;
}

/* Reads a text of fixed length that is an attribute of the file; the caller frees it. NULL: there is none, or it is too
 * long. */
static char *read_text(hid_t file, const char *name)
{
    const hid_t attribute = H5Aexists(file, name) > 0 ? H5Aopen(file, name, H5P_DEFAULT) : -1;
    const hid_t type = attribute >= 0 ? H5Aget_type(attribute) : -1;
    const size_t size = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0
                            ? H5Tget_size(type) : 0;
    char *text = size > 0 && size < MADE_MAX ? calloc(size + 1, 1) : NULL;
    if (text && H5Aread(attribute, type, text) < 0) {
        free(text);
        text = NULL;
    }
    if (type >= 0) H5Tclose(type);
    if (attribute >= 0) H5Aclose(attribute);
    return text;
}

/* Reads the number of rows, from /sweep/number. False if it cannot be read. */
static bool read_rows(hid_t file, int64_t *out)
{
    const hid_t group = mass_hdf5_group(file, "sweep");
    const hid_t set = group >= 0 ? mass_hdf5_set(group, "number", MASS_HDF5_OURS) : -1;
    const hid_t space = set >= 0 ? H5Dget_space(set) : -1;
    if (space >= 0) *out = H5Sget_simple_extent_npoints(space);
    if (space >= 0) H5Sclose(space);
    if (set >= 0) H5Dclose(set);
    if (group >= 0) H5Gclose(group);
    return space >= 0 && *out >= 0;
}

mass_status mass_results_look(const char *path, bool *there, mass_results_head *out, mass_error *error)
{
    struct stat facts;
    mass_hdf5_source source;
    int64_t format = 0, seed = 0;
    *out = (mass_results_head){0};
    *there = lstat(path, &facts) == 0;
    if (!*there && errno != ENOENT) return mass_error_set(error, MASS_BAD_USAGE, "--results %s: %m", path);
    if (!*there) return MASS_OK;
    const mass_status status = mass_hdf5_find(path, MASS_HDF5_OURS, "give --results another name", &source, error);
    if (status != MASS_OK) return status;
    const hid_t file = mass_hdf5_open(&source);
    const bool good = file >= 0 && read_number(file, "mass_results", &format) && format == 1 &&
                      read_number(file, "seed", &seed) && read_number(file, "total", &out->total) &&
                      read_rows(file, &out->rows) && (out->made = read_text(file, "made")) != NULL;
    out->seed = (uint64_t)seed;
    if (file >= 0) H5Fclose(file);
    mass_hdf5_close_source(&source);
    if (good) return MASS_OK;
    free(out->made);
    out->made = NULL;
    return mass_error_set(error, MASS_BAD_INPUT, "--results %s: it is not a file of results: give another name", path);
}
