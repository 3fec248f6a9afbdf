/* SPDX-License-Identifier: Apache-2.0 */
/* The model of moving.c as a plain program over a list of edges, from which edges are taken, and to which others are
 * added. */
#include "plain_edges.h"

#include <string.h>

enum { WALK = 1, LOOK = 3 }; /* numbers of phases */
enum { LINKS = 3 };          /* the most edges that a node asks for */

/* A request of a node. */
typedef struct wish {
    int64_t node, source, weight;
} wish;

typedef struct moving {
    uint64_t *trail, *visits, *seen; /* of nodes, and of walkers */
    int64_t *at;                     /* the nodes of walkers; -1: it is dead */
    bool dies;                       /* a node's edges end with its last walker */
    bool *ends;                      /* of edges of the list */
    wish *wishes;
    int64_t wish_count, asked;
    plan work; /* the second set of edges, which does not change */
} moving;

static void walk(const plan *p, moving *s, uint64_t key, uint64_t step, incoming *in)
{
    for (int64_t i = 0; i < p->nodes; i++) {
        if (s->at[i] < 0) continue;
        const int64_t count = list_of(p, s->at[i], in), from = s->at[i];
        uint64_t seen = s->seen[i] + (uint64_t)count;
        for (int64_t k = 0; k < count; k++)
            seen = linked_mix(seen, (int64_t)(s->trail[in[k].source] >> 5) + in[k].of->weight + in[k].source);
        const mass_random4 r = mass_random_block(key, (uint64_t)i, step, WALK, 2);
        if (count && seen >> 7 & 3) s->at[i] = in[mass_below_u32((uint32_t)count, r.v[0], r.v[1])].source;
        const int64_t others = list_of(&s->work, from, in);
        const mass_random4 o = mass_random_block(key, (uint64_t)i, step, WALK, 4);
        if (others && seen >> 9 & 1) s->at[i] = in[mass_below_u32((uint32_t)others, o.v[0], o.v[1])].source;
        if (s->dies && linked_dies(seen)) s->at[i] = -1;
        s->seen[i] = seen;
        s->visits[from] += seen;
    }
}

static void look(const plan *p, moving *s, uint64_t key, uint64_t step, incoming *in)
{
    uint64_t *was = take(p->nodes, sizeof *was);
    memcpy(was, s->trail, (size_t)p->nodes * sizeof *was);
    s->asked = s->wish_count = 0;
    for (int64_t i = 0; i < p->nodes; i++) {
        const int64_t count = list_of(p, i, in);
        const uint32_t drawn = mass_random_block(key, (uint64_t)i, step, LOOK, 5).v[0] & 0xff;
        uint64_t seen = linked_mix(was[i], count + drawn);
        for (int64_t k = 0; k < count; k++) {
            seen = linked_mix(seen, (int64_t)(was[in[k].source] >> 3) + in[k].source);
            seen = linked_mix(seen, in[k].of->weight + (int64_t)(in[k].of->length * 8));
            if (linked_ends(seen)) s->ends[in[k].of - p->list] = true;
        }
        const int64_t others = list_of(&s->work, i, in);
        seen += (uint64_t)others;
        for (int64_t k = 0; k < others; k++)
            seen = linked_mix(seen, (int64_t)(was[in[k].source] >> 3) + in[k].source + 3);
        const int links = linked_links(seen);
        for (int k = 0; k < links; k++)
            s->wishes[s->wish_count++] =
                (wish){i, linked_other(seen, k, i, p->nodes), seen >> 20 & 1 ? (int16_t)(seen % 1000) : 3};
        s->asked += links;
        s->trail[i] = seen;
    }
    free(was);
}

/* Returns whether a wish before this one is for the same edge. */
static bool is_wished_before(const plan *p, const moving *s, const wish *w)
{
    bool before = false;
    for (const wish *o = s->wishes; o < w; o++)
        before |= (o->node == w->node && o->source == w->source) ||
                  (!p->directed && o->node == w->source && o->source == w->node);
    return before;
}

