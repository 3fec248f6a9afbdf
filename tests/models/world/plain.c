/* SPDX-License-Identifier: Apache-2.0 */
#include "plain.h"

#include <mass/random.h>
#include <stdlib.h>
#include <string.h>

/* The numbers of the phases that draw. */
enum { OPEN = 1, SET = 3 };

typedef struct state {
    const market_run *run;
    int places;
    uint64_t key;
    int64_t *seen, *around, *mood;
    market t;
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

static uint64_t number(const state *s, int place)
{
    const int nx = s->run->size[0], ny = s->run->size[1];
    return (uint64_t)(place % nx + 1000 * (place / nx % ny) + 1000000 * (place / nx / ny));
}
static void trace(state *s, uint64_t h) { s->t.trace += (int64_t)(h >> 40); }

static uint32_t drawn(const state *s, int step, uint32_t phase, uint32_t draw, int word)
{
    return mass_random_block(s->key, 0, (uint64_t)step, phase, draw).v[word];
}

static void found(state *s)
{
    market *t = &s->t;
    for (int i = 0; i < s->places; i++) {
        uint64_t h = mixed(number(s, i), bits(1.5));
        h = mixed(mixed(h, (uint64_t)INT64_C(-3)), 0);
        trace(s, mixed(mixed(h, 100), bits(0)));
        s->seen[i] = (int64_t)(number(s, i) % 100);
    }
    t->turns += s->places % 7;
    t->past[1] = 40;
    t->past[2] = (double)(drawn(s, 0, OPEN, 1, 0) % 64);
}

static void buy(state *s, int step)
{
    s->t.demand = 0;
    for (int i = 0; i < s->places; i++) {
        const uint64_t h = mixed(mixed(number(s, i), bits(s->t.price)), (uint64_t)s->t.memory[step % s->run->span]);
        trace(s, h);
        s->seen[i] = s->seen[i] / 2 + (int64_t)(h >> 50);
        s->t.demand += s->t.price < 4 * (double)(h >> 8 & 255) / 256;
    }
}

static void set(state *s, int step)
{
    market *t = &s->t;
    double wanted = 0;
    for (int i = s->run->last; i > 0; i--) t->past[i] = t->past[i - 1];
    t->past[0] = (double)t->demand;
    for (int i = 0; i < s->run->weights; i++) wanted += s->run->weight[i] * t->past[i];
    t->price += s->run->speed * (wanted - (double)t->memory[0]) / 64;
    t->turns += 1 + (t->attendance > 200);
    t->luck = (int64_t)(drawn(s, step, SET, 3, 2) % 1000) + step;
}

/* Returns what was seen at the next place along x. */
static int64_t seen_next(const state *s, int place)
{
    const int nx = s->run->size[0];
    if ((place + 1) % nx) return s->seen[place + 1];
    return s->run->torus & 1 ? s->seen[place + 1 - nx] : 0;
}

static void look(state *s)
{
    for (int i = 0; i < s->places; i++) {
        trace(s, mixed(mixed(number(s, i), bits(s->t.price)), (uint64_t)s->t.luck));
        s->around[i] = seen_next(s, i) + s->t.luck;
    }
    if (s->t.turns > 9) s->t.price = 1.5, s->t.turns = -3;
}

static void go(state *s)
{
    int64_t sum = 0, went = 0;
    for (int i = 0; i < 5; i++) sum += s->t.memory[i];
    for (int i = 0; i < s->places; i++) {
        const uint64_t h = mixed(mixed(mixed((uint64_t)i, (uint64_t)s->t.turns), (uint64_t)sum), (uint64_t)s->mood[i]);
        trace(s, h);
        s->mood[i] = (int64_t)(h >> 54);
        went += (int64_t)(h >> 40 & 511) > sum / 5;
    }
    s->t.attendance = went;
    memmove(s->t.memory + 1, s->t.memory, 4 * sizeof *s->t.memory);
    s->t.memory[0] = went;
}

static void meet(state *s)
{
    for (int i = 0; i < s->places; i++) {
        const uint64_t h = mixed(mixed(mixed(number(s, i), (uint64_t)s->t.memory[0]), (uint64_t)s->around[i]),
                                 (uint64_t)s->mood[i]);
        trace(s, h);
        s->seen[i] += (int64_t)(h >> 60);
    }
}

market market_after(const market_run *r, uint64_t world)
{
    const size_t places = (size_t)r->size[0] * (size_t)r->size[1] * (size_t)r->size[2];
    state s = {.run = r, .places = (int)places, .key = mass_random_key((uint64_t)r->seed, world),
               .seen = calloc(places, sizeof *s.seen), .around = calloc(places, sizeof *s.around),
               .mood = calloc(places, sizeof *s.mood),
               .t = {.attendance = 100, .price = 1.5, .turns = -3, .memory = {100, 100, 100, 100, 100}}};
    found(&s);
    for (int step = 1; step <= r->steps; step++) {
        buy(&s, step);
        set(&s, step);
        look(&s);
        go(&s);
        meet(&s);
    }
    free(s.seen), free(s.around), free(s.mood);
    return s.t;
}
