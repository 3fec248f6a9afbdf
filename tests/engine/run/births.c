/* SPDX-License-Identifier: Apache-2.0 */
/* Births in recorded steps. Replays stop if there is no space for agents. A run that makes space and goes on ends as
 * one that never queued anything. */
#include "../../extended.h"
#include "../../models/herd/herd.h"
#include "../expect.h"
#include "replaying.h"
#include "run/stepper.h"
#include "snapshot/create.h"
#include "snapshot/save.h"
#include "snapshot/snapshot.h"
#include "state/stop_state.h"

#include "device/cpu/cpu.h"
#include "state/stop_condition.h"

#include <mass/kernel.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a model in which whatever is done twice, or not at all, shows: the herd, with dung and rates of its own ---- */

enum { NX = 11, NY = 7, PLACES = NX * NY, BASE = 7, PRIME = 1000003 };

MASS_STENCIL(trace_on, 2, 1, UPDATES(TYPED(trace, int64_t)), READS(TYPED(scent, int64_t), TYPED(dung, int64_t)),
             SUMS(TYPED(traced, int64_t)))
{
    OUT(trace) = (OUT(trace) * BASE + NEAR(scent, -1, 1) + NEAR(scent, 1, 0) + (int64_t)STEP) % PRIME;
    OUT(trace) += NEAR(dung, 0, 1) % PRIME;
    ADD(traced, OUT(trace));
}

/* Children where there are few, one or two at once. */
MASS_AGENT(sheep_live, sheep, 2, UPDATES(TYPED(mark, int64_t)), SEES(TYPED(grass, int64_t)),
           CHILDREN(TYPED(given, int64_t, mark)), GIVEN(TYPED(crowd, int64_t)))
{
    const mass_random4 r = RANDOM(0);
    OUT(mark) = (OUT(mark) * BASE + SEE(grass, 1, 0) + (int64_t)STEP) % PRIME;
    if (COUNT_AT(0, 0) < PARAM(crowd) && r.v[0] % 40 == 0) {
        SPAWN(1 + r.v[1] % 2);
        CHILD(given, 0) = OUT(mark) / 2;
        CHILD(given, 1) = 3;
        CHILD_TO(0, 0, 1);
    }
    if (r.v[2] % 512 == 0) KILL();
    MIGRATE((int)(r.v[3] % 3) - 1, (int)(r.v[3] / 3 % 3) - 1);
}

/* Every other step is one of births, so that either manage of a step can be the one that grows. */
MASS_AGENT(sheep_again, sheep, 2, UPDATES(TYPED(mark, int64_t)), CHILDREN(TYPED(given, int64_t, mark)),
           GIVEN(TYPED(crowd, int64_t)), SCATTERS(TYPED(dung, int64_t)))
{
    OUT(mark) = (OUT(mark) * BASE + 1) % PRIME;
    SCATTER(dung, OUT(mark), 1, (int)(STEP % 3) - 1);
    if (COUNT_AT(0, 0) >= PARAM(crowd) || RANDOM(0).v[0] % 20) return;
    SPAWN(1);
    CHILD(given, 0) = 5;
}

/* Dens hold three, and their manage waits for a step in which much was eaten. */
MASS_AGENT(wolves_hunt, wolves, 2, UPDATES(TYPED(mark, int64_t)), CHILDREN(TYPED(given, int64_t, mark)))
{
    const mass_random4 r = RANDOM(0);
    OUT(mark) = (OUT(mark) * BASE + (int64_t)STEP) % PRIME;
    if (r.v[0] % 4 == 0) {
        SPAWN(1);
        CHILD(given, 0) = OUT(mark);
        CHILD_TO(0, (int)(r.v[1] % 3) - 1, 1);
    }
    if (r.v[2] % 32 == 0) KILL();
    MIGRATE((int)(r.v[3] % 5) - 2, 0);
}

enum { SHEEP_MANAGE = 2, WOLVES_MANAGE = 5, SHEEP_MANAGE_AGAIN = 7 };

