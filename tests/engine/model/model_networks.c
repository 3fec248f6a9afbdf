/* SPDX-License-Identifier: Apache-2.0 */
/* Networks, attributes of their edges, and callbacks over their nodes, as a plugin declares them. */
#include "model_world.h"

#include "../expect.h"
#include "model/network.h"

#include <stdio.h>
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
                   "network 'other': it has no nodes: set the parameter that names its file of edges (file), or "
                   ".nodes, below 2^31 - 4096");
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

/* Expects that a phase over nodes in turn, with one field beside an update, is refused, or accepted if `text` is
 * NULL. */
static void expect_turn(mass_field field, mass_agent_phase phase, const char *text)
{
    mass_model *m = net();
    const mass_field fields[] = {FIELD_OF("h", int32_t, MASS_UPDATE, "heat"), field};
    mass_callback c = callback("walk", fields, 2, 0);
    mass_error error = {0};
    c.over = MASS_OVER_NODES_IN_TURN;
    c.dimensions = 1;
    c.network = "ring";
    phase.schedule = MASS_STEP;
    phase.callback = &c;
    EXPECT_OK(mass_model_settle_networks(m, e));
    mass_status status = mass_model_add_agent_phase(m, &phase, &error);
    if (status == MASS_OK) status = mass_model_resolve(m, &error);
    cr_expect_eq(status, text ? MASS_BAD_PLUGIN : MASS_OK, "%s", error.text);
    if (text) cr_expect(strstr(error.text, text), "%s", error.text);
    else {
        const mass_phase_def *p = &m->phases[m->phase_count - 1];
        cr_expect(mass_phase_turns_nodes(p) && mass_phase_turns_places(p) && p->turn_scope.sees == 1);
        cr_expect_eq(p->turn_scope.axes, MASS_TURN_ALONG_EDGES);
        cr_expect_eq(p->turn_scope.changes, field.access == MASS_RESIDENT_UPDATE);
    }
    discard(m);
}

Test(model_networks, nodes_in_turn_are_checked)
{
    const mass_field linked = FIELD_OF("theirs", int32_t, MASS_LINKED, "heat");
    expect_turn(linked, (mass_agent_phase){0}, NULL);
    expect_turn((mass_field)FIELD_OF("theirs", int32_t, MASS_RESIDENT_UPDATE, "heat"), (mass_agent_phase){0}, NULL);
    expect_turn((mass_field)FIELD_OF("w", uint16_t, MASS_EDGE, "weight"), (mass_agent_phase){.order = "heat"}, NULL);
    expect_turn(linked, (mass_agent_phase){.space = "line"}, "callback walk is over the nodes of a network, and 'line' "
                                                             "is none: declare it by MASS_NETWORK");
    expect_turn(linked, (mass_agent_phase){.order = "cold"}, "callback walk: the .order of its phase is 'cold', which "
                "is no attribute in its list: add it to READS, or name another one or \"id\"");
    expect_turn(linked, (mass_agent_phase){.changes = 1}, "callback walk is over nodes in turn, whose entries say how "
                "far it acts, and its phase has .changes: leave it out");
    expect_turn(linked, (mass_agent_phase){.shape = MASS_AXES}, "and its phase has .shape: leave it out");
    expect_turn(linked, (mass_agent_phase){.turn = "day"}, "callback walk does not let agents act in turn, and its "
                "phase has .turn");
    expect_turn((mass_field)FIELD_OF("h2", int32_t, MASS_READ, "heat"), (mass_agent_phase){0},
                "callback walk: fields h and h2 are one attribute");
    expect_turn((mass_field)FIELD_OF("h2", int32_t, MASS_WRITE, "heat"), (mass_agent_phase){0},
                "callback walk, field h2: it has access 2, which this kind of callback does not");
}

