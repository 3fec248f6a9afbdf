/* SPDX-License-Identifier: Apache-2.0 */
/* Networks, attributes of their edges, and callbacks over their nodes, as a plugin declares them. */
#include "model_world.h"

#include "../expect.h"
#include "model/network.h"

#include <stdlib.h>

static const mass_network ring = {.name = "ring", .nodes = 6, .generator = MASS_RING, .degree = 2};

static mass_status add_network(mass_model *m, mass_network n, mass_error *e)
{
    return mass_model_add_network(m, &n, 0, 0, mass_edge_list_read, e);
}

/* Returns the small model with a network and its attributes. */
static mass_model *net(void)
{
    mass_model *m = world();
    EXPECT_OK(add_network(m, ring, e));
    add_attribute(m, "ring", "heat", MASS_I32, 1, MASS_PLANES);
    EXPECT_OK(mass_model_add_edge_attribute(
        m, &(mass_edge_attribute){.network = "ring", .name = "weight", .type = MASS_U16, .initial = 7}, e));
    return m;
}

Test(model_networks, a_network_is_a_space_with_edges)
{
    mass_model *m = net();
    const int space = mass_model_find_space(m, "ring");
    cr_assert_eq(space, 2);
    cr_expect(m->spaces[2].dimensions == 1 && m->spaces[2].size[0] == 6 && m->spaces[2].torus == 0);
    const mass_network_def *n = mass_model_network_of(m, 2);
    cr_assert_not_null(n);
    cr_expect_null(mass_model_network_of(m, 1));
    cr_expect(n->edges == 6 && n->ends.count == 12 && n->ends.source[0] == 1 && n->ends.source[1] == 5);
    EXPECT_OK(mass_model_settle_networks(m, e));
    const mass_edge_attribute_def *a = &m->networks->attributes[mass_model_find_edge_attribute(m, 2, "weight")];
    for (int i = 0; i <= 12; i++) cr_expect_eq(((const uint16_t *)(const void *)a->values)[i], 7);
    cr_expect_eq(mass_model_find_edge_attribute(m, 1, "weight"), -1);
    discard(m);
}

Test(model_networks, declarations_are_checked)
{
    mass_model *m = net();
    mass_network n = ring;
    EXPECT_REFUSAL(add_network(m, n, e), MASS_BAD_PLUGIN, "space 'ring' is declared twice");
    n.name = "2";
    EXPECT_REFUSAL(add_network(m, n, e), MASS_BAD_PLUGIN,
                   "space '2' is not named by letters, digits and '_' (at most 63)");
    n.name = "other", n.nodes = -1;
    EXPECT_REFUSAL(add_network(m, n, e), MASS_BAD_PLUGIN, "space other: an extent of -1 is not at least 1");
    n.nodes = 6, n.generator = 0;
    EXPECT_REFUSAL(add_network(m, n, e), MASS_BAD_PLUGIN, "network 'other' has neither a .file nor a .generator that "
                   "mass/network.h lists");
    n.nodes = 0, n.generator = MASS_RING;
    EXPECT_REFUSAL(add_network(m, n, e), MASS_BAD_USAGE,
                   "network 'other': its .nodes are at least 1, and below 2^31 - 4096");
    mass_edge_attribute a = {.network = "ring", .name = "weight", .type = MASS_F32};
    EXPECT_REFUSAL(mass_model_add_edge_attribute(m, &a, e), MASS_BAD_PLUGIN,
                   "attribute 'weight' of the edges of network 'ring' is declared twice");
    a.name = "bit", a.type = MASS_BIT;
    EXPECT_REFUSAL(mass_model_add_edge_attribute(m, &a, e), MASS_BAD_PLUGIN,
                   "attribute 'bit' of edges has none of the types int8_t to uint64_t, float and double");
    a.type = MASS_I8, a.network = "line";
    EXPECT_REFUSAL(mass_model_add_edge_attribute(m, &a, e), MASS_BAD_PLUGIN,
                   "attribute 'bit' of edges belongs to network 'line', which is not declared before it");
    a.network = "ring", a.initial = 200;
    EXPECT_OK(mass_model_add_edge_attribute(m, &a, e));
    EXPECT_REFUSAL(mass_model_settle_networks(m, e), MASS_BAD_PLUGIN,
                   "attribute 'bit' of edges is of i8, which its .initial is not");
    discard(m);
}

