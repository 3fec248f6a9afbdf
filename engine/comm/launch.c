/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/launch.h"
#include "comm/open.h"
#include "process/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Open MPI reads options from its environment, whose names it forgets where a version has others; MPICH needs none.
 * Ranks may be more than cores, and share them; they talk through memory; a launcher that tells at length that ranks
 * have ended hides why. */
static const char *const environment[][2] = {
    {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
    {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
    {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
    {"OMPI_MCA_hwloc_base_binding_policy", "none"},
    {"OMPI_MCA_orte_execute_quiet", "1"},
    {"OMPI_MCA_plm", "isolated"},
    {"OMPI_MCA_pml", "ob1"},
    {"OMPI_MCA_btl", "self,vader"},
    {"PRTE_ALLOW_RUN_AS_ROOT", "1"}, /* since version 5 */
    {"PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
    {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
    {"PRTE_MCA_hwloc_default_binding_policy", "none"}};

static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR2, SIGPWR};
enum { ENDS = sizeof ends / sizeof *ends };

/* timeout and batch systems signal a program and its group: that is one request. */
static const double ONE_REQUEST = 0.2; /* seconds */

/* Once a rank has said why all end, the launcher has so long to see to it. */
static const double GRACE = 5; /* seconds */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* This program by its file: what it was called by, arguments[0], need not lead to it. */
static char **command_of(int32_t ranks, char *const arguments[])
{
    static char number[16], self[PATH_MAX];
    const char *const head[] = {"mpirun", "-n", number, self};
    enum { HEAD = sizeof head / sizeof *head };
    size_t count = 0;
    while (arguments[1 + count]) count++;
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    char **command = calloc(HEAD + count + 1, sizeof *command);
    if (!command) return NULL;
    snprintf(number, sizeof number, "%d", ranks);
    if (length > 0) self[length] = '\0';
    else snprintf(self, sizeof self, "%s", arguments[0]);
    for (size_t i = 0; i < HEAD; i++) command[i] = (char *)(uintptr_t)head[i];
    memcpy(command + HEAD, arguments + 1, count * sizeof *command);
    return command;
}

/* In the child, which becomes the launcher, and dies with its parent. The terminal's signals are the parent's: the
 * launcher would answer them by killing. */
_Noreturn static void become(char **command, int failure, pid_t parent)
{
    sigset_t kept;
    sigemptyset(&kept);
    for (int i = 0; i < ENDS; i++)
        if (ends[i] != SIGUSR2) sigaddset(&kept, ends[i]);
    for (int i = 0; i < ENDS; i++) signal(ends[i], SIG_DFL);
    signal(SIGUSR1, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, &kept, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) execvp(command[0], command);
    const int reason = errno;
    if (write(failure, &reason, sizeof reason) != sizeof reason) _exit(1);
    _exit(127);
}

static mass_status start(char **command, pid_t *out, mass_error *error)
{
    int failure[2], reason = 0;
    const pid_t parent = getpid();
    if (pipe2(failure, O_CLOEXEC) != 0)
        return mass_error_set(error, MASS_FAILED, "no ranks can be started: %s", strerror(errno));
    const pid_t child = fork();
    if (child == 0) become(command, failure[1], parent);
    close(failure[1]);
    const bool failed = child > 0 && read(failure[0], &reason, sizeof reason) == sizeof reason;
    close(failure[0]);
    if (child < 0) return mass_error_set(error, MASS_FAILED, "no ranks can be started: %s", strerror(errno));
    *out = child;
    if (!failed) return MASS_OK;
    waitpid(child, NULL, 0);
    if (reason == ENOENT)
        return mass_error_set(error, MASS_NO_DEVICE, "--ranks needs mpirun, which is not in PATH: install openmpi-bin");
    return mass_error_set(error, MASS_NO_DEVICE, "--ranks needs mpirun, which cannot be started: %s",
                          strerror(reason));
}

typedef struct requests {
    double first;    /* when a signal first asked for an end; 0: none has */
    int again;       /* the last that did so again, or 0 */
    bool checkpoint; /* is asked for */
    bool ready;      /* the ranks have started */
    double said;     /* when one of them said why they end; 0: none has */
    bool overdue;    /* the launcher did not end then */
    bool end_sent;
} requests;

static void take(requests *r, int number)
{
    if (number == MASS_COMM_READY && r->ready) r->said = r->said > 0 ? r->said : now();
    else if (number == MASS_COMM_READY) r->ready = true;
    else if (number == SIGUSR1) r->checkpoint = true;
    else if (r->first == 0) r->first = now();
    else if (now() - r->first > ONE_REQUEST) r->again = number;
}

/* What launchers and ranks are told before they are ready ends them or is lost. */
static void pass_on(requests *r, pid_t launcher)
{
    if (r->again) kill(launcher, SIGKILL); /* and its end ends the ranks */
    if (!r->ready) return;
    if (r->checkpoint) kill(launcher, SIGUSR1);
    r->checkpoint = false;
    if (r->first > 0 && !r->end_sent) kill(launcher, SIGUSR2);
    r->end_sent = r->first > 0;
}

/* The next signal; or none, at least where the time of the launcher is over. */
static int next_signal(const sigset_t *signals, const requests *r)
{
    const double until = r->said + GRACE, left = until > now() ? until - now() : 0;
    if (r->said == 0 || r->overdue) return sigwaitinfo(signals, NULL);
    const struct timespec limit = {(time_t)left, (long)(1e9 * (left - (double)(time_t)left))};
    return sigtimedwait(signals, NULL, &limit);
}

/* Until the launcher has ended: its status. */
static int attend(pid_t launcher, const sigset_t *signals, requests *r)
{
    for (;;) {
        int status;
        const int number = next_signal(signals, r);
        if (waitpid(launcher, &status, WNOHANG) == launcher) return status;
        if (r->said > 0 && !r->overdue && now() - r->said >= GRACE) {
            r->overdue = true;
            kill(launcher, SIGKILL); /* and its end ends the ranks */
        }
        if (number < 0 || number == SIGCHLD) continue;
        take(r, number);
        pass_on(r, launcher);
    }
}

/* While the ranks watch over each other, they say which it was. */
static mass_status killed(bool ready, mass_error *error)
{
    char host[256] = "this host";
    gethostname(host, sizeof host - 1);
    return mass_error_set(error, MASS_FAILED, "a rank on %s was ended by signal 9 (Killed) %s", host,
                          ready ? "as the run ended; its last checkpoint is whole"
                                                   : "before the ranks had found each other");
}

static mass_status status_of(int status, const requests *r, mass_error *error)
{
    if (r->again) {
        signal(r->again, SIG_DFL);
        raise(r->again);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGKILL && r->said == 0) return killed(r->ready, error);
    if (WIFEXITED(status)) return (mass_status)WEXITSTATUS(status);
    if (r->overdue) return MASS_FAILED;
    return mass_error_set(error, MASS_FAILED, "mpirun was ended by signal %d (%s), and the ranks with it; a run "
                          "resumes from its last checkpoint", WTERMSIG(status), strsignal(WTERMSIG(status)));
}

mass_status mass_comm_launch(int32_t ranks, char *const arguments[], mass_error *error)
{
    sigset_t signals, before;
    pid_t launcher = 0;
    requests r = {0};
    char own[16];
    mass_status status = mass_comm_check_installed(error);
    if (status != MASS_OK) return status;
    char **command = command_of(ranks, arguments);
    if (!command) return mass_error_memory(error, 4096, "a command line");
    for (size_t i = 0; i < sizeof environment / sizeof *environment; i++)
        setenv(environment[i][0], environment[i][1], 0);
    snprintf(own, sizeof own, "%d", (int)getpid());
    setenv(MASS_COMM_STARTED_BY, own, 1);
    sigemptyset(&signals);
    for (int i = 0; i < ENDS; i++) sigaddset(&signals, ends[i]);
    sigaddset(&signals, SIGUSR1);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, MASS_COMM_READY);
    sigprocmask(SIG_BLOCK, &signals, &before);
    status = mass_signals_check(error);
    if (status == MASS_OK) status = start(command, &launcher, error);
    free(command);
    const int ended = status == MASS_OK ? attend(launcher, &signals, &r) : 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status == MASS_OK ? status_of(ended, &r, error) : status;
}
