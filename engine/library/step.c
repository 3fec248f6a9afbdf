/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of a run, until a number of them, a time, a request or the stop condition. */
#include "library/run.h"
#include "base/plural.h"
#include "population/population.h"
#include "run/ignored.h"
#include "run/replace_until.h"
#include "state/tally.h"

#include <inttypes.h>

/* One call of mass_engine_step. */
typedef struct steps {
    mass_engine *run;
    uint64_t first, last;
    double began, end; /* times by mass_seconds; end 0: none */
    bool over;  /* something ends the call after the present step */
} steps;

static const double LISTENER_SECONDS = 0.1; /* from one call of the program's listener to the next, at least */

/* Tells the program's listener of a step, if it is time to do so. Before, sets the run's now.step. now: by
 * mass_seconds. Returns whether it asks for the end of the call; false without a listener, or too early. */
static bool tell(steps *s, uint64_t step, double now)
{
    mass_engine *run = s->run;
    if (!run->listener || now - run->told_at < LISTENER_SECONDS) return false;
    const mass_engine_progress progress = {step, step - s->first, s->last - s->first, now - s->began};
    run->now.step = step;
    const bool over = mass_library_call_back(run, &progress) != 0;
    run->told_at = mass_seconds();
    return over;
}

/* Returns whether the call ends after one more step. Calls the listener, if it is time to do so. Takes the program's
 * request to interrupt, if there is one. */
static bool stop(void *context, uint64_t step)
{
    steps *s = context;
    const double now = s->end > 0 || s->run->listener ? mass_seconds() : 0;
    if (tell(s, step, now)) s->over = true;
    if (atomic_exchange(&s->run->interrupted, false) || (s->end > 0 && now >= s->end)) s->over = true;
    return s->over;
}

/* Takes the tallies of a step for the series. */
static mass_status take_row(void *context, uint64_t step, const int64_t *tallies, mass_error *error)
{
    return mass_library_add_row(((steps *)context)->run, step, tallies, error);
}

/* Returns the next multiple of `every` after a step, at most `last`, which is after that step. */
static uint64_t next_row(uint64_t step, uint64_t every, uint64_t last)
{
    const uint64_t more = every - step % every;
    return more < last - step ? step + more : last;
}

/* Takes steps up to `last` in one go. rows: adds a row of the series after each of them, which
 * mass_stepper_has_rows has to allow. */
static mass_status advance(steps *s, uint64_t last, bool rows, mass_error *error)
{
    const mass_step_watch watch = {.stop = stop, .every = rows, .row = rows ? take_row : NULL, .context = s};
    return mass_stepper_advance(s->run->session.run, last, &watch, error);
}

/* Takes the steps, with the rows of the series. */
static mass_status take(steps *s, mass_error *error)
{
    mass_engine *run = s->run;
    mass_stepper *stepper = run->session.run;
    const uint64_t every = run->rows.every;
    bool several;
    if (every == 0) return advance(s, s->last, false, error);
    if (every == 1 && mass_stepper_has_rows(stepper, &several)) return advance(s, s->last, true, error);
    mass_status status = MASS_OK;
    while (status == MASS_OK && stepper->step < s->last && !stepper->held && !s->over) {
        status = advance(s, next_row(stepper->step, every, s->last), false, error);
        if (status == MASS_OK) status = mass_library_add_row(run, stepper->step, NULL, error);
    }
    return status;
}

/* Sets the last step of the call, and that of the session if it was earlier. Refuses more steps than there can be, or
 * than parameters by step have values for: in the second case both remain set. */
static mass_status plan(mass_engine *run, uint64_t count, uint64_t *last, mass_error *error)
{
    mass_session *s = &run->session;
    if (count > MASS_STEPS_MAX - s->run->step)
        return mass_error_set(error, MASS_BAD_USAGE, "%" PRIu64 " step%s from step %" PRIu64 " on: the last step can "
                              "be %" PRIu64, count, mass_plural(count), s->run->step, MASS_STEPS_MAX);
    *last = s->run->step + count;
    const uint64_t planned = s->last_step;
    s->last_step = *last;
    const mass_status status = mass_session_check_tables(s, error);
    if (planned > *last) s->last_step = planned;
    return status;
}

/* Reports requests that the engine ignored, after the first steps and again after each call of 100 steps or more. With
 * option strict they are a failure. taken: steps of this call. */
static mass_status report(mass_engine *run, uint64_t taken, mass_error *error)
{
    mass_session *s = &run->session;
    if (run->said && taken < 100) return MASS_OK;
    run->said = true;
    const mass_status status =
        mass_ignored_report(s->domain, &(mass_ignored_listener){mass_faults_add, &s->faults}, error);
    return status == MASS_OK ? mass_faults_check(&s->faults, error) : status;
}

int mass_engine_step(mass_engine *run, uint64_t count, double seconds, uint64_t *taken)
{
    mass_error error;
    const int entered = mass_library_enter_to_change(run, &error);
    if (entered != MASS_OK) return entered;
    mass_stepper *stepper = run->session.run;
    const uint64_t before = stepper->step;
    steps s = {.run = run, .first = before, .began = seconds > 0 || run->listener ? mass_seconds() : 0};
    s.end = seconds > 0 ? s.began + seconds : 0;
    mass_status status = plan(run, count, &s.last, &error);
    if (status == MASS_OK && stepper->held) s.last = before;
    if (status == MASS_OK && s.last > before) {
        status = take(&s, &error);
        if (status != MASS_OK && !stepper->out_of_room) run->now.broken = 1;
        if (status == MASS_OK) status = report(run, stepper->step - before, &error);
    }
    run->now.step = stepper->step;
    run->now.held = stepper->held;
    if (taken) *taken = stepper->step - before;
    return mass_library_leave(run, status, &error);
}

int mass_engine_on_progress(mass_engine *run, mass_engine_listener *call, void *context)
{
    mass_error error;
    const int entered = mass_library_enter_here(run, &error);
    if (entered != MASS_OK) return entered;
    run->listener = call;
    run->listener_context = context;
    run->told_at = mass_seconds();
    return mass_library_leave(run, MASS_OK, &error);
}

void mass_engine_interrupt(mass_engine *run) { atomic_store(&run->interrupted, true); }

mass_status mass_library_set_until(mass_engine *run, const char *text, mass_error *error)
{
    mass_session *s = &run->session;
    const mass_expression_scope scope = {&s->model, mass_session_worlds(s), s->domain->first_world, false};
    mass_expression compiled = {0};
    mass_status status = text ? mass_expression_compile("--until", text, &scope, &compiled, error) : MASS_OK;
    if (status != MASS_OK) return status;
    mass_expression_free(&run->until);
    run->until = compiled;
    status = mass_stepper_replace_until(s->run, text, &run->until, error);
    if (status != MASS_OK) run->now.broken = 1;
    return status;
}

int mass_engine_until(mass_engine *run, const char *text)
{
    mass_error error;
    const int entered = mass_library_enter_to_change(run, &error);
    if (entered != MASS_OK) return entered;
    const mass_status status = mass_library_set_until(run, text, &error);
    run->now.held = run->session.run->held;
    return mass_library_leave(run, status, &error);
}
