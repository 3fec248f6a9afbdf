/* SPDX-License-Identifier: Apache-2.0 */
/* The standard models over several ranks. */
#include "boltzmann/plain.h"
#include "el-farol/plain.h"
#include "needed.h"
#include "schelling/plain.h"
#include "wolf-sheep/plain.h"

#include <criterion/criterion.h>

const needed what_is_needed = {"--plugin life --steps 0 --quiet --ranks 2",
                               {"there is no MPI in this build", "needs mpirun, which is not in PATH", NULL}};

static int ranks;
static void same_over_ranks(const model *m)
{
    const char *where = text("--steps %d --device cpu --threads 1", m->steps);
    cr_expect_str_eq(engine_result(text("%s %s --ranks %d --partitions %d", m->options, where, ranks, ranks - 1)),
                     engine_result(text("%s %s", m->options, where)), "%s", m->options);
}

static void each_over(int count, void (*each)(void (*check)(const model *m)))
{
    ranks = count;
    each(same_over_ranks);
}

Test(standard_ranks, two_of_wolf_sheep_are_one) { each_over(2, each_wolf_sheep); }
Test(standard_ranks, three_of_wolf_sheep_are_one) { each_over(3, each_wolf_sheep); }

Test(standard_ranks, two_of_boltzmann_are_one) { each_over(2, each_boltzmann); }
Test(standard_ranks, three_of_boltzmann_are_one) { each_over(3, each_boltzmann); }

Test(standard_ranks, two_of_schelling_are_one) { each_over(2, each_schelling); }
Test(standard_ranks, three_of_schelling_are_one) { each_over(3, each_schelling); }

Test(standard_ranks, two_of_el_farol_are_one) { each_over(2, each_el_farol); }
Test(standard_ranks, three_of_el_farol_are_one) { each_over(3, each_el_farol); }
