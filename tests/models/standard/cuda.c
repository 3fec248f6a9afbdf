/* SPDX-License-Identifier: Apache-2.0 */
/* The standard models on a GPU: right, and the bits of the CPU. */
#include "wolf-sheep/plain.h"

#include <criterion/criterion.h>

Test(standard_cuda, wolf_sheep_is_that_of_plain_loops) { expect_wolf_sheep("--device cuda"); }
Test(standard_cuda, wolf_sheep_is_the_same_in_partitions) { each_wolf_sheep(same_in_partitions_on_gpu); }
Test(standard_cuda, wolf_sheep_has_the_same_worlds) { each_wolf_sheep(same_worlds_on_gpu); }
Test(standard_cuda, wolf_sheep_is_the_same_resumed_back_and_forth) { each_wolf_sheep(same_resumed_on_gpu); }
