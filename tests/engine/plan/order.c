/* SPDX-License-Identifier: Apache-2.0 */
/* A manage may leave its agents unsorted only if nobody looks at their order before the next one, whoever it is of. */
#include "../model/model_world.h"
#include "../expect.h"
#include "population/requests.h"
#include "snapshot/create.h"

#include "device/cpu/cpu.h"
#include "plan/plan.h"

#include <stdlib.h>

/* Phases of a step: sheep go twice, each time with a manage behind, and wolves do something in between. */
enum { FIRST_GO, FIRST_MANAGE, WATCH, SECOND_GO, SECOND_MANAGE };

typedef struct scene {
    mass_model model;
    mass_device *device;
    mass_domain *domain;
} scene;

static void add_agent_phase(mass_model *m, const char *population, const mass_callback *c)
{
    EXPECT_OK(mass_model_add_agent_phase(m, &(mass_agent_phase){.schedule = MASS_STEP, .population = population,
                                                                .callback = c}, e));
}

static void add_manage(mass_model *m, const char *population)
{
    EXPECT_OK(mass_model_add_manage(m, &(mass_manage){.schedule = MASS_STEP, .population = population}, e));
}

/* sees: wolves see sheep. constant: the number of each never changes. */
static void make_model(mass_model *m, bool sees, bool constant)
{
    static const char *const both[] = {"wolves", "sheep"};
    static const mass_field age[] = {FIELD_OF("age", int32_t, MASS_UPDATE, "age")};
    mass_callback go = callback("go", age, 1, 0), watch = callback("watch", age, 1, 0);
    go.over = watch.over = MASS_OVER_AGENTS;
    watch.populations = both;
    watch.population_count = sees ? 2 : 1;
    add_space(m, "field", 2, 8);
    for (int p = 0; p < 2; p++) {
        const char *name = p ? "wolves" : "sheep";
        EXPECT_OK(mass_model_add_population(m, &(mass_population){.name = name, .space = "field", .count = 4,
                                                                  .capacity = 1, .constant = constant}, e));
        EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.population = name, .name = "age", .type = MASS_I32,
                                                                .length = 1}, e));
    }
    add_agent_phase(m, "sheep", &go);
    add_manage(m, "sheep");
    add_agent_phase(m, "wolves", &watch);
    add_agent_phase(m, "sheep", &go);
    add_manage(m, "sheep");
    EXPECT_OK(mass_model_resolve(m, e));
}

static void make_scene_of(scene *s, bool sees, bool constant)
{
    *s = (scene){0};
    make_model(&s->model, sees, constant);
    EXPECT_OK(mass_device_open("cpu", 1, false, &s->device, e));
    EXPECT_OK(mass_domain_create(&s->model, s->device, &(mass_domain_options){.partitions = 1, .worlds = 1}, &s->domain,
                                 e));
}

static void make_scene(scene *s, bool sees) { make_scene_of(s, sees, false); }

static void discard_scene(scene *s)
{
    mass_domain_free(s->domain);
    mass_device_close(s->device);
    mass_model_free(&s->model);
}

/* What the first manage of sheep leaves, and whether the second one finds just that. */
static mass_order left_between_manages(const scene *s)
{
    mass_plan *plan;
    EXPECT_OK(mass_plan_create(s->domain, &plan, e));
    const mass_plan_operation *list = plan->step.list, *manages[2] = {NULL};
    for (uint32_t i = 0, k = 0; i < plan->step.count; i++)
        if (list[i].kind == MASS_PLAN_MANAGE && k < 2) manages[k++] = &list[i];
    cr_assert(manages[1] && manages[1]->phase == SECOND_MANAGE);
    cr_assert_eq(manages[0]->order.finds, MASS_ORDER_SORTED);
    cr_assert_eq(manages[1]->order.finds, manages[0]->order.leaves);
    cr_assert_eq(manages[1]->order.leaves, MASS_ORDER_SORTED, "a step ends with agents in order");
    const mass_order left = manages[0]->order.leaves;
    mass_plan_free(plan);
    return left;
}

