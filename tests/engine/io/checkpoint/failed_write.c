/* SPDX-License-Identifier: Apache-2.0 */
/* A checkpoint that cannot be written leaves the previous one, and no half of its own. */
#include "folder.h"
#include "models.h"
#include "snapshot/snapshot.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(checkpoint, .init = make_folder, .fini = remove_folder);

/* Under a limit of file size every write either succeeds whole or leaves all as it was. In a child:
 * the limit holds for Criterion's own files too. */
Test(checkpoint, failing_write_leaves_the_previous_one)
{
    mass_model m = small_model();
    mass_snapshot s = filled(&m, 1, 100);
    struct stat facts;
    char path[PATH_MAX];
    write_one(&s, path);
    stat(path, &facts);
    for (off_t limit = 0; limit <= facts.st_size + 512; limit += 211) {
        const pid_t id = fork();
        if (id == 0) {
            mass_error e = {0};
            char name[PATH_MAX];
            setrlimit(RLIMIT_FSIZE, &(struct rlimit){(rlim_t)limit, RLIM_INFINITY});
            s.step = 200;
            const mass_status status = try_write(&s, 3, name, &e);
            if (status == MASS_OK) _exit(holds(name, &s) ? 0 : 10);
            _exit(status != MASS_FAILED || files_in_folder() != 1 || !strstr(e.text, "File too large") ? 11 : 1);
        }
        int how;
        waitpid(id, &how, 0);
        cr_assert(WIFEXITED(how), "a limit of %ld bytes ends in signal %d", (long)limit, WTERMSIG(how));
        cr_assert_eq(WEXITSTATUS(how), limit < facts.st_size, "limit %ld of %ld: %d", (long)limit, (long)facts.st_size,
                     WEXITSTATUS(how));
    }
    s.step = 100;
    cr_assert(holds(path, &s));
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(checkpoint, too_large_a_model_is_told_by_its_numbers)
{
    static const char *const words[] = {"8001 parameters", "8001 attributes", "8001 tallies"};
    const uint32_t many = MASS_CHECKPOINT_OBJECTS_MAX + 1;
    const mass_model models[] = {{.parameters.count = many}, {.attribute_count = many}, {.tally_count = many}};
    for (int i = 0; i < 3; i++) {
        mass_error e = {0};
        cr_assert_eq(mass_checkpoint_check_model(&models[i], &e), MASS_BAD_PLUGIN);
        cr_assert_not_null(strstr(e.text, words[i]), "%s", e.text);
    }
}

/* Two checkpoints on a disk of so many pages. Whether both could be written; where not, the first is still there. */
static bool both_fit(mass_snapshot *s, int pages)
{
    mass_error e = {0};
    char size[32], first[PATH_MAX], second[PATH_MAX];
    bool whole = true, clean = true, kept = true;
    snprintf(size, sizeof size, "size=%dk", pages * 4);
    if (mount("tmpfs", folder, "tmpfs", 0, size) != 0) cr_skip_test("a small disk cannot be mounted here");
    s->step = 100;
    mass_status status = try_write(s, 3, first, &e);
    if (status == MASS_OK) {
        s->step = 200;
        status = try_write(s, 3, second, &e);
        whole = status != MASS_OK || holds(second, s);
        clean = status == MASS_OK || (files_in_folder() == 1 && strstr(e.text, "No space left"));
        s->step = 100;
        kept = holds(first, s);
    }
    umount2(folder, MNT_DETACH);
    cr_assert(whole && clean && kept, "%d pages: %d %d %d: %s", pages, whole, clean, kept, e.text);
    return status == MASS_OK;
}

/* The same on a disk that is full, for every page that can be missing. */
Test(checkpoint, full_disk_leaves_the_previous_one)
{
    mass_model m = small_model();
    mass_snapshot s = filled(&m, 1, 100);
    int failed = 0, written = 0;
    for (int pages = 1; pages <= 12; pages++) both_fit(&s, pages) ? written++ : failed++;
    cr_assert(failed > 0 && written > 0);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(checkpoint, missing_folder_is_a_failure_in_words)
{
    mass_model m = small_model();
    mass_snapshot s = filled(&m, 1, 100);
    mass_error e = {0};
    const mass_checkpoint_settings settings = {.folder = "/nowhere/at-all", .keep = 3};
    cr_assert_eq(mass_checkpoint_write(&settings, &s, NULL, &e), MASS_FAILED);
    cr_assert_not_null(strstr(e.text, "No such file or directory"), "%s", e.text);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}
