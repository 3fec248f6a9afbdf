/* SPDX-License-Identifier: Apache-2.0 */
/* Life at its usual sizes, next to a copy of as many bytes, a loop by hand, and the array libraries of Python. */
#include "check.h"
#include "process/progress.h"
#include "python_peers.h"
#include "subject.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 6, RUNS = 5, STEPS_AT_SIZE = 2, STEPS_AT_ODD_SIZE = 100 };
static const mass_gidx sizes[SIZES] = {512, 1024, 2048, 4096, 8192, 16384};
static const double SHORTEST = 0.05; /* least seconds of steps by hand that are measured */

static const bench_column columns[] = {
    {"threads", "threads", 1, 7, 0},
    {"init_s", "init ms", 1e3, 9, 2},
    {"first_init_s", "first ms", 1e3, 9, 2},
    {"step_s", "step us", 1e6, 10, 2},
    {"total_s", "total ms", 1e3, 10, 2},
    {"cells_per_s", "Gcell/s", 1e-9, 8, 2},
    {"limit_cells_per_s", "limit", 1e-9, 8, 2},
    {"of_limit", "/limit", 1, 7, 3},
    {"loop_cells_per_s", "loop", 1e-9, 7, 2},
    {"of_loop", "/loop", 1, 7, 3},
    {"of_one_thread", "/1 thread", 1, 9, 2},
    {"jax_cells_per_s", "jax", 1e-9, 7, 2},
    {"cupy_cells_per_s", "cupy", 1e-9, 7, 2},
    {"torch_cells_per_s", "torch", 1e-9, 7, 2}};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* Computes one step on a torus, plainly: the values that the engine must have too. */
static void reference(const void *state, void *out, const mass_gidx size[3])
{
    const uint8_t *now = state;
    uint8_t *next = out;
    for (mass_gidx y = 0; y < size[1]; y++) {
        const uint8_t *rows[3];
        for (int dy = -1; dy <= 1; dy++) rows[dy + 1] = now + bench_wrap(y + dy, size[1]) * size[0];
        for (mass_gidx x = 0; x < size[0]; x++) {
            const mass_gidx left = bench_wrap(x - 1, size[0]), right = bench_wrap(x + 1, size[0]);
            int living = 0;
            for (int i = 0; i < 3; i++) living += rows[i][left] + rows[i][x] + rows[i][right];
            living -= rows[1][x];
            next[y * size[0] + x] = living == 3 || (living == 2 && rows[1][x]);
        }
    }
}

/* ---- the peers that alternate with the engine ---- */

typedef struct beside {
    bench_limit limit;
    bool has_loop;
    bench_life_loop loop;
    double rates[BENCH_RUNS_MAX];
    int count;
} beside;

/* Measures the loop by hand, if there is one, and the copy, once each. */
static mass_status measure_beside(void *context, mass_error *error)
{
    beside *b = context;
    if (b->has_loop) {
        const double began = mass_seconds();
        double seconds, steps = 0;
        do {
            bench_life_loop_step(&b->loop);
            steps++;
            seconds = mass_seconds() - began;
        } while (seconds < SHORTEST);
        b->rates[b->count++] = steps * (double)(b->loop.width * b->loop.height) / seconds;
    }
    return bench_limit_measure(&b->limit, error);
}

/* Compares the loop's places with the reference, except those that its dead border may have reached. */
static mass_status check_loop(bench_life_loop *l, uint8_t **state, mass_error *error)
{
    const mass_gidx size[3] = {l->width, l->height, 1};
    uint8_t *next = malloc((size_t)(l->width * l->height));
    if (!next) return mass_error_memory(error, (size_t)(l->width * l->height), "the reference");
    for (int i = 0; i < STEPS_AT_SIZE; i++) {
        bench_life_loop_step(l);
        reference(*state, next, size);
        uint8_t *swap = *state;
        *state = next;
        next = swap;
    }
    free(next);
    bool right = true;
    for (int64_t y = STEPS_AT_SIZE; y < l->height - STEPS_AT_SIZE; y++)
        right &= memcmp(l->now + y * l->pitch + STEPS_AT_SIZE, *state + y * l->width + STEPS_AT_SIZE,
                        (size_t)(l->width - 2 * STEPS_AT_SIZE)) == 0;
    return right ? MASS_OK : mass_error_set(error, MASS_FAILED, "the loop by hand is wrong: nothing is measured");
}

/* Makes the loop by hand, with the model's state at the start, and checks it. */
static mass_status make_loop(beside *b, bench_model *m, mass_error *error)
{
    bench_run r;
    void *read = NULL;
    const mass_gidx *size = m->model.spaces[0].size;
    mass_status status = bench_run_open(&r, m, "cpu", 1, error);
    if (status == MASS_OK) status = bench_run_read(&r, &read, error);
    bench_run_close(&r);
    uint8_t *state = read;
    if (status == MASS_OK)
        status = bench_life_loop_create(&b->loop, b->limit.subject->isa, size[0], size[1], state, error);
    b->has_loop = status == MASS_OK;
    if (status == MASS_OK) status = check_loop(&b->loop, &state, error);
    free(state);
    return status;
}

/* Makes the copy of as many bytes, and on a CPU the loop by hand. On failure the caller still frees them. */
static mass_status make_beside(beside *b, bench_subject *s, bench_model *m, int threads, mass_error *error)
{
    const mass_gidx *size = m->model.spaces[0].size;
    mass_status status = bench_limit_create(&b->limit, s, (size_t)(size[0] * size[1]), threads, error);
    return status == MASS_OK && !s->on_gpu ? make_loop(b, m, error) : status;
}

