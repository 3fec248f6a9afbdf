/* SPDX-License-Identifier: Apache-2.0 */
/* Moves and deaths if a cell holds one agent (capacity 1), few agents have requests, and none is born.
 *
 * The outcome is the one of manage_exclusive.c, but only agents with requests are visited one by one, and only sought
 * cells have seats. All other agents stay; in the new order they are runs of the old one, which are copied as a whole.
 * Bitmaps tell which cells are occupied, which agents are about to leave, and which cells are sought. */
#include "cpu/manage_batch.h"
#include "cpu/manage_sparse.h"

#include <string.h>

enum { WORD = MANAGE_WORD, LOOK = MANAGE_LOOK };

/* ---- requests ---- */

/* Sets the words of a part's cells from its agents, if the population has no occupancy bitmap. Sets `crowded` if a cell
 * has two agents. */
static void find_taken(manage_job *j, int p)
{
    const uint32_t *const cell = j->w->cell;
    const uint64_t first = first_word(j, p), behind = first_word(j, p + 1);
    uint64_t crowded = 0;
    if (first < behind) memset(j->taken + first, 0, (behind - first) * sizeof *j->taken);
    for (uint32_t i = j->part[p].agent; i < j->part[p + 1].agent; i++) {
        uint64_t *const cells = &word_of(j, cell[i])->cells;
        crowded |= *cells & bit_of(cell[i]);
        *cells |= bit_of(cell[i]);
    }
    uint32_t before = j->part[p].agent;
    for (uint64_t i = first; i < behind; i++) {
        j->taken[i].before = before;
        before += manage_ones(j->taken[i].cells);
    }
    j->part[p].crowded = crowded != 0;
}

/* Lists the agents from `first` to `end` - 1 that have requests. Returns the end of the list. */
static uint32_t *list_asking(const mass_manage_work *w, uint32_t first, uint32_t end, uint32_t *list)
{
    const uint32_t *const move = w->move, *const asked = w->asked, *const cell = w->cell;
    for (uint32_t i = first, last; i < end; i = last) {
        last = end - i < LOOK ? end : i + LOOK;
        if (last - i == LOOK && !manage_any_asks(move + i, asked + i)) continue;
        for (uint32_t k = i; k < last; k++)
            if (((move[k] != MASS_CELL_STAY) & (move[k] != cell[k])) | asked[k] >> 31) *list++ = k;
    }
    return list;
}

/* Notes the requests of a part's agents in the bitmaps. Agents that ask for cells of other parts are listed in `later`,
 * until no part writes its own words any more. */
static void note_asking(manage_job *j, int p)
{
    const mass_manage_work *w = j->w;
    const uint32_t *const asking = j->asking + j->part[p].agent;
    const uint64_t first = j->part[p].cell, cells = j->part[p + 1].cell - first;
    uint32_t *later = j->later + j->part[p].agent;
    for (uint32_t k = 0; k < j->part[p].asking; k++) {
        const uint32_t i = asking[k], own = w->cell[i], cell = w->move[i];
        const bool claims = has_claim(w, i);
        if (claims || w->asked[i] & MASS_ASKED_KILL) word_of(j, own)->leaving |= bit_of(own);
        if (!claims) continue;
        if (cell - first < cells) word_of(j, cell)->sought |= bit_of(cell);
        else *later++ = i;
    }
    j->part[p].later = (uint32_t)(later - j->later) - j->part[p].agent;
}

/* Lists a part's agents that have requests and notes their requests in the bitmaps. */
static void look(manage_job *j, int p)
{
    uint32_t *const asking = j->asking + j->part[p].agent, *end = asking;
    uint64_t world;
    if (j->w->occupancy) take_seats(j, p);
    else find_taken(j, p);
    for (uint32_t i = j->part[p].agent, last; i < j->part[p + 1].agent; i = last) {
        last = world_end(j, p, i, &world);
        if (!is_closed(j->w, world)) end = list_asking(j->w, i, last, end);
    }
    j->part[p].asking = (uint32_t)(end - asking);
    note_asking(j, p);
}

