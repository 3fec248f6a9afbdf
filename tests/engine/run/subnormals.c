/* SPDX-License-Identifier: Apache-2.0 */
/* The sample of an attribute, in which subnormal numbers are counted. */
#include "run/subnormals.h"

#include <criterion/criterion.h>

/* Counts the elements of a sample. Expects its chunks one after the other, within the attribute. */
static int64_t sampled(int64_t all)
{
    int64_t first = 0, count = 0, end = 0, sum = 0;
    for (int64_t i = 0; mass_subnormals_chunk(all, i, &first, &count); i++) {
        cr_assert(first >= end && count > 0 && first + count <= all, "%lld and %lld of %lld", (long long)first,
                  (long long)count, (long long)all);
        end = first + count;
        sum += count;
    }
    return sum;
}

Test(subnormals, chunks_are_within_the_attribute)
{
    for (int64_t all = 16385; all < 60000; all++) cr_assert_eq(sampled(all), 16384);
    cr_assert_eq(sampled(((int64_t)1 << 40) + 63), 16384);
}

Test(subnormals, few_elements_are_all_looked_at)
{
    for (int64_t all = 0; all <= 16384; all++) cr_assert_eq(sampled(all), all);
}
