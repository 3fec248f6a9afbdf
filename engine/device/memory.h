/* SPDX-License-Identifier: Apache-2.0 */
/* The device's part for memory: arrays on a device, copies to and from the host, and what is done to whole arrays
 * without a callback. Failures and order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_MEMORY_H
#define MASS_ENGINE_DEVICE_MEMORY_H

#include "base/error.h"
#include "bits.h"
#include "blocks.h"
#include "combination.h"
#include "strided.h"

#include <stdbool.h>

typedef struct mass_device mass_device;

enum { MASS_BLOCKS_AT_ONCE = 1 << 16 }; /* that hash_blocks takes in a call */

typedef struct mass_memory_operations {
    uint32_t struct_size;
    bool in_host_memory; /* the device's memory is the host's, so that snapshots take part of what is `available` */
    /* *bytes that arrays can have beside what is allocated already: an estimate, as others may take memory too. On
     * failure *bytes is untouched. */
    mass_status (*available)(mass_device *, size_t *bytes, mass_error *error);
    /* At least 256-byte aligned; the contents are undefined. The caller releases it. On failure *out is untouched. */
    mass_status (*allocate)(mass_device *, size_t bytes, void **out, mass_error *error);
    /* Of what allocate gave. No work that uses it may still be queued. */
    void (*release)(mass_device *, void *); /* NULL is fine */
    /* From the host's memory to the device's and back. */
    mass_status (*upload)(mass_device *, void *to, const void *host, size_t bytes, mass_error *error);
    mass_status (*download)(mass_device *, void *host, const void *from, size_t bytes, mass_error *error);
    mass_status (*upload_box)(mass_device *, const mass_strided *copy, mass_error *error);   /* from: host */
    mass_status (*download_box)(mass_device *, const mass_strided *copy, mass_error *error); /* to: host */
    /* `count` copies of an element of `size` bytes, which lies in the host's memory. Queued. */
    mass_status (*fill)(mass_device *, void *to, const void *element, size_t size, size_t count, mass_error *error);
    /* From one place of the device's memory to another. Queued. */
    mass_status (*copy)(mass_device *, const mass_strided *copy, mass_error *error);
    /* The same of runs of bits. Queued. */
    mass_status (*copy_bits)(mass_device *, const mass_bit_runs *runs, mass_error *error);
    /* Combines each integer of the target with that of the source. Queued. */
    mass_status (*combine)(mass_device *, const mass_strided *box, const mass_combination *how, mass_error *error);
    /* to[i] = from[index[i]]; all in the device's memory. Queued. */
    mass_status (*gather)(mass_device *, const mass_indexed *, mass_error *error);
    /* to[index[i]] = from[i], or if `how` is not NULL, combined with it; then an element may be listed several times.
     * Queued. */
    mass_status (*scatter)(mass_device *, const mass_indexed *, const mass_combination *how, mass_error *error);
    /* Bytes a second, read and written, of a plain copy of memory, as measured now. On failure *rate is
     * untouched. */
    mass_status (*copy_rate)(mass_device *, double *rate, mass_error *error);
    /* hashes[i] = the hash of block first + i, or how many values of it lie outside (mass_block_answer), at most
     * MASS_BLOCKS_AT_ONCE of them. hashes, b->parts and
     * b->arrays are the host's, and what the arrays point at the device's. On failure hashes is untouched. */
    mass_status (*hash_blocks)(mass_device *, const mass_blocks *b, int64_t first, int64_t count, uint64_t *hashes,
                               mass_error *error);
    /* What tells this memory from that of all other devices of the host, for whatever process. Optional, where it is
     * the host's. */
    void (*identify)(mass_device *, uint8_t id[16]);
} mass_memory_operations;

#endif
