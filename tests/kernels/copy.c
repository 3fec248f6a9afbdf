/* SPDX-License-Identifier: Apache-2.0 */
/* Strided copies against one byte at a time, and additions; what lies between the runs stays. */
#include "cpu/kernels.h"
#include "teams.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static int64_t run_at(const int64_t stride[3], int64_t i, int64_t j, int64_t k)
{
    return i * stride[0] + j * stride[1] + k * stride[2];
}

static void copy_plainly(const mass_strided *c)
{
    for (int64_t k = 0; k < c->count[2]; k++)
        for (int64_t j = 0; j < c->count[1]; j++)
            for (int64_t i = 0; i < c->count[0]; i++)
                for (size_t b = 0; b < c->bytes; b++)
                    ((char *)c->to + run_at(c->to_stride, i, j, k))[b] =
                        ((const char *)c->from + run_at(c->from_stride, i, j, k))[b];
}

/* Strides of runs `gap` bytes apart along x, and a little more along the other axes. */
static size_t set_strides(int64_t stride[3], const int64_t count[3], size_t bytes, int gap)
{
    stride[0] = (int64_t)bytes + gap;
    stride[1] = stride[0] * count[0] + 3 * gap;
    stride[2] = stride[1] * count[1] + 5 * gap;
    return (size_t)(stride[2] * count[2]);
}

static void expect_copied(size_t bytes, int64_t nx, int64_t ny, int64_t nz, int to_gap,
                          int from_gap, int threads)
{
    mass_strided c = {.bytes = bytes, .count = {nx, ny, nz}};
    const size_t from_bytes = set_strides(c.from_stride, c.count, bytes, from_gap);
    const size_t to_bytes = set_strides(c.to_stride, c.count, bytes, to_gap);
    unsigned char *const from = malloc(from_bytes), *const got = malloc(to_bytes);
    unsigned char *const expected = malloc(to_bytes);
    cr_assert(from && got && expected);
    for (size_t i = 0; i < from_bytes; i++) from[i] = (unsigned char)(i * 2654435761u >> 13);
    memset(got, 0xee, to_bytes);
    memset(expected, 0xee, to_bytes);
    c.from = from;
    c.to = expected;
    copy_plainly(&c);
    c.to = got;
    mass_cpu_copy(&c, team_of(threads));
    cr_assert_eq(memcmp(got, expected, to_bytes), 0, "runs of %zu, %d %d %d of them, %d threads",
                 bytes, (int)nx, (int)ny, (int)nz, threads);
    free(from);
    free(got);
    free(expected);
}

Test(copy, every_run_from_1_to_17_bytes)
{
    for (size_t bytes = 1; bytes <= 17; bytes++)
        for (int gap = 0; gap < 4; gap++) {
            expect_copied(bytes, 5, 4, 3, gap, 0, 1);
            expect_copied(bytes, 5, 4, 3, 0, gap, 1);
            expect_copied(bytes, 1, 1, 1, gap, gap, 1);
        }
}

Test(copy, one_long_axis_of_each)
{
    for (size_t bytes = 1; bytes <= 17; bytes++) {
        expect_copied(bytes, 3000, 1, 1, 1, 7, 2);
        expect_copied(bytes, 1, 3000, 1, 1, 7, 2);
        expect_copied(bytes, 1, 1, 3000, 1, 7, 2);
    }
}

Test(copy, large_copies_on_any_number_of_threads)
{
    for (int threads = 1; threads <= 4; threads++) {
        expect_copied(1, 300, 200, 11, 2, 1, threads);
        expect_copied(8, 100, 70, 13, 0, 4, threads);
        expect_copied(1000, 3, 70, 13, 5, 0, threads);
    }
}

/* A mirror image: the target's rows go backwards. */
Test(copy, strides_may_be_negative)
{
    uint32_t from[4][6], to[4][6];
    for (int i = 0; i < 24; i++) from[i / 6][i % 6] = (uint32_t)i * 77;
    memset(to, 0, sizeof to);
    mass_cpu_copy(&(mass_strided){.to = &to[3][0], .from = from, .bytes = 4, .count = {6, 4, 1},
                                  .to_stride = {4, -24, 0}, .from_stride = {4, 24, 0}}, NULL);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 6; x++)
            cr_assert_eq(to[3 - y][x], from[y][x], "row %d, column %d", y, x);
}

