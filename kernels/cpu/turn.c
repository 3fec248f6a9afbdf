/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the lists of agents by place for a phase in turn, and brings the agents back to canonical order after it
 * (turn.h). */
#include "cpu/kernels.h"

#include <mass/arithmetic.h>
#include <mass/impl/seats.h>
#include <string.h>

enum { PARTS_MOST = 1024, WORD = 32 };

/* Returns the first of `count` things of a part; for the number of parts, `count`. */
static uint64_t first_of(uint64_t count, int part, int parts)
{
    return count / (uint64_t)parts * (uint64_t)part + count % (uint64_t)parts * (uint64_t)part / (uint64_t)parts;
}

/* Returns the number of parts for so many threads. */
static int parts_for(int threads) { return threads < PARTS_MOST ? threads : PARTS_MOST; }

/* ---- lists ---- */

typedef struct list_job {
    const mass_turn_population *population;
    const uint32_t *cell;
    int parts;
} list_job;

/* Lists a part of the agents, and marks as many of the children as dead. */
static void list_part(void *context, int part)
{
    const list_job *j = context;
    const mass_turn_population *const t = j->population;
    const uint32_t *const cell = j->cell;
    const uint32_t first = (uint32_t)first_of(t->count, part, j->parts);
    const uint32_t end = (uint32_t)first_of(t->count, part + 1, j->parts);
    for (uint32_t i = first; i < end; i++) {
        const bool begins = i == 0 || cell[i - 1] != cell[i], ends = i + 1 == t->count || cell[i + 1] != cell[i];
        t->agents[i] = (mass_turn_agent){cell[i], ends ? MASS_NOBODY : i + 1};
        if (begins) t->first[cell[i]] = i;
    }
    for (uint32_t i = t->count + first * t->children; i < t->count + end * t->children; i++)
        t->agents[i].cell = MASS_CELL_NOWHERE;
}

void mass_cpu_turn_list(const mass_turn_population *t, const uint32_t *cell, mass_cpu_team *team, int threads)
{
    list_job j = {t, cell, parts_for(threads)};
    mass_cpu_team_run(team, j.parts, list_part, &j);
}

/* ---- canonical order ---- */

typedef struct restore_job {
    const mass_turn_restore_work *w;
    uint64_t cells;
    uint32_t count; /* of agents afterwards */
    int parts;
    uint32_t before[PARTS_MOST]; /* agents of a part's cells; then of all parts before it */
} restore_job;

/* Sets the number of agents before each part, and of all. */
static void add_before(restore_job *j)
{
    for (int p = 0; p < j->parts; p++) {
        const uint32_t own = j->before[p];
        j->before[p] = j->count;
        j->count += own;
    }
}

/* Gives ids to the children that live, and advances w->next_id. */
static void number_children(const mass_turn_restore_work *w)
{
    const mass_turn_population *const t = w->population;
    for (uint32_t i = t->count; i < t->count * (1 + t->children); i++)
        if (t->agents[i].cell != MASS_CELL_NOWHERE) t->id[i] = w->next_id[t->agents[i].cell / (uint64_t)w->places]++;
}

/* Copies an agent's id, cell and refusal flag to its new number. */
static void copy_agent(const mass_turn_restore_work *w, uint32_t from, uint32_t to, uint32_t cell)
{
    const mass_turn_population *const t = w->population;
    w->id_to[to] = t->id[from];
    w->cell_to[to] = cell;
    w->lost_to[to] = from < t->count ? w->lost[from] : 0;
}

/* Marks a cell. Other threads may mark cells of the same word. */
static void mark_atomically(mass_seats *word, uint32_t cell)
{
    __atomic_fetch_or(&word->held, 1u << cell % WORD, __ATOMIC_RELAXED);
}

/* Returns the words of the occupancy bitmap. The last one has the number of all agents. */
static uint64_t words_of(const restore_job *j) { return j->cells / WORD + 1; }

/* Marks the cells of agents `first` to `end` - 1 that are in words of the part. Stores the other cells in from_of,
 * from element `first` on. Returns how many those are. */
static uint32_t mark_cells(const restore_job *j, int part, uint32_t first, uint32_t end)
{
    const mass_turn_restore_work *const w = j->w;
    const uint64_t word = first_of(words_of(j), part, j->parts);
    const uint64_t words = first_of(words_of(j), part + 1, j->parts) - word;
    uint32_t others = 0;
    for (uint32_t i = first; i < end; i++) {
        const uint32_t cell = w->population->agents[i].cell;
        if (cell == MASS_CELL_NOWHERE) continue;
        if (cell / WORD - word < words) w->occupancy[cell / WORD].held |= 1u << cell % WORD;
        else w->from_of[first + others++] = cell;
    }
    return others;
}

