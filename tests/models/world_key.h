/* SPDX-License-Identifier: Apache-2.0 */
/* The random key of a world, for plain programs that draw what a model has drawn. */
#ifndef MASS_TESTS_MODELS_WORLD_KEY_H
#define MASS_TESTS_MODELS_WORLD_KEY_H

#include <mass/plugin.h>
#include <mass/random.h>
#include <mass/tallies.h>

#include <stdlib.h>

/* Returns the key of a world of the run. Its number may be larger than that within the run. The model has a world
 * attribute `words` for it: MASS_ONCE in phase `phase` writes the first two words of RANDOM(7), in every step. */
static inline uint64_t world_key(mass_host *host, int32_t number, uint32_t phase)
{
    const mass_run_table *of_run = mass_run_of(host);
    int64_t words = 0;
    if (mass_tallies_of(host)->bins(host, "words", number, 0, 1, &words) != MASS_OK) abort();
    for (uint64_t first = 0; first < 100; first++) {
        const uint64_t key = mass_random_key(of_run->seed(host), first + (uint64_t)number);
        const mass_random4 r = mass_random_block(key, 0, of_run->step(host), phase, 7);
        if (((uint64_t)r.v[0] << 32 | r.v[1]) == (uint64_t)words) return key;
    }
    abort();
}

#endif
