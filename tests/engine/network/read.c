/* SPDX-License-Identifier: Apache-2.0 */
/* Edge lists and Matrix Market files in their forms, and files that are none. */
#include "network_file.h"

#include <inttypes.h>
#include <stdlib.h>

/* Expects that a file has edges 0 to 1 of weight 2.5, 1 to 2 of -1, and 3 to 0 of 1e3. */
static void expect_three(const char *content, bool weights)
{
    static const uint32_t from[] = {0, 1, 3}, to[] = {1, 2, 0};
    static const double weight[] = {2.5, -1, 1e3};
    mass_edge_list list;
    mass_error error = {0};
    cr_assert_eq(read_text(content, strlen(content), &(mass_network){0}, &list, &error), MASS_OK, "%s: %s", content,
                 error.text);
    cr_assert_eq(list.count, 3, "%s", content);
    cr_expect_eq(list.nodes, 4, "%s", content);
    for (int i = 0; i < 3; i++) cr_expect(list.from[i] == from[i] && list.to[i] == to[i], "%s: %d", content, i);
    cr_assert_eq(list.column_count, weights ? 1 : 0);
    for (int i = 0; weights && i < 3; i++) cr_expect(list.columns[0].values[i] == weight[i], "%s: %d", content, i);
    if (weights) cr_expect_str_eq(list.columns[0].name, "weight");
    mass_edge_list_free(&list);
}

Test(network_read, edge_lists_have_many_forms)
{
    expect_three("0,1\n1,2\n3,0\n", false);
    expect_three("0,1\n1,2\n3,0", false);
    expect_three("0 1\n1\t2\n  3   0  \n\n", false);
    expect_three("# a comment\n0\t1\r\n1\t2\r\n\r\n3\t0\r\n", false);
    expect_three("source,target\n0,1\n1,2\n3,0\n", false);
    expect_three("source,target,weight\n0,1,2.5\n1,2,-1\n3,0,1e3\n", true);
    expect_three("target\tweight\tsource\n1\t2.5\t0\n2\t-1\t1\n0\t1000\t3\n", true);
    expect_three(" source , target , weight \n 0 , 1 , 2.5 \n1,2,-1.0\n003,0,+1e+3\n", true);
    expect_three("source,target,weight\n0.0,1e0,2.5\n1.0,2,-1\n30e-1,-0,1000\n", true);
    expect_three("source\ttarget\tweight\r0\t1\t2.5\r1\t2\t-1\r3\t0\t1000\r", true);
    expect_three("0,1\r1,2\r3,0", false);
    expect_three("\xef\xbb\xbf\"source\",\"target\",\"weight\"\r\n\"0\",1,\"2.5\"\r\n1,\"2\" ,-1\r\n3,0,1000\r\n",
                 true);
}

/* Such a file may have no end, as /dev/zero. */
Test(network_read, a_line_that_is_too_long_is_refused)
{
    enum { LENGTH = 65 << 20 };
    char *const content = calloc(LENGTH, 1);
    mass_edge_list list;
    mass_error error = {0};
    cr_assert(content != NULL);
    content[0] = '\n';
    cr_expect_eq(read_text(content, LENGTH, &(mass_network){0}, &list, &error), MASS_BAD_INPUT);
    cr_expect(strstr(error.text, "line 2: it is longer than 32 MiB, which no line of an edge list is"), "%s",
              error.text);
    mass_edge_list_free(&list);
    free(content);
}

/* A line with tabs is divided at tabs alone. */
Test(network_read, names_between_tabs_may_have_blanks)
{
    static const char content[] = "source\ttarget\ttie weight\nAnn Lee\tBo \t1\n Bo\tAnn Lee\t\t2.5\t\n";
    mass_edge_list list;
    mass_error error = {0};
    cr_assert_eq(read_text(content, strlen(content), &(mass_network){0}, &list, &error), MASS_OK, "%s", error.text);
    cr_assert(list.count == 2 && list.nodes == 2 && list.column_count == 1);
    cr_expect_str_eq(list.columns[0].name, "tie weight");
    cr_expect(list.from[0] == 0 && list.to[0] == 1 && list.from[1] == 1 && list.to[1] == 0);
    cr_expect(list.columns[0].values[0] == 1 && list.columns[0].values[1] == 2.5);
    mass_edge_list_free(&list);
}

