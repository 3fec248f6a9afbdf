/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a folder: which are checkpoints, which are kept, and what is cleared away. */
#include "folder.h"
#include "models.h"
#include "snapshot/snapshot.h"

#include <criterion/criterion.h>
#include <hdf5.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(checkpoint, .init = make_folder, .fini = remove_folder);

Test(checkpoint, keeps_the_newest)
{
    mass_model m = small_model();
    mass_error e = {0};
    touch("ckpt-notes.h5");
    for (uint64_t step = 1; step <= 5; step++) {
        mass_snapshot s = filled(&m, 1, step * 100);
        cr_assert_eq(try_write(&s, 2, NULL, &e), MASS_OK);
        mass_snapshot_free(&s);
    }
    cr_assert_eq(files_in_folder(), 3);
    cr_assert(is_there("ckpt-000000000500.h5") && is_there("ckpt-000000000400.h5") && is_there("ckpt-notes.h5"));
    mass_model_free(&m);
}

Test(checkpoint, never_prunes_what_it_just_wrote)
{
    mass_model m = small_model();
    mass_error e = {0};
    touch("ckpt-000000000800.h5");
    touch("ckpt-000000000900.h5");
    mass_snapshot s = filled(&m, 1, 10);
    cr_assert_eq(try_write(&s, 1, NULL, &e), MASS_OK);
    cr_assert(is_there("ckpt-000000000010.h5") && is_there("ckpt-000000000900.h5"));
    cr_assert_not(is_there("ckpt-000000000800.h5"));
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(checkpoint, list_is_newest_first_and_of_checkpoints_only)
{
    mass_checkpoint_names names;
    mass_error e = {0};
    touch("ckpt-000000000007.h5");
    touch("ckpt-1000000000000.h5");
    touch("ckpt-000000000300.h5");
    touch("ckpt-7.h5");
    touch("ckpt-0000000000007.h5");
    touch("ckpt-000000000007.h5~");
    touch(".ckpt-000000000007.1.host.tmp");
    cr_assert_eq(mass_checkpoint_list(folder, &names, &e), MASS_OK);
    cr_assert_eq(names.count, 3);
    cr_assert_eq(names.steps[0], 1000000000000);
    cr_assert_eq(names.steps[1], 300);
    cr_assert_eq(names.steps[2], 7);
    cr_assert_not_null(strstr(names.paths[2], "/ckpt-000000000007.h5"));
    mass_checkpoint_names_free(&names);
}

Test(checkpoint, list_of_a_missing_folder_says_so)
{
    mass_checkpoint_names names;
    mass_error e = {0};
    cr_assert_eq(mass_checkpoint_list("/nowhere/at-all", &names, &e), MASS_BAD_INPUT);
    cr_assert_not_null(strstr(e.text, "No such file"));
}

static void assert_not_one(const char *path, const char *words)
{
    mass_checkpoint *c;
    mass_error opened = {0}, probed = {0};
    cr_assert_eq(mass_checkpoint_open(path, &c, &opened), MASS_BAD_INPUT);
    cr_assert_null(c);
    cr_assert(strstr(opened.text, words) && strstr(opened.text, path), "%s", opened.text);
    cr_assert_eq(mass_checkpoint_probe(path, &probed), MASS_BAD_INPUT);
    cr_assert_str_eq(probed.text, opened.text);
}

Test(checkpoint, other_files_are_none)
{
    char path[PATH_MAX];
    touch("empty");
    snprintf(path, sizeof path, "%s/empty", folder);
    assert_not_one(path, "give a file that --checkpoint wrote");
    snprintf(path, sizeof path, "%s/pipe", folder);
    cr_assert_eq(mkfifo(path, 0600), 0);
    assert_not_one(path, "not a regular file");
    snprintf(path, sizeof path, "%s/plain.h5", folder);
    H5Fclose(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    assert_not_one(path, "not a checkpoint");
    assert_not_one("/nowhere/at-all", "No such file");
    assert_not_one("/dev/zero", "not a regular file");
    assert_not_one("/tmp", "not a regular file");
}
