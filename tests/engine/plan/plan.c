/* SPDX-License-Identifier: Apache-2.0 */
/* What phases are compiled to: operations in their order, what they read and write, and which buffers change places. */
#include "../expect.h"
#include "../run/recording_cpu.h"
#include "../run/turning_ring.h"

#include "device/cpu/cpu.h"
#include "plan/traffic.h"
#include "plan/describe.h"
#include "run/block_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "reset sum, launch turn, swap ring.turning, " ... */
static const char *words_of(const mass_model *m, const mass_plan_list *list)
{
    static char text[2048];
    FILE *to = fmemopen(text, sizeof text, "w");
    for (uint32_t i = 0; i < list->count; i++) {
        fprintf(to, "%s%s ", i ? ", " : "", mass_plan_operation_name(m, &list->list[i]));
        mass_plan_put_subject(m, &list->list[i], to);
        if (list->list[i].when != MASS_ALWAYS) fprintf(to, " (%s)", mass_plan_when_name(list->list[i].when));
    }
    fclose(to);
    return text;
}

Test(plan, schedules_are_lists_of_operations)
{
    scene s = make_scene(&mass_cpu_table, 2, 3);
    const mass_plan *p = s.stepper->plan;
    cr_assert_str_eq(words_of(s.model, &p->start), "reset sum, reset least, reset most, reset total, "
                     "launch seed_places, launch trace_second");
    cr_assert_str_eq(words_of(s.model, &p->step), "reset sum (observed), reset least (observed), "
                     "reset most (observed), launch trace_first, refresh ring.turning, launch turn, "
                     "swap ring.turning, launch trace_second, launch count_all, look stop condition (until)");
    cr_assert_eq(p->observe.count, 0);
    discard(&s);
}

static const mass_plan_operation *find(const mass_plan_list *list, mass_plan_kind kind, uint32_t nth)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->list[i].kind == kind && nth-- == 0) return &list->list[i];
    cr_assert_fail("there is no such operation");
    return NULL;
}

Test(plan, a_stencil_reads_the_present_buffer_and_its_ghosts_and_writes_the_next_one)
{
    scene s = make_scene(&mass_cpu_table, 1, 1);
    const mass_plan_operation *turn = find(&s.stepper->plan->step, MASS_PLAN_LAUNCH, 1);
    const mass_operand *o = turn->operands;
    cr_assert_eq(turn->counts, MASS_OBSERVED);
    cr_assert(o[0].data == MASS_DATA_PLACES && o[0].index == TURNING && o[0].use == MASS_READS && !o[0].next);
    cr_assert_eq(o[0].reach, 1);
    cr_assert(o[1].data == MASS_DATA_PLACES && o[1].index == TURNING && o[1].use == MASS_WRITES && o[1].next);
    for (uint32_t i = 0; i < 3; i++)
        cr_assert(o[2 + i].data == MASS_DATA_TALLY && o[2 + i].index == i &&
                  o[2 + i].use == (MASS_READS | MASS_WRITES));
    cr_assert(o[5].data == MASS_DATA_GHOSTS && o[5].index == TURNING && o[5].use == MASS_READS && !o[5].next);
    cr_assert(o[6].data == MASS_DATA_GHOSTS && o[6].index == TURNING && o[6].use == MASS_WRITES && o[6].next);
    cr_assert_eq(turn->operand_count, 7);
    discard(&s);
}

/* A ring that one partition holds writes its ghosts with its places; one that is cut has to copy them. */
Test(plan, ghosts_are_refreshed_along_axes_where_a_step_leaves_them_stale)
{
    for (int32_t partitions = 1; partitions <= 2; partitions++) {
        scene s = make_scene(&mass_cpu_table, partitions, 5);
        const mass_plan_operation *refresh = find(&s.stepper->plan->step, MASS_PLAN_REFRESH, 0);
        const double no_agents = 0, ghosts = 2 * 2 * 5 * sizeof(int64_t);
        const mass_traffic none = {&no_agents, INT32_MAX};
        cr_assert_eq(refresh->axes & MASS_AXIS_X, partitions > 1 ? MASS_AXIS_X : 0);
        cr_assert_eq(mass_plan_bytes_read(s.domain, refresh, &none), partitions > 1 ? ghosts : 0);
        cr_assert_eq(mass_plan_bytes_written(s.domain, refresh, &none), partitions > 1 ? ghosts : 0);
        discard(&s);
    }
}

