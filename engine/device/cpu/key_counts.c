/* SPDX-License-Identifier: Apache-2.0 */
#include "device/cpu/key_counts.h"
#include "device/cpu/cpu.h"
#include "device/key_fields.h"

#include <stdlib.h>

struct mass_keys {
    bool texts;
    int32_t worlds;
    mass_key_set *sets;          /* [worlds] */
    mass_cpu_key_tables *tables; /* [threads] */
    int threads;
};

void mass_cpu_count_number(void *tables, int32_t world, uint64_t key)
{
    mass_cpu_key_tables *t = tables;
    mass_key_queue_number(&t->queue, &t->sets[world], key);
}

void mass_cpu_count_text(void *tables, int32_t world, const void *text, uint64_t length)
{
    mass_cpu_key_tables *t = tables;
    const uint8_t *bytes = text;
    const uint64_t readable = bytes >= t->input && bytes <= t->input_end ? (uint64_t)(t->input_end - bytes) : 0;
    if (length > readable) t->outside = true;
    else mass_key_queue_text(&t->queue, &t->sets[world], text, length, readable);
}

/* Makes empty sets of keys, one a world; NULL without memory. */
static mass_key_set *make_sets(bool texts, int32_t worlds)
{
    mass_key_set *sets = calloc((size_t)worlds, sizeof *sets);
    for (int32_t w = 0; sets && w < worlds; w++) sets[w].texts = texts;
    return sets;
}

/* Frees sets, one a world, and their array. NULL is allowed. */
static void free_sets(mass_key_set *sets, int32_t worlds)
{
    for (int32_t w = 0; sets && w < worlds; w++) mass_key_set_free(&sets[w]);
    free(sets);
}

/* Makes empty sets of keys, one a world. On failure nothing remains. */
static mass_status keys_create(mass_device *device, bool texts, int32_t worlds, mass_keys **out, mass_error *error)
{
    (void)device;
    mass_keys *k = calloc(1, sizeof *k);
    if (k) *k = (mass_keys){.texts = texts, .worlds = worlds, .sets = make_sets(texts, worlds)};
    if (!k || !k->sets) {
        free(k);
        return mass_error_memory(error, (size_t)worlds * sizeof *k->sets, "the keys of a tally");
    }
    *out = k;
    return MASS_OK;
}

/* Frees a table of keys with the tables of all threads. NULL is allowed. */
static void keys_free(mass_device *device, mass_keys *k)
{
    (void)device;
    if (!k) return;
    for (int i = 0; i < k->threads; i++) free_sets(k->tables[i].sets, k->worlds);
    free(k->tables);
    free_sets(k->sets, k->worlds);
    free(k);
}

/* Forgets all keys and counts of all worlds. Cannot fail. */
static mass_status keys_clear(mass_device *device, mass_keys *k, mass_error *error)
{
    (void)device, (void)error;
    for (int32_t w = 0; w < k->worlds; w++) mass_key_set_clear(&k->sets[w]);
    return MASS_OK;
}

/* Lists a world's keys and their counts. */
static mass_status keys_read(mass_device *device, mass_keys *k, int32_t world, mass_key_list *out, mass_error *error)
{
    (void)device;
    return mass_key_list_of(&k->sets[world], out, error);
}

/* Replaces a world's counts by those of a list. */
static mass_status keys_write(mass_device *device, mass_keys *k, int32_t world, const mass_key_list *list,
                                mass_error *error)
{
    (void)device;
    mass_key_set_clear(&k->sets[world]);
    mass_key_set_add_list(&k->sets[world], list);
    return k->sets[world].failed ? mass_keys_no_memory(k->sets[world].wanted, error) : MASS_OK;
}

/* ---- launches ---- */

/* Makes sets of keys for threads that have none, so that each of `threads` threads has one for every world. */
static mass_status make_tables(mass_keys *k, int threads, mass_error *error)
{
    if (threads <= k->threads) return MASS_OK;
    mass_cpu_key_tables *more = realloc(k->tables, (size_t)threads * sizeof *more);
    if (!more) return mass_error_memory(error, (size_t)threads * sizeof *more, "the keys of a tally");
    k->tables = more;
    for (; k->threads < threads; k->threads++) {
        more[k->threads] = (mass_cpu_key_tables){.sets = make_sets(k->texts, k->worlds)};
        if (!more[k->threads].sets)
            return mass_error_memory(error, (size_t)k->worlds * sizeof(mass_key_set), "the keys of a tally");
    }
    return MASS_OK;
}

/* Returns the keys that the callback counts into; it must have such a field. */
static mass_keys *keys_of(const mass_work *work)
{
    return work->memory[mass_keys_field(work->prepared->callback)].keys;
}

/* Empties a thread's tables and points them at the input. */
static void begin(mass_keys *k, int thread, const void *input, size_t input_bytes)
{
    mass_cpu_key_tables *t = &k->tables[thread];
    *t = (mass_cpu_key_tables){.sets = t->sets, .input = input, .input_end = (const uint8_t *)input + input_bytes};
    for (int32_t w = 0; w < k->worlds; w++) mass_key_set_clear(&t->sets[w]);
}

mass_status mass_cpu_keys_begin(const mass_work *work, int threads, mass_error *error)
{
    mass_keys *k = keys_of(work);
    const int input = mass_keys_input(work->prepared->callback);
    const mass_field_memory *m = input >= 0 ? &work->memory[input] : NULL;
    const mass_status status = make_tables(k, threads, error);
    for (int i = 0; status == MASS_OK && i < threads; i++) begin(k, i, m ? m->start : "", m ? m->bytes : 0);
    return status;
}

void mass_cpu_keys_retry(const mass_work *work, const void *input, size_t input_bytes)
{
    begin(keys_of(work), 0, input, input_bytes);
}

uint64_t mass_cpu_keys_digest(const mass_work *work, int32_t world)
{
    mass_cpu_key_tables *t = &keys_of(work)->tables[0];
    mass_key_queue_settle(&t->queue);
    return mass_key_set_digest(&t->sets[world]);
}

mass_cpu_key_tables *mass_cpu_keys_of(const mass_work *work, int thread) { return &keys_of(work)->tables[thread]; }

/* Adds the keys of one thread to a world's. A world without keys takes the thread's set as it is, and gives the thread
 * its empty one. */
static void take_over(mass_key_set *own, mass_key_set *from)
{
    const mass_key_set empty = *own;
    if (own->count > 0) {
        mass_key_set_merge(own, from);
        return;
    }
    *own = *from;
    *from = empty;
}

mass_status mass_cpu_keys_end(const mass_work *work, int threads, mass_error *error)
{
    mass_keys *k = keys_of(work);
    for (int i = 0; i < threads; i++) {
        mass_key_queue_settle(&k->tables[i].queue);
        if (k->tables[i].outside) return mass_keys_outside(work->prepared->callback, work->step, error);
        for (int32_t w = 0; w < k->worlds; w++) {
            take_over(&k->sets[w], &k->tables[i].sets[w]);
            if (k->sets[w].failed) return mass_keys_no_memory(k->sets[w].wanted, error);
        }
    }
    return MASS_OK;
}

const mass_keys_operations mass_cpu_keys = {
    .struct_size = sizeof mass_cpu_keys,
    .create = keys_create,
    .free = keys_free,
    .clear = keys_clear,
    .read = keys_read,
    .write = keys_write,
};
