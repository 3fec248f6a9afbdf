/* SPDX-License-Identifier: Apache-2.0 */
/* Counts: cumulative tallies beside those of a step. */
#include "count_kernels.h"

#include <mass/mass.h>

static void declare_tally(mass_host *host, const char *name, uint32_t access, uint32_t cumulative)
{
    MASS_DECLARE(host, tally, .name = name, .access = access, .cumulative = cumulative, .help = "for a test");
}

static mass_status count_open(mass_host *host)
{
    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size = {37, 23});
    MASS_DECLARE(host, attribute, .space = "grid", .name = "sum", .type = MASS_I64, .help = "of the place's numbers");
    declare_tally(host, "total", MASS_SUM, 1);
    declare_tally(host, "lowest", MASS_MIN, 1);
    declare_tally(host, "highest", MASS_MAX, 1);
    declare_tally(host, "step", MASS_SUM, 0);
    declare_tally(host, "largest", MASS_MAX, 0);
    declare_tally(host, "smallest", MASS_MIN, 0);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &count_add);
    return MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &count_look);
}

MASS_PLUGIN(.name = "count", .version = "1.0.0", .help = "counts what a test can count too",
            .services = (const char *const[]){MASS_DECLARE_ID, NULL}, .open = count_open);
