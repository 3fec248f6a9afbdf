/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/sweep_runs.h"
#include "command/options/arguments.h"
#include "command/report/means.h"
#include "command/run/sweep_files.h"
#include "comm/launched.h"
#include "base/memory_stream.h"
#include "process/progress.h"
#include "process/signals.h"
#include "process/standard.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
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

/* Refuses several runs with --view, or under a launcher. */
static mass_status check(const mass_options *o, uint32_t runs, mass_error *error)
{
    if (o->view)
        return mass_error_set(error, MASS_BAD_USAGE, "the rows of %s make %" PRIu32 " runs, one after the other, and "
                              "--view is for one: leave it out, or give such rows a table of their own", o->sweep,
                              runs);
    if (mass_comm_launched().size > 1)
        return mass_error_set(error, MASS_BAD_USAGE, "the rows of %s make %" PRIu32 " runs, and a launcher starts one: "
                              "use --ranks, which starts each", o->sweep, runs);
    return MASS_OK;
}

mass_status mass_sweep_is_several(const mass_options *o, mass_sweep_rows *rows, bool *several, mass_error *error)
{
    *rows = (mass_sweep_rows){0};
    *several = false;
    if (!o->sweep || o->resume || o->sweep_run || mass_comm_launched().rank > 0) return MASS_OK;
    const mass_status status = mass_sweep_rows_read(o, rows, error);
    *several = status == MASS_OK && rows->run_count > 1;
    return *several ? check(o, rows->run_count, error) : status;
}

/* ---- one of the runs ---- */

typedef struct child {
    pid_t id;
    int output;   /* pipe with its standard output */
    char *text;   /* owned */
    int status;   /* as waitpid returns it */
} child;

/* Makes this command line for one run, without --means and with --json; the caller frees the list, not the words.
 * Returns NULL if memory is short. */
static char **command_of(const mass_arguments *a, char number[40], char seed[40])
{
    static char json[] = "--json";
    char **words = calloc((size_t)a->count + 4, sizeof *words);
    int count = 0;
    for (int i = 0, taken; words && i < a->count; i += taken) {
        const char *value;
        const mass_option *o = mass_arguments_option(a, i, &taken, &value);
        if (o && strcmp(o->name, "means") == 0) continue;
        for (int k = i; k < i + taken; k++) words[count++] = a->words[k];
    }
    if (!words) return NULL;
    words[count++] = number;
    words[count++] = json;
    if (seed[0]) words[count] = seed;
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

/* Starts a run in a child process, with a pipe for its standard output. */
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

/* Passes a kept signal to end, and one for a checkpoint, on to the child. Forgets them. */
static void pass_on_signals(const child *c)
{
    const int end = mass_signals_take_kept_end();
    if (end) kill(c->id, end);
    if (mass_signals_take_kept_checkpoint()) kill(c->id, SIGUSR1);
}

/* Reads all that the run prints, passes on signals, and waits for its end. Sets its status and text. */
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

/* Returns the exit status of a run. The run has reported its failure itself, unless it was killed. */
static mass_status status_of(const child *c, uint32_t run, uint32_t runs, mass_error *error)
{
    if (WIFEXITED(c->status)) return (mass_status)WEXITSTATUS(c->status);
    return mass_error_set(error, MASS_FAILED, "run %" PRIu32 " of %" PRIu32 " was ended by signal %d (%s)", run, runs,
                          WTERMSIG(c->status), strsignal(WTERMSIG(c->status)));
}

/* Reports which rows of the sweep a run has, and its size, steps and seed. */
static void say_run(const mass_sweep_rows *rows, uint32_t run)
{
    const mass_sweep_run *r = &rows->runs[run];
    char seed[40] = "", steps[40] = "", size[100] = "", of[60];
    if (r->seed >= 0) snprintf(seed, sizeof seed, ", seed %" PRId64, r->seed);
    if (r->steps >= 0) snprintf(steps, sizeof steps, ", %" PRId64 " steps", r->steps);
    for (uint32_t a = 0; a < r->dimensions; a++) {
        const size_t used = strlen(size);
        snprintf(size + used, sizeof size - used, "%s%" PRId64, a ? "x" : ", size ", r->size[a]);
    }
    if (r->rows == 1) snprintf(of, sizeof of, "row %" PRIu32, r->first_row + 1);
    else snprintf(of, sizeof of, "rows %" PRIu32 " to %" PRIu32, r->first_row + 1, r->first_row + r->rows);
    mass_progress_say("mass-engine: run %" PRIu32 " of %" PRIu32 ": %s of the sweep%s%s%s", run + 1, rows->run_count,
                      of, size, steps, seed);
}

/* ---- all runs ---- */

/* Prints the results of all runs as one JSON object, and closes the standard results. */
static mass_status print(char *const *texts, uint32_t count, mass_error *error)
{
    FILE *to = mass_standard_results();
    fputs("{\"runs\": [", to);
    for (uint32_t i = 0; i < count; i++) fprintf(to, "%s%s", i ? ",\n" : "", texts[i]);
    fputs("]}\n", to);
    return mass_standard_results_end(error);
}

/* Executes one run in a process of its own, and waits for it. *text becomes its result, which the caller frees. */
static mass_status run_one(const mass_sweep_rows *rows, uint32_t run, const mass_arguments *a, char seed[40],
                           char **text, mass_error *error)
{
    char number[40];
    child c = {0};
    snprintf(number, sizeof number, "--sweep-run=%" PRIu32, run + 1);
    char **words = command_of(a, number, seed);
    mass_status status = words ? start(&c, words, error) : mass_error_memory(error, 4096, "a command line");
    free(words);
    if (status == MASS_OK) status = attend(&c, error);
    *text = c.text;
    return status == MASS_OK ? status_of(&c, run + 1, rows->run_count, error) : status;
}

/* Draws one seed for all runs, if neither the table nor the user has one. Worlds then differ by their numbers. */
static void draw_seed(const mass_options *o, const mass_sweep_rows *rows, char word[40])
{
    uint32_t seed = 0;
    word[0] = '\0';
    if (rows->seed || o->seed_given) return;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed) seed = (uint32_t)(mass_seconds() * 1e6);
    snprintf(word, 40, "--seed=%" PRIu32, seed);
    if (o->quiet && !o->json) mass_progress_say("mass-engine: seed %" PRIu32, seed);
}

