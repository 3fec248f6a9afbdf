/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies that run once a world, on a GPU. */
#include "gpu.h"
#include "ways.h"

Test(world_cuda, a_plain_loop_has_the_same_values)
{
    for (int i = 0; i < MARKETS; i++) {
        expect_market(&markets[i], 1, "--device cuda");
        expect_market(&markets[i], 1, "--device cuda --no-graph --partitions 2");
        expect_market(&markets[i], 3, "--device cuda");
    }
}
