/* SPDX-License-Identifier: Apache-2.0 */
/* Slabs of agents in turn: each agent has one turn, and two agents that were within twice the radius have theirs in the
 * order of all. */
#include "cpu/kernels.h"
#include "cpu/turn_slabs.h"

#include <criterion/criterion.h>
#include <mass/random.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MOST = 4 };

/* A space, its worlds and its agents. */
typedef struct ground {
    int64_t size[3];
    int32_t reach, worlds;
    uint32_t torus, each; /* one place of `each` has an agent; every 16th of these places has three */
    bool gated;
} ground;

typedef struct scene {
    ground g;
    int64_t places;
    uint32_t count;
    uint32_t *start, *cell, *turn, gates[8];
    uint64_t *id, keys[8];
    atomic_uint turns;
    atomic_bool wrong; /* an agent of another world had a turn, or one had two */
    uint32_t shaken;   /* 0: threads begin at slabs of their own; else the seed of where they begin and of delays */
    mass_turn_order_work order;
    mass_turn phase;
    mass_launch launch;
    mass_cpu_turn_slabs slabs;
    int threads;
} scene;

static void make_scene(scene *s, const ground *g)
{
    *s = (scene){.g = *g, .places = g->size[0] * g->size[1] * g->size[2]};
    const size_t cells = (size_t)s->places * (size_t)g->worlds;
    s->start = calloc(cells + 1, sizeof *s->start);
    s->cell = calloc(3 * cells, sizeof *s->cell);
    cr_assert(s->start && s->cell);
    for (size_t c = 0; c < cells; c++) {
        s->start[c] = s->count;
        const uint32_t mixed = (uint32_t)(c * 2654435761u) >> 7;
        const uint32_t here = mixed % g->each ? 0 : mixed / g->each % 16 ? 1 : 3;
        for (uint32_t k = 0; k < here; k++) s->cell[s->count++] = (uint32_t)c;
    }
    s->start[cells] = s->count;
    s->id = calloc(s->count + 1, sizeof *s->id);
    s->turn = calloc(s->count + 1, sizeof *s->turn);
    void *memory = malloc(mass_cpu_turn_order_bytes(s->count) + 1);
    cr_assert(s->id && s->turn && memory);
    for (uint32_t i = 0; i < s->count; i++) s->id[i] = i;
    for (int w = 0; w < g->worlds; w++) {
        s->keys[w] = mass_random_key(5, (uint64_t)w);
        s->gates[w] = g->gated && w == 1;
    }
    s->order = (mass_turn_order_work){.id = s->id, .start = s->start, .count = s->count, .places = s->places,
                                      .worlds = g->worlds, .gates = s->gates, .random_keys = s->keys, .step = 3,
                                      .phase = 1, .memory = memory};
    s->phase.scope = (mass_turn_scope){.meets = g->reach, .changes = g->reach, .sees = g->reach};
    s->launch = (mass_launch){.worlds = g->worlds, .torus = g->torus, .reach = g->reach, .gates = s->gates,
                              .turn = &s->phase};
    memcpy(s->launch.size, g->size, sizeof g->size);
    for (int a = 0; a < 3; a++) s->launch.extent[a] = (mass_lidx)g->size[a];
    s->launch.populations[0] = (mass_agents){.id = s->id, .start = s->start, .cell = s->cell, .places = s->places};
}

static void free_scene(scene *s)
{
    free(s->start), free(s->cell), free(s->turn), free(s->id), free(s->order.memory);
    free(s->slabs.list), free(s->slabs.memory);
}

static uint32_t draw(const scene *s, uint32_t number, uint32_t what)
{
    return mass_random_block(s->shaken, number, what, 0, 0).v[0];
}

/* Takes some time at some agents, so that threads drift apart. */
static void delay(const scene *s, uint32_t agent)
{
    const uint32_t r = s->shaken ? draw(s, agent, 1) : agent % 37 ? 1 : 0;
    for (volatile int wait = r % 37 ? 0 : 3000; wait > 0; wait--) {}
    if (s->shaken && r % 11 == 0) sched_yield();
}

/* Notes when each agent has its turn. */
static void act(void *context, int32_t world, uint32_t first, uint32_t end)
{
    scene *const s = context;
    const uint32_t *const order = mass_cpu_turn_order_in(&s->order);
    for (uint32_t k = first; k < end; k++) {
        const uint32_t agent = order[k];
        if (s->cell[agent] / s->places != world || s->turn[agent]) atomic_store(&s->wrong, true);
        delay(s, agent);
        s->turn[agent] = atomic_fetch_add(&s->turns, 1) + 1;
    }
}

static void run_part(void *context, int part)
{
    scene *const s = context;
    const int begin = s->shaken && s->slabs.count ? (int)(draw(s, (uint32_t)part, 2) % (uint32_t)s->slabs.count) : part;
    mass_cpu_turn_run_slabs(&s->slabs, begin, act, s);
}

/* Returns the distance of two agents along the axis where it is greatest. */
static int64_t distance(const scene *s, uint32_t a, uint32_t b)
{
    int64_t of_a = s->cell[a] % s->places, of_b = s->cell[b] % s->places, most = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t size = s->g.size[axis], across = llabs(of_a % size - of_b % size);
        const int64_t by = s->g.torus >> axis & 1 && size - across < across ? size - across : across;
        if (by > most) most = by;
        of_a /= size, of_b /= size;
    }
    return most;
}

