/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by key on CPUs: every thread of a launch counts in sets of its own, which the worlds' take over after it. */
#ifndef MASS_ENGINE_DEVICE_CPU_KEY_COUNTS_H
#define MASS_ENGINE_DEVICE_CPU_KEY_COUNTS_H

#include "base/keys.h"
#include "device/device.h"

/* What a loop's KEYS field points at: one thread's sets, and the array that texts have to lie in. */
typedef struct mass_cpu_key_tables {
    mass_key_set *sets; /* [worlds] */
    const uint8_t *input, *input_end;
    bool outside; /* some text did not */
    mass_key_queue queue;
} mass_cpu_key_tables;

/* For launch records. */
void mass_cpu_count_number(void *tables, int32_t world, uint64_t key);
void mass_cpu_count_text(void *tables, int32_t world, const void *text, uint64_t length);

/* Empty tables for `threads` threads of a launch, and what a thread counts in. */
mass_status mass_cpu_keys_begin(const mass_work *work, int threads, mass_error *error);
mass_cpu_key_tables *mass_cpu_keys_of(const mass_work *work, int thread);
/* For a launch that is tried several times, by one thread: begins again, with texts that lie in a copy; and one number
 * of what was counted in a world since. */
void mass_cpu_keys_retry(const mass_work *work, const void *input, size_t input_bytes);
uint64_t mass_cpu_keys_digest(const mass_work *work, int32_t world);
/* The tables of so many threads, taken over by the worlds; texts that were outside and memory that was short. */
mass_status mass_cpu_keys_end(const mass_work *work, int threads, mass_error *error);

extern const mass_keys_operations mass_cpu_keys;

#endif
