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
    uint32_t *free, frees;   /* [places] free places, in any order */
    uint32_t *asker;         /* [places] of a number in free: who has drawn the best lot for it */
    uint64_t *lot;           /* [places] that lot, 0: nobody asked */
    uint32_t *movers, *goal; /* [people] who move in this step, and to which number in free */
    uint64_t random;
} town;

/* Makes a town with people at random places. Returns false if out of memory; free_town frees what there is. */
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
    for (uint32_t place = 0; place < places; place++)
        if (t->kind[place] == NO_ONE) t->free[t->frees++] = place;
    return true;
}

/* Frees a town's arrays. Those that are NULL are allowed. */
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
    uint32_t left = 0;
    if (!t->frees) return movers;
    for (uint32_t k = 0; k < movers; k++) {
        const uint32_t to = t->goal[k] = below(&t->random, t->frees);
        const uint64_t lot = next_random(&t->random);
        if (lot > t->lot[to]) t->lot[to] = lot, t->asker[to] = t->movers[k];
    }
    for (uint32_t k = 0; k < movers; k++) {
        const uint32_t who = t->movers[k], to = t->goal[k], place = t->free[to];
        if (t->asker[to] != who || !t->lot[to]) {
            t->movers[left++] = who;
            continue;
        }
        t->kind[place] = t->kind[t->home[who]];
        t->kind[t->home[who]] = NO_ONE;
        t->free[to] = t->home[who];
        t->home[who] = place;
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

/* ---- wolves, sheep and grass ---- */

typedef struct animal {
    int16_t x, y;
    float energy;
} animal;

enum { NO_SHEEP = -1 };

typedef struct meadow {
    int size, step;
    int *grown;                     /* [places] the step from which there is grass */
    int32_t *first;                 /* [places] the sheep of a place, as a list */
    animal *sheep, *wolves;
    int32_t *next;                  /* [sheep] the next one of the list, or itself if a wolf has eaten it */
    int32_t sheep_count, wolf_count, sheep_room, wolf_room;
    int64_t lambs, eaten;
    uint64_t random;
} meadow;

/* Returns a random number from 0 to below 1. */
static double unit(uint64_t *random) { return (double)(next_random(random) >> 11) * 0x1p-53; }

/* Returns the number of an animal's place. */
static int place_of(const meadow *m, const animal *a) { return a->y * m->size + a->x; }

/* Makes room for as many again. */
static bool make_room(animal **herd, int32_t count, int32_t *room, int32_t **next)
{
    if (*room >= 2 * count) return true;
    *room = 4 * count;
    animal *more = realloc(*herd, (size_t)*room * sizeof *more);
    if (more) *herd = more;
    int32_t *links = next ? realloc(*next, (size_t)*room * sizeof *links) : NULL;
    if (links) *next = links;
    return more && (!next || links);
}

/* Makes a meadow with grass and animals. Returns false if out of memory. */
static bool make_meadow(meadow *m, const bench_meadow *set)
{
    const size_t places = (size_t)set->size * (size_t)set->size;
    *m = (meadow){.size = set->size, .random = 0x9e3779b97f4a7c15, .sheep_count = set->sheep,
                  .wolf_count = set->wolves, .grown = malloc(places * sizeof *m->grown),
                  .first = malloc(places * sizeof *m->first)};
    if (!m->grown || !m->first || !make_room(&m->sheep, set->sheep, &m->sheep_room, &m->next) ||
        !make_room(&m->wolves, set->wolves, &m->wolf_room, NULL))
        return false;
    const uint32_t size = (uint32_t)set->size;
    for (size_t i = 0; i < places; i++) {
        m->grown[i] = next_random(&m->random) >> 63 ? 0 : (int)below(&m->random, (uint32_t)set->regrowth + 1);
        m->first[i] = NO_SHEEP;
    }
    for (int i = 0; i < set->sheep; i++)
        m->sheep[i] = (animal){(int16_t)below(&m->random, size), (int16_t)below(&m->random, size),
                               (float)(unit(&m->random) * 2 * set->grass_energy)};
    for (int i = 0; i < set->wolves; i++)
        m->wolves[i] = (animal){(int16_t)below(&m->random, size), (int16_t)below(&m->random, size),
                                (float)(unit(&m->random) * 2 * set->sheep_energy)};
    return true;
}

/* Moves an animal to one of eight places, which costs energy; at the edge it stays. */
static void walk(meadow *m, animal *a)
{
    static const int8_t dx[] = {-1, 0, 1, -1, 1, -1, 0, 1}, dy[] = {-1, -1, -1, 0, 0, 1, 1, 1};
    const uint64_t way = next_random(&m->random) >> 61;
    const int x = a->x + dx[way], y = a->y + dy[way];
    a->energy -= 1;
    if (x >= 0 && y >= 0 && x < m->size && y < m->size) a->x = (int16_t)x, a->y = (int16_t)y;
}

/* Moves all; wolves take sheep from the lists of their places. */
static void hunt(meadow *m, const bench_meadow *set)
{
    for (int32_t i = 0; i < m->sheep_count; i++) {
        walk(m, &m->sheep[i]);
        int32_t *first = &m->first[place_of(m, &m->sheep[i])];
        m->next[i] = *first;
        *first = i;
    }
    for (int32_t i = 0; i < m->wolf_count; i++) {
        walk(m, &m->wolves[i]);
        int32_t *first = &m->first[place_of(m, &m->wolves[i])];
        const int32_t prey = *first;
        if (prey == NO_SHEEP) continue;
        *first = m->next[prey];
        m->next[prey] = prey;
        m->wolves[i].energy += (float)set->sheep_energy;
        m->eaten++;
    }
}

/* Puts young ones after the `kept` that are alive. Returns how many there are then. */
static int32_t bear(meadow *m, animal *herd, int32_t kept, double births)
{
    int32_t count = kept;
    for (int32_t i = 0; i < kept; i++) {
        if (unit(&m->random) >= births) continue;
        herd[i].energy /= 2;
        herd[count++] = herd[i];
    }
    return count;
}

/* Lets sheep graze, and lets animals without energy die, and others bear. Returns false if out of memory. */
static bool live(meadow *m, const bench_meadow *set)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < m->sheep_count; i++) {
        animal a = m->sheep[i];
        const int place = place_of(m, &a);
        m->first[place] = NO_SHEEP;
        if (m->next[i] == i) continue;
        if (m->grown[place] <= m->step) {
            m->grown[place] = m->step + set->regrowth;
            a.energy += (float)set->grass_energy;
        }
        if (a.energy >= 0) m->sheep[kept++] = a;
    }
    if (!make_room(&m->sheep, kept, &m->sheep_room, &m->next)) return false;
    m->sheep_count = bear(m, m->sheep, kept, set->sheep_births);
    m->lambs += m->sheep_count - kept;
    kept = 0;
    for (int32_t i = 0; i < m->wolf_count; i++)
        if (m->wolves[i].energy >= 0) m->wolves[kept++] = m->wolves[i];
    if (!make_room(&m->wolves, kept, &m->wolf_room, NULL)) return false;
    m->wolf_count = bear(m, m->wolves, kept, set->wolf_births);
    return true;
}

double bench_plain_wolf_sheep(const bench_meadow *set, int steps)
{
    meadow m;
    bool made = make_meadow(&m, set);
    for (m.step = 1; made && m.step <= steps; m.step++) {
        hunt(&m, set);
        made = live(&m, set);
    }
    free(m.grown);
    free(m.first);
    free(m.sheep);
    free(m.wolves);
    free(m.next);
    return made ? (double)m.eaten / (double)m.lambs : -1;
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

/* Returns whether an agent goes out: its best strategy foretells no more than `crowded`. */
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
        sum += past[0];
    }
    free(strategies);
    return sum;
}
