/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes that follow edges, next to a loop over compressed rows on one core; edges that change; and edges read from a
 * list. */
#include "command.h"
#include "model/network.h"
#include "networks_plain.h"
#include "process/progress.h"
#include "subject.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { NETWORKS_RUNS = 5, NETWORKS_SETTINGS = 2, NETWORKS_CHECKED = 3, NETWORKS_NODES = 1000000,
       REWIRING_STEPS = 2, /* until the arrays of the first edges are made */ LINES = 10000000 };

static const bench_column networks_columns[] = {
    {"threads", "threads", 1, 7, 0},       {"nodes", "nodes", 1, 9, 0},
    {"edges", "edges in", 1, 10, 0},       {"made_s", "made s", 1, 7, 2},
    {"step_s", "step ms", 1e3, 9, 3},      {"edges_per_s", "Gedge/s", 1e-9, 8, 3},
    {"plain_s", "plain ms", 1e3, 9, 3},    {"times_plain", "plain/step", 1, 10, 3},
    {"bytes_per_s", "read MB/s", 1e-6, 9, 0}};
enum { NETWORKS_COLUMNS = sizeof networks_columns / sizeof *networks_columns };

/* A network with as many edges that come into a node, in the mean, as the others. */
typedef struct networks_case {
    const char *label, *generator, *degree;
} networks_case;

static const networks_case cases[] = {{"random", "3", "10"}, {"small world, 5 %", "2", "10"},
                                      {"preferential", "4", "5"}};

/* The plain loop, measured alternately with the engine. */
typedef struct plain_walk {
    const mass_edge_ends *ends;
    uint8_t *state, *next;
    double times[BENCH_RUNS_MAX];
    int count;
} plain_walk;

/* Takes a step of the plain loop, which changes its two arrays over, and keeps the seconds. */
static mass_status measure_plain(void *context, mass_error *error)
{
    plain_walk *p = context;
    (void)error;
    const double begin = mass_seconds();
    bench_network_step(p->ends->nodes, p->ends->first, p->ends->source, p->state, p->next);
    p->times[p->count++] = mass_seconds() - begin;
    uint8_t *const new = p->next;
    p->next = p->state;
    p->state = new;
    return MASS_OK;
}

/* Runs some steps, and compares the nodes with those of the plain loop, which begins with the same. */
static mass_status check(bench_run *r, plain_walk *p, const char *label, mass_error *error)
{
    void *begun = NULL, *ended = NULL;
    const size_t nodes = (size_t)p->ends->nodes;
    mass_status status = bench_run_read(r, &begun, error);
    if (status == MASS_OK) status = bench_run_advance(r, NETWORKS_CHECKED, NULL, error);
    if (status == MASS_OK) status = bench_run_read(r, &ended, error);
    if (status == MASS_OK) memcpy(p->state, begun, nodes);
    for (int i = 0; status == MASS_OK && i < NETWORKS_CHECKED; i++) status = measure_plain(p, error);
    if (status == MASS_OK && memcmp(p->state, ended, nodes) != 0)
        status = mass_error_set(error, MASS_FAILED, "networks, %s: the nodes differ from those of the plain loop: "
                                "nothing is measured", label);
    p->count = 0;
    free(begun);
    free(ended);
    return status;
}

/* Measures a network with one number of threads, and adds a row to the report. made: the seconds that the model took
 * to open. */
static mass_status networks_row(bench_subject *s, const networks_case *which, bench_model *m, double made, int threads,
                                int runs, bench_report *report, mass_error *error)
{
    static plain_walk plain;
    bench_run r = {0};
    double step = 0;
    plain = (plain_walk){.ends = &m->model.networks->list[0].ends};
    const size_t nodes = (size_t)plain.ends->nodes;
    uint8_t *const memory = malloc(2 * nodes);
    plain.state = memory, plain.next = memory + nodes;
    mass_status status = memory ? MASS_OK : mass_error_memory(error, 2 * nodes, "nodes");
    if (status == MASS_OK) status = bench_run_open(&r, m, s->device, threads, error);
    if (status == MASS_OK) status = check(&r, &plain, which->label, error);
    if (status == MASS_OK)
        status = bench_measure_steps(&r, runs, &(bench_peer){measure_plain, &plain}, &step, error);
    if (status == MASS_OK) {
        const double beside = bench_median(plain.times, plain.count), edges = (double)plain.ends->count;
        bench_report_row(report, which->label, (const double[NETWORKS_COLUMNS]){
            threads ? threads : NAN, (double)nodes, edges, made, step, edges / step, beside, beside / step, NAN});
    }
    bench_run_close(&r);
    free(memory);
    return status;
}

/* Measures a network with each number of threads. Closes the model, also on failure. */
static mass_status measure_networks(bench_subject *s, const networks_case *which, int64_t nodes, int runs,
                                    bench_report *report, mass_error *error)
{
    static bench_model model;
    static mass_setting settings[NETWORKS_SETTINGS];
    char path[PATH_MAX];
    const mass_gidx size[3] = {nodes, 1, 1};
    settings[0] = (mass_setting){"generator", which->generator, NULL};
    settings[1] = (mass_setting){"degree", which->degree, NULL};
    model = (bench_model){0};
    mass_status status = bench_beside("../lib/mass/bench/networks.so", path, error);
    const double begin = mass_seconds();
    if (status == MASS_OK) status = bench_model_open(&model, path, settings, NETWORKS_SETTINGS, size, 1, error);
    const double made = mass_seconds() - begin;
    for (int i = 0; status == MASS_OK && i < s->count; i++)
        status = networks_row(s, which, &model, made, s->threads[i], runs, report, error);
    bench_model_close(&model);
    return status;
}

