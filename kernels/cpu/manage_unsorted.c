/* SPDX-License-Identifier: Apache-2.0 */
/* Moves of agents that the manage finds or leaves in any order (manage.h), if a cell holds one agent (capacity 1) and
 * no agent dies or is born.
 *
 * The outcome is the one of manage_sparse.c, but agents change their cells in place. Occupancy bitmaps tell whether a
 * cell is occupied; by whom does not matter. Many agents may ask, but most ask for a free cell that no other agent asks
 * for: these get it at once. Only the other sought cells have seats. Over ranks, some agents leave and others come
 * (manage_visits.c). manage_unsorted_order.c makes the new order. */
#include "conflict.h"
#include "cpu/manage_sparse.h"

#include <mass/impl/kernel_cpu_draws.h>

#include <string.h>

enum {
    BLOCK = 1024,         /* agents whose requests are tested at once */
    ROWS_AHEAD = 1 << 15, /* distance in cells to prefetch: most agents ask for a row nearby */
    FEW = 256             /* few: at most one of so many agents asks for anything */
};

#define NONE UINT32_MAX /* a word whose seats have no numbers yet */

/* ---- requests ---- */

/* Initialises the part's words (take_seats), as a step for all parts. */
static void take(manage_job *j, int p) { take_seats(j, p); }

/* Appends the agents from `first` to `end` - 1 that ask for a cell to a list of n. Returns the new n. */
static uint32_t list_asking(const uint32_t *move, uint32_t first, uint32_t end, uint32_t *list, uint32_t n)
{
    for (uint32_t i = first, last; i < end; i = last) {
        last = end - i < MANAGE_LOOK ? end : i + MANAGE_LOOK;
        manage_fetch(move + i);
        if (last - i == MANAGE_LOOK && !manage_any_moves(move + i)) continue;
        for (uint32_t k = i; k < last; k++) {
            list[n] = k;
            n += move[k] != MASS_CELL_STAY;
        }
    }
    return n;
}

/* Sets a bit. Returns whether it was set before. shared: other threads may write the word. */
static inline bool add_bit(uint64_t *bits, uint64_t bit, bool shared)
{
    const uint64_t old = shared ? __atomic_fetch_or(bits, bit, __ATOMIC_RELAXED) : *bits;
    if (!shared) *bits = old | bit;
    return old & bit;
}

/* Notes that the agent on cell `own` asks for cell `to`. A free cell that a second agent asks for becomes like a cell
 * that an agent leaves. Cells of other ranks are not noted here. */
static inline __attribute__((always_inline)) void seek(manage_job *j, uint32_t own, uint32_t to, bool shared)
{
    add_bit(&word_of(j, own)->leaving, bit_of(own), shared);
    if (to == MASS_CELL_REMOTE) return;
    manage_taken *const word = word_of(j, to);
    if (add_bit(&word->sought, bit_of(to), shared) && !add_bit(&word->cells, bit_of(to), shared))
        add_bit(&word->leaving, bit_of(to), shared);
}

/* Prefetches the words of a row ahead, which many agents of this row ask for. */
static inline void fetch_rows(const manage_job *j, uint32_t cell)
{
    __builtin_prefetch(word_of(j, cell) + ROWS_AHEAD / MANAGE_WORD, 1);
}

/* Lists the part's agents that ask for a cell, and notes their requests. A move to the own cell is no request. */
static inline __attribute__((always_inline)) void seek_all(manage_job *j, int p, bool shared)
{
    uint32_t *const asking = j->asking + j->part[p].agent, *const move = j->w->move, n = 0;
    const uint32_t *const cell = j->w->cell;
    for (uint32_t i = j->part[p].agent, end; i < j->part[p + 1].agent; i = end) {
        uint32_t k = n;
        end = j->part[p + 1].agent - i < BLOCK ? j->part[p + 1].agent : i + BLOCK;
        for (n = list_asking(move, i, end, asking, n); k < n; k++) {
            const uint32_t own = cell[asking[k]], to = move[asking[k]];
            manage_fetch(cell + asking[k]);
            fetch_rows(j, own);
            if (to == own) move[asking[k]] = MASS_CELL_STAY;
            else if (to <= MASS_CELL_REMOTE) seek(j, own, to, shared);
        }
    }
    j->part[p].asking = n;
}

/* Gives a seat to each cell that a visitor asks for. */
static void seek_visits(manage_job *j)
{
    for (uint32_t k = 0; k < j->visitor_count; k++) {
        const uint32_t cell = j->visitor[k].cell;
        manage_taken *const word = word_of(j, cell);
        word->sought |= bit_of(cell);
        if (word->cells & bit_of(cell)) continue;
        word->cells |= bit_of(cell);
        word->leaving |= bit_of(cell);
    }
}

/* Lists the part's agents that ask for a cell, and notes their requests in the bitmaps. Clears moves to the own
 * cell. */
