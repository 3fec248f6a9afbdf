/* SPDX-License-Identifier: Apache-2.0 */
#include "state/cells.h"

mass_status mass_cell_find(const mass_domain *d, uint32_t population, uint64_t cell, uint32_t *before, uint32_t *here,
                           mass_error *error)
{
    const mass_population_state *s = &d->populations[population];
    mass_seats seats = {0};
    uint32_t start[2] = {0};
    if (s->seats.device) {
        const mass_buffer at = mass_buffer_from(s->seats, (size_t)cell / 32 * sizeof seats);
        const mass_status status = mass_buffer_download(at, &seats, sizeof seats, error);
        *before = seats.before + (uint32_t)__builtin_popcount(seats.held & ((1u << cell % 32) - 1));
        if (here) *here = seats.held >> cell % 32 & 1;
        return status;
    }
    const mass_buffer at = mass_buffer_from(s->start, (size_t)cell * sizeof *start);
    const mass_status status = mass_buffer_download(at, start, here ? sizeof start : sizeof *start, error);
    *before = start[0];
    if (here) *here = start[1] - start[0];
    return status;
}
