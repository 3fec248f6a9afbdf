/* SPDX-License-Identifier: Apache-2.0 */
/* Measures how fast all threads of the device copy memory, for --profile and for the shares of ranks. */
#include "device/cpu/cpu.h"

#include <time.h>

enum { PIECE = 1 << 18, RUNS = 5 };
static const size_t MOST = (size_t)256 << 20; /* more than caches hold */

/* Returns the monotonic clock's time in seconds. */
static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Measures the best of several copies, in bytes read and written a second. Allocates two buffers, and releases them
 * again. */
mass_status mass_cpu_copy_rate(mass_device *device, double *rate, mass_error *error)
{
    const mass_memory_operations *m = &mass_cpu_memory;
    size_t available;
    void *to = NULL, *from = NULL;
    mass_status status = m->available(device, &available, error);
    if (status != MASS_OK) return status;
    const size_t bytes = available / 8 < MOST ? available / 8 : MOST, chunks = bytes / PIECE + 1;
    status = m->allocate(device, chunks * PIECE, &to, error);
    if (status == MASS_OK) status = m->allocate(device, chunks * PIECE, &from, error);
    const mass_strided copy = {to, from, PIECE, {1, (int64_t)chunks, 1}, {PIECE, PIECE}, {PIECE, PIECE}};
    if (status == MASS_OK) status = m->fill(device, from, &(uint8_t){1}, 1, chunks * PIECE, error);
    double best = 0;
    for (int i = 0; status == MASS_OK && i <= RUNS; i++) { /* the first copy touches the pages */
        const double began = seconds_now();
        status = m->copy(device, &copy, error);
        const double now = 2.0 * (double)chunks * PIECE / (seconds_now() - began);
        if (now > best) best = now;
    }
    if (status == MASS_OK) *rate = best;
    m->release(device, to);
    m->release(device, from);
    return status;
}