/* Prints the results of the runs that have ended, also if the next one failed. Writes means only for all runs. */
static mass_status conclude(const mass_options *o, char *const *texts, uint32_t count, bool all, mass_error *error)
{
    mass_error of_means = {0};
    mass_status status = MASS_OK;
    if (count == 0) return MASS_OK;
    if (o->means && all) status = mass_means_write(o->means, o->force, texts, count, &of_means);
    if (o->json) print(texts, count, error);
    if (status != MASS_OK && error->status == MASS_OK) *error = of_means;
    return error->status;
}

/* Executes the runs one after the other until one fails or a signal ends them, then prints results and means. */
static mass_status run_all(const mass_options *o, const mass_sweep_rows *rows, const mass_arguments *a, char **texts,
                           mass_error *error)
{
    char seed[40];
    uint32_t done = 0;
    mass_error of_results = {0};
    mass_status status = o->means ? mass_means_check(o->means, o->force, error) : MASS_OK;
    draw_seed(o, rows, seed);
    mass_sweep_files_make_folders(o);
    mass_signals_keep();
    while (status == MASS_OK && done < rows->run_count) {
        if (!o->quiet) say_run(rows, done);
        status = run_one(rows, done, a, seed, &texts[done], error);
        if (texts[done] && texts[done][0] == '{') done++;
        else if (status == MASS_OK) status = mass_error_set(error, MASS_FAILED, "a run had no result");
        if (status == MASS_OK && mass_signals_kept_end()) status = MASS_INTERRUPTED;
    }
    if (conclude(o, texts, done, status == MASS_OK, &of_results) == MASS_OK || status != MASS_OK) return status;
    *error = of_results;
    return error->status;
}

mass_status mass_sweep_runs(const mass_options *o, const mass_sweep_rows *rows, mass_error *error)
{
    mass_arguments a = {0};
    char **texts = calloc(rows->run_count, sizeof *texts);
    mass_status status = MASS_OK;
    if (!texts || !mass_arguments_read(&a)) status = mass_error_memory(error, rows->run_count * 8, "a sweep");
    if (status == MASS_OK) status = run_all(o, rows, &a, texts, error);
    for (uint32_t i = 0; texts && i < rows->run_count; i++) free(texts[i]);
    free(texts);
    mass_arguments_free(&a);
    return status;
}
