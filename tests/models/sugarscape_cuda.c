/* Sugarscape on a GPU: right, and the bits of the CPU. */
#include "sugarscape.h"

#include <criterion/criterion.h>

/* More than two recordings of steps, and some on each side of them. */
enum { STEPS = 75 };

Test(sugarscape_cuda, is_that_of_a_plain_program) { expect_sugarscapes("--device cuda", 150); }

Test(sugarscape_cuda, conserves_sugar) { expect_conserved("--device cuda", 2, 60); }

static void partitions(const model *m) { expect_same_in_partitions(m, "--device cuda", expected_result(m)); }
static void worlds(const model *m) { expect_same_worlds(m, "--device cuda", "--device cpu --threads 1"); }

static void back_and_forth(const model *m)
{
    const leg legs[] = {{3, "--device cpu --threads 2"},
                        {41, text("--device cuda --partitions %d", m->rows < 3 ? m->rows : 3)},
                        {42, "--device paranoid --threads 1"},
                        {0, "--device cuda"}};
    expect_same_resumed(m, legs, sizeof legs / sizeof *legs);
}

Test(sugarscape_cuda, is_the_same_in_any_number_of_partitions) { each_sugarscape(STEPS, partitions); }
Test(sugarscape_cuda, has_the_same_worlds_together_and_apart) { each_sugarscape(STEPS / 2, worlds); }
Test(sugarscape_cuda, is_the_same_resumed_back_and_forth) { each_sugarscape(STEPS, back_and_forth); }
