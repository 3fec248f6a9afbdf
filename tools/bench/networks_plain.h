/* SPDX-License-Identifier: Apache-2.0 */
/* The step of models/networks.c as a loop over compressed rows: the edges that come into node i are first[i] to before
 * first[i + 1], from nodes source[first[i]] on. */
#ifndef MASS_BENCH_NETWORKS_PLAIN_H
#define MASS_BENCH_NETWORKS_PLAIN_H

#include <stdint.h>

void bench_network_step(int64_t nodes, const uint64_t *first, const uint32_t *source, const uint8_t *state,
                        uint8_t *next);

#endif
