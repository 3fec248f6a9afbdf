/* SPDX-License-Identifier: Apache-2.0 */
/* Heat that spreads by explicit diffusion through one or two materials, in 2 or 3 dimensions. */
#include <mass/model.h>

enum { HEAT_FRACTION_BITS = 18 }; /* fraction bits of `total`, which is in units of 2^-18 K */
enum { COLD, SINE, RANDOM_START };
#define HOTTEST 1e4
#define MOST_WAVES 1000000
#define MOST_STEPS (INT64_C(1) << 40)

MASS_PARAMETER(int64_t, materials, 2, 1, 2, "materials side by side, which exchange no heat")
MASS_PARAMETER(int64_t, radius, 1, 1, 2, "1: Laplacian of second order, 2: of fourth order")
MASS_PARAMETER(double, alpha, 0.1, 0, 0.25, "diffusivity of the first material: places^2 a step")
MASS_PARAMETER(double, alpha_b, 0.05, 0, 0.25, "diffusivity of the second material")
MASS_PARAMETER(choice, edge_x, "bounded", "whether left and right meet, or have ambient temperature, 0", "torus",
               "bounded")
MASS_PARAMETER(choice, edge_y, "bounded", "the same for top and bottom", "torus", "bounded")
MASS_PARAMETER(choice, edge_z, "bounded", "the same for the third axis", "torus", "bounded")
MASS_PARAMETER(double, heat, 100, -HOTTEST, HOTTEST,
               "temperature of the heated edge: y = 0, the middle third of x", .unit = "K")
MASS_PARAMETER(int64_t, heat_steps, -1, -1, MOST_STEPS, "steps during which the edge is heated; 0: never",
               .by_default = "all, as with -1")
MASS_PARAMETER(choice, start, "cold",
               "cold: ambient everywhere; sine: one sine mode; random: uniformly from 0 to 100 K",
               "cold", "sine", "random")
MASS_PARAMETER(double, amplitude, 100, 0, HOTTEST, "of the sine mode", .unit = "K")
MASS_PARAMETER(int64_t, kx, 1, 0, MOST_WAVES, "periods of the sine mode along x; 0: constant along x")
MASS_PARAMETER(int64_t, ky, 1, 0, MOST_WAVES, "the same along y")
MASS_PARAMETER(int64_t, kz, 1, 0, MOST_WAVES, "the same along z")

MASS_SPACE_OF(grid, 2, 3, .size = {64, 64},
              .torus = (VALUE(edge_x) == 0 ? MASS_AXIS_X : 0u) | (VALUE(edge_y) == 0 ? MASS_AXIS_Y : 0u) |
                       (VALUE(edge_z) == 0 ? MASS_AXIS_Z : 0u))
MASS_ATTRIBUTE(grid, float, temperature, .length = (uint32_t)VALUE(materials), .unit = "K",
               .help = "above ambient, by material")

MASS_TALLY(SUM, int64_t, total, "sum of the temperatures of all places and materials",
           .fraction_bits = HEAT_FRACTION_BITS, .unit = "K")
MASS_TALLY(MIN, double, minimum, "the lowest temperature", .unit = "K")
MASS_TALLY(MAX, double, maximum, "the highest temperature", .unit = "K")
MASS_DEFAULT_STEPS(3000)

/* Fields of callbacks with one material, a, and with two. */
#define ONE AS(a, temperature, 0)
#define TWO AS(a, temperature, 0), AS(b, temperature, 1)
#define TALLIES SUMS(total), MINS(minimum), MAXES(maximum)

/* ---- the start ---- */

/* Returns one factor of a mode: `waves` periods along an axis; 1 along an axis without waves. */
MASS_FN double wave(int64_t waves, mass_gidx at, mass_gidx size)
{
    const double turns = (double)mass_mod_i64(waves * at, size) / (double)size;
    return waves == 0 || size == 1 ? 1.0 : mass_sin_f64(0x1.921fb54442d18p+2 * turns);
}

#define SINE_HERE                                              \
    (float)(PARAM(amplitude) * wave(PARAM(kx), AT_X, SIZE_X) * \
            wave(PARAM(ky), AT_Y, SIZE_Y) * wave(PARAM(kz), AT_Z, SIZE_Z))

#define MODE GIVEN(amplitude, kx, ky, kz)

/* Sets both materials to the same mode: a product of sines with kx, ky and kz periods. */
MASS_MAP(heat_sine, WRITES(TWO), MODE)
{
    OUT(a) = OUT(b) = SINE_HERE;
}

/* Sets the only material to a mode: a product of sines with kx, ky and kz periods. */
MASS_MAP(heat_one_sine, WRITES(ONE), MODE)
{
    OUT(a) = SINE_HERE;
}

/* Sets both materials to random temperatures from 0 to 100. */
MASS_MAP(heat_random, WRITES(TWO))
{
    const mass_random4 r = RANDOM(0);
    OUT(a) = 100.0f * mass_unit_f32(r.v[0]);
    OUT(b) = 100.0f * mass_unit_f32(r.v[1]);
}

