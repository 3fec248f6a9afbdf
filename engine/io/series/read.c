/* SPDX-License-Identifier: Apache-2.0 */
/* Opening what may be damaged or hostile: types and extents are compared with what a file of series has to have
 * before memory is asked for. */
#include "io/checkpoint/layout.h"
#include "io/hdf5/probe.h"
#include "io/series/format.h"

#include <hdf5.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_AT_ONCE = 1 << 16, CHOICE_BYTES_MAX = 4096, CHOICES_MAX = 1024 };

typedef struct reader {
    const char *path;
    const mass_hdf5_source *source;
    hid_t file, group;
    uint64_t version; /* of the format */
    bool has_world;
    mass_series_contents *out;
    mass_error *error;
} reader;

/* Everything that returns false has said why. */

static bool damaged(reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool damaged(reader *r, const char *format, ...)
{
    char what[400];
    if (mass_hdf5_is_hindered(r->path, r->error)) return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (mass_hdf5_doubts(r->source, what, r->error)) return false;
    mass_error_set(r->error, MASS_BAD_INPUT, "%s is no whole file of series: %s", r->path, what);
    return false;
}

static bool unreadable(reader *r, const char *what)
{
    char reason[200];
    if (mass_hdf5_is_hindered(r->path, r->error)) return false;
    return damaged(r, "%s cannot be read (%s)", what, mass_hdf5_reason(reason));
}

/* ---- HDF5 attributes ---- */

static bool get(reader *r, hid_t at, const char *name, hid_t type, void *out)
{
    const hid_t a = H5Aopen(at, name, H5P_DEFAULT);
    if (a < 0) return damaged(r, "it has no '%s'", name);
    const hid_t stored = H5Aget_type(a), space = H5Aget_space(a);
    const bool fits = H5Tequal(stored, type) > 0 && H5Sget_simple_extent_type(space) == H5S_SCALAR;
    const bool good = fits ? H5Aread(a, type, out) >= 0 || unreadable(r, name)
                           : damaged(r, "'%s' has another type or extent", name);
    H5Sclose(space);
    H5Tclose(stored);
    H5Aclose(a);
    return good;
}

static bool get_u64(reader *r, hid_t at, const char *name, uint64_t most, uint64_t *out)
{
    return get(r, at, name, H5T_STD_U64LE, out) && (*out <= most || damaged(r, "'%s' is %" PRIu64, name, *out));
}

static bool get_text(reader *r, hid_t at, const char *name, char *out, size_t room)
{
    const hid_t a = H5Aopen(at, name, H5P_DEFAULT);
    if (a < 0) return damaged(r, "it has no '%s'", name);
    const hid_t type = H5Aget_type(a), space = H5Aget_space(a);
    const size_t size = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 ? H5Tget_size(type) : 0;
    bool good = size >= 1 && size <= room && H5Tget_strpad(type) == H5T_STR_NULLTERM &&
                H5Sget_simple_extent_type(space) == H5S_SCALAR && H5Aread(a, type, out) >= 0 && out[size - 1] == '\0';
    if (!good) damaged(r, "'%s' is no text of this length", name);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(a);
    return good;
}

/* ---- data sets ---- */

static hid_t find_set(reader *r, const char *name)
{
    const hid_t set = mass_hdf5_set(r->group, name, MASS_HDF5_OURS);
    if (set < 0) unreadable(r, name);
    return set;
}

/* Values in the file's bytes, which are not packed, so that nothing is asked for or waited for that is not there. */
static bool fits_file(const reader *r, const mass_series_shape *shape)
{
    uint64_t bytes = sizeof(double);
    for (int i = 0; i < shape->rank; i++)
        if (__builtin_mul_overflow(bytes, shape->extent[i], &bytes)) return false;
    return bytes <= r->source->size;
}

/* A data set of this type and shape. */
static hid_t open_set(reader *r, const char *name, hid_t type, const mass_series_shape *shape)
{
    const hid_t set = find_set(r, name);
    if (set < 0) return -1;
    hsize_t found[3] = {0};
    const hid_t stored = H5Dget_type(set), space = H5Dget_space(set);
    bool same = H5Tequal(stored, type) > 0 && H5Sget_simple_extent_ndims(space) == shape->rank &&
                H5Sget_simple_extent_dims(space, found, NULL) == shape->rank;
    for (int i = 0; same && i < shape->rank; i++) same = found[i] == shape->extent[i];
    H5Sclose(space);
    H5Tclose(stored);
    if (same && fits_file(r, shape)) return set;
    damaged(r, same ? "'%s' is not stored whole" : "'%s' has another type or extent", name);
    H5Dclose(set);
    return -1;
}

static bool count_rows(reader *r)
{
    hsize_t rows = 0;
    const hid_t set = find_set(r, "step");
    if (set < 0) return false;
    const hid_t space = H5Dget_space(set);
    const bool good = H5Sget_simple_extent_ndims(space) == 1 && H5Sget_simple_extent_dims(space, &rows, NULL) == 1 &&
                      rows <= INT64_MAX / 16;
    r->out->rows = rows;
    H5Sclose(space);
    H5Dclose(set);
    return good || damaged(r, "'step' has another extent");
}

/* Rows from `first` on; as many as `rows` has. */
static bool read_rows(hid_t set, hid_t type, hsize_t first, const mass_series_shape *rows, void *out)
{
    const hsize_t start[3] = {first};
    const hid_t memory = H5Screate_simple(rows->rank, rows->extent, NULL), space = H5Dget_space(set);
    const bool good = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, rows->extent, NULL) >= 0 &&
                      H5Dread(set, type, memory, space, H5P_DEFAULT, out) >= 0;
    H5Sclose(space);
    H5Sclose(memory);
    return good;
}