static void look(manage_job *j, int p)
{
    if (j->parts > 1) seek_all(j, p, true);
    else seek_all(j, p, false);
}

/* ---- decisions ---- */

/* Returns the world of an agent. */
static uint64_t world_of(const mass_manage_work *w, uint32_t i)
{
    return w->worlds == 1 ? 0 : w->cell[i] / (uint64_t)w->places;
}

/* Draws the lottery numbers of n agents into j->lots, from the agents' ids, worlds and the step. Equal on every
 * device. */
static void draw_lots(const manage_job *j, const uint32_t *agents, uint32_t n)
{
    const mass_manage_work *w = j->w;
    const uint64_t step = w->clock ? w->step + *w->clock : w->step;
    mass_draws lots = {.draw = MASS_LOTTERY_DRAW};
    for (uint32_t i = 0, last; i < n; i = last) {
        uint64_t id[MASS_DRAWN_AHEAD];
        const uint64_t world = world_of(w, agents[i]);
        last = n - i < MASS_DRAWN_AHEAD ? n : i + MASS_DRAWN_AHEAD;
        const bool all = last - i == MASS_DRAWN_AHEAD && world == world_of(w, agents[last - 1]);
        for (uint32_t k = i; k < last; k++) id[k - i] = w->id[agents[k]];
        if (all && mass_draw_ahead(&lots, id, w->random_keys[world], step, w->phase))
            for (uint32_t k = i; k < last; k++) j->lots[agents[k]] = (uint32_t)lots.words[0][k - i];
        else
            for (uint32_t k = i; k < last; k++)
                j->lots[agents[k]] = (uint32_t)(mass_conflict_lot(w, world_of(w, agents[k]), id[k - i]) >> 32);
    }
}

/* Moves each agent that alone asks for a free cell there, and clears its request. The others remain in the list, and
 * draw lottery numbers if j->lots. */
static void admit(manage_job *j, int p)
{
    uint32_t *const asking = j->asking + j->part[p].agent, *const cell = (uint32_t *)j->w->cell, n = 0;
    uint32_t *const move = j->w->move;
    for (uint32_t k = 0; k < j->part[p].asking; k++) {
        const uint32_t i = asking[k], to = move[i];
        manage_fetch(move + i);
        manage_fetch(cell + i);
        const bool alone = to < MASS_CELL_REMOTE && !is_sought(j, to);
        asking[n] = i;
        n += !alone & (to != MASS_CELL_STAY);
        cell[i] = alone ? to : cell[i];
        move[i] = alone ? MASS_CELL_STAY : to;
    }
    j->part[p].asking = n;
    if (j->lots) draw_lots(j, asking, n);
}

/* Enters the claims of a part's agents to cells of this rank. */
static inline __attribute__((always_inline)) void claim_all(manage_job *j, int p, bool shared)
{
    const uint32_t *const asking = j->asking + j->part[p].agent, *const move = j->w->move;
    for (uint32_t k = 0; k < j->part[p].asking; k++)
        if (move[asking[k]] < MASS_CELL_REMOTE) claim(j, asking[k], shared);
}

/* Makes the claims of the part's agents to cells of this rank, atomically if there are several parts. */
MANAGE_COUNTING claim_seats(manage_job *j, int p)
{
    if (j->parts > 1) claim_all(j, p, true);
    else claim_all(j, p, false);
}
MANAGE_COUNTED(claim_seats)

/* Unmarks a cell as one whose agent leaves. */
static void take_back(const manage_job *j, uint32_t cell)
{
    uint64_t *const leaving = &word_of(j, cell)->leaving;
    if (j->parts > 1) __atomic_fetch_and(leaving, ~bit_of(cell), __ATOMIC_RELAXED);
    else *leaving &= ~bit_of(cell);
}

/* Moves agents to the cells that they got, and clears their requests. Refused agents remain in the list. Agents that
 * ask for a cell of another rank still move there. */
MANAGE_COUNTING settle(manage_job *j, int p)
{
    uint32_t *const asking = j->asking + j->part[p].agent, *const cell = (uint32_t *)j->w->cell, refused_moves = 0;
    uint32_t *const move = j->w->move;
    for (uint32_t k = 0; k < j->part[p].asking; k++) {
        const uint32_t i = asking[k], to = move[i];
        move[i] = MASS_CELL_STAY;
        if (to == MASS_CELL_REMOTE) continue;
        if (to < MASS_CELL_REMOTE) {
            if (*seat_of(j, to) == 1 + i) {
                cell[i] = to;
                continue;
            }
            take_back(j, cell[i]);
        }
        asking[refused_moves++] = i;
    }
    j->part[p].asking = refused_moves;
}
MANAGE_COUNTED(settle)

/* ---- few requests ---- */

