/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin whose load or finish makes CALL: LINGER writes on and on, SET_TEXT sets a parameter too late,
 * REFUSE fails in the finish, and LINGER_LATE takes its time there. */
#include "plain.h"

#include <time.h>

enum call { LINGER, SET_TEXT, REFUSE, LINGER_LATE };

PLAIN_CALLBACK(grow, plain_grow, PLAIN_FIELD)

static mass_status open_model(mass_host *host)
{
    MASS_DECLARE(host, parameter, .name = "note", .type = MASS_TEXT);
    return plain_declare(host, &grow);
}

static mass_status load(mass_host *host)
{
    static const mass_gidx origin[3], extent[3] = {1, 1, 1};
    static const uint8_t one = 1;
    mass_gidx size[3];
    uint32_t dimensions;
    if (CALL == SET_TEXT) return mass_values_of(host)->set_text(host, "note", "late");
    mass_values_of(host)->size(host, "grid", size, &dimensions);
    mass_status status = mass_run_of(host)->write(host, "grid", "value", 0, origin, extent, &one);
    if (CALL != LINGER || size[0] <= 8) return status; /* where it is tried first */
    mass_run_of(host)->say(host, "loading");
    while (status == MASS_OK) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        status = mass_run_of(host)->write(host, "grid", "value", 0, origin, extent, &one);
    }
    return status;
}

static mass_status finish(mass_host *host)
{
    if (CALL == LINGER_LATE) {
        mass_run_of(host)->say(host, "finishing");
        nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    }
    return CALL == REFUSE ? host->fail(host, MASS_FAILED, "the report cannot be made") : MASS_OK;
}

MASS_PLUGIN(.name = "calls", .version = "1.0.0", .help = "calls the engine",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_VALUES_ID, MASS_RUN_ID, NULL}, .open = open_model,
            .load = load, .finish = finish);
