/* SPDX-License-Identifier: Apache-2.0 */
/* Moves if cells may hold several agents. Every claim to a cell is granted at first, as if all agents left that ask to.
 * Then each cell refuses the claims beyond its free seats, worst first. A refused agent stays on its own cell. There it
 * takes a seat from the worst granted claim, which is refused in turn. */
#include "conflict.h"
#include "cpu/manage_lists.h"

#include <string.h>

enum { AHEAD = 32 }; /* agents whose claims are prefetched */

/* Returns the state with which an agent begins, from its requests. */
static uint8_t state_of(const mass_manage_work *w, uint32_t i)
{
    if (w->asked[i] & MASS_ASKED_KILL) return GONE;
    if (w->move[i] == MASS_CELL_STAY || w->move[i] == w->cell[i]) return STANDS;
    if (w->move[i] == MASS_CELL_REMOTE) return LEAVES;
    return w->move[i] == MASS_CELL_NOWHERE ? REFUSED : CLAIMS;
}

/* Sets the state of each agent of a part from its requests. Agents of closed worlds are kept. */
static void mark(manage_job *j, int p)
{
    uint64_t world;
    for (uint32_t i = j->part[p].agent, end; i < j->part[p + 1].agent; i = end) {
        end = world_end(j, p, i, &world);
        if (is_closed(j->w, world)) memset(j->state + i, KEPT, end - i);
        else
            for (uint32_t k = i; k < end; k++) j->state[k] = state_of(j->w, k);
    }
}

/* Returns the conflict key of agent i. The lower key wins. */
static uint64_t conflict_key(const mass_manage_work *w, uint32_t i)
{
    return mass_conflict_key(w, i, w->worlds == 1 ? 0 : w->cell[i] / (uint64_t)w->places, w->id[i]);
}

bool manage_loses_to(const manage_job *j, uint32_t a, uint32_t b)
{
    const mass_manage_work *w = j->w;
    const uint32_t i = a - 1, k = b - 1;
    if (j->lots && j->lots[i] != j->lots[k]) return j->lots[i] > j->lots[k];
    if (w->conflict != MASS_LOWEST_ID) {
        const uint64_t of_i = conflict_key(w, i), of_k = conflict_key(w, k);
        if (of_i != of_k) return of_i > of_k;
    }
    return w->id[i] > w->id[k];
}

/* Adds agent i to the list of the cell that it asks for. The first in the list will decide the cell. */
static void claim(manage_job *j, uint32_t i, bool shared)
{
    if (!is_claim(j, push(j, j->w->move[i], 1 + i, shared))) j->state[i] = CLAIMS_FIRST;
}

/* Makes the claims to cells of the part itself. Claims to cells of other parts are listed in `order`, until no part
 * writes its own heads any more. */
static void claim_own(manage_job *j, int p)
{
    const uint64_t first = j->part[p].cell, cells = j->part[p + 1].cell - first;
    uint32_t *later = j->order + j->part[p].agent;
    for (uint32_t i = j->part[p].agent; i < j->part[p + 1].agent; i++) {
        if (i + AHEAD < j->part[p + 1].agent && j->state[i + AHEAD] == CLAIMS)
            __builtin_prefetch(&j->head[j->w->move[i + AHEAD]], 1);
        if (j->state[i] != CLAIMS) continue;
        if (j->w->move[i] - first < cells) claim(j, i, false);
        else *later++ = i;
    }
    j->part[p].later = (uint32_t)(later - j->order) - j->part[p].agent;
}

/* Makes the claims to cells of other parts, while other threads do the same. */
static void claim_others(manage_job *j, int p)
{
    const uint32_t *const later = j->order + j->part[p].agent;
    for (uint32_t i = 0; i < j->part[p].later; i++) claim(j, later[i], true);
}

/* Grants a cell's best claims, as if every agent left that asks to. The others lose and leave the list. Notes the seats
 * that remain free, if an agent was on the cell. */
static void decide_cell(manage_job *j, uint64_t cell)
{
    const mass_manage_work *w = j->w;
    uint32_t claims = 0, list = j->head[cell], rest = list;
    for (; is_claim(j, rest); rest = j->next[rest]) claims++;
    const uint32_t free_seats = less(w->capacity, (uint64_t)standing(j, cell) + length(j, rest));
    list = sort(j, list, claims, manage_loses_to);
    for (; claims > free_seats; claims--) {
        set_state(j, list - 1, LOSES);
        list = j->next[list];
    }
    append(j, &list, claims, rest);
    j->head[cell] = list;
    if (w->start[cell] < w->start[cell + 1]) j->free_seats[w->start[cell]] = free_seats - claims;
}

/* Decides each cell whose list an agent of the part began. */
static void decide(manage_job *j, int p)
{
    for (uint32_t i = j->part[p].agent; i < j->part[p + 1].agent; i++)
        if (get_state(j, i) == CLAIMS_FIRST) decide_cell(j, j->w->move[i]);
}

/* Takes one of *free_seats free seats, if one is left; returns whether. Atomic if there are several parts. */
static bool take_seat(manage_job *j, uint32_t *free_seats)
{
    uint32_t n = __atomic_load_n(free_seats, __ATOMIC_RELAXED);
    if (j->parts == 1) return n > 0 ? (--*free_seats, true) : false;
    while (n && !__atomic_compare_exchange_n(free_seats, &n, n - 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) continue;
    return n > 0;
}

/* Takes a cell's worst claim off its list, and returns it as an item; 0: none left. */
static uint32_t pop_claim(manage_job *j, uint64_t cell)
{
    uint32_t *const head = &j->head[cell], item = __atomic_load_n(head, __ATOMIC_RELAXED);
    while (is_claim(j, item)) {
        const uint32_t next = j->next[item];
        if (__atomic_compare_exchange_n(head, &item, next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return item;
    }
    return 0;
}

/* Keeps agent i on its cell. If that displaces a claim, the claim's agent is refused and stays on its own cell, and so
 * on. */
static void follow_chain(manage_job *j, uint32_t i)
{
    for (;;) {
        const uint64_t cell = j->w->cell[i];
        if (!is_claim(j, __atomic_load_n(&j->head[cell], __ATOMIC_RELAXED))) return;
        if (take_seat(j, &j->free_seats[j->w->start[cell]])) return;
        const uint32_t item = pop_claim(j, cell);
        if (!item) return;
        i = item - 1;
        set_state(j, i, REFUSED);
    }
}

/* Lets each of the part's losing agents stay on its own cell, and refuses the claims that this displaces. */
static void follow_chains(manage_job *j, int p)
{
    for (uint32_t i = j->part[p].agent; i < j->part[p + 1].agent; i++)
        if (get_state(j, i) == LOSES) follow_chain(j, i);
}

/* Decides all moves, and sets j->moved. Without a capacity, every claim is granted. */
static void migrate(manage_job *j)
{
    manage_each_part(j, claim_own);
    if (j->parts > 1) manage_each_part(j, claim_others);
    if (j->w->capacity) {
        manage_each_part(j, decide);
        manage_each_part(j, follow_chains);
    }
    j->moved = true;
}

void manage_lists_seat(manage_job *j)
{
    manage_each_part(j, mark);
    if (!j->spawn_last) manage_spawn(j);
    migrate(j);
    if (j->spawn_last) manage_spawn(j);
}
