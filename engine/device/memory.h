/* SPDX-License-Identifier: Apache-2.0 */
/* The device's operations on memory: arrays on a device, copies to and from the host, and work on whole arrays without
 * a callback. Failures and order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_MEMORY_H
#define MASS_ENGINE_DEVICE_MEMORY_H

#include "base/error.h"
#include "bits.h"
#include "blocks.h"
#include "combination.h"
#include "strided.h"

#include <stdbool.h>

typedef struct mass_device mass_device;

enum { MASS_BLOCKS_AT_ONCE = 1 << 16 }; /* most blocks of a call of hash_blocks */

typedef struct mass_memory_operations {
    uint32_t struct_size;
    bool in_host_memory; /* the device's memory is the host's, so snapshots take part of what is `available` */
    /* Sets *bytes to the memory that arrays may take in addition to what is allocated. It is an estimate: others may
     * take memory too. On failure *bytes is untouched. */
    mass_status (*available)(mass_device *, size_t *bytes, mass_error *error);
    /* Allocates memory with undefined contents, aligned to at least 256 bytes. The caller releases it. On failure *out
     * is untouched. */
    mass_status (*allocate)(mass_device *, size_t bytes, void **out, mass_error *error);
    /* Releases memory from allocate. No work that uses it may still be queued. */
    void (*release)(mass_device *, void *); /* NULL is allowed */
    /* Copy from host memory to the device's, and back. Boxes have two axes: count[2] is 1. */
    mass_status (*upload)(mass_device *, void *to, const void *host, size_t bytes, mass_error *error);
    mass_status (*download)(mass_device *, void *host, const void *from, size_t bytes, mass_error *error);
    mass_status (*upload_box)(mass_device *, const mass_strided *copy, mass_error *error);   /* from: host */
    mass_status (*download_box)(mass_device *, const mass_strided *copy, mass_error *error); /* to: host */
    /* Writes `count` copies of an element of `size` bytes in host memory. Queued. */
    mass_status (*fill)(mass_device *, void *to, const void *element, size_t size, size_t count, mass_error *error);
    /* Copies within the device's memory. Queued. */
    mass_status (*copy)(mass_device *, const mass_strided *copy, mass_error *error);
    /* Copies runs of bits within the device's memory. Queued. */
    mass_status (*copy_bits)(mass_device *, const mass_bit_runs *runs, mass_error *error);
    /* Combines each integer of the target with that of the source. Queued. */
    mass_status (*combine)(mass_device *, const mass_strided *box, const mass_combination *how, mass_error *error);
    /* Sets to[i] = from[index[i]], all in the device's memory. Queued. */
    mass_status (*gather)(mass_device *, const mass_indexed *, mass_error *error);
    /* Sets to[index[i]] = from[i] or, if `how` is not NULL, combines both; then an element may be listed several times.
     * Queued. */
    mass_status (*scatter)(mass_device *, const mass_indexed *, const mass_combination *how, mass_error *error);
    /* Measures a plain copy of memory: sets *rate to the bytes read and written a second. On failure *rate is
     * untouched. */
    mass_status (*copy_rate)(mass_device *, double *rate, mass_error *error);
    /* Sets hashes[i] to the hash of block first + i, or to its number of values outside the range (mass_block_answer).
     * At most MASS_BLOCKS_AT_ONCE blocks. hashes, b->parts and b->arrays are in host memory, the arrays' contents on
     * the device. On failure hashes is untouched. */
    mass_status (*hash_blocks)(mass_device *, const mass_blocks *b, int64_t first, int64_t count, uint64_t *hashes,
                               mass_error *error);
    /* Writes an id that distinguishes this memory from that of all other devices of the host, for any process. Optional
     * if it is the host's memory. */
    void (*identify)(mass_device *, uint8_t id[16]);
} mass_memory_operations;

#endif
