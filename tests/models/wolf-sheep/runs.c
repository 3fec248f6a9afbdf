/* SPDX-License-Identifier: Apache-2.0 */
/* Wolves, sheep and grass: right, and the same however it is run. */
#include "wolf-sheep/plain.h"

#include <criterion/criterion.h>

Test(wolf_sheep, is_that_of_plain_loops) { expect_wolf_sheep("--device cpu --threads 1", false); }
Test(wolf_sheep, is_that_of_plain_loops_on_paranoid) { expect_wolf_sheep("--device paranoid --threads 1", false); }
Test(wolf_sheep, is_the_same_on_any_number_of_threads) { each_wolf_sheep(false, same_on_threads); }
Test(wolf_sheep, is_the_same_in_any_number_of_partitions) { each_wolf_sheep(false, same_in_partitions); }
Test(wolf_sheep, has_the_same_worlds_together_and_apart) { each_wolf_sheep(false, same_worlds); }
Test(wolf_sheep, is_the_same_resumed) { each_wolf_sheep(false, same_resumed); }

Test(wolf_sheep, in_turn_is_that_of_plain_loops) { expect_wolf_sheep("--device cpu --threads 1", true); }
Test(wolf_sheep, in_turn_is_that_of_plain_loops_on_paranoid) { expect_wolf_sheep("--device paranoid", true); }
Test(wolf_sheep, in_turn_is_the_same_however_it_is_run)
{
    each_wolf_sheep(true, same_on_threads);
    each_wolf_sheep(true, same_in_partitions);
    each_wolf_sheep(true, same_worlds);
    each_wolf_sheep(true, same_resumed);
}