/* Steps go on by log_every, so that a row is found by its step. */
static bool check_steps(reader *r)
{
    mass_series_contents *c = r->out;
    const mass_series_shape shape = mass_series_shape_of(&c->set, NULL, c->rows);
    const hid_t set = open_set(r, "step", H5T_STD_U64LE, &shape);
    uint64_t *steps = set >= 0 ? malloc(ROWS_AT_ONCE * sizeof *steps) : NULL;
    bool good = set >= 0 && (steps || (mass_error_memory(r->error, ROWS_AT_ONCE * 8, "a series"), false));
    for (uint64_t at = 0; good && at < c->rows; at += ROWS_AT_ONCE) {
        const uint64_t rows = c->rows - at < ROWS_AT_ONCE ? c->rows - at : ROWS_AT_ONCE;
        const mass_series_shape part = mass_series_shape_of(&c->set, NULL, rows);
        good = read_rows(set, H5T_STD_U64LE, at, &part, steps) || unreadable(r, "step");
        if (good && at == 0) c->first = steps[0];
        for (uint64_t i = 0; good && i < rows; i++)
            good = (steps[i] == c->first + (at + i) * c->set.every && steps[i] <= MASS_STEPS_MAX) ||
                   damaged(r, "row %" PRIu64 " is of step %" PRIu64, at + i, steps[i]);
    }
    free(steps);
    if (set >= 0) H5Dclose(set);
    return good;
}

/* ---- names ---- */

static bool is_name(const char *name)
{
    return name[0] && strspn(name, MASS_SERIES_NAME_LETTERS) == strlen(name);
}

static int rank_of(reader *r, const char *name)
{
    const hid_t set = find_set(r, name);
    if (set < 0) return -1;
    const hid_t space = H5Dget_space(set);
    const int rank = H5Sget_simple_extent_ndims(space);
    H5Sclose(space);
    H5Dclose(set);
    return rank >= 0 ? rank : (unreadable(r, name), -1);
}

/* How many bins the extents speak of; whether they are those of a series with so many is yet to be seen. */
static bool find_length(reader *r, const char *name, uint32_t *length)
{
    hsize_t extent[3] = {0};
    const hid_t set = find_set(r, name);
    if (set < 0) return false;
    const hid_t space = H5Dget_space(set);
    const int rank = H5Sget_simple_extent_ndims(space);
    const bool known = (rank == 2 || rank == 3) && H5Sget_simple_extent_dims(space, extent, NULL) == rank;
    const hsize_t bins = !known ? 0 : rank == 2 && r->out->set.worlds > 1 ? 1 : extent[rank - 1];
    *length = (uint32_t)bins;
    H5Sclose(space);
    H5Dclose(set);
    return (bins > 0 && bins <= MASS_SERIES_LENGTH_MAX) || damaged(r, "'%s' has another type or extent", name);
}

