/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms on a GPU by CUB, without the engine. If mass-bench is built without CUDA, these fail. */
#ifndef MASS_BENCH_GPU_HISTOGRAM_H
#define MASS_BENCH_GPU_HISTOGRAM_H

#include "gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Items of 1 or 4 bytes in the GPU's memory, and `bins` equal bins between 0 and `end`. */
typedef struct bench_cub {
    bench_gpu *gpu;
    void *items, *work;
    int *counts;
    size_t count, work_bytes;
    int size, bins, end;
} bench_cub;

/* Copies items to the GPU from data, in host memory. The caller must close it also on failure. */
mass_status bench_cub_open(bench_cub *c, bench_gpu *g, const void *data, size_t count, int size, int bins, int end,
                           mass_error *error);
void bench_cub_close(bench_cub *c);
/* Measures the seconds of one histogram, the median of several. */
mass_status bench_cub_measure(bench_cub *c, double *seconds, mass_error *error);
mass_status bench_cub_counts(bench_cub *c, int *counts, mass_error *error);

/* Measures the seconds of reading a file into the GPU's memory, in chunks of `piece` bytes. Each is copied while the
 * next is read. Memory is allocated before. */
mass_status bench_gpu_read_file(bench_gpu *g, const char *path, size_t piece, double *seconds, mass_error *error);

#ifdef __cplusplus
}
#endif
#endif
