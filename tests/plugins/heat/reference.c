/* SPDX-License-Identifier: Apache-2.0 */
/* Heat as the command runs it, against a plain reference in double precision, the conservation of
 * heat, and the decay of a sine mode known in closed form. MASS_ENGINE is the path of mass-engine,
 * MASS_PLUGINS the folder of the plugins. */
#include <criterion/criterion.h>
#include <hdf5.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Half a unit in the last place of a float, relative. For alpha <= 0.1, one step adds less than 8 roundings of the
 * highest temperature to the error of a place. These are at most 55 in the Laplacian, times alpha, 1.5 in the product
 * and 1 in the sum. */
static const double rounding = 0x1p-24, roundings_a_step = 8;

/* ---- runs ---- */

typedef struct run {
    int size[3], materials;
    double *t; /* temperature, [nz][ny][nx][materials] */
    double total, minimum, maximum;
} run;

static size_t count_of(const run *r)
{
    return (size_t)r->size[0] * (size_t)r->size[1] * (size_t)r->size[2] * (size_t)r->materials;
}

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    cr_assert(value && value[0], "%s is not set", name);
    return value;
}

static FILE *start(const char *options, const char *redirection)
{
    char command[2048];
    const int length = snprintf(command, sizeof command,
                                "'%s' --plugin '%s/heat.so' --json --quiet --seed 5 %s %s",
                                environment("MASS_ENGINE"), environment("MASS_PLUGINS"), options,
                                redirection);
    cr_assert_lt(length, (int)sizeof command);
    FILE *output = popen(command, "r");
    cr_assert_not_null(output);
    return output;
}

static void read_tallies(const json_t *report, run *r)
{
    const json_t *tallies = json_object_get(report, "tallies");
    cr_assert(json_is_object(tallies));
    r->total = json_number_value(json_object_get(tallies, "total"));
    r->minimum = json_number_value(json_object_get(tallies, "minimum"));
    r->maximum = json_number_value(json_object_get(tallies, "maximum"));
}

/* The shape has to be [nz][ny][nx][materials], without nz in 2 dimensions and without materials
 * where there is one. */
static void read_temperature(const char *path, run *r)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t data = H5Dopen2(file, "/places/grid/temperature", H5P_DEFAULT);
    const hid_t space = H5Dget_space(data);
    cr_assert_geq(space, 0, "%s", path);
    hsize_t expected[4], extents[8];
    int rank = 0;
    for (int a = 2; a >= 0; a--)
        if (a < 2 || r->size[2] > 1) expected[rank++] = (hsize_t)r->size[a];
    if (r->materials > 1) expected[rank++] = (hsize_t)r->materials;
    cr_assert_eq(H5Sget_simple_extent_ndims(space), rank);
    H5Sget_simple_extent_dims(space, extents, NULL);
    for (int a = 0; a < rank; a++) cr_assert_eq(extents[a], expected[a]);
    r->t = malloc(count_of(r) * sizeof *r->t);
    cr_assert_geq(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, r->t), 0);
    H5Sclose(space);
    H5Dclose(data);
    H5Fclose(file);
}

/* Runs Heat to a step. size: 1 along z for 2 dimensions. The caller frees t. */
static run run_heat(const int size[3], int materials, int steps, const char *settings)
{
    run r = {{size[0], size[1], size[2]}, materials, NULL, 0, 0, 0};
    char folder[] = "/tmp/mass-heat-XXXXXX", path[64], options[1024], z[16] = "";
    cr_assert_not_null(mkdtemp(folder));
    if (size[2] > 1) snprintf(z, sizeof z, "x%d", size[2]);
    snprintf(options, sizeof options,
             "--size %dx%d%s --steps %d --set materials=%d --checkpoint %s %s", size[0], size[1], z,
             steps, materials, folder, settings);
    FILE *output = start(options, "");
    json_t *report = json_loadf(output, 0, NULL);
    const int status = pclose(output);
    if (status != 0) rmdir(folder);
    cr_assert_eq(status, 0, "%s", options);
    cr_assert_not_null(report);
    read_tallies(report, &r);
    json_decref(report);
    snprintf(path, sizeof path, "%s/ckpt-%012d.h5", folder, steps);
    read_temperature(path, &r);
    unlink(path);
    cr_expect_eq(rmdir(folder), 0);
    return r;
}

