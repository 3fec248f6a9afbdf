/* The CPU device: any number of threads and every instruction set come to the bits and tallies of a
 * plain loop, and compute every place once. */
#include "device/cpu.h"

#include <mass/mass.h>

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 4, WORLDS_MAX = 70 };

/* ---- devices ---- */

static mass_device *open_cpu(int threads)
{
    mass_device *device;
    mass_error error = {0};
    cr_assert_eq(mass_cpu_table.open(0, threads, &device, &error), MASS_OK, "%s", error.text);
    return device;
}

/* Those of "base", "avx2" and "avx512" that this machine has, which are the first ones. */
static int instruction_sets(const char *names[3])
{
    static const char *const all[] = {"base", "avx2", "avx512"};
    int count = 0;
    for (int i = 0; i < 3; i++) {
        mass_device *device;
        mass_error error = {0};
        setenv("MASS_ISA", all[i], 1);
        if (mass_cpu_table.open(0, 1, &device, &error) != MASS_OK) break;
        mass_cpu_table.close(device);
        names[count++] = all[i];
    }
    unsetenv("MASS_ISA");
    return count;
}

static mass_status launch_on(mass_device *device, const mass_callback *callback,
                             const mass_launch *l, void *const *fields, bool tallies,
                             mass_error *error)
{
    mass_prepared *prepared;
    const mass_status status = mass_cpu_table.prepare(device, callback, NULL, &prepared, error);
    if (status != MASS_OK) return status;
    mass_field_memory memory[8] = {{0}};
    for (uint32_t i = 0; i < callback->field_count; i++) memory[i].words = 1;
    const mass_work work = {prepared, l, fields, memory, tallies, l->step};
    return mass_cpu_table.launch(device, &work, error);
}

static void launch_with(int threads, const mass_callback *callback, const mass_launch *l,
                        void *const *fields, bool tallies)
{
    mass_error error = {0};
    mass_device *device = open_cpu(threads);
    cr_assert_eq(launch_on(device, callback, l, fields, tallies, &error), MASS_OK, "%s",
                 error.text);
    mass_cpu_table.close(device);
}

/* ---- partitions ---- */

static mass_launch launch_of(int nx, int ny, int nz, int worlds)
{
    mass_launch l = {.struct_size = sizeof l, .phase = 2, .step = 9, .worlds = worlds,
                     .origin = {1, 2, 3}, .size = {1 << 20, 1 << 20, 1 << 20},
                     .extent = {nx, ny, nz}, .ghost = {1, 1, 1}, .torus = MASS_AXES_ALL};
    l.pitch = nx + 5;
    l.plane = l.pitch * (ny + 2);
    l.world_stride = l.plane * (nz + 2);
    return l;
}

static size_t first_place(const mass_launch *l) { return (size_t)(l->plane + l->pitch + 2); }

static size_t elements_of(const mass_launch *l) { return (size_t)(l->world_stride * l->worlds); }

/* Numbers in (-1, 1), a different one in each element. */
static float *make_values(const mass_launch *l)
{
    float *const values = malloc(elements_of(l) * sizeof *values);
    cr_assert(values);
    for (size_t i = 0; i < elements_of(l); i++)
        values[i] = 2 * mass_unit_f32(mass_random_block(5, i, 0, 0, 0).v[0]) - 1;
    return values;
}

static float *make_zeros(const mass_launch *l)
{
    float *const values = calloc(elements_of(l), sizeof *values);
    cr_assert(values);
    return values;
}

/* ---- the same everywhere ---- */

#define RELAX(FIELD)                   \
    FIELD(from, float, READ, u)        \
    FIELD(to, float, WRITE, u)         \
    FIELD(rate, double, PARAM, rate)   \
    FIELD(sum, int64_t, SUM, sum)      \
    FIELD(least, int64_t, MIN, least)  \
    FIELD(most, int64_t, MAX, most)    \
    FIELD(low, double, MIN, low)       \
    FIELD(high, double, MAX, high)

