/* SPDX-License-Identifier: Apache-2.0 */
/* A file gets its name, and takes no other's place; one that was left under a temporary name goes. */
#include "io/folder/publish.h"
#include "io/folder/temporary.h"

#include "../checkpoint/folder.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char target[128];

static void make(void)
{
    make_folder();
    snprintf(target, sizeof target, "%s/target", folder);
}

TestSuite(publish, .init = make, .fini = remove_folder);
TestSuite(temporary, .init = make, .fini = remove_folder);

static bool never(const void *context, const char *path)
{
    (void)context;
    (void)path;
    return false;
}

static bool always(const void *context, const char *path)
{
    (void)context;
    (void)path;
    return true;
}

static mass_temporary with_text(const char *text)
{
    mass_temporary t;
    cr_assert(mass_temporary_make(target, &t));
    cr_assert_eq(write(t.file, text, strlen(text)), (ssize_t)strlen(text));
    return t;
}

static void assert_text(const char *path, const char *text)
{
    char found[20] = "";
    FILE *from = fopen(path, "r");
    cr_assert_not_null(from);
    found[fread(found, 1, sizeof found - 1, from)] = '\0';
    fclose(from);
    cr_assert_str_eq(found, text);
}

Test(publish, a_new_name)
{
    mass_temporary t = with_text("new");
    cr_assert(mass_publish(t.path, target, never, NULL));
    mass_temporary_end(&t);
    assert_text(target, "new");
    cr_assert_eq(files_in_folder(), 1);
}

Test(publish, what_is_there_stays_or_goes)
{
    mass_temporary t = with_text("new");
    touch("target");
    cr_assert_not(mass_publish(t.path, target, never, NULL));
    cr_assert_eq(errno, EEXIST);
    assert_text(target, "");
    cr_assert(mass_publish(t.path, target, always, NULL));
    mass_temporary_end(&t);
    assert_text(target, "new");
}

Test(publish, a_link_is_replaced_and_not_followed)
{
    char victim[128];
    mass_temporary t = with_text("new");
    snprintf(victim, sizeof victim, "%s/victim", folder);
    touch("victim");
    cr_assert_eq(symlink("victim", target), 0);
    cr_assert_not(mass_publish(t.path, target, never, NULL));
    cr_assert(mass_publish(t.path, target, always, NULL));
    mass_temporary_end(&t);
    assert_text(victim, "");
    assert_text(target, "new");
}

/* Of many that give the same name at once to files of their own, one succeeds. */
Test(publish, one_of_many)
{
    enum { PROCESSES = 8 };
    for (int round = 0; round < 20; round++) {
        pid_t ids[PROCESSES];
        int won = 0;
        for (int i = 0; i < PROCESSES; i++)
            if ((ids[i] = fork()) == 0) {
                mass_temporary t = with_text("new");
                const bool named = mass_publish(t.path, target, never, NULL);
                mass_temporary_end(&t);
                _exit(named);
            }
        for (int i = 0; i < PROCESSES; i++) {
            int how;
            cr_assert_eq(waitpid(ids[i], &how, 0), ids[i]);
            cr_assert(WIFEXITED(how));
            won += WEXITSTATUS(how);
        }
        cr_assert_eq(won, 1);
        cr_assert_eq(files_in_folder(), 1);
        unlink(target);
    }
}

/* ---- temporary files ---- */

Test(temporary, of_a_live_writer_stays_and_of_a_killed_one_goes)
{
    int ends[2];
    char ready;
    cr_assert_eq(pipe(ends), 0);
    const pid_t id = fork();
    if (id == 0) {
        with_text("half");
        if (write(ends[1], "", 1) != 1) _exit(1);
        for (;;) pause();
    }
    cr_assert_eq(read(ends[0], &ready, 1), 1);
    mass_temporary t = with_text("other");
    cr_assert_eq(files_in_folder(), 2);
    kill(id, SIGKILL);
    waitpid(id, NULL, 0);
    mass_temporary second = with_text("second");
    cr_assert_eq(files_in_folder(), 2, "what the killed one left is there, or too much is gone");
    mass_temporary_end(&second);
    mass_temporary_end(&t);
    cr_assert_eq(files_in_folder(), 0);
}

Test(temporary, only_of_this_name_and_this_form)
{
    touch(".target.tmp"), touch(".target.0123-1.tmp"), touch(".target.0123456789abcdef-x.tmp");
    touch(".target2.0123456789abcdef-0.tmp"), touch(".target.0123456789abcdef-0.tmpx");
    touch(".target.0123456789abcdef-0.tmp");
    mass_temporary t = with_text("new");
    cr_assert_eq(files_in_folder(), 6);
    cr_assert_not(is_there(".target.0123456789abcdef-0.tmp"));
    mass_temporary_end(&t);
}
