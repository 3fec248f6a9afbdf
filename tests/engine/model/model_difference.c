/* SPDX-License-Identifier: Apache-2.0 */
/* Which models cannot be worlds of one run. */
#include "../expect.h"
#include "model_world.h"

#include "model/network.h"

/* Returns a resolved model with a ring whose edges change, people on its nodes, wolves on the grid, and a phase in turn
 * of these. */
static mass_model *model(mass_network ring, mass_population wolves, mass_agent_phase turn)
{
    static mass_callback hunt; /* one object, as a plugin has */
    static const char *const hunters = "wolves";
    mass_model *m = world();
    ring.name = "ring";
    ring.nodes = 9;
    ring.generator = MASS_RING;
    ring.degree = ring.links = 2;
    wolves.name = "wolves";
    wolves.space = "grid";
    hunt = callback("hunt", NULL, 0, 3);
    hunt.over = MASS_OVER_TURNS;
    hunt.populations = &hunters;
    hunt.population_count = 1;
    turn.schedule = MASS_STEP;
    turn.population = "wolves";
    turn.callback = &hunt;
    EXPECT_OK(mass_model_add_network(m, &ring, 0, 0, NULL, e));
    EXPECT_OK(mass_model_add_population(m, &(mass_population){.name = "people", .space = "ring"}, e));
    EXPECT_OK(mass_model_add_population(m, &wolves, e));
    EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.population = "wolves", .name = "age", .type = MASS_I32,
                                                            .length = 1}, e));
    EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.population = "wolves", .name = "food", .type = MASS_I32,
                                                            .length = 1}, e));
    EXPECT_OK(mass_model_add_agent_phase(m, &turn, e));
    EXPECT_OK(mass_model_add_manage(m, &(mass_manage){.schedule = MASS_STEP, .population = "ring_edges"}, e));
    EXPECT_OK(mass_model_settle_networks(m, e));
    EXPECT_OK(mass_model_resolve(m, e));
    return m;
}

/* Expects what two models differ in; NULL: nothing. Frees them. */
static void expect_difference(mass_model *a, mass_model *b, const char *what)
{
    const char *there = mass_model_difference(a, b), *back = mass_model_difference(b, a);
    cr_expect(what ? there && strcmp(there, what) == 0 : !there, "%s", there ? there : "no difference");
    cr_expect_eq(there, back);
    discard(a), discard(b);
}

#define NETWORK(...) model((mass_network){__VA_ARGS__}, (mass_population){0}, (mass_agent_phase){0})
#define POPULATION(...) model((mass_network){0}, (mass_population){__VA_ARGS__}, (mass_agent_phase){0})
#define TURN(...) model((mass_network){0}, (mass_population){0}, (mass_agent_phase){__VA_ARGS__})

Test(difference, counts_and_distances_may_differ)
{
    expect_difference(POPULATION(.count = 1), POPULATION(.count = 2), NULL);
    expect_difference(TURN(.reach = 1), TURN(.reach = 3), NULL);
    expect_difference(TURN(.meets = 1), TURN(.meets = 2, .changes = 1), NULL);
}

Test(difference, networks_that_take_other_requests)
{
    expect_difference(NETWORK(0), NETWORK(.simple = 1), "its network has another .simple or .dies");
    expect_difference(NETWORK(0), NETWORK(.dies = "people"), "its network has another .simple or .dies");
}

Test(difference, populations_in_which_nobody_dies)
{
    expect_difference(POPULATION(0), POPULATION(.constant = 1), "it has other populations");
}

Test(difference, orders_of_a_turn)
{
    static const char other[] = "it has another schedule";
    expect_difference(TURN(0), TURN(.order = "id"), other);
    expect_difference(TURN(0), TURN(.reversed = 1), other);
    expect_difference(TURN(.order = "age"), TURN(.order = "id"), other);
    expect_difference(TURN(.order = "age"), TURN(.order = "food"), other);
    expect_difference(TURN(.order = "age"), TURN(.order = "age", .reversed = 1), other);
    expect_difference(TURN(0), TURN(.shape = MASS_AXES), other);
}
