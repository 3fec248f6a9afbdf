/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the items of a file: next to CUB on a GPU, next to a plain loop on the CPU, and with the programs of CUDA
 * courses. Also from a file that is read first. */
#include "gpu_histogram.h"
#include "inputs.h"
#include "subject.h"
#include "process/progress.h"
#include "state/tally.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT_RUNS = 5, COUNT_GPU = 1 << 30, COUNT_CPU = 1 << 28, COUNT_COURSE = 100 << 20, COUNT_END = 1 << 30 };
enum { COUNT_PIECE = 1 << 25 };

static const bench_column count_columns[] = {
    {"threads", "threads", 1, 7, 0},
    {"bins", "bins", 1, 6, 0},
    {"pass_s", "pass ms", 1e3, 9, 3},
    {"bytes_per_s", "GB/s", 1e-9, 8, 1},
    {"of_read", "/read", 1, 6, 3},
    {"of_peer", "/peer", 1, 6, 2},
    {"of_one_thread", "/1 thread", 1, 9, 2},
    {"of_file", "/file", 1, 6, 2}};
enum { COUNT_COLUMNS = sizeof count_columns / sizeof *count_columns };

typedef struct count_case {
    const char *label;
    bench_input input;
    const char *mode, *bins, *method; /* bins NULL: bytes */
} count_case;

static const count_case count_cases[] = {
    {"bytes, uniform", BENCH_UNIFORM, "bytes", NULL, "auto"},
    {"bytes, text", BENCH_TEXT, "bytes", NULL, "auto"},
    {"bytes, one value", BENCH_ONE_BYTE, "bytes", NULL, "auto"},
    {"u32, uniform", BENCH_NUMBERS, "u32", "2048", "auto"},
    {"u32, uniform", BENCH_NUMBERS, "u32", "65536", "auto"},
    {"u32, one value", BENCH_ONE_NUMBER, "u32", "2048", "auto"},
    {"u32, one value", BENCH_ONE_NUMBER, "u32", "65536", "auto"}};
static const count_case count_words = {"words, text", BENCH_TEXT, "words", NULL, "auto"};
static const count_case count_methods[] = {
    {"course: sequential", BENCH_UNIFORM, "bytes", NULL, "sequential"},
    {"course: global", BENCH_UNIFORM, "bytes", NULL, "global"},
    {"course: stride", BENCH_UNIFORM, "bytes", NULL, "stride"},
    {"course: shared", BENCH_UNIFORM, "bytes", NULL, "shared"},
    {"course: ours", BENCH_UNIFORM, "bytes", NULL, "auto"}};

/* One input, in memory and as a file. */
typedef struct count_input {
    void *data;
    size_t bytes;
    char path[PATH_MAX];
    int64_t *right; /* the right bins, by a loop of a few lines; for words their number */
    int bins, size;
    bool words;
} count_input;

/* Computes the right counts: words, or items by bins. */
static void count_plainly(count_input *in)
{
    const uint8_t *bytes = in->data;
    const uint32_t *numbers = in->data;
    memset(in->right, 0, (size_t)in->bins * sizeof *in->right);
    for (size_t i = 0; in->words && i < in->bytes; i++)
        in->right[0] += bytes[i] > ' ' && (i == 0 || bytes[i - 1] <= ' ');
    if (in->words) return;
    for (size_t i = 0; i < in->bytes / (size_t)in->size; i++)
        in->right[in->size == 1 ? bytes[i] : (uint64_t)numbers[i] * (uint64_t)in->bins / COUNT_END]++;
}

/* Makes an input in memory and in a file, and its right counts. On failure the caller still closes it. */
static mass_status count_input_open(count_input *in, const count_case *c, size_t bytes, const char *folder,
                                    mass_error *error)
{
    in->words = strcmp(c->mode, "words") == 0;
    in->bins = c->bins ? (int)strtol(c->bins, NULL, 10) : in->words ? 1 : 256;
    in->size = c->bins ? 4 : 1;
    in->bytes = bytes;
    in->data = malloc(bytes);
    in->right = malloc((size_t)in->bins * sizeof *in->right);
    if (!in->data || !in->right) return mass_error_memory(error, bytes, "an input");
    mass_status status = bench_input_make(c->input, in->data, bytes, error);
    if (status != MASS_OK) return status;
    count_plainly(in);
    return bench_input_save(folder, in->data, bytes, in->path, sizeof in->path, error);
}

/* Deletes the file, and frees the memory. */
static void count_input_close(count_input *in)
{
    if (in->path[0]) unlink(in->path);
    free(in->data);
    free(in->right);
}

/* ---- the peer, alternating with the engine ---- */

typedef struct count_peer {
    bench_cub cub;
    const count_input *input;
    bool on_gpu, right;
    double seconds[BENCH_RUNS_MAX];
    int count;
} count_peer;

