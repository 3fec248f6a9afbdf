/* SPDX-License-Identifier: Apache-2.0 */
/* Life's rules, compiled for the CPU and for CUDA. */
#include <mass/mass.h>

#define SOUP(FIELD)                        \
    FIELD(health,  uint8_t, WRITE, health) \
    FIELD(density, double,  PARAM, density)

/* Every place lives with probability `density`. */
MASS_MAP(life_soup, SOUP)
{
    const mass_random4 r = RANDOM(0);
    OUT(health) = (uint8_t)(mass_unit_f64(r.v[0], r.v[1]) < PARAM(density));
}

#define CENSUS(FIELD)                        \
    FIELD(health,     uint8_t, READ, health) \
    FIELD(population, int64_t, SUM,  population)

MASS_MAP(life_census, CENSUS)
{
    ADD(population, IN(health));
}

#define CONWAY(FIELD)                             \
    FIELD(health,     uint8_t, READ,  health)     \
    FIELD(next,       uint8_t, WRITE, health)     \
    FIELD(population, int64_t, SUM,   population) \
    FIELD(births,     int64_t, SUM,   births)     \
    FIELD(deaths,     int64_t, SUM,   deaths)

#define NEIGHBOURS                                                                       \
    (uint8_t)(NEAR(health, -1, -1) + NEAR(health, 0, -1) + NEAR(health, 1, -1) +         \
              NEAR(health, -1, 0) + NEAR(health, 1, 0) +                                 \
              NEAR(health, -1, 1) + NEAR(health, 0, 1) + NEAR(health, 1, 1))

#define COUNT_CHANGE(now, next)                  \
    ADD(population, (next));                     \
    ADD(births, (uint8_t)((next) & ~(now) & 1)); \
    ADD(deaths, (uint8_t)((now) & ~(next) & 1))

/* B3/S23, the rule that nearly everybody runs, in few operations. */
MASS_STENCIL(life_conway, CONWAY, 2, 1)
{
    const uint8_t now = IN(health), n = NEIGHBOURS;
    const uint8_t next = (uint8_t)((n == 3) | ((n == 2) & now));
    OUT(next) = next;
    COUNT_CHANGE(now, next);
}

#define RULE(FIELD)                        \
    CONWAY(FIELD)                          \
    FIELD(birth,   int64_t, PARAM, birth)  \
    FIELD(survive, int64_t, PARAM, survive)

/* Any rule: bit n of `birth` and `survive` says what n living neighbours do. */
MASS_STENCIL(life_rule_step, RULE, 2, 1)
{
    const uint8_t now = IN(health), n = NEIGHBOURS;
    const uint32_t bits = now ? (uint32_t)PARAM(survive) : (uint32_t)PARAM(birth);
    const uint8_t next = (uint8_t)(bits >> n & 1);
    OUT(next) = next;
    COUNT_CHANGE(now, next);
}