Test(copy, additions_are_modulo_the_size_of_an_integer)
{
    enum { WIDE = 300, HIGH = 400 };
    for (size_t size = 4; size <= 8; size += 4)
        for (int threads = 1; threads <= 3; threads++) {
            uint64_t *const to = calloc(WIDE * HIGH, 8), *const from = calloc(WIDE * HIGH, 8);
            for (size_t i = 0; i < WIDE * HIGH; i++) to[i] = i * 0x9e3779b97f4a7c15u, from[i] = ~(i << 31);
            const size_t each = 8 / size; /* of every row but the first and the last two integers, every other row */
            mass_cpu_combine(&(mass_strided){.to = (char *)to + size, .from = from, .bytes = WIDE * 8 - 3 * size,
                                         .count = {10, HIGH / 20, 1}, .to_stride = {2 * WIDE * 8, 20 * WIDE * 8},
                                         .from_stride = {WIDE * 8, 20 * WIDE * 8}},
                             &(mass_combination){MASS_COMBINATION_ADD, size, false}, team_of(threads));
            for (size_t row = 0; row < HIGH; row++)
                for (size_t k = 0; k < WIDE * each; k++) {
                    const size_t taken = row / 20 * 20 + row % 20 / 2;
                    const bool added = row % 2 == 0 && k >= 1 && k < WIDE * each - 2;
                    const size_t word = (row * WIDE * each + k) / each;
                    const uint64_t was = word * 0x9e3779b97f4a7c15u, more = ~((taken * WIDE + (k - 1) / each) << 31);
                    const uint64_t a = size == 8 ? was : (uint32_t)(was >> 32 * (k % 2));
                    const uint64_t b = size == 8 ? more : (uint32_t)(more >> 32 * ((k - 1) % 2));
                    const uint64_t got = size == 8 ? to[word] : (uint32_t)(to[word] >> 32 * (k % 2));
                    const uint64_t sum = added ? a + b : a;
                    cr_assert_eq(got, size == 8 ? sum : (uint32_t)sum, "row %zu, integer %zu of %zu bytes", row, k,
                                 size);
                }
            free(to);
            free(from);
        }
}

Test(copy, integers_combine_by_kind_size_and_sign)
{
    static const int64_t kept[] = {5, -5, 5, -1, INT64_MIN}, given[] = {-1, 3, 7, 4, -2};
    static const int64_t signed_least[] = {-1, -5, 5, -1, INT64_MIN}, least[] = {5, 3, 5, 4, INT64_MIN};
    static const int64_t replaced[] = {5, 3, 7, 4, -2};
    static const struct {
        mass_combination how;
        const int64_t *expected;
    } cases[] = {{{MASS_COMBINATION_LEAST, 8, true}, signed_least}, {{MASS_COMBINATION_LEAST, 8, false}, least},
                 {{MASS_COMBINATION_REPLACE, 8, true}, replaced}, {{MASS_COMBINATION_REPLACE, 8, false}, replaced}};
    static const uint32_t index[] = {4, 2, 0, 1, 3};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t box[5], list[5], small[5], of_list[5], words[5];
        memcpy(box, kept, sizeof box);
        mass_cpu_combine(&(mass_strided){.to = box, .from = given, .bytes = sizeof box, .count = {1, 1, 1}},
                         &cases[i].how, NULL);
        cr_expect_arr_eq(box, cases[i].expected, sizeof box, "case %zu", i);
        memcpy(list, kept, sizeof list);
        mass_cpu_gather(&(mass_indexed){of_list, given, index, 5, 8});
        mass_cpu_scatter(&(mass_indexed){list, of_list, index, 5, 8}, &cases[i].how);
        cr_expect_arr_eq(list, cases[i].expected, sizeof list, "case %zu, by number", i);
        const mass_combination half = {cases[i].how.kind, 4, cases[i].how.is_signed}; /* the lower and upper ones */
        memcpy(small, kept, sizeof small), memcpy(words, kept, sizeof words);
        mass_cpu_combine(&(mass_strided){.to = small, .from = given, .bytes = sizeof small, .count = {1, 1, 1}}, &half,
                         NULL);
        for (int k = 0; k < 10; k++) {
            int32_t a, b, found;
            memcpy(&a, (char *)words + 4 * k, 4);
            memcpy(&b, (const char *)given + 4 * k, 4);
            memcpy(&found, (char *)small + 4 * k, 4);
            const bool less = half.is_signed ? b < a : (uint32_t)b < (uint32_t)a;
            const bool takes = half.kind == MASS_COMBINATION_LEAST ? less : b != -1;
            cr_expect_eq(found, takes ? b : a, "case %zu, word %d", i, k);
        }
    }
}

Test(copy, contributions_to_one_element_add_up_and_other_elements_stay)
{
    static const uint32_t index[] = {2, 0, 2, 2};
    static const uint32_t given[] = {10, 20, 30, UINT32_MAX};
    uint32_t sums[3] = {1, 2, 3}, copies[3] = {1, 2, 3};
    mass_cpu_scatter(&(mass_indexed){sums, given, index, 4, 4}, &(mass_combination){MASS_COMBINATION_ADD, 4, false});
    cr_expect_arr_eq(sums, ((uint32_t[]){21, 2, 42}), sizeof sums);
    mass_cpu_scatter(&(mass_indexed){copies, given, index, 2, 4}, NULL);
    cr_expect_arr_eq(copies, ((uint32_t[]){20, 2, 10}), sizeof copies);
}
