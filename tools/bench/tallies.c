/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of tallies that are needed in every step, next to the same steps without tallies. It measures one step in a
 * pass, and as many as are fastest if passes of several steps can count. Then the same with all tallies copied to the
 * host. */
#include "check.h"
#include "command.h"
#include "subject.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RUNS = 5, CHECKED = 20, SMALLEST = 32, KINDS = 6 };

static const bench_column columns[] = {
    {"threads", "threads", 1, 7, 0},
    {"step_s", "step us", 1e6, 11, 2},
    {"tallied_s", "tallied us", 1e6, 11, 2},
    {"times", "times", 1, 7, 3},
    {"handed_s", "handed us", 1e6, 11, 2},
    {"steps", "a pass", 1, 8, 0},
    {"tallied_steps", "tallied", 1, 8, 0}};
enum { COLUMNS = sizeof columns / sizeof *columns };

typedef struct kind {
    const char *label, *plugin;
    mass_setting setting;
    mass_gidx size;
    bool several; /* several steps in a pass */
} kind;

/* Figures of a run. */
typedef struct figures {
    double step;
    int32_t steps; /* steps in a pass */
} figures;

enum { QUIET, TALLIED, HANDED };

/* Checks and measures a model in one of three ways: without tallies, with them, or handed over. HANDED: the figures are
 * undefined if it is impossible. */
static mass_status measure(bench_subject *s, bench_model *m, int threads, int how, int runs, const char *expected,
                           figures *out, mass_error *error)
{
    bench_run r;
    char hash[33];
    bool several;
    mass_status status = bench_run_open(&r, m, s->device, threads, error);
    r.observed = how != QUIET;
    r.reads = how == HANDED && status == MASS_OK && mass_stepper_has_rows(r.stepper, &several);
    *out = (figures){NAN, 0};
    if (status == MASS_OK && how == HANDED && !r.reads) {
        bench_run_close(&r);
        return MASS_OK;
    }
    if (status == MASS_OK) status = bench_run_advance(&r, CHECKED, NULL, error);
    if (status == MASS_OK) status = bench_run_hash(&r, hash, error);
    if (status == MASS_OK && strcmp(hash, expected) != 0)
        status = mass_error_set(error, MASS_FAILED, "%s on %s differs from the CPU after %d steps: nothing is measured",
                                m->model.plugin, s->device, CHECKED);
    if (status == MASS_OK) status = bench_measure_steps(&r, runs, NULL, &out->step, error);
    if (status == MASS_OK) out->steps = r.stepper->fuse;
    bench_run_close(&r);
    return status;
}

/* Measures a model without tallies, with them, and with them handed over, for each number of threads. */
static mass_status measure_kind(bench_subject *s, const kind *k, mass_gidx size, int runs, bench_report *report,
                                mass_error *error)
{
    bench_model model;
    char expected[33], label[64];
    mass_status status = bench_model_open(&model, k->plugin, &k->setting, 1, (mass_gidx[3]){size, size, 1}, 2, error);
    model.one_step = !k->several;
    if (status == MASS_OK) status = bench_hash_after(&model, "cpu", bench_cores(), CHECKED, expected, error);
    snprintf(label, sizeof label, "%s %" PRId64 "^2", k->label, size);
    for (int i = 0; status == MASS_OK && i < s->count; i++) {
        const int threads = s->threads[i];
        figures of[3];
        for (int how = QUIET; status == MASS_OK && how <= HANDED; how++)
            status = measure(s, &model, threads, how, runs, expected, &of[how], error);
        if (status == MASS_OK)
            bench_report_row(report, label, (const double[COLUMNS]){threads ? threads : NAN, of[QUIET].step,
                             of[TALLIED].step, of[TALLIED].step / of[QUIET].step, of[HANDED].step, of[QUIET].steps,
                             of[TALLIED].steps});
    }
    bench_model_close(&model);
    return status;
}

mass_status bench_tallies(const bench_options *o, mass_error *error)
{
    char plugin[PATH_MAX];
    mass_status status = bench_beside("../lib/mass/bench/tallies.so", plugin, error);
    const kind kinds[KINDS] = {{"packed and fused", plugin, {"of", "bits", NULL}, 16384, true},
                               {"bits", plugin, {"of", "bits", NULL}, 16384, false},
                               {"bytes", plugin, {"of", "bytes", NULL}, 16384, false},
                               {"bytes, fused", plugin, {"of", "bytes", NULL}, 16384, true},
                               {"f32", plugin, {"of", "f32", NULL}, 16384, false},
                               {"ants", "sugarscape", {"replace", "yes", NULL}, 4096, false}};
    if (status == MASS_OK && o->size && o->size < SMALLEST)
        status = mass_error_set(error, MASS_BAD_USAGE, "--size %" PRId64 ": tallies are measured from %d on", o->size,
                                SMALLEST);
    if (status != MASS_OK) return status;
    bench_report report;
    bench_subject subject;
    bench_report_begin(&report, "tallies", columns, COLUMNS, o->json);
    status = bench_subject_open(&subject, o, &report, error);
    for (int i = 0; status == MASS_OK && i < KINDS; i++)
        status = measure_kind(&subject, &kinds[i], o->size ? o->size : kinds[i].size, o->runs ? o->runs : RUNS, &report,
                              error);
    bench_subject_close(&subject);
    return bench_report_end(&report, status, error);
}
