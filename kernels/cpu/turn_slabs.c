/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu/turn_slabs.h"
#include "cpu/kernels.h"
#include "cpu/turn_wait.h"

#include <mass/impl/seats.h>
#include <stdlib.h>
#include <string.h>

enum { FREE, TAKEN, DONE };
enum { LOW, HIGH };

/* ---- cuts ---- */

/* The axis along which worlds are cut, and what is known of it. */
typedef struct cut_axis {
    int64_t layers, cells; /* of the axis; of a layer */
    int64_t reach;         /* agents that are farther apart cannot matter to each other */
    bool wraps;
} cut_axis;

/* Returns the axis along which worlds are cut into slabs: the slowest one with more than one place. */
static cut_axis axis_of(const mass_launch *l)
{
    const int axis = l->size[2] > 1 ? 2 : l->size[1] > 1 ? 1 : 0;
    return (cut_axis){l->extent[axis], (axis > 0 ? l->size[0] : 1) * (axis > 1 ? l->size[1] : 1),
                      (int64_t)l->turn->scope.sees + l->turn->scope.changes, (l->torus >> axis & 1) != 0};
}

/* Returns the places of a world, or of the part that this process has. */
static int64_t places_of(const mass_launch *l) { return (int64_t)l->extent[0] * l->extent[1] * l->extent[2]; }

/* Returns whether the phase runs in a world. */
static bool is_open(const mass_launch *l, int32_t world) { return !l->gates || !l->gates[world]; }

/* Returns the largest number of slabs of a world. */
static int64_t slabs_of_world(const cut_axis *a, int most)
{
    const int64_t slabs = a->layers / (a->reach + 1);
    return slabs < 1 ? 1 : slabs < most ? slabs : most;
}

int64_t mass_cpu_turn_slabs_most(const mass_launch *l, int most)
{
    const cut_axis axis = axis_of(l);
    int64_t open = 0;
    for (int32_t w = 0; w < l->worlds; w++) open += is_open(l, w);
    return open * slabs_of_world(&axis, most);
}

/* Returns the number of agents before a layer of a world; or of places, if these act. */
static uint32_t agents_before(const mass_launch *l, const cut_axis *a, int32_t world, int64_t layer)
{
    const mass_agents *g = &l->populations[0];
    const int64_t cell = world * places_of(l) + layer * a->cells;
    if (!g->id) return (uint32_t)cell; /* places act */
    return g->occupancy ? mass_agents_before(g->occupancy[cell / 32], (uint32_t)cell) : g->start[cell];
}

/* Returns the first layer from `low` to `high` before which there are at least so many agents, or `high`. */
static int64_t find_layer(const mass_launch *l, const cut_axis *a, int32_t world, int64_t low, int64_t high,
                          uint32_t agents)
{
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (agents_before(l, a, world, middle) >= agents) high = middle;
        else low = middle + 1;
    }
    return low;
}

/* Adds the slabs of a world. None if it has no agents. */
static void cut_world(mass_cpu_turn_slabs *s, const mass_launch *l, const cut_axis *a, int32_t world, int most)
{
    const int32_t n = (int32_t)slabs_of_world(a, most), base = s->count;
    const uint32_t first = agents_before(l, a, world, 0), all = agents_before(l, a, world, a->layers) - first;
    int64_t begin = 0;
    for (int32_t i = 0; all && i < n; i++) {
        const uint32_t wanted = first + (uint32_t)((uint64_t)all * (uint64_t)(i + 1) / (uint64_t)n);
        const int64_t end = i + 1 == n ? a->layers : find_layer(l, a, world, begin + a->reach + 1,
                                                                a->layers - (n - i - 1) * (a->reach + 1), wanted);
        const bool low = n > 1 && (i > 0 || a->wraps), high = n > 1 && (i + 1 < n || a->wraps);
        mass_cpu_turn_slab *const slab = &s->list[s->count++];
        *slab = (mass_cpu_turn_slab){.world = world, .first = agents_before(l, a, world, begin),
                                     .end = agents_before(l, a, world, end), .begin_layer = begin,
                                     .end_layer = end};
        slab->low_end = low ? agents_before(l, a, world, begin + a->reach) : slab->first;
        slab->high_first = high ? agents_before(l, a, world, end - a->reach) : slab->end;
        slab->next = slab->first;
        slab->sides[LOW].other = low ? base + (i + n - 1) % n : -1;
        slab->sides[HIGH].other = high ? base + (i + 1) % n : -1;
        begin = end;
    }
}

/* Returns memory for so many elements: `old`, or in its place larger memory without its contents. Sets *room then.
 * NULL: out of memory. */
