#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* copy_file_range, fallocate */
#endif
#include "io/checkpoint_format.h"
#include "io/series_format.h"
#include "run/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A publishing copies the file, so that it waits until rows have come together: at least half a second, twenty times
 * as long as the last one took, but no more memory than this and an eighth of the file. */
#define REST_SECONDS 0.5
#define REST_FACTOR 20
enum { MEMORY_BYTES = 64 << 20, CHUNK_BYTES = 1 << 14 };

struct mass_series {
    const mass_series_set *set;
    char path[PATH_MAX], folder[PATH_MAX];
    char source[PATH_MAX]; /* whose first `kept` rows go on; "": none */
    uint64_t kept, stored; /* rows of it that count, and that it has */
    uint64_t first, rows, room; /* step of row 0; rows in memory, after those kept */
    double *values; /* [room], each a row */
    double published, took; /* when, and how many seconds */
};

/* ---- what is about a run ---- */

void mass_series_set_free(mass_series_set *set)
{
    free(set->columns);
    set->columns = NULL;
    set->count = 0;
}

size_t mass_series_row_values(const mass_series_set *set)
{
    size_t values = 0;
    for (uint32_t i = 0; i < set->count; i++) values += mass_series_length(&set->columns[i]) * (size_t)set->worlds;
    return values;
}

mass_series_shape mass_series_shape_of(const mass_series_set *set, const mass_series_column *c, uint64_t rows)
{
    const hsize_t worlds = (hsize_t)set->worlds;
    if (!c) return (mass_series_shape){1, {rows}};
    const hsize_t length = mass_series_length(c);
    if (length == 1) return (mass_series_shape){2, {rows, worlds}};
    return worlds == 1 ? (mass_series_shape){2, {rows, length}} : (mass_series_shape){3, {rows, worlds, length}};
}

bool mass_series_same(const mass_series_set *a, const mass_series_set *b)
{
    if (a->count != b->count || a->every != b->every) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (strcmp(a->columns[i].name, b->columns[i].name) != 0 ||
            strcmp(a->columns[i].expression, b->columns[i].expression) != 0)
            return false;
    return true;
}

static void describe_parameter(FILE *to, const mass_parameter_slot *p, int32_t worlds)
{
    char value[64];
    fprintf(to, "%s=%s\n", p->name, mass_parameter_format(p, value));
    for (int32_t w = 0; p->swept && w < worlds; w++) fprintf(to, "%llx\n", (unsigned long long)p->swept[w]);
}

void mass_series_identify(const mass_model *m, const mass_inputs *inputs, uint64_t seed, int32_t worlds,
                          int32_t first_world, mass_series_set *out)
{
    char *text = NULL;
    size_t size = 0;
    snprintf(out->plugin, sizeof out->plugin, "%s", m->plugin);
    out->seed = seed;
    out->worlds = worlds;
    out->first_world = first_world;
    mass_checkpoint_schema(m, out->schema);
    FILE *to = open_memstream(&text, &size);
    if (!to) return;
    fprintf(to, "%s %s %llu %d %d\n", m->plugin, out->schema, (unsigned long long)seed, worlds, first_world);
    for (uint32_t i = 0; i < m->space_count; i++)
        for (int a = 0; a < 3; a++) fprintf(to, "%lld ", (long long)m->spaces[i].size[a]);
    for (uint32_t i = 0; i < m->parameters.count; i++) describe_parameter(to, &m->parameters.slots[i], worlds);
    for (uint32_t i = 0; i < inputs->count; i++)
        if (strcmp(inputs->list[i].name, MASS_INPUT_PARAMETERS) != 0)
            fprintf(to, "%s:%s\n", inputs->list[i].name, inputs->list[i].hash);
    if (fclose(to) == 0) mass_checkpoint_hash_bytes(text, size, out->run);
    free(text);
}

/* ---- rows in memory ---- */

static size_t row_values(const mass_series *s) { return mass_series_row_values(s->set); }

mass_status mass_series_create(const mass_series_set *set, const char *folder, const char *source,
                               const mass_series_contents *contents, uint64_t step, mass_series **out,
                                   mass_error *error)
{
    mass_series *s = calloc(1, sizeof *s);
    if (!s) return mass_error_memory(error, sizeof *s, "a series");
    s->set = set;
    const int length = snprintf(s->path, sizeof s->path, "%s/" MASS_SERIES_FILE, folder);
    snprintf(s->folder, sizeof s->folder, "%s", folder);
    if (length >= (int)sizeof s->path) {
        free(s);
        return mass_error_set(error, MASS_BAD_USAGE, "the checkpoint folder's path is too long: give a shorter one");
    }
    if (source && contents->rows > 0) {
        snprintf(s->source, sizeof s->source, "%s", source);
        s->stored = contents->rows;
        s->first = contents->first;
        s->kept = step < s->first ? 0 : (step - s->first) / set->every + 1;
        if (s->kept > s->stored) s->kept = s->stored;
    }
    s->published = mass_seconds();
    *out = s;
    return MASS_OK;
}