static float relaxed(float own, float left, float right, float up, float above, double rate)
{
    const float mean = (left + right + up + above) * 0.25f;
    return own + (float)rate * (mean - own) * own;
}

static int64_t counted(float value) { return (int64_t)(value * 1000000.0f); }

MASS_STENCIL(relax, RELAX, 3, 1)
{
    const float next = relaxed(IN(from), NEAR(from, -1, 0, 0), NEAR(from, 1, 0, 0),
                               NEAR(from, 0, -1, 0), NEAR(from, 0, 0, 1), PARAM(rate));
    OUT(to) = next;
    ADD(sum, counted(next));
    LEAST(least, counted(next));
    MOST(most, counted(next));
    LEAST(low, (double)next);
    MOST(high, (double)next);
}

typedef struct tallies {
    int64_t sum[WORLDS_MAX], least[WORLDS_MAX], most[WORLDS_MAX], low[WORLDS_MAX], high[WORLDS_MAX];
} tallies;

static tallies neutral_tallies(void)
{
    tallies t = {.sum = {0}};
    for (int w = 0; w < WORLDS_MAX; w++) {
        t.least[w] = t.low[w] = INT64_MAX;
        t.most[w] = t.high[w] = INT64_MIN;
    }
    return t;
}

static void relax_plainly(const mass_launch *l, const float *from, float *to, const double *rate,
                          tallies *t)
{
    for (int w = 0; w < l->worlds; w++) {
        double low = INFINITY, high = -INFINITY;
        for (int z = 0; z < l->extent[2]; z++)
            for (int y = 0; y < l->extent[1]; y++)
                for (int x = 0; x < l->extent[0]; x++) {
                    const size_t at = first_place(l) + (size_t)(w * l->world_stride + z * l->plane +
                                                                y * l->pitch + x);
                    const float *const p = from + at;
                    const float next =
                        relaxed(p[0], p[-1], p[1], p[-l->pitch], p[l->plane], rate[w]);
                    to[at] = next;
                    t->sum[w] += counted(next);
                    if (counted(next) < t->least[w]) t->least[w] = counted(next);
                    if (counted(next) > t->most[w]) t->most[w] = counted(next);
                    low = (double)next < low ? (double)next : low;
                    high = (double)next > high ? (double)next : high;
                }
        if (mass_rank_f64(low) < t->low[w]) t->low[w] = mass_rank_f64(low);
        if (mass_rank_f64(high) > t->high[w]) t->high[w] = mass_rank_f64(high);
    }
}

static void expect_same_everywhere(int nx, int ny, int nz, int worlds, bool count)
{
    const mass_launch l = launch_of(nx, ny, nz, worlds);
    float *const from = make_values(&l);
    float *const expected = make_zeros(&l), *const to = make_zeros(&l);
    double rate[WORLDS_MAX];
    for (int w = 0; w < worlds; w++) rate[w] = 0.1 + 0.01 * w;
    tallies reference = neutral_tallies();
    relax_plainly(&l, from, expected, rate, &reference);
    if (!count) reference = neutral_tallies();

    const char *names[3];
    const int sets = instruction_sets(names);
    cr_assert_gt(sets, 0);
    for (int s = 0; s < sets; s++)
        for (int threads = 1; threads <= THREADS_MAX; threads++) {
            tallies t = neutral_tallies();
            void *const fields[] = {from + first_place(&l), to + first_place(&l), rate, t.sum,
                                    t.least, t.most, t.low, t.high};
            memset(to, 0, elements_of(&l) * sizeof *to);
            setenv("MASS_ISA", names[s], 1);
            launch_with(threads, &relax, &l, fields, count);
            cr_assert_eq(memcmp(to, expected, elements_of(&l) * sizeof *to), 0,
                         "%s, %d threads, extents %d %d %d", names[s], threads, nx, ny, nz);
            cr_assert_eq(memcmp(&t, &reference, sizeof t), 0,
                         "tallies of %s, %d threads, extents %d %d %d", names[s], threads, nx, ny,
                         nz);
        }
    unsetenv("MASS_ISA");
    free(from);
    free(to);
    free(expected);
}

