/* SPDX-License-Identifier: Apache-2.0 */
/* Gather: tallies of bins, exact sums and means. */
#include "gather.h"
#include "gather_kernels.h"

static void declare_bins(mass_host *host, const char *name, uint32_t bins, uint32_t cumulative, uint32_t method)
{
    MASS_DECLARE(host, tally, .name = name, .access = MASS_SUM, .bins = bins, .cumulative = cumulative,
                 .method = method, .help = "for a test");
}

static void declare_real(mass_host *host, const char *name, uint32_t access, uint32_t cumulative)
{
    MASS_DECLARE(host, tally, .name = name, .access = access, .kind = MASS_TALLY_REAL, .cumulative = cumulative,
                 .help = "for a test");
}

static mass_status gather_open(mass_host *host)
{
    static const char *const methods[] = {"auto", "sequential", "global", "stride", "shared", NULL};
    MASS_DECLARE(host, parameter, .name = "method", .type = MASS_CHOICE, .text = "auto", .choices = methods,
                 .help = "how bins are counted");
    const uint32_t method = (uint32_t)mass_values(host)->integer(host, "method");
    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size = {61, 43},
                 .torus = MASS_AXIS_X);
    MASS_DECLARE(host, attribute, .name = "seen", .type = MASS_I32, .help = "steps");
    MASS_DECLARE(host, attribute, .name = "byte", .type = MASS_U8, .help = "any");
    declare_bins(host, "few", FEW, 0, method);
    declare_bins(host, "ever", FEW, 1, method);
    declare_bins(host, "bytes", 256, 0, method);
    declare_bins(host, "many", MANY, 0, method);
    declare_bins(host, "met", FEW, 1, method);
    declare_bins(host, "most", MOST, 0, method);
    declare_bins(host, "crowds", FEW, 0, method);
    MASS_DECLARE(host, tally, .name = "ones", .access = MASS_SUM, .help = "for a test");
    declare_real(host, "sum", MASS_SUM, 0);
    declare_real(host, "mean", MASS_MEAN, 0);
    declare_real(host, "paid", MASS_SUM, 1);
    declare_real(host, "there", MASS_SUM, 0);
    MASS_DECLARE_AGENTS(host, population, .name = "walker", .count = 500, .constant = 1);
    MASS_DECLARE(host, attribute, .population = "walker", .name = "steps", .type = MASS_I32, .help = "taken");
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &gather_places);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &gather_bytes);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &gather_many);
    MASS_DECLARE_AGENTS(host, phase, .schedule = MASS_STEP, .population = "walker", .callback = &gather_walk);
    MASS_DECLARE_AGENTS(host, manage, .schedule = MASS_STEP, .population = "walker");
    return MASS_DECLARE_AGENTS(host, phase, .schedule = MASS_STEP, .population = "walker", .callback = &gather_crowds);
}

/* Bytes of all values, the same in any world. */
static mass_status gather_load(mass_host *host)
{
    mass_gidx size[3];
    mass_values(host)->size(host, "grid", size, &(uint32_t){0});
    for (mass_gidx y = 0; y < size[1]; y++)
        for (mass_gidx x = 0; x < size[0]; x++) {
            const uint8_t byte = (uint8_t)(x * y);
            for (int32_t w = 0; w < mass_run(host)->worlds(host); w++) {
                const mass_status status = mass_run(host)->write(host, "grid", "byte", w, (const mass_gidx[]){x, y, 0},
                                                                 (const mass_gidx[]){1, 1, 1}, &byte);
                if (status != MASS_OK) return status;
            }
        }
    return MASS_OK;
}

MASS_PLUGIN(.name = "gather", .version = "1.0.0", .help = "tallies of many accumulators",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_VALUES_ID, MASS_RUN_ID, MASS_AGENTS_ID, NULL},
            .open = gather_open,
            .load = gather_load);
