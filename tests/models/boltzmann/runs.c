/* SPDX-License-Identifier: Apache-2.0 */
/* People who give money: right, and the same however it is run. */
#include "boltzmann/plain.h"

#include <criterion/criterion.h>

Test(boltzmann, is_that_of_plain_loops) { expect_boltzmann("--device cpu --threads 1"); }
Test(boltzmann, is_that_of_plain_loops_on_paranoid) { expect_boltzmann("--device paranoid --threads 1"); }
Test(boltzmann, is_the_same_on_any_number_of_threads) { each_boltzmann(same_on_threads); }
Test(boltzmann, is_the_same_in_any_number_of_partitions) { each_boltzmann(same_in_partitions); }
Test(boltzmann, has_the_same_worlds_together_and_apart) { each_boltzmann(same_worlds); }
Test(boltzmann, is_the_same_resumed) { each_boltzmann(same_resumed); }

Test(boltzmann, money_given_to_anybody_settles_exponentially) { expect_settled("anybody"); }
Test(boltzmann, money_given_on_a_place_settles_exponentially) { expect_settled("place"); }
Test(boltzmann, as_many_are_poor_as_is_known) { expect_known_poor(); }
