/* SPDX-License-Identifier: Apache-2.0 */
/* Halos of agents: copies of agents of other ranks that stand near the boundary of this rank, next to its own agents.
 * Main thread. */
#ifndef MASS_ENGINE_HALO_BANDS_H
#define MASS_ENGINE_HALO_BANDS_H

#include "halo/halo.h"

/* The agents on the `depth` rows before this rank's places and the `depth` rows behind them, in canonical order. Their
 * cells are numbered [worlds][2][places]. A rank that has all places has none of them. */
typedef struct mass_band {
    uint32_t population;
    int64_t depth, places; /* places: of so many rows */
    uint32_t count;        /* agents, in all worlds */
    mass_buffer start;     /* uint32_t[worlds * 2 * places + 1] agents in all cells before each one */
    mass_buffer cell;      /* uint32_t[count] */
    uint32_t array_count;
    const uint32_t *arrays; /* [array_count] of the population, among all of the model; the first one has the ids */
    mass_buffer *values;    /* [array_count], of `count` elements each */
    struct mass_band_plan *plan; /* who sends which agents to whom */
} mass_band;

/* depth: 1 or more rows. arrays: of the population, without that of ids; read before this returns. The caller frees
 * *out, which is valid until the domain is cut in another way (mass_halos_free). On failure it is untouched. */
mass_status mass_band_make(mass_domain *d, uint32_t population, int32_t depth, const uint32_t *arrays, uint32_t count,
                           mass_band **out, mass_error *error);
void mass_band_free(mass_band *); /* NULL is fine */

/* Makes the band show the agents as they are now. moved: agents have moved, or come, or gone since the last call, on
 * any rank; else values alone have changed. The population is in canonical order. All ranks call both functions, with
 * the same arguments. */
mass_status mass_band_refresh(mass_domain *d, mass_band *band, bool moved, mass_error *error);

/* Combines the values of array number `index` of the band with those of the agents that it has copies of. Nobody has
 * moved since the last refresh. Queued. */
mass_status mass_band_combine(mass_domain *d, const mass_band *band, uint32_t index, const mass_combination *how,
                              mass_error *error);

#endif
