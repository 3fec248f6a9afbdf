/* SPDX-License-Identifier: Apache-2.0 */
/* Heat that spreads by explicit diffusion through one or two materials, in 2 or 3 dimensions. */
#include "kernels.h"

#include <mass/mass.h>

static const char *const edges[] = {"torus", "bounded", NULL};
static const char *const starts[] = {"cold", "sine", "random", NULL};
enum { COLD, SINE, RANDOM_START };
static const double hottest = 1e4;
static const int64_t most_waves = 1000000, most_steps = INT64_C(1) << 40;
/* From ambient to glowing. */
static const uint32_t palette[] = {0x0b0d17, 0x2b1a5a, 0x8a1f6b, 0xe0503a, 0xfbb040, 0xfff7d6};

static void declare_alpha(mass_host *host, const char *name, double value, const char *help)
{
    MASS_DECLARE(host, parameter, .name = name, .type = MASS_REAL, .real = value, .real_min = 0,
                 .real_max = 0.25, .help = help);
}

static void declare_edge(mass_host *host, const char *name, const char *help)
{
    MASS_DECLARE(host, parameter, .name = name, .type = MASS_CHOICE, .choices = edges,
                 .text = "bounded", .help = help);
}

static void declare_waves(mass_host *host, const char *name, const char *help)
{
    MASS_DECLARE(host, parameter, .name = name, .type = MASS_INTEGER, .integer = 1,
                 .integer_min = 0, .integer_max = most_waves, .help = help);
}

static void declare_parameters(mass_host *host)
{
    MASS_DECLARE(host, parameter, .name = "materials", .type = MASS_INTEGER, .integer = 2,
                 .integer_min = 1, .integer_max = 2,
                 .help = "materials side by side, which exchange no heat");
    MASS_DECLARE(host, parameter, .name = "radius", .type = MASS_INTEGER, .integer = 1,
                 .integer_min = 1, .integer_max = 2,
                 .help = "1: Laplacian of second order, 2: of fourth order");
    declare_alpha(host, "alpha", 0.1, "diffusivity of the first material: places^2 a step");
    declare_alpha(host, "alpha_b", 0.05, "diffusivity of the second material");
    declare_edge(host, "edge_x", "whether left and right meet, or lie at ambient temperature, 0");
    declare_edge(host, "edge_y", "the same for top and bottom");
    declare_edge(host, "edge_z", "the same for the third axis");
    MASS_DECLARE(host, parameter, .name = "heat", .type = MASS_REAL, .real = 100,
                 .real_min = -hottest, .real_max = hottest, .unit = "K",
                 .help = "temperature of the heated edge: y = 0, the middle third of x");
    MASS_DECLARE(host, parameter, .name = "heat_steps", .type = MASS_INTEGER, .integer = -1,
                 .integer_min = -1, .integer_max = most_steps,
                 .help = "steps during which the edge is heated; 0: never",
                 .by_default = "all, as with -1");
    MASS_DECLARE(host, parameter, .name = "start", .type = MASS_CHOICE, .choices = starts,
                 .help = "ambient everywhere, one sine mode, or uniformly random from 0 to 100 K");
    MASS_DECLARE(host, parameter, .name = "amplitude", .type = MASS_REAL, .real = 100,
                 .real_min = 0, .real_max = hottest, .unit = "K", .help = "of the sine mode");
    declare_waves(host, "kx", "periods of the sine mode along x; 0: constant along x");
    declare_waves(host, "ky", "the same along y");
    declare_waves(host, "kz", "the same along z");
}

static uint32_t torus_axes(mass_host *host)
{
    const mass_values_table *values = mass_values(host);
    return (values->integer(host, "edge_x") == 0 ? MASS_AXIS_X : 0u) |
           (values->integer(host, "edge_y") == 0 ? MASS_AXIS_Y : 0u) |
           (values->integer(host, "edge_z") == 0 ? MASS_AXIS_Z : 0u);
}