Test(cpu, threads_and_instruction_sets_come_to_the_bits_of_a_plain_loop)
{
    for (int count = 0; count < 2; count++) {
        expect_same_everywhere(10007, 1, 1, 1, count);
        expect_same_everywhere(67, 33, 1, 2, count);
        expect_same_everywhere(31, 9, 7, 3, count);
        expect_same_everywhere(5, 3, 1, 70, count);
        expect_same_everywhere(1, 1, 1, 1, count);
    }
}

/* ---- every place once ---- */

static void touch_loop(const void *fields, const mass_launch *l, const mass_range *range)
{
    uint8_t *const touched = *(uint8_t *const *)fields;
    int64_t *const count = ((int64_t *const *)fields)[1];
    for (int64_t row = range->first_row; row < range->last_row; row++) {
        const int64_t y = row % l->extent[1], z = row / l->extent[1] % l->extent[2];
        const int64_t world = row / l->extent[1] / l->extent[2];
        for (mass_lidx x = range->first_x; x < range->last_x; x++)
            touched[world * l->world_stride + z * l->plane + y * l->pitch + x]++;
        count[world] += range->last_x - range->first_x;
    }
}

static void idle_loop(const void *fields, const mass_launch *l, const mass_range *range)
{
    (void)fields;
    (void)l;
    (void)range;
}

#define LOOP_FORM(ISA, FLAGS, LOOP, STEPS, BITS)                                                   \
    {sizeof(mass_form), MASS_FORM_LOOP, ISA, FLAGS, LOOP, NULL, STEPS, 1, 1, BITS}
#define TALLIES MASS_FORM_TALLIES

static const mass_field touch_fields[] = {{"touched", "touched", MASS_UPDATE, MASS_U8, 1},
                                          {"count", "count", MASS_SUM, MASS_I64, 8}};
static const mass_form touch_forms[] = {LOOP_FORM(MASS_ISA_BASE, 0, idle_loop, 1, 0),
                                        LOOP_FORM(MASS_ISA_BASE, TALLIES, touch_loop, 1, 0)};

static mass_callback touch_with(const mass_form *forms, uint32_t count)
{
    return (mass_callback){sizeof(mass_callback), MASS_OVER_PLACES, "touch", 0, 0, 2,
                           sizeof(mass_field), touch_fields, count, sizeof(mass_form), forms};
}

static bool is_own(const mass_launch *l, size_t element)
{
    const int64_t at = (int64_t)element - (int64_t)first_place(l) + l->plane + l->pitch;
    if (at < 0) return false;
    const int64_t z = at % l->world_stride / l->plane - 1, y = at % l->plane / l->pitch - 1;
    const int64_t x = at % l->pitch;
    return x < l->extent[0] && y >= 0 && y < l->extent[1] && z >= 0 && z < l->extent[2];
}

static void expect_each_place_once(int nx, int ny, int nz, int worlds)
{
    const mass_launch l = launch_of(nx, ny, nz, worlds);
    const mass_callback touch = touch_with(touch_forms, 2);
    uint8_t *const touched = malloc(elements_of(&l));
    cr_assert(touched);
    for (int threads = 1; threads <= THREADS_MAX; threads++) {
        int64_t count[WORLDS_MAX] = {0};
        memset(touched, 0, elements_of(&l));
        launch_with(threads, &touch, &l, (void *[]){touched + first_place(&l), count}, true);
        for (size_t i = 0; i < elements_of(&l); i++)
            if (touched[i] != is_own(&l, i))
                cr_assert_fail("element %zu is touched %u times by %d threads, extents %d %d %d", i,
                               touched[i], threads, nx, ny, nz);
        for (int w = 0; w < worlds; w++)
            cr_assert_eq(count[w], (int64_t)nx * ny * nz, "world %d, %d threads", w, threads);
    }
    free(touched);
}

