/* SPDX-License-Identifier: Apache-2.0 */
/* Births and moves if a cell holds one agent (capacity 1), by deferred acceptance.
 *
 * Only cells that an agent is on or asks for matter. Each of them has a seat: an element of seated[], which names the
 * item that holds the cell so far. Seats are numbered in the order of cells. A bitmap marks these cells, and each of
 * its words has the number of seats before it. It leads from a cell to its seat, and is small enough for caches.
 *
 * Every agent claims the cell that it asks for, or its own. A seat keeps the item with the best right to the cell.
 * First comes the agent whose own cell it is; then a birth, if births come before moves; then the better claim
 * (manage_loses_to). A claim is rejected at once, or when a better one takes its seat. The agent then claims its own
 * cell, where it cannot be rejected; the item that held that seat is rejected in turn. The order of claims and the
 * threads that make them do not matter: all seats end with the same items. See D. Gale and L. S. Shapley, "College
 * admissions and the stability of marriage" (1962). */
#include "cpu/manage_job.h"

#include <string.h>

enum { WORD = MANAGE_WORD, BLOCK = 512 };

/* ---- seats ---- */

/* Returns the seat of a cell, which must have one. Valid once number_seats has run. */
static inline uint32_t *seat_of(const manage_job *j, uint32_t cell)
{
    const manage_word *const word = &j->words[cell / WORD];
    return &j->seated[word->before + manage_ones(word->cells & manage_bits_before(cell))];
}

/* Marks the cell as one that has a seat. `shared`: other threads may write the same word. */
static inline void add_seat(const manage_job *j, uint32_t cell, bool shared)
{
    uint64_t *const cells = &j->words[cell / WORD].cells, bit = (uint64_t)1 << cell % WORD;
    if (shared) __atomic_fetch_or(cells, bit, __ATOMIC_RELAXED);
    else *cells |= bit;
}

/* Returns the cell that an agent of an open world wants to be on. */
static inline uint32_t wanted(const mass_manage_work *w, uint32_t i)
{
    const uint32_t move = w->move[i], cell = w->cell[i];
    const bool moves = (move < MASS_CELL_REMOTE) & !(w->asked[i] & MASS_ASKED_KILL);
    return moves ? move : cell;
}

/* Returns the first word of the bitmap that belongs to part p. */
static uint64_t first_word(const manage_job *j, int p) { return (j->part[p].cell + WORD - 1) / WORD; }

/* Adds the seats of the part's own cells. Sets `crowded` if a cell has two agents. Agents that ask for cells of other
 * parts are listed in `order` for add_other_seats. That function runs when no part writes the words of its own cells
 * any more. */
static void add_own_seats(manage_job *j, int p)
{
    const mass_manage_work *w = j->w;
    const uint64_t first = j->part[p].cell, cells = j->part[p + 1].cell - first;
    uint32_t *later = j->order + j->part[p].agent, last = MASS_CELL_NOWHERE, crowded = 0;
    uint64_t world;
    for (uint64_t i = first_word(j, p); i < first_word(j, p + 1); i++)
        j->words[i].cells = w->occupancy ? manage_held(j, i) : 0;
    for (uint32_t i = j->part[p].agent, end; i < j->part[p + 1].agent; i = end) {
        end = world_end(j, p, i, &world);
        const bool closed = is_closed(w, world);
        for (uint32_t k = i; k < end; k++) {
            if (!w->occupancy) {
                crowded += w->cell[k] == last;
                last = w->cell[k];
                add_seat(j, last, false);
            }
            if (closed) continue;
            const uint32_t cell = wanted(w, k);
            if (cell - first < cells) add_seat(j, cell, false);
            else *later++ = k;
        }
    }
    j->part[p].later = (uint32_t)(later - j->order) - j->part[p].agent;
    j->part[p].crowded = crowded > 0;
}

/* Adds seats of cells of other parts that the part's agents ask for, and seats of all cells that its births ask for. */
static void add_other_seats(manage_job *j, int p)
{
    const uint32_t *const later = j->order + j->part[p].agent;
    for (uint32_t i = 0; i < j->part[p].later; i++) add_seat(j, j->w->move[later[i]], true);
    for (uint32_t k = j->part[p].births; k < j->part[p + 1].births; k++)
        if (j->where[k] < MASS_CELL_REMOTE) add_seat(j, j->where[k], true);
}

