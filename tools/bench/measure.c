/* SPDX-License-Identifier: Apache-2.0 */
#include "bench.h"
#include "measure.h"
#include "plugin/search.h"
#include "process/progress.h"
#include "run/create.h"
#include "snapshot/create.h"
#include "snapshot/save.h"
#include "snapshot/snapshot.h"
#include "state/box.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

static const double SHORTEST = 0.1;   /* least seconds of steps that are measured */
static const double WARM_UP = 0.05;

/* Compares two doubles, for qsort(). */
static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

int bench_cores(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

mass_status bench_model_open(bench_model *m, const char *plugin, const mass_setting *settings, uint32_t setting_count,
                             const mass_gidx size[3], uint32_t dimensions, mass_error *error)
{
    *m = (bench_model){.opening = {.settings = settings, .setting_count = setting_count, .dimensions = dimensions,
                                   .size = {size[0], size[1], size[2]}, .seed = BENCH_SEED, .quiet = true,
                                   .threads = 1}};
    char path[PATH_MAX];
    mass_status status = mass_plugin_find(plugin, path, error);
    if (status == MASS_OK) status = mass_plugin_load(path, &m->loaded, error);
    if (status == MASS_OK) status = mass_host_open(&m->host, m->loaded.entry, &m->opening, &m->model, error);
    return status;
}

void bench_model_close(bench_model *m)
{
    mass_model_free(&m->model);
    mass_plugin_unload(&m->loaded);
}

mass_status bench_run_open(bench_run *r, bench_model *m, const char *device, int threads, mass_error *error)
{
    const void *code = m->loaded.entry->device_code;
    const mass_run_request q = {.domain = {.partitions = 1, .worlds = m->worlds ? m->worlds : 1,
                                           .seed = m->opening.seed}, .device_code = code};
    int32_t tries;
    *r = (bench_run){.model = m};
    mass_status status = mass_device_open(device, threads, code != NULL, &r->device, error);
    const double began = mass_seconds();
    if (status == MASS_OK) status = mass_run_create(&m->model, r->device, &q, &r->domain, &r->stepper, &tries, error);
    if (status == MASS_OK) status = mass_stepper_try_fuse(r->stepper, m->one_step ? 0 : tries, error);
    if (status == MASS_OK) status = mass_host_load(&m->host, m->loaded.entry, r->domain, error);
    if (status == MASS_OK) status = mass_stepper_start(r->stepper, error);
    r->seconds = mass_seconds() - began;
    return status;
}

void bench_run_close(bench_run *r)
{
    mass_stepper_free(r->stepper);
    mass_domain_free(r->domain);
    mass_device_close(r->device);
    *r = (bench_run){0};
}

/* Takes a step's tallies, and ignores them. */
static mass_status take_row(void *context, uint64_t step, const int64_t *tallies, mass_error *error)
{
    (void)context, (void)step, (void)tallies, (void)error;
    return MASS_OK;
}

mass_status bench_run_advance(bench_run *r, uint64_t steps, double *seconds, mass_error *error)
{
    const mass_status status = r->device->table->launch->synchronise(r->device, error);
    if (status != MASS_OK) return status;
    const double began = mass_seconds();
    const mass_step_watch watch = {.every = r->observed, .row = r->reads ? take_row : NULL};
    const mass_status result = mass_stepper_advance(r->stepper, r->stepper->step + steps, &watch, error);
    if (seconds) *seconds += mass_seconds() - began;
    return result;
}

mass_status bench_run_read(bench_run *r, void **out, mass_error *error)
{
    const mass_space_def *space = &r->domain->model->spaces[0];
    const size_t bytes = (size_t)mass_space_places(space) * mass_element_size(&r->domain->model->attributes[0]);
    void *data = malloc(bytes);
    if (!data) return mass_error_memory(error, bytes, "the state to check");
    const mass_status status = mass_domain_read(r->domain, 0, 0, (mass_gidx[3]){0, 0, 0}, space->size, data, error);
    if (status == MASS_OK) *out = data;
    else free(data);
    return status;
}

mass_status bench_run_hash(bench_run *r, char hex[33], mass_error *error)
{
    mass_snapshot snapshot;
    const mass_status status = mass_domain_save(r->domain, &snapshot, error);
    if (status != MASS_OK) return status;
    snapshot.step = r->stepper->step;
    mass_snapshot_hash(&snapshot, hex);
    mass_snapshot_free(&snapshot);
    return MASS_OK;
}

/* Gets in *first_init the time in which the first state was made. */
static mass_status warm_up(bench_model *m, const char *device, int threads, double *first_init, mass_error *error)
{
    bench_run r;
    double seconds = 0;
    mass_status status = bench_run_open(&r, m, device, threads, error);
    *first_init = r.seconds;
    while (status == MASS_OK && seconds < WARM_UP) status = bench_run_advance(&r, 40, &seconds, error);
    bench_run_close(&r);
    return status;
}

/* Measures one run: *total with its start, *step without, in seconds. Runs more steps for *step if the run was
 * short. */
static mass_status measure_once(bench_run *r, double *step, double *total, char hash[33], mass_error *error)
{
    double seconds = 0;
    mass_status status = bench_run_advance(r, BENCH_GENERATIONS, &seconds, error);
    *total = r->seconds + seconds;
    *step = seconds / BENCH_GENERATIONS;
    if (status == MASS_OK) status = bench_run_hash(r, hash, error);
    if (status != MASS_OK || seconds >= SHORTEST) return status;
    const uint64_t steps = (uint64_t)fmin(SHORTEST / *step, 1e6);
    seconds = 0;
    status = bench_run_advance(r, steps, &seconds, error);
    *step = seconds / (double)steps;
    return status;
}

mass_status bench_measure(bench_model *m, const char *device, int threads, int runs, const bench_peer *peer,
                          bench_times *out, mass_error *error)
{
    double init[BENCH_RUNS_MAX], step[BENCH_RUNS_MAX], total[BENCH_RUNS_MAX];
    *out = (bench_times){0};
    mass_status status = warm_up(m, device, threads, &out->first_init, error);
    for (int i = 0; status == MASS_OK && i < runs; i++) {
        bench_run r;
        char hash[33];
        status = bench_run_open(&r, m, device, threads, error);
        init[i] = r.seconds;
        if (status == MASS_OK) status = measure_once(&r, &step[i], &total[i], hash, error);
        bench_run_close(&r);
        if (status == MASS_OK && i > 0 && strcmp(hash, out->hash) != 0)
            status = mass_error_set(error, MASS_FAILED, "two runs on %s differ after %d steps", device,
                                    BENCH_GENERATIONS);
        memcpy(out->hash, hash, sizeof hash);
        if (status == MASS_OK && peer) status = peer->measure(peer->context, error);
    }
    if (status != MASS_OK) return status;
    out->init = bench_median(init, runs);
    out->step = bench_median(step, runs);
    out->total = bench_median(total, runs);
    return MASS_OK;
}

mass_status bench_measure_steps(bench_run *r, int runs, const bench_peer *peer, double *step, mass_error *error)
{
    double times[BENCH_RUNS_MAX], seconds = 0;
    uint64_t steps = 1;
    mass_status status = bench_run_advance(r, steps, &seconds, error);
    while (status == MASS_OK && seconds < WARM_UP) {
        steps *= 2;
        seconds = 0;
        status = bench_run_advance(r, steps, &seconds, error);
    }
    if (status == MASS_OK && seconds < SHORTEST) steps = (uint64_t)ceil((double)steps * SHORTEST / seconds);
    for (int i = 0; status == MASS_OK && i < runs; i++) {
        times[i] = 0;
        status = bench_run_advance(r, steps, &times[i], error);
        if (status == MASS_OK && peer) status = peer->measure(peer->context, error);
    }
    if (status == MASS_OK) *step = bench_median(times, runs) / (double)steps;
    return status;
}