static bool get_edges(reader *r, hid_t set, mass_series_column *c)
{
    if (c->length == 1 || (H5Aexists(set, "lo") == 0 && H5Aexists(set, "hi") == 0)) return true;
    if (!get(r, set, "lo", H5T_IEEE_F64LE, &c->lo) || !get(r, set, "hi", H5T_IEEE_F64LE, &c->hi)) return false;
    return (c->lo < c->hi && isfinite(c->hi - c->lo)) || damaged(r, "the bins of '%s' have no extent", c->name);
}

/* ---- what is beside the series, from format 2 on: it comes after them ---- */

static bool check_world(reader *r)
{
    const mass_series_set *s = &r->out->set;
    const mass_series_shape shape = {1, {(hsize_t)s->worlds}};
    const hid_t set = open_set(r, "world", H5T_STD_I64LE, &shape);
    int64_t *worlds = set >= 0 ? malloc((size_t)s->worlds * sizeof *worlds) : NULL;
    bool good = set >= 0 && (worlds || (mass_error_memory(r->error, (size_t)s->worlds * 8, "a series"), false));
    good = good && (read_rows(set, H5T_STD_I64LE, 0, &shape, worlds) || unreadable(r, "world"));
    for (int32_t i = 0; good && i < s->worlds; i++)
        good = worlds[i] == s->first_world + (int64_t)i || damaged(r, "its worlds are not those that it has");
    free(worlds);
    if (set >= 0) H5Dclose(set);
    return r->has_world = good;
}

static bool check_bins(reader *r, const char *name, size_t length)
{
    const mass_series_set *s = &r->out->set;
    for (uint32_t i = 0; i < s->count; i++) {
        const mass_series_column *c = &s->columns[i];
        const mass_series_shape shape = {1, {c->length}};
        if (c->length == 1 || strlen(c->name) != length || strncmp(c->name, name, length) != 0) continue;
        const hid_t set = open_set(r, name, H5T_IEEE_F64LE, &shape);
        if (set >= 0) H5Dclose(set);
        return set >= 0;
    }
    return damaged(r, "'%s' is of no series with bins", name);
}

static uint32_t type_of_parameter(hid_t stored)
{
    const size_t size = H5Tget_size(stored);
    if (H5Tequal(stored, H5T_STD_I64LE) > 0) return MASS_INTEGER;
    if (H5Tequal(stored, H5T_IEEE_F64LE) > 0) return MASS_REAL;
    if (H5Tget_class(stored) != H5T_STRING || size < 1 || size > CHOICE_BYTES_MAX) return 0;
    const hid_t text = mass_checkpoint_swept_type(MASS_CHOICE, size);
    const bool same = H5Tequal(stored, text) > 0;
    H5Tclose(text);
    return same ? MASS_CHOICE : 0;
}

/* Its name and type, but no values. */
static mass_parameter_slot *declare(reader *r, const char *name, size_t length, uint32_t type)
{
    mass_parameters *list = &r->out->set.parameters;
    char own[MASS_NAME_SIZE] = "", full[MASS_SERIES_FULL_NAME];
    mass_error why = {0};
    if (length < sizeof own) memcpy(own, name, length);
    const mass_parameter p = {.struct_size = sizeof p, .name = own, .type = type == MASS_CHOICE ? MASS_TEXT : type};
    if (mass_parameters_add(list, &p, &why) != MASS_OK) return damaged(r, "%s", why.text), NULL;
    mass_parameter_slot *slot = &list->slots[list->count - 1];
    mass_series_parameter_name(&r->out->set, slot, full);
    slot->type = type;
    return strcmp(full, name) == 0 ? slot : (damaged(r, "parameter '%s' is called '%s'", own, name), NULL);
}

