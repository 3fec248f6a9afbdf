/* SPDX-License-Identifier: Apache-2.0 */
/* A population that doubles in every step, until memory ends. */
#include <mass/model.h>

MASS_PARAMETER(text, cells_table, "", "where cells are at first")

MASS_SPACE(grid, 2, .size = {64, 64}, .torus = MASS_AXES_ALL)
MASS_TALLY(SUM, int64_t, alive, "cells that there are")
MASS_TALLY(SUM, int64_t, born, "cells born so far", .cumulative = 1)
MASS_POPULATION(cells, grid, .children = 1, .count = 1, .alive = "alive", .born = "born", .table = "cells_table")
MASS_AGENT_ATTRIBUTE(cells, uint32_t, age)

/* The child goes one place to the right, and starts at age 7. */
MASS_AGENT(doubling_split, cells, 2, UPDATES(age), CHILDREN(age))
{
    OUT(age)++;
    SPAWN(1);
    CHILD(age, 0) = 7;
    CHILD_TO(0, 1, 0);
}

MASS_SCHEDULE(STEPS(doubling_split), MANAGES(cells))

MASS_PLUGIN(.name = "doubling", .version = "1.0.0", .help = "cells that divide in every step");
