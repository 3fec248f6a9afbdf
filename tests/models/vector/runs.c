/* SPDX-License-Identifier: Apache-2.0 */
/* Vector: c bit for bit, and the dot product, from the matrices that a checkpoint holds. */
#include "run.h"
#include "vector_known.h"

#include <criterion/criterion.h>

Test(vector, sum_and_dot_product_are_those_of_plain_loops_wherever_it_runs)
{
    static const char *const places[] = {"--device cpu --threads 1", "--device cpu --threads 3", "--device paranoid",
                                         "--threads 2 --partitions 7", "--partitions 43"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        expect_vector(text("--size 61x43 --seed %zu %s", i, places[i]));
    expect_vector("--seed 3");
    expect_vector("--seed 3 --size 1x1");
}
