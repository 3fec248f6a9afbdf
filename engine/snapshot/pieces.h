/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the run in its canonical order, a piece after the other: from the ranks that hold it to rank 0 and back.
 * Nobody needs the memory of more than a piece of what others hold. With one rank it works as well. Main thread.
 *
 * All of this is called on rank 0, and by others out of mass_serve (call.h), with NULL for data. What fails on one rank
 * fails on all. */
#ifndef MASS_ENGINE_SNAPSHOT_PIECES_H
#define MASS_ENGINE_SNAPSHOT_PIECES_H

#include "snapshot/snapshot.h"
#include "state/domain.h"

#include <limits.h>

typedef struct mass_pieces mass_pieces;

typedef enum mass_pieces_use {
    MASS_PIECES_LIVE,   /* read as the state is then: no step may come between */
    MASS_PIECES_KEPT,   /* every rank copies its share to host memory, and steps may go on */
    MASS_PIECES_RESTORE /* written */
} mass_pieces_use;

/* Finds out who holds what; until mass_pieces_end. What was begun before ends. */
mass_status mass_pieces_begin(mass_domain *d, mass_pieces_use use, mass_error *error);
mass_status mass_pieces_end(mass_domain *d, mass_error *error);
/* Part of mass_domain_free, of this rank alone. */
void mass_pieces_free(mass_domain *d);

/* `count` elements of an attribute, from number `first` on: of all worlds, row-major, or of agents by world, place and
 * id. Places are written as they come. */
mass_status mass_pieces_read(mass_domain *d, uint32_t attribute, uint64_t first, uint64_t count, void *data,
                             mass_error *error);
mass_status mass_pieces_write(mass_domain *d, uint32_t attribute, uint64_t first, uint64_t count, const void *data,
                              mass_error *error);

/* What this rank, alone, has of an attribute: how many elements, and some of them. */
uint64_t mass_pieces_own_count(const mass_domain *d, uint32_t attribute);
mass_status mass_pieces_read_own(mass_domain *d, uint32_t attribute, uint64_t first, uint64_t count, void *data,
                                 mass_error *error);
/* How many elements of it lie on each rank, [groups][ranks], which in that order are the canonical one. */
const uint64_t *mass_pieces_counts(const mass_domain *d, uint32_t attribute, int32_t *groups);

/* ---- parts: each rank writes what it holds to a file of its own ---- */

/* What rank 0 tells of it. */
typedef struct mass_part_order {
    char folder[PATH_MAX];
    uint64_t step;
    bool remove; /* what was written so goes again */
    char token[33], identity[33], writer[17]; /* of the set of parts, the run, and rank 0's temporary files */
} mass_part_order;

enum { MASS_PART_WORDS = 3 }; /* that a rank says of an attribute: where its values begin in the file, and their hash */

/* Every rank calls d->write_part. tables: on rank 0, [ranks][attribute_count][MASS_PART_WORDS]. After
 * mass_pieces_begin. */
mass_status mass_pieces_write_parts(mass_domain *d, const mass_part_order *order, uint64_t *tables, mass_error *error);

/* Agents are written in turns: rank 0, alone, counts where all of a population stand; then all make room; every
 * attribute is written; and the population becomes that. */
void mass_pieces_count_agents(mass_domain *d, uint32_t population, const int32_t *world, const int64_t *place,
                              uint64_t count);
mass_status mass_pieces_begin_agents(mass_domain *d, uint32_t population, mass_error *error);
mass_status mass_pieces_end_agents(mass_domain *d, uint32_t population, mass_error *error);

/* The same as what a checkpoint is written from, until mass_pieces_end, and restored to. */
const mass_snapshot_source *mass_pieces_source(const mass_domain *d);
mass_snapshot_sink mass_pieces_sink(mass_domain *d);

#endif
