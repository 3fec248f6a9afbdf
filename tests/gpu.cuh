/* SPDX-License-Identifier: Apache-2.0 */
/* For programs that test on a GPU: calls that have to succeed, and the exit status where there is none. */
#ifndef MASS_TESTS_GPU_CUH
#define MASS_TESTS_GPU_CUH

#include <stdio.h>
#include <stdlib.h>

enum { SKIPPED = 77 };

#define CHECK(CALL)                                                                                \
    do {                                                                                           \
        const cudaError_t e_ = (CALL);                                                             \
        if (e_ != cudaSuccess) {                                                                   \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #CALL, cudaGetErrorString(e_)); \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

inline bool there_is_a_gpu()
{
    int devices;
    const bool there_is = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
    if (!there_is) printf("Skipped: there is no usable GPU\n");
    return there_is;
}

#endif
