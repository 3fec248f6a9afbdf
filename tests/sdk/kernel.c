/* The CPU loops that the kernel macros generate, in every form that this processor can run, against
 * plain nested loops over the same arrays. */
#include <mass/mass.h>

#include <criterion/criterion.h>
#include <stdlib.h>

/* ---- forms ---- */

static int processor_runs(uint32_t isa)
{
    if (isa == MASS_ISA_BASE) return 1;
#if defined(__x86_64__)
    if (isa == MASS_ISA_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    if (isa == MASS_ISA_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
#endif
    return 0;
}

/* The next CPU form after *at that this processor runs, or NULL; starts with *at = 0. */
static const mass_form *next_form(const mass_callback *callback, uint32_t *at)
{
    while (*at < callback->form_count) {
        const mass_form *const form = &callback->forms[(*at)++];
        if (form->id == MASS_FORM_LOOP && processor_runs(form->isa)) return form;
    }
    return NULL;
}

#define EACH_FORM(form, callback)                                                                  \
    uint32_t form##_at = 0;                                                                        \
    for (const mass_form *form; (form = next_form(&(callback), &form##_at));)

/* ---- partitions ---- */

/* A launch over a partition of a torus, whose rows, planes and worlds lie further apart than they
 * need to. Ghosts are 3 deep along x, and along y and z if they are longer than 1. */
static mass_launch launch_of(int nx, int ny, int nz, int worlds)
{
    mass_launch l = {.struct_size = sizeof l, .phase = 4, .step = 12, .worlds = worlds,
                     .origin = {100, 200, 300}, .size = {1000, 1000, 1000},
                     .extent = {nx, ny, nz}, .torus = MASS_AXES_ALL};
    for (int a = 0; a < 3; a++) l.ghost[a] = a == 0 || l.extent[a] > 1 ? 3 : 0;
    l.pitch = nx + 2 * l.ghost[0] + 5;
    l.plane = l.pitch * (ny + 2 * l.ghost[1] + 1);
    l.world_stride = l.plane * (nz + 2 * l.ghost[2] + 1);
    return l;
}

static mass_range whole(const mass_launch *l)
{
    const mass_range range = {0, (int64_t)l->worlds * l->extent[2] * l->extent[1], 0, l->extent[0]};
    return range;
}

static int64_t first_place(const mass_launch *l)
{
    return l->ghost[2] * l->plane + l->ghost[1] * l->pitch + l->ghost[0];
}

/* An attribute's array, pointing at its first place; its ghosts and gaps lie around it. */
static void *array_of(const mass_launch *l, size_t size)
{
    char *const bytes = calloc((size_t)(l->world_stride * l->worlds), size);
    cr_assert(bytes);
    return bytes + (size_t)first_place(l) * size;
}

static void array_free(const mass_launch *l, void *array, size_t size)
{
    free((char *)array - (size_t)first_place(l) * size);
}

/* Every byte of an array, ghosts and gaps too, from a seeded sequence. */
static void scramble(const mass_launch *l, void *array, size_t size, uint32_t seed)
{
    unsigned char *const bytes = (unsigned char *)array - (size_t)first_place(l) * size;
    const size_t count = (size_t)(l->world_stride * l->worlds) * size;
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)mass_random_block(seed, i, 0, 0, 0).v[0];
}

static void expect_equal(const mass_launch *l, const void *got, const void *expected, size_t size,
                         const mass_form *form)
{
    const size_t before = (size_t)first_place(l) * size;
    cr_assert_eq(memcmp((const char *)got - before, (const char *)expected - before,
                        (size_t)(l->world_stride * l->worlds) * size), 0,
                 "instruction set %u, flags %u, extents %d %d %d", form->isa, form->flags,
                 l->extent[0], l->extent[1], l->extent[2]);
}

/* ---- neighbours ---- */

/* A different weight for every offset within 3. */
#define WEIGHT(dx, dy, dz) ((uint32_t)(((dz) + 3) * 49 + ((dy) + 3) * 7 + (dx) + 4))

#define SUMS(FIELD)                 \
    FIELD(from, uint32_t, READ, a)  \
    FIELD(to, uint32_t, WRITE, b)

#define STENCIL_1D(RADIUS)                                                                         \
    MASS_STENCIL(sum_1d_##RADIUS, SUMS, 1, RADIUS)                                                 \
    {                                                                                              \
        uint32_t sum = WEIGHT(0, 0, 0) * IN(from);                                                 \
        MASS_MOORE_1D(dx, RADIUS) { sum += WEIGHT(dx, 0, 0) * NEAR(from, dx); }                    \
        OUT(to) = sum;                                                                             \
    }
#define STENCIL_2D(RADIUS)                                                                         \
    MASS_STENCIL(sum_2d_##RADIUS, SUMS, 2, RADIUS)                                                 \
    {                                                                                              \
        uint32_t sum = WEIGHT(0, 0, 0) * IN(from);                                                 \
        MASS_MOORE_2D(dx, dy, RADIUS) { sum += WEIGHT(dx, dy, 0) * NEAR(from, dx, dy); }           \
        OUT(to) = sum;                                                                             \
    }
#define STENCIL_3D(RADIUS)                                                                         \
    MASS_STENCIL(sum_3d_##RADIUS, SUMS, 3, RADIUS)                                                 \
    {                                                                                              \
        uint32_t sum = WEIGHT(0, 0, 0) * IN(from);                                                 \
        MASS_MOORE_3D(dx, dy, dz, RADIUS) { sum += WEIGHT(dx, dy, dz) * NEAR(from, dx, dy, dz); }  \
        OUT(to) = sum;                                                                             \
    }
STENCIL_1D(1)
STENCIL_1D(2)
STENCIL_1D(3)
STENCIL_2D(1)
STENCIL_2D(2)
STENCIL_2D(3)
STENCIL_3D(1)
STENCIL_3D(2)
STENCIL_3D(3)

static uint32_t weighted_sum(const mass_launch *l, const uint32_t *own, int dimensions, int radius)
{
    const int rx = radius, ry = dimensions > 1 ? radius : 0, rz = dimensions > 2 ? radius : 0;
    uint32_t sum = 0;
    for (int dz = -rz; dz <= rz; dz++)
        for (int dy = -ry; dy <= ry; dy++)
            for (int dx = -rx; dx <= rx; dx++)
                sum += WEIGHT(dx, dy, dz) * own[dz * l->plane + dy * l->pitch + dx];
    return sum;
}

/* The range's places by the reference; all else as it was. */
static void sum_plainly(const mass_launch *l, const mass_range *range, const uint32_t *from,
                        uint32_t *to, int dimensions, int radius)
{
    int64_t row = 0;
    for (int w = 0; w < l->worlds; w++)
        for (int z = 0; z < l->extent[2]; z++)
            for (int y = 0; y < l->extent[1]; y++, row++)
                for (int x = range->first_x; x < range->last_x; x++) {
                    const int64_t at = w * l->world_stride + z * l->plane + y * l->pitch + x;
                    if (row >= range->first_row && row < range->last_row)
                        to[at] = weighted_sum(l, from + at, dimensions, radius);
                }
}

static void check_sums(const mass_callback *callback, const mass_launch l, const mass_range range)
{
    uint32_t *const from = array_of(&l, 4), *const to = array_of(&l, 4);
    uint32_t *const expected = array_of(&l, 4);
    const void *const fields[] = {from, to};
    scramble(&l, from, 4, 1);
    scramble(&l, expected, 4, 2);
    sum_plainly(&l, &range, from, expected, callback->dimensions, callback->radius);
    EACH_FORM(form, *callback) {
        scramble(&l, to, 4, 2);
        form->loop(fields, &l, &range);
        expect_equal(&l, to, expected, 4, form);
    }
    array_free(&l, from, 4);
    array_free(&l, to, 4);
    array_free(&l, expected, 4);
}

static void check_sums_at_widths(const mass_callback *callback, int ny, int nz)
{
    static const int widths[] = {1, 2, 3, 7, 16, 31, 33, 64, 67, 129};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        const mass_launch l = launch_of(widths[i], ny, nz, 2);
        check_sums(callback, l, whole(&l));
    }
}

Test(kernel, stencils_of_one_dimension_read_their_neighbours)
{
    check_sums_at_widths(&sum_1d_1, 1, 1);
    check_sums_at_widths(&sum_1d_2, 1, 1);
    check_sums_at_widths(&sum_1d_3, 1, 1);
}

Test(kernel, stencils_of_two_dimensions_read_their_neighbours)
{
    check_sums_at_widths(&sum_2d_1, 5, 1);
    check_sums_at_widths(&sum_2d_2, 5, 1);
    check_sums_at_widths(&sum_2d_3, 5, 1);
}

Test(kernel, stencils_of_three_dimensions_read_their_neighbours)
{
    check_sums_at_widths(&sum_3d_1, 4, 3);
    check_sums_at_widths(&sum_3d_2, 4, 3);
    check_sums_at_widths(&sum_3d_3, 4, 3);
}

/* Rows of every world and plane are cut, and so are both ends of each. */
Test(kernel, a_partial_range_touches_nothing_else)
{
    const mass_launch l = launch_of(53, 5, 3, 3);
    const mass_range ranges[] = {{0, 0, 0, 53}, {0, 45, 7, 7}, {7, 8, 0, 53}, {4, 38, 1, 52},
                                 {14, 16, 52, 53}, {44, 45, 3, 36}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) check_sums(&sum_3d_1, l, ranges[i]);
}

Test(kernel, ranges_cut_anywhere_together_equal_the_whole)
{
    mass_launch l = launch_of(37, 6, 2, 2);
    uint32_t *const from = array_of(&l, 4), *const to = array_of(&l, 4);
    uint32_t *const expected = array_of(&l, 4);
    const void *const fields[] = {from, to};
    const mass_range all = whole(&l);
    scramble(&l, from, 4, 3);
    scramble(&l, expected, 4, 4);
    sum_plainly(&l, &all, from, expected, 2, 2);
    EACH_FORM(form, sum_2d_2) {
        scramble(&l, to, 4, 4);
        for (int64_t row = 0; row < all.last_row; row += 5)
            for (int x = 0; x < 37; x += 11) {
                const int64_t last_row = row + 5 < all.last_row ? row + 5 : all.last_row;
                const mass_range part = {row, last_row, x, x + 11 < 37 ? x + 11 : 37};
                form->loop(fields, &l, &part);
            }
        expect_equal(&l, to, expected, 4, form);
    }
    array_free(&l, from, 4);
    array_free(&l, to, 4);
    array_free(&l, expected, 4);
}

/* Offsets that a neighbourhood visits, as one bit each. */
MASS_STENCIL(moore_2d, SUMS, 2, 2)
{
    uint32_t seen = 0;
    MASS_MOORE_2D(dx, dy, 2) { seen ^= 1u << ((dy + 2) * 5 + dx + 2); }
    OUT(to) = seen;
}
MASS_STENCIL(von_neumann_2d, SUMS, 2, 2)
{
    uint32_t seen = 0;
    MASS_VON_NEUMANN_2D(dx, dy, 2) { seen ^= 1u << ((dy + 2) * 5 + dx + 2); }
    OUT(to) = seen;
}
MASS_STENCIL(von_neumann_3d, SUMS, 3, 1)
{
    uint32_t seen = 0;
    MASS_VON_NEUMANN_3D(dx, dy, dz, 1) { seen ^= 1u << ((dz + 1) * 9 + (dy + 1) * 3 + dx + 1); }
    OUT(to) = seen;
}

static void expect_everywhere(const mass_callback *callback, uint32_t expected)
{
    mass_launch l = launch_of(9, 1, 1, 1);
    const mass_range all = whole(&l);
    uint32_t *const from = array_of(&l, 4), *const to = array_of(&l, 4);
    const void *const fields[] = {from, to};
    EACH_FORM(form, *callback) {
        scramble(&l, to, 4, 5);
        form->loop(fields, &l, &all);
        for (int x = 0; x < 9; x++) cr_assert_eq(to[x], expected, "%x", to[x]);
    }
    array_free(&l, from, 4);
    array_free(&l, to, 4);
}

/* Rows of 5 bits, or planes of three rows of 3, the least offset first. */
Test(kernel, neighbourhoods_visit_each_offset_once_and_never_the_centre)
{
    expect_everywhere(&moore_2d, 0x1ffefff);
    expect_everywhere(&von_neumann_2d, 04 | 016 << 5 | 033 << 10 | 016 << 15 | 04 << 20);
    expect_everywhere(&von_neumann_3d, 020 | 0252 << 9 | 020 << 18);
}

/* ---- a map with every kind of field ---- */

typedef struct pair { int16_t a, b; } pair;

#define EVERYTHING(FIELD)               \
    FIELD(seen, uint8_t, READ, seen)    \
    FIELD(count, int32_t, UPDATE, count) \
    FIELD(both, pair, UPDATE, both)     \
    FIELD(made, double, WRITE, made[1]) \
    FIELD(gain, int64_t, PARAM, gain)   \
    FIELD(rate, double, PARAM, rate)    \
    FIELD(total, int64_t, SUM, total)   \
    FIELD(least, int64_t, MIN, least)   \
    FIELD(most, int64_t, MAX, most)     \
    FIELD(coldest, double, MIN, coldest) \
    FIELD(hottest, double, MAX, hottest)
MASS_MAP(everything, EVERYTHING)
{
    const int64_t place = AT_X + 7 * AT_Y + 11 * AT_Z;
    const double heat = PARAM(rate) * ((double)IN(seen) - 100.0);
    OUT(count) = (int32_t)((uint32_t)OUT(count) + (uint32_t)(PARAM(gain) * IN(seen)));
    OUT(both).b = (int16_t)(OUT(both).a + OUT(both).b);
    OUT(made) = heat + (double)place + (double)STEP;
    ADD(total, IN(seen));
    ADD(total, 1);
    LEAST(least, place - IN(seen));
    MOST(most, place * IN(seen));
    LEAST(coldest, heat);
    MOST(hottest, heat);
}

enum { MOST_WORLDS = 3 };
typedef struct tallies { int64_t total, least, most, coldest, hottest; } tallies;

/* What a test gives to `everything`, in the order of its fields, and beside it what it expects. */
typedef struct scene {
    mass_launch l;
    uint8_t *seen;
    int32_t *count, *expected_count;
    pair *both, *expected_both;
    double *made, *expected_made;
    int64_t gain[MOST_WORLDS];
    double rate[MOST_WORLDS];
    int64_t total[MOST_WORLDS], least[MOST_WORLDS], most[MOST_WORLDS];
    int64_t coldest[MOST_WORLDS], hottest[MOST_WORLDS];
    tallies expected[MOST_WORLDS];
} scene;

static scene *scene_new(int nx, int ny, int nz, int worlds)
{
    scene *const s = calloc(1, sizeof *s);
    cr_assert(s);
    s->l = launch_of(nx, ny, nz, worlds);
    s->seen = array_of(&s->l, sizeof *s->seen);
    s->count = array_of(&s->l, sizeof *s->count);
    s->both = array_of(&s->l, sizeof *s->both);
    s->made = array_of(&s->l, sizeof *s->made);
    s->expected_count = array_of(&s->l, sizeof *s->count);
    s->expected_both = array_of(&s->l, sizeof *s->both);
    s->expected_made = array_of(&s->l, sizeof *s->made);
    for (int w = 0; w < worlds; w++) {
        s->gain[w] = 3 - 5 * w;
        s->rate[w] = 0.375 * (w + 1);
    }
    return s;
}

static void scene_free(scene *s)
{
    array_free(&s->l, s->seen, sizeof *s->seen);
    array_free(&s->l, s->count, sizeof *s->count);
    array_free(&s->l, s->both, sizeof *s->both);
    array_free(&s->l, s->made, sizeof *s->made);
    array_free(&s->l, s->expected_count, sizeof *s->count);
    array_free(&s->l, s->expected_both, sizeof *s->both);
    array_free(&s->l, s->expected_made, sizeof *s->made);
    free(s);
}

/* Tallies start as a step of an engine with earlier contributions would find them. */
static void scene_scramble(scene *s)
{
    scramble(&s->l, s->seen, sizeof *s->seen, 10);
    scramble(&s->l, s->count, sizeof *s->count, 11);
    scramble(&s->l, s->both, sizeof *s->both, 12);
    scramble(&s->l, s->made, sizeof *s->made, 13);
    scramble(&s->l, s->expected_count, sizeof *s->count, 11);
    scramble(&s->l, s->expected_both, sizeof *s->both, 12);
    scramble(&s->l, s->expected_made, sizeof *s->made, 13);
    for (int w = 0; w < MOST_WORLDS; w++) {
        const tallies earlier = {1000 + w, 5000, -5000, mass_rank_f64(1e9), mass_rank_f64(-1e9)};
        s->expected[w] = earlier;
        s->total[w] = earlier.total;
        s->least[w] = earlier.least;
        s->most[w] = earlier.most;
        s->coldest[w] = earlier.coldest;
        s->hottest[w] = earlier.hottest;
    }
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* One place of the reference; the arrays are those of this place. */
static void expect_place(scene *s, int w, int64_t x, int64_t y, int64_t z, int64_t at, int tally)
{
    const int64_t seen = s->seen[at], place = (100 + x) + 7 * (200 + y) + 11 * (300 + z);
    const double heat = s->rate[w] * (double)(seen - 100);
    s->expected_count[at] = (int32_t)((uint32_t)s->expected_count[at] +
                                      (uint32_t)(s->gain[w] * seen));
    s->expected_both[at].b = (int16_t)(s->expected_both[at].a + s->expected_both[at].b);
    s->expected_made[at] = heat + (double)place + 12.0;
    if (!tally) return;
    tallies *const t = &s->expected[w];
    t->total += seen + 1;
    t->least = smaller(t->least, place - seen);
    t->most = larger(t->most, place * seen);
    t->coldest = smaller(t->coldest, mass_rank_f64(heat));
    t->hottest = larger(t->hottest, mass_rank_f64(heat));
}

static void expect_scene(scene *s, const mass_range *range, int tally)
{
    const mass_launch *const l = &s->l;
    int64_t row = 0;
    for (int w = 0; w < l->worlds; w++)
        for (int z = 0; z < l->extent[2]; z++)
            for (int y = 0; y < l->extent[1]; y++, row++) {
                if (row < range->first_row || row >= range->last_row) continue;
                if (l->gates && l->gates[w]) continue;
                for (int x = range->first_x; x < range->last_x; x++)
                    expect_place(s, w, x, y, z,
                                 w * l->world_stride + z * l->plane + y * l->pitch + x, tally);
            }
}

static void expect_tallies(const scene *s, const mass_form *form)
{
    for (int w = 0; w < s->l.worlds; w++) {
        const tallies got = {s->total[w], s->least[w], s->most[w], s->coldest[w], s->hottest[w]};
        cr_assert_eq(memcmp(&got, &s->expected[w], sizeof got), 0,
                     "world %d, instruction set %u, flags %u", w, form->isa, form->flags);
    }
}

static void check_scene(scene *s, mass_range range)
{
    const void *const fields[] = {s->seen, s->count, s->both, s->made, s->gain, s->rate,
                                  s->total, s->least, s->most, s->coldest, s->hottest};
    EACH_FORM(form, everything) {
        scene_scramble(s);
        expect_scene(s, &range, form->flags & MASS_FORM_TALLIES);
        form->loop(fields, &s->l, &range);
        expect_equal(&s->l, s->count, s->expected_count, sizeof *s->count, form);
        expect_equal(&s->l, s->both, s->expected_both, sizeof *s->both, form);
        expect_equal(&s->l, s->made, s->expected_made, sizeof *s->made, form);
        expect_tallies(s, form);
    }
}

Test(kernel, maps_read_write_update_and_tally_every_place)
{
    static const int widths[] = {1, 5, 16, 33, 71};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        scene *const s = scene_new(widths[i], 4, 3, 2);
        check_scene(s, whole(&s->l));
        scene_free(s);
    }
}

Test(kernel, tallies_are_those_of_the_range_alone)
{
    scene *const s = scene_new(41, 5, 2, 3);
    const mass_range part = {4, 23, 6, 39}, none = {4, 23, 9, 9};
    check_scene(s, part);
    check_scene(s, none);
    scene_free(s);
}

/* All of the worlds but one, or all, or none. */
Test(kernel, a_world_whose_gate_is_closed_is_left_alone)
{
    const uint32_t gates[][MOST_WORLDS] = {{0, 1, 0}, {7, 0, 0x80000000u}, {1, 1, 1}, {0, 0, 0}};
    scene *const s = scene_new(19, 3, 2, 3);
    for (int i = 0; i < 4; i++) {
        s->l.gates = gates[i];
        check_scene(s, whole(&s->l));
    }
    scene_free(s);
}

Test(kernel, quiet_forms_leave_tallies_alone)
{
    scene *const s = scene_new(19, 3, 2, 2);
    const mass_range all = whole(&s->l);
    const void *const fields[] = {s->seen, s->count, s->both, s->made, s->gain, s->rate,
                                  NULL, NULL, NULL, NULL, NULL};
    EACH_FORM(form, everything) {
        if (form->flags & MASS_FORM_TALLIES) continue;
        scene_scramble(s);
        expect_scene(s, &all, 0);
        form->loop(fields, &s->l, &all);
        expect_equal(&s->l, s->count, s->expected_count, sizeof *s->count, form);
        expect_equal(&s->l, s->made, s->expected_made, sizeof *s->made, form);
    }
    scene_free(s);
}

/* ---- where a body stands ---- */

#define PLACE(FIELD)                    \
    FIELD(x, int64_t, WRITE, x)         \
    FIELD(y, int64_t, WRITE, y)         \
    FIELD(z, int64_t, WRITE, z)         \
    FIELD(step, uint64_t, WRITE, step)  \
    FIELD(size, int64_t, WRITE, size)
MASS_MAP(place, PLACE)
{
    OUT(x) = AT_X;
    OUT(y) = AT_Y;
    OUT(z) = AT_Z;
    OUT(step) = STEP;
    OUT(size) = SIZE_X * 1000000 + SIZE_Y * 1000 + SIZE_Z;
}

Test(kernel, bodies_see_global_coordinates_and_the_step)
{
    const uint64_t clock = 30;
    mass_launch l = launch_of(13, 3, 2, 2);
    l.origin[0] = (mass_gidx)1 << 40;
    l.size[0] = 7, l.size[1] = 8, l.size[2] = 9;
    l.clock = &clock;
    const mass_range all = whole(&l);
    int64_t *out[5];
    for (int i = 0; i < 5; i++) out[i] = array_of(&l, 8);
    EACH_FORM(form, place) {
        for (int i = 0; i < 5; i++) scramble(&l, out[i], 8, 20);
        form->loop(out, &l, &all);
        for (int w = 0; w < 2; w++)
            for (int z = 0; z < 2; z++)
                for (int y = 0; y < 3; y++)
                    for (int x = 0; x < 13; x++) {
                        const int64_t at = w * l.world_stride + z * l.plane + y * l.pitch + x;
                        cr_assert_eq(out[0][at], ((int64_t)1 << 40) + x);
                        cr_assert_eq(out[1][at], 200 + y);
                        cr_assert_eq(out[2][at], 300 + z);
                        cr_assert_eq(out[3][at], 42);
                        cr_assert_eq(out[4][at], 7008009);
                    }
    }
    for (int i = 0; i < 5; i++) array_free(&l, out[i], 8);
}

/* One bit for each of the 27 offsets within 1, and for three that are further away. */
#define EDGES(FIELD) FIELD(there, uint32_t, WRITE, there)
MASS_STENCIL(edges, EDGES, 3, 1)
{
    uint32_t there = 0, bit = 0;
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                there |= (uint32_t)EXISTS(dx, dy, dz) << bit++;
    there |= (uint32_t)EXISTS(-3) << 27 | (uint32_t)EXISTS(0, 2) << 28;
    there |= (uint32_t)EXISTS(2, -2) << 29;
    OUT(there) = there;
}

static int is_there(const mass_launch *l, const int64_t at[3], int dx, int dy, int dz)
{
    const int64_t to[3] = {at[0] + dx, at[1] + dy, at[2] + dz};
    for (int a = 0; a < 3; a++)
        if (!(l->torus & 1u << a) && (to[a] < 0 || to[a] >= l->size[a])) return 0;
    return 1;
}

static uint32_t edges_plainly(const mass_launch *l, const int64_t at[3])
{
    uint32_t there = 0;
    for (int i = 0; i < 27; i++)
        there |= (uint32_t)is_there(l, at, i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1) << i;
    return there | (uint32_t)is_there(l, at, -3, 0, 0) << 27 |
           (uint32_t)is_there(l, at, 0, 2, 0) << 28 | (uint32_t)is_there(l, at, 2, -2, 0) << 29;
}

/* The partition is a corner of the space, or its middle, or all of it; every set of axes wraps. */
static void check_edges(uint32_t torus, const mass_gidx origin[3])
{
    mass_launch l = launch_of(11, 4, 3, 1);
    l.torus = torus;
    memcpy(l.origin, origin, sizeof l.origin);
    l.size[0] = 15, l.size[1] = 7, l.size[2] = 5;
    const mass_range all = whole(&l);
    uint32_t *there = array_of(&l, 4);
    EACH_FORM(form, edges) {
        scramble(&l, there, 4, 21);
        form->loop(&there, &l, &all);
        for (int z = 0; z < 3; z++)
            for (int y = 0; y < 4; y++)
                for (int x = 0; x < 11; x++) {
                    const int64_t at[3] = {origin[0] + x, origin[1] + y, origin[2] + z};
                    cr_assert_eq(there[z * l.plane + y * l.pitch + x], edges_plainly(&l, at),
                                 "torus %u at %d %d %d", torus, x, y, z);
                }
    }
    array_free(&l, there, 4);
}

Test(kernel, exists_knows_bounded_edges_from_wrapping_ones)
{
    const mass_gidx origins[3][3] = {{0, 0, 0}, {4, 3, 2}, {2, 1, 1}};
    for (uint32_t torus = 0; torus <= MASS_AXES_ALL; torus++)
        for (int i = 0; i < 3; i++) check_edges(torus, origins[i]);
}

/* ---- random numbers and elementary functions ---- */

#define DICE(FIELD) FIELD(word, uint32_t, WRITE, word)
MASS_MAP(dice, DICE) { OUT(word) = RANDOM(5).v[2]; }

Test(kernel, random_is_the_block_of_the_global_place)
{
    const uint64_t keys[] = {11, 22};
    mass_launch l = launch_of(21, 3, 2, 2);
    l.keys = keys;
    const mass_range all = whole(&l);
    uint32_t *word = array_of(&l, 4);
    EACH_FORM(form, dice) {
        scramble(&l, word, 4, 22);
        form->loop(&word, &l, &all);
        for (int w = 0; w < 2; w++)
            for (int z = 0; z < 2; z++)
                for (int y = 0; y < 3; y++)
                    for (int x = 0; x < 21; x++) {
                        const int64_t at = w * l.world_stride + z * l.plane + y * l.pitch + x;
                        const int64_t row = (int64_t)(300 + z) * 1000 + 200 + y;
                        const uint64_t entity = (uint64_t)(row * 1000 + 100 + x);
                        cr_assert_eq(word[at], mass_random_block(keys[w], entity, 12, 4, 5).v[2]);
                    }
    }
    array_free(&l, word, 4);
}

#define FUNCTIONS(FIELD)            \
    FIELD(v, double, READ, v)       \
    FIELD(exp, double, WRITE, exp)  \
    FIELD(log, double, WRITE, log)  \
    FIELD(sin, double, WRITE, sin)  \
    FIELD(root, double, WRITE, root)
MASS_MAP(functions, FUNCTIONS)
{
    OUT(exp) = mass_exp_f64(IN(v));
    OUT(log) = mass_log_f64(IN(v));
    OUT(sin) = mass_sin_f64(IN(v));
    OUT(root) = mass_sqrt_f64(IN(v));
}

static double sin_alone(double v) { return mass_sin_f64(v); }
static double exp_alone(double v) { return mass_exp_f64(v); }
static double log_alone(double v) { return mass_log_f64(v); }

/* Vectors and scalars alike; `volatile` keeps the reference from being vectorised too. */
Test(kernel, elementary_functions_have_one_result_in_every_form)
{
    double (*volatile sine)(double) = sin_alone, (*volatile exponential)(double) = exp_alone;
    double (*volatile logarithm)(double) = log_alone;
    mass_launch l = launch_of(10007, 1, 1, 1);
    const mass_range all = whole(&l);
    double *array[5];
    for (int i = 0; i < 5; i++) array[i] = array_of(&l, 8);
    scramble(&l, array[0], 8, 23);
    for (int x = 0; x < 10007; x += 2) array[0][x] = (x - 5000) * 0.03125;
    EACH_FORM(form, functions) {
        for (int i = 1; i < 5; i++) scramble(&l, array[i], 8, 24);
        form->loop(array, &l, &all);
        for (int x = 0; x < 10007; x++) {
            const double v = array[0][x];
            cr_assert_eq(mass_bits_f64(array[1][x]), mass_bits_f64(exponential(v)), "exp %a", v);
            cr_assert_eq(mass_bits_f64(array[2][x]), mass_bits_f64(logarithm(v)), "log %a", v);
            cr_assert_eq(mass_bits_f64(array[3][x]), mass_bits_f64(sine(v)), "sin %a", v);
            if (v >= 0 && array[4][x] < 1e150)
                cr_assert_float_eq(array[4][x] * array[4][x], v, v * 0x1p-51, "sqrt %a", v);
        }
    }
    for (int i = 0; i < 5; i++) array_free(&l, array[i], 8);
}

/* ---- what the engine is told ---- */

Test(kernel, a_callback_says_what_it_is)
{
    cr_assert_str_eq(sum_2d_3.name, "sum_2d_3");
    cr_assert_eq(sum_2d_3.struct_size, sizeof(mass_callback));
    cr_assert_eq(sum_2d_3.over, MASS_OVER_PLACES);
    cr_assert_eq(sum_2d_3.dimensions, 2);
    cr_assert_eq(sum_2d_3.radius, 3);
    cr_assert_eq(sum_2d_3.form_size, sizeof(mass_form));
    cr_assert_eq(everything.dimensions, 0);
    cr_assert_eq(everything.radius, 0);
}

Test(kernel, fields_are_reflected_in_their_order)
{
    static const mass_field expected[] = {
        {"seen", "seen", MASS_READ, MASS_U8, 1},     {"count", "count", MASS_UPDATE, MASS_I32, 4},
        {"both", "both", MASS_UPDATE, MASS_STRUCT, 4}, {"made", "made[1]", MASS_WRITE, MASS_F64, 8},
        {"gain", "gain", MASS_PARAM, MASS_I64, 8},   {"rate", "rate", MASS_PARAM, MASS_F64, 8},
        {"total", "total", MASS_SUM, MASS_I64, 8},   {"least", "least", MASS_MIN, MASS_I64, 8},
        {"most", "most", MASS_MAX, MASS_I64, 8},     {"coldest", "coldest", MASS_MIN, MASS_F64, 8},
        {"hottest", "hottest", MASS_MAX, MASS_F64, 8}};
    cr_assert_eq(everything.field_count, sizeof expected / sizeof *expected);
    for (uint32_t i = 0; i < everything.field_count; i++) {
        const mass_field *const got = &everything.fields[i];
        cr_assert_str_eq(got->name, expected[i].name);
        cr_assert_str_eq(got->target, expected[i].target);
        cr_assert_eq(got->access, expected[i].access, "%s", got->name);
        cr_assert_eq(got->type, expected[i].type, "%s", got->name);
        cr_assert_eq(got->size, expected[i].size, "%s", got->name);
    }
}

Test(kernel, every_loop_has_a_quiet_and_a_tallying_form)
{
    uint32_t quiet = 0, tallying = 0;
    for (uint32_t i = 0; i < everything.form_count; i++) {
        const mass_form *const form = &everything.forms[i];
        cr_assert_eq(form->struct_size, sizeof(mass_form));
        cr_assert_eq(form->steps, 1);
        if (form->id != MASS_FORM_LOOP) continue;
        cr_assert(form->loop);
        *(form->flags & MASS_FORM_TALLIES ? &tallying : &quiet) |= 1u << form->isa;
    }
    cr_assert_eq(quiet, tallying);
    cr_assert(quiet & 1u << MASS_ISA_BASE);
}

Test(kernel, device_kernels_are_named_after_the_callback)
{
    static const char *const names[] = {"dice_large", "dice_small", "dice_tally"};
    static const int32_t rows[] = {4, 2, 2}; /* of a map */
    uint32_t found = 0;
    for (uint32_t i = 0; i < dice.form_count; i++) {
        const mass_form *const form = &dice.forms[i];
        if (form->id != MASS_FORM_KERNEL) continue;
        cr_assert_lt(found, 3u);
        cr_assert_str_eq(form->kernel, names[found]);
        cr_assert_eq(!!(form->flags & MASS_FORM_TALLIES), found == 2);
        cr_assert_eq(form->places_x, 4);
        cr_assert_eq(form->places_y, rows[found]);
        found++;
    }
    cr_assert_eq(found, 3u);
}
