/* SPDX-License-Identifier: Apache-2.0 */
/* The model of linked.c as a plain program over a list of edges. */
#include "plain_edges.h"

enum { LOOK = 1 }; /* the number of the phase, after that of the start */

typedef struct state {
    uint64_t *trail;
    int32_t *heat;
    uint8_t *lit;
    int64_t met;
} state;

static state state_of(int64_t nodes)
{
    return (state){take(nodes, sizeof(uint64_t)), take(nodes, sizeof(int32_t)), take(nodes, 1), 0};
}

static void free_state(state *s) { free(s->trail), free(s->heat), free(s->lit); }

/* Takes a step of one node, from the state before it. */
static void look(const plan *p, const state *was, state *is, int64_t i, const incoming *in, int64_t count,
                 mass_random4 r)
{
    (void)p;
    uint64_t seen = was->trail[i] + (uint64_t)count;
    for (int64_t k = 0; k < count; k++) {
        const int64_t s = in[k].source;
        seen = linked_mix(seen, was->heat[s] + s);
        seen = linked_mix(seen, (int64_t)(was->trail[s] >> 3) + was->lit[s]);
        seen = linked_mix(seen, in[k].of->weight + (int64_t)(in[k].of->length * 8));
    }
    if (count) seen = linked_mix(seen, was->heat[in[mass_below_u32((uint32_t)count, r.v[0], r.v[1])].source]);
    is->heat[i] = (int32_t)(seen % 100);
    is->trail[i] = seen;
    is->met += (int64_t)(seen % 1000);
}

static void take_step(const plan *p, state *s, uint64_t key, uint64_t step)
{
    state was = state_of(p->nodes);
    incoming *in = take(2 * p->count, sizeof *in);
    for (int64_t i = 0; i < p->nodes; i++)
        was.trail[i] = s->trail[i], was.heat[i] = s->heat[i], was.lit[i] = s->lit[i];
    s->met = 0;
    for (int64_t i = 0; i < p->nodes; i++) {
        const int64_t count = list_of(p, i, in);
        look(p, &was, s, i, in, count, mass_random_block(key, (uint64_t)i, step, LOOK, 3));
    }
    for (int64_t i = 0; i < p->nodes; i++) {
        const int64_t count = list_of(p, i, in);
        int lit = s->heat[i];
        for (int64_t k = 0; k < count && in[k].source != i; k++) lit += was.lit[in[k].source];
        s->lit[i] = lit & 1;
    }
    free_state(&was);
    free(in);
}

static mass_status compare_world(mass_host *host, const plan *p, int32_t world)
{
    const mass_run_table *run = mass_run_of(host);
    const uint64_t key = mass_random_key(run->seed(host), (uint64_t)world);
    const mass_gidx origin[3] = {0, 0, 0}, extent[3] = {p->nodes, 1, 1};
    state s = state_of(p->nodes), is = state_of(p->nodes);
    for (int64_t i = 0; i < p->nodes; i++) {
        s.trail[i] = linked_first(i);
        s.heat[i] = (int32_t)(s.trail[i] % 100), s.lit[i] = s.trail[i] >> 9 & 1;
    }
    for (uint64_t step = 1; step <= run->step(host); step++) take_step(p, &s, key, step);
    mass_status status = run->read(host, "town", "trail", world, origin, extent, is.trail);
    if (status == MASS_OK) status = run->read(host, "town", "heat", world, origin, extent, is.heat);
    if (status == MASS_OK) status = run->read(host, "town", "lit", world, origin, extent, is.lit);
    for (int64_t i = 0; status == MASS_OK && i < p->nodes; i++) {
        if (is.trail[i] != s.trail[i]) status = differ(host, world, "the trail", i);
        else if (is.heat[i] != s.heat[i]) status = differ(host, world, "the heat", i);
        else if (is.lit[i] != s.lit[i]) status = differ(host, world, "the light", i);
    }
    double met = 0;
    if (status == MASS_OK && run->step(host) > 0) status = run->tally(host, "met", world, &met);
    if (status == MASS_OK && run->step(host) > 0 && met != (double)s.met) status = differ(host, world, "the sum", -1);
    free_state(&s);
    free_state(&is);
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
