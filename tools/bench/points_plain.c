/* SPDX-License-Identifier: Apache-2.0 */
#include "points_plain.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { AXES_MOST = 3 };

/* Agents by cell. Their columns are the coordinates, and then what else they have. */
typedef struct points {
    uint32_t agents, columns;
    int axes, cells;    /* along each axis */
    float cell, length; /* the edge of a cell; the length of an axis */
    float *now[2 * AXES_MOST], *next[2 * AXES_MOST];
    uint32_t *start; /* [cells ^ axes + 1] the first agent of a cell */
    uint32_t *home;  /* [agents] */
    uint64_t random;
} points;

/* Marsaglia, "Xorshift RNGs" (2003). Returns a number from 0 to before 1. */
static float draw(points *p)
{
    p->random ^= p->random << 13;
    p->random ^= p->random >> 7;
    p->random ^= p->random << 17;
    return (float)(p->random >> 40) * 0x1p-24f;
}

/* Returns the number of cells. */
static uint32_t cell_count(const points *p)
{
    return (uint32_t)(p->axes == 3 ? p->cells * p->cells * p->cells : p->cells * p->cells);
}

/* Frees the arrays. */
static void release(points *p)
{
    for (uint32_t c = 0; c < p->columns; c++) free(p->now[c]), free(p->next[c]);
    free(p->start);
    free(p->home);
}

/* Makes the points. Returns false if out of memory; nothing is to be freed then. */
static bool make(points *p, uint32_t agents, int axes, uint32_t columns, int cells, float cell)
{
    *p = (points){.agents = agents, .columns = columns, .axes = axes, .cells = cells, .cell = cell,
                  .length = (float)cells * cell, .random = 0x9e3779b97f4a7c15};
    bool made = true;
    for (uint32_t c = 0; c < columns; c++) {
        p->now[c] = malloc((agents + 1) * sizeof(float));
        p->next[c] = malloc((agents + 1) * sizeof(float));
        made = made && p->now[c] && p->next[c];
    }
    p->start = malloc((cell_count(p) + 2) * sizeof *p->start);
    p->home = malloc((agents + 1) * sizeof *p->home);
    if (!made || !p->start || !p->home) {
        release(p);
        return false;
    }
    for (int a = 0; a < axes; a++)
        for (uint32_t i = 0; i < agents; i++) p->now[a][i] = fminf(draw(p) * p->length, nextafterf(p->length, 0));
    return true;
}

/* Returns the cell of a coordinate along an axis: the last one if the division rounds up to the end. */
static int cell_along(const points *p, float at)
{
    const int k = (int)(at / p->cell);
    return k < p->cells ? k : p->cells - 1;
}

/* Makes the next state the present one. */
static void swap(points *p)
{
    for (uint32_t c = 0; c < p->columns; c++) {
        float *const swapped = p->now[c];
        p->now[c] = p->next[c], p->next[c] = swapped;
    }
}

/* Sorts the agents by cell. */
static void sort(points *p)
{
    const uint32_t cells = cell_count(p);
    memset(p->start, 0, (cells + 2) * sizeof *p->start);
    for (uint32_t i = 0; i < p->agents; i++) {
        uint32_t home = 0;
        for (int a = p->axes - 1; a >= 0; a--) home = home * (uint32_t)p->cells + (uint32_t)cell_along(p, p->now[a][i]);
        p->home[i] = home;
        p->start[home + 2]++;
    }
    for (uint32_t k = 2; k <= cells + 1; k++) p->start[k] += p->start[k - 1];
    for (uint32_t i = 0; i < p->agents; i++) {
        const uint32_t to = p->start[p->home[i] + 1]++;
        for (uint32_t c = 0; c < p->columns; c++) p->next[c][to] = p->now[c][i];
    }
    swap(p);
}

/* Returns a coordinate within the space. It may be one length outside at most. */
static float wrapped(const points *p, float at)
{
    return at < 0 ? at + p->length : at >= p->length ? at - p->length : at;
}

/* The cells beside one along an axis, and what to add to coordinates in them. */
typedef struct beside {
    int cell[3];
    float shift[3];
} beside;

/* Returns the three cells from the one before a cell to the one after it, and what their coordinates are shifted by. */
static beside cells_beside(const points *p, int cell)
{
    beside b;
    for (int k = 0; k < 3; k++) {
        const int at = cell + k - 1, over = at < 0 ? -1 : at >= p->cells ? 1 : 0;
        b.cell[k] = at - over * p->cells;
        b.shift[k] = (float)over * p->length;
    }
    return b;
}

/* ---- circles ---- */

/* As in plugins/circles. */
static float sine_over_distance(float v)
{
    return (1 - v) * (1 - 4 * v) *
           (6.283185f + v * (-9.9257536f + v * (6.8432646f + v * (-2.7823889f +
            v * (0.75464696f + v * (-0.14070389f + v * 0.014946943f))))));
}

