/* SPDX-License-Identifier: Apache-2.0 */
/* Cells, their seats and the claims to them, if only agents with requests are visited: for manage_sparse.c and
 * manage_unsorted.c. */
#ifndef MASS_KERNELS_CPU_MANAGE_SPARSE_H
#define MASS_KERNELS_CPU_MANAGE_SPARSE_H

#include "cpu/manage_job.h"

/* Return the word with a cell, its bit there, and whether an agent asks for the cell. */
static inline manage_taken *word_of(const manage_job *j, uint32_t cell) { return &j->taken[cell / MANAGE_WORD]; }
static inline uint64_t bit_of(uint32_t cell) { return (uint64_t)1 << cell % MANAGE_WORD; }
static inline bool is_sought(const manage_job *j, uint32_t cell) { return word_of(j, cell)->sought & bit_of(cell); }

/* Returns the seat of a sought cell, once seats have been numbered. No other cell has a seat. */
static inline uint32_t *seat_of(const manage_job *j, uint32_t cell)
{
    const manage_taken *const word = word_of(j, cell);
    return &j->seated[word->first_seat + manage_ones(word->sought & manage_bits_before(cell))];
}

/* Returns whether the cell has an agent that does not ask to leave. */
static inline bool is_kept(const manage_job *j, uint32_t cell)
{
    const manage_taken *const word = word_of(j, cell);
    return word->cells & ~word->leaving & bit_of(cell);
}

/* Returns whether agent i claims the cell that it asks for. */
static inline bool has_claim(const mass_manage_work *w, uint32_t i)
{
    return w->move[i] < MASS_CELL_REMOTE && !(w->asked[i] & MASS_ASKED_KILL);
}

/* Returns the first word of a part; parts begin with a whole word. */
static inline uint64_t first_word(const manage_job *j, int p)
{
    return (j->part[p].cell + MANAGE_WORD - 1) / MANAGE_WORD;
}

/* Puts an item on a seat, and returns true. If `shared`, only if *old is still there; else sets *old to the item there,
 * and returns false. */
static inline bool replace(uint32_t *seat, uint32_t *old, uint32_t item, bool shared)
{
    if (shared) return __atomic_compare_exchange_n(seat, old, item, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    *seat = item;
    return true;
}

/* Puts agent i back on its own cell; the agent that got it returns in turn, and so on. A visitor is marked as turned
 * away, and returns on its own rank. shared: as in replace. */
static inline void return_home(const manage_job *j, uint32_t i, bool shared)
{
    for (uint32_t item = 1 + i, old; item && is_sought(j, j->w->cell[item - 1]); item = old) {
        uint32_t *const seat = seat_of(j, j->w->cell[item - 1]);
        old = __atomic_load_n(seat, __ATOMIC_RELAXED);
        while (!replace(seat, &old, item, shared)) continue;
        if (old <= j->count) continue;
        j->visitor[old - 1 - j->count].turned_away = MANAGE_TURNED_AWAY;
        return;
    }
}

/* Makes agent i's claim to the seat that it asks for. It gets the seat, unless the cell's agent stays or has returned,
 * or another claim is better; then it returns home. */
static inline __attribute__((always_inline)) void claim(const manage_job *j, uint32_t i, bool shared)
{
    const uint32_t *const own = j->w->cell, cell = j->w->move[i];
    uint32_t *const seat = seat_of(j, cell), old = __atomic_load_n(seat, __ATOMIC_RELAXED);
    if (!is_kept(j, cell))
        while (!old || (own[old - 1] != cell && !manage_loses_to(j, 1 + i, old))) {
            if (!replace(seat, &old, 1 + i, shared)) continue;
            if (old) return_home(j, old - 1, shared);
            return;
        }
    return_home(j, i, shared);
}

/* Initialises the part's words from the occupancy bitmap: no cell is sought or left yet. */
static inline void take_seats(manage_job *j, int p)
{
    for (uint64_t i = first_word(j, p); i < first_word(j, p + 1); i++) {
        manage_fetch(j->w->occupancy + 2 * i);
        manage_fetch(j->taken + i);
        j->taken[i] = (manage_taken){.cells = manage_held(j, i), .before = j->w->occupancy[2 * i].before};
    }
}

/* Returns the cells that are occupied once all claims are made. A claimed seat changes its item, but never becomes
 * empty. */
static inline uint64_t taken_after(const manage_taken *word) { return (word->cells & ~word->leaving) | word->sought; }

/* Gives free cells that only one agent asks for to that agent, without a seat (manage_unsorted.c). Cells that several
 * ask for must count as occupied. */
static inline void manage_take_alone(manage_taken *word)
{
    const uint64_t alone = word->sought & ~word->cells;
    word->cells |= alone;
    word->sought &= ~alone;
}

/* Numbers the seats of sought cells, and empties them. Unsorted: first applies manage_take_alone to all words. */
void manage_number_sought(manage_job *j);

#endif
