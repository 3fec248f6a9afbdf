/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin whose texts would clear the screen, begin new lines and turn text around. */
#include "plain.h"

#define EVIL "\033[2J\nmass-engine: all is well\xc2\x9b" "31m\xe2\x80\xae\xff"

PLAIN_CALLBACK(grow, plain_grow, PLAIN_FIELD)

static mass_status open_model(mass_host *host)
{
    MASS_DECLARE(host, parameter, .name = "note", .type = MASS_TEXT, .help = EVIL, .unit = EVIL);
    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size = {16, 16});
    MASS_DECLARE(host, attribute, .space = "grid", .name = "value", .type = MASS_U8, .help = EVIL, .unit = EVIL);
    MASS_DECLARE(host, tally, .name = "bytes", .access = MASS_SUM, .help = EVIL, .unit = EVIL);
    mass_declare_of(host)->steps(host, 10);
    return MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &grow);
}

static mass_status load(mass_host *host)
{
    mass_run_of(host)->say(host, EVIL);
    return mass_values_of(host)->text(host, "note")[0] ? host->fail(host, MASS_BAD_USAGE, "note is %s", EVIL) : MASS_OK;
}

MASS_PLUGIN(.name = "escapes", .version = "1" EVIL, .help = EVIL,
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_VALUES_ID, MASS_RUN_ID, NULL}, .open = open_model,
            .load = load);
