/* SPDX-License-Identifier: Apache-2.0 */
/* Designs of experiments: Sobol's sequence as published, and what each design promises of its points. */
#include "command/options/design.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *points_of(const char *text, uint64_t table, uint32_t dimensions, mass_design *d)
{
    mass_error e = {0};
    cr_assert_eq(mass_design_read(text, d, &e), MASS_OK, "%s", e.text);
    double *out = malloc((size_t)d->points * dimensions * sizeof *out);
    cr_assert(mass_design_fill(d, table, dimensions, out));
    for (size_t i = 0; i < (size_t)d->points * dimensions; i++) cr_assert(out[i] >= 0 && out[i] < 1);
    return out;
}

/* The first points of the sequence without a shift, in eighths: as scipy.stats.qmc.Sobol(5, scramble=False) has them.
 * The shift is the exclusive or of all points with the first one, whose coordinates are 0 in the sequence. */
Test(design, sobol_is_the_published_sequence)
{
    static const int eighths[8][5] = {{0, 0, 0, 0, 0}, {4, 4, 4, 4, 4}, {6, 2, 2, 2, 6}, {2, 6, 6, 6, 2},
                                      {3, 3, 5, 7, 3}, {7, 7, 1, 3, 7}, {5, 1, 7, 5, 5}, {1, 5, 3, 1, 1}};
    mass_design d;
    double *x = points_of("sobol:8", 2, 5, &d);
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 5; k++) {
            const int cell = (int)(x[i * 5 + k] * 8), first = (int)(x[k] * 8);
            cr_assert_eq(cell ^ first, eighths[i][k], "point %d, coordinate %d", i, k);
        }
    free(x);
}

/* Each of as many slices of each coordinate has exactly one point. */
static void expect_one_in_each_slice(const char *text, uint32_t dimensions)
{
    mass_design d;
    double *x = points_of(text, 7, dimensions, &d);
    for (uint32_t k = 0; k < dimensions; k++) {
        bool *met = calloc(d.points, sizeof *met);
        for (uint32_t i = 0; i < d.points; i++) {
            const uint32_t slice = (uint32_t)(x[(size_t)i * dimensions + k] * d.points);
            cr_assert_not(met[slice], "%s: coordinate %u has two points in slice %u", text, k, slice);
            met[slice] = true;
        }
        free(met);
    }
    free(x);
}

Test(design, points_are_spread)
{
    expect_one_in_each_slice("sobol:256", MASS_SOBOL_DIMENSIONS_MAX);
    expect_one_in_each_slice("sobol:1:3", 2);
    expect_one_in_each_slice("latin:1", 3);
    expect_one_in_each_slice("latin:100", 5);
    expect_one_in_each_slice("latin:1000:9", 2);
}

/* The mean of n uniform numbers is within six of its standard deviations; and slices of a hypercube are shuffled. */
Test(design, points_are_random)
{
    static const char *const texts[] = {"random:4000", "latin:4000", "random:4000:2"};
    for (size_t t = 0; t < 3; t++) {
        mass_design d;
        double *x = points_of(texts[t], 1, 2, &d), sum = 0, product = 0;
        for (uint32_t i = 0; i < d.points; i++) {
            sum += x[2 * i] - 0.5;
            product += (x[2 * i] - 0.5) * (x[2 * i + 1] - 0.5);
        }
        cr_assert(fabs(sum / d.points) < 6 * sqrt(1. / 12 / d.points), "%s: mean %g", texts[t], sum / d.points);
        cr_assert(fabs(product / d.points) < 6 * sqrt(1. / 144 / d.points), "%s: covariance", texts[t]);
        free(x);
    }
}

Test(design, the_same_design_has_the_same_points_and_others_have_others)
{
    static const char *const texts[] = {"random:9", "latin:9", "sobol:9"};
    for (size_t t = 0; t < 3; t++) {
        char seeded[40];
        mass_design d;
        snprintf(seeded, sizeof seeded, "%s:2", texts[t]);
        double *a = points_of(texts[t], 1, 3, &d), *b = points_of(texts[t], 1, 3, &d);
        double *other = points_of(seeded, 1, 3, &d), *line = points_of(texts[t], 2, 3, &d);
        cr_assert_eq(memcmp(a, b, 27 * sizeof *a), 0);
        for (int i = 0; i < 27; i++) cr_assert(a[i] != other[i] && a[i] != line[i]);
        free(a), free(b), free(other), free(line);
    }
}

Test(design, other_texts_are_refused)
{
    static const char *const texts[] = {"", "grid:4", "sobol", "sobol:", "sobol:0", "sobol:1048577", "sobol:4:",
                                        "sobol:4:x", "sobol:4:-1", "Sobol:4", "sobol:x", "sobolsobolsobolsobol:4"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        mass_design d;
        mass_error e = {0};
        cr_assert_eq(mass_design_read(texts[i], &d, &e), MASS_BAD_USAGE, "%s", texts[i]);
        cr_assert_not_null(strstr(e.text, "--design"));
    }
}
