/* SPDX-License-Identifier: Apache-2.0 */
#include "crafting.h"

#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { IDENTITY_FILTER = 300, USER_LINK = 100, RANK_MOST = 32 };

static int64_t must(int64_t result, const char *what)
{
    if (result >= 0) return result;
    fprintf(stderr, "crafting: %s failed\n", what);
    abort();
}
#define MUST(CALL) must((int64_t)(CALL), #CALL)

static const char *base_name(const char *path) { return strrchr(path, '/') ? strrchr(path, '/') + 1 : path; }

/* ---- files ---- */

static hid_t open_file(const craft_scene *s)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t access = MUST(H5Pcreate(H5P_FILE_ACCESS));
    MUST(H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110));
    const hid_t file = MUST(H5Fopen(s->path, H5F_ACC_RDWR, access));
    H5Pclose(access);
    return file;
}

static void close_file(hid_t file) { MUST(H5Fclose(file)); }

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

static void copy_attributes(hid_t from, hid_t to)
{
    hsize_t next = 0;
    MUST(H5Aiterate2(from, H5_INDEX_NAME, H5_ITER_INC, &next, copy_attribute, &to));
}

/* ---- data sets ---- */

/* What the scene's set is, and what may take its place. */
typedef struct shape {
    hid_t type, list;
    int rank;
    hsize_t extent[RANK_MOST], most[RANK_MOST];
} shape;

static shape shape_of(hid_t file, const char *set)
{
    shape s = {.list = MUST(H5Pcreate(H5P_DATASET_CREATE))};
    const hid_t found = MUST(H5Dopen2(file, set, H5P_DEFAULT)), space = MUST(H5Dget_space(found));
    s.type = MUST(H5Dget_type(found));
    s.rank = (int)MUST(H5Sget_simple_extent_dims(space, s.extent, s.most));
    H5Sclose(space);
    H5Dclose(found);
    return s;
}

static void use_chunks(const shape *s, hsize_t of)
{
    hsize_t chunk[RANK_MOST];
    for (int i = 0; i < s->rank; i++) chunk[i] = of ? of : s->extent[i] ? s->extent[i] : 1;
    MUST(H5Pset_chunk(s->list, s->rank, chunk));
}

/* Puts a new data set in the place of the old one, with its attributes. */
static hid_t replace_with(hid_t file, const char *set, const shape *s, hid_t space)
{
    const hid_t old = MUST(H5Dopen2(file, set, H5P_DEFAULT));
    MUST(H5Ldelete(file, set, H5P_DEFAULT));
    const hid_t fresh = MUST(H5Dcreate2(file, set, s->type, space, H5P_DEFAULT, s->list, H5P_DEFAULT));
    copy_attributes(old, fresh);
    H5Dclose(old);
    H5Sclose(space);
    H5Pclose(s->list);
    H5Tclose(s->type);
    return fresh;
}

/* Of the shape's extents, which can grow where those of the old one could. */
static hid_t space_of(const shape *s)
{
    hsize_t most[RANK_MOST];
    const bool chunked = H5Pget_layout(s->list) == H5D_CHUNKED;
    for (int i = 0; i < s->rank; i++)
        most[i] = chunked && s->most[i] == H5S_UNLIMITED ? H5S_UNLIMITED : s->extent[i];
    return MUST(H5Screate_simple(s->rank, s->extent, most));
}

static void replace(hid_t file, const char *set, const shape *s) { H5Dclose(replace_with(file, set, s, space_of(s))); }

/* ---- links ---- */

static void external_at(const craft_scene *s, const char *what, const char *victim)
{
    const hid_t file = open_file(s);
    MUST(H5Ldelete(file, what, H5P_DEFAULT));
    MUST(H5Lcreate_external(victim, what, file, what, H5P_DEFAULT, H5P_DEFAULT));
    close_file(file);
}

static void external_group(const craft_scene *s) { external_at(s, s->group, s->victim); }
static void external_set(const craft_scene *s) { external_at(s, s->set, s->victim); }
static void external_beside(const craft_scene *s) { external_at(s, s->set, base_name(s->victim)); }

