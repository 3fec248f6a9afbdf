/* SPDX-License-Identifier: Apache-2.0 */
/* Edges in .npy files: arrays of their form in any type, and arrays of other forms. The test models-linked has HDF5. */
#include "io/input/edge_arrays.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Reads a file with this header and these bytes. The caller frees the list. */
static mass_status read_array(const char *header, const void *numbers, size_t bytes, const mass_network *n,
                              mass_edge_list *list, mass_error *error)
{
    char path[] = "/tmp/mass-edges-XXXXXX.npy";
    const int file = mkstemps(path, 4);
    const size_t length = strlen(header);
    const char head[10] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, (char)length, 0};
    cr_assert(file >= 0 && write(file, head, sizeof head) == sizeof head &&
              write(file, header, length) == (ssize_t)length && write(file, numbers, bytes) == (ssize_t)bytes);
    close(file);
    mass_network own = *n;
    own.file = path;
    own.name = "net";
    const mass_status status = mass_edge_arrays_read(&own, own.nodes, NULL, list, error);
    unlink(path);
    return status;
}

/* Expects edges 0 to 1, 1 to 2 and 3 to 0. */
static void expect_three(const char *header, const void *numbers, size_t bytes)
{
    static const uint32_t from[] = {0, 1, 3}, to[] = {1, 2, 0};
    mass_edge_list list;
    mass_error error = {0};
    cr_assert_eq(read_array(header, numbers, bytes, &(mass_network){.simple = 1}, &list, &error), MASS_OK, "%s: %s",
                 header, error.text);
    cr_assert(list.count == 3 && list.nodes == 4 && list.rows && list.line[2] == 2);
    for (int i = 0; i < 3; i++) cr_expect(list.from[i] == from[i] && list.to[i] == to[i], "%s: %d", header, i);
    mass_edge_list_free(&list);
}
#define C_ORDER "'fortran_order': False, 'shape': (3, 2), }"

Test(edge_arrays, any_type_of_integers_is_read)
{
    const uint8_t bytes[] = {0, 1, 1, 2, 3, 0};
    const int16_t shorts[] = {0, 1, 1, 2, 3, 0};
    const uint64_t longs[] = {0, 1, 1, 2, 3, 0}, turned[] = {0, 1, 3, 1, 2, 0};
    expect_three("{'descr': '|u1', " C_ORDER, bytes, sizeof bytes);
    expect_three("{'descr': '|i1', " C_ORDER, bytes, sizeof bytes);
    expect_three("{'descr': '<i2', " C_ORDER, shorts, sizeof shorts);
    expect_three("{'descr': '<u8', " C_ORDER, longs, sizeof longs);
    expect_three("{'descr': '<i8', 'fortran_order': True, 'shape': (3, 2), }", turned, sizeof turned);
}

/* Expects that an array of 48 bytes is refused, with words in the line. */
static void expect_refused(const char *header, const void *numbers, mass_network n, const char *words)
{
    mass_edge_list list;
    mass_error error = {0};
    cr_expect_eq(read_array(header, numbers, 48, &n, &list, &error), MASS_BAD_INPUT, "%s", words);
    cr_expect(strstr(error.text, words), "%s: %s", words, error.text);
    mass_edge_list_free(&list);
}

Test(edge_arrays, other_arrays_are_refused)
{
    const mass_network any = {0}, ten = {.nodes = 10}, simple = {.simple = 1};
    const uint64_t far[] = {0, 1, 1, 10, 3, UINT64_MAX}, loop[] = {0, 1, 1, 2, 3, 3};
    const int64_t below[] = {0, 1, -7, 2, 3, 0};
    expect_refused("{'descr': '<u8', " C_ORDER, far, ten, ".npy, row 1: there is no node 10: network 'net' has nodes 0 "
                                                          "to 9");
    expect_refused("{'descr': '<u8', " C_ORDER, far, any, ".npy, row 2: node 18446744073709551615 is beyond what can "
                                                          "be numbered, 0 to 2147479550");
    expect_refused("{'descr': '<i8', " C_ORDER, below, any, ".npy, row 1: '-7' is no number of a node");
    expect_refused("{'descr': '<u8', " C_ORDER, loop, simple, ".npy, row 2: it joins node 3 to itself");
    expect_refused("{'descr': '<f8', " C_ORDER, below, any, ".npy: it holds floats, and nodes are numbered by "
                                                            "integers: save array.astype('int64')");
    expect_refused("{'descr': '<f2', 'fortran_order': False, 'shape': (12, 2), }", below, any, ".npy: it holds floats");
    expect_refused("{'descr': '|b1', 'fortran_order': False, 'shape': (24, 2), }", below, any,
                   ".npy: it holds truth values, and edges are the numbers of two nodes each");
    expect_refused("{'descr': '<u8', 'fortran_order': False, 'shape': (2, 3, 1), }", loop, any,
                   ".npy: its shape is [2][3][1], and that of edges is [m][2]");
    expect_refused("{'descr': '<i2', 'fortran_order': False, 'shape': (8, 3), }", loop, any,
                   ".npy: its shape is [8][3], and that of edges is [m][2]: values of edges are columns of a CSV");
    expect_refused("{'descr': '<u8', 'fortran_order': False, 'shape': (2, 3), }", loop, any,
                   ".npy: its shape is [2][3], and that of edges is [m][2]: save array.T");
    expect_refused("{'descr': '<u8', 'fortran_order': False, 'shape': (6,), }", loop, any,
                   ".npy: its shape is [6], and that of edges is [m][2]");
    expect_refused("{'descr': '<u8', 'fortran_order': False, 'shape': (4, 2), }", loop, any, "is not a .npy file that "
                                                                                            "can be read");
}

Test(edge_arrays, a_single_number_is_no_array_of_edges)
{
    const int64_t five = 5;
    mass_edge_list list;
    mass_error error = {0};
    cr_expect_eq(read_array("{'descr': '<i8', 'fortran_order': False, 'shape': (), }", &five, sizeof five,
                            &(mass_network){0}, &list, &error), MASS_BAD_INPUT);
    cr_expect(strstr(error.text, ".npy: it is a single number, and edges are an array of shape [m][2]"), "%s",
              error.text);
    mass_edge_list_free(&list);
}
