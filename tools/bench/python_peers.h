/* SPDX-License-Identifier: Apache-2.0 */
/* Life by the array libraries of this Python: JAX, CuPy and torch (peers.py). */
#ifndef MASS_BENCH_PYTHON_PEERS_H
#define MASS_BENCH_PYTHON_PEERS_H

#include "report.h"

#include <stdint.h>

enum { BENCH_PYTHON_PEERS = 3 };
typedef struct bench_python_peers {
    bool here[BENCH_PYTHON_PEERS]; /* this Python has JAX, CuPy, torch for the device */
} bench_python_peers;

/* Finds the libraries for a device, "cpu" or "cuda:N". It adds their versions, or the reasons why they are missing, to
 * the report's facts. */
void bench_python_find(bench_python_peers *p, const char *device, bench_report *report);

/* Measures the cells a second at size x size, in the order above: the median of five runs after a warm-up. NAN: the
 * library is missing, or its result is wrong. */
void bench_python_life(const bench_python_peers *p, const char *device, int64_t size, double rates[BENCH_PYTHON_PEERS]);

#endif
