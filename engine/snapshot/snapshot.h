/* SPDX-License-Identifier: Apache-2.0 */
/* snapshot/ treats the state of a run as a whole: creation, save and restore, hashes, repartition.
 *
 * The state of a run at the end of a step, in canonical form: global, row-major, without ghosts,
 * independent of device and decomposition. */
#ifndef MASS_ENGINE_SNAPSHOT_H
#define MASS_ENGINE_SNAPSHOT_H

#include "base/keys.h"
#include "model/model.h"
#include "state/stop_state.h"

/* Gives elements of an attribute in canonical order, `count` from number `first` on. */
typedef struct mass_snapshot_source {
    mass_status (*read)(void *context, uint32_t attribute, uint64_t first, uint64_t count, void *data,
                        mass_error *error);
    void *context;
} mass_snapshot_source;

/* Takes them. Of a population it is first told, in any parts, where all agents stand; and between begin_agents and
 * end_agents it is given every attribute of them. */
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
    uint64_t *agents; /* [population_count] over all worlds; owned */
    /* [attribute_count], each [worlds][nz][ny][nx][length] elements, or of a population [agents][length],
     * by world, place and id; owned. NULL: they are elsewhere, or only numbers were saved */
    void **attributes;
    const mass_snapshot_source *source; /* where they are, if not here; NULL: nowhere. Borrowed */
    /* [tally_count][worlds] accumulators as mass_tally_value takes them; owned */
    int64_t *tallies;
    mass_key_list *keys; /* [tally_count][worlds], empty where a tally does not count by key; owned */
    mass_until_state until;
} mass_snapshot;

/* Bytes of one attribute of the snapshot. */
size_t mass_snapshot_size(const mass_snapshot *s, uint32_t attribute);

/* Bytes that writing a snapshot of so many takes besides: of a small one, none that matter. */
enum { MASS_SNAPSHOT_LITTLE = 4 << 20 };
size_t mass_snapshot_writer_room(double bytes);

/* Makes room for all attributes and tallies, all zero, and copies agents ([population_count]; NULL: none).
 * On failure *s holds nothing. */
mass_status mass_snapshot_allocate(mass_snapshot *s, const mass_model *model, int32_t worlds,
                                   const uint64_t *agents, mass_error *error);
/* The same without attributes. */
mass_status mass_snapshot_allocate_numbers(mass_snapshot *s, const mass_model *model, int32_t worlds,
                                           const uint64_t *agents, mass_error *error);
void mass_snapshot_free(mass_snapshot *s);

/* How many agents of a population there are in each world: counts[worlds], from where they stand. */
void mass_snapshot_count_agents(const mass_snapshot *s, uint32_t population, uint64_t *counts);

/* Hashes of its parts and of all, as state_hash.h promises them; hex as 32 digits and a zero byte. */
void mass_snapshot_hash_attribute(const mass_snapshot *s, uint32_t attribute, uint8_t hash[16]);
void mass_snapshot_hash_tally(const mass_snapshot *s, uint32_t tally, uint8_t hash[16]);
void mass_snapshot_hash(const mass_snapshot *s, char hex[33]);

#endif
