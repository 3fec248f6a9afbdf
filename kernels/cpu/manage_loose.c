/* SPDX-License-Identifier: Apache-2.0 */
/* Moves where a cell holds one agent (capacity 1), of agents that are in no order, or keep theirs (manage.h), and of
 * whom none dies or is born.
 *
 * The outcome is found as in manage_sparse.c, but agents change their cells where they are. Who they are on a cell is
 * of no interest to that: seats know whether somebody is there. Where order is to be made, an agent goes straight to
 * where its cell comes in it, which seats tell, too. Many may ask, but most of them for a cell where nobody stands and
 * that nobody else asks for: they get it at once, and only the other cells that are sought have seats. Over ranks, some
 * leave and others come (manage_visits.c). */
#include "conflict.h"
#include "cpu/manage_sparse.h"

#include <mass/impl/kernel_cpu_draws.h>

#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 1024,         /* agents of whom it is found out at once whether they are in order, or ask for anything */
    COLUMN_BLOCK = 16384, /* agents of whom one column after the other is put where it goes */
    LINE = 64,            /* bytes of the cache's lines */
    ROWS_AHEAD = 1 << 15, /* cells before those that are likely to be asked for */
    FEW = 256             /* few ask for something where one in so many does, at most */
};

#define NONE UINT32_MAX /* a word whose seats have no numbers yet */

bool manage_finds_order(const mass_manage_work *w)
{
    const uint32_t *const cell = w->cell, count = *w->count;
    uint32_t behind = 0;
    for (uint32_t i = 1, end; i < count && !behind; i = end) {
        end = count - i < BLOCK ? count : i + BLOCK;
        for (uint32_t k = i; k < end; k++) behind |= cell[k] <= cell[k - 1];
    }
    return !behind;
}

/* ---- who asks for what ---- */

static void take(manage_job *j, int p) { take_seats(j, p); }

/* Adds those of agents `first` to before `end` that ask for a cell to a list of n; returns the new n. */
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

/* Sets a bit; returns whether it was set. */
static inline bool add_bit(uint64_t *bits, uint64_t bit, bool shared)
{
    const uint64_t old = shared ? __atomic_fetch_or(bits, bit, __ATOMIC_RELAXED) : *bits;
    if (!shared) *bits = old | bit;
    return old & bit;
}

/* A free cell that a second agent asks for is from then on like one that somebody leaves. Nobody here is asked for the
 * cells of other ranks. */
static inline __attribute__((always_inline)) void seek(manage_job *j, uint32_t own, uint32_t to, bool shared)
{
    add_bit(&word_of(j, own)->leaving, bit_of(own), shared);
    if (to == MASS_CELL_FAR) return;
    manage_taken *const word = word_of(j, to);
    if (add_bit(&word->sought, bit_of(to), shared) && !add_bit(&word->cells, bit_of(to), shared))
        add_bit(&word->leaving, bit_of(to), shared);
}

/* Many go to a row nearby, where nobody has looked at words yet. */
static inline void fetch_rows(const manage_job *j, uint32_t cell)
{
    __builtin_prefetch(word_of(j, cell) + ROWS_AHEAD / MANAGE_WORD, 1);
}

/* A move to the own cell is none. */
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
            else if (to <= MASS_CELL_FAR) seek(j, own, to, shared);
        }
    }
    j->part[p].asking = n;
}

/* A cell that a visitor asks for has a seat, even if nobody else does. */
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

static void look(manage_job *j, int p)
{
    if (j->parts > 1) seek_all(j, p, true);
    else seek_all(j, p, false);
}

/* ---- who gets it ---- */

/* The world of an agent. */
static uint64_t world_of(const mass_manage_work *w, uint32_t i)
{
    return w->worlds == 1 ? 0 : w->cell[i] / (uint64_t)w->places;
}

/* Draws the lots of n agents. */
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

/* Who alone asks for a free cell stands there, and its request ends. The others remain in the list. */
static void admit(manage_job *j, int p)
{
    uint32_t *const asking = j->asking + j->part[p].agent, *const cell = (uint32_t *)j->w->cell, n = 0;
    uint32_t *const move = j->w->move;
    for (uint32_t k = 0; k < j->part[p].asking; k++) {
        const uint32_t i = asking[k], to = move[i];
        manage_fetch(move + i);
        manage_fetch(cell + i);
        const bool alone = to < MASS_CELL_FAR && !is_sought(j, to);
        asking[n] = i;
        n += !alone & (to != MASS_CELL_STAY);
        cell[i] = alone ? to : cell[i];
        move[i] = alone ? MASS_CELL_STAY : to;
    }
    j->part[p].asking = n;
    if (j->lots) draw_lots(j, asking, n);
}

