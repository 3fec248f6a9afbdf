/* SPDX-License-Identifier: Apache-2.0 */
/* Adds the agents that places bring forth (sprouts.h). Each thread has a range of cells that begins at a multiple of
 * 32, the cells of an element of the occupancy bitmap. */
#include "cpu/kernels.h"

#include <mass/arithmetic.h>
#include <mass/impl/seats.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 32, WORTH_A_THREAD = 1 << 16, PARTS_MOST = 1024 };

typedef struct job {
    const mass_sprout_work *w;
    uint64_t cells;
    int parts;
    uint64_t born[PARTS_MOST]; /* of each part; then of all parts before it */
    bool any[PARTS_MOST];
    bool ignored[PARTS_MOST];
} job;

/* Returns the first cell of a part; for the number of parts, the number of cells. */
static uint64_t first_cell(const job *j, int part)
{
    if (part == j->parts) return j->cells;
    return j->cells / WORD * (uint64_t)part / (uint64_t)j->parts * WORD;
}

/* Returns whether the gate of a cell's world is closed: no agent is born there, and requests stay. */
static bool is_closed(const mass_sprout_work *w, uint64_t cell)
{
    return w->gates && w->gates[cell / (uint64_t)w->places];
}

/* Returns the number of agents in the cells before `cell`. */
static uint32_t first_agent(const mass_sprout_work *w, uint64_t cell)
{
    return w->occupancy ? mass_agents_before(w->occupancy[cell / WORD], (uint32_t)cell) : w->start[cell];
}

/* Returns the number of sprouts that are born on a cell. Sets *any if the cell is open and has a request; else leaves
 * it. */
static uint32_t births_of(const mass_sprout_work *w, uint64_t cell, bool *any)
{
    const uint32_t asked = w->asked[cell];
    if (!asked || is_closed(w, cell)) return 0;
    *any = true;
    const uint32_t births = asked & 0xffff;
    if (w->capacity == 0 || births == 0) return births;
    const uint32_t held = w->occupancy ? w->occupancy[cell / WORD].held >> cell % WORD & 1
                                       : w->start[cell + 1] - w->start[cell];
    const uint32_t seats = held < w->capacity ? w->capacity - held : 0;
    return births < seats ? births : seats;
}

/* Counts the births of a part's cells: before[] becomes the births of the part before each cell. Sets j->born and
 * j->any of the part. */
static void count_part(void *context, int part)
{
    job *j = context;
    uint64_t born = 0;
    bool any = false;
    for (uint64_t c = first_cell(j, part), end = first_cell(j, part + 1); c < end; c++) {
        j->w->before[c] = (uint32_t)born;
        born += births_of(j->w, c, &any);
    }
    j->born[part] = born;
    j->any[part] = any;
}

/* Adds the births of all parts before, in j->born, to before[]. */
static void add_before(void *context, int part)
{
    job *j = context;
    const uint32_t before = (uint32_t)j->born[part];
    for (uint64_t c = first_cell(j, part), end = first_cell(j, part + 1); before && c < end; c++)
        j->w->before[c] += before;
}

/* Sets up a job with parts for the threads of the team. */
static void begin(job *j, const mass_sprout_work *w, mass_cpu_team *team)
{
    *j = (job){.w = w, .cells = (uint64_t)w->worlds * (uint64_t)w->places, .parts = mass_cpu_team_threads(team)};
    const uint64_t worth = 1 + j->cells / WORTH_A_THREAD;
    if (worth < (uint64_t)j->parts) j->parts = (int)worth;
    if (j->parts > PARTS_MOST) j->parts = PARTS_MOST;
}

void mass_cpu_sprout_count(const mass_sprout_work *w, mass_cpu_team *team, uint64_t *born, bool *any)
{
    job j;
    begin(&j, w, team);
    mass_cpu_team_run(team, j.parts, count_part, &j);
    *born = 0;
    *any = false;
    for (int p = 0; p < j.parts; p++) {
        const uint64_t own = j.born[p];
        j.born[p] = *born;
        *born += own;
        *any |= j.any[p];
    }
    if (*born) mass_cpu_team_run(team, j.parts, add_before, &j);
    w->before[j.cells] = (uint32_t)*born;
}

/* ---- the merge ---- */

/* Copies agents `first` to before `end` to the indices that are `by` larger. */
static void copy_agents(const mass_sprout_work *w, uint32_t first, uint32_t end, uint32_t by)
{
    const size_t n = end - first, to = (size_t)first + by;
    if (n == 0) return;
    memcpy(w->id_to + to, w->id + first, n * sizeof *w->id);
    memcpy(w->cell_to + to, w->cell + first, n * sizeof *w->cell);
    memcpy(w->lost_to + to, w->lost + first, n);
    for (uint32_t k = 0; k < w->array_count; k++) {
        const mass_sprout_array *a = &w->arrays[k];
        memcpy((char *)a->to + to * a->size, (const char *)a->from + first * a->size, n * a->size);
    }
}

