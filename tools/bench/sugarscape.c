/* SPDX-License-Identifier: Apache-2.0 */
/* Sugarscape with ants on a tenth of the places, and a new ant for each that dies, next to a plain sequential
 * program. */
#include "check.h"
#include "subject.h"
#include "sugarscape_plain.h"
#include "process/progress.h"
#include "snapshot/save.h"
#include "snapshot/snapshot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUGAR_RUNS = 5, SUGAR_CHECKED = 20, SUGAR_AT_ONCE = 5, SUGAR_SMALLEST = 16 };
static const double SUGAR_SHORTEST = 0.1; /* least seconds of plain steps that are measured */

static const bench_column sugar_columns[] = {
    {"threads", "threads", 1, 7, 0},
    {"ants", "ants", 1, 9, 0},
    {"init_s", "init ms", 1e3, 9, 2},
    {"step_s", "step ms", 1e3, 10, 3},
    {"agent_steps_per_s", "Mant/s", 1e-6, 9, 2},
    {"plain_step_s", "plain ms", 1e3, 10, 3},
    {"of_plain", "/plain", 1, 7, 3},
    {"of_one_thread", "/1 thread", 1, 9, 2}};
enum { SUGAR_COLUMNS = sizeof sugar_columns / sizeof *sugar_columns };

/* ---- checks ---- */

typedef struct sugar_books {
    int64_t ants, sugar, wealth;                             /* counted in the state */
    int64_t births, deaths, grown, eaten, burnt, endowed;    /* tallies */
} sugar_books;

/* Reports that a result is wrong, and returns the failure. */
static mass_status sugar_wrong(mass_error *error, const char *who, const char *what)
{
    return mass_error_set(error, MASS_FAILED, "sugarscape %s: %s: nothing is measured", who, what);
}

/* Returns the values of an attribute of places, in a snapshot. */
static const void *sugar_of_place(const mass_snapshot *s, const char *name)
{
    return s->attributes[mass_model_find_attribute(s->model, 0, name)];
}

/* Returns the values of an attribute of ants, in a snapshot. */
static const void *sugar_of_ant(const mass_snapshot *s, const char *name)
{
    return s->attributes[mass_model_find_agent_attribute(s->model, 0, name)];
}

/* Returns the value of a tally, in a snapshot. */
static int64_t sugar_tally(const mass_snapshot *s, const char *name)
{
    return s->tallies[mass_model_find_tally(s->model, name)];
}

/* Ants are in the order of their places: if the places increase, no two ants share one. */
static mass_status sugar_count(const mass_snapshot *s, const char *device, sugar_books *b, mass_error *error)
{
    const int64_t places = mass_space_places(&s->model->spaces[0]);
    const uint8_t *sugar = sugar_of_place(s, "sugar"), *most = sugar_of_place(s, "most");
    const int64_t *place = s->attributes[s->model->populations[0].first_attribute + MASS_AGENT_PLACE];
    const int32_t *wealth = sugar_of_ant(s, "wealth");
    *b = (sugar_books){.ants = (int64_t)s->agents[0], .births = sugar_tally(s, "births"),
        .deaths = sugar_tally(s, "deaths"), .grown = sugar_tally(s, "grown"), .eaten = sugar_tally(s, "eaten"),
        .burnt = sugar_tally(s, "burnt"), .endowed = sugar_tally(s, "endowed")};
    bool right = true;
    for (int64_t i = 0; i < places; i++) b->sugar += sugar[i], right &= sugar[i] <= most[i];
    if (!right) return sugar_wrong(error, device, "a place has more sugar than it can hold");
    for (int64_t i = 0; i < b->ants; i++) {
        b->wealth += wealth[i];
        right &= place[i] < places && place[i] > (i ? place[i - 1] : -1);
    }
    if (!right) return sugar_wrong(error, device, "two ants are on one place, or out of order");
    right = b->ants == sugar_tally(s, "ants") && b->sugar == sugar_tally(s, "sugar") &&
            b->wealth == sugar_tally(s, "wealth");
    return right ? MASS_OK : sugar_wrong(error, device, "tallies are not those of the state");
}

/* Adds up the state of a run. Fails if it contradicts the tallies. */
static mass_status sugar_take_books(bench_run *r, sugar_books *b, mass_error *error)
{
    mass_snapshot s;
    mass_status status = mass_domain_save(r->domain, &s, error);
    if (status != MASS_OK) return status;
    status = sugar_count(&s, r->device->table->name(r->device), b, error);
    mass_snapshot_free(&s);
    return status;
}

