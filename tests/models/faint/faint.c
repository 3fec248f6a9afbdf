/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that fade, of every kind of attribute that .flush ends them in; beside them some that a body ends itself, and
 * some that nobody ends. */
#include <mass/model.h>

#include <math.h>

MASS_SPACE(field, 2, .size = {96, 64}, .torus = MASS_AXIS_X)
MASS_TALLY(SUM, int64_t, faint, "numbers next to 0 that .flush has left")
MASS_TALLY(SUM, int64_t, kept, "of those that nobody ends")
MASS_TALLY(SUM, int64_t, differ, "places where .flush and the body came to different bits")
MASS_TALLY(SUM, int64_t, living, "numbers of attributes with .flush that are not 0")

typedef struct two {
    float first, second;
} two;

MASS_ATTRIBUTE(field, float, heat, .flush = 1)
MASS_ATTRIBUTE(field, float, ended)
MASS_ATTRIBUTE(field, float, faded)
MASS_ATTRIBUTE(field, double, deep, .flush = 1)
MASS_ATTRIBUTE(field, float, both, .length = 2, .flush = 1)
MASS_VECTOR(field, two, float, pair, .flush = 1)
MASS_POPULATION(walkers, field, .count = 200, .children = 1)
MASS_AGENT_ATTRIBUTE(walkers, float, store, .flush = 1, .initial = &(const float){-1})
MASS_AGENT_ATTRIBUTE(walkers, double, debt, .flush = 1, .initial = &(const double){1})

/* Two sources, of which one is cold. */
MASS_MAP(faint_begin, WRITES(heat, ended, faded))
{
    const int warm = (AT_X == 5) & (AT_Y == 7), cold = (AT_X == 60) & (AT_Y == 31);
    const float source = warm ? 1.0f : cold ? -3.0f : 0.0f;
    OUT(heat) = OUT(ended) = OUT(faded) = source;
}

MASS_MAP(faint_fill, WRITES(deep, pair, AS(one, both, 0), AS(other, both, 1)))
{
    OUT(deep) = AT_X == 0 ? mass_f64_bits(0x7ff8000000000000ull) : AT_X + 1.0; /* what is no number stays so */
    OUT(pair).first = OUT(one) = (float)(AT_Y + 1);
    OUT(pair).second = OUT(other) = -(float)(AT_X + 1);
}

#define SPREAD(f) IN(f) + 0.125f * (NEAR(f, 0, -1) + NEAR(f, -1, 0) + NEAR(f, 1, 0) + NEAR(f, 0, 1) - 4 * IN(f))
MASS_STENCIL(faint_spread, 2, 1, READS(heat), WRITES(heat)) { OUT(heat) = SPREAD(heat); }
MASS_STENCIL(faint_end, 2, 1, READS(ended), WRITES(ended))
{
    const float next = SPREAD(ended);
    OUT(ended) = fabsf(next) < 0x1p-60f ? 0.0f : next;
}
MASS_STENCIL(faint_fade, 2, 1, READS(faded), WRITES(faded)) { OUT(faded) = SPREAD(faded); }

MASS_MAP(faint_shrink, UPDATES(deep, pair, AS(one, both, 0)), READS(AS(was, both, 1)))
{
    OUT(deep) = mass_canonical_f64(OUT(deep) * -1e-9);
    OUT(pair).first *= 0.25f;
    OUT(pair).second *= 0.03125f;
    OUT(one) *= IN(was) * 0.01f;
}

MASS_AGENT(faint_walk, walkers, 2, UPDATES(store), CHILDREN(store))
{
    const mass_random4 r = RANDOM(0);
    OUT(store) *= 0.01f;
    if (r.v[2] % 16 == 0) {
        SPAWN(1);
        CHILD(store, 0) = OUT(store) * (r.v[3] % 2 ? 1e-3f : 1.0f);
    }
    const int dx = (int)(r.v[0] % 3) - 1, dy = (int)(r.v[1] % 3) - 1;
    if (EXISTS(dx, dy)) MIGRATE(dx, dy);
}

/* Loops over residents in one another find each pair once. */
MASS_RESIDENTS(faint_meet, walkers, 2, 0, CHANGES(debt), SUMS(differ))
{
    int64_t pairs = 0;
    EACH_RESIDENT(one) {
        OF(debt, one) *= 1e-17;
        EACH_RESIDENT(other) pairs += one < other;
    }
    ADD(differ, pairs != (int64_t)RESIDENT_COUNT * ((int64_t)RESIDENT_COUNT - 1) / 2);
}

#define IS_FAINT(v, below) (fabs(v) > 0) & (fabs(v) < (below))
MASS_MAP(faint_count, READS(heat, ended, faded, deep, pair, AS(one, both, 0)), SUMS(faint, kept, differ, living))
{
    ADD(faint, (IS_FAINT(IN(heat), 0x1p-60)) + (IS_FAINT(IN(deep), 0x1p-508)) + (IS_FAINT(IN(pair).first, 0x1p-60)) +
                   (IS_FAINT(IN(pair).second, 0x1p-60)) + (IS_FAINT(IN(one), 0x1p-60)));
    ADD(kept, IS_FAINT(IN(faded), 0x1p-126));
    ADD(differ, mass_bits_f32(IN(heat)) != mass_bits_f32(IN(ended)));
    ADD(living, (IN(deep) != 0) + (IN(pair).first != 0) + (IN(pair).second != 0) + (IN(one) != 0));
}

MASS_AGENT(faint_ask, walkers, 2, READS(store, debt), SUMS(faint, living))
{
    ADD(faint, (IS_FAINT(IN(store), 0x1p-60)) + (IS_FAINT(IN(debt), 0x1p-508)));
    ADD(living, (IN(store) != 0) + (IN(debt) != 0));
}

MASS_SCHEDULE(STARTS(faint_begin), STARTS(faint_fill), STEPS(faint_spread), STEPS(faint_end), STEPS(faint_fade),
              STEPS(faint_shrink), STEPS(faint_walk), MANAGES(walkers), STEPS(faint_meet), STEPS(faint_count),
              STEPS(faint_ask))
MASS_PICTURE(field, heat, 0, 1, 0, 0xffffff)
MASS_DEFAULT_STEPS(45)
MASS_PLUGIN(.name = "faint", .version = "1.0.0", .help = "numbers that fade");
