/* SPDX-License-Identifier: Apache-2.0 */
#include "standard_plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Marsaglia, "Xorshift RNGs" (2003). */
static uint64_t next_random(uint64_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return *random;
}

/* Returns a number uniform in 0 to n - 1. */
static uint32_t below(uint64_t *random, uint32_t n) { return (uint32_t)((next_random(random) >> 32) * n >> 32); }

/* ---- Schelling ---- */

enum { NO_ONE = -1 };

typedef struct town {
    int64_t size, places;
    int8_t *kind;            /* [places] NO_ONE: the place is free */
    uint32_t *home;          /* [people] */
    uint32_t *free, *asker;  /* [places] free places; by place, who asked for it last */
    uint64_t *lot;           /* [places] the best lot that somebody drew for the place, 0: nobody asked */
    uint32_t *movers, *goal; /* [people] who move in this step, and where to */
    uint64_t random;
} town;

static bool make_town(town *t, int64_t size, uint32_t people)
{
    *t = (town){.size = size, .places = size * size, .random = 0x9e3779b97f4a7c15};
    const size_t places = (size_t)t->places;
    t->kind = malloc(places);
    t->home = malloc(people * sizeof *t->home);
    t->free = malloc(places * sizeof *t->free);
    t->asker = malloc(places * sizeof *t->asker);
    t->lot = calloc(places, sizeof *t->lot);
    t->movers = malloc(people * sizeof *t->movers);
    t->goal = malloc(people * sizeof *t->goal);
    if (!t->kind || !t->home || !t->free || !t->asker || !t->lot || !t->movers || !t->goal) return false;
    memset(t->kind, NO_ONE, places);
    for (uint32_t i = 0; i < people;) {
        const uint32_t place = below(&t->random, (uint32_t)places);
        if (t->kind[place] != NO_ONE) continue;
        t->kind[place] = (int8_t)(next_random(&t->random) >> 63);
        t->home[i++] = place;
    }
    return true;
}

static void free_town(town *t)
{
    free(t->kind);
    free(t->home);
    free(t->free);
    free(t->asker);
    free(t->lot);
    free(t->movers);
    free(t->goal);
}

/* Counts the neighbours of a place, and those that are of the kind that lives there. */
static void look_around(const town *t, uint32_t place, int radius, int *same, int *all)
{
    const int64_t x = place % t->size, y = place / t->size;
    const int64_t x0 = x > radius ? x - radius : 0, x1 = x + radius < t->size ? x + radius : t->size - 1;
    const int64_t y0 = y > radius ? y - radius : 0, y1 = y + radius < t->size ? y + radius : t->size - 1;
    const int8_t own = t->kind[place];
    int alike = 0, others = 0;
    for (int64_t v = y0; v <= y1; v++)
        for (int64_t u = x0; u <= x1; u++) {
            const int8_t kind = t->kind[v * t->size + u];
            alike += kind == own;
            others += kind != NO_ONE;
        }
    *same = alike - 1;
    *all = others - 1;
}

/* Each of the movers draws a free place. Of those that draw the same one, a lot decides. Returns how many are left
 * without a place. */
static uint32_t move_once(town *t, uint32_t movers)
{
    uint32_t places = 0, left = 0;
    for (int64_t i = 0; i < t->places; i++)
        if (t->kind[i] == NO_ONE) t->free[places++] = (uint32_t)i;
    for (uint32_t k = 0; k < movers && places; k++) {
        const uint32_t to = t->goal[k] = t->free[below(&t->random, places)];
        const uint64_t lot = next_random(&t->random);
        if (lot > t->lot[to]) t->lot[to] = lot, t->asker[to] = t->movers[k];
    }
    for (uint32_t k = 0; k < movers && places; k++) {
        const uint32_t who = t->movers[k], to = t->goal[k];
        if (t->asker[to] != who || !t->lot[to]) {
            t->movers[left++] = who;
            continue;
        }
        t->kind[to] = t->kind[t->home[who]];
        t->kind[t->home[who]] = NO_ONE;
        t->home[who] = to;
        t->lot[to] = 0;
    }
    return left;
}

