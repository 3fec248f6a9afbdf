/* SPDX-License-Identifier: Apache-2.0 */
/* As many parameters, attributes and tallies as is wished. */
#include "plain.h"

#include <stdio.h>

PLAIN_CALLBACK(grow, plain_grow, PLAIN_FIELD)

/* Calls of one name each, "a0", "a1", ... */
static mass_status declare(mass_host *host, char letter, int64_t i)
{
    char name[24];
    snprintf(name, sizeof name, "%c%lld", letter, (long long)i);
    if (letter == 'p')
        return MASS_DECLARE(host, parameter, .name = name, .type = MASS_INTEGER, .integer = i,
                            .integer_max = INT64_MAX);
    if (letter == 'a') return MASS_DECLARE(host, attribute, .space = "grid", .name = name, .type = MASS_U8);
    return MASS_DECLARE(host, tally, .name = name, .kind = MASS_TALLY_INTEGER, .access = MASS_SUM, .cumulative = 1);
}

static mass_status open_model(mass_host *host)
{
    static const char *const names[] = {"parameters", "attributes", "tallies"};
    mass_status status = MASS_OK;
    for (int k = 0; k < 3; k++)
        MASS_DECLARE(host, parameter, .name = names[k], .type = MASS_INTEGER, .integer_max = 100000);
    plain_declare(host, &grow);
    for (int k = 0; k < 3; k++) {
        const int64_t count = mass_values_of(host)->integer(host, names[k]);
        for (int64_t i = 0; status == MASS_OK && i < count; i++) status = declare(host, names[k][0], i);
    }
    return status;
}

MASS_PLUGIN(.name = "many", .version = "1.0.0", .help = "declares as much as is wished",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_VALUES_ID, NULL}, .open = open_model);
