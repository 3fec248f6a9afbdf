/* SPDX-License-Identifier: Apache-2.0 */
/* The command as a user starts it, up to the end of its first step. */
#include "bench.h"
#include "command.h"
#include "measure.h"
#include "process/progress.h"
#include "report.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { RUNS = 20, SIZE = 512 };

static const bench_column columns[] = {
    {"median_s", "median ms", 1e3, 10, 1}, {"least_s", "least ms", 1e3, 10, 1}, {"most_s", "most ms", 1e3, 10, 1}};

static char *const first_step[] = {"mass-engine", "--plugin", "life", "--size", "512x512", "--steps", "1", "--device",
                                   "cpu", "--seed", "1", "--quiet", NULL};
static char *const first_step_json[] = {"mass-engine", "--plugin", "life", "--size", "512x512", "--steps", "1",
                                        "--device", "cpu", "--seed", "1", "--quiet", "--json", NULL};

/* Computes the state hash after one step of Life, inside this program. */
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

/* Checks the command: its first step must be that of the same run in this process. */
static mass_status check(const char *path, mass_error *error)
{
    char expected[33];
    json_t *object;
    mass_status status = expected_hash(expected, error);
    if (status == MASS_OK) status = bench_command_ask(path, first_step_json, &object, error);
    if (status != MASS_OK) return status;
    const char *hash = json_string_value(json_object_get(object, "state_hash"));
    const bool right = hash && strcmp(hash, expected) == 0 && json_integer_value(json_object_get(object, "steps")) == 1;
    json_decref(object);
    return right ? MASS_OK : mass_error_set(error, MASS_FAILED, "the command's first step is not that of the engine: "
                                            "nothing is measured");
}

/* Measures how long the command takes, and adds a row with the median, first and last time in seconds. */
static mass_status measure(const char *path, int runs, bench_report *report, mass_error *error)
{
    double times[BENCH_RUNS_MAX];
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    mass_status status = nothing < 0 ? mass_error_set(error, MASS_FAILED, "/dev/null: %m") : MASS_OK;
    for (int i = 0; status == MASS_OK && i < runs; i++) {
        const double began = mass_seconds();
        status = bench_command_run(path, first_step, nothing, error);
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
    mass_status status = bench_command_find(path, error);
    if (status == MASS_OK) status = check(path, error);
    if (status == MASS_OK) status = measure(path, o->runs ? o->runs : RUNS, &report, error);
    return bench_report_end(&report, status, error);
}