Test(cpu, a_long_row_is_computed_once)
{
    static const int widths[] = {1, 2, 3, 4095, 4096, 4097, 8191, 8192, 8193, 100003};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        expect_each_place_once(widths[i], 1, 1, 1);
}

Test(cpu, a_few_rows_are_computed_once)
{
    for (int rows = 1; rows < 40; rows += 3) {
        expect_each_place_once(9000, rows, 1, 1);
        expect_each_place_once(7, rows, 1, 1);
    }
}

Test(cpu, planes_and_worlds_are_computed_once)
{
    expect_each_place_once(5000, 2, 3, 2);
    expect_each_place_once(3, 5, 7, 11);
    expect_each_place_once(3, 1, 1, 70);
    expect_each_place_once(4099, 1, 1, 3);
}

/* ---- tallies ---- */

Test(cpu, tallies_are_added_to_what_is_there)
{
    const mass_launch l = launch_of(20, 10, 1, 2);
    const mass_callback touch = touch_with(touch_forms, 2);
    uint8_t *const touched = calloc(elements_of(&l), 1);
    int64_t count[2] = {1000, INT64_MAX};
    launch_with(3, &touch, &l, (void *[]){touched + first_place(&l), count}, true);
    cr_assert_eq(count[0], 1200);
    cr_assert_eq(count[1], INT64_MIN + 199);
    free(touched);
}

Test(cpu, tallies_that_do_not_count_leave_the_quiet_form)
{
    const mass_launch l = launch_of(20, 10, 1, 1);
    const mass_callback touch = touch_with(touch_forms, 2);
    uint8_t *const touched = calloc(elements_of(&l), 1);
    int64_t count = 1000;
    launch_with(2, &touch, &l, (void *[]){touched + first_place(&l), &count}, false);
    cr_assert_eq(count, 1000);
    for (size_t i = 0; i < elements_of(&l); i++) cr_assert_eq(touched[i], 0);
    free(touched);
}

Test(cpu, neutral_elements_are_neutral)
{
    static const int64_t values[] = {INT64_MIN, INT64_MIN + 1, -5, 0, 7, INT64_MAX - 1, INT64_MAX};
    for (uint32_t access = MASS_SUM; access <= MASS_MAX; access++)
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            cr_assert_eq(mass_cpu_combine(access, values[i], mass_cpu_neutral(access)), values[i]);
            cr_assert_eq(mass_cpu_combine(access, mass_cpu_neutral(access), values[i]), values[i]);
        }
    cr_assert_eq(mass_cpu_combine(MASS_SUM, -3, 10), 7);
    cr_assert_eq(mass_cpu_combine(MASS_MIN, -3, 10), -3);
    cr_assert_eq(mass_cpu_combine(MASS_MAX, -3, 10), 10);
}

Test(cpu, a_launch_with_more_worlds_makes_room_for_its_tallies)
{
    mass_error error = {0};
    mass_device *device = open_cpu(3);
    const mass_callback touch = touch_with(touch_forms, 2);
    for (int worlds = 1; worlds <= WORLDS_MAX; worlds += 23) {
        const mass_launch l = launch_of(6, 5, 1, worlds);
        uint8_t *const touched = calloc(elements_of(&l), 1);
        int64_t count[WORLDS_MAX] = {0};
        void *const fields[] = {touched + first_place(&l), count};
        cr_assert_eq(launch_on(device, &touch, &l, fields, true, &error), MASS_OK);
        for (int w = 0; w < worlds; w++) cr_assert_eq(count[w], 30);
        free(touched);
    }
    mass_cpu_table.close(device);
}

/* ---- forms ---- */

