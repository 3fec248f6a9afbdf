/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/sweep_child.h"
#include "base/memory_stream.h"
#include "process/progress.h"
#include "process/signals.h"
#include "process/standard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct child {
    pid_t id;
    int output;   /* pipe with its standard output */
    char *text;   /* owned */
    int status;   /* as waitpid returns it */
} child;

/* Returns whether an option is one of some, by name. */
static bool is_among(const mass_option *o, const char *const *names)
{
    while (*names && strcmp(o->name, *names) != 0) names++;
    return *names != NULL;
}

/* Makes this command line without some options and with more words. The caller frees the list, not the words. Returns
 * NULL if memory is short. */
static char **command_of(const mass_arguments *a, const char *const *without, const char *const *more)
{
    size_t many = 0;
    while (more[many]) many++;
    char **words = calloc((size_t)a->count + many + 1, sizeof *words);
    int count = 0;
    for (int i = 0, taken; words && i < a->count; i += taken) {
        const char *value;
        const mass_option *o = mass_arguments_option(a, i, &taken, &value);
        for (int k = i; k < i + taken && !(o && is_among(o, without)); k++) words[count++] = a->words[k];
    }
    for (size_t i = 0; words && i < many; i++) words[count++] = (char *)(uintptr_t)more[i];
    return words;
}

/* Turns the child into the run, with standard output to `output`. The run is killed when its parent ends. */
_Noreturn static void become(char **words, int output, pid_t parent)
{
    dup2(output, STDOUT_FILENO);
    dup2(mass_standard_people(), STDERR_FILENO);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) execv("/proc/self/exe", words);
    _exit(127);
}

/* Starts a run in a child process, with a pipe for its standard output, whose end c->output the caller closes unless
 * this fails. */
static mass_status start(child *c, char **words, mass_error *error)
{
    int ends[2];
    const pid_t parent = getpid();
    if (pipe2(ends, O_CLOEXEC) != 0) return mass_error_set(error, MASS_FAILED, "no run can be started: %s",
                                                            strerror(errno));
    c->id = fork();
    if (c->id == 0) become(words, ends[1], parent);
    const int reason = errno;
    close(ends[1]);
    c->output = ends[0];
    if (c->id > 0) return MASS_OK;
    close(ends[0]);
    return mass_error_set(error, MASS_FAILED, "no run can be started: %s", strerror(reason));
}

static bool passed_end; /* a signal to end has been passed on */

/* Passes a kept signal to end, and one for a checkpoint, on to the child. Forgets them. */
static void pass_on_signals(const child *c)
{
    const int end = mass_signals_take_kept_end();
    if (end) {
        passed_end = true;
        kill(c->id, end);
    }
    if (mass_signals_take_kept_checkpoint()) kill(c->id, SIGUSR1);
}

/* Reads all that the run prints, passes on signals, and waits for its end. Sets its status and text, and closes the
 * pipe. */
static mass_status attend(child *c, mass_error *error)
{
    const struct timespec moment = {.tv_nsec = 2000000};
    size_t size = 0;
    char part[4096];
    FILE *to = mass_memory_stream(&c->text, &size);
    for (bool open = true; open;) {
        struct pollfd file = {.fd = c->output, .events = POLLIN};
        pass_on_signals(c);
        if (poll(&file, 1, 100) <= 0) continue;
        const ssize_t got = read(c->output, part, sizeof part);
        open = got > 0 || (got < 0 && errno == EINTR);
        if (to && got > 0) fwrite(part, 1, (size_t)got, to);
    }
    close(c->output);
    while (waitpid(c->id, &c->status, WNOHANG) == 0) {
        pass_on_signals(c);
        nanosleep(&moment, NULL);
    }
    return to && fclose(to) == 0 ? MASS_OK : mass_error_memory(error, size, "the result of a run");
}

bool mass_sweep_is_to_end(void) { return passed_end || mass_signals_kept_end() != 0; }

/* Returns the exit status of a run. The run has reported its failure itself, unless it was killed. A signal to end may
 * have killed it before it could handle that. `what` names the run. */
static mass_status status_of(const child *c, const char *what, mass_error *error)
{
    if (WIFEXITED(c->status)) return (mass_status)WEXITSTATUS(c->status);
    if (passed_end) return MASS_INTERRUPTED;
    return mass_error_set(error, MASS_FAILED, "%s was ended by signal %d (%s)", what, WTERMSIG(c->status),
                          strsignal(WTERMSIG(c->status)));
}

mass_status mass_sweep_child(const mass_arguments *a, const char *const *without, const char *const *more,
                             const char *what, char **text, mass_error *error)
{
    child c = {0};
    char **words = command_of(a, without, more);
    mass_status status = words ? start(&c, words, error) : mass_error_memory(error, 4096, "a command line");
    free(words);
    if (status == MASS_OK) status = attend(&c, error);
    *text = c.text;
    return status == MASS_OK ? status_of(&c, what, error) : status;
}

uint64_t mass_sweep_draw_seed(void)
{
    uint32_t seed = 0;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed) seed = (uint32_t)(mass_seconds() * 1e6);
    return seed;
}