typedef struct herd {
    int64_t crowd; /* sheep have no children where so many stand */
    int64_t wolves, least_eaten;
} herd;

static mass_model *make_model(const herd *h)
{
    mass_model *m = calloc(1, sizeof *m);
    mass_error error = {0}, *e = &error;
    mass_parameters_add(&m->parameters, &(mass_parameter){.name = "crowd", .type = MASS_INTEGER, .integer = h->crowd,
                        .integer_min = 0, .integer_max = 1000000}, e);
    mass_model_add_space(m, &(mass_space){.name = "field", .dimensions_min = 2, .dimensions_max = 2,
                         .torus = MASS_AXES_ALL, .size = {NX, NY}}, NULL, 0, e);
    static const char *const sums[] = {"grass", "traced", "eaten", "born", "died", "alive", "refused"};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        mass_model_add_tally(m, &(mass_tally){.name = sums[i], .access = MASS_SUM, .cumulative = i == 1 || i == 3}, e);
    const mass_population sheep = {.name = "sheep", .children = 2, .count = 1, .born = "born", .died = "died",
                                   .alive = "alive"};
    const mass_population wolves = {.name = "wolves", .children = 1, .count = h->wolves, .capacity = 3,
                                    .unborn = "refused"};
    const mass_population stones = {.name = "stones", .count = 9, .capacity = 2};
    const mass_population *const all[] = {&sheep, &wolves, &stones};
    for (int i = 0; i < 3; i++) mass_model_add_population(m, all[i], e);
    static const char *const on_places[] = {"grass", "trace", "scent", "dung"};
    for (int i = 0; i < 4; i++)
        mass_model_add_attribute(m, &(mass_attribute){.space = "field", .name = on_places[i], .type = MASS_I64}, e);
    for (int i = 0; i < 3; i++)
        mass_model_add_attribute(m, &(mass_attribute){.population = all[i]->name, .name = "mark", .type = MASS_I64}, e);
    const mass_condition fed = {.tally = "eaten", .relation = MASS_AT_LEAST, .value = (double)h->least_eaten};
#define PHASE(...) mass_model_add_agent_phase(m, &(mass_agent_phase){.schedule = MASS_STEP, __VA_ARGS__}, e)
#define MANAGE(...) mass_model_add_manage(m, &(mass_manage){.schedule = MASS_STEP, __VA_ARGS__}, e)
    mass_model_add_phase(m, &(mass_phase){.schedule = MASS_STEP, .callback = &herd_smooth}, e);
    PHASE(.population = "sheep", .callback = &sheep_live, .reach = 1);
    MANAGE(.population = "sheep");
    PHASE(.population = "sheep", .callback = &herd_graze);
    PHASE(.population = "wolves", .callback = &wolves_hunt);
    MANAGE(.population = "wolves", .condition = &fed);
    PHASE(.population = "sheep", .callback = &sheep_again, .reach = 1, .condition = &fed);
    MANAGE(.population = "sheep", .order = MASS_KILL_SPAWN_MIGRATE);
    PHASE(.population = "stones", .callback = &herd_roll);
    MANAGE(.population = "stones");
    mass_model_add_phase(m, &(mass_phase){.schedule = MASS_STEP, .callback = &trace_on}, e);
    PHASE(.population = "sheep", .callback = &herd_dream);
    mass_model_add_reduction(m, &(mass_reduction){.name = "traces", .space = "field", .attribute = "trace",
                             .operation = MASS_SUM}, e);
    mass_model_add_reduction(m, &(mass_reduction){.name = "marked", .population = "sheep", .attribute = "mark",
                             .operation = MASS_MAX}, e);
    mass_model_resolve(m, e);
    cr_assert_eq(error.status, MASS_OK, "%s", error.text);
    return m;
}

/* ---- runs ---- */

typedef struct run {
    mass_model *model;
    mass_device *device;
    mass_domain *domain;
    mass_stepper *stepper;
} run;

