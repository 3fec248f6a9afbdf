/* SPDX-License-Identifier: Apache-2.0 */
/* One parameter of each type: the last is a constant. */
#ifndef MASS_TESTS_FIVE_PARAMETERS_H
#define MASS_TESTS_FIVE_PARAMETERS_H

#include "model/parameter.h"
#include "expect.h"

#include <criterion/criterion.h>

static const char *const colours[] = {"red", "green", "blue", NULL};

/* Returns five values: four parameters and a constant. The caller frees the list. */
static inline mass_parameters five(void)
{
    static const mass_parameter declared[] = {
        {.name = "count", .type = MASS_INTEGER, .integer = 5, .integer_min = -10, .integer_max = 10},
        {.name = "rate", .type = MASS_REAL, .real = 0.5, .real_min = 0, .real_max = 1, .unit = "1/s"},
        {.name = "file", .type = MASS_TEXT, .text = "none", .help = "a file"},
        {.name = "colour", .type = MASS_CHOICE, .choices = colours, .text = "green"}};
    mass_parameters list = {0};
    for (size_t i = 0; i < sizeof declared / sizeof *declared; i++)
        EXPECT_OK(mass_parameters_add(&list, &declared[i], e));
    EXPECT_OK(mass_parameters_add_constant(
        &list, &(mass_constant){.name = "pi", .type = MASS_REAL, .real = 3.25}, e));
    return list;
}

/* Returns the slot of a name, which must exist. */
static inline mass_parameter_slot *slot_of(mass_parameters *list, const char *name)
{
    mass_parameter_slot *slot = mass_parameters_find(list, name);
    cr_assert_not_null(slot, "%s", name);
    return slot;
}

#endif
