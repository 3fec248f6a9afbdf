/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that are recorded once and replayed, as on a GPU, give the same result as steps that are not. A stop condition
 * may hold, or a device may fail, at any time. */
#include "../expect.h"
#include "recording_cpu.h"
#include "replaying.h"
#include "turning_ring.h"

#include "state/stop_condition.h"

#include <stdio.h>

Test(stepper, steps_are_recorded_once_and_replayed_to_the_same_end)
{
    scene s = make_scene(recording_cpu(), 3, 2);
    start(&s);
    gpu.launches = 0;
    advance(&s, 1001);
    cr_assert_eq(gpu.records, 1);
    cr_assert_eq(gpu.steps, 32);
    /* The first two steps, as ghosts settle in them, and what is left over, the last included. */
    cr_assert_eq(gpu.replays, 31);
    cr_assert_eq(gpu.launches, 3 * 4 * (1001 - 31 * 32));
    check_places(&s, 1001);
    check_tallies(&s, 1001);
    discard(&s);
    cr_assert_eq(gpu.discards, 1);
}

Test(stepper, no_step_is_recorded_that_is_not_to_be)
{
    scene s = make_scene(recording_cpu(), 3, 2);
    s.stepper->no_graph = true;
    start(&s);
    gpu.launches = 0;
    advance(&s, 101);
    cr_assert_eq(gpu.records, 0);
    cr_assert_eq(gpu.launches, 3 * 4 * 101);
    check_places(&s, 101);
    check_tallies(&s, 101);
    discard(&s);
}

Test(stepper, the_last_step_is_never_replayed)
{
    for (uint64_t last = 30; last <= 70; last++) {
        scene s = make_scene(recording_cpu(), 1, 1);
        start(&s);
        advance(&s, last);
        cr_assert_eq(gpu.replays, last <= 34 ? 0 : last <= 66 ? 1 : 2, "%llu steps", (unsigned long long)last);
        check_places(&s, last);
        check_tallies(&s, last);
        discard(&s);
        cr_assert_eq(gpu.discards, gpu.records);
    }
}

/* However a run is cut, so that recordings meet buffers of either parity and clocks that stand still. */
Test(stepper, replays_wait_until_buffers_stand_as_when_they_were_recorded)
{
    for (uint64_t cut = 1; cut <= 80; cut++)
        for (uint64_t parity = 0; parity < 2; parity++) {
            scene s = make_scene(recording_cpu(), 2, 1);
            start(&s);
            advance(&s, cut);
            advance(&s, cut + 75 + parity);
            check_places(&s, cut + 75 + parity);
            const int before = gpu.replays;
            advance(&s, cut + 251);
            cr_assert_geq(gpu.replays, before + 3);
            cr_assert_eq(gpu.records, 1);
            check_places(&s, cut + 251);
            check_tallies(&s, cut + 251);
            discard(&s);
        }
}

Test(stepper, the_device_is_waited_for_at_the_end)
{
    scene s = make_scene(recording_cpu(), 1, 1);
    start(&s);
    cr_assert_eq(gpu.synchronised, 1);
    advance(&s, 200);
    cr_assert_eq(gpu.synchronised, 2);
    discard(&s);
}

Test(stepper, a_failing_device_ends_the_run_at_the_last_complete_step)
{
    for (int at = 1; at <= 24; at++) {
        scene s = make_scene(recording_cpu(), 1, 1);
        start(&s);
        gpu.launches = 0;
        gpu.fail_at = at;
        mass_error e = {0};
        cr_assert_eq(mass_stepper_advance(s.stepper, 10, NULL, &e), MASS_FAILED);
        cr_assert_str_eq(e.text, "the device gave up");
        cr_assert_eq(s.stepper->step, (uint64_t)(at - 1) / 4);
        cr_assert_eq(gpu.launches, at);
        discard(&s);
    }
}

/* ---- replays that a stop condition stops ---- */

static scene make_scene_until(const char *text, int32_t partitions, int32_t worlds)
{
    scene s = make_scene(replaying_cpu((size_t)1 << 30), partitions, worlds);
    const mass_expression_scope scope = {s.model, worlds, 0, false};
    mass_expression x;
    EXPECT_OK(mass_expression_compile("until", text, &scope, &x, e));
    EXPECT_OK(mass_until_create(s.domain, text, &x, e));
    mass_expression_free(&x);
    start(&s);
    return s;
}

/* A step's sum tells its number, unless one of them counts more often than once, or not at all. */
Test(stepper, a_condition_ends_the_run_at_any_step_of_a_recording)
{
    for (uint64_t held = 1; held <= 140; held += held < 34 ? 3 : 1) {
        char text[64];
        snprintf(text, sizeof text, "sum >= %d", (int)held * PLACES * (PLACES + 1) / 2);
        scene s = make_scene_until(text, 1 + (int32_t)(held % 3), 1 + (int32_t)(held % 2));
        EXPECT_OK(mass_stepper_advance(s.stepper, 1000, NULL, e));
        cr_assert(s.stepper->held);
        cr_assert_eq(s.stepper->step, held, "it held at %llu", (unsigned long long)s.stepper->step);
        check_places(&s, held);
        check_tallies(&s, held);
        cr_assert_eq(replaying_count()->stops_held, held > 2);
        discard(&s);
    }
}

Test(stepper, a_condition_that_never_holds_is_not_waited_for)
{
    scene s = make_scene_until("steady(total, 1)", 2, 1);
    advance(&s, 2000);
    cr_assert_not(s.stepper->held);
    check_places(&s, 2000);
    check_tallies(&s, 2000);
    cr_assert_eq(replaying_count()->replays, 62);
    cr_assert_eq(replaying_count()->looks_unrecorded, 2000 - 62 * 32);
    cr_assert_leq(replaying_count()->waits, 1);
    discard(&s);
}
