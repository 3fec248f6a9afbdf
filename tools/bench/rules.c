/* SPDX-License-Identifier: Apache-2.0 */
/* Rules over bits, with one step in a pass and with as many as are fastest, next to a copy of as many bits. */
#include "check.h"
#include "command.h"
#include "models/rules.h"
#include "subject.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { RUNS = 5, SMALLEST = 32, CHECKED = 40, RULES = 4, SETTINGS = 3 };
enum { ON_GPU = 65536, ON_CPU = 8192 }; /* places along an axis */

static const bench_column columns[] = {
    {"threads", "threads", 1, 7, 0},
    {"step_s", "step us", 1e6, 11, 2},
    {"cells_per_s", "Gcell/s", 1e-9, 9, 1},
    {"limit_cells_per_s", "limit", 1e-9, 9, 1},
    {"of_limit", "/limit", 1, 7, 3},
    {"fast_step_s", "fastest us", 1e6, 11, 2},
    {"fast_cells_per_s", "Gcell/s", 1e-9, 9, 1},
    {"steps", "a pass", 1, 7, 0}};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* Computes one step on a torus, from the new value of each pattern (models/rules.h). */
typedef bool becomes(uint32_t pattern);
/* Computes a step, with what becomes of each of the 512 patterns of a place and the eight around it. */
static void step(const uint8_t *now, uint8_t *next, const mass_gidx size[3], becomes *of)
{
    for (mass_gidx y = 0; y < size[1]; y++)
        for (mass_gidx x = 0; x < size[0]; x++) {
            uint32_t pattern = 0;
            for (int k = 0; k < 9; k++)
                pattern |= (uint32_t)now[bench_wrap(y + k / 3 - 1, size[1]) * size[0] +
                                         bench_wrap(x + k % 3 - 1, size[0])] << k;
            next[y * size[0] + x] = of(pattern);
        }
}

/* Returns the new value by counts of neighbours: bit n of `birth` or `survive` for n living ones. */
static bool by_masks(uint32_t pattern, unsigned birth, unsigned survive)
{
    const bool own = pattern >> 4 & 1;
    return (own ? survive : birth) >> (__builtin_popcount(pattern) - own) & 1;
}
static bool becomes_life(uint32_t pattern) { return by_masks(pattern, 1 << 3, 1 << 2 | 1 << 3); }
static bool becomes_36_125(uint32_t pattern) { return by_masks(pattern, 1 << 3 | 1 << 6, 1 << 1 | 1 << 2 | 1 << 5); }
static bool becomes_isotropic(uint32_t pattern) { return rules_entry(rules_least_image(pattern)); }
static void step_life(const void *now, void *next, const mass_gidx size[3]) { step(now, next, size, becomes_life); }
static void step_36_125(const void *now, void *next, const mass_gidx size[3]) { step(now, next, size, becomes_36_125); }
/* Computes a step of the isotropic rule. */
static void step_isotropic(const void *now, void *next, const mass_gidx size[3])
{
    step(now, next, size, becomes_isotropic);
}
static void step_table(const void *now, void *next, const mass_gidx size[3]) { step(now, next, size, rules_entry); }

typedef struct rule {
    const char *label;
    mass_setting settings[SETTINGS];
    bench_reference *reference;
} rule;

static const rule rules[RULES] = {
    {"B3/S23", {{"rule", "counts", NULL}, {"birth", "8", NULL}, {"survive", "12", NULL}}, step_life},
    {"B36/S125", {{"rule", "counts", NULL}, {"birth", "72", NULL}, {"survive", "38", NULL}}, step_36_125},
    {"isotropic", {{"rule", "isotropic", NULL}, {"birth", "8", NULL}, {"survive", "12", NULL}}, step_isotropic},
    {"any table", {{"rule", "table", NULL}, {"birth", "8", NULL}, {"survive", "12", NULL}}, step_table}};

/* Measures the limit once. */
static mass_status measure_limit(void *context, mass_error *error) { return bench_limit_measure(context, error); }

/* Seconds of a step, and steps in a pass. */
typedef struct figures {
    double step;
    int32_t steps;
} figures;

/* Measures the time of a step, in seconds. one_step: each pass makes one step; else the engine chooses, and out->steps
 * tells how many. */
