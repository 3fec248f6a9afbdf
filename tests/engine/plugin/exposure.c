/* SPDX-License-Identifier: Apache-2.0 */
#include "plugin/exposure.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[PATH_MAX], folder[PATH_MAX + 16], file[PATH_MAX + 32];

static void enter(void)
{
    char made[] = "/tmp/mass-exposure-XXXXXX";
    cr_assert(mkdtemp(made) && realpath(made, root));
    snprintf(folder, sizeof folder, "%s/plugins", root);
    snprintf(file, sizeof file, "%s/life.so", folder);
    cr_assert_eq(mkdir(folder, 0755), 0);
    fclose(fopen(file, "w"));
    chmod(file, 0644);
}

static void leave(void)
{
    unlink(file);
    rmdir(folder);
    rmdir(root);
}

TestSuite(exposure, .init = enter, .fini = leave);

static void expect_exposed(const char *expected)
{
    char where[PATH_MAX];
    cr_assert(mass_plugin_is_exposed(file, where));
    cr_assert_str_eq(where, expected);
}

static void expect_safe(void)
{
    char where[PATH_MAX];
    cr_assert_not(mass_plugin_is_exposed(file, where), "%s", where);
}

Test(exposure, a_file_that_its_owner_alone_writes_is_safe_below_tmp) { expect_safe(); }

Test(exposure, a_file_that_all_write_is_exposed)
{
    chmod(file, 0666);
    expect_exposed(file);
}

Test(exposure, a_folder_that_all_write_is_exposed)
{
    chmod(folder, 0777);
    expect_exposed(folder);
}

Test(exposure, so_is_one_further_up)
{
    chmod(root, 0777);
    expect_exposed(root);
}

Test(exposure, a_sticky_folder_keeps_the_files_of_the_user)
{
    chmod(folder, 01777);
    expect_safe();
}

Test(exposure, a_sticky_folder_exposes_the_files_of_others)
{
    if (geteuid() != 0) cr_skip_test("only root can give a file away");
    cr_assert_eq(chown(file, 12345, 12345), 0);
    chmod(folder, 01777);
    expect_exposed(folder);
}

Test(exposure, a_missing_file_is_left_to_loading)
{
    unlink(file);
    expect_safe();
}
