/* SPDX-License-Identifier: Apache-2.0 */
/* NumPy's files: headers as they are written, and what everything else is refused with. */
#include "io/input/npy.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A file of a version with a header and `numbers` bytes after it, without an end. */
static uint8_t *make(int version, const char *header, size_t numbers, size_t *size)
{
    const size_t length = strlen(header), prefix = version == 1 ? 10 : 12;
    uint8_t *bytes = calloc(1, *size = prefix + length + numbers);
    memcpy(bytes, "\x93NUMPY", 6);
    bytes[6] = (uint8_t)version;
    bytes[8] = (uint8_t)length;
    memcpy(bytes + prefix, header, length);
    return bytes;
}

static mass_npy expect(int version, const char *header, size_t numbers)
{
    size_t size;
    mass_npy n;
    mass_error e = {0};
    uint8_t *bytes = make(version, header, numbers, &size);
    cr_assert_eq(mass_npy_parse("a.npy", bytes, size, &n, &e), MASS_OK, "%s: %s", header, e.text);
    cr_assert_eq(n.offset, size - numbers);
    free(bytes);
    return n;
}

static void refuse(int version, const char *header, size_t numbers, const char *said)
{
    size_t size;
    mass_npy n = {.rank = 77};
    mass_error e = {0};
    uint8_t *bytes = make(version, header, numbers, &size);
    cr_assert_eq(mass_npy_parse("a.npy", bytes, size, &n, &e), MASS_BAD_INPUT, "%s", header);
    cr_assert(strstr(e.text, said) && n.rank == 77, "%s: %s", header, e.text);
    free(bytes);
}

Test(npy, headers)
{
    mass_npy n = expect(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }          \n", 48);
    cr_assert(n.type == MASS_F32 && n.rank == 2 && n.extent[0] == 3 && n.extent[1] == 4 && n.count == 12 && !n.fortran);
    n = expect(2, "{\"shape\":(5L,),\"fortran_order\":True,\"descr\":\"|b1\"}", 5);
    cr_assert(n.type == MASS_U8 && n.rank == 1 && n.extent[0] == 5 && n.fortran);
    n = expect(3, "{'descr': '<u8', 'fortran_order': False, 'shape': (), }", 8);
    cr_assert(n.type == MASS_U64 && n.rank == 0 && n.count == 1);
    n = expect(1, "{'descr': '<f2', 'fortran_order': False, 'shape': (3,)}", 6);
    cr_assert(n.type == MASS_F32 && n.half && n.count == 3);
    n = expect(1, "{'descr': '<i2', 'fortran_order': False, 'shape': (7, 0, 2)}", 0);
    cr_assert(n.type == MASS_I16 && n.rank == 3 && n.count == 0);
}

Test(npy, headers_that_are_refused)
{
#define GOOD "'descr': '<f4', 'fortran_order': False"
    refuse(4, "{" GOOD ", 'shape': (1,)}", 4, "its version is not one of 1, 2 and 3");
    refuse(1, "{" GOOD ", 'shape': (1,)}", 5, "its shape asks for 4 bytes, and 5 follow its header");
    refuse(1, "{" GOOD ", 'shape': (2,)}", 4, "its shape asks for 8 bytes, and 4 follow its header");
    refuse(1, "{" GOOD ", 'shape': (4294967296, 4294967296)}", 4, "its shape is beyond counting");
    refuse(1, "{" GOOD ", 'shape': (99999999999999999999,)}", 4, "its shape is not a tuple of at most 6 integers");
    refuse(1, "{" GOOD ", 'shape': (1,1,1,1,1,1,1)}", 4, "its shape is not a tuple of at most 6 integers");
    refuse(1, "{" GOOD ", 'shape': (-1,)}", 4, "its shape is not a tuple");
    refuse(1, "{" GOOD ", 'shape': (1,)", 4, "its header goes on after a value");
    refuse(1, "{" GOOD "}", 4, "its header lacks one of");
    refuse(1, "{" GOOD ", 'shape': (1,), 'shape': (1,)}", 4, "its header has two shape");
    refuse(1, "{" GOOD ", 'shape': (1,), 'x': 1}", 4, "its header has a key that is not one of");
    refuse(1, "{" GOOD ", 'shape': (1,)} x", 4, "its header goes on after its end");
    refuse(1, "[1, 2]", 4, "its header is not a dictionary");
    refuse(1, "{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}", 4, "its numbers are big-endian");
    refuse(1, "{'descr': '<f16', 'fortran_order': False, 'shape': (2,)}", 4, "its descr is not a type of numbers");
    refuse(1, "{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", 8, "its descr is not a type of numbers");
    refuse(1, "{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (1,)}", 4, "it holds structs");
    refuse(1, "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", 4, "neither True nor False");
}

Test(npy, a_file_that_ends_too_early)
{
    size_t size;
    uint8_t *bytes = make(2, "{" GOOD ", 'shape': (1,)}", 4, &size);
    for (size_t cut = 0; cut < size; cut++) {
        uint8_t *part = malloc(cut + 1);
        mass_npy n;
        mass_error e = {0};
        memcpy(part, bytes, cut);
        uint8_t *exact = realloc(part, cut ? cut : 1);
        cr_assert_eq(mass_npy_parse("a.npy", exact, cut, &n, &e), MASS_BAD_INPUT, "%zu", cut);
        free(exact);
    }
    free(bytes);
}

Test(npy, fortran_order)
{
    /* array[z][y][x] = 100 z + 10 y + x, the first index fastest */
    const mass_npy n = {.type = MASS_U8, .rank = 3, .extent = {2, 3, 2}, .count = 12};
    static const uint8_t columns[] = {0, 100, 10, 110, 20, 120, 1, 101, 11, 111, 21, 121};
    static const uint8_t rows[] = {0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121};
    uint8_t found[12];
    mass_npy_transpose(&n, columns, found);
    cr_assert_arr_eq(found, rows, 12);
}

Test(npy, floats_of_16_bits_become_32)
{
    static const uint8_t halves[] = {0x00, 0x3c, 0x01, 0x00, 0xff, 0x7b, 0x00, 0xc2, 0x00, 0x80, 0x00, 0x7c,
                                     0x01, 0x7e};
    float found[7];
    mass_npy_widen(halves, 7, found);
    cr_assert(found[0] == 1 && found[1] == 0x1p-24f && found[2] == 65504 && found[3] == -3);
    cr_assert(found[4] == 0 && signbit(found[4]) && isinf(found[5]) && isnan(found[6]));
}
