/* SPDX-License-Identifier: Apache-2.0 */
/* snapshot/ treats the state of a run as a whole: creation, save and restore, hashes, repartition.
 *
 * A snapshot is the state of a run at the end of a step, in canonical form: global, row-major and without ghosts. It
 * does not depend on devices or decomposition. */
#ifndef MASS_ENGINE_SNAPSHOT_H
#define MASS_ENGINE_SNAPSHOT_H

#include "base/keys.h"
#include "model/model.h"
#include "state/stop_state.h"

/* Reads `count` elements of an attribute in canonical order, from number `first` on. */
typedef struct mass_snapshot_source {
    mass_status (*read)(void *context, uint32_t attribute, uint64_t first, uint64_t count, void *data,
                        mass_error *error);
    void *context;
} mass_snapshot_source;

/* Writes elements. For a population, count_agents first gets the worlds and places of all its agents, in any chunks.
 * Then write gets every attribute of them, between begin_agents and end_agents. */
typedef struct mass_snapshot_sink {
    void (*count_agents)(void *context, uint32_t population, const int32_t *world, const int64_t *place,
                         uint64_t count);
    mass_status (*begin_agents)(void *context, uint32_t population, mass_error *error);
    mass_status (*write)(void *context, uint32_t attribute, uint64_t first, uint64_t count, const void *data,
                         mass_error *error);
    mass_status (*end_agents)(void *context, uint32_t population, mass_error *error);
    void *context;
} mass_snapshot_sink;

typedef struct mass_snapshot {
    const mass_model *model; /* borrowed; outlives the snapshot */
    uint64_t step, seed;
    int32_t worlds, first_world;
    uint64_t *agents; /* [population_count] agents over all worlds; owned */
    /* [attribute_count], each [worlds][nz][ny][nx][length] elements, or for a population [agents][length] by world,
     * place and id; owned. NULL: `source` reads them, or only numbers were saved */
    void **attributes;
    const mass_snapshot_source *source; /* reads attributes that are not here; NULL: none. Borrowed */
    /* [tally_count][worlds] accumulators as mass_tally_value reads them; owned */
    int64_t *tallies;
    mass_key_list *keys; /* [tally_count][worlds], empty for a tally that does not count by key; owned */
    mass_until_state until;
} mass_snapshot;

/* Returns the bytes of one attribute of the snapshot; 0 if it is streamed. */
size_t mass_snapshot_size(const mass_snapshot *s, uint32_t attribute);

enum { MASS_SNAPSHOT_LITTLE = 4 << 20 };
/* Returns the extra bytes that writing a snapshot of `bytes` bytes takes; 0 up to MASS_SNAPSHOT_LITTLE bytes. */
size_t mass_snapshot_writer_room(double bytes);

/* Allocates all attributes and tallies, all zero, and copies agents ([population_count]; NULL: none). The caller frees
 * *s with mass_snapshot_free. On failure *s is empty. */
mass_status mass_snapshot_allocate(mass_snapshot *s, const mass_model *model, int32_t worlds,
                                   const uint64_t *agents, mass_error *error);
/* Allocates the tallies and copies agents, as mass_snapshot_allocate does, but no attributes. */
mass_status mass_snapshot_allocate_numbers(mass_snapshot *s, const mass_model *model, int32_t worlds,
                                           const uint64_t *agents, mass_error *error);
/* Frees all that a snapshot owns, and sets it to zeros. All zeros is allowed. */
void mass_snapshot_free(mass_snapshot *s);

/* Counts a population's agents in each world: counts[worlds]. Needs the attributes. */
void mass_snapshot_count_agents(const mass_snapshot *s, uint32_t population, uint64_t *counts);

/* Compute the hashes of parts and of the whole, as defined in state_hash.h; hex: 32 digits and a zero byte. That of an
 * attribute and that of the whole need the attributes. */
void mass_snapshot_hash_attribute(const mass_snapshot *s, uint32_t attribute, uint8_t hash[16]);
void mass_snapshot_hash_tally(const mass_snapshot *s, uint32_t tally, uint8_t hash[16]);
void mass_snapshot_hash(const mass_snapshot *s, char hex[33]);

#endif