double bench_plain_schelling(int64_t size, uint32_t people, int radius, int needs, double threshold, int tries,
                             int steps)
{
    town t;
    int64_t alike = 0, neighbours = 0;
    const bool made = make_town(&t, size, people);
    for (int step = 0; made && step < steps; step++) {
        uint32_t movers = 0;
        alike = neighbours = 0;
        for (uint32_t i = 0; i < people; i++) {
            int same, all;
            look_around(&t, t.home[i], radius, &same, &all);
            alike += same;
            neighbours += all;
            if (needs ? same < needs : same < threshold * all) t.movers[movers++] = i;
        }
        for (int k = 0; k < tries && movers; k++) movers = move_once(&t, movers);
    }
    free_town(&t);
    return made ? (double)alike / (double)neighbours : -1;
}

/* ---- Boltzmann ---- */

double bench_plain_boltzmann(uint32_t people, int steps)
{
    int32_t *wealth = malloc(people * sizeof *wealth), *received = calloc(people, sizeof *received);
    uint64_t random = 0x9e3779b97f4a7c15;
    uint32_t poor = 0;
    const bool made = wealth && received;
    for (uint32_t i = 0; made && i < people; i++) wealth[i] = 1;
    for (int step = 0; made && step < steps; step++) {
        for (uint32_t i = 0; i < people; i++)
            if (wealth[i]) wealth[i]--, received[below(&random, people)]++;
        for (uint32_t i = 0; i < people; i++) wealth[i] += received[i], received[i] = 0;
    }
    for (uint32_t i = 0; made && i < people; i++) poor += wealth[i] == 0;
    free(wealth);
    free(received);
    return made ? (double)poor / people : -1;
}

/* ---- El Farol ---- */

enum { STRATEGIES = 10, MEMORY = 5, WEEKS = 2 * MEMORY };

/* Returns the share of people that a strategy foretells from the weeks before week `ago`. */
static double foretell(const float *strategy, const double *past, int ago)
{
    double share = strategy[MEMORY];
    for (int week = 0; week < MEMORY; week++) share += strategy[week] * past[ago + week];
    return share;
}

/* Returns the error of a strategy over the last weeks. */
static double error_of(const float *strategy, const double *past)
{
    double error = 0;
    for (int week = 0; week < MEMORY; week++) error += fabs(past[week] - foretell(strategy, past, week + 1));
    return error;
}

static bool goes_out(const float strategies[STRATEGIES][MEMORY + 1], const double *past, double crowded)
{
    int best = 0;
    double least = error_of(strategies[0], past);
    for (int s = 1; s < STRATEGIES; s++) {
        const double error = error_of(strategies[s], past);
        if (error < least) least = error, best = s;
    }
    return foretell(strategies[best], past, 0) <= crowded;
}

double bench_plain_el_farol(uint32_t people, double crowded, int steps)
{
    float(*strategies)[STRATEGIES][MEMORY + 1] = malloc(people * sizeof *strategies);
    double past[WEEKS], sum = 0;
    uint64_t random = 0x9e3779b97f4a7c15;
    if (!strategies) return -1;
    for (uint32_t i = 0; i < people; i++)
        for (int s = 0; s < STRATEGIES; s++)
            for (int week = 0; week <= MEMORY; week++)
                strategies[i][s][week] = (float)((double)(next_random(&random) >> 11) * 0x1p-52 - 1);
    for (int week = 0; week < WEEKS; week++) past[week] = (double)(next_random(&random) >> 11) * 0x1p-53;
    for (int step = 0; step < steps; step++) {
        uint32_t attendance = 0;
        for (uint32_t i = 0; i < people; i++) attendance += goes_out(strategies[i], past, crowded);
        memmove(past + 1, past, (WEEKS - 1) * sizeof *past);
        past[0] = (double)attendance / people;
        if (step >= steps / 2) sum += past[0];
    }
    free(strategies);
    return sum / (steps - steps / 2);
}
