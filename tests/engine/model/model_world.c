/* SPDX-License-Identifier: Apache-2.0 */
#include "model_world.h"

#include "../expect.h"

#include <stdlib.h>

void add_space(mass_model *m, const char *name, uint32_t dimensions, mass_gidx extent)
{
    mass_space s = {.name = name, .dimensions_min = dimensions, .dimensions_max = dimensions};
    for (uint32_t a = 0; a < dimensions; a++) s.size[a] = extent;
    EXPECT_OK(mass_model_add_space(m, &s, NULL, 0, e));
}

void add_attribute(mass_model *m, const char *space, const char *name, uint32_t type, uint32_t length, uint32_t layout)
{
    const mass_attribute a = {.space = space, .name = name, .type = type, .length = length, .layout = layout};
    EXPECT_OK(mass_model_add_attribute(m, &a, e));
}

mass_model *world(void)
{
    mass_model *m = calloc(1, sizeof *m);
    add_space(m, "grid", 2, 16);
    add_space(m, "line", 1, 8);
    add_attribute(m, "grid", "health", MASS_U8, 0, MASS_PLANES);
    add_attribute(m, "line", "health", MASS_U16, 1, MASS_PLANES);
    add_attribute(m, "grid", "flow", MASS_F32, 3, MASS_PLANES);
    add_attribute(m, "grid", "colour", MASS_U8, 3, MASS_INTERLEAVED);
    EXPECT_OK(mass_parameters_add(&m->parameters, &(mass_parameter){.name = "count", .type = MASS_INTEGER}, e));
    EXPECT_OK(mass_parameters_add(&m->parameters, &(mass_parameter){.name = "rate", .type = MASS_REAL}, e));
    EXPECT_OK(mass_parameters_add(&m->parameters, &(mass_parameter){.name = "file", .type = MASS_TEXT}, e));
    EXPECT_OK(mass_parameters_add_constant(&m->parameters,
                                           &(mass_constant){.name = "two", .type = MASS_INTEGER, .integer = 2}, e));
    EXPECT_OK(mass_model_add_tally(m, &(mass_tally){.name = "births", .access = MASS_SUM}, e));
    EXPECT_OK(mass_model_add_tally(m, &(mass_tally){.name = "peak", .access = MASS_MAX, .kind = MASS_TALLY_REAL}, e));
    EXPECT_OK(mass_model_add_tally(m, &(mass_tally){.name = "total", .access = MASS_SUM, .cumulative = 1}, e));
    return m;
}

void discard(mass_model *m)
{
    mass_model_free(m);
    cr_assert(m->attributes == NULL && m->phases == NULL && m->space_count == 0);
    free(m);
}

static void idle_loop(const void *fields, const mass_launch *launch, const mass_range *range)
{
    (void)fields;
    (void)launch;
    (void)range;
}

static const mass_form forms[] = {
    {sizeof(mass_form), MASS_FORM_LOOP, 0, 0, idle_loop, NULL, 1, 1, 1, 0},
    {sizeof(mass_form), MASS_FORM_LOOP, 0, MASS_FORM_TALLIES, idle_loop, NULL, 1, 1, 1, 0}};

mass_callback callback(const char *name, const mass_field *fields, uint32_t count, int32_t radius)
{
    return (mass_callback){.struct_size = sizeof(mass_callback), .over = MASS_OVER_PLACES, .name = name,
        .dimensions = 0, .radius = radius, .field_count = count, .field_size = sizeof(mass_field),
        .fields = fields, .form_count = COUNT(forms), .form_size = sizeof(mass_form), .forms = forms};
}

mass_status add_phase(mass_model *m, const mass_callback *c, const char *space, uint32_t schedule, mass_error *error)
{
    return mass_model_add_phase(m, &(mass_phase){.schedule = schedule, .space = space, .callback = c}, error);
}

const mass_member cell_members[3] = {{"id", MASS_U32, 0}, {"kind", MASS_U16, 4}, {"more", MASS_U16, 6}};

const mass_field touch_health[1] = {FIELD_OF("h", uint8_t, MASS_UPDATE, "health")};
