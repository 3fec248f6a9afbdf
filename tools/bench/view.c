/* SPDX-License-Identifier: Apache-2.0 */
/* What a run loses to who looks at it in a browser, how soon they see it, and how often. */
#include "bench.h"
#include "command.h"
#include "process/progress.h"
#include "report.h"
#include "viewer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { RUNS = 3 };
static const double SECONDS = 5;   /* of a run, about */
static const double INTERVAL = 0.1; /* from frame to frame, where the cost is measured */
static const double HURRY = 3;     /* seconds of frames as fast as they come */

static const bench_column columns[] = {
    {"alone_per_s", "alone /s", 1, 10, 0}, {"seen_per_s", "seen /s", 1, 10, 0}, {"lost", "lost %", 100, 8, 2},
    {"frames_per_s", "frames/s", 1, 9, 1}, {"first_s", "first ms", 1e3, 9, 1}, {"most_per_s", "most/s", 1, 8, 1}};

/* Words of a command line, which stay valid as long as they do. */
typedef struct words {
    char size[40], steps[32], threads[16], device[32];
    char *list[24];
} words;

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

/* Steps a second while it steps, what viewers take among them; and the state hash. */
static mass_status take_result(json_t *answer, double *rate, char hash[33], mass_error *error)
{
    const json_t *seconds = json_object_get(answer, "seconds");
    const char *text = json_string_value(json_object_get(answer, "state_hash"));
    const double took = json_number_value(json_object_get(seconds, "run")) +
                        json_number_value(json_object_get(seconds, "output"));
    *rate = json_number_value(json_object_get(answer, "steps")) / took;
    snprintf(hash, 33, "%s", text ? text : "");
    json_decref(answer);
    return text ? MASS_OK : mass_error_set(error, MASS_FAILED, "mass-engine printed no state hash");
}

static mass_status run_alone(const char *path, const bench_options *o, int64_t size, uint64_t steps, double *rate,
                             char hash[33], mass_error *error)
{
    words w;
    json_t *answer;
    put_words(&w, o, size, steps, NULL);
    const mass_status status = bench_command_ask(path, w.list, &answer, error);
    return status == MASS_OK ? take_result(answer, rate, hash, error) : status;
}

/* A frame every INTERVAL, to the end. */
static mass_status run_seen(const char *path, const bench_options *o, int64_t size, uint64_t steps, double *rate,
                            double *frames, char hash[33], mass_error *error)
{
    words w;
    bench_viewer v;
    json_t *answer;
    uint64_t step = 0;
    int count = 0;
    put_words(&w, o, size, steps, "--view");
    mass_status status = bench_viewer_start(&v, path, w.list, error);
    const double began = mass_seconds();
    while (status == MASS_OK && step < steps) {
        const double asked = mass_seconds();
        status = bench_viewer_frame(&v, NULL, &step, error);
        count++;
        const double left = INTERVAL - (mass_seconds() - asked);
        if (left > 0 && step < steps) usleep((useconds_t)(1e6 * left));
    }
    *frames = count / (mass_seconds() - began);
    if (status == MASS_OK) status = bench_viewer_result(&v, &answer, error);
    bench_viewer_end(&v);
    return status == MASS_OK ? take_result(answer, rate, hash, error) : status;
}

/* From the first request to the first picture, and pictures of new steps a second when all are asked for at once. */
static mass_status hurry(const char *path, const bench_options *o, int64_t size, double *first, double *most,
                         mass_error *error)
{
    words w;
    bench_viewer v;
    uint64_t step = 0;
    int count = 0;
    put_words(&w, o, size, (uint64_t)1 << 39, "--view");
    mass_status status = bench_viewer_start(&v, path, w.list, error);
    double began = mass_seconds();
    if (status == MASS_OK) status = bench_viewer_frame(&v, NULL, &step, error);
    *first = mass_seconds() - began;
    began = mass_seconds();
    for (; status == MASS_OK && mass_seconds() - began < HURRY; count++) {
        const uint64_t after = step;
        status = bench_viewer_frame(&v, &after, &step, error);
    }
    *most = count / (mass_seconds() - began);
    bench_viewer_end(&v);
    return status;
}

static mass_status measure(const char *path, const bench_options *o, int64_t size, bench_report *report,
                           mass_error *error)
{
    double alone = 0, seen = 0, frames = NAN, first, most;
    char hash[33], seen_hash[33], label[60];
    mass_status status = run_alone(path, o, size, 64, &alone, hash, error);
    const uint64_t steps = (uint64_t)(SECONDS * alone) + 64;
    alone = 0;
    for (int i = 0; status == MASS_OK && i < (o->runs ? o->runs : RUNS); i++) {
        double a = 0, b = 0;
        status = run_alone(path, o, size, steps, &a, hash, error);
        if (status == MASS_OK) status = run_seen(path, o, size, steps, &b, &frames, seen_hash, error);
        if (status == MASS_OK && strcmp(hash, seen_hash) != 0)
            status = mass_error_set(error, MASS_FAILED, "a run that is looked at has another state");
        alone = a > alone ? a : alone;
        seen = b > seen ? b : seen;
    }
    if (status == MASS_OK) status = hurry(path, o, size, &first, &most, error);
    if (status != MASS_OK) return status;
    snprintf(label, sizeof label, "life %lldx%lld", (long long)size, (long long)size);
    bench_report_row(report, label, (const double[]){alone, seen, 1 - seen / alone, frames, first, most});
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
        status = measure(path, &options, sizes[i], &report, error);
    return bench_report_end(&report, status, error);
}
