/* SPDX-License-Identifier: Apache-2.0 */
/* The first agents of test models that place them in `load`. */
#ifndef MASS_TESTS_MODELS_FIRST_AGENTS_H
#define MASS_TESTS_MODELS_FIRST_AGENTS_H

#include <mass/model.h>

#if MASS_HOST

#include <stdlib.h>

/* Returns the place of an agent, by its number among those that are to be added. */
typedef int64_t first_place(int64_t agent, int64_t places);

/* Adds a population's agents to every world, one after the other, while their places have seats. 0: any number. */
static inline mass_status add_first_agents(mass_host *host, const char *space, const char *population, int64_t count,
                                           int64_t seats, first_place *place_of)
{
    mass_gidx size[3];
    uint32_t dimensions;
    mass_status status = mass_values_of(host)->size(host, space, size, &dimensions);
    const int64_t places = size[0] * size[1] * size[2];
    int64_t *here = calloc((size_t)places, sizeof *here), *place = calloc((size_t)count + 1, sizeof *place), added = 0;
    if (!here || !place) abort();
    for (int64_t i = 0; i < count; i++) {
        const int64_t p = place_of(i, places);
        if (seats && here[p] >= seats) continue;
        here[p]++;
        place[added++] = p;
    }
    const mass_placing placing = {MASS_SIZES_placing, .world = MASS_EVERY_WORLD, .population = population,
                                  .count = added, .place = place};
    if (status == MASS_OK) status = mass_placing_of(host)->add(host, &placing);
    free(here);
    free(place);
    return status;
}

#endif

#endif