/* Writes the sprouts of a cell from array index `to` on. */
static void add_sprouts(const job *j, uint64_t cell, uint32_t to)
{
    const mass_sprout_work *w = j->w;
    const uint64_t world = cell / (uint64_t)w->places;
    const uint64_t id = w->id_base[world] + (w->before[cell] - w->before[world * (uint64_t)w->places]);
    for (uint32_t k = 0, n = w->before[cell + 1] - w->before[cell]; k < n; k++, to++) {
        w->id_to[to] = id + k;
        w->cell_to[to] = (uint32_t)cell;
        w->lost_to[to] = 0;
        for (uint32_t i = 0; i < w->array_count; i++) {
            const mass_sprout_array *a = &w->arrays[i];
            const void *from = a->value ? (char *)a->value + (k * j->cells + cell) * a->size : a->initial;
            if ((int32_t)i == w->points)
                mass_point_of_agent(&w->draws, (int32_t)world, (mass_gidx)(cell % (uint64_t)w->places), id + k,
                                    (char *)a->to + to * a->size);
            else memcpy((char *)a->to + to * a->size, from, a->size);
        }
    }
}

/* Copies the agents of a part to their new indices, and adds the sprouts of each cell behind its agents. */
static void merge_part(void *context, int part)
{
    const job *j = context;
    const mass_sprout_work *w = j->w;
    const uint64_t end = first_cell(j, part + 1);
    uint64_t c = first_cell(j, part);
    uint32_t agent = first_agent(w, c);
    for (; c < end; c++) {
        if (w->before[c + 1] == w->before[c]) continue;
        const uint32_t behind = first_agent(w, c + 1);
        copy_agents(w, agent, behind, w->before[c]);
        add_sprouts(j, c, behind + w->before[c]);
        agent = behind;
    }
    copy_agents(w, agent, first_agent(w, end), w->before[end]);
}

/* Updates an element of the occupancy bitmap. */
static void seat_word(const job *j, uint64_t word)
{
    const mass_sprout_work *w = j->w;
    mass_seats *const s = &w->occupancy[word];
    const uint64_t first = word * WORD, end = first + WORD < j->cells ? first + WORD : j->cells;
    s->before += w->before[first];
    for (uint64_t c = first; c < end; c++)
        if (w->before[c + 1] != w->before[c]) s->held |= 1u << c % WORD;
}

/* Updates the first agents of cells, or the occupancy bitmap. */
static void start_part(void *context, int part)
{
    const job *j = context;
    const mass_sprout_work *w = j->w;
    const bool last = part == j->parts - 1;
    const uint64_t first = first_cell(j, part), end = first_cell(j, part + 1);
    for (uint64_t c = first; !w->occupancy && c < end + last; c++) w->start[c] += w->before[c];
    for (uint64_t i = first / WORD; w->occupancy && i < (last ? end / WORD + 1 : end / WORD); i++) seat_word(j, i);
}

void mass_cpu_sprout_grow(const mass_sprout_work *w, mass_cpu_team *team)
{
    job j;
    begin(&j, w, team);
    mass_cpu_team_run(team, j.parts, merge_part, &j);
    mass_cpu_team_run(team, j.parts, start_part, &j);
    for (int32_t i = 0; w->occupancy && i <= w->worlds; i++) w->start[i * w->places] += w->before[i * w->places];
    for (int32_t i = 0; i < w->worlds; i++) {
        const uint32_t born = w->before[(i + 1) * w->places] - w->before[i * w->places];
        w->next_id[i] += born;
        if (w->born) w->born[i] = mass_sum_i64(w->born[i], born);
    }
    *w->count += w->before[j.cells];
}

/* ---- requests ---- */

/* Clears the request of a cell, and resets the values of its sprouts. Returns the number of sprouts not born: all that
 * were asked for if before[] is NULL. */
static uint32_t clear(const job *j, uint64_t cell)
{
    const mass_sprout_work *w = j->w;
    const uint32_t asked = w->asked[cell];
    for (uint32_t i = 0; i < w->array_count; i++) {
        const mass_sprout_array *a = &w->arrays[i];
        for (uint32_t k = 0; a->value && k < asked >> 16; k++)
            memcpy((char *)a->value + (k * j->cells + cell) * a->size, a->initial, a->size);
    }
    w->asked[cell] = 0;
    return (asked & 0xffff) - (w->before ? w->before[cell + 1] - w->before[cell] : 0);
}

/* Clears the requests of a part's open cells, and counts the births for which there was no seat. Sets j->ignored if a
 * sprout is not born. */
static void clear_part(void *context, int part)
{
    job *j = context;
    const mass_sprout_work *w = j->w;
    for (uint64_t c = first_cell(j, part), end = first_cell(j, part + 1); c < end; c++) {
        if (!w->asked[c] || is_closed(w, c)) continue;
        const uint32_t unborn = clear(j, c);
        j->ignored[part] |= unborn > 0;
        if (unborn && w->unborn && w->before)
            __atomic_fetch_add(&w->unborn[c / (uint64_t)w->places], unborn, __ATOMIC_RELAXED);
    }
}

void mass_cpu_sprout_clear(const mass_sprout_work *w, mass_cpu_team *team)
{
    job j;
    begin(&j, w, team);
    mass_cpu_team_run(team, j.parts, clear_part, &j);
    for (int p = 0; p < j.parts; p++)
        if (w->ignored && j.ignored[p] && !*w->ignored) *w->ignored = 1;
}