/* `others`: of each part, the numbers of elders and of children whose cells are in words of other parts. */
typedef struct mark_job {
    restore_job *j;
    uint32_t others[PARTS_MOST][2];
} mark_job;

/* Returns the first elder of a part, or its first child. */
static uint32_t first_row(const restore_job *j, int part, int child)
{
    const mass_turn_population *const t = j->w->population;
    const uint32_t elder = (uint32_t)first_of(t->count, part, j->parts);
    return child ? t->count + elder * t->children : elder;
}

/* Clears a part's words, and marks the agents of the part that are in them. Leaves the others to mark_others: sets
 * m->others, and stores their cells in w->from_of, which is scratch until agents are written. */
static void mark_own(void *context, int part)
{
    mark_job *const m = context;
    const restore_job *const j = m->j;
    const uint64_t first = first_of(words_of(j), part, j->parts), end = first_of(words_of(j), part + 1, j->parts);
    for (uint64_t i = first; i < end; i++) j->w->occupancy[i].held = 0;
    for (int child = 0; child < 2; child++)
        m->others[part][child] = mark_cells(j, part, first_row(j, part, child), first_row(j, part + 1, child));
}

/* Marks the other agents of the part, when all words are cleared. */
static void mark_others(void *context, int part)
{
    const mark_job *const m = context;
    const mass_turn_restore_work *const w = m->j->w;
    for (int child = 0; child < 2; child++) {
        const uint32_t first = first_row(m->j, part, child);
        for (uint32_t i = 0; i < m->others[part][child]; i++) {
            const uint32_t cell = w->from_of[first + i];
            mark_atomically(&w->occupancy[cell / WORD], cell);
        }
    }
}

/* Counts the agents of a part's words: sets j->before, and in each word the agents of the part before it. */
static void count_words(void *context, int part)
{
    restore_job *const j = context;
    const uint64_t first = first_of(words_of(j), part, j->parts), end = first_of(words_of(j), part + 1, j->parts);
    uint32_t count = 0;
    for (uint64_t i = first; i < end; i++) {
        j->w->occupancy[i].before = count;
        count += mass_ones_u32(j->w->occupancy[i].held);
    }
    j->before[part] = count;
}

/* Adds the agents of all parts before, which add_before has put into j->before, to `before` of a part's words. */
static void add_to_words(void *context, int part)
{
    restore_job *const j = context;
    const uint64_t first = first_of(words_of(j), part, j->parts), end = first_of(words_of(j), part + 1, j->parts);
    for (uint64_t i = first; j->before[part] && i < end; i++) j->w->occupancy[i].before += j->before[part];
}

/* Returns the number of agents in the cells before `cell`. */
static uint32_t first_agent(const mass_turn_restore_work *w, uint64_t cell)
{
    return mass_agents_before(w->occupancy[cell / WORD], (uint32_t)cell);
}

/* Writes a part of the elders, or of the children if `child`. Sets from_of[], and empties the lists of their cells. */
static void write_rows(const restore_job *j, int part, int child)
{
    const mass_turn_restore_work *const w = j->w;
    const mass_turn_population *const t = w->population;
    for (uint32_t i = first_row(j, part, child), end = first_row(j, part + 1, child); i < end; i++) {
        const uint32_t cell = t->agents[i].cell;
        if (cell == MASS_CELL_NOWHERE) continue;
        const uint32_t to = first_agent(w, cell);
        t->first[cell] = MASS_NOBODY;
        copy_agent(w, i, to, cell);
        w->from_of[to] = i;
    }
}

/* Writes a part of the agents, and of the children. */
static void write_part(void *context, int part)
{
    write_rows(context, part, 0);
    write_rows(context, part, 1);
}

/* Writes all agents in canonical order, if places hold one agent. Sets the bitmap, start[] of worlds, from_of[] and
 * j->count; empties the lists. Goes through the agents, and not through the places as write_lists does. */
