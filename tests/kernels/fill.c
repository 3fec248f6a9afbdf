/* SPDX-License-Identifier: Apache-2.0 */
/* Filling against a plain loop, for every size of an element and with a margin that stays. */
#include "cpu/kernels.h"
#include "teams.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { MARGIN = 64 };

static void fill_plainly(unsigned char *to, const unsigned char *element, size_t size, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t b = 0; b < size; b++) to[i * size + b] = element[b];
}

static void expect_filled(size_t size, size_t count, int threads)
{
    unsigned char element[17];
    for (size_t b = 0; b < sizeof element; b++) element[b] = (unsigned char)(17 * b + size);
    const size_t bytes = size * count + 2 * MARGIN;
    unsigned char *const got = malloc(bytes), *const expected = malloc(bytes);
    cr_assert(got && expected);
    memset(got, 0xee, bytes);
    memset(expected, 0xee, bytes);
    mass_cpu_fill(got + MARGIN, element, size, count, team_of(threads));
    fill_plainly(expected + MARGIN, element, size, count);
    cr_assert_eq(memcmp(got, expected, bytes), 0, "%zu elements of %zu bytes, %d threads", count,
                 size, threads);
    free(got);
    free(expected);
}

Test(fill, every_element_size_and_small_counts)
{
    static const size_t counts[] = {0, 1, 2, 3, 7, 64, 1000};
    for (size_t size = 1; size <= 17; size++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            expect_filled(size, counts[i], 1);
}

/* Around the blocks that are repeated, 2^16 bytes, and the parts that threads take, 2^20. */
Test(fill, counts_around_a_block_and_around_a_part)
{
    for (size_t size = 1; size <= 17; size++)
        for (int around = -1; around <= 1; around++) {
            expect_filled(size, (size_t)((1 << 16) / (int)size + around), 2);
            expect_filled(size, (size_t)((1 << 20) / (int)size + 1 + around), 2);
        }
}

Test(fill, many_parts_on_any_number_of_threads)
{
    for (int threads = 1; threads <= 4; threads++)
        for (size_t size = 1; size <= 17; size++)
            expect_filled(size, (size_t)(5 << 20) / size + 12345, threads);
}
