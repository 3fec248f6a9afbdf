/* SPDX-License-Identifier: Apache-2.0 */
#include "networks_plain.h"

void bench_network_step(int64_t nodes, const uint64_t *first, const uint32_t *source, const uint8_t *state,
                        uint8_t *next)
{
    for (int64_t i = 0; i < nodes; i++) {
        uint32_t sum = state[i];
        for (uint64_t k = first[i]; k < first[i + 1]; k++) sum += state[source[k]];
        next[i] = (uint8_t)(sum * 5 + 1);
    }
}
