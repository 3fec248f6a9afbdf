/* SPDX-License-Identifier: Apache-2.0 */
/* Subprocesses of every end. The test program is its own subprocess: before main, when it is started with
 * --act. */
#include "process/sanitized.h"
#include "process/subprocess.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void spin(void)
{
    for (;;) pause();
}

static void report_open_files(void)
{
    char text[200] = "";
    for (int i = 0; i < 256; i++)
        if (fcntl(i, F_GETFD) >= 0)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%d ", i);
    mass_subprocess_report(MASS_OK, text);
}

static const int asking[] = {SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGPWR};

static bool asks(int number)
{
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
        if (asking[i] == number) return true;
    return false;
}

/* Sent to all processes of a run, they are for its parent. */
static void report_after_signals(void)
{
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++) raise(asking[i]);
    mass_subprocess_report(MASS_OK, "");
}

static void report_signals(void)
{
    struct sigaction action;
    sigset_t blocked;
    int odd = 0;
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP}; /* a sanitizer's */
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) signal(own[i], SIG_DFL);
    for (int s = 1; s < 32; s++)
        odd += sigismember(&blocked, s) == 1 ||
               (sigaction(s, NULL, &action) == 0 && action.sa_handler != (asks(s) ? SIG_IGN : SIG_DFL));
    mass_subprocess_report(odd ? MASS_FAILED : MASS_OK, "");
}