/* Moves circle i away from the others within a cell's edge. Returns their number. */
static uint32_t move_circle(const points *p, uint32_t i, const float *restrict x, const float *restrict y,
                            const float *restrict z)
{
    const beside bx = cells_beside(p, cell_along(p, x[i])), by = cells_beside(p, cell_along(p, y[i])),
                 bz = cells_beside(p, cell_along(p, z[i]));
    const float most = p->cell * p->cell, turns = 1 / p->cell;
    float to[3] = {0, 0, 0};
    uint32_t count = 0;
    for (int c = 0; c < 27; c++) {
        const int k = c % 3, j = c / 3 % 3, l = c / 9;
        const uint32_t cell = (uint32_t)((bz.cell[l] * p->cells + by.cell[j]) * p->cells + bx.cell[k]);
        const float from_x = x[i] - bx.shift[k], from_y = y[i] - by.shift[j], from_z = z[i] - bz.shift[l];
        for (uint32_t o = p->start[cell]; o < p->start[cell + 1]; o++) {
            const float dx = x[o] - from_x, dy = y[o] - from_y, dz = z[o] - from_z;
            const float square = dx * dx + dy * dy + dz * dz;
            if (square > most || o == i) continue;
            const float step = sine_over_distance(square * (turns * turns));
            to[0] += step * dx, to[1] += step * dy, to[2] += step * dz;
            count++;
        }
    }
    const float share = count ? -0.05f * turns / (float)count : 0;
    for (int a = 0; a < 3; a++) p->next[a][i] = wrapped(p, p->now[a][i] + to[a] * share);
    return count;
}

double bench_plain_circles(uint32_t agents, int cells, int steps)
{
    points p;
    if (!make(&p, agents, 3, 3, cells, 2)) return -1;
    uint64_t seen = 0;
    for (int step = 0; step < steps; step++) {
        sort(&p);
        seen = 0;
        for (uint32_t i = 0; i < agents; i++) seen += move_circle(&p, i, p.now[0], p.now[1], p.now[2]);
        swap(&p);
    }
    release(&p);
    return (double)seen / agents;
}

/* ---- boids ---- */

/* Flies boid i. Returns the number of the others that it sees. */
static uint32_t fly(const points *p, uint32_t i, const float *restrict x, const float *restrict y,
                    const float *restrict heading_x, const float *restrict heading_y)
{
    const beside bx = cells_beside(p, cell_along(p, x[i])), by = cells_beside(p, cell_along(p, y[i]));
    const float most = p->cell * p->cell;
    float to_x = 0, to_y = 0, away_x = 0, away_y = 0, along_x = 0, along_y = 0;
    uint32_t count = 0;
    for (int c = 0; c < 9; c++) {
        const uint32_t cell = (uint32_t)(by.cell[c / 3] * p->cells + bx.cell[c % 3]);
        const float from_x = x[i] - bx.shift[c % 3], from_y = y[i] - by.shift[c / 3];
        for (uint32_t o = p->start[cell]; o < p->start[cell + 1]; o++) {
            const float dx = x[o] - from_x, dy = y[o] - from_y, square = dx * dx + dy * dy;
            if (square > most || o == i) continue;
            to_x += dx, to_y += dy;
            along_x += heading_x[o], along_y += heading_y[o];
            if (square < 1) away_x -= dx, away_y -= dy;
            count++;
        }
    }
    const float share = (float)(count ? count : 1);
    float hx = heading_x[i] + (to_x * 0.03f + away_x * 0.015f + along_x * 0.05f) / share;
    float hy = heading_y[i] + (to_y * 0.03f + away_y * 0.015f + along_y * 0.05f) / share;
    const float length = sqrtf(hx * hx + hy * hy);
    if (length > 0) hx /= length, hy /= length;
    p->next[0][i] = wrapped(p, x[i] + hx), p->next[1][i] = wrapped(p, y[i] + hy);
    p->next[2][i] = hx, p->next[3][i] = hy;
    return count;
}

double bench_plain_boids(uint32_t agents, int cells, float sight, int steps)
{
    points p;
    if (!make(&p, agents, 2, 4, cells, sight)) return -1;
    for (uint32_t i = 0; i < agents; i++) {
        const float angle = draw(&p) * 6.2831855f;
        p.now[2][i] = cosf(angle), p.now[3][i] = sinf(angle);
    }
    uint64_t seen = 0;
    for (int step = 0; step < steps; step++) {
        sort(&p);
        seen = 0;
        for (uint32_t i = 0; i < agents; i++) seen += fly(&p, i, p.now[0], p.now[1], p.now[2], p.now[3]);
        swap(&p);
    }
    release(&p);
    return (double)seen / agents;
}
