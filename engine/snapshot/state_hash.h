/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the state hash in chunks, for states on a device, in memory, or streamed from a file. It is a function of
 * the state alone, and not of devices, partitions or threads. Any thread, with its own hash.
 *
 * state_hash, version 2, is the XXH3-128 of these parts:
 * - for each attribute, in byte order of the names "space.attribute" and "population.attribute": that name with its
 *   final zero byte; type, length and five extents (each a little-endian u64); the attribute's hash;
 * - for each tally that a checkpoint holds, hidden ones too, in order of names: its name with its final zero byte;
 *   worlds and words (each a little-endian u64); the tally's hash;
 * - the step (little-endian u64).
 * The words of a tally are its accumulators per world, or 0 if it counts by key.
 * The extents of an attribute of places are worlds, nz, ny, nx and component size. The extents of an attribute of
 * agents are worlds, 1, 1, agents over all worlds and component size.
 * An attribute's hash is the XXH3-128 of the sequence of its blocks' XXH64 (seed 0, 8 bytes, little-endian). Blocks are
 * 4 KiB of the attribute's canonical bytes; the last one is shorter. Canonical bytes are little-endian elements without
 * ghosts, [worlds][nz][ny][nx][length] or [agents][length], with agents by world, place and id. Devices hash the blocks
 * in their own memory (kernels/blocks.h).
 * A tally's hash is the XXH3-128 of its accumulators [worlds][words], little-endian i64, with exact sums normalised.
 * For a tally that counts by key it is the XXH3-128 of: keys per world [worlds]; the keys [entries], in order of worlds
 * and ascending in each; the counts [entries]. If keys are texts, the keys are where each text ends in the bytes of all
 * texts [entries], and these bytes. Numbers are little-endian u64, counts i64, as in a checkpoint.
 * All hashes are in XXH3's canonical big-endian form, and in hexadecimal digits as texts.
 *
 * Version 1, of checkpoints of format 1, had no tallies. An attribute's hash was the XXH3-128 of the sequence of the
 * XXH3-128 (16 bytes, canonical) of every 1 MiB block. Checkpoints still hash their other parts in that way. */
#ifndef MASS_ENGINE_STATE_HASH_H
#define MASS_ENGINE_STATE_HASH_H

#include "base/keys.h"
#include "model/model.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MASS_STATE_HASH_VERSION = 2 };

/* Hash of an attribute's canonical bytes, which callers add in order, in chunks of any size. */
typedef struct mass_bytes_hash {
    uint32_t version;
    XXH3_state_t block, blocks;
    XXH64_state_t small; /* hash of the current block, in version 2 */
    size_t filled;       /* bytes in the current block */
} mass_bytes_hash;

void mass_bytes_hash_begin(mass_bytes_hash *h, uint32_t version);
void mass_bytes_hash_add(mass_bytes_hash *h, const void *bytes, size_t count);
void mass_bytes_hash_end(mass_bytes_hash *h, uint8_t hash[16]);

/* Computes a tally's hash: of accumulators [worlds][words], or of lists [worlds] if it counts by key. */
void mass_tally_hash(const mass_tally_def *t, int32_t worlds, const int64_t *accumulators, const mass_key_list *lists,
                     uint8_t hash[16]);

/* Computes the hash of one of the model's attributes or tallies. */
typedef void mass_hash_of(const void *owner, uint32_t index, uint8_t hash[16]);

typedef struct mass_hashed_state {
    const mass_model *model;
    uint32_t version;
    int32_t worlds;
    const uint64_t *agents; /* [population_count] agents over all worlds; NULL is allowed if that is 0 */
    uint64_t step;
    mass_hash_of *attribute, *tally; /* tally: used in version 2 */
    const void *owner;
} mass_hashed_state;

/* Computes the hash of the whole state. */
void mass_state_hash(const mass_hashed_state *s, char hex[33]);

/* Computes the XXH3-128 of bytes in hexadecimal digits: what xxh128sum prints for a file. */
void mass_hash_file_bytes(const void *bytes, size_t size, char hex[33]);

/* Formats 16 bytes as 32 hexadecimal digits and a zero byte. */
void mass_hash_format(const uint8_t hash[16], char hex[33]);

/* Begin an XXH3-128, and return its digest in canonical big-endian form. */
void mass_hash_start(XXH3_state_t *state);
void mass_hash_digest(const XXH3_state_t *state, uint8_t hash[16]);

#endif
