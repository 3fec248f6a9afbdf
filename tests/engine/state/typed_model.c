/* SPDX-License-Identifier: Apache-2.0 */
#include "typed_model.h"
#include "snapshot/create.h"
#include "snapshot/snapshot.h"

#include "../expect.h"

#include <mass/random.h>

#include <stdio.h>
#include <stdlib.h>

void scramble(void *memory, size_t bytes, uint64_t seed)
{
    for (size_t i = 0; i < bytes; i++) ((uint8_t *)memory)[i] = (uint8_t)mass_random_block(seed, i, 2, 0, 0).v[0];
}

void scramble_attribute(mass_snapshot *s, uint32_t attribute)
{
    const mass_attribute_def *a = &s->model->attributes[attribute];
    const mass_space_def *space = &s->model->spaces[a->space];
    const size_t bytes = mass_snapshot_size(s, attribute);
    scramble(s->attributes[attribute], bytes, attribute);
    if (a->type != MASS_BIT || space->size[0] % 8 == 0) return;
    const size_t row = (size_t)mass_stored_width(a, space) * a->length;
    for (size_t end = row; end <= bytes; end += row)
        for (uint32_t k = 1; k <= a->length; k++)
            ((uint8_t *)s->attributes[attribute])[end - k] &= (uint8_t)((1u << space->size[0] % 8) - 1);
}

static const mass_member pair_members[] = {{"a", MASS_U32, 0}, {"b", MASS_U8, 4}};
enum { PAIR_SIZE = 5 };
const uint8_t defaults[8] = {0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8};

static void add_attributes(mass_model *m, const char *space, bool bits)
{
    for (uint32_t type = MASS_I8; type <= MASS_STRUCT; type++) {
        if (type == MASS_BIT && !bits) continue;
        for (uint32_t layout = MASS_PLANES; layout <= (type == MASS_BIT ? MASS_PLANES : MASS_INTERLEAVED); layout++) {
            char name[32];
            snprintf(name, sizeof name, "%s_%s", mass_type_name(type), layout == MASS_PLANES ? "planes" : "together");
            EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.space = space, .name = name, .type = type,
                .length = 1 + type % 4, .layout = layout, .initial = defaults, .element_size = PAIR_SIZE,
                .member_count = 2, .members = pair_members}, e));
        }
    }
}

mass_model *make_model(uint32_t dimensions, const mass_gidx size[3])
{
    mass_model *m = calloc(1, sizeof *m);
    snprintf(m->plugin, sizeof m->plugin, "trial");
    const mass_space s = {.name = "s", .dimensions_min = 1, .dimensions_max = 3, .size = {1}, .torus = 5};
    const mass_space other = {.name = "other", .dimensions_min = 1, .dimensions_max = 1, .size = {9}};
    EXPECT_OK(mass_model_add_space(m, &s, size, dimensions, e));
    EXPECT_OK(mass_model_add_space(m, &other, NULL, 0, e));
    add_attributes(m, "s", dimensions > 1 || size[0] > 9 * 512); /* so that nine partitions can be */
    EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.space = "other", .name = "o", .type = MASS_F64}, e));
    const mass_parameter rate = {.name = "rate", .type = MASS_REAL, .real = .75};
    const mass_parameter count = {.name = "count", .type = MASS_INTEGER, .integer = -4};
    EXPECT_OK(mass_parameters_add(&m->parameters, &rate, e));
    EXPECT_OK(mass_parameters_add(&m->parameters, &count, e));
    EXPECT_OK(mass_model_add_tally(m, &(mass_tally){.name = "sum", .access = MASS_SUM}, e));
    EXPECT_OK(mass_model_add_tally(m, &(mass_tally){.name = "least", .access = MASS_MIN, .cumulative = 1}, e));
    EXPECT_OK(mass_model_add_tally(m, &(mass_tally){.name = "most", .access = MASS_MAX}, e));
    EXPECT_OK(mass_model_resolve(m, e));
    m->spaces[0].ghost[0] = 2; /* as some stencil would make it: boxes must not mind */
    return m;
}

void free_model(mass_model *m)
{
    mass_model_free(m);
    free(m);
}

mass_domain *make_domain(const mass_model *m, mass_device *device, int32_t partitions, int32_t worlds)
{
    mass_domain *d = NULL;
    EXPECT_OK(mass_domain_create(m, device, &(mass_domain_options){.partitions = partitions, .worlds = worlds,
                                                .first_world = 3, .seed = 42}, &d, e));
    return d;
}

mass_device *open_device(const mass_device_table *table)
{
    mass_device *device = NULL;
    EXPECT_OK(mass_cpu_table.open(0, 2, &device, e));
    device->table = table;
    return device;
}
