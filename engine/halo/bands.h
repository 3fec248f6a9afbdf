/* SPDX-License-Identifier: Apache-2.0 */
/* Halos of agents: copies of other ranks' agents near the boundary of this rank. Main thread. */
#ifndef MASS_ENGINE_HALO_BANDS_H
#define MASS_ENGINE_HALO_BANDS_H

#include "halo/halo.h"

/* Copies of the agents on the `depth` rows before this rank's places and the `depth` rows after them, in canonical
 * order. Their cells are numbered [worlds][2][places]. A rank that has all places has no copies. */
typedef struct mass_band {
    uint32_t population;
    int64_t depth, places; /* places: of `depth` rows */
    uint32_t count;        /* agents, in all worlds */
    mass_buffer start;     /* uint32_t[worlds * 2 * places + 1] number of agents in all cells before each cell */
    mass_buffer cell;      /* uint32_t[count] the cell of each agent */
    uint32_t array_count;
    const uint32_t *arrays; /* [array_count] arrays of the population, by number in the model; the first has the ids */
    mass_buffer *values;    /* [array_count], of `count` elements each */
    struct mass_band_plan *plan; /* which agents are sent to which rank */
} mass_band;

/* Makes a band of `depth` rows, 1 or more. arrays: of the population, without the ids; read before this returns. The
 * caller frees *out, which is valid until the domain is repartitioned (mass_halos_free). On failure *out is untouched.
 * All ranks call it together. */
mass_status mass_band_make(mass_domain *d, uint32_t population, int32_t depth, const uint32_t *arrays, uint32_t count,
                           mass_band **out, mass_error *error);
void mass_band_free(mass_band *); /* NULL is allowed */

/* Updates the copies. moved: since the last call, agents have moved, arrived, or gone, on any rank; otherwise only
 * values have changed. It is true in the first call. Only if it is, ids are copied, `count`, `start` and `cell` are
 * set, and `cell` and `values` may be allocated again. The population must be in canonical order. All ranks call both
 * functions, with the same arguments. They do nothing if this rank has all places. */
mass_status mass_band_refresh(mass_domain *d, mass_band *band, bool moved, mass_error *error);

/* Combines the copies' values, in array number `index` of the band (0: ids), into those of the agents themselves. No
 * agent may have moved since the last refresh. Queued. */
mass_status mass_band_combine(mass_domain *d, const mass_band *band, uint32_t index, const mass_combination *how,
                              mass_error *error);

#endif
