/* SPDX-License-Identifier: Apache-2.0 */
/* Edges of networks: those of the file, in their order, whole and in parts. */
#include "scene.h"

#include <stdbool.h>
#include <unistd.h>

enum { NODES = 40, EDGES = 300 };

/* An edge of a file. */
typedef struct line {
    uint32_t source, target;
    int16_t weight;
    double length;
    int number;
} line;

static uint32_t draw(uint32_t *state) { return (*state = *state * 1664525 + 1013904223) >> 8; }

static int compare(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

static int by_target(const void *a, const void *b)
{
    const line *x = a, *y = b;
    const int target = compare(x->target, y->target), source = compare(x->source, y->source);
    return target ? target : source ? source : x->number - y->number;
}

static int by_source(const void *a, const void *b)
{
    const line *x = a, *y = b;
    const int target = compare(x->target, y->target), source = compare(x->source, y->source);
    return source ? source : target ? target : x->number - y->number;
}

/* Writes a file of edges, some of which are there twice or join a node to itself; node 7 has none. */
static void write_file(const char *path, line *lines)
{
    uint32_t state = 5;
    FILE *f = fopen(path, "w");
    cr_assert(f);
    fputs("source,target,weight,length\n", f);
    for (int i = 0; i < EDGES; i++) {
        const uint32_t source = draw(&state) % NODES, target = i % 20 ? draw(&state) % NODES : source;
        lines[i] = (line){source == 7 ? 8 : source, target == 7 ? NODES - 1 : target, (int16_t)(i - 150), i * 0.25, i};
        fprintf(f, "%u,%u,%d,%.17g\n", lines[i].source, lines[i].target, lines[i].weight, lines[i].length);
    }
    fclose(f);
}

static mass_engine_array find(mass_engine *run, const char *name)
{
    mass_engine_array array = {.struct_size = sizeof array}, again = array;
    WORKS(mass_engine_find(run, name, &array));
    WORKS(mass_engine_array_of(run, array.attribute, &again));
    cr_assert(memcmp(&array, &again, sizeof array) == 0);
    return array;
}

/* Reads a part of a column, of so many bytes a value. */
static void read_part(mass_engine *run, const mass_engine_array *a, int64_t first, int64_t count, void *to)
{
    const mass_engine_box part = {.origin = {first}, .extent = {count}};
    WORKS(mass_engine_read(run, a->attribute, &part, to, (uint64_t)count * a->value_bytes));
}

/* Checks a column against values of the lines, whole and in parts. */
static void check_column(mass_engine *run, const char *name, uint32_t type, const void *expected, size_t size)
{
    const mass_engine_array a = find(run, name);
    char all[EDGES * 8 + 1];
    cr_assert(a.extent[0] == EDGES && a.type == type && a.value_bytes == size && a.bytes == EDGES * size, "%s", name);
    cr_assert_eq(a.of_agents, 2);
    WORKS(mass_engine_read(run, a.attribute, NULL, all, a.bytes));
    cr_expect(memcmp(all, expected, a.bytes) == 0, "%s", name);
    for (int64_t count = 0; count <= EDGES; count += 37)
        for (int64_t first = 0; first + count <= EDGES; first += 1 + first / 3) {
            memset(all, 0x55, sizeof all);
            read_part(run, &a, first, count, all);
            cr_assert(memcmp(all, (const char *)expected + (size_t)first * size, (size_t)count * size) == 0,
                      "%s: %d from %d on", name, (int)count, (int)first);
            cr_assert_eq(all[(size_t)count * size], 0x55);
        }
}

/* Opens the model with the edges of a file, and checks all of their columns. */
static void check_file(const char *path, const line *lines, bool directed)
{
    char file[200];
    line *sorted = malloc(EDGES * sizeof *sorted);
    uint32_t sources[EDGES], targets[EDGES];
    int16_t weights[EDGES];
    double lengths[EDGES];
    memcpy(sorted, lines, EDGES * sizeof *sorted);
    for (int i = 0; i < EDGES && !directed; i++)
        if (sorted[i].source > sorted[i].target) {
            sorted[i].source = lines[i].target;
            sorted[i].target = lines[i].source;
        }
    qsort(sorted, EDGES, sizeof *sorted, directed ? by_target : by_source);
    for (int i = 0; i < EDGES; i++) {
        sources[i] = sorted[i].source;
        targets[i] = sorted[i].target;
        weights[i] = sorted[i].weight;
        lengths[i] = sorted[i].length;
    }
    snprintf(file, sizeof file, "file=%s", path);
    mass_engine *run = OPEN(TURNED, {"set", file}, {"set", "nodes=0"}, {"set", directed ? "directed=1" : "directed=0"},
                            {"set", "compared=0"}, {"seed", "1"}, {"worlds", "2"}, {"partitions", "3"});
    WORKS(mass_engine_step(run, 2, 0, NULL)); /* they do not change */
    check_column(run, "town.edges.source", MASS_U32, sources, sizeof *sources);
    check_column(run, "town.edges.target", MASS_U32, targets, sizeof *targets);
    check_column(run, "town.edges.weight", MASS_I16, weights, sizeof *weights);
    check_column(run, "town.edges.length", MASS_F64, lengths, sizeof *lengths);
    mass_engine_close(run);
    free(sorted);
}

Test(edges, are_those_of_the_file)
{
    char path[] = "/tmp/mass-edges-XXXXXX.csv";
    line lines[EDGES];
    cr_assert(close(mkstemps(path, 4)) == 0);
    write_file(path, lines);
    check_file(path, lines, true);
    check_file(path, lines, false);
    unlink(path);
}

Test(edges, of_sets_and_those_that_change_are_found_alike)
{
    mass_engine *run = OPEN(TURNED, {"set", "nodes=30"}, {"set", "compared=0"}, {"seed", "1"});
    WORKS(mass_engine_step(run, 5, 0, NULL));
    const mass_engine_array pay = find(run, "work.edges.pay");
    float pays[60];
    cr_assert_eq(pay.extent[0], 60); /* twice the nodes */
    WORKS(mass_engine_read(run, pay.attribute, NULL, pays, sizeof pays));
    for (int i = 0; i < 60; i++) cr_expect_eq(pays[i], 1.5f);
    static const char *const names[][2] = {{"club.edges.source", "club_edges.source"},
                                           {"club.edges.target", "club_edges.place"},
                                           {"club.edges.id", "club_edges.id"}};
    for (int i = 0; i < 3; i++) {
        const mass_engine_array a = find(run, names[i][0]), b = find(run, names[i][1]);
        cr_expect(a.of_agents == 1 && a.attribute == b.attribute && a.extent[0] > 0, "%s", names[i][0]);
    }
    mass_engine_close(run);
}

Test(edges, join_nodes_that_may_have_names)
{
    static const char *const names[] = {"Ada", "Bo", "Chloe"};
    char option[] = "file=/tmp/mass-edges-XXXXXX.csv", *const path = option + strlen("file=");
    mass_engine_node_list nodes;
    FILE *f = fdopen(mkstemps(path, 4), "w");
    cr_assert(f && fputs("source,target\nAda,Bo\nChloe,Ada\n", f) > 0 && fclose(f) == 0);
    mass_engine *run = OPEN(TURNED, {"set", option}, {"set", "nodes=0"}, {"set", "compared=0"}, {"seed", "1"});
    WORKS(mass_engine_node_names(run, "town", &nodes));
    cr_assert_eq(nodes.count, 3);
    for (int i = 0; i < 3; i++) cr_expect_str_eq(nodes.texts + nodes.first[i], names[i]);
    WORKS(mass_engine_node_names(run, "work", &nodes));
    cr_expect_eq(nodes.count, 3); /* the same nodes */
    FAILS(mass_engine_node_names(run, "twon", &nodes), MASS_BAD_USAGE, "turned has no network twon; it has town");
    mass_engine_close(run);
    run = OPEN(TURNED, {"set", "compared=0"}, {"seed", "1"});
    WORKS(mass_engine_node_names(run, "town", &nodes));
    cr_expect_eq(nodes.count, 0);
    mass_engine_close(run);
    unlink(path);
}

Test(edges, that_do_not_change_are_only_read)
{
    mass_engine_array a = {.struct_size = sizeof a};
    mass_engine_view v;
    uint32_t sources[30];
    mass_engine *run = OPEN(TURNED, {"set", "compared=0"}, {"seed", "1"});
    FAILS(mass_engine_find(run, "town.edges.wait", &a), MASS_BAD_USAGE,
          "edges of town have no wait; they have source, target, weight, length");
    FAILS(mass_engine_find(run, "twon.edges.source", &a), MASS_BAD_USAGE, "turned has no network twon; it has town");
    WORKS(mass_engine_find(run, "town.edges.source", &a));
    FAILS(mass_engine_write(run, a.attribute, NULL, sources, a.bytes), MASS_BAD_USAGE, "are only read");
    FAILS(mass_engine_read_packed(run, a.attribute, sources, 4), MASS_BAD_USAGE, "are only read");
    FAILS(mass_engine_view_begin(run, a.attribute, &v), MASS_NO_DEVICE, "no view of edges");
    FAILS(mass_engine_read(run, a.attribute, NULL, sources, 7), MASS_BAD_USAGE, "120 bytes, and not 7");
    static const int64_t beyond[][2] = {{-1, 1}, {0, 31}, {30, 1}, {31, 0}, {1, INT64_MAX}, {2, -1}};
    for (int i = 0; i < 6; i++) {
        const mass_engine_box part = {.origin = {beyond[i][0]}, .extent = {beyond[i][1]}};
        FAILS(mass_engine_read(run, a.attribute, &part, sources, sizeof sources), MASS_BAD_USAGE, "town has 30");
    }
    const uint32_t behind = a.attribute + 1000;
    FAILS(mass_engine_array_of(run, behind, &a), MASS_BAD_USAGE, "none with number");
    mass_engine_close(run);
    run = OPEN("life", {"size", "16x16"}, {"seed", "1"});
    FAILS(mass_engine_find(run, "town.edges.source", &a), MASS_BAD_USAGE, "life has no network town; it has none");
    mass_engine_close(run);
}