/* Returns whether a node can have edges. */
static bool is_inhabited(const plan *p, const moving *s, int64_t node)
{
    bool found = !s->dies;
    for (int64_t i = 0; i < p->nodes; i++) found |= s->at[i] == node;
    return found;
}

/* Takes away the edges that end, and adds those that are wished for. */
static void change_edges(plan *p, moving *s)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < p->count; i++)
        if (!s->ends[i] && is_inhabited(p, s, p->list[i].from) && is_inhabited(p, s, p->list[i].to))
            p->list[kept++] = p->list[i];
    p->count = kept;
    bool *made = take(s->wish_count, sizeof *made);
    for (int64_t i = 0; i < s->wish_count; i++) {
        const wish *w = &s->wishes[i];
        made[i] = !is_wished_before(p, s, w) && !(p->simple && is_joined(p, w->source, w->node, -1)) &&
                  is_inhabited(p, s, w->source) && is_inhabited(p, s, w->node);
    }
    for (int64_t i = 0; i < s->wish_count; i++)
        if (made[i]) add(p, (edge){s->wishes[i].source, s->wishes[i].node, s->wishes[i].weight, 0.5});
    free(made);
}

static void take_step(plan *p, moving *s, uint64_t key, uint64_t step)
{
    incoming *in = take(2 * (p->count > s->work.count ? p->count : s->work.count), sizeof *in);
    s->ends = take(p->count, sizeof *s->ends);
    s->wishes = take(p->nodes * LINKS, sizeof *s->wishes);
    walk(p, s, key, step, in);
    look(p, s, key, step, in);
    change_edges(p, s);
    free(in);
    free(s->ends);
    free(s->wishes);
}

static mass_status compare_world(mass_host *host, const plan *start, int32_t world)
{
    const mass_run_table *run = mass_run_of(host);
    const uint64_t key = mass_random_key(run->seed(host), (uint64_t)world);
    const mass_gidx origin[3] = {0, 0, 0}, extent[3] = {start->nodes, 1, 1};
    plan p = *start;
    moving s = {.trail = take(p.nodes, sizeof *s.trail), .visits = take(p.nodes, sizeof *s.visits),
                .seen = take(p.nodes, sizeof *s.seen), .at = take(p.nodes, sizeof *s.at),
                .dies = mass_values_of(host)->integer(host, "dies") != 0};
    s.work = (plan){.nodes = p.nodes, .generator = MASS_RANDOM_EDGES, .directed = 1 - p.directed, .seed = 5};
    draw_some(&s.work, 0, 2 * p.nodes);
    uint64_t *is = take(2 * p.nodes, sizeof *is);
    p.room = p.count;
    p.list = take(p.count, sizeof *p.list);
    if (p.count) memcpy(p.list, start->list, (size_t)p.count * sizeof *p.list);
    for (int64_t i = 0; i < p.nodes; i++) s.trail[i] = linked_first(i), s.at[i] = i;
    for (uint64_t step = 1; step <= run->step(host); step++) take_step(&p, &s, key, step);
    mass_status status = run->read(host, "town", "trail", world, origin, extent, is);
    if (status == MASS_OK) status = run->read(host, "town", "visits", world, origin, extent, is + p.nodes);
    for (int64_t i = 0; status == MASS_OK && i < p.nodes; i++)
        if (is[i] != s.trail[i]) status = differ(host, world, "the trail", i);
        else if (is[p.nodes + i] != s.visits[i]) status = differ(host, world, "the number of visits", i);
    double asked = 0;
    if (status == MASS_OK && run->step(host) > 0) status = run->tally(host, "asked", world, &asked);
    if (status == MASS_OK && asked != (double)s.asked) status = differ(host, world, "what was asked for", -1);
    free(p.list);
    free(s.work.list);
    free(s.trail);
    free(s.visits);
    free(s.seen);
    free(s.at);
    free(is);
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
