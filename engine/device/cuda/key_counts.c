/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by key on a GPU: tables grow, and no contribution is lost or counted twice (see mass/impl/keys.h).
 *
 * A launch that finds a table too small is run again. The keys that the table holds by then are settled: all their
 * contributions were counted. The next run counts only the other keys, none of which was counted before. Its table
 * begins with all settled keys. This is repeated until all keys fit. */
#include "cuda/kernels.h"
#include "device/cuda/key_counts.h"
#include "device/key_fields.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS_FIRST = 1 << 16, SLOTS_LEAST = 1 << 10, LONG_FIRST = 256, KEPT_FIRST = 4096 };
enum { GROWTH_IN_RUN = 8, GROWTH_AFTER = 4, GROWTH_LEAST = 2 };

mass_status mass_cuda_keys_memory(mass_cuda *cuda, size_t bytes, void **out, mass_error *error)
{
    *out = NULL;
    if (cudaMalloc(out, bytes) == cudaSuccess) return MASS_OK;
    cudaGetLastError();
    char size[32];
    return mass_error_set(error, MASS_NO_DEVICE, "%s has no %s free for the keys of a tally", cuda->name,
                          mass_format_bytes(size, (double)bytes));
}

mass_status mass_cuda_keys_table(mass_cuda *cuda, mass_key_table *t, uint64_t capacity, uint64_t seed,
                                 mass_error *error)
{
    void *memory;
    const size_t bytes = capacity * 2 * sizeof(uint64_t);
    const mass_status status = mass_cuda_keys_memory(cuda, bytes, &memory, error);
    if (status != MASS_OK) return status;
    t->slots = memory;
    t->counts = t->slots + capacity;
    t->capacity = capacity;
    t->seed = seed;
    t->taken = t->fresh_bytes = t->overflow = 0;
    TRY(cudaMemsetAsync(memory, 0, bytes, cuda->stream), "keys cannot be counted");
    return MASS_OK;
}

static void keys_free(mass_device *device, mass_keys *k);

/* Returns the slots of a world's first table; fewer with many worlds. */
static uint64_t slots_first(int32_t worlds)
{
    uint64_t slots = SLOTS_FIRST;
    while (slots > SLOTS_LEAST && slots * (uint64_t)worlds > SLOTS_FIRST) slots /= 2;
    return slots;
}

/* Creates tables of keys on the device, one a world. On failure nothing remains. */
static mass_status keys_create(mass_device *device, bool texts, int32_t worlds, mass_keys **out, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    const size_t count = (size_t)worlds;
    void *memory = NULL;
    mass_keys *k = calloc(1, sizeof *k);
    if (!k) return mass_error_memory(error, sizeof *k, "the keys of a tally");
    *k = (mass_keys){.texts = texts, .count = worlds, .table = calloc(count, sizeof *k->table),
                     .worlds = calloc(count, sizeof *k->worlds)};
    mass_status status = k->table && k->worlds
                             ? mass_cuda_keys_memory(cuda, count * sizeof *k->device, &memory, error)
                             : mass_error_memory(error, count * sizeof *k->worlds, "the keys of a tally");
    k->device = memory;
    for (int32_t w = 0; status == MASS_OK && w < worlds; w++) {
        k->worlds[w].long_texts.texts = true;
        status = mass_cuda_keys_table(cuda, &k->table[w], slots_first(worlds), 0, error);
    }
    if (status != MASS_OK) keys_free(device, k);
    else *out = k;
    return status;
}

/* Waits for queued work, and frees the tables. NULL is allowed. */
static void keys_free(mass_device *device, mass_keys *k)
{
    if (!k) return;
    cudaStreamSynchronize(((mass_cuda *)device)->stream);
    for (int32_t w = 0; k->table && k->worlds && w < k->count; w++) {
        cudaFree(k->table[w].slots);
        cudaFree(k->table[w].long_texts);
        cudaFree(k->worlds[w].kept);
        cudaFree(k->worlds[w].before);
        mass_key_set_free(&k->worlds[w].long_texts);
    }
    cudaFree(k->device);
    free(k->table);
    free(k->worlds);
    free(k);
}

