/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks_of_a_case.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

int64_t number_of_first_place;

static void *memory(size_t bytes)
{
    void *const m = calloc(1, bytes + 1);
    cr_assert(m);
    return m;
}

static size_t priority_size(const mass_manage_work *w)
{
    return w->priority_type == MASS_I32 || w->priority_type == MASS_U32 || w->priority_type == MASS_F32 ? 4 : 8;
}

int array_of_priorities(const mass_manage_work *w) { return priority_size(w) == 4 ? 2 : 3; }

/* Copies element `from` of an array to element `to` of another one. */
static void copy(void *to_array, size_t to, const void *from_array, size_t from, size_t size)
{
    memcpy((char *)to_array + to * size, (const char *)from_array + from * size, size);
}

static void make_arrays(part *p, const mass_manage_work *whole, uint32_t room)
{
    mass_manage_work *const w = &p->w;
    const size_t r = room, children = w->children;
    w->room = room;
    w->id = memory(8 * r), w->cell = memory(4 * r), w->lost = memory(r);
    w->id_to = memory(8 * r), w->cell_to = memory(4 * r), w->lost_to = memory(r);
    w->move = memory(4 * r), w->asked = memory(4 * r), w->child_cell = memory(4 * r * children);
    w->remote_move = memory(8 * r), w->remote_child = memory(8 * r * children), w->priority = memory(8 * r);
    for (int k = 0; k < ARRAYS; k++) {
        const mass_agent_array *const a = &whole->arrays[k];
        p->arrays[k] = (mass_agent_array){.from = memory(r * a->size), .to = memory(r * a->size), .size = a->size,
                                          .child = a->child ? memory(r * children * a->size) : NULL,
                                          .initial = a->initial};
    }
    w->arrays = p->arrays;
}

static void free_arrays(part *p)
{
    const mass_manage_work *const w = &p->w;
    const void *const all[] = {w->id, w->cell, w->lost, w->id_to, w->cell_to, w->lost_to, w->move, w->asked,
                               w->child_cell, w->remote_move, w->remote_child, w->priority};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free((void *)all[i]);
    for (int k = 0; k < ARRAYS; k++) {
        free((void *)p->arrays[k].from);
        free(p->arrays[k].to);
        free((void *)p->arrays[k].child);
    }
}

static uint32_t local(const part *p, int64_t places, uint32_t cell, int64_t *remote)
{
    if (cell == MASS_CELL_STAY || cell == MASS_CELL_NOWHERE) return cell;
    const int64_t world = cell / places, place = cell % places;
    if (place >= p->first && place < p->last) return (uint32_t)(world * p->w.places + place - p->first);
    *remote = number_of_first_place + place;
    return MASS_CELL_REMOTE;
}

/* Agent `from` of all becomes the part's agent i. */
static void take_agent(part *p, uint32_t i, const mass_manage_work *all, uint32_t from)
{
    const mass_manage_work *const w = &p->w;
    int64_t none;
    copy((void *)w->id, i, all->id, from, 8);
    copy((void *)w->lost, i, all->lost, from, 1);
    copy(w->asked, i, all->asked, from, 4);
    copy((void *)w->priority, i, all->priority, from, priority_size(all));
    ((uint32_t *)w->cell)[i] = local(p, all->places, all->cell[from], &none);
    w->move[i] = local(p, all->places, all->move[from], &w->remote_move[i]);
    for (uint32_t b = 0; b < all->children; b++) {
        const size_t at = (size_t)b * w->room + i, was = (size_t)b * all->room + from;
        w->child_cell[at] = local(p, all->places, all->child_cell[was], &w->remote_child[at]);
        for (int k = 0; k < ARRAYS; k++)
            if (all->arrays[k].child)
                copy((void *)p->arrays[k].child, at, all->arrays[k].child, was, p->arrays[k].size);
    }
    for (int k = 0; k < ARRAYS; k++) copy((void *)p->arrays[k].from, i, all->arrays[k].from, from, p->arrays[k].size);
}

part *cut_part(const population *whole, const shape *s, int64_t first, int64_t last, bool is_rank_0, uint32_t spare)
{
    part *const p = memory(sizeof *p);
    const mass_manage_work *const all = &whole->w;
    uint32_t agents = 0;
    for (int64_t i = 0; i < s->worlds; i++)
        agents += all->start[i * s->places + last] - all->start[i * s->places + first];
    p->first = first, p->last = last;
    p->w = *all;
    p->w.places = last - first;
    p->w.count = &p->count;
    p->w.next_id = p->next_id;
    p->w.born = p->tallies[0], p->w.died = p->tallies[1], p->w.refused = p->tallies[2];
    if (is_rank_0) memcpy(p->next_id, whole->next_id, sizeof p->next_id);
    if (is_rank_0) memcpy(p->tallies, whole->tallies, sizeof p->tallies);
    make_arrays(p, all, agents + spare);
    p->w.start = memory(4 * (size_t)(s->worlds * p->w.places + 1));
    for (int64_t i = 0, cell = 0; i < s->worlds; i++)
        for (int64_t c = i * s->places + first; c < i * s->places + last; c++) {
            for (uint32_t k = all->start[c]; k < all->start[c + 1]; k++) take_agent(p, p->count++, all, k);
            p->w.start[++cell] = p->count;
        }
    return p;
}

