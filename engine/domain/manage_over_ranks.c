/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/manage_over_ranks.h"

#include "cpu/kernels.h"
#include "domain/decision.h"

#include <mass/arithmetic.h>
#include <stdlib.h>

static uint8_t state_of(const mass_manage_work *w, uint32_t i)
{
    if (w->asked[i] & MASS_ASKED_KILL) return MASS_IS_GONE;
    if (w->move[i] == MASS_CELL_STAY || w->move[i] == w->cell[i]) return MASS_IS_STAYING;
    return w->move[i] == MASS_CELL_NOWHERE ? MASS_IS_REFUSED : MASS_IS_MOVING;
}

static void look_at_agents(mass_decision *d)
{
    const mass_manage_work *w = d->w;
    for (int32_t world = 0; world <= w->worlds; world++) d->first[world] = w->start[world * w->places];
    for (int32_t world = 0; world < w->worlds; world++)
        for (uint32_t i = d->first[world]; i < d->first[world + 1]; i++) {
            d->state[i] = mass_decision_is_closed(d, world) ? MASS_IS_KEPT : state_of(w, i);
            d->died[world] += d->state[i] == MASS_IS_GONE;
        }
    for (uint64_t cell = 0; d->held && cell < d->cells; cell++) d->held[cell] = w->start[cell + 1] - w->start[cell];
}

static mass_status make(const mass_manage_work *w, const mass_holders *holders, mass_decision **out, mass_error *error)
{
    const size_t worlds = (size_t)w->worlds, count = *w->count, cells = worlds * (size_t)w->places;
    mass_decision *d = calloc(1, sizeof *d);
    if (!d) return mass_error_memory(error, sizeof *d, "a manage");
    *d = (mass_decision){.w = w, .holders = holders, .cells = cells, .count = *w->count,
        .sent_claims = {.comm = holders->comm, .size = sizeof(mass_claim)},
        .refusals = {.comm = holders->comm, .size = sizeof(uint32_t)}, .travellers = {.comm = holders->comm}};
    d->state = malloc(count + 1);
    d->losers = malloc((count + 1) * sizeof *d->losers);
    d->head = calloc(cells + 1, sizeof *d->head);
    d->held = w->capacity ? malloc((cells + 1) * sizeof *d->held) : NULL;
    d->first = malloc((worlds + 1) * sizeof *d->first);
    d->asked = calloc(5 * worlds, sizeof *d->asked);
    *out = d;
    if (!d->state || !d->losers || !d->head || (w->capacity && !d->held) || !d->first || !d->asked)
        return mass_error_memory(error, count * 5 + cells * 8, "a manage");
    d->born = d->asked + worlds;
    d->died = d->born + worlds;
    d->born_before = d->died + worlds;
    d->next_id = d->born_before + worlds;
    look_at_agents(d);
    return MASS_OK;
}

/* The dead leave their seats. */
static void bury(mass_decision *d)
{
    for (uint32_t i = 0; d->held && i < d->count; i++)
        if (d->state[i] == MASS_IS_GONE) d->held[d->w->cell[i]]--;
}

static mass_status do_sub_phase(mass_decision *d, uint32_t which, mass_error *error)
{
    if (which == MASS_SPAWN) return mass_decision_births(d, error);
    if (which == MASS_MIGRATE) return mass_decision_moves(d, error);
    bury(d);
    return MASS_OK;
}

mass_status mass_manage_decide(const mass_manage_work *w, const mass_holders *holders, mass_decision **out,
                               uint64_t *after, mass_error *error)
{
    mass_decision *d = NULL;
    mass_status status = make(w, holders, &d, error);
    for (int i = 0; status == MASS_OK && i < 3; i++) status = do_sub_phase(d, w->order[i], error);
    if (status == MASS_OK) status = mass_decision_transfer(d, error);
    if (status == MASS_OK) status = mass_decision_make_order(d, error);
    if (status == MASS_OK) {
        *out = d;
        *after = d->after;
    } else mass_decision_free(d);
    return status;
}

static void tally(const mass_decision *d)
{
    const mass_manage_work *w = d->w;
    for (int32_t i = 0; i < w->worlds; i++) {
        if (mass_decision_is_closed(d, i)) continue;
        w->next_id[i] += (uint64_t)d->born[i];
        if (w->born) w->born[i] = mass_sum_i64(w->born[i], d->born[i]); /* as all tallies do, it wraps */
        if (w->died) w->died[i] = mass_sum_i64(w->died[i], d->died[i]);
        if (w->refused) w->refused[i] = mass_sum_i64(w->refused[i], d->asked[i] - d->born[i]);
    }
}

void mass_manage_commit(mass_decision *d, const mass_manage_work *w)
{
    d->w = w;
    mass_decision_arrange(d);
    mass_cpu_reset_requests(w, d->first, NULL);
    tally(d);
    mass_decision_free(d);
}

void mass_decision_free(mass_decision *d)
{
    if (!d) return;
    void *const all[] = {d->state, d->losers, d->head, d->held, d->first, d->asked, d->claims.claim, d->claims.cell,
                         d->births, d->order, d->next};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    mass_parcels_free(&d->sent_claims);
    mass_parcels_free(&d->refusals);
    mass_parcels_free(&d->travellers);
    free(d);
}