Test(network_read, matrices_have_edges_from_rows_to_columns)
{
    expect_three("%%MatrixMarket matrix coordinate real general\n% made by hand\n\n4 4 3\n1 2 2.5\n2 3 -1\n4 1 1e3\n",
                 true);
    expect_three("%%matrixmarket MATRIX coordinate pattern general\n 4 4 3 \n1 2\n2\t3\n%\n4 1", false);
    expect_three("%%MatrixMarket matrix coordinate real symmetric\n4 4 3\n1 2 2.5\n2 3 -1\n4 1 1000\n", true);
}

Test(network_read, a_matrix_of_integers_may_write_them_as_reals)
{
    static const char content[] = "%%MatrixMarket matrix coordinate integer general\n3 3 3\n1 2 2\n2 3 -1.0\n3 1 1e3\n";
    mass_edge_list list;
    mass_error error = {0};
    cr_assert_eq(read_text(content, sizeof content - 1, &(mass_network){0}, &list, &error), MASS_OK, "%s", error.text);
    cr_expect(list.columns[0].values[0] == 2 && list.columns[0].values[1] == -1 && list.columns[0].values[2] == 1000);
    mass_edge_list_free(&list);
}

Test(network_read, a_symmetric_matrix_has_directed_edges_both_ways)
{
    static const char content[] = "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 7\n3 3 5\n";
    mass_edge_list list;
    mass_error error = {0};
    const mass_network n = {.directed = 1};
    cr_assert_eq(read_text(content, sizeof content - 1, &n, &list, &error), MASS_OK, "%s", error.text);
    cr_assert(list.count == 3 && list.nodes == 3);
    cr_expect(list.from[0] == 1 && list.to[0] == 0 && list.from[1] == 0 && list.to[1] == 1 && list.from[2] == 2);
    cr_expect(list.columns[0].values[1] == 7 && list.columns[0].values[2] == 5 && list.line[1] == 3);
    mass_edge_list_free(&list);
}

/* Expects edges from a to b, b to c and c to a, with these names. */
static void expect_names(const char *content, const char *a, const char *b, const char *c)
{
    const char *const names[] = {a, b, c};
    mass_edge_list list;
    mass_error error = {0};
    cr_assert_eq(read_text(content, strlen(content), &(mass_network){.nodes = 3}, &list, &error), MASS_OK, "%s: %s",
                 content, error.text);
    cr_assert(list.count == 3 && list.names.count == 3, "%s", content);
    for (uint32_t i = 0; i < 3; i++) {
        cr_expect(list.from[i] == i && list.to[i] == (i + 1) % 3, "%s: %u", content, i);
        cr_expect_str_eq(mass_node_name(&list.names, i), names[i]);
        cr_expect_eq(mass_node_names_find(&list.names, names[i]), i);
    }
    cr_expect(!mass_node_name(&list.names, 3) && mass_node_names_find(&list.names, "nobody") == -1);
    mass_edge_list_free(&list);
}

Test(network_read, nodes_have_names_in_the_order_of_the_file)
{
    expect_names("source,target\nann,bob\nbob,7\n7,ann\n", "ann", "bob", "7");
    expect_names("source_name,target_name\n5,0x\n0x,-1\n-1,5\n", "5", "0x", "-1");
    expect_names("w target source\n1 \xc3\xa9mile ann\n2 \"x \"\"y\"\"\" \xc3\xa9mile\n3 ann \"x \"\"y\"\"\"\n", "ann",
                 "\xc3\xa9mile", "x \"y\"");
    expect_names("source,target\n\"Doe, Jo\",b\nb , c\nc,\"Doe, Jo\"\n", "Doe, Jo", "b", "c");
}

Test(network_read, names_may_be_those_of_other_edges)
{
    static const char content[] = "source,target\nbob,ann\nann,eve\n";
    mass_node_names known = {0};
    mass_edge_list list;
    mass_error error = {0};
    uint32_t number;
    const char *const names[] = {"ann", "eve", "bob"};
    for (uint32_t i = 0; i < 3; i++) cr_assert_eq(mass_node_names_add(&known, names[i], 9, &number, &error), MASS_OK);
    const mass_network n = {.name = "work", .file = "edges.csv"};
    FILE *file = fmemopen((void *)(uintptr_t)content, sizeof content - 1, "r");
    cr_assert_eq(mass_edge_list_parse(file, &n, 9, &known, &list, &error), MASS_OK, "%s", error.text);
    cr_expect(list.count == 2 && list.from[0] == 2 && list.to[0] == 0 && list.from[1] == 0 && list.to[1] == 1);
    cr_expect_eq(list.names.count, 0);
    mass_edge_list_free(&list);
    rewind(file);
    mass_node_names_free(&known);
    cr_expect_eq(mass_edge_list_parse(file, &n, 9, &known, &list, &error), MASS_BAD_INPUT);
    cr_expect_str_eq(error.text, "edges.csv, line 2: no node has the name 'bob', among those of network 'work'");
    mass_edge_list_free(&list);
    fclose(file);
}

