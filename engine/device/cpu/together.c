/* SPDX-License-Identifier: Apache-2.0 */
#include "device/cpu/together.h"
#include "device/cpu/thread_parts.h"
#include "model/shared_turns.h"
#include "process/crash.h"

#include <mass/impl/turn_keys.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS_MOST = 256, LINE = 64 };

/* The phases of a launch. */
typedef struct together {
    mass_cpu_thread_parts parts[MASS_TURN_PHASES_MAX];
    int64_t *memory[MASS_TURN_PHASES_MAX]; /* accumulators of tallies, owned */
    uint32_t count;
    int threads;
} together;

/* The next agent of a phase in a world: its place in the order, and its key. */
typedef struct head {
    const mass_launch *launch;
    int32_t world;
    uint32_t next, end;
    uint64_t key;
} head;

/* ---- the order ---- */

/* Sets the key of the next agent of a phase, if there is one. */
static void read_key(head *h)
{
    const mass_launch *l = h->launch;
    if (h->next == h->end) return;
    const uint32_t agent = l->turn->order[h->next];
    h->key = mass_turn_key(&l->turn->keys, l->random_keys[h->world], mass_launch_step(l), l->phase,
                           l->populations[0].id[agent], agent);
}

/* Returns the head of a phase in a world, at its first agent. */
static head head_of(const mass_launch *l, int32_t world)
{
    const mass_agents *g = &l->populations[0];
    const uint32_t first = g->start[world * g->places], end = g->start[(world + 1) * g->places];
    head h = {.launch = l, .world = world, .next = first, .end = end};
    read_key(&h);
    return h;
}

/* Returns the phase whose next agent is the first in order, of those from 0 to count - 1 but `without`. Returns `count`
 * if there is none. */
static uint32_t first_of(const head *heads, uint32_t count, uint32_t without)
{
    uint32_t first = count;
    for (uint32_t k = 0; k < count; k++)
        if (k != without && heads[k].next < heads[k].end && (first == count || heads[k].key < heads[first].key))
            first = k;
    return first;
}

/* Goes past the agents of phase k that are before the next one of phase `other`; of all, if other is `count`. */
static void pass(head *heads, uint32_t count, uint32_t k, uint32_t other)
{
    head *const own = &heads[k];
    do {
        own->next++;
        read_key(own);
    } while (own->next < own->end &&
             (other == count || own->key < heads[other].key || (own->key == heads[other].key && k < other)));
}

/* ---- a launch ---- */

/* Lets the agents of a world act. fields: those of each phase, as its loop takes them. */
static void run_world(const together *t, int32_t world, void *(*fields)[FIELDS_MOST])
{
    head heads[MASS_TURN_PHASES_MAX];
    for (uint32_t k = 0; k < t->count; k++) heads[k] = head_of(&t->parts[k].launch, world);
    for (uint32_t k; (k = first_of(heads, t->count, t->count)) < t->count;) {
        const uint32_t from = heads[k].next;
        pass(heads, t->count, k, first_of(heads, t->count, k));
        const mass_range range = {from, heads[k].next, world, world + 1};
        t->parts[k].form->loop(fields[k], &t->parts[k].launch, &range);
    }
}

/* Runs a thread's share: world `thread`, and every so many after it, but for closed ones. Notes if bodies have
 * changed how the processor rounds. */
static void run_share(void *context, int thread)
{
    together *const t = context;
    void *fields[MASS_TURN_PHASES_MAX][FIELDS_MOST];
    const mass_launch *l = &t->parts[0].launch;
    mass_crash_plugin_thread();
    mass_floats_settle();
    for (uint32_t k = 0; k < t->count; k++) {
        const mass_cpu_thread_parts *s = &t->parts[k];
        memcpy(fields[k], s->work->fields, s->work->prepared->callback->field_count * sizeof **fields);
        if (s->scratch) mass_cpu_own_tallies(s, thread, fields[k]);
    }
    for (int32_t w = thread; w < l->worlds; w += t->threads)
        if (!l->gates || !l->gates[w]) run_world(t, w, fields);
    if (!mass_cpu_kept_floats()) __atomic_store_n(&t->parts[0].unsettles, true, __ATOMIC_RELAXED);
    mass_crash_plugin_thread_done();
}

/* Reserves accumulators for the tallies of a phase, if it has any: they are used at the same time as those of the
 * others. The caller frees t->memory[k]. */
static mass_status begin_tallies(mass_cpu *cpu, together *t, uint32_t k, mass_error *error)
{
    mass_cpu_thread_parts *const s = &t->parts[k];
    if (!s->work->tallies) return MASS_OK;
    const mass_status status = mass_cpu_begin_tallies(cpu, s, error);
    if (status != MASS_OK || !s->scratch) return status;
    const size_t bytes = s->stride * (size_t)t->threads * sizeof *s->scratch;
    void *memory = NULL;
    s->scratch = NULL;
    if (posix_memalign(&memory, LINE, bytes) != 0) return mass_error_memory(error, bytes, "tallies");
    s->scratch = t->memory[k] = memory;
    return MASS_OK;
}

/* Describes the launch of a phase. checked: by the forms that report accesses, if there are both. */
static void describe(mass_cpu_thread_parts *s, const mass_work *work, int threads, bool checked)
{
    const mass_prepared *p = work->prepared;
    const mass_form *form = work->tallies ? p->tally : p->quiet;
    if (checked && p->checked[0] && p->checked[1]) form = p->checked[work->tallies];
    *s = (mass_cpu_thread_parts){.work = work, .form = form, .launch = *work->launch, .keys = -1, .threads = threads};
    s->launch.alone = threads == 1;
}

mass_status mass_cpu_launch_together(mass_cpu *cpu, const mass_work *works, uint32_t count, bool checked,
                                     mass_error *error)
{
    together t = {.count = count, .threads = checked ? 1 : mass_cpu_team_threads(cpu->team)};
    const int32_t worlds = works[0].launch->worlds;
    mass_status status = MASS_OK;
    if (t.threads > worlds) t.threads = worlds;
    for (uint32_t k = 0; k < count; k++) describe(&t.parts[k], &works[k], t.threads, checked);
    for (uint32_t k = 0; status == MASS_OK && k < count; k++) status = begin_tallies(cpu, &t, k, error);
    for (uint32_t k = 0; k < count; k++)
        if (t.parts[k].threads < t.threads) t.threads = t.parts[k].threads;
    for (uint32_t k = 0; k < count; k++) t.parts[k].threads = t.threads;
    if (status == MASS_OK) mass_cpu_team_run(cpu->team, t.threads, run_share, &t);
    for (uint32_t k = 0; k < count; k++) {
        if (status == MASS_OK && t.parts[k].scratch) mass_cpu_end_tallies(&t.parts[k]);
        free(t.memory[k]);
    }
    return status == MASS_OK && t.parts[0].unsettles ? mass_cpu_refuse_floats(&works[0], error) : status;
}