/* Expects that a phase with one field beside an update is refused, or accepted if `text` is NULL. */
static void expect_phase(mass_field field, const char *network, const char *space, const char *text)
{
    mass_model *m = net();
    const mass_field fields[] = {FIELD_OF("h", int32_t, MASS_UPDATE, "heat"), field};
    mass_callback c = callback("walk", fields, 2, 0);
    c.dimensions = 1;
    c.network = network;
    EXPECT_OK(mass_model_settle_networks(m, e));
    EXPECT_OK(add_phase(m, &c, space, MASS_STEP, e));
    if (text) EXPECT_REFUSAL(mass_model_resolve(m, e), MASS_BAD_PLUGIN, text);
    else EXPECT_OK(mass_model_resolve(m, e));
    discard(m);
}

Test(model_networks, callbacks_over_nodes_are_checked)
{
    const mass_field linked = FIELD_OF("theirs", int32_t, MASS_LINKED, "heat");
    const mass_field edge = FIELD_OF("w", uint16_t, MASS_EDGE, "weight");
    expect_phase(linked, "ring", NULL, NULL);
    expect_phase(edge, "ring", NULL, NULL);
    expect_phase(linked, NULL, "ring", NULL);
    expect_phase(linked, "ring", "line", "callback walk is over the nodes of a network, and 'line' is none: declare it "
                                         "by MASS_NETWORK");
    expect_phase((mass_field)FIELD_OF("w", uint16_t, MASS_LINKED, "cold"), "ring", NULL,
                 "callback walk, field w: space 'ring' has no attribute 'cold'");
    expect_phase((mass_field)FIELD_OF("w", int64_t, MASS_LINKED, "heat"), "ring", NULL,
                 "callback walk, field w: its type has to be that of attribute 'heat', i32 of 4 bytes");
    expect_phase((mass_field)FIELD_OF("w", uint16_t, MASS_EDGE, "heat"), "ring", NULL,
                 "callback walk, field w: the edges of network 'ring' have no attribute 'heat'");
    expect_phase((mass_field)FIELD_OF("w", float, MASS_EDGE, "weight"), "ring", NULL,
                 "callback walk, field w: its type has to be that of attribute 'weight', u16 of 2 bytes");
    mass_model *m = world();
    const mass_callback c = {.struct_size = sizeof c, .over = MASS_OVER_PLACES, .name = "walk", .network = "ring",
                             .field_count = 1, .field_size = sizeof(mass_field), .fields = touch_health,
                             .form_size = sizeof(mass_form)};
    EXPECT_REFUSAL(add_phase(m, &c, NULL, MASS_STEP, e), MASS_BAD_PLUGIN,
                   "callback walk runs over space 'ring', which is not declared before it");
    discard(m);
}

Test(model_networks, other_edges_make_another_model)
{
    mass_model *a = net(), *b = net(), *c = world();
    mass_network n = ring;
    n.directed = 1;
    EXPECT_OK(add_network(c, n, e));
    add_attribute(c, "ring", "heat", MASS_I32, 1, MASS_PLANES);
    EXPECT_OK(mass_model_settle_networks(a, e));
    EXPECT_OK(mass_model_settle_networks(b, e));
    EXPECT_OK(mass_model_settle_networks(c, e));
    cr_expect_null(mass_model_difference(a, b));
    cr_expect_str_eq(mass_model_difference(a, c), "its network has other edges");
    discard(a), discard(b), discard(c);
}

Test(model_networks, a_trial_has_a_ring_and_reads_no_file)
{
    mass_model *m = calloc(1, sizeof *m);
    const mass_network n = {.name = "far", .file = "/nowhere/edges.csv", .simple = 1};
    EXPECT_OK(mass_model_add_network(m, &n, 0, 8, mass_edge_list_read, e));
    cr_expect(m->spaces[0].size[0] == 8 && m->networks->list[0].ends.count == 16);
    EXPECT_OK(mass_model_settle_networks(m, e));
    discard(m);
}
