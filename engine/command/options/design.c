/* SPDX-License-Identifier: Apache-2.0 */
#include "command/options/design.h"
#include "text/decimal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static const char *const names[] = {"grid", "random", "latin", "sobol"};

const char *mass_design_name(mass_design_kind kind) { return names[kind]; }

mass_status mass_design_read(const char *text, mass_design *out, mass_error *error)
{
    char word[16] = "", number[32] = "";
    int64_t points = 0, seed = 1;
    const size_t name = strcspn(text, ":");
    const char *count = text[name] ? text + name + 1 : "";
    const size_t length = strcspn(count, ":");
    mass_design_kind kind = MASS_DESIGN_GRID;
    if (name < sizeof word) memcpy(word, text, name);
    if (length < sizeof number) memcpy(number, count, length);
    for (mass_design_kind k = MASS_DESIGN_RANDOM; k <= MASS_DESIGN_SOBOL; k++)
        if (strcmp(word, names[k]) == 0) kind = k;
    if (kind == MASS_DESIGN_GRID)
        return mass_error_set(error, MASS_BAD_USAGE, "--design %s is none of random:N, latin:N and sobol:N, where N is "
                              "the number of rows", text);
    if (!mass_read_whole(number, &points) || points < 1 || points > MASS_DESIGN_POINTS_MAX)
        return mass_error_set(error, MASS_BAD_USAGE, "--design %s needs a number of rows from 1 to %d, as in %s:100",
                              text, MASS_DESIGN_POINTS_MAX, word);
    if (count[length] && (!mass_read_whole(count + length + 1, &seed) || seed < 0))
        return mass_error_set(error, MASS_BAD_USAGE, "--design %s: the seed after the number of rows is not a whole "
                              "number of at least 0", text);
    *out = (mass_design){kind, (uint32_t)points, (uint64_t)seed};
    return MASS_OK;
}

/* ---- random numbers ---- */

/* Returns 64 random bits and advances the state (SplitMix64, Steele, Lea and Flood 2014). */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Returns a random number in [0, 1). */
static double next_unit(uint64_t *state) { return (double)(next(state) >> 11) * 0x1p-53; }

/* Returns a random whole number below n, at most 2^32, nearly without bias. */
static uint32_t next_below(uint64_t *state, uint32_t n) { return (uint32_t)(((next(state) >> 32) * n) >> 32); }

/* Returns the first state of a dimension's random numbers. */
static uint64_t state_of(const mass_design *d, uint64_t table, uint32_t dimension)
{
    uint64_t state = d->seed;
    state = next(&state) ^ table;
    state = next(&state) ^ dimension;
    return next(&state);
}

/* ---- Sobol ---- */

enum { BITS = 32 };

/* Primitive polynomials, their highest bit first, and the first direction numbers, of all dimensions but the first:
 * S. Joe and F. Y. Kuo, Constructing Sobol sequences with better two-dimensional projections (2008), table D(6). */
static const struct { uint32_t polynomial, first[9]; } sobol[MASS_SOBOL_DIMENSIONS_MAX - 1] = {
    {3, {1}}, {7, {1, 3}}, {11, {1, 3, 1}}, {13, {1, 1, 1}}, {19, {1, 1, 3, 3}}, {25, {1, 3, 5, 13}},
    {37, {1, 1, 5, 5, 17}}, {41, {1, 1, 5, 5, 5}}, {47, {1, 1, 7, 11, 19}}, {55, {1, 1, 5, 1, 1}},
    {59, {1, 1, 1, 3, 11}}, {61, {1, 3, 5, 5, 31}}, {67, {1, 3, 3, 9, 7, 49}}, {91, {1, 1, 1, 15, 21, 21}},
    {97, {1, 3, 1, 13, 27, 49}}, {103, {1, 1, 1, 15, 7, 5}}, {109, {1, 3, 1, 15, 13, 25}},
    {115, {1, 1, 5, 5, 19, 61}}, {131, {1, 3, 7, 11, 23, 15, 103}}, {137, {1, 3, 7, 13, 13, 15, 69}},
    {143, {1, 1, 3, 13, 7, 35, 63}}, {145, {1, 3, 5, 9, 1, 25, 53}}, {157, {1, 3, 1, 13, 9, 35, 107}},
    {167, {1, 3, 1, 5, 27, 61, 31}}, {171, {1, 1, 5, 11, 19, 41, 61}}, {185, {1, 3, 5, 3, 3, 13, 69}},
    {191, {1, 1, 7, 13, 1, 19, 1}}, {193, {1, 3, 7, 5, 13, 19, 59}}, {203, {1, 1, 3, 9, 25, 29, 41}},
    {211, {1, 3, 5, 13, 23, 1, 55}}, {213, {1, 3, 7, 3, 13, 59, 17}}, {229, {1, 3, 1, 3, 5, 53, 69}},
    {239, {1, 1, 5, 5, 23, 33, 13}}, {241, {1, 1, 7, 7, 1, 61, 123}}, {247, {1, 1, 7, 9, 13, 61, 49}},
    {253, {1, 3, 3, 5, 3, 55, 33}}, {285, {1, 3, 1, 15, 31, 13, 49, 245}}, {299, {1, 3, 5, 15, 31, 59, 63, 97}},
    {301, {1, 3, 1, 11, 11, 11, 77, 249}}};

