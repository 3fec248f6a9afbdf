/* SPDX-License-Identifier: Apache-2.0 */
/* Creation of a domain: it checks the options and the memory, and allocates. Main thread. */
#ifndef MASS_ENGINE_SNAPSHOT_CREATE_H
#define MASS_ENGINE_SNAPSHOT_CREATE_H

#include "state/domain.h"

typedef struct mass_domain_options {
    int32_t partitions; /* of a rank */
    int32_t worlds, first_world; /* of the run, over all ranks */
    uint64_t seed;
    mass_comm *comm; /* the ranks that compute the run together; NULL: one alone. Borrowed */
    const int32_t *shares; /* [ranks] in what proportion they hold rows or worlds, each from 1 to MASS_SHARE_MOST; NULL:
                              all the same. Borrowed for the call */
} mass_domain_options;

/* Bytes that a model's state needs on its device, for people. */
double mass_domain_bytes(const mass_model *m, int32_t partitions, int32_t worlds);

/* Whether every space has rows for so many ranks that cut it, of so many partitions each. MASS_BAD_USAGE. */
mass_status mass_domain_check_rows(const mass_model *m, int32_t ranks, int32_t partitions, mass_error *error);

/* Checks the options and the memory, allocates, and fills every attribute with its default. All ranks of the run call
 * it, with the same options. On failure *out is untouched. */
mass_status mass_domain_create(const mass_model *m, mass_device *device, const mass_domain_options *options,
                               mass_domain **out, mass_error *error);
void mass_domain_free(mass_domain *d); /* NULL is fine */

#endif
