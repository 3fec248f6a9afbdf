/* SPDX-License-Identifier: Apache-2.0 */
/* Agents by hand on a GPU. */
#include "gpu.h"
#include "ways.h"

Test(hand_cuda, a_plain_loop_has_the_same_tallies)
{
    expect_plain(24, 18, 3, 40, "--device cuda");
    expect_plain(24, 18, 1, 40, "--device cuda --partitions 2 --no-graph");
}