static void report_memory(void)
{
    void *block = mmap(NULL, (size_t)1 << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mass_subprocess_report(block != MAP_FAILED ? MASS_OK : MASS_FAILED, "");
}

static void report_file(void)
{
    char zero = 1;
    mass_subprocess_report(read(MASS_SUBPROCESS_FILE, &zero, 1) == 1 && zero == 0 ? MASS_OK : MASS_FAILED, "");
}

/* Takes that many seconds of a processor. */
static void work(double seconds)
{
    while ((double)clock() / CLOCKS_PER_SEC < seconds) {}
    mass_subprocess_report(MASS_OK, "");
}

static void act(const char *what, const char *more)
{
    struct rlimit r;
    if (strcmp(what, "ok") == 0) mass_subprocess_report(MASS_OK, "");
    if (strcmp(what, "refuse") == 0) mass_subprocess_report(MASS_BAD_PLUGIN, more);
    if (strcmp(what, "exit") == 0) _exit(7);
    if (strcmp(what, "leave") == 0) _exit(0);
    if (strcmp(what, "files") == 0) report_open_files();
    if (strcmp(what, "read") == 0) report_file();
    if (strcmp(what, "signals") == 0) report_signals();
    if (strcmp(what, "asked") == 0) report_after_signals();
    if (strcmp(what, "memory") == 0) report_memory();
    if (strcmp(what, "core") == 0)
        mass_subprocess_report(getrlimit(RLIMIT_CORE, &r) || r.rlim_max ? MASS_FAILED : MASS_OK, "");
    if (strcmp(what, "hang") == 0) spin();
    if (strcmp(what, "busy") == 0)
        for (volatile int i = 0;; i = !i) {}
    if (strcmp(what, "work") == 0) work(0.2);
    if (strcmp(what, "hang-closed") == 0) close(3), spin();
    if (strncmp(what, "pass", 4) == 0) mass_subprocess_passed();
    if (strcmp(what, "pass-report") == 0) mass_subprocess_report(MASS_BAD_PLUGIN, "more");
    if (strcmp(what, "pass-hang") == 0) spin();
    if (strcmp(what, "pass-crash") == 0) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
    if (strcmp(what, "late") == 0) mass_subprocess_report(MASS_OK, "late"), spin();
    if (strcmp(what, "half") == 0 && write(3, "r0 half", 7) == 7) _exit(0);
    if (strcmp(what, "crash") == 0) {
        mass_subprocess_where("open");
        mass_subprocess_where("callback life_step, step 1");
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
    if (strcmp(what, "orphan") == 0) {
        if (fork() == 0) spin();
        _exit(3);
    }
    _exit(0);
}

__attribute__((constructor)) static void be_child(int count, char **arguments)
{
    if (count >= 3 && strcmp(arguments[1], "--act") == 0)
        act(arguments[2], count > 3 ? arguments[3] : "");
}

static mass_subprocess_result run_for(double seconds, size_t memory, const char *what, const char *more)
{
    const char *const arguments[] = {"--act", what, more, NULL};
    mass_subprocess_result out;
    const mass_subprocess_limits limits = {.seconds = seconds, .memory_bytes = memory};
    cr_assert_eq(mass_subprocess_run(arguments, &limits, &out), MASS_OK);
    return out;
}

static mass_subprocess_result run(const char *what) { return run_for(20, 0, what, NULL); }

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

Test(subprocess, success_is_reported)
{
    const mass_subprocess_result r = run("ok");
    cr_assert_eq(r.outcome, MASS_SUBPROCESS_FINISHED);
    cr_assert_eq(r.status, MASS_OK);
    cr_assert_str_empty(r.text);
}

Test(subprocess, refusal_comes_with_its_words_in_one_line)
{
    const mass_subprocess_result r = run_for(20, 0, "refuse", "no\nsuch rule");
    cr_assert_eq(r.outcome, MASS_SUBPROCESS_FINISHED);
    cr_assert_eq(r.status, MASS_BAD_PLUGIN);
    cr_assert_str_eq(r.text, "no such rule");
}

Test(subprocess, long_text_is_cut)
{
    char text[5000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    const mass_subprocess_result r = run_for(20, 0, "refuse", text);
    cr_assert_eq(r.outcome, MASS_SUBPROCESS_FINISHED);
    cr_assert_eq(strlen(r.text), sizeof r.text - 1);
}

Test(subprocess, crash_tells_its_signal_and_where)
{
    const mass_subprocess_result r = run("crash");
    cr_assert_eq(r.outcome, MASS_SUBPROCESS_CRASHED);
    cr_assert_eq(r.number, SIGSEGV);
    cr_assert_str_eq(r.where, "callback life_step, step 1");
}

Test(subprocess, exit_without_report_is_told)
{
    const mass_subprocess_result failed = run("exit"), quiet = run("leave");
    cr_assert_eq(failed.outcome, MASS_SUBPROCESS_EXITED);
    cr_assert_eq(failed.number, 7);
    cr_assert_eq(quiet.outcome, MASS_SUBPROCESS_EXITED);
    cr_assert_eq(quiet.number, 0);
}

Test(subprocess, half_a_report_is_none) { cr_assert_eq(run("half").outcome, MASS_SUBPROCESS_EXITED); }

Test(subprocess, hang_ends_at_the_limit)
{
    const double start = now();
    cr_assert_eq(run_for(0.3, 0, "hang", NULL).outcome, MASS_SUBPROCESS_HUNG);
    cr_assert_geq(now() - start, 0.3);
    cr_assert_lt(now() - start, 10);
}

Test(subprocess, work_without_end_ends_at_the_limit)
{
    const mass_subprocess_limits limits = {.seconds = 60, .processor_seconds = 1};
    mass_subprocess_result r;
    cr_assert_eq(mass_subprocess_run((const char *const[]){"--act", "busy", NULL}, &limits, &r), MASS_OK);
    cr_assert_eq(r.outcome, MASS_SUBPROCESS_CRASHED);
    cr_assert_eq(r.number, SIGXCPU);
}

Test(subprocess, what_others_have_of_the_processor_does_not_count)
{
    enum { OTHERS = 6 };
    pid_t others[OTHERS];
    cpu_set_t one;
    cr_assert_eq(sched_getaffinity(0, sizeof one, &one), 0);
    for (int i = 0, kept = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &one) && kept++) CPU_CLR(i, &one);
    cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
    for (int i = 0; i < OTHERS; i++)
        if ((others[i] = fork()) == 0)
            for (volatile int busy = 0;; busy = !busy) {}
    const mass_subprocess_outcome outcome = run_for(0.4, 0, "work", NULL).outcome;
    for (int i = 0; i < OTHERS; i++) {
        kill(others[i], SIGKILL);
        waitpid(others[i], NULL, 0);
    }
    cr_assert_eq(outcome, MASS_SUBPROCESS_FINISHED);
}

Test(subprocess, hang_after_closing_the_pipe_ends_at_the_limit)
{
    cr_assert_eq(run_for(0.3, 0, "hang-closed", NULL).outcome, MASS_SUBPROCESS_HUNG);
}

Test(subprocess, report_ends_it_at_once)
{
    const double start = now();
    const mass_subprocess_result r = run_for(60, 0, "late", NULL);
    cr_assert_eq(r.outcome, MASS_SUBPROCESS_FINISHED);
    cr_assert_str_eq(r.text, "late");
    cr_assert_lt(now() - start, 30);
}

/* What comes after it has passed is heard of, and else no matter. */
Test(subprocess, once_it_has_passed_it_cannot_fail)
{
    static const char *const ways[] = {"pass-report", "pass-crash", "pass-hang", "pass"};
    for (int i = 0; i < 8; i++) {
        const char *const arguments[] = {"--act", ways[i % 4], NULL};
        const mass_subprocess_limits limits = {.seconds = 20, .more_seconds = i < 4 ? 0.2 : 0};
        mass_subprocess_result r;
        const double start = now();
        mass_subprocess_run(arguments, &limits, &r);
        cr_assert(r.outcome == MASS_SUBPROCESS_FINISHED && r.passed, "%s: %d", ways[i % 4], r.outcome);
        cr_assert_str_eq(r.text, i == 0 ? "more" : "");
        cr_assert_eq(r.status, i == 0 ? MASS_BAD_PLUGIN : MASS_OK);
        cr_assert_lt(now() - start, 10);
    }
}

Test(subprocess, process_of_its_own_does_not_delay_its_end)
{
    const double start = now();
    const mass_subprocess_result r = run_for(60, 0, "orphan", NULL);
    cr_assert_eq(r.outcome, MASS_SUBPROCESS_EXITED);
    cr_assert_eq(r.number, 3);
    cr_assert_lt(now() - start, 30);
}

Test(subprocess, sees_no_file_of_the_caller)
{
    const int low = open("/dev/zero", O_RDONLY), high = fcntl(low, F_DUPFD, 100);
    cr_assert_str_eq(run("files").text, "0 1 2 3 ");
    close(low);
    close(high);
}

Test(subprocess, is_given_one_file)
{
    const char *const arguments[] = {"--act", "files", NULL}, *const reading[] = {"--act", "read", NULL};
    const int zero = open("/dev/zero", O_RDONLY), high = fcntl(zero, F_DUPFD, 100);
    mass_subprocess_result out;
    for (int i = 0; i < 2; i++) {
        const mass_subprocess_limits limits = {.seconds = 20, .file = i ? high : zero};
        mass_subprocess_run(arguments, &limits, &out);
        cr_assert_str_eq(out.text, "0 1 2 3 4 ");
        mass_subprocess_run(reading, &limits, &out);
        cr_assert_eq(out.status, MASS_OK);
    }
    close(zero);
    close(high);
}

Test(subprocess, dies_of_no_signal_that_is_the_runs)
{
    const mass_subprocess_result r = run("asked");
    cr_assert(r.outcome == MASS_SUBPROCESS_FINISHED && r.status == MASS_OK, "%d: signal %d", r.outcome, r.number);
}

Test(subprocess, starts_with_fresh_signals)
{
    sigset_t all;
    sigfillset(&all);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    sigprocmask(SIG_BLOCK, &all, NULL);
    cr_assert_eq(run("signals").status, MASS_OK);
}

Test(subprocess, leaves_the_callers_signal_mask)
{
    sigset_t before, after;
    sigprocmask(SIG_SETMASK, NULL, &before);
    run("ok");
    sigprocmask(SIG_SETMASK, NULL, &after);
    for (int i = 1; i < 32; i++) cr_assert_eq(sigismember(&before, i), sigismember(&after, i));
}

Test(subprocess, dumps_no_core) { cr_assert_eq(run("core").status, MASS_OK); }

#if !MASS_SANITIZED
Test(subprocess, memory_is_limited)
{
    cr_assert_eq(run_for(20, 0, "memory", NULL).status, MASS_OK);
    cr_assert_eq(run_for(20, (size_t)512 << 20, "memory", NULL).status, MASS_FAILED);
}
#endif

static int open_files(void)
{
    int count = 0;
    for (int i = 0; i < 1024; i++) count += fcntl(i, F_GETFD) >= 0;
    return count;
}

Test(subprocess, leaves_no_file_and_no_zombie)
{
    const int before = open_files();
    run("ok");
    run("crash");
    run_for(0.1, 0, "hang", NULL);
    cr_assert_eq(open_files(), before);
    cr_assert_eq(waitpid(-1, NULL, WNOHANG), -1);
}

static volatile sig_atomic_t alarms;
static void count_alarm(int signal_number)
{
    (void)signal_number;
    alarms++;
}

Test(subprocess, interrupting_signals_change_nothing)
{
    struct sigaction action = {.sa_handler = count_alarm};
    const struct timespec every = {0, 1000000};
    timer_t timer;
    sigaction(SIGALRM, &action, NULL);
    cr_assert_eq(timer_create(CLOCK_MONOTONIC, NULL, &timer), 0);
    timer_settime(timer, 0, &(struct itimerspec){every, every}, NULL);
    const mass_subprocess_outcome hung = run_for(0.3, 0, "hang", NULL).outcome, ok = run("ok").outcome;
    timer_delete(timer);
    cr_assert_gt(alarms, 10);
    cr_assert_eq(hung, MASS_SUBPROCESS_HUNG);
    cr_assert_eq(ok, MASS_SUBPROCESS_FINISHED);
}

static int after_ten_alarms(void) { return alarms >= 10; }

Test(subprocess, a_wait_can_be_stopped)
{
    const char *const arguments[] = {"--act", "hang", NULL};
    mass_subprocess_result out;
    struct sigaction action = {.sa_handler = count_alarm};
    sigaction(SIGALRM, &action, NULL);
    const struct itimerval every = {{0, 10000}, {0, 10000}};
    setitimer(ITIMER_REAL, &every, NULL);
    mass_subprocess_run(arguments, &(mass_subprocess_limits){.seconds = 60, .stop = after_ten_alarms}, &out);
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    cr_assert_eq(out.outcome, MASS_SUBPROCESS_STOPPED);
}

/* As where there is no /proc: the process is there, but does not become the program. */
Test(subprocess, failing_to_become_the_program_says_why)
{
    static char text[200000]; /* more than the system takes as an argument */
    memset(text, 'x', sizeof text - 1);
    const char *const arguments[] = {"--act", "refuse", text, NULL};
    mass_subprocess_result out;
    cr_assert_eq(mass_subprocess_run(arguments, &(mass_subprocess_limits){.seconds = 20}, &out), MASS_FAILED);
    cr_assert_eq(out.outcome, MASS_SUBPROCESS_NOT_STARTED);
    cr_assert_eq(out.status, MASS_FAILED);
    cr_assert_str_eq(out.text, "cannot run this program again, by /proc/self/exe: Argument list too long");
}

Test(subprocess, failing_to_start_says_why)
{
    const char *const arguments[] = {"--act", "ok", NULL};
    struct rlimit r;
    mass_subprocess_result out;
    getrlimit(RLIMIT_NOFILE, &r);
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){0, r.rlim_max});
    const mass_status status = mass_subprocess_run(arguments, &(mass_subprocess_limits){.seconds = 5}, &out);
    setrlimit(RLIMIT_NOFILE, &r);
    cr_assert_eq(status, MASS_FAILED);
    cr_assert_eq(out.outcome, MASS_SUBPROCESS_NOT_STARTED);
    cr_assert(strstr(out.text, "Too many open files") != NULL, "%s", out.text);
}
