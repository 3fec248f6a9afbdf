/* SPDX-License-Identifier: Apache-2.0 */
/* A model's declaration about the seed. */
#ifndef MASS_SEED_H
#define MASS_SEED_H

#include <mass/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MASS_SEED_ID "mass.seed/0"
typedef struct mass_seed_table {
    uint32_t struct_size;
    /* In open: declares that, with the present values of its parameters, the model draws no random number and places no
     * agent at random. Then the engine draws no seed and reports none. Without --seed it is 0, so all runs are the
     * same. */
    mass_status (*unused)(mass_host *);
} mass_seed_table;

/* Returns the functions for the seed that a plugin may call. */
static inline const mass_seed_table *mass_seed_of(mass_host *host)
{
    return (const mass_seed_table *)host->service(host, MASS_SEED_ID);
}

#ifdef __cplusplus
}
#endif
#endif
