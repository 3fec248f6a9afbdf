/* SPDX-License-Identifier: Apache-2.0 */
/* Runs this program in a subprocess of limited memory and time, reads its report, and writes that report there. */
/* _GNU_SOURCE is for pipe2 and close_range. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "process/subprocess.h"
#include "process/program.h"
#include "process/sanitized.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Lines that the subprocess writes to REPORT_FILE, each with one write: "w" WHERE; "p" after it has passed; "r" STATUS
 * " " TEXT; or "x" TEXT if the program could not be started. */
enum { REPORT_FILE = 3, LINE_SIZE = 1100 };

/* ---- the subprocess's side ---- */

/* Appends as much of a text as fits to a line of `used` bytes, and returns the new length. Control characters, newlines
 * too, become blanks. It adds no zero byte, and leaves a byte for send_line's newline. It does not use stdio, since it
 * runs in signal handlers. */
static size_t append(char line[LINE_SIZE], size_t used, const char *text)
{
    for (; *text && used < LINE_SIZE - 1; text++)
        line[used++] = (unsigned char)*text < 0x20 || *text == 0x7f ? ' ' : *text;
    return used;
}

/* Appends a newline and writes the line to the parent. Ignores a failed write. */
static void send_line(char line[LINE_SIZE], size_t used)
{
    line[used++] = '\n';
    while (write(REPORT_FILE, line, used) < 0 && errno == EINTR) {}
}

void mass_subprocess_where(const char *text)
{
    const int saved = errno;
    char line[LINE_SIZE];
    send_line(line, append(line, append(line, 0, "w"), text));
    errno = saved;
}

void mass_subprocess_report(mass_status status, const char *text)
{
    char line[LINE_SIZE], number[16];
    snprintf(number, sizeof number, "r%d ", (int)status);
    send_line(line, append(line, append(line, 0, number), text));
}

void mass_subprocess_passed(void)
{
    char line[LINE_SIZE];
    send_line(line, append(line, 0, "p"));
}

/* ---- between fork and exec: async-signal-safe calls only ---- */

/* Sets the soft and hard limits of a resource for this process, for good; never above the present hard limit. */
static void limit(int resource, rlim_t value)
{
    struct rlimit r;
    if (getrlimit(resource, &r) != 0) return;
    if (r.rlim_max != RLIM_INFINITY && r.rlim_max < value) value = r.rlim_max;
    r.rlim_cur = r.rlim_max = value;
    setrlimit(resource, &r);
}

/* Sets only the soft limit: the process dies of SIGXCPU, not of SIGKILL. */
static void limit_processor(rlim_t seconds)
{
    struct rlimit r;
    if (getrlimit(RLIMIT_CPU, &r) != 0) return;
    if (r.rlim_cur == RLIM_INFINITY || r.rlim_cur > seconds) r.rlim_cur = seconds;
    setrlimit(RLIMIT_CPU, &r);
}

/* Closes all descriptors from `first` on; at most the first 65536 on systems without close_range. */
static void close_from(unsigned first)
{
    if (close_range(first, ~0U, 0) == 0) return;
    struct rlimit r;
    const rlim_t end = getrlimit(RLIMIT_NOFILE, &r) == 0 && r.rlim_cur < 65536 ? r.rlim_cur : 65536;
    for (rlim_t i = first; i < end; i++) close((int)i);
}

/* Sends the parent a line that says why the program could not be started: `what`, `which`, and what errno `number`
 * means. Does not end the process. */
static void say_not_started(const char *what, const char *which, int number)
{
    char line[LINE_SIZE];
    const char *reason = strerrordesc_np(number);
    size_t used = append(line, append(line, append(line, 0, "x"), what), which);
    used = append(line, append(line, used, ": "), reason ? reason : "for an unknown reason");
    send_line(line, used);
}

/* Returns true for signals that make a request of a run. Batch systems send them to all processes of a run. The parent
 * handles them. This process ignores them: dying of one would look like a fault of the work that it tries. */
static bool asks(int number)
{
    switch (number) {
    case SIGHUP: case SIGINT: case SIGTERM: case SIGUSR1: case SIGUSR2: case SIGPWR: return true;
    default: return false;
    }
}

/* Runs in the child: gives it a process group, the end of its parent, signals, descriptors and limits, and executes
 * this program again. Never returns: on failure, tells the parent and exits with 127. */