static void *room_for(void *old, size_t *room, size_t needed, size_t size)
{
    if (old && needed <= *room) return old;
    free(old);
    *room = needed;
    return aligned_alloc(MASS_CPU_TURN_LINE, (needed * size / MASS_CPU_TURN_LINE + 1) * MASS_CPU_TURN_LINE);
}

/* Sets the number of agents of each side of all slabs. Gives the sides their parts of the memory; NULL: none. Returns
 * the elements that all sides need. */
static size_t divide(mass_cpu_turn_slabs *s, uint32_t *memory)
{
    size_t used = 0;
    for (int32_t i = 0; i < s->count; i++) {
        mass_cpu_turn_slab *const slab = &s->list[i];
        slab->sides[LOW].count = slab->low_end - slab->first;
        slab->sides[HIGH].count = slab->end - slab->high_first;
        for (int k = 0; k < MASS_CPU_TURN_SIDES; k++) {
            mass_cpu_turn_side *const side = &slab->sides[k];
            side->waits = memory ? memory + used : NULL;
            side->rank = memory ? memory + used + side->count : NULL;
            used += 2 * (size_t)side->count;
        }
    }
    return used;
}

bool mass_cpu_turn_cut(mass_cpu_turn_slabs *s, const mass_turn_order_work *order, const mass_launch *l, int most)
{
    const cut_axis axis = axis_of(l);
    const int64_t needed = mass_cpu_turn_slabs_most(l, most);
    if (needed > INT32_MAX) return false;
    s->list = room_for(s->list, &s->room, (size_t)needed, sizeof *s->list);
    if (!s->list) return false;
    s->count = 0;
    s->order = order;
    s->launch = l;
    for (int32_t w = 0; w < l->worlds; w++)
        if (is_open(l, w)) cut_world(s, l, &axis, w, most);
    s->memory = room_for(s->memory, &s->memory_room, divide(s, NULL), sizeof *s->memory);
    if (!s->memory) return false;
    divide(s, s->memory);
    atomic_init(&s->left, s->count);
    atomic_init(&s->workers, 0);
    return true;
}

/* ---- order ---- */

/* Finds the order of a slab, and its near agents: sets `near` and `rank` of both sides. Those at the lower cut are
 * listed in free memory, the others over the entries that have been read. */
static void order_slab(const mass_turn_order_work *w, mass_cpu_turn_slab *s)
{
    uint64_t *const entries = (uint64_t *)w->memory + s->first;
    uint64_t *const sorted = mass_cpu_turn_sort(w, s->world, s->first, s->end - s->first);
    uint64_t *const low = sorted == entries ? entries + w->count : entries, *const high = sorted;
    uint32_t lows = 0, highs = 0;
    for (uint32_t i = 0; i < s->end - s->first; i++) {
        const uint32_t agent = (uint32_t)sorted[i];
        const uint64_t entry = (sorted[i] >> 32 << 32) | (s->first + i);
        if (agent < s->low_end) {
            s->sides[LOW].rank[agent - s->first] = lows;
            low[lows++] = entry;
        }
        if (agent >= s->high_first) {
            s->sides[HIGH].rank[agent - s->high_first] = highs;
            high[highs++] = entry;
        }
    }
    s->sides[LOW].near = low;
    s->sides[HIGH].near = high;
}

/* Returns an entry with the agent for its place in the order. */
static uint64_t with_agent(const uint32_t *order, uint64_t entry)
{
    return (entry >> 32 << 32) | order[(uint32_t)entry];
}

/* A near agent that looks for those on the other side for which it has to wait. */
typedef struct search {
    const mass_cpu_turn_slabs *slabs;
    cut_axis axis;
    const mass_cpu_turn_side *beside; /* the side of the other slab */
    uint32_t first;   /* the first near agent there */
    int32_t world;
    uint64_t own;     /* its entry, with the agent */
    int64_t at[3];    /* its place */
    uint32_t waits;   /* found so far */
} search;

/* Looks at the agents on some places of a world, from cell `begin` to `end` - 1. Raises f->waits to those that come
 * first. */
static void look_at_places(search *f, int64_t begin, int64_t end)
{
    const mass_launch *l = f->slabs->launch;
    const uint32_t *const order = mass_cpu_turn_order_in(f->slabs->order);
    const cut_axis places = {.cells = 1};
    const uint32_t last = agents_before(l, &places, f->world, end);
    for (uint32_t i = agents_before(l, &places, f->world, begin); i < last; i++) {
        const uint32_t rank = f->beside->rank[i - f->first];
        if (rank >= f->waits &&
            mass_cpu_turn_precedes(f->slabs->order, f->world, with_agent(order, f->beside->near[rank]), f->own))
            f->waits = rank + 1;
    }
}

