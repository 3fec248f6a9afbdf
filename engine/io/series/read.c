/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and reads files of series, which may be damaged or hostile. Types and extents are compared with what such a
 * file needs, before memory is allocated. */
#include "io/hdf5/probe.h"
#include "io/series/reader.h"

#include <hdf5.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_AT_ONCE = 1 << 16 };

/* Reads a number of at most `most` from an HDF5 attribute; else refuses the file. */
static bool get_u64(mass_series_reader *r, hid_t at, const char *name, uint64_t most, uint64_t *out)
{
    return mass_series_get(r, at, name, H5T_STD_U64LE, out) &&
           (*out <= most || mass_series_damaged(r, "'%s' is %" PRIu64, name, *out));
}

/* ---- data sets ---- */

/* Sets the number of rows from the set "step"; reads no rows. */
static bool count_rows(mass_series_reader *r)
{
    hsize_t rows = 0;
    const hid_t set = mass_series_find_set(r, "step");
    if (set < 0) return false;
    const hid_t space = H5Dget_space(set);
    const bool good = H5Sget_simple_extent_ndims(space) == 1 && H5Sget_simple_extent_dims(space, &rows, NULL) == 1 &&
                      rows <= INT64_MAX / 16;
    r->out->rows = rows;
    H5Sclose(space);
    H5Dclose(set);
    return good || mass_series_damaged(r, "'step' has another extent");
}

/* Reads all steps, checks that they increase by log_every, so that a step determines its row, and sets the first
 * one. */
static bool check_steps(mass_series_reader *r)
{
    mass_series_contents *c = r->out;
    const mass_series_shape shape = mass_series_shape_of(&c->set, NULL, c->rows);
    const hid_t set = mass_series_open_set(r, "step", H5T_STD_U64LE, &shape);
    uint64_t *steps = set >= 0 ? malloc(ROWS_AT_ONCE * sizeof *steps) : NULL;
    bool good = set >= 0 && (steps || (mass_error_memory(r->error, ROWS_AT_ONCE * 8, "a series"), false));
    for (uint64_t at = 0; good && at < c->rows; at += ROWS_AT_ONCE) {
        const uint64_t rows = c->rows - at < ROWS_AT_ONCE ? c->rows - at : ROWS_AT_ONCE;
        const mass_series_shape part = mass_series_shape_of(&c->set, NULL, rows);
        good = mass_series_read_rows(set, H5T_STD_U64LE, at, &part, steps) || mass_series_unreadable(r, "step");
        if (good && at == 0) c->first = steps[0];
        for (uint64_t i = 0; good && i < rows; i++)
            good = (steps[i] == c->first + (at + i) * c->set.every && steps[i] <= MASS_STEPS_MAX) ||
                   mass_series_damaged(r, "row %" PRIu64 " is of step %" PRIu64, at + i, steps[i]);
    }
    free(steps);
    if (set >= 0) H5Dclose(set);
    return good;
}

/* ---- names ---- */

/* Returns true if all characters may occur in a series' name, and there are some. */
static bool is_name(const char *name)
{
    return name[0] && strspn(name, MASS_SERIES_NAME_LETTERS) == strlen(name);
}

/* Returns how many axes the set has; -1, with the error set, if it cannot be opened. */
static int rank_of(mass_series_reader *r, const char *name)
{
    const hid_t set = mass_series_find_set(r, name);
    if (set < 0) return -1;
    const hid_t space = H5Dget_space(set);
    const int rank = H5Sget_simple_extent_ndims(space);
    H5Sclose(space);
    H5Dclose(set);
    return rank >= 0 ? rank : (mass_series_unreadable(r, name), -1);
}

/* Gets the number of bins from the extents. The shape of the whole series is checked later. */
static bool find_length(mass_series_reader *r, const char *name, uint32_t *length)
{
    hsize_t extent[3] = {0};
    const hid_t set = mass_series_find_set(r, name);
    if (set < 0) return false;
    const hid_t space = H5Dget_space(set);
    const int rank = H5Sget_simple_extent_ndims(space);
    const bool known = (rank == 2 || rank == 3) && H5Sget_simple_extent_dims(space, extent, NULL) == rank;
    const hsize_t bins = !known ? 0 : rank == 2 && r->out->set.worlds > 1 ? 1 : extent[rank - 1];
    *length = (uint32_t)bins;
    H5Sclose(space);
    H5Dclose(set);
    return (bins > 0 && bins <= MASS_SERIES_LENGTH_MAX) ||
           mass_series_damaged(r, "'%s' has another type or extent", name);
}