static inline __attribute__((always_inline)) void claim_all(manage_job *j, int p, bool shared)
{
    const uint32_t *const asking = j->asking + j->part[p].agent, *const move = j->w->move;
    for (uint32_t k = 0; k < j->part[p].asking; k++)
        if (move[asking[k]] < MASS_CELL_FAR) claim(j, asking[k], shared);
}

MANAGE_COUNTING claim_seats(manage_job *j, int p)
{
    if (j->parts > 1) claim_all(j, p, true);
    else claim_all(j, p, false);
}
MANAGE_COUNTED(claim_seats)

static void take_back(const manage_job *j, uint32_t cell)
{
    uint64_t *const leaving = &word_of(j, cell)->leaving;
    if (j->parts > 1) __atomic_fetch_and(leaving, ~bit_of(cell), __ATOMIC_RELAXED);
    else *leaving &= ~bit_of(cell);
}

/* Agents stand on their new cells, requests end, and those who were refused one remain in the list. Those who ask for a
 * cell of another rank still go there. */
MANAGE_COUNTING settle(manage_job *j, int p)
{
    uint32_t *const asking = j->asking + j->part[p].agent, *const cell = (uint32_t *)j->w->cell, losers = 0;
    uint32_t *const move = j->w->move;
    for (uint32_t k = 0; k < j->part[p].asking; k++) {
        const uint32_t i = asking[k], to = move[i];
        move[i] = MASS_CELL_STAY;
        if (to == MASS_CELL_FAR) continue;
        if (to < MASS_CELL_FAR) {
            if (*seat_of(j, to) == 1 + i) {
                cell[i] = to;
                continue;
            }
            take_back(j, cell[i]);
        }
        asking[losers++] = i;
    }
    j->part[p].asking = losers;
}
MANAGE_COUNTED(settle)

/* ---- where few ask for anything ---- */

/* Lists a part's agents that ask for a cell, as long as these are few. */
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

static bool are_few(manage_job *j)
{
    bool few = true;
    manage_each_part(j, look_for_few);
    for (int p = 0; p < j->parts; p++) few &= j->part[p].few;
    return few;
}

/* Words of cells that somebody asks for or wants to leave, of which the others are as they were, are listed in `words`.
 * A word may be in it several times. */
static void begin_words(manage_job *j)
{
    const uint32_t *const cell = j->w->cell;
    uint32_t *const words = j->few_words, n = 0;
    for (int p = 0; p < j->parts; p++)
        for (uint32_t k = 0; k < j->part[p].asking; k++) {
            const uint32_t i = j->asking[j->part[p].agent + k], own = cell[i], to = j->w->move[i];
            if (to == own) j->w->move[i] = MASS_CELL_STAY;
            if (to == own || to > MASS_CELL_FAR) continue;
            words[n++] = own / MANAGE_WORD;
            if (to < MASS_CELL_FAR) words[n++] = to / MANAGE_WORD;
        }
    for (uint32_t k = 0; k < j->visitor_count; k++) words[n++] = j->visitor[k].cell / MANAGE_WORD;
    for (uint32_t k = 0; k < n; k++)
        j->taken[words[k]] = (manage_taken){.cells = manage_held(j, words[k]), .seats = NONE};
    j->few_word_count = n;
}

static void seek_few(manage_job *j, int p)
{
    for (uint32_t k = 0; k < j->part[p].asking; k++) {
        const uint32_t i = j->asking[j->part[p].agent + k], to = j->w->move[i];
        if (to <= MASS_CELL_FAR) seek(j, j->w->cell[i], to, false);
    }
}

static void number_few(manage_job *j)
{
    uint32_t seats = 0;
    for (uint32_t k = 0; k < j->few_word_count; k++) {
        manage_taken *const word = &j->taken[j->few_words[k]];
        if (word->seats != NONE) continue;
        manage_take_alone(word);
        word->seats = seats;
        seats += manage_ones(word->sought);
    }
    memset(j->seated, 0, seats * sizeof *j->seated);
}

/* Only the words of those who ask are looked at, by one thread, and in the end it is the population's seats that say
 * who stands where. */
static void claim_few(manage_job *j)
{
    uint32_t asking = 0;
    for (int p = 0; p < j->parts; p++) asking += j->part[p].asking;
    j->few_words = j->seated + asking + j->visitor_count; /* there are no more seats than that */
    begin_words(j);
    for (int p = 0; p < j->parts; p++) seek_few(j, p);
    seek_visits(j);
    number_few(j);
    for (int p = 0; p < j->parts; p++) admit(j, p);
    for (int p = 0; p < j->parts; p++) claim_all(j, p, false);
}