void enlarge_part(part *p, uint32_t room)
{
    part old = *p;
    const mass_manage_work *const w = &p->w;
    make_arrays(p, &old.w, room);
    memcpy((void *)w->id, old.w.id, 8 * (size_t)p->count);
    memcpy((void *)w->cell, old.w.cell, 4 * (size_t)p->count);
    memcpy((void *)w->lost, old.w.lost, p->count);
    memcpy(w->move, old.w.move, 4 * (size_t)p->count);
    memcpy(w->asked, old.w.asked, 4 * (size_t)p->count);
    memcpy(w->remote_move, old.w.remote_move, 8 * (size_t)p->count);
    for (uint32_t b = 0; b < w->children; b++) {
        memcpy(w->child_cell + b * (size_t)room, old.w.child_cell + b * (size_t)old.w.room, 4 * (size_t)p->count);
        memcpy(w->remote_child + b * (size_t)room, old.w.remote_child + b * (size_t)old.w.room, 8 * (size_t)p->count);
    }
    for (int k = 0; k < ARRAYS; k++) {
        const size_t size = p->arrays[k].size;
        memcpy((void *)p->arrays[k].from, old.arrays[k].from, p->count * size);
        for (uint32_t b = 0; p->arrays[k].child && b < w->children; b++)
            memcpy((char *)p->arrays[k].child + b * room * size,
                   (const char *)old.arrays[k].child + b * (size_t)old.w.room * size, p->count * size);
    }
    old.w.arrays = old.arrays;
    free_arrays(&old);
}

void discard_part(part *p)
{
    free_arrays(p);
    free(p->w.start);
    free(p);
}

static uint32_t global(const part *p, int64_t places, uint32_t cell, int64_t world, const int64_t *remote)
{
    if (cell == MASS_CELL_STAY || cell == MASS_CELL_NOWHERE) return cell;
    if (cell == MASS_CELL_REMOTE) return (uint32_t)(world * places + *remote - number_of_first_place);
    return (uint32_t)(world * places + p->first + cell - world * p->w.places);
}

/* The part's agent i of a world becomes agent `to` of all. */
static void give_agent(const mass_manage_work *all, uint32_t to, const part *p, uint32_t i, int64_t world)
{
    const mass_manage_work *const w = &p->w;
    copy(all->id_to, to, w->id_to, i, 8);
    copy(all->lost_to, to, w->lost_to, i, 1);
    copy(all->asked, to, w->asked, i, 4);
    all->cell_to[to] = global(p, all->places, w->cell_to[i], world, NULL);
    all->move[to] = global(p, all->places, w->move[i], world, &w->remote_move[i]);
    for (uint32_t b = 0; b < (w->asked[i] & ~MASS_ASKED_KILL); b++) {
        const size_t at = (size_t)b * w->room + i, becomes = (size_t)b * all->room + to;
        all->child_cell[becomes] = global(p, all->places, w->child_cell[at], world, &w->remote_child[at]);
        for (int k = 0; k < ARRAYS; k++)
            if (w->arrays[k].child)
                copy((void *)all->arrays[k].child, becomes, w->arrays[k].child, at, w->arrays[k].size);
    }
    for (int k = 0; k < ARRAYS; k++) copy(all->arrays[k].to, to, w->arrays[k].to, i, w->arrays[k].size);
}

void put_together(population *whole, part *const *parts, int ranks)
{
    const mass_manage_work *const all = &whole->w;
    memset(whole->tallies, 0, sizeof whole->tallies);
    memset(whole->next_id, 0, sizeof whole->next_id);
    for (int r = 0; r < ranks; r++)
        for (int i = 0; i < WORLDS_MAX; i++) {
            for (int k = 0; k < 3; k++) whole->tallies[k][i] += parts[r]->tallies[k][i];
            whole->next_id[i] += parts[r]->next_id[i];
        }
    uint32_t at = 0;
    for (int64_t i = 0, cell = 0; i < all->worlds; i++)
        for (int r = 0; r < ranks; r++)
            for (int64_t c = 0; c < parts[r]->w.places; c++) {
                const uint32_t *const start = parts[r]->w.start + i * parts[r]->w.places + c;
                all->start[cell++] = at;
                for (uint32_t k = start[0]; k < start[1]; k++) {
                    cr_assert_lt(at, all->room, "more agents than there is room for");
                    give_agent(all, at++, parts[r], k, i);
                }
            }
    all->start[all->worlds * all->places] = at;
    whole->count = at;
}
