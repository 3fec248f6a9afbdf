/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks written by hand, with errors that the macros of the SDK make impossible. */
#ifndef MASS_TESTS_HAND_CALLBACK_H
#define MASS_TESTS_HAND_CALLBACK_H

#include <mass/callback.h>

typedef struct hand_fields {
    uint8_t *first, *second;
    int64_t *third;
} hand_fields;

/* The position of a place in a hand-written loop. */
typedef struct stand {
    const mass_launch *launch;
    const mass_range *range;
    int64_t x, y, z, world, at;
} stand;

/* Calls a body for each place of a range. */
static inline void walk(const void *fields, const mass_launch *l, const mass_range *range,
                        void (*body)(const hand_fields *, const stand *))
{
    for (int64_t row = range->first_row; row < range->last_row; row++) {
        stand s = {l, range, 0, row % l->extent[1], row / l->extent[1] % l->extent[2],
                   row / l->extent[1] / l->extent[2], 0};
        for (s.x = range->first_x; s.x < range->last_x; s.x++) {
            s.at = s.world * l->world_stride + s.z * l->plane + s.y * l->pitch + s.x;
            body(fields, &s);
        }
    }
}

/* A callback over three fields. The code for a place s and the fields f follows in braces. */
#define HAND_CALLBACK(NAME, DIMENSIONS, RADIUS, FIRST, SECOND, THIRD)                              \
    static void NAME##_body(const hand_fields *f, const stand *s);                                 \
    static void NAME##_loop(const void *fields, const mass_launch *l, const mass_range *range)     \
    {                                                                                              \
        walk(fields, l, range, NAME##_body);                                                       \
    }                                                                                              \
    static const mass_field NAME##_reflection[] = {                                                \
        {"first", "a", MASS_##FIRST, MASS_U8, 1, 0},                                               \
        {"second", "b", MASS_##SECOND, MASS_U8, 1, 0},                                             \
        {"third", "c", MASS_##THIRD, MASS_I64, 8, 0}};                                             \
    static const mass_form NAME##_forms[] = {                                                      \
        {sizeof(mass_form), MASS_FORM_LOOP, 0, 0, NAME##_loop, NULL, 1, 1, 1, 0},                  \
        {sizeof(mass_form), MASS_FORM_LOOP, 0, MASS_FORM_TALLIES, NAME##_loop, NULL, 1, 1, 1, 0}}; \
    static const mass_callback NAME = {                                                            \
        sizeof(mass_callback), MASS_OVER_PLACES, #NAME, DIMENSIONS, RADIUS, 3,                     \
        sizeof(mass_field), NAME##_reflection, 2, sizeof(mass_form), NAME##_forms, 0, NULL, 0,     \
        NULL, NULL, 0, 0};                                                                         \
    static void NAME##_body(const hand_fields *f, const stand *s)

#endif