/* Counts the seats of the part's words. */
static void count_seats(manage_job *j, int p)
{
    uint32_t seats = 0;
    for (uint64_t i = first_word(j, p); i < first_word(j, p + 1); i++) seats += manage_ones(j->words[i].cells);
    j->part[p].seats = seats;
}

/* Numbers the part's seats after those of earlier parts, and empties them. */
MANAGE_COUNTING number_seats(manage_job *j, int p)
{
    uint32_t seat = 0;
    for (int q = 0; q < p; q++) seat += j->part[q].seats;
    j->part[p].seat = seat;
    for (uint64_t i = first_word(j, p); i < first_word(j, p + 1); i++) {
        j->words[i].before = seat;
        seat += manage_ones(j->words[i].cells);
    }
    memset(j->seated + j->part[p].seat, 0, (seat - j->part[p].seat) * sizeof *j->seated);
}
MANAGE_COUNTED(number_seats)

/* ---- births ---- */

/* Returns whether an agent is on the cell when births are decided, if births come before moves. */
static bool is_held(const manage_job *j, uint32_t cell)
{
    if (!manage_is_held(j->w, cell)) return false;
    return j->spawn_first || !(j->w->asked[manage_first_agent(j->w, cell)] & MASS_ASKED_KILL);
}

/* Returns the cell of an agent when its children are born; MASS_CELL_REMOTE if it has left for another rank. */
static uint32_t standing_on(const manage_job *j, uint32_t i)
{
    const uint32_t cell = wanted(j->w, i);
    if (j->spawn_last && is_leaving(j->w, i)) return MASS_CELL_REMOTE;
    return j->spawn_last && __atomic_load_n(seat_of(j, cell), __ATOMIC_RELAXED) == 1 + i ? cell : j->w->cell[i];
}

/* Refuses birth k: it gets no seat, so the child is not born. */
static void refuse(const manage_job *j, uint32_t k)
{
    __atomic_store_n(&j->where[k], MASS_CELL_NOWHERE, __ATOMIC_RELAXED);
}

/* Claims its cell for birth k, while other threads do the same. where[k] becomes that cell if it is STAY. The birth
 * that gets no seat is refused, even if it had one. */
