/* SPDX-License-Identifier: Apache-2.0 */
/* Agents that are edges, as records that ranks send each other. A record is a mass_edge_record and the values of the
 * edge's attributes, in the order in which the model declares them, without padding. Host memory; main thread. */
#ifndef MASS_ENGINE_POPULATION_RELINK_RECORDS_H
#define MASS_ENGINE_POPULATION_RELINK_RECORDS_H

#include "state/changing_edges.h"

/* The beginning of a record. A record need not be aligned: copy this to read it. */
typedef struct mass_edge_record {
    uint64_t id;
    uint32_t number, source; /* number: of the node that the edge is on (mass_changing_edges) */
} mass_edge_record;

/* Returns the bytes of a record of a network's edges. */
size_t mass_edge_record_bytes(const mass_domain *d, uint32_t network);

/* Make records of this rank's edges: of all; and of the new ones among `agents` agents, whose ids are not below
 * e->next_id. Set *count to the number of records, 0 if there are none. The caller frees *out, also if they fail. They
 * wait for the device. */
mass_status mass_edge_records_make(mass_domain *d, uint32_t population, uint32_t network, char **out, uint64_t *count,
                                   mass_error *error);
mass_status mass_edge_records_make_new(mass_domain *d, uint32_t population, uint32_t network,
                                       const mass_changing_edges *e, uint64_t agents, char **out, uint64_t *count,
                                       mass_error *error);

#endif
