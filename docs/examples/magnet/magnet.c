/* SPDX-License-Identifier: Apache-2.0 */
/* A magnet: the model of E. Ising, "Beitrag zur Theorie des Ferromagnetismus" (1925), in two dimensions and
 * with disorder, by the method of N. Metropolis and others, "Equation of state calculations by fast
 * computing machines" (1953). */
#include <mass/model.h>
#include <stdio.h>

enum { ENERGY_BITS = 20 }; /* bits after the binary point */

MASS_PARAMETER(double, temperature, 2.3, 0.01, 1000, "temperature, in units of the coupling")
MASS_PARAMETER(double, disorder, 0, 0, 100, "standard deviation of the field that is frozen into a place")
MASS_CONSTANT(double, cold, 1.0 / VALUE(temperature))

MASS_SPACE(grid, 2, .size = {512, 512}, .torus = MASS_AXES_ALL)

#if MASS_HOST

/* Black and white must alternate across the edges too. */
MASS_OPEN(magnet_check_size)
{
    mass_gidx size[3];
    uint32_t dimensions;
    const mass_status status = mass_values_of(host)->size(host, "grid", size, &dimensions);
    if (status != MASS_OK || size[0] % 2 + size[1] % 2 == 0) return status;
    return host->fail(host, MASS_BAD_USAGE, "--size %lldx%lld: both extents have to be even", (long long)size[0],
                      (long long)size[1]);
}

#endif

/* The record of a place. The largest member comes first, so that there is no padding. */
typedef struct magnet_record {
    double work;    /* energy that its turns took */
    uint32_t turns; /* number of its turns */
    uint32_t last;  /* the step of the last one */
} magnet_record;

/* Sums over the steps, of the field on a place and of its square. */
typedef struct magnet_moments {
    double first, second;
} magnet_moments;

MASS_ATTRIBUTE(grid, int8_t, spin, .least = -1, .most = 1, .help = "-1 or 1")
MASS_ATTRIBUTE(grid, double, bias, .help = "frozen field")
MASS_ATTRIBUTE(grid, magnet_record, record, MASS_MEMBERS(magnet_record, work, turns, last),
               .help = "what happened to the place")
MASS_VECTOR(grid, magnet_moments, double, moments, .help = "sums of the field and of its square")

MASS_TALLY(SUM, int64_t, up, "places with spin 1")
MASS_TALLY(SUM, int64_t, energy, "energy of all places", .fraction_bits = ENERGY_BITS)
MASS_TALLY(MIN, double, weakest, "least absolute field on a place")
MASS_TALLY(MEAN, double, strength, "mean absolute field on a place")
MASS_TALLY(SUM, int64_t, alike, "places by how many neighbours are like them", .bins = 5)
MASS_TALLY(SUM, int64_t, bound, "their energy", .fraction_bits = ENERGY_BITS, .bins = 5)

MASS_MAP(magnet_draw, WRITES(spin, bias), GIVEN(disorder))
{
    OUT(spin) = (int8_t)(RANDOM(0).v[0] & 1 ? 1 : -1);
    OUT(bias) = PARAM(disorder) * mass_normal_f64(RANDOM(1));
}

/* Returns 1 if a spin turns for which that takes the energy `work`, else 0. */
MASS_FN int magnet_turns(double work, double cold, mass_random4 r)
{
    return mass_unit_f64(r.v[0], r.v[1]) < mass_exp_f64(-work * cold);
}

MASS_FN void magnet_note(magnet_record *record, int turns, double work, uint64_t step)
{
    record->work += turns ? work : 0.0;
    record->turns += (uint32_t)turns;
    record->last = turns ? (uint32_t)step : record->last;
}

/* Black places, where x + y is even, have white neighbours only: all of them may turn at once. */
#define TURN_COLOUR(WHITE)                                                                              \
    {                                                                                                   \
        const int around = NEAR(spin, 0, -1) + NEAR(spin, -1, 0) + NEAR(spin, 1, 0) + NEAR(spin, 0, 1); \
        const double work = 2.0 * IN(spin) * (around + IN(bias));                                       \
        const int mine = ((AT_X + AT_Y) & 1) == WHITE;                                                  \
        const int turns = mine & magnet_turns(work, PARAM(cold), RANDOM(0));                            \
        OUT(spin) = (int8_t)(turns ? -IN(spin) : IN(spin));                                             \
        magnet_note(&OUT(record), turns, work, STEP);                                                   \
    }
#define TURN READS(spin, bias), WRITES(spin), UPDATES(record), GIVEN(cold)
MASS_STENCIL(magnet_turn_black, 2, 1, TURN) TURN_COLOUR(0)
MASS_STENCIL(magnet_turn_white, 2, 1, TURN) TURN_COLOUR(1)

MASS_STENCIL(magnet_measure, 2, 1, READS(spin, bias), UPDATES(moments), SUMS(up, energy, strength), MINS(weakest),
             BINS(alike, bound))
{
    const int around = NEAR(spin, 0, -1) + NEAR(spin, -1, 0) + NEAR(spin, 1, 0) + NEAR(spin, 0, 1);
    const double field = around + IN(bias), strength = field < 0 ? -field : field;
    const int64_t energy = mass_fixed(-IN(spin) * (0.5 * around + IN(bias)), ENERGY_BITS); /* half of each pair's */
    const int alike = (4 + IN(spin) * around) / 2;
    OUT(moments).first += field;
    OUT(moments).second += field * field;
    ADD(up, IN(spin) > 0);
    ADD(energy, energy);
    LEAST(weakest, strength);
    ADD(strength, strength);
    COUNT_IN(alike, alike);
    ADD_IN(bound, alike, energy);
}

MASS_SCHEDULE(STARTS(magnet_draw), STEPS(magnet_turn_black), STEPS(magnet_turn_white), STEPS(magnet_measure))
MASS_PICTURE(grid, spin, -1, 1, 0x14213d, 0xfca311)

#if MASS_HOST

/* The variance of the field on the place at the origin, over the steps. */
static mass_status magnet_finish(mass_host *host)
{
    const mass_gidx origin[3] = {0, 0, 0}, one[3] = {1, 1, 1};
    const double steps = (double)mass_run_of(host)->step(host);
    magnet_moments moments;
    const mass_status status = mass_run_of(host)->read(host, "grid", "moments", 0, origin, one, &moments);
    if (status != MASS_OK || steps < 1) return status;
    const double mean = moments.first / steps;
    char line[80];
    snprintf(line, sizeof line, "field on the first place: mean %.3f, variance %.3f", mean,
             moments.second / steps - mean * mean);
    mass_run_of(host)->say(host, line);
    return MASS_OK;
}

#endif

MASS_PLUGIN(.name = "magnet", .version = "1.0.0", .help = "spins that align with their neighbours where it is cold",
            .finish = magnet_finish);