static void settle_few(manage_job *j)
{
    for (int p = 0; p < j->parts; p++) settle(j, p);
    for (uint32_t k = 0; k < j->few_word_count; k++)
        manage_put_held(j, j->few_words[k], taken_after(&j->taken[j->few_words[k]]));
}

/* ---- all of it ---- */

void manage_loose_claim(manage_job *j)
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

void manage_loose_return(manage_job *j, uint32_t agent)
{
    j->w->move[agent] = MASS_CELL_NOWHERE;
    word_of(j, j->w->cell[agent])->leaving &= ~bit_of(j->w->cell[agent]);
    return_home(j, agent, false);
}

void manage_loose_settle(manage_job *j)
{
    if (j->few) settle_few(j);
    else MANAGE_EACH_PART(j, settle);
}

void manage_loose_seat(manage_job *j)
{
    manage_loose_claim(j);
    manage_loose_settle(j);
}

/* ---- where they are ---- */

static inline uint64_t cells_after(const manage_job *j, uint64_t word)
{
    return j->few ? manage_held(j, word) : taken_after(&j->taken[word]);
}

MANAGE_COUNTING count_after(manage_job *j, int p)
{
    uint32_t after = 0;
    for (uint64_t i = first_word(j, p); i < first_word(j, p + 1); i++) after += manage_ones(cells_after(j, i));
    j->part[p].after = after;
}
MANAGE_COUNTED(count_after)

MANAGE_COUNTING put_seats(manage_job *j, int p)
{
    uint32_t before = j->part[p].begin;
    for (uint64_t i = first_word(j, p); i < first_word(j, p + 1); i++) {
        const uint64_t taken = cells_after(j, i);
        manage_fetch(j->taken + i);
        manage_fetch(j->w->seats + 2 * i);
        manage_put_seats(j, i, taken, before);
        before += manage_ones(taken);
    }
}
MANAGE_COUNTED(put_seats)

static void keep_order(manage_job *j, int p)
{
    const uint32_t *const losers = j->asking + j->part[p].agent, first = j->part[p].agent;
    memset(j->w->lost_to + first, 0, j->part[p + 1].agent - first);
    for (uint32_t k = 0; k < j->part[p].asking; k++) j->w->lost_to[losers[k]] = 1;
}

#define PER_LINE(SIZE) ((SIZE) < LINE ? LINE / (uint32_t)(SIZE) : 1)
#define PUT_VALUES(SIZE)                                                                                         \
    for (uint32_t i = 0, end; i < n; i = end) {                                                                  \
        end = n - i < PER_LINE(SIZE) ? n : i + PER_LINE(SIZE);                                                   \
        manage_fetch(from + (size_t)i * (SIZE));                                                                 \
        __builtin_prefetch(next + (size_t)i * (SIZE), 1, 2);                                                     \
        for (uint32_t k = i; k < end; k++) memcpy(to + (size_t)at[k] * (SIZE), from + (size_t)k * (SIZE), SIZE); \
    }

/* n values go to where `at` says. As many from `next` on, where the next agents mostly go, are fetched into the
 * cache. */
static inline void put_values(char *to, const char *from, size_t size, const uint32_t *at, uint32_t n, const char *next)
{
    switch (size) {
    case 1: PUT_VALUES(1); break;
    case 2: PUT_VALUES(2); break;
    case 4: PUT_VALUES(4); break;
    case 8: PUT_VALUES(8); break;
    default: PUT_VALUES(size);
    }
}

/* Of a column, the values of agents `first` on. */
static inline void order_values(void *to, const void *from, size_t size, const uint32_t *at, uint32_t first, uint32_t n)
{
    put_values(to, (const char *)from + first * size, size, at, n, (const char *)to + ((size_t)first + n) * size);
}

/* A share of the agents, some rows of them at a time, while it is known where they go: most go to rows nearby, whose
 * lines of one column stay in the cache until all have come. */
MANAGE_COUNTING make_order(manage_job *j, int p)
{
    const mass_manage_work *w = j->w;
    const uint64_t total = j->total, parts = (uint64_t)j->parts;
    const uint32_t first = (uint32_t)(total * (uint64_t)p / parts), end = (uint32_t)(total * ((uint64_t)p + 1) / parts);
    uint32_t at[COLUMN_BLOCK];
    for (uint32_t i = first, n; i < end; i += n) {
        n = end - i < COLUMN_BLOCK ? end - i : COLUMN_BLOCK;
        for (uint32_t k = 0; k < n; k++) {
            manage_fetch(w->cell + i + k);
            at[k] = manage_first_agent(w, w->cell[i + k]);
        }
        order_values(w->id_to, w->id, sizeof *w->id, at, i, n);
        order_values(w->cell_to, w->cell, sizeof *w->cell, at, i, n);
        for (uint32_t a = 0; a < w->array_count; a++)
            order_values(w->arrays[a].to, w->arrays[a].from, w->arrays[a].size, at, i, n);
    }
    memset(w->lost_to + first, 0, end - first);
}
MANAGE_COUNTED(make_order)

