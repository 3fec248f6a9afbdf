/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of bits under rules of every kind, in two dimensions and three. Rules use counts, or tables of the places
 * around or of a star, or two attributes. One rule depends on the step, and one reads too many places. */
#include <mass/model.h>

MASS_PARAMETER(choice, rule, "moore", "what a cell becomes", "moore", "neumann", "table", "two", "dated",
               "star", "all")
MASS_PARAMETER(int64_t, birth, 8, 0, 511, "bit n: with n neighbours a cell is born")
MASS_PARAMETER(int64_t, survive, 12, 0, 511, "bit n: with n neighbours a cell stays")
MASS_PARAMETER(int64_t, table, 1, 0, 1000000, "number of the table")
MASS_PARAMETER(int64_t, torus, MASS_AXES_ALL, 0, MASS_AXES_ALL, "axes that wrap")
MASS_PARAMETER(int64_t, beyond, 0, 0, 1, "what is beyond bounded edges")

MASS_SPACE_OF(grid, 2, 3, .size = {65, 33}, .torus = (uint32_t)VALUE(torus))
MASS_ATTRIBUTE(grid, bool, cell, .initial = &(const bool){VALUE(beyond) != 0})
MASS_ATTRIBUTE(grid, bool, other, .initial = &(const bool){VALUE(beyond) != 0})

MASS_TALLY(SUM, int64_t, alive, "cells")
MASS_TALLY(SUM, int64_t, balance, "3 for a birth, -7 for a death")
MASS_TALLY(SUM, int64_t, around, "neighbours that are alive")

#if MASS_HOST
static uint32_t dimensions; /* found out when the plugin is opened */
MASS_OPEN(cells_find_dimensions)
{
    mass_gidx size[3];
    return mass_values_of(host)->size(host, "grid", size, &dimensions);
}
#endif

MASS_MAP(cells_sow, WRITES(cell, other))
{
    OUT(cell) = RANDOM(0).v[0] & 4;
    OUT(other) = RANDOM(0).v[0] & 8;
}

#define FOUR(f) (NEAR(f, 0, -1) + NEAR(f, -1, 0) + NEAR(f, 1, 0) + NEAR(f, 0, 1))
#define EIGHT(f) (FOUR(f) + NEAR(f, -1, -1) + NEAR(f, 1, -1) + NEAR(f, -1, 1) + NEAR(f, 1, 1))
#define REPORT                                                                              \
    ADD(alive, OUT(cell));                                                                  \
    ADD(balance, (OUT(cell) && !IN(cell) ? 3 : 0) - (IN(cell) && !OUT(cell) ? 7 : 0))
#define COUNTED READS(cell), WRITES(cell), SUMS(alive, balance), GIVEN(birth, survive)

MASS_STENCIL(cells_moore, 2, 1, COUNTED)
{
    OUT(cell) = (IN(cell) ? PARAM(survive) : PARAM(birth)) >> EIGHT(cell) & 1;
    REPORT;
}

MASS_STENCIL(cells_neumann, 2, 1, COUNTED)
{
    OUT(cell) = (IN(cell) ? PARAM(survive) : PARAM(birth)) >> FOUR(cell) & 1;
    REPORT;
}

/* Entry i of a random table. */
MASS_FN bool cells_entry(uint32_t i, int64_t table)
{
    uint32_t v = (i + 1) * 2654435761u ^ (uint32_t)table * 40503u;
    v ^= v >> 15, v *= 2246822519u, v ^= v >> 13, v *= 3266489917u;
    return v >> 16 & 1;
}
#define INDEX(f)                                                                                                   \
    ((uint32_t)NEAR(f, -1, -1) | (uint32_t)NEAR(f, 0, -1) << 1 | (uint32_t)NEAR(f, 1, -1) << 2 |                   \
     (uint32_t)NEAR(f, -1, 0) << 3 | (uint32_t)IN(f) << 4 | (uint32_t)NEAR(f, 1, 0) << 5 |                         \
     (uint32_t)NEAR(f, -1, 1) << 6 | (uint32_t)NEAR(f, 0, 1) << 7 | (uint32_t)NEAR(f, 1, 1) << 8)

MASS_STENCIL(cells_table, 2, 1, READS(cell), WRITES(cell), SUMS(alive, around), GIVEN(table))
{
    OUT(cell) = cells_entry(INDEX(cell), PARAM(table));
    ADD(alive, OUT(cell));
    ADD(around, EIGHT(cell));
}

MASS_STENCIL(cells_two, 2, 1, READS(cell, other), WRITES(cell, other), SUMS(alive, around))
{
    OUT(cell) = (FOUR(cell) > 1) ^ NEAR(other, 1, 1);
    OUT(other) = NEAR(cell, 0, -1) ^ IN(other);
    ADD(alive, OUT(cell) + OUT(other));
    ADD(around, FOUR(cell));
}

