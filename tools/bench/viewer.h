/* SPDX-License-Identifier: Apache-2.0 */
/* A run with a viewer, as the page is, over one connection. */
#ifndef MASS_BENCH_VIEWER_H
#define MASS_BENCH_VIEWER_H

#include "base/error.h"

#include <jansson.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct bench_viewer {
    pid_t run;
    int said, printed; /* standard error; standard output, a file in memory */
    int connection;
    char token[33], *bytes; /* of the last answer */
    size_t room;
} bench_viewer;

/* Starts a command with --view among its arguments, and connects. The caller must end it, also on failure. */
mass_status bench_viewer_start(bench_viewer *v, const char *path, char *const arguments[], mass_error *error);
/* Gets a frame of the whole picture for a screen of 1920x1080, and its step. If `after` is not NULL, waits for another
 * step than that. */
mass_status bench_viewer_frame(bench_viewer *v, const uint64_t *after, uint64_t *step, mass_error *error);
/* Gets the step only, with a frame of one place. */
mass_status bench_viewer_step(bench_viewer *v, uint64_t *step, mass_error *error);
/* Stops viewing, waits for the run's end, and reads its result. The caller releases it. */
mass_status bench_viewer_result(bench_viewer *v, json_t **answer, mass_error *error);
void bench_viewer_end(bench_viewer *v);

#endif