mass_status mass_cuda_keys_clear_world(mass_cuda *cuda, mass_keys *k, int32_t w, mass_error *error)
{
    mass_key_table *t = &k->table[w];
    t->none = t->taken = t->fresh_bytes = t->kept_bytes = 0;
    mass_key_set_clear(&k->worlds[w].long_texts);
    TRY(cudaMemsetAsync(t->slots, 0, t->capacity * 2 * sizeof *t->slots, cuda->stream), "keys cannot be counted");
    return MASS_OK;
}

/* Forgets all keys and counts of all worlds, on the device and here. */
static mass_status keys_clear(mass_device *device, mass_keys *k, mass_error *error)
{
    mass_status status = MASS_OK;
    for (int32_t w = 0; status == MASS_OK && w < k->count; w++)
        status = mass_cuda_keys_clear_world((mass_cuda *)device, k, w, error);
    return status;
}

/* ---- tables that grow ---- */

/* Copies some worlds' table records to the device. Queued. */
static mass_status upload(mass_cuda *cuda, mass_keys *k, int32_t first, int32_t count, mass_error *error)
{
    TRY(cudaMemcpyAsync(k->device + first, k->table + first, (size_t)count * sizeof *k->table, cudaMemcpyHostToDevice,
                        cuda->stream), "keys cannot be counted");
    return MASS_OK;
}

/* Waits for queued work, and copies some worlds' table records from the device. */
static mass_status download(mass_cuda *cuda, mass_keys *k, int32_t first, int32_t count, mass_error *error)
{
    const mass_status status = mass_cuda_wait_watched(cuda, error);
    if (status != MASS_OK) return status;
    TRY(cudaMemcpyAsync(k->table + first, k->device + first, (size_t)count * sizeof *k->table, cudaMemcpyDeviceToHost,
                        cuda->stream), "keys cannot be counted");
    TRY(cudaStreamSynchronize(cuda->stream), "a callback failed");
    return MASS_OK;
}

/* Puts all keys of `from` into a new table with another hash; it becomes the world's table. */
static mass_status rehash(mass_cuda *cuda, mass_keys *k, int32_t w, const mass_key_table *from, uint64_t capacity,
                          mass_error *error)
{
    mass_key_table *t = &k->table[w];
    mass_status status = mass_cuda_keys_table(cuda, t, capacity, mass_key_mix(from->seed + capacity), error);
    if (status != MASS_OK) return status;
    status = upload(cuda, k, w, 1, error);
    if (status == MASS_OK && mass_cuda_keys_rehash(cuda->stream, from, k->device + w, k->texts) != cudaSuccess)
        status = mass_cuda_failed(cuda, cudaErrorLaunchFailure, "keys cannot be counted", error);
    return status == MASS_OK ? download(cuda, k, w, 1, error) : status;
}

/* Enlarges a world's table by `factor`, or by two if there is too little memory; more if some keys still do not fit.
 * Sets *old to the former slots, which the caller frees, also on failure. */
static mass_status grow(mass_cuda *cuda, mass_keys *k, int32_t w, uint64_t factor, uint64_t **old, mass_error *error)
{
    const mass_key_table from = k->table[w];
    uint64_t capacity = from.capacity * factor;
    *old = from.slots;
    for (;; capacity *= GROWTH_LEAST) {
        mass_error first = {0};
        mass_status status = rehash(cuda, k, w, &from, capacity, &first);
        if (status == MASS_NO_DEVICE && capacity > from.capacity * GROWTH_LEAST && k->table[w].slots == from.slots) {
            capacity = from.capacity * GROWTH_LEAST;
            first = (mass_error){0};
            status = rehash(cuda, k, w, &from, capacity, &first);
        }
        if (status != MASS_OK) {
            if (k->table[w].slots == from.slots) *old = NULL;
            return mass_error_set(error, status, "%s", first.text);
        }
        if (!k->table[w].overflow) return MASS_OK;
        cudaFree(k->table[w].slots);
        k->table[w] = from;
    }
}

/* Replaces the list of long texts by one with room for all that were found, and for LONG_FIRST at least. Its
 * contents are lost; on failure there is no list. */
