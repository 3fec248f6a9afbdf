/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the values of a repacked part by HDF5, which a subprocess tries first. A function that returns bool, and says
 * no more, returns false at the first fault, with the reader's error set. */
#include "io/checkpoint/parts_repacked.h"

#include "io/hdf5/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_DESCRIPTOR = 5, VALUE_MOST = 1 << 16, ROOM = 1 << 20 };

/* ---- data sets of a part ---- */

/* Gets the extents of a set of two fixed axes. Returns false for any other set, without an error. */
static bool get_extents(hid_t set, hsize_t extent[2])
{
    hsize_t most[2];
    const hid_t space = H5Dget_space(set);
    const bool good = space >= 0 && H5Sget_simple_extent_type(space) == H5S_SIMPLE &&
                      H5Sget_simple_extent_ndims(space) == 2 && H5Sget_simple_extent_dims(space, extent, most) == 2 &&
                      extent[0] == most[0] && extent[1] == most[1] && extent[1] > 0;
    if (space >= 0) H5Sclose(space);
    return good;
}

/* ---- verifying, in the subprocess ---- */

/* Returns true if all data of a type is in its values, and not elsewhere in the file. */
static bool is_plain(hid_t type)
{
    const size_t size = H5Tget_size(type);
    return size >= 1 && size <= VALUE_MOST && H5Tdetect_class(type, H5T_VLEN) == 0 && H5Tis_variable_str(type) <= 0 &&
           H5Tdetect_class(type, H5T_REFERENCE) == 0;
}

/* Reads all of a column once, which checks its checksums. Keeps nothing. */
static bool read_all(mass_reader *r, mass_column *c)
{
    const uint64_t most = ROOM / c->size;
    void *values = malloc(ROOM);
    bool good = values || mass_reader_no_memory(r, ROOM);
    for (uint64_t first = 0, some; good && first < c->count; first += some) {
        some = c->count - first < most ? c->count - first : most;
        good = mass_column_read(c, first, some, values);
    }
    free(values);
    return good;
}

/* Checks the type and the size of a data set, and reads all of it. Keeps nothing. */
static bool verify_set(mass_reader *r, hid_t group, const char *name)
{
    hsize_t extent[2] = {0};
    const hid_t set = mass_reader_set(r, group, name);
    if (set < 0) return false;
    const hid_t type = H5Dget_type(set);
    mass_column c = {.reader = r, .set = set, .type = type, .size = H5Tget_size(type), .attribute = -1, .rank = 2};
    uint64_t bytes = 0;
    snprintf(c.name, sizeof c.name, "%s", name);
    bool good = get_extents(set, extent) && is_plain(type) && !__builtin_mul_overflow(extent[0], extent[1], &c.count) &&
                !__builtin_mul_overflow(c.count, c.size, &bytes) && bytes / MASS_HDF5_PACKED_MOST <= r->c->source.size;
    if (!good) mass_reader_damaged(r, "'%s' is not a set of a part", name);
    c.each = extent[1];
    good = good && read_all(r, &c);
    mass_column_end(&c);
    H5Tclose(type);
    return good;
}

/* Reads all sets of a group once; keeps nothing. */
static bool verify_group(mass_reader *r, hid_t group, const char *name)
{
    return mass_reader_walk(r, group, name, verify_set);
}

/* Refuses a file whose format is not that of a part. */
static bool is_part(mass_reader *r, hid_t file)
{
    char format[64];
    return mass_reader_text(r, file, "format", format, sizeof format) &&
           (strcmp(format, MASS_PART_FORMAT_NAME) == 0 || mass_reader_damaged(r, "it is not a part of a checkpoint"));
}

/* Reads all sets of all groups below `name` once, if it is there; keeps nothing. */
static bool verify_groups(mass_reader *r, const char *name)
{
    bool has;
    return mass_reader_has_link(r, r->c->file, name, &has) &&
           (!has || mass_reader_walk(r, r->c->file, name, verify_group));
}

/* Verifies a repacked part: checks its format, and reads every data set. Takes over the source and closes it. Ignores
 * `argument`. Runs in the subprocess. */
static mass_status verify(mass_hdf5_source *source, const char *argument, mass_error *error)
{
    (void)argument;
    mass_checkpoint *c = mass_reader_begin(source, error);
    if (!c) return error->status;
    mass_reader r = {.c = c, .error = error};
    c->file = mass_hdf5_open(&c->source);
    const bool good = (c->file >= 0 || mass_reader_unreadable(&r, "its frame")) && is_part(&r, c->file) &&
                      verify_groups(&r, "places") && verify_groups(&r, "agents");
    mass_checkpoint_close(c);
    return good ? MASS_OK : error->status;
}

int mass_part_answer_probe(const char *path)
{
    return mass_hdf5_answer_probe(path, MASS_HDF5_REPACKED, NULL, verify);
}

/* ---- reading ---- */

/* Closes the column that is open, if any, and its type. */
static void close_column(mass_part_repacked *p)
{
    if (p->column.reader) H5Tclose(p->column.type);
    mass_column_end(&p->column);
}