/* Prepares the peer. On a GPU that is CUB, whose counts it checks once: p->right. */
static mass_status count_peer_open(count_peer *p, bench_subject *s, const count_input *in, mass_error *error)
{
    p->on_gpu = s->on_gpu;
    p->input = in;
    p->count = 0;
    p->right = true;
    if (!s->on_gpu || in->words) return MASS_OK;
    const size_t items = in->bytes / (size_t)in->size;
    mass_status status = bench_cub_open(&p->cub, &s->gpu, in->data, items, in->size, in->bins,
                                        in->size == 1 ? 256 : COUNT_END, error);
    int *counts = calloc((size_t)in->bins, sizeof *counts);
    if (!counts) return mass_error_memory(error, (size_t)in->bins * sizeof *counts, "bins");
    if (status == MASS_OK) status = bench_cub_counts(&p->cub, counts, error);
    for (int i = 0; i < in->bins; i++) p->right &= counts[i] == in->right[i];
    free(counts);
    return status;
}

/* Measures the usual tools: one word for each line, sorted, and equal ones counted. It takes long, so it runs once. */
static mass_status count_sorted(const count_input *in, double *seconds, mass_error *error)
{
    static double took = NAN;
    char command[PATH_MAX + 200];
    snprintf(command, sizeof command,
             "LC_ALL=C tr -s ' \\t\\n\\v\\f\\r' '\\n' < '%s' | LC_ALL=C sort | uniq -c > /dev/null", in->path);
    const double began = mass_seconds();
    if (isnan(took) && system(command) != 0)
        return mass_error_set(error, MASS_FAILED, "sort | uniq -c failed: nothing is measured");
    if (isnan(took)) took = mass_seconds() - began;
    *seconds = took;
    return MASS_OK;
}

/* Runs the peer once and notes its seconds: CUB, a sort of words, or a loop over bytes. NAN if there is no peer. */
static mass_status count_peer_measure(void *context, mass_error *error)
{
    count_peer *p = context;
    double *seconds = &p->seconds[p->count++];
    if (p->on_gpu && !p->input->words) return bench_cub_measure(&p->cub, seconds, error);
    if (p->input->words) return count_sorted(p->input, seconds, error);
    if (p->input->size != 1) {
        *seconds = NAN;
        return MASS_OK;
    }
    int64_t counts[256];
    const double began = mass_seconds();
    bench_count_bytes(p->input->data, p->input->bytes, counts);
    *seconds = mass_seconds() - began;
    if (memcmp(counts, p->input->right, sizeof counts) != 0)
        return mass_error_set(error, MASS_FAILED, "the loop to compare with counts wrong: nothing is measured");
    return MASS_OK;
}

/* ---- the engine ---- */

/* Fails if the engine's counts differ from the right ones. */
static mass_status count_check(bench_run *r, const count_input *in, mass_error *error)
{
    const mass_model *m = r->domain->model;
    int64_t *tallies = malloc((size_t)m->tally_words * sizeof *tallies);
    if (!tallies) return mass_error_memory(error, (size_t)m->tally_words * sizeof *tallies, "bins");
    mass_status status = mass_domain_read_tallies(r->domain, tallies, error);
    const mass_tally_def *t = &m->tallies[mass_model_find_tally(m, in->words ? "total" : "counts")];
    if (status == MASS_OK && memcmp(tallies + t->first, in->right, (size_t)in->bins * sizeof *tallies) != 0)
        status = mass_error_set(error, MASS_FAILED, "the engine counts wrong: nothing is measured");
    free(tallies);
    return status;
}

/* Opens the model for an input, with this many items in a piece. */
static mass_status count_open(bench_model *m, const count_case *c, const count_input *in, mass_gidx piece,
                              mass_error *error)
{
    mass_setting settings[5] = {{.name = "input", .value = (char *)(uintptr_t)in->path},
                                {.name = "mode", .value = (char *)(uintptr_t)c->mode},
                                {.name = "method", .value = (char *)(uintptr_t)c->method}};
    char end[24];
    snprintf(end, sizeof end, "%d", COUNT_END);
    settings[3] = (mass_setting){.name = "bins", .value = (char *)(uintptr_t)c->bins};
    settings[4] = (mass_setting){.name = "hi", .value = end};
    const uint32_t count = c->bins ? 5 : in->words ? 2 : 3;
    return bench_model_open(m, "histogram", settings, count, (mass_gidx[3]){piece, 1, 1}, 1, error);
}

/* Checks and measures a pass over items that are on the device, in turns with the peer unless `alone`. Adds a row to
 * the report. */