/* Sets the direction numbers of a dimension of the Sobol sequence, which counts from 0, from the table of first
 * numbers. */
static void set_directions(uint32_t dimension, uint32_t v[BITS])
{
    if (dimension == 0) {
        for (int i = 0; i < BITS; i++) v[i] = 1u << (BITS - 1 - i);
        return;
    }
    const uint32_t polynomial = sobol[dimension - 1].polynomial;
    int degree = 0;
    while (polynomial >> (degree + 1)) degree++;
    for (int i = 0; i < degree; i++) v[i] = sobol[dimension - 1].first[i] << (BITS - 1 - i);
    for (int i = degree; i < BITS; i++) {
        v[i] = v[i - degree] ^ (v[i - degree] >> degree);
        for (int k = 1; k < degree; k++)
            if ((polynomial >> (degree - k)) & 1) v[i] ^= v[i - k];
    }
}

/* Fills coordinate `dimension` of all points, in out[points][dimensions]. The shift, of as many bits, keeps the points'
 * even spread. */
static void fill_sobol(const mass_design *d, uint32_t dimensions, uint32_t dimension, uint32_t shift, double *out)
{
    uint32_t v[BITS], x = 0;
    set_directions(dimension, v);
    for (uint32_t i = 0; i < d->points; i++) {
        out[(size_t)i * dimensions + dimension] = ((double)(x ^ shift) + 0.5) * 0x1p-32;
        int bit = 0;
        while ((i >> bit) & 1) bit++;
        x ^= v[bit];
    }
}

/* ---- all kinds ---- */

/* Fills coordinate `dimension` of all points of a Latin hypercube, in out[points][dimensions]: slices in a random
 * order, and a random place in each. Returns false if memory is short. */
static bool fill_latin(const mass_design *d, uint32_t dimensions, uint32_t dimension, uint64_t state, double *out)
{
    uint32_t *slices = malloc(d->points * sizeof *slices);
    if (!slices) return false;
    for (uint32_t i = 0; i < d->points; i++) slices[i] = i;
    for (uint32_t i = d->points - 1; i > 0; i--) { /* Fisher and Yates' shuffle */
        const uint32_t other = next_below(&state, i + 1), kept = slices[i];
        slices[i] = slices[other];
        slices[other] = kept;
    }
    for (uint32_t i = 0; i < d->points; i++)
        out[(size_t)i * dimensions + dimension] = ((double)slices[i] + next_unit(&state)) / (double)d->points;
    free(slices);
    return true;
}

bool mass_design_fill(const mass_design *d, uint64_t table, uint32_t dimensions, double *out)
{
    bool whole = true;
    for (uint32_t k = 0; whole && k < dimensions; k++) {
        uint64_t state = state_of(d, table, k);
        if (d->kind == MASS_DESIGN_LATIN) whole = fill_latin(d, dimensions, k, state, out);
        else if (d->kind == MASS_DESIGN_SOBOL) fill_sobol(d, dimensions, k, (uint32_t)(next(&state) >> 32), out);
        else
            for (uint32_t i = 0; i < d->points; i++) out[(size_t)i * dimensions + k] = next_unit(&state);
    }
    for (size_t i = 0; i < (size_t)d->points * dimensions; i++)
        if (out[i] >= 1) out[i] = 0x1.fffffffffffffp-1; /* rounded up */
    return whole;
}
