/* SPDX-License-Identifier: Apache-2.0 */
/* Life by the array libraries that Python has here: JAX, CuPy and torch (peers.py). */
#ifndef MASS_BENCH_PYTHON_PEERS_H
#define MASS_BENCH_PYTHON_PEERS_H

#include "report.h"

#include <stdint.h>

enum { BENCH_PYTHON_PEERS = 3 };
typedef struct bench_python_peers {
    bool here[BENCH_PYTHON_PEERS]; /* whether this Python has JAX, CuPy, torch for the device */
} bench_python_peers;

/* Finds out which there are for a device, "cpu" or "cuda:N", and adds their versions, or why they are missing, to the
 * report's facts. */
void bench_python_find(bench_python_peers *p, const char *device, bench_report *report);

/* Cells a second at size x size, in the order above: the median of five warmed runs of those that are here and compute
 * what they should, NAN for others. */
void bench_python_life(const bench_python_peers *p, const char *device, int64_t size, double rates[BENCH_PYTHON_PEERS]);

#endif
