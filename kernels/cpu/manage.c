/* SPDX-License-Identifier: Apache-2.0 */
/* Births, deaths and moves of a population on the CPU (manage.h). This file holds the steps that all manages share, and
 * chooses one of five ways for the rest (manage_job.h). */
#include "cpu/manage_job.h"

#include <mass/arithmetic.h>

#include <stdlib.h>
#include <string.h>

enum {
    PART = 1 << 16,  /* least work worth a thread, in cells */
    AGENT_WORK = 16, /* work of an agent, in cells */
    FEW = 8,         /* births are few up to this number plus one for each FEW agents */
    SPARSE = 8,      /* sparse: at most one of so many agents asks for anything */
    LINE = 64,       /* bytes of a cache line */
    BLOCK = 256,     /* agents whose requests are tested at once */
    LOOK = 4096      /* agents that are examined before the number of moves is tested */
};

typedef struct phase {
    manage_job *job;
    void (*work)(manage_job *j, int p);
} phase;

/* Runs one part of the present phase, on a thread of the team. */
static void do_part(void *context, int part)
{
    const phase *p = context;
    p->work(p->job, part);
}

void manage_each_part(manage_job *j, void (*work)(manage_job *j, int p))
{
    phase p = {j, work};
    mass_cpu_team_run(j->team, j->parts, do_part, &p);
}

/* Adds each open world's births, deaths and refused births to its tallies, and advances its next id. start[] must be
 * new. */
static void tally(const manage_job *j)
{
    const mass_manage_work *w = j->w;
    for (int32_t i = 0; i < w->worlds; i++) {
        if (is_closed(w, i)) continue;
        const int64_t before = j->first[i + 1] - j->first[i], born = j->births ? j->born[i] : 0;
        const int64_t after = w->start[(i + 1) * w->places] - w->start[i * w->places];
        w->next_id[i] += (uint64_t)born;
        if (w->born) w->born[i] = mass_sum_i64(w->born[i], born); /* wraps, like all tallies */
        if (w->died) w->died[i] = mass_sum_i64(w->died[i], before + born - after);
        if (w->refused && j->births) w->refused[i] = mass_sum_i64(w->refused[i], j->asked[i] - born);
    }
}