static void become(char *const arguments[], const mass_subprocess_limits *limits, int report)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int s = 1; s < NSIG; s++) { /* SIG_IGN first: it discards signals sent to the parent's group before setpgid */
        signal(s, SIG_IGN);
        if (!asks(s)) signal(s, SIG_DFL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    const int file = limits->file > 0 ? fcntl(limits->file, F_DUPFD, MASS_SUBPROCESS_FILE + 1) : -1, cause = errno;
    const int null = open("/dev/null", O_RDWR);
    for (int i = 0; i < 3; i++) dup2(null, i);
    dup2(report, REPORT_FILE);
    if (limits->file > 0 && file < 0) {
        say_not_started("cannot hand over an open", " file", cause);
        _exit(127);
    }
    if (file >= 0) dup2(file, MASS_SUBPROCESS_FILE);
    close_from(file >= 0 ? MASS_SUBPROCESS_FILE + 1 : REPORT_FILE + 1);
    limit(RLIMIT_CORE, 0);
    if (limits->processor_seconds > 0) limit_processor(limits->processor_seconds);
    if (limits->memory_bytes > 0 && !MASS_SANITIZED) limit(RLIMIT_AS, limits->memory_bytes);
    execv(mass_program_file(), arguments);
    say_not_started("cannot run this program again, by ", mass_program_file(), errno);
    _exit(127);
}

/* ---- the parent's side ---- */

typedef struct subprocess {
    pid_t id;
    int report;
    double more, deadline, waited; /* waited: seconds spent waiting for a processor; the deadline does not count them */
    bool reported, ended, stopped, absent; /* absent: exec failed */
    char line[LINE_SIZE];
    size_t used;
} subprocess;

/* Fills *out as a subprocess that never started, with errno's reason. Returns MASS_FAILED; sets no mass_error. */
static mass_status not_started(mass_subprocess_result *out, const char *what)
{
    *out = (mass_subprocess_result){.outcome = MASS_SUBPROCESS_NOT_STARTED, .status = MASS_FAILED};
    snprintf(out->text, sizeof out->text, "%s: %s", what, strerror(errno));
    return MASS_FAILED;
}

/* Opens a pipe with both descriptors above the subprocess's own, so that its dup2 calls never copy a descriptor onto
 * itself. Returns false with errno. */
static bool open_pipe(int ends[2])
{
    int low[2];
    if (pipe2(low, O_CLOEXEC) != 0) return false;
    for (int i = 0; i < 2; i++) ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, REPORT_FILE + 1);
    const int saved = errno;
    close(low[0]);
    close(low[1]);
    errno = saved;
    if (ends[0] >= 0 && ends[1] >= 0) return true;
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0) close(ends[i]);
    errno = saved;
    return false;
}

/* Forks; the child runs this program again, in a process group of its own. Signals are blocked meanwhile, so that no
 * handler runs there. Returns the child's id; -1, with errno, on failure. */
static pid_t start(char *const arguments[], const mass_subprocess_limits *limits, int report)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    const pid_t id = fork();
    if (id == 0) become(arguments, limits, report);
    const int saved = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (id > 0) setpgid(id, id);
    errno = saved;
    return id;
}

/* Returns seconds of the monotonic clock. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Returns the seconds that the process's first thread has waited for a processor; 0 if the kernel does not count
 * them. */
static double find_wait(pid_t id)
{
    char path[64];
    unsigned long long waited = 0;
    snprintf(path, sizeof path, "/proc/%d/schedstat", (int)id);
    FILE *f = fopen(path, "re");
    if (f && fscanf(f, "%*u %llu", &waited) != 1) waited = 0;
    if (f) fclose(f);
    return (double)waited * 1e-9;
}

/* Takes one line of the child into *out: place, pass, failure to start, or result. A pass also sets a new deadline. */
static void take_line(subprocess *c, mass_subprocess_result *out)
{
    c->line[c->used] = '\0';
    if (c->line[0] == 'w') snprintf(out->where, sizeof out->where, "%s", c->line + 1);
    if (c->line[0] == 'p' && !out->passed) {
        out->passed = 1;
        c->reported |= c->more <= 0;
        c->deadline = now() + c->more;
        c->waited = find_wait(c->id);
    }
    char *text;
    if (c->line[0] == 'x' && !c->reported) {
        snprintf(out->text, sizeof out->text, "%s", c->line + 1);
        c->reported = c->absent = true;
    }
    if (c->line[0] != 'r' || c->reported) return;
    out->status = (mass_status)strtol(c->line + 1, &text, 10);
    snprintf(out->text, sizeof out->text, "%s", *text == ' ' ? text + 1 : text);
    c->reported = true;
}

/* Reads once from the pipe, and takes each complete line into *out. Returns false once the last writer has closed
 * it. */