/* Looks at the places of a row that are within the distance along x. */
static void look_at_row(search *f, int64_t row)
{
    const mass_launch *l = f->slabs->launch;
    const int64_t size = l->size[0], low = f->at[0] - f->axis.reach, high = f->at[0] + f->axis.reach + 1;
    const bool wraps = l->torus & 1;
    const int64_t from = row * size;
    if (high - low >= size) {
        look_at_places(f, from, from + size);
        return;
    }
    look_at_places(f, from + (low < 0 ? 0 : low), from + (high > size ? size : high));
    if (wraps && low < 0) look_at_places(f, from + size + low, from + size);
    if (wraps && high > size) look_at_places(f, from, from + high - size);
}

/* Looks at the places of a layer of the other slab that are within the distance along the axes of a layer. */
static void look_at_layer(search *f, int64_t layer)
{
    const mass_launch *l = f->slabs->launch;
    const int64_t size = l->size[1];
    if (l->size[2] == 1) {
        if (size > 1) look_at_row(f, layer);
        else look_at_places(f, layer, layer + 1);
        return;
    }
    const bool all = 2 * f->axis.reach + 1 >= size;
    const int64_t low = all ? 0 : f->at[1] - f->axis.reach, high = all ? size - 1 : f->at[1] + f->axis.reach;
    for (int64_t y = low; y <= high; y++)
        if ((y >= 0 && y < size) || l->torus >> 1 & 1) look_at_row(f, layer * size + (y + size) % size);
}

/* Finds how long near agent number `near` of side `which` waits: how many near agents on the other side come first. */
static uint32_t find_waits(search *f, const mass_cpu_turn_slab *slab, int which, uint32_t near)
{
    const mass_launch *l = f->slabs->launch;
    f->own = with_agent(mass_cpu_turn_order_in(f->slabs->order), slab->sides[which].near[near]);
    const uint32_t own = (uint32_t)f->own;
    const int64_t cell = l->populations[0].id ? l->populations[0].cell[own] : own;
    const int64_t place = cell - slab->world * places_of(l);
    const int64_t layer = place / f->axis.cells;
    const int64_t first = which == LOW ? layer - f->axis.reach : slab->end_layer;
    const int64_t last = which == LOW ? slab->begin_layer - 1 : layer + f->axis.reach;
    f->at[0] = place % l->size[0];
    f->at[1] = place / l->size[0] % l->size[1];
    f->waits = 0;
    for (int64_t k = first; k <= last; k++) look_at_layer(f, (k + f->axis.layers) % f->axis.layers);
    return f->waits;
}

/* Finds the waits of all near agents of a slab. */
static void find_waits_of_slab(const mass_cpu_turn_slabs *s, mass_cpu_turn_slab *slab)
{
    for (int which = 0; which < MASS_CPU_TURN_SIDES; which++) {
        mass_cpu_turn_side *const side = &slab->sides[which];
        if (side->other < 0) continue;
        const mass_cpu_turn_slab *const other = &s->list[side->other];
        search f = {.slabs = s, .axis = axis_of(s->launch), .beside = &other->sides[1 - which],
                    .first = which == LOW ? other->high_first : other->first, .world = slab->world};
        for (uint32_t i = 0; i < side->count; i++) side->waits[i] = find_waits(&f, slab, which, i);
    }
}

typedef struct order_job {
    mass_cpu_turn_slabs *slabs;
    int parts;
} order_job;

/* Orders the agents of a part of the slabs. */
static void order_part(void *context, int part)
{
    const order_job *j = context;
    const int64_t count = j->slabs->count;
    const int64_t first = count * part / j->parts, end = count * (part + 1) / j->parts;
    for (int64_t i = first; i < end; i++) order_slab(j->slabs->order, &j->slabs->list[i]);
}

/* Finds for a part of the slabs which agents wait for agents of the other slab. */
static void wait_part(void *context, int part)
{
    const order_job *j = context;
    const int64_t count = j->slabs->count;
    const int64_t first = count * part / j->parts, end = count * (part + 1) / j->parts;
    for (int64_t i = first; i < end; i++) find_waits_of_slab(j->slabs, &j->slabs->list[i]);
}

void mass_cpu_turn_order_slabs(mass_cpu_turn_slabs *s, mass_cpu_team *team, int threads)
{
    order_job j = {s, threads < s->count ? threads : s->count};
    if (j.parts == 0) return;
    mass_cpu_team_run(team, j.parts, order_part, &j);
    mass_cpu_team_run(team, j.parts, wait_part, &j);
}

/* ---- turns ---- */

/* Returns the place in the order of the next near agent of a side, or `end`. */
static uint32_t next_near(const mass_cpu_turn_side *side, uint32_t end)
{
    const uint32_t acted = atomic_load_explicit(&side->acted, memory_order_relaxed);
    return acted < side->count ? (uint32_t)side->near[acted] : end;
}

