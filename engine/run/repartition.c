/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the ranks' speed, and gives them other shares or other rows if they differ too much. */
#include "run/repartition.h"
#include "process/progress.h"
#include "ranks/rpc.h"
#include "snapshot/repartition.h"
#include "split/repartition.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
    FIRST_LOOK = 8, /* most steps before the first check */
    TIMED_STEPS = 4 /* timed steps before each check, if devices exchange without the host */
};

/* ---- at the start ---- */

/* Returns a hash of the device's kind. */
static uint64_t kind_of(mass_device *device)
{
    char kind[MASS_DEVICE_KIND] = "";
    if (device->table->kind) device->table->kind(device, kind);
    return XXH3_64bits(kind, strlen(kind));
}

/* Decides if ranks have to measure. Rank 0 decides and tells the others. kinds: [ranks], for the result. All ranks call
 * it together. */
static mass_status decide(mass_comm *comm, mass_device *device, mass_shares_wish wish, uint64_t *kinds, bool *measure,
                          mass_error *error)
{
    const uint64_t own = kind_of(device);
    int64_t wanted = wish == MASS_SHARES_BY_RATE;
    mass_status status = comm->table->all_gather(comm, &own, sizeof own, kinds, error);
    for (int32_t r = 1; status == MASS_OK && r < comm->size; r++) wanted |= kinds[r] != kinds[0];
    if (status == MASS_OK) status = comm->table->broadcast(comm, &wanted, sizeof wanted, error);
    *measure = wanted != 0;
    return status;
}

/* Measures the copy rate of all ranks. *differ: rank 0 found different shares. rates, shares: [ranks]. All ranks
 * call it together and get the same. */
static mass_status measure(mass_comm *comm, mass_device *device, double *rates, int32_t *shares, bool *differ,
                           mass_error *error)
{
    double own = 0;
    int64_t uneven = 0;
    mass_status status = comm->table->barrier(comm, error);
    if (status != MASS_OK) return status;
    status = mass_rpc_agree(comm, device->table->memory->copy_rate(device, &own, error), error);
    if (own <= 0) own = 1; /* the clock did not advance */
    if (status == MASS_OK) status = comm->table->all_gather(comm, &own, sizeof own, rates, error);
    if (status == MASS_OK && comm->rank == 0) uneven = mass_shares_of_rates(rates, comm->size, shares);
    if (status == MASS_OK) status = comm->table->broadcast(comm, &uneven, sizeof uneven, error);
    if (status == MASS_OK) status = comm->table->broadcast(comm, shares, (size_t)comm->size * sizeof *shares, error);
    *differ = uneven != 0;
    return status;
}

mass_status mass_shares_measure(mass_comm *comm, mass_device *device, mass_shares_wish wish, int32_t **out,
                                mass_error *error)
{
    const size_t ranks = (size_t)comm->size;
    bool wanted = false, differ = false;
    *out = NULL;
    if (wish == MASS_SHARES_GIVEN || comm->size == 1) return MASS_OK;
    uint64_t *kinds = calloc(ranks, sizeof *kinds);
    double *rates = calloc(ranks, sizeof *rates);
    int32_t *shares = calloc(ranks, sizeof *shares);
    mass_status status = MASS_OK;
    if (!kinds || !rates || !shares) status = mass_error_memory(error, 3 * ranks * sizeof *kinds, "ranks");
    status = mass_rpc_agree(comm, status, error);
    if (status == MASS_OK) status = decide(comm, device, wish, kinds, &wanted, error);
    if (status == MASS_OK && wanted) status = measure(comm, device, rates, shares, &differ, error);
    free(kinds);
    free(rates);
    if (status == MASS_OK && differ) *out = shares;
    else free(shares);
    return status;
}

/* ---- times of checks ---- */

void mass_repartition_every(mass_stepper *r, uint64_t steps)
{
    r->repartition.every = steps;
    r->repartition.look_at = r->step + (steps < FIRST_LOOK ? steps : FIRST_LOOK);
}

bool mass_repartition_is_due(const mass_stepper *r)
{
    const mass_repartition_state *p = &r->repartition;
    return p->every > 0 && r->step >= p->look_at && mass_share_is_split(&r->domain->share);
}

