/* SPDX-License-Identifier: Apache-2.0 */
#include "view/world_agents.h"
#include "population/gather.h"

#include <stdlib.h>

mass_status mass_world_agents_find(mass_domain *d, uint32_t population, int32_t world, mass_world_agents *out,
                                   mass_error *error)
{
    mass_world_agents a = {0};
    uint64_t *counts = calloc((size_t)d->share.worlds, sizeof *counts);
    if (!counts) return mass_error_memory(error, (size_t)d->share.worlds * sizeof *counts, "agents of a world");
    mass_status status = mass_population_count(d, population, &a.all, error);
    if (status == MASS_OK) status = mass_population_count_worlds(d, population, counts, error);
    for (int32_t w = 0; w < world; w++) a.first += counts[w];
    a.end = a.first + counts[world];
    free(counts);
    if (status == MASS_OK) *out = a;
    return status;
}

mass_status mass_world_agents_read(mass_domain *d, uint32_t attribute, const mass_world_agents *a, void **out,
                                   mass_error *error)
{
    const size_t bytes = (size_t)(a->all + 1) * mass_element_size(&d->model->attributes[attribute]);
    void *data = malloc(bytes);
    if (!data) return mass_error_memory(error, bytes, "agents of a world");
    const mass_status status = mass_population_read(d, attribute, data, error);
    if (status == MASS_OK) *out = data;
    else free(data);
    return status;
}