/* Checks from `a` to `b`: ants and sugar change as the tallies say, ants eat, and all that die are replaced. */
static mass_status sugar_compare(const char *device, const sugar_books *a, const sugar_books *b, mass_error *error)
{
    const bool ants = b->ants - a->ants == (b->births - a->births) - (b->deaths - a->deaths);
    const bool sugar = b->sugar - a->sugar == (b->grown - a->grown) - (b->eaten - a->eaten);
    const bool wealth = b->wealth - a->wealth == (b->eaten - a->eaten) - (b->burnt - a->burnt) +
                                                 (b->endowed - a->endowed);
    if (b->ants != a->ants || b->eaten == a->eaten)
        return sugar_wrong(error, device, "ants do not eat, or are not replaced");
    return ants && sugar && wealth ? MASS_OK : sugar_wrong(error, device, "sugar or ants are lost");
}

/* ---- the plain program ---- */

typedef struct sugar_beside {
    bench_plain plain;
    double times[BENCH_RUNS_MAX];
    int count;
} sugar_beside;

/* Measures the seconds of a step of the plain program. */
static mass_status sugar_measure_plain(void *context, mass_error *error)
{
    (void)error;
    sugar_beside *b = context;
    const double began = mass_seconds();
    double seconds, steps = 0;
    do {
        bench_plain_step(&b->plain);
        steps++;
        seconds = mass_seconds() - began;
    } while (seconds < SUGAR_SHORTEST);
    b->times[b->count++] = seconds / steps;
    return MASS_OK;
}

/* Adds up the sugar, ants and wealth of the plain program. */
static void sugar_sum_plain(const bench_plain *p, sugar_books *b)
{
    *b = (sugar_books){0};
    for (int64_t i = 0; i < p->width * p->height; i++) b->sugar += p->sugar[i], b->ants += p->taken[i];
    for (size_t i = 0; i < p->count; i++) b->wealth += p->ants[i].wealth;
}

/* Checks conservation, and that the ants ate about as much as in the engine: only the order of the ants differs. */
static mass_status sugar_check_plain(bench_plain *p, int64_t eaten, mass_error *error)
{
    sugar_books a, b;
    bool right = true;
    sugar_sum_plain(p, &a);
    for (int i = 0; i < SUGAR_CHECKED; i++) {
        bench_plain_step(p);
        sugar_sum_plain(p, &b);
        right &= a.ants == b.ants && b.ants == (int64_t)p->count && b.sugar - a.sugar == p->grown - p->eaten &&
                 b.wealth - a.wealth == p->eaten - p->burnt + p->endowed;
    }
    for (size_t i = 0; i < p->count; i++) right &= p->taken[p->ants[i].y * p->width + p->ants[i].x];
    if (!right) return sugar_wrong(error, "by hand", "sugar or ants are lost");
    return fabs((double)(p->eaten - eaten)) < 0.1 * (double)eaten
               ? MASS_OK : sugar_wrong(error, "by hand", "it eats much more or less than the engine");
}

/* Makes the plain program, with the engine's state as its start. The caller frees it. */
static mass_status sugar_make_plain(bench_plain *p, bench_run *r, mass_error *error)
{
    mass_snapshot s;
    mass_status status = mass_domain_save(r->domain, &s, error);
    if (status != MASS_OK) return status;
    const mass_gidx *size = s.model->spaces[0].size;
    status = bench_plain_create(p, size[0], size[1], (size_t)s.agents[0], error);
    if (status == MASS_OK) {
        const int64_t *place = s.attributes[s.model->populations[0].first_attribute + MASS_AGENT_PLACE];
        memcpy(p->sugar, sugar_of_place(&s, "sugar"), (size_t)(size[0] * size[1]));
        memcpy(p->most, sugar_of_place(&s, "most"), (size_t)(size[0] * size[1]));
        for (size_t i = 0; i < p->count; i++)
            p->ants[i] = (plain_ant){(int32_t)(place[i] % size[0]), (int32_t)(place[i] / size[0]),
                                     ((const int32_t *)sugar_of_ant(&s, "wealth"))[i],
                                     ((const uint8_t *)sugar_of_ant(&s, "vision"))[i],
                                     ((const uint8_t *)sugar_of_ant(&s, "metabolism"))[i]};
        bench_plain_settle(p);
    }
    mass_snapshot_free(&s);
    return status;
}

/* ---- rows ---- */

typedef struct sugar_row {
    bench_subject *subject;
    bench_model *model;
    int threads, runs;
    sugar_beside *beside;
    char hash[33];     /* hash after the checked steps, which all rows of a size must have; "" in the first */
    double one_thread; /* its rate, or NAN */
} sugar_row;

/* Fails if the state differs from that of other numbers of threads, or on a GPU from that of the CPU. */
static mass_status sugar_check_hash(sugar_row *row, bench_run *r, mass_error *error)
{
    char hash[33];
    mass_status status = bench_run_hash(r, hash, error);
    if (status == MASS_OK && !row->hash[0] && row->subject->on_gpu)
        status = bench_hash_after(row->model, "cpu", bench_cores(), SUGAR_CHECKED, row->hash, error);
    if (status != MASS_OK) return status;
    if (row->hash[0] && strcmp(row->hash, hash) != 0)
        return sugar_wrong(error, row->subject->device, "the state is not that of the CPU with one thread");
    memcpy(row->hash, hash, sizeof hash);
    return MASS_OK;
}

