/* Stands in for gpu.cu in a build without CUDA. */
#include "gpu.h"

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
