/* SPDX-License-Identifier: Apache-2.0 */
/* Vector on a GPU. */
#include "run.h"
#include "vector_known.h"

#include <criterion/criterion.h>

Test(vector_cuda, sum_and_dot_product_are_those_of_plain_loops)
{
    expect_vector("--device cuda --seed 3");
    expect_vector("--device cuda --seed 3 --size 61x43 --partitions 7");
}
