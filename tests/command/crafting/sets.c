/* SPDX-License-Identifier: Apache-2.0 */
/* Data sets that lie elsewhere, or whose extents, types or filters are not what a reader expects. */
#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { IDENTITY_FILTER = 300 };

/* ---- data that lies elsewhere ---- */

static void external_storage(const craft_scene *s)
{
    const hid_t file = craft_open(s);
    const craft_shape old = craft_shape_of(file, s->set);
    MUST(H5Pset_external(old.list, s->victim, 0, H5F_UNLIMITED));
    craft_replace(file, s->set, &old);
    craft_close(file);
}

static void virtual_set(const craft_scene *s)
{
    const hid_t file = craft_open(s);
    const craft_shape old = craft_shape_of(file, s->set);
    const hid_t space = MUST(H5Screate_simple(old.rank, old.extent, NULL));
    MUST(H5Pset_virtual(old.list, space, s->victim, s->set, space));
    H5Sclose(space);
    craft_replace(file, s->set, &old);
    craft_close(file);
}

/* ---- extents ---- */

static void huge_extents(const craft_scene *s)
{
    const hid_t file = craft_open(s);
    craft_shape old = craft_shape_of(file, s->set);
    for (int i = 0; i < old.rank; i++) old.extent[i] = (hsize_t)1 << 40 / old.rank;
    craft_use_chunks(&old, 1);
    craft_replace(file, s->set, &old);
    craft_close(file);
}

static void overflowing_extents(const craft_scene *s)
{
    const hid_t file = craft_open(s);
    craft_shape old = craft_shape_of(file, s->set);
    for (int i = 0; i < old.rank; i++) old.extent[i] = (hsize_t)1 << (i == 0 ? 62 : 1);
    craft_use_chunks(&old, 1);
    craft_replace(file, s->set, &old);
    craft_close(file);
}

static void huge_chunk(const craft_scene *s)
{
    const hid_t file = craft_open(s);
    craft_shape old = craft_shape_of(file, s->set);
    hsize_t chunk[CRAFT_RANK_MOST], unlimited[CRAFT_RANK_MOST];
    for (int i = 0; i < old.rank; i++) chunk[i] = i == 0 ? (hsize_t)1 << 28 : 1, unlimited[i] = H5S_UNLIMITED;
    MUST(H5Pset_chunk(old.list, old.rank, chunk));
    H5Dclose(craft_replace_with(file, s->set, &old, MUST(H5Screate_simple(old.rank, old.extent, unlimited))));
    craft_close(file);
}

static void rank_32(const craft_scene *s)
{
    const hid_t file = craft_open(s);
    craft_shape old = craft_shape_of(file, s->set);
    for (int i = 0; i < CRAFT_RANK_MOST; i++) old.extent[i] = i < old.rank ? old.extent[i] : 1;
    old.rank = CRAFT_RANK_MOST;
    craft_replace(file, s->set, &old);
    craft_close(file);
}

static void without_extent(const craft_scene *s, H5S_class_t class)
{
    const hid_t file = craft_open(s);
    const craft_shape old = craft_shape_of(file, s->set);
    H5Dclose(craft_replace_with(file, s->set, &old, MUST(H5Screate(class))));
    craft_close(file);
}

static void scalar(const craft_scene *s) { without_extent(s, H5S_SCALAR); }
static void null_space(const craft_scene *s) { without_extent(s, H5S_NULL); }

static void fixed_extents(const craft_scene *s)
{
    const hid_t file = craft_open(s);
    craft_shape old = craft_shape_of(file, s->set);
    memcpy(old.most, old.extent, sizeof old.most);
    craft_use_chunks(&old, 0);
    craft_replace(file, s->set, &old);
    craft_close(file);
}

static void no_elements(const craft_scene *s)
{
    const hid_t file = craft_open(s);
    craft_shape old = craft_shape_of(file, s->set);
    for (int i = 0; i < old.rank; i++) old.extent[i] = 0;
    craft_use_chunks(&old, 1);
    craft_replace(file, s->set, &old);
    craft_close(file);
}

/* Nothing is stored, and a value stands for all elements. */
static void fill_value(const craft_scene *s)
{
    const hid_t file = craft_open(s);
    craft_shape old = craft_shape_of(file, s->set);
    static const uint8_t fill[64] = {1};
    if (H5Tget_size(old.type) <= sizeof fill) MUST(H5Pset_fill_value(old.list, old.type, fill));
    for (int i = 0; i < old.rank; i++) old.extent[i] = (hsize_t)1 << 34 / old.rank;
    craft_use_chunks(&old, 64);
    craft_replace(file, s->set, &old);
    craft_close(file);
}

/* ---- types: what a number may be taken for ---- */

