/* Filling an array with one value: 16 bytes a store where the element divides them, else by doubling
 * what is there. */
#include "cuda/kernels.h"

#include <string.h>

namespace {

constexpr int THREADS = 256, BLOCKS = 132 * 16;

__global__ void fill_words(uint4 *to, uint4 word, size_t words)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < words; i += stride) to[i] = word;
}

__global__ void fill_rest(unsigned char *to, uint4 word, int bytes)
{
    const int i = threadIdx.x;
    if (i < bytes) to[i] = ((const unsigned char *)&word)[i];
}

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

extern "C" cudaError_t mass_cuda_fill(cudaStream_t stream, void *to, const void *element, size_t size, size_t count)
{
    if (count == 0) return cudaSuccess;
    if (16 % size != 0 || (uintptr_t)to % 16 != 0)
        return fill_by_doubling(stream, (char *)to, element, size, count);
    uint4 word;
    for (size_t at = 0; at < sizeof word; at += size) memcpy((char *)&word + at, element, size);
    const size_t bytes = size * count, words = bytes / sizeof word;
    if (words > 0) {
        const size_t blocks = (words + THREADS - 1) / THREADS;
        fill_words<<<(unsigned)(blocks < BLOCKS ? blocks : BLOCKS), THREADS, 0, stream>>>((uint4 *)to, word, words);
    }
    const int rest = (int)(bytes % sizeof word);
    if (rest > 0) fill_rest<<<1, 32, 0, stream>>>((unsigned char *)to + words * sizeof word, word, rest);
    return cudaGetLastError();
}
