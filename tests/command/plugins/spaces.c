/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin of two spaces. The extents of the second are not to be had again when the run is resumed. */
#include "plain.h"

PLAIN_CALLBACK(grow, plain_grow, PLAIN_FIELD)
PLAIN_CALLBACK(grow_other, plain_grow, {"count", "count", MASS_UPDATE, MASS_U8, 1, 0})

static mass_status open_model(mass_host *host)
{
    const int resumed = mass_values_of(host)->resumed(host);
    const mass_status status = plain_declare(host, &grow);
    if (status != MASS_OK) return status;
    MASS_DECLARE(host, space, .name = "other", .dimensions_min = 1, .dimensions_max = 3,
                 .size = {resumed ? 2 : 5, resumed ? 0 : 7});
    MASS_DECLARE(host, attribute, .space = "other", .name = "count", .type = MASS_U8);
    return MASS_DECLARE(host, phase, .schedule = MASS_STEP, .space = "other", .callback = &grow_other);
}

MASS_PLUGIN(.name = "spaces", .version = "1.0.0", .help = "counts its steps twice",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_VALUES_ID, NULL}, .open = open_model);
