/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of agents are read back as the same agents, bit for bit. */
#include "io/export/agents_csv.h"
#include "io/input/table.h"
#include "model/network.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AGENTS = 400, WORLDS = 2, FIRST_WORLD = 5, WIDTH = 5, HEIGHT = 4, DEPTH = 3 };

static uint64_t random_state = 9;
static uint64_t draw(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return random_state >> 20 ^ random_state << 40;
}

static void add_attribute(mass_model *m, const char *name, uint32_t type, uint32_t length, uint32_t position)
{
    mass_error e = {0};
    static const mass_member members[] = {{"one", MASS_U16, 0}, {"two", MASS_U16, 2}};
    const bool is_struct = type == MASS_STRUCT;
    const mass_attribute a = {.population = "folk", .name = name, .type = type, .length = length, .position = position,
                              .element_size = is_struct ? 4 : 0, .member_count = is_struct ? 2 : 0,
                              .members = is_struct ? members : NULL};
    cr_assert_eq(mass_model_add_attribute(m, &a, &e), MASS_OK, "%s", e.text);
}

/* Folk of a space; in continuous space if they get positions. */
static mass_model make_model(uint32_t dimensions)
{
    mass_model m = {.plugin = "folk"};
    mass_error e = {0};
    const mass_space grid = {.name = "grid", .dimensions_min = 1, .dimensions_max = 3, .size = {WIDTH, HEIGHT, DEPTH},
                             .cell = 0.1};
    mass_model_add_space(&m, &grid, (const mass_gidx[]){WIDTH, HEIGHT, DEPTH}, dimensions, &e);
    mass_model_add_population(&m, &(mass_population){.name = "folk"}, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
    return m;
}

/* Values of all bits, but no NaN and no infinity; -0, and numbers next to 0 among them. */
static void fill_values(const mass_attribute_def *a, uint8_t *to, size_t count)
{
    const size_t size = a->component_size;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = i % 7 == 0 ? draw() % 3 << (8 * size - 1) | draw() % 2 : draw();
        if (a->type == MASS_F32 && (bits & 0x7f800000) == 0x7f800000) bits ^= 1 << 23;
        if (a->type == MASS_F64 && (bits & 0x7ff0000000000000) == 0x7ff0000000000000) bits ^= (uint64_t)1 << 52;
        memcpy(to + i * size, &bits, size);
    }
}

/* Agents of two worlds in the order of the state. Positions are within the cells of their places. */
static mass_snapshot make_snapshot(const mass_model *m, uint64_t agents)
{
    mass_snapshot s;
    mass_error e = {0};
    const mass_population_def *const p = &m->populations[0];
    const int64_t places = mass_space_places(&m->spaces[p->space]);
    cr_assert_eq(mass_snapshot_allocate(&s, m, WORLDS, &agents, &e), MASS_OK, "%s", e.text);
    s.first_world = FIRST_WORLD;
    uint64_t *const id = s.attributes[p->first_attribute + MASS_AGENT_ID];
    int32_t *const world = s.attributes[p->first_attribute + MASS_AGENT_WORLD];
    int64_t *const place = s.attributes[p->first_attribute + MASS_AGENT_PLACE];
    for (uint64_t i = 0; i < agents; i++) {
        const int64_t cell = (int64_t)(i * WORLDS * (uint64_t)places / agents);
        id[i] = i * (((uint64_t)1 << 62) / agents);
        world[i] = (int32_t)(cell / places);
        place[i] = cell % places;
    }
    for (uint32_t i = p->first_attribute + MASS_AGENT_COLUMNS; i < m->attribute_count; i++) {
        const mass_attribute_def *const a = &m->attributes[i];
        if ((int)i != p->position) fill_values(a, s.attributes[i], agents * a->length);
        else for (uint64_t k = 0; k < agents; k++) {
            double *const at = (double *)s.attributes[i] + 2 * k;
            at[0] = ((double)(place[k] % WIDTH) + 0.1 + 0.8 * (double)(draw() % 1000) / 999) * 0.1;
            at[1] = ((double)(place[k] / WIDTH) + 0.1 + 0.8 * (double)(draw() % 1000) / 999) * 0.1;
        }
    }
    return s;
}

static char left_out[200];
static void note(const mass_attribute_def *a, const char *why)
{
    const size_t used = strlen(left_out);
    snprintf(left_out + used, sizeof left_out - used, "%s: %s; ", a->name, why);
}

/* Returns the text of a table, which the caller frees. */
static char *write_table(const mass_snapshot *s)
{
    char *text = NULL;
    size_t size;
    mass_error e = {0};
    const mass_table_request request = {s->model, 0, s->worlds, s->first_world};
    mass_table_rows rows = {.request = &request, .path = "folk.csv"};
    FILE *const to = open_memstream(&text, &size);
    left_out[0] = '\0';
    cr_assert_eq(mass_agents_csv_columns(&rows, note, &e), MASS_OK, "%s", e.text);
    mass_agents_csv_write(s, &rows, to);
    mass_table_rows_free(&rows);
    cr_assert_eq(fclose(to), 0);
    return text;
}

