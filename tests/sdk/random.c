/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers: the published generator, its packing, and what is made of its words. */
#include <mass/impl/kernel_cpu_draws.h>
#include <mass/random.h>

#include <criterion/criterion.h>
#include <string.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static int same_block(mass_random4 a, mass_random4 b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* The known answers of Random123's kat_vectors for philox4x32 with 10 rounds. */
Test(random, block_gives_the_known_answer_for_zeros)
{
    const mass_random4 expected = {{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}};
    cr_assert(same_block(mass_random_block(0, 0, 0, 0, 0), expected));
}

Test(random, block_gives_the_known_answer_for_ones)
{
    const mass_random4 expected = {{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}};
    cr_assert(same_block(mass_random_block(UINT64_MAX, UINT64_MAX, 0xffffffffffull, 255, 65535),
                         expected));
}

Test(random, block_gives_the_known_answer_for_digits_of_pi)
{
    const mass_random4 expected = {{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}};
    cr_assert(same_block(mass_random_block(0x299f31d0a4093822ull, 0x85a308d3243f6a88ull,
                                           0x0313198a2eull, 0x70, 0x7344), expected));
}

/* Philox is a bijection of the counter: two blocks are equal only if their counters are. So every
 * bit of every coordinate must move the block, and no two may move it alike. */
Test(random, every_bit_of_every_coordinate_counts)
{
    mass_random4 seen[1 + 64 + 40 + 8 + 16];
    int count = 0;
    seen[count++] = mass_random_block(42, 0, 0, 0, 0);
    for (int b = 0; b < 64; b++) seen[count++] = mass_random_block(42, 1ull << b, 0, 0, 0);
    for (int b = 0; b < 40; b++) seen[count++] = mass_random_block(42, 0, 1ull << b, 0, 0);
    for (int b = 0; b < 8; b++) seen[count++] = mass_random_block(42, 0, 0, 1u << b, 0);
    for (int b = 0; b < 16; b++) seen[count++] = mass_random_block(42, 0, 0, 0, 1u << b);
    cr_assert_eq(count, (int)(sizeof seen / sizeof *seen));
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) cr_assert_not(same_block(seen[i], seen[j]), "%d, %d", i, j);
}

Test(random, a_coordinate_out_of_range_does_not_reach_its_neighbours)
{
    const mass_random4 base = mass_random_block(42, 7, 4, 2, 2);
    cr_assert(same_block(mass_random_block(42, 7, 4, 2, 2 + 65536), base));
    cr_assert(same_block(mass_random_block(42, 7, 4, 2 + 256, 2), base));
    cr_assert(same_block(mass_random_block(42, 7, 4 + (1ull << 40), 2, 2), base));
}

Test(random, worlds_have_distinct_keys)
{
    enum { WORLDS = 2000 };
    static uint64_t keys[WORLDS];
    for (uint64_t w = 0; w < WORLDS; w++) keys[w] = mass_random_key(42, w);
    for (int i = 0; i < WORLDS; i++)
        for (int j = 0; j < i; j++)
            if (keys[i] == keys[j]) cr_assert_fail("worlds %d and %d", j, i);
}

Test(random, seeds_and_high_bits_of_worlds_change_the_key)
{
    const uint64_t key = mass_random_key(1, 1);
    cr_assert_neq(mass_random_key(2, 1), key);
    cr_assert_neq(mass_random_key(1 + (1ull << 32), 1), key);
    cr_assert_neq(mass_random_key(1, 1 + (1ull << 32)), key);
}

Test(random, key_is_the_first_two_words_of_the_world_s_block)
{
    const mass_random4 block = mass_random_block(99, 3, 0, 0, 0);
    cr_assert_eq(mass_random_key(99, 3), (uint64_t)block.v[1] << 32 | block.v[0]);
}

/* A launch over a 10 by 20 by 30 space, whose two worlds have keys 100 and 200. */
static const uint64_t keys[2] = {100, 200};
static mass_launch launch_at(uint64_t step, const uint64_t *clock)
{
    const mass_launch l = {.struct_size = sizeof l, .phase = 9, .step = step, .clock = clock,
                           .random_keys = keys, .size = {10, 20, 30}, .worlds = 2};
    return l;
}

Test(random, a_place_is_its_row_major_index)
{
    const mass_launch l = launch_at(77, NULL);
    const mass_site site = {&l, 4, 5, 6, 1, NULL};
    cr_assert(same_block(mass_site_random(&site, 3), mass_random_block(200, 1254, 77, 9, 3)));
}

Test(random, the_clock_of_a_replayed_launch_counts)
{
    const uint64_t clock = 1000;
    const mass_launch l = launch_at(77, &clock);
    const mass_site site = {&l, 4, 5, 6, 0, NULL};
    cr_assert_eq(mass_launch_step(&l), 1077);
    cr_assert(same_block(mass_site_random(&site, 3), mass_random_block(100, 1254, 1077, 9, 3)));
}