/* Reads many edges with names. */
Test(network_read, any_number_of_nodes_has_names)
{
    enum { NODES = 5000 };
    char *const content = malloc(NODES * 40 + 40);
    size_t length = (size_t)sprintf(content, "source,target\n");
    for (int i = 0; i < NODES; i++)
        length += (size_t)sprintf(content + length, "node-%d,node-%d\n", i * 7, (i + 1) % NODES * 7);
    mass_edge_list list;
    mass_error error = {0};
    cr_assert_eq(read_text(content, length, &(mass_network){0}, &list, &error), MASS_OK, "%s", error.text);
    cr_assert(list.names.count == NODES && list.nodes == NODES);
    for (uint32_t i = 0; i < NODES; i++) {
        char name[32];
        sprintf(name, "node-%u", i * 7);
        cr_expect(list.from[i] == i && list.to[i] == (i + 1) % NODES && mass_node_names_find(&list.names, name) == i);
    }
    mass_edge_list_free(&list);
    free(content);
}

/* Numbers in quotes are not plain. So the same edges are read by the loop over plain lines, and word by word. */
Test(network_read, plain_lines_are_those_of_words)
{
    enum { EDGES = 20000 };
    static const char *const separators[] = {",", "\t", " , ", "  "};
    char *const plain = malloc(EDGES * 80), *const quoted = malloc(EDGES * 80);
    size_t lengths[2];
    uint64_t random = 88172645463325252u;
    lengths[0] = (size_t)sprintf(plain, "source,target,a,b\n");
    lengths[1] = (size_t)sprintf(quoted, "source,target,a,b\n");
    for (int i = 0; i < EDGES; i++) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        const unsigned from = random >> 8 & 0xfffff, to = random >> 28 & 0xff;
        const double a = (double)(random >> 20 & 0xffffffff) / 1048576 - 100;
        const double b = (double)(random >> 9 & 0xffffffff) * 1e-9;
        const char *s = separators[random % 4];
        const int digits = random % 11 ? (int)(random % 7) : 17;
        lengths[0] += (size_t)sprintf(plain + lengths[0], "%u%s%u%s%.*f%s%.9f\n", from, s, to, s, digits, a, s, b);
        lengths[1] += (size_t)sprintf(quoted + lengths[1], "\"%u\",%u,%.*f,%.9f\n", from, to, digits, a, b);
    }
    mass_edge_list lists[2];
    mass_error error = {0};
    for (int i = 0; i < 2; i++)
        cr_assert_eq(read_text(i ? quoted : plain, lengths[i], &(mass_network){0}, &lists[i], &error), MASS_OK, "%s",
                     error.text);
    cr_assert(lists[0].count == EDGES && lists[1].count == EDGES && lists[0].nodes == lists[1].nodes);
    cr_expect_eq(memcmp(lists[0].from, lists[1].from, EDGES * sizeof(uint32_t)), 0);
    cr_expect_eq(memcmp(lists[0].to, lists[1].to, EDGES * sizeof(uint32_t)), 0);
    cr_expect_eq(memcmp(lists[0].line, lists[1].line, EDGES * sizeof(uint64_t)), 0);
    for (int c = 0; c < 2; c++)
        cr_expect_eq(memcmp(lists[0].columns[c].values, lists[1].columns[c].values, EDGES * sizeof(double)), 0);
    mass_edge_list_free(&lists[0]), mass_edge_list_free(&lists[1]);
    free(plain), free(quoted);
}

/* Expects edges 0 to 1, 1 to 2 and 3 to 0 with a column `weight` of numbers, and one that is left out because of this
 * word of a line. */