/* ---- edges that change ---- */

/* Measures steps in which one edge of a hundred ends, and another comes. */
static mass_status rewiring_row(bench_subject *s, bench_model *m, double made, int threads, int runs,
                                bench_report *report, mass_error *error)
{
    const mass_edge_ends *const ends = &m->model.networks->list[0].ends;
    bench_run r = {0};
    double step = 0;
    mass_status status = bench_run_open(&r, m, s->device, threads, error);
    if (status == MASS_OK) status = bench_run_advance(&r, REWIRING_STEPS, NULL, error);
    if (status == MASS_OK) status = bench_measure_steps(&r, runs, NULL, &step, error);
    if (status == MASS_OK)
        bench_report_row(report, "rewiring 1 %", (const double[NETWORKS_COLUMNS]){
            threads ? threads : NAN, (double)ends->nodes, (double)ends->count, made, step, (double)ends->count / step,
            NAN, NAN, NAN});
    bench_run_close(&r);
    return status;
}

/* Measures edges that come and go, with each number of threads. Closes the model, also on failure. */
static mass_status measure_rewiring(bench_subject *s, int64_t nodes, int runs, bench_report *report, mass_error *error)
{
    static bench_model model;
    char path[PATH_MAX];
    const mass_gidx size[3] = {nodes, 1, 1};
    model = (bench_model){0};
    mass_status status = bench_beside("../lib/mass/bench/rewiring.so", path, error);
    const double begin = mass_seconds();
    if (status == MASS_OK) status = bench_model_open(&model, path, NULL, 0, size, 1, error);
    const double made = mass_seconds() - begin;
    for (int i = 0; status == MASS_OK && i < s->count; i++)
        status = rewiring_row(s, &model, made, s->threads[i], runs, report, error);
    bench_model_close(&model);
    return status;
}

/* ---- a list of edges ---- */

/* Writes random edges, a line each. Sets *bytes to the length. */
static mass_status write_list(const char *path, int64_t nodes, int64_t lines, double *bytes, mass_error *error)
{
    FILE *const file = fopen(path, "w");
    uint64_t random = 88172645463325252u;
    if (!file) return mass_error_set(error, MASS_FAILED, "%s: %m", path);
    for (int64_t i = 0; i < lines; i++) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        fprintf(file, "%" PRIu64 ",%" PRIu64 "\n", (random >> 32) % (uint64_t)nodes,
                (random & UINT32_MAX) % (uint64_t)nodes);
    }
    *bytes = (double)ftell(file);
    return fclose(file) == 0 ? MASS_OK : mass_error_set(error, MASS_FAILED, "%s: %m", path);
}

/* Returns the seconds that a core has worked for this thread. */
static double core_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Reads the list once. Sets the seconds of a core until all lines were read, and until the edges are sorted by node. */
static mass_status read_list(const char *path, int64_t nodes, int64_t lines, double *read, double *made,
                             mass_error *error)
{
    const mass_network n = {.name = "net", .file = path};
    mass_edge_list list;
    mass_edge_ends ends = {0};
    const double begin = core_seconds();
    mass_status status = mass_edge_list_read(&n, nodes, NULL, &list, error);
    *read = core_seconds() - begin;
    if (status == MASS_OK && (int64_t)list.count != lines)
        status = mass_error_set(error, MASS_FAILED, "networks: the list has other edges: nothing is measured");
    if (status == MASS_OK) status = mass_edge_ends_make(&list, &n, nodes, &ends, error);
    *made = core_seconds() - begin;
    mass_edge_list_free(&list);
    mass_edge_ends_free(&ends);
    return status;
}

/* Measures how fast one core reads a list. */
static mass_status measure_list(const char *folder, int64_t nodes, int runs, bench_report *report, mass_error *error)
{
    static double reads[BENCH_RUNS_MAX], mades[BENCH_RUNS_MAX];
    char path[PATH_MAX];
    const int64_t lines = nodes < NETWORKS_NODES ? 10 * nodes : LINES;
    double bytes = 0;
    snprintf(path, sizeof path, "%s/mass-bench-edges.csv", folder ? folder : ".");
    mass_status status = write_list(path, nodes, lines, &bytes, error);
    for (int i = 0; status == MASS_OK && i < runs; i++)
        status = read_list(path, nodes, lines, &reads[i], &mades[i], error);
    unlink(path);
    if (status != MASS_OK) return status;
    const double read = bench_median(reads, runs), made = bench_median(mades, runs);
    bench_report_row(report, "a list, .csv", (const double[NETWORKS_COLUMNS]){
        1, (double)nodes, 2 * (double)lines, made, NAN, NAN, NAN, NAN, bytes / read});
    return MASS_OK;
}

mass_status bench_networks(const bench_options *o, mass_error *error)
{
    bench_report report;
    bench_subject subject;
    const int runs = o->runs ? o->runs : NETWORKS_RUNS;
    const int64_t nodes = o->size ? o->size : NETWORKS_NODES;
    bench_report_begin(&report, "networks", networks_columns, NETWORKS_COLUMNS, o->json);
    mass_status status = bench_subject_open(&subject, o, &report, error);
    for (size_t i = 0; status == MASS_OK && i < sizeof cases / sizeof *cases; i++)
        status = measure_networks(&subject, &cases[i], nodes, runs, &report, error);
    if (status == MASS_OK) status = measure_rewiring(&subject, nodes, runs, &report, error);
    if (status == MASS_OK) status = measure_list(o->folder, nodes, runs, &report, error);
    bench_subject_close(&subject);
    return bench_report_end(&report, status, error);
}