Test(order, a_manage_sorts_for_the_phase_of_another_population_that_reads_its_agents)
{
    scene s;
    make_scene(&s, false);
    cr_assert_eq(left_between_manages(&s), MASS_ORDER_ANY, "wolves look at themselves alone");
    discard_scene(&s);
    make_scene(&s, true);
    cr_assert_eq(left_between_manages(&s), MASS_ORDER_SORTED, "wolves look at sheep");
    discard_scene(&s);
}

/* Recorded manages may leave any order although nothing can stop them: nobody dies or is born. */
Test(order, a_recorded_manage_of_constant_agents_need_not_sort)
{
    scene s;
    make_scene_of(&s, false, true);
    cr_assert_null(s.domain->closed.device);
    const mass_device_table *const table = s.device->table;
    const mass_record_operations record = {.struct_size = sizeof record};
    mass_device_table records = *table;
    records.record = &record;
    s.device->table = &records;
    cr_assert_eq(left_between_manages(&s), MASS_ORDER_ANY);
    s.device->table = table;
    discard_scene(&s);
}

/* The requirement is a part of the plan: the launch has an operand for each population whose order it reads. */
Test(order, a_launch_reads_the_order_of_every_population_that_it_sees)
{
    scene s;
    make_scene(&s, true);
    mass_plan *plan;
    EXPECT_OK(mass_plan_create(s.domain, &plan, e));
    const mass_plan_operation *watch = &plan->step.list[mass_plan_find_phase(&plan->step, WATCH)];
    mass_order required[] = {MASS_ORDER_ANY, MASS_ORDER_ANY};
    int orders = 0;
    for (uint32_t i = 0; i < watch->operand_count; i++)
        if (watch->operands[i].data == MASS_DATA_ORDER) {
            required[watch->operands[i].index] = watch->operands[i].order;
            orders++;
        }
    cr_assert(orders == 2 && required[0] == MASS_ORDER_SORTED && required[1] == MASS_ORDER_ANY);
    mass_plan_free(plan);
    discard_scene(&s);
}

/* The order that a manage finds and leaves if the plan allows any.
 * cut: places are divided among ranks.
 * remote: their agents are on GPUs.
 * always: somebody has died or was born. */
typedef struct turn {
    bool cut, remote, always, recorded;
    mass_manage_order order;
} turn;

Test(order, a_manage_finds_and_leaves_what_the_way_it_is_done_allows)
{
    const mass_order ANY = MASS_ORDER_ANY, SORTED = MASS_ORDER_SORTED;
    const turn turns[] = {
        {false, false, false, false, {ANY, ANY}}, {false, false, true, false, {ANY, SORTED}},
        {false, true, false, false, {ANY, ANY}},  {false, true, true, false, {ANY, SORTED}},
        {false, true, false, true, {ANY, ANY}},   {false, true, true, true, {ANY, SORTED}},
        {true, false, false, false, {ANY, ANY}},  {true, false, true, false, {SORTED, SORTED}},
        {true, true, false, false, {SORTED, SORTED}}, {true, true, true, false, {SORTED, SORTED}},
        {true, true, false, true, {ANY, ANY}},    {true, true, true, true, {ANY, SORTED}}};
    static const mass_remote_operations remote;
    static mass_domain d;
    int64_t first_place[2] = {0};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        const turn *t = &turns[i];
        const mass_agents_operations agents = {.remote = t->remote ? &remote : NULL};
        const mass_device_table table = {.agents = &agents};
        mass_device device = {&table};
        d.device = &device;
        d.populations[1].first_place = t->cut ? first_place : NULL;
        d.populations[1].sorts_always = t->always;
        const mass_manage_order any = {ANY, ANY}, none = {SORTED, SORTED};
        const mass_manage_order is = mass_population_order(&d, 1, any, t->recorded);
        const mass_manage_order sorted = mass_population_order(&d, 1, none, t->recorded);
        cr_expect(is.finds == t->order.finds && is.leaves == t->order.leaves, "turn %zu", i);
        cr_expect(sorted.finds == SORTED && sorted.leaves == SORTED, "turn %zu", i);
    }
}
