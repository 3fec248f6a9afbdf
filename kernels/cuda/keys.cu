/* SPDX-License-Identifier: Apache-2.0 */
/* Work between launches that count by key: moves keys to a larger table, and copies texts that must outlive their
 * input. Each thread handles slots of its own. Threads take slots of the target table as a launch does, and only read
 * texts. */
#include "cuda/kernels.h"

namespace {
constexpr int THREADS = 256;
constexpr uint64_t BLOCKS = 4096;

/* Returns the blocks to launch for a table of this capacity, at most BLOCKS. */
unsigned blocks_for(uint64_t capacity)
{
    const uint64_t need = (capacity + THREADS - 1) / THREADS;
    return (unsigned)(need < BLOCKS ? need : BLOCKS);
}

/* Puts a key into the first free slot of its window, or sets to->overflow if none is free. The key must not be in the
 * table already. wanted: its slot. fresh_bytes: of its text, if only the input has it. */
__device__ void put(mass_key_table *to, uint64_t hash, uint64_t wanted, uint64_t fresh_bytes, uint64_t count)
{
    for (uint64_t i = 0; i < MASS_KEYS_WINDOW; i++) {
        const uint64_t at = (hash + i) & (to->capacity - 1);
        if (mass_key_take(to, at, wanted, fresh_bytes) != wanted) continue;
        to->counts[at] = count;
        return;
    }
    *(volatile uint32_t *)&to->overflow = 1;
}

/* Puts all keys and counts of a table into a larger one, by that one's hash. Sets its overflow if some do not fit. */
__global__ void rehash(const mass_key_table from, mass_key_table *to, bool texts)
{
    for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < from.capacity; i += gridDim.x * blockDim.x) {
        const uint64_t slot = from.slots[i];
        if (slot == 0) continue;
        const uint64_t length = texts ? mass_key_slot_length(slot) : 0, kept = texts ? slot & MASS_KEYS_KEPT : 0;
        const uint64_t hash = texts ? mass_key_hash_text(mass_key_slot_text(&from, slot), length, to->seed)
                                    : mass_key_hash_number(slot, to->seed);
        const uint64_t wanted = texts ? mass_key_slot(hash, length, kept, mass_key_slot_offset(slot)) : slot;
        put(to, hash, wanted, kept ? 0 : length, from.counts[i]);
    }
}

/* Copies texts that are only in the input to the table's own memory, and points their slots there. Raises
 * t->kept_bytes. */
__global__ void keep(mass_key_table *t, uint8_t *kept)
{
    for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < t->capacity; i += gridDim.x * blockDim.x) {
        const uint64_t slot = t->slots[i];
        if (slot == 0 || (slot & MASS_KEYS_KEPT)) continue;
        const uint64_t length = mass_key_slot_length(slot);
        const uint64_t at = atomicAdd((unsigned long long *)&t->kept_bytes, (unsigned long long)length);
        const uint8_t *text = t->input + mass_key_slot_offset(slot);
        for (uint64_t b = 0; b < length; b++) kept[at + b] = text[b];
        t->slots[i] = (slot & ~(MASS_KEYS_KEPT - 1)) | MASS_KEYS_KEPT | at;
    }
}
} // namespace

extern "C" cudaError_t mass_cuda_keys_rehash(cudaStream_t stream, const mass_key_table *from, mass_key_table *to,
                                             bool texts)
{
    rehash<<<blocks_for(from->capacity), THREADS, 0, stream>>>(*from, to, texts);
    return cudaGetLastError();
}

extern "C" cudaError_t mass_cuda_keys_keep(cudaStream_t stream, mass_key_table *table, uint64_t capacity, uint8_t *kept)
{
    keep<<<blocks_for(capacity), THREADS, 0, stream>>>(table, kept);
    return cudaGetLastError();
}
