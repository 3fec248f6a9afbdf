/* SPDX-License-Identifier: Apache-2.0 */
/* --ranks: this process stays the parent of mpirun, which starts with SIGINT, SIGTERM and SIGHUP blocked. This process
 * passes a signal that asks for an end on as SIGUSR2, and SIGUSR1 as it is; mpirun delivers both to the ranks. SIGTERM
 * would make mpirun kill the ranks a second later. Options for mpirun go through the environment: a version that does
 * not know an option ignores it. */
#include "comm/launch.h"
#include "base/plural.h"
#include "comm/host_status.h"
#include "comm/ancestor.h"
#include "comm/launch_space.h"
#include "comm/launch_messages.h"
#include "comm/connect_limit.h"
#include "comm/open.h"
#include "process/limits.h"
#include "process/progress.h"
#include "process/signals.h"
#include "process/standard.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Options of Open MPI in its environment. A version ignores names that it does not know; MPICH needs none. They allow
 * more ranks than cores, bind no rank to a core, choose shared memory for messages, and silence the launcher's long
 * messages about ended ranks, which hide the cause. */
static const char *const environment[][2] = {
    {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
    {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
    {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
    {"OMPI_MCA_hwloc_base_binding_policy", "none"},
    {"OMPI_MCA_orte_execute_quiet", "1"},
    {"OMPI_MCA_plm", "isolated"},
    {"OMPI_MCA_pml", "ob1"},
    {"OMPI_MCA_btl", "self,vader"},
    {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"}, /* otherwise it prints lines of its own about a killed rank */
    {"PRTE_ALLOW_RUN_AS_ROOT", "1"}, /* since version 5 */
    {"PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
    {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
    {"PRTE_MCA_hwloc_default_binding_policy", "none"}};

static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR2, SIGPWR};
enum { ENDS = sizeof ends / sizeof *ends, NEVER = -1 };

/* timeout and batch systems signal a program and its process group. Signals within this time are one request. */
static const double ONE_REQUEST = 0.2; /* seconds */

/* Time for the launcher to end after a rank has reported why all end. Ranks that are to end before they are connected
 * have the same time. */
static const double GRACE = 5; /* seconds */

/* How often the launcher's children are checked until the ranks are connected. */
static const double LOOK = 1; /* seconds */

/* When the user is first told that ranks are still being started; later reports come at twice the time each. */
static const double PATIENCE = 10; /* seconds */

/* Returns the monotonic clock's time in seconds. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Makes mpirun's command line. It names this program by its file: arguments[0], by which it was called, need not lead
 * to it. The caller frees the list, not the words. Returns NULL if memory is short. */
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

/* Returns whether this process ignores a signal. */
static bool is_ignored(int number)
{
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/* Turns the child into the launcher, which is killed if its parent ends. Blocks the terminal's signals in it: the
 * parent handles them, and the launcher would answer them by killing the ranks. Restores SIGUSR2 even if it is ignored:
 * it tells the ranks to end. If the launcher cannot be executed, writes errno to `failure`. */
_Noreturn static void become(char **command, mass_launch_words *words, int failure, pid_t parent)
{
    sigset_t kept;
    sigemptyset(&kept);
    for (int i = 0; i < ENDS; i++)
        if (ends[i] != SIGUSR2) sigaddset(&kept, ends[i]);
    for (int i = 0; i < ENDS; i++)
        if (ends[i] == SIGUSR2 || !is_ignored(ends[i])) signal(ends[i], SIG_DFL);
    signal(SIGUSR1, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, &kept, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    mass_launch_words_take(words);
    if (getppid() == parent) execvp(command[0], command);
    const int reason = errno;
    if (write(failure, &reason, sizeof reason) != sizeof reason) _exit(1);
    _exit(127);
}

/* Starts the launcher in a child process, and waits until it executes or has failed. *out becomes its number. Closes
 * this process's end of `words` for writing. MASS_NO_DEVICE if it cannot be executed. */
static mass_status start(char **command, mass_launch_words *words, pid_t *out, mass_error *error)
{
    int failure[2], reason = 0;
    const pid_t parent = getpid();
    if (pipe2(failure, O_CLOEXEC) != 0)
        return mass_error_set(error, MASS_FAILED, "no ranks can be started: %s", strerror(errno));
    const pid_t child = fork();
    if (child == 0) become(command, words, failure[1], parent);
    mass_launch_words_started(words);
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
    int32_t ranks;
    double began;    /* when the launcher was started */
    double told;     /* seconds after that until the user is told that ranks are still being started; 0: never */
    double timeout;  /* seconds for the ranks to connect to each other; 0: no limit */
    double first;    /* when a signal first asked for an end; 0: not yet */
    int again;       /* the last signal that asked for an end again, or 0 */
    bool checkpoint; /* a signal asked for a checkpoint */
    bool ready;      /* the ranks are connected */
    double gone;     /* since when all ranks are known to have ended while the launcher has not; 0: they run */
    double said;     /* when a rank reported why all end; 0: not yet */
    bool overdue;    /* the launcher was killed, as it missed its deadline */
    bool end_sent;
    mass_launch_words *words; /* the launcher's standard error, or NULL */
} requests;

/* Records a status message: the ranks are ready, which releases the launcher's output, or one has reported why they
 * end, of which the first report counts. */
static void take_news(requests *r, int news)
{
    if (news == MASS_COMM_READY) {
        r->ready = true;
        mass_launch_words_release(r->words);
    } else if (r->said == 0) r->said = now();
}

/* Records a signal that asks for a checkpoint or an end; a second one for an end only above ONE_REQUEST seconds later.
 * */
static void take(requests *r, int number)
{
    if (number == SIGUSR1) r->checkpoint = true;
    else if (r->first == 0) r->first = now();
    else if (now() - r->first > ONE_REQUEST) r->again = number;
}

/* Passes requests on to the launcher. A signal before the ranks are ready would end them or be lost, so it is kept.
 * After a rank has reported why all end, none is passed on. A repeated request for an end kills the launcher. */
static void pass_on(requests *r, pid_t launcher)
{
    if (r->again) kill(launcher, SIGKILL); /* its end ends the ranks */
    if (!r->ready || r->said > 0) return;
    if (r->checkpoint) kill(launcher, SIGUSR1);
    r->checkpoint = false;
    if (r->first > 0 && !r->end_sent) kill(launcher, SIGUSR2);
    r->end_sent = r->first > 0;
}

/* Returns the time by which the launcher must have ended, or NEVER: GRACE after a rank reported why all end, after
 * all ranks have ended, or after a signal. Before the ranks are connected it is their timeout. Only a report counts
 * once they are. */
static double due(const requests *r)
{
    if (r->overdue) return NEVER;
    if (r->said > 0) return r->said + GRACE;
    if (r->ready) return NEVER;
    if (r->gone > 0) return r->gone + GRACE;
    if (r->first > 0) return r->first + GRACE;
    return r->timeout > 0 ? r->began + r->timeout : NEVER;
}

/* Records since when all children of the launcher have ended. The launcher of Open MPI 4.1 waits for ever if a rank is
 * killed during its start: it ends the other ranks and reports nothing. */
static void look_for_ranks(requests *r, pid_t launcher)
{
    if (r->overdue) return;
    if (r->ready || !mass_comm_has_lost_children(launcher)) r->gone = 0;
    else if (r->gone == 0) r->gone = now();
}

/* Returns when to look next: at the launcher's deadline or at the next check of its children; or NEVER. */
static double next_look(const requests *r)
{
    const double until = due(r), look = r->ready ? NEVER : now() + LOOK;
    return until == NEVER || (look != NEVER && look < until) ? look : until;
}

/* Returns the number of cores that this process may use; all that are online if its affinity cannot be read. */
static int count_cores(void)
{
    cpu_set_t cores;
    const bool known = sched_getaffinity(0, sizeof cores, &cores) == 0;
    return known ? CPU_COUNT(&cores) : (int)sysconf(_SC_NPROCESSORS_ONLN);
}

/* Tells the user that ranks are still being started. Ranks that share cores start one after the other, and each
 * connects to all others. Does so r->told seconds after the start, and sets when next; not once the ranks are ready, a
 * signal came, or one has reported why all end. */
static void tell_of_wait(requests *r)
{
    const double waited = now() - r->began;
    const int cores = count_cores();
    char limit[80] = "";
    if (r->told == 0 || waited < r->told || r->ready || r->first > 0 || r->said > 0 || r->overdue) return;
    r->told = 2 * waited;
    if (r->timeout > 0) snprintf(limit, sizeof limit, "; they have %.0f s (--comm-timeout)", r->timeout);
    if (r->ranks > cores)
        mass_progress_say("mass-engine: after %.0f s, %d ranks are still being started on %d core%s, %.3g for each: "
                          "fewer (--ranks) start sooner%s", waited, r->ranks, cores, mass_plural(cores),
                          (double)r->ranks / cores, limit);
    else mass_progress_say("mass-engine: after %.0f s, %d ranks are still being started%s", waited, r->ranks, limit);
}

/* Waits for the next signal until the next look. Records status messages of the ranks; returns 0 for these, and -1 if
 * none came. */
static int next_signal(const sigset_t *signals, requests *r)
{
    const double until = next_look(r), left = until > now() ? until - now() : 0;
    const struct timespec limit = {(time_t)left, (long)(1e9 * (left - (double)(time_t)left))};
    siginfo_t facts;
    const int number = sigtimedwait(signals, &facts, until == NEVER ? NULL : &limit);
    if (number == MASS_COMM_NEWS && facts.si_code == SI_QUEUE) take_news(r, facts.si_value.sival_int);
    return number == MASS_COMM_NEWS ? 0 : number;
}

/* Records the status messages that ranks sent before the launcher ended. */
static void take_last_news(requests *r)
{
    const struct timespec at_once = {0};
    sigset_t news;
    siginfo_t facts;
    sigemptyset(&news);
    sigaddset(&news, MASS_COMM_NEWS);
    while (sigtimedwait(&news, &facts, &at_once) > 0)
        if (facts.si_code == SI_QUEUE) take_news(r, facts.si_value.sival_int);
}

/* Waits until the launcher has ended, handles signals meanwhile, and kills it when it is due. Returns the launcher's
 * status. */
static int attend(pid_t launcher, const sigset_t *signals, requests *r)
{
    for (;;) {
        int status;
        const int number = next_signal(signals, r);
        look_for_ranks(r, launcher);
        if (waitpid(launcher, &status, WNOHANG) == launcher) {
            take_last_news(r);
            return status;
        }
        if (number > 0 && number != SIGCHLD) take(r, number);
        if (due(r) != NEVER && now() >= due(r)) {
            r->overdue = true;
            kill(launcher, SIGKILL); /* its end ends the ranks */
        }
        tell_of_wait(r);
        if (number != SIGCHLD) pass_on(r, launcher);
    }
}

/* Reports a lost rank of this host. While the ranks watch each other (watch.h), they report it themselves, by
 * number. how: what follows "a rank on HOST". */
static mass_status lost(const char *how, mass_error *error)
{
    char host[256] = "this host";
    gethostname(host, sizeof host - 1);
    return mass_error_set(error, MASS_FAILED, "a rank on %s %s", host, how);
}

/* Reports that a rank was killed by signal 9, as the run ended (`ready`) or before the ranks connected. */
static mass_status killed(bool ready, mass_error *error)
{
    return lost(ready ? "was ended by signal 9 (Killed) as the run ended; its last checkpoint is whole"
                      : "was ended by signal 9 (Killed) before the ranks had found each other", error);
}

enum { WORDS_SIZE = PATH_MAX + 40 };

/* Writes the kept lines to a file, and "; what mpirun said is in FILE" to out; or "" if there is no such file. Returns
 * out. */
static const char *said_in(const requests *r, char out[WORDS_SIZE])
{
    char path[PATH_MAX];
    out[0] = '\0';
    if (mass_launch_words_keep(r->words, path)) snprintf(out, WORDS_SIZE, "; what mpirun said is in %s", path);
    return out;
}

/* Reports why the ranks did not connect: one was killed, a signal came, or the time was over. */
static mass_status not_found(const requests *r, mass_error *error)
{
    char words[WORDS_SIZE];
    if (r->gone > 0 && r->first == 0)
        return lost("ended without a message before the ranks had found each other, as a killed process does", error);
    if (r->first > 0)
        return mass_error_set(error, MASS_INTERRUPTED, "interrupted before the ranks had found each other: nothing was "
                              "written");
    return mass_error_set(error, MASS_FAILED, "the ranks did not find each other within %.0f s (--comm-timeout)%s",
                          r->timeout, said_in(r, words));
}

/* Returns whether the launcher was killed by a signal that this process passed on after all ranks had ended. The
 * launcher no longer handles them then. */
static bool was_told_too_late(int status, const requests *r)
{
    return r->ready && WIFSIGNALED(status) && (WTERMSIG(status) == SIGUSR1 || WTERMSIG(status) == SIGUSR2);
}

/* Returns whether a variable, "NAME=VALUE", is the user's own setting for MPI's libraries. */
static bool is_of_mpi(const char *variable)
{
    static const char *const heads[] = {"OMPI_", "OPAL_", "ORTE_", "PMIX_", "PRTE_"};
    bool found = false;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        found |= strncmp(variable, heads[i], strlen(heads[i])) == 0;
    for (size_t i = 0; found && i < sizeof environment / sizeof *environment; i++) {
        const size_t length = strlen(environment[i][0]);
        found = strncmp(variable, environment[i][0], length) != 0 || variable[length] != '=' ||
                strcmp(variable + length + 1, environment[i][1]) != 0;
    }
    return found;
}

/* Writes the names of these variables, "A, B", as many as fit. Returns whether there are any. */
static bool name_variables(char *out, size_t size)
{
    size_t length = 0;
    out[0] = '\0';
    for (char **v = environ; v && *v; v++) {
        const int name = (int)strcspn(*v, "=");
        if (!is_of_mpi(*v) || length + (size_t)name + 3 > size) continue;
        length += (size_t)snprintf(out + length, size - length, "%s%.*s", length ? ", " : "", name, *v);
    }
    return length > 0;
}

/* Reports that MPI's library or the launcher ended before the ranks were connected, in place of their own lines, which
 * tell a user nothing to do. */
static mass_status not_started(int status, const requests *r, mass_error *error)
{
    char variables[200], words[WORDS_SIZE], advice[300];
    if (name_variables(variables, sizeof variables))
        snprintf(advice, sizeof advice, "unset the variables for MPI in the environment (%s)", variables);
    else snprintf(advice, sizeof advice, "check that 'mpirun -n %d true' runs here", r->ranks);
    return mass_error_set(error, MASS_FAILED, "mpirun ended with status %d before the ranks had found each other: %s%s",
                          status, advice, said_in(r, words));
}

/* Returns the run's status from the launcher's, with an error if no rank has reported one. If a signal has asked for
 * an end again, ends this process by that signal instead. */
static mass_status status_of(int status, const requests *r, mass_error *error)
{
    const bool explained = r->said > 0 && (!r->words || mass_launch_words_said(r->words));
    if (r->again) {
        signal(r->again, SIG_DFL);
        raise(r->again);
    }
    if (r->overdue && !r->ready && r->said == 0) return not_found(r, error);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGKILL) /* of a killed rank, whichever rank the launcher
                                                                      reports */
        return r->said == 0 ? killed(r->ready, error) : MASS_FAILED;
    if (WIFEXITED(status) && !r->ready && !explained) return not_started(WEXITSTATUS(status), r, error);
    if (WIFEXITED(status)) return (mass_status)WEXITSTATUS(status);
    if (r->overdue) return MASS_FAILED;
    if (was_told_too_late(status, r)) return r->said == 0 ? MASS_OK : MASS_FAILED;
    return mass_error_set(error, MASS_FAILED, "mpirun was ended by signal %d (%s), and the ranks with it; a run "
                          "resumes from its last checkpoint", WTERMSIG(status), strsignal(WTERMSIG(status)));
}

/* Sets the environment of the ranks. Keeps the variables for MPI that the user has set. The launcher drops output that
 * it cannot print, without an error. So rank 0 writes its results to a file in memory, and this process prints them.
 * results: that file; if it is negative, fails by errno. */
static mass_status tell_ranks(int results, mass_error *error)
{
    char own[16], path[64];
    if (results < 0) return mass_error_set(error, MASS_FAILED, "no ranks can be started: %s", strerror(errno));
    for (size_t i = 0; i < sizeof environment / sizeof *environment; i++)
        setenv(environment[i][0], environment[i][1], 0);
    snprintf(own, sizeof own, "%d", (int)getpid());
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), results);
    setenv(MASS_COMM_STARTED_BY, own, 1);
    setenv(MASS_COMM_RESULTS, path, 1);
    if (mass_standard_on_terminal()) mass_standard_share_terminal(mass_standard_people());
    return MASS_OK;
}

/* Copies the results that rank 0 wrote to memory to the standard results, and closes those. Does nothing without any.
 * */
static mass_status print(int results, mass_error *error)
{
    char chunk[4096];
    ssize_t got = read(results, chunk, sizeof chunk);
    if (got <= 0) return MASS_OK;
    for (; got > 0; got = read(results, chunk, sizeof chunk)) fwrite(chunk, 1, (size_t)got, mass_standard_results());
    return mass_standard_results_end(error);
}

/* Returns the run's status once the ranks have ended, and prints their results. ended: the launcher's, from waitpid.
 * The error of ranks or launcher comes first. */
static mass_status conclude(int ended, int results, const requests *r, mass_error *error)
{
    mass_error of_results = {0};
    const mass_status status = status_of(ended, r, error);
    if (print(results, &of_results) == MASS_OK || error->status != MASS_OK) return status;
    *error = of_results;
    return error->status;
}

mass_status mass_comm_launch(const mass_comm_options *o, char *const arguments[], mass_error *error)
{
    sigset_t signals, before;
    pid_t launcher = 0;
    requests r = {.ranks = o->ranks, .began = now(), .told = o->quiet ? 0 : PATIENCE,
                  .timeout = mass_comm_time_to_connect((double)o->timeout)};
    mass_status status = mass_comm_check_installed(error);
    if (status == MASS_OK) status = mass_limits_check_ranks(o->ranks, error);
    if (status == MASS_OK) status = mass_comm_check_room(o->ranks, error);
    if (status != MASS_OK) return status;
    const int results = memfd_create("results", MFD_CLOEXEC);
    status = tell_ranks(results, error);
    if (status != MASS_OK) return status;
    char **command = command_of(o->ranks, arguments);
    if (!command) return mass_error_memory(error, 4096, "a command line");
    sigemptyset(&signals);
    for (int i = 0; i < ENDS; i++) /* a signal that is both ignored and blocked would still be delivered to
                                      sigtimedwait */
        if (!is_ignored(ends[i])) sigaddset(&signals, ends[i]);
    if (!is_ignored(SIGUSR1)) sigaddset(&signals, SIGUSR1);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, MASS_COMM_NEWS);
    sigprocmask(SIG_BLOCK, &signals, &before);
    status = mass_signals_check(error);
    r.words = status == MASS_OK ? mass_launch_words_begin() : NULL;
    if (status == MASS_OK) status = start(command, r.words, &launcher, error);
    free(command);
    const int ended = status == MASS_OK ? attend(launcher, &signals, &r) : 0;
    mass_launch_words_end(r.words);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (status == MASS_OK) status = conclude(ended, results, &r, error);
    mass_launch_words_free(r.words);
    return status;
}
