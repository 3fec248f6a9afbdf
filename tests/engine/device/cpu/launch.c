/* SPDX-License-Identifier: Apache-2.0 */
/* Any number of threads and every instruction set come to the bits and tallies of a plain loop. */
#include "launching.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers in (-1, 1), a different one in each element. */
static float *make_values(const mass_launch *l)
{
    float *const values = malloc(elements_of(l) * sizeof *values);
    cr_assert(values);
    for (size_t i = 0; i < elements_of(l); i++)
        values[i] = 2 * mass_unit_f32(mass_random_block(5, i, 0, 0, 0).v[0]) - 1;
    return values;
}

static float *make_zeros(const mass_launch *l)
{
    float *const values = calloc(elements_of(l), sizeof *values);
    cr_assert(values);
    return values;
}

#define RELAX(FIELD)                  \
    FIELD(from, float, READ, u)       \
    FIELD(to, float, WRITE, u)        \
    FIELD(rate, double, PARAM, rate)  \
    FIELD(sum, int64_t, SUM, sum)     \
    FIELD(least, int64_t, MIN, least) \
    FIELD(most, int64_t, MAX, most)   \
    FIELD(low, double, MIN, low)      \
    FIELD(high, double, MAX, high)

static float relaxed(float own, float left, float right, float up, float above, double rate)
{
    const float mean = (left + right + up + above) * 0.25f;
    return own + (float)rate * (mean - own) * own;
}

static int64_t counted(float value) { return (int64_t)(value * 1000000.0f); }

MASS_STENCIL(relax, RELAX, 3, 1)
{
    const float next = relaxed(IN(from), NEAR(from, -1, 0, 0), NEAR(from, 1, 0, 0), NEAR(from, 0, -1, 0),
                               NEAR(from, 0, 0, 1), PARAM(rate));
    OUT(to) = next;
    ADD(sum, counted(next));
    LEAST(least, counted(next));
    MOST(most, counted(next));
    LEAST(low, (double)next);
    MOST(high, (double)next);
}

typedef struct tallies {
    int64_t sum[WORLDS_MAX], least[WORLDS_MAX], most[WORLDS_MAX], low[WORLDS_MAX], high[WORLDS_MAX];
} tallies;

static tallies neutral_tallies(void)
{
    tallies t = {.sum = {0}};
    for (int w = 0; w < WORLDS_MAX; w++) {
        t.least[w] = t.low[w] = INT64_MAX;
        t.most[w] = t.high[w] = INT64_MIN;
    }
    return t;
}

static void relax_plainly(const mass_launch *l, const float *from, float *to, const double *rate, tallies *t)
{
    for (int w = 0; w < l->worlds; w++) {
        double low = INFINITY, high = -INFINITY;
        for (int z = 0; z < l->extent[2]; z++)
            for (int y = 0; y < l->extent[1]; y++)
                for (int x = 0; x < l->extent[0]; x++) {
                    const size_t at = first_place(l) + (size_t)(w * l->world_stride + z * l->plane + y * l->pitch + x);
                    const float *const p = from + at;
                    const float next = relaxed(p[0], p[-1], p[1], p[-l->pitch], p[l->plane], rate[w]);
                    to[at] = next;
                    t->sum[w] += counted(next);
                    if (counted(next) < t->least[w]) t->least[w] = counted(next);
                    if (counted(next) > t->most[w]) t->most[w] = counted(next);
                    low = (double)next < low ? (double)next : low;
                    high = (double)next > high ? (double)next : high;
                }
        if (mass_rank_f64(low) < t->low[w]) t->low[w] = mass_rank_f64(low);
        if (mass_rank_f64(high) > t->high[w]) t->high[w] = mass_rank_f64(high);
    }
}

static void expect_same_everywhere(int nx, int ny, int nz, int worlds, bool count)
{
    const mass_launch l = launch_of(nx, ny, nz, worlds);
    float *const from = make_values(&l);
    float *const expected = make_zeros(&l), *const to = make_zeros(&l);
    double rate[WORLDS_MAX];
    for (int w = 0; w < worlds; w++) rate[w] = 0.1 + 0.01 * w;
    tallies reference = neutral_tallies();
    relax_plainly(&l, from, expected, rate, &reference);
    if (!count) reference = neutral_tallies();

    const char *names[3];
    const int sets = instruction_sets(names);
    cr_assert_gt(sets, 0);
    for (int s = 0; s < sets; s++)
        for (int threads = 1; threads <= THREADS_MAX; threads++) {
            tallies t = neutral_tallies();
            void *const fields[] =
                {from + first_place(&l), to + first_place(&l), rate, t.sum, t.least, t.most, t.low, t.high};
            memset(to, 0, elements_of(&l) * sizeof *to);
            setenv("MASS_ISA", names[s], 1);
            launch_with(threads, &relax, &l, fields, count);
            cr_assert_eq(memcmp(to, expected, elements_of(&l) * sizeof *to), 0, "%s, %d threads, extents %d %d %d",
                         names[s], threads, nx, ny, nz);
            cr_assert_eq(memcmp(&t, &reference, sizeof t), 0, "tallies of %s, %d threads, extents %d %d %d", names[s],
                         threads, nx, ny, nz);
        }
    unsetenv("MASS_ISA");
    free(from);
    free(to);
    free(expected);
}

Test(cpu, threads_and_instruction_sets_come_to_the_bits_of_a_plain_loop)
{
    for (int count = 0; count < 2; count++) {
        expect_same_everywhere(10007, 1, 1, 1, count);
        expect_same_everywhere(67, 33, 1, 2, count);
        expect_same_everywhere(31, 9, 7, 3, count);
        expect_same_everywhere(5, 3, 1, 70, count);
        expect_same_everywhere(1, 1, 1, 1, count);
    }
}

#define HALVE(FIELD) FIELD(value, double, UPDATE, value)
MASS_MAP(halve, HALVE) { OUT(value) *= 0.5; }

#if defined(__x86_64__)
Test(cpu, subnormal_numbers_survive_a_thread_that_flushes_them)
{
    const mass_launch l = launch_of(100, 4, 1, 1);
    double *const values = malloc(elements_of(&l) * sizeof *values);
    for (size_t i = 0; i < elements_of(&l); i++) values[i] = 0x1p-1022;
    __builtin_ia32_ldmxcsr(0x9fc0); /* flush to zero, subnormals are zero: what -ffast-math sets */
    launch_with(2, &halve, &l, (void *[]){values + first_place(&l)}, false);
    for (size_t i = 0; i < elements_of(&l); i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        cr_assert_eq(bits, is_own(&l, i) ? 1ull << 51 : 1ull << 52, "element %zu", i);
    }
    free(values);
}
#endif