/* Sets the only material to random temperatures from 0 to 100. */
MASS_MAP(heat_one_random, WRITES(ONE))
{
    OUT(a) = 100.0f * mass_unit_f32(RANDOM(0).v[0]);
}

/* ---- the tallies ---- */

/* Adds a temperature in K to the tallies: the sum in fixed point, the minimum and the maximum. */
#define TALLY(temperature)                                         \
    do {                                                           \
        const double t_ = (double)(temperature);                   \
        ADD(total, mass_fixed_in_vectors(t_, HEAT_FRACTION_BITS)); \
        LEAST(minimum, t_);                                        \
        MOST(maximum, t_);                                         \
    } while (0)

/* Counts both materials' temperatures at the start. */
MASS_MAP(heat_census, READS(TWO), TALLIES)
{
    TALLY(IN(a));
    TALLY(IN(b));
}

/* Counts the only material's temperatures at the start. */
MASS_MAP(heat_one_census, READS(ONE), TALLIES)
{
    TALLY(IN(a));
}

/* ---- the step ---- */

/* Laplacians of second and of fourth order. They are the sums over 2 or 3 axes of the second difference (1, -2, 1), or
 * (-1, 16, -30, 16, -1) / 12. The sums of the places 1 and 2 away are `near` and `far`. The weights are integers and
 * add up to 0, so heat is conserved. */
MASS_FN float laplacian_r1(float axes, float here, float near)
{
    return near - 2.0f * axes * here;
}

/* Returns the Laplacian of fourth order along `axes` axes, from the sums of the neighbours at distances 1 and 2. */
MASS_FN float laplacian_r2(float axes, float here, float near, float far)
{
    return (16.0f * near - far - 30.0f * axes * here) * (1.0f / 12.0f);
}

#define PAIR(f, dx, dy, dz) (NEAR(f, -(dx), -(dy), -(dz)) + NEAR(f, dx, dy, dz))
#define AROUND_2D(f, r) (PAIR(f, r, 0, 0) + PAIR(f, 0, r, 0))
#define AROUND_3D(f, r) (AROUND_2D(f, r) + PAIR(f, 0, 0, r))
#define LAPLACIAN_2D_R1(f) laplacian_r1(2.0f, IN(f), AROUND_2D(f, 1))
#define LAPLACIAN_3D_R1(f) laplacian_r1(3.0f, IN(f), AROUND_3D(f, 1))
#define LAPLACIAN_2D_R2(f) laplacian_r2(2.0f, IN(f), AROUND_2D(f, 1), AROUND_2D(f, 2))
#define LAPLACIAN_3D_R2(f) laplacian_r2(3.0f, IN(f), AROUND_3D(f, 1), AROUND_3D(f, 2))

/* Is true if the place is held at `heat`: in the row y = 0, where nx <= 3 x < 2 nx. Left of there, the difference wraps
 * around to more than nx. As an unsigned number, heat_steps = -1 is more than all steps. */
#define ROW_IS_HEATED ((AT_Y == 0) & (STEP <= (uint64_t)PARAM(heat_steps)))
#define HELD (3u * (uint32_t)AT_X - (uint32_t)SIZE_X < (ROW_IS_HEATED ? (uint32_t)SIZE_X : 0u))

/* Returns held ? heat : value, by bit operations: gcc would not vectorise the loads after a branch. */
MASS_FN float unless_held(int held, float value, float heat)
{
    const uint32_t mask = 0u - (uint32_t)held;
    return mass_f32_bits((mass_bits_f32(value) & ~mask) | (mass_bits_f32(heat) & mask));
}

/* Computes the next temperature of a material at a place and counts it. A held place has the temperature `heat`. */
#define DIFFUSE(f, alpha, LAPLACIAN)                                                            \
    OUT(f) = unless_held(held, IN(f) + (float)PARAM(alpha) * LAPLACIAN(f), (float)PARAM(heat)); \
    TALLY(OUT(f))

/* Defines the step's two callbacks, with two materials and with one, for a number of dimensions and a radius. */
#define HEAT_STEP(DIMENSIONS, RADIUS, NAME, NAME_ONE, LAPLACIAN)                                                      \
    MASS_STENCIL(NAME, DIMENSIONS, RADIUS, READS(TWO), WRITES(TWO), GIVEN(alpha, alpha_b, heat, heat_steps), TALLIES) \
    {                                                                                                                 \
        const int held = HELD;                                                                                        \
        DIFFUSE(a, alpha, LAPLACIAN);                                                                                 \
        DIFFUSE(b, alpha_b, LAPLACIAN);                                                                               \
    }                                                                                                                 \
    MASS_STENCIL(NAME_ONE, DIMENSIONS, RADIUS, READS(ONE), WRITES(ONE), GIVEN(alpha, heat, heat_steps), TALLIES)      \
    {                                                                                                                 \
        const int held = HELD;                                                                                        \
        DIFFUSE(a, alpha, LAPLACIAN);                                                                                 \
    }

