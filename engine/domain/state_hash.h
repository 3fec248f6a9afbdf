/* The hashes of a state, piece by piece, for those who hold it in memory and those who stream it
 * from a file. What they are made of is promised in snapshot.h. Any thread, own hash. */
#ifndef MASS_ENGINE_STATE_HASH_H
#define MASS_ENGINE_STATE_HASH_H

#include "core/model.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Of an attribute's canonical bytes, given in order and in pieces of any size. */
typedef struct mass_bytes_hash {
    XXH3_state_t block, blocks;
    size_t filled; /* bytes in the current block */
} mass_bytes_hash;

void mass_bytes_hash_begin(mass_bytes_hash *h);
void mass_bytes_hash_add(mass_bytes_hash *h, const void *bytes, size_t count);
void mass_bytes_hash_end(mass_bytes_hash *h, uint8_t hash[16]);

/* Gives the mass_bytes_hash of one of the model's attributes. */
typedef void mass_attribute_hash(const void *owner, uint32_t attribute, uint8_t hash[16]);

/* Of the whole state. agents: [population_count] over all worlds; may be NULL if that is 0. */
void mass_state_hash(const mass_model *model, int32_t worlds, const uint64_t *agents, uint64_t step,
                     mass_attribute_hash *hash_of, const void *owner, char hex[33]);

/* XXH3-128 of bytes as a whole, in hexadecimal digits: what xxh128sum prints of a file. */
void mass_hash_file_bytes(const void *bytes, size_t size, char hex[33]);

/* 16 bytes as 32 hexadecimal digits and a zero byte. */
void mass_hash_format(const uint8_t hash[16], char hex[33]);

/* Finishes an XXH3-128 in its canonical big-endian form. */
void mass_hash_digest(const XXH3_state_t *state, uint8_t hash[16]);

#endif
