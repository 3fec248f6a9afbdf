/* SPDX-License-Identifier: Apache-2.0 */
/* Wolves, sheep and grass: right, and the same however it is run. */
#include "wolf-sheep/plain.h"

#include <criterion/criterion.h>

Test(wolf_sheep, is_that_of_plain_loops) { expect_wolf_sheep("--device cpu --threads 1"); }
Test(wolf_sheep, is_that_of_plain_loops_on_paranoid) { expect_wolf_sheep("--device paranoid --threads 1"); }
Test(wolf_sheep, is_the_same_on_any_number_of_threads) { each_wolf_sheep(same_on_threads); }
Test(wolf_sheep, is_the_same_in_any_number_of_partitions) { each_wolf_sheep(same_in_partitions); }
Test(wolf_sheep, has_the_same_worlds_together_and_apart) { each_wolf_sheep(same_worlds); }
Test(wolf_sheep, is_the_same_resumed) { each_wolf_sheep(same_resumed); }
