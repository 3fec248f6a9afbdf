/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <ftw.h>
#include <hdf5.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- texts ---- */

/* What text() made, so that no leak checker takes it for lost. */
typedef struct kept {
    struct kept *next;
    char text[];
} kept;

static kept *texts;

const char *text(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char line[8192];
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    cr_assert(length >= 0 && length < (int)sizeof line, "a text is too long");
    kept *k = malloc(sizeof *k + (size_t)length + 1);
    cr_assert_not_null(k);
    memcpy(k->text, line, (size_t)length + 1);
    k->next = texts;
    texts = k;
    return k->text;
}

/* ---- the command ---- */

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    cr_assert(value && value[0], "%s is not set", name);
    return value;
}

static int nameless_file(const char *name)
{
    const int file = memfd_create(name, MFD_CLOEXEC);
    cr_assert_geq(file, 0);
    return file;
}

process engine_start(const char *options)
{
    const char *command = text("exec '%s' --json %s", environment("MASS_ENGINE"), options);
    process p = {.output = nameless_file("output"), .errors = nameless_file("errors")};
    p.pid = fork();
    cr_assert_geq(p.pid, 0);
    if (p.pid == 0) {
        dup2(p.output, STDOUT_FILENO);
        dup2(p.errors, STDERR_FILENO);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    return p;
}

static int wait_for(pid_t pid)
{
    int status;
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* All that was written to a file, which is closed. */
static char *take(int file)
{
    const off_t size = lseek(file, 0, SEEK_END);
    char *all = calloc((size_t)size + 1, 1);
    cr_assert_not_null(all);
    cr_assert_eq(pread(file, all, (size_t)size, 0), size);
    close(file);
    return all;
}

outcome engine_finish(process *p)
{
    outcome o = {.status = wait_for(p->pid), .hash = ""};
    char *output = take(p->output);
    o.errors = take(p->errors);
    o.report = json_loads(output, 0, NULL);
    free(output);
    const char *hash = json_string_value(json_object_get(o.report, "state_hash"));
    if (hash) o.hash = hash;
    const json_t *tallies = json_object_get(o.report, "tallies");
    o.tallies = tallies ? json_dumps(tallies, JSON_SORT_KEYS | JSON_COMPACT) : strdup("");
    return o;
}

bool engine_kill(process *p)
{
    kill(p->pid, SIGKILL);
    const int status = wait_for(p->pid);
    close(p->output);
    close(p->errors);
    cr_assert(status == 0 || status == -SIGKILL, "a run to be killed ended with status %d", status);
    return status == -SIGKILL;
}

void outcome_free(outcome *o)
{
    json_decref(o->report);
    free(o->tallies);
    free(o->errors);
    *o = (outcome){0};
}

/* The lines that tell of the faults that the report lists; only models that are made to have some may have any. */
static const char *lines_of_faults(const outcome *o, const char *options)
{
    static const char *const faulty[] = {"/stray.so", "/vain.so", "/careless.so", "/wander.so", "/scatter.so",
                                         "/herd.so", "/lists.so", "/near.so", "/around.so", "/world.so"};
    const json_t *faults = json_object_get(o->report, "faults");
    const char *lines = "";
    bool may = false;
    for (size_t i = 0; i < sizeof faulty / sizeof *faulty; i++) may |= strstr(options, faulty[i]) != NULL;
    cr_assert(json_is_array(faults) && (may || json_array_size(faults) == 0), "mass-engine %s: %s", options, o->errors);
    for (size_t i = 0; i < json_array_size(faults); i++)
        lines = text("%smass-engine: %s\n", lines, json_string_value(json_array_get(faults, i)));
    return lines;
}

outcome engine_run(const char *options)
{
    process p = engine_start(text("--quiet %s", options));
    const outcome o = engine_finish(&p);
    cr_assert_eq(o.status, 0, "status %d of mass-engine %s: %s", o.status, options, o.errors);
    cr_assert_str_eq(o.errors, lines_of_faults(&o, options), "mass-engine %s said: %s", options, o.errors);
    cr_assert_eq(strlen(o.hash), 32, "no state_hash from mass-engine %s", options);
    cr_assert_str_not_empty(o.tallies, "no tallies from mass-engine %s", options);
    return o;
}

const char *engine_result(const char *options)
{
    outcome o = engine_run(options);
    const char *result = text("%s %s", o.hash, o.tallies);
    outcome_free(&o);
    return result;
}

const char *engine_known_result(const char *options)
{
    enum { KNOWN_MOST = 512 };
    static struct {
        const char *options, *result;
    } known[KNOWN_MOST];
    static int count;
    for (int i = 0; i < count; i++)
        if (strcmp(known[i].options, options) == 0) return known[i].result;
    const char *result = engine_result(options);
    if (count < KNOWN_MOST) {
        known[count].options = text("%s", options);
        known[count++].result = result;
    }
    return result;
}

void engine_write(const char *options)
{
    outcome o = engine_run(options);
    outcome_free(&o);
}

void engine_refuse(const char *options, int status, const char *words)
{
    process p = engine_start(text("--quiet %s", options));
    outcome o = engine_finish(&p);
    cr_assert_eq(o.status, status, "status %d of mass-engine %s: %s", o.status, options, o.errors);
    cr_assert_not_null(strstr(o.errors, words), "no '%s' from mass-engine %s: %s", words, options, o.errors);
    cr_assert_eq(strchr(o.errors, '\n'), o.errors + strlen(o.errors) - 1, "not one line: %s", o.errors);
    cr_assert_null(o.report, "a report from mass-engine %s", options);
    outcome_free(&o);
}

int64_t tally_of(const outcome *o, const char *name)
{
    const json_t *value = json_object_get(json_object_get(o->report, "tallies"), name);
    cr_assert(json_is_integer(value), "the report has no integer tally %s", name);
    return json_integer_value(value);
}

/* ---- folders ---- */

static char root[PATH_MAX]; /* of this process */
static pid_t owner;

static int remove_below(const char *path, const struct stat *facts, int kind, struct FTW *where)
{
    (void)facts;
    (void)kind;
    if (where->level > 0) remove(path);
    return 0;
}

void folder_empty(const char *folder) { nftw(folder, remove_below, 8, FTW_DEPTH | FTW_PHYS); }

static void remove_root(void)
{
    if (getpid() != owner) return;
    folder_empty(root);
    rmdir(root);
}

const char *folder_make(void)
{
    static int count;
    if (!root[0]) {
        const char *temporary = getenv("TMPDIR");
        snprintf(root, sizeof root, "%s/mass-models-XXXXXX", temporary && *temporary ? temporary : "/tmp");
        cr_assert_not_null(mkdtemp(root), "%s cannot be made", root);
        owner = getpid();
        atexit(remove_root);
    }
    const char *folder = text("%s/%d", root, count++);
    cr_assert_eq(mkdir(folder, 0777), 0, "%s cannot be made", folder);
    return folder;
}

/* ---- checkpoints ---- */

static int by_step(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

int checkpoint_steps(const char *folder, bool others, uint64_t *steps, int most)
{
    DIR *entries = opendir(folder);
    cr_assert_not_null(entries, "%s cannot be read", folder);
    int count = 0;
    for (const struct dirent *e; (e = readdir(entries)) && count < most;) {
        int used = 0;
        if (sscanf(e->d_name, "ckpt-%12" SCNu64 ".h5%n", &steps[count], &used) == 1 && used == 20 &&
            e->d_name[used] == '\0')
            count++;
        else if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            cr_assert(others, "%s was left in the checkpoint folder", e->d_name);
    }
    closedir(entries);
    qsort(steps, (size_t)count, sizeof *steps, by_step);
    return count;
}

const char *checkpoint_path(const char *folder, uint64_t step)
{
    return text("%s/ckpt-%012" PRIu64 ".h5", folder, step);
}

/* A row's eight places a byte become bytes of 0 and 1. */
static void unpack(dataset *d, hid_t set)
{
    unsigned long long places;
    const hid_t extent = H5Aopen(set, "extent", H5P_DEFAULT);
    cr_assert_geq(H5Aread(extent, H5T_NATIVE_ULLONG, &places), 0);
    H5Aclose(extent);
    const size_t width = d->extents[d->rank - 1], rows = d->size / width;
    unsigned char *bytes = malloc(rows * places);
    for (size_t i = 0; i < rows * places; i++)
        bytes[i] = d->bytes[i / places * width + i % places / 8] >> i % places % 8 & 1;
    free(d->bytes);
    d->bytes = bytes;
    d->size = rows * places;
    d->extents[d->rank - 1] = places;
}

static dataset read_dataset(const char *path, const char *name, bool apart)
{
    dataset d = {0};
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    const hid_t space = H5Dget_space(set), stored = H5Dget_type(set);
    const hid_t type = H5Tget_native_type(stored, H5T_DIR_ASCEND);
    cr_assert_geq(type, 0, "%s has no %s", path, name);
    hsize_t extents[6];
    d.rank = H5Sget_simple_extent_ndims(space);
    cr_assert(d.rank >= 0 && d.rank <= 6);
    H5Sget_simple_extent_dims(space, extents, NULL);
    d.size = H5Tget_size(type);
    for (int a = 0; a < d.rank; a++) d.size *= d.extents[a] = (size_t)extents[a];
    d.bytes = malloc(d.size);
    cr_assert_not_null(d.bytes);
    cr_assert_geq(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, d.bytes), 0, "%s: %s cannot be read", path, name);
    if (apart && H5Aexists(set, "extent") > 0) unpack(&d, set);
    H5Tclose(type);
    H5Tclose(stored);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
    return d;
}

dataset dataset_read(const char *path, const char *name) { return read_dataset(path, name, true); }
dataset dataset_read_packed(const char *path, const char *name) { return read_dataset(path, name, false); }
