/* SPDX-License-Identifier: Apache-2.0 */
/* What is said when a process dies, and of whom. Each test crashes a child. */
#include "process/crash.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void crash(void)
{
    static volatile uintptr_t nowhere = 8;
    *(volatile int *)nowhere = 1;
}

/* All that a child says that runs this with the handlers installed; it has to die of the signal. */
static const char *last_words(void (*die)(void), int number)
{
    static char text[8192];
    int ends[2], how;
    cr_assert_eq(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        mass_crash_install(false);
        die();
        _exit(0);
    }
    close(ends[1]);
    size_t used = 0;
    for (ssize_t got; (got = read(ends[0], text + used, sizeof text - 1 - used)) > 0; used += (size_t)got) {}
    text[used] = '\0';
    close(ends[0]);
    cr_assert_eq(waitpid(child, &how, 0), child);
    cr_assert(WIFSIGNALED(how) && WTERMSIG(how) == number, "%x: %s", (unsigned)how, text);
    return text;
}

static void die_in_a_callback(void)
{
    mass_crash_where("life", "grow", 7);
    crash();
}

Test(crash, in_a_callback_is_the_plugins)
{
    cr_assert_str_eq(last_words(die_in_a_callback, SIGSEGV),
                     "mass-engine: life crashed with a bad memory access (SIGSEGV) in grow, step 7; a run resumes "
                     "from its last checkpoint\n");
}

static void die_of_a_trap(void)
{
    mass_crash_where("life", "grow", 7);
    raise(SIGTRAP);
}
static void die_of_a_system_call(void)
{
    mass_crash_where("life", "grow", 7);
    raise(SIGSYS);
}

Test(crash, by_a_trap_or_a_forbidden_system_call_is_said)
{
    cr_assert_not_null(strstr(last_words(die_of_a_trap, SIGTRAP),
                              "life crashed with a trap (SIGTRAP) in grow, step 7;"));
    cr_assert_not_null(strstr(last_words(die_of_a_system_call, SIGSYS),
                              "life crashed with a forbidden system call (SIGSYS) in grow, step 7;"));
}

static void die_between_callbacks(void)
{
    mass_crash_where("life", NULL, 7);
    abort();
}

Test(crash, between_callbacks_is_the_engines)
{
    cr_assert_str_eq(last_words(die_between_callbacks, SIGABRT),
                     "mass-engine: crashed with an abort (SIGABRT); a run resumes from its last checkpoint\n");
}

static void *write_badly(void *unused)
{
    mass_crash_engine_thread();
    crash();
    return unused;
}

static void die_beside_a_callback(void)
{
    pthread_t writer;
    mass_crash_where("life", "grow", 7);
    pthread_create(&writer, NULL, write_badly, NULL);
    pthread_join(writer, NULL);
}

Test(crash, of_an_engine_thread_beside_a_callback_is_the_engines)
{
    cr_assert_str_eq(last_words(die_beside_a_callback, SIGSEGV),
                     "mass-engine: crashed with a bad memory access (SIGSEGV); a run resumes from its last "
                     "checkpoint\n");
}

static void die_with_a_seed(void)
{
    mass_crash_seed(42);
    die_in_a_callback();
}

Test(crash, says_a_seed_that_was_drawn)
{
    cr_assert_not_null(strstr(last_words(die_with_a_seed, SIGSEGV), " in grow, step 7, seed 42; "));
}

static void die_under_a_long_path(void)
{
    char path[4096];
    memset(path, 'a', sizeof path);
    path[sizeof path - 1] = '\0';
    path[10] = '\n';
    mass_crash_where(path, "loading", MASS_NO_STEP);
    crash();
}

Test(crash, says_all_of_a_long_path_in_one_line)
{
    const char *line = last_words(die_under_a_long_path, SIGSEGV);
    cr_assert_eq(strchr(line, '\n'), line + strlen(line) - 1);
    cr_assert_gt(strlen(line), 4095);
    cr_assert_not_null(strstr(line, " in loading; a run resumes from its last checkpoint\n"));
}