static void base_loop(const void *fields, const mass_launch *l, const mass_range *range)
{
    (void)l;
    (void)range;
    **(uint8_t *const *)fields = 1;
}
static void avx2_loop(const void *fields, const mass_launch *l, const mass_range *range)
{
    (void)l;
    (void)range;
    **(uint8_t *const *)fields = 2;
}
static void avx512_loop(const void *fields, const mass_launch *l, const mass_range *range)
{
    (void)l;
    (void)range;
    **(uint8_t *const *)fields = 3;
}

/* What the chosen loop of these forms left, run with MASS_ISA, or 0 if it is refused. */
static int chosen(const mass_form *forms, uint32_t count, const char *isa, mass_error *error)
{
    setenv("MASS_ISA", isa, 1);
    const mass_launch l = launch_of(1, 1, 1, 1);
    const mass_callback callback = touch_with(forms, count);
    uint8_t mark = 0;
    int64_t tally = 0;
    mass_device *device = open_cpu(1);
    const mass_status status =
        launch_on(device, &callback, &l, (void *[]){&mark, &tally}, true, error);
    cr_assert_eq(status, mark ? MASS_OK : MASS_BAD_PLUGIN);
    mass_cpu_table.close(device);
    unsetenv("MASS_ISA");
    return mark;
}

#define BOTH(ISA, LOOP) LOOP_FORM(ISA, 0, LOOP, 1, 0), LOOP_FORM(ISA, TALLIES, LOOP, 1, 0)

Test(cpu, the_widest_form_up_to_the_instruction_set_runs)
{
    static const mass_form forms[] = {BOTH(MASS_ISA_AVX2, avx2_loop),
                                      BOTH(MASS_ISA_BASE, base_loop),
                                      BOTH(MASS_ISA_AVX512, avx512_loop)};
    mass_error error = {0};
    const char *names[3];
    const int sets = instruction_sets(names);
    for (int s = 0; s < sets; s++) {
        cr_assert_eq(chosen(forms, 6, names[s], &error), s + 1, "%s", names[s]);
        cr_assert_eq(chosen(forms + 2, 2, names[s], &error), 1, "%s", names[s]);
    }
}

Test(cpu, forms_of_a_later_engine_are_skipped)
{
    static const mass_form forms[] = {
        LOOP_FORM(MASS_ISA_BASE, TALLIES, avx2_loop, 2, 0),
        LOOP_FORM(MASS_ISA_BASE, TALLIES, avx2_loop, 1, 1),
        LOOP_FORM(MASS_ISA_BASE, TALLIES | 64, avx2_loop, 1, 0),
        {sizeof(mass_form), 99, MASS_ISA_BASE, TALLIES, avx2_loop, NULL, 1, 1, 1, 0},
        BOTH(MASS_ISA_BASE, base_loop)};
    mass_error error = {0};
    cr_assert_eq(chosen(forms, 6, "base", &error), 1);
}

Test(cpu, a_callback_without_a_form_for_this_machine_is_refused)
{
    static const mass_form wide[] = {BOTH(MASS_ISA_AVX2, avx2_loop)};
    static const mass_form only_quiet[] = {LOOP_FORM(MASS_ISA_BASE, 0, base_loop, 1, 0)};
    mass_error error = {0};
    cr_assert_eq(chosen(wide, 2, "base", &error), 0);
    cr_assert_str_eq(error.text, "callback touch has no form that this CPU runs");
    error = (mass_error){0};
    cr_assert_eq(chosen(only_quiet, 1, "base", &error), 0);
}

Test(cpu, an_unknown_instruction_set_is_bad_usage)
{
    mass_error error = {0};
    mass_device *device = NULL;
    setenv("MASS_ISA", "mmx", 1);
    cr_assert_eq(mass_cpu_table.open(0, 1, &device, &error), MASS_BAD_USAGE);
    cr_assert_null(device);
    cr_assert(strstr(error.text, "MASS_ISA=mmx") && strstr(error.text, "base"), "%s", error.text);
}

/* ---- numbers ---- */