/* Checks the first steps of a run, and on a CPU those of the plain program. Sets *start to the sums at the start. */
static mass_status sugar_check(sugar_row *row, bench_run *r, sugar_books *start, mass_error *error)
{
    sugar_books end;
    mass_status status = sugar_take_books(r, start, error);
    if (status == MASS_OK && !row->subject->on_gpu) status = sugar_make_plain(&row->beside->plain, r, error);
    for (int i = 0; status == MASS_OK && i < SUGAR_CHECKED; i += SUGAR_AT_ONCE) {
        status = bench_run_advance(r, SUGAR_AT_ONCE, NULL, error);
        if (status == MASS_OK) status = sugar_take_books(r, &end, error);
        if (status == MASS_OK) status = sugar_compare(row->subject->device, start, &end, error);
    }
    if (status == MASS_OK) status = sugar_check_hash(row, r, error);
    if (status == MASS_OK && !row->subject->on_gpu)
        status = sugar_check_plain(&row->beside->plain, end.eaten - start->eaten, error);
    return status;
}

/* Adds a row to the report. init and step are seconds; rates are ants a second. */
static void sugar_report(sugar_row *row, double init, double step, int64_t ants, bench_report *report)
{
    const mass_gidx *size = row->model->model.spaces[0].size;
    const double rate = (double)ants / step;
    const double plain = row->beside->count ? bench_median(row->beside->times, row->beside->count) : NAN;
    const bool one = row->threads == 1;
    if (one) row->one_thread = rate;
    char label[64];
    snprintf(label, sizeof label, "%" PRId64 "x%" PRId64, size[0], size[1]);
    bench_report_row(report, label, (const double[SUGAR_COLUMNS]){row->threads ? row->threads : NAN, (double)ants, init,
                     step, rate, plain, plain / step, one ? NAN : rate / row->one_thread});
}

/* Checks and measures one number of threads, and adds a row to the report. */
static mass_status sugar_measure_row(sugar_row *row, bench_report *report, mass_error *error)
{
    bench_run r;
    sugar_books start, end;
    double step;
    mass_status status = bench_run_open(&r, row->model, row->subject->device, row->threads, error);
    const bench_peer peer = {sugar_measure_plain, row->beside};
    if (status == MASS_OK) status = sugar_check(row, &r, &start, error);
    if (status == MASS_OK)
        status = bench_measure_steps(&r, row->runs, row->subject->on_gpu ? NULL : &peer, &step, error);
    if (status == MASS_OK) status = sugar_take_books(&r, &end, error);
    if (status == MASS_OK) status = sugar_compare(row->subject->device, &start, &end, error);
    if (status == MASS_OK) sugar_report(row, r.seconds, step, end.ants, report);
    bench_plain_free(&row->beside->plain);
    bench_run_close(&r);
    return status;
}

/* Measures one size with each number of threads. */
static mass_status sugar_measure_size(bench_subject *s, mass_gidx size, int runs, bench_report *report,
                                      mass_error *error)
{
    static const mass_setting settings[] = {{"replace", "yes", NULL}};
    bench_model model;
    sugar_row row = {.subject = s, .model = &model, .runs = runs, .one_thread = NAN};
    mass_status status = bench_model_open(&model, "sugarscape", settings, 1, (mass_gidx[3]){size, size, 1}, 2, error);
    for (int i = 0; status == MASS_OK && i < s->count; i++) {
        row.threads = s->threads[i];
        row.beside = calloc(1, sizeof *row.beside);
        status = row.beside ? sugar_measure_row(&row, report, error)
                            : mass_error_memory(error, sizeof *row.beside, "times");
        free(row.beside);
    }
    bench_model_close(&model);
    return status;
}

mass_status bench_sugarscape(const bench_options *o, mass_error *error)
{
    static const mass_gidx sizes[] = {1024, 4096};
    const int runs = o->runs ? o->runs : SUGAR_RUNS;
    bench_report report;
    bench_subject subject;
    bench_report_begin(&report, "sugarscape", sugar_columns, SUGAR_COLUMNS, o->json);
    mass_status status = bench_subject_open(&subject, o, &report, error);
    if (status == MASS_OK && o->size && o->size < SUGAR_SMALLEST)
        status = mass_error_set(error, MASS_BAD_USAGE, "--size %" PRId64 ": sugarscape is measured from %d on", o->size,
                                SUGAR_SMALLEST);
    if (status == MASS_OK && o->size) status = sugar_measure_size(&subject, o->size, runs, &report, error);
    for (size_t i = 0; status == MASS_OK && !o->size && i < sizeof sizes / sizeof *sizes; i++)
        status = sugar_measure_size(&subject, sizes[i], runs, &report, error);
    bench_subject_close(&subject);
    return bench_report_end(&report, status, error);
}
