/* SPDX-License-Identifier: Apache-2.0 */
#include "gather_known.h"
#include "gather.h"
#include "run.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NX = 61, NY = 43, AGENTS = 500 };

/* A sum of integers times 2^-40. */
typedef __int128 fixed;

static fixed fixed_of(int64_t number) { return (fixed)MANTISSA_OF(number) * ((fixed)1 << (EXPONENT_OF(number) + 40)); }

/* The double nearest to sum / 2^40 / n. The conversion of an integer to a double rounds once. The number that is
 * divided must therefore be exact. */
static double real_of(fixed sum) { return ldexp((double)sum, -40); }

static json_t *tally(const outcome *o, const char *name)
{
    return json_object_get(json_object_get(o->report, "tallies"), name);
}

static void expect_bins(const outcome *o, const char *name, const int64_t *bins, size_t count, const char *options)
{
    const json_t *found = tally(o, name);
    cr_assert_eq(json_array_size(found), count, "%s has %zu bins: %s", name, json_array_size(found), options);
    for (size_t i = 0; i < count; i++)
        cr_assert_eq(json_integer_value(json_array_get(found, i)), bins[i], "bin %zu of %s: %s", i, name, options);
}

static void expect_real(const outcome *o, const char *name, double value, const char *options)
{
    cr_assert_eq(json_real_value(tally(o, name)), value, "%s is %.17g and not %.17g: %s", name,
                 json_real_value(tally(o, name)), value, options);
}

static void expect_places(const outcome *o, int steps, const char *options)
{
    int64_t few[9] = {0}, ever[9] = {0}, bytes[256] = {0}, *many = calloc(MANY, sizeof *many);
    fixed sum = 0, of_mean = 0;
    int64_t in_mean = 0;
    for (int64_t y = 0; y < NY; y++)
        for (int64_t x = 0; x < NX; x++) {
            for (int step = 1; step <= steps; step++) {
                const int64_t number = NUMBER_OF(x, y, step);
                ever[FEW_OF(number)] += number;
            }
            const int64_t number = NUMBER_OF(x, y, steps), byte = (uint8_t)(x * y), many_bin = MANY_OF(number) + byte;
            few[FEW_OF(number)]++;
            sum += fixed_of(number);
            if (number % 3 == 0) of_mean += fixed_of(number), in_mean++;
            bytes[(uint8_t)(byte + (uint8_t)((x + 1) % NX * y) + (y > 0 ? (uint8_t)(x * (y - 1)) : 0))]++;
            if (many_bin < MANY) many[many_bin]++;
        }
    expect_bins(o, "few", few, FEW, options);
    expect_bins(o, "ever", ever, FEW, options);
    expect_bins(o, "bytes", bytes, 256, options);
    expect_bins(o, "many", many, MANY, options);
    cr_assert_eq(json_integer_value(tally(o, "ones")), NX * NY);
    expect_real(o, "sum", real_of(sum), options);
    const long double mean = ldexpl((long double)of_mean, -40) / in_mean; /* 64 bits: near enough to tell doubles */
    cr_assert(fabsl(json_real_value(tally(o, "mean")) - mean) <= ldexpl(fabsl(mean), -53), "mean: %s", options);
    free(many);
}

static void expect_agents(const outcome *o, int steps, const char *options)
{
    int64_t met[9] = {0}, *most = calloc(MOST, sizeof *most);
    fixed paid = 0;
    for (int64_t id = 0; id < AGENTS; id++)
        for (int step = 1; step <= steps; step++) {
            const int64_t number = NUMBER_OF(id, 5, step);
            met[FEW_OF(number)]++;
            if (step == steps) most[MOST_OF(number)]++;
            paid += fixed_of(number);
        }
    expect_bins(o, "met", met, FEW, options);
    expect_bins(o, "most", most, MOST, options);
    expect_real(o, "paid", real_of(paid), options);
    free(most);
}

static uint64_t sum_up(uint64_t sum, const char *text)
{
    for (; *text; text++) sum = (sum ^ (unsigned char)*text) * 0x100000001b3u;
    return sum;
}

void expect_gathered(const char *options, int steps, uint64_t *sum)
{
    const char *all = text("--plugin '%s/gather.so' --seed 3 --steps %d %s", MASS_TEST_PLUGINS, steps, options);
    outcome o = engine_run(all);
    expect_places(&o, steps, all);
    expect_agents(&o, steps, all);
    if (sum) *sum = sum_up(sum_up(0, o.hash), o.tallies);
    outcome_free(&o);
}