/* Places up to two away along the axes. */
#define FAR(f)                                                                                                     \
    ((uint32_t)NEAR(f, 0, -2) | (uint32_t)NEAR(f, 0, -1) << 1 | (uint32_t)NEAR(f, -2, 0) << 2 |                    \
     (uint32_t)NEAR(f, -1, 0) << 3 | (uint32_t)IN(f) << 4 | (uint32_t)NEAR(f, 1, 0) << 5 |                         \
     (uint32_t)NEAR(f, 2, 0) << 6 | (uint32_t)NEAR(f, 0, 1) << 7 | (uint32_t)NEAR(f, 0, 2) << 8)

MASS_STENCIL(cells_far, 2, 2, READS(cell), WRITES(cell), SUMS(alive, around), GIVEN(table))
{
    OUT(cell) = cells_entry(FAR(cell), PARAM(table));
    ADD(alive, OUT(cell));
    ADD(around, FOUR(cell));
}

MASS_STENCIL(cells_wide, 2, 2, READS(cell), WRITES(cell), SUMS(alive))
{
    int n = 0;
    MASS_MOORE_2D(dx, dy, 2) { n += NEAR(cell, dx, dy); }
    OUT(cell) = n == 6 || (n == 7 && IN(cell));
    ADD(alive, OUT(cell));
}

MASS_STENCIL(cells_dated, 2, 1, READS(cell), WRITES(cell), SUMS(alive))
{
    OUT(cell) = (EIGHT(cell) + (uint32_t)STEP) % 3 == 0;
    ADD(alive, OUT(cell));
}

MASS_STENCIL(cells_deep, 3, 1, READS(cell), WRITES(cell), SUMS(alive))
{
    const int n = NEAR(cell, -1, 0, 0) + NEAR(cell, 1, 0, 0) + NEAR(cell, 0, -1, 0) + NEAR(cell, 0, 1, 1) +
                  NEAR(cell, 0, 0, -1) + NEAR(cell, 1, 1, 1) + NEAR(cell, -1, 0, -1);
    OUT(cell) = n == 2 || (n == 3 && IN(cell));
    ADD(alive, OUT(cell));
}

#define STAR(f)                                                                                                    \
    ((uint32_t)NEAR(f, 0, 0, -1) | (uint32_t)NEAR(f, 0, -1, 0) << 1 | (uint32_t)NEAR(f, -1, 0, 0) << 2 |           \
     (uint32_t)IN(f) << 3 | (uint32_t)NEAR(f, 1, 0, 0) << 4 | (uint32_t)NEAR(f, 0, 1, 0) << 5 |                    \
     (uint32_t)NEAR(f, 0, 0, 1) << 6)

MASS_STENCIL(cells_star, 3, 1, READS(cell), WRITES(cell), SUMS(alive, balance), GIVEN(table))
{
    OUT(cell) = cells_entry(STAR(cell), PARAM(table));
    REPORT;
}

/* The other attribute is looked at further where a cell is set. */
MASS_STENCIL(cells_stars, 3, 1, READS(cell, other), WRITES(cell, other), SUMS(alive, around), GIVEN(table))
{
    const uint32_t diagonal = IN(cell) ? NEAR(other, 1, 1, 1) + 2u * NEAR(other, -1, 1, -1) : 3;
    OUT(cell) = cells_entry(STAR(cell) | diagonal << 7, PARAM(table));
    OUT(other) = NEAR(cell, 0, -1, 1) ^ IN(other);
    ADD(alive, OUT(cell) + OUT(other));
    ADD(around, diagonal);
}

MASS_STENCIL(cells_all, 3, 1, READS(cell), WRITES(cell), SUMS(alive))
{
    int n = 0;
    MASS_MOORE_3D(dx, dy, dz, 1) { n += NEAR(cell, dx, dy, dz); }
    OUT(cell) = n == 5 || (n == 6 && IN(cell));
    ADD(alive, OUT(cell));
}

#define IS(space, number) (dimensions == (space) && VALUE(rule) == (number))
MASS_SCHEDULE(STARTS(cells_sow), IF(IS(2, 0), STEPS(cells_moore)), IF(IS(2, 1), STEPS(cells_neumann)),
              IF(IS(2, 2), STEPS(cells_table)), IF(IS(2, 3), STEPS(cells_two)), IF(IS(2, 4), STEPS(cells_dated)),
              IF(IS(2, 5), STEPS(cells_far)), IF(IS(2, 6), STEPS(cells_wide)), IF(IS(3, 3), STEPS(cells_stars)),
              IF(IS(3, 5), STEPS(cells_star)), IF(IS(3, 6), STEPS(cells_all)),
              IF(dimensions == 3 && VALUE(rule) != 3 && VALUE(rule) < 5, STEPS(cells_deep)))

MASS_PLUGIN(.name = "cells", .version = "1.0.0", .help = "Cells of bits under rules of every kind");
