/* SPDX-License-Identifier: Apache-2.0 */
/* A checkpoint of format 1, whose hashes are of version 1, is held against them. */
#include "folder.h"
#include "refused.h"

#include "../../expect.h"

#include <stdio.h>
#include <stdlib.h>

TestSuite(first_format, .init = make_folder, .fini = remove_folder);

/* A copy of what another version wrote. */
static const char *copy(void)
{
    static char path[80], command[200];
    snprintf(path, sizeof path, "%s/first.h5", folder);
    snprintf(command, sizeof command, "cp '%s' '%s'", MASS_FORMAT_1, path);
    cr_assert_eq(system(command), 0);
    return path;
}

Test(first_format, is_verified)
{
    mass_checkpoint *c = NULL;
    EXPECT_OK(mass_checkpoint_verify(copy(), e));
    EXPECT_OK(mass_checkpoint_open(copy(), &c, e));
    cr_assert_eq(c->hash_version, 1);
    mass_checkpoint_close(c);
}

static void expect_refused(void (*change)(hid_t file), const char *words)
{
    const char *path = copy();
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    change(file);
    H5Fclose(file);
    assert_refused_by_all(path, words);
}

static void change_values(hid_t file)
{
    set_values(file, "/places/grid/health", H5T_STD_U8LE, (uint8_t[2 * 24 * 16]){1, 1, 1});
}
static void change_step(hid_t file) { set_number(file, "/", "step", 11); }
static void raise_format(hid_t file) { set_number(file, "/", "format_version", 2); }

Test(first_format, that_was_changed_is_refused)
{
    expect_refused(change_values, "the values of 'health' are not those written");
    expect_refused(change_step, "its state_hash is not that of its contents");
    expect_refused(raise_format, "state_hash_version");
}
