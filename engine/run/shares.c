/* SPDX-License-Identifier: Apache-2.0 */
#include "run/shares.h"
#include "ranks/call.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { MOST = 1000 }; /* the share of the fastest */
static const double NOISE = 1.1; /* the fastest is at least so many times as fast as the slowest, or all are the same */

bool mass_shares_of_rates(const double *rates, int32_t ranks, int32_t *shares)
{
    double least = rates[0], most = rates[0];
    for (int32_t r = 1; r < ranks; r++) {
        if (rates[r] < least) least = rates[r];
        if (rates[r] > most) most = rates[r];
    }
    for (int32_t r = 0; r < ranks; r++) {
        const int32_t share = (int32_t)(MOST * (rates[r] / most) + 0.5);
        shares[r] = share > 0 ? share : 1;
    }
    return most > NOISE * least;
}

static uint64_t kind_of(mass_device *device)
{
    char kind[MASS_DEVICE_KIND] = "";
    if (device->table->kind) device->table->kind(device, kind);
    return XXH3_64bits(kind, strlen(kind));
}

/* Rank 0 tells the others. kinds: [ranks], to be written. */
static mass_status decide(mass_comm *comm, mass_device *device, mass_shares_wish wish, uint64_t *kinds, bool *measure,
                          mass_error *error)
{
    const uint64_t own = kind_of(device);
    int64_t wanted = wish == MASS_SHARES_BY_RATE;
    mass_status status = comm->table->all_gather(comm, &own, sizeof own, kinds, error);
    for (int32_t r = 1; status == MASS_OK && r < comm->size; r++) wanted |= kinds[r] != kinds[0];
    if (status == MASS_OK) status = comm->table->broadcast(comm, &wanted, sizeof wanted, error);
    *measure = wanted != 0;
    return status;
}

/* *differ: rank 0 found so. rates, shares: [ranks]. */
static mass_status measure(mass_comm *comm, mass_device *device, double *rates, int32_t *shares, bool *differ,
                           mass_error *error)
{
    double own = 0;
    int64_t uneven = 0;
    mass_status status = comm->table->barrier(comm, error);
    if (status != MASS_OK) return status;
    status = mass_call_agree(comm, device->table->memory->copy_rate(device, &own, error), error);
    if (own <= 0) own = 1; /* of a clock that stands still */
    if (status == MASS_OK) status = comm->table->all_gather(comm, &own, sizeof own, rates, error);
    if (status == MASS_OK && comm->rank == 0) uneven = mass_shares_of_rates(rates, comm->size, shares);
    if (status == MASS_OK) status = comm->table->broadcast(comm, &uneven, sizeof uneven, error);
    if (status == MASS_OK) status = comm->table->broadcast(comm, shares, (size_t)comm->size * sizeof *shares, error);
    *differ = uneven != 0;
    return status;
}

mass_status mass_shares_measure(mass_comm *comm, mass_device *device, mass_shares_wish wish, int32_t **out,
                                mass_error *error)
{
    const size_t ranks = (size_t)comm->size;
    bool wanted = false, differ = false;
    *out = NULL;
    if (wish == MASS_SHARES_GIVEN || comm->size == 1) return MASS_OK;
    uint64_t *kinds = calloc(ranks, sizeof *kinds);
    double *rates = calloc(ranks, sizeof *rates);
    int32_t *shares = calloc(ranks, sizeof *shares);
    mass_status status = MASS_OK;
    if (!kinds || !rates || !shares) status = mass_error_memory(error, 3 * ranks * sizeof *kinds, "ranks");
    status = mass_call_agree(comm, status, error);
    if (status == MASS_OK) status = decide(comm, device, wish, kinds, &wanted, error);
    if (status == MASS_OK && wanted) status = measure(comm, device, rates, shares, &differ, error);
    free(kinds);
    free(rates);
    if (status == MASS_OK && differ) *out = shares;
    else free(shares);
    return status;
}
