/* SPDX-License-Identifier: Apache-2.0 */
/* Tallies of bins, as a plugin's finish reads them. */
#ifndef MASS_TALLIES_H
#define MASS_TALLIES_H

#include <mass/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MASS_TALLIES_ID "mass.tallies/0"
typedef struct mass_tallies_table {
    uint32_t struct_size;
    /* Sums of `count` bins from `first` on, in one world; in units of 2^-fraction_bits where they are in fixed point.
     * out is the caller's. */
    mass_status (*bins)(mass_host *, const char *tally, int32_t world, uint32_t first, uint32_t count, int64_t *out);
} mass_tallies_table;

static inline const mass_tallies_table *mass_tallies_of(mass_host *host)
{
    return (const mass_tallies_table *)host->service(host, MASS_TALLIES_ID);
}

#ifdef __cplusplus
}
#endif
#endif