static void declare_tallies(mass_host *host)
{
    MASS_DECLARE(host, tally, .name = "total", .access = MASS_SUM, .kind = MASS_TALLY_FIXED,
                 .fraction_bits = HEAT_FRACTION_BITS, .unit = "K",
                 .help = "sum of the temperatures of all places and materials");
    MASS_DECLARE(host, tally, .name = "minimum", .access = MASS_MIN, .kind = MASS_TALLY_REAL,
                 .unit = "K", .help = "the lowest temperature");
    MASS_DECLARE(host, tally, .name = "maximum", .access = MASS_MAX, .kind = MASS_TALLY_REAL,
                 .unit = "K", .help = "the highest temperature");
}

/* The shortest wave must not grow: its Laplacian is -4 (second order) or -16/3 (fourth order) an
 * axis, and alpha times that at least -2. Bounded edges only narrow the spectrum. */
static mass_status check_stable(mass_host *host, const char *name, int dimensions, int radius)
{
    const double alpha = mass_values(host)->real(host, name);
    const int above = radius == 1 ? 1 : 3, below = (radius == 1 ? 2 : 8) * dimensions;
    if (alpha * below <= above) return MASS_OK;
    return host->fail(host, MASS_BAD_USAGE, "parameter %s: %g is unstable in %d dimensions with "
                      "radius %d: at most %d/%d", name, alpha, dimensions, radius, above, below);
}

/* The temperatures between which the run starts and is driven. */
static void find_range(mass_host *host, double *low, double *high)
{
    const mass_values_table *values = mass_values(host);
    const int64_t start = values->integer(host, "start");
    const double heat = values->integer(host, "heat_steps") != 0 ? values->real(host, "heat") : 0;
    const double amplitude = values->real(host, "amplitude");
    *low = start == SINE ? -amplitude : 0;
    *high = start == SINE ? amplitude : start == RANDOM_START ? 100 : 0;
    if (heat < *low) *low = heat;
    if (heat > *high) *high = heat;
    if (*low == *high) *high = *low + 1;
}

/* The total in units of 2^-18 has to fit an int64_t, with a factor of 2 to spare: with radius 2,
 * temperatures overshoot a little at a jump. */
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

static void declare_phases(mass_host *host, int64_t materials, uint32_t dimensions,
                           int64_t radius)
{
    const int64_t start = mass_values(host)->integer(host, "start");
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

static mass_status heat_open(mass_host *host)
{
    const mass_values_table *values = mass_values(host);
    declare_parameters(host);
    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 2, .dimensions_max = 3,
                 .size = {64, 64}, .torus = torus_axes(host));
    const int64_t materials = values->integer(host, "materials");
    const int64_t radius = values->integer(host, "radius");
    MASS_DECLARE(host, attribute, .space = "grid", .name = "temperature", .type = MASS_F32,
                 .length = (uint32_t)materials, .unit = "K", .help = "above ambient, by material");
    declare_tallies(host);
    mass_declare(host)->steps(host, 3000);

    mass_gidx size[3];
    uint32_t dimensions;
    double low, high;
    mass_status status = values->size(host, "grid", size, &dimensions);
    if (status == MASS_OK) status = check_stable(host, "alpha", (int)dimensions, (int)radius);
    if (status == MASS_OK && materials == 2)
        status = check_stable(host, "alpha_b", (int)dimensions, (int)radius);
    find_range(host, &low, &high);
    if (status == MASS_OK) status = check_total(host, size, materials, high > -low ? high : -low);
    if (status != MASS_OK) return status;
    declare_phases(host, materials, dimensions, radius);
    if (values->integer(host, "start") != RANDOM_START) mass_seed_of(host)->unused(host);
    return MASS_DECLARE(host, picture, .space = "grid", .attribute = "temperature", .low = low,
                        .high = high, .colours = sizeof palette / sizeof *palette,
                        .palette = palette);
}

MASS_PLUGIN(.name = "heat", .version = "1.1.0",
            .help = "heat that spreads by diffusion through one or two materials",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_VALUES_ID, MASS_SEED_ID, NULL},
            .open = heat_open);
