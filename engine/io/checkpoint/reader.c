/* SPDX-License-Identifier: Apache-2.0 */
#include "io/checkpoint/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- refusals ---- */

bool mass_reader_damaged(mass_reader *r, const char *format, ...)
{
    char what[400];
    if (mass_hdf5_is_hindered(r->c->path, r->error)) return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    /* this process reads parts itself, so a successful probe does not cover them */
    if (!r->c->parts && mass_hdf5_doubts(&r->c->source, what, r->error)) return false;
    mass_error_set(r->error, MASS_BAD_INPUT, "%s is damaged: %s: " MASS_CHECKPOINT_REMEDY,
                   r->c->path, what);
    return false;
}

bool mass_reader_unreadable(mass_reader *r, const char *what)
{
    char reason[200];
    if (mass_hdf5_is_hindered(r->c->path, r->error)) return false;
    if (mass_hdf5_is_by_filter(mass_hdf5_reason(reason))) {
        r->error->obstacle = ENOTSUP;
        mass_error_set(r->error, MASS_BAD_INPUT, "%s cannot be read: %s, to be put in its place", r->c->path,
                       reason);
        return false;
    }
    return mass_reader_damaged(r, "%s cannot be read (%s)", what, reason);
}

bool mass_reader_refused(mass_reader *r, const mass_error *why) { return mass_reader_damaged(r, "%s", why->text); }

bool mass_reader_no_memory(mass_reader *r, size_t bytes)
{
    char size[32];
    r->error->obstacle = ENOMEM;
    mass_error_set(r->error, MASS_NO_DEVICE, "%s cannot be checked: reading it needs %s, which the machine does not "
                   "have free", r->c->path, mass_format_bytes(size, (double)bytes));
    return false;
}

/* ---- HDF5 attributes ---- */

bool mass_reader_values(mass_reader *r, hid_t at, const char *name, hid_t type, hsize_t extent, void *out)
{
    hsize_t stored_extent = 0;
    const hid_t a = H5Aopen(at, name, H5P_DEFAULT);
    if (a < 0) return mass_reader_damaged(r, "it has no '%s'", name);
    const hid_t stored = H5Aget_type(a), space = H5Aget_space(a);
    bool fits = H5Tequal(stored, type) > 0;
    if (extent == 0)
        fits = fits && H5Sget_simple_extent_type(space) == H5S_SCALAR;
    else
        fits = fits && H5Sget_simple_extent_type(space) == H5S_SIMPLE &&
               H5Sget_simple_extent_ndims(space) == 1 &&
               H5Sget_simple_extent_dims(space, &stored_extent, NULL) == 1 &&
               stored_extent == extent;
    if (fits && H5Aread(a, type, out) < 0)
        fits = mass_reader_unreadable(r, name);
    else if (!fits)
        mass_reader_damaged(r, "'%s' has another type or extent", name);
    H5Sclose(space);
    H5Tclose(stored);
    H5Aclose(a);
    return fits;
}

bool mass_reader_u64(mass_reader *r, hid_t at, const char *name, uint64_t most, uint64_t *out)
{
    if (!mass_reader_values(r, at, name, H5T_STD_U64LE, 0, out)) return false;
    return *out <= most || mass_reader_damaged(r, "'%s' is %" PRIu64 ", beyond %" PRIu64, name, *out, most);
}

bool mass_reader_text(mass_reader *r, hid_t at, const char *name, char *out, size_t room)
{
    const hid_t a = H5Aopen(at, name, H5P_DEFAULT);
    if (a < 0) return mass_reader_damaged(r, "it has no '%s'", name);
    const hid_t type = H5Aget_type(a), space = H5Aget_space(a);
    const size_t size =
        H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 ? H5Tget_size(type) : 0;
    bool fits = size >= 1 && size <= room && H5Tget_strpad(type) == H5T_STR_NULLTERM &&
                H5Sget_simple_extent_type(space) == H5S_SCALAR;
    if (fits && H5Aread(a, type, out) < 0)
        fits = mass_reader_unreadable(r, name);
    else if (!fits || out[size - 1] != '\0')
        fits = mass_reader_damaged(r, "'%s' is not a text of this length", name);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(a);
    return fits;
}

bool mass_reader_hash(mass_reader *r, hid_t at, const char *name, char hex[33])
{
    if (!mass_reader_text(r, at, name, hex, 33)) return false;
    return strspn(hex, "0123456789abcdef") == 32 || mass_reader_damaged(r, "'%s' is not a hash", name);
}

/* Returns the value of a digit, 0 to 9 or a to f; others are not checked. */
static int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

