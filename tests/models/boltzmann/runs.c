/* SPDX-License-Identifier: Apache-2.0 */
/* People who give money: right, and the same however it is run. */
#include "boltzmann/plain.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(boltzmann, is_that_of_plain_loops) { expect_boltzmann("--device cpu --threads 1"); }
Test(boltzmann, is_that_of_plain_loops_on_paranoid) { expect_boltzmann("--device paranoid --threads 1"); }
Test(boltzmann, is_the_same_on_any_number_of_threads) { each_boltzmann(same_on_threads); }
Test(boltzmann, is_the_same_in_any_number_of_partitions) { each_boltzmann(same_in_partitions); }
Test(boltzmann, has_the_same_worlds_together_and_apart) { each_boltzmann(same_worlds); }
Test(boltzmann, is_the_same_resumed) { each_boltzmann(same_resumed); }

Test(boltzmann, in_turn_is_the_same_however_it_is_run)
{
    each_boltzmann_in_turn(same_on_threads);
    each_boltzmann_in_turn(same_in_partitions);
    each_boltzmann_in_turn(same_on_paranoid);
    each_boltzmann_in_turn(same_worlds);
    each_boltzmann_in_turn(same_resumed);
}
Test(boltzmann, gives_to_anybody_all_at_once_only)
{
    engine_refuse(text("--plugin '%s/boltzmann.so' --set activation=turn --steps 1", getenv("MASS_PLUGINS")), 2,
                  "parameter activation: people act in turn only with to=place");
}

Test(boltzmann, money_given_to_anybody_settles_exponentially) { expect_settled("anybody"); }
Test(boltzmann, money_given_on_a_place_settles_exponentially) { expect_settled("place"); }
Test(boltzmann, as_many_are_poor_as_is_known) { expect_known_poor(); }
