/* SPDX-License-Identifier: Apache-2.0 */
/* The search for the nth free place finds the one that counting finds, however free places are spread. */
#include <mass/kernel.h>

#include <criterion/criterion.h>
#include <stdlib.h>

enum { WORDS = 300 };

/* Fills words with full places: kind 0 at random, 1 free in one half only, 2 free at a few places, 3 in clumps. */
static void fill(mass_seats *full, int kind, uint64_t key)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i <= WORDS; i++) {
        const mass_random4 r = mass_random_block(key, i, 0, 0, 0);
        const uint32_t held = kind == 0 ? r.v[0] & r.v[1] : kind == 1 ? (i < WORDS / 2 ? r.v[0] : ~0u)
                              : kind == 2 ? (r.v[0] % 90 ? ~0u : ~(1u << r.v[1] % 32)) : i / 40 % 2 ? 0 : ~0u;
        full[i] = (mass_seats){held, before};
        before += mass_ones_of(held);
    }
}

/* Expects that each free place of the words from `low` to `high` is found. */
static void expect_found(const mass_seats *full, int64_t low, int64_t high, int kind)
{
    const int64_t first = 32 * low - full[low].before, end = 32 * (high + 1) - full[high + 1].before;
    int64_t nth = first;
    for (int64_t cell = 32 * low; cell < 32 * (high + 1); cell++) {
        if (full[cell / 32].held >> cell % 32 & 1) continue;
        const int64_t word = mass_word_of_free(full, low, high, first, end, nth);
        cr_assert_eq(word, cell / 32, "kind %d, place %lld", kind, (long long)cell);
        cr_assert_eq(mass_nth_free(full[word].held, (uint32_t)(nth - (32 * word - full[word].before))), cell % 32,
                     "kind %d, place %lld", kind, (long long)cell);
        nth++;
    }
    cr_assert_eq(nth, end);
}

Test(free_places, are_found_by_their_number)
{
    static mass_seats full[WORDS + 1];
    for (int kind = 0; kind < 4; kind++)
        for (uint64_t key = 1; key < 8; key++) {
            fill(full, kind, key);
            expect_found(full, 0, WORDS - 1, kind);
            expect_found(full, 17, 60, kind);
            expect_found(full, 41, 41, kind);
        }
}
