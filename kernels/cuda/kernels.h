/* Data-parallel algorithms on a GPU. All are queued on the stream and return what the launch
 * returned; pointers are device addresses unless said otherwise. */
#ifndef MASS_KERNELS_CUDA_H
#define MASS_KERNELS_CUDA_H

#include "strided.h"

#include <cuda_runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes `count` copies of an element (host memory, `size` bytes) to `to`. */
cudaError_t mass_cuda_fill(cudaStream_t stream, void *to, const void *element, size_t size, size_t count);

cudaError_t mass_cuda_copy(cudaStream_t stream, const mass_strided *copy);

/* *counter += amount. */
cudaError_t mass_cuda_advance(cudaStream_t stream, uint64_t *counter, uint64_t amount);

#ifdef __cplusplus
}
#endif
#endif
