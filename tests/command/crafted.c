/* SPDX-License-Identifier: Apache-2.0 */
/* HDF5 files that were crafted to mislead a reader, given to every option that takes such a file. The command refuses
 * the file in one line that names it, soon and in bounded memory. It reads the file if the content is the same as
 * before. It reads and changes no other file. */
#include "command.h"
#include "crafting/crafting.h"
#include "../extended.h"
#include "process/sanitized.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

TestSuite(crafted, SCRATCH, .timeout = 3000);

enum { SECONDS = 30, MEMORY_MOST_KIB = 3 << 20, ARGUMENTS_MOST = 24 };

/* What takes a file: its whole one, where it lies in a folder, and the arguments that read it there. */
typedef struct role {
    int number;
    const char *name, *whole, *beside; /* beside: another file of the folder that is there too, or NULL */
    const char *group, *set;
    const char *const *(*arguments)(const char *folder, const char *file);
} role;

static const char *const *keep_arguments(const char *const arguments[])
{
    const char **copy = kept(calloc(ARGUMENTS_MOST, sizeof *copy));
    for (size_t i = 0; arguments[i]; i++) copy[i] = arguments[i];
    return copy;
}

/* ---- one file in one role ---- */

typedef struct trial {
    const role *role;
    const craft *craft;
    const char *folder, *file, *victim;
    content crafted, untouched;
} trial;

/* Beside the folder lies another file of the kind, to which links lead. */
static void prepare(trial *t)
{
    t->folder = folder_make(scratch(path_of("%s-%s", t->role->name, t->craft->name)));
    t->file = path_of("%s/%s", t->folder, strrchr(t->role->whole, '/') + 1);
    t->victim = path_of("%s/victim.h5", t->folder);
    file_copy(t->role->whole, t->file);
    file_copy(t->role->whole, t->victim);
    if (t->role->beside)
        file_copy(t->role->beside, path_of("%s/%s", t->folder, strrchr(t->role->beside, '/') + 1));
    const craft_scene scene = {.path = t->file, .group = t->role->group, .set = t->role->set, .victim = t->victim};
    t->craft->make(&scene);
    t->crafted = file_read(t->file);
    t->untouched = file_read(t->victim);
}

static bool is_same(const char *path, const content *before)
{
    const content after = file_read(path);
    return after.size == before->size && memcmp(after.bytes, before->bytes, after.size) == 0;
}

static void check(const trial *t, outcome o)
{
    const char *name = path_of("%s as %s", t->craft->name, t->role->name);
    cr_expect(!o.hung && o.signal == 0, "%s: %s %d: %s", name, o.hung ? "hangs" : "signal", o.signal, o.err);
    /* Soft links within a file of others are followed. */
    const bool within = strcmp(t->role->name, "load") == 0 &&
                        (strcmp(t->craft->name, "soft-group") == 0 || strcmp(t->craft->name, "soft-set") == 0);
    const bool may_read = t->craft->kind == CRAFT_HARMLESS || within;
    cr_expect(o.status == MASS_BAD_INPUT || (may_read && (o.status == MASS_OK || o.status == MASS_BAD_USAGE)),
              "%s: status %d: %s", name, o.status, o.err);
    cr_expect(is_same(t->victim, &t->untouched), "%s: another file was changed", name);
    if (o.status != MASS_BAD_INPUT) return;
    cr_expect(line_count(o.err) == 1 && strncmp(o.err, "mass-engine: ", 13) == 0, "%s: not one line: %s", name, o.err);
    cr_expect(strstr(o.err, strrchr(t->file, '/') + 1), "%s: the file is not named: %s", name, o.err);
    for (const unsigned char *c = (const unsigned char *)o.err; *c; c++)
        cr_expect(*c == '\n' || (*c >= 0x20 && *c != 0x7f), "%s: not for a terminal: %s", name, o.err);
    cr_expect(o.out[0] == '\0' && is_same(t->file, &t->crafted), "%s: something was written", name);
}

/* Links out of the file are tried in every role, where that is soon done. Of the others, which each role meets in the
 * long run, a role takes every sixth, and all of them together all. */
static bool is_taken(const role *r, size_t number)
{
    enum { LINKS = 16, ROLES = 6 };
    const craft_scene scene = {.group = r->group};
    return craft_applies(craft_at(number), &scene) &&
           ((number < LINKS && !MASS_SANITIZED) || (int)(number % ROLES) == r->number || extended(0, 1));
}

static void change_nothing(const craft_scene *scene) { (void)scene; }

/* The whole file is taken: what is refused is so for what was changed. */
static void try_whole(const role *r)
{
    static const craft none = {"whole", change_nothing, CRAFT_HARMLESS};
    trial t = {.role = r, .craft = &none};
    prepare(&t);
    DONE(command_run(NULL, r->arguments(t.folder, t.file)));
}

