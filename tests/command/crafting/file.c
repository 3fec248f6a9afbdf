/* SPDX-License-Identifier: Apache-2.0 */
#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t craft_must(int64_t result, const char *what)
{
    if (result >= 0) return result;
    fprintf(stderr, "crafting: %s failed\n", what);
    abort();
}

int craft_many(const craft_scene *s, bool in_header) { return s->small ? 40 : in_header ? 2000 : 65536; }

/* ---- files ---- */

hid_t craft_open(const craft_scene *s)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t access = MUST(H5Pcreate(H5P_FILE_ACCESS));
    MUST(H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110));
    const hid_t file = MUST(H5Fopen(s->path, H5F_ACC_RDWR, access));
    H5Pclose(access);
    return file;
}

void craft_close(hid_t file) { MUST(H5Fclose(file)); }

static herr_t copy_attribute(hid_t from, const char *name, const H5A_info_t *info, void *to)
{
    (void)info;
    const hid_t a = MUST(H5Aopen(from, name, H5P_DEFAULT)), type = MUST(H5Aget_type(a)), space = MUST(H5Aget_space(a));
    void *value = calloc((size_t)H5Sget_simple_extent_npoints(space) + 1, H5Tget_size(type));
    MUST(H5Aread(a, type, value));
    const hid_t copy = MUST(H5Acreate2(*(hid_t *)to, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
    MUST(H5Awrite(copy, type, value));
    free(value);
    H5Aclose(copy);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(a);
    return 0;
}

void craft_copy_attributes(hid_t from, hid_t to)
{
    hsize_t next = 0;
    MUST(H5Aiterate2(from, H5_INDEX_NAME, H5_ITER_INC, &next, copy_attribute, &to));
}

/* ---- data sets ---- */

craft_shape craft_shape_of(hid_t file, const char *set)
{
    craft_shape s = {.list = MUST(H5Pcreate(H5P_DATASET_CREATE))};
    const hid_t found = MUST(H5Dopen2(file, set, H5P_DEFAULT)), space = MUST(H5Dget_space(found));
    s.type = MUST(H5Dget_type(found));
    s.rank = (int)MUST(H5Sget_simple_extent_dims(space, s.extent, s.most));
    H5Sclose(space);
    H5Dclose(found);
    return s;
}

void craft_use_chunks(const craft_shape *s, hsize_t of)
{
    hsize_t chunk[CRAFT_RANK_MOST];
    for (int i = 0; i < s->rank; i++) chunk[i] = of ? of : s->extent[i] ? s->extent[i] : 1;
    MUST(H5Pset_chunk(s->list, s->rank, chunk));
}

hid_t craft_replace_with(hid_t file, const char *set, const craft_shape *s, hid_t space)
{
    const hid_t old = MUST(H5Dopen2(file, set, H5P_DEFAULT));
    MUST(H5Ldelete(file, set, H5P_DEFAULT));
    const hid_t fresh = MUST(H5Dcreate2(file, set, s->type, space, H5P_DEFAULT, s->list, H5P_DEFAULT));
    craft_copy_attributes(old, fresh);
    H5Dclose(old);
    H5Sclose(space);
    H5Pclose(s->list);
    H5Tclose(s->type);
    return fresh;
}

hid_t craft_space_of(const craft_shape *s)
{
    hsize_t most[CRAFT_RANK_MOST];
    const bool chunked = H5Pget_layout(s->list) == H5D_CHUNKED;
    for (int i = 0; i < s->rank; i++)
        most[i] = chunked && s->most[i] == H5S_UNLIMITED ? H5S_UNLIMITED : s->extent[i];
    return MUST(H5Screate_simple(s->rank, s->extent, most));
}

void craft_replace(hid_t file, const char *set, const craft_shape *s)
{
    H5Dclose(craft_replace_with(file, set, s, craft_space_of(s)));
}

/* ---- packing ---- */

static herr_t shrink(hid_t file, const char *name, const H5O_info_t *info, void *context)
{
    (void)context;
    if (info->type != H5O_TYPE_DATASET) return 0;
    const craft_shape s = craft_shape_of(file, name);
    const hid_t old = MUST(H5Dopen2(file, name, H5P_DEFAULT)), space = MUST(H5Dget_space(old));
    void *data = calloc((size_t)H5Sget_simple_extent_npoints(space) + 1, H5Tget_size(s.type));
    const hid_t type = MUST(H5Tcopy(s.type));
    MUST(H5Dread(old, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
    if (H5Pget_layout(s.list) == H5D_CHUNKED) craft_use_chunks(&s, 0);
    const hid_t fresh = craft_replace_with(file, name, &s, craft_space_of(&s));
    MUST(H5Dwrite(fresh, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
    free(data);
    H5Dclose(fresh);
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(old);
    return 0;
}

static herr_t copy_object(hid_t from, const char *name, const H5L_info_t *info, void *to)
{
    (void)info;
    MUST(H5Ocopy(from, name, *(hid_t *)to, name, H5P_DEFAULT, H5P_DEFAULT));
    return 0;
}

static hid_t create_file(const char *path)
{
    const hid_t access = MUST(H5Pcreate(H5P_FILE_ACCESS)), list = MUST(H5Pcreate(H5P_FILE_CREATE));
    MUST(H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110));
    MUST(H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
    const hid_t file = MUST(H5Fcreate(path, H5F_ACC_TRUNC, list, access));
    H5Pclose(list);
    H5Pclose(access);
    return file;
}

void craft_repack(const char *from, const char *to)
{
    char work[4200];
    snprintf(work, sizeof work, "%s.work", to);
    hid_t whole = MUST(H5Fopen(from, H5F_ACC_RDONLY, H5P_DEFAULT)), file = create_file(work);
    craft_copy_attributes(whole, file);
    MUST(H5Literate(whole, H5_INDEX_NAME, H5_ITER_INC, NULL, copy_object, &file));
    H5Fclose(whole);
    MUST(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, shrink, NULL));
    craft_close(file);
    whole = MUST(H5Fopen(work, H5F_ACC_RDONLY, H5P_DEFAULT));
    file = create_file(to);
    craft_copy_attributes(whole, file);
    MUST(H5Literate(whole, H5_INDEX_NAME, H5_ITER_INC, NULL, copy_object, &file));
    H5Fclose(whole);
    craft_close(file);
    remove(work);
}