/* Lists a part's agents that ask for a cell, while they are few. Sets `few` of the part. */
static void look_for_few(manage_job *j, int p)
{
    const uint32_t first = j->part[p].agent, behind = j->part[p + 1].agent, most = (behind - first) / FEW;
    uint32_t n = 0;
    for (uint32_t i = first, end; i < behind && n <= most; i = end) {
        end = behind - i < BLOCK ? behind : i + BLOCK;
        n = list_asking(j->w->move, i, end, j->asking + first, n);
    }
    j->part[p].asking = n;
    j->part[p].few = n <= most;
}

/* Lists the agents that ask for a cell. Returns whether these are few in every part. */
static bool are_few(manage_job *j)
{
    bool few = true;
    manage_each_part(j, look_for_few);
    for (int p = 0; p < j->parts; p++) few &= j->part[p].few;
    return few;
}

/* Lists in few_words the words of cells that an agent asks for or wants to leave, and initialises them. The other words
 * stay as they are. A word may be listed several times. Clears moves to the own cell. */
static void begin_words(manage_job *j)
{
    const uint32_t *const cell = j->w->cell;
    uint32_t *const words = j->few_words, n = 0;
    for (int p = 0; p < j->parts; p++)
        for (uint32_t k = 0; k < j->part[p].asking; k++) {
            const uint32_t i = j->asking[j->part[p].agent + k], own = cell[i], to = j->w->move[i];
            if (to == own) j->w->move[i] = MASS_CELL_STAY;
            if (to == own || to > MASS_CELL_REMOTE) continue;
            words[n++] = own / MANAGE_WORD;
            if (to < MASS_CELL_REMOTE) words[n++] = to / MANAGE_WORD;
        }
    for (uint32_t k = 0; k < j->visitor_count; k++) words[n++] = j->visitor[k].cell / MANAGE_WORD;
    for (uint32_t k = 0; k < n; k++)
        j->taken[words[k]] = (manage_taken){.cells = manage_held(j, words[k]), .first_seat = NONE};
    j->few_word_count = n;
}

/* Notes the requests of the part's listed agents in the bitmaps. One thread only. */
static void seek_few(manage_job *j, int p)
{
    for (uint32_t k = 0; k < j->part[p].asking; k++) {
        const uint32_t i = j->asking[j->part[p].agent + k], to = j->w->move[i];
        if (to <= MASS_CELL_REMOTE) seek(j, j->w->cell[i], to, false);
    }
}

/* Numbers the seats of the words in few_words, and marks the seats as empty. */
static void number_few(manage_job *j)
{
    uint32_t seats = 0;
    for (uint32_t k = 0; k < j->few_word_count; k++) {
        manage_taken *const word = &j->taken[j->few_words[k]];
        if (word->first_seat != NONE) continue;
        manage_take_alone(word);
        word->first_seat = seats;
        seats += manage_ones(word->sought);
    }
    memset(j->seated, 0, seats * sizeof *j->seated);
}

/* Makes the claims of few requests on one thread. Only the words of cells in these requests are used. */
static void claim_few(manage_job *j)
{
    uint32_t asking = 0;
    for (int p = 0; p < j->parts; p++) asking += j->part[p].asking;
    j->few_words = j->seated + asking + j->visitor_count; /* no more seats than these are needed */
    begin_words(j);
    for (int p = 0; p < j->parts; p++) seek_few(j, p);
    seek_visits(j);
    number_few(j);
    for (int p = 0; p < j->parts; p++) admit(j, p);
    for (int p = 0; p < j->parts; p++) claim_all(j, p, false);
}

/* Settles all requests, and updates the occupancy bitmap in the words of few_words. */
static void settle_few(manage_job *j)
{
    for (int p = 0; p < j->parts; p++) settle(j, p);
    for (uint32_t k = 0; k < j->few_word_count; k++)
        manage_put_held(j, j->few_words[k], taken_after(&j->taken[j->few_words[k]]));
}

/* ---- all of it ---- */

void manage_unsorted_claim(manage_job *j)
{
    if (j->w->conflict == MASS_LOTTERY) j->lots = j->later;
    j->few = are_few(j);
    if (j->few) claim_few(j);
    else {
        manage_each_part(j, take);
        manage_each_part(j, look);
        seek_visits(j);
        manage_number_sought(j);
        manage_each_part(j, admit);
        MANAGE_EACH_PART(j, claim_seats);
    }
    if (j->visitor_count) manage_claim_visits(j);
}

void manage_unsorted_return(manage_job *j, uint32_t agent)
{
    j->w->move[agent] = MASS_CELL_NOWHERE;
    word_of(j, j->w->cell[agent])->leaving &= ~bit_of(j->w->cell[agent]);
    return_home(j, agent, false);
}

void manage_unsorted_settle(manage_job *j)
{
    if (j->few) settle_few(j);
    else MANAGE_EACH_PART(j, settle);
}

void manage_unsorted_seat(manage_job *j)
{
    manage_unsorted_claim(j);
    manage_unsorted_settle(j);
}
