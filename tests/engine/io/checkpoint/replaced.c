/* SPDX-License-Identifier: Apache-2.0 */
/* A file that is replaced between its check and its reading: what is read is what was checked. */
#include "folder.h"
#include "models.h"
#include "snapshot/snapshot.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(checkpoint_replaced, .init = make_folder, .fini = remove_folder);

/* The child process puts another file in its place before it looks at the one that it was given: see
 * folder.c. */
static void replace_during_check(const char *by) { setenv("MASS_TEST_REPLACED_BY", by, 1); }

Test(checkpoint_replaced, by_another_one)
{
    mass_model m = small_model();
    mass_snapshot s = filled(&m, 1, 100), t = filled(&m, 1, 200), back = snapshot_of(&m, 1);
    char path[PATH_MAX], other[PATH_MAX], was[33], is[33];
    mass_error e = {0};
    mass_checkpoint *c;
    write_one(&s, path);
    write_one(&t, other);
    replace_during_check(other);
    cr_assert_eq(mass_checkpoint_open_probed(path, &c, &e), MASS_OK, "%s", e.text);
    cr_assert_eq(c->step, 100);
    cr_assert_eq(mass_checkpoint_read(c, &back, &e), MASS_OK, "%s", e.text);
    mass_snapshot_hash(&s, was);
    mass_snapshot_hash(&back, is);
    cr_assert_str_eq(is, was);
    mass_checkpoint_close(c);
    cr_assert_eq(mass_checkpoint_open(path, &c, &e), MASS_OK);
    cr_assert_eq(c->step, 200, "it was not replaced");
    mass_checkpoint_close(c);
    mass_snapshot_free(&back);
    mass_snapshot_free(&s);
    mass_snapshot_free(&t);
    mass_model_free(&m);
}

Test(checkpoint_replaced, by_garbage_that_nobody_reads)
{
    mass_model m = small_model();
    mass_snapshot s = filled(&m, 1, 100);
    char path[PATH_MAX], other[PATH_MAX];
    mass_error e = {0};
    mass_checkpoint *c;
    write_one(&s, path);
    touch("garbage");
    snprintf(other, sizeof other, "%s/garbage", folder);
    replace_during_check(other);
    cr_assert_eq(mass_checkpoint_open_probed(path, &c, &e), MASS_OK, "%s", e.text);
    mass_checkpoint_close(c);
    cr_assert_eq(mass_checkpoint_open(path, &c, &e), MASS_BAD_INPUT, "it was not replaced");
    mass_snapshot_free(&s);
    mass_model_free(&m);
}