/* Notes requests for cells of other parts, which several threads may note at a time. */
static void seek_elsewhere(manage_job *j, int p)
{
    const uint32_t *const later = j->later + j->part[p].agent;
    for (uint32_t i = 0; i < j->part[p].later; i++) {
        const uint32_t cell = j->w->move[later[i]];
        __atomic_fetch_or(&word_of(j, cell)->sought, bit_of(cell), __ATOMIC_RELAXED);
    }
}

/* Counts the part's seats. Unsorted: a free cell that one agent alone asks for gets none. */
static void count_seats(manage_job *j, int p)
{
    uint32_t seats = 0;
    for (uint64_t i = first_word(j, p); i < first_word(j, p + 1); i++) {
        if (j->unsorted) manage_take_alone(&j->taken[i]);
        seats += manage_ones(j->taken[i].sought);
    }
    j->part[p].seats = seats;
}

/* Numbers the part's seats after those of earlier parts, which must be counted, and empties them. Unsorted: as in
 * count_seats, a cell that one agent alone asks for gets none. */
MANAGE_COUNTING number_seats(manage_job *j, int p)
{
    uint32_t seat = 0;
    for (int q = 0; q < p; q++) seat += j->part[q].seats;
    const uint32_t first = seat;
    for (uint64_t i = first_word(j, p); i < first_word(j, p + 1); i++) {
        j->taken[i].first_seat = seat;
        if (j->unsorted) manage_take_alone(&j->taken[i]);
        if (j->taken[i].sought) seat += manage_ones(j->taken[i].sought);
    }
    memset(j->seated + first, 0, (seat - first) * sizeof *j->seated);
}
MANAGE_COUNTED(number_seats)

void manage_number_sought(manage_job *j)
{
    if (j->parts > 1) manage_each_part(j, count_seats);
    MANAGE_EACH_PART(j, number_seats);
}

/* ---- decisions ---- */

/* Makes the claims to cells of the part itself, which no other thread writes meanwhile. */
MANAGE_COUNTING claim_within(manage_job *j, int p)
{
    const uint32_t *const asking = j->asking + j->part[p].agent;
    const uint64_t first = j->part[p].cell, cells = j->part[p + 1].cell - first;
    for (uint32_t k = 0; k < j->part[p].asking; k++)
        if (has_claim(j->w, asking[k]) && j->w->move[asking[k]] - first < cells) claim(j, asking[k], false);
}
MANAGE_COUNTED(claim_within)

/* Makes the claims to cells of other parts, while other threads do the same. */
static void claim_elsewhere(manage_job *j, int p)
{
    const uint32_t *const later = j->later + j->part[p].agent;
    for (uint32_t i = 0; i < j->part[p].later; i++) claim(j, later[i], true);
}

/* Removes from the list the agents that die or got the cell that they asked for. The refused ones remain, and stay on
 * their cells. */
MANAGE_COUNTING keep_refused(manage_job *j, int p)
{
    const mass_manage_work *w = j->w;
    uint32_t *const asking = j->asking + j->part[p].agent, refused_moves = 0;
    for (uint32_t k = 0; k < j->part[p].asking; k++) {
        const uint32_t i = asking[k];
        if (w->asked[i] & MASS_ASKED_KILL || (has_claim(w, i) && *seat_of(j, w->move[i]) == 1 + i)) continue;
        word_of(j, w->cell[i])->leaving &= ~bit_of(w->cell[i]);
        asking[refused_moves++] = i;
    }
    j->part[p].asking = refused_moves;
}
MANAGE_COUNTED(keep_refused)

