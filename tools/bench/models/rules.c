/* SPDX-License-Identifier: Apache-2.0 */
/* The rules over bits that mass-bench measures: by counts of neighbours, by a symmetric table, and by any table of 512
 * entries. */
#include "rules.h"

#include <mass/model.h>

MASS_PARAMETER(choice, rule, "counts", "what a place becomes", "counts", "isotropic", "table")
MASS_PARAMETER(int64_t, birth, 8, 0, 511, "bit n: with n neighbours a place comes to be set")
MASS_PARAMETER(int64_t, survive, 12, 0, 511, "bit n: with n neighbours a place stays set")

MASS_SPACE_OF(grid, 2, 2, .size = {512, 512}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(grid, bool, cell)

/* Sets each cell to 0 or 1 at random. */
MASS_MAP(rules_start, WRITES(cell))
{
    OUT(cell) = RANDOM(0).v[0] & 1;
}

MASS_STENCIL(rules_counts, 2, 1, READS(cell), WRITES(cell), GIVEN(birth, survive))
{
    int n = 0;
    MASS_MOORE_2D(dx, dy, 1) { n += NEAR(cell, dx, dy); }
    OUT(cell) = (IN(cell) ? PARAM(survive) : PARAM(birth)) >> n & 1;
}

#define PATTERN                                                                                                    \
    ((uint32_t)NEAR(cell, -1, -1) | (uint32_t)NEAR(cell, 0, -1) << 1 | (uint32_t)NEAR(cell, 1, -1) << 2 |          \
     (uint32_t)NEAR(cell, -1, 0) << 3 | (uint32_t)IN(cell) << 4 | (uint32_t)NEAR(cell, 1, 0) << 5 |                \
     (uint32_t)NEAR(cell, -1, 1) << 6 | (uint32_t)NEAR(cell, 0, 1) << 7 | (uint32_t)NEAR(cell, 1, 1) << 8)

MASS_STENCIL(rules_isotropic, 2, 1, READS(cell), WRITES(cell))
{
    OUT(cell) = rules_entry(rules_least_image(PATTERN));
}

MASS_STENCIL(rules_table, 2, 1, READS(cell), WRITES(cell))
{
    OUT(cell) = rules_entry(PATTERN);
}

MASS_SCHEDULE(STARTS(rules_start), IF(VALUE(rule) == 0, STEPS(rules_counts)),
              IF(VALUE(rule) == 1, STEPS(rules_isotropic)), IF(VALUE(rule) == 2, STEPS(rules_table)))
MASS_DEFAULT_STEPS(100)

MASS_PLUGIN(.name = "rules", .version = "1.0.0", .help = "rules over bits");
