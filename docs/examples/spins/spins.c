/* SPDX-License-Identifier: Apache-2.0 */
/* Spins of a magnet turn one after the other, in random order. */
#include <mass/model.h>

MASS_PARAMETER(double, temperature, 2.5, 0.01, 1000, "temperature, in units of the coupling")
MASS_SPACE(grid, 2, .size = {128, 128}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(grid, int8_t, spin, .least = -1, .most = 1, .initial = &(const int8_t){1})
MASS_TALLY(SUM, int64_t, up, "places with spin 1")
MASS_TALLY(SUM, int64_t, energy, "energy of all places")

MASS_IN_TURN_PLACES(spins_turn, 2, 1, SEES(spin), ALTERS(spin), GIVEN(temperature))
{
    const int around = SEE(spin, 0, -1) + SEE(spin, -1, 0) + SEE(spin, 1, 0) + SEE(spin, 0, 1);
    const double work = 2.0 * THERE(spin, 0, 0) * around;
    const mass_random4 r = RANDOM(0);
    if (mass_unit_f64(r.v[0], r.v[1]) < mass_exp_f64(-work / PARAM(temperature)))
        THERE(spin, 0, 0) = (int8_t)-THERE(spin, 0, 0);
}

MASS_STENCIL(spins_measure, 2, 1, READS(spin), SUMS(up, energy))
{
    ADD(up, IN(spin) > 0);
    ADD(energy, -IN(spin) * (NEAR(spin, 1, 0) + NEAR(spin, 0, 1)));
}

MASS_SCHEDULE(STEPS(spins_turn, .changes = MASS_OWN_PLACE, .shape = MASS_AXES), STEPS(spins_measure))
MASS_PICTURE(grid, spin, -1, 1, 0x14213d, 0xfca311)

MASS_PLUGIN(.name = "spins", .version = "1.0.0", .help = "spins that turn one after the other, in random order");
