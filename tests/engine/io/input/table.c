/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of agents: the order, ids and values that come of them, against a plain reading of random ones. */
#include "io/input/table.h"
#include "model/network.h"
#include "population/table.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 5, HEIGHT = 4, CAPACITY = 6 };

/* A 5 x 4 grid with folk, at most 6 on a place: wealth i16 (7), gene f64 x 2. */
static mass_model make_model(void)
{
    static const int16_t wealth = 7;
    mass_model m = {.plugin = "folk"};
    mass_error e = {0};
    mass_model_add_space(&m, &(mass_space){.name = "grid", .dimensions_min = 2, .dimensions_max = 2,
                                           .size = {WIDTH, HEIGHT}}, NULL, 0, &e);
    mass_model_add_population(&m, &(mass_population){.name = "folk", .capacity = CAPACITY}, &e);
    mass_model_add_attribute(&m, &(mass_attribute){.population = "folk", .name = "wealth", .type = MASS_I16,
                                                   .initial = &wealth}, &e);
    mass_model_add_attribute(&m, &(mass_attribute){.population = "folk", .name = "gene", .type = MASS_F64, .length = 2},
                             &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
    return m;
}

static mass_status parse(const mass_model *m, int32_t worlds, int32_t first_world, const char *text, mass_table *t,
                         mass_error *e)
{
    const mass_table_request request = {m, 0, worlds, first_world};
    const size_t size = strlen(text);
    uint8_t *bytes = malloc(size ? size : 1); /* reading beyond them is seen */
    memcpy(bytes, text, size);
    const mass_status status = mass_table_parse_csv(&request, "folk.csv", bytes, size, t, e);
    free(bytes);
    return status;
}

static mass_table parsed(const mass_model *m, int32_t worlds, int32_t first_world, const char *text)
{
    mass_table t = {0};
    mass_error e = {0};
    cr_assert_eq(parse(m, worlds, first_world, text, &t, &e), MASS_OK, "%s", e.text);
    return t;
}

typedef struct row {
    int world, x, y, wealth;
    int64_t id;
    double gene;
} row;

static uint64_t random_state = 9;
static int draw(int below)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int)((random_state >> 33) % (uint64_t)below);
}

/* The agent of a world and id, looked up one by one. */
static const row *find(const row *rows, int count, int world, uint64_t id)
{
    for (int i = 0; i < count; i++)
        if (rows[i].world == world && (uint64_t)rows[i].id == id) return &rows[i];
    return NULL;
}

static void check(const mass_model *m, const mass_table *t, const row *rows, int count, int worlds, int first_world)
{
    const uint32_t first = m->populations[0].first_attribute + MASS_AGENT_COLUMNS;
    const int16_t *wealth = t->values[first];
    const double *gene = t->values[first + 1];
    uint32_t expected = 0;
    int64_t next[8] = {0};
    for (int i = 0; i < count; i++) {
        const int world = rows[i].world - first_world;
        if (world < 0 || world >= worlds) continue;
        expected++;
        if (rows[i].id >= next[world]) next[world] = rows[i].id + 1;
    }
    cr_assert_eq(t->count, expected);
    cr_assert_arr_eq(t->next_id, next, (size_t)worlds * sizeof *next);
    for (uint32_t i = 0; i < t->count; i++) {
        if (i) cr_assert(t->cell[i] > t->cell[i - 1] || (t->cell[i] == t->cell[i - 1] && t->id[i] > t->id[i - 1]));
        const int world = (int)(t->cell[i] / (WIDTH * HEIGHT)), place = (int)(t->cell[i] % (WIDTH * HEIGHT));
        const row *r = find(rows, count, world + first_world, t->id[i]);
        cr_assert(r && r->y * WIDTH + r->x == place && r->wealth == wealth[i]);
        cr_assert(gene[2 * i] == 0 && gene[2 * i + 1] == r->gene);
        cr_assert_eq(((const uint64_t *)t->values[m->populations[0].first_attribute])[i], t->id[i]);
    }
}

Test(table, random_ones_are_what_a_plain_reading_finds)
{
    mass_model m = make_model();
    for (int trial = 0; trial < 300; trial++) {
        row rows[60];
        char text[6000] = "gene[1],world,y,id,x,wealth\n";
        const int count = draw(60), worlds = 1 + draw(4), first_world = draw(3);
        int residents[8][WIDTH * HEIGHT] = {0}, used = 0;
        for (int i = 0; i < count; i++) {
            row r = {draw(7), draw(WIDTH), draw(HEIGHT), draw(60000) - 30000, draw(1000), draw(100) / 8.0};
            int *here = &residents[r.world][r.y * WIDTH + r.x];
            if (*here == CAPACITY || find(rows, used, r.world, (uint64_t)r.id)) continue;
            ++*here;
            snprintf(text + strlen(text), 200, "%.17g,%d,%d,%" PRId64 ",%d,%d\n", r.gene, r.world, r.y, r.id, r.x,
                     r.wealth);
            rows[used++] = r;
        }
        mass_table t = parsed(&m, worlds, first_world, text);
        check(&m, &t, rows, used, worlds, first_world);
        mass_table_free(&m, &t);
    }
    mass_model_free(&m);
}