/* ---- the plain reference ---- */

typedef struct model {
    int radius, torus[3], heat_steps;
    double alpha[2], heat;
} model;

/* 0 beyond a bounded edge. */
static double at(const run *r, const model *m, int x, int y, int z, int material)
{
    int place[3] = {x, y, z};
    for (int a = 0; a < 3; a++) {
        const int n = r->size[a];
        if (!m->torus[a] && (place[a] < 0 || place[a] >= n)) return 0;
        place[a] = (place[a] + 2 * n) % n;
    }
    const int row = place[2] * r->size[1] + place[1];
    return r->t[(row * r->size[0] + place[0]) * r->materials + material];
}

static double laplacian(const run *r, const model *m, int x, int y, int z, int material)
{
    static const double weights[2][5] = {{0, 1, -2, 1, 0},
                                         {-1 / 12., 4 / 3., -5 / 2., 4 / 3., -1 / 12.}};
    double sum = 0;
    for (int d = -2; d <= 2; d++) {
        const double w = weights[m->radius - 1][d + 2];
        sum += w * at(r, m, x + d, y, z, material) + w * at(r, m, x, y + d, z, material);
        if (r->size[2] > 1) sum += w * at(r, m, x, y, z + d, material);
    }
    return sum;
}

static double next_at(const run *r, const model *m, int step, int x, int y, int z, int material)
{
    const double third = r->size[0] / 3.;
    if (step <= m->heat_steps && y == 0 && x >= third && x < 2 * third) return m->heat;
    return at(r, m, x, y, z, material) + m->alpha[material] * laplacian(r, m, x, y, z, material);
}

static void advance(run *r, const model *m, int step)
{
    double *next = malloc(count_of(r) * sizeof *next), *out = next;
    for (int z = 0; z < r->size[2]; z++)
        for (int y = 0; y < r->size[1]; y++)
            for (int x = 0; x < r->size[0]; x++)
                for (int c = 0; c < r->materials; c++) *out++ = next_at(r, m, step, x, y, z, c);
    free(r->t);
    r->t = next;
}

/* A random start, heated for half of the time, then left to itself. */
static void expect_reference(const int size[3], int radius, const int torus[3])
{
    enum { STEPS = 40, HEATED = 20 };
    static const char *const edges[] = {"bounded", "torus"};
    const model m = {radius, {torus[0], torus[1], torus[2]}, HEATED, {0.1, 0.05}, 150};
    char settings[400];
    snprintf(settings, sizeof settings,
             "--set start=random --set heat=150 --set heat_steps=%d --set alpha=0.1 "
             "--set alpha_b=0.05 --set radius=%d --set edge_x=%s --set edge_y=%s --set edge_z=%s",
             HEATED, radius, edges[torus[0]], edges[torus[1]], edges[torus[2]]);
    run expected = run_heat(size, 2, 0, settings), found = run_heat(size, 2, STEPS, settings);
    for (int step = 1; step <= STEPS; step++) advance(&expected, &m, step);
    double worst = 0;
    for (size_t i = 0; i < count_of(&found); i++)
        worst = fmax(worst, fabs(found.t[i] - expected.t[i]));
    /* The steps after it let no error grow with radius 1, nor to twice its size with radius 2. */
    const double bound = STEPS * roundings_a_step * radius * rounding * m.heat;
    cr_expect_leq(worst, bound, "%s: differs by %g K, and by rounding at most %g", settings, worst,
                  bound);
    free(expected.t);
    free(found.t);
}

static void expect_reference_at_all_edges(const int size[3], int radius)
{
    expect_reference(size, radius, (const int[]){1, 1, 1});
    expect_reference(size, radius, (const int[]){0, 0, 0});
    expect_reference(size, radius, (const int[]){1, 0, 1});
    expect_reference(size, radius, (const int[]){0, 1, 0});
}

