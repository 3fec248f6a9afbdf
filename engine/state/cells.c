/* SPDX-License-Identifier: Apache-2.0 */
#include "state/cells.h"

mass_status mass_cell_find(const mass_domain *d, uint32_t population, uint64_t cell, uint32_t *before, uint32_t *here,
                           mass_error *error)
{
    const mass_population_state *s = &d->populations[population];
    mass_seats occupancy = {0};
    uint32_t start[2] = {0};
    if (s->occupancy.device) {
        const mass_buffer at = mass_buffer_from(s->occupancy, (size_t)cell / 32 * sizeof occupancy);
        const mass_status status = mass_buffer_download(at, &occupancy, sizeof occupancy, error);
        *before = occupancy.before + (uint32_t)__builtin_popcount(occupancy.held & ((1u << cell % 32) - 1));
        if (here) *here = occupancy.held >> cell % 32 & 1;
        return status;
    }
    const mass_buffer at = mass_buffer_from(s->start, (size_t)cell * sizeof *start);
    const mass_status status = mass_buffer_download(at, start, here ? sizeof start : sizeof *start, error);
    *before = start[0];
    if (here) *here = start[1] - start[0];
    return status;
}