static void try_all(const role *r)
{
    struct rusage used;
    H5dont_atexit();
    try_whole(r);
    for (size_t i = 0; craft_at(i); i++) {
        trial t = {.role = r, .craft = craft_at(i)};
        if (!is_taken(r, i)) continue;
        prepare(&t);
        check(&t, command_run(&(const setting){.seconds = SECONDS}, r->arguments(t.folder, t.file)));
    }
    getrusage(RUSAGE_CHILDREN, &used);
    cr_expect_leq(used.ru_maxrss, MEMORY_MOST_KIB, "%ld KiB were needed", used.ru_maxrss);
}

/* What the roles start from: HDF5's latest format, in which attributes may be many and large. */
static hid_t create_file(const char *path)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    cr_assert_geq(file, 0);
    H5Pclose(access);
    return file;
}

/* ---- checkpoints and series ---- */

static const char *make_run(void)
{
    DONE(RUN("--plugin", shipped("life"), "--size", "24x18", "--seed", "3", "--quiet", "--steps", "12", "--log",
             "population", "--checkpoint", scratch("run")));
    return scratch("run");
}

static const char *const *resume_file(const char *folder, const char *file)
{
    (void)folder;
    return keep_arguments(ARGUMENTS("--resume", file, "--plugin", shipped("life"), "--steps", "14", "--json",
                                    "--quiet"));
}

Test(crafted, checkpoint)
{
    const char *run = make_run();
    const role r = {0, "checkpoint", path_of("%s/ckpt-000000000012.h5", run), NULL, "/places/grid",
                    "/places/grid/health", resume_file};
    try_all(&r);
}

static const char *const *resume_folder(const char *folder, const char *file)
{
    (void)file;
    return keep_arguments(ARGUMENTS("--resume", folder, "--plugin", shipped("life"), "--steps", "14", "--json",
                                    "--quiet", "--checkpoint", folder));
}

/* Rows are added to it. */
Test(crafted, series_that_a_resumed_run_goes_on_with)
{
    const char *run = make_run();
    const role r = {1, "series", path_of("%s/series.h5", run), path_of("%s/ckpt-000000000012.h5", run), "/series",
                    "/series/population", resume_folder};
    try_all(&r);
}

Test(crafted, steps_of_a_series_that_a_resumed_run_goes_on_with)
{
    const char *run = make_run();
    const role r = {2, "steps", path_of("%s/series.h5", run), path_of("%s/ckpt-000000000012.h5", run), "/series",
                    "/series/step", resume_folder};
    try_all(&r);
}

static const char *const *plot(const char *folder, const char *file)
{
    (void)folder;
    return keep_arguments(ARGUMENTS("plot", file, "population"));
}

Test(crafted, series_that_is_drawn)
{
    const role r = {3, "plot", path_of("%s/series.h5", make_run()), NULL, "/series", "/series/population", plot};
    try_all(&r);
}

/* ---- numbers and tables ---- */

static void put_set(hid_t file, const char *name, hid_t type, int rank, const hsize_t *extent, const void *values)
{
    const hid_t space = H5Screate_simple(rank, extent, NULL), list = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(list, 1);
    const hid_t set = H5Dcreate2(file, name, type, space, list, H5P_DEFAULT, H5P_DEFAULT);
    cr_assert(set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(set);
    H5Pclose(list);
    H5Sclose(space);
}

static const char *const *load(const char *folder, const char *file)
{
    (void)folder;
    return keep_arguments(ARGUMENTS("--plugin", shipped("life"), "--size", "6x5", "--steps", "1", "--seed", "1",
                                    "--load", path_of("health=%s:/g/health", file), "--json", "--quiet"));
}

Test(crafted, numbers_that_are_loaded)
{
    static const uint8_t health[30] = {0, 1, 1, 1, 0};
    const char *path = scratch("numbers.h5");
    const hid_t file = create_file(path);
    put_set(file, "/g/health", H5T_STD_U8LE, 2, (const hsize_t[]){5, 6}, health);
    H5Fclose(file);
    const role r = {4, "load", path, NULL, "/g", "/g/health", load};
    try_all(&r);
}

static const char *const *start_with(const char *folder, const char *file)
{
    (void)folder;
    return keep_arguments(ARGUMENTS("--plugin", bad_plugin("table"), "--set", path_of("folk_table=%s", file), "--seed",
                                    "1", "--steps", "1", "--json", "--quiet"));
}

Test(crafted, table_of_agents)
{
    static const int32_t x[3] = {1, 2, 3}, y[3] = {3, 2, 1};
    const char *path = scratch("folk.h5");
    const hid_t file = create_file(path);
    put_set(file, "/x", H5T_STD_I32LE, 1, (const hsize_t[]){3}, x);
    put_set(file, "/y", H5T_STD_I32LE, 1, (const hsize_t[]){3}, y);
    H5Fclose(file);
    const role r = {5, "table", path, NULL, "/", "/x", start_with};
    try_all(&r);
}

/* Found by fuzzing: HDF5 goes round in it for good as a data set is opened. */
Test(crafted, table_that_never_ends)
{
    const char *path = path_of("%s/../tests/command/endless.h5", getenv("MASS_DATA"));
    if (extended(0, 1))
        REFUSED(command_run(NULL, start_with(NULL, path)), MASS_BAD_INPUT, "endless.h5", "without an end");
}
