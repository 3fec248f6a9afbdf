/* SPDX-License-Identifier: Apache-2.0 */
#include "population/place_draws.h"

mass_point_draws mass_population_point_draws(const mass_domain *d, uint32_t population)
{
    const mass_population_def *p = &d->model->populations[population];
    const mass_space_def *space = &d->model->spaces[p->space];
    const int64_t *const first = d->populations[population].first_place;
    return (mass_point_draws){.size = {space->size[0], space->size[1], space->size[2]}, .cell = space->cell,
        .dimensions = space->dimensions, .type = d->model->attributes[p->position].type, .phase = MASS_PHASE_OF_PLACES,
        .draw = MASS_POPULATIONS_MAX * MASS_DRAWS_OF_PLACES + 2 * population,
        .first_place = first ? first[d->share.comm->rank] : 0, .keys = d->random_keys.address};
}