static void expect_texts(const char *content, const char *column, uint64_t line, const char *word)
{
    static const uint32_t from[] = {0, 1, 3}, to[] = {1, 2, 0};
    mass_edge_list list;
    mass_error error = {0};
    cr_assert_eq(read_text(content, strlen(content), &(mass_network){0}, &list, &error), MASS_OK, "%s: %s", content,
                 error.text);
    cr_assert(list.count == 3 && list.column_count == 2, "%s", content);
    const mass_edge_column *const weight = &list.columns[strcmp(list.columns[0].name, "weight") != 0];
    const mass_edge_column *const other = &list.columns[weight == list.columns];
    cr_assert(strcmp(weight->name, "weight") == 0 && weight->values && !weight->other_line, "%s", content);
    for (int i = 0; i < 3; i++) {
        cr_expect(list.from[i] == from[i] && list.to[i] == to[i], "%s: %d", content, i);
        cr_expect_eq(weight->values[i], i + 0.5, "%s: %d", content, i);
        cr_expect_eq(list.line[i], (uint64_t)i + 2, "%s: %d", content, i);
    }
    cr_expect_str_eq(other->name, column, "%s", content);
    cr_expect_eq(other->other_line, line, "%s", content);
    cr_expect_str_eq(other->other, word, "%s", content);
    mass_edge_list_free(&list);
}