/* Who writes a statement over agents for a network or a space is told which one to write. */
Test(model_networks, networks_and_spaces_are_no_populations)
{
    static const struct { uint32_t over; const char *population, *text; } all[] = {
        {MASS_OVER_TURNS, "ring", "'ring', which is a network: let it run over its nodes by MASS_IN_TURN_NODES"},
        {MASS_OVER_AGENTS, "ring", "'ring', which is a network: let it run over its nodes by MASS_NODES"},
        {MASS_OVER_TURNS, "line", "'line', which is a space: let it run over its places by MASS_IN_TURN_PLACES"},
        {MASS_OVER_AGENTS, "line", "'line', which is a space: let it run over its places by MASS_MAP or MASS_STENCIL"},
        {MASS_OVER_TURNS, "folk", "'folk', which is not declared before it"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        mass_model *m = net();
        const mass_field field = FIELD_OF("h", int32_t, MASS_UPDATE, "heat");
        mass_callback c = callback("walk", &field, 1, 0);
        mass_error error = {0};
        c.over = all[i].over;
        c.populations = &all[i].population;
        c.population_count = 1;
        const mass_agent_phase phase = {.schedule = MASS_STEP, .population = all[i].population, .callback = &c};
        cr_expect_eq(mass_model_add_agent_phase(m, &phase, &error), MASS_BAD_PLUGIN);
        cr_expect(strstr(error.text, all[i].text), "%s", error.text);
        discard(m);
    }
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

/* Returns the small model with a network whose edges may change. */
static mass_model *changing(void)
{
    mass_model *m = world();
    mass_network n = ring;
    n.links = 2;
    EXPECT_OK(add_network(m, n, e));
    add_attribute(m, "ring", "heat", MASS_I32, 1, MASS_PLANES);
    EXPECT_OK(mass_model_add_edge_attribute(
        m, &(mass_edge_attribute){.network = "ring", .name = "weight", .type = MASS_U16, .initial = 7}, e));
    EXPECT_OK(mass_model_settle_networks(m, e));
    return m;
}

Test(model_networks, edges_that_change_are_agents)
{
    mass_model *m = changing();
    const int edges = mass_model_find_population(m, "ring_edges");
    cr_assert_eq(mass_model_edges_of(m, 2), edges);
    cr_expect(mass_model_is_of_edges(m, (uint32_t)edges));
    cr_expect_eq(m->populations[edges].sprouts, 2);
    cr_expect(mass_model_find_agent_attribute(m, (uint32_t)edges, "source") >= 0);
    cr_expect(mass_model_find_agent_attribute(m, (uint32_t)edges, "weight") >= 0);
    cr_expect_eq(mass_model_edges_of(m, 0), -1);
    mass_network n = ring;
    n.name = "other", n.links = 256;
    EXPECT_REFUSAL(add_network(m, n, e), MASS_BAD_PLUGIN,
                   "network 'other': a node may ask for 255 edges at once, and its .links is 256");
    cr_expect_eq(mass_model_find_space(m, "other"), -1);
    EXPECT_REFUSAL(mass_model_resolve(m, e), MASS_BAD_PLUGIN,
                   "network 'ring' has .links, and no phase changes its edges: declare one, RELINKS(ring)");
    discard(m);
}

/* Returns the model with a network whose .dies is a population that is declared later. */
static mass_model *dying(const char *dies)
{
    mass_model *m = world();
    mass_network n = ring;
    n.links = 2, n.dies = dies;
    EXPECT_OK(add_network(m, n, e));
    EXPECT_OK(mass_model_add_population(m, &(mass_population){.name = "folk", .space = "ring", .count = 3}, e));
    EXPECT_OK(mass_model_add_population(m, &(mass_population){.name = "bees", .space = "grid", .count = 3}, e));
    EXPECT_OK(mass_model_add_manage(m, &(mass_manage){.schedule = MASS_STEP, .population = "ring_edges"}, e));
    EXPECT_OK(mass_model_settle_networks(m, e));
    return m;
}

Test(model_networks, edges_end_with_a_population_on_their_nodes)
{
    static const char *const others[] = {"nobody", "bees", "ring_edges"};
    mass_model *m = dying("folk");
    EXPECT_OK(mass_model_resolve(m, e));
    cr_expect_eq(mass_model_network_of(m, 2)->dies, mass_model_find_population(m, "folk"));
    cr_expect_eq(mass_phase_dies(m, &m->phases[m->phase_count - 1]), mass_model_find_population(m, "folk"));
    discard(m);
    for (int i = 0; i < 3; i++) {
        char said[200];
        snprintf(said, sizeof said, "network 'ring': its .dies '%s' is not a population on its nodes", others[i]);
        m = dying(others[i]);
        EXPECT_REFUSAL(mass_model_resolve(m, e), MASS_BAD_PLUGIN, said);
        discard(m);
    }
    mass_network n = ring;
    n.name = "still", n.dies = "folk";
    m = world();
    EXPECT_REFUSAL(add_network(m, n, e), MASS_BAD_PLUGIN,
                   "network 'still' has .dies, and its edges do not change: give it .links, of 1 or more");
    discard(m);
}

Test(model_networks, requests_for_edges_come_before_their_phase)
{
    static const char *const sees[] = {"ring_edges"};
    const mass_field fields[] = {FIELD_OF("h", int32_t, MASS_UPDATE, "heat"),
                                 FIELD_OF("source", uint32_t, MASS_SPROUT, "source")};
    mass_callback c = callback("ask", fields, 2, 0);
    c.dimensions = 1, c.network = "ring", c.population_count = 1, c.populations = sees;
    for (int late = 0; late < 2; late++) {
        mass_model *m = changing();
        const mass_manage relink = {.schedule = MASS_STEP, .population = "ring_edges"};
        if (late) EXPECT_OK(mass_model_add_manage(m, &relink, e));
        EXPECT_OK(add_phase(m, &c, NULL, MASS_STEP, e));
        if (!late) EXPECT_OK(mass_model_add_manage(m, &relink, e));
        if (late)
            EXPECT_REFUSAL(mass_model_resolve(m, e), MASS_BAD_PLUGIN, "callback ask asks for edges of network 'ring', "
                           "and no phase after it makes them: declare RELINKS(ring) behind it");
        else EXPECT_OK(mass_model_resolve(m, e));
        discard(m);
    }
}

/* Declares a further set of edges on the nodes of the ring. */
static mass_status add_set(mass_model *m, mass_network n, mass_error *e)
{
    n.of = n.of ? n.of : "ring";
    return mass_model_add_network(m, &n, 0, 0, mass_edge_list_read, e);
}

Test(model_networks, a_set_of_edges_is_on_the_nodes_of_its_network)
{
    mass_model *m = net();
    const mass_network work = {.name = "work", .generator = MASS_RANDOM_EDGES, .edges = 4, .directed = 1};
    EXPECT_OK(add_set(m, work, e));
    EXPECT_OK(mass_model_add_edge_attribute(
        m, &(mass_edge_attribute){.network = "work", .name = "weight", .type = MASS_F32, .initial = 2}, e));
    EXPECT_OK(mass_model_settle_networks(m, e));
    cr_expect_eq(m->space_count, 3);
    cr_expect_eq(mass_model_network_of(m, 2)->edges, 6);
    cr_expect_eq(m->networks->list[1].ends.count, 4);
    cr_expect_eq(m->networks->attributes[mass_model_find_edge_attribute(m, 2, "weight")].type, MASS_U16);
    discard(m);
}

Test(model_networks, sets_of_edges_are_checked)
{
    mass_model *m = net();
    mass_network work = {.name = "work", .generator = MASS_RANDOM_EDGES, .edges = 4};
    work.of = "line";
    EXPECT_REFUSAL(add_set(m, work, e), MASS_BAD_PLUGIN,
                   "set of edges 'work' is of network 'line', which is not declared before it");
    work.of = NULL, work.nodes = 3;
    EXPECT_REFUSAL(add_set(m, work, e), MASS_BAD_PLUGIN,
                   "set of edges 'work' has .nodes, which only its network may have");
    work.nodes = 0, work.name = "ring";
    EXPECT_REFUSAL(add_set(m, work, e), MASS_BAD_PLUGIN,
                   "set of edges 'ring' has the name of another set, space or population");
    work.name = "work", work.generator = 0;
    EXPECT_REFUSAL(add_set(m, work, e), MASS_BAD_PLUGIN, "network 'work' has neither a .file nor a .generator that "
                   "mass/network.h lists");
    discard(m);
}

Test(model_networks, callbacks_walk_sets_that_there_are)
{
    static const char *const work[] = {"work"}, *const play[] = {"play"};
    const mass_field fields[] = {FIELD_OF("h", int32_t, MASS_UPDATE, "heat"),
                                 {.name = "w", .target = "pay", .access = MASS_EDGE, .type = MASS_F32,
                                  .size = sizeof(float), .population = 1}};
    for (int i = 0; i < 3; i++) {
        mass_model *m = net();
        mass_callback c = callback("walk", fields, 2, 0);
        c.dimensions = 1, c.network = "ring", c.sets = i == 1 ? play : work, c.set_count = 1;
        EXPECT_OK(add_set(m, (mass_network){.name = "work", .generator = MASS_RANDOM_EDGES, .edges = 4}, e));
        EXPECT_OK(mass_model_add_edge_attribute(
            m, &(mass_edge_attribute){.network = "work", .name = i == 2 ? "time" : "pay", .type = MASS_F32}, e));
        EXPECT_OK(mass_model_settle_networks(m, e));
        EXPECT_OK(add_phase(m, &c, NULL, MASS_STEP, e));
        if (i == 0) EXPECT_OK(mass_model_resolve(m, e));
        if (i == 1)
            EXPECT_REFUSAL(mass_model_resolve(m, e), MASS_BAD_PLUGIN, "callback walk walks 'play', which is no set of "
                           "edges of network 'ring': declare it by MASS_EDGE_SET");
        if (i == 2)
            EXPECT_REFUSAL(mass_model_resolve(m, e), MASS_BAD_PLUGIN,
                           "callback walk, field w: the edges of set 'work' have no attribute 'pay'");
        discard(m);
    }
}

Test(model_networks, a_turned_set_has_the_edges_that_go_out)
{
    mass_model *m = world();
    mass_network n = {.name = "ring", .nodes = 9, .generator = MASS_RANDOM_EDGES, .edges = 30, .directed = 1,
                      .seed = 3};
    EXPECT_OK(add_network(m, n, e));
    n.name = "leaving", n.nodes = 0, n.turned = 1;
    EXPECT_OK(add_set(m, n, e));
    const mass_edge_ends *in = &m->networks->list[0].ends, *out = &m->networks->list[1].ends;
    int came[9][9] = {{0}}, left[9][9] = {{0}};
    for (int i = 0; i < 9; i++) {
        for (uint64_t k = in->first[i]; k < in->first[i + 1]; k++) came[in->source[k]][i]++;
        for (uint64_t k = out->first[i]; k < out->first[i + 1]; k++) left[i][out->source[k]]++;
    }
    cr_expect(in->count == 30 && out->count == 30);
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 9; k++) cr_expect_eq(came[i][k], left[i][k], "%d to %d", i, k);
    discard(m);
}

/* Reads a file of edges; the name tells which. */
static mass_status read_known(const mass_network *n, mass_gidx nodes, const mass_node_names *known,
                              mass_edge_list *out, mass_error *error)
{
    static const char *const contents[][2] = {{"home.csv", "source,target\nann,bob\nbob,eve\n"},
                                              {"job.csv", "source,target\neve,ann\n"},
                                              {"other.csv", "source,target\neve,zoe\n"},
                                              {"pay.csv", "source,target,weight,wieght\n0,1,2,3\n1,2,4,5\n"},
                                              {"kind.csv", "kind,source,target,weight,wieght,pay\n"
                                                           "a,0,1,2,3,4\nb,1,2,4,,high\n"}};
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        if (strcmp(contents[i][0], n->file) != 0) continue;
        FILE *const file = fmemopen((void *)(uintptr_t)contents[i][1], strlen(contents[i][1]), "r");
        const mass_status status = mass_edge_list_parse(file, n, nodes, known, out, error);
        fclose(file);
        return status;
    }
    return mass_error_set(error, MASS_FAILED, "there is no %s", n->file);
}

