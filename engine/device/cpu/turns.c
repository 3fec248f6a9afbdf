/* SPDX-License-Identifier: Apache-2.0 */
#include "device/cpu/turns.h"

enum { TURNS_A_THREAD = 64 }; /* agents that are worth a thread */

/* Returns the number of worlds in which agents act. */
static int32_t count_open(const mass_launch *l)
{
    int32_t open = 0;
    for (int32_t w = 0; w < l->worlds; w++) open += !l->gates || !l->gates[w];
    return open;
}

int64_t mass_cpu_turns_count(const mass_cpu *cpu, const mass_launch *l, int *most)
{
    const mass_turn_keys *keys = &cpu->turn_order.keys;
    const int64_t agents = l->turn->populations[0].count, worth = 1 + agents / TURNS_A_THREAD;
    const bool cuts = keys->by == MASS_TURN_SHUFFLED && !keys->reversed &&
                      l->turn->scope.axes != MASS_TURN_ALONG_EDGES;
    const int64_t slabs = !cpu->turn_order.memory ? 1 : cuts ? mass_cpu_turn_slabs_most(l, *most) : count_open(l);
    if (slabs < *most) *most = slabs < 1 ? 1 : (int)slabs;
    if (worth < *most) *most = (int)worth;
    return agents;
}

mass_status mass_cpu_turns_begin(mass_cpu *cpu, mass_cpu_thread_parts *s, mass_error *error)
{
    s->order = cpu->turn_order.memory ? &cpu->turn_order : NULL;
    if (!s->order || s->threads == 1 || count_open(&s->launch) >= s->threads) return MASS_OK;
    if (!mass_cpu_turn_cut(&cpu->turn_slabs, s->order, &s->launch, s->threads))
        return mass_error_memory(error, sizeof *cpu->turn_slabs.list * (size_t)s->threads, "a phase in turn");
    mass_cpu_turn_order_slabs(&cpu->turn_slabs, cpu->team, s->threads);
    s->slabs = &cpu->turn_slabs;
    return MASS_OK;
}

/* A thread's loop. */
typedef struct turns_loop {
    const mass_cpu_thread_parts *s;
    const void *fields;
} turns_loop;

/* Lets agents `first` to before `end` of a world act, in the order of the phase. */
static void act(void *context, int32_t world, uint32_t first, uint32_t end)
{
    const turns_loop *t = context;
    const mass_range range = {first, end, world, world + 1};
    t->s->form->loop(t->fields, &t->s->launch, &range);
}

/* Returns the number of agents in all worlds before one; or of places, if these act. */
static uint32_t first_of(const mass_launch *l, int32_t world)
{
    const mass_agents *g = &l->populations[0];
    return g->start ? g->start[world * g->places]
                    : (uint32_t)world * (l->turn->populations[0].count / (uint32_t)l->worlds);
}

/* Returns the first world of a thread. Each thread has about the same number of agents. */
static int32_t first_world(const mass_cpu_thread_parts *s, int thread)
{
    const int64_t all = s->launch.turn->populations[0].count;
    int32_t low = 0, high = s->launch.worlds;
    if (thread == s->threads) return high;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (first_of(&s->launch, middle) >= all * thread / s->threads) high = middle;
        else low = middle + 1;
    }
    return low;
}

void mass_cpu_turns_run(const mass_cpu_thread_parts *s, const void *fields, int thread)
{
    const mass_launch *l = &s->launch;
    turns_loop t = {s, fields};
    if (s->slabs) {
        mass_cpu_turn_run_slabs(s->slabs, thread, act, &t);
        return;
    }
    for (int32_t w = first_world(s, thread), end = first_world(s, thread + 1); w < end; w++) {
        const uint32_t first = first_of(l, w), last = first_of(l, w + 1);
        if ((l->gates && l->gates[w]) || first == last) continue;
        if (s->order) mass_cpu_turn_order_world(s->order, w);
        act(&t, w, first, last);
    }
}

void mass_cpu_turns_end(mass_cpu *cpu) { cpu->turn_order = (mass_turn_order_work){.memory = NULL}; }
