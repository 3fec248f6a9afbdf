/* SPDX-License-Identifier: Apache-2.0 */
/* Births and deaths if no agent moves and few are born. Agents keep their order. So the new order is a merge of two
 * lists: the old agents without those that died, and the births, sorted by cell and id. */
#include "cpu/manage_batch.h"

#include <stdlib.h>
#include <string.h>

enum { AHEAD = 16 }; /* births whose cells are prefetched */

/* Orders births by cell, id and number among the births of a parent (for qsort). */
static int in_order(const void *a, const void *b)
{
    const manage_newborn *const x = a, *const y = b;
    if (x->cell != y->cell) return x->cell < y->cell ? -1 : 1;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Sorts births by cell, id and number, if they are not sorted yet. */
static void put_in_order(manage_job *j)
{
    uint32_t i = 1;
    while (i < j->newborn_count && in_order(&j->newborn[i - 1], &j->newborn[i]) <= 0) i++;
    if (i < j->newborn_count) qsort(j->newborn, j->newborn_count, sizeof *j->newborn, in_order);
}

/* Returns whether an agent of a world with an open gate dies. */
static bool is_gone(const manage_job *j, uint32_t i)
{
    if (!(j->w->asked[i] & MASS_ASKED_KILL)) return false;
    return !j->w->gates || !is_closed(j->w, j->w->cell[i] / (uint64_t)j->w->places);
}

/* Lists births that ask for a cell, by cell and parent's id. Sets where[] of births on the parent's cell. */
static void list_newborn(manage_job *j)
{
    j->newborn_count = 0;
    for (uint32_t k = 0; k < j->births; k++) {
        const uint32_t parent = j->parent[k];
        if (j->where[k] == MASS_CELL_STAY) j->where[k] = j->w->cell[parent];
        if (j->where[k] == MASS_CELL_NOWHERE) continue;
        j->newborn[j->newborn_count++] = (manage_newborn){j->w->id[parent], j->where[k], j->number[k], k, 0};
    }
    put_in_order(j);
}

/* Returns the free seats of a cell. A dying agent's seat is free, unless births come first. */
static uint32_t free_seats(const manage_job *j, uint32_t cell)
{
    uint32_t seats = j->w->capacity;
    const uint32_t first = manage_first_agent(j->w, cell);
    const uint32_t end = j->w->occupancy ? first + manage_is_held(j->w, cell) : j->w->start[cell + 1];
    for (uint32_t i = first; seats && i < end; i++) seats -= j->spawn_first || !is_gone(j, i);
    return seats;
}

/* Gives the free seats of each cell to its first births. Removes the others from the list; where[] becomes NOWHERE. */
static void seat_newborn(manage_job *j)
{
    uint32_t seats = 0, seated = 0;
    for (uint32_t i = 0; i < j->newborn_count; i++) {
        const manage_newborn n = j->newborn[i];
        if (i + AHEAD < j->newborn_count && !j->w->occupancy)
            __builtin_prefetch(&j->w->start[j->newborn[i + AHEAD].cell]);
        if (i == 0 || n.cell != j->newborn[i - 1].cell) seats = free_seats(j, n.cell);
        if (seats == 0) j->where[n.birth] = MASS_CELL_NOWHERE;
        seats -= seats > 0;
    }
    for (uint32_t i = 0; i < j->newborn_count; i++)
        if (j->where[j->newborn[i].birth] != MASS_CELL_NOWHERE) j->newborn[seated++] = j->newborn[i];
    j->newborn_count = seated;
}

/* Returns whether the birth's cell is held by an agent that dies. */
static bool is_replaced(const manage_job *j, const manage_newborn *n)
{
    return manage_is_held(j->w, n->cell) && is_gone(j, manage_first_agent(j->w, n->cell));
}

/* Returns whether each death is replaced by a birth on its place, and the caller accepts that (w->stayed). False with
 * gates: agents of closed worlds keep their flags, which needs the general way. */
static bool all_stay(const manage_job *j)
{
    uint32_t gone = 0;
    if (!j->w->stayed || !j->w->occupancy || j->w->gates) return false;
    for (int p = 0; p < j->parts; p++) gone += j->part[p].gone;
    if (gone != j->newborn_count) return false;
    for (uint32_t i = 0; i < j->newborn_count; i++)
        if (!is_replaced(j, &j->newborn[i])) return false;
    return true;
}

/* Finds whether each birth of the part is on the place of its parent, which dies, and no other agent dies. */
static void find_replaced(manage_job *j, int p)
{
    const uint32_t *const asked = j->w->asked, *const cell = j->w->cell, end = j->part[p + 1].births;
    bool all = j->part[p].gone == end - j->part[p].births;
    for (uint32_t k = j->part[p].births; k < end; k++) {
        const uint32_t i = j->parent[k], where = j->where[k], later = manage_later(j->parent, k, end);
        __builtin_prefetch(asked + later);
        __builtin_prefetch(cell + later);
        all &= (asked[i] == (MASS_ASKED_KILL | 1)) & ((where == MASS_CELL_STAY) | (where == cell[i]));
    }
    j->part[p].replaces = all;
}

/* Returns whether find_replaced finds so in all parts, and all_stay would hold. False if births come first. This needs
 * no sorting and no seating of births. */
static bool all_replaced(manage_job *j)
{
    bool all = j->w->stayed && j->w->occupancy && !j->w->gates && !j->spawn_first;
    if (all) manage_each_part(j, find_replaced);
    for (int p = 0; all && p < j->parts; p++) all = j->part[p].replaces;
    return all;
}

void manage_merge_seat(manage_job *j)
{
    if (j->births > 0) {
        manage_list_births(j);
        j->replaces = all_replaced(j);
        if (j->replaces) {
            manage_number_births(j);
            j->stays = true;
            return;
        }
        list_newborn(j);
        if (j->w->capacity) seat_newborn(j);
        manage_number_births(j);
        for (uint32_t i = 0; i < j->newborn_count; i++) j->newborn[i].id = j->child_id[j->newborn[i].birth];
        put_in_order(j);
    }
    j->stays = all_stay(j);
}

/* Returns the first birth on the cell or on a later one. */
static uint32_t newborn_from(const manage_job *j, uint64_t cell)
{
    uint32_t low = 0, high = j->newborn_count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (j->newborn[middle].cell < cell) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* How far the merge of a part is done. */
typedef struct manage_front {
    uint64_t cell;      /* start[] has the new values up to this cell */
    uint32_t agent, at; /* old index of the next agent; next new index */
} manage_front;

/* Updates start[] up to the cell. All agents since the last call have moved by the same number of indices. */
static void move_starts(const manage_job *j, manage_front *f, uint64_t cell)
{
    const uint32_t by = f->at - f->agent;
    if (by)
        for (uint64_t c = f->cell + 1; c <= cell; c++) j->w->start[c] += by;
    f->cell = cell;
}

/* Puts the agents up to `end` - 1 into the new order, without those that die. Updates start[] up to each death. */
static void put_agents(const manage_job *j, manage_front *f, uint32_t end)
{
    const uint32_t *const asked = j->w->asked;
    uint32_t *const order = j->order;
    for (; f->agent < end; f->agent++) {
        if (asked[f->agent] & MASS_ASKED_KILL && is_gone(j, f->agent)) move_starts(j, f, j->w->cell[f->agent]);
        else order[f->at++] = f->agent;
    }
}

/* Returns whether an agent comes before a newborn in the order by cell and id. */
static bool is_ahead(const manage_job *j, uint32_t agent, const manage_newborn *n)
{
    const uint32_t cell = j->w->cell[agent];
    return cell < n->cell || (cell == n->cell && j->w->id[agent] < n->id);
}

/* Returns the first agent, from `agent` to `end` - 1, that comes after a birth. The search doubles its steps, because
 * that agent is mostly near. */
static uint32_t agent_behind(const manage_job *j, uint32_t agent, uint32_t end, const manage_newborn *n)
{
    for (uint32_t step = 1; agent < end && is_ahead(j, agent, n); step *= 2) {
        uint32_t remote = end - agent > step ? agent + step : end;
        if (remote < end && is_ahead(j, remote, n)) {
            agent = remote;
            continue;
        }
        for (agent++; agent < remote;) {
            const uint32_t middle = agent + (remote - agent) / 2;
            if (is_ahead(j, middle, n)) agent = middle + 1;
            else remote = middle;
        }
        return agent;
    }
    return agent;
}

/* Writes ids, cells and refusal flags at new indices `first` to `last` - 1; closed worlds keep their flags. */
static void put_values(const manage_job *j, uint32_t first, uint32_t last)
{
    const mass_manage_work *w = j->w;
    const uint32_t *const order = j->order, *const cell = w->cell, count = j->count;
    const uint64_t *const id = w->id;
    for (uint32_t i = first; i < last; i++) {
        const uint32_t was = order[i];
        w->id_to[i] = was < count ? id[was] : j->child_id[was - count];
        w->cell_to[i] = was < count ? cell[was] : j->where[was - count];
    }
    memset(w->lost_to + first, 0, last - first);
    for (uint32_t i = first; w->gates && i < last; i++)
        if (is_closed(w, w->cell_to[i] / (uint64_t)w->places)) w->lost_to[i] = w->lost[order[i]];
}

/* Merges the part's agents and births into the new order: writes ids, cells and refusal flags, and updates start[]. */
static void arrange_part(manage_job *j, int p)
{
    const manage_part *const part = &j->part[p], *const next = &j->part[p + 1];
    manage_front f = {.agent = part->agent, .at = part->begin, .cell = part->cell};
    if (part->cell == next->cell) return;
    j->w->start[part->cell] = part->begin;
    for (uint32_t i = newborn_from(j, part->cell); i < newborn_from(j, next->cell); i++) {
        put_agents(j, &f, agent_behind(j, f.agent, next->agent, &j->newborn[i]));
        move_starts(j, &f, j->newborn[i].cell);
        j->order[f.at++] = j->count + j->newborn[i].birth;
    }
    put_agents(j, &f, next->agent);
    move_starts(j, &f, next->cell - 1);
    put_values(j, part->begin, f.at);
}

/* ---- with an occupancy bitmap ---- */

/* Lists the part's agents that die, and returns how many. Part p must have `gone` already. */
static uint32_t list_gone(const manage_job *j, int p, uint32_t *gone)
{
    const uint32_t *const asked = j->w->asked, end = j->part[p + 1].agent;
    uint32_t n = 0;
    for (uint32_t i = j->part[p].agent; i < end && n < j->part[p].gone; i++)
        if (asked[i] & MASS_ASKED_KILL && is_gone(j, i)) gone[n++] = i;
    return n;
}

/* Writes the id and the values of a birth at its new index: into the present arrays if agents stay in place, else into
 * the new ones. */
static void put_newborn(const manage_job *j, const manage_newborn *n, uint32_t at)
{
    const mass_manage_work *w = j->w;
    uint64_t *const id = j->stays ? (uint64_t *)w->id : w->id_to;
    id[at] = n->id;
    for (uint32_t i = 0; i < w->array_count; i++) {
        const mass_agent_array *const a = &w->arrays[i];
        char *const to = j->stays ? (char *)a->from : a->to;
        memcpy(to + at * a->size, manage_first_value(j, a, n->birth), a->size);
    }
}

/* Clears the part's refusal flags, and writes its births over the agents that die on the same cells. */
static void put_replaced(manage_job *j, int p)
{
    const manage_part *const part = &j->part[p], *const next = &j->part[p + 1];
    memset((uint8_t *)j->w->lost + part->agent, 0, next->agent - part->agent);
    if (j->births == 0 || part->cell == next->cell) return;
    for (uint32_t i = newborn_from(j, part->cell); i < newborn_from(j, next->cell); i++)
        put_newborn(j, &j->newborn[i], manage_first_agent(j->w, j->newborn[i].cell));
}

/* Copies the values of children `first` to `end`, of SIZE bytes, to their positions: their parents' or the attribute's
 * first value. */
#define PUT_CHILDREN(SIZE)                                                                                         \
    for (uint32_t k = first; k < end; k++) {                                                                       \
        const size_t later = manage_later(parent, k, end);                                                         \
        __builtin_prefetch(to + later * (SIZE));                                                                   \
        if (child) __builtin_prefetch(child + later * (SIZE));                                                     \
        memcpy(to + (size_t)parent[k] * (SIZE), child ? child + (size_t)parent[k] * (SIZE) : a->initial, SIZE);    \
    }

/* Writes one array's values of births `first` to `end` - 1 where their parents were. */
static void put_children(const manage_job *j, const mass_agent_array *a, uint32_t first, uint32_t end)
{
    const char *const child = a->child;
    const uint32_t *const parent = j->parent;
    char *const to = (char *)a->from;
    switch (a->size) {
    case 1: PUT_CHILDREN(1); break;
    case 2: PUT_CHILDREN(2); break;
    case 4: PUT_CHILDREN(4); break;
    case 8: PUT_CHILDREN(8); break;
    default: PUT_CHILDREN(a->size);
    }
}

/* Puts children with their ids into their parents' array elements, and clears these parents' requests and all refusal
 * flags of the part. Afterwards no agent has a request, if none asked to move. */
static void replace_parents(manage_job *j, int p)
{
    const mass_manage_work *w = j->w;
    const uint32_t first = j->part[p].births, end = j->part[p + 1].births, agent = j->part[p].agent;
    uint64_t *const id = (uint64_t *)w->id;
    memset((uint8_t *)w->lost + agent, 0, j->part[p + 1].agent - agent);
    for (uint32_t k = first; k < end; k++) {
        __builtin_prefetch(id + manage_later(j->parent, k, end));
        id[j->parent[k]] = j->child_id[k];
        w->asked[j->parent[k]] = 0;
    }
    for (uint32_t i = 0; i < w->array_count; i++) put_children(j, &w->arrays[i], first, end);
}

/* Sets the number of agents before each of the part's words in the bitmap; `before`: those before the part. */
static void renumber_seats(const manage_job *j, int p, uint32_t before)
{
    for (uint64_t i = j->part[p].cell / MANAGE_WORD; i * MANAGE_WORD < j->part[p + 1].cell; i++) {
        const uint64_t held = manage_held(j, i);
        manage_put_seats(j, i, held, before);
        before += manage_ones(held);
    }
}

/* Copies a part into the new order in runs, and updates the occupancy bitmap; a death with a birth on its place does
 * not end a run. Births first get copies of other values, and then their own. */
static void arrange_seats(manage_job *j, int p)
{
    const mass_manage_work *w = j->w;
    const manage_part *const part = &j->part[p], *const next = &j->part[p + 1];
    uint32_t *const gone = j->order + part->agent, agent = part->agent, deaths = list_gone(j, p, gone), i = 0;
    manage_newborn *const born = j->newborn + newborn_from(j, part->cell), *n = born;
    manage_newborn *const last = j->newborn + newborn_from(j, next->cell);
    bool same = part->begin == part->agent;
    if (part->cell == next->cell) return;
    manage_batch batch = {.end = p + 1 < j->parts ? next->begin : j->total, .agents = j->count};
    manage_batch_end end = manage_begin_batch(&batch, part->begin);
    while (i < deaths || n < last) {
        const uint32_t birth = n < last ? manage_first_agent(w, n->cell) : UINT32_MAX;
        const uint32_t death = i < deaths ? gone[i] : UINT32_MAX, at = birth < death ? birth : death;
        const bool replaced = birth == death && w->cell[at] == n->cell, dies = death < birth || replaced;
        manage_add_run(&end, agent, at - agent);
        if (!dies || replaced) {
            n->at = end.at;
            manage_add_run(&end, replaced ? at : j->parent[n->birth], 1);
            n++;
        }
        agent = at + dies;
        i += dies;
        same &= replaced;
        if (manage_batch_is_full(&batch, end)) end = manage_put_batch(w, &batch, end);
    }
    manage_add_run(&end, agent, next->agent - agent);
    manage_put_batch(w, &batch, end);
    for (i = 0; i < deaths; i++) w->occupancy[w->cell[gone[i]] / 32].held &= ~((uint32_t)1 << w->cell[gone[i]] % 32);
    for (n = born; n < last; n++) {
        w->occupancy[n->cell / 32].held |= (uint32_t)1 << n->cell % 32;
        w->cell_to[n->at] = n->cell;
        put_newborn(j, n, n->at);
    }
    if (!same) renumber_seats(j, p, part->begin);
}

void manage_merge_arrange(manage_job *j)
{
    if (j->stays) {
        manage_each_part(j, j->replaces ? replace_parents : put_replaced);
        j->answered = j->replaces;
        for (int p = 0; p < j->parts; p++) j->answered &= j->part[p].waits;
        *j->w->stayed = true;
        return;
    }
    uint32_t gone = 0;
    for (int p = 0; p < j->parts; p++) {
        j->part[p].begin = j->part[p].agent - gone + newborn_from(j, j->part[p].cell);
        gone += j->part[p].gone;
    }
    manage_each_part(j, j->w->occupancy ? arrange_seats : arrange_part);
}
