/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of a viewer in a browser for a run, the delay of the first picture, and the rate of pictures. */
#include "bench.h"
#include "command.h"
#include "measure.h"
#include "process/progress.h"
#include "report.h"
#include "viewer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { RUNS = 15 };
static const double SECONDS = 1;   /* approximate time of the runs whose states are compared */
static const double STRETCH = 0.5; /* seconds of a part of a run, with viewer and without, alternately */
static const double INTERVAL = 0.1; /* seconds between frames when the cost is measured */
static const double HURRY = 3;     /* seconds with frames as fast as possible */

static const bench_column columns[] = {
    {"alone_per_s", "alone /s", 1, 10, 0}, {"seen_per_s", "seen /s", 1, 10, 0}, {"lost", "lost %", 100, 8, 2},
    {"frames_per_s", "frames/s", 1, 9, 1}, {"first_s", "first ms", 1e3, 9, 1}, {"most_per_s", "most/s", 1, 8, 1}};

/* The arguments of a command line, which point into this struct. */
typedef struct words {
    char size[40], steps[32], threads[16], device[32];
    char *list[24];
} words;

/* Makes the command line of a run. `view` is an option to look at it; NULL: none. w owns the words. */
static void put_words(words *w, const bench_options *o, int64_t size, uint64_t steps, const char *view)
{
    snprintf(w->size, sizeof w->size, "%lldx%lld", (long long)size, (long long)size);
    snprintf(w->steps, sizeof w->steps, "%llu", (unsigned long long)steps);
    snprintf(w->threads, sizeof w->threads, "%d", o->threads);
    snprintf(w->device, sizeof w->device, "%s", o->device);
    char *const all[] = {"mass-engine", "life", "--size", w->size, "--steps", w->steps, "--seed", "1", "--device",
                         w->device, "--quiet", "--json", o->threads ? "--threads" : (char *)(uintptr_t)view,
                         o->threads ? w->threads : NULL, o->threads ? (char *)(uintptr_t)view : NULL, NULL};
    memcpy(w->list, all, sizeof all);
}

/* Takes the rate, in steps a second, and the state hash from a run's report, and frees the report. */
static mass_status take_hash(json_t *answer, double *rate, char hash[33], mass_error *error)
{
    const char *text = json_string_value(json_object_get(answer, "state_hash"));
    *rate = json_number_value(json_object_get(answer, "steps")) /
            json_number_value(json_object_get(json_object_get(answer, "seconds"), "run"));
    snprintf(hash, 33, "%s", text ? text : "");
    json_decref(answer);
    return text ? MASS_OK : mass_error_set(error, MASS_FAILED, "mass-engine printed no state hash");
}

/* Runs the command, which no viewer looks at. Sets its rate, in steps a second, and its state hash. */
static mass_status run_alone(const char *path, const bench_options *o, int64_t size, uint64_t steps, double *rate,
                             char hash[33], mass_error *error)
{
    words w;
    json_t *answer;
    put_words(&w, o, size, steps, NULL);
    const mass_status status = bench_command_ask(path, w.list, &answer, error);
    return status == MASS_OK ? take_hash(answer, rate, hash, error) : status;
}

/* Runs the command with a viewer that requests a frame every INTERVAL, to the end of the run. */
static mass_status run_seen(const char *path, const bench_options *o, int64_t size, uint64_t steps, char hash[33],
                            mass_error *error)
{
    words w;
    bench_viewer v;
    json_t *answer;
    uint64_t step = 0;
    double ignored;
    put_words(&w, o, size, steps, "--view");
    mass_status status = bench_viewer_start(&v, path, w.list, error);
    while (status == MASS_OK && step < steps) {
        status = bench_viewer_frame(&v, NULL, &step, error);
        usleep((useconds_t)(1e6 * INTERVAL));
    }
    if (status == MASS_OK) status = bench_viewer_result(&v, &answer, error);
    bench_viewer_end(&v);
    return status == MASS_OK ? take_hash(answer, &ignored, hash, error) : status;
}

