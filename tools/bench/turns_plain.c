/* SPDX-License-Identifier: Apache-2.0 */
#include "turns_plain.h"

#include <mass/random.h>
#include <stdlib.h>
#include <string.h>

enum { DIGIT = 11, DIGITS = 3, VALUES = 1 << DIGIT };

/* Returns two random words. Seed 1, as in the engine's runs. */
static mass_random4 draw(uint64_t number, uint64_t step, uint32_t what)
{
    return mass_random_block(mass_random_key(1, 0), number, step, what, 0);
}

bool bench_ants_make(bench_ants *a, int64_t size, uint32_t count, int radius)
{
    const size_t places = (size_t)(size * size);
    *a = (bench_ants){.size = size, .count = count, .radius = radius};
    a->sugar = malloc(places);
    a->taken = calloc(places, sizeof *a->taken);
    a->place = malloc(count * sizeof *a->place);
    a->energy = calloc(count, sizeof *a->energy);
    a->key = malloc(count * sizeof *a->key);
    a->spare = malloc(count * sizeof *a->spare);
    a->order = malloc(count * sizeof *a->order);
    a->spare_order = malloc(count * sizeof *a->spare_order);
    if (!a->sugar || !a->taken || !a->place || !a->energy || !a->key || !a->spare || !a->order || !a->spare_order)
        return false;
    for (size_t p = 0; p < places; p++) a->sugar[p] = (uint8_t)(draw(p, 0, 0).v[0] % 5);
    for (uint64_t i = 0, tries = 0; i < count; tries++) {
        const uint32_t place = (uint32_t)((draw(tries, 0, 1).v[0] * (uint64_t)places) >> 32);
        if (a->taken[place]) continue;
        a->taken[place] = true;
        a->place[i++] = place;
    }
    return true;
}

void bench_ants_free(bench_ants *a)
{
    free(a->sugar);
    free(a->taken);
    free(a->place);
    free(a->energy);
    free(a->key);
    free(a->spare);
    free(a->order);
    free(a->spare_order);
    *a = (bench_ants){0};
}

/* Sorts the ants by the upper 33 bits of their keys, digit by digit. */
static void sort(bench_ants *a)
{
    for (int digit = 0; digit < DIGITS; digit++) {
        uint32_t first[VALUES] = {0}, before = 0;
        const int shift = 64 - DIGIT * (DIGITS - digit);
        for (uint32_t i = 0; i < a->count; i++) first[a->key[i] >> shift & (VALUES - 1)]++;
        for (int v = 0; v < VALUES; v++) {
            const uint32_t n = first[v];
            first[v] = before;
            before += n;
        }
        for (uint32_t i = 0; i < a->count; i++) {
            const uint32_t to = first[a->key[i] >> shift & (VALUES - 1)]++;
            a->spare[to] = a->key[i];
            a->spare_order[to] = a->order[i];
        }
        uint64_t *const key = a->key;
        uint32_t *const order = a->order;
        a->key = a->spare, a->spare = key;
        a->order = a->spare_order, a->spare_order = order;
    }
}

/* Returns a coordinate within the space. It may be one length outside at most. */
static int64_t wrap(int64_t at, int64_t size) { return at < 0 ? at + size : at >= size ? at - size : at; }

/* Lets an ant go to the richest free place along the axes, and eat. */
static void act(bench_ants *a, uint32_t ant)
{
    const int64_t x = a->place[ant] % a->size, y = a->place[ant] / a->size;
    int64_t to = a->place[ant];
    uint8_t best = a->sugar[to];
    for (int d = 1; d <= a->radius; d++)
        for (int k = 0; k < 4; k++) {
            const int64_t dx = k == 0 ? d : k == 2 ? -d : 0, dy = k == 1 ? d : k == 3 ? -d : 0;
            const int64_t p = wrap(y + dy, a->size) * a->size + wrap(x + dx, a->size);
            if (a->sugar[p] <= best || a->taken[p]) continue;
            best = a->sugar[p];
            to = p;
        }
    a->taken[a->place[ant]] = false;
    a->taken[to] = true;
    a->place[ant] = (uint32_t)to;
    a->energy[ant] += best;
    a->sugar[to] = 0;
}

void bench_ants_step(bench_ants *a)
{
    a->step++;
    for (uint32_t i = 0; i < a->count; i++) {
        const mass_random4 r = draw(i, a->step, 2);
        a->key[i] = (uint64_t)r.v[0] << 32 | r.v[1];
        a->order[i] = i;
    }
    sort(a);
    for (uint32_t k = 0; k < a->count; k++) act(a, a->order[k]);
}

double bench_ants_energy(const bench_ants *a)
{
    double sum = 0;
    for (uint32_t i = 0; i < a->count; i++) sum += a->energy[i];
    return sum / a->count;
}
