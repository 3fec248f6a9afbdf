/* SPDX-License-Identifier: Apache-2.0 */
/* The occupancy bitmap of a population with at most one agent on a place (mass_seats), on CPUs. */
#ifndef MASS_SEATS_H
#define MASS_SEATS_H

#include <mass/impl/launch.h>

/* Returns the number of set bits, without an instruction for it: not all processors have one. */
MASS_FN uint32_t mass_ones_u32(uint32_t bits)
{
    bits -= bits >> 1 & 0x55555555u;
    bits = (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
    return ((bits + (bits >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}
/* Returns the number of agents in the cells before `cell`, from the element of the occupancy bitmap with that cell. */
MASS_FN uint32_t mass_agents_before(mass_seats occupancy, uint32_t cell)
{
    return occupancy.before + mass_ones_u32(occupancy.held & ((1u << cell % 32) - 1));
}

#endif