/* The number of a choice among those that were met. */
static bool meet_choice(reader *r, mass_parameter_slot *slot, const char *text, uint64_t *out)
{
    for (*out = 0; slot->choices && slot->choices[*out]; ++*out)
        if (strcmp(slot->choices[*out], text) == 0) return true;
    char **larger = *out < CHOICES_MAX ? realloc(slot->choices, (*out + 2) * sizeof *larger) : NULL;
    if (*out == CHOICES_MAX) return damaged(r, "parameter '%s' has too many choices", slot->name);
    if (!larger) return mass_error_memory(r->error, sizeof *larger, "a series"), false;
    slot->choices = larger;
    slot->choices[*out + 1] = NULL;
    slot->choices[*out] = strdup(text);
    return slot->choices[*out] || (mass_error_memory(r->error, strlen(text), "a series"), false);
}

static bool take_value(reader *r, mass_parameter_slot *slot, const char *value, size_t size, uint64_t *out)
{
    double real;
    if (slot->type == MASS_CHOICE)
        return memchr(value, '\0', size) ? meet_choice(r, slot, value, out)
                                         : damaged(r, "a choice of '%s' has no end", slot->name);
    memcpy(out, value, sizeof *out);
    memcpy(&real, value, sizeof real);
    return slot->type != MASS_REAL || isfinite(real) || damaged(r, "parameter '%s' is not finite", slot->name);
}

static bool take_values(reader *r, hid_t set, hid_t type, mass_parameter_slot *slot)
{
    const size_t worlds = (size_t)r->out->set.worlds, size = H5Tget_size(type);
    const mass_series_shape all = {1, {worlds}};
    if (size > r->source->size / worlds) return damaged(r, "'%s' is not stored whole", slot->name);
    char *values = malloc(worlds * size);
    slot->swept = malloc(worlds * sizeof *slot->swept);
    bool good = (values && slot->swept) || (mass_error_memory(r->error, worlds * size, "a series"), false);
    good = good && (read_rows(set, type, 0, &all, values) || unreadable(r, slot->name));
    for (size_t i = 0; good && i < worlds; i++) good = take_value(r, slot, values + i * size, size, &slot->swept[i]);
    free(values);
    return good;
}

static bool add_parameter(reader *r, const char *name, size_t length)
{
    const mass_series_shape shape = {1, {(hsize_t)r->out->set.worlds}};
    const hid_t found = find_set(r, name);
    if (found < 0) return false;
    const hid_t type = H5Dget_type(found), set = open_set(r, name, type, &shape);
    const uint32_t kind = type_of_parameter(type);
    char unit[MASS_SERIES_UNIT_SIZE];
    bool good = set >= 0 && (kind || damaged(r, "'%s' has another type or extent", name)) &&
                get_text(r, set, "unit", unit, sizeof unit);
    mass_parameter_slot *slot = good ? declare(r, name, length, kind) : NULL;
    good = slot && take_values(r, set, type, slot);
    if (good) r->out->set.parameters.worlds = r->out->set.worlds;
    if (set >= 0) H5Dclose(set);
    H5Tclose(type);
    H5Dclose(found);
    return good;
}

/* Whether a name ends in one of ours; *length: of what stands before it. */
static bool has_ending(const char *name, const char *ending, size_t *length)
{
    const size_t all = strlen(name), end = strlen(ending);
    *length = all > end && strcmp(name + all - end, ending) == 0 ? all - end : all;
    return *length < all;
}

static bool add_beside(reader *r, const char *name)
{
    size_t length;
    if (strcmp(name, "world") == 0) return check_world(r);
    if (has_ending(name, MASS_SERIES_BIN, &length)) return check_bins(r, name, length);
    has_ending(name, MASS_SERIES_PARAMETER, &length);
    return add_parameter(r, name, length);
}

/* ---- the series ---- */