static mass_status measure(bench_subject *s, bench_model *m, int threads, bool one_step, int runs,
                           const bench_peer *peer, figures *out, mass_error *error)
{
    bench_run r;
    m->one_step = one_step;
    mass_status status = bench_run_open(&r, m, s->device, threads, error);
    if (status == MASS_OK) status = bench_measure_steps(&r, runs, peer, &out->step, error);
    if (status == MASS_OK) out->steps = r.stepper->fuse;
    bench_run_close(&r);
    return status;
}

/* Checks a rule at an unusual size. */
static mass_status check_rule(bench_subject *s, const rule *k, const char *plugin, int threads, mass_error *error)
{
    mass_status status = MASS_OK;
    for (int one_step = 0; status == MASS_OK && one_step < 2; one_step++) {
        bench_model model;
        status = bench_model_open(&model, plugin, k->settings, SETTINGS, (mass_gidx[3]){613, 377, 1}, 2, error);
        model.one_step = one_step;
        if (status == MASS_OK) status = bench_check(&model, s->device, threads, CHECKED, k->reference, error);
        bench_model_close(&model);
    }
    return status;
}

/* Measures one step in a pass, in turns with the copy, then as many as are fastest. Adds a row to the report. */
static mass_status measure_both(bench_subject *s, bench_model *m, int threads, int runs, bench_limit *limit,
                                bench_report *report, const char *label, mass_error *error)
{
    const mass_gidx *size = m->model.spaces[0].size;
    const double cells = (double)size[0] * (double)size[1];
    const bench_peer peer = {measure_limit, limit};
    figures one, fast;
    mass_status status = measure(s, m, threads, true, runs, &peer, &one, error);
    if (status == MASS_OK) status = measure(s, m, threads, false, runs, NULL, &fast, error);
    if (status != MASS_OK) return status;
    const double most = bench_limit_rate(limit) * 8 / 2; /* a bit read and a bit written */
    bench_report_row(report, label, (const double[COLUMNS]){threads ? threads : NAN, one.step, cells / one.step, most,
                     cells / one.step / most, fast.step, cells / fast.step, fast.steps});
    return MASS_OK;
}

/* Checks and measures a rule with one size and number of threads. */
static mass_status measure_row(bench_subject *s, const rule *k, const char *plugin, int threads, mass_gidx size,
                               int runs, bench_report *report, mass_error *error)
{
    bench_model model;
    bench_limit limit;
    char label[64];
    snprintf(label, sizeof label, "%s %" PRId64 "^2", k->label, size);
    mass_status status = check_rule(s, k, plugin, threads, error);
    if (status == MASS_OK) status = bench_limit_create(&limit, s, (size_t)size * (size_t)size / 8, threads, error);
    if (status != MASS_OK) return status;
    status = bench_model_open(&model, plugin, k->settings, SETTINGS, (mass_gidx[3]){size, size, 1}, 2, error);
    if (status == MASS_OK) status = measure_both(s, &model, threads, runs, &limit, report, label, error);
    bench_model_close(&model);
    bench_limit_free(&limit);
    return status;
}

mass_status bench_rules(const bench_options *o, mass_error *error)
{
    char plugin[PATH_MAX];
    mass_status status = bench_beside("../lib/mass/bench/rules.so", plugin, error);
    if (status == MASS_OK && o->size && o->size < SMALLEST)
        status = mass_error_set(error, MASS_BAD_USAGE, "--size %" PRId64 ": rules are measured from %d on", o->size,
                                SMALLEST);
    if (status != MASS_OK) return status;
    bench_report report;
    bench_subject subject;
    bench_report_begin(&report, "rules", columns, COLUMNS, o->json);
    status = bench_subject_open(&subject, o, &report, error);
    const mass_gidx size = o->size ? o->size : subject.on_gpu ? ON_GPU : ON_CPU;
    for (int i = 0; status == MASS_OK && i < RULES; i++)
        for (int k = 0; status == MASS_OK && k < subject.count; k++)
            status = measure_row(&subject, &rules[i], plugin, subject.threads[k], size, o->runs ? o->runs : RUNS,
                                 &report, error);
    bench_subject_close(&subject);
    return bench_report_end(&report, status, error);
}
