/* SPDX-License-Identifier: Apache-2.0 */
/* What stands around the data: HDF5 attributes, and bytes before and behind the file's own. */
#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- HDF5 attributes ---- */

static void many_attributes(const craft_scene *s)
{
    unsigned most, least;
    const hid_t file = craft_open(s), set = MUST(H5Dopen2(file, s->set, H5P_DEFAULT));
    const hid_t space = MUST(H5Screate(H5S_SCALAR)), list = MUST(H5Dget_create_plist(set));
    MUST(H5Pget_attr_phase_change(list, &most, &least));
    H5Pclose(list);
    for (int i = 0; i < craft_many(s, most > 1000); i++) {
        char name[32];
        snprintf(name, sizeof name, "a_%d", i);
        H5Aclose(MUST(H5Acreate2(set, name, H5T_STD_U8LE, space, H5P_DEFAULT, H5P_DEFAULT)));
    }
    H5Sclose(space);
    H5Dclose(set);
    craft_close(file);
}

static herr_t first_name(hid_t at, const char *name, const H5A_info_t *info, void *out)
{
    (void)at, (void)info;
    snprintf(out, 200, "%s", name);
    return 1;
}

/* Gives an object's first attribute, if it has one, another type and extent. */
static void change_attribute(hid_t object, hid_t type, hid_t space)
{
    char name[200] = "added";
    hsize_t next = 0;
    if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &next, first_name, name) > 0) MUST(H5Adelete(object, name));
    H5Aclose(MUST(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT)));
    H5Sclose(space);
    H5Tclose(type);
    H5Oclose(object);
}

static void attribute_of_any_length(const craft_scene *s)
{
    const hid_t file = craft_open(s), type = MUST(H5Tcopy(H5T_C_S1));
    MUST(H5Tset_size(type, H5T_VARIABLE));
    change_attribute(MUST(H5Oopen(file, s->group, H5P_DEFAULT)), MUST(H5Tcopy(type)), MUST(H5Screate(H5S_SCALAR)));
    change_attribute(MUST(H5Oopen(file, "/", H5P_DEFAULT)), type, MUST(H5Screate(H5S_SCALAR)));
    craft_close(file);
}

static void large_attribute(const craft_scene *s)
{
    const hsize_t count = s->small ? 100 : 1 << 23;
    const hid_t file = craft_open(s);
    change_attribute(MUST(H5Oopen(file, s->set, H5P_DEFAULT)), MUST(H5Tcopy(H5T_STD_U64LE)),
                     MUST(H5Screate_simple(1, &count, NULL)));
    change_attribute(MUST(H5Oopen(file, "/", H5P_DEFAULT)), MUST(H5Tcopy(H5T_STD_U64LE)),
                     MUST(H5Screate_simple(1, &count, NULL)));
    craft_close(file);
}

static void attribute_without_value(const craft_scene *s)
{
    const hid_t file = craft_open(s);
    change_attribute(MUST(H5Oopen(file, s->set, H5P_DEFAULT)), MUST(H5Tcopy(H5T_STD_U64LE)),
                     MUST(H5Screate(H5S_NULL)));
    change_attribute(MUST(H5Oopen(file, "/", H5P_DEFAULT)), MUST(H5Tcopy(H5T_STD_U64LE)), MUST(H5Screate(H5S_NULL)));
    craft_close(file);
}

/* ---- bytes before and behind ---- */

static void rewrite(const char *path, size_t before, long cut)
{
    FILE *from = fopen(path, "rbe");
    MUST(from && fseek(from, 0, SEEK_END) == 0 ? 0 : -1);
    const size_t size = (size_t)ftell(from);
    uint8_t *bytes = calloc(before + size, 1);
    rewind(from);
    MUST(fread(bytes + before, 1, size, from) == size ? 0 : -1);
    fclose(from);
    FILE *to = fopen(path, "wbe");
    MUST(to && fwrite(bytes, 1, before + size - (size_t)cut, to) > 0 && fclose(to) == 0 ? 0 : -1);
    free(bytes);
}

static void a_byte_before(const craft_scene *s) { rewrite(s->path, 1, 0); }
static void user_block(const craft_scene *s) { rewrite(s->path, 512, 0); }
static void large_user_block(const craft_scene *s) { rewrite(s->path, s->small ? 2048 : 1 << 20, 0); }
static void cut(const craft_scene *s) { rewrite(s->path, 0, 100); }

const craft craft_around[] = {
    {"many-attributes", many_attributes, CRAFT_HARMLESS},
    {"attribute-of-any-length", attribute_of_any_length, CRAFT_HARMLESS},
    {"large-attribute", large_attribute, CRAFT_HARMLESS},
    {"attribute-without-value", attribute_without_value, CRAFT_HARMLESS},
    {"a-byte-before", a_byte_before, CRAFT_HARMFUL}, {"user-block", user_block, CRAFT_HARMLESS},
    {"large-user-block", large_user_block, CRAFT_HARMLESS}, {"cut", cut, CRAFT_HARMFUL}};
const size_t craft_around_count = sizeof craft_around / sizeof *craft_around;