static run begin(const mass_device_table *table, const herd *h, int32_t partitions, int32_t worlds)
{
    run r = {.model = make_model(h)};
    EXPECT_OK(mass_cpu_open(table, 1, &r.device, e));
    const mass_domain_options options = {.partitions = partitions, .worlds = worlds, .seed = 11};
    EXPECT_OK(mass_domain_create(r.model, r.device, &options, &r.domain, e));
    EXPECT_OK(mass_stepper_create(r.domain, NULL, 0, &r.stepper, e));
    EXPECT_OK(mass_stepper_start(r.stepper, e));
    return r;
}

static void end(run *r)
{
    mass_stepper_free(r->stepper);
    mass_domain_free(r->domain);
    mass_device_close(r->device);
    mass_model_free(r->model);
    free(r->model);
}

static mass_snapshot state_of(run *r)
{
    mass_snapshot s;
    EXPECT_OK(mass_domain_save(r->domain, &s, e));
    s.step = r->stepper->step;
    return s;
}

static void expect_same(const mass_snapshot *got, const mass_snapshot *expected)
{
    char a[33], b[33];
    cr_assert_eq(got->step, expected->step, "step %llu, not %llu", (unsigned long long)got->step,
                 (unsigned long long)expected->step);
    const mass_model *m = expected->model;
    for (uint32_t p = 0; p < m->population_count; p++)
        cr_assert_eq(got->agents[p], expected->agents[p], "step %llu: %llu %s, not %llu", (unsigned long long)got->step,
                     (unsigned long long)got->agents[p], m->populations[p].name,
                     (unsigned long long)expected->agents[p]);
    mass_snapshot_hash(got, a);
    mass_snapshot_hash(expected, b);
    cr_assert_str_eq(a, b, "another state at step %llu", (unsigned long long)got->step);
    for (uint32_t t = 0; t < m->tally_count; t++)
        cr_assert_arr_eq(got->tallies + t * (size_t)got->worlds, expected->tallies + t * (size_t)got->worlds,
                         (size_t)got->worlds * sizeof *got->tallies, "another %s at step %llu", m->tallies[t].name,
                         (unsigned long long)got->step);
}

static const size_t ENOUGH = (size_t)1 << 30;

enum { STATES_MAX = 256 };

static void expect_same_states(const herd *h, int32_t partitions, int32_t worlds, const uint64_t *steps, int count)
{
    mass_snapshot expected[STATES_MAX];
    run plain = begin(plain_cpu(ENOUGH), h, 1, worlds);
    for (int i = 0; i < count; i++) {
        EXPECT_OK(mass_stepper_advance(plain.stepper, steps[i], NULL, e));
        expected[i] = state_of(&plain);
    }
    run r = begin(replaying_cpu(ENOUGH), h, partitions, worlds);
    for (int i = 0; i < count; i++) {
        EXPECT_OK(mass_stepper_advance(r.stepper, steps[i], NULL, e));
        mass_snapshot got = state_of(&r);
        expect_same(&got, &expected[i]);
        mass_snapshot_free(&got);
        mass_snapshot_free(&expected[i]);
    }
    end(&r);
    end(&plain);
}

static const herd growing = {.crowd = 24, .wolves = 5, .least_eaten = PLACES / 2};

Test(births, replays_that_stop_go_on_to_the_same_end)
{
    replaying_counts sum = {0};
    for (int32_t partitions = 1; partitions <= NY; partitions += 3)
        for (uint64_t last = 34; last <= 330; last += (uint64_t)unsanitized(74, 37)) {
            expect_same_states(&growing, partitions, 1 + (int32_t)(last % 3), &last, 1);
            const replaying_counts *c = replaying_count();
            sum.replays += c->replays;
            sum.odd_stops += c->odd_stops;
            for (int i = 0; i < 16; i++) sum.stops_at[i] += c->stops_at[i];
            cr_assert_eq(c->discards, c->records);
        }
    /* Otherwise the test shows less than it says. */
    const int stops = sum.stops_at[SHEEP_MANAGE] + sum.stops_at[SHEEP_MANAGE_AGAIN] + sum.stops_at[WOLVES_MANAGE];
    cr_assert_gt(sum.stops_at[SHEEP_MANAGE], 0);
    cr_assert_gt(sum.stops_at[SHEEP_MANAGE_AGAIN], 0);
    cr_assert_gt(sum.stops_at[WOLVES_MANAGE], 0);
    cr_assert(sum.odd_stops > 0 && sum.odd_stops < stops);
    cr_assert_gt(sum.replays, unsanitized(25, 50));
}