void mass_series_free(mass_series *s)
{
    if (!s) return;
    free(s->values);
    free(s);
}

bool mass_series_has(const mass_series *s, uint64_t step)
{
    const uint64_t rows = s->kept + s->rows;
    return rows > 0 && step <= s->first + (rows - 1) * s->set->every;
}

mass_status mass_series_add(mass_series *s, uint64_t step, const double *values, mass_error *error)
{
    const size_t size = row_values(s);
    if (s->rows == s->room) {
        const uint64_t room = s->room ? 2 * s->room : 64;
        double *larger = realloc(s->values, (size_t)room * size * sizeof *larger);
        if (!larger) return mass_error_memory(error, (size_t)room * size * sizeof *larger, "a series");
        s->values = larger;
        s->room = room;
    }
    if (s->kept + s->rows == 0) s->first = step;
    memcpy(s->values + s->rows * size, values, size * sizeof *values);
    s->rows++;
    return MASS_OK;
}

bool mass_series_is_due(const mass_series *s)
{
    const double rest = s->took * REST_FACTOR > REST_SECONDS ? s->took * REST_FACTOR : REST_SECONDS;
    const double bytes = (double)row_values(s) * sizeof(double);
    return s->rows > 0 && (mass_seconds() - s->published >= rest ||
                           (double)s->rows * bytes > MEMORY_BYTES + (double)s->kept * bytes / 8);
}

/* ---- writing: the first failure stays, and makes the copy worthless ---- */

typedef struct writer {
    const mass_series *series;
    hid_t file, group;
    bool failed;
    char reason[200];
} writer;

static hid_t check(writer *w, hid_t result)
{
    if (result < 0 && !w->failed) {
        w->failed = true;
        mass_checkpoint_reason(w->reason);
    }
    return result;
}

static void fail_with_errno(writer *w)
{
    if (!w->failed) snprintf(w->reason, sizeof w->reason, "%s", strerror(errno));
    w->failed = true;
}

static void done(writer *w, hid_t id, herr_t (*close_id)(hid_t))
{
    if (id >= 0) check(w, close_id(id));
}