Test(network_read, columns_may_be_of_texts)
{
    static const char long_name[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl";
    char content[200];
    expect_texts("source,target,weight,kind\n0,1,.5,home\n1,2,1.5,\n3,0,2.5,9\n", "kind", 2, "home");
    expect_texts("source,target,weight,kind\n0,1,.5,7\n1,2,1.5,8\n3,0,2.5,\n", "kind", 4, "");
    expect_texts("source\ttarget\tweight\tkind\n0\t1\t.5\t7\n1\t2\t1.5\tnan\n3\t0\t2.5\t\"a b\"\n", "kind", 3, "nan");
    expect_texts("weight,source,kind,target\n"
                 ".5,0,\"a, \"\"b\"\"\",1\n1.5,1,c d,2\n2.5,3,  e  ,0\n", "kind", 2, "a, \"b\"");
    expect_texts("weight source kind target\r\n0.5 0 home 1\r\n1.5 1 0x10 2\r\n2.5 3 1e999 0\r\n", "kind", 2, "home");
    expect_texts("kind,source,target,weight\nhome,0,1,.5\n,1,2,1.5\n7,3,0,2.5\n#x,3,0,9\n# x, y\n", "kind", 2, "home");
    snprintf(content, sizeof content, "source,target,weight,%s\n0,1,.5,4\n1,2,1.5,5\n3,0,2.5,6\n", long_name);
    expect_texts(content, "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefgh...", 1, long_name);
    char zero[] = "source,target,weight,kind\n0,1,.5,home\n1,2,1.5,?\n3,0,2.5,\n";
    *strchr(zero, '?') = '\0';
    mass_edge_list list;
    mass_error error = {0};
    cr_expect_eq(read_text(zero, sizeof zero - 1, &(mass_network){0}, &list, &error), MASS_BAD_INPUT);
    cr_expect(strstr(error.text, "line 3: it has a zero byte, so the file is no text"), "%s", error.text);
    mass_edge_list_free(&list);
}

/* Plain lines with texts are read by the loop over plain lines; texts in quotes are not plain. */
Test(network_read, plain_lines_with_texts_are_those_of_words)
{
    enum { EDGES = 4000 };
    char *const contents[] = {malloc(EDGES * 80), malloc(EDGES * 80)};
    mass_edge_list lists[2];
    mass_error error = {0};
    for (int i = 0; i < 2; i++) {
        size_t length = (size_t)sprintf(contents[i], "source,kind,target,a\n");
        for (int k = 0; k < EDGES; k++)
            length += (size_t)sprintf(contents[i] + length, i ? "%d,\"of %d\",%d,%d.5\n" : "%d,of %d,%d,%d.5\n",
                                      k * 7 % 1000, k, k * 13 % 1000, k % 99);
        cr_assert_eq(read_text(contents[i], length, &(mass_network){0}, &lists[i], &error), MASS_OK, "%s", error.text);
    }
    cr_assert(lists[0].count == EDGES && lists[1].count == EDGES);
    cr_expect_eq(memcmp(lists[0].from, lists[1].from, EDGES * sizeof(uint32_t)), 0);
    cr_expect_eq(memcmp(lists[0].to, lists[1].to, EDGES * sizeof(uint32_t)), 0);
    cr_expect_eq(memcmp(lists[0].columns[1].values, lists[1].columns[1].values, EDGES * sizeof(double)), 0);
    cr_expect(lists[0].columns[0].other_line == 2 && lists[1].columns[0].other_line == 2);
    mass_edge_list_free(&lists[0]), mass_edge_list_free(&lists[1]);
    free(contents[0]), free(contents[1]);
}

/* Expects that a file is refused, with words in the line. */
static void expect_refused(const char *content, size_t length, const char *words)
{
    mass_edge_list list;
    mass_error error = {0};
    cr_expect_eq(read_text(content, length, &(mass_network){.nodes = 10, .simple = 1}, &list, &error), MASS_BAD_INPUT,
                 "%s", content);
    cr_expect(strstr(error.text, words), "%s: %s", words, error.text);
    mass_edge_list_free(&list);
}
#define REFUSED(content, words) expect_refused(content, sizeof content - 1, words)

Test(network_read, other_files_are_refused)
{
    REFUSED("0,1\n0\0,2\n", "line 2: it has a zero byte, so the file is no text");
    REFUSED("0,1\n1,10\n", "line 2: there is no node 10: network 'net' has nodes 0 to 9");
    REFUSED("0,1\n1,99999999999999999999\n", "line 2: there is no node 99999999999999999999");
    REFUSED("0,1\n,\n", "line 2: '' is no number of a node");
    REFUSED("0,1\n1;2\n", "line 2: an edge has two ends, and there is one number");
    REFUSED("-1,1\n", "line 1: '-1' is no number of a node");
    REFUSED("0,1\n4,4\n", "line 2: it joins node 4 to itself");
    REFUSED("source,target,\n", "line 1: '' is no name of a column");
    REFUSED("source,target,a,a\n", "line 1: column 'a' is there twice");
    REFUSED("0,1.5\n", "line 1: '1.5' is no number of a node");
    REFUSED("0,0x1\n", "line 1: '0x1' is no number of a node");
    REFUSED("0,1e1\n", "line 1: there is no node 1e1: network 'net' has nodes 0 to 9");
    REFUSED("0,1e999\n", "line 1: there is no node 1e999: network 'net' has nodes 0 to 9");
    REFUSED("source target kind\n0 1 x\n1 2 \n", "line 3: it has 2 columns, and not 3");
    REFUSED("source,source_name,target\n", "line 1: it has both 'source' and 'source_name'");
    REFUSED("source,target,target\n", "line 1: column 'target' is there twice");
    REFUSED("%%MatrixMarketX matrix coordinate real general\n3 3 0\n", "line 1: its header has no column 'source'");
    REFUSED("source,target,a\n0,1,2,3\n", "line 2: it has 4 columns, and not 3");
    REFUSED("source,target\na,b\nb,\n", "line 3: '' is no name of a node");
    REFUSED("source,target\na,b\nb\n", "line 3: an edge has two ends, and there is one name");
    REFUSED("source,target\na,b\nb,\x01\n", "line 3: ");
    REFUSED("source,target\na,b\nb,b\n", "line 3: it joins node b to itself");
    REFUSED("source,target\n1,b\n", "line 2: 'b' is no number of a node: nodes are numbered from 0, or columns "
                                     "source_name and target_name have their names");
    REFUSED("source,target\na,b\nc,d\ne,f\ng,h\ni,j\na,k\n", "line 7: 'k' is the name of one node more than the 10 of "
                                                              "network 'net'");
    REFUSED("source,target\na,\"b\nb,c\n", "line 2: a quote does not end, or more text follows it");
    REFUSED("source,target\na,\"b\"c\n", "line 2: a quote does not end, or more text follows it");
    REFUSED("source,target,a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q\n", "line 1: it has more than 18 columns");
}

#define MATRIX "%%MatrixMarket matrix coordinate "

Test(network_read, other_matrices_are_refused)
{
    REFUSED(MATRIX "real\n", "line 1: it is not of the form %%MatrixMarket matrix coordinate FIELD SYMMETRY");
    REFUSED("%%MatrixMarket matrix array real general\n", "line 1: its format is 'array', and a network takes "
                                                          "coordinate");
    REFUSED(MATRIX "complex general\n", "line 1: its values are 'complex'");
    REFUSED(MATRIX "real skew-symmetric\n", "line 1: its symmetry is 'skew-symmetric'");
    REFUSED(MATRIX "real general\n2 3 1\n", "line 2: it has 2 rows and 3 columns, and a network is square");
    REFUSED(MATRIX "real general\n1 3 1\n", "line 2: it has 1 row and 3 columns, and a network is square");
    REFUSED(MATRIX "real general\n3 3 1\n", "line 2: the file ends after 0 of 1 entry");
    REFUSED(MATRIX "real general\n2 2\n", "line 2: it has to be the numbers of rows, columns and entries");
    REFUSED(MATRIX "real general\n11 11 1\n", "line 2: there are 11 nodes, and network 'net' has 10");
    REFUSED(MATRIX "real general\n3000000000 3000000000 1\n", "line 2: there are 3000000000 nodes, and a ");
    REFUSED(MATRIX "real general\n", "line 1: the file ends before the numbers of rows, columns and entries");
    REFUSED(MATRIX "real general\n3 3 2\n1 2 1\n", "line 3: the file ends after 1 of 2 entries");
    REFUSED(MATRIX "real general\n3 3 1\n1 2 1\n2 1 1\n", "line 4: it is an entry more than the 1 of the file");
    REFUSED(MATRIX "real general\n3 3 1\n1 2\n", "line 3: it has 2 columns, and not 3");
    REFUSED(MATRIX "real general\n3 3 1\n0 2 1\n", "line 3: there is no node 0: the matrix of network 'net' has nodes "
                                                 "1 to 3");
    REFUSED(MATRIX "real general\n3 3 1\n1 4 1\n", "line 3: there is no node 4: the matrix of network 'net'");
    REFUSED(MATRIX "real general\n3 3 1\n1 2 nan\n", "line 3: 'nan' in column 'weight' is no finite number");
    REFUSED(MATRIX "real general\n3 3 1\n1 2 home\n", "line 3: 'home' in column 'weight' is no finite number");
    REFUSED(MATRIX "real general\n3 3 1\n1 2 0x10\n", "line 3: '0x10' in column 'weight' is no finite number");
    REFUSED(MATRIX "integer general\n3 3 2\n1 2 1.0\n2 1 1.5\n", "line 4: 1.5 in column 'weight' is no integer");
    REFUSED(MATRIX "integer general\n3 3 1\n1 2 -25e-1\n", "line 3: -2.5 in column 'weight' is no integer");
    REFUSED(MATRIX "pattern general\n3 3 1\n2 2\n", "line 3: it joins node 2 to itself");
    mass_edge_list list;
    mass_error error = {0};
    FILE *file = fmemopen((void *)(uintptr_t)"1 2\n", 4, "r");
    const mass_network n = {.name = "net", .file = "a.MTX"};
    cr_expect_eq(mass_edge_list_parse(file, &n, 0, NULL, &list, &error), MASS_BAD_INPUT);
    cr_expect_str_eq(error.text, "a.MTX, line 1: it does not begin with %%MatrixMarket, as that of a .mtx file does");
    mass_edge_list_free(&list);
    fclose(file);
}

Test(network_read, bytes_at_random_are_read_or_refused)
{
    static const char letters[] = "0123456789,,,\n\n\t .-+eEsource target#\r\0x";
    uint64_t random = 88172645463325252u;
    for (int i = 0; i < 3000; i++) {
        char content[64];
        size_t length = 0;
        for (; length < sizeof content && random % 61; length++) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            content[length] = letters[random / 64 % sizeof letters];
        }
        random += 977;
        mass_edge_list list;
        mass_error error = {0};
        const mass_status status = read_text(content, length, &(mass_network){0}, &list, &error);
        cr_expect(status == MASS_OK ? !error.text[0] : status == MASS_BAD_INPUT && error.text[0]);
        mass_edge_list_free(&list);
    }
}

Test(network_read, a_folder_is_no_file)
{
    mass_edge_list list;
    mass_error error = {0};
    const mass_network n = {.name = "net", .file = "/tmp"};
    cr_expect_eq(mass_edge_list_read(&n, 0, NULL, &list, &error), MASS_BAD_INPUT);
    cr_expect(strstr(error.text, "cannot read /tmp: Is a directory"), "%s", error.text);
    mass_edge_list_free(&list);
}