Test(births, stops_are_met_by_runs_in_pieces)
{
    uint64_t steps[STATES_MAX];
    int count = 0;
    for (uint64_t step = 1; step < 400; step += 1 + step * 13 % 71) steps[count++] = step;
    expect_same_states(&growing, 2, 3, steps, count);
    cr_assert_gt(replaying_count()->replays, 0);
}

Test(births, recorded_steps_do_not_wait_while_there_is_room)
{
    const herd settled = {.crowd = 0, .wolves = 5, .least_eaten = 0};
    run r = begin(replaying_cpu(ENOUGH), &settled, 1, 2);
    EXPECT_OK(mass_stepper_advance(r.stepper, 400, NULL, e));
    const replaying_counts before = *replaying_count();
    EXPECT_OK(mass_stepper_advance(r.stepper, 2000, NULL, e));
    const replaying_counts *after = replaying_count();
    cr_assert_geq(after->replays - before.replays, 48);
    cr_assert_eq(after->records, before.records);
    cr_assert_leq(after->waits - before.waits, 2, "it waited %d times", after->waits - before.waits);
    cr_assert_leq(after->managed_unrecorded - before.managed_unrecorded, 4 * 64);
    end(&r);
}

/* ---- a stop condition beside births ---- */

static void add_until(run *r, const char *text)
{
    const mass_expression_scope scope = {r->model, r->domain->worlds, 0, false};
    mass_expression x;
    EXPECT_OK(mass_expression_compile("until", text, &scope, &x, e));
    EXPECT_OK(mass_until_create(r->domain, text, &x, e));
    mass_expression_free(&x);
}

static run begin_until(const mass_device_table *table, const herd *h, int32_t partitions, int32_t worlds,
                       const char *text)
{
    run r = begin(table, h, partitions, worlds);
    add_until(&r, text);
    return r;
}

static run resume(const mass_device_table *table, const herd *h, int32_t partitions, const mass_snapshot *from)
{
    run r = begin_until(table, h, partitions, from->worlds, from->until.text);
    mass_stepper_free(r.stepper);
    EXPECT_OK(mass_domain_restore(r.domain, from, e));
    EXPECT_OK(mass_until_restore(r.domain, &from->until, e));
    EXPECT_OK(mass_stepper_create(r.domain, NULL, from->step, &r.stepper, e));
    return r;
}

/* The state at the end, or at step `last`. */
static mass_snapshot run_until(run *r, uint64_t last)
{
    EXPECT_OK(mass_stepper_advance(r->stepper, last, NULL, e));
    return state_of(r);
}

static void expect_same_until(const mass_snapshot *got, const mass_snapshot *expected)
{
    const mass_until_state *a = &got->until, *b = &expected->until;
    expect_same(got, expected);
    cr_assert_eq(a->held, b->held, "it held at %llu, not %llu", (unsigned long long)a->held,
                 (unsigned long long)b->held);
    /* Its values may be NaN. */
    cr_assert_eq(memcmp(a->steady, b->steady, b->steady_count * (size_t)expected->worlds * sizeof *b->steady), 0,
                 "steady() saw another value at step %llu", (unsigned long long)got->step);
}

typedef struct held_counts {
    int stops_held;     /* replays that stopped as it held */
    int births_stopped; /* in the very step after which it held */
} held_counts;

