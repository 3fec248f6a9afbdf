/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes the state of the run in canonical order, chunk by chunk. A chunk moves between rank 0 and the ranks
 * that hold its elements, so no rank needs memory for more than one chunk of the others' state. It also works with one
 * rank. Main thread.
 *
 * Rank 0 calls these functions. Other ranks run them from mass_serve (rpc.h), with NULL for data. A failure on one
 * rank fails on all ranks. */
#ifndef MASS_ENGINE_SNAPSHOT_CHUNKS_H
#define MASS_ENGINE_SNAPSHOT_CHUNKS_H

#include "snapshot/snapshot.h"
#include "state/domain.h"

#include <limits.h>

typedef struct mass_chunks mass_chunks;

typedef enum mass_chunks_use {
    MASS_CHUNKS_LIVE,   /* reads the present state: no step may run until mass_chunks_end */
    MASS_CHUNKS_KEPT,   /* each rank first copies its part to host memory, so that steps may go on */
    MASS_CHUNKS_RESTORE /* writes the state */
} mass_chunks_use;

/* Begins a transfer, and ends one that is still open: collects how many elements each rank holds. Lasts until
 * mass_chunks_end. On failure none is open. */
mass_status mass_chunks_begin(mass_domain *d, mass_chunks_use use, mass_error *error);
mass_status mass_chunks_end(mass_domain *d, mass_error *error);
/* Frees the transfer's memory on this rank alone. Part of mass_domain_free. */
void mass_chunks_free(mass_domain *d);

/* Transfer `count` elements of an attribute, from number `first` on. The order is row-major over all worlds, or agents
 * by world, place and id. Places are written at once; agents by mass_chunks_end_agents. */
mass_status mass_chunks_read(mass_domain *d, uint32_t attribute, uint64_t first, uint64_t count, void *data,
                             mass_error *error);
mass_status mass_chunks_write(mass_domain *d, uint32_t attribute, uint64_t first, uint64_t count, const void *data,
                              mass_error *error);

/* Return the number of this rank's elements of an attribute, and read some of them. They concern this rank alone, and
 * need mass_chunks_begin. */
uint64_t mass_chunks_own_count(const mass_domain *d, uint32_t attribute);
mass_status mass_chunks_read_own(mass_domain *d, uint32_t attribute, uint64_t first, uint64_t count, void *data,
                                 mass_error *error);
/* Returns the elements of an attribute on each rank, [groups][ranks], until mass_chunks_end. That order is the
 * canonical one. *groups: one a world if ranks divide the space, else one. */
const uint64_t *mass_chunks_counts(const mass_domain *d, uint32_t attribute, int32_t *groups);

/* ---- parts: each rank writes its own part to its own file ---- */

/* The order that rank 0 sends to all ranks to write a set of parts. */
typedef struct mass_part_order {
    char folder[PATH_MAX];
    uint64_t step;
    bool remove; /* delete the parts that this order wrote before */
    char token[33], identity[33], writer[17]; /* ids of the set of parts, the run, and rank 0's temporary files */
} mass_part_order;

enum { MASS_PART_WORDS = 3 }; /* words per attribute in a rank's table: offset in the file, and hash */

/* Calls d->write_part on every rank. tables: [ranks][attribute_count][MASS_PART_WORDS], set on rank 0. Needs
 * mass_chunks_begin. */
mass_status mass_chunks_write_parts(mass_domain *d, const mass_part_order *order, uint64_t *tables, mass_error *error);

/* Restore a population in this order. Rank 0 alone counts all its agents by world and place, in any number of
 * calls. mass_chunks_begin_agents allocates on all ranks. mass_chunks_write writes every attribute.
 * mass_chunks_end_agents replaces the population. */
void mass_chunks_count_agents(mass_domain *d, uint32_t population, const int32_t *world, const int64_t *place,
                              uint64_t count);
mass_status mass_chunks_begin_agents(mass_domain *d, uint32_t population, mass_error *error);
mass_status mass_chunks_end_agents(mass_domain *d, uint32_t population, mass_error *error);

/* Return the same functions as the source that checkpoints are written from, valid until mass_chunks_end, and as the
 * sink that they are restored to. */
const mass_snapshot_source *mass_chunks_source(const mass_domain *d);
mass_snapshot_sink mass_chunks_sink(mass_domain *d);

#endif