static void soft_at(const craft_scene *s, const char *what, const char *to)
{
    const hid_t file = open_file(s);
    MUST(H5Lmove(file, what, file, "/elsewhere", H5P_DEFAULT, H5P_DEFAULT));
    MUST(H5Lcreate_soft(to, file, what, H5P_DEFAULT, H5P_DEFAULT));
    close_file(file);
}

static void soft_group(const craft_scene *s) { soft_at(s, s->group, "/elsewhere"); }
static void soft_set(const craft_scene *s) { soft_at(s, s->set, "/elsewhere"); }
static void dangling_group(const craft_scene *s) { soft_at(s, s->group, "/nowhere"); }
static void dangling_set(const craft_scene *s) { soft_at(s, s->set, "/nowhere/at/all"); }
static void soft_cycle(const craft_scene *s) { soft_at(s, s->set, s->set); }

static void soft_to_external(const craft_scene *s)
{
    char to[300];
    snprintf(to, sizeof to, "/out%s", s->set);
    soft_at(s, s->set, to);
    const hid_t file = open_file(s);
    MUST(H5Lcreate_external(s->victim, "/", file, "/out", H5P_DEFAULT, H5P_DEFAULT));
    close_file(file);
}

static hid_t follow_user(const char *name, hid_t group, const void *data, size_t size, hid_t access, hid_t transfer)
{
    (void)name, (void)data, (void)size, (void)access, (void)transfer;
    return H5Oopen(group, "/", H5P_DEFAULT);
}

static void user_defined(const craft_scene *s)
{
    const H5L_class_t class = {.version = H5L_LINK_CLASS_T_VERS, .id = (H5L_type_t)USER_LINK, .trav_func = follow_user};
    MUST(H5Lregister(&class));
    const hid_t file = open_file(s);
    MUST(H5Ldelete(file, s->set, H5P_DEFAULT));
    MUST(H5Lcreate_ud(file, s->set, (H5L_type_t)USER_LINK, "mine", 5, H5P_DEFAULT, H5P_DEFAULT));
    close_file(file);
}

static void hard_in_group(const craft_scene *s, const char *to, const char *name)
{
    const hid_t file = open_file(s), group = MUST(H5Gopen2(file, s->group, H5P_DEFAULT));
    MUST(H5Lcreate_hard(file, to, group, name, H5P_DEFAULT, H5P_DEFAULT));
    H5Gclose(group);
    close_file(file);
}

static void root_in_group(const craft_scene *s) { hard_in_group(s, "/", "root"); }
static void group_in_itself(const craft_scene *s) { hard_in_group(s, s->group, "again"); }
static void set_twice(const craft_scene *s) { hard_in_group(s, s->set, "twin"); }
static void control_name(const craft_scene *s) { hard_in_group(s, s->set, "\x1b[2J\n\x07"); }

static void hard_in_place(const craft_scene *s, const char *what, const char *to)
{
    const hid_t file = open_file(s);
    MUST(H5Lmove(file, what, file, "/elsewhere", H5P_DEFAULT, H5P_DEFAULT));
    MUST(H5Lcreate_hard(file, to, file, what, H5P_DEFAULT, H5P_DEFAULT));
    close_file(file);
}

static void group_is_root(const craft_scene *s) { hard_in_place(s, s->group, "/"); }
static void set_is_root(const craft_scene *s) { hard_in_place(s, s->set, "/"); }

static void long_name(const craft_scene *s)
{
    enum { LENGTH = 60000 };
    char *name = malloc(LENGTH + 1);
    memset(name, 'n', LENGTH);
    name[s->small ? 300 : LENGTH] = '\0';
    hard_in_group(s, s->set, name);
    free(name);
}

/* As many as are soon made: where they are kept in a header, each moves the others. */
static int many(const craft_scene *s, bool in_header) { return s->small ? 40 : in_header ? 2000 : 65536; }

static void many_links(const craft_scene *s)
{
    unsigned most, least;
    const hid_t file = open_file(s), group = MUST(H5Gopen2(file, s->group, H5P_DEFAULT));
    const hid_t list = MUST(H5Gget_create_plist(group));
    MUST(H5Pget_link_phase_change(list, &most, &least));
    H5Pclose(list);
    for (int i = 0; i < many(s, most > 1000); i++) {
        char name[32];
        snprintf(name, sizeof name, "twin_%d", i);
        MUST(H5Lcreate_hard(file, s->set, group, name, H5P_DEFAULT, H5P_DEFAULT));
    }
    H5Gclose(group);
    close_file(file);
}