static mass_status make_long_room(mass_cuda *cuda, mass_key_table *t, mass_error *error)
{
    void *memory;
    const uint64_t room = t->long_count > LONG_FIRST ? t->long_count : LONG_FIRST;
    cudaFree(t->long_texts);
    t->long_texts = NULL;
    t->long_room = 0;
    const mass_status status = mass_cuda_keys_memory(cuda, room * 2 * sizeof *t->long_texts, &memory, error);
    if (status != MASS_OK) return status;
    t->long_texts = memory;
    t->long_room = room;
    return MASS_OK;
}

/* Frees own->before: the slots of the table that was too small. */
static void forget_before(mass_cuda_keys_world *own)
{
    cudaFree(own->before);
    own->before = NULL;
}

/* Prepares a world to be run once more, if that is needed: enlarges its tables, and notes the keys that are settled.
 * Sets *again to true then, and leaves it otherwise. */
static mass_status mend(mass_cuda *cuda, mass_keys *k, int32_t w, bool *again, mass_error *error)
{
    mass_key_table *t = &k->table[w];
    const mass_key_table old = *t;
    mass_status status = MASS_OK;
    if (t->long_count > t->long_room) {
        status = make_long_room(cuda, t, error);
        *again = true;
    }
    if (status == MASS_OK && t->overflow) {
        forget_before(&k->worlds[w]);
        status = grow(cuda, k, w, GROWTH_IN_RUN, &k->worlds[w].before, error);
        *again = true;
    }
    t->settled = old.slots; /* the table itself, if it was large enough */
    t->settled_capacity = old.capacity;
    t->settled_seed = old.seed;
    return status;
}

/* ---- texts ---- */

/* Copies the texts of this launch's input that are new to those that are kept, which may move to larger memory.
 * Waits. */
static mass_status keep_texts(mass_cuda *cuda, mass_keys *k, int32_t w, mass_error *error)
{
    mass_key_table *t = &k->table[w];
    mass_cuda_keys_world *own = &k->worlds[w];
    const uint64_t need = t->kept_bytes + t->fresh_bytes;
    if (t->fresh_bytes == 0) return MASS_OK;
    if (need > own->kept_room) {
        void *memory;
        const uint64_t room = need + need / 2 + KEPT_FIRST;
        const mass_status status = mass_cuda_keys_memory(cuda, room, &memory, error);
        if (status != MASS_OK) return status;
        const cudaError_t result =
            cudaMemcpyAsync(memory, own->kept, t->kept_bytes, cudaMemcpyDeviceToDevice, cuda->stream);
        cudaStreamSynchronize(cuda->stream);
        cudaFree(own->kept);
        own->kept = memory;
        own->kept_room = room;
        t->kept = memory;
        TRY(result, "keys cannot be counted");
    }
    mass_status status = upload(cuda, k, w, 1, error);
    if (status != MASS_OK) return status;
    TRY(mass_cuda_keys_keep(cuda->stream, k->device + w, t->capacity, own->kept), "keys cannot be counted");
    status = download(cuda, k, w, 1, error);
    t->fresh_bytes = 0;
    return status;
}

/* Adds a long text, read from the device, to a set of keys in host memory. */
static mass_status count_long_text(mass_cuda *cuda, mass_key_set *set, const uint8_t *text, uint64_t length,
                                   mass_error *error)
{
    uint8_t *copy = malloc(length);
    if (!copy) return mass_error_memory(error, length, "the keys of a tally");
    const cudaError_t result = cudaMemcpy(copy, text, length, cudaMemcpyDeviceToHost);
    if (result == cudaSuccess) mass_key_set_add_text(set, copy, length, 1);
    free(copy);
    TRY(result, "keys cannot be counted");
    return set->failed ? mass_keys_no_memory(set->wanted, error) : MASS_OK;
}

