/* SPDX-License-Identifier: Apache-2.0 */
#include "crowd.h"

#include "../../crowd.h"

#include <criterion/criterion.h>

typedef struct bag {
    double weight;
    int32_t kind;
    uint8_t open, spare[3];
} bag;

static const mass_member bag_members[] = {{"weight", MASS_F64, 0}, {"kind", MASS_I32, 8},  {"open", MASS_U8, 12},
                                          {"spare0", MASS_U8, 13}, {"spare1", MASS_U8, 14}, {"spare2", MASS_U8, 15}};

void add_population(mass_model *m, const char *name, const char *space, uint32_t capacity)
{
    mass_error e = {0};
    mass_model_add_population(m, &(mass_population){.name = name, .space = space, .capacity = capacity}, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
}

void add_agent_attribute(mass_model *m, const char *population, const char *name, uint32_t type, uint32_t length,
                         uint32_t layout)
{
    mass_error e = {0};
    mass_attribute a = {.population = population, .name = name, .type = type, .length = length, .layout = layout,
                        .unit = "kg", .help = "what it carries"};
    if (type == MASS_STRUCT) a.element_size = sizeof(bag), a.member_count = 6, a.members = bag_members;
    mass_model_add_attribute(m, &a, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
}

mass_model spaces_model(void)
{
    mass_model m = {.plugin = "ants", .version = "1.0.0"};
    mass_error e = {0};
    mass_model_add_space(&m, &(mass_space){.name = "line", .dimensions_min = 1, .dimensions_max = 1, .size = {40}},
                         NULL, 0, &e);
    mass_model_add_space(&m, &(mass_space){.name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size = {60, 50}},
                         NULL, 0, &e);
    mass_model_add_attribute(&m, &(mass_attribute){.space = "grid", .name = "food", .type = MASS_F32}, &e);
    mass_model_add_tally(&m, &(mass_tally){.name = "births", .access = MASS_SUM}, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
    return m;
}

mass_model crowd_model(void)
{
    mass_model m = spaces_model();
    add_population(&m, "wasps", "line", 0);
    add_population(&m, "ants", "grid", 2);
    add_agent_attribute(&m, "wasps", "sting", MASS_I16, 1, MASS_PLANES);
    add_agent_attribute(&m, "ants", "memory", MASS_F32, 4, MASS_INTERLEAVED);
    add_agent_attribute(&m, "ants", "genes", MASS_U8, 3, MASS_PLANES);
    add_agent_attribute(&m, "ants", "bag", MASS_STRUCT, 1, MASS_PLANES);
    add_agent_attribute(&m, "ants", "bags", MASS_STRUCT, 2, MASS_PLANES);
    add_agent_attribute(&m, "ants", "age", MASS_U64, 1, MASS_PLANES);
    return m;
}

mass_snapshot crowd_snapshot(const mass_model *m, int32_t worlds, uint64_t wasps, uint64_t ants)
{
    mass_snapshot s;
    mass_error e = {0};
    uint64_t x = 88172645463325252;
    const uint64_t agents[MASS_POPULATIONS_MAX] = {wasps, ants};
    cr_assert_eq(mass_snapshot_allocate(&s, m, worlds, agents, &e), MASS_OK);
    for (uint32_t i = 0; i < m->attribute_count; i++)
        for (size_t b = 0; b < mass_snapshot_size(&s, i); b++) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            ((uint8_t *)s.attributes[i])[b] = (uint8_t)x;
        }
    crowd_stand_all(&s);
    s.step = 100;
    return s;
}