static void of_type(const craft_scene *s, hid_t type)
{
    const hid_t file = craft_open(s);
    craft_shape old = craft_shape_of(file, s->set);
    H5Tclose(old.type);
    old.type = type;
    craft_use_chunks(&old, 0);
    craft_replace(file, s->set, &old);
    craft_close(file);
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
    const hid_t file = craft_open(s);
    const craft_shape old = craft_shape_of(file, s->set);
    if (H5Tcommitted(old.type) <= 0)
        MUST(H5Tcommit2(file, "/type", old.type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    craft_use_chunks(&old, 0);
    craft_replace(file, s->set, &old);
    craft_close(file);
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
    const hid_t file = craft_open(s);
    const craft_shape old = craft_shape_of(file, s->set);
    void *data = calloc((size_t)1 << 20, 64);
    craft_use_chunks(&old, 0);
    MUST(H5Pset_filter(old.list, IDENTITY_FILTER, flags, 0, NULL));
    const hid_t set = craft_replace_with(file, s->set, &old, craft_space_of(&old));
    const hid_t type = MUST(H5Dget_type(set));
    MUST(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
    H5Tclose(type);
    H5Dclose(set);
    free(data);
    craft_close(file);
}

static void unknown_filter(const craft_scene *s) { filtered(s, H5Z_FLAG_MANDATORY); }
static void unknown_optional_filter(const craft_scene *s) { filtered(s, H5Z_FLAG_OPTIONAL); }

static void many_filters(const craft_scene *s)
{
    const hid_t file = craft_open(s);
    const craft_shape old = craft_shape_of(file, s->set);
    craft_use_chunks(&old, 0);
    for (int i = 0; i < 32; i++) MUST(H5Pset_deflate(old.list, 1));
    craft_replace(file, s->set, &old);
    craft_close(file);
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
    const hid_t file = craft_open(s);
    craft_shape old = craft_shape_of(file, s->set);
    size_t size = (size_t)1 << (s->small ? 24 : 25);
    hsize_t chunk[CRAFT_RANK_MOST], start[CRAFT_RANK_MOST] = {0};
    for (int i = 0; i < old.rank; i++) chunk[i] = i == 0 ? size / H5Tget_size(old.type) : 1;
    memcpy(old.extent, chunk, sizeof chunk);
    MUST(H5Pset_chunk(old.list, old.rank, chunk));
    for (int i = 0; i < 2; i++) MUST(H5Pset_deflate(old.list, 9));
    uint8_t *packed = pack(pack(calloc(size, 1), &size), &size);
    const hid_t set = craft_replace_with(file, s->set, &old, craft_space_of(&old));
    MUST(H5Dwrite_chunk(set, H5P_DEFAULT, 0, start, size, packed));
    free(packed);
    H5Dclose(set);
    craft_close(file);
}

const craft craft_sets[] = {
    {"external-storage", external_storage, CRAFT_HARMFUL}, {"virtual-set", virtual_set, CRAFT_HARMFUL},
    {"huge-extents", huge_extents, CRAFT_HARMFUL}, {"overflowing-extents", overflowing_extents, CRAFT_HARMFUL},
    {"huge-chunk", huge_chunk, CRAFT_HARMFUL}, {"rank-32", rank_32, CRAFT_HARMFUL}, {"scalar", scalar, CRAFT_HARMFUL},
    {"null-space", null_space, CRAFT_HARMFUL}, {"fixed-extents", fixed_extents, CRAFT_HARMLESS},
    {"no-elements", no_elements, CRAFT_HARMFUL}, {"fill-value", fill_value, CRAFT_HARMFUL},
    {"opaque", opaque, CRAFT_HARMFUL}, {"object-references", object_references, CRAFT_HARMFUL},
    {"region-references", region_references, CRAFT_HARMFUL}, {"sequences", sequences, CRAFT_HARMFUL},
    {"bitfield", bitfield, CRAFT_HARMFUL}, {"big-endian", big_endian, CRAFT_HARMLESS}, {"texts", texts, CRAFT_HARMFUL},
    {"texts-of-any-length", texts_of_any_length, CRAFT_HARMFUL}, {"compound", compound, CRAFT_HARMFUL},
    {"wide-compound", wide_compound, CRAFT_HARMFUL}, {"nested-type", nested_type, CRAFT_HARMFUL},
    {"enumeration", enumeration, CRAFT_HARMLESS}, {"wide-integer", wide_integer, CRAFT_HARMFUL},
    {"three-bytes", three_bytes, CRAFT_HARMLESS}, {"committed", committed, CRAFT_HARMLESS},
    {"unknown-filter", unknown_filter, CRAFT_HARMFUL},
    {"unknown-optional-filter", unknown_optional_filter, CRAFT_HARMFUL}, {"many-filters", many_filters, CRAFT_HARMLESS},
    {"bomb", bomb, CRAFT_HARMFUL}};
const size_t craft_sets_count = sizeof craft_sets / sizeof *craft_sets;