static mass_status count_row(bench_subject *s, const count_case *c, const count_input *in, int which, int runs,
                             double *one_thread, double read, bool alone, bench_report *report, mass_error *error)
{
    bench_model m;
    bench_run r = {0};
    count_peer *p = calloc(1, sizeof *p);
    if (!p) return mass_error_memory(error, sizeof *p, "a measurement");
    double pass = NAN;
    const int threads = s->threads[which];
    mass_status status = count_open(&m, c, in, (mass_gidx)(in->bytes / (size_t)in->size), error);
    if (status == MASS_OK) status = bench_run_open(&r, &m, s->device, threads, error);
    r.observed = true;
    if (status == MASS_OK) status = bench_run_advance(&r, 1, NULL, error);
    if (status == MASS_OK) status = count_check(&r, in, error);
    if (status == MASS_OK && !alone) status = count_peer_open(p, s, in, error);
    const bench_peer peer = {count_peer_measure, p};
    if (status == MASS_OK) status = bench_measure_steps(&r, runs, alone ? NULL : &peer, &pass, error);
    if (status == MASS_OK) status = count_check(&r, in, error);
    if (status == MASS_OK) {
        if (threads == 1) *one_thread = pass;
        const double rate = (double)in->bytes / pass;
        const bool fair = !alone && threads <= 1 && p->right;
        if (!alone && !p->right) bench_report_fact(report, "cub", "wrong counts with %d bins, not compared", in->bins);
        bench_report_row(report, c->label, (const double[COUNT_COLUMNS]){threads ? threads : NAN, in->bins, pass, rate,
                         s->on_gpu ? rate / read : NAN, fair ? bench_median(p->seconds, p->count) / pass : NAN,
                         threads > 1 ? *one_thread / pass : NAN, NAN});
    }
    if (s->on_gpu && !alone) bench_cub_close(&p->cub);
    free(p);
    bench_run_close(&r);
    bench_model_close(&m);
    return status;
}

/* Measures a pass that reads the file, once the device is ready. */
static mass_status count_file_row(bench_subject *s, const count_case *c, const count_input *in, int runs,
                                  bench_report *report, mass_error *error)
{
    double file[BENCH_RUNS_MAX], pass[BENCH_RUNS_MAX];
    mass_status status = MASS_OK;
    for (int i = 0; status == MASS_OK && i < runs; i++) {
        bench_model m;
        bench_run r = {0};
        pass[i] = 0;
        status = bench_gpu_read_file(&s->gpu, in->path, COUNT_PIECE, &file[i], error);
        if (status == MASS_OK) status = count_open(&m, c, in, COUNT_PIECE, error);
        if (status == MASS_OK) status = bench_run_open(&r, &m, s->device, 0, error);
        if (status == MASS_OK) status = bench_run_advance(&r, 1, &pass[i], error);
        if (status == MASS_OK) status = count_check(&r, in, error);
        bench_run_close(&r);
        bench_model_close(&m);
    }
    if (status != MASS_OK) return status;
    const double median = bench_median(pass, runs);
    bench_report_row(report, "from a file", (const double[COUNT_COLUMNS]){NAN, in->bins, median,
                     (double)in->bytes / median, NAN, NAN, NAN, median / bench_median(file, runs)});
    return MASS_OK;
}

/* Measures a case, and adds its rows: with each number of threads and next to the peer, or, if `alone`, with the most
 * threads and without the peer. If from_file, it measures on a GPU also from the file. It needs `read` there: the bytes
 * that the GPU reads in a second (bench_gpu_read). */
static mass_status count_measure(bench_subject *s, const count_case *c, size_t bytes, bool alone, bool from_file,
                                 const bench_options *o, double read, bench_report *report, mass_error *error)
{
    const int runs = o->runs ? o->runs : COUNT_RUNS;
    count_input in = {0};
    double one_thread = NAN;
    mass_status status = count_input_open(&in, c, bytes, o->folder, error);
    for (int k = 0; status == MASS_OK && k < (alone ? 1 : s->count); k++)
        status = count_row(s, c, &in, alone ? s->count - 1 : k, runs, &one_thread, read, alone, report, error);
    if (status == MASS_OK && from_file && s->on_gpu) status = count_file_row(s, c, &in, runs, report, error);
    count_input_close(&in);
    return status;
}

mass_status bench_histogram(const bench_options *o, mass_error *error)
{
    bench_report report;
    bench_subject subject;
    double read = NAN;
    bench_report_begin(&report, "histogram", count_columns, COUNT_COLUMNS, o->json);
    mass_status status = bench_subject_open(&subject, o, &report, error);
    if (status == MASS_OK && subject.on_gpu) status = bench_gpu_read(&subject.gpu, &read, error);
    const size_t bytes = o->size ? (size_t)o->size / 4 * 4 : subject.on_gpu ? COUNT_GPU : COUNT_CPU;
    const size_t course = o->size ? bytes : COUNT_COURSE;
    for (size_t i = 0; status == MASS_OK && i < sizeof count_cases / sizeof *count_cases; i++)
        status = count_measure(&subject, &count_cases[i], bytes, false, i == 0, o, read, &report, error);
    if (status == MASS_OK)
        status = count_measure(&subject, &count_words, course, false, false, o, read, &report, error);
    for (size_t i = 0; status == MASS_OK && i < sizeof count_methods / sizeof *count_methods; i++)
        status = count_measure(&subject, &count_methods[i], course, true, false, o, read, &report, error);
    bench_subject_close(&subject);
    return bench_report_end(&report, status, error);
}