/* Frees the copy and the loop. */
static void free_beside(beside *b)
{
    bench_limit_free(&b->limit);
    if (b->has_loop) bench_life_loop_free(&b->loop);
}

/* ---- rows ---- */

typedef struct row {
    bench_subject *subject;
    bench_model *model;
    int threads, runs;
    beside *beside;
    char hash[33];         /* hash that all rows of a size must have; "" in the first */
    double one_thread;     /* its rate, or NAN */
    double python[BENCH_PYTHON_PEERS]; /* their rates, in the last row of a size, else NAN */
} row;

/* Fails if the state differs: on a GPU from that of the CPU, else from that of the row before, with other threads. */
static mass_status check_hash(row *r, const bench_times *t, mass_error *error)
{
    if (r->subject->on_gpu) return bench_check_hash(r->model, r->subject->device, t->hash, error);
    if (r->hash[0] && strcmp(r->hash, t->hash) != 0)
        return mass_error_set(error, MASS_FAILED, "life differs between 1 and %d threads: nothing is measured",
                              r->threads);
    memcpy(r->hash, t->hash, sizeof r->hash);
    return MASS_OK;
}

/* Adds a row to the report. Rates are places a second. */
static void report_row(row *r, const bench_times *t, bench_report *report)
{
    const mass_gidx *size = r->model->model.spaces[0].size;
    const double cells = (double)(size[0] * size[1]), rate = cells / t->step;
    const double limit = bench_limit_rate(&r->beside->limit) / 2 * 8; /* a bit for each place */
    const double loop = r->beside->has_loop ? bench_median(r->beside->rates, r->beside->count) : NAN;
    const bool one = r->threads == 1;
    if (one) r->one_thread = rate;
    char label[64];
    snprintf(label, sizeof label, "%" PRId64 "x%" PRId64, size[0], size[1]);
    bench_report_row(report, label, (const double[COLUMNS]){r->threads ? r->threads : NAN, t->init, t->first_init,
                     t->step, t->total, rate, limit, rate / limit, loop, rate / loop,
                     one ? NAN : rate / r->one_thread, r->python[0], r->python[1], r->python[2]});
}

/* Checks and measures Life with one size and number of threads, and adds a row to the report. */
static mass_status measure_row(row *r, bench_report *report, mass_error *error)
{
    bench_times times;
    const char *device = r->subject->device;
    mass_status status = make_beside(r->beside, r->subject, r->model, r->threads, error);
    const bench_peer peer = {measure_beside, r->beside};
    if (status == MASS_OK)
        status = bench_check(r->model, device, r->threads, STEPS_AT_SIZE, reference, error);
    if (status == MASS_OK)
        status = bench_measure(r->model, device, r->threads, r->runs, &peer, &times, error);
    if (status == MASS_OK) status = check_hash(r, &times, error);
    if (status == MASS_OK) report_row(r, &times, report);
    free_beside(r->beside);
    return status;
}

/* The array libraries use all cores: their rates are in the row with the most threads. */
static mass_status measure_size(bench_subject *s, const bench_python_peers *python, mass_gidx size, int runs,
                                bench_report *report, mass_error *error)
{
    bench_model model;
    row r = {.subject = s, .model = &model, .runs = runs, .one_thread = NAN, .python = {NAN, NAN, NAN}};
    mass_status status = bench_model_open(&model, "life", NULL, 0, (mass_gidx[3]){size, size, 1}, 2, error);
    for (int i = 0; status == MASS_OK && i < s->count; i++) {
        r.threads = s->threads[i];
        if (i + 1 == s->count) bench_python_life(python, s->device, size, r.python);
        r.beside = calloc(1, sizeof *r.beside);
        status = r.beside ? measure_row(&r, report, error) : mass_error_memory(error, sizeof *r.beside, "times");
        free(r.beside);
    }
    bench_model_close(&model);
    return status;
}

/* Checks an unusual size, with enough steps for everything that repeats. */
static mass_status check_odd_size(bench_subject *s, mass_error *error)
{
    bench_model model;
    mass_status status = bench_model_open(&model, "life", NULL, 0, (mass_gidx[3]){613, 377, 1}, 2, error);
    for (int i = 0; status == MASS_OK && i < s->count; i++)
        status = bench_check(&model, s->device, s->threads[i], STEPS_AT_ODD_SIZE, reference, error);
    bench_model_close(&model);
    return status;
}

mass_status bench_life(const bench_options *o, mass_error *error)
{
    const int runs = o->runs ? o->runs : RUNS;
    bench_report report;
    bench_subject subject;
    bench_python_peers python = {0};
    bench_report_begin(&report, "life", columns, COLUMNS, o->json);
    mass_status status = bench_subject_open(&subject, o, &report, error);
    if (status == MASS_OK) bench_python_find(&python, subject.device, &report);
    if (status == MASS_OK) status = check_odd_size(&subject, error);
    if (status == MASS_OK && o->size) status = measure_size(&subject, &python, o->size, runs, &report, error);
    for (int i = 0; status == MASS_OK && !o->size && i < SIZES; i++)
        status = measure_size(&subject, &python, sizes[i], runs, &report, error);
    bench_subject_close(&subject);
    return bench_report_end(&report, status, error);
}
