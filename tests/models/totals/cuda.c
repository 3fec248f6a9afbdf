/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies read tallies on a GPU. */
#include "gpu.h"
#include "ways.h"

Test(totals_cuda, a_plain_loop_has_the_same_tallies)
{
    for (int i = 0; i < TOWNS; i++) {
        expect_town(&towns[i], "--device cuda");
        expect_town(&towns[i], "--device cuda --no-graph --partitions 2");
        expect_town(&towns[i], "--device cuda --worlds 3");
    }
}
