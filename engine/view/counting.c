/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the steps that charts count. While somebody views the run, it is every step. In a short run it is every step,
 * viewed or not. Otherwise it is so many that counting takes a small part of the run's time, which is measured. A point
 * costs what its step takes more than the steps without a point before it, and what reading its tallies takes. If the
 * host cannot read each step's tallies, charts get some points a second. */
#include "process/progress.h"
#include "view/state.h"

#include <time.h>

static const uint64_t SHORT_STEPS = 5000; /* most steps of a short run */
static const double SHORT_SECONDS = 10;   /* seconds during which it counts every step */
static const double PATIENCE = 3;  /* seconds after the last request for which a viewer is taken to be there */
static const double PART = 0.03;   /* of the run's time, for counting that nobody views */
static const double REST_MOST = 10; /* most seconds from point to point: a measurement may be wrong */
static const uint32_t IN_TURN = 16; /* points in consecutive steps before a step without one is measured */
static const double SAMPLE = 0.25;  /* seconds from point to point if the host cannot read each step, */
static const double SAMPLE_REST = 1000; /* or this many times what a point takes */

/* Returns the time as mass_seconds does, some milliseconds coarser, at a fraction of the cost. */
static double coarse_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns whether the host can read the tallies of each step. Each step must be complete before the next begins, in
 * host memory. On a GPU, and with ranks, the run would have to wait for every step. */
static bool has_steps_at_hand(const mass_domain *d)
{
    return d->share.comm->size == 1 && d->device->table->memory->in_host_memory;
}

void mass_view_counting_begin(mass_view *v)
{
    v->counting.at_hand = has_steps_at_hand(v->domain);
    v->counting.possible = v->plan.by_row || v->plan.every || v->counting.at_hand;
}

uint64_t mass_view_counted(const mass_view *v)
{
    if (v->plan.every) return v->plan.every;
    return v->counting.possible && !v->rows.gaps ? 1 : 0;
}

/* Returns whether the run is short so far, in steps and in time: then its charts count every step. With a stop
 * condition the last step is unknown, and tallies are counted anyway. */
static bool is_short(const mass_view *v)
{
    const mass_view_plan *p = &v->plan;
    if (v->step - p->first_step >= SHORT_STEPS) return false;
    if (!v->domain->until && p->last_step - p->first_step > SHORT_STEPS) return false;
    return coarse_seconds() - v->began - v->seconds < SHORT_SECONDS;
}

/* Returns whether a question waits, or the last one was less than PATIENCE ago. */
static bool is_looked_at(const mass_view *v)
{
    return mass_desk_is_asked(v->desk) || coarse_seconds() - mass_desk_last_asked(v->desk) < PATIENCE;
}

/* Returns whether every step must be counted from now on. */
static bool wants_every(const mass_view *v)
{
    return v->counting.possible && !v->plan.every && (is_looked_at(v) || is_short(v));
}

bool mass_view_counts_every(const mass_view *v) { return v && (v->plan.every == 1 || v->counting.every); }

/* Returns whether a point is left out. After many points in consecutive steps one is, to measure a step without one. */
static bool leaves_one_out(const mass_view_counting *c, uint64_t step)
{
    return c->at_hand && step == c->from_step && c->in_turn >= IN_TURN;
}

bool mass_view_is_point_due(mass_view *v, uint64_t step)
{
    mass_view_counting *c = &v->counting;
    if (v->plan.every) return false;
    if (c->every) return !wants_every(v);
    if (coarse_seconds() < c->due || leaves_one_out(c, step)) return false;
    if (!c->asked) {
        c->asked = mass_seconds();
        c->asked_at = step;
    }
    return true;
}

/* Returns the seconds that this step's point has cost. began: when it was begun. `read`: seconds to read its
 * tallies. Keeps what it measures. If the point was not found to be due, the last cost, or `read` if that is more. */
static double cost_of(mass_view_counting *c, double began, double read)
{
    if (!c->asked) return c->cost > read ? c->cost : read;
    const uint64_t plain = c->asked_at - c->from_step;
    if (plain) c->plain = (c->asked - c->from) / (double)plain;
    c->in_turn = plain ? 1 : c->in_turn + 1;
    const double more = began - c->asked - c->plain;
    c->cost = read + (more > 0 ? more : 0);
    return c->cost;
}

/* Rows are added by mass_view_row or here, so that a later viewer sees the same charts. */
mass_status mass_view_add_point(mass_view *v, mass_error *error)
{
    mass_view_counting *c = &v->counting;
    const double began = mass_seconds();
    if (v->plan.every && v->step % v->plan.every != 0 && v->rows.count) return MASS_OK;
    if (!c->possible && began < c->due) return MASS_OK;
    const mass_status status = mass_view_rows_add(&v->rows, v->domain, v->step, error);
    const double now = mass_seconds();
    double rest = c->at_hand ? cost_of(c, began, now - began) / PART : SAMPLE_REST * (now - began);
    if (!c->at_hand && rest < SAMPLE) rest = SAMPLE;
    v->seconds += now - began;
    c->due = now + (rest < REST_MOST ? rest : REST_MOST);
    return status;
}

void mass_view_go_on_counting(mass_view *v)
{
    v->counting.every = wants_every(v);
    v->counting.asked = 0;
    v->counting.from = mass_seconds();
    v->counting.from_step = v->step;
}

uint64_t mass_view_next_point(const mass_view *v, uint64_t step, uint64_t last)
{
    const uint64_t every = v->counting.every ? 1 : v->plan.every;
    if (!every || v->plan.by_row) return last;
    const uint64_t more = every - step % every;
    return more < last - step ? step + more : last;
}