static bool take_report(subprocess *c, mass_subprocess_result *out)
{
    char bytes[4096];
    const ssize_t got = read(c->report, bytes, sizeof bytes);
    if (got < 0) return errno == EINTR || errno == EAGAIN;
    for (ssize_t i = 0; i < got; i++) {
        if (bytes[i] == '\n') {
            take_line(c, out);
            c->used = 0;
        } else if (c->used < sizeof c->line - 1) {
            c->line[c->used++] = bytes[i];
        }
    }
    return got > 0;
}

/* Returns true if the subprocess has ended. Does not reap it, so that its process group's number stays reserved. */
static bool has_ended(pid_t id)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)id, &info, WEXITED | WNOHANG | WNOWAIT) == 0 ? info.si_pid == id
                                                                            : errno == ECHILD;
}

/* Returns true if the time limit is over. Extends the deadline by the time spent waiting for a processor. */
static bool is_over(subprocess *c)
{
    if (now() < c->deadline) return false;
    const double waited = find_wait(c->id);
    if (waited > c->waited) c->deadline += waited - c->waited, c->waited = waited;
    return now() >= c->deadline;
}

/* Waits until the subprocess reports, ends, is stopped, or is out of time. It watches the pipe and the process, since
 * one can outlast the other: a grandchild may hold the pipe open, and the subprocess may close it and go on. */
static void watch(subprocess *c, int (*stop)(void), mass_subprocess_result *out)
{
    bool open = true;
    while (!c->reported && !c->ended && !c->stopped && !is_over(c)) {
        const double left = (c->deadline - now()) * 1e3;
        const int slice = left < 0 ? 0 : left < 50 ? (int)left + 1 : 50;
        struct pollfd p = {.fd = open ? c->report : -1, .events = POLLIN};
        if (poll(&p, 1, open ? slice : 1) > 0)
            open = take_report(c, out);
        else
            c->ended = has_ended(c->id);
        if (!open) c->ended = has_ended(c->id);
        c->stopped = stop && stop() != 0;
    }
    while (c->ended && !c->reported && open) {
        struct pollfd p = {.fd = c->report, .events = POLLIN};
        if (poll(&p, 1, 0) <= 0) break;
        open = take_report(c, out);
    }
}

/* Kills the child and its process group, waits for it, and sets the outcome in *out. */
static void end(const subprocess *c, mass_subprocess_result *out)
{
    int how = 0;
    kill(-c->id, SIGKILL);
    kill(c->id, SIGKILL);
    pid_t reaped;
    while ((reaped = waitpid(c->id, &how, 0)) < 0 && errno == EINTR) {}
    if (c->absent) {
        out->outcome = MASS_SUBPROCESS_NOT_STARTED;
        out->status = MASS_FAILED;
    } else if (c->stopped && !c->reported) {
        out->outcome = MASS_SUBPROCESS_STOPPED;
    } else if (c->reported || out->passed) {
        out->outcome = MASS_SUBPROCESS_FINISHED;
    } else if (!c->ended) {
        out->outcome = MASS_SUBPROCESS_HUNG;
    } else if (reaped == c->id && WIFSIGNALED(how)) {
        out->outcome = MASS_SUBPROCESS_CRASHED;
        out->number = WTERMSIG(how);
    } else {
        out->outcome = MASS_SUBPROCESS_EXITED;
        out->number = reaped == c->id ? WEXITSTATUS(how) : -1;
    }
}

mass_status mass_subprocess_run(const char *const arguments[], const mass_subprocess_limits *limits,
                           mass_subprocess_result *out)
{
    char *list[MASS_SUBPROCESS_ARGUMENTS + 2] = {"mass-engine"};
    size_t count = 1;
    for (; arguments[count - 1] && count <= MASS_SUBPROCESS_ARGUMENTS; count++)
        list[count] = (char *)arguments[count - 1];
    errno = E2BIG;
    if (arguments[count - 1]) return not_started(out, "cannot start a child process");
    int ends[2];
    if (!open_pipe(ends)) return not_started(out, "cannot make a pipe for a child process");
    subprocess c = {.report = ends[0], .more = limits->more_seconds, .deadline = now() + limits->seconds};
    c.id = start(list, limits, ends[1]);
    const int saved = errno;
    close(ends[1]);
    errno = saved;
    if (c.id < 0) {
        not_started(out, "cannot start a child process");
        close(ends[0]);
        return MASS_FAILED;
    }
    *out = (mass_subprocess_result){0};
    watch(&c, limits->stop, out);
    end(&c, out);
    close(ends[0]);
    return c.absent ? MASS_FAILED : MASS_OK;
}
