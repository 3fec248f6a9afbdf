/* SPDX-License-Identifier: Apache-2.0 */
/* A model without errors: a 16x16 grid of bytes that grow by one in each step. Each plugin of this folder breaks one
 * thing of it. */
#ifndef MASS_TEST_PLAIN_H
#define MASS_TEST_PLAIN_H

#include <mass/plugin.h>

/* A loop by hand that adds 1 to each place. */
static inline void plain_grow(const void *fields, const mass_launch *launch, const mass_range *range)
{
    uint8_t *const values = *(uint8_t *const *)fields;
    for (int64_t row = range->first_row; row < range->last_row; row++) {
        const int64_t y = row % launch->extent[1], level = row / launch->extent[1];
        uint8_t *at = values + level / launch->extent[2] * launch->world_stride +
                      level % launch->extent[2] * launch->plane + y * launch->pitch;
        for (int64_t x = range->first_x; x < range->last_x; x++) at[x]++;
    }
}

#define PLAIN_FIELD {"value", "value", MASS_UPDATE, MASS_U8, 1, 0}

/* PLAIN_CALLBACK(grow, loop): a callback made by hand, with one loop for the CPU. */
#define PLAIN_CALLBACK(NAME, LOOP, ...)                                                            \
    static const mass_field NAME##_fields[] = {__VA_ARGS__};                                       \
    static const mass_form NAME##_forms[] = {{.struct_size = sizeof(mass_form),                    \
        .id = MASS_FORM_LOOP, .flags = MASS_FORM_TALLIES, .loop = (LOOP), .steps = 1},             \
        {.struct_size = sizeof(mass_form), .id = MASS_FORM_LOOP, .loop = (LOOP), .steps = 1}};     \
    static const mass_callback NAME = {.struct_size = sizeof(mass_callback),                       \
        .over = MASS_OVER_PLACES, .name = #NAME,                                                   \
        .field_count = sizeof NAME##_fields / sizeof *NAME##_fields,                               \
        .field_size = sizeof(mass_field), .fields = NAME##_fields,                                 \
        .form_count = 2, .form_size = sizeof(mass_form), .forms = NAME##_forms};

/* Declares a grid with one attribute, a default of ten steps, and a phase of every step. */
static inline mass_status plain_declare(mass_host *host, const mass_callback *step)
{
    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 1, .dimensions_max = 3,
                 .size = {16, 16}, .torus = MASS_AXES_ALL);
    MASS_DECLARE(host, attribute, .space = "grid", .name = "value", .type = MASS_U8);
    mass_declare_of(host)->steps(host, 10);
    return MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = step);
}

#endif
