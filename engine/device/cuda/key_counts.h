/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by key on a GPU, as the host stores them. */
#ifndef MASS_ENGINE_CUDA_KEY_COUNTS_H
#define MASS_ENGINE_CUDA_KEY_COUNTS_H

#include "device/cuda/cuda.h"

#include <mass/impl/keys.h>

/* The host's data on one world, in addition to its table. */
typedef struct mass_cuda_keys_world {
    uint8_t *kept;           /* the table's texts, on the device */
    uint64_t kept_room;
    uint64_t *before;        /* slots that the running launch has filled up, on the device; NULL: none */
    mass_key_set long_texts; /* texts that are too long for a slot */
} mass_cuda_keys_world;

struct mass_keys {
    bool texts;
    int32_t count;         /* of worlds */
    mass_key_table *table; /* [count], as on the device after a launch; slots and counts are one block of memory */
    mass_key_table *device;
    mass_cuda_keys_world *worlds;
};

/* Allocates memory on the device for keys; the caller frees it with cudaFree. On failure *out is NULL. */
mass_status mass_cuda_keys_memory(mass_cuda *cuda, size_t bytes, void **out, mass_error *error);
/* Sets *t to an empty table of a power of two of slots; does not free the former one. Its count of key 0 or the empty
 * text, and its kept texts, stay. If memory runs out, *t is unchanged. */
mass_status mass_cuda_keys_table(mass_cuda *cuda, mass_key_table *t, uint64_t capacity, uint64_t seed,
                                 mass_error *error);
/* Removes the keys of world w. Queued. */
mass_status mass_cuda_keys_clear_world(mass_cuda *cuda, mass_keys *k, int32_t w, mass_error *error);

/* Operations of the table for keys (device/key_counts.h). */
mass_status mass_cuda_keys_read(mass_device *, mass_keys *, int32_t world, mass_key_list *out, mass_error *error);
mass_status mass_cuda_keys_write(mass_device *, mass_keys *, int32_t world, const mass_key_list *list,
                                 mass_error *error);

#endif