bool mass_reader_keep_hash(mass_reader *r, hid_t at, uint8_t (**list)[16], size_t count, uint32_t index)
{
    uint8_t(*hashes)[16] = realloc(*list, count * sizeof *hashes);
    char hex[33];
    if (!hashes) return mass_reader_no_memory(r, count * sizeof *hashes);
    *list = hashes;
    if (!mass_reader_hash(r, at, "hash", hex)) return false;
    for (int i = 0; i < 16; i++) hashes[index][i] = (uint8_t)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
    return true;
}

bool mass_reader_keep_place(mass_reader *r, hid_t at, mass_hdf5_place **list, size_t count, uint32_t index)
{
    mass_hdf5_place *places = realloc(*list, count * sizeof *places);
    if (!places) return mass_reader_no_memory(r, count * sizeof *places);
    *list = places;
    return mass_hdf5_find_place(at, &places[index]) || mass_reader_unreadable(r, "an object");
}

/* Stores an answer of HDF5. Returns false, with the error set, if HDF5 failed. */
static bool take_answer(mass_reader *r, htri_t answer, const char *name, bool *out)
{
    *out = answer > 0;
    return answer >= 0 || mass_reader_unreadable(r, name);
}

bool mass_reader_has_link(mass_reader *r, hid_t at, const char *name, bool *out)
{
    return take_answer(r, H5Lexists(at, name, H5P_DEFAULT), name, out);
}

bool mass_reader_has_value(mass_reader *r, hid_t at, const char *name, bool *out)
{
    return take_answer(r, H5Aexists(at, name), name, out);
}

bool mass_reader_find_word(const char *word, const char *const *list, uint32_t count, uint32_t *out)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(word, list[i]) == 0) return *out = i, true;
    return false;
}

/* ---- names ---- */

/* Names of a group's links or HDF5 attributes, in order. */
typedef struct name_list {
    char (*names)[MASS_NAME_SIZE + 16];
    uint32_t count;
    const char *fault;
} name_list;

/* Appends a copy of the name. After a fault, or with one of its own, only sets list->fault and returns false. */
static bool add_name(name_list *list, const char *name)
{
    if (list->count == MASS_READER_OBJECTS_MAX)
        list->fault = "it holds too many objects";
    else if (strlen(name) >= sizeof *list->names)
        list->fault = "the name of an object is too long";
    if (list->fault) return false;
    void *larger = realloc(list->names, (list->count + 1) * sizeof *list->names);
    if (!larger) {
        list->fault = "there is no memory for its names";
        return false;
    }
    list->names = larger;
    snprintf(list->names[list->count++], sizeof *list->names, "%s", name);
    return true;
}

/* Adds a hard link's name to the list. Any other link is a fault. */
static herr_t take_link(hid_t group, const char *name, const H5L_info_t *info, void *list)
{
    (void)group;
    name_list *names = list;
    if (info->type == H5L_TYPE_SOFT) names->fault = "it holds a soft link, which this program does not write";
    else if (info->type != H5L_TYPE_HARD) names->fault = "it holds a link to another file";
    return !names->fault && add_name(names, name) ? 0 : -1;
}

/* Adds one HDF5 attribute's name to the list; stops the iteration on failure. */
static herr_t take_attribute(hid_t group, const char *name, const H5A_info_t *info, void *list)
{
    (void)group, (void)info;
    return add_name(list, name) ? 0 : -1;
}

/* Lists the names of a group's links, which are not followed. The caller frees list->names, after a failure, too. */
static bool list_links(mass_reader *r, hid_t group, name_list *out)
{
    *out = (name_list){0};
    H5G_info_t facts; /* links outside the header are not this program's, and can crash HDF5 1.10 */
    const bool repacked = r->c->source.origin == MASS_HDF5_REPACKED;
    if (H5Gget_info(group, &facts) < 0 || (!repacked && facts.storage_type != H5G_STORAGE_TYPE_COMPACT))
        return mass_reader_damaged(r, "a group of it is not stored as it was written");
    if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, take_link, out) >= 0) return true;
    return out->fault ? mass_reader_damaged(r, "%s", out->fault) : mass_reader_unreadable(r, "a group");
}

/* Lists the names of a group's HDF5 attributes. The caller frees list->names, after a failure, too. */
static bool list_attributes(mass_reader *r, hid_t group, name_list *out)
{
    *out = (name_list){0};
    if (H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, NULL, take_attribute, out) >= 0) return true;
    return out->fault ? mass_reader_damaged(r, "%s", out->fault) : mass_reader_unreadable(r, "a group");
}

hid_t mass_reader_group(mass_reader *r, hid_t at, const char *path)
{
    const hid_t group = mass_hdf5_group(at, path);
    if (group < 0) mass_reader_unreadable(r, path);
    return group;
}

hid_t mass_reader_set(mass_reader *r, hid_t at, const char *path)
{
    const hid_t set = mass_hdf5_set(at, path, r->c->source.origin);
    if (set < 0) mass_reader_unreadable(r, path);
    return set;
}