/* Fails if a run that is looked at has another state than one that is not. */
static mass_status compare_states(const char *path, const bench_options *o, int64_t size, mass_error *error)
{
    double rate, ignored;
    char hash[33], seen[33];
    mass_status status = run_alone(path, o, size, 64, &rate, hash, error);
    const uint64_t steps = (uint64_t)(SECONDS * rate) + 64;
    if (status == MASS_OK) status = run_alone(path, o, size, steps, &ignored, hash, error);
    if (status == MASS_OK) status = run_seen(path, o, size, steps, seen, error);
    if (status == MASS_OK && strcmp(hash, seen) != 0)
        status = mass_error_set(error, MASS_FAILED, "a run that is looked at has another state");
    return status;
}

/* Gets the steps a second with a frame every INTERVAL, and how many frames came a second; frames NULL: without
 * frames. */
static mass_status stretch(bench_viewer *v, double *rate, double *frames, mass_error *error)
{
    uint64_t first = 0, step = 0;
    int count = 0;
    mass_status status = bench_viewer_step(v, &first, error);
    const double began = mass_seconds();
    double now = began;
    while (status == MASS_OK && now - began < STRETCH) {
        if (frames) status = bench_viewer_frame(v, NULL, &step, error);
        const double left = began + (frames ? ++count * INTERVAL : STRETCH) - mass_seconds();
        if (left > 0) usleep((useconds_t)(1e6 * left));
        now = mass_seconds();
    }
    if (status == MASS_OK) status = bench_viewer_step(v, &step, error);
    now = mass_seconds();
    *rate = (double)(step - first) / (now - began);
    if (frames) *frames = count / (now - began);
    return status;
}

/* Gets the pictures of new steps a second when each is requested at once. */
static mass_status hurry(bench_viewer *v, double *most, mass_error *error)
{
    uint64_t step = 0;
    int count = 0;
    mass_status status = bench_viewer_frame(v, NULL, &step, error);
    const double began = mass_seconds();
    for (; status == MASS_OK && mass_seconds() - began < HURRY; count++) {
        const uint64_t after = step;
        status = bench_viewer_frame(v, &after, &step, error);
    }
    *most = count / (mass_seconds() - began);
    return status;
}

/* Measures all of it in one run, since the difference between two processes may be larger than the cost of viewers. */
static mass_status measure(const char *path, const bench_options *o, int64_t size, bench_report *report,
                           mass_error *error)
{
    words w;
    bench_viewer v;
    uint64_t step;
    const int runs = o->runs ? o->runs : RUNS;
    double alone[BENCH_RUNS_MAX], seen[BENCH_RUNS_MAX], lost[BENCH_RUNS_MAX], frames = NAN, most = NAN;
    put_words(&w, o, size, (uint64_t)1 << 39, "--view");
    mass_status status = bench_viewer_start(&v, path, w.list, error);
    const double began = mass_seconds();
    if (status == MASS_OK) status = bench_viewer_frame(&v, NULL, &step, error);
    const double first = mass_seconds() - began;
    for (int i = 0; status == MASS_OK && i < runs; i++) {
        status = stretch(&v, &alone[i], NULL, error);
        if (status == MASS_OK) status = stretch(&v, &seen[i], &frames, error);
        if (status == MASS_OK) lost[i] = 1 - seen[i] / alone[i];
    }
    if (status == MASS_OK) status = hurry(&v, &most, error);
    bench_viewer_end(&v);
    if (status != MASS_OK) return status;
    char label[60];
    snprintf(label, sizeof label, "life %lldx%lld", (long long)size, (long long)size);
    bench_report_row(report, label, (const double[]){bench_median(alone, runs), bench_median(seen, runs),
                                                     bench_median(lost, runs), frames, first, most});
    return MASS_OK;
}

mass_status bench_view(const bench_options *o, mass_error *error)
{
    char path[PATH_MAX];
    bench_report report;
    bench_options options = *o;
    bench_report_begin(&report, "view", columns, sizeof columns / sizeof *columns, o->json);
    mass_status status = bench_command_find(path, error);
    const bool gpu = o->device && strncmp(o->device, "cuda", 4) == 0;
    if (!options.device) options.device = "cpu";
    const int64_t sizes[] = {o->size ? o->size : gpu ? 16384 : 4096, o->size || !gpu ? 0 : 65536};
    for (int i = 0; status == MASS_OK && i < 2 && sizes[i]; i++)
        if ((status = compare_states(path, &options, sizes[i], error)) == MASS_OK)
            status = measure(path, &options, sizes[i], &report, error);
    return bench_report_end(&report, status, error);
}
