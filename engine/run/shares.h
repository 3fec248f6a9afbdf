/* SPDX-License-Identifier: Apache-2.0 */
/* Shares of ranks whose devices differ: in proportion to how fast these copy their memory, measured on all of them at
 * the same time, as they will work at the same time. */
#ifndef MASS_ENGINE_SHARES_H
#define MASS_ENGINE_SHARES_H

#include "comm/comm.h"
#include "device/device.h"

typedef enum mass_shares_wish {
    MASS_SHARES_GIVEN,   /* somebody else has said what they are: nothing is measured */
    MASS_SHARES_BY_KIND, /* where devices are of different kinds (device.h) */
    MASS_SHARES_BY_RATE  /* in any case */
} mass_shares_wish;

/* On all ranks, of which rank 0's wish counts, but that all know whether shares were given. *out: [ranks], which the
 * caller frees; NULL: all have the same. Rank 0 decides, so that all have the same ones. */
mass_status mass_shares_measure(mass_comm *comm, mass_device *device, mass_shares_wish wish, int32_t **out,
                                mass_error *error);

/* shares[ranks] of rates[ranks], which are above 0; false where they are as good as equal. Pure arithmetic. */
bool mass_shares_of_rates(const double *rates, int32_t ranks, int32_t *shares);

#endif
