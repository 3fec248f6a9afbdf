/* SPDX-License-Identifier: Apache-2.0 */
/* Two first programs: the sum of two matrices, place by place, and their dot product. */
#include <mass/mass.h>

extern const mass_callback vector_fill, vector_add, vector_dot; /* kernels.c */
static const uint32_t blue_to_red[] = {0x2166ac, 0xf7f7f7, 0xb2182b};

static mass_status vector_open(mass_host *host)
{
    MASS_DECLARE(host, space, .name = "matrix", .dimensions_min = 2, .dimensions_max = 2, .size = {1024, 1024});
    MASS_DECLARE(host, attribute, .name = "a", .type = MASS_F64, .help = "random, from -1 to 1");
    MASS_DECLARE(host, attribute, .name = "b", .type = MASS_F64, .help = "random, from -1 to 1");
    MASS_DECLARE(host, attribute, .name = "c", .type = MASS_F64, .help = "a + b");
    MASS_DECLARE(host, tally, .name = "dot", .access = MASS_SUM, .kind = MASS_TALLY_REAL, .help = "sum of all a * b");
    MASS_DECLARE(host, phase, .schedule = MASS_START, .callback = &vector_fill);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &vector_add);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &vector_dot);
    MASS_DECLARE(host, picture, .attribute = "c", .low = -2, .high = 2, .colours = 3, .palette = blue_to_red);
    return mass_declare(host)->steps(host, 1);
}

MASS_PLUGIN(.name = "vector", .version = "1.0.0", .help = "c = a + b, and the dot product of a and b",
            .services = (const char *const[]){MASS_DECLARE_ID, NULL}, .open = vector_open);
