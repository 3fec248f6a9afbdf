/* SPDX-License-Identifier: Apache-2.0 */
/* Time stepping of a tiny model: schedules, steps, tallies and how a run is stopped, on any device. */
#include "../expect.h"
#include "recording_cpu.h"
#include "turning_ring.h"
#include "snapshot/save.h"
#include "snapshot/snapshot.h"

#include "device/cpu/cpu.h"

#include <stdlib.h>

Test(stepper, start_runs_its_own_phases_in_their_order)
{
    scene s = make_scene(&mass_cpu_table, 1, 1);
    start(&s);
    cr_assert_eq(s.stepper->step, 0);
    check_places(&s, 0);
    discard(&s);
}

Test(stepper, start_empties_all_tallies)
{
    scene s = make_scene(&mass_cpu_table, 1, 2);
    int64_t *const tallies = s.domain->tallies.address;
    for (int i = 0; i < 8; i++) tallies[i] = 99;
    start(&s);
    for (int i = 0; i < 8; i++) cr_assert_eq(tallies[i], mass_tally_neutral(&s.model->tallies[i / 2]));
    discard(&s);
}

Test(stepper, each_step_runs_all_phases_on_all_partitions_and_worlds)
{
    for (int32_t partitions = 1; partitions <= 7; partitions += 3) {
        scene s = make_scene(&mass_cpu_table, partitions, 3);
        start(&s);
        for (uint64_t n = 1; n <= 50; n++) {
            advance(&s, n);
            check_places(&s, n);
            check_tallies(&s, n);
        }
        discard(&s);
    }
}

Test(stepper, tallies_are_those_of_the_last_step_or_of_all)
{
    static const uint64_t stops[] = {1, 2, 7, 8, 40, 41, 113, 300};
    scene s = make_scene(&mass_cpu_table, 2, 2);
    start(&s);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        advance(&s, stops[i]);
        check_places(&s, stops[i]);
        check_tallies(&s, stops[i]);
    }
    discard(&s);
}

Test(stepper, the_present_values_alternate_between_two_buffers)
{
    scene s = make_scene(&mass_cpu_table, 2, 1);
    start(&s);
    for (uint64_t n = 1; n <= 9; n++) {
        advance(&s, n);
        cr_assert_eq(s.domain->current[TURNING], n % 2);
        cr_assert_eq(s.domain->current[ORDER], 0);
    }
    discard(&s);
}

Test(stepper, quiet_steps_skip_tallies_but_cumulative_ones)
{
    scene s = make_scene(recording_cpu(), 1, 1);
    start(&s);
    gpu.launches = gpu.tallying_launches = 0;
    advance(&s, 10); /* too few to record: four phases a step, of which two have tallies */
    cr_assert_eq(gpu.launches, 40);
    cr_assert_eq(gpu.tallying_launches, 9 + 2);
    check_tallies(&s, 10);
    discard(&s);
}

Test(stepper, advancing_to_where_it_stands_changes_nothing)
{
    scene s = make_scene(recording_cpu(), 1, 1);
    start(&s);
    advance(&s, 5);
    gpu.launches = 0;
    advance(&s, 5);
    cr_assert_eq(gpu.launches, 0);
    check_tallies(&s, 5);
    discard(&s);
}

Test(stepper, a_resumed_run_goes_on_from_the_stored_step)
{
    scene first = make_scene(&mass_cpu_table, 3, 2), second;
    mass_snapshot state;
    start(&first);
    advance(&first, 57);
    EXPECT_OK(mass_domain_save(first.domain, &state, e));
    free(gpu.list);
    second = make_scene(recording_cpu(), 1, 2);
    mass_stepper_free(second.stepper);
    EXPECT_OK(mass_stepper_create(second.domain, NULL, 57, &second.stepper, e));
    gpu.stepper = second.stepper;
    EXPECT_OK(mass_domain_restore(second.domain, &state, e));
    cr_assert_eq(second.stepper->step, 57);
    check_tallies(&second, 57);
    advance(&second, 200);
    cr_assert_eq(gpu.replays, 4);
    check_places(&second, 200);
    check_tallies(&second, 200);
    mass_snapshot_free(&state);
    discard(&second);
    gpu.list = NULL;
    discard(&first);
}

/* ---- watching ---- */

typedef struct stop_at {
    uint64_t step, asked;
} stop_at;

static bool stop_from(void *context, uint64_t step)
{
    stop_at *s = context;
    s->asked = step;
    return step >= s->step;
}

Test(stepper, a_stopped_run_completes_one_more_step)
{
    for (uint64_t at = 0; at < 20; at++) {
        scene s = make_scene(&mass_cpu_table, 1, 1);
        stop_at context = {.step = at};
        start(&s);
        EXPECT_OK(mass_stepper_advance(s.stepper, 30, &(mass_step_watch){.stop = stop_from, .context = &context}, e));
        cr_assert_eq(s.stepper->step, at + 1);
        cr_assert_eq(context.asked, at);
        check_places(&s, at + 1);
        check_tallies(&s, at + 1);
        discard(&s);
    }
}

Test(stepper, a_watch_that_never_stops_changes_nothing)
{
    scene s = make_scene(recording_cpu(), 1, 1);
    stop_at context = {.step = UINT64_MAX};
    start(&s);
    EXPECT_OK(mass_stepper_advance(s.stepper, 150, &(mass_step_watch){.stop = stop_from, .context = &context}, e));
    cr_assert_eq(s.stepper->step, 150);
    check_places(&s, 150);
    check_tallies(&s, 150);
    discard(&s);
}

Test(stepper, a_run_that_replays_stops_soon_and_complete)
{
    for (uint64_t at = 30; at < 110; at += 7) {
        scene s = make_scene(recording_cpu(), 2, 1);
        stop_at context = {.step = at};
        start(&s);
        EXPECT_OK(mass_stepper_advance(s.stepper, 1000, &(mass_step_watch){.stop = stop_from, .context = &context}, e));
        cr_assert(s.stepper->step > at && s.stepper->step <= at + 33, "%llu after %llu",
                  (unsigned long long)s.stepper->step, (unsigned long long)at);
        check_places(&s, s.stepper->step);
        check_tallies(&s, s.stepper->step);
        discard(&s);
    }
}

/* ---- refusals ---- */

Test(stepper, a_callback_that_the_device_cannot_run_is_refused)
{
    scene s = make_scene(&mass_cpu_table, 1, 1);
    const mass_callback *const before = s.model->phases[2].callback;
    mass_callback unknown = *before;
    unknown.form_count = 0;
    s.model->phases[2].callback = &unknown;
    mass_stepper *stepper = NULL;
    mass_error e = {0};
    cr_assert_eq(mass_stepper_create(s.domain, NULL, 0, &stepper, &e), MASS_BAD_PLUGIN);
    cr_assert_str_eq(e.text, "callback turn has no form that this CPU runs");
    cr_assert_null(stepper);
    s.model->phases[2].callback = before;
    discard(&s);
}

Test(stepper, freeing_nothing_is_fine) { mass_stepper_free(NULL); }
