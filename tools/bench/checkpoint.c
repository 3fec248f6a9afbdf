/* SPDX-License-Identifier: Apache-2.0 */
/* Compares writing a checkpoint with writing as many bytes, and a run with a checkpoint with one without. */
#include "bench.h"
#include "report.h"
#include "subject.h"
#include "io/checkpoint/checkpoint.h"
#include "io/output.h"
#include "process/progress.h"
#include "process/signals.h"
#include "snapshot/save.h"
#include "snapshot/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIZE = 16384, RUNS = 5, KEEP = 1, FEWEST_STEPS = 10 };

static const bench_column columns[] = {
    {"checkpoint_s", "checkpoint ms", 1e3, 13, 1}, {"plain_s", "plain ms", 1e3, 10, 1},
    {"bytes", "MiB", 0x1p-20, 8, 1},               {"of_plain", "plain/checkpoint", 1, 16, 3},
    {"stall_s", "stall ms", 1e3, 10, 1},           {"steps", "steps", 1, 7, 0},
    {"run_s", "run ms", 1e3, 10, 1},               {"run_with_s", "with one ms", 1e3, 12, 1},
    {"loss", "loss %", 100, 8, 2}};

/* Fails if the user has interrupted the program. */
static mass_status interrupted(mass_error *error)
{
    return mass_signals_end() ? mass_error_set(error, MASS_INTERRUPTED, "interrupted") : MASS_OK;
}

/* Writes bytes to a new file that replaces another, as safely as a checkpoint: synchronised, then renamed. */
static mass_status write_plain(const char *folder, const void *bytes, size_t count, double *seconds, mass_error *error)
{
    char temporary[PATH_MAX + 16], path[PATH_MAX + 16];
    snprintf(temporary, sizeof temporary, "%s/plain.tmp", folder);
    snprintf(path, sizeof path, "%s/plain", folder);
    const double began = mass_seconds();
    const int file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    const int parent = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool written = file >= 0 && parent >= 0;
    for (size_t done = 0; written && done < count;) {
        const ssize_t got = write(file, (const char *)bytes + done, count - done);
        if (got > 0) done += (size_t)got;
        else written = got < 0 && errno == EINTR;
    }
    written = written && fsync(file) == 0 && rename(temporary, path) == 0 && fsync(parent) == 0;
    if (!written) mass_error_set(error, MASS_FAILED, "%s: %m", path);
    *seconds = mass_seconds() - began;
    if (file >= 0) close(file);
    if (parent >= 0) close(parent);
    unlink(temporary);
    unlink(path);
    return error->status;
}

/* Deletes all checkpoints of a folder. */
static mass_status remove_checkpoints(const char *folder, mass_error *error)
{
    mass_checkpoint_names names = {0};
    const mass_status status = mass_checkpoint_list(folder, &names, error);
    for (size_t i = 0; i < names.count; i++) unlink(names.paths[i]);
    mass_checkpoint_names_free(&names);
    return status;
}

/* Writes a checkpoint and a plain file of as many bytes, and sets the seconds of both. Checks the checkpoint, and
 * deletes both. */
static mass_status write_both(const char *folder, const mass_snapshot *s, double *checkpoint, double *plain,
                              size_t *bytes, mass_error *error)
{
    char path[PATH_MAX];
    struct stat facts = {0};
    const mass_checkpoint_settings settings = {.folder = folder, .keep = KEEP};
    const double began = mass_seconds();
    mass_status status = mass_checkpoint_write(&settings, s, path, error);
    *checkpoint = mass_seconds() - began;
    if (status == MASS_OK) status = mass_checkpoint_verify(path, error);
    if (status == MASS_OK && stat(path, &facts) != 0) status = mass_error_set(error, MASS_FAILED, "%s: %m", path);
    const mass_status removed = remove_checkpoints(folder, error);
    if (status == MASS_OK) status = removed;
    *bytes = mass_snapshot_size(s, 0);
    if (status == MASS_OK && (size_t)facts.st_size < *bytes)
        status = mass_error_set(error, MASS_FAILED, "the checkpoint is smaller than the state: nothing is measured");
    if (status == MASS_OK) status = write_plain(folder, s->attributes[0], *bytes, plain, error);
    return status == MASS_OK ? interrupted(error) : status;
}

/* Measures `steps` steps, with a checkpoint that begins before the first, or without. The time includes the
 * checkpoint's stall. */
