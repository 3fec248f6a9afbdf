/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by key on CPUs. Every thread of a launch counts in sets of its own, which are merged into the worlds'
 * afterwards. */
#ifndef MASS_ENGINE_DEVICE_CPU_KEY_COUNTS_H
#define MASS_ENGINE_DEVICE_CPU_KEY_COUNTS_H

#include "base/keys.h"
#include "device/device.h"

/* The target of a loop's KEYS field: one thread's sets, and the array that texts must be in. */
typedef struct mass_cpu_key_tables {
    mass_key_set *sets; /* [worlds] */
    const uint8_t *input, *input_end;
    bool outside; /* some text was not in the array */
    mass_key_queue queue;
} mass_cpu_key_tables;

/* Count a number, or a text. A text that is not in the input is not counted, and sets `outside`. For launch records. */
void mass_cpu_count_number(void *tables, int32_t world, uint64_t key);
void mass_cpu_count_text(void *tables, int32_t world, const void *text, uint64_t length);

/* Begin with empty tables for `threads` threads of a launch; return the tables of one thread. Here and below, the
 * callback must have a KEYS field. */
mass_status mass_cpu_keys_begin(const mass_work *work, int threads, mass_error *error);
mass_cpu_key_tables *mass_cpu_keys_of(const mass_work *work, int thread);
/* For a launch that one thread repeats, to compare the results. mass_cpu_keys_retry empties its tables; texts then are
 * in `input`, a copy of the input. mass_cpu_keys_digest returns a digest of a world's counts since then. */
void mass_cpu_keys_retry(const mass_work *work, const void *input, size_t input_bytes);
uint64_t mass_cpu_keys_digest(const mass_work *work, int32_t world);
/* Merges the tables of `threads` threads into the worlds' counts. Fails if a text was outside its array, or if memory
 * ran out; then the worlds' counts are undefined. */
mass_status mass_cpu_keys_end(const mass_work *work, int threads, mass_error *error);

extern const mass_keys_operations mass_cpu_keys;

#endif
