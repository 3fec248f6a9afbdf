/* SPDX-License-Identifier: Apache-2.0 */
/* Two substances that spread and react: the model of P. Gray and S. K. Scott, as J. E. Pearson drew it, "Complex
 * patterns in a simple system" (1993). */
#include <mass/model.h>

MASS_PARAMETER(double, feed, 0.035, 0, 1, "how fast u is fed")
MASS_PARAMETER(double, kill, 0.06, 0, 1, "how fast v is taken away")

MASS_SPACE(dish, 2, .size = {256, 256}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(dish, float, u, .help = "what v feeds on", .initial = &(const float){1})
MASS_ATTRIBUTE(dish, float, v, .help = "what makes itself of u", .flush = 1)

MASS_MAP(dish_seed, UPDATES(u, v))
{
    const int inside = (AT_X >= SIZE_X / 2 - 4) & (AT_X < SIZE_X / 2 + 4) & (AT_Y >= SIZE_Y / 2 - 4) &
                       (AT_Y < SIZE_Y / 2 + 4);
    OUT(u) = inside ? 0.5f : OUT(u);
    OUT(v) = inside ? 0.25f : OUT(v);
}

#define AROUND(f) (NEAR(f, 0, -1) + NEAR(f, -1, 0) + NEAR(f, 1, 0) + NEAR(f, 0, 1) - 4 * IN(f))
MASS_STENCIL(dish_react, 2, 1, READS(u, v), WRITES(u, v), GIVEN(feed, kill))
{
    const float reacts = IN(u) * IN(v) * IN(v), feed = (float)PARAM(feed), kill = (float)PARAM(kill);
    OUT(u) = IN(u) + (0.2f * AROUND(u) - reacts + feed * (1 - IN(u)));
    OUT(v) = IN(v) + (0.1f * AROUND(v) + reacts - (feed + kill) * IN(v));
}

MASS_SCHEDULE(STARTS(dish_seed), STEPS(dish_react))
MASS_PICTURE(dish, v, 0, 0.4, 0x10131c, 0x3f7dbf, 0xf6f1e4)
MASS_DEFAULT_STEPS(2000)
MASS_PLUGIN(.name = "dish", .version = "1.0.0", .help = "two substances that spread and react");
