/* SPDX-License-Identifier: Apache-2.0 */
/* Access to tallies of bins, in a plugin's finish. */
#ifndef MASS_TALLIES_H
#define MASS_TALLIES_H

#include <mass/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MASS_TALLIES_ID "mass.tallies/0"
typedef struct mass_tallies_table {
    uint32_t struct_size;
    /* Gets the sums of `count` bins from `first` on, in one world. Sums in fixed point are in units of
     * 2^-fraction_bits. Values of a world attribute of doubles are their bits (mass_f64_bits). The caller owns out. */
    mass_status (*bins)(mass_host *, const char *tally, int32_t world, uint32_t first, uint32_t count, int64_t *out);
} mass_tallies_table;

/* Returns the functions for tallies that a plugin may call. */
static inline const mass_tallies_table *mass_tallies_of(mass_host *host)
{
    return (const mass_tallies_table *)host->service(host, MASS_TALLIES_ID);
}

#ifdef __cplusplus
}
#endif
#endif
