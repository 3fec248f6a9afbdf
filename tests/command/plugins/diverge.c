/* SPDX-License-Identifier: Apache-2.0 */
/* A model whose world attributes grow beyond all numbers: price by squares, which are infinite from step 10 on, and
 * ratio[1] of that, which is no number then. `none` has no value on purpose. */
#include <mass/model.h>

MASS_PARAMETER(double, first, 2, 0, 1e300, "price at the start")
MASS_SPACE(field, 2, .size = {8, 8})
MASS_ATTRIBUTE(field, uint8_t, ground)
MASS_WORLD_ATTRIBUTE(double, price)
MASS_WORLD_ATTRIBUTE(double, none)
MASS_WORLD_ATTRIBUTE(int64_t, count)
MASS_WORLD_ARRAY(double, ratio, 3)

MASS_ONCE(diverge_open, WRITES(price, none), GIVEN(first))
{
    OUT(price) = PARAM(first);
    OUT(none) = mass_canonical_f64(0 / (PARAM(first) - PARAM(first)));
}
MASS_ONCE(diverge_square, UPDATES(price, count))
{
    OUT(price) *= OUT(price);
    OUT(count)++;
}
MASS_ONCE(diverge_divide, UPDATES(ratio), WORLD(price)) { OUT_AT(ratio, 1) = OF_WORLD(price) / OF_WORLD(price); }

MASS_SCHEDULE(STARTS(diverge_open), STEPS(diverge_square), STEPS(diverge_square), STEPS(diverge_divide))
MASS_PLUGIN(.name = "diverge", .version = "1.0.0", .help = "world attributes that become infinite");