/* Runs all slabs, and compares the turns of all pairs that matter. `most`: slabs of a world. shaken: see scene. */
static void expect_in_turn(const ground *g, int most, mass_cpu_team *team, int threads, uint32_t shaken)
{
    scene s;
    make_scene(&s, g);
    s.shaken = shaken;
    cr_assert(mass_cpu_turn_cut(&s.slabs, &s.order, &s.launch, most));
    cr_assert_leq(s.slabs.count, mass_cpu_turn_slabs_most(&s.launch, most));
    mass_cpu_turn_order_slabs(&s.slabs, team, threads);
    mass_cpu_team_run(team, threads, run_part, &s);
    cr_assert_not(atomic_load(&s.wrong));
    for (uint32_t a = 0; a < s.count; a++) {
        const int32_t world = (int32_t)(s.cell[a] / s.places);
        cr_assert_eq(s.turn[a] == 0, s.gates[world] != 0, "agent %u", a);
        const mass_random4 of_a = mass_random_block(s.keys[world], s.id[a], 3, 1, MASS_LOTTERY_DRAW);
        for (uint32_t b = a + 1; b < s.count && s.cell[b] / s.places == world && s.turn[a]; b++) {
            if (distance(&s, a, b) > 2 * g->reach) continue;
            const mass_random4 of_b = mass_random_block(s.keys[world], s.id[b], 3, 1, MASS_LOTTERY_DRAW);
            const uint64_t key_a = (uint64_t)of_a.v[0] << 32 | of_a.v[1], key_b = (uint64_t)of_b.v[0] << 32 | of_b.v[1];
            cr_assert_eq(key_a < key_b, s.turn[a] < s.turn[b], "agents %u and %u, %d slabs, %d threads, %u", a, b,
                         most, threads, shaken);
        }
    }
    free_scene(&s);
}

static const ground grounds[] = {
    {{40, 30, 1}, 1, 1, 7, 3, false}, {{40, 30, 1}, 1, 1, 0, 3, false}, {{900, 1, 1}, 2, 1, 1, 2, false},
    {{900, 1, 1}, 2, 2, 0, 2, true},  {{6, 5, 40}, 3, 2, 4, 3, false},  {{6, 5, 40}, 0, 1, 0, 2, false},
    {{30, 6, 1}, 1, 3, 2, 1, true},   {{30, 5, 1}, 1, 1, 2, 1, false},  {{9, 2, 1}, 6, 5, 7, 1, true},
    {{64, 13, 1}, 2, 1, 2, 1, false}, {{16, 90, 1}, 1, 1, 7, 900, false}, {{12, 11, 13}, 1, 1, 7, 3, false},
    {{12, 11, 13}, 1, 1, 0, 3, false}};
enum { GROUNDS = sizeof grounds / sizeof *grounds };

Test(turn_slabs, agents_that_matter_keep_their_order)
{
    mass_cpu_team *const team = mass_cpu_team_create(THREADS_MOST, NULL);
    for (int i = 0; i < GROUNDS; i++)
        for (int threads = 1; threads <= THREADS_MOST; threads++)
            for (int most = 1; most <= 7; most += 2) expect_in_turn(&grounds[i], most, team, threads, 0);
    mass_cpu_team_stop(team);
}

/* Threads begin at any slabs, the last ones too, and drift apart at random. */
Test(turn_slabs, delays_change_nothing)
{
    mass_cpu_team *const team = mass_cpu_team_create(THREADS_MOST, NULL);
    for (int i = 0; i < GROUNDS; i++)
        for (uint32_t shaken = 1; shaken <= 6; shaken++)
            expect_in_turn(&grounds[i], 2 + (int)shaken, team, 2 + (int)shaken % (THREADS_MOST - 1), shaken);
    mass_cpu_team_stop(team);
}

/* The caller runs one part after the other. */
Test(turn_slabs, one_thread_runs_all_slabs, .timeout = 60)
{
    for (int i = 0; i < GROUNDS; i++)
        for (int threads = 1; threads <= THREADS_MOST; threads++) expect_in_turn(&grounds[i], 5, NULL, threads, 0);
}

/* Returns the most agents of a slab, and expects slabs to be thick enough. */
static uint32_t most_agents(const ground *g, int most, int32_t expected)
{
    scene s;
    uint32_t agents = 0;
    make_scene(&s, g);
    cr_assert(mass_cpu_turn_cut(&s.slabs, &s.order, &s.launch, most));
    cr_expect_eq(s.slabs.count, expected, "%d for %d", s.slabs.count, expected);
    for (int32_t i = 0; i < s.slabs.count; i++) {
        const uint32_t own = s.slabs.list[i].end - s.slabs.list[i].first;
        if (own > agents) agents = own;
    }
    free_scene(&s);
    return agents;
}

Test(turn_slabs, have_as_many_agents_each_if_they_are_thick_enough)
{
    const ground g = {{50, 400, 1}, 1, 1, 7, 4, false}, thin = {{50, 11, 1}, 2, 1, 7, 4, false};
    const ground worlds = {{50, 40, 1}, 2, 3, 7, 4, true};
    const uint32_t all = most_agents(&g, 1, 1), quarter = most_agents(&g, 4, 4);
    cr_expect_leq(quarter, all / 4 + 50, "%u of %u", quarter, all);
    most_agents(&thin, 4, 2);
    most_agents(&worlds, 4, 8);
}
