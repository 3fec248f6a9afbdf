/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the CPU device, which is the host's: the functions of mass_memory_operations (device/memory.h), under their
 * names there. Only available() and allocate() can fail. All are done when they return. */
#include "device/cpu/cpu.h"
#include "process/available_memory.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 256 };

/* Sets *bytes to the memory that arrays may take; the paranoid device keeps a part of it for its copies. */
static mass_status available(mass_device *device, size_t *bytes, mass_error *error)
{
    size_t all;
    const mass_status status = mass_available_memory_left(&all, error);
    if (status == MASS_OK) *bytes = all / (1 + ((mass_cpu *)device)->copies);
    return status;
}

/* Allocates aligned memory, in large pages if possible. Its contents are undefined. */
static mass_status allocate(mass_device *device, size_t bytes, void **out, mass_error *error)
{
    (void)device;
    void *memory;
    if (bytes > SIZE_MAX / 2 || posix_memalign(&memory, ALIGNMENT, bytes ? bytes : 1) != 0)
        return mass_error_memory(error, bytes, "an attribute");
    mass_cpu_advise_pages(memory, bytes);
    *out = memory;
    return MASS_OK;
}

/* Frees memory. NULL is allowed. */
static void release(mass_device *device, void *memory)
{
    (void)device;
    free(memory);
}

/* Copies `bytes` bytes. It is download, too. */
static mass_status upload(mass_device *device, void *to, const void *from, size_t bytes, mass_error *error)
{
    (void)device;
    (void)error;
    memcpy(to, from, bytes);
    return MASS_OK;
}

/* Copies a box. It is upload_box and download_box, too. */
static mass_status copy_box(mass_device *device, const mass_strided *copy, mass_error *error)
{
    (void)error;
    mass_cpu_copy(copy, ((mass_cpu *)device)->team);
    return MASS_OK;
}

/* Copies runs of bits. */
static mass_status copy_bits(mass_device *device, const mass_bit_runs *runs, mass_error *error)
{
    (void)error;
    mass_cpu_copy_bits(runs, ((mass_cpu *)device)->team);
    return MASS_OK;
}

/* Combines each integer of the target with that of the source. */
static mass_status combine(mass_device *device, const mass_strided *box, const mass_combination *how,
                           mass_error *error)
{
    (void)error;
    mass_cpu_combine(box, how, ((mass_cpu *)device)->team);
    return MASS_OK;
}

/* Sets to[i] = from[index[i]]. */
static mass_status gather(mass_device *device, const mass_indexed *g, mass_error *error)
{
    (void)device, (void)error;
    mass_cpu_gather(g);
    return MASS_OK;
}

/* Sets to[index[i]] = from[i] or, if `how` is not NULL, combines both. */
static mass_status scatter(mass_device *device, const mass_indexed *s, const mass_combination *how, mass_error *error)
{
    (void)device, (void)error;
    mass_cpu_scatter(s, how);
    return MASS_OK;
}

/* Hashes blocks first to first + count - 1. */
static mass_status hash_blocks(mass_device *device, const mass_blocks *b, int64_t first, int64_t count,
                               uint64_t *hashes, mass_error *error)
{
    (void)error;
    mass_cpu_hash_blocks(b, first, count, hashes, ((mass_cpu *)device)->team);
    return MASS_OK;
}

/* Writes `count` copies of an element. */
static mass_status fill(mass_device *device, void *to, const void *element, size_t size, size_t count,
                        mass_error *error)
{
    (void)error;
    mass_cpu_fill(to, element, size, count, ((mass_cpu *)device)->team);
    return MASS_OK;
}

const mass_memory_operations mass_cpu_memory = {
    .struct_size = sizeof mass_cpu_memory,
    .in_host_memory = true,
    .available = available,
    .allocate = allocate,
    .release = release,
    .upload = upload,
    .download = upload,
    .upload_box = copy_box,
    .download_box = copy_box,
    .fill = fill,
    .copy = copy_box,
    .copy_bits = copy_bits,
    .combine = combine,
    .gather = gather,
    .scatter = scatter,
    .copy_rate = mass_cpu_copy_rate,
    .hash_blocks = hash_blocks,
};
