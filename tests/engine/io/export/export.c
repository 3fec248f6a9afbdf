/* SPDX-License-Identifier: Apache-2.0 */
/* The index of an export names files that are there, whatever fails, and disk space is reserved for a whole file. This
 * program's fsync fails when it is told to, and its fallocate notes what is asked for. */
#include "io/export/format.h"
#include "snapshot/snapshot.h"

#include "../checkpoint/folder.h"
#include "../checkpoint/models.h"
#include "../../crowd.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <hdf5.h>
#include <hdf5_hl.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

TestSuite(fields, .init = make_folder, .fini = remove_folder);

static int calls, failing; /* of fsync; which one fails, from 1 */

int fsync(int file)
{
    if (++calls == failing) {
        errno = EIO;
        return -1;
    }
    return (int)syscall(SYS_fsync, file);
}

static off_t reserved; /* by the last fallocate */

int fallocate(int file, int mode, off_t from, off_t bytes)
{
    reserved = bytes;
    return (int)syscall(SYS_fallocate, file, mode, from, bytes);
}

static mass_ownership owner(void)
{
    mass_ownership o = {.facts = {.seed = 7}};
    memset(o.facts.identity, 'a', 32);
    memset(o.facts.run, 'b', 32);
    memset(o.facts.plugin_hash, 'c', 32);
    return o;
}

static char *read_index(void)
{
    static char text[100000];
    char path[128];
    snprintf(path, sizeof path, "%s/fields.xmf", folder);
    FILE *from = fopen(path, "r");
    if (!from) return NULL;
    text[fread(text, 1, sizeof text - 1, from)] = '\0';
    fclose(from);
    return text;
}

/* Names of step files in the index, each of which has to be there; and no other file. */
static int expect_files(int call)
{
    int steps = 0;
    for (const char *at = read_index(); at && (at = strstr(at, "<Time Value=\"")); at++, steps++) {
        char name[64];
        snprintf(name, sizeof name, "fields-%012d.h5", atoi(at + 13));
        cr_assert(is_there(name), "fsync %d failed, and %s is named and not there", call, name);
    }
    cr_assert_eq(files_in_folder(), steps + (read_index() != NULL), "fsync %d failed, and something was left", call);
    return steps;
}

/* Three steps, of which one or none fails. */
static void write_all(const mass_model *m, const mass_ownership *o, int call)
{
    mass_export *f;
    mass_error e = {0};
    const mass_export_plan plan = {.folder = folder, .owner = o};
    cr_assert_eq(mass_export_create(&plan, m, &f, &e), MASS_OK, "%s", e.text);
    calls = 0;
    failing = call;
    bool good = mass_export_begin(f, NULL, &e) == MASS_OK;
    for (uint64_t step = 10; good && step <= 30; step += 10) {
        mass_error problem = {0};
        mass_snapshot s = filled(m, 1, step);
        const bool added = mass_export_add(f, &s, &problem) == MASS_OK;
        cr_assert(added || problem.status == MASS_FAILED);
        cr_assert(!added || mass_export_has(f, step));
        mass_snapshot_free(&s);
    }
    failing = 0;
    mass_export_free(f);
}

/* What an attribute is called as goes by another name, and both are there. */
Test(fields, axes_leave_their_names_to_attributes)
{
    mass_model m = small_model();
    const mass_ownership o = owner();
    char path[128];
    add_attribute(&m, "grid", "x", MASS_F32, 3);
    write_all(&m, &o, 0);
    snprintf(path, sizeof path, "%s/fields-000000000020.h5", folder);
    const hid_t f = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), x = H5Dopen2(f, "/places/grid/x", H5P_DEFAULT);
    static const char *const names[] = {"z", "y", "x-axis", "x-component"};
    for (unsigned i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "/places/grid/%s", names[i]);
        const hid_t scale = H5Dopen2(f, path, H5P_DEFAULT);
        cr_expect(scale >= 0 && H5DSis_scale(scale) > 0 && H5DSis_attached(x, scale, i) > 0, "%s", path);
        H5Dclose(scale);
    }
    H5Dclose(x);
    H5Fclose(f);
    mass_model_free(&m);
}

Test(fields, index_names_what_is_there_whichever_fsync_fails)
{
    mass_model m = small_model();
    const mass_ownership o = owner();
    write_all(&m, &o, 0);
    const int all = calls;
    cr_assert_geq(all, 14);
    for (int call = 1; call <= all; call++) {
        remove_folder();
        make_folder();
        write_all(&m, &o, call);
        const int steps = expect_files(call);
        cr_assert(steps == 3 || (steps < 3 && call <= all), "%d steps", steps);
        write_all(&m, &o, 0); /* and the run begins anew there */
        cr_assert_eq(expect_files(call), 3);
    }
    mass_model_free(&m);
}

/* Bits are bytes in an export, and vectors of agents are there twice. */
Test(fields, space_is_reserved_for_all_that_is_written)
{
    enum { WORLDS = 2, SIDE = 1024 /* a chunk of a file */, AGENTS = 20000 };
    mass_model m = small_model();
    const mass_ownership o = owner();
    mass_error e = {0};
    mass_snapshot s;
    struct stat facts;
    char path[PATH_MAX];
    add_space(&m, "flats", 2, SIDE, SIDE, 0);
    add_attribute(&m, "flats", "lit", MASS_BIT, 1);
    mass_model_add_population(&m, &(mass_population){.name = "birds", .space = "flats"}, &e);
    mass_model_add_attribute(&m, &(mass_attribute){.population = "birds", .name = "position", .type = MASS_F32,
                                                   .length = 2, .position = 1}, &e);
    mass_model_add_attribute(&m, &(mass_attribute){.population = "birds", .name = "heading", .type = MASS_F64,
                                                   .length = 2}, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
    cr_assert_eq(mass_snapshot_allocate(&s, &m, WORLDS, (const uint64_t[MASS_POPULATIONS_MAX]){AGENTS}, &e), MASS_OK);
    crowd_stand_all(&s);
    cr_assert_eq(mass_export_write(folder, &o, &s, &e), MASS_OK, "%s", e.text);
    cr_assert(mass_export_name(folder, 0, path) && stat(path, &facts) == 0);
    cr_expect_geq(facts.st_size, WORLDS * SIDE * SIDE + AGENTS * (28 + 16 + 24));
    cr_expect_geq(reserved, facts.st_size, "%lld bytes for %lld", (long long)reserved, (long long)facts.st_size);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}
