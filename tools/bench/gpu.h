/* SPDX-License-Identifier: Apache-2.0 */
/* What a GPU does without the engine. Where mass-bench is built without CUDA there is none. */
#ifndef MASS_BENCH_GPU_H
#define MASS_BENCH_GPU_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_gpu {
    char name[256];
    int driver, runtime; /* versions of CUDA, 1000 * major + 10 * minor */
    void *from, *to;     /* buffers full of random bits */
} bench_gpu;

/* On failure there is nothing to close. */
mass_status bench_gpu_open(bench_gpu *g, int ordinal, mass_error *error);
void bench_gpu_close(bench_gpu *g);

/* Bytes a second, read and written, of a copy from device to device; and read, by a sum. Each is the
 * median of several goes after one outside the clock, and is checked. */
mass_status bench_gpu_copy(bench_gpu *g, double *rate, mass_error *error);
mass_status bench_gpu_read(bench_gpu *g, double *rate, mass_error *error);

#ifdef __cplusplus
}
#endif
#endif