static void write_agents(restore_job *j, mass_cpu_team *team)
{
    const mass_turn_restore_work *const w = j->w;
    mark_job m = {.j = j};
    mass_cpu_team_run(team, j->parts, mark_own, &m);
    if (j->parts > 1) mass_cpu_team_run(team, j->parts, mark_others, &m);
    mass_cpu_team_run(team, j->parts, count_words, j);
    add_before(j);
    if (j->parts > 1) mass_cpu_team_run(team, j->parts, add_to_words, j);
    mass_cpu_team_run(team, j->parts, write_part, j);
    for (int32_t world = 0; world <= w->worlds; world++)
        w->start[world * w->places] = first_agent(w, (uint64_t)world * (uint64_t)w->places);
}

/* Counts the agents of a part's lists, in j->before. */
static void count_lists(void *context, int part)
{
    restore_job *const j = context;
    const mass_turn_population *const t = j->w->population;
    const uint64_t end = first_of(j->cells, part + 1, j->parts);
    uint32_t count = 0;
    for (uint64_t c = first_of(j->cells, part, j->parts); c < end; c++)
        for (uint32_t i = t->first[c]; i != MASS_NOBODY; i = t->agents[i].next) count++;
    j->before[part] = count;
}

/* Writes the agents of a part's lists one after the other, from j->before on, and empties the lists. Sets start[] and
 * from_of[]; the last part sets j->count. */
static void write_part_of_lists(void *context, int part)
{
    restore_job *const j = context;
    const mass_turn_restore_work *const w = j->w;
    const mass_turn_population *const t = w->population;
    const uint64_t end = first_of(j->cells, part + 1, j->parts);
    uint32_t to = j->before[part];
    for (uint64_t c = first_of(j->cells, part, j->parts); c < end; c++) {
        uint32_t i = t->first[c];
        w->start[c] = to;
        if (i == MASS_NOBODY) continue;
        t->first[c] = MASS_NOBODY;
        for (; i != MASS_NOBODY; i = t->agents[i].next) {
            copy_agent(w, i, to, (uint32_t)c);
            w->from_of[to++] = i;
        }
    }
    if (part + 1 == j->parts) j->count = to;
}

/* Writes the agents of all lists in canonical order, and empties the lists. Sets start[], from_of[] and j->count. One
 * thread need not count them first. */
static void write_lists(restore_job *j, mass_cpu_team *team)
{
    if (j->parts > 1) {
        mass_cpu_team_run(team, j->parts, count_lists, j);
        add_before(j);
    }
    mass_cpu_team_run(team, j->parts, write_part_of_lists, j);
    j->w->start[j->cells] = j->count;
}

/* Copies the values of one attribute, of agents `first` to `end` - 1. */
static void copy_column(const mass_turn_column *c, const uint32_t *from_of, uint32_t first, uint32_t end)
{
#define COPY_AS(T)                                                                                      \
    case sizeof(T):                                                                                     \
        for (uint32_t i = first; i < end; i++) ((T *)c->to)[i] = ((const T *)c->from)[from_of[i]];        \
        return
    switch (c->size) {
        COPY_AS(uint8_t);
        COPY_AS(uint16_t);
        COPY_AS(uint32_t);
        COPY_AS(uint64_t);
    default: break;
    }
    for (uint32_t i = first; i < end; i++)
        memcpy((char *)c->to + i * c->size, (const char *)c->from + from_of[i] * c->size, c->size);
}

/* Copies a part of the agents' columns into the new order. */
static void copy_part(void *context, int part)
{
    const restore_job *const j = context;
    const uint32_t first = (uint32_t)first_of(j->count, part, j->parts);
    const uint32_t end = (uint32_t)first_of(j->count, part + 1, j->parts);
    for (uint32_t k = 0; k < j->w->column_count; k++) copy_column(&j->w->columns[k], j->w->from_of, first, end);
}

/* Adds to the population's tallies what the phase counted. */
static void add_counts(const mass_turn_restore_work *w)
{
    const int64_t *const counts[] = {w->population->born, w->population->died, w->population->unborn};
    for (int k = 0; k < 3; k++)
        for (int32_t world = 0; w->tallies[k] && world < w->worlds; world++)
            w->tallies[k][world] = mass_sum_i64(w->tallies[k][world], counts[k][world]);
}

void mass_cpu_turn_restore(const mass_turn_restore_work *w, mass_cpu_team *team, int threads)
{
    restore_job j = {.w = w, .cells = (uint64_t)w->worlds * (uint64_t)w->places, .parts = parts_for(threads)};
    number_children(w);
    if (w->occupancy) write_agents(&j, team);
    else write_lists(&j, team);
    mass_cpu_team_run(team, j.parts, copy_part, &j);
    add_counts(w);
    *w->count = j.count;
}