static bool add_column(reader *r, const char *name)
{
    mass_series_set *s = &r->out->set;
    if (strcmp(name, "step") == 0) return true;
    const int rank = rank_of(r, name);
    if (rank < 0) return false;
    if (rank == 1 && r->version > 1) return add_beside(r, name);
    if (s->count == MASS_SERIES_COLUMNS_MAX) return damaged(r, "it has too many series");
    if (strlen(name) >= MASS_SERIES_NAME_SIZE || !is_name(name)) return damaged(r, "a series has no valid name");
    mass_series_column *larger = realloc(s->columns, (s->count + 1) * sizeof *larger);
    if (!larger) return mass_error_memory(r->error, sizeof *larger, "a series"), false;
    s->columns = larger;
    mass_series_column *c = &larger[s->count++];
    *c = (mass_series_column){0};
    snprintf(c->name, sizeof c->name, "%s", name);
    if (!find_length(r, name, &c->length)) return false;
    const mass_series_shape shape = mass_series_shape_of(s, c, r->out->rows);
    const hid_t set = open_set(r, name, H5T_IEEE_F64LE, &shape);
    if (set < 0) return false;
    const bool good = get_text(r, set, "expression", c->expression, sizeof c->expression) &&
                      get_text(r, set, "unit", c->unit, sizeof c->unit) && get_edges(r, set, c);
    H5Dclose(set);
    return good;
}

static herr_t take_link(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
    (void)group;
    reader *r = context;
    if (info->type != H5L_TYPE_HARD) return damaged(r, "it holds a link, and series are none"), -1;
    return add_column(r, name) ? 0 : -1;
}

static bool read_columns(reader *r)
{
    if (H5Literate(r->group, H5_INDEX_CRT_ORDER, H5_ITER_INC, NULL, take_link, r) >= 0)
        return r->version == 1 || r->has_world || damaged(r, "it has no 'world'");
    return r->error->status != MASS_OK ? false : unreadable(r, "/series");
}

/* ---- the file ---- */

static bool read_facts(reader *r)
{
    mass_series_set *s = &r->out->set;
    char format[64];
    uint64_t worlds, first_world;
    if (!get_text(r, r->file, "format", format, sizeof format)) return false;
    if (strcmp(format, MASS_SERIES_FORMAT_NAME) != 0) return damaged(r, "its format is '%s'", format);
    if (!get_u64(r, r->file, "format_version", UINT64_MAX, &r->version)) return false;
    if (r->version < 1 || r->version > MASS_SERIES_FORMAT)
        return damaged(r, "it has format %" PRIu64 ", and this mass-engine reads up to %d", r->version,
                       MASS_SERIES_FORMAT);
    if (!get_text(r, r->file, "plugin", s->plugin, sizeof s->plugin) ||
        !get_text(r, r->file, "schema", s->schema, sizeof s->schema) ||
        !get_text(r, r->file, "run", s->run, sizeof s->run) || !get_u64(r, r->file, "seed", INT64_MAX, &s->seed) ||
        !get_u64(r, r->file, "worlds", MASS_WORLDS_MAX, &worlds) ||
        !get_u64(r, r->file, "first_world", MASS_WORLDS_MAX, &first_world) ||
        !get_u64(r, r->file, "log_every", INT64_MAX, &s->every))
        return false;
    s->worlds = (int32_t)worlds;
    s->first_world = (int32_t)first_world;
    const htri_t has_text = H5Aexists(r->file, "text");
    if (has_text < 0) return unreadable(r, "text");
    if (has_text > 0 && !get_text(r, r->file, "text", s->text, sizeof s->text)) return false;
    return (worlds > 0 && s->every > 0) || damaged(r, "it has no worlds, or no interval");
}

static herr_t check_root_link(hid_t root, const char *name, const H5L_info_t *info, void *context)
{
    (void)root;
    if (info->type != H5L_TYPE_HARD) return damaged(context, "it holds a link, and series are none"), -1;
    return strcmp(name, "series") == 0 ? 0 : (damaged(context, "it holds '/%s'", name), -1);
}

static bool open_file(reader *r, const mass_hdf5_source *source)
{
    r->path = source->path;
    r->source = source;
    r->file = mass_hdf5_open(source);
    if (r->file < 0) return unreadable(r, "its frame");
    if (H5Literate(r->file, H5_INDEX_NAME, H5_ITER_INC, NULL, check_root_link, r) < 0)
        return r->error->status != MASS_OK ? false : unreadable(r, "its root");
    r->group = mass_hdf5_group(r->file, "series");
    return r->group >= 0 || unreadable(r, "/series");
}

static void close_file(reader *r)
{
    if (r->group >= 0) H5Gclose(r->group);
    if (r->file >= 0) H5Fclose(r->file);
}