Test(plan, bytes_are_those_of_every_element_once)
{
    enum { WORLDS = 3 };
    scene s = make_scene(&mass_cpu_table, 1, WORLDS);
    const double no_agents = 0;
    const mass_traffic none = {&no_agents, INT32_MAX};
    const mass_plan_operation *reset = find(&s.stepper->plan->step, MASS_PLAN_RESET, 0),
                              *second = find(&s.stepper->plan->step, MASS_PLAN_LAUNCH, 2);
    cr_assert_eq(mass_plan_bytes_read(s.domain, reset, &none), 0);
    cr_assert_eq(mass_plan_bytes_written(s.domain, reset, &none), WORLDS * sizeof(int64_t));
    const double two_attributes = 2 * PLACES * WORLDS * sizeof(int64_t), ghosts = 2 * 2 * WORLDS * sizeof(int64_t);
    cr_assert_eq(mass_plan_bytes_read(s.domain, second, &none), two_attributes);
    cr_assert_eq(mass_plan_bytes_written(s.domain, second, &none), two_attributes + ghosts);
    discard(&s);
}

Test(plan, buffers_change_places_where_a_step_swaps_them)
{
    scene s = make_scene(&mass_cpu_table, 1, 1);
    const mass_plan_list *step = &s.stepper->plan->step;
    const uint32_t turn = (uint32_t)(find(step, MASS_PLAN_LAUNCH, 1) - step->list);
    mass_plan_swap(s.domain, step, 0, turn);
    cr_assert_eq(s.domain->current[TURNING], 0);
    mass_plan_swap(s.domain, step, 0, step->count);
    cr_assert_eq(s.domain->current[TURNING], 1);
    cr_assert_eq(s.domain->current[ORDER], 0);
    mass_plan_swap(s.domain, step, turn, step->count);
    cr_assert_eq(s.domain->current[TURNING], 0);
    discard(&s);
}

/* Its ghosts are refreshed before it is launched: where a step goes on, they are stale. */
Test(plan, a_phase_is_found_by_its_first_operation)
{
    scene s = make_scene(&mass_cpu_table, 1, 1);
    const mass_plan_list *step = &s.stepper->plan->step;
    for (uint32_t i = 0; i < s.model->phase_count; i++) {
        const uint32_t first = mass_plan_find_phase(step, i);
        if (s.model->phases[i].schedule != MASS_STEP) cr_assert_eq(first, step->count);
        else if (strcmp(s.model->phases[i].callback->name, "turn") == 0)
            cr_assert_eq(step->list[first].kind, MASS_PLAN_REFRESH);
        else cr_assert_eq(step->list[first].kind, MASS_PLAN_LAUNCH);
    }
    discard(&s);
}

static size_t some_memory(mass_device *device)
{
    (void)device;
    return 1 << 16;
}

Test(plan, says_why_steps_are_no_program_of_small_worlds)
{
    const mass_block_world_operations small = {.struct_size = sizeof small, .memory = some_memory};
    mass_device_table blocks = mass_cpu_table;
    blocks.small_worlds = &small;
    scene s = make_scene(&mass_cpu_table, 1, 1);
    cr_assert_str_eq(mass_block_program_why_not(s.domain, s.stepper->plan), "the device has no blocks");
    discard(&s);
    s = make_scene(&blocks, 2, 1);
    cr_assert_str_eq(mass_block_program_why_not(s.domain, s.stepper->plan), "the space is cut");
    discard(&s);
}

/* Columns of --explain and --profile have room for 9 letters, and "reduce" is the name of reductions' launches. */
Test(plan, operations_have_names_of_their_own)
{
    for (int i = 0; i < MASS_PLAN_KINDS; i++) {
        const mass_plan_operation one = {.kind = (mass_plan_kind)i};
        if (i == MASS_PLAN_LAUNCH) continue;
        const char *name = mass_plan_operation_name(NULL, &one);
        cr_assert(name && strlen(name) <= 9 && strcmp(name, "reduce") != 0, "%d: %s", i, name);
        for (int k = 0; k < i; k++) {
            const mass_plan_operation other = {.kind = (mass_plan_kind)k};
            if (k == MASS_PLAN_LAUNCH) continue;
            cr_assert_str_neq(name, mass_plan_operation_name(NULL, &other));
        }
    }
    cr_assert_str_eq(mass_plan_operation_name(NULL, &(mass_plan_operation){.kind = MASS_PLAN_ALL_REDUCE}), "allreduce");
}
