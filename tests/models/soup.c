/* SPDX-License-Identifier: Apache-2.0 */
#include "soup.h"
#include "run.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Bit n of birth and survive says what n living neighbours do. */
typedef struct soup {
    int nx, ny;
    const char *rule;
    unsigned birth, survive;
    bool torus;
} soup;

static int alive(const soup *s, const unsigned char *cells, int x, int y)
{
    if (s->torus) return cells[(y + s->ny) % s->ny * s->nx + (x + s->nx) % s->nx];
    return x >= 0 && y >= 0 && x < s->nx && y < s->ny ? cells[y * s->nx + x] : 0;
}

static void advance(const soup *s, const unsigned char *cells, unsigned char *next)
{
    for (int y = 0; y < s->ny; y++)
        for (int x = 0; x < s->nx; x++) {
            int n = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (dx || dy) n += alive(s, cells, x + dx, y + dy);
            next[y * s->nx + x] = (cells[y * s->nx + x] ? s->survive : s->birth) >> n & 1;
        }
}

/* The cells and the tallies at a step. */
static dataset run_soup(const soup *s, const char *where, int step, int64_t tallies[3])
{
    const char *folder = folder_make();
    outcome o = engine_run(text("--plugin '%s/life.so' --seed 3 --size %dx%d --set rule=%s --set edge=%s --steps %d "
                                "%s --checkpoint %s", getenv("MASS_PLUGINS"), s->nx, s->ny, s->rule,
                                s->torus ? "torus" : "dead", step, where, folder));
    tallies[0] = tally_of(&o, "population");
    tallies[1] = step > 0 ? tally_of(&o, "births") : 0; /* steps count them */
    tallies[2] = step > 0 ? tally_of(&o, "deaths") : 0;
    outcome_free(&o);
    const dataset d = dataset_read(checkpoint_path(folder, (uint64_t)step), "/places/grid/health");
    cr_assert_eq(d.rank, 2);
    cr_assert(d.extents[0] == (size_t)s->ny && d.extents[1] == (size_t)s->nx && d.size == d.extents[0] * d.extents[1]);
    folder_empty(folder);
    return d;
}

static int64_t count_where(const unsigned char *before, const unsigned char *after, size_t size, int was, int is)
{
    int64_t count = 0;
    for (size_t i = 0; i < size; i++) count += before[i] == was && after[i] == is;
    return count;
}

static void expect_soup(const soup *s, const char *where, int steps)
{
    int64_t tallies[3];
    dataset expected = run_soup(s, where, 0, tallies);
    unsigned char *before = malloc(expected.size);
    for (int step = 0; step < steps; step++) {
        unsigned char *now = expected.bytes;
        advance(s, now, before);
        expected.bytes = before;
        before = now;
    }
    dataset found = run_soup(s, where, steps, tallies);
    cr_expect_arr_eq(found.bytes, expected.bytes, found.size, "%dx%d, %s, %s: %s", s->nx, s->ny, s->rule,
                     s->torus ? "torus" : "dead", where);
    const int64_t births = count_where(before, expected.bytes, found.size, 0, 1);
    cr_expect_eq(tallies[0], births + count_where(before, expected.bytes, found.size, 1, 1));
    cr_expect_eq(tallies[1], births);
    cr_expect_eq(tallies[2], count_where(before, expected.bytes, found.size, 1, 0));
    free(before);
    free(expected.bytes);
    free(found.bytes);
}

void expect_soups(const char *where, int steps)
{
    static const int sizes[][2] = {{1, 1}, {5, 3}, {3, 8}, {64, 64}, {1001, 77}, {333, 256}};
    static const soup rules[] = {{.rule = "B3/S23", .birth = 1 << 3, .survive = 1 << 2 | 1 << 3},
                                 {.rule = "B36/S23", .birth = 1 << 3 | 1 << 6, .survive = 1 << 2 | 1 << 3},
                                 {.rule = "B2/S", .birth = 1 << 2},
                                 {.rule = "B03/S23", .birth = 1 | 1 << 3, .survive = 1 << 2 | 1 << 3}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
            for (int torus = 0; torus < 2; torus++) {
                soup s = rules[k];
                s.nx = sizes[i][0];
                s.ny = sizes[i][1];
                s.torus = torus;
                expect_soup(&s, where, steps);
            }
}

void expect_population(const char *where, const char *pattern, int steps, long population)
{
    outcome o = engine_run(text("--plugin '%s/life.so' --size 2048x2048 --set 'pattern=%s/%s' --steps %d %s",
                                getenv("MASS_PLUGINS"), getenv("MASS_DATA"), pattern, steps, where));
    cr_expect_eq(tally_of(&o, "population"), population, "%s at %d with %s", pattern, steps, where);
    outcome_free(&o);
}
