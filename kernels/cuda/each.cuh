/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of all threads of a launch over items. */
#ifndef MASS_KERNELS_CUDA_EACH_H
#define MASS_KERNELS_CUDA_EACH_H

#include <stddef.h>
#include <stdint.h>

namespace {

constexpr int THREADS = 256, BLOCKS = 132 * 16; /* of a block; most of a launch */

/* Lets the threads stride over `count` items. */
#define EACH(i, count)                                                                                    \
    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x, end_ = (count), step_ = (uint64_t)gridDim.x * \
                  blockDim.x; i < end_; i += step_)

/* Returns the blocks for so many items: 1 to BLOCKS. */
inline uint32_t blocks_for(uint64_t items)
{
    const uint64_t blocks = items / THREADS + 1;
    return (uint32_t)(blocks < BLOCKS ? blocks : BLOCKS);
}

/* Copies one element of an array. Its size is a multiple of the size of T, which its address allows. */
template <class T> __device__ void copy_element(void *to, const void *from, size_t size)
{
    for (size_t b = 0; b < size / sizeof(T); b++) ((T *)to)[b] = ((const T *)from)[b];
}

} // namespace

#endif