/* Reads where a histogram's bins begin and end, if the set says so. Refuses bins without an extent. */
static bool get_edges(mass_series_reader *r, hid_t set, mass_series_column *c)
{
    if (c->length == 1 || (H5Aexists(set, "lo") == 0 && H5Aexists(set, "hi") == 0)) return true;
    if (!mass_series_get(r, set, "lo", H5T_IEEE_F64LE, &c->lo) ||
        !mass_series_get(r, set, "hi", H5T_IEEE_F64LE, &c->hi))
        return false;
    return (c->lo < c->hi && isfinite(c->hi - c->lo)) ||
           mass_series_damaged(r, "the bins of '%s' have no extent", c->name);
}

/* ---- the series ---- */

/* Adds one set of /series to the columns, or reads it as a scale; skips "step". Checks its form, not its values. */
static bool add_column(mass_series_reader *r, const char *name)
{
    mass_series_set *s = &r->out->set;
    if (strcmp(name, "step") == 0) return true;
    const int rank = rank_of(r, name);
    if (rank < 0) return false;
    if (rank == 1 && r->version > 1) return mass_series_read_scale(r, name);
    if (s->count == MASS_SERIES_COLUMNS_MAX) return mass_series_damaged(r, "it has too many series");
    if (strlen(name) >= MASS_SERIES_NAME_SIZE || !is_name(name))
        return mass_series_damaged(r, "a series has no valid name");
    mass_series_column *larger = realloc(s->columns, (s->count + 1) * sizeof *larger);
    if (!larger) return mass_error_memory(r->error, sizeof *larger, "a series"), false;
    s->columns = larger;
    mass_series_column *c = &larger[s->count++];
    *c = (mass_series_column){0};
    snprintf(c->name, sizeof c->name, "%s", name);
    if (!find_length(r, name, &c->length)) return false;
    const mass_series_shape shape = mass_series_shape_of(s, c, r->out->rows);
    const hid_t set = mass_series_open_set(r, name, H5T_IEEE_F64LE, &shape);
    if (set < 0) return false;
    const bool good = mass_series_get_text(r, set, "expression", c->expression, sizeof c->expression) &&
                      mass_series_get_text(r, set, "unit", c->unit, sizeof c->unit) && get_edges(r, set, c);
    H5Dclose(set);
    return good;
}

/* Adds the column of one link, and stops at any failure. */
static herr_t take_link(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
    (void)group;
    mass_series_reader *r = context;
    if (info->type != H5L_TYPE_HARD) return mass_series_damaged(r, "it holds a link, and a series is not one"), -1;
    return add_column(r, name) ? 0 : -1;
}

/* Reads how all columns are declared, in the order in which they were made, and all scales. Refuses a file of format 2
 * without "world". */
static bool read_columns(mass_series_reader *r)
{
    if (H5Literate(r->group, H5_INDEX_CRT_ORDER, H5_ITER_INC, NULL, take_link, r) >= 0)
        return r->version == 1 || r->has_world || mass_series_damaged(r, "it has no 'world'");
    return r->error->status != MASS_OK ? false : mass_series_unreadable(r, "/series");
}

/* ---- the file ---- */

/* Reads the run's facts from the file's root into the set, and sets r->version. Returns false, with the error set, if
 * one is missing or impossible. */
static bool read_facts(mass_series_reader *r)
{
    mass_series_set *s = &r->out->set;
    char format[64];
    uint64_t worlds, first_world;
    if (!mass_series_get_text(r, r->file, "format", format, sizeof format)) return false;
    if (strcmp(format, MASS_SERIES_FORMAT_NAME) != 0) return mass_series_damaged(r, "its format is '%s'", format);
    if (!get_u64(r, r->file, "format_version", UINT64_MAX, &r->version)) return false;
    if (r->version < 1 || r->version > MASS_SERIES_FORMAT)
        return mass_series_damaged(r, "it has format %" PRIu64 ", and this mass-engine reads up to %d", r->version,
                       MASS_SERIES_FORMAT);
    if (!mass_series_get_text(r, r->file, "plugin", s->plugin, sizeof s->plugin) ||
        !mass_series_get_text(r, r->file, "schema", s->schema, sizeof s->schema) ||
        !mass_series_get_text(r, r->file, "run", s->run, sizeof s->run) ||
        !get_u64(r, r->file, "seed", INT64_MAX, &s->seed) ||
        !get_u64(r, r->file, "worlds", MASS_WORLDS_MAX, &worlds) ||
        !get_u64(r, r->file, "first_world", MASS_WORLDS_MAX, &first_world) ||
        !get_u64(r, r->file, "log_every", INT64_MAX, &s->every))
        return false;
    s->worlds = (int32_t)worlds;
    s->first_world = (int32_t)first_world;
    const htri_t has_text = H5Aexists(r->file, "text");
    if (has_text < 0) return mass_series_unreadable(r, "text");
    if (has_text > 0 && !mass_series_get_text(r, r->file, "text", s->text, sizeof s->text)) return false;
    return (worlds > 0 && s->every > 0) || mass_series_damaged(r, "it has no worlds, or no interval");
}

