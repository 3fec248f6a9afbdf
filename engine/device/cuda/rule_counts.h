/* SPDX-License-Identifier: Apache-2.0 */
/* Rules that the kernels for counts of neighbours can compute (bits_step.h). */
#ifndef MASS_ENGINE_CUDA_RULE_COUNTS_H
#define MASS_ENGINE_CUDA_RULE_COUNTS_H

#include "cuda/bits_step.h"
#include "rule/rule.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mass_rule_counts {
    uint32_t from, to; /* fields */
    uint32_t birth, survive;
    uint32_t sum_count, sum_fields[MASS_BITS_SUMS];
    mass_bits_sum sums[MASS_BITS_SUMS]; /* without addresses */
} mass_rule_counts;

/* Returns whether a rule is one of those, and converts it; if not, *out is undefined. */
bool mass_rule_counts_of(const mass_rule *rule, mass_rule_counts *out);

#ifdef __cplusplus
}
#endif
#endif
