/* SPDX-License-Identifier: Apache-2.0 */
/* Claims to cells: sends them to the ranks of the cells, and grants or refuses them. */
#include "population/manage/decision.h"

#include <stdlib.h>

/* Returns the rank that holds a place. */
static int32_t holder_of(const mass_weights *h, int64_t place)
{
    int32_t low = 0, high = h->comm->size;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (h->first_place[middle] <= place) low = middle;
        else high = middle;
    }
    return low;
}

mass_seat mass_decision_seat(const mass_decision *d, int32_t world, uint32_t cell, const int64_t *place)
{
    const mass_weights *h = d->weights;
    if (cell != MASS_CELL_REMOTE) return (mass_seat){h->comm->rank, cell};
    const int32_t rank = holder_of(h, *place);
    const int64_t first = h->first_place[rank], places = h->first_place[rank + 1] - first;
    return (mass_seat){rank, (uint32_t)(world * places + *place - first)};
}

/* Makes room for at least one more claim. Existing claims remain. Fails if memory is short or numbers of 32 bits do not
 * suffice. */
static mass_status enlarge(mass_claims *c, mass_error *error)
{
    const uint32_t room = c->room < UINT32_MAX / 2 ? 2 * c->room + 64 : UINT32_MAX;
    if (c->count == UINT32_MAX - 1)
        return mass_error_set(error, MASS_NO_DEVICE, "agents ask for more than 2^32 - 2 places of one rank");
    mass_claim *claim = realloc(c->claim, room * sizeof *claim);
    if (claim) c->claim = claim;
    uint32_t *cell = realloc(c->cell, room * sizeof *cell);
    if (cell) c->cell = cell;
    if (!claim || !cell) return mass_error_memory(error, room * sizeof *claim, "what agents ask for");
    c->room = room;
    return MASS_OK;
}

mass_status mass_decision_add(mass_decision *d, mass_claim claim, mass_error *error)
{
    mass_claims *c = &d->claims;
    const mass_status status = c->count < c->room ? MASS_OK : enlarge(c, error);
    if (status != MASS_OK) return status;
    claim.next = d->head[claim.cell];
    if (claim.next == 0) c->cell[c->cell_count++] = claim.cell;
    c->claim[c->count] = claim;
    d->head[claim.cell] = ++c->count;
    return MASS_OK;
}

mass_status mass_decision_add_arrived(mass_decision *d, bool births, mass_error *error)
{
    const mass_claim *arrived = (const mass_claim *)d->sent_claims.arrivals;
    mass_status status = MASS_OK;
    for (uint64_t i = 0; status == MASS_OK && i < d->sent_claims.arrived; i++)
        if (arrived[i].is_birth == births) status = mass_decision_add(d, arrived[i], error);
    return status;
}

mass_status mass_decision_send(mass_decision *d, mass_seat seat, mass_claim claim, mass_error *error)
{
    claim.rank = d->weights->comm->rank;
    claim.cell = seat.cell;
    mass_claim *sent = mass_record_buffers_add(&d->sent_claims, seat.rank, error);
    if (!sent) return error->status;
    *sent = claim;
    return MASS_OK;
}

/* Returns true if claim a is worse than claim b. */
static bool is_worse(const mass_claim *a, const mass_claim *b)
{
    return a->key > b->key || (a->key == b->key && a->id > b->id);
}

/* Merges two linked lists of claims that are sorted worst first. Returns the first claim's number; 0 is the end of a
 * list. */
static uint32_t merge(mass_claim *claim, uint32_t a, uint32_t b)
{
    uint32_t list, *end = &list;
    while (a && b) {
        uint32_t *const from = is_worse(&claim[b - 1], &claim[a - 1]) ? &b : &a;
        *end = *from;
        end = &claim[*from - 1].next;
        *from = *end;
    }
    *end = a ? a : b;
    return list;
}

/* Sorts the first n claims of a list, at least one, worst first, and returns the list. */
static uint32_t sort(mass_claim *claim, uint32_t list, uint32_t n)
{
    if (n == 1) {
        claim[list - 1].next = 0;
        return list;
    }
    uint32_t second = list;
    for (uint32_t i = 0; i < n / 2; i++) second = claim[second - 1].next;
    list = sort(claim, list, n / 2);
    return merge(claim, list, sort(claim, second, n - n / 2));
}

/* Refuses the worst claim to a cell, which has one and is sorted: takes it out of the cell's list, and tells its
 * agent's rank with the next messages. */
static mass_status take_back_worst(mass_decision *d, uint32_t cell, mass_error *error)
{
    const mass_claim *c = &d->claims.claim[d->head[cell] - 1];
    d->head[cell] = c->next;
    if (c->rank == d->weights->comm->rank) {
        d->take_back(d, c->index);
        return MASS_OK;
    }
    uint32_t *index = mass_record_buffers_add(&d->refusals, c->rank, error);
    if (!index) return error->status;
    *index = c->index;
    return MASS_OK;
}

/* Grants the best claims to a cell, which has some, as many as it has free seats, and refuses the others. Counts those
 * that are granted in d->held. */
static mass_status decide_cell(mass_decision *d, uint32_t cell, mass_error *error)
{
    uint32_t claims = 0;
    for (uint32_t i = d->head[cell]; i; i = d->claims.claim[i - 1].next) claims++;
    const uint32_t free_seats = d->w->capacity > d->held[cell] ? d->w->capacity - d->held[cell] : 0;
    d->head[cell] = sort(d->claims.claim, d->head[cell], claims);
    mass_status status = MASS_OK;
    for (; status == MASS_OK && claims > free_seats; claims--) status = take_back_worst(d, cell, error);
    d->held[cell] += claims;
    return status;
}

mass_status mass_decision_keep_best(mass_decision *d, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < d->claims.cell_count; i++)
        status = decide_cell(d, d->claims.cell[i], error);
    return status;
}

mass_status mass_decision_take_seat(mass_decision *d, uint32_t cell, mass_error *error)
{
    if (!d->head[cell] || d->held[cell] < d->w->capacity) {
        d->held[cell]++;
        return MASS_OK;
    }
    return take_back_worst(d, cell, error);
}

mass_status mass_decision_tell(mass_decision *d, mass_error *error)
{
    const mass_status status = mass_record_buffers_exchange(&d->refusals, error);
    const uint32_t *index = (const uint32_t *)d->refusals.arrivals;
    for (uint64_t i = 0; status == MASS_OK && i < d->refusals.arrived; i++) d->take_back(d, index[i]);
    return status;
}

mass_status mass_decision_settle(mass_decision *d, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; i < d->claims.cell_count; i++) {
        const uint32_t cell = d->claims.cell[i];
        for (uint32_t k = d->head[cell]; k; k = d->claims.claim[k - 1].next)
            if (status == MASS_OK && d->claims.claim[k - 1].rank != d->weights->comm->rank)
                status = mass_numbers_add(&d->arrivals, cell, error);
        d->head[cell] = 0;
    }
    d->claims.count = d->claims.cell_count = 0;
    return status;
}
