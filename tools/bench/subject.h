/* SPDX-License-Identifier: Apache-2.0 */
/* The device that is measured, and the speed of its memory. */
#ifndef MASS_BENCH_SUBJECT_H
#define MASS_BENCH_SUBJECT_H

#include "bench.h"
#include "gpu.h"
#include "measure.h"
#include "peers.h"
#include "report.h"

typedef struct bench_subject {
    char device[24]; /* "cpu", "cuda:0" */
    bool on_gpu;
    bench_gpu gpu;
    uint32_t isa;          /* of the CPU loops */
    int threads[2], count; /* numbers of threads to measure with; one 0 on a GPU */
} bench_subject;

/* Opens the device of the options once, and adds its description to the report's facts. The caller must close it also
 * on failure. */
mass_status bench_subject_open(bench_subject *s, const bench_options *o, bench_report *report, mass_error *error);
void bench_subject_close(bench_subject *s);

/* Fails, since a command has no row of the size that the user asked for. */
mass_status bench_size_absent(const bench_options *o, const char *command, mass_error *error);

/* The rate of plain copies, measured alternately with something else. */
typedef struct bench_limit {
    bench_subject *subject;
    bench_copy copy; /* on the CPU */
    double rates[BENCH_RUNS_MAX];
    int count;
} bench_limit;

/* `bytes` is the size of one buffer of the state. */
mass_status bench_limit_create(bench_limit *l, bench_subject *s, size_t bytes, int threads, mass_error *error);
mass_status bench_limit_measure(bench_limit *l, mass_error *error);
double bench_limit_rate(bench_limit *l); /* bytes read and written a second, the median so far */
void bench_limit_free(bench_limit *l);

#endif
