/* SPDX-License-Identifier: Apache-2.0 */
#include "plain.h"

#include <stdlib.h>
#include <string.h>

/* The agents, by place and id, and the places. */
typedef struct state {
    int nx, places;
    int64_t *seen;
    int *cell; /* [alive] */
    uint64_t *id, next_id;
    town t;
} state;

static uint64_t mixed(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 29;
}

static uint64_t bits(double v)
{
    uint64_t b;
    memcpy(&b, &v, sizeof b);
    return b;
}

static uint64_t number(const state *s, int place) { return (uint64_t)(place % s->nx + 1000 * (place / s->nx)); }
static void trace(state *s, uint64_t h) { s->t.trace += (int64_t)(h >> 40); }

static void buy(state *s)
{
    const town t = s->t;
    int64_t demand = 0, least = -7, fixed = 0, count = 0;
    double most = 0.25, sum = 0;
    int any_least = 0, any_most = 0;
    for (int i = 0; i < s->places; i++) {
        uint64_t h = mixed(number(s, i), bits(t.price));
        h = mixed(mixed(h, (uint64_t)t.demand), (uint64_t)t.least);
        h = mixed(mixed(h, bits(t.most)), bits(t.mean));
        h = mixed(mixed(h, (uint64_t)t.ever), (uint64_t)t.fixed);
        h = mixed(mixed(h, bits(t.rare)), (uint64_t)t.once);
        h = mixed(mixed(h, (uint64_t)t.alive), (uint64_t)t.born);
        h = mixed(mixed(h, (uint64_t)t.attendance), (uint64_t)t.total_seen);
        trace(s, h);
        s->seen[i] = s->seen[i] / 2 + (int64_t)(h >> 50);
        demand += t.price < 4 * (double)(h >> 8 & 255) / 256;
        const int64_t v = (int64_t)(h >> 16 & 1023) - 512;
        if (h % 3 == 0 && (!any_least || v < least)) least = v, any_least = 1;
        const double w = (double)(h >> 16 & 1023) / 64;
        if (h % 3 == 1 && (!any_most || w > most)) most = w, any_most = 1;
        if (h % 2) sum += (double)(h >> 24 & 1023) / 8, count++;
        s->t.ever += (int64_t)(h >> 32 & 3);
        fixed += (int64_t)(h >> 20 & 511);
    }
    s->t.demand = demand, s->t.least = least, s->t.most = most, s->t.fixed = fixed;
    s->t.mean = count ? sum / (double)count : 0.5;
}

static void again(state *s)
{
    const town t = s->t;
    for (int i = 0; i < s->places; i++) {
        uint64_t h = mixed(number(s, i), (uint64_t)t.demand);
        h = mixed(mixed(h, (uint64_t)t.least), bits(t.mean));
        trace(s, h);
        s->t.demand += h >> 33 & 1;
    }
}

/* rare: its value from the step before. */
static void look_for_rare(state *s, double rare, int64_t rare_from)
{
    double least = 9;
    int any = 0;
    if (s->t.demand >= rare_from)
        for (int i = 0; i < s->places; i++, any = 1) {
            const uint64_t h = mixed(mixed(number(s, i), (uint64_t)s->t.demand), bits(rare));
            trace(s, h);
            const double v = (double)(h >> 30 & 255);
            if (!any || v < least) least = v;
        }
    s->t.rare = least;
}

static void set_price(state *s)
{
    for (int i = 0; i < s->places; i++) trace(s, mixed(number(s, i), bits(s->t.rare)));
    s->t.price += (double)(s->t.demand - 216) / 64;
}

/* Children stand behind the agents of their parent's place, with ids in the order of their parents. */
static void go(state *s)
{
    const int n = (int)s->t.alive;
    int *cell = malloc(2 * (size_t)n * sizeof *cell + 1), kept = 0, first_child = 0;
    uint64_t *id = malloc(2 * (size_t)n * sizeof *id + 1);
    int *child = malloc((size_t)n * sizeof *child + 1), children = 0;
    int64_t went = 0;
    char *dead = calloc((size_t)n + 1, 1);
    for (int i = 0; i < n; i++) {
        const uint64_t h = mixed(mixed(s->id[i], (uint64_t)s->t.attendance), mixed((uint64_t)n, bits(s->t.price)));
        trace(s, h);
        went += (int64_t)(h >> 40 & 511) > s->t.attendance;
        if (n < 500 && h % 16 == 0) child[children++] = s->cell[i];
        else if (n > 400 && h % 16 == 1) dead[i] = 1;
    }
    for (int place = 0, i = 0; place < s->places; place++) {
        for (; i < n && s->cell[i] == place; i++)
            if (!dead[i]) cell[kept] = place, id[kept++] = s->id[i];
        for (; first_child < children && child[first_child] == place; first_child++)
            cell[kept] = place, id[kept++] = s->next_id++;
    }
    free(s->cell), free(s->id), free(child), free(dead);
    s->cell = cell, s->id = id;
    s->t.attendance = went, s->t.alive = kept, s->t.born = children;
}

static void look(state *s)
{
    const town t = s->t;
    for (int i = 0; i < s->places; i++)
        trace(s, mixed(mixed(number(s, i), (uint64_t)t.alive), mixed((uint64_t)t.born, (uint64_t)t.attendance)));
    s->t.total_seen = 0;
    for (int i = 0; i < s->places; i++) s->t.total_seen += s->seen[i];
    s->t.once = 0; /* steps do not count it, and it restarts in each */
}

town town_after(int nx, int ny, int steps, int64_t rare_from)
{
    const int places = nx * ny;
    state s = {.nx = nx, .places = places, .seen = calloc((size_t)places, sizeof *s.seen),
               .cell = calloc((size_t)places, sizeof *s.cell), .id = calloc((size_t)places, sizeof *s.id),
               .next_id = (uint64_t)places,
               .t = {.demand = 40, .least = -7, .fixed = 3, .attendance = 100, .alive = places, .price = 1.5,
                     .most = 0.25, .mean = 0.5, .rare = 9, .ever = 41 * places, .once = 2 * places}};
    for (int i = 0; i < places; i++) {
        s.cell[i] = i, s.id[i] = (uint64_t)i;
        s.t.total_seen += s.seen[i] = (int64_t)(number(&s, i) % 100);
    }
    for (int step = 0; step < steps; step++) {
        buy(&s);
        again(&s);
        look_for_rare(&s, s.t.rare, rare_from);
        set_price(&s);
        go(&s);
        look(&s);
    }
    free(s.seen), free(s.cell), free(s.id);
    return s.t;
}
