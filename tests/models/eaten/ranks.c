/* SPDX-License-Identifier: Apache-2.0 */
/* The same over several ranks. */
#include "eaten/known.h"
#include "needed.h"

#include <criterion/criterion.h>

const needed what_is_needed = {"--plugin life --steps 0 --quiet --ranks 2",
                               {"there is no MPI in this build", "needs mpirun, which is not in PATH", NULL}};

Test(eaten_ranks, two_are_one) { each_eaten(same_over_two_ranks); }
Test(eaten_ranks, three_are_one) { each_eaten(same_over_three_ranks); }
