/* SPDX-License-Identifier: Apache-2.0 */
/* A launch computes every place once, whatever its extents and threads, and adds to tallies. */
#include "launching.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

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
                cr_assert_fail("element %zu is touched %u times by %d threads, extents %d %d %d", i, touched[i],
                               threads, nx, ny, nz);
        for (int w = 0; w < worlds; w++)
            cr_assert_eq(count[w], (int64_t)nx * ny * nz, "world %d, %d threads", w, threads);
    }
    free(touched);
}

Test(cpu, a_long_row_is_computed_once)
{
    static const int widths[] = {1, 2, 3, 4095, 4096, 4097, 8191, 8192, 8193, 100003};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) expect_each_place_once(widths[i], 1, 1, 1);
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
