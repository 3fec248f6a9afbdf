/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks that keep their promises come to what the CPU device comes to. */
#include "scene.h"

#include <mass/kernel.h>

#include <criterion/criterion.h>
#include <string.h>

#define ALL_TALLIES                                                                                                \
    SUMS(TYPED(sum, int64_t)), MINS(TYPED(least, int64_t)), MAXES(TYPED(most, int64_t)), MINS(TYPED(low, double)), \
    MAXES(TYPED(high, double))

#define STENCIL                                                                                                \
    READS(TYPED(from, uint32_t, a)), WRITES(TYPED(to, uint32_t, a)), GIVEN(TYPED(scale, int64_t)), ALL_TALLIES

#define COUNT(value)                 \
    ADD(sum, (int64_t)(value));      \
    LEAST(least, (int64_t)(value));  \
    MOST(most, (int64_t)(value));    \
    LEAST(low, (value) * 0.25 - 9);  \
    MOST(high, (value) * -0.5 + 1e9)

/* No two offsets weigh the same. */
#define WEIGHT(dx, dy, dz) ((uint32_t)(((dz) + 2) * 25 + ((dy) + 2) * 5 + (dx) + 3))
#define STENCILS(RADIUS)                                                                          \
    MASS_STENCIL(line_##RADIUS, 1, RADIUS, STENCIL)                                               \
    {                                                                                             \
        uint32_t sum = IN(from) * (uint32_t)PARAM(scale);                                         \
        MASS_MOORE_1D(dx, RADIUS) { sum += WEIGHT(dx, 0, 0) * NEAR(from, dx); }                   \
        OUT(to) = sum;                                                                            \
        COUNT(sum);                                                                               \
    }                                                                                             \
    MASS_STENCIL(plane_##RADIUS, 2, RADIUS, STENCIL)                                              \
    {                                                                                             \
        uint32_t sum = IN(from) * (uint32_t)PARAM(scale);                                         \
        MASS_MOORE_2D(dx, dy, RADIUS) { sum += WEIGHT(dx, dy, 0) * NEAR(from, dx, dy); }          \
        OUT(to) = sum;                                                                            \
        COUNT(sum);                                                                               \
    }                                                                                             \
    MASS_STENCIL(space_##RADIUS, 3, RADIUS, STENCIL)                                              \
    {                                                                                             \
        uint32_t sum = IN(from) * (uint32_t)PARAM(scale);                                         \
        MASS_MOORE_3D(dx, dy, dz, RADIUS) { sum += WEIGHT(dx, dy, dz) * NEAR(from, dx, dy, dz); } \
        OUT(to) = sum;                                                                            \
        COUNT(sum);                                                                               \
    }
STENCILS(1)
STENCILS(2)

Test(paranoid, correct_stencils_come_to_what_the_cpu_comes_to)
{
    for (int tallies = 0; tallies < 2; tallies++)
        for (int worlds = 1; worlds <= 2; worlds++) {
            expect_as_cpu(&line_1, 301, 1, 1, worlds, tallies, NULL);
            expect_as_cpu(&line_2, 64, 1, 1, worlds, tallies, NULL);
            expect_as_cpu(&plane_1, 19, 7, 1, worlds, tallies, NULL);
            expect_as_cpu(&plane_2, 33, 8, 1, worlds, tallies, NULL);
            expect_as_cpu(&space_1, 9, 4, 5, worlds, tallies, NULL);
            expect_as_cpu(&space_2, 17, 3, 2, worlds, tallies, NULL);
        }
}

Test(paranoid, the_smallest_partition_passes)
{
    expect_as_cpu(&line_1, 1, 1, 1, 1, true, NULL);
    expect_as_cpu(&plane_2, 2, 1, 1, 2, true, NULL);
}

Test(paranoid, closed_worlds_are_left_alone)
{
    expect_as_cpu(&plane_1, 19, 7, 1, 3, true, close_second_world);
    expect_as_cpu(&space_2, 6, 3, 2, 3, false, close_second_world);
}

MASS_MAP(grow_older, UPDATES(TYPED(age, int32_t), TYPED(speed, double)),
         READS(TYPED(same, double, other), TYPED(again, double, other)), ALL_TALLIES)
{
    OUT(age) = (int32_t)((uint32_t)OUT(age) * 3u + RANDOM(0).v[0] + (uint32_t)STEP);
    if (AT_X & 1) OUT(speed) = IN(same) * 2 + IN(again);
    COUNT(OUT(age));
}

Test(paranoid, updates_come_to_what_the_cpu_comes_to)
{
    expect_as_cpu(&grow_older, 37, 6, 1, 2, true, NULL);
    expect_as_cpu(&grow_older, 37, 6, 1, 2, false, NULL);
    expect_as_cpu(&grow_older, 5, 4, 3, 2, true, close_second_world);
}

Test(paranoid, two_fields_may_read_one_array)
{
    scene s[2];
    mass_error error = {0};
    for (int i = 0; i < 2; i++) {
        s[i] = make_scene(&grow_older, 8, 6, 1, 1);
        void *const unused = s[i].memory[3].start;
        s[i].fields[3] = s[i].fields[2];
        s[i].memory[3] = s[i].memory[2];
        cr_assert_eq(run_scene(&s[i], i ? &mass_paranoid_table : &mass_cpu_table, true, &error), MASS_OK, "%s",
                     error.text);
        s[i].memory[3].start = unused;
    }
    for (uint32_t i = 0; i < grow_older.field_count; i++)
        cr_assert_eq(memcmp(memory_of(&s[0], i), memory_of(&s[1], i), s[0].bytes[i]), 0);
    free_scene(&s[0]);
    free_scene(&s[1]);
}

Test(paranoid, the_clock_reaches_the_callback)
{
    scene s = make_scene(&grow_older, 8, 6, 1, 1), late = make_scene(&grow_older, 8, 6, 1, 1);
    s.launch.step += 1000;
    late.clock = 1000;
    late.launch.clock = &late.clock;
    mass_error error = {0};
    cr_assert_eq(run_scene(&s, &mass_cpu_table, false, &error), MASS_OK);
    cr_assert_eq(run_scene(&late, &mass_paranoid_table, false, &error), MASS_OK, "%s", error.text);
    cr_assert_eq(memcmp(memory_of(&s, 0), memory_of(&late, 0), s.bytes[0]), 0);
    free_scene(&s);
    free_scene(&late);
}

typedef struct pair { uint16_t low, high; } pair;
typedef struct velocity { float x, y, z; } velocity;
MASS_STENCIL(advect, 2, 1, READS(TYPED(flow, velocity)), WRITES(TYPED(next, velocity, flow)),
             UPDATES(TYPED(odd, pair)))
{
    const velocity a = IN(flow), b = NEAR(flow, 1, -1);
    const velocity next = {b.y, a.z, a.x};
    const pair swapped = {OUT(odd).high, OUT(odd).low};
    OUT(next) = next;
    OUT(odd) = swapped;
}

Test(paranoid, elements_may_be_structs) { expect_as_cpu(&advect, 13, 7, 1, 2, false, NULL); }

/* ---- adding to places around ---- */

#define THROW                                                                             \
    READS(TYPED(value, int32_t)), SCATTERS(TYPED(small, uint32_t), TYPED(wide, int64_t)), \
    SUMS(TYPED(total, int64_t))
#define THROWS(NAME, DX, DY)                                                  \
    MASS_SCATTER(NAME, 2, 2, THROW)                                           \
    {                                                                         \
        const mass_random4 r = RANDOM(0);                                     \
        SCATTER(small, r.v[0], (int)(r.v[1] % 5) - 2, (int)(r.v[2] % 5) - 2); \
        SCATTER(small, 1, 2, -2);                                             \
        SCATTER(wide, NEAR(value, -2, 1), DX, DY);                            \
        ADD(total, 1);                                                        \
    }
THROWS(throw_around, AT_X % 5 - 2, AT_Y % 3)
THROWS(throw_far, AT_X == 12 && AT_Y == 21 ? -3 : 1, 2)
THROWS(throw_high, 0, AT_X == 15 ? 1000 : 0)

Test(paranoid, additions_come_to_what_the_cpu_comes_to)
{
    expect_as_cpu(&throw_around, 8, 6, 1, 2, false, NULL);
    expect_as_cpu(&throw_around, 5, 7, 1, 2, true, close_second_world);
    expect_as_cpu(&throw_around, 37, 1, 1, 1, true, NULL);
}

/* On other devices they do nothing. */
Test(paranoid, additions_beyond_the_radius_are_refused)
{
    expect_sentence(&throw_far, false,
                    "step 7: at place (12, 21) of world 5 it adds to the place (-3, 2) away, which is farther than 2, "
                    "its radius");
    expect_sentence(&throw_high, true,
                    "step 7: at place (15, 20) of world 5 it adds to the place (0, 1000) away, which is farther than "
                    "2, its radius");
}

Test(paranoid, it_says_its_name_and_takes_what_leaves_room_for_copies)
{
    mass_error error = {0};
    mass_device *cpu, *paranoid;
    size_t all, some;
    cr_assert_eq(mass_cpu_table.open(0, 1, &cpu, &error), MASS_OK);
    cr_assert_eq(mass_paranoid_table.open(0, 1, &paranoid, &error), MASS_OK);
    cr_assert_eq(paranoid->table, &mass_paranoid_table);
    cr_assert_str_eq(mass_paranoid_table.name(paranoid), "paranoid");
    cr_assert_eq(mass_cpu_table.memory->available(cpu, &all, &error), MASS_OK);
    cr_assert_eq(mass_paranoid_table.memory->available(paranoid, &some, &error), MASS_OK);
    cr_assert_lt(some, all / 2);
    cr_assert_gt(some, 0);
    mass_cpu_table.close(cpu);
    mass_paranoid_table.close(paranoid);
}