bool manage_sparse_seat(manage_job *j)
{
    manage_each_part(j, look);
    for (int p = 0; p < j->parts; p++)
        if (j->part[p].crowded) return false;
    if (j->parts > 1) manage_each_part(j, seek_elsewhere);
    manage_number_sought(j);
    MANAGE_EACH_PART(j, claim_within);
    if (j->parts > 1) manage_each_part(j, claim_elsewhere);
    MANAGE_EACH_PART(j, keep_refused);
    return true;
}

/* ---- the new order ---- */

/* Counts the part's agents in the new order. */
static void count_after(manage_job *j, int p)
{
    uint32_t after = 0;
    for (const manage_taken *word = j->taken + first_word(j, p); word < j->taken + first_word(j, p + 1); word++)
        after += manage_ones(taken_after(word));
    j->part[p].after = after;
}

/* Adds to the batch the agents that are on a word's cells afterwards. Cells that are neither sought nor left keep their
 * agents. */
static inline void take_word(const manage_job *j, manage_batch_end *end, uint64_t i)
{
    const manage_taken *const word = &j->taken[i];
    const uint32_t *seated = j->seated + word->first_seat;
    uint32_t agent = word->before;
    uint64_t rest = word->cells;
    for (uint64_t events = word->sought | word->leaving; events; events &= events - 1) {
        const uint64_t bit = events & -events, behind = ~(bit | (bit - 1));
        const uint32_t stayed = manage_ones(rest & (bit - 1)), claimed = word->sought & bit ? *seated++ : 0;
        manage_add_run(end, agent, stayed);
        agent += stayed;
        if (claimed) {
            *end->arrival++ = (manage_arrival){end->at, (uint32_t)(i * WORD) + (uint32_t)__builtin_ctzll(bit)};
            manage_add_run(end, claimed - 1, 1);
        } else if (word->cells & ~word->leaving & bit) manage_add_run(end, agent, 1);
        agent += (word->cells & bit) != 0;
        rest &= behind;
    }
    manage_add_run(end, agent, manage_ones(rest));
}

/* Sets the flags of refused agents, which are where they were. */
static void notify_refused(const manage_job *j, int p)
{
    const uint32_t *const refused_moves = j->asking + j->part[p].agent;
    for (uint32_t k = 0; k < j->part[p].asking; k++)
        j->w->lost_to[manage_first_agent(j->w, j->w->cell[refused_moves[k]])] = 1;
}

/* Writes the part in runs that keep their order and words in which agents move. Updates the bitmap or start[], and sets
 * refusal flags. */
MANAGE_COUNTING arrange_part(manage_job *j, int p)
{
    manage_batch batch = {.end = p + 1 < j->parts ? j->part[p + 1].begin : j->total, .agents = j->count};
    manage_batch_end end = manage_begin_batch(&batch, j->part[p].begin);
    for (uint64_t i = first_word(j, p); i < first_word(j, p + 1); i++) {
        const manage_taken *const word = &j->taken[i];
        const uint32_t before = end.at, first = (uint32_t)(i * WORD);
        uint64_t after = word->cells;
        if (word->sought | word->leaving) {
            after = taken_after(word);
            take_word(j, &end, i);
        } else manage_add_run(&end, word->before, manage_ones(after));
        if (after != word->cells || before != word->before) {
            const uint64_t left = j->cells - first;
            if (j->w->occupancy) manage_put_seats(j, i, after, before);
            else manage_put_starts(j->w->start + first, left < WORD ? (uint32_t)left : WORD, after, before);
        }
        if (manage_batch_is_full(&batch, end)) end = manage_put_batch(j->w, &batch, end);
    }
    manage_put_batch(j->w, &batch, end);
    notify_refused(j, p);
}
MANAGE_COUNTED(arrange_part)

void manage_sparse_arrange(manage_job *j)
{
    if (j->parts > 1) manage_each_part(j, count_after);
    j->part[0].begin = 0;
    for (int p = 1; p < j->parts; p++) j->part[p].begin = j->part[p - 1].begin + j->part[p - 1].after;
    MANAGE_EACH_PART(j, arrange_part);
}