/* Closes the column, the part's HDF5 file and its descriptor, and zeroes *p. */
void mass_part_repacked_close(mass_part_repacked *p)
{
    close_column(p);
    if (p->source.file > 0) H5Fclose(p->file);
    mass_hdf5_close_source(&p->source);
    *p = (mass_part_repacked){0};
}

/* Opens the part and makes *out a source with a descriptor of its own, which the caller closes. path: the part's, which
 * *out borrows. */
static bool find_source(mass_reader *r, mass_part_files *f, uint64_t rank, const char *path, mass_hdf5_source *out)
{
    if (!mass_part_files_open(r, f, rank)) return false;
    const int file = fcntl(f->file, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
    if (file < 0) return mass_error_unread(r->error, MASS_FAILED, path, errno), false;
    return mass_hdf5_adopt(file, path, MASS_HDF5_REPACKED, NULL, out, r->error) == MASS_OK;
}

bool mass_part_repacked_is(mass_reader *r, mass_part_files *f, uint64_t rank)
{
    char path[PATH_MAX], token[33] = "";
    mass_error problem = {0};
    mass_reader own = {.c = r->c, .error = &problem};
    mass_hdf5_source source = {0};
    mass_part_files_name(r, f, rank, path);
    bool good = find_source(&own, f, rank, path, &source) &&
                mass_hdf5_probe("--probe-part", path, &source, MASS_CHECKPOINT_REMEDY, &problem) == MASS_OK;
    const hid_t file = good ? mass_hdf5_open(&source) : -1;
    good = good && (file >= 0 || mass_reader_unreadable(&own, "its frame")) && is_part(&own, file) &&
           mass_reader_hash(&own, file, "parts", token) && strcmp(token, f->token) == 0;
    if (file >= 0) H5Fclose(file);
    mass_hdf5_close_source(&source);
    if (problem.status == MASS_OK || (problem.status == MASS_BAD_INPUT && !problem.obstacle)) return good;
    mass_error_set(r->error, problem.status, "%s", problem.text);
    r->error->obstacle = problem.obstacle;
    return false;
}

/* Opens the part of this rank, unless it is open, and closes the former one. */
static bool open_file(mass_reader *r, mass_part_files *f, mass_part_repacked *p, uint64_t rank)
{
    char path[PATH_MAX];
    if (p->source.file > 0 && p->rank == rank) return true;
    mass_part_repacked_close(p);
    mass_part_files_name(r, f, rank, path);
    if (!find_source(r, f, rank, path, &p->source)) return false;
    p->source.path = r->c->path; /* the local `path` does not outlive this call */
    p->file = mass_hdf5_open(&p->source);
    p->rank = rank;
    if (p->file >= 0) return true;
    mass_reader_unreadable(r, "the frame of a part");
    mass_hdf5_close_source(&p->source);
    return false;
}

/* Opens an attribute's data set in the open part, and closes the one before; does nothing if it is open. Refuses
 * another type, and other extents than the master says. */
static bool open_column(mass_reader *r, const mass_part_files *f, mass_part_repacked *p, uint32_t attribute,
                        uint64_t elements)
{
    const mass_model *m = &r->c->model;
    const mass_attribute_def *a = &m->attributes[attribute];
    hsize_t extent[2] = {0};
    char path[2 * MASS_NAME_SIZE + 16];
    if (p->column.reader && p->attribute == attribute) return true;
    close_column(p);
    snprintf(path, sizeof path, "/%s/%s/%s", a->population >= 0 ? "agents" : "places", mass_owner_name(m, a), a->name);
    const hid_t set = mass_hdf5_set(p->file, path, MASS_HDF5_REPACKED);
    if (set < 0) return mass_reader_unreadable(r, a->name);
    const hid_t type = mass_checkpoint_component_type(a);
    const bool good = mass_reader_check_type(r, set, type, a->name) && get_extents(set, extent) &&
                      extent[0] == elements && extent[1] == a->length;
    p->attribute = attribute;
    p->column = (mass_column){.reader = r, .set = set, .type = type, .size = a->component_size, .attribute = -1,
                              .rank = 2, .count = elements * a->length, .each = a->length};
    snprintf(p->column.name, sizeof p->column.name, "%s", path);
    if (good) return true;
    close_column(p);
    return r->error->status == MASS_OK && mass_part_files_refuse(r, f, p->rank, "has other extents than it says");
}

bool mass_part_repacked_read(mass_reader *r, mass_part_files *f, mass_part_repacked *p, uint64_t rank,
                             uint32_t attribute, uint64_t elements, uint64_t first, uint64_t bytes, void *out)
{
    const size_t size = r->c->model.attributes[attribute].component_size;
    const uint64_t most = (ROOM + size - 1) / size * size; /* bytes read before the time is checked again */
    if (!open_file(r, f, p, rank) || !open_column(r, f, p, attribute, elements)) return false;
    p->column.reader = r;
    for (char *to = out; bytes > 0;) {
        const uint64_t some = bytes < most ? bytes : most;
        if (!mass_part_files_in_time(r, f)) return false;
        if (!mass_column_read(&p->column, first / size, some / size, to)) return false;
        to += some;
        first += some;
        bytes -= some;
    }
    return true;
}