Test(random, units_reach_from_zero_to_just_below_one)
{
    cr_assert_eq(mass_unit_f32(0), 0.0f);
    cr_assert_eq(mass_unit_f32(UINT32_MAX), 1.0f - 0x1p-24f);
    cr_assert_eq(mass_unit_f32(0x80000000u), 0.5f);
    cr_assert_eq(mass_unit_f64(0, 0), 0.0);
    cr_assert_eq(mass_unit_f64(UINT32_MAX, UINT32_MAX), 1.0 - 0x1p-53);
    cr_assert_eq(mass_unit_f64(0x80000000u, 0), 0.5);
    cr_assert_eq(mass_unit_f64(0, 1u << 11), 0x1p-53);
}

enum { SAMPLES = 1 << 20, BINS = 256 };

/* Fails if counts in BINS equal bins are no sample of a uniform distribution. Chi-square with 255
 * degrees of freedom has mean 255 and deviation 22.6; the limits are 5 deviations. */
static void expect_uniform(const int counts[BINS], const char *what)
{
    double chi_square = 0;
    for (int b = 0; b < BINS; b++) {
        const double expected = (double)SAMPLES / BINS, difference = counts[b] - expected;
        chi_square += difference * difference / expected;
    }
    cr_assert(chi_square > 142 && chi_square < 368, "%s: chi-square %g", what, chi_square);
}

static mass_random4 sample(int i) { return mass_random_block(7, (uint64_t)i, 1, 0, 0); }

Test(random, words_are_uniform)
{
    for (int word = 0; word < 4; word++) {
        int high[BINS] = {0}, low[BINS] = {0};
        for (int i = 0; i < SAMPLES; i++) {
            high[sample(i).v[word] >> 24]++;
            low[sample(i).v[word] & 0xff]++;
        }
        expect_uniform(high, "high byte");
        expect_uniform(low, "low byte");
    }
}

Test(random, units_are_uniform)
{
    int floats[BINS] = {0}, doubles[BINS] = {0};
    for (int i = 0; i < SAMPLES; i++) {
        const mass_random4 r = sample(i);
        floats[(int)(mass_unit_f32(r.v[0]) * BINS)]++;
        doubles[(int)(mass_unit_f64(r.v[1], r.v[2]) * BINS)]++;
    }
    expect_uniform(floats, "floats");
    expect_uniform(doubles, "doubles");
}

Test(random, steps_phases_and_draws_are_uniform_too)
{
    int steps[BINS] = {0}, phases[BINS] = {0}, draws[BINS] = {0};
    for (int i = 0; i < SAMPLES; i++) {
        const uint32_t n = (uint32_t)i;
        steps[mass_random_block(7, 0, n, 0, 0).v[0] >> 24]++;
        phases[mass_random_block(7, n / 256, 0, n % 256, 0).v[0] >> 24]++;
        draws[mass_random_block(7, n / 65536, 0, 0, n % 65536).v[0] >> 24]++;
    }
    expect_uniform(steps, "steps");
    expect_uniform(phases, "phases");
    expect_uniform(draws, "draws");
}

Test(random, below_stays_below)
{
    const uint32_t bounds[] = {1, 2, 3, 1000, 0x80000001u, UINT32_MAX};
    cr_assert_eq(mass_below_u32(0, UINT32_MAX, UINT32_MAX), 0u);
    for (int i = 0; i < 6; i++) {
        cr_assert_eq(mass_below_u32(bounds[i], 0, 0), 0u);
        cr_assert_eq(mass_below_u32(bounds[i], UINT32_MAX, UINT32_MAX), bounds[i] - 1);
    }
}

/* floor(n f) for the 64-bit fraction f, against 128-bit integers. */
Test(random, below_is_the_product_with_a_64_bit_fraction)
{
    for (int i = 0; i < SAMPLES; i++) {
        const mass_random4 r = sample(i);
        const uint32_t n = r.v[2] >> (r.v[3] % 32);
        const unsigned __int128 f = (uint64_t)r.v[0] << 32 | r.v[1];
        cr_assert_eq(mass_below_u32(n, r.v[0], r.v[1]), (uint32_t)(f * n >> 64));
    }
}

Test(random, below_is_uniform)
{
    int counts[BINS] = {0};
    for (int i = 0; i < SAMPLES; i++)
        counts[mass_below_u32(BINS, sample(i).v[0], sample(i).v[1])]++;
    expect_uniform(counts, "below 256");
}

