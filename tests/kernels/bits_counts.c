/* SPDX-License-Identifier: Apache-2.0 */
/* Bits by counts of neighbours against a plain loop: rows of any number of words, and every instruction set that the
 * machine has. Memory ends where the last word lies that may be read. */
#include "cpu/bits_counts.h"

#include <criterion/criterion.h>
#include <mass/callback.h>
#include <stdlib.h>

enum { WORD = 64, WIDEST = 21 };

static uint64_t state = 5;

static uint64_t any(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 32 ^ state << 21;
}

static int get(const uint64_t *row, int64_t x) { return row[(x + WORD) / WORD - 1] >> (x + WORD) % WORD & 1; }

static int neighbours(const mass_bits_band *b, int64_t x, int64_t y)
{
    const uint64_t *const own = b->from + y * b->pitch, *const above = own - b->pitch, *const below = own + b->pitch;
    const int near = get(own, x - 1) + get(own, x + 1) + get(above, x) + get(below, x);
    if (b->von_neumann) return near;
    return near + get(above, x - 1) + get(above, x + 1) + get(below, x - 1) + get(below, x + 1);
}

/* The last word has some places, and bits behind them. */
static void check_changes(const mass_bits_by_counts *set, const mass_bits_band *b)
{
    const int64_t width = b->words * WORD - (int64_t)(any() % WORD);
    mass_bits_changes expected = {0};
    for (int64_t y = 0; y < b->rows; y++)
        for (int64_t x = 0; x < width; x++) {
            const int before = get(b->from + y * b->pitch, x), after = get(b->to + y * b->to_pitch, x);
            expected.before += before;
            expected.after += after;
            expected.both += before & after;
        }
    const mass_bits_changes c = set->changes(b, ~(uint64_t)0 >> (b->words * WORD - width));
    cr_assert(c.before == expected.before && c.after == expected.after && c.both == expected.both,
              "%d x %d places", (int)width, (int)b->rows);
}

static void check(const mass_bits_by_counts *set, int64_t words, int64_t rows, bool von_neumann, bool life)
{
    const uint32_t all = von_neumann ? 31 : 511;
    mass_bits_band b = {.pitch = words + 2, .to_pitch = words, .rows = rows, .words = words,
                        .von_neumann = von_neumann, .birth = (uint32_t)any() & all, .survive = (uint32_t)any() & all};
    const size_t count = (size_t)((rows + 2) * b.pitch);
    uint64_t *const from = malloc(count * sizeof *from);
    cr_assert(from && (b.to = malloc((size_t)(rows * words) * sizeof *b.to)));
    for (size_t i = 0; i < count; i++) from[i] = any() << 32 ^ any();
    if (life) b.birth = 1 << 3, b.survive = 1 << 2 | 1 << 3;
    b.from = from + b.pitch + 1;
    set->step(&b);
    for (int64_t y = 0; y < rows; y++)
        for (int64_t x = 0; x < words * WORD; x++) {
            const uint32_t rule = get(b.from + y * b.pitch, x) ? b.survive : b.birth;
            cr_assert_eq(get(b.to + y * words, x), rule >> neighbours(&b, x, y) & 1, "%d words, place %d, %d",
                         (int)words, (int)x, (int)y);
        }
    check_changes(set, &b);
    free(from);
    free(b.to);
}

static void check_set(uint32_t isa)
{
    const mass_bits_by_counts *const set = mass_bits_by_counts_of(isa);
    for (int64_t words = 1; words <= WIDEST; words++)
        for (int64_t rows = 1; rows <= 6; rows++) {
            check(set, words, rows, false, true);
            check(set, words, rows, false, false);
            check(set, words, rows, true, false);
        }
}

Test(bits_counts, every_instruction_set_comes_to_what_a_plain_loop_does)
{
    check_set(MASS_ISA_BASE);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) check_set(MASS_ISA_AVX2);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        check_set(MASS_ISA_AVX512);
#endif
}