Test(model_networks, a_set_of_edges_names_the_nodes_of_its_network)
{
    mass_model m = {0};
    mass_error e = {0};
    const mass_network home = {.name = "home", .file = "home.csv"};
    mass_network job = {.name = "job", .file = "job.csv", .of = "home", .directed = 1};
    cr_assert_eq(mass_model_add_network(&m, &home, 0, 0, read_known, &e), MASS_OK, "%s", e.text);
    cr_assert_eq(mass_model_add_network(&m, &job, 0, 0, read_known, &e), MASS_OK, "%s", e.text);
    const mass_edge_ends *const ends = &m.networks->list[1].ends;
    cr_expect(ends->nodes == 3 && ends->count == 1 && ends->first[1] == 1 && ends->source[0] == 2);
    job.name = "other", job.file = "other.csv";
    cr_expect_eq(mass_model_add_network(&m, &job, 0, 0, read_known, &e), MASS_BAD_INPUT);
    cr_expect_str_eq(e.text, "other.csv, line 2: no node has the name 'zoe', among those of network 'other'");
    mass_model_free(&m);
}

Test(model_networks, a_column_that_is_no_attribute_is_known)
{
    mass_model m = {0};
    mass_error e = {0};
    const mass_network home = {.name = "home", .file = "pay.csv"};
    const mass_edge_attribute weight = {.network = "home", .name = "weight", .type = MASS_F32, .initial = 1};
    const mass_edge_attribute pay = {.network = "home", .name = "pay", .type = MASS_F32, .initial = 1};
    cr_assert_eq(mass_model_add_network(&m, &home, 0, 0, read_known, &e), MASS_OK, "%s", e.text);
    cr_assert_eq(mass_model_add_edge_attribute(&m, &weight, &e), MASS_OK, "%s", e.text);
    cr_assert_eq(mass_model_add_edge_attribute(&m, &pay, &e), MASS_OK, "%s", e.text);
    cr_assert_eq(mass_model_settle_networks(&m, &e), MASS_OK, "%s", e.text);
    cr_expect_eq(m.networks->list[0].unused_count, 1);
    cr_expect_str_eq(m.networks->list[0].unused[0], "wieght");
    cr_expect(m.networks->attributes[0].from_file && !m.networks->attributes[1].from_file);
    mass_model_free(&m);
}

