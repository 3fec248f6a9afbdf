/* SPDX-License-Identifier: Apache-2.0 */
/* How the host waits for a GPU: in the driver or, if other ranks take part in the work, by polling, so that it notices
 * when a rank has failed. */
#include "device/cuda/cuda.h"

#include <time.h>

static const double spin_seconds = 1e-3, watch_seconds = 1e-2;

/* Returns the monotonic clock's time in seconds. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Waits for an event or the whole stream; now and then calls the watcher, whose failure ends the wait. */
static mass_status wait_watched(mass_cuda *cuda, cudaEvent_t event, mass_error *error)
{
    static const struct timespec nap = {.tv_nsec = 20000};
    const double began = now();
    for (double waited = 0, look = watch_seconds;; waited = now() - began) {
        const cudaError_t result = event ? cudaEventQuery(event) : cudaStreamQuery(cuda->stream);
        if (result != cudaErrorNotReady) {
            TRY(result, "a callback failed");
            return MASS_OK;
        }
        if (waited > spin_seconds) nanosleep(&nap, NULL);
        if (waited < look) continue;
        look = waited + watch_seconds;
        const mass_status status = cuda->watch(cuda->watcher, waited, error);
        if (status != MASS_OK) return status;
    }
}

mass_status mass_cuda_wait(mass_cuda *cuda, cudaEvent_t event, mass_error *error)
{
    if (cuda->watch) return wait_watched(cuda, event, error);
    TRY(event ? cudaEventSynchronize(event) : cudaStreamSynchronize(cuda->stream), "a callback failed");
    return MASS_OK;
}

mass_status mass_cuda_synchronise(mass_device *device, mass_error *error)
{
    return mass_cuda_wait((mass_cuda *)device, NULL, error);
}
