/* SPDX-License-Identifier: Apache-2.0 */
#include "io/input/numbers_packed.h"

#include "io/hdf5/open.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 8 /* in a byte */ };

/* Reads an attribute of a set; false if the set lacks it, or if it has another type. type: of *out, unless it is a
 * text; size: the room for that. */
static bool read_attribute(hid_t set, const char *name, H5T_class_t class, hid_t type, size_t size, void *out)
{
    if (H5Aexists(set, name) <= 0) return false;
    const hid_t a = H5Aopen(set, name, H5P_DEFAULT), stored = H5Aget_type(a), space = H5Aget_space(a);
    bool good = H5Tget_class(stored) == class && H5Sget_simple_extent_type(space) == H5S_SCALAR;
    if (class == H5T_STRING) good = good && H5Tis_variable_str(stored) == 0 && H5Tget_size(stored) < size;
    good = good && H5Aread(a, class == H5T_STRING ? stored : type, out) >= 0;
    H5Sclose(space);
    H5Tclose(stored);
    H5Aclose(a);
    return good;
}

/* Reads a whole number from an HDF5 attribute; false if it has none. */
static bool read_number(hid_t set, const char *name, uint64_t *out)
{
    return read_attribute(set, name, H5T_INTEGER, H5T_NATIVE_UINT64, sizeof *out, out);
}

/* Sets *packed. Returns false, with the error set, if that is unknown. */
static bool find_packed(const char *source, hid_t set, bool *packed, mass_error *error)
{
    char type[16] = "";
    const bool said = read_attribute(set, "mass_type", H5T_STRING, -1, sizeof type, type);
    *packed = said && strcmp(type, "bit") == 0;
    return said || H5Aexists(set, "mass_type") == 0 || !mass_hdf5_is_hindered(source, error);
}

/* Unpacks a row of places, each with `length` components. */
static void unpack_row(uint8_t *to, const uint8_t *from, uint64_t places, uint64_t length)
{
    for (uint64_t x = 0; x < places; x++)
        for (uint64_t c = 0; c < length; c++)
            *to++ = from[x / PLACES * length + c] >> x % PLACES & 1;
}

mass_status mass_numbers_unpack(const char *source, hid_t set, bool keep, mass_numbers *n, mass_error *error)
{
    uint64_t places = 0, length = 1;
    bool packed;
    if (!find_packed(source, set, &packed, error)) return error->status;
    if (!packed) return MASS_OK;
    const bool known = read_number(set, "extent", &places) && read_number(set, "length", &length);
    const uint32_t x = n->rank - (length > 1 ? 2 : 1); /* wraps to a large number if there are too few axes */
    if (!known || n->type != MASS_U8 || x >= n->rank || (length > 1 && n->extent[n->rank - 1] != length) ||
        places / PLACES + (places % PLACES > 0) != n->extent[x])
        return mass_hdf5_is_hindered(source, error)
                   ? error->status
                   : mass_error_set(error, MASS_BAD_INPUT, "%s is of bits, and what it says of its extent does not fit "
                                    "its bytes", source);
    const uint64_t rows = n->extent[x] ? n->count / (n->extent[x] * length) : 0, bytes = n->extent[x] * length;
    n->extent[x] = places;
    n->count = rows * places * length; /* at most eight times the bytes */
    n->truth = true;
    if (!keep) return MASS_OK;
    uint8_t *unpacked = malloc(n->count + 1);
    if (!unpacked) return mass_error_memory(error, n->count, "a data set");
    for (uint64_t i = 0; i < rows; i++)
        unpack_row(unpacked + i * places * length, (const uint8_t *)n->memory + i * bytes, places, length);
    free(n->memory);
    n->values = n->memory = unpacked;
    return MASS_OK;
}
