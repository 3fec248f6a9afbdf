/* SPDX-License-Identifier: Apache-2.0 */
/* The value of this step, of a list that is none by step. says: rows_of_a_MASS_PARAMETER_TABLE */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_ATTRIBUTE(grid, double, state)
MASS_PARAMETER_LIST(double, rates, 4, "0.5", 0, 1, "of decay")

MASS_MAP(step, UPDATES(state), LISTS(rates))
{
    OUT(state) *= PARAM_NOW(rates); /* here */
}

MASS_SCHEDULE(STEPS(step))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
