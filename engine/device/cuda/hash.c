/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes of blocks on a GPU. Their memory is allocated when the device is opened, since a run may fill all the rest. */
#include "device/cuda/cuda.h"
#include "cuda/kernels.h"

enum { TABLE_BYTES = 1 << 19 };

mass_status mass_cuda_hash_memory(mass_cuda *cuda, mass_error *error)
{
    TRY(cudaMalloc((void **)&cuda->hashes, MASS_BLOCKS_AT_ONCE * sizeof *cuda->hashes + TABLE_BYTES),
        "it has no memory");
    return MASS_OK;
}

static size_t bytes_of_parts(const mass_blocks *b) { return (size_t)b->part_count * sizeof *b->parts; }

/* Returns the bytes of the addresses of an attribute's arrays. */
static size_t bytes_of_arrays(const mass_blocks *b)
{
    return (size_t)b->part_count * (size_t)b->array_count * sizeof *b->arrays;
}

/* Copies the tables to the device: into memory kept for them or, for very many partitions, into memory at *own, which
 * the caller frees. Sets *out to *b with their addresses there. */
static mass_status upload_tables(mass_cuda *cuda, const mass_blocks *b, char *kept, char **own, mass_blocks *out,
                                 mass_error *error)
{
    const size_t parts = bytes_of_parts(b), arrays = bytes_of_arrays(b);
    char *to = kept;
    if (parts + arrays > TABLE_BYTES) {
        TRY(cudaMalloc((void **)own, parts + arrays), "it has no memory for so many partitions");
        to = *own;
    }
    TRY(cudaMemcpyAsync(to, b->parts, parts, cudaMemcpyHostToDevice, cuda->stream), "a copy failed");
    TRY(cudaMemcpyAsync(to + parts, b->arrays, arrays, cudaMemcpyHostToDevice, cuda->stream), "a copy failed");
    *out = *b;
    out->parts = (const mass_blocks_part *)to;
    out->arrays = (const void *const *)(to + parts);
    return MASS_OK;
}

/* Hashes `count` blocks, whose lists are on the device, into host memory. Waits. */
static mass_status hash(mass_cuda *cuda, const mass_blocks *b, int64_t first, int64_t count, uint64_t *hashes,
                        mass_error *error)
{
    const mass_status status = mass_cuda_wait_watched(cuda, error);
    if (status != MASS_OK) return status;
    TRY(mass_cuda_hash_blocks(cuda->stream, b, first, count, cuda->hashes), "the state cannot be hashed");
    TRY(cudaMemcpyAsync(hashes, cuda->hashes, (size_t)count * sizeof *hashes, cudaMemcpyDeviceToHost, cuda->stream),
        "a copy failed");
    TRY(cudaStreamSynchronize(cuda->stream), "the state cannot be hashed");
    return MASS_OK;
}

mass_status mass_cuda_hash(mass_device *device, const mass_blocks *b, int64_t first, int64_t count, uint64_t *hashes,
                           mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    mass_blocks there;
    char *own = NULL;
    mass_status status = upload_tables(cuda, b, (char *)(cuda->hashes + MASS_BLOCKS_AT_ONCE), &own, &there, error);
    if (status == MASS_OK) status = hash(cuda, &there, first, count, hashes, error);
    if (own) cudaFree(own);
    return status;
}
