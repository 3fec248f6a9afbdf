/* SPDX-License-Identifier: Apache-2.0 */
/* Births: lists the requests, decides which get a seat, and gives out ids. */
#include "cpu/manage_lists.h"

#include <string.h>

enum { BLOCK = 256 }; /* agents that are searched for parents at once */

/* Returns how many agents were on the cell when manage began and do not die. */
static uint32_t alive(const manage_job *j, uint64_t cell)
{
    uint32_t n = 0;
    for (uint32_t i = j->w->start[cell]; i < j->w->start[cell + 1]; i++) n += j->state[i] != GONE;
    return n;
}

bool manage_birth_before(const manage_job *j, uint32_t a, uint32_t b)
{
    const uint32_t k = a - 1 - j->count, l = b - 1 - j->count;
    const uint64_t id_a = j->w->id[j->parent[k]], id_b = j->w->id[j->parent[l]];
    return id_a < id_b || (id_a == id_b && j->number[k] < j->number[l]);
}

/* Records birth k, the b-th of agent i, and pushes it on the list of its cell, if that is of this rank. */
static void ask_birth(manage_job *j, uint32_t k, uint32_t i, uint32_t b)
{
    const mass_manage_work *w = j->w;
    uint32_t cell = w->child_cell[(size_t)b * w->room + i];
    const bool away = j->moved && (is_moving(j->state[i]) || j->state[i] == LEAVES);
    if (cell == MASS_CELL_STAY) cell = away ? w->move[i] : w->cell[i];
    j->parent[k] = i;
    j->number[k] = b;
    j->where[k] = cell;
    j->state[j->count + k] = REFUSED;
    if (cell >= MASS_CELL_REMOTE) return;
    const uint32_t old = push(j, cell, 1 + j->count + k, j->parts > 1);
    j->state[j->count + k] = is_birth(j, old) ? BORN : BORN_FIRST;
}

/* Records all births that agents of the part's open worlds ask for. */
static void ask_births(manage_job *j, int p)
{
    uint32_t k = j->part[p].births;
    uint64_t world;
    for (uint32_t i = j->part[p].agent, end; i < j->part[p + 1].agent; i = end) {
        end = world_end(j, p, i, &world);
        if (is_closed(j->w, world)) continue;
        for (uint32_t a = i; a < end; a++) {
            const uint32_t births = j->w->asked[a] & ~MASS_ASKED_KILL;
            for (uint32_t b = 0; b < births; b++) ask_birth(j, k++, a, b);
        }
    }
}

/* Gives the cell's free seats to the first births in order. Refuses the others (where[] becomes NOWHERE) and removes
 * them from the list. */
static void seat_births_of_cell(manage_job *j, uint64_t cell)
{
    const mass_manage_work *w = j->w;
    uint32_t n = 0, rest = j->head[cell], there;
    for (; is_birth(j, rest); rest = j->next[rest]) n++;
    if (j->spawn_first) there = w->start[cell + 1] - w->start[cell];
    else there = j->spawn_last ? standing(j, cell) : alive(j, cell);
    uint32_t free_seats = less(w->capacity, (uint64_t)there + length(j, rest));
    if (free_seats > n) free_seats = n;
    uint32_t list = sort(j, j->head[cell], n, manage_birth_before), out = list;
    for (uint32_t i = 0; i < free_seats; i++) out = j->next[out];
    for (; out; out = j->next[out]) {
        set_state(j, out - 1, REFUSED);
        j->where[out - 1 - j->count] = MASS_CELL_NOWHERE;
    }
    append(j, &list, free_seats, rest);
    j->head[cell] = list;
}

/* Seats the births of each cell that a birth of this part was first to ask for. */
static void seat_births(manage_job *j, int p)
{
    for (uint32_t k = j->part[p].births; k < j->part[p + 1].births; k++)
        if (get_state(j, j->count + k) == BORN_FIRST) seat_births_of_cell(j, j->where[k]);
}

/* Lists the agents that ask for a birth, of agents that ask for at most one. Returns how many. */
static uint32_t list_parents(const manage_job *j, uint32_t first, uint32_t end, uint32_t *parent)
{
    const uint32_t *const asked = j->w->asked;
    uint32_t found = 0;
    for (uint32_t i = first, last; i < end; i = last) {
        uint32_t here[BLOCK], n = 0;
        last = end - i < BLOCK ? end : i + BLOCK;
        for (uint32_t a = i; a < last; a++) {
            here[n] = a;
            n += (asked[a] & ~MASS_ASKED_KILL) > 0;
        }
        memcpy(parent + found, here, n * sizeof *here);
        found += n;
    }
    return found;
}

/* Lists the births of agents `first` to `end` - 1 from number k on. Returns the number behind the last. */
static uint32_t list_births_of(const manage_job *j, uint32_t first, uint32_t end, uint32_t k)
{
    for (uint32_t a = first; a < end; a++) {
        const uint32_t births = j->w->asked[a] & ~MASS_ASKED_KILL;
        for (uint32_t b = 0; b < births; b++, k++) {
            j->parent[k] = a;
            j->number[k] = b;
        }
    }
    return k;
}

/* Lists the part's births: parent, number and the cell that is asked for. */
static void list_births(manage_job *j, int p)
{
    const mass_manage_work *w = j->w;
    const bool single = w->children == 1;
    uint32_t k = j->part[p].births;
    uint64_t world;
    for (uint32_t i = j->part[p].agent, end; i < j->part[p + 1].agent; i = end) {
        end = world_end(j, p, i, &world);
        if (is_closed(w, world)) continue;
        if (single) k += list_parents(j, i, end, j->parent + k);
        else k = list_births_of(j, i, end, k);
    }
    if (single) memset(j->number + j->part[p].births, 0, (k - j->part[p].births) * sizeof *j->number);
    for (uint32_t b = j->part[p].births; b < k; b++) {
        __builtin_prefetch(w->child_cell + manage_later(j->parent, b, k));
        j->where[b] = w->child_cell[(size_t)j->number[b] * w->room + j->parent[b]];
    }
}

void manage_list_births(manage_job *j) { manage_each_part(j, list_births); }

void manage_number_births(manage_job *j)
{
    uint32_t world = 0;
    for (uint32_t k = 0; k < j->births; k++) {
        while (j->parent[k] >= j->first[world + 1]) world++;
        j->asked[world]++;
        if (j->where[k] != MASS_CELL_NOWHERE) j->child_id[k] = j->w->next_id[world] + j->born[world]++;
    }
}

void manage_spawn(manage_job *j)
{
    if (j->births == 0) return;
    manage_each_part(j, ask_births);
    if (j->w->capacity) manage_each_part(j, seat_births);
    manage_number_births(j);
}
