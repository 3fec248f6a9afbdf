/* SPDX-License-Identifier: Apache-2.0 */
/* A magnet: the model of E. Ising, "Beitrag zur Theorie des Ferromagnetismus" (1925), in two dimensions and
 * with disorder, by the method of N. Metropolis and others, "Equation of state calculations by fast
 * computing machines" (1953). */
#include "kernels.h"

#include <mass/mass.h>
#include <stddef.h>
#include <stdio.h>

static const uint32_t palette[] = {0x14213d, 0xfca311}; /* -1, 1 */

static const mass_member record_members[] = {
    {"work", MASS_F64, offsetof(magnet_record, work)},
    {"turns", MASS_U32, offsetof(magnet_record, turns)},
    {"last", MASS_U32, offsetof(magnet_record, last)},
};

/* Black and white have to alternate across the edges too. */
static mass_status check_size(mass_host *host)
{
    mass_gidx size[3];
    uint32_t dimensions;
    const mass_status status = mass_values(host)->size(host, "grid", size, &dimensions);
    if (status != MASS_OK || size[0] % 2 + size[1] % 2 == 0) return status;
    return host->fail(host, MASS_BAD_USAGE, "--size %lldx%lld: both extents have to be even", (long long)size[0],
                      (long long)size[1]);
}

static mass_status magnet_open(mass_host *host)
{
    MASS_DECLARE(host, parameter, .name = "temperature", .type = MASS_REAL, .real = 2.3, .real_min = 0.01,
                 .real_max = 1000, .help = "temperature, in units of the coupling");
    MASS_DECLARE(host, parameter, .name = "disorder", .type = MASS_REAL, .real = 0, .real_min = 0, .real_max = 100,
                 .help = "standard deviation of the field that is frozen into a place");
    MASS_DECLARE(host, constant, .name = "cold", .type = MASS_REAL,
                 .real = 1.0 / mass_values(host)->real(host, "temperature"));

    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size = {512, 512},
                 .torus = MASS_AXES_ALL);
    if (check_size(host) != MASS_OK) return MASS_BAD_USAGE;
    MASS_DECLARE(host, attribute, .space = "grid", .name = "spin", .type = MASS_I8, .least = -1, .most = 1,
                 .help = "-1 or 1");
    MASS_DECLARE(host, attribute, .space = "grid", .name = "bias", .type = MASS_F64, .help = "frozen field");
    MASS_DECLARE(host, attribute, .space = "grid", .name = "record", .type = MASS_STRUCT,
                 .element_size = sizeof(magnet_record), .member_count = 3, .members = record_members,
                 .help = "what happened to the place");
    MASS_DECLARE(host, attribute, .space = "grid", .name = "moments", .type = MASS_F64, .length = 2,
                 .layout = MASS_INTERLEAVED, .help = "sums of the field and of its square");

    MASS_DECLARE(host, tally, .name = "up", .access = MASS_SUM, .help = "places with spin 1");
    MASS_DECLARE(host, tally, .name = "energy", .access = MASS_SUM, .kind = MASS_TALLY_FIXED,
                 .fraction_bits = ENERGY_BITS, .help = "energy of all places");
    MASS_DECLARE(host, tally, .name = "weakest", .access = MASS_MIN, .kind = MASS_TALLY_REAL,
                 .help = "least absolute field on a place");
    MASS_DECLARE(host, tally, .name = "strength", .access = MASS_MEAN, .kind = MASS_TALLY_REAL,
                 .help = "mean absolute field on a place");
    MASS_DECLARE(host, tally, .name = "alike", .access = MASS_SUM, .bins = 5,
                 .help = "places by how many neighbours are like them");
    MASS_DECLARE(host, tally, .name = "bound", .access = MASS_SUM, .kind = MASS_TALLY_FIXED,
                 .fraction_bits = ENERGY_BITS, .bins = 5, .help = "their energy");

    MASS_DECLARE(host, phase, .schedule = MASS_START, .callback = &magnet_draw);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &magnet_turn_black);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &magnet_turn_white);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &magnet_measure);
    return MASS_DECLARE(host, picture, .space = "grid", .attribute = "spin", .low = -1, .high = 1, .colours = 2,
                        .palette = palette);
}

/* The variance of the field on the place at the origin, over the steps. */
static mass_status magnet_finish(mass_host *host)
{
    const mass_gidx origin[3] = {0, 0, 0}, one[3] = {1, 1, 1};
    const double steps = (double)mass_run(host)->step(host);
    magnet_moments moments;
    const mass_status status = mass_run(host)->read(host, "grid", "moments", 0, origin, one, &moments);
    if (status != MASS_OK || steps < 1) return status;
    const double mean = moments.first / steps;
    char line[80];
    snprintf(line, sizeof line, "field on the first place: mean %.3f, variance %.3f", mean,
             moments.second / steps - mean * mean);
    mass_run(host)->say(host, line);
    return MASS_OK;
}

MASS_PLUGIN(.name = "magnet", .version = "1.0.0", .help = "spins that align with their neighbours where it is cold",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_VALUES_ID, MASS_RUN_ID, NULL},
            .open = magnet_open, .finish = magnet_finish);
