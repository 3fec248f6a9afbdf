/* SPDX-License-Identifier: Apache-2.0 */
#include "sugarscape_plain.h"

#include <stdlib.h>

mass_status bench_plain_create(bench_plain *p, int64_t width, int64_t height, size_t ants, mass_error *error)
{
    const size_t places = (size_t)(width * height);
    *p = (bench_plain){.width = width, .height = height, .count = ants, .random = 0x9e3779b97f4a7c15};
    p->sugar = malloc(places);
    p->most = malloc(places);
    p->taken = calloc(places, 1);
    p->ants = malloc(ants * sizeof *p->ants);
    if (p->sugar && p->most && p->taken && p->ants) return MASS_OK;
    return mass_error_memory(error, 3 * places + ants * sizeof *p->ants, "the program to compare with");
}

void bench_plain_free(bench_plain *p)
{
    free(p->sugar);
    free(p->most);
    free(p->taken);
    free(p->ants);
    *p = (bench_plain){0};
}

void bench_plain_settle(bench_plain *p)
{
    for (size_t i = 0; i < p->count; i++) p->taken[p->ants[i].y * p->width + p->ants[i].x] = 1;
}

/* Marsaglia, "Xorshift RNGs" (2003). */
static uint64_t plain_random(bench_plain *p)
{
    p->random ^= p->random << 13;
    p->random ^= p->random >> 7;
    p->random ^= p->random << 17;
    return p->random;
}

/* Returns a number uniform in least to most. */
static int32_t plain_between(bench_plain *p, uint32_t least, uint32_t most)
{
    return (int32_t)(least + (uint32_t)((plain_random(p) >> 32) * (most - least + 1) >> 32));
}

/* Returns a coordinate on a torus. It may be up to one size outside. */
static int32_t plain_wrap(int64_t at, int64_t size)
{
    return (int32_t)(at < 0 ? at + size : at >= size ? at - size : at);
}

/* Moves an ant to the free place in sight with most sugar, if that is more than here. Of equal places the nearest is
 * best, then the one in the direction with the largest of four random numbers of 16 bits. */
static void plain_move(bench_plain *p, plain_ant *ant)
{
    static const int dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};
    const uint64_t drawn = plain_random(p);
    int32_t to_x = ant->x, to_y = ant->y;
    uint32_t best = (uint32_t)p->sugar[to_y * p->width + to_x] << 16 | UINT16_MAX;
    for (int far = 1; far <= ant->vision; far++) {
        for (int i = 0; i < 4; i++) {
            const int32_t x = plain_wrap(ant->x + far * dx[i], p->width);
            const int32_t y = plain_wrap(ant->y + far * dy[i], p->height);
            const int64_t at = y * p->width + x;
            const uint32_t found = (uint32_t)p->sugar[at] << 16 | (uint16_t)(drawn >> 16 * i);
            if (found > best && !p->taken[at]) best = found, to_x = x, to_y = y;
        }
        best |= UINT16_MAX;
    }
    p->taken[ant->y * p->width + ant->x] = 0;
    p->taken[to_y * p->width + to_x] = 1;
    ant->x = to_x;
    ant->y = to_y;
}

/* Lets an ant eat the sugar of its place and burn its metabolism. If nothing is left, a new ant replaces it there. */
static void plain_live(bench_plain *p, plain_ant *ant)
{
    uint8_t *sugar = &p->sugar[ant->y * p->width + ant->x];
    const int32_t held = ant->wealth + *sugar, burnt = ant->metabolism < held ? ant->metabolism : held;
    p->eaten += *sugar;
    p->burnt += burnt;
    *sugar = 0;
    ant->wealth = held - burnt;
    if (ant->wealth > 0) return;
    ant->vision = (uint8_t)plain_between(p, 1, 6);
    ant->metabolism = (uint8_t)plain_between(p, 1, 4);
    ant->wealth = plain_between(p, 5, 25);
    p->endowed += ant->wealth;
}

void bench_plain_step(bench_plain *p)
{
    int64_t grown = 0;
    for (int64_t i = 0; i < p->width * p->height; i++) {
        const uint8_t more = p->sugar[i] < p->most[i];
        p->sugar[i] = (uint8_t)(p->sugar[i] + more);
        grown += more;
    }
    p->grown += grown;
    for (size_t i = 0; i < p->count; i++) {
        plain_move(p, &p->ants[i]);
        plain_live(p, &p->ants[i]);
    }
}
