/* SPDX-License-Identifier: Apache-2.0 */
#include "refused.h"

#include "folder.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

void assert_no_match(const mass_snapshot *s, mass_model is, const char *words)
{
    mass_checkpoint *c;
    mass_error e = {0};
    char path[PATH_MAX];
    write_one(s, path);
    cr_assert_eq(mass_checkpoint_open(path, &c, &e), MASS_OK);
    cr_assert_eq(mass_checkpoint_match(c, &is, &e), MASS_BAD_INPUT);
    cr_assert(strstr(e.text, words) && strstr(e.text, path), "%s", e.text);
    mass_checkpoint_close(c);
    mass_model_free(&is);
}

void assert_refused_by_all(const char *path, const char *words)
{
    mass_error verified = {0}, probed = {0};
    cr_assert_eq(mass_checkpoint_verify(path, &verified), MASS_BAD_INPUT, "it is accepted, but should not: %s", words);
    cr_assert(strstr(verified.text, words) && strstr(verified.text, path), "no '%s' in: %s", words, verified.text);
    cr_assert_eq(mass_checkpoint_probe(path, &probed), MASS_BAD_INPUT);
    cr_assert_str_eq(probed.text, verified.text);
}

void assert_change_refused(const mass_snapshot *s, void (*change)(hid_t), const char *words)
{
    char path[PATH_MAX];
    write_one(s, path);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, access);
    cr_assert_geq(file, 0);
    change(file);
    H5Pclose(access);
    cr_assert_geq(H5Fclose(file), 0);
    assert_refused_by_all(path, words);
}

void set_attribute(hid_t file, const char *object, const char *name, const void *value)
{
    const hid_t at = H5Oopen(file, object, H5P_DEFAULT), a = H5Aopen(at, name, H5P_DEFAULT), type = H5Aget_type(a);
    cr_assert_geq(H5Awrite(a, type, value), 0, "%s of %s", name, object);
    H5Tclose(type);
    H5Aclose(a);
    H5Oclose(at);
}

void set_number(hid_t file, const char *object, const char *name, uint64_t value)
{
    set_attribute(file, object, name, &value);
}

void set_values(hid_t file, const char *name, hid_t type, const void *values)
{
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    cr_assert_geq(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0, "%s", name);
    H5Dclose(set);
}

static void add_attribute_to(hid_t set, const char *name, hid_t type, const void *value)
{
    const hid_t scalar = H5Screate(H5S_SCALAR), a = H5Acreate2(set, name, type, scalar, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(a, type, value);
    H5Aclose(a);
    H5Sclose(scalar);
}

void replace_values(hid_t file, const char *name, hid_t type, const char *mass_type, hid_t list, int rank,
                    const hsize_t *extent, bool stored)
{
    static const uint8_t zeros[60 * 8];
    H5Ldelete(file, name, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(rank, extent, NULL), text = H5Tcopy(H5T_C_S1);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    cr_assert_geq(set, 0, "%s", name);
    if (stored) H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros);
    H5Tset_size(text, strlen(mass_type) + 1);
    add_attribute_to(set, "mass_type", text, mass_type);
    add_attribute_to(set, "length", H5T_STD_U64LE, &(uint64_t){1});
    H5Tclose(text), H5Pclose(list);
    H5Sclose(space);
    H5Dclose(set);
}

hid_t chunks_with_checksums(int rank, const hsize_t *extent)
{
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, rank, extent);
    H5Pset_fletcher32(list);
    return list;
}