Test(table, defaults_and_rows_for_every_world)
{
    mass_model m = make_model();
    mass_table t = parsed(&m, 2, 5, "y,x\n3,4\n0,0\n0,0\n");
    static const uint32_t cells[] = {0, 0, 19, 20, 20, 39};
    static const uint64_t ids[] = {1, 2, 0, 1, 2, 0};
    cr_assert_eq(t.count, 6);
    cr_assert_arr_eq(t.cell, cells, sizeof cells);
    cr_assert_arr_eq(t.id, ids, sizeof ids);
    cr_assert(t.next_id[0] == 3 && t.next_id[1] == 3);
    for (uint32_t i = m.populations[0].first_attribute + 1; i < m.attribute_count; i++) cr_assert_null(t.values[i]);
    mass_table_free(&m, &t);
    mass_model_free(&m);
}

Test(table, a_component_given_leaves_the_others_at_their_default)
{
    mass_model m = make_model();
    mass_table t = parsed(&m, 1, 0, "y,x,gene[0],id\n0,0,-2.5e-3,4611686018427387904\n");
    const double *gene = t.values[m.attribute_count - 1];
    cr_assert(gene[0] == -2.5e-3 && gene[1] == 0);
    cr_assert_eq(t.next_id[0], ((int64_t)1 << 62) + 1);
    mass_table_free(&m, &t);
    mass_model_free(&m);
}

Test(table, refused_ones_leave_nothing)
{
    static const struct { const char *text, *said; } bad[] = {
        {"x,y,id\n0,0,1\n1,1,2\n2,2,1\n3,3,2\n",
         "folk.csv, line 4: id: an agent before it in world 0 has the id 1, too"},
        {"x,y\n0,0\n0,0\n0,0\n0,0\n0,0\n0,0\n0,0\n",
         "folk.csv, line 8: its place would have more agents of population folk than the 6 that it holds"},
        {"x,y,wealth\n0,0,-32769\n", "folk.csv, line 2: wealth: -32769 is not a value of type i16"},
        {"x,y\n0,4\n", "folk.csv, line 2: y: 4 is not an integer from 0 to 3"},
        {"x,y,world\n0,0,2147483648\n", "folk.csv, line 2: world: 2147483648 is not an integer from 0 to 2147483647"},
        {"x,y,gene[2]\n", "folk.csv, line 1: there is no column 'gene[2]' for population folk; it may have x, y, id, "
                          "world, wealth, gene[0]"}};
    mass_model m = make_model();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        mass_table t = {0};
        mass_error e = {0};
        cr_assert_eq(parse(&m, 1, 0, bad[i].text, &t, &e), MASS_BAD_INPUT);
        cr_assert_str_eq(e.text, bad[i].said);
        cr_assert(!t.id && !t.cell && !t.values && !t.next_id);
    }
    mass_model_free(&m);
}

/* Whatever the file has: before it is read. */
Test(table, of_more_places_than_cells_have_numbers_is_refused)
{
    mass_model m = make_model();
    mass_table t = {0};
    mass_error e = {0};
    m.spaces[0].size[0] = 1 << 17;
    m.spaces[0].size[1] = 1 << 16;
    cr_assert_eq(mass_table_read(&(mass_table_request){&m, 0, 1, 0}, "/nowhere/folk.csv", &t, &e), MASS_BAD_USAGE);
    cr_assert_str_eq(e.text, "table /nowhere/folk.csv: tables are for spaces of up to 2^32 - 4 places over all worlds, "
                             "and there are 8589934592");
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

Test(table, agents_stand_on_nodes_by_their_names)
{
    static const uint64_t ids[] = {4, 3, 5};
    mass_model m = {.plugin = "folk"};
    mass_error e = {0};
    mass_table t = {0};
    const mass_network n = {.name = "town", .file = "edges.csv"};
    cr_assert_eq(mass_model_add_network(&m, &n, 0, 0, read_named, &e), MASS_OK, "%s", e.text);
    mass_model_add_population(&m, &(mass_population){.name = "folk"}, &e);
    cr_assert_eq(mass_model_settle_networks(&m, &e), MASS_OK, "%s", e.text);
    t = parsed(&m, 1, 0, "x,id\nBob,5\n\"Lee, Jo\",3\nAnn,4\n");
    cr_assert_eq(t.count, 3);
    for (uint32_t i = 0; i < 3; i++) cr_expect(t.cell[i] == i && t.id[i] == ids[i], "%u", i);
    mass_table_free(&m, &t);
    cr_expect_eq(parse(&m, 1, 0, "x\nAnn\n2\n", &t, &e), MASS_BAD_INPUT);
    cr_expect_str_eq(e.text, "folk.csv, line 3: x: no node has the name '2'");
    mass_model_free(&m);
}
