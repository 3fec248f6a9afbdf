/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of small worlds: the plugin's own kernel, one block a world. */
#include "device/cuda/cuda.h"

#include <stdlib.h>
#include <string.h>

/* Returns the kernel with a name among a plugin's, or NULL. Searches all kernels, because tools that watch the runtime
 * report a request for a missing kernel as an error. */
static cudaKernel_t kernel_named(cudaLibrary_t library, const char *name)
{
    unsigned count = 0;
    if (cudaLibraryGetKernelCount(&count, library) != cudaSuccess || count == 0) return NULL;
    cudaKernel_t found = NULL, *const kernels = calloc(count, sizeof *kernels);
    if (kernels && cudaLibraryEnumerateKernels(kernels, count, library) == cudaSuccess)
        for (unsigned i = 0; !found && i < count; i++) {
            const char *its = NULL;
            if (cudaFuncGetName(&its, (const void *)kernels[i]) == cudaSuccess && its && strcmp(its, name) == 0)
                found = kernels[i];
        }
    free(kernels);
    return found;
}

/* Finds the kernel of block-resident worlds and the names of its callbacks, if the plugin has them; one macro makes
 * both. Looks only once. */
static void find_kernel(mass_cuda *cuda)
{
    if (cuda->looked_for_world || !cuda->library) return;
    cuda->looked_for_world = true;
    void *names = NULL;
    size_t bytes = 0;
    cuda->world_kernel = kernel_named(cuda->library, MASS_WORLD_KERNEL);
    const bool there = cuda->world_kernel &&
                       cudaLibraryGetGlobal(&names, &bytes, cuda->library, MASS_WORLD_CALLBACKS) == cudaSuccess;
    char *copy = there ? calloc(bytes + 1, 1) : NULL;
    if (copy && cudaMemcpy(copy, names, bytes, cudaMemcpyDeviceToHost) == cudaSuccess) cuda->world_callbacks = copy;
    else free(copy);
    cudaGetLastError();
}

/* Returns the shared memory that a block-resident world may use; 0 if the plugin has no kernel for them. */
static size_t world_memory(mass_device *device)
{
    mass_cuda *cuda = (mass_cuda *)device;
    struct cudaFuncAttributes own;
    int most = 0;
    find_kernel(cuda);
    if (!cuda->world_callbacks ||
        cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, cuda->ordinal) != cudaSuccess ||
        cudaFuncGetAttributes(&own, (const void *)cuda->world_kernel) != cudaSuccess ||
        (size_t)most < own.sharedSizeBytes)
        return 0;
    return (size_t)most - own.sharedSizeBytes;
}

/* Returns the shared memory of a world if a processor holds two; 0 if it does not, or one is enough. */
static size_t world_memory_of_two(mass_device *device, int32_t worlds, uint32_t threads)
{
    mass_cuda *cuda = (mass_cuda *)device;
    struct cudaFuncAttributes own;
    int processors = 0, all = 0, reserved = 0, registers = 0;
    if (world_memory(device) == 0 || cudaFuncGetAttributes(&own, (const void *)cuda->world_kernel) != cudaSuccess ||
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, cuda->ordinal) != cudaSuccess ||
        cudaDeviceGetAttribute(&all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, cuda->ordinal) != cudaSuccess ||
        cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, cuda->ordinal) != cudaSuccess ||
        cudaDeviceGetAttribute(&registers, cudaDevAttrMaxRegistersPerMultiprocessor, cuda->ordinal) != cudaSuccess)
        return 0;
    const int registers_a_thread = (own.numRegs + 7) / 8 * 8; /* they are given out in units of 8 */
    if (worlds <= processors || 2 * registers_a_thread * (int)threads > registers) return 0;
    const size_t half = (size_t)all / 2, taken = (size_t)reserved + own.sharedSizeBytes;
    return half > taken ? (half - taken) / 128 * 128 : 0; /* shared memory is given out in units of 128 bytes */
}

/* Returns the number of a callback in the plugin's kernel of block-resident worlds, or -1. */
static int world_callback(mass_device *device, const char *name)
{
    mass_cuda *cuda = (mass_cuda *)device;
    find_kernel(cuda);
    const size_t length = strlen(name);
    int number = 0;
    for (const char *at = cuda->world_callbacks; at && *at; number++) {
        const char *end = strchr(at, ';');
        if (!end) break;
        if ((size_t)(end - at) == length && memcmp(at, name, length) == 0) return number;
        at = end + 1;
    }
    return -1;
}

/* Queues steps of block-resident worlds, and marks the stream like a replay. */
static mass_status world_steps(mass_device *device, const mass_block_program *program, uint64_t step,
                                  uint64_t pairs, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    mass_block_program p = *program;
    void *arguments[] = {&p, &step, &pairs};
    const void *kernel = (const void *)cuda->world_kernel;
    TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)p.bytes),
        "small worlds cannot be run");
    TRY(cudaLaunchKernel(kernel, (dim3){(unsigned)p.worlds, 1, 1}, (dim3){p.threads, 1, 1}, arguments, p.bytes,
                         cuda->stream), "small worlds cannot be run");
    TRY(cudaEventRecord(cuda->marks[cuda->replays++ % MASS_CUDA_MARKS], cuda->stream), "small worlds cannot be run");
    return MASS_OK;
}

const mass_block_world_operations mass_cuda_block_worlds = {
    .struct_size = sizeof mass_cuda_block_worlds,
    .memory = world_memory,
    .memory_of_two = world_memory_of_two,
    .callback = world_callback,
    .steps = world_steps,
};