/* Returns the first cell that has at least `work` before it. */
static uint64_t cell_after(const manage_job *j, uint64_t work)
{
    uint64_t low = 0, high = j->cells;
    while (low < high) {
        const uint64_t middle = (low + high) / 2;
        if (middle + (uint64_t)AGENT_WORK * manage_first_agent(j->w, middle) < work) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Divides cells and agents into parts of equal work. least: work that is worth a thread; 0: the default. With capacity
 * 1, parts begin with a whole word of cells, because threads write whole words. */
static void divide(manage_job *j, uint64_t least, int threads)
{
    const uint64_t work = j->cells + (uint64_t)AGENT_WORK * j->count, worth = work / (least ? least : PART);
    const uint64_t whole = j->w->capacity == 1 ? MANAGE_WORD : 1;
    if (threads > MANAGE_PARTS_MAX) threads = MANAGE_PARTS_MAX;
    j->parts = threads < 1 || worth < 1 ? 1 : worth < (uint64_t)threads ? (int)worth : threads;
    for (int p = 0; p <= j->parts; p++) {
        uint64_t cell = p < j->parts ? cell_after(j, work / (uint64_t)j->parts * (uint64_t)p) : j->cells;
        cell = (cell + whole - 1) / whole * whole;
        if (cell > j->cells) cell = j->cells;
        j->part[p] = (manage_part){.cell = cell, .agent = cell < j->cells ? manage_first_agent(j->w, cell) : j->count};
    }
}

/* Returns the smaller of two numbers. */
static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Counts a part's births and deaths in open worlds: sets `asked` and `gone`. Births are summed in 64 bits: more may be
 * requested than there can be. */
static void count_asked(manage_job *j, int p)
{
    const uint32_t *const asked = j->w->asked;
    uint64_t world, births = 0;
    uint32_t gone = 0;
    for (uint32_t i = j->part[p].agent, end; i < j->part[p + 1].agent; i = end) {
        end = world_end(j, p, i, &world);
        if (is_closed(j->w, world)) continue;
        for (uint32_t k = i, last; k < end; k = last) {
            uint32_t any = 0, few = 0;
            last = smaller(end, k + BLOCK);
            for (uint32_t a = k; a < last; a += LINE / sizeof *asked) manage_fetch(asked + a);
            for (uint32_t a = k; a < last; a++) any |= asked[a];
            if (!any) continue;
            for (uint32_t a = k; a < last; a++) gone += asked[a] / MASS_ASKED_KILL;
            if ((any & ~MASS_ASKED_KILL) < UINT32_MAX / BLOCK) { /* sums of 32 bits suffice, and vectorize */
                for (uint32_t a = k; a < last; a++) few += asked[a] & ~MASS_ASKED_KILL;
                births += few;
            } else
                for (uint32_t a = k; a < last; a++) births += asked[a] & ~MASS_ASKED_KILL;
        }
    }
    j->part[p].asked = births;
    j->part[p].gone = gone;
}

/* Counts requested births and deaths by part, and sums the births before each part. Returns false if agents and births
 * exceed 32 bits. */
static bool count_births(manage_job *j)
{
    uint64_t total = 0;
    manage_each_part(j, count_asked);
    for (int p = 0; p < j->parts; p++) {
        total += j->part[p].asked;
        if (total + j->count >= UINT32_MAX) return false;
        j->part[p + 1].births = (uint32_t)total;
    }
    j->births = (uint32_t)total;
    return true;
}

/* Returns whether any agent dies or asks for births. */
static bool changes(const manage_job *j)
{
    uint64_t gone = 0;
    for (int p = 0; p < j->parts; p++) gone += j->part[p].gone;
    return j->births > 0 || gone > 0;
}

/* Prepares a manage of unsorted agents, and sets j->unsorted. If they are to do more than move, sorts them first.
 * Returns false if out of memory or if there are too many births. Does nothing if the agents happen to be sorted, and
 * stay so. */
static bool begin_unsorted(manage_job *j)
{
    if (j->w->order.leaves == MASS_ORDER_SORTED && manage_is_sorted(j->w)) return true;
    j->unsorted = !j->changes;
    return j->unsorted || (manage_make_order(j) && count_births(j));
}

/* Returns the most moves that a sparse manage may have; 0: it may not be sparse. Moves beyond that number need not be
 * counted. */
static uint32_t sparse_at_most(const manage_job *j)
{
    const bool may = j->w->capacity == 1 && j->births == 0 && !j->crosses;
    return may ? j->count / SPARSE : 0;
}

/* Counts the requests of a part to move to another cell; stops beyond sparse_at_most. Also sets `waits`. */
static void count_moves(manage_job *j, int p)
{
    const uint32_t *const cell = j->w->cell, *const move = j->w->move, most = sparse_at_most(j);
    uint32_t moves = 0;
    bool waits = true;
    uint64_t world;
    for (uint32_t i = j->part[p].agent, end; i < j->part[p + 1].agent && moves <= most; i = end) {
        uint32_t found = 0, here = MASS_CELL_STAY;
        end = smaller(world_end(j, p, i, &world), i + LOOK);
        for (uint32_t k = i; k < end; k++) here &= move[k];
        if (here == MASS_CELL_STAY) continue;
        waits = false;
        for (uint32_t k = i; k < end; k++) found += (move[k] != MASS_CELL_STAY) & (move[k] != cell[k]);
        if (!is_closed(j->w, world)) moves += found;
    }
    j->part[p].moves = moves;
    j->part[p].waits = waits;
}

/* Sets which way the job takes (manage_job.h), unless agents are unsorted. May count moves for that. */
static void choose_way(manage_job *j)
{
    const bool few_births = !j->crosses && j->births <= FEW + j->count / FEW;
    uint64_t moves = 0, gone = 0;
    if (j->unsorted) return;
    if (few_births) manage_each_part(j, count_moves);
    for (int p = 0; p < j->parts; p++) moves += j->part[p].moves, gone += j->part[p].gone;
    j->merges = few_births && moves == 0;
    j->sparse = few_births && moves > 0 && moves + gone <= sparse_at_most(j);
    j->exclusive = !j->merges && !j->sparse && j->w->capacity == 1;
}

/* Takes n elements from the memory; with `memory` NULL, only adds up their size. */
static void *take(char *memory, size_t *used, uint64_t n, size_t size)
{
    void *const at = memory ? memory + *used : NULL;
    *used += (n * size + 63) / 64 * 64;
    return at;
}

/* Takes memory for what all ways need for births, arrivals and worlds. */
static void lay_out_births(manage_job *j, char *memory, size_t *used)
{
    const uint64_t worlds = (uint64_t)j->w->worlds;
    const uint64_t newcomers = (uint64_t)j->births + j->arrival_count;
    j->child_id = take(memory, used, newcomers, sizeof *j->child_id);
    j->parent = take(memory, used, j->births, sizeof *j->parent);
    j->number = take(memory, used, j->births, sizeof *j->number);
    j->where = take(memory, used, newcomers, sizeof *j->where);
    j->first = take(memory, used, worlds + 1, sizeof *j->first);
    j->asked = take(memory, used, worlds, sizeof *j->asked);
    j->born = take(memory, used, worlds, sizeof *j->born);
}

/* Returns whether the general way, with lists of claims by cell, is taken. */
static bool goes_by_lists(const manage_job *j) { return !j->merges && !j->exclusive && !j->sparse && !j->unsorted; }

/* Points the arrays of the chosen way into `memory`, and returns the bytes needed. With `memory` NULL, only counts
 * bytes. */
static size_t lay_out(manage_job *j, const mass_cpu_manage_scratch *scratch, char *memory)
{
    const uint64_t items = (uint64_t)j->count + j->births + j->arrival_count, seats = items + j->count;
    size_t used = 0;
    if (!goes_by_lists(j)) take(memory, &used, scratch->clean, sizeof *j->head);
    if (j->sparse || j->unsorted) {
        j->taken = take(memory, &used, (j->cells + MANAGE_WORD - 1) / MANAGE_WORD, sizeof *j->taken);
        j->asking = take(memory, &used, j->count, sizeof *j->asking);
        j->later = take(memory, &used, j->count, sizeof *j->later);
        j->seated = take(memory, &used, (uint64_t)j->count + 3 * (uint64_t)j->visitor_room, sizeof *j->seated);
    } else if (j->merges) j->newborn = take(memory, &used, j->births, sizeof *j->newborn);
    else if (j->exclusive) {
        j->words = take(memory, &used, (j->cells + MANAGE_WORD - 1) / MANAGE_WORD, sizeof *j->words);
        j->seated = take(memory, &used, seats < j->cells ? seats : j->cells, sizeof *j->seated);
    } else {
        j->head = take(memory, &used, j->cells, sizeof *j->head);
        j->next = take(memory, &used, items + 1, sizeof *j->next);
        j->free_seats = take(memory, &used, j->count, sizeof *j->free_seats);
        j->state = take(memory, &used, items + 1, sizeof *j->state);
    }
    if (!j->unsorted) j->order = take(memory, &used, items, sizeof *j->order);
    lay_out_births(j, memory, &used);
    return used;
}

/* Enlarges the scratch memory if needed, lays out the arrays, and initialises those of worlds and lists. For lists,
 * scratch->clean is 0 until they are arranged. Returns false if out of memory. */
static bool reserve(manage_job *j, mass_cpu_manage_scratch *scratch)
{
    size_t size = lay_out(j, scratch, NULL);
    if (size > scratch->size) {
        mass_cpu_manage_free(scratch);
        size = lay_out(j, scratch, NULL);
        scratch->memory = aligned_alloc(64, size + size / 4 / 64 * 64);
        if (!scratch->memory) return false;
        scratch->size = size + size / 4 / 64 * 64;
        mass_cpu_advise_pages(scratch->memory, scratch->size);
    }
    lay_out(j, scratch, scratch->memory);
    for (int32_t i = 0; i <= j->w->worlds; i++) j->first[i] = j->w->start[i * j->w->places];
    memset(j->asked, 0, (size_t)j->w->worlds * sizeof *j->asked);
    memset(j->born, 0, (size_t)j->w->worlds * sizeof *j->born);
    if (!goes_by_lists(j)) return true;
    if (scratch->clean < j->cells) {
        static const uint32_t none = 0;
        mass_cpu_fill(j->head, &none, sizeof none, j->cells, j->parts > 1 ? j->team : NULL);
    }
    scratch->clean = 0;
    j->next[0] = 0;
    return true;
}

/* Returns the number of agents after deaths and births, without those that arrive or leave the rank. */
static uint64_t count_after(const manage_job *j)
{
    uint64_t total = j->count;
    for (int p = 0; p < j->parts; p++) total -= j->part[p].gone;
    for (int32_t i = 0; i < j->w->worlds; i++) total += j->born[i];
    return total;
}

/* Decides who is on which cell afterwards, births included. Changes to lists if a cell turns out to have two agents.
 * Returns false if out of memory. */
static bool seat_all(manage_job *j, mass_cpu_manage_scratch *scratch)
{
    if (j->merges) manage_merge_seat(j);
    if (j->unsorted) manage_unsorted_seat(j);
    if (j->merges || j->unsorted) return true;
    if ((j->sparse && manage_sparse_seat(j)) || (j->exclusive && manage_exclusive_seat(j))) return true;
    if (j->exclusive || j->sparse) {
        j->exclusive = j->sparse = false;
        if (!reserve(j, scratch)) return false;
    }
    manage_lists_seat(j);
    return true;
}

/* Ends `start` with the number of all agents. With a bitmap, also sets the first agent of each world there, and the
 * bitmap's element past the last cell. */
static void end_seats(const manage_job *j)
{
    const mass_manage_work *w = j->w;
    if (w->occupancy && j->cells % 32 == 0) w->occupancy[j->cells / 32] = (mass_seats){0, j->total};
    for (int32_t i = 0; w->occupancy && i < w->worlds; i++)
        w->start[i * w->places] = manage_first_agent(w, (uint64_t)i * (uint64_t)w->places);
    w->start[j->cells] = j->total;
}

void manage_arrange(manage_job *j, mass_cpu_manage_scratch *scratch)
{
    if (j->merges) manage_merge_arrange(j);
    else if (j->unsorted) manage_unsorted_arrange(j);
    else if (j->sparse) manage_sparse_arrange(j);
    else if (j->exclusive) manage_exclusive_arrange(j);
    else manage_lists_arrange(j);
    end_seats(j);
    if (!j->sparse && !j->unsorted && !(j->merges && j->w->occupancy)) manage_copy_attributes(j);
    if (!j->unsorted && !j->answered) manage_reset_requests(j);
    *j->w->count = j->total;
    if (goes_by_lists(j)) scratch->clean = j->cells;
}

/* Fills in the job from its work: divides it into parts, counts births, and sets j->changes. Returns false if there are
 * too many births. */
static bool begin(manage_job *j, mass_cpu_manage_scratch *scratch, int threads)
{
    const mass_manage_work *w = j->w;
    j->cells = (uint64_t)w->worlds * (uint64_t)w->places;
    j->count = *w->count;
#ifdef __x86_64__
    j->popcnt = __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
#endif
    j->spawn_first = w->sub_phases[0] == MASS_SPAWN;
    j->spawn_last = w->sub_phases[2] == MASS_SPAWN;
    divide(j, scratch->part, threads);
    if (!count_births(j)) return false;
    j->changes = changes(j);
    return true;
}

bool manage_unsorted_begin(manage_job *j, mass_cpu_manage_scratch *scratch, int threads)
{
    if (!begin(j, scratch, threads)) return false;
    j->unsorted = !j->changes;
    return j->changes || reserve(j, scratch);
}

bool manage_seat(manage_job *j, mass_cpu_manage_scratch *scratch, int threads)
{
    const mass_manage_work *w = j->w;
    if (!begin(j, scratch, threads)) return false;
    if (j->changes && w->order.leaves == MASS_ORDER_ANY) return true;
    if (mass_manage_has_any(w->order) && !begin_unsorted(j)) return false;
    choose_way(j);
    return reserve(j, scratch) && seat_all(j, scratch);
}

uint64_t mass_cpu_manage(const mass_manage_work *w, mass_cpu_manage_scratch *scratch, mass_cpu_team *team, int threads)
{
    manage_job j = {.w = w, .team = team};
    if (!manage_seat(&j, scratch, threads)) return UINT64_MAX;
    if (j.changes && w->order.leaves == MASS_ORDER_ANY) return MASS_MANAGE_CHANGES;
    const uint64_t total = count_after(&j);
    if (total > w->room) return total;
    j.total = (uint32_t)total;
    manage_arrange(&j, scratch);
    tally(&j);
    return total;
}

void mass_cpu_manage_free(mass_cpu_manage_scratch *scratch)
{
    free(scratch->memory);
    *scratch = (mass_cpu_manage_scratch){.part = scratch->part};
}
