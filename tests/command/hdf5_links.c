/* SPDX-License-Identifier: Apache-2.0 */
#include "hdf5_links.h"

#include <criterion/criterion.h>
#include <hdf5.h>
#include <stdio.h>

static const H5L_type_t USER_CLASS = (H5L_type_t)77;


static hid_t traverse(const char *name, hid_t group, const void *value, size_t size, hid_t list, hid_t transfer)
{
    (void)name, (void)value, (void)size, (void)list, (void)transfer;
    return H5Oopen(group, "/", H5P_DEFAULT);
}

static void link_of_user(hid_t f, const char *path)
{
    const H5L_class_t class = {.version = H5L_LINK_CLASS_T_VERS, .id = USER_CLASS, .comment = "test",
                               .trav_func = traverse};
    cr_assert_geq(H5Lregister(&class), 0);
    cr_assert_geq(H5Lcreate_ud(f, path, USER_CLASS, "x", 1, H5P_DEFAULT, H5P_DEFAULT), 0, "%s", path);
}

/* The place of a set is taken by another, of which a reader may think that it is the same. */
static void store_elsewhere(hid_t f, const char *path, link_kind kind, const char *other)
{
    hsize_t extent[H5S_MAX_RANK];
    const hid_t was = H5Dopen2(f, path, H5P_DEFAULT), type = H5Dget_type(was), space = H5Dget_space(was);
    const int rank = H5Sget_simple_extent_dims(space, extent, NULL);
    const hid_t fixed = H5Screate_simple(rank, extent, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
    if (kind == STORED_OUTSIDE) H5Pset_external(list, other, 0, H5F_UNLIMITED);
    else H5Pset_virtual(list, fixed, other, path, fixed);
    cr_assert_geq(H5Ldelete(f, path, H5P_DEFAULT), 0);
    const hid_t set = H5Dcreate2(f, path, type, fixed, H5P_DEFAULT, list, H5P_DEFAULT);
    cr_assert_geq(set, 0, "%s", path);
    for (hsize_t i = 0; i < (hsize_t)H5Aget_num_attrs(was); i++) { /* its attributes come along */
        char name[200], bytes[4096];
        const hid_t a = H5Aopen_by_idx(was, ".", H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT);
        const hid_t a_type = H5Aget_type(a), a_space = H5Aget_space(a);
        H5Aget_name(a, sizeof name, name);
        H5Aread(a, a_type, bytes);
        const hid_t copy = H5Acreate2(set, name, a_type, a_space, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(copy, a_type, bytes);
        H5Aclose(copy), H5Sclose(a_space), H5Tclose(a_type), H5Aclose(a);
    }
    H5Dclose(set), H5Pclose(list), H5Sclose(fixed), H5Sclose(space), H5Tclose(type), H5Dclose(was);
}

void hdf5_lead_out(const char *file, const char *path, link_kind kind, const char *other)
{
    char moved[300];
    const hid_t f = H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT);
    cr_assert_geq(f, 0, "%s", file);
    snprintf(moved, sizeof moved, "%s_", path);
    if (kind >= LINK_KINDS) store_elsewhere(f, path, kind, other);
    else if (kind == LINK_SOFT) cr_assert_geq(H5Lmove(f, path, f, moved, H5P_DEFAULT, H5P_DEFAULT), 0, "%s", path);
    else cr_assert_geq(H5Ldelete(f, path, H5P_DEFAULT), 0, "%s", path);
    if (kind == LINK_SOFT) cr_assert_geq(H5Lcreate_soft(moved, f, path, H5P_DEFAULT, H5P_DEFAULT), 0);
    if (kind == LINK_EXTERNAL) cr_assert_geq(H5Lcreate_external(other, path, f, path, H5P_DEFAULT, H5P_DEFAULT), 0);
    if (kind == LINK_OF_USER) link_of_user(f, path);
    if (kind == LINK_DANGLING) cr_assert_geq(H5Lcreate_soft("/none", f, path, H5P_DEFAULT, H5P_DEFAULT), 0);
    cr_assert_geq(H5Fclose(f), 0);
}

void hdf5_link_again(const char *file, const char *path, const char *name)
{
    const hid_t f = H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT);
    cr_assert_geq(H5Lcreate_hard(f, path, f, name, H5P_DEFAULT, H5P_DEFAULT), 0, "%s", name);
    cr_assert_geq(H5Fclose(f), 0);
}