#define HALVE(FIELD) FIELD(value, double, UPDATE, value)
MASS_MAP(halve, HALVE) { OUT(value) *= 0.5; }

#if defined(__x86_64__)
Test(cpu, subnormal_numbers_survive_a_thread_that_flushes_them)
{
    const mass_launch l = launch_of(100, 4, 1, 1);
    double *const values = malloc(elements_of(&l) * sizeof *values);
    for (size_t i = 0; i < elements_of(&l); i++) values[i] = 0x1p-1022;
    __builtin_ia32_ldmxcsr(0x9fc0); /* flush to zero, subnormals are zero: what -ffast-math sets */
    launch_with(2, &halve, &l, (void *[]){values + first_place(&l)}, false);
    for (size_t i = 0; i < elements_of(&l); i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        cr_assert_eq(bits, is_own(&l, i) ? 1ull << 51 : 1ull << 52, "element %zu", i);
    }
    free(values);
}
#endif

/* ---- memory ---- */

Test(cpu, memory_is_aligned_and_moves_both_ways)
{
    mass_error error = {0};
    mass_device *device = open_cpu(2);
    static const size_t sizes[] = {0, 1, 100, 1 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        void *memory = NULL;
        cr_assert_eq(mass_cpu_table.allocate(device, sizes[i], &memory, &error), MASS_OK);
        cr_assert_not_null(memory);
        cr_assert_eq((uintptr_t)memory % 256, 0);
        mass_cpu_table.release(device, memory);
    }
    uint32_t up[5] = {1, 2, 3, 4, 5}, there[5] = {0}, down[5] = {0};
    cr_assert_eq(mass_cpu_table.upload(device, there, up, sizeof up, &error), MASS_OK);
    cr_assert_eq(mass_cpu_table.download(device, down, there, sizeof down, &error), MASS_OK);
    cr_assert_eq(memcmp(up, down, sizeof up), 0);
    mass_cpu_table.release(device, NULL);
    mass_cpu_table.close(device);
}

Test(cpu, memory_that_no_machine_has_is_refused_in_a_sentence)
{
    mass_error error = {0};
    mass_device *device = open_cpu(1);
    void *memory = NULL;
    cr_assert_eq(mass_cpu_table.allocate(device, SIZE_MAX, &memory, &error), MASS_NO_DEVICE);
    cr_assert_null(memory);
    cr_assert(strstr(error.text, "EiB"), "%s", error.text);
    mass_cpu_table.close(device);
}

Test(cpu, free_memory_is_less_than_the_machine_has)
{
    mass_error error = {0};
    mass_device *device = open_cpu(1);
    size_t bytes = 0;
    unsigned long long kib = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    cr_assert(file && fscanf(file, "MemTotal: %llu", &kib) == 1);
    fclose(file);
    cr_assert_eq(mass_cpu_table.free_memory(device, &bytes, &error), MASS_OK);
    cr_assert(bytes > 0 && bytes / 1024 <= kib);
    mass_cpu_table.close(device);
}

Test(cpu, fill_and_copy_reach_the_kernels)
{
    mass_error error = {0};
    mass_device *device = open_cpu(2);
    uint16_t row[6] = {0}, column[6][3] = {{0}};
    const uint16_t element = 0x1234;
    cr_assert_eq(mass_cpu_table.fill(device, row, &element, 2, 5, &error), MASS_OK);
    const mass_strided copy = {.to = &column[0][1], .from = row, .bytes = 2, .count = {6, 1, 1},
                               .to_stride = {6, 0, 0}, .from_stride = {2, 0, 0}};
    cr_assert_eq(mass_cpu_table.copy(device, &copy, &error), MASS_OK);
    for (int i = 0; i < 6; i++) {
        cr_assert_eq(column[i][0], 0);
        cr_assert_eq(column[i][1], i < 5 ? element : 0);
        cr_assert_eq(column[i][2], 0);
    }
    mass_cpu_table.close(device);
}