static void put(writer *w, hid_t at, const char *name, hid_t type, const void *value)
{
    const hid_t space = check(w, H5Screate(H5S_SCALAR));
    const hid_t a = check(w, H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
    check(w, H5Awrite(a, type, value));
    done(w, a, H5Aclose);
    done(w, space, H5Sclose);
}

static void put_u64(writer *w, const char *name, uint64_t value) { put(w, w->file, name, H5T_STD_U64LE, &value); }

static void put_text(writer *w, hid_t at, const char *name, const char *text)
{
    const hid_t type = check(w, H5Tcopy(H5T_C_S1));
    check(w, H5Tset_size(type, strlen(text) + 1));
    check(w, H5Tset_cset(type, H5T_CSET_UTF8));
    put(w, at, name, type, text);
    done(w, type, H5Tclose);
}

static const char *labels_of(const mass_series_set *set, const mass_series_column *c)
{
    if (!c || mass_series_length(c) == 1) return c ? "row world" : "row";
    return set->worlds == 1 ? "row bin" : "row world bin";
}

/* A data set without rows yet, in chunks with checksums. c = NULL: of the steps. */
static hid_t make_set(writer *w, const char *name, hid_t type, const mass_series_column *c)
{
    const mass_series_shape shape = mass_series_shape_of(w->series->set, c, 0);
    hsize_t most[3] = {H5S_UNLIMITED}, chunk[3], room = CHUNK_BYTES / 8;
    for (int i = shape.rank - 1; i > 0; i--) {
        most[i] = shape.extent[i];
        chunk[i] = shape.extent[i] < room ? shape.extent[i] : room;
        room /= chunk[i];
    }
    chunk[0] = room;
    const hid_t list = check(w, H5Pcreate(H5P_DATASET_CREATE));
    check(w, H5Pset_chunk(list, shape.rank, chunk));
    check(w, H5Pset_fletcher32(list));
    check(w, H5Pset_obj_track_times(list, 0));
    const hid_t space = check(w, H5Screate_simple(shape.rank, shape.extent, most));
    const hid_t set = check(w, H5Dcreate2(w->group, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT));
    put_text(w, set, "dimension_labels", labels_of(w->series->set, c));
    done(w, space, H5Sclose);
    done(w, list, H5Pclose);
    return set;
}

static void make_column(writer *w, const mass_series_column *c)
{
    const hid_t set = make_set(w, c->name, H5T_IEEE_F64LE, c);
    put_text(w, set, "expression", c->expression);
    put_text(w, set, "unit", c->unit);
    if (mass_series_length(c) > 1 && c->lo < c->hi) {
        put(w, set, "lo", H5T_IEEE_F64LE, &c->lo);
        put(w, set, "hi", H5T_IEEE_F64LE, &c->hi);
    }
    done(w, set, H5Dclose);
}

static void make_file(writer *w, const char *path)
{
    const mass_series_set *set = w->series->set;
    const hid_t access = check(w, mass_checkpoint_file_access());
    w->file = check(w, H5Fcreate(path, H5F_ACC_EXCL, H5P_DEFAULT, access));
    done(w, access, H5Pclose);
    put_text(w, w->file, "format", MASS_SERIES_FORMAT_NAME);
    put_u64(w, "format_version", MASS_SERIES_FORMAT);
    put_text(w, w->file, "engine_version", MASS_ENGINE_VERSION);
    put_text(w, w->file, "plugin", set->plugin);
    put_text(w, w->file, "schema", set->schema);
    put_text(w, w->file, "run", set->run);
    put_u64(w, "seed", set->seed);
    put_u64(w, "worlds", (uint64_t)set->worlds);
    put_u64(w, "first_world", (uint64_t)set->first_world);
    put_u64(w, "log_every", set->every);
    const hid_t list = check(w, H5Pcreate(H5P_GROUP_CREATE));
    check(w, H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
    check(w, H5Pset_obj_track_times(list, 0));
    w->group = check(w, H5Gcreate2(w->file, "series", H5P_DEFAULT, list, H5P_DEFAULT));
    done(w, list, H5Pclose);
    done(w, make_set(w, "step", H5T_STD_U64LE, NULL), H5Dclose);
    for (uint32_t i = 0; i < set->count; i++) make_column(w, &set->columns[i]);
}

static void copy_bytes(writer *w, int from, int to)
{
    static const size_t part = 1 << 24;
    ssize_t got = copy_file_range(from, NULL, to, NULL, part, 0);
    if (got < 0 && (errno == EXDEV || errno == EINVAL || errno == EOPNOTSUPP || errno == ENOSYS)) {
        char bytes[1 << 16];
        while ((got = read(from, bytes, sizeof bytes)) > 0)
            for (ssize_t at = 0, put_now; at < got; at += put_now)
                if ((put_now = write(to, bytes + at, (size_t)(got - at))) < 0) {
                    fail_with_errno(w);
                    return;
                }
    }
    while (got > 0) got = copy_file_range(from, NULL, to, NULL, part, 0);
    if (got < 0) fail_with_errno(w);
}

/* The rows there are, under another name. */
static void copy_file(writer *w, const char *path)
{
    const int from = open(w->series->source, O_RDONLY | O_CLOEXEC);
    const int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (from < 0 || to < 0) fail_with_errno(w);
    else copy_bytes(w, from, to);
    if (from >= 0) close(from);
    if (to >= 0 && close(to) != 0) fail_with_errno(w);
    if (w->failed) return;
    const hid_t access = check(w, mass_checkpoint_file_access());
    w->file = check(w, H5Fopen(path, H5F_ACC_RDWR, access));
    done(w, access, H5Pclose);
    w->group = check(w, H5Gopen2(w->file, "series", H5P_DEFAULT));
}

/* Takes the room of the rows before HDF5 fills it, as far as the file system can: a full disk is found here. */
static void reserve(writer *w)
{
    const mass_series *s = w->series;
    void *handle = NULL;
    struct stat facts;
    check(w, H5Fflush(w->file, H5F_SCOPE_LOCAL));
    check(w, H5Fget_vfd_handle(w->file, H5P_DEFAULT, &handle));
    if (w->failed || fstat(*(const int *)handle, &facts) != 0) return;
    const size_t bytes = s->rows * (row_values(s) + 1) * sizeof(double) + (s->set->count + 1) * (size_t)CHUNK_BYTES;
    if (fallocate(*(const int *)handle, FALLOC_FL_KEEP_SIZE, facts.st_size, (off_t)bytes) != 0 &&
        (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
        fail_with_errno(w);
}

/* Rows of one data set after those that are kept; `rows` of them in memory. c = NULL: of the steps. */
static void append(writer *w, const char *name, hid_t type, const mass_series_column *c, const void *rows)
{
    const mass_series *s = w->series;
    const mass_series_shape kept = mass_series_shape_of(s->set, c, s->kept);
    const mass_series_shape all = mass_series_shape_of(s->set, c, s->kept + s->rows);
    const mass_series_shape added = mass_series_shape_of(s->set, c, s->rows);
    const hsize_t start[3] = {s->kept};
    const hid_t set = check(w, H5Dopen2(w->group, name, H5P_DEFAULT));
    if (s->kept < s->stored) check(w, H5Dset_extent(set, kept.extent));
    check(w, H5Dset_extent(set, all.extent));
    if (s->rows > 0 && !w->failed) {
        const hid_t memory = check(w, H5Screate_simple(added.rank, added.extent, NULL));
        const hid_t space = check(w, H5Dget_space(set));
        check(w, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, added.extent, NULL));
        if (!w->failed) check(w, H5Dwrite(set, type, memory, space, H5P_DEFAULT, rows));
        done(w, space, H5Sclose);
        done(w, memory, H5Sclose);
    }
    done(w, set, H5Dclose);
}

static void append_steps(writer *w)
{
    const mass_series *s = w->series;
    uint64_t *steps = malloc((s->rows + 1) * sizeof *steps);
    if (!steps) fail_with_errno(w);
    for (uint64_t i = 0; steps && i < s->rows; i++) steps[i] = s->first + (s->kept + i) * s->set->every;
    if (steps) append(w, "step", H5T_STD_U64LE, NULL, steps);
    free(steps);
}

/* from: its values in the first row. */
static void append_column(writer *w, const mass_series_column *c, const double *from)
{
    const mass_series *s = w->series;
    const size_t size = row_values(s), own = mass_series_length(c) * (size_t)s->set->worlds;
    double *column = malloc((s->rows * own + 1) * sizeof *column);
    if (!column) fail_with_errno(w);
    for (uint64_t i = 0; column && i < s->rows; i++)
        memcpy(column + i * own, from + i * size, own * sizeof *column);
    if (column) append(w, c->name, H5T_IEEE_F64LE, c, column);
    free(column);
}

static void append_all(writer *w)
{
    const mass_series_set *set = w->series->set;
    const double *from = w->series->values;
    append_steps(w);
    for (uint32_t c = 0; !w->failed && c < set->count; c++) {
        append_column(w, &set->columns[c], from);
        from += mass_series_length(&set->columns[c]) * (size_t)set->worlds;
    }
}

/* HDF5 1.10 may close a file without complaint although its writes failed: what it says of itself is read again. */
static void read_back(writer *w, const char *path)
{
    const mass_series *s = w->series;
    mass_series_contents c;
    mass_error error = {0};
    if (w->failed) return;
    const bool whole = mass_series_describe(path, &c, &error) == MASS_OK && c.rows == s->kept + s->rows &&
                       (c.rows == 0 || c.first == s->first) && mass_series_same(&c.set, s->set);
    mass_series_set_free(&c.set);
    if (whole) return;
    w->failed = true;
    snprintf(w->reason, sizeof w->reason, "it cannot be read back (%.100s)", error.text);
}

/* fsync is tried once: after a failure the system has forgotten what it could not write. */
static void make_durable(writer *w, const char *temporary)
{
    const mass_series *s = w->series;
    const int file = w->failed ? -1 : open(temporary, O_RDONLY | O_CLOEXEC);
    if (w->failed) return;
    if (file < 0 || fsync(file) != 0 || rename(temporary, s->path) != 0 || !mass_checkpoint_sync_folder(s->folder))
        fail_with_errno(w);
    if (file >= 0) close(file);
}

static bool write_copy(mass_series *s, const char *temporary, char reason[200])
{
    writer w = {.series = s, .file = -1, .group = -1};
    unlink(temporary);
    if (s->kept > 0) copy_file(&w, temporary);
    else make_file(&w, temporary);
    if (!w.failed) reserve(&w);
    if (!w.failed) append_all(&w);
    done(&w, w.group, H5Gclose);
    done(&w, w.file, H5Fclose);
    read_back(&w, temporary);
    make_durable(&w, temporary);
    if (w.failed) unlink(temporary);
    memcpy(reason, w.reason, sizeof w.reason);
    return !w.failed;
}

mass_status mass_series_publish(mass_series *s, mass_error *error)
{
    char temporary[PATH_MAX], reason[200];
    const double began = mass_seconds();
    if (s->rows == 0 && s->kept == s->stored && strcmp(s->source, s->path) == 0) return MASS_OK;
    if (!mass_series_temporary_name(s->folder, temporary))
        return mass_error_set(error, MASS_BAD_USAGE, "the checkpoint folder's path is too long: give a shorter one");
    mass_checkpoint_start_hdf5();
    const bool written = write_copy(s, temporary, reason);
    s->published = mass_seconds();
    s->took = s->published - began;
    if (!written) return mass_error_set(error, MASS_FAILED, "cannot write %s: %s", s->path, reason);
    s->kept = s->stored = s->kept + s->rows;
    s->rows = 0;
    memcpy(s->source, s->path, sizeof s->source);
    return MASS_OK;
}
