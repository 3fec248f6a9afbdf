/* SPDX-License-Identifier: Apache-2.0 */
#include "run/balancing.h"
#include "process/progress.h"
#include "ranks/call.h"
#include "snapshot/repartition.h"
#include "split/balance.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_LOOK = 8, /* steps of a run after which it is looked at for the first time, or earlier */
    TIMED_STEPS = 4 /* before each look, where devices meet without the host */
};

/* ---- when ---- */

void mass_balance_every(mass_stepper *r, uint64_t steps)
{
    r->balancing.every = steps;
    r->balancing.look_at = r->step + (steps < FIRST_LOOK ? steps : FIRST_LOOK);
}

bool mass_balance_is_due(const mass_stepper *r)
{
    const mass_balancing *b = &r->balancing;
    return b->every > 0 && r->step >= b->look_at && mass_share_is_cut(&r->domain->share);
}

void mass_balance_bound_chunk(const mass_stepper *r, mass_call_advance *c)
{
    const mass_balancing *b = &r->balancing;
    if (b->every == 0 || !mass_share_is_cut(&r->domain->share)) return;
    const uint64_t timed_from = b->look_at > TIMED_STEPS ? b->look_at - TIMED_STEPS : 0;
    const uint64_t end = r->domain->share.link && r->step < timed_from ? timed_from : b->look_at;
    c->timed = !r->domain->share.link || r->step >= timed_from;
    if (c->to > end) c->to = end;
}

/* ---- how long ---- */

double mass_balance_begin(mass_stepper *r, bool timed)
{
    r->balancing.timed = timed && r->domain->share.link;
    r->balancing.met = 0;
    return mass_seconds() - r->domain->share.comm->waited;
}

void mass_balance_end(mass_stepper *r, bool timed, double began)
{
    const double worked = mass_seconds() - r->domain->share.comm->waited - began - r->balancing.met;
    if (timed) r->balancing.worked += worked;
    r->balancing.timed = false;
}

mass_status mass_balance_run(mass_stepper *r, const mass_plan_operation *op, const mass_plan_step *step,
                             mass_error *error)
{
    mass_device *device = r->domain->device;
    const mass_launch_operations *launch = device->table->launch;
    const mass_comm *comm = r->domain->share.comm;
    if (op->kind != MASS_PLAN_EXCHANGE && op->kind != MASS_PLAN_DELIVER && op->kind != MASS_PLAN_ALL_REDUCE)
        return mass_plan_run(r->domain, r->prepared, op, step, error);
    mass_status status = launch->synchronise(device, error);
    const double began = mass_seconds() - comm->waited;
    if (status == MASS_OK) status = mass_plan_run(r->domain, r->prepared, op, step, error);
    if (status == MASS_OK) status = launch->synchronise(device, error);
    r->balancing.met += mass_seconds() - comm->waited - began;
    return status;
}

/* ---- another cut ---- */

/* What others hold on to by its address stays: the plan is exchanged for one of the new slabs. */
static mass_status plan_anew(mass_stepper *r, mass_error *error)
{
    mass_plan *plan = NULL;
    const mass_status status = mass_plan_create(r->domain, &plan, error);
    if (status != MASS_OK) return status;
    const mass_plan old = *r->plan;
    *r->plan = *plan;
    *plan = old;
    mass_plan_free(plan);
    return MASS_OK;
}

static mass_status cut_anew(mass_stepper *r, const int64_t *before, mass_error *error)
{
    mass_error why;
    const mass_status status = mass_domain_recut(r->domain, before, &why, error);
    if (status != MASS_OK) return status;
    if (why.status == MASS_OK) {
        r->balancing.recuts++;
        return plan_anew(r, error);
    }
    if (r->domain->share.comm->rank == 0 && !r->balancing.stays)
        mass_progress_say("mass-engine: slabs stay as they are: %s", why.text);
    r->balancing.stays = true;
    return MASS_OK;
}

/* Rank 0 decides, so that all have the same cuts. seconds: [ranks]; before: [ranks + 1]. */
static mass_status look(mass_stepper *r, double *seconds, int64_t *before, mass_error *error)
{
    mass_domain *d = r->domain;
    mass_comm *comm = d->share.comm;
    const double own = r->balancing.worked;
    mass_balance *balance = r->balancing.balance;
    int64_t moves = 0;
    r->balancing.worked = 0;
    if (comm->rank == 0 && !balance) balance = r->balancing.balance = calloc(1, sizeof *balance);
    if (comm->rank == 0 && !balance) return mass_error_memory(error, sizeof *balance, "what rows take");
    mass_status status = comm->table->all_gather(comm, &own, sizeof own, seconds, error);
    if (status == MASS_OK && comm->rank == 0) moves = mass_balance_find(balance, &d->share, d->model, seconds, before);
    if (status == MASS_OK) status = comm->table->broadcast(comm, &moves, sizeof moves, error);
    if (status != MASS_OK || !moves) return status;
    status = comm->table->broadcast(comm, before, ((size_t)comm->size + 1) * sizeof *before, error);
    return status == MASS_OK ? cut_anew(r, before, error) : status;
}

mass_status mass_balance_slabs(mass_stepper *r, mass_error *error)
{
    mass_comm *comm = r->domain->share.comm;
    const size_t ranks = (size_t)comm->size;
    mass_status status = mass_call_tell(comm, MASS_CALL_REBALANCE, NULL, 0, error);
    double *seconds = calloc(ranks, sizeof *seconds);
    int64_t *before = calloc(ranks + 1, sizeof *before);
    if (status == MASS_OK && (!seconds || !before))
        status = mass_error_memory(error, 2 * ranks * sizeof *before, "ranks");
    if (status == MASS_OK) status = look(r, seconds, before, error);
    free(seconds);
    free(before);
    mass_balancing *b = &r->balancing;
    if (b->every) b->look_at = (r->step / b->every + 1) * b->every;
    return mass_call_abandon(comm, status, error);
}
