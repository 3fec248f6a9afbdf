/* SPDX-License-Identifier: Apache-2.0 */
/* Sugarscape on a GPU: right, and the bits of the CPU. */
#include "sugarscape.h"

#include <criterion/criterion.h>

/* More than two recordings of steps, and some on each side of them. */
enum { STEPS = 75 };

Test(sugarscape_cuda, is_that_of_a_plain_program) { expect_sugarscapes("--device cuda", false, 150); }
Test(sugarscape_cuda, in_turn_is_that_of_a_plain_program) { expect_sugarscapes("--device cuda", true, 50); }

Test(sugarscape_cuda, conserves_sugar) { expect_conserved("--device cuda", "all", 2, 60); }
Test(sugarscape_cuda, conserves_sugar_in_turn) { expect_conserved("--device cuda", "turn", 3, 30); }

/* Where threads take more places each, with edges that divide by nothing. */
Test(sugarscape_cuda, counts_the_same_in_a_large_space)
{
    const model m = sugarscape_model(3011, 3001, 3, "--seed 5");
    const char *const cpu = engine_result(text("%s --steps %d --device cpu", m.options, m.steps));
    cr_expect_str_eq(engine_result(text("%s --steps %d --device cuda", m.options, m.steps)), cpu);
}

Test(sugarscape_cuda, is_the_same_in_any_number_of_partitions) { each_sugarscape(STEPS, same_in_partitions_on_gpu); }
Test(sugarscape_cuda, has_the_same_worlds_together_and_apart) { each_sugarscape(STEPS / 2, same_worlds_on_gpu); }
Test(sugarscape_cuda, is_the_same_resumed_back_and_forth) { each_sugarscape(STEPS, same_resumed_on_gpu); }