/* Reads a table back, and compares it with the agents. An attribute of `without` has no columns. */
static void expect_same(const mass_snapshot *s, const char *text, const char *without)
{
    const mass_table_request request = {s->model, 0, s->worlds, s->first_world};
    const mass_population_def *const p = &s->model->populations[0];
    const uint32_t places = (uint32_t)mass_space_places(&s->model->spaces[p->space]);
    mass_table t;
    mass_error e = {0};
    cr_assert_eq(mass_table_parse_csv(&request, "folk.csv", (const uint8_t *)text, strlen(text), &t, &e), MASS_OK, "%s",
                 e.text);
    cr_assert_eq(t.count, s->agents[0]);
    cr_expect_arr_eq(t.id, s->attributes[p->first_attribute + MASS_AGENT_ID], t.count * sizeof *t.id);
    for (uint32_t i = 0; i < t.count; i++) {
        const int32_t world = ((const int32_t *)s->attributes[p->first_attribute + MASS_AGENT_WORLD])[i];
        const int64_t place = ((const int64_t *)s->attributes[p->first_attribute + MASS_AGENT_PLACE])[i];
        cr_assert_eq(t.cell[i], (uint32_t)world * places + (uint32_t)place, "%u", i);
    }
    for (uint32_t i = p->first_attribute + MASS_AGENT_COLUMNS; i < s->model->attribute_count; i++) {
        const mass_attribute_def *const a = &s->model->attributes[i];
        cr_assert_eq(!t.values[i], strstr(without, a->name) != NULL, "%s", a->name);
        if (t.values[i]) cr_expect_arr_eq(t.values[i], s->attributes[i], t.count * mass_element_size(a), "%s", a->name);
    }
    mass_table_free(s->model, &t);
}

Test(agents_csv, every_type_in_every_dimension)
{
    static const char *const heads[] = {"id,world,x,", "id,world,x,y,", "id,world,x,y,z,"};
    for (uint32_t dimensions = 1; dimensions <= 3; dimensions++) {
        mass_model m = make_model(dimensions);
        static const struct { const char *name; uint32_t type, length; } attributes[] = {
            {"a", MASS_I8, 1}, {"b", MASS_U8, 2}, {"c", MASS_I16, 1}, {"d", MASS_U16, 1}, {"e", MASS_I32, 3},
            {"f", MASS_U32, 1}, {"g", MASS_I64, 1}, {"h", MASS_U64, 1}, {"p", MASS_F32, 2}, {"q", MASS_F64, 1}};
        for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
            add_attribute(&m, attributes[i].name, attributes[i].type, attributes[i].length, 0);
        mass_snapshot s = make_snapshot(&m, AGENTS);
        char *text = write_table(&s);
        cr_expect(strncmp(text, heads[dimensions - 1], strlen(heads[dimensions - 1])) == 0, "%.60s", text);
        cr_expect_str_eq(left_out, "");
        expect_same(&s, text, "-");
        free(text);
        mass_snapshot_free(&s);
        mass_model_free(&m);
    }
}

Test(agents_csv, positions_are_x_and_y)
{
    mass_model m = make_model(2);
    add_attribute(&m, "where", MASS_F64, 2, 1);
    mass_snapshot s = make_snapshot(&m, AGENTS);
    char *text = write_table(&s);
    cr_expect(strncmp(text, "id,world,x,y\n", 13) == 0, "%.60s", text);
    expect_same(&s, text, "-");
    free(text);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(agents_csv, numbers_have_few_digits)
{
    mass_model m = make_model(1);
    add_attribute(&m, "p", MASS_F32, 5, 0);
    add_attribute(&m, "q", MASS_F64, 3, 0);
    mass_snapshot s = make_snapshot(&m, 1);
    static const float p[] = {0.1f, -0.0f, 1e-45f, NAN, INFINITY};
    static const double q[] = {0.1, 1.0 / 3, -INFINITY};
    memcpy(s.attributes[m.attribute_count - 2], p, sizeof p);
    memcpy(s.attributes[m.attribute_count - 1], q, sizeof q);
    char *text = write_table(&s);
    cr_expect_str_eq(text, "id,world,x,p[0],p[1],p[2],p[3],p[4],q[0],q[1],q[2]\n"
                           "0,5,0,0.1,-0,1.4013e-45,nan,inf,0.1,0.3333333333333333,-inf\n");
    free(text);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(agents_csv, no_column_for_what_a_table_cannot_have)
{
    mass_model m = make_model(2);
    add_attribute(&m, "mind", MASS_STRUCT, 1, 0);
    add_attribute(&m, "y", MASS_U8, 1, 0);
    add_attribute(&m, "z", MASS_U8, 1, 0); /* of a plane, which has no such axis */
    mass_snapshot s = make_snapshot(&m, 3);
    char *text = write_table(&s);
    cr_expect(strncmp(text, "id,world,x,y,z\n", 15) == 0, "%.60s", text);
    cr_expect_str_eq(left_out, "mind: it is a struct; y: the column of that name has something else; ");
    expect_same(&s, text, "mind y");
    free(text);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

/* Reads a network whose nodes have names. */
static mass_status read_named(const mass_network *n, mass_gidx nodes, const mass_node_names *known,
                              mass_edge_list *out, mass_error *error)
{
    static const char content[] = "source,target\nAnn,\"Lee, Jo\"\nBob,Ann\n";
    FILE *const file = fmemopen((void *)(uintptr_t)content, sizeof content - 1, "r");
    const mass_status status = mass_edge_list_parse(file, n, nodes, known, out, error);
    fclose(file);
    return status;
}

Test(agents_csv, nodes_have_names)
{
    mass_model m = {.plugin = "folk"};
    mass_error e = {0};
    const mass_network n = {.name = "town", .file = "edges.csv"};
    cr_assert_eq(mass_model_add_network(&m, &n, 0, 0, read_named, &e), MASS_OK, "%s", e.text);
    mass_model_add_population(&m, &(mass_population){.name = "folk"}, &e);
    cr_assert_eq(mass_model_settle_networks(&m, &e), MASS_OK, "%s", e.text);
    mass_snapshot s = make_snapshot(&m, 6);
    char *text = write_table(&s);
    cr_expect(strstr(text, ",5,\"Ann\"\n") && strstr(text, ",6,\"Lee, Jo\"\n"), "%s", text);
    expect_same(&s, text, "-");
    free(text);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}
