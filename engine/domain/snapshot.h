/* The state of a run at the end of a step, in canonical form: global, row-major, without ghosts,
 * independent of device and decomposition. */
#ifndef MASS_ENGINE_SNAPSHOT_H
#define MASS_ENGINE_SNAPSHOT_H

#include "core/expression.h"
#include "core/keys.h"

typedef struct mass_snapshot {
    const mass_model *model; /* borrowed; outlives the snapshot */
    uint64_t step, seed;
    int32_t worlds, first_world;
    uint64_t *agents; /* [population_count] over all worlds; owned */
    /* [attribute_count], each [worlds][nz][ny][nx][length] elements, or of a population [agents][length],
     * by world, place and id; owned */
    void **attributes;
    /* [tally_count][worlds] accumulators as mass_tally_value takes them; owned */
    int64_t *tallies;
    mass_key_list *keys; /* [tally_count][worlds], empty where a tally does not count by key; owned */
    mass_until_state until;
} mass_snapshot;

/* Bytes of one attribute of the snapshot. */
size_t mass_snapshot_size(const mass_snapshot *s, uint32_t attribute);

/* Makes room for all attributes and tallies, all zero, and copies agents ([population_count]; NULL: none).
 * On failure *s holds nothing. */
mass_status mass_snapshot_allocate(mass_snapshot *s, const mass_model *model, int32_t worlds,
                                   const uint64_t *agents, mass_error *error);
void mass_snapshot_free(mass_snapshot *s);

/* How many agents of a population there are in each world: counts[worlds], from where they stand. */
void mass_snapshot_count_agents(const mass_snapshot *s, uint32_t population, uint64_t *counts);

/* XXH3-128 of one attribute's canonical bytes: of the sequence of the XXH3-128 (16 bytes, canonical
 * big-endian form) of every 1 MiB block of them, the last one shorter. */
void mass_snapshot_hash_attribute(const mass_snapshot *s, uint32_t attribute, uint8_t hash[16]);

/* state_hash: XXH3-128 over, for each attribute in the order of "space.attribute" and
 * "population.attribute" names: that name with its final zero byte, type, length, and the five extents
 * worlds, nz, ny, nx and component size, or worlds, 1, 1, agents over all worlds and component size
 * (each a little-endian u64), the attribute's hash; then the step (little-endian u64). As 32
 * hexadecimal digits and a zero byte. */
void mass_snapshot_hash(const mass_snapshot *s, char hex[33]);

#endif
