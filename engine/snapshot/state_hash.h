/* SPDX-License-Identifier: Apache-2.0 */
/* The state hash, piece by piece, for those who hold a state on a device, in memory, or stream it from a file. It is a
 * function of what a state says, and of no device, partition or thread. Any thread, own hash.
 *
 * state_hash, version 2: XXH3-128 over
 *   for each attribute, in the order of the bytes of "space.attribute" and "population.attribute" names: that name with
 *     its final zero byte; type, length, and the five extents worlds, nz, ny, nx and component size, or worlds, 1, 1,
 *     agents over all worlds and component size (each a little-endian u64); the attribute's hash;
 *   for each tally that a checkpoint holds, the hidden ones too, in the order of names: its name with its final zero
 *     byte; worlds, accumulators a world, 0 where it counts by key (each a little-endian u64); the tally's hash;
 *   the step (little-endian u64).
 * An attribute's hash: XXH3-128 of the sequence of the XXH64 (seed 0, 8 bytes, little-endian) of every 4 KiB block of
 *   its canonical bytes, [worlds][nz][ny][nx][length] or [agents][length] little-endian elements without ghosts, agents
 *   by world, place and id; the last block is shorter. Devices hash blocks where they lie (kernels/blocks.h).
 * A tally's hash: XXH3-128 of its accumulators [worlds][words], little-endian i64, of exact sums normalised; of one
 *   that counts by key, of how many keys each world has [worlds], the keys [entries] in the order of worlds and
 *   ascending in each, or of texts where each ends among the bytes of all [entries] and these bytes, and the counts
 *   [entries]: as a checkpoint has them, numbers little-endian u64, counts i64.
 * All are in XXH3's canonical big-endian form, in hexadecimal digits where they are texts.
 *
 * Version 1, of checkpoints of format 1, had no tallies, and an attribute's hash was the XXH3-128 of the sequence of
 * the XXH3-128 (16 bytes, canonical) of every 1 MiB block. What else a checkpoint has hashes of, it has still so. */
#ifndef MASS_ENGINE_STATE_HASH_H
#define MASS_ENGINE_STATE_HASH_H

#include "base/keys.h"
#include "model/model.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MASS_STATE_HASH_VERSION = 2 };

/* Of an attribute's canonical bytes, given in order and in pieces of any size. */
typedef struct mass_bytes_hash {
    uint32_t version;
    XXH3_state_t block, blocks;
    XXH64_state_t small; /* the block, of version 2 */
    size_t filled;       /* bytes in the current block */
} mass_bytes_hash;

void mass_bytes_hash_begin(mass_bytes_hash *h, uint32_t version);
void mass_bytes_hash_add(mass_bytes_hash *h, const void *bytes, size_t count);
void mass_bytes_hash_end(mass_bytes_hash *h, uint8_t hash[16]);

/* Of a tally: accumulators [worlds][words], or, where it counts by key, lists [worlds]. */
void mass_tally_hash(const mass_tally_def *t, int32_t worlds, const int64_t *accumulators, const mass_key_list *lists,
                     uint8_t hash[16]);

/* Gives the hash of one of the model's attributes, or tallies. */
typedef void mass_hash_of(const void *owner, uint32_t index, uint8_t hash[16]);

typedef struct mass_hashed_state {
    const mass_model *model;
    uint32_t version;
    int32_t worlds;
    const uint64_t *agents; /* [population_count] over all worlds; may be NULL if that is 0 */
    uint64_t step;
    mass_hash_of *attribute, *tally; /* tally: of version 2 */
    const void *owner;
} mass_hashed_state;

/* Of the whole state. */
void mass_state_hash(const mass_hashed_state *s, char hex[33]);

/* XXH3-128 of bytes as a whole, in hexadecimal digits: what xxh128sum prints of a file. */
void mass_hash_file_bytes(const void *bytes, size_t size, char hex[33]);

/* 16 bytes as 32 hexadecimal digits and a zero byte. */
void mass_hash_format(const uint8_t hash[16], char hex[33]);

/* Begins an XXH3-128, and finishes it in its canonical big-endian form. */
void mass_hash_start(XXH3_state_t *state);
void mass_hash_digest(const XXH3_state_t *state, uint8_t hash[16]);

#endif