/* Refuses any object of the root but /series, and any link to elsewhere. */
static herr_t check_root_link(hid_t root, const char *name, const H5L_info_t *info, void *context)
{
    (void)root;
    if (info->type != H5L_TYPE_HARD) return mass_series_damaged(context, "it holds a link, and a series is not one"),
        -1;
    return strcmp(name, "series") == 0 ? 0 : (mass_series_damaged(context, "it holds '/%s'", name), -1);
}

/* Opens the file and its group, and checks the root. After a failure, too, close_file is due. */
static bool open_file(mass_series_reader *r, const mass_hdf5_source *source)
{
    r->path = source->path;
    r->source = source;
    r->file = mass_hdf5_open(source);
    if (r->file < 0) return mass_series_unreadable(r, "its frame");
    if (H5Literate(r->file, H5_INDEX_NAME, H5_ITER_INC, NULL, check_root_link, r) < 0)
        return r->error->status != MASS_OK ? false : mass_series_unreadable(r, "its root");
    r->group = mass_hdf5_group(r->file, "series");
    return r->group >= 0 || mass_series_unreadable(r, "/series");
}

/* Closes the group and the file, not the source. */
static void close_file(mass_series_reader *r)
{
    if (r->group >= 0) H5Gclose(r->group);
    if (r->file >= 0) H5Fclose(r->file);
}

/* Frees what the contents own and closes their file. */
void mass_series_contents_free(mass_series_contents *c)
{
    mass_series_set_free(&c->set);
    mass_hdf5_close_source(&c->source);
    free(c->path);
    c->path = NULL;
}

/* Reads what a source declares, and its steps, but no columns. Takes the source over; on failure, closes it. */
static mass_status describe(mass_hdf5_source *source, mass_series_contents *out, mass_error *error)
{
    *out = (mass_series_contents){.source = *source, .path = strdup(source->path)};
    *source = (mass_hdf5_source){0};
    out->source.path = out->path;
    mass_series_reader r = {.file = -1, .group = -1, .out = out, .error = error};
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

/* Reads `rows` rows of a column from row `first` on, of all worlds. The rows must exist. */
static bool read_column(mass_series_reader *r, const mass_series_contents *of, uint32_t column, uint64_t first,
                        uint64_t rows, double *out)
{
    const mass_series_column *c = &of->set.columns[column];
    const mass_series_shape all = mass_series_shape_of(&of->set, c, of->rows);
    const mass_series_shape part = mass_series_shape_of(&of->set, c, rows);
    const hid_t set = mass_series_open_set(r, c->name, H5T_IEEE_F64LE, &all);
    const bool good = set >= 0 && (rows == 0 || mass_series_read_rows(set, H5T_IEEE_F64LE, first, &part, out) ||
                                   mass_series_unreadable(r, c->name));
    if (set >= 0) H5Dclose(set);
    return good;
}

mass_status mass_series_read(const mass_series_contents *of, uint32_t column, uint64_t first, uint64_t rows,
                             double *out, mass_error *error)
{
    mass_series_reader r = {.file = -1, .group = -1, .error = error};
    if (open_file(&r, &of->source)) read_column(&r, of, column, first, rows, out);
    close_file(&r);
    return error->status;
}

/* ---- in the subprocess ---- */

/* Reads all of a column in parts, to check it; keeps nothing. */
static bool read_all_of(mass_series_reader *r, const mass_series_contents *of, uint32_t column)
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

/* Runs in the subprocess: reads and checks the whole file, and keeps nothing. */
static mass_status read_all(mass_hdf5_source *source, const char *argument, mass_error *error)
{
    (void)argument;
    mass_series_contents c;
    if (describe(source, &c, error) != MASS_OK) return error->status;
    mass_series_reader r = {.file = -1, .group = -1, .error = error};
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
