/* SPDX-License-Identifier: Apache-2.0 */
/* Fills an array with one value. If the element's size divides 16, stores 16 bytes at once, or single bytes in an array
 * that is not aligned. Otherwise doubles the filled part. Doubling reads `element` after the call returns and ignores
 * the stop, so it cannot be recorded. */
#include "cuda/kernels.h"

#include <string.h>

namespace {

constexpr int THREADS = 256, BLOCKS = 132 * 16;

/* Lets the next launch begin, and waits until the one before is complete. For launches that overlap. */
__device__ __forceinline__ void follow_predecessor()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* Stores `words` words of 16 bytes, then `rest` bytes, unless queued work has stopped. */
__global__ void fill(uint4 *to, uint4 word, size_t words, size_t rest, const mass_stop *stop)
{
    follow_predecessor();
    if (stop && stop->stopped) return;
    const size_t stride = (size_t)gridDim.x * blockDim.x, first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (size_t i = first; i < words; i += stride) to[i] = word;
    unsigned char *const behind = (unsigned char *)(to + words);
    for (size_t i = first; i < rest; i += stride) behind[i] = ((const unsigned char *)&word)[i % sizeof word];
}

/* Returns the blocks to launch for this many threads, at most BLOCKS. */
unsigned blocks_for(size_t threads)
{
    const size_t blocks = (threads + THREADS - 1) / THREADS;
    return (unsigned)(blocks < BLOCKS ? blocks : BLOCKS);
}

/* Fills an array with an element from the host by copies that double the filled part. Any element size. */
cudaError_t fill_by_doubling(cudaStream_t stream, char *to, const void *element, size_t size, size_t count)
{
    cudaError_t result = cudaMemcpyAsync(to, element, size, cudaMemcpyHostToDevice, stream);
    for (size_t done = 1; result == cudaSuccess && done < count;) {
        const size_t more = done < count - done ? done : count - done;
        result = cudaMemcpyAsync(to + done * size, to, more * size, cudaMemcpyDeviceToDevice, stream);
        done += more;
    }
    return result;
}

} // namespace

/* Tests how the kernel was compiled. Code for an older GPU that the driver recompiles for this one does not wait. */
extern "C" bool mass_cuda_may_overlap(const void *kernel)
{
    cudaFuncAttributes made;
    if (cudaFuncGetAttributes(&made, kernel ? kernel : (const void *)fill) == cudaSuccess) return made.ptxVersion >= 90;
    cudaGetLastError();
    return false;
}

extern "C" cudaError_t mass_cuda_fill(cudaStream_t stream, void *to, const void *element, size_t size, size_t count,
                                      const mass_stop *stop, bool overlaps)
{
    if (count == 0) return cudaSuccess;
    if (16 % size != 0)
        return fill_by_doubling(stream, (char *)to, element, size, count);
    uint4 word;
    for (size_t at = 0; at < sizeof word; at += size) memcpy((char *)&word + at, element, size);
    const size_t bytes = size * count, words = (uintptr_t)to % sizeof word ? 0 : bytes / sizeof word;
    const size_t rest = bytes - words * sizeof word;
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks_for(words > rest ? words : rest);
    config.blockDim = THREADS;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = overlaps ? 1 : 0;
    return cudaLaunchKernelEx(&config, fill, (uint4 *)to, word, words, rest, stop);
}
