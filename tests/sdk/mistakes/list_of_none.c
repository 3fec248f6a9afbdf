/* SPDX-License-Identifier: Apache-2.0 */
/* A list that may have no value. says: the list rates has a length of 0, not 1 to 1048576 */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_ATTRIBUTE(grid, double, state)
MASS_PARAMETER_LIST(double, rates, 0, "0.5", 0, 1, "of decay") /* here */

MASS_MAP(step, UPDATES(state), LISTS(rates))
{
    OUT(state) *= PARAM_AT(rates, 0);
}

MASS_SCHEDULE(STEPS(step))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