HEAT_STEP(2, 1, heat_2d_r1, heat_one_2d_r1, LAPLACIAN_2D_R1)
HEAT_STEP(2, 2, heat_2d_r2, heat_one_2d_r2, LAPLACIAN_2D_R2)
HEAT_STEP(3, 1, heat_3d_r1, heat_one_3d_r1, LAPLACIAN_3D_R1)
HEAT_STEP(3, 2, heat_3d_r2, heat_one_3d_r2, LAPLACIAN_3D_R2)

/* ---- checks when the engine opens the plugin, and the choice of callbacks ---- */

#if MASS_HOST

/* Checks that the shortest wave does not grow. Its Laplacian is -4 (second order) or -16/3 (fourth order) for each
 * axis, and alpha times that must be at least -2. Bounded edges only narrow the spectrum. */
static mass_status check_stable(mass_host *host, const char *name, int dimensions, int radius)
{
    const double alpha = mass_values_of(host)->real(host, name);
    const int above = radius == 1 ? 1 : 3, below = (radius == 1 ? 2 : 8) * dimensions;
    if (alpha * below <= above) return MASS_OK;
    return host->fail(host, MASS_BAD_USAGE, "parameter %s: %g is unstable in %d dimensions with "
                      "radius %d: at most %d/%d", name, alpha, dimensions, radius, above, below);
}

/* Finds the range of the temperatures at the start and at the heated edge. */
static void find_range(mass_host *host, double *low, double *high)
{
    const int64_t start = VALUE(start);
    const double heat = VALUE(heat_steps) != 0 ? VALUE(heat) : 0, amplitude = VALUE(amplitude);
    *low = start == SINE ? -amplitude : 0;
    *high = start == SINE ? amplitude : start == RANDOM_START ? 100 : 0;
    if (heat < *low) *low = heat;
    if (heat > *high) *high = heat;
    if (*low == *high) *high = *low + 1;
}

/* Checks that the total in units of 2^-18 fits an int64_t, with a factor of 2 to spare: with radius 2, temperatures
 * overshoot a little at a jump. */
static mass_status check_total(mass_host *host, const mass_gidx size[3], int64_t materials,
                               double peak)
{
    const double places = (double)size[0] * (double)size[1] * (double)size[2];
    const double total = places * (double)materials * peak;
    const double most = 0x1p62 / (double)(INT64_C(1) << HEAT_FRACTION_BITS);
    if (total < most) return MASS_OK;
    return host->fail(host, MASS_BAD_USAGE, "a total of up to %g K over %g places is beyond the "
                      "%g K that can be summed: use a smaller space or lower temperatures", total,
                      places, most);
}

/* Indices: materials - 1, dimensions - 2, radius - 1. */
static const mass_callback *const steps[2][2][2] = {
    {{&heat_one_2d_r1, &heat_one_2d_r2}, {&heat_one_3d_r1, &heat_one_3d_r2}},
    {{&heat_2d_r1, &heat_2d_r2}, {&heat_3d_r1, &heat_3d_r2}}};

/* Declares the phases: the start, a census, and the step of this many materials, dimensions and this radius. */
static void declare_phases(mass_host *host, int64_t materials, uint32_t dimensions, int64_t radius)
{
    const int64_t start = VALUE(start);
    const mass_callback *sine = materials == 2 ? &heat_sine : &heat_one_sine;
    const mass_callback *random = materials == 2 ? &heat_random : &heat_one_random;
    const mass_callback *census = materials == 2 ? &heat_census : &heat_one_census;
    if (start != COLD)
        MASS_DECLARE(host, phase, .schedule = MASS_START,
                     .callback = start == SINE ? sine : random);
    MASS_DECLARE(host, phase, .schedule = MASS_START, .callback = census);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP,
                 .callback = steps[materials - 1][dimensions - 2][radius - 1]);
}

static double low, high; /* range of the picture */

/* Checks that the parameters are stable and that totals fit, then declares the phases. Fails otherwise. */
MASS_OPEN(heat_declare_phases)
{
    mass_gidx size[3];
    uint32_t dimensions;
    mass_status status = mass_values_of(host)->size(host, "grid", size, &dimensions);
    if (status == MASS_OK) status = check_stable(host, "alpha", (int)dimensions, (int)VALUE(radius));
    if (status == MASS_OK && VALUE(materials) == 2)
        status = check_stable(host, "alpha_b", (int)dimensions, (int)VALUE(radius));
    find_range(host, &low, &high);
    if (status == MASS_OK) status = check_total(host, size, VALUE(materials), high > -low ? high : -low);
    if (status != MASS_OK) return status;
    declare_phases(host, VALUE(materials), dimensions, VALUE(radius));
    return VALUE(start) == RANDOM_START ? MASS_OK : mass_seed_of(host)->unused(host);
}

#endif

/* From ambient to glowing. */
MASS_PICTURE(grid, temperature, low, high, 0x0b0d17, 0x2b1a5a, 0x8a1f6b, 0xe0503a, 0xfbb040, 0xfff7d6)

MASS_PLUGIN(.name = "heat", .version = "1.1.0",
            .help = "heat that spreads by diffusion through one or two materials");
