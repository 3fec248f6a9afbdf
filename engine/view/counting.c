/* SPDX-License-Identifier: Apache-2.0 */
/* Which steps charts count. While somebody looks, every step; and of a short run every step, whoever looks. Otherwise
 * so many that counting takes a small part of the run's time, which is measured: a point costs what its step takes
 * beyond the steps without a point before it, and what reading its tallies takes. Where steps are not at hand, charts
 * have some points a second. */
#include "process/progress.h"
#include "view/state.h"

#include <time.h>

static const uint64_t SHORT_STEPS = 5000; /* a short run has so many steps at most, */
static const double SHORT_SECONDS = 10;   /* and counts every one for so long at most */
static const double PATIENCE = 3;  /* seconds after the last question in which somebody still looks */
static const double PART = 0.03;   /* of the run's time, for counting that nobody looks at */
static const double REST_MOST = 10; /* seconds from point to point, at most: a measurement may be wrong */
static const uint32_t IN_TURN = 16; /* points in consecutive steps, before a step without one is measured */
static const double SAMPLE = 0.25;  /* where steps are not at hand: seconds from point to point, */
static const double SAMPLE_REST = 1000; /* or so many times as many as one takes */

/* As mass_seconds has it, to some milliseconds, for a fraction of the time. */
static double coarse_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Each is complete before the next one begins, in memory that the host reads; on a GPU, and over ranks, every step
 * would have to be waited for. */
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

/* With a stop condition nobody knows the last step, and tallies are counted anyway. */
static bool is_short(const mass_view *v)
{
    const mass_view_plan *p = &v->plan;
    if (v->step - p->first_step >= SHORT_STEPS) return false;
    if (!v->domain->until && p->last_step - p->first_step > SHORT_STEPS) return false;
    return coarse_seconds() - v->began - v->seconds < SHORT_SECONDS;
}

static bool is_looked_at(const mass_view *v)
{
    return mass_desk_is_asked(v->desk) || coarse_seconds() - mass_desk_last_asked(v->desk) < PATIENCE;
}

/* Whether every step has to be counted from here on. */
static bool wants_every(const mass_view *v)
{
    return v->counting.possible && !v->plan.every && (is_looked_at(v) || is_short(v));
}

bool mass_view_counts_every(const mass_view *v) { return v && (v->plan.every == 1 || v->counting.every); }

/* One of many points in consecutive steps is left out, so that what steps take without one stays known. */
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

/* Seconds that the point of this step has taken, with `read` for its tallies. */
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

/* Rows come by mass_view_row or here. So who comes late sees what charts have shown. */
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
