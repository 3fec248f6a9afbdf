/* SPDX-License-Identifier: Apache-2.0 */
/* Agents that write to their place: what they wrote is there for whoever comes next, over every edge and seam,
 * and the model counts as not reproducible. With one agent on a place, it is, and its results are known. */
#include "../expect.h"
#include "run/stepper.h"
#include "snapshot/create.h"
#include "state/box.h"

#include "device/cpu/cpu.h"

#include <mass/kernel.h>

#include <criterion/criterion.h>
#include <stdlib.h>

enum { PLACES = 23, STEPS = 5 };
enum { PILE, SHOWN };

MASS_AGENT(mark, all, 1, SEES(TYPED(around, int64_t, shown)), RACES(TYPED(pile, int64_t)))
{
    HERE(pile) = 2 * HERE(pile) + SEE(around, -1) + (int64_t)AGENT_ID;
}

MASS_STENCIL(show, 1, 1, READS(TYPED(pile, int64_t)), WRITES(TYPED(shown, int64_t)))
{
    OUT(shown) = (3 * NEAR(pile, -1) + NEAR(pile, 1)) % 1000003;
}

MASS_AGENT(mark_twice, all, 1, RACES(TYPED(one, int64_t, pile), TYPED(other, int64_t, pile)))
{
    HERE(one) = HERE(other);
}

/* An agent on every place of a ring; NULL: none marks its place. */
static mass_model *make_model(const mass_callback *marks, const mass_callback *shows, mass_error *error)
{
    mass_model *m = calloc(1, sizeof *m);
    const mass_space ring = {.name = "ring", .dimensions_min = 1, .dimensions_max = 1, .torus = 1, .size = {PLACES}};
    mass_model_add_space(m, &ring, NULL, 0, error);
    mass_model_add_attribute(m, &(mass_attribute){.space = "ring", .name = "pile", .type = MASS_I64}, error);
    mass_model_add_attribute(m, &(mass_attribute){.space = "ring", .name = "shown", .type = MASS_I64}, error);
    mass_model_add_population(m, &(mass_population){.name = "all", .initial = MASS_EVERY_PLACE}, error);
    if (marks)
        mass_model_add_agent_phase(m, &(mass_agent_phase){.schedule = MASS_STEP, .population = "all",
            .callback = marks, .reach = 1}, error);
    mass_model_add_phase(m, &(mass_phase){.schedule = MASS_STEP, .callback = shows}, error);
    mass_model_resolve(m, error);
    return m;
}

static void free_model(mass_model *m)
{
    mass_model_free(m);
    free(m);
}

static void expect_piles(const mass_device_table *table, int32_t partitions)
{
    mass_error none = {0};
    mass_model *m = make_model(&mark, &show, &none);
    cr_assert_eq(none.status, MASS_OK, "%s", none.text);
    mass_device *device;
    mass_domain *domain;
    mass_stepper *stepper;
    EXPECT_OK(mass_cpu_open(table, 2, &device, e));
    EXPECT_OK(mass_domain_create(m, device, &(mass_domain_options){partitions, 1, 0, 1, NULL, NULL, 0}, &domain, e));
    EXPECT_OK(mass_stepper_create(domain, NULL, 0, &stepper, e));
    EXPECT_OK(mass_stepper_start(stepper, e));
    EXPECT_OK(mass_stepper_advance(stepper, STEPS, NULL, e));
    int64_t pile[PLACES] = {0}, shown[PLACES] = {0}, found[PLACES];
    for (int step = 0; step < STEPS; step++) {
        for (int x = 0; x < PLACES; x++) pile[x] = 2 * pile[x] + shown[(x + PLACES - 1) % PLACES] + x;
        for (int x = 0; x < PLACES; x++)
            shown[x] = (3 * pile[(x + PLACES - 1) % PLACES] + pile[(x + 1) % PLACES]) % 1000003;
    }
    EXPECT_OK(mass_domain_read(domain, PILE, 0, (mass_gidx[3]){0}, m->spaces[0].size, found, e));
    cr_expect_arr_eq(found, pile, sizeof pile, "%d partitions", partitions);
    EXPECT_OK(mass_domain_read(domain, SHOWN, 0, (mass_gidx[3]){0}, m->spaces[0].size, found, e));
    cr_expect_arr_eq(found, shown, sizeof shown, "%d partitions", partitions);
    mass_stepper_free(stepper);
    mass_domain_free(domain);
    mass_device_close(device);
    free_model(m);
}

Test(race, what_agents_wrote_is_seen_over_every_edge)
{
    static const int32_t partitions[] = {1, 2, 3, 7};
    for (size_t i = 0; i < sizeof partitions / sizeof *partitions; i++) {
        expect_piles(&mass_cpu_table, partitions[i]);
        expect_piles(&mass_paranoid_table, partitions[i]);
    }
}

Test(race, a_model_with_it_is_marked)
{
    mass_error error = {0};
    mass_model *with = make_model(&mark, &show, &error), *without = make_model(NULL, &show, &error);
    cr_assert_eq(error.status, MASS_OK, "%s", error.text);
    cr_assert(with->racy);
    cr_expect_str_eq(with->racy->name, mark.name);
    cr_expect_null(without->racy);
    free_model(with);
    free_model(without);
}

Test(race, an_attribute_is_written_through_one_field)
{
    mass_error error = {0};
    free_model(make_model(&mark_twice, &show, &error));
    cr_expect_eq(error.status, MASS_BAD_PLUGIN);
    cr_expect_str_eq(error.text, "callback mark_twice: fields one and other are one attribute: have it in RACES once");
}

Test(race, is_for_callbacks_over_agents)
{
    static const mass_field fields[] = {{"pile", "pile", MASS_RACE, MASS_I64, 8, 0}};
    mass_callback over_places = show;
    over_places.fields = fields;
    over_places.field_count = 1;
    mass_error error = {0};
    free_model(make_model(NULL, &over_places, &error));
    cr_expect_eq(error.status, MASS_BAD_PLUGIN);
    cr_expect_str_eq(error.text, "callback show, field pile: it has access 12, which this kind of callback does not: "
                     "mass/callback.h lists them");
}
