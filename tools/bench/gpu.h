/* SPDX-License-Identifier: Apache-2.0 */
/* Measures a GPU without the engine. If mass-bench is built without CUDA, these fail. */
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

/* Opens a GPU. On failure there is nothing to close. */
mass_status bench_gpu_open(bench_gpu *g, int ordinal, mass_error *error);
void bench_gpu_close(bench_gpu *g);

/* Measure bytes a second: read and written by a copy from device to device; read by a sum. Each is the median of
 * several runs after a warm-up, and is checked. */
mass_status bench_gpu_copy(bench_gpu *g, double *rate, mass_error *error);
mass_status bench_gpu_read(bench_gpu *g, double *rate, mass_error *error);

#ifdef __cplusplus
}
#endif
#endif