/* Calls `each` for every object of the group `name`, by name, until one fails. Refuses links that are not hard. */
bool mass_reader_walk(mass_reader *r, hid_t at, const char *name, mass_reader_visit *each)
{
    const hid_t group = mass_reader_group(r, at, name);
    if (group < 0) return false;
    name_list list;
    bool good = list_links(r, group, &list);
    for (uint32_t i = 0; good && i < list.count; i++) good = each(r, group, list.names[i]);
    free(list.names);
    H5Gclose(group);
    return good;
}

/* Calls `each` for every HDF5 attribute of the group, by name, until one fails. */
bool mass_reader_walk_attributes(mass_reader *r, hid_t group, mass_reader_visit *each)
{
    name_list list;
    bool good = list_attributes(r, group, &list);
    for (uint32_t i = 0; good && i < list.count; i++) good = each(r, group, list.names[i]);
    free(list.names);
    return good;
}

/* ---- data sets ---- */

/* Checks the size of a repacked set. Its filters may be any, and its hash tells if it is complete. But the file needs
 * as many bytes as the best compression takes. */
static bool check_repacked(mass_reader *r, const mass_checkpoint_shape *s, size_t component_size, const char *name)
{
    uint64_t bytes = component_size;
    bool good = true;
    for (int i = 0; good && i < s->rank; i++) good = !__builtin_mul_overflow(bytes, s->extent[i], &bytes);
    good = good && bytes / MASS_HDF5_PACKED_MOST <= r->c->source.size;
    return good || mass_reader_damaged(r, "'%s' is not stored whole", name);
}

/* Checks that the chunks' total size is exactly what the shape needs with checksums, and is within the file's size.
 * No chunk may exceed the extents or MASS_READER_BOX_BYTES. Does not look at single chunks. A set without elements has
 * a chunk size, but no chunks. */
static bool check_storage(mass_reader *r, hid_t set, hid_t list, const mass_checkpoint_shape *s,
                          size_t component_size, const char *name)
{
    hsize_t chunk[H5S_MAX_RANK];
    uint64_t bytes = component_size, chunk_bytes = component_size, chunks = 1, stored;
    bool good = H5Pget_chunk(list, H5S_MAX_RANK, chunk) == s->rank;
    for (int i = 0; good && i < s->rank; i++) {
        good = chunk[i] > 0 && (chunk[i] <= s->extent[i] || s->extent[i] == 0) &&
               !__builtin_mul_overflow(chunk_bytes, chunk[i], &chunk_bytes) &&
               chunk_bytes <= MASS_READER_BOX_BYTES && !__builtin_mul_overflow(bytes, s->extent[i], &bytes) &&
               bytes <= r->c->source.size;
        if (good) chunks *= (s->extent[i] + chunk[i] - 1) / chunk[i];
    }
    good = good && !__builtin_mul_overflow(chunks, chunk_bytes + sizeof(uint32_t), &stored) &&
           stored <= r->c->source.size && H5Dget_storage_size(set) == stored;
    return good || mass_reader_damaged(r, "'%s' is not stored whole", name);
}

/* Checks how a set is stored: size and chunks; in a repacked file, only that its file can hold it. Reads no values. */
bool mass_reader_check_layout(mass_reader *r, hid_t set, const mass_checkpoint_shape *s, size_t component_size,
                              const char *name)
{
    if (r->c->source.origin == MASS_HDF5_REPACKED) return check_repacked(r, s, component_size, name);
    const hid_t list = H5Dget_create_plist(set);
    const bool good = check_storage(r, set, list, s, component_size, name);
    H5Pclose(list);
    return good;
}

/* Refuses a set whose extents are not the shape's, or that can grow. */
bool mass_reader_check_extents(mass_reader *r, hid_t set, const mass_checkpoint_shape *s, const char *name)
{
    hsize_t extent[H5S_MAX_RANK], most[H5S_MAX_RANK];
    const hid_t space = H5Dget_space(set);
    bool good = H5Sget_simple_extent_type(space) == H5S_SIMPLE &&
                H5Sget_simple_extent_ndims(space) == s->rank &&
                H5Sget_simple_extent_dims(space, extent, most) == s->rank;
    for (int i = 0; good && i < s->rank; i++)
        good = extent[i] == s->extent[i] && most[i] == extent[i];
    H5Sclose(space);
    return good || mass_reader_damaged(r, "'%s' has other extents than its space or population", name);
}

/* Refuses a set whose stored type is not exactly this one. */
bool mass_reader_check_type(mass_reader *r, hid_t set, hid_t type, const char *name)
{
    const hid_t stored = H5Dget_type(set);
    const bool good = H5Tequal(stored, type) > 0;
    H5Tclose(stored);
    return good || mass_reader_damaged(r, "'%s' has another type than it says", name);
}
