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

Test(standard_ranks, two_of_wolf_sheep_are_one) { each_wolf_sheep(false, same_over_two_ranks); }
Test(standard_ranks, three_of_wolf_sheep_are_one) { each_wolf_sheep(false, same_over_three_ranks); }

Test(standard_ranks, two_of_boltzmann_are_one) { each_boltzmann(same_over_two_ranks); }
Test(standard_ranks, three_of_boltzmann_are_one) { each_boltzmann(same_over_three_ranks); }

Test(standard_ranks, two_of_schelling_are_one) { each_schelling(same_over_two_ranks); }
Test(standard_ranks, three_of_schelling_are_one) { each_schelling(same_over_three_ranks); }

Test(standard_ranks, two_of_el_farol_are_one) { each_el_farol(same_over_two_ranks); }
Test(standard_ranks, three_of_el_farol_are_one) { each_el_farol(same_over_three_ranks); }