static void seat_birth(manage_job *j, uint32_t k)
{
    const uint32_t item = 1 + j->count + k;
    if (j->where[k] == MASS_CELL_STAY) j->where[k] = standing_on(j, j->parent[k]);
    const uint32_t cell = j->where[k];
    if (cell >= MASS_CELL_REMOTE) return;
    if (!j->spawn_last && is_held(j, cell)) {
        refuse(j, k);
        return;
    }
    uint32_t *const seat = seat_of(j, cell), old = __atomic_load_n(seat, __ATOMIC_ACQUIRE);
    do {
        if (old && (is_claim(j, old) || manage_birth_before(j, old, item))) {
            refuse(j, k);
            return;
        }
    } while (!__atomic_compare_exchange_n(seat, &old, item, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    if (old) refuse(j, old - 1 - j->count);
}

/* Claims seats for the part's births, while other threads do the same. */
static void seat_births(manage_job *j, int p)
{
    for (uint32_t k = j->part[p].births; k < j->part[p + 1].births; k++) seat_birth(j, k);
}

/* Seats all births, then numbers those that are born. Does nothing if no agent requests births. */
static void spawn(manage_job *j)
{
    if (j->births == 0) return;
    manage_each_part(j, seat_births);
    manage_number_births(j);
}

/* ---- moves ---- */

/* Puts an item on a seat, and returns true. If `shared`, only if *old is still there; else sets *old to the item there,
 * and returns false. */
static inline bool replace(uint32_t *seat, uint32_t *old, uint32_t item, bool shared)
{
    if (shared) return __atomic_compare_exchange_n(seat, old, item, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    *seat = item;
    return true;
}

/* Puts agent i on its own cell; the agent that held the seat takes its own in turn, and so on. No birth holds one of
 * these cells, because an agent was there when births were decided. shared: as in replace. */
static void claim_own_cell(manage_job *j, uint32_t i, bool shared)
{
    for (uint32_t item = 1 + i, old; item; item = old) {
        uint32_t *const seat = seat_of(j, j->w->cell[item - 1]);
        old = __atomic_load_n(seat, __ATOMIC_RELAXED);
        while (!replace(seat, &old, item, shared)) continue;
    }
}

/* Returns whether an agent's claim to a cell that is not its own has less right than the item on its seat. */
static bool is_behind(const manage_job *j, uint32_t item, uint32_t than, uint32_t cell)
{
    return is_birth(j, than) || j->w->cell[than - 1] == cell || manage_loses_to(j, item, than);
}

/* Makes agent i's claim to a cell. It gets the seat, unless the item there has more right; then it takes its own. */
static void claim(manage_job *j, uint32_t i, uint32_t cell, uint32_t *seat, bool shared)
{
    uint32_t old = __atomic_load_n(seat, __ATOMIC_RELAXED);
    if (cell != j->w->cell[i])
        while (!old || !is_behind(j, 1 + i, old, cell)) {
            if (!replace(seat, &old, 1 + i, shared)) continue;
            if (old) claim_own_cell(j, old - 1, shared);
            return;
        }
    claim_own_cell(j, i, shared);
}

/* Makes the claims to cells of the part itself, which no other thread writes meanwhile. crosses: agents may leave the
 * rank. */
static inline void claim_own_part(manage_job *j, int p, bool crosses)
{
    const mass_manage_work *w = j->w;
    const uint64_t first = j->part[p].cell, cells = j->part[p + 1].cell - first;
    uint64_t world;
    for (uint32_t i = j->part[p].agent, end; i < j->part[p + 1].agent; i = end) {
        end = world_end(j, p, i, &world);
        const bool closed = is_closed(w, world);
        for (uint32_t k = i; k < end; k++) {
            const uint32_t cell = closed ? w->cell[k] : wanted(w, k);
            const bool goes = (w->asked[k] & MASS_ASKED_KILL) | (crosses && w->move[k] == MASS_CELL_REMOTE);
            if (cell - first >= cells || (!closed && goes)) continue;
            uint32_t *const seat = seat_of(j, cell);
            if (*seat == 0) *seat = 1 + k;
            else claim(j, k, cell, seat, false);
        }
    }
}

/* Makes the claims to cells of the part itself. There are two copies of the loop, since a rank that no agent leaves
 * need not test for that. */
MANAGE_COUNTING claim_within(manage_job *j, int p)
{
    if (j->crosses) claim_own_part(j, p, true);
    else claim_own_part(j, p, false);
}
MANAGE_COUNTED(claim_within)

/* Makes the claims to cells of other parts, while other threads do the same. */
static void claim_elsewhere(manage_job *j, int p)
{
    const uint32_t *const later = j->order + j->part[p].agent;
    for (uint32_t i = 0; i < j->part[p].later; i++) {
        const uint32_t cell = j->w->move[later[i]];
        claim(j, later[i], cell, seat_of(j, cell), true);
    }
}

bool manage_exclusive_seat(manage_job *j)
{
    manage_each_part(j, add_own_seats);
    for (int p = 0; p < j->parts; p++)
        if (j->part[p].crowded) return false;
    if (j->births) manage_list_births(j);
    if (j->births || j->parts > 1) manage_each_part(j, add_other_seats);
    for (uint32_t i = 0; i < j->arrival_count; i++) add_seat(j, j->arrival_cell[i], false);
    if (j->parts > 1) manage_each_part(j, count_seats);
    MANAGE_EACH_PART(j, number_seats);
    if (!j->spawn_last) spawn(j);
    MANAGE_EACH_PART(j, claim_within);
    if (j->parts > 1) manage_each_part(j, claim_elsewhere);
    if (j->spawn_last) spawn(j);
    return true;
}

/* ---- the new order ---- */

/* Counts the part's agents after manage: its seats that hold an item. */
static void count_after(manage_job *j, int p)
{
    const uint32_t *const seated = j->seated + j->part[p].seat;
    uint32_t after = 0;
    for (uint32_t i = 0; i < j->part[p].seats; i++) after += seated[i] != 0;
    j->part[p].after = after;
}

/* Agents in their new order, until there are enough of them to write. */
typedef struct manage_row {
    uint32_t at, count; /* at: new index of the first */
    uint32_t item[BLOCK + WORD], cell[BLOCK + WORD];
} manage_row;

/* Writes the ids of a row of agents into the new order. */
static void put_ids(const manage_job *j, const manage_row *row)
{
    const uint64_t *const id = j->w->id;
    uint64_t *const to = j->w->id_to + row->at;
    if (j->births | j->arrival_count)
        for (uint32_t i = 0; i < row->count; i++) to[i] = item_id(j, row->item[i]);
    else
        for (uint32_t i = 0; i < row->count; i++) to[i] = id[row->item[i] - 1];
}

/* Sets the refusal flag of each agent that asked for another cell than the one it is on. Agents of closed worlds keep
 * theirs. */
static void put_lost(const manage_job *j, const manage_row *row)
{
    const mass_manage_work *w = j->w;
    const uint32_t *const move = w->move, count = j->count, n = row->count;
    uint8_t *const to = w->lost_to + row->at;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t was = row->item[i] - 1, asked = was < count ? move[was] : MASS_CELL_STAY;
        to[i] = (asked != MASS_CELL_STAY) & (asked != row->cell[i]);
    }
    if (!w->gates) return;
    for (uint32_t i = 0; i < n; i++)
        if (is_closed(w, row->cell[i] / (uint64_t)w->places)) to[i] = w->lost[row->item[i] - 1];
}

/* Writes a row's agents at their new indices: old index, cell, id and refusal flag. Then empties the row. */
static void put_row(const manage_job *j, manage_row *row)
{
    uint32_t *const order = j->order + row->at;
    for (uint32_t i = 0; i < row->count; i++) order[i] = row->item[i] - 1;
    memcpy(j->w->cell_to + row->at, row->cell, row->count * sizeof *row->cell);
    put_ids(j, row);
    put_lost(j, row);
    row->at += row->count;
    row->count = 0;
}

typedef uint32_t four_starts __attribute__((vector_size(16)));

void manage_put_starts(uint32_t *start, uint32_t cells, uint64_t taken, uint32_t at)
{
    static const four_starts before[8] = {{0, 0, 0, 0}, {0, 1, 1, 1}, {0, 0, 1, 1}, {0, 1, 2, 2}, /* by three bits */
                                          {0, 0, 0, 1}, {0, 1, 1, 2}, {0, 0, 1, 2}, {0, 1, 2, 3}};
    static const four_starts all[16] = {{0, 0, 0, 0}, {1, 1, 1, 1}, {1, 1, 1, 1}, {2, 2, 2, 2}, /* by four bits */
                                        {1, 1, 1, 1}, {2, 2, 2, 2}, {2, 2, 2, 2}, {3, 3, 3, 3},
                                        {1, 1, 1, 1}, {2, 2, 2, 2}, {2, 2, 2, 2}, {3, 3, 3, 3},
                                        {2, 2, 2, 2}, {3, 3, 3, 3}, {3, 3, 3, 3}, {4, 4, 4, 4}};
    uint32_t whole[WORD], *const to = cells < WORD ? whole : start;
    four_starts first = {at, at, at, at};
    for (uint32_t k = 0; k < WORD; k += 4, taken >>= 4) {
        const four_starts four = first + before[taken & 7];
        memcpy(to + k, &four, sizeof four);
        first += all[taken & 15];
    }
    if (cells < WORD) memcpy(start, whole, cells * sizeof *start);
}

/* Writes the part's agents in the new order, and the new occupancy bitmap or start[]. */
MANAGE_COUNTING arrange_part(manage_job *j, int p)
{
    const uint32_t *seated = j->seated + j->part[p].seat;
    manage_row row = {.at = j->part[p].begin, .count = 0};
    for (uint64_t i = first_word(j, p); i < first_word(j, p + 1); i++) {
        const uint32_t first = (uint32_t)(i * WORD), before = row.at + row.count;
        uint64_t taken = 0;
        for (uint64_t seats = j->words[i].cells; seats; seats &= seats - 1) {
            row.item[row.count] = *seated;
            row.cell[row.count] = first + (uint32_t)__builtin_ctzll(seats);
            row.count += *seated > 0;
            taken |= *seated > 0 ? seats & -seats : 0;
            seated++;
        }
        const uint64_t left = j->cells - first;
        if (j->w->occupancy) manage_put_seats(j, i, taken, before);
        else manage_put_starts(j->w->start + first, left < WORD ? (uint32_t)left : WORD, taken, before);
        if (row.count > BLOCK) put_row(j, &row);
    }
    put_row(j, &row);
}
MANAGE_COUNTED(arrange_part)

void manage_exclusive_arrange(manage_job *j)
{
    for (uint32_t i = 0; i < j->arrival_count; i++) *seat_of(j, j->arrival_cell[i]) = 1 + j->count + j->births + i;
    if (j->parts > 1) manage_each_part(j, count_after);
    j->part[0].begin = 0;
    for (int p = 1; p < j->parts; p++) j->part[p].begin = j->part[p - 1].begin + j->part[p - 1].after;
    MANAGE_EACH_PART(j, arrange_part);
}