/* From one 32-bit word, half of the numbers below 3 2^30 would be multiples of 3. */
Test(random, below_is_uniform_where_32_bits_are_too_few)
{
    int multiples = 0;
    for (int i = 0; i < SAMPLES; i++)
        multiples += mass_below_u32(3u << 30, sample(i).v[0], sample(i).v[1]) % 3 == 0;
    const double deviation = sqrt(SAMPLES * (1.0 / 3) * (2.0 / 3));
    cr_assert_lt(fabs(multiples - SAMPLES / 3.0), 5 * deviation);
}

/* ---- permutations ---- */

static uint64_t shuffled(uint64_t key, uint64_t i, uint64_t n) { return mass_shuffled_u64(key, 5, 2, 3, i, n); }

static void expect_permutation(uint64_t key, uint64_t n)
{
    bool *seen = calloc(n, sizeof *seen);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t at = shuffled(key, i, n);
        cr_assert(at < n && !seen[at], "key %llu: element %llu of %llu is %llu", (unsigned long long)key,
                  (unsigned long long)i, (unsigned long long)n, (unsigned long long)at);
        seen[at] = true;
    }
    free(seen);
}

Test(random, shuffled_is_a_permutation)
{
    for (uint64_t n = 1; n <= 300; n++)
        for (uint64_t key = 0; key < 5; key++) expect_permutation(key, n);
    const uint64_t others[] = {1023, 1024, 1025, 4095, 4096, 4097, 65537, 262144, 300007};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) expect_permutation(77, others[i]);
}

/* What cannot be counted out is still a bijection: no two of many elements are one. */
static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

Test(random, shuffled_leaves_others_where_they_are)
{
    for (uint64_t n = 0; n <= 40; n++)
        for (uint64_t i = n; i < n + 40; i++) cr_assert_eq(shuffled(3, i, n), i, "of %d", (int)n);
    cr_assert_eq(shuffled(3, UINT64_MAX, 1000), UINT64_MAX);
}

Test(random, shuffled_repeats_nothing_of_very_many)
{
    enum { PICKS = 20000 };
    static uint64_t picks[PICKS];
    const uint64_t counts[] = {UINT32_MAX, 1ull << 32, (1ull << 32) + 1, 3ull << 40, 1ull << 62, (1ull << 62) + 1,
                               UINT64_MAX};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (uint64_t i = 0; i < PICKS; i++) {
            picks[i] = shuffled(1, i % 2 ? counts[c] - 1 - i : i, counts[c]);
            cr_assert_lt(picks[i], counts[c]);
        }
        qsort(picks, PICKS, sizeof *picks, by_value);
        for (int i = 1; i < PICKS; i++) cr_assert_neq(picks[i], picks[i - 1], "of %llu", (unsigned long long)counts[c]);
    }
}

/* Over many permutations of n, what the first k are, in their order, is anything alike: 5 deviations. */
static void expect_no_order(uint64_t n, int k)
{
    enum { ORDERS = 100000, CELLS = 20736 };
    int counts[CELLS] = {0}, possible = 1;
    for (int i = 0; i < k; i++) possible *= (int)n - i;
    for (uint64_t key = 0; key < ORDERS; key++) {
        uint64_t cell = 0;
        for (int i = 0; i < k; i++) cell = cell * n + shuffled(key, (uint64_t)i, n);
        cr_assert_lt(cell, CELLS);
        counts[cell]++;
    }
    const double expected = (double)ORDERS / possible, freedom = possible - 1;
    double chi_square = 0;
    int seen = 0;
    for (int cell = 0; cell < CELLS; cell++) {
        if (counts[cell] == 0) continue;
        chi_square += (counts[cell] - expected) * (counts[cell] - expected) / expected;
        seen++;
    }
    chi_square += (possible - seen) * expected;
    cr_expect_leq(seen, possible);
    cr_expect_lt(fabs(chi_square - freedom), 5 * sqrt(2 * freedom), "%d of %llu: chi-square %g", k,
                 (unsigned long long)n, chi_square);
}

Test(random, shuffled_favours_no_order)
{
    for (uint64_t n = 2; n <= 6; n++) expect_no_order(n, (int)n - 1);
    const uint64_t counts[] = {8, 12, 15, 16, 17, 24};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) expect_no_order(counts[i], 3);
    expect_no_order(64, 2);
    expect_no_order(144, 2);
}

/* Every element comes to every place alike: (N - 1)^2 degrees of freedom, and 5 deviations. */
static void expect_no_favour(uint64_t n, int orders)
{
    int *counts = calloc(n * n, sizeof *counts);
    for (int key = 0; key < orders; key++)
        for (uint64_t i = 0; i < n; i++) counts[i * n + shuffled((uint64_t)key, i, n)]++;
    double chi_square = 0;
    for (uint64_t i = 0; i < n * n; i++) {
        const double expected = (double)orders / (double)n, difference = counts[i] - expected;
        chi_square += difference * difference / expected;
    }
    const double freedom = (double)((n - 1) * (n - 1));
    cr_expect_lt(fabs(chi_square - freedom), 5 * sqrt(2 * freedom), "of %llu: chi-square %g", (unsigned long long)n,
                 chi_square);
    free(counts);
}

