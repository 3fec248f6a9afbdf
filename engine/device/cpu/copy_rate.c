/* SPDX-License-Identifier: Apache-2.0 */
/* Measures how fast all threads of the device copy memory, for --profile and for the shares of ranks. */
#include "device/cpu/cpu.h"

#include <time.h>

enum { PIECE = 1 << 18, WINDOW = 256 /* pieces */, RUNS = 5 };
static const size_t MOST = (size_t)256 << 20; /* more than most caches hold */
static const double TOUCH = 0.2, MEASURE = 0.2; /* seconds after which no further window, or copy, is begun */

/* Returns the monotonic clock's time in seconds. */
static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns the copy of window `window`: WINDOW pieces, or as many as `pieces` leave. */
static mass_strided window_of(char *to, const char *from, size_t pieces, size_t window)
{
    const size_t first = window * WINDOW, left = pieces - first, at = first * PIECE;
    return (mass_strided){to + at, from + at, PIECE, {1, (int64_t)(left < WINDOW ? left : WINDOW), 1}, {PIECE, PIECE},
                          {PIECE, PIECE}};
}

/* Fills and copies windows, so that their pages are there, until all are or TOUCH is over. Returns their number. A host
 * may take longer to give the pages than to copy them many times. */
static size_t touch(mass_device *device, char *to, char *from, size_t pieces, mass_status *status, mass_error *error)
{
    const mass_memory_operations *m = &mass_cpu_memory;
    const double began = seconds_now();
    size_t windows = 0;
    while (*status == MASS_OK && windows * WINDOW < pieces && (windows == 0 || seconds_now() - began < TOUCH)) {
        const mass_strided copy = window_of(to, from, pieces, windows);
        char *const at = from + windows++ * WINDOW * PIECE;
        *status = m->fill(device, at, &(uint8_t){1}, 1, (size_t)copy.count[1] * PIECE, error);
        if (*status == MASS_OK) *status = m->copy(device, &copy, error);
    }
    return windows;
}

/* Measures the best of at most RUNS copies, in bytes read and written a second. Allocates two buffers, and releases
 * them again. On a slow host it copies less of them, and fewer times. */
mass_status mass_cpu_copy_rate(mass_device *device, double *rate, mass_error *error)
{
    const mass_memory_operations *m = &mass_cpu_memory;
    size_t available, windows = 0;
    void *to = NULL, *from = NULL;
    mass_status status = m->available(device, &available, error);
    if (status != MASS_OK) return status;
    const size_t pieces = (available / 8 < MOST ? available / 8 : MOST) / PIECE + 1;
    status = m->allocate(device, pieces * PIECE, &to, error);
    if (status == MASS_OK) status = m->allocate(device, pieces * PIECE, &from, error);
    if (status == MASS_OK) windows = touch(device, to, from, pieces, &status, error);
    const size_t copied = windows * WINDOW < pieces ? windows * WINDOW : pieces;
    const double start = seconds_now();
    double best = 0;
    for (int i = 0; status == MASS_OK && i < RUNS && (i == 0 || seconds_now() - start < MEASURE); i++) {
        const double began = seconds_now();
        for (size_t w = 0; status == MASS_OK && w < windows; w++) {
            const mass_strided copy = window_of(to, from, pieces, w);
            status = m->copy(device, &copy, error);
        }
        const double now = 2.0 * (double)copied * PIECE / (seconds_now() - began);
        if (now > best) best = now;
    }
    if (status == MASS_OK) *rate = best;
    m->release(device, to);
    m->release(device, from);
    return status;
}