void mass_series_contents_free(mass_series_contents *c)
{
    mass_series_set_free(&c->set);
    mass_hdf5_close_source(&c->source);
    free(c->path);
    c->path = NULL;
}

/* Takes the source over, on failure too. */
static mass_status describe(mass_hdf5_source *source, mass_series_contents *out, mass_error *error)
{
    *out = (mass_series_contents){.source = *source, .path = strdup(source->path)};
    *source = (mass_hdf5_source){0};
    out->source.path = out->path;
    reader r = {.file = -1, .group = -1, .out = out, .error = error};
    if (!out->path) mass_error_memory(error, PATH_MAX, "a series");
    const bool good = out->path && open_file(&r, &out->source) && read_facts(&r) && count_rows(&r) && check_steps(&r) &&
                      read_columns(&r);
    close_file(&r);
    if (!good) mass_series_contents_free(out);
    return error->status;
}

static const char remedy[] = "give a file that --log wrote";

mass_status mass_series_describe(const char *path, mass_series_contents *out, mass_error *error)
{
    mass_hdf5_source source;
    *out = (mass_series_contents){0};
    const mass_status status = mass_hdf5_find(path, MASS_HDF5_OURS, remedy, &source, error);
    return status == MASS_OK ? describe(&source, out, error) : status;
}

static bool read_column(reader *r, const mass_series_contents *of, uint32_t column, uint64_t first, uint64_t rows,
                        double *out)
{
    const mass_series_column *c = &of->set.columns[column];
    const mass_series_shape all = mass_series_shape_of(&of->set, c, of->rows);
    const mass_series_shape part = mass_series_shape_of(&of->set, c, rows);
    const hid_t set = open_set(r, c->name, H5T_IEEE_F64LE, &all);
    const bool good = set >= 0 && (rows == 0 || read_rows(set, H5T_IEEE_F64LE, first, &part, out) ||
                                   unreadable(r, c->name));
    if (set >= 0) H5Dclose(set);
    return good;
}

mass_status mass_series_read(const mass_series_contents *of, uint32_t column, uint64_t first, uint64_t rows,
                             double *out, mass_error *error)
{
    reader r = {.file = -1, .group = -1, .error = error};
    if (open_file(&r, &of->source)) read_column(&r, of, column, first, rows, out);
    close_file(&r);
    return error->status;
}

/* ---- in a process of its own ---- */

static bool read_all_of(reader *r, const mass_series_contents *of, uint32_t column)
{
    const size_t own = mass_series_length(&of->set.columns[column]) * (size_t)of->set.worlds;
    const uint64_t most = own < ROWS_AT_ONCE ? ROWS_AT_ONCE / own : 1;
    double *values = malloc(most * own * sizeof *values);
    bool good = values || (mass_error_memory(r->error, most * own * sizeof *values, "a series"), false);
    for (uint64_t at = 0; good && at < of->rows; at += most)
        good = read_column(r, of, column, at, of->rows - at < most ? of->rows - at : most, values);
    free(values);
    return good;
}

static mass_status read_all(mass_hdf5_source *source, const char *argument, mass_error *error)
{
    (void)argument;
    mass_series_contents c;
    if (describe(source, &c, error) != MASS_OK) return error->status;
    reader r = {.file = -1, .group = -1, .error = error};
    bool good = open_file(&r, &c.source);
    for (uint32_t i = 0; good && i < c.set.count; i++) good = read_all_of(&r, &c, i);
    close_file(&r);
    mass_series_contents_free(&c);
    return error->status;
}

mass_status mass_series_describe_probed(const char *path, mass_series_contents *out, mass_error *error)
{
    mass_hdf5_source source;
    *out = (mass_series_contents){0};
    mass_status status = mass_hdf5_find(path, MASS_HDF5_OURS, remedy, &source, error);
    if (status != MASS_OK) return status;
    status = mass_hdf5_probe("--probe-series", path, &source, "log to another folder", error);
    source.whole = status == MASS_OK;
    if (status == MASS_OK) return describe(&source, out, error);
    mass_hdf5_close_source(&source);
    return status;
}

int mass_series_answer_probe(const char *path)
{
    return mass_hdf5_answer_probe(path, MASS_HDF5_OURS, NULL, read_all);
}