Test(random, shuffled_favours_no_place)
{
    const uint64_t counts[] = {4, 7, 16, 17, 46, 64, 65};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) expect_no_favour(counts[i], 40000);
}

/* From another program, written after the paper. */
Test(random, shuffled_gives_the_known_answers)
{
    static const uint64_t of_ten[10] = {2, 9, 0, 7, 8, 3, 6, 5, 1, 4};
    for (uint64_t i = 0; i < 10; i++) cr_expect_eq(mass_shuffled_u64(0, 0, 0, 0, i, 10), of_ten[i]);
    cr_expect_eq(mass_shuffled_u64(42, 1ull << 39, 255, 65535, 123456789, 1ull << 40), 706895045079ull);
    cr_expect_eq(mass_shuffled_u64(42, 7, 1, 0, 46 * 46 - 1, 46 * 46), 1790ull);
    cr_expect_eq(mass_shuffled_u64(5, 1, 2, 3, 1ull << 63, UINT64_MAX), 2900815881148410257ull);
}

Test(random, a_site_shuffles_by_its_world_and_the_step)
{
    const uint64_t clock = 1000;
    const mass_launch l = launch_at(77, &clock);
    const uint64_t id = 3;
    const mass_site place = {&l, 4, 5, 6, 1, NULL}, agent = {&l, 0, 0, 0, 1, &id};
    for (uint64_t i = 0; i < 100; i++) {
        cr_expect_eq(mass_site_shuffled(&place, 8, i, 100), mass_shuffled_u64(200, 1077, 9, 8, i, 100));
        cr_expect_eq(mass_site_shuffled(&agent, 8, i, 100), mass_site_shuffled(&place, 8, i, 100));
    }
}

Test(random, normals_are_finite_at_the_ends)
{
    const mass_random4 zeros = {{0, 0, 0, 0}}, ones = {{UINT32_MAX, UINT32_MAX, 0, 0}};
    cr_assert_eq(mass_normal_f64(zeros), 0.0);
    const double farthest = mass_normal_f64(ones);
    cr_assert(farthest > 8.5 && farthest < 8.6, "%g", farthest);
}

/* Mean, variance, skewness and kurtosis, each within 5 standard errors. */
Test(random, normals_have_the_moments_of_a_normal)
{
    double moment[5] = {0};
    for (int i = 0; i < SAMPLES; i++) {
        const double v = mass_normal_f64(sample(i));
        for (int k = 1; k < 5; k++) moment[k] += pow(v, k) / SAMPLES;
    }
    const double error = 5 / sqrt(SAMPLES);
    cr_assert_lt(fabs(moment[1]), error);
    cr_assert_lt(fabs(moment[2] - 1), error * sqrt(2));
    cr_assert_lt(fabs(moment[3]), error * sqrt(15));
    cr_assert_lt(fabs(moment[4] - 3), error * sqrt(96));
}

Test(random, normals_have_the_quantiles_of_a_normal)
{
    int counts[BINS] = {0};
    for (int i = 0; i < SAMPLES; i++)
        counts[(int)(0.5 * erfc(-mass_normal_f64(sample(i)) * sqrt(0.5)) * BINS)]++;
    expect_uniform(counts, "normals");
}

/* Whoever draws, and how often: all agents, some, one draw or two; up to the last agent. */
Test(random, agents_draw_the_same_words_ahead)
{
    enum { AGENTS = 75 };
    uint64_t *const id = malloc(AGENTS * sizeof *id);
    cr_assert(id);
    for (uint32_t i = 0; i < AGENTS; i++) id[i] = i * 0x9e3779b97f4a7c15;
    mass_launch l = launch_at((uint64_t)7 << 33 | 5, NULL);
    l.populations[0].id = id;
    for (uint32_t each = 1; each <= 3; each++)
        for (uint32_t draws = 1; draws <= 2; draws++) {
            mass_draws d;
            mass_begin_draws(&d, AGENTS);
            for (uint32_t i = 0; i < AGENTS; i += each + (each == 3 && i > 20))
                for (uint32_t draw = 0; draw < draws; draw++) {
                    const mass_site s = {.launch = &l, .world = 1, .id = id + i};
                    const mass_random4 ahead = mass_random_of(&s, &d, draw), alone = mass_site_random(&s, draw);
                    cr_assert(same_block(ahead, alone), "draw %u of agent %u", draw, i);
                }
        }
    free(id);
}
