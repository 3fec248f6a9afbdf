/* SPDX-License-Identifier: Apache-2.0 */
/* The model of lists as a plain program, and runs of it. */
#ifndef MASS_TESTS_MODELS_LISTS_PLAIN_H
#define MASS_TESTS_MODELS_LISTS_PLAIN_H

#include "run.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LISTS_ROWS = 60 };

/* The rain of a step, from 1. */
static inline double rain_of(int64_t step) { return (double)(step * step % 17) / 4; }

/* Writes the rain of LISTS_ROWS steps to a file, as a column with a name. Returns its path. */
static inline const char *rain_file(void)
{
    const char *path = text("%s/rain.csv", folder_make());
    FILE *to = fopen(path, "w");
    cr_assert(to);
    fprintf(to, "rain\n");
    for (int64_t i = 1; i <= LISTS_ROWS; i++) fprintf(to, "%.17g\n", rain_of(i));
    fclose(to);
    return path;
}

/* Returns the options of a run of 20 steps. */
static inline const char *lists_options(const char *more)
{
    static const char *rain;
    if (!rain) rain = rain_file();
    return text("--plugin '%s/lists.so' --steps 20 --set rain=@%s %s", MASS_TEST_PLUGINS, rain, more);
}

typedef struct lists_case {
    int nx, ny, steps, prices, span;
    const int64_t *price;
} lists_case;

/* Returns a price of the list; 0 beyond its end. */
static inline int64_t price_at(const lists_case *c, int64_t i) { return i < c->prices ? c->price[i] : 0; }

/* Returns the sum of all goods after the last step. */
static inline int64_t plain_worth(const lists_case *c)
{
    int64_t *now = calloc((size_t)(c->nx * c->ny), sizeof *now), *next = calloc((size_t)(c->nx * c->ny), sizeof *next);
    int64_t sum = 0;
    for (int y = 0; y < c->ny; y++)
        for (int x = 0; x < c->nx; x++) now[y * c->nx + x] = price_at(c, (x + 7 * y) % c->prices);
    for (int step = 1; step <= c->steps; step++) {
        sum = 0;
        for (int y = 0; y < c->ny; y++)
            for (int x = 0; x < c->nx; x++) {
                const int64_t *row = now + y * c->nx;
                next[y * c->nx + x] = row[x] + row[(x + c->nx - 1) % c->nx] % 5 +
                                      price_at(c, (x + 7 * y + step) % c->span);
                sum += next[y * c->nx + x];
            }
        int64_t *other = now;
        now = next;
        next = other;
    }
    free(now);
    free(next);
    return sum;
}

/* Returns the sum of all purses, in which each refusal counts. */
static inline int64_t plain_purses(const lists_case *c, int64_t refusals)
{
    const int64_t agents = c->nx * c->ny / 3;
    int64_t sum = refusals * c->price[0] + c->steps * agents * price_at(c, 2);
    for (int64_t id = 0; id < agents; id++) sum += c->steps * price_at(c, id % c->prices);
    for (int step = 1; step <= c->steps; step++) sum += agents * step; /* wages are 1, 2, 3 ... */
    return sum;
}

/* Returns the sum of all water if half of it stays in odd steps, and a quarter in even ones; or as said. */
static inline double plain_water(const lists_case *c, const double rates[2])
{
    double water = rain_of(1);
    for (int step = 1; step <= c->steps; step++) water = water * rates[step % 2] + rain_of(step);
    return water * c->nx * c->ny;
}

/* Returns a number of the report, or its element for a world. */
static inline double number_of(const outcome *o, const char *tally, int world)
{
    const json_t *found = json_object_get(json_object_get(o->report, "tallies"), tally);
    return json_number_value(json_is_array(found) ? json_array_get(found, (size_t)world) : found);
}

/* Expects the tallies of a world to be those of the plain program. */
static inline void expect_lists(const outcome *o, const lists_case *c, const double rates[2], int world)
{
    const int64_t refusals = (int64_t)number_of(o, "refusals", world);
    cr_expect(c->nx * c->ny < 100 || refusals > 0);
    cr_expect_eq((int64_t)number_of(o, "worth", world), plain_worth(c));
    cr_expect_eq((int64_t)number_of(o, "purses", world), plain_purses(c, refusals));
    cr_expect_float_eq(number_of(o, "fallen", world), plain_water(c, rates), 1e-9 * plain_water(c, rates));
}

#endif