/* Adds all long texts that a launch found in a world to the world's set in host memory. */
static mass_status count_long_texts(mass_cuda *cuda, mass_keys *k, int32_t w, mass_error *error)
{
    mass_key_table *t = &k->table[w];
    if (t->long_count == 0) return MASS_OK;
    const size_t bytes = t->long_count * 2 * sizeof *t->long_texts;
    uint64_t *list = malloc(bytes);
    if (!list) return mass_error_memory(error, bytes, "the keys of a tally");
    mass_status status = MASS_OK;
    if (cudaMemcpy(list, t->long_texts, bytes, cudaMemcpyDeviceToHost) != cudaSuccess)
        status = mass_cuda_failed(cuda, cudaErrorUnknown, "keys cannot be counted", error);
    for (uint64_t i = 0; status == MASS_OK && i < t->long_count; i++)
        status = count_long_text(cuda, &k->worlds[w].long_texts, t->input + list[2 * i], list[2 * i + 1], error);
    free(list);
    return status;
}

/* ---- launches ---- */

/* Prepares all tables for a launch: its input, and no long texts or overflow yet. Refuses texts of more than 256
 * GiB. */
static mass_status begin(mass_cuda *cuda, mass_keys *k, const mass_work *work, mass_error *error)
{
    const int input = mass_keys_input(mass_cuda_callback(work->prepared));
    const mass_field_memory *m = input >= 0 ? &work->memory[input] : NULL;
    if (m && m->bytes >= MASS_KEYS_INPUT_MAX)
        return mass_error_set(error, MASS_BAD_USAGE, "%s: texts of more than 256 GiB in one partition: use more "
                              "--partitions", cuda->name);
    for (int32_t w = 0; w < k->count; w++) {
        mass_key_table *t = &k->table[w];
        t->settled = NULL;
        t->input = m ? m->start : NULL;
        t->input_bytes = m ? m->bytes : 0;
        t->overflow = t->outside = 0;
        t->long_count = 0;
    }
    return MASS_OK;
}

/* Runs the callback once over all worlds, and waits. Sets *again if some worlds must be run once more, after it has
 * enlarged their tables. */
static mass_status run(mass_cuda *cuda, mass_keys *k, const mass_work *work, bool *again, mass_error *error)
{
    mass_status status = upload(cuda, k, 0, k->count, error);
    if (status == MASS_OK) status = mass_cuda_launch(cuda, work, error);
    if (status == MASS_OK) status = download(cuda, k, 0, k->count, error);
    *again = false;
    for (int32_t w = 0; status == MASS_OK && w < k->count; w++) {
        if (k->table[w].outside) return mass_keys_outside(mass_cuda_callback(work->prepared), work->step, error);
        status = mend(cuda, k, w, again, error);
    }
    for (int32_t w = 0; *again && w < k->count; w++) k->table[w].long_count = k->table[w].overflow = 0;
    return status;
}

/* Ends a launch for a world: copies new texts, counts long ones, and enlarges a table that is more than half full. */
static mass_status end(mass_cuda *cuda, mass_keys *k, int32_t w, mass_error *error)
{
    uint64_t *old = NULL;
    forget_before(&k->worlds[w]);
    mass_status status = keep_texts(cuda, k, w, error);
    if (status == MASS_OK) status = count_long_texts(cuda, k, w, error);
    if (status == MASS_OK && 2 * k->table[w].taken > k->table[w].capacity)
        status = grow(cuda, k, w, GROWTH_AFTER, &old, error);
    cudaFree(old);
    return status;
}

mass_status mass_cuda_count_keys(mass_cuda *cuda, const mass_work *work, mass_error *error)
{
    const mass_callback *c = mass_cuda_callback(work->prepared);
    const int field = mass_keys_field(c);
    mass_keys *k = work->memory[field].keys;
    void *fields[256];
    memcpy(fields, work->fields, c->field_count * sizeof *fields);
    fields[field] = k->device;
    mass_work own = *work;
    own.fields = fields;
    bool again = true;
    mass_status status = begin(cuda, k, work, error);
    while (status == MASS_OK && again) status = run(cuda, k, &own, &again, error);
    for (int32_t w = 0; status == MASS_OK && w < k->count; w++) status = end(cuda, k, w, error);
    return status;
}

const mass_keys_operations mass_cuda_keys = {
    .struct_size = sizeof mass_cuda_keys,
    .create = keys_create,
    .free = keys_free,
    .clear = keys_clear,
    .read = mass_cuda_keys_read,
    .write = mass_cuda_keys_write,
};
