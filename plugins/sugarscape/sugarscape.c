/* SPDX-License-Identifier: Apache-2.0 */
/* Sugarscape, after J. M. Epstein and R. Axtell, "Growing artificial societies" (1996): ants that eat sugar
 * where they see most of it. */
#include "kernels.h"

#include <mass/mass.h>

static const char *const landscapes[] = {"hills", "flat", NULL}, *const answers[] = {"no", "yes", NULL};
static const uint32_t palette[] = {0xf4ecd8, 0xf0dca0, 0xe8c468, 0xd9a441, 0xb97f24}, red[] = {0x7a1f2b};
static const mass_drawn drawn = {.colours = 1, .palette = red};

static const struct {
    const char *name;
    int64_t value, least, most;
    const char *help, *by_default;
} integers[] = {
    {"ants", 0, 0, UINT32_MAX - 2, "how many there are at first", "a tenth of the places, as with 0"},
    {"vision_min", 1, 1, 64, "how far an ant sees along the axes, at least", NULL},
    {"vision_max", 6, 1, 64, "... and at most", NULL},
    {"metabolism_min", 1, 1, 200, "sugar that an ant burns in a step, at least", NULL},
    {"metabolism_max", 4, 1, 200, "... and at most", NULL},
    {"endowment_min", 5, 1, 1000000, "sugar that an ant begins with, at least", NULL},
    {"endowment_max", 25, 1, 1000000, "... and at most", NULL},
    {"sugar_max", 4, 1, 200, "most sugar that a place holds", NULL},
    {"growback", 1, 0, 200, "sugar that grows on a place in a step", NULL},
    {"reproduce", 0, 0, 1000000, "wealth from which an ant has a child", "it has none, as with 0"},
    {"looks", 3, 1, 8, "how often an ant looks for a place in a step, as long as others get those that it asks for",
     NULL}};

static const struct {
    const char *name, *help;
    uint32_t cumulative;
} tallies[] = {
    {"ants", "alive", 0}, {"sugar", "on the places", 0}, {"wealth", "sugar that the ants hold", 0},
    {"births", "ants born", 1}, {"deaths", "ants that died", 1}, {"grown", "sugar that grew", 1},
    {"eaten", "sugar that ants ate", 1}, {"burnt", "sugar that ants burnt", 1},
    {"endowed", "sugar that ants brought along that replace others", 1}};

static mass_status check_range(mass_host *host, const char *least, const char *most)
{
    const long long from = mass_values(host)->integer(host, least), to = mass_values(host)->integer(host, most);
    if (from <= to) return MASS_OK;
    return host->fail(host, MASS_BAD_USAGE, "parameter %s: %lld is above %s, %lld", least, from, most, to);
}

static mass_status declare_parameters(mass_host *host)
{
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        MASS_DECLARE(host, parameter, .name = integers[i].name, .type = MASS_INTEGER, .integer = integers[i].value,
                     .integer_min = integers[i].least, .integer_max = integers[i].most, .help = integers[i].help,
                     .by_default = integers[i].by_default);
    MASS_DECLARE(host, parameter, .name = "landscape", .type = MASS_CHOICE, .choices = landscapes,
                 .help = "two hills of sugar, or as much everywhere");
    MASS_DECLARE(host, parameter, .name = "replace", .type = MASS_CHOICE, .choices = answers,
                 .help = "whether a new ant stands where one died");
    mass_status status = check_range(host, "vision_min", "vision_max");
    if (status == MASS_OK) status = check_range(host, "metabolism_min", "metabolism_max");
    return status == MASS_OK ? check_range(host, "endowment_min", "endowment_max") : status;
}

