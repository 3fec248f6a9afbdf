/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers to add up, and the sum by exact.h, for the CPU and for a GPU. */
#ifndef MASS_TESTS_SDK_CUDA_SUM_H
#define MASS_TESTS_SDK_CUDA_SUM_H

#include <mass/impl/exact.h>
#include <mass/random.h>

enum { SUMS = 4 };

typedef struct sum {
    int64_t words[MASS_EXACT_WORDS];
    double value, mean;
} sum;

/* Returns number i of a sum: of all exponents, of one, subnormal, or of both with zeros, infinities and NaN among
 * them. */
MASS_FN double summand(int which, uint64_t i)
{
    const mass_random4 r = mass_random_block(7, i, (uint64_t)which, 0, 0);
    const uint64_t bits = (uint64_t)r.v[0] << 32 | r.v[1];
    const double any = mass_f64_bits(bits), unit = mass_unit_f64(r.v[2], r.v[3]) - 0.25;
    if (which == 0) return any - any == 0 ? any : 0.0;
    if (which == 1) return unit;
    if (which == 2) return mass_f64_bits(bits & 0x800fffffffffffffull);
    return r.v[2] % 3 == 0 ? any : r.v[2] % 3 == 1 ? unit : 0.0;
}

MASS_FN void finish(sum *s)
{
    mass_exact_normalise(s->words);
    s->value = mass_exact_value(s->words);
    s->mean = mass_exact_mean(s->words);
}

#ifdef __cplusplus
extern "C"
#endif
void sum_on_host(sum *s, int which, uint64_t n);

#endif
