/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes in turn of turned.c as a plain loop over lists of edges. */
#include "plain_edges.h"

enum { LOOK = 2, GIVE = 3, LOOK_AGAIN = 4, LOTTERY = 65535 }; /* numbers of phases, and of the draw of the order */

typedef struct state {
    plan work;
    uint64_t *trail;
    int32_t *heat;
    uint8_t *lit;
    int64_t met, given;
    incoming *in, *of_work; /* room for the edges that come into a node */
} state;

/* A node that acts, with what its turn depends on. */
typedef struct actor {
    int64_t high, low, node;
} actor;

static int by_turn(const void *first, const void *second)
{
    const actor *a = first, *b = second;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    return a->node < b->node ? -1 : 1;
}

static void look(const plan *p, state *s, int64_t i, uint64_t key, uint64_t step, uint32_t phase)
{
    const mass_random4 r = mass_random_block(key, (uint64_t)i, step, phase, 3);
    const int64_t count = list_of(p, i, s->in), others = list_of(&s->work, i, s->of_work);
    uint64_t seen = linked_mix(s->trail[i], count + 3 * others);
    for (int64_t k = 0; k < count; k++) {
        const int64_t from = s->in[k].source;
        seen = linked_mix(seen, (int64_t)(s->trail[from] >> 3) + from + s->lit[from]);
        seen = linked_mix(seen, s->in[k].of->weight + (int64_t)(s->in[k].of->length * 8));
    }
    for (int64_t k = 0; k < others; k++) seen = linked_mix(seen, (int64_t)(s->trail[s->of_work[k].source] >> 5) + 3);
    if (count) {
        const int64_t one = mass_below_u32((uint32_t)count, r.v[0], r.v[1]);
        seen = linked_mix(seen, (int64_t)(s->trail[s->in[one].source] >> 7));
    }
    s->lit[i] = seen >> 9 & 1;
    s->trail[i] = seen;
    s->met += (int64_t)(seen % 1000);
}

static void give(const plan *p, state *s, int64_t i)
{
    const int64_t count = list_of(p, i, s->in), others = list_of(&s->work, i, s->of_work);
    const int32_t mine = s->heat[i];
    int64_t given = 0;
    for (int64_t k = 0; k < count; k++) {
        const int64_t from = s->in[k].source;
        const int32_t part = (int32_t)((s->trail[i] + (uint64_t)from) % 7);
        s->heat[from] = (s->heat[from] + part) % 1000;
        given += part;
    }
    for (int64_t k = 0; k < others; k++) {
        int32_t *const heat = &s->heat[s->of_work[k].source];
        *heat = *heat / 2 + mine % 10;
    }
    s->heat[i] = (mine + (int32_t)given) % 100;
    s->given += given;
}

/* Lets all nodes act in their order. */
static void take_turns(const plan *p, state *s, uint64_t key, uint64_t step, uint32_t phase)
{
    actor *const order = take(p->nodes, sizeof *order);
    for (int64_t i = 0; i < p->nodes; i++) {
        const mass_random4 r = mass_random_block(key, (uint64_t)i, step, phase, LOTTERY);
        order[i] = phase == LOOK   ? (actor){r.v[0], r.v[1], i}
                   : phase == GIVE ? (actor){s->heat[i], 0, i} : (actor){-i, 0, i};
    }
    qsort(order, (size_t)p->nodes, sizeof *order, by_turn);
    for (int64_t k = 0; k < p->nodes; k++)
        if (phase == GIVE) give(p, s, order[k].node);
        else look(p, s, order[k].node, key, step, phase);
    free(order);
}

static mass_status compare_values(mass_host *host, int32_t world, const plan *p, const state *s)
{
    const mass_run_table *run = mass_run_of(host);
    const mass_gidx origin[3] = {0, 0, 0}, extent[3] = {p->nodes, 1, 1};
    uint64_t *const trail = take(p->nodes, sizeof *trail);
    int32_t *const heat = take(p->nodes, sizeof *heat);
    uint8_t *const lit = take(p->nodes, 1);
    mass_status status = run->read(host, "town", "trail", world, origin, extent, trail);
    if (status == MASS_OK) status = run->read(host, "town", "heat", world, origin, extent, heat);
    if (status == MASS_OK) status = run->read(host, "town", "lit", world, origin, extent, lit);
    for (int64_t i = 0; status == MASS_OK && i < p->nodes; i++) {
        if (trail[i] != s->trail[i]) status = differ(host, world, "the trail", i);
        else if (heat[i] != s->heat[i]) status = differ(host, world, "the heat", i);
        else if (lit[i] != s->lit[i]) status = differ(host, world, "the light", i);
    }
    free(trail), free(heat), free(lit);
    return status;
}

static mass_status compare_tally(mass_host *host, int32_t world, const char *name, int64_t expected)
{
    double value = 0;
    const mass_status status = mass_run_of(host)->tally(host, name, world, &value);
    return status == MASS_OK && value != (double)expected ? differ(host, world, name, -1) : status;
}

static mass_status compare_world(mass_host *host, const plan *p, int32_t world)
{
    const mass_run_table *run = mass_run_of(host);
    const uint64_t key = mass_random_key(run->seed(host), (uint64_t)world), steps = run->step(host);
    const int64_t alike = mass_values_of(host)->integer(host, "alike");
    state s = {.work = {.nodes = p->nodes, .generator = MASS_RANDOM_EDGES, .seed = 5,
                        .directed = alike ? p->directed : 1 - p->directed},
               .trail = take(p->nodes, sizeof *s.trail), .heat = take(p->nodes, sizeof *s.heat),
               .lit = take(p->nodes, 1), .in = take(2 * p->count, sizeof *s.in),
               .of_work = take(4 * p->nodes, sizeof *s.of_work)};
    draw_some(&s.work, 0, 2 * p->nodes);
    for (int64_t i = 0; i < p->nodes; i++) {
        s.trail[i] = linked_first(i);
        s.heat[i] = (int32_t)(s.trail[i] % 100) - 50, s.lit[i] = s.trail[i] >> 9 & 1;
    }
    for (uint64_t step = 1; step <= steps; step++) {
        s.met = s.given = 0;
        for (uint32_t phase = LOOK; phase <= LOOK_AGAIN; phase++) take_turns(p, &s, key, step, phase);
    }
    mass_status status = compare_values(host, world, p, &s);
    if (status == MASS_OK && steps > 0) status = compare_tally(host, world, "met", s.met);
    if (status == MASS_OK && steps > 0) status = compare_tally(host, world, "given", s.given);
    free(s.work.list), free(s.trail), free(s.heat), free(s.lit), free(s.in), free(s.of_work);
    return status;
}

mass_status linked_compare(mass_host *host)
{
    plan p;
    bool skips;
    mass_status status = make_plan(host, &p, &skips);
    for (int32_t w = 0; status == MASS_OK && !skips && w < mass_run_of(host)->worlds(host); w++)
        status = compare_world(host, &p, w);
    free(p.list);
    return status;
}
