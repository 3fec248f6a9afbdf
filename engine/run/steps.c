/* SPDX-License-Identifier: Apache-2.0 */
#include "run/steps.h"
#include "base/plural.h"
#include "plan/fuse.h"
#include "process/signals.h"
#include "run/operation.h"
#include "run/repartition.h"
#include "state/stop_condition.h"
#include "state/stop_state.h"
#include "state/tally.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Sets the tally of a stream's items, which has number `total`, after a pass. */
static mass_status count_items(mass_stepper *r, uint32_t total, mass_error *error)
{
    mass_domain *d = r->domain;
    const mass_tally_def *t = &d->model->tallies[total];
    const uint64_t items = t->cumulative ? mass_input_reader_total(r->input) : mass_input_reader_given(r->input);
    return mass_buffer_fill(mass_domain_tally(d, total), &items, sizeof items, 1, error);
}

/* Returns MASS_INTERRUPTED if a signal asks for the end. A pass may take hours, and its state belongs to no step. */
static mass_status check_pass(const mass_stepper *r, uint64_t step, mass_error *error)
{
    if (!mass_signals_end_is_due()) return MASS_OK;
    const uint64_t given = mass_input_reader_given(r->input);
    return mass_error_set(error, MASS_INTERRUPTED, "interrupted in step %" PRIu64 ", after %" PRIu64 " item%s of its "
                          "input: a run resumes from its last checkpoint", step, given, mass_plural(given));
}

/* Tells the watch, if it listens, how far the pass over the input is. */
static void tell_progress(const mass_stepper *r)
{
    if (!r->watch || !r->watch->on_input) return;
    r->watch->on_input(r->watch->context, r->step, mass_input_reader_given(r->input));
}

/* Runs READ, CONSUMED or COUNT. *next: the next operation, which READ and CONSUMED may change. */
static mass_status run_input(mass_stepper *r, const mass_plan_operation *op, uint64_t step, uint32_t *next,
                             mass_error *error)
{
    bool more = true;
    mass_status status = MASS_OK;
    if (op->kind == MASS_PLAN_COUNT) return count_items(r, op->index, error);
    if (op->kind == MASS_PLAN_READ) {
        status = mass_input_reader_next(r->input, &more, error);
        if (!more) *next = op->to;
    } else {
        status = mass_input_reader_consumed(r->input, error);
        if (status == MASS_OK) status = check_pass(r, step, error);
        *next = op->to;
    }
    if (*next == op->to || status != MASS_OK) tell_progress(r);
    return status;
}

/* Resets a row of consecutive tallies from operation i on: a GPU needs one launch for all. *next: the operation
 * after them. */
static mass_status run_resets(mass_stepper *r, const mass_plan_list *o, uint32_t i, const mass_plan_step *step,
                              uint32_t *next, mass_error *error)
{
    const uint32_t first = o->list[i].index;
    uint32_t n = 1;
    while (i + n < o->count && o->list[i + n].kind == MASS_PLAN_RESET && o->list[i + n].index == first + n &&
           mass_plan_is_due(r->domain, o->list[i + n].when, step))
        n++;
    *next = i + n;
    return mass_domain_reset_rows(r->domain, first, n, step->later, step->steps > 1 ? step->steps : 1, error);
}

mass_status mass_steps_run(mass_stepper *r, const mass_plan_list *o, uint32_t first, const mass_plan_step *step,
                           mass_error *error)
{
    const bool timed = r->profile && o == &r->plan->step;
    mass_status status = timed ? mass_profile_begin(r->profile, error) : MASS_OK;
    for (uint32_t i = first, next; status == MASS_OK && i < o->count; i = next) {
        const mass_plan_operation *op = &o->list[i];
        next = i + 1;
        if (!mass_plan_is_due(r->domain, op->when, step)) continue;
        const bool input = op->kind == MASS_PLAN_READ || op->kind == MASS_PLAN_CONSUMED || op->kind == MASS_PLAN_COUNT;
        const int32_t layers = timed ? mass_plan_layers_now(r->domain, r->prepared, op, step) : 0;
        const bool reset = op->kind == MASS_PLAN_RESET && !mass_steps_are_timed(r);
        status = input                ? run_input(r, op, step->number, &next, error)
                 : r->repartition.timed ? mass_repartition_run_timed(r, op, step, error)
                 : reset              ? run_resets(r, o, i, step, &next, error)
                                      : mass_plan_run(r->domain, r->prepared, op, step, error);
        if (timed && status == MASS_OK) status = mass_profile_add(r->profile, i, layers, error);
    }
    return status;
}

