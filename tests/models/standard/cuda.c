/* SPDX-License-Identifier: Apache-2.0 */
/* The standard models on a GPU: right, and the bits of the CPU. */
#include "boltzmann/plain.h"
#include "el-farol/plain.h"
#include "schelling/plain.h"
#include "wolf-sheep/plain.h"

#include <criterion/criterion.h>

Test(standard_cuda, wolf_sheep_is_that_of_plain_loops) { expect_wolf_sheep("--device cuda", false); }
Test(standard_cuda, wolf_sheep_is_the_same_in_partitions) { each_wolf_sheep(false, same_in_partitions_on_gpu); }
Test(standard_cuda, wolf_sheep_has_the_same_worlds) { each_wolf_sheep(false, same_worlds_on_gpu); }
Test(standard_cuda, wolf_sheep_is_the_same_resumed_back_and_forth) { each_wolf_sheep(false, same_resumed_on_gpu); }
Test(standard_cuda, wolf_sheep_in_turn_is_that_of_plain_loops) { expect_wolf_sheep("--device cuda", true); }

Test(standard_cuda, boltzmann_is_that_of_plain_loops) { expect_boltzmann("--device cuda"); }
Test(standard_cuda, boltzmann_is_the_same_in_partitions) { each_boltzmann(same_in_partitions_on_gpu); }
Test(standard_cuda, boltzmann_has_the_same_worlds) { each_boltzmann(same_worlds_on_gpu); }
Test(standard_cuda, boltzmann_is_the_same_resumed_back_and_forth) { each_boltzmann(same_resumed_on_gpu); }
Test(standard_cuda, boltzmann_in_turn_has_the_same_worlds) { each_boltzmann_in_turn(same_worlds_on_gpu); }
Test(standard_cuda, boltzmann_in_turn_is_the_same_resumed) { each_boltzmann_in_turn(same_resumed_on_gpu); }

Test(standard_cuda, schelling_is_that_of_plain_loops) { expect_schelling("--device cuda"); }
Test(standard_cuda, schelling_is_the_same_in_partitions) { each_schelling(same_in_partitions_on_gpu); }
Test(standard_cuda, schelling_has_the_same_worlds) { each_schelling(same_worlds_on_gpu); }
Test(standard_cuda, schelling_is_the_same_resumed_back_and_forth) { each_schelling(same_resumed_on_gpu); }
Test(standard_cuda, schelling_in_turn_has_the_same_worlds) { each_schelling_in_turn(same_worlds_on_gpu); }
Test(standard_cuda, schelling_in_turn_is_the_same_resumed) { each_schelling_in_turn(same_resumed_on_gpu); }

Test(standard_cuda, el_farol_is_that_of_plain_loops) { expect_el_farol("--device cuda"); }
Test(standard_cuda, el_farol_is_the_same_in_partitions) { each_el_farol(same_in_partitions_on_gpu); }
Test(standard_cuda, el_farol_has_the_same_worlds) { each_el_farol(same_worlds_on_gpu); }
Test(standard_cuda, el_farol_is_the_same_resumed_back_and_forth) { each_el_farol(same_resumed_on_gpu); }
