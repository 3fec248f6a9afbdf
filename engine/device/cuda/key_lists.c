/* SPDX-License-Identifier: Apache-2.0 */
/* Converts counts by key between a GPU and sorted lists of the host. */
#include "device/cuda/key_counts.h"

#include <stdlib.h>
#include <string.h>

/* A copy of a world's table in host memory: slots, counts, and the texts that are kept. */
typedef struct copy {
    uint64_t *slots;
    uint8_t *kept;
} copy;

/* Copies a table and its texts to host memory. Waits. The caller frees the copy, also after failure. */
static mass_status take_copy(mass_cuda *cuda, const mass_key_table *t, copy *out, mass_error *error)
{
    const size_t bytes = t->capacity * 2 * sizeof *t->slots;
    *out = (copy){malloc(bytes), malloc(t->kept_bytes + 1)};
    if (!out->slots || !out->kept) return mass_error_memory(error, bytes + t->kept_bytes, "the keys of a tally");
    TRY(cudaMemcpyAsync(out->slots, t->slots, bytes, cudaMemcpyDeviceToHost, cuda->stream), "a copy failed");
    if (t->kept_bytes)
        TRY(cudaMemcpyAsync(out->kept, t->kept, t->kept_bytes, cudaMemcpyDeviceToHost, cuda->stream), "a copy failed");
    TRY(cudaStreamSynchronize(cuda->stream), "a callback failed");
    return MASS_OK;
}

/* Adds all keys of a table's copy to a set in host memory. */
static void fill_set(const mass_keys *k, const mass_key_table *t, const copy *c, mass_key_set *set)
{
    const uint64_t *counts = c->slots + t->capacity;
    if (t->none && k->texts) mass_key_set_add_text(set, "", 0, (int64_t)t->none);
    if (t->none && !k->texts) mass_key_set_add_number(set, 0, (int64_t)t->none);
    for (uint64_t i = 0; i < t->capacity; i++) {
        const uint64_t slot = c->slots[i];
        if (slot == 0) continue;
        if (k->texts)
            mass_key_set_add_text(set, c->kept + mass_key_slot_offset(slot), mass_key_slot_length(slot),
                                  (int64_t)counts[i]);
        else mass_key_set_add_number(set, slot, (int64_t)counts[i]);
    }
}

mass_status mass_cuda_keys_read(mass_device *device, mass_keys *k, int32_t w, mass_key_list *out, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    copy c = {0};
    mass_key_set set = {.texts = k->texts};
    mass_status status = take_copy(cuda, &k->table[w], &c, error);
    if (status == MASS_OK) {
        fill_set(k, &k->table[w], &c, &set);
        mass_key_set_merge(&set, &k->worlds[w].long_texts);
        status = mass_key_list_of(&set, out, error);
    }
    mass_key_set_free(&set);
    free(c.slots);
    free(c.kept);
    return status;
}

/* Puts a key that is not there yet into slots in host memory, and counts it in t->taken. Returns false if its window is
 * full. */
static bool put(mass_key_table *t, uint64_t *slots, uint64_t hash, uint64_t slot, int64_t count)
{
    for (uint64_t i = 0; i < MASS_KEYS_WINDOW; i++) {
        const uint64_t at = (hash + i) & (t->capacity - 1);
        if (slots[at]) continue;
        slots[at] = slot;
        slots[t->capacity + at] = (uint64_t)count;
        t->taken++;
        return true;
    }
    return false;
}

/* Puts key i of a list into slots in host memory. Key 0, the empty text and long texts are stored separately. Returns
 * false if the slots near its hash are taken. */
static bool put_key(mass_keys *k, int32_t w, uint64_t *slots, const mass_key_list *l, uint64_t i)
{
    mass_key_table *t = &k->table[w];
    uint64_t length = 0;
    const uint8_t *text = k->texts ? mass_key_list_text(l, i, &length) : NULL;
    if (k->texts ? length == 0 : l->keys[i] == 0) t->none = (uint64_t)l->counts[i];
    else if (!k->texts) return put(t, slots, mass_key_hash_number(l->keys[i], t->seed), l->keys[i], l->counts[i]);
    else if (length >= MASS_KEYS_LONG) mass_key_set_add_text(&k->worlds[w].long_texts, text, length, l->counts[i]);
    else {
        const uint64_t hash = mass_key_hash_text(text, length, t->seed);
        const uint64_t slot = mass_key_slot(hash, length, MASS_KEYS_KEPT, (uint64_t)(text - l->bytes));
        return put(t, slots, hash, slot, l->counts[i]);
    }
    return true;
}

/* Puts all keys of a list into slots of the table's capacity, after clearing these, the table's counts and the world's
 * long texts. Returns false if one does not fit. */
static bool put_keys(mass_keys *k, int32_t w, uint64_t *slots, const mass_key_list *l)
{
    bool placed = true;
    memset(slots, 0, k->table[w].capacity * 2 * sizeof *slots);
    k->table[w].taken = k->table[w].none = 0;
    mass_key_set_clear(&k->worlds[w].long_texts);
    for (uint64_t i = 0; placed && i < l->count; i++) placed = put_key(k, w, slots, l, i);
    return placed;
}

/* Writes the texts of a list to the device, in place of the texts that were kept. */
static mass_status write_texts(mass_cuda *cuda, mass_keys *k, int32_t w, const mass_key_list *l, mass_error *error)
{
    void *memory;
    const uint64_t bytes = mass_key_list_bytes(l);
    const mass_status status = mass_cuda_keys_memory(cuda, bytes + 1, &memory, error);
    if (status != MASS_OK) return status;
    cudaFree(k->worlds[w].kept);
    k->worlds[w].kept = memory;
    k->worlds[w].kept_room = bytes + 1;
    k->table[w].kept = memory;
    k->table[w].kept_bytes = bytes;
    TRY(cudaMemcpy(memory, l->bytes, bytes, cudaMemcpyHostToDevice), "a copy failed");
    return MASS_OK;
}

mass_status mass_cuda_keys_write(mass_device *device, mass_keys *k, int32_t w, const mass_key_list *list,
                                 mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    mass_key_table *t = &k->table[w];
    mass_status status = mass_cuda_keys_clear_world(cuda, k, w, error);
    uint64_t capacity = t->capacity, *slots = NULL;
    while (capacity < 4 * list->count) capacity *= 2;
    for (bool placed = list->count == 0; status == MASS_OK && !placed; capacity *= 2) {
        uint64_t *old = t->slots;
        free(slots);
        slots = malloc(capacity * 2 * sizeof *slots);
        if (!slots) return mass_error_memory(error, capacity * 2 * sizeof *slots, "the keys of a tally");
        status = mass_cuda_keys_table(cuda, t, capacity, mass_key_mix(t->seed + capacity), error);
        if (status != MASS_OK) break;
        cudaFree(old);
        placed = put_keys(k, w, slots, list);
    }
    if (status == MASS_OK && slots && cudaMemcpyAsync(t->slots, slots, t->capacity * 2 * sizeof *slots,
                                                      cudaMemcpyHostToDevice, cuda->stream) != cudaSuccess)
        status = mass_cuda_failed(cuda, cudaErrorUnknown, "a copy failed", error);
    if (status == MASS_OK && k->texts) status = write_texts(cuda, k, w, list, error);
    cudaStreamSynchronize(cuda->stream);
    free(slots);
    return status;
}