static void deep_groups(const craft_scene *s)
{
    const hid_t file = open_file(s);
    hid_t group = MUST(H5Gopen2(file, s->group, H5P_DEFAULT));
    for (int i = 0; i < (s->small ? 60 : 3000); i++) {
        const hid_t inner = MUST(H5Gcreate2(group, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        H5Gclose(group);
        group = inner;
    }
    H5Gclose(group);
    close_file(file);
}

static void group_for_set(const craft_scene *s)
{
    const hid_t file = open_file(s);
    MUST(H5Ldelete(file, s->set, H5P_DEFAULT));
    H5Gclose(MUST(H5Gcreate2(file, s->set, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)));
    close_file(file);
}

static void type_for_set(const craft_scene *s)
{
    const hid_t file = open_file(s), type = MUST(H5Tcopy(H5T_STD_U8LE));
    MUST(H5Ldelete(file, s->set, H5P_DEFAULT));
    MUST(H5Tcommit2(file, s->set, type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Tclose(type);
    close_file(file);
}

static void no_set(const craft_scene *s)
{
    const hid_t file = open_file(s);
    MUST(H5Ldelete(file, s->set, H5P_DEFAULT));
    close_file(file);
}

/* ---- data that lies elsewhere ---- */

static void external_storage(const craft_scene *s)
{
    const hid_t file = open_file(s);
    const shape old = shape_of(file, s->set);
    MUST(H5Pset_external(old.list, s->victim, 0, H5F_UNLIMITED));
    replace(file, s->set, &old);
    close_file(file);
}

static void virtual_set(const craft_scene *s)
{
    const hid_t file = open_file(s);
    const shape old = shape_of(file, s->set);
    const hid_t space = MUST(H5Screate_simple(old.rank, old.extent, NULL));
    MUST(H5Pset_virtual(old.list, space, s->victim, s->set, space));
    H5Sclose(space);
    replace(file, s->set, &old);
    close_file(file);
}

/* ---- extents ---- */

static void huge_extents(const craft_scene *s)
{
    const hid_t file = open_file(s);
    shape old = shape_of(file, s->set);
    for (int i = 0; i < old.rank; i++) old.extent[i] = (hsize_t)1 << 40 / old.rank;
    use_chunks(&old, 1);
    replace(file, s->set, &old);
    close_file(file);
}

static void overflowing_extents(const craft_scene *s)
{
    const hid_t file = open_file(s);
    shape old = shape_of(file, s->set);
    for (int i = 0; i < old.rank; i++) old.extent[i] = (hsize_t)1 << (i == 0 ? 62 : 1);
    use_chunks(&old, 1);
    replace(file, s->set, &old);
    close_file(file);
}

static void huge_chunk(const craft_scene *s)
{
    const hid_t file = open_file(s);
    shape old = shape_of(file, s->set);
    hsize_t chunk[RANK_MOST], unlimited[RANK_MOST];
    for (int i = 0; i < old.rank; i++) chunk[i] = i == 0 ? (hsize_t)1 << 28 : 1, unlimited[i] = H5S_UNLIMITED;
    MUST(H5Pset_chunk(old.list, old.rank, chunk));
    H5Dclose(replace_with(file, s->set, &old, MUST(H5Screate_simple(old.rank, old.extent, unlimited))));
    close_file(file);
}

static void rank_32(const craft_scene *s)
{
    const hid_t file = open_file(s);
    shape old = shape_of(file, s->set);
    for (int i = 0; i < RANK_MOST; i++) old.extent[i] = i < old.rank ? old.extent[i] : 1;
    old.rank = RANK_MOST;
    replace(file, s->set, &old);
    close_file(file);
}

static void without_extent(const craft_scene *s, H5S_class_t class)
{
    const hid_t file = open_file(s);
    const shape old = shape_of(file, s->set);
    H5Dclose(replace_with(file, s->set, &old, MUST(H5Screate(class))));
    close_file(file);
}

static void scalar(const craft_scene *s) { without_extent(s, H5S_SCALAR); }
static void null_space(const craft_scene *s) { without_extent(s, H5S_NULL); }

static void fixed_extents(const craft_scene *s)
{
    const hid_t file = open_file(s);
    shape old = shape_of(file, s->set);
    memcpy(old.most, old.extent, sizeof old.most);
    use_chunks(&old, 0);
    replace(file, s->set, &old);
    close_file(file);
}

static void no_elements(const craft_scene *s)
{
    const hid_t file = open_file(s);
    shape old = shape_of(file, s->set);
    for (int i = 0; i < old.rank; i++) old.extent[i] = 0;
    use_chunks(&old, 1);
    replace(file, s->set, &old);
    close_file(file);
}

/* Nothing is stored, and a value stands for all elements. */
static void fill_value(const craft_scene *s)
{
    const hid_t file = open_file(s);
    shape old = shape_of(file, s->set);
    static const uint8_t fill[64] = {1};
    if (H5Tget_size(old.type) <= sizeof fill) MUST(H5Pset_fill_value(old.list, old.type, fill));
    for (int i = 0; i < old.rank; i++) old.extent[i] = (hsize_t)1 << 34 / old.rank;
    use_chunks(&old, 64);
    replace(file, s->set, &old);
    close_file(file);
}

/* ---- types: what a number may be taken for ---- */

static void of_type(const craft_scene *s, hid_t type)
{
    const hid_t file = open_file(s);
    shape old = shape_of(file, s->set);
    H5Tclose(old.type);
    old.type = type;
    use_chunks(&old, 0);
    replace(file, s->set, &old);
    close_file(file);
}

static void opaque(const craft_scene *s) { of_type(s, MUST(H5Tcreate(H5T_OPAQUE, 8))); }
static void object_references(const craft_scene *s) { of_type(s, MUST(H5Tcopy(H5T_STD_REF_OBJ))); }
static void region_references(const craft_scene *s) { of_type(s, MUST(H5Tcopy(H5T_STD_REF_DSETREG))); }
static void sequences(const craft_scene *s) { of_type(s, MUST(H5Tvlen_create(H5T_STD_U8LE))); }
static void bitfield(const craft_scene *s) { of_type(s, MUST(H5Tcopy(H5T_STD_B8LE))); }
static void big_endian(const craft_scene *s) { of_type(s, MUST(H5Tcopy(H5T_IEEE_F64BE))); }

static void text_type(const craft_scene *s, size_t size)
{
    const hid_t type = MUST(H5Tcopy(H5T_C_S1));
    MUST(H5Tset_size(type, size));
    of_type(s, type);
}

static void texts(const craft_scene *s) { text_type(s, 8); }
static void texts_of_any_length(const craft_scene *s) { text_type(s, H5T_VARIABLE); }

static void compound(const craft_scene *s)
{
    const hid_t type = MUST(H5Tcreate(H5T_COMPOUND, 16)), text = MUST(H5Tcopy(H5T_C_S1));
    MUST(H5Tset_size(text, H5T_VARIABLE));
    MUST(H5Tinsert(type, "a", 0, H5T_STD_I64LE));
    MUST(H5Tinsert(type, "b", 8, text));
    H5Tclose(text);
    of_type(s, type);
}

static void wide_compound(const craft_scene *s)
{
    const int members = s->small ? 30 : 1000;
    const hid_t type = MUST(H5Tcreate(H5T_COMPOUND, (size_t)members));
    for (int i = 0; i < members; i++) {
        char name[16];
        snprintf(name, sizeof name, "m%d", i);
        MUST(H5Tinsert(type, name, (size_t)i, H5T_STD_U8LE));
    }
    of_type(s, type);
}

static void nested_type(const craft_scene *s)
{
    hid_t type = MUST(H5Tcopy(H5T_STD_U8LE));
    for (int i = 0; i < (s->small ? 20 : 200); i++) {
        const hid_t outer = MUST(H5Tarray_create2(type, 1, &(const hsize_t){1}));
        H5Tclose(type);
        type = outer;
    }
    of_type(s, type);
}

static void enumeration(const craft_scene *s)
{
    const hid_t type = MUST(H5Tenum_create(H5T_STD_I64LE));
    MUST(H5Tenum_insert(type, "NO", &(const int64_t){0}));
    of_type(s, type);
}

static void wide_integer(const craft_scene *s)
{
    const hid_t type = MUST(H5Tcopy(H5T_STD_U64LE));
    MUST(H5Tset_size(type, 128));
    MUST(H5Tset_precision(type, 1000));
    of_type(s, type);
}

static void three_bytes(const craft_scene *s)
{
    const hid_t type = MUST(H5Tcopy(H5T_STD_U32LE));
    MUST(H5Tset_precision(type, 17));
    MUST(H5Tset_offset(type, 3));
    MUST(H5Tset_size(type, 3));
    of_type(s, type);
}

static void committed(const craft_scene *s)
{
    const hid_t file = open_file(s);
    const shape old = shape_of(file, s->set);
    if (H5Tcommitted(old.type) <= 0)
        MUST(H5Tcommit2(file, "/type", old.type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    use_chunks(&old, 0);
    replace(file, s->set, &old);
    close_file(file);
}

/* ---- filters ---- */

static size_t identity(unsigned flags, size_t count, const unsigned *values, size_t bytes, size_t *room, void **buffer)
{
    (void)flags, (void)count, (void)values, (void)room, (void)buffer;
    return bytes;
}

static void filtered(const craft_scene *s, unsigned flags)
{
    const H5Z_class2_t class = {.version = H5Z_CLASS_T_VERS, .id = IDENTITY_FILTER, .encoder_present = 1,
                                .decoder_present = 1, .name = "identity", .filter = identity};
    MUST(H5Zregister(&class));
    const hid_t file = open_file(s);
    const shape old = shape_of(file, s->set);
    void *data = calloc((size_t)1 << 20, 64);
    use_chunks(&old, 0);
    MUST(H5Pset_filter(old.list, IDENTITY_FILTER, flags, 0, NULL));
    const hid_t set = replace_with(file, s->set, &old, space_of(&old));
    const hid_t type = MUST(H5Dget_type(set));
    MUST(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
    H5Tclose(type);
    H5Dclose(set);
    free(data);
    close_file(file);
}

static void unknown_filter(const craft_scene *s) { filtered(s, H5Z_FLAG_MANDATORY); }
static void unknown_optional_filter(const craft_scene *s) { filtered(s, H5Z_FLAG_OPTIONAL); }

static void many_filters(const craft_scene *s)
{
    const hid_t file = open_file(s);
    const shape old = shape_of(file, s->set);
    use_chunks(&old, 0);
    for (int i = 0; i < 32; i++) MUST(H5Pset_deflate(old.list, 1));
    replace(file, s->set, &old);
    close_file(file);
}

static uint8_t *pack(uint8_t *bytes, size_t *size)
{
    uLongf room = compressBound(*size);
    uint8_t *packed = malloc(room);
    MUST(compress2(packed, &room, bytes, *size, 9) == Z_OK ? 0 : -1);
    free(bytes);
    *size = room;
    return packed;
}

/* A chunk of zeros, packed twice. */
static void bomb(const craft_scene *s)
{
    const hid_t file = open_file(s);
    shape old = shape_of(file, s->set);
    size_t size = (size_t)1 << (s->small ? 24 : 25);
    hsize_t chunk[RANK_MOST], start[RANK_MOST] = {0};
    for (int i = 0; i < old.rank; i++) chunk[i] = i == 0 ? size / H5Tget_size(old.type) : 1;
    memcpy(old.extent, chunk, sizeof chunk);
    MUST(H5Pset_chunk(old.list, old.rank, chunk));
    for (int i = 0; i < 2; i++) MUST(H5Pset_deflate(old.list, 9));
    uint8_t *packed = pack(pack(calloc(size, 1), &size), &size);
    const hid_t set = replace_with(file, s->set, &old, space_of(&old));
    MUST(H5Dwrite_chunk(set, H5P_DEFAULT, 0, start, size, packed));
    free(packed);
    H5Dclose(set);
    close_file(file);
}

/* ---- HDF5 attributes ---- */

static void many_attributes(const craft_scene *s)
{
    unsigned most, least;
    const hid_t file = open_file(s), set = MUST(H5Dopen2(file, s->set, H5P_DEFAULT));
    const hid_t space = MUST(H5Screate(H5S_SCALAR)), list = MUST(H5Dget_create_plist(set));
    MUST(H5Pget_attr_phase_change(list, &most, &least));
    H5Pclose(list);
    for (int i = 0; i < many(s, most > 1000); i++) {
        char name[32];
        snprintf(name, sizeof name, "a_%d", i);
        H5Aclose(MUST(H5Acreate2(set, name, H5T_STD_U8LE, space, H5P_DEFAULT, H5P_DEFAULT)));
    }
    H5Sclose(space);
    H5Dclose(set);
    close_file(file);
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
    const hid_t file = open_file(s), type = MUST(H5Tcopy(H5T_C_S1));
    MUST(H5Tset_size(type, H5T_VARIABLE));
    change_attribute(MUST(H5Oopen(file, s->group, H5P_DEFAULT)), MUST(H5Tcopy(type)), MUST(H5Screate(H5S_SCALAR)));
    change_attribute(MUST(H5Oopen(file, "/", H5P_DEFAULT)), type, MUST(H5Screate(H5S_SCALAR)));
    close_file(file);
}

static void large_attribute(const craft_scene *s)
{
    const hsize_t count = s->small ? 100 : 1 << 23;
    const hid_t file = open_file(s);
    change_attribute(MUST(H5Oopen(file, s->set, H5P_DEFAULT)), MUST(H5Tcopy(H5T_STD_U64LE)),
                     MUST(H5Screate_simple(1, &count, NULL)));
    change_attribute(MUST(H5Oopen(file, "/", H5P_DEFAULT)), MUST(H5Tcopy(H5T_STD_U64LE)),
                     MUST(H5Screate_simple(1, &count, NULL)));
    close_file(file);
}

static void attribute_without_value(const craft_scene *s)
{
    const hid_t file = open_file(s);
    change_attribute(MUST(H5Oopen(file, s->set, H5P_DEFAULT)), MUST(H5Tcopy(H5T_STD_U64LE)),
                     MUST(H5Screate(H5S_NULL)));
    change_attribute(MUST(H5Oopen(file, "/", H5P_DEFAULT)), MUST(H5Tcopy(H5T_STD_U64LE)), MUST(H5Screate(H5S_NULL)));
    close_file(file);
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

/* ---- all of them ---- */

bool craft_applies(const craft *c, const craft_scene *s)
{
    return c->kind != CRAFT_GROUP || strcmp(s->group, "/") != 0;
}

const craft crafts[] = {
    {"external-group", external_group, CRAFT_GROUP}, {"external-set", external_set, CRAFT_HARMFUL},
    {"external-beside", external_beside, CRAFT_HARMFUL}, {"soft-group", soft_group, CRAFT_GROUP},
    {"soft-set", soft_set, CRAFT_HARMFUL}, {"soft-to-external", soft_to_external, CRAFT_HARMFUL},
    {"dangling-group", dangling_group, CRAFT_GROUP}, {"dangling-set", dangling_set, CRAFT_HARMFUL},
    {"soft-cycle", soft_cycle, CRAFT_HARMFUL}, {"user-defined", user_defined, CRAFT_HARMFUL},
    {"root-in-group", root_in_group, CRAFT_HARMLESS}, {"group-in-itself", group_in_itself, CRAFT_HARMLESS},
    {"set-twice", set_twice, CRAFT_HARMLESS}, {"control-name", control_name, CRAFT_HARMLESS},
    {"group-is-root", group_is_root, CRAFT_GROUP}, {"set-is-root", set_is_root, CRAFT_HARMFUL},
    {"long-name", long_name, CRAFT_HARMLESS}, {"many-links", many_links, CRAFT_HARMLESS},
    {"deep-groups", deep_groups, CRAFT_HARMLESS}, {"group-for-set", group_for_set, CRAFT_HARMFUL},
    {"type-for-set", type_for_set, CRAFT_HARMFUL}, {"no-set", no_set, CRAFT_HARMLESS},
    {"external-storage", external_storage, CRAFT_HARMFUL}, {"virtual-set", virtual_set, CRAFT_HARMFUL},
    {"huge-extents", huge_extents, CRAFT_HARMFUL}, {"overflowing-extents", overflowing_extents, CRAFT_HARMFUL},
    {"huge-chunk", huge_chunk, CRAFT_HARMFUL}, {"rank-32", rank_32, CRAFT_HARMFUL},
    {"scalar", scalar, CRAFT_HARMFUL}, {"null-space", null_space, CRAFT_HARMFUL},
    {"fixed-extents", fixed_extents, CRAFT_HARMLESS}, {"no-elements", no_elements, CRAFT_HARMFUL},
    {"fill-value", fill_value, CRAFT_HARMFUL}, {"opaque", opaque, CRAFT_HARMFUL},
    {"object-references", object_references, CRAFT_HARMFUL}, {"region-references", region_references, CRAFT_HARMFUL},
    {"sequences", sequences, CRAFT_HARMFUL}, {"bitfield", bitfield, CRAFT_HARMFUL},
    {"big-endian", big_endian, CRAFT_HARMLESS}, {"texts", texts, CRAFT_HARMFUL},
    {"texts-of-any-length", texts_of_any_length, CRAFT_HARMFUL}, {"compound", compound, CRAFT_HARMFUL},
    {"wide-compound", wide_compound, CRAFT_HARMFUL}, {"nested-type", nested_type, CRAFT_HARMFUL},
    {"enumeration", enumeration, CRAFT_HARMLESS}, {"wide-integer", wide_integer, CRAFT_HARMFUL},
    {"three-bytes", three_bytes, CRAFT_HARMLESS}, {"committed", committed, CRAFT_HARMLESS},
    {"unknown-filter", unknown_filter, CRAFT_HARMFUL},
    {"unknown-optional-filter", unknown_optional_filter, CRAFT_HARMFUL},
    {"many-filters", many_filters, CRAFT_HARMLESS}, {"bomb", bomb, CRAFT_HARMFUL},
    {"many-attributes", many_attributes, CRAFT_HARMLESS},
    {"attribute-of-any-length", attribute_of_any_length, CRAFT_HARMLESS},
    {"large-attribute", large_attribute, CRAFT_HARMLESS},
    {"attribute-without-value", attribute_without_value, CRAFT_HARMLESS},
    {"a-byte-before", a_byte_before, CRAFT_HARMFUL}, {"user-block", user_block, CRAFT_HARMLESS},
    {"large-user-block", large_user_block, CRAFT_HARMLESS}, {"cut", cut, CRAFT_HARMFUL}};
const size_t craft_count = sizeof crafts / sizeof *crafts;

/* ---- packing ---- */

static herr_t shrink(hid_t file, const char *name, const H5O_info_t *info, void *context)
{
    (void)context;
    if (info->type != H5O_TYPE_DATASET) return 0;
    const shape s = shape_of(file, name);
    const hid_t old = MUST(H5Dopen2(file, name, H5P_DEFAULT)), space = MUST(H5Dget_space(old));
    void *data = calloc((size_t)H5Sget_simple_extent_npoints(space) + 1, H5Tget_size(s.type));
    const hid_t type = MUST(H5Tcopy(s.type));
    MUST(H5Dread(old, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
    if (H5Pget_layout(s.list) == H5D_CHUNKED) use_chunks(&s, 0);
    const hid_t fresh = replace_with(file, name, &s, space_of(&s));
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
    copy_attributes(whole, file);
    MUST(H5Literate(whole, H5_INDEX_NAME, H5_ITER_INC, NULL, copy_object, &file));
    H5Fclose(whole);
    MUST(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, shrink, NULL));
    close_file(file);
    whole = MUST(H5Fopen(work, H5F_ACC_RDONLY, H5P_DEFAULT));
    file = create_file(to);
    copy_attributes(whole, file);
    MUST(H5Literate(whole, H5_INDEX_NAME, H5_ITER_INC, NULL, copy_object, &file));
    H5Fclose(whole);
    close_file(file);
    remove(work);
}