Test(model_networks, a_column_of_texts_is_left_out_unless_it_is_an_attribute)
{
    mass_model m = {0};
    mass_error e = {0};
    const mass_network home = {.name = "home", .file = "kind.csv"};
    const mass_edge_attribute weight = {.network = "home", .name = "weight", .type = MASS_F32, .initial = 1};
    const mass_edge_attribute pay = {.network = "home", .name = "pay", .type = MASS_F32, .initial = 1};
    cr_assert_eq(mass_model_add_network(&m, &home, 0, 0, read_known, &e), MASS_OK, "%s", e.text);
    cr_assert_eq(mass_model_add_edge_attribute(&m, &weight, &e), MASS_OK, "%s", e.text);
    cr_assert_eq(mass_model_settle_networks(&m, &e), MASS_OK, "%s", e.text);
    cr_expect_eq(m.networks->list[0].unused_count, 3);
    cr_expect_str_eq(m.networks->list[0].unused[0], "kind");
    cr_expect_str_eq(m.networks->list[0].unused[1], "wieght");
    cr_expect_str_eq(m.networks->list[0].unused[2], "pay");
    cr_expect_eq(((const float *)m.networks->attributes[0].values)[0], 2);
    mass_model_free(&m);
    cr_assert_eq(mass_model_add_network(&m, &home, 0, 0, read_known, &e), MASS_OK, "%s", e.text);
    cr_assert_eq(mass_model_add_edge_attribute(&m, &pay, &e), MASS_OK, "%s", e.text);
    cr_expect_eq(mass_model_settle_networks(&m, &e), MASS_BAD_INPUT);
    cr_expect_str_eq(e.text, "kind.csv, line 3: 'high' in column 'pay' is no finite number");
    mass_model_free(&m);
}

Test(model_networks, a_body_that_asks_for_edges_says_what_is_missing)
{
    const char *const seen[] = {"ring_edges"};
    mass_model *m = net();
    const mass_callback c = {.struct_size = sizeof c, .over = MASS_OVER_PLACES, .name = "walk", .network = "ring",
                             .field_size = sizeof(mass_field), .form_size = sizeof(mass_form), .populations = seen,
                             .population_count = 1};
    EXPECT_REFUSAL(add_phase(m, &c, NULL, MASS_STEP, e), MASS_BAD_PLUGIN, "callback walk asks for edges (LINKS), and "
                   "those of its network do not change: give the network .links");
    discard(m);
}