static mass_status run_steps(bench_run *r, const char *folder, uint64_t steps, double *seconds, double *stall,
                             mass_error *error)
{
    const mass_output_plan plan = {.folder = folder, .keep = KEEP, .seed = BENCH_SEED};
    mass_output *output = NULL;
    mass_status status = mass_output_create(&plan, &r->model->model, &output, error);
    const double began = mass_seconds();
    if (status == MASS_OK) status = mass_output_at(output, r->domain, r->stepper->step, folder != NULL, error);
    if (stall && status == MASS_OK) *stall = mass_output_seconds(output);
    if (status == MASS_OK) status = bench_run_advance(r, steps, NULL, error);
    *seconds = mass_seconds() - began;
    mass_output_free(output);
    if (status != MASS_OK || !folder) return status;
    mass_checkpoint_names names = {0};
    status = mass_checkpoint_list(folder, &names, error);
    if (status == MASS_OK && names.count != 1)
        status = mass_error_set(error, MASS_FAILED, "the run left no checkpoint: nothing is measured");
    if (status == MASS_OK) status = mass_checkpoint_verify(names.paths[0], error);
    mass_checkpoint_names_free(&names);
    const mass_status removed = remove_checkpoints(folder, error);
    return status == MASS_OK ? removed : status;
}

typedef struct measured {
    double checkpoint[BENCH_RUNS_MAX], plain[BENCH_RUNS_MAX], stall[BENCH_RUNS_MAX];
    double without[BENCH_RUNS_MAX], with[BENCH_RUNS_MAX];
    size_t bytes;
    uint64_t steps; /* about as many as take the time of writing a checkpoint */
} measured;

/* Measures `runs` checkpoints and as many plain files of the same size, in turns, in seconds. */
static mass_status measure_writing(bench_run *r, const char *folder, int runs, measured *m, mass_error *error)
{
    mass_snapshot snapshot;
    mass_status status = mass_domain_save(r->domain, &snapshot, error);
    if (status != MASS_OK) return status;
    snapshot.step = r->stepper->step;
    for (int i = -1; status == MASS_OK && i < runs; i++) /* the first one warms up */
        status = write_both(folder, &snapshot, &m->checkpoint[i < 0 ? 0 : i], &m->plain[i < 0 ? 0 : i], &m->bytes,
                            error);
    mass_snapshot_free(&snapshot);
    return status;
}

/* Measures runs without and with one checkpoint. They are as long as a checkpoint takes to write. */
static mass_status measure_loss(bench_run *r, const char *folder, int runs, measured *m, mass_error *error)
{
    double seconds = 0;
    mass_status status = bench_run_advance(r, FEWEST_STEPS, &seconds, error);
    const double steps = bench_median(m->checkpoint, runs) / (seconds / FEWEST_STEPS);
    m->steps = steps > FEWEST_STEPS ? (uint64_t)steps : FEWEST_STEPS;
    for (int i = 0; status == MASS_OK && i < runs; i++) {
        status = run_steps(r, NULL, m->steps, &m->without[i], NULL, error);
        if (status == MASS_OK) status = run_steps(r, folder, m->steps, &m->with[i], &m->stall[i], error);
        if (status == MASS_OK) status = interrupted(error);
    }
    return status;
}

/* Measures Life of one size and adds a row to the report. */
static mass_status measure(bench_subject *s, mass_gidx size, int threads, int runs, const char *folder,
                           bench_report *report, mass_error *error)
{
    bench_model model;
    bench_run r = {0};
    measured *m = calloc(1, sizeof *m);
    mass_status status = bench_model_open(&model, "life", NULL, 0, (mass_gidx[3]){size, size, 1}, 2, error);
    if (!m) status = mass_error_memory(error, sizeof *m, "times");
    if (status == MASS_OK) status = bench_run_open(&r, &model, s->device, threads, error);
    if (status == MASS_OK) status = measure_writing(&r, folder, runs, m, error);
    if (status == MASS_OK) status = measure_loss(&r, folder, runs, m, error);
    if (status == MASS_OK) {
        const double checkpoint = bench_median(m->checkpoint, runs), plain = bench_median(m->plain, runs);
        const double without = bench_median(m->without, runs), with = bench_median(m->with, runs);
        char label[64];
        snprintf(label, sizeof label, "%" PRId64 "x%" PRId64, size, size);
        bench_report_row(report, label, (const double[]){checkpoint, plain, (double)m->bytes, plain / checkpoint,
                         bench_median(m->stall, runs), (double)m->steps, without, with, with / without - 1});
    }
    bench_run_close(&r);
    bench_model_close(&model);
    free(m);
    return status;
}

mass_status bench_checkpoint(const bench_options *o, mass_error *error)
{
    char folder[PATH_MAX];
    bench_report report;
    bench_subject subject;
    mass_signals_install();
    bench_report_begin(&report, "checkpoint", columns, sizeof columns / sizeof *columns, o->json);
    mass_status status = bench_subject_open(&subject, o, &report, error);
    if (status == MASS_OK &&
        (snprintf(folder, PATH_MAX, "%s/mass-bench-XXXXXX", o->folder) >= PATH_MAX || !mkdtemp(folder)))
        status = mass_error_set(error, MASS_BAD_USAGE, "--folder %s: %m", o->folder);
    if (status == MASS_OK) {
        status = measure(&subject, o->size ? o->size : SIZE, o->threads ? o->threads : bench_cores(),
                         o->runs ? o->runs : RUNS, folder, &report, error);
        rmdir(folder);
    }
    bench_subject_close(&subject);
    return bench_report_end(&report, status, error);
}
