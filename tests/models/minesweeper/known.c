/* SPDX-License-Identifier: Apache-2.0 */
#include "minesweeper.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

enum { SIZE = 46, PLACES = SIZE * SIZE, STEPS = 60000, OFTEN = 200 };

typedef struct board {
    uint8_t *mine, *flag;
    float (*q)[4];
    uint32_t (*visits)[4];
} board;

static void *read_places(const char *path, const char *name, size_t size)
{
    const dataset d = dataset_read(path, text("/places/grid/%s", name));
    cr_assert_eq(d.size, size, "%s has %zu bytes", name, d.size);
    return d.bytes;
}

static board train(const char *where, int seed)
{
    const char *folder = folder_make();
    engine_result(text("--plugin '%s/minesweeper.so' --size %dx%d --steps %d --seed %d --set epsilon_min=0.2 "
                       "--checkpoint %s %s", getenv("MASS_PLUGINS"), SIZE, SIZE, STEPS, seed, folder, where));
    const char *path = checkpoint_path(folder, STEPS);
    const board b = {read_places(path, "mine", PLACES), read_places(path, "flag", PLACES),
                     read_places(path, "q", PLACES * sizeof *b.q),
                     read_places(path, "visits", PLACES * sizeof *b.visits)};
    folder_empty(folder);
    return b;
}

static int beyond(int place, int action)
{
    const int x = place % SIZE, y = place / SIZE;
    if (action == 0) return x == SIZE - 1 ? place : place + 1;
    if (action == 1) return y == SIZE - 1 ? place : place + SIZE;
    if (action == 2) return x == 0 ? place : place - 1;
    return y == 0 ? place : place - SIZE;
}

static double best(const double values[4]) { return fmax(fmax(values[0], values[1]), fmax(values[2], values[3])); }

/* Value iteration, to the end. */
static void solve(const board *b, double (*values)[4])
{
    for (double change = 1; change > 1e-13;) {
        change = 0;
        for (int p = 0; p < PLACES; p++)
            for (int a = 0; a < 4; a++) {
                const int to = beyond(p, a);
                const double value = b->mine[to] ? -1 : b->flag[to] ? 1 : 0.9 * best(values[to]);
                change = fmax(change, fabs(value - values[p][a]));
                values[p][a] = value;
            }
    }
}

static int flag_of(const board *b)
{
    int flag = -1;
    for (int p = 0; p < PLACES; p++)
        if (b->flag[p]) flag = p;
    cr_assert(flag >= 0 && !b->mine[flag]);
    return flag;
}

/* Steps to the flag past the mines, from everywhere; -1 where there is no way. */
static void measure(const board *b, int *distance)
{
    int queue[PLACES], first = 0, last = 0;
    for (int p = 0; p < PLACES; p++) distance[p] = -1;
    queue[last++] = flag_of(b);
    distance[queue[0]] = 0;
    for (; first < last; first++)
        for (int a = 0; a < 4; a++) {
            const int from = beyond(queue[first], a);
            if (b->mine[from] || distance[from] >= 0) continue;
            distance[from] = distance[queue[first]] + 1;
            queue[last++] = from;
        }
}

/* How many steps the greedy walk takes to the flag; -1 if it hits a mine or does not arrive. */
static int walk(const board *b, int place)
{
    for (int steps = 0; steps < PLACES; steps++) {
        if (b->flag[place]) return steps;
        int greedy = 0;
        for (int a = 1; a < 4; a++)
            if (b->q[place][a] > b->q[place][greedy]) greedy = a;
        place = beyond(place, greedy);
        if (b->mine[place]) return -1;
    }
    return -1;
}

static bool visited(const uint32_t visits[4], uint32_t least)
{
    return visits[0] >= least && visits[1] >= least && visits[2] >= least && visits[3] >= least;
}

void expect_learnt(const char *where, int seed)
{
    board b = train(where, seed);
    static double values[PLACES][4];
    static int distance[PLACES];
    for (int p = 0; p < PLACES; p++)
        for (int a = 0; a < 4; a++) values[p][a] = 0;
    solve(&b, values);
    measure(&b, distance);
    int often = 0, walks = 0;
    for (int p = 0; p < PLACES; p++) {
        for (int a = 0; a < 4; a++) {
            if (b.visits[p][a] < OFTEN) continue;
            often++;
            cr_expect_float_eq(b.q[p][a], values[p][a], 0.02, "seed %d, place %d, action %d: %g and not %g", seed, p, a,
                               (double)b.q[p][a], values[p][a]);
        }
        if (distance[p] <= 0 || !visited(b.visits[p], 1)) continue;
        walks++;
        cr_expect_eq(walk(&b, p), distance[p], "seed %d, from place %d: %d steps and not %d", seed, p, walk(&b, p),
                     distance[p]);
    }
    cr_expect_gt(often, 2 * PLACES, "seed %d: only %d values", seed, often);
    cr_expect_gt(walks, PLACES * 9 / 10, "seed %d: only %d walks", seed, walks);
    free(b.mine);
    free(b.flag);
    free(b.q);
    free(b.visits);
}