static const int plane[3] = {37, 22, 1}, block[3] = {13, 9, 7};

Test(heat, second_order_in_2_dimensions_is_the_reference)
{
    expect_reference_at_all_edges(plane, 1);
}

Test(heat, fourth_order_in_2_dimensions_is_the_reference)
{
    expect_reference_at_all_edges(plane, 2);
}

Test(heat, second_order_in_3_dimensions_is_the_reference)
{
    expect_reference_at_all_edges(block, 1);
}

Test(heat, fourth_order_in_3_dimensions_is_the_reference)
{
    expect_reference_at_all_edges(block, 2);
}

/* ---- properties ---- */

static const char torus_everywhere[] = "--set edge_x=torus --set edge_y=torus --set edge_z=torus";

static void expect_conserved(const int size[3], int radius)
{
    enum { STEPS = 500 };
    char settings[200];
    snprintf(settings, sizeof settings, "--set start=random --set heat_steps=0 --set radius=%d %s",
             radius, torus_everywhere);
    run before = run_heat(size, 2, 0, settings), after = run_heat(size, 2, STEPS, settings);
    /* The total is counted in units of 2^-18 a place. */
    const double a_place = STEPS * roundings_a_step * rounding * 100 + 0x1p-18;
    cr_expect_leq(fabs(after.total - before.total), a_place * (double)count_of(&before),
                  "radius %d: from %.9g to %.9g", radius, before.total, after.total);
    cr_expect_gt(before.maximum - before.minimum, 10 * (after.maximum - after.minimum),
                 "there was hardly any diffusion");
    free(before.t);
    free(after.t);
}

Test(heat, a_torus_keeps_its_heat)
{
    for (int radius = 1; radius <= 2; radius++) {
        expect_conserved(plane, radius);
        expect_conserved(block, radius);
    }
}

static const int waves[3] = {2, 1, 1};

/* The coefficient of the mode that `start=sine` begins with. */
static double amplitude_of(const run *r, int material)
{
    double sum = 0, norm = 0;
    const double *t = r->t + material;
    for (int z = 0; z < r->size[2]; z++)
        for (int y = 0; y < r->size[1]; y++)
            for (int x = 0; x < r->size[0]; x++, t += r->materials) {
                double mode = sin(2 * M_PI * waves[0] * x / r->size[0]);
                mode *= sin(2 * M_PI * waves[1] * y / r->size[1]);
                if (r->size[2] > 1) mode *= sin(2 * M_PI * waves[2] * z / r->size[2]);
                sum += mode * *t;
                norm += mode * mode;
            }
    return sum / norm;
}

/* Of the Laplacian for that mode: the sum of those of the second differences along the axes. */
static double eigenvalue(const int size[3], int radius)
{
    double sum = 0;
    for (int a = 0; a < (size[2] > 1 ? 3 : 2); a++) {
        const double angle = 2 * M_PI * waves[a] / size[a];
        sum += radius == 1 ? 2 * cos(angle) - 2
                           : (32 * cos(angle) - 2 * cos(2 * angle) - 30) / 12;
    }
    return sum;
}

static void expect_decay(const int size[3], int radius, int steps)
{
    const double alpha[2] = {0.1, 0.05};
    char settings[300];
    snprintf(settings, sizeof settings,
             "--set start=sine --set amplitude=80 --set kx=%d --set ky=%d --set kz=%d "
             "--set heat_steps=0 --set alpha=0.1 --set alpha_b=0.05 --set radius=%d %s", waves[0],
             waves[1], waves[2], radius, torus_everywhere);
    run before = run_heat(size, 2, 0, settings), after = run_heat(size, 2, steps, settings);
    for (int c = 0; c < 2; c++) {
        const double first = amplitude_of(&before, c);
        const double rate = log(amplitude_of(&after, c) / first) / steps;
        const double analytic = log1p(alpha[c] * eigenvalue(size, radius));
        cr_expect_float_eq(first, 80, 1e-5);
        cr_expect_leq(fabs(rate / analytic - 1), 1e-4, "radius %d, material %d: %.9g, not %.9g",
                      radius, c, rate, analytic);
    }
    free(before.t);
    free(after.t);
}

