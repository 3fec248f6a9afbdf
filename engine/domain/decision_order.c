/* SPDX-License-Identifier: Apache-2.0 */
/* The new canonical order of this rank's agents: every cell is the merge of the agents that stay on it and of those
 * that come to it. Who stands on a cell is an item: 1 + the index of an agent, 1 + the number of agents + that of a
 * birth, or 1 + both numbers + that of an arrival from another rank; 0 is nobody. */
#include "domain/decision.h"

#include <stdlib.h>
#include <string.h>

static bool comes_here(const mass_decision *d, mass_seat s)
{
    return s.cell != MASS_CELL_NOWHERE && s.rank == d->holders->comm->rank;
}

mass_status mass_decision_make_order(mass_decision *d, mass_error *error)
{
    const uint64_t items = (uint64_t)d->count + d->birth_count + d->travellers.arrived;
    uint64_t after = d->travellers.arrived;
    for (uint32_t i = 0; i < d->count; i++)
        after += d->state[i] <= MASS_IS_REFUSED || (d->state[i] == MASS_IS_MOVING && d->w->move[i] != MASS_CELL_FAR);
    for (uint32_t k = 0; k < d->birth_count; k++) after += comes_here(d, d->births[k].seat);
    d->after = after;
    if (items >= UINT32_MAX)
        return mass_error_set(error, MASS_NO_DEVICE, "one rank would have more than 2^32 - 3 agents");
    d->order = malloc((after + 1) * sizeof *d->order);
    d->next = malloc((items + 1) * sizeof *d->next);
    if (!d->order || !d->next)
        return mass_error_memory(error, (items + after) * sizeof *d->next, "the order of agents");
    return MASS_OK;
}

static uint64_t id_of(const mass_decision *d, uint32_t item)
{
    if (item - 1 < d->count) return d->w->id[item - 1];
    const uint32_t k = item - 1 - d->count;
    return k < d->birth_count ? d->births[k].id : mass_decision_arrival(d, k - d->birth_count).id;
}

static uint32_t merge(const mass_decision *d, uint32_t a, uint32_t b)
{
    uint32_t list, *end = &list;
    while (a && b) {
        uint32_t *const from = id_of(d, b) < id_of(d, a) ? &b : &a;
        *end = *from;
        end = &d->next[*from];
        *from = *end;
    }
    *end = a ? a : b;
    return list;
}

/* The first n items of a list, by id. */
static uint32_t sort(const mass_decision *d, uint32_t list, uint32_t n)
{
    if (n == 1) {
        d->next[list] = 0;
        return list;
    }
    uint32_t second = list;
    for (uint32_t i = 0; i < n / 2; i++) second = d->next[second];
    list = sort(d, list, n / 2);
    return merge(d, list, sort(d, second, n - n / 2));
}

static void push(mass_decision *d, uint32_t cell, uint32_t item)
{
    d->next[item] = d->head[cell];
    d->head[cell] = item;
}

/* Lists who comes to each cell. */
static void list_comers(mass_decision *d)
{
    for (uint32_t i = 0; i < d->count; i++)
        if (d->state[i] == MASS_IS_MOVING && d->w->move[i] != MASS_CELL_FAR) push(d, d->w->move[i], 1 + i);
    for (uint32_t k = 0; k < d->birth_count; k++)
        if (comes_here(d, d->births[k].seat)) push(d, d->births[k].seat.cell, 1 + d->count + k);
    for (uint32_t i = 0; i < d->travellers.arrived; i++)
        push(d, mass_decision_arrival(d, i).cell, 1 + d->count + d->birth_count + i);
}

static void put(const mass_decision *d, uint32_t at, uint32_t cell, uint32_t item)
{
    const mass_manage_work *w = d->w;
    const uint8_t state = item - 1 < d->count ? d->state[item - 1] : MASS_IS_MOVING;
    d->order[at] = item - 1;
    w->id_to[at] = id_of(d, item);
    w->cell_to[at] = cell;
    w->lost_to[at] = state == MASS_IS_KEPT ? w->lost[item - 1] : state == MASS_IS_REFUSED;
}

/* The agents from i to before end that stay on a cell, merged with those who come; returns the index after them. */
static uint32_t put_cell(const mass_decision *d, uint32_t at, uint32_t cell, uint32_t i, uint32_t end)
{
    uint32_t list = d->head[cell], n = 0;
    for (uint32_t item = list; item; item = d->next[item]) n++;
    if (n > 1) list = sort(d, list, n);
    for (; i < end; i++) {
        if (d->state[i] > MASS_IS_REFUSED) continue;
        for (; list && id_of(d, list) < d->w->id[i]; list = d->next[list]) put(d, at++, cell, list);
        put(d, at++, cell, 1 + i);
    }
    for (; list; list = d->next[list]) put(d, at++, cell, list);
    return at;
}

static const void *value_of(const mass_decision *d, uint32_t array, size_t before, uint32_t i)
{
    const mass_agent_array *a = &d->w->arrays[array];
    if (i < d->count) return (const char *)a->from + i * a->size;
    const uint32_t k = i - d->count;
    if (k < d->birth_count) return mass_decision_first_value(d, a, &d->births[k]);
    return d->travellers.arrivals + (size_t)(k - d->birth_count) * d->travellers.size + before;
}

static void copy_values(const mass_decision *d)
{
    const mass_manage_work *w = d->w;
    size_t before = sizeof(mass_traveller);
    for (uint32_t k = 0; k < w->array_count; before += w->arrays[k++].size)
        for (uint64_t i = 0; i < d->after; i++)
            memcpy((char *)w->arrays[k].to + i * w->arrays[k].size, value_of(d, k, before, d->order[i]),
                   w->arrays[k].size);
}

void mass_decision_arrange(mass_decision *d)
{
    uint32_t *const start = d->w->start, at = 0, i = 0;
    list_comers(d);
    for (uint64_t cell = 0; cell < d->cells; cell++) {
        const uint32_t end = start[cell + 1];
        start[cell] = at;
        at = put_cell(d, at, (uint32_t)cell, i, end);
        i = end;
    }
    start[d->cells] = at;
    *d->w->count = at;
    copy_values(d);
}
