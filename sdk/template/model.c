/* SPDX-License-Identifier: Apache-2.0 */
/* What the model consists of: parameters, a space, attributes, tallies, schedules. */
#include <mass/mass.h>

extern const mass_callback majority_draw, majority_follow; /* kernels.c */

static const uint32_t palette[] = {0x1f3a5f, 0xf4d35e};

static mass_status majority_open(mass_host *host)
{
    MASS_DECLARE(host, parameter, .name = "share", .type = MASS_REAL, .real = 0.5, .real_min = 0, .real_max = 1,
                 .help = "share of places with opinion 1 at the start");
    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size = {512, 512},
                 .torus = MASS_AXES_ALL);
    MASS_DECLARE(host, attribute, .space = "grid", .name = "opinion", .type = MASS_U8, .most = 1, .help = "0 or 1");
    MASS_DECLARE(host, tally, .name = "ones", .access = MASS_SUM, .help = "places with opinion 1");
    MASS_DECLARE(host, phase, .schedule = MASS_START, .callback = &majority_draw);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &majority_follow);
    return MASS_DECLARE(host, picture, .space = "grid", .attribute = "opinion", .low = 0, .high = 1, .colours = 2,
                        .palette = palette);
}

MASS_PLUGIN(.name = "majority", .version = "0.1.0", .help = "every place follows the majority around it",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_VALUES_ID, NULL}, .open = majority_open);
