/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin whose texts would be elements of a page, if a page took them for markup. */
#include "plain.h"

#define EVIL "<img class=evil src=x onerror=\"document.title='evil'\"><b class=evil>&lt;"

PLAIN_CALLBACK(grow, plain_grow, PLAIN_FIELD)

static mass_status open_model(mass_host *host)
{
    static const uint32_t palette[] = {0, 0xffffff};
    MASS_DECLARE(host, parameter, .name = "note", .type = MASS_TEXT, .help = EVIL, .unit = EVIL);
    MASS_DECLARE(host, parameter, .name = "kind", .type = MASS_CHOICE, .text = "<i>a</i>", .help = EVIL,
                 .choices = (const char *const[]){"<i>a</i>", "b", NULL});
    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size = {16, 16});
    MASS_DECLARE(host, attribute, .space = "grid", .name = "value", .type = MASS_U8, .help = EVIL, .unit = EVIL);
    MASS_DECLARE(host, attribute, .space = "grid", .name = "kind", .type = MASS_U8, .most = 1,
                 .names = {"<u>plain</u>", "odd"});
    MASS_DECLARE(host, attribute, .space = "grid", .name = "turn", .type = MASS_F32, .unit = "rad");
    MASS_DECLARE(host, tally, .name = "bytes", .access = MASS_SUM, .help = EVIL, .unit = EVIL);
    MASS_DECLARE(host, picture, .attribute = "value", .high = 255, .colours = 2, .palette = palette);
    return MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &grow);
}

static mass_status load(mass_host *host)
{
    mass_run_of(host)->say(host, EVIL);
    return MASS_OK;
}

MASS_PLUGIN(.name = "markup", .version = "1.0.0", .help = EVIL,
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_RUN_ID, NULL}, .open = open_model, .load = load);