/* What is seen by a run, and by one that is resumed in the middle of it, whose replays stop. */
static void expect_held_as_plain(const herd *h, int32_t partitions, int32_t worlds, const char *text, uint64_t held,
                                 held_counts *sum)
{
    run plain = begin_until(plain_cpu(ENOUGH), h, 1, worlds, text);
    mass_snapshot middle = run_until(&plain, held / 3), expected = run_until(&plain, 1000);
    cr_assert_eq(expected.step, held);
    cr_assert(plain.stepper->held);
    for (int resumed = 0; resumed < 2; resumed++) {
        run r = resumed ? resume(replaying_cpu(ENOUGH), h, partitions, &middle)
                        : begin_until(replaying_cpu(ENOUGH), h, partitions, worlds, text);
        mass_snapshot got = run_until(&r, 1000);
        expect_same_until(&got, &expected);
        cr_assert(r.stepper->held);
        const replaying_counts *c = replaying_count();
        sum->stops_held += c->stops_held;
        sum->births_stopped += !c->stops_held && c->last_stop == held;
        mass_snapshot_free(&got);
        end(&r);
    }
    mass_snapshot_free(&expected);
    mass_snapshot_free(&middle);
    end(&plain);
}

static const char *condition_of(uint64_t held)
{
    static char text[160];
    snprintf(text, sizeof text, "steady(refused, 1000) || steady(alive * 3 + eaten, 600) || "
                                "steady(traces + marked, 600) || step >= %d", (int)held);
    return text;
}

Test(births, a_condition_ends_runs_at_any_step_of_a_recording)
{
    static const herd settled = {.crowd = 0, .wolves = 5, .least_eaten = 30};
    held_counts sum = {0};
    const int each = unsanitized(5, 1);
    for (uint64_t held = 40; held < 40 + 2 * 32; held += (uint64_t)each)
        expect_held_as_plain(&settled, 1 + 2 * (int32_t)(held % 3), 1 + 2 * (int32_t)(held % 2), condition_of(held),
                             held, &sum);
    cr_assert_gt(sum.stops_held, 64 / each, "%d replays stopped", sum.stops_held);
}

/* Some hold after the very step that a replay stopped in for want of room. */
Test(births, a_condition_is_looked_at_after_steps_that_births_stopped)
{
    held_counts sum = {0};
    const int each = unsanitized(3, 1);
    for (uint64_t held = 40; held < 80; held += (uint64_t)each)
        expect_held_as_plain(&growing, 2, 2, condition_of(held), held, &sum);
    cr_assert_gt(sum.stops_held, 20 / each, "%d replays stopped as it held", sum.stops_held);
    cr_assert_gt(sum.births_stopped, 0);
}

/* ---- the end of memory ---- */

static uint64_t run_out_of(run *r, mass_error *error)
{
    cr_assert_eq(mass_stepper_advance(r->stepper, 1000, NULL, error), MASS_NO_DEVICE);
    cr_assert(r->stepper->out_of_room, "it fails in the middle of a step: %s", error->text);
    return r->stepper->step;
}

/* Sheep without end: the last complete step, its tallies and what is said are the same. */
Test(births, a_run_ends_before_the_same_step_for_want_of_memory)
{
    const herd h = {.crowd = 1000000, .wolves = 3, .least_eaten = PLACES / 3};
    int stops_before = 0, replays = 0;
    for (size_t memory = 200000; memory < (size_t)100 << 20; memory += memory / (size_t)unsanitized(1, 3)) {
        mass_error said = {0}, expected = {0};
        run plain = begin(plain_cpu(memory), &h, 2, 1);
        const uint64_t last = run_out_of(&plain, &expected);
        mass_snapshot should = state_of(&plain);
        run r = begin(replaying_cpu(memory), &h, 2, 1);
        cr_assert_eq(run_out_of(&r, &said), last, "%zu bytes", memory);
        cr_assert_str_eq(said.text, expected.text);
        mass_snapshot got = state_of(&r);
        expect_same(&got, &should);
        stops_before += replaying_count()->stops_before;
        replays += replaying_count()->replays;
        mass_snapshot_free(&got);
        mass_snapshot_free(&should);
        end(&r);
        end(&plain);
    }
    cr_assert_gt(replays, 0);
    cr_assert_gt(stops_before, 0);
}
