/* SPDX-License-Identifier: Apache-2.0 */
/* Edge lists in their forms, and files that are none. */
#include "network_file.h"

#include <inttypes.h>

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
    REFUSED("source,target,a\n0,1,\n", "line 2: '' in column 'a' is no finite number");
    REFUSED("source,target,a\n0,1,inf\n", "line 2: 'inf' in column 'a' is no finite number");
    REFUSED("source,target,a\n0,1,2,3\n", "line 2: it has 4 columns, and not 3");
    REFUSED("source,target,a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q\n", "line 1: it has more than 18 columns");
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
    cr_expect_eq(mass_edge_list_read(&n, 0, &list, &error), MASS_BAD_INPUT);
    cr_expect(strstr(error.text, "cannot read /tmp: Is a directory"), "%s", error.text);
    mass_edge_list_free(&list);
}