Test(heat, a_sine_mode_decays_as_its_eigenvalue_says)
{
    for (int radius = 1; radius <= 2; radius++) {
        expect_decay((const int[]){64, 48, 1}, radius, 300);
        expect_decay((const int[]){24, 18, 15}, radius, 40);
    }
}

/* Equal as far as the report's 15 digits go. */
static void expect_reported(double reported, double exact)
{
    cr_expect_leq(fabs(reported - exact), 1e-14 * fabs(exact), "%.17g, not %.17g", reported, exact);
}

static void expect_tallies(const run *r)
{
    double units = 0, minimum = HUGE_VAL, maximum = -HUGE_VAL;
    for (size_t i = 0; i < count_of(r); i++) {
        units += trunc(r->t[i] * 0x1p18);
        minimum = fmin(minimum, r->t[i]);
        maximum = fmax(maximum, r->t[i]);
    }
    expect_reported(r->total, units * 0x1p-18);
    expect_reported(r->minimum, minimum);
    expect_reported(r->maximum, maximum);
}

Test(heat, tallies_are_those_of_the_state_at_the_start_and_later)
{
    for (int steps = 0; steps <= 7; steps += 7)
        for (int materials = 1; materials <= 2; materials++) {
            run r = run_heat(block, materials, steps, "--set start=random");
            cr_expect(r.minimum < 10 && r.maximum > 90);
            expect_tallies(&r);
            free(r.t);
        }
}

Test(heat, one_material_is_the_first_of_two)
{
    for (int radius = 1; radius <= 2; radius++)
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            char settings[100];
            snprintf(settings, sizeof settings, "--set start=random --set radius=%d", radius);
            const int *size = dimensions == 2 ? plane : block;
            run one = run_heat(size, 1, 20, settings), two = run_heat(size, 2, 20, settings);
            size_t unequal = 0;
            for (size_t i = 0; i < count_of(&one); i++) unequal += one.t[i] != two.t[2 * i];
            cr_expect_eq(unequal, 0, "radius %d, %d dimensions", radius, dimensions);
            free(one.t);
            free(two.t);
        }
}

/* ---- refusals ---- */

static void expect_refusal(const char *options, const char *saying)
{
    char text[1024];
    FILE *output = start(options, "2>&1");
    text[fread(text, 1, sizeof text - 1, output)] = '\0';
    const int status = pclose(output);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 2, "%s", options);
    cr_expect_not_null(strstr(text, saying), "%s gave \"%s\"", options, text);
}

Test(heat, unstable_diffusion_is_refused_with_its_limit)
{
    expect_refusal("--steps 1 --set radius=2 --set alpha=0.19",
                   "parameter alpha: 0.19 is unstable in 2 dimensions with radius 2: at most 3/16");
    expect_refusal("--steps 1 --size 8x8x8 --set alpha=0.17", "at most 1/6");
    expect_refusal("--steps 1 --size 8x8x8 --set radius=2 --set alpha_b=0.13", "parameter alpha_b");
}

Test(heat, diffusion_at_its_limit_stays_bounded)
{
    static const char *const limits[2][2] = {{"0.25", "0.16666666666666666"}, {"0.1875", "0.125"}};
    for (int radius = 1; radius <= 2; radius++)
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            char settings[200];
            const char *limit = limits[radius - 1][dimensions - 2];
            snprintf(settings, sizeof settings, "--set start=random --set heat_steps=0 "
                     "--set radius=%d --set alpha=%s --set alpha_b=%s", radius, limit, limit);
            run r = run_heat(dimensions == 2 ? plane : block, 2, 1000, settings);
            cr_expect(r.minimum > -100 && r.maximum < 100, "radius %d, %d dimensions: %g to %g",
                      radius, dimensions, r.minimum, r.maximum);
            free(r.t);
        }
}

Test(heat, a_total_that_cannot_be_summed_is_refused)
{
    expect_refusal("--steps 1 --size 65536x65536 --set heat=10000",
                   "use a smaller space or lower temperatures");
}
