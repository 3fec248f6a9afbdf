/* SPDX-License-Identifier: Apache-2.0 */
/* Creates a domain: checks the options and the memory, then allocates. Main thread. */
#ifndef MASS_ENGINE_SNAPSHOT_CREATE_H
#define MASS_ENGINE_SNAPSHOT_CREATE_H

#include "state/domain.h"

typedef struct mass_domain_options {
    int32_t partitions; /* of each rank */
    int32_t worlds, first_world; /* of the run, over all ranks */
    uint64_t seed;
    mass_comm *comm; /* the ranks that compute the run together; NULL: one rank. Borrowed */
    const int32_t *shares; /* [ranks] weights that divide rows or worlds, each from 1 to MASS_SHARE_MOST; NULL:
                              equal. Borrowed for the call */
    bool by_edges;         /* ranks have about as many nodes and edges of a network (split/edge_shares.h), if they do
                              not have whole worlds; `shares` is not used then */
} mass_domain_options;

/* Returns the bytes that a model's state needs on one device with all worlds, for messages. */
double mass_domain_bytes(const mass_model *m, int32_t partitions, int32_t worlds);

/* Returns MASS_BAD_USAGE if a space has too few rows for so many ranks of so many partitions each. */
mass_status mass_domain_check_rows(const mass_model *m, int32_t ranks, int32_t partitions, mass_error *error);

/* Creates a domain, with every attribute at its default. All ranks call it with the same options. The caller frees *out
 * with mass_domain_free. On failure *out is untouched. MASS_BAD_USAGE for wrong options, MASS_NO_DEVICE if memory is
 * short. */
mass_status mass_domain_create(const mass_model *m, mass_device *device, const mass_domain_options *options,
                               mass_domain **out, mass_error *error);
void mass_domain_free(mass_domain *d); /* NULL is allowed */

#endif
