/* SPDX-License-Identifier: Apache-2.0 */
/* A population that doubles in every step, until memory ends. */
#include "doubling.h"

#include <mass/mass.h>

static mass_status doubling_open(mass_host *host)
{
    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size = {64, 64},
                 .torus = MASS_AXES_ALL);
    MASS_DECLARE(host, parameter, .name = "cells_table", .type = MASS_TEXT, .help = "where cells are at first");
    MASS_DECLARE(host, tally, .name = "alive", .access = MASS_SUM);
    MASS_DECLARE(host, tally, .name = "born", .access = MASS_SUM, .cumulative = 1);
    MASS_DECLARE_AGENTS(host, population, .name = "cells", .children = 1, .count = 1, .alive = "alive", .born = "born",
                        .table = "cells_table");
    MASS_DECLARE(host, attribute, .population = "cells", .name = "age", .type = MASS_U32);
    MASS_DECLARE_AGENTS(host, phase, .schedule = MASS_STEP, .population = "cells", .callback = &doubling_split);
    return MASS_DECLARE_AGENTS(host, manage, .schedule = MASS_STEP, .population = "cells");
}

MASS_PLUGIN(.name = "doubling", .version = "1.0.0", .help = "cells that divide in every step",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_AGENTS_ID, NULL}, .open = doubling_open);
