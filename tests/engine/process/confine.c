/* SPDX-License-Identifier: Apache-2.0 */
/* What a confined process cannot do any more, and what it still can. Each attempt is a process of its own. */
#include "process/confine.h"
#include "process/sanitized.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/mass-confine-XXXXXX", file[64], other[64];
static int reading; /* the file, open for reading */

static void put_text(const char *path)
{
    FILE *to = fopen(path, "w");
    cr_assert(to && fputs("text", to) >= 0);
    fclose(to);
}

static void set_up(void)
{
    cr_assert_not_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/file", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    put_text(file);
    put_text(other);
    reading = open(file, O_RDONLY);
}

static void tear_down(void)
{
    close(reading);
    unlink(file);
    unlink(other);
    rmdir(folder);
}

TestSuite(confine, .init = set_up, .fini = tear_down);

/* Whether an attempt succeeds in a process, which is confined or not. */
static bool can(bool (*attempt)(void), bool confined)
{
    int how;
    fflush(NULL);
    const pid_t id = fork();
    if (id == 0) {
        if (confined) mass_confine();
        _exit(attempt() ? 0 : 1);
    }
    waitpid(id, &how, 0);
    cr_assert(WIFEXITED(how), "it died of signal %d", WTERMSIG(how));
    return WEXITSTATUS(how) == 0;
}

static bool open_for_writing(void) { return open(file, O_WRONLY) >= 0; }
static bool open_for_both(void) { return open(file, O_RDWR) >= 0; }
static bool make_file(void) { return open("/tmp/mass-confine-new", O_RDONLY | O_CREAT, 0600) >= 0; }
static bool empty_file(void) { return open(other, O_RDONLY | O_TRUNC) >= 0; }
static bool make_socket(void) { return socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }
static bool make_inet_socket(void) { return socket(AF_INET, SOCK_STREAM, 0) >= 0; }
static bool remove_file(void) { return unlink(other) == 0; }
static bool rename_file(void) { return rename(other, file) == 0; }
static bool make_folder(void) { return mkdir(other, 0700) == 0 || errno == EEXIST; }
static bool change_mode(void) { return chmod(other, 0600) == 0; }
static bool link_file(void) { return symlink("/", "/tmp/mass-confine-new") == 0; }
static bool cut_file(void) { return truncate(other, 0) == 0; }
static bool become_another(void) { return execl("/bin/true", "true", NULL) == 0; } /* true exits with 0 */
static bool make_process(void)
{
    const pid_t id = fork();
    if (id == 0) _exit(0);
    return id > 0;
}
static bool trace_parent(void) { return ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) == 0; }
static bool signal_parent(void) { return kill(getppid(), 0) == 0; }
static bool make_code(void)
{
    return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}
static bool write_elsewhere(void)
{
    return write(open("/dev/null", O_WRONLY), "x", 1) == 1;
}
static bool open_other(void) { return open(other, O_RDONLY) >= 0; }

Test(confine, keeps_from_all_but_reading)
{
    bool (*const attempts[])(void) = {open_for_writing, open_for_both, make_file, empty_file, make_socket,
        make_inet_socket, rename_file, make_folder, change_mode, link_file, cut_file, become_another, make_process,
        signal_parent, write_elsewhere, remove_file};
    cr_assert(mass_confinement_available().seccomp, "seccomp is not to be had here");
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++)
        cr_expect_not(can(attempts[i], true), "attempt %zu succeeds in a confined process", i);
    struct stat facts;
    cr_expect(stat(other, &facts) == 0 && facts.st_size == 4, "the other file was changed");
    unlink("/tmp/mass-confine-new");
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) { /* and all of them succeed otherwise */
        put_text(file);
        put_text(other);
        unlink("/tmp/mass-confine-new");
        cr_expect(can(attempts[i], false), "attempt %zu fails in a free process", i);
    }
    unlink("/tmp/mass-confine-new");
    cr_expect_not(can(trace_parent, true));
}

Test(confine, keeps_from_other_files_and_from_code)
{
    cr_expect(can(open_other, false) && can(make_code, false));
    cr_expect_eq(can(open_other, true), MASS_SANITIZED, "a sanitizer reads files of its own, and nobody else does");
    cr_expect_not(can(make_code, true));
}

static bool read_on(void)
{
    char text[5] = "", *memory = malloc(64 << 20);
    const bool read = pread(reading, text, 4, 0) == 4 && strcmp(text, "text") == 0;
    if (!memory) return false;
    memset(memory, 1, 64 << 20);
    memory = realloc(memory, 80 << 20);
    return read && memory && write(STDERR_FILENO, "", 0) == 0 && getpid() > 0;
}

Test(confine, leaves_what_is_open_and_memory) { cr_expect(can(read_on, true)); }

/* The end of a process that crashes is what it would be otherwise. */
Test(confine, leaves_the_way_that_it_ends)
{
    int how;
    fflush(NULL);
    const pid_t id = fork();
    if (id == 0) {
        mass_confine();
        signal(SIGABRT, SIG_DFL);
        abort();
    }
    waitpid(id, &how, 0);
    cr_expect(WIFSIGNALED(how) && WTERMSIG(how) == SIGABRT);
}

/* As in a container that forbids both: what is left says so, and a file that is open is read all the same. */
static bool is_left_alone(void)
{
    scmp_filter_ctx c = seccomp_init(SCMP_ACT_ALLOW);
    const bool forbidden =
        seccomp_rule_add(c, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(seccomp), 0) == 0 &&
        seccomp_rule_add(c, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_SECCOMP, 0)) == 0 &&
        seccomp_rule_add(c, SCMP_ACT_ERRNO(EPERM), __NR_landlock_create_ruleset, 0) == 0 && seccomp_load(c) == 0;
    const mass_confinement there = mass_confinement_available(), own = mass_confine();
    return forbidden && !there.seccomp && !there.landlock && !own.seccomp && !own.landlock && read_on() &&
           (MASS_SANITIZED || !open_other());
}

Test(confine, goes_without_where_it_is_forbidden) { cr_expect(can(is_left_alone, false)); }

Test(confine, says_what_there_is)
{
    const mass_confinement c = mass_confinement_available();
    cr_expect(c.landlock >= 0);
    cr_expect(open(other, O_RDONLY) >= 0, "asking confines");
}