void mass_repartition_limit_chunk(const mass_stepper *r, mass_rpc_advance *c)
{
    const mass_repartition_state *p = &r->repartition;
    if (p->every == 0 || !mass_share_is_split(&r->domain->share)) return;
    const uint64_t timed_from = p->look_at > TIMED_STEPS ? p->look_at - TIMED_STEPS : 0;
    const uint64_t end = r->domain->share.link && r->step < timed_from ? timed_from : p->look_at;
    c->timed = !r->domain->share.link || r->step >= timed_from;
    if (c->to > end) c->to = end;
}

/* ---- timing ---- */

double mass_repartition_begin_timing(mass_stepper *r, bool timed)
{
    r->repartition.timed = timed && r->domain->share.link;
    r->repartition.met = 0;
    return mass_seconds() - r->domain->share.comm->waited;
}

void mass_repartition_end_timing(mass_stepper *r, bool timed, double began)
{
    const double worked = mass_seconds() - r->domain->share.comm->waited - began - r->repartition.met;
    if (timed) r->repartition.worked += worked;
    r->repartition.timed = false;
}

mass_status mass_repartition_run_timed(mass_stepper *r, const mass_plan_operation *op, const mass_plan_step *step,
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
    r->repartition.met += mass_seconds() - comm->waited - began;
    return status;
}

/* ---- new slabs ---- */

/* Replaces the contents of the plan with those for the new slabs. Its address stays, because others keep it. */
static mass_status replan(mass_stepper *r, mass_error *error)
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

/* Moves the state to new slabs, before[ranks + 1] (share.h), and makes their plan, or tells the user once why that is
 * impossible. All ranks call it. */
static mass_status repartition(mass_stepper *r, const int64_t *before, mass_error *error)
{
    mass_error why;
    const mass_status status = mass_repartition_move(r->domain, before, &why, error);
    if (status != MASS_OK) return status;
    if (why.status == MASS_OK) {
        r->repartition.done++;
        return replan(r, error);
    }
    if (r->domain->share.comm->rank == 0 && !r->repartition.stays)
        mass_progress_say("mass-engine: slabs stay as they are: %s", why.text);
    r->repartition.stays = true;
    return MASS_OK;
}

/* Finds new slabs and moves the state to them, or keeps the present ones. Rank 0 decides, so all ranks have the same
 * rows. Sets repartition.worked to 0. seconds: [ranks]; before: [ranks + 1]. */
static mass_status look(mass_stepper *r, double *seconds, int64_t *before, mass_error *error)
{
    mass_domain *d = r->domain;
    mass_comm *comm = d->share.comm;
    const double own = r->repartition.worked;
    mass_row_times *times = r->repartition.row_times;
    int64_t moves = 0;
    r->repartition.worked = 0;
    if (comm->rank == 0 && !times) times = r->repartition.row_times = calloc(1, sizeof *times);
    if (comm->rank == 0 && !times) return mass_error_memory(error, sizeof *times, "what rows take");
    mass_status status = comm->table->all_gather(comm, &own, sizeof own, seconds, error);
    if (status == MASS_OK && comm->rank == 0)
        moves = mass_repartition_find(times, &d->share, d->model, seconds, before);
    if (status == MASS_OK) status = comm->table->broadcast(comm, &moves, sizeof moves, error);
    if (status != MASS_OK || !moves) return status;
    status = comm->table->broadcast(comm, before, ((size_t)comm->size + 1) * sizeof *before, error);
    return status == MASS_OK ? repartition(r, before, error) : status;
}

mass_status mass_repartition_slabs(mass_stepper *r, mass_error *error)
{
    mass_comm *comm = r->domain->share.comm;
    const size_t ranks = (size_t)comm->size;
    mass_status status = mass_rpc_tell(comm, MASS_RPC_REPARTITION, NULL, 0, error);
    double *seconds = calloc(ranks, sizeof *seconds);
    int64_t *before = calloc(ranks + 1, sizeof *before);
    if (status == MASS_OK && (!seconds || !before))
        status = mass_error_memory(error, 2 * ranks * sizeof *before, "ranks");
    if (status == MASS_OK) status = look(r, seconds, before, error);
    free(seconds);
    free(before);
    mass_repartition_state *p = &r->repartition;
    if (p->every) p->look_at = (r->step / p->every + 1) * p->every;
    return mass_rpc_abandon(comm, status, error);
}
