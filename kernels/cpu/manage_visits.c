/* SPDX-License-Identifier: Apache-2.0 */
/* Unsorted agents (manage_unsorted.c) of a rank that holds a part of the space. Agents of other ranks that claim cells
 * here are visitors. They claim seats like the rank's own agents, with items of their own. A visitor that is turned
 * away returns to its cell on its own rank. An own agent that asks for another rank's cell leaves its cell as if that
 * were granted, until the other rank reports a refusal. The outcome does not depend on the order of claims, so it does
 * not matter when ranks hear of refusals. */
#include "conflict.h"
#include "cpu/manage_sparse.h"

#include <string.h>

/* Returns the visitor of an item, which must be one. */
static manage_visitor *visitor_of(const manage_job *j, uint32_t item) { return &j->visitor[item - 1 - j->count]; }

/* Returns whether an item is an agent of another rank that claims a cell of this one. */
static bool is_visitor(const manage_job *j, uint32_t item) { return item > j->count; }

/* Returns the id of an item: an agent of this rank, or one that comes from another rank. */
static uint64_t id_of(const manage_job *j, uint32_t item)
{
    return is_visitor(j, item) ? visitor_of(j, item)->id : j->w->id[item - 1];
}

/* Returns the conflict key of an agent, or of a visitor as its own rank sent it. The lower key wins. */
static uint64_t key_of(const manage_job *j, uint32_t item)
{
    if (is_visitor(j, item)) return visitor_of(j, item)->key;
    return j->w->conflict == MASS_LOWEST_ID ? 0 : mass_conflict_key(j->w, item - 1, 0, j->w->id[item - 1]);
}

/* Returns whether item a has less right to a cell than item b. */
static bool loses_to(const manage_job *j, uint32_t a, uint32_t b)
{
    const uint64_t of_a = key_of(j, a), of_b = key_of(j, b);
    return of_a != of_b ? of_a > of_b : id_of(j, a) > id_of(j, b);
}

/* Returns whether the item on a cell's seat is the cell's own agent, which has returned. */
static bool is_home(const manage_job *j, uint32_t item, uint32_t cell)
{
    return !is_visitor(j, item) && j->w->cell[item - 1] == cell;
}

void manage_claim_visits(manage_job *j)
{
    for (uint32_t k = 0; k < j->visitor_count; k++) {
        const uint32_t item = 1 + j->count + k, cell = j->visitor[k].cell;
        uint32_t *const seat = seat_of(j, cell), old = *seat;
        if (is_kept(j, cell) || (old && (is_home(j, old, cell) || loses_to(j, item, old)))) {
            j->visitor[k].turned_away = MANAGE_TURNED_AWAY;
            continue;
        }
        *seat = item;
        if (old && is_visitor(j, old)) visitor_of(j, old)->turned_away = MANAGE_TURNED_AWAY;
        else if (old) return_home(j, old - 1, false);
    }
}

/* ---- in the arrays ---- */

/* Makes visitor k, which comes from another rank, agent i of this one: its id, cell and values, without requests. */
static void put_visitor(const manage_job *j, uint32_t i, uint32_t k)
{
    const mass_manage_work *w = j->w;
    const char *value = j->arrivals + k * j->arrival_size;
    ((uint64_t *)w->id)[i] = j->visitor[k].id;
    ((uint32_t *)w->cell)[i] = j->visitor[k].cell;
    ((uint8_t *)w->lost)[i] = 0;
    w->move[i] = MASS_CELL_STAY;
    w->asked[i] = 0;
    for (uint32_t a = 0; a < w->array_count; value += w->arrays[a++].size)
        memcpy((char *)w->arrays[a].from + i * w->arrays[a].size, value, w->arrays[a].size);
}

/* Copies an agent into another one's array elements, without its requests. */
static void put_agent(const manage_job *j, uint32_t to, uint32_t from)
{
    const mass_manage_work *w = j->w;
    ((uint64_t *)w->id)[to] = w->id[from];
    ((uint32_t *)w->cell)[to] = w->cell[from];
    ((uint8_t *)w->lost)[to] = w->lost[from];
    for (uint32_t a = 0; a < w->array_count; a++) {
        char *const values = (char *)w->arrays[a].from;
        memcpy(values + to * w->arrays[a].size, values + from * w->arrays[a].size, w->arrays[a].size);
    }
}

void manage_exchange_agents(manage_job *j)
{
    uint32_t left = 0, end = j->count, last = j->leaver_count;
    for (uint32_t k = 0; k < j->visitor_count; k++)
        if (j->visitor[k].turned_away == MANAGE_STAYS) put_visitor(j, left < last ? j->leaver[left++] : end++, k);
    while (left < last)
        if (j->leaver[last - 1] == --end) last--;
        else put_agent(j, j->leaver[left++], end);
}