/* Waits until the next near agent of a side may act. Returns -1 then; or the number of the slab for which it waits, if
 * no thread runs that. */
static int32_t wait_for(mass_cpu_turn_slabs *s, const mass_cpu_turn_slab *slab, int which)
{
    const mass_cpu_turn_side *const side = &slab->sides[which];
    const uint32_t waits = side->waits[atomic_load_explicit(&side->acted, memory_order_relaxed)];
    mass_cpu_turn_slab *const other = &s->list[side->other];
    mass_cpu_turn_side *const beside = &other->sides[1 - which];
    for (int looks = 0;; looks += looks < MASS_CPU_TURN_LOOKS) {
        const uint32_t acted = atomic_load_explicit(&beside->acted, memory_order_acquire);
        if (acted >= waits) return -1;
        if (atomic_load_explicit(&other->state, memory_order_relaxed) == FREE) return side->other;
        if (mass_cpu_turn_pause(looks)) mass_cpu_turn_sleep(beside, waits, acted);
    }
}

/* Notes that a near agent of a side has had its turn, and wakes the thread that waits for it. */
static void note_turn(mass_cpu_turn_side *side)
{
    const uint32_t acted = atomic_load_explicit(&side->acted, memory_order_relaxed) + 1;
    atomic_store_explicit(&side->acted, acted, memory_order_release);
    mass_cpu_turn_wake(side, acted);
}

/* Runs a slab that this thread has taken. Returns -1 at its end, or the number of a slab that has to run first. A later
 * call goes on from slab->next. */
static int32_t run_slab(mass_cpu_turn_slabs *s, mass_cpu_turn_slab *slab, mass_cpu_turn_act *act, void *context)
{
    for (;;) {
        const uint32_t low = next_near(&slab->sides[LOW], slab->end), high = next_near(&slab->sides[HIGH], slab->end);
        const uint32_t near = low < high ? low : high;
        if (slab->next < near) act(context, slab->world, slab->next, near);
        slab->next = near;
        if (near == slab->end) return -1;
        int32_t first = low == near ? wait_for(s, slab, LOW) : -1;
        if (first < 0 && high == near) first = wait_for(s, slab, HIGH);
        if (first >= 0) return first;
        act(context, slab->world, near, near + 1);
        slab->next = near + 1;
        if (low == near) note_turn(&slab->sides[LOW]);
        if (high == near) note_turn(&slab->sides[HIGH]);
    }
}

/* Takes a slab for this thread, if no other thread has it. */
static bool take(mass_cpu_turn_slab *slab)
{
    int state = FREE;
    if (atomic_load_explicit(&slab->state, memory_order_relaxed) != FREE) return false;
    return atomic_compare_exchange_strong_explicit(&slab->state, &state, TAKEN, memory_order_acquire,
                                                   memory_order_relaxed);
}

/* Leaves, and returns true, if there are more workers than slabs. One worker stays while a slab is left. */
static bool leave(mass_cpu_turn_slabs *s)
{
    int workers = atomic_load(&s->workers);
    return workers > atomic_load(&s->left) && atomic_compare_exchange_strong(&s->workers, &workers, workers - 1);
}

/* Takes a free slab, the one from *at on that comes first, and sets *at to it. Returns false if this thread is not
 * needed. */
static bool take_any(mass_cpu_turn_slabs *s, int32_t *at)
{
    for (int looks = 0;; looks += looks < MASS_CPU_TURN_LOOKS) {
        for (int32_t k = 0; k < s->count; k++) {
            const int32_t i = (int32_t)(((int64_t)*at + k) % s->count);
            if (!take(&s->list[i])) continue;
            *at = i;
            return true;
        }
        if (leave(s)) return false;
        if (mass_cpu_turn_pause(looks)) mass_cpu_turn_nap();
    }
}

void mass_cpu_turn_run_slabs(mass_cpu_turn_slabs *s, int thread, mass_cpu_turn_act *act, void *context)
{
    int32_t at = thread;
    if (s->count == 0) return;
    atomic_fetch_add(&s->workers, 1);
    while (take_any(s, &at)) {
        const int32_t first = run_slab(s, &s->list[at], act, context);
        atomic_store_explicit(&s->list[at].state, first < 0 ? DONE : FREE, memory_order_release);
        for (int k = 0; first >= 0 && k < MASS_CPU_TURN_SIDES; k++)
            mass_cpu_turn_wake(&s->list[at].sides[k], UINT32_MAX);
        if (first < 0) atomic_fetch_sub(&s->left, 1);
        else at = first;
    }
}
