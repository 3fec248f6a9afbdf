/* SPDX-License-Identifier: Apache-2.0 */
/* The command as a user starts it, up to the end of its first step. */
#include "bench.h"
#include "measure.h"
#include "process/progress.h"
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RUNS = 20, SIZE = 512, ANSWER_MAX = 8192 };

static const bench_column columns[] = {
    {"median_s", "median ms", 1e3, 10, 1}, {"least_s", "least ms", 1e3, 10, 1}, {"most_s", "most ms", 1e3, 10, 1}};

/* mass-engine lies beside this program. */
static mass_status find_command(char path[PATH_MAX], mass_error *error)
{
    char self[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash) *slash = '\0';
    if (!slash || snprintf(path, PATH_MAX, "%s/mass-engine", self) >= PATH_MAX || access(path, X_OK) != 0)
        return mass_error_set(error, MASS_BAD_USAGE, "there is no mass-engine beside mass-bench in %s", self);
    return MASS_OK;
}

/* Runs the command to its end, its standard output going to `output`. */
static mass_status run_command(const char *path, int output, bool json, mass_error *error)
{
    extern char **environ;
    char *const arguments[] = {"mass-engine", "--plugin", "life", "--size", "512x512", "--steps", "1", "--device",
                               "cpu", "--seed", "1", "--quiet", json ? "--json" : NULL, NULL};
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    pid_t child;
    const int problem = posix_spawn(&child, path, &files, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    if (problem) return mass_error_set(error, MASS_FAILED, "%s cannot be started: %s", path, strerror(problem));
    int how;
    while (waitpid(child, &how, 0) < 0)
        if (errno != EINTR) return mass_error_set(error, MASS_FAILED, "%s is lost: %m", path);
    if (!WIFEXITED(how) || WEXITSTATUS(how) != 0)
        return mass_error_set(error, MASS_FAILED, "%s ended with %s %d", path,
                              WIFEXITED(how) ? "exit status" : "signal",
                              WIFEXITED(how) ? WEXITSTATUS(how) : WTERMSIG(how));
    return MASS_OK;
}

static mass_status expected_hash(char hex[33], mass_error *error)
{
    bench_model model;
    bench_run r = {0};
    mass_status status = bench_model_open(&model, "life", NULL, 0, (mass_gidx[3]){SIZE, SIZE, 1}, 2, error);
    if (status == MASS_OK) status = bench_run_open(&r, &model, "cpu", 1, error);
    if (status == MASS_OK) status = bench_run_advance(&r, 1, NULL, error);
    if (status == MASS_OK) status = bench_run_hash(&r, hex, error);
    bench_run_close(&r);
    bench_model_close(&model);
    return status;
}

/* That the command does what is measured: its first step is that of the same run in this process. */
static mass_status check(const char *path, mass_error *error)
{
    char expected[33], answer[ANSWER_MAX];
    int ends[2];
    mass_status status = expected_hash(expected, error);
    if (status != MASS_OK) return status;
    if (pipe2(ends, O_CLOEXEC) != 0) return mass_error_set(error, MASS_FAILED, "no pipe: %m");
    status = run_command(path, ends[1], true, error); /* its answer fits the pipe */
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got = 1; got > 0 && length < sizeof answer; length += got > 0 ? (size_t)got : 0)
        got = read(ends[0], answer + length, sizeof answer - length);
    close(ends[0]);
    if (status != MASS_OK) return status;
    json_t *object = json_loadb(answer, length, 0, NULL);
    const char *hash = json_string_value(json_object_get(object, "state_hash"));
    const bool right = hash && strcmp(hash, expected) == 0 && json_integer_value(json_object_get(object, "steps")) == 1;
    json_decref(object);
    return right ? MASS_OK : mass_error_set(error, MASS_FAILED, "the command's first step is not that of the engine: "
                                            "nothing is measured");
}

static mass_status measure(const char *path, int runs, bench_report *report, mass_error *error)
{
    double times[BENCH_RUNS_MAX];
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    mass_status status = nothing < 0 ? mass_error_set(error, MASS_FAILED, "/dev/null: %m") : MASS_OK;
    for (int i = 0; status == MASS_OK && i < runs; i++) {
        const double began = mass_seconds();
        status = run_command(path, nothing, false, error);
        times[i] = mass_seconds() - began;
    }
    if (nothing >= 0) close(nothing);
    if (status != MASS_OK) return status;
    const double median = bench_median(times, runs);
    bench_report_row(report, "life 512x512", (const double[]){median, times[0], times[runs - 1]});
    return MASS_OK;
}

mass_status bench_start(const bench_options *o, mass_error *error)
{
    char path[PATH_MAX];
    bench_report report;
    bench_report_begin(&report, "start", columns, sizeof columns / sizeof *columns, o->json);
    mass_status status = find_command(path, error);
    if (status == MASS_OK) status = check(path, error);
    if (status == MASS_OK) status = measure(path, o->runs ? o->runs : RUNS, &report, error);
    return bench_report_end(&report, status, error);
}
