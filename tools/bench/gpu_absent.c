/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces gpu.cu and histogram.cu in a build without CUDA. */
#include "gpu_histogram.h"

/* Reports that there is no GPU code in this build, and returns MASS_NO_DEVICE. */
static mass_status absent(mass_error *error)
{
    return mass_error_set(error, MASS_NO_DEVICE, "this mass-bench was built without CUDA: build it where nvcc is "
                          "installed, or use --device cpu");
}

mass_status bench_gpu_open(bench_gpu *g, int ordinal, mass_error *error)
{
    (void)g;
    (void)ordinal;
    return absent(error);
}

void bench_gpu_close(bench_gpu *g) { (void)g; }

mass_status bench_gpu_copy(bench_gpu *g, double *rate, mass_error *error)
{
    (void)g;
    (void)rate;
    return absent(error);
}

mass_status bench_gpu_read(bench_gpu *g, double *rate, mass_error *error)
{
    (void)g;
    (void)rate;
    return absent(error);
}

mass_status bench_cub_open(bench_cub *c, bench_gpu *g, const void *data, size_t count, int size, int bins, int end,
                           mass_error *error)
{
    (void)data, (void)count, (void)size, (void)bins, (void)end;
    *c = (bench_cub){.gpu = g};
    return absent(error);
}
void bench_cub_close(bench_cub *c) { (void)c; }
mass_status bench_cub_measure(bench_cub *c, double *seconds, mass_error *error)
{
    (void)c, (void)seconds;
    return absent(error);
}
mass_status bench_cub_counts(bench_cub *c, int *counts, mass_error *error)
{
    (void)c, (void)counts;
    return absent(error);
}
mass_status bench_gpu_read_file(bench_gpu *g, const char *path, size_t piece, double *seconds, mass_error *error)
{
    (void)g, (void)path, (void)piece, (void)seconds;
    return absent(error);
}
