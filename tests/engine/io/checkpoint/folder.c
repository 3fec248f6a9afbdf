/* SPDX-License-Identifier: Apache-2.0 */
#include "folder.h"
#include "snapshot/snapshot.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((constructor)) static void be_probe(int count, char **arguments)
{
    if (count != 3 || strcmp(arguments[1], "--probe-checkpoint") != 0) return;
    const char *by = getenv("MASS_TEST_REPLACED_BY");
    if (by && rename(by, arguments[2]) != 0) _exit(99);
    _exit(mass_checkpoint_answer_probe(arguments[2]));
}

/* HDF5 1.10 forgets the memory of a file that it could not close. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libhdf5"; }

char folder[64];

void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/mass-checkpoint-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    signal(SIGXFSZ, SIG_IGN);
}

void remove_folder(void)
{
    DIR *entries = opendir(folder);
    for (const struct dirent *e; entries && (e = readdir(entries));) unlinkat(dirfd(entries), e->d_name, 0);
    if (entries) closedir(entries);
    rmdir(folder);
}

mass_status try_write(const mass_snapshot *s, uint32_t keep, char path[PATH_MAX], mass_error *e)
{
    const mass_checkpoint_settings settings = {.folder = folder, .every = 50, .keep = keep, .last_step = 900};
    return mass_checkpoint_write(&settings, s, path, e);
}

void write_one(const mass_snapshot *s, char path[PATH_MAX])
{
    mass_error e = {0};
    cr_assert_eq(try_write(s, 0, path, &e), MASS_OK, "%s", e.text);
}

int files_in_folder(void)
{
    int count = 0;
    DIR *entries = opendir(folder);
    for (const struct dirent *e; (e = readdir(entries));) count += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
    closedir(entries);
    return count;
}

bool is_there(const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

void touch(const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    close(open(path, O_CREAT | O_WRONLY, 0666));
}

mass_status hash_in(const char *path, const mass_model *m, char hex[33], mass_error *e)
{
    mass_checkpoint *c;
    mass_snapshot back;
    uint64_t agents[MASS_POPULATIONS_MAX];
    mass_status status = mass_checkpoint_open(path, &c, e);
    if (status != MASS_OK) return status;
    mass_checkpoint_agents(c, m, agents);
    cr_assert_eq(mass_snapshot_allocate(&back, m, c->worlds, agents, e), MASS_OK);
    status = mass_checkpoint_read(c, &back, e);
    if (status == MASS_OK) mass_snapshot_hash(&back, hex);
    mass_snapshot_free(&back);
    mass_checkpoint_close(c);
    return status;
}

void assert_comes_back_into(const mass_model *m, const mass_snapshot *s)
{
    mass_error e = {0};
    char path[PATH_MAX], was[33], is[33];
    write_one(s, path);
    mass_snapshot_hash(s, was);
    cr_assert_eq(hash_in(path, m, is, &e), MASS_OK, "%s", e.text);
    cr_assert_str_eq(is, was);
}

void assert_h5py_reads(const char *path, const char *script)
{
    char command[PATH_MAX + 4096];
    if (system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") != 0)
        cr_skip_test("h5py is not there: install python3-h5py");
    snprintf(command, sizeof command, "/usr/bin/python3 -c \"%s\" %s", script, path);
    cr_assert_eq(system(command), 0);
}
