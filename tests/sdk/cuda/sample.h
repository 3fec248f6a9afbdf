/* SPDX-License-Identifier: Apache-2.0 */
/* All results of random.h for one number, for the CPU and for a GPU. */
#ifndef MASS_TESTS_SDK_CUDA_SAMPLE_H
#define MASS_TESTS_SDK_CUDA_SAMPLE_H

#include <mass/random.h>

/* Without padding, so that samples are compared byte by byte. */
typedef struct sample {
    mass_random4 words;
    uint64_t key, shuffled;
    double unit, normal;
    float small_unit;
    uint32_t below;
} sample;

MASS_FN sample sample_of(uint64_t i)
{
    sample s;
    s.key = mass_random_key(i, i / 3);
    s.words = mass_random_block(s.key, i << 20, i << 8, (uint32_t)i & 255, (uint32_t)i & 65535);
    s.unit = mass_unit_f64(s.words.v[0], s.words.v[1]);
    s.small_unit = mass_unit_f32(s.words.v[2]);
    s.below = mass_below_u32(s.words.v[3], s.words.v[0], s.words.v[1]);
    s.normal = mass_normal_f64(s.words);
    const uint64_t n = ((uint64_t)s.words.v[1] << 32 | s.words.v[2]) >> s.words.v[0] % 64 | 1;
    s.shuffled = mass_shuffled_u64(i / 1000, i, 3, 8, s.words.v[3] % n, n);
    return s;
}

#ifdef __cplusplus
extern "C"
#endif
sample sample_on_host(uint64_t i);

#endif
