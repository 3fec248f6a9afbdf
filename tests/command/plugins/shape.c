/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin with nothing wrong, in editions that differ in their schema, their version, or what they draw. With `nap` it
 * takes its time over each step. */
#include "plain.h"

#include <time.h>

#ifndef TYPE
#define TYPE MASS_U8
#define SIZE 1
#endif
#ifndef VERSION
#define VERSION "1.0.0"
#endif

typedef struct shape_fields {
    uint8_t *value;
    const int64_t *nap;
} shape_fields;

static void rest(int64_t ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

static void step(const void *fields, const mass_launch *launch, const mass_range *range)
{
    const int64_t nap = *((const shape_fields *)fields)->nap;
    if (range->first_row == 0 && launch->size[0] > 8) rest(nap);
    if (SIZE == 1) plain_grow(fields, launch, range);
}
PLAIN_CALLBACK(grow, step, {"value", "value", MASS_UPDATE, TYPE, SIZE, 0},
               {"nap", "nap", MASS_PARAM, MASS_I64, 8, 0})

static mass_status open_model(mass_host *host)
{
    MASS_DECLARE(host, parameter, .name = "nap", .type = MASS_INTEGER, .integer_max = INT64_MAX, .unit = "ms",
                 .help = "how long a step takes");
    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 1, .dimensions_max = 3, .size = {16, 16},
                 .torus = MASS_AXES_ALL);
    MASS_DECLARE(host, attribute, .space = "grid", .name = "value", .type = TYPE);
    mass_declare_of(host)->steps(host, 10);
#ifdef DRAWN /* in grey */
    static const uint32_t palette[] = {0, 0xffffff};
    MASS_DECLARE(host, picture, .attribute = "value", .high = 255, .colours = 2, .palette = palette);
#endif
    return MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &grow);
}

MASS_PLUGIN(.name = "shape", .version = VERSION, .help = "counts its steps",
            .services = (const char *const[]){MASS_DECLARE_ID, NULL}, .open = open_model);
