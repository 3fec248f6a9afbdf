/* SPDX-License-Identifier: Apache-2.0 */
/* Places that see agents around them, over several ranks: slabs thick and thin, thinner than the radius too. */
#include "needed.h"
#include "ways.h"

const needed what_is_needed = {"--plugin life --steps 0 --quiet --ranks 2",
                               {"there is no MPI in this build", "needs mpirun, which is not in PATH", NULL}};

Test(around_ranks, several_ranks_are_one)
{
    for (int i = 0; i < AROUNDS; i++)
        cr_expect_str_eq(engine_result(text("%s --device cpu --threads 1 --ranks %d --partitions %d",
                                            around_options(i), 2 + i % 2, 1 + i % 4 / 3)),
                         engine_result(text("%s --device cpu --threads 1", around_options(i))), "%s",
                         around_options(i));
}

Test(around_ranks, bits_are_the_same)
{
    for (int i = 0; i < AROUND_BITS; i++)
        cr_expect_str_eq(engine_result(text("%s --device cpu --threads 1 --ranks 2", around_bits_options(i))),
                         engine_result(text("%s --device cpu --threads 1", around_bits_options(i))), "%s",
                         around_bits_options(i));
}