static mass_status declare_ants(mass_host *host)
{
    mass_gidx size[3];
    uint32_t dimensions;
    const mass_status status = mass_values(host)->size(host, "grid", size, &dimensions);
    if (status != MASS_OK) return status;
    const int64_t places = size[0] * size[1], asked = mass_values(host)->integer(host, "ants");
    const int64_t ants = asked ? asked : places < 10 ? 1 : places / 10;
    if (ants > places)
        return host->fail(host, MASS_BAD_USAGE, "parameter ants: %lld are more than there are places, %lld",
                          (long long)ants, (long long)places);
    MASS_DECLARE_AGENTS(host, population, .name = "ants", .capacity = 1, .children = 1, .count = ants,
                        .conflict = MASS_LOTTERY, .initial = MASS_RANDOM_PLACES, .born = "births", .died = "deaths",
                        .drawn = &drawn, .help = "at most one on a place");
    static const uint8_t one = 1;
    MASS_DECLARE(host, attribute, .population = "ants", .name = "vision", .type = MASS_U8, .initial = &one, .least = 1,
                 .most = (double)mass_values(host)->integer(host, "vision_max"), .help = "how far it sees");
    MASS_DECLARE(host, attribute, .population = "ants", .name = "metabolism", .type = MASS_U8, .initial = &one,
                 .least = 1, .most = (double)mass_values(host)->integer(host, "metabolism_max"),
                 .help = "sugar that it burns in a step");
    return MASS_DECLARE(host, attribute, .population = "ants", .name = "wealth", .type = MASS_I32, .most = INT32_MAX,
                        .help = "sugar that it holds");
}

#define PHASE(SCHEDULE, CALLBACK, ...) \
    MASS_DECLARE_AGENTS(host, phase, .schedule = SCHEDULE, .population = "ants", .callback = &CALLBACK, __VA_ARGS__)

static void declare_phases(mass_host *host)
{
    const int32_t reach = (int32_t)mass_values(host)->integer(host, "vision_max");
    const int64_t looks = mass_values(host)->integer(host, "looks");
    MASS_DECLARE(host, phase, .schedule = MASS_START, .callback = &sugarscape_plant);
    PHASE(MASS_START, sugarscape_settle, .reach = 0);
    PHASE(MASS_START, sugarscape_census, .reach = 0);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &sugarscape_grow);
    PHASE(MASS_STEP, sugarscape_look, .reach = reach);
    MASS_DECLARE_AGENTS(host, manage, .schedule = MASS_STEP, .population = "ants");
    for (int64_t look = 1; look < looks; look++) {
        PHASE(MASS_STEP, sugarscape_look_again, .reach = reach);
        MASS_DECLARE_AGENTS(host, manage, .schedule = MASS_STEP, .population = "ants");
    }
    PHASE(MASS_STEP, sugarscape_eat, .reach = 0);
    PHASE(MASS_STEP, sugarscape_live, .reach = 1);
    /* Deaths first, so that there is a seat for an ant where one died. */
    MASS_DECLARE_AGENTS(host, manage, .schedule = MASS_STEP, .population = "ants", .order = MASS_KILL_SPAWN_MIGRATE);
    PHASE(MASS_STEP, sugarscape_census, .reach = 0);
}

static mass_status sugarscape_open(mass_host *host)
{
    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size = {256, 256},
                 .torus = MASS_AXES_ALL);
    mass_status status = declare_parameters(host);
    for (size_t i = 0; i < sizeof tallies / sizeof *tallies; i++)
        MASS_DECLARE(host, tally, .name = tallies[i].name, .access = MASS_SUM, .cumulative = tallies[i].cumulative,
                     .help = tallies[i].help);
    const double sugar = (double)mass_values(host)->integer(host, "sugar_max");
    MASS_DECLARE(host, attribute, .space = "grid", .name = "sugar", .type = MASS_U8, .most = sugar,
                 .help = "on the place");
    MASS_DECLARE(host, attribute, .space = "grid", .name = "most", .type = MASS_U8, .most = sugar,
                 .help = "sugar that it can hold");
    if (status == MASS_OK) status = declare_ants(host);
    if (status != MASS_OK) return status;
    declare_phases(host);
    MASS_DECLARE_REDUCTION(host, .name = "wealth_histogram", .operation = MASS_HISTOGRAM, .population = "ants",
                           .attribute = "wealth", .bins = 50, .low = 0, .high = 1000, .help = "ants by what they hold");
    return MASS_DECLARE(host, picture, .space = "grid", .attribute = "sugar", .high = sugar, .colours = 5,
                        .palette = palette);
}

MASS_PLUGIN(.name = "sugarscape", .version = "2.0.0", .help = "ants that move to where they see most sugar and eat it",
            .services =
                (const char *const[]){MASS_DECLARE_ID, MASS_VALUES_ID, MASS_AGENTS_ID, MASS_REDUCTIONS_ID, NULL},
            .open = sugarscape_open);