mass_status mass_steps_find_held(mass_stepper *r, mass_error *error)
{
    if (!r->domain->until) return MASS_OK;
    uint64_t held = MASS_NOT_HELD;
    const mass_status status = mass_until_held(r->domain, &held, error);
    r->held = held != MASS_NOT_HELD;
    return status;
}

mass_status mass_steps_take_again(mass_stepper *r, uint64_t to, mass_error *error)
{
    mass_status status = MASS_OK;
    mass_steps_forget_ghosts(r->domain);
    while (status == MASS_OK && r->step < to) {
        const mass_plan_step step = {.number = r->step + 1, .observed = r->step + 1 == to, .again = true,
                                     .overlap = mass_steps_overlap(r)};
        status = mass_steps_run(r, &r->plan->step, 0, &step, error);
        r->step++;
    }
    return status;
}

mass_status mass_steps_hand_over(mass_stepper *r, uint64_t first, uint64_t last, mass_error *error)
{
    mass_domain *d = r->domain;
    const size_t row = (size_t)mass_domain_tally_row(d), count = (size_t)(last - first + 1);
    const mass_step_watch *watch = r->watch;
    uint64_t held = MASS_NOT_HELD;
    mass_status status = MASS_OK;
    if (!watch || !watch->row) return MASS_OK;
    if (d->until) status = mass_until_held(d, &held, error);
    int64_t *rows = malloc(count * row * sizeof *rows + 1);
    if (!rows) return mass_error_memory(error, count * row * sizeof *rows, "tallies");
    if (status == MASS_OK) status = mass_domain_read_history(d, (int32_t)count, rows, error);
    for (size_t i = 0; status == MASS_OK && i < count && first + i <= held; i++)
        status = watch->row(watch->context, first + i, rows + i * row, error);
    free(rows);
    return status;
}

bool mass_steps_can_hand_over(const mass_stepper *r)
{
    return r->domain->rows > 1 && r->domain->share.comm->size == 1 && !mass_fuse_why_not(r->domain->model);
}

void mass_steps_copy_current(const mass_domain *d, uint8_t *out)
{
    memcpy(out, d->current, d->model->array_count);
    const mass_model *m = d->model;
    for (uint32_t p = 0; p < m->population_count; p++) out[m->array_count + p] = d->populations[p].current;
}

bool mass_steps_are_current(const mass_domain *d, const uint8_t *recorded)
{
    bool same = memcmp(recorded, d->current, d->model->array_count) == 0;
    for (uint32_t p = 0; p < d->model->population_count; p++)
        same &= recorded[d->model->array_count + p] == d->populations[p].current;
    return same;
}

bool mass_steps_are_observed(const mass_stepper *r) { return r->domain->until || (r->watch && r->watch->every); }

bool mass_steps_are_timed(const mass_stepper *r) { return r->profile || r->repartition.timed; }

bool mass_steps_overlap(const mass_stepper *r)
{
    return r->overlap && !mass_steps_are_timed(r) && !(r->trial.most ? r->trial.apart : r->apart);
}

void mass_steps_forget_ghosts(mass_domain *d)
{
    for (uint32_t s = 0; s < d->model->space_count; s++)
        for (int32_t k = 0; k < d->partition_count; k++)
            for (uint32_t i = 0; i < d->model->array_count; i++) {
                d->partitions[s][k].arrays[i].valid = 0;
                d->partitions[s][k].arrays[i].valid_depth = 0;
            }
}

/* Returns the most fused steps with tallies. The stop condition of several ranks reads totals of all, step by step. */
static int32_t most_observed(const mass_stepper *r)
{
    return r->domain->until && r->domain->share.comm->size > 1 ? 1 : r->tallied;
}

int32_t mass_steps_at_once(const mass_stepper *r)
{
    const int32_t most = mass_steps_are_observed(r) ? most_observed(r) : r->fuse;
    return r->fuse < most ? r->fuse : most;
}

bool mass_steps_are_tried(const mass_stepper *r)
{
    return r->trial.most && (!mass_steps_are_observed(r) || most_observed(r) >= r->trial.most);
}

uint64_t mass_steps_left(const mass_stepper *r, uint64_t to, uint64_t last)
{
    return to < last ? to - r->step : last - r->step - 1;
}