/* From now on the list of those refused has their cells, which say where they will be. */
static void find_losers(manage_job *j, int p)
{
    uint32_t *const losers = j->asking + j->part[p].agent;
    for (uint32_t k = 0; k < j->part[p].asking; k++) losers[k] = j->w->cell[losers[k]];
}

static void tell_losers(manage_job *j, int p)
{
    const uint32_t *const cells = j->asking + j->part[p].agent;
    for (uint32_t k = 0; k < j->part[p].asking; k++) j->w->lost_to[manage_first_agent(j->w, cells[k])] = 1;
}

void manage_loose_arrange(manage_job *j)
{
    if (j->parts > 1) MANAGE_EACH_PART(j, count_after);
    j->part[0].begin = 0;
    for (int p = 1; p < j->parts; p++) j->part[p].begin = j->part[p - 1].begin + j->part[p - 1].after;
    MANAGE_EACH_PART(j, put_seats);
    manage_each_part(j, j->w->keeps ? keep_order : find_losers);
    if (j->visitor_count + j->leaver_count) manage_exchange_agents(j);
    if (j->w->keeps) return;
    MANAGE_EACH_PART(j, make_order);
    manage_each_part(j, tell_losers);
}

/* ---- order before a manage ---- */

/* What a column of agents, or a row of what their children have, needs to get into another order. */
typedef struct column {
    const uint32_t *at;
    char *values, *memory;
    size_t size;
    uint32_t count;
    int parts;
} column;

static void put_column(void *context, int part)
{
    const column *c = context;
    const uint32_t first = (uint32_t)((uint64_t)c->count * (uint64_t)part / (uint64_t)c->parts);
    const uint32_t end = (uint32_t)((uint64_t)c->count * ((uint64_t)part + 1) / (uint64_t)c->parts);
    const char *const from = c->values + first * c->size, *const next = c->memory + first * c->size;
    put_values(c->memory, from, c->size, c->at + first, end - first, next);
}

static void copy_column(void *context, int part)
{
    const column *c = context;
    const size_t all = c->count * c->size, first = all / (size_t)c->parts * (size_t)part;
    memcpy(c->values + first, c->memory + first, part + 1 < c->parts ? all / (size_t)c->parts : all - first);
}

static void order_column(const manage_job *j, const column *of, const void *values, size_t size)
{
    column c = *of;
    if (!values) return;
    c.values = (char *)values;
    c.size = size;
    mass_cpu_team_run(j->team, c.parts, put_column, &c);
    mass_cpu_team_run(j->team, c.parts, copy_column, &c);
}

bool manage_make_order(const manage_job *j)
{
    const mass_manage_work *w = j->w;
    size_t largest = sizeof(uint64_t);
    for (uint32_t i = 0; i < w->array_count; i++)
        if (w->arrays[i].size > largest) largest = w->arrays[i].size;
    uint32_t *const at = malloc(((size_t)j->count + 1) * sizeof *at);
    char *const memory = malloc((j->count + (size_t)1) * largest);
    if (at && memory) {
        const column c = {.at = at, .memory = memory, .count = j->count, .parts = j->parts};
        for (uint32_t i = 0; i < j->count; i++) at[i] = manage_first_agent(w, w->cell[i]);
        order_column(j, &c, w->id, sizeof *w->id);
        order_column(j, &c, w->cell, sizeof *w->cell);
        order_column(j, &c, w->lost, sizeof *w->lost);
        order_column(j, &c, w->move, sizeof *w->move);
        order_column(j, &c, w->asked, sizeof *w->asked);
        order_column(j, &c, w->move_far, sizeof *w->move_far);
        for (uint32_t b = 0; b < w->children; b++) {
            order_column(j, &c, w->child_cell + (size_t)b * w->room, sizeof *w->child_cell);
            if (w->child_far) order_column(j, &c, w->child_far + (size_t)b * w->room, sizeof *w->child_far);
        }
        for (uint32_t i = 0; i < w->array_count; i++) {
            const mass_agent_array *const a = &w->arrays[i];
            order_column(j, &c, a->from, a->size);
            for (uint32_t b = 0; a->child && b < w->children; b++)
                order_column(j, &c, (const char *)a->child + (size_t)b * w->room * a->size, a->size);
        }
    }
    const bool made = at && memory;
    free(at);
    free(memory);
    return made;
}
