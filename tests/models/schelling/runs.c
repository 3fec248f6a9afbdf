/* SPDX-License-Identifier: Apache-2.0 */
/* Households that move: right, and the same however it is run. */
#include "schelling/plain.h"

#include <criterion/criterion.h>

Test(schelling, is_that_of_plain_loops) { expect_schelling("--device cpu --threads 1"); }
Test(schelling, is_that_of_plain_loops_on_paranoid) { expect_schelling("--device paranoid --threads 1"); }
Test(schelling, is_the_same_on_any_number_of_threads) { each_schelling(same_on_threads); }
Test(schelling, is_the_same_in_any_number_of_partitions) { each_schelling(same_in_partitions); }
Test(schelling, has_the_same_worlds_together_and_apart) { each_schelling(same_worlds); }
Test(schelling, is_the_same_resumed) { each_schelling(same_resumed); }
