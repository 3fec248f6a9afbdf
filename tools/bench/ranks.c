/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of several ranks next to those of one, as a user starts them. Weak: each rank has as much work as the single
 * rank. Strong: all ranks together have that work. On a CPU the single rank has as many threads as there are ranks,
 * which have one each. */
#include "bench.h"
#include "command.h"
#include "measure.h"
#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RUNS = 5, TRIAL_STEPS = 128, STEPS_MAX = 200000 };
static const double SECONDS = 1.5; /* approximate time of the steps in each run; other work takes some milliseconds */

static const bench_column columns[] = {{"one_s", "1 rank us", 1e6, 10, 2}, {"ranks_s", "ranks us", 1e6, 10, 2},
                                       {"over_s", "over us", 1e6, 8, 2}, {"ratio", "ratio", 1, 7, 3}};

/* A model and its size. */
typedef struct subject {
    const char *label, *plugin;
    int64_t size;   /* extent of a square; 0: worlds of the plugin's own size */
    int32_t worlds; /* number for one rank */
    bool weak;
} subject;

static const subject on_gpus[] = {
    {"life, weak", "life", 16384, 1, true},    {"life, strong", "life", 16384, 1, false},
    {"life, strong", "life", 65536, 1, false}, {"life, small", "life", 512, 1, false},
    {"heat, weak", "heat", 16384, 1, true},    {"heat, strong", "heat", 16384, 1, false},
    {"sugarscape, weak", "sugarscape", 4096, 1, true}, {"mines, weak", "minesweeper", 0, 1024, true}};
static const subject on_cpus[] = {
    {"life, strong", "life", 2048, 1, false}, {"heat, strong", "heat", 2048, 1, false},
    {"sugarscape, strong", "sugarscape", 1024, 1, false}, {"mines, strong", "minesweeper", 0, 64, false}};

/* One way to run a model. */
typedef struct form {
    const subject *subject;
    const bench_options *options;
    int ranks, threads; /* threads 0: on a GPU */
} form;

typedef struct outcome {
    double step; /* seconds */
    char hash[33];
} outcome;

/* Returns whether the options name the CPU. */
static bool on_cpu(const bench_options *o) { return o->device && strcmp(o->device, "cpu") == 0; }

/* Runs the command mass-engine once and waits. Sets *out from its report. */
static mass_status run(const char *path, const form *f, uint64_t steps, outcome *out, mass_error *error)
{
    const subject *s = f->subject;
    const int64_t times = s->weak ? f->ranks : 1;
    char size[64], worlds[32], count[32], ranks[16], threads[16];
    snprintf(size, sizeof size, "%" PRId64 "x%" PRId64, s->size, s->size * times);
    snprintf(worlds, sizeof worlds, "%" PRId64, s->worlds * (s->size ? 1 : times));
    snprintf(count, sizeof count, "%" PRIu64, steps);
    snprintf(ranks, sizeof ranks, "%d", f->ranks);
    snprintf(threads, sizeof threads, "%d", f->threads ? f->threads : 1);
    char *arguments[24] = {"mass-engine", "--plugin", (char *)(uintptr_t)s->plugin, "--seed", "1", "--quiet", "--json",
                           "--steps", count, "--worlds", worlds, "--ranks", ranks, "--threads", threads, "--device",
                           (char *)(uintptr_t)(on_cpu(f->options) ? "cpu" : "cuda")};
    int last = 17;
    if (s->size) {
        arguments[last++] = "--size";
        arguments[last] = size;
    }
    json_t *answer;
    const mass_status status = bench_command_ask(path, arguments, &answer, error);
    if (status != MASS_OK) return status;
    const char *hash = json_string_value(json_object_get(answer, "state_hash"));
    out->step = json_number_value(json_object_get(json_object_get(answer, "seconds"), "run")) / (double)steps;
    snprintf(out->hash, sizeof out->hash, "%s", hash ? hash : "");
    json_decref(answer);
    return MASS_OK;
}

/* Measures the forms of a model in turns, with as many steps as take that time on one rank. */
static mass_status measure(const char *path, const form *one, const form *several, bench_report *report,
                           mass_error *error)
{
    const int runs = one->options->runs ? one->options->runs : RUNS;
    double times[2][BENCH_RUNS_MAX], label_size = (double)one->subject->size;
    outcome first = {0}, second = {0};
    mass_status status = run(path, one, TRIAL_STEPS, &first, error);
    if (status != MASS_OK) return status;
    const double fit = SECONDS / first.step;
    const uint64_t steps = fit < TRIAL_STEPS ? TRIAL_STEPS : fit > STEPS_MAX ? STEPS_MAX : (uint64_t)fit;
    for (int i = 0; status == MASS_OK && i < runs; i++) {
        status = run(path, one, steps, &first, error);
        if (status == MASS_OK) status = run(path, several, steps, &second, error);
        times[0][i] = first.step;
        times[1][i] = second.step;
    }
    if (status != MASS_OK) return status;
    const bool weak = one->subject->weak;
    if (!weak && strcmp(first.hash, second.hash) != 0)
        return mass_error_set(error, MASS_FAILED, "%s: %d ranks end in another state than one",
                              one->subject->label, several->ranks);
    const double alone = bench_median(times[0], runs), together = bench_median(times[1], runs);
    const bool shares_cores = one->threads == several->ranks;
    const double ideal = weak || shares_cores ? alone : alone / several->ranks;
    char label[40];
    if (label_size > 0) snprintf(label, sizeof label, "%s %.0f", one->subject->label, label_size);
    else snprintf(label, sizeof label, "%s %d", one->subject->label, one->subject->worlds);
    bench_report_row(report, label, (const double[]){alone, together, together - ideal, ideal / together});
    return MASS_OK;
}

mass_status bench_ranks(const bench_options *o, mass_error *error)
{
    const bool cpu = on_cpu(o);
    const subject *list = cpu ? on_cpus : on_gpus;
    const size_t count = cpu ? sizeof on_cpus / sizeof *on_cpus : sizeof on_gpus / sizeof *on_gpus;
    const int ranks = o->ranks ? o->ranks : 2;
    char path[PATH_MAX];
    bench_report report;
    bench_report_begin(&report, "ranks", columns, sizeof columns / sizeof *columns, o->json);
    bench_report_fact(&report, "ranks", "%d", ranks);
    mass_status status = bench_command_find(path, error);
    for (size_t i = 0; status == MASS_OK && i < count; i++) {
        if (o->size && list[i].size != o->size) continue;
        const form one = {&list[i], o, 1, cpu ? ranks : 0}, several = {&list[i], o, ranks, cpu ? 1 : 0};
        status = measure(path, &one, &several, &report, error);
    }
    return bench_report_end(&report, status, error);
}
