/* SPDX-License-Identifier: Apache-2.0 */
#include "plain.h"
#include "hand.h"

#include <inttypes.h>
#include <stdlib.h>

static uint64_t mixed(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 29;
}

static int by_place(const void *first, const void *second)
{
    const folk *a = first, *b = second;
    if (a->place != b->place) return a->place < b->place ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

/* Appends an agent with default values. */
static folk *add(hand_world *w, int64_t place, uint64_t id)
{
    w->all = realloc(w->all, (size_t)(w->alive + 1) * sizeof *w->all);
    if (id >= w->next_id) w->next_id = id + 1;
    w->all[w->alive] = (folk){.place = place, .energy = 5, .id = id, .kind = 2};
    return &w->all[w->alive++];
}

/* The agents that load adds. */
static void begin(hand_world *w, int world)
{
    const int64_t nx = w->nx, ny = w->ny;
    for (int64_t i = 0; i < hand_many(world); i++) {
        folk *f = add(w, hand_draw(0, world, i, 0, nx) + nx * hand_draw(0, world, i, 1, ny), w->next_id);
        f->energy = hand_draw(0, world, i, 2, 30);
        f->kind = (int)hand_draw(0, world, i, 3, 4);
        f->gene[0] = 0.5f, f->gene[1] = (float)hand_draw(0, world, i, 4, 900), f->gene[2] = -3;
    }
    for (int64_t i = 0; i < HAND_FEW; i++) {
        folk *f = add(w, hand_draw(1, 0, i, 0, nx * ny), hand_id(i));
        f->tag = (int)hand_draw(1, 0, i, 5, 77);
        f->weight = 2.5f;
    }
    static const int at[HAND_LAST][2] = {{0, 3}, {1, 2}, {1, 2}, {2, 1}, {3, 0}};
    static const double size[HAND_LAST] = {0.25, 0.5, 0.75, -1, 1e6};
    for (int i = 0; world == 0 && i < HAND_LAST; i++) {
        folk *f = add(w, at[i][0] + nx * at[i][1], w->next_id);
        f->energy = i + 1;
        f->size = size[i];
        f->kind = i % 2 == 0;
    }
    qsort(w->all, (size_t)w->alive, sizeof *w->all, by_place);
}

/* Children stay where their parent was, and get ids in its order. */
static void step(hand_world *w)
{
    const int64_t n = w->alive, nx = w->nx, ny = w->ny;
    int64_t kept = 0;
    for (int64_t i = 0; i < n; i++) {
        folk f = w->all[i];
        const int64_t x = f.place % nx, y = f.place / nx;
        uint64_t h = mixed(mixed(f.id, (uint64_t)(x + 1000 * y)), (uint64_t)f.energy);
        h = mixed(mixed(h, (uint64_t)f.kind), (uint64_t)(int64_t)(f.size * 4));
        h = mixed(mixed(h, (uint64_t)(int64_t)f.gene[1]), (uint64_t)(f.tag + (int64_t)f.weight));
        w->trace += (int64_t)(h >> 40);
        f.energy += f.kind + (int64_t)(h >> 50 & 3);
        if (f.energy >= 40) {
            folk *child = add(w, f.place, w->next_id);
            child->energy = f.energy / 2;
            child->kind = 3 - f.kind;
            f.energy -= f.energy / 2;
            w->born++;
        } else if (h % 32 == 5) {
            w->died++;
            continue;
        }
        f.place = (x + (int64_t)(f.id % 3) - 1 + nx) % nx + (y + f.kind % 3 - 1 + ny) % ny * nx;
        w->all[kept++] = f;
    }
    for (int64_t i = n; i < w->alive; i++) w->all[kept++] = w->all[i];
    w->alive = kept;
    qsort(w->all, (size_t)w->alive, sizeof *w->all, by_place);
}

hand_world hand_after(int nx, int ny, int world, int steps)
{
    hand_world w = {.nx = nx, .ny = ny};
    begin(&w, world);
    for (int i = 0; i < steps; i++) step(&w);
    return w;
}

void hand_write(const hand_world *w, int world, int first, FILE *to)
{
    if (first) fprintf(to, "world,x,id,y,kind,energy,size,gene[0],gene[1],gene[2]\n");
    for (int64_t i = w->alive; i-- > 0;) {
        const folk *f = &w->all[i];
        fprintf(to, "%d,%" PRId64 ",%" PRIu64 ",%" PRId64 ",%d,%" PRId64 ",%.17g,%.9g,%.9g,%.9g\n", world,
                f->place % w->nx, f->id, f->place / w->nx, f->kind, f->energy, f->size, (double)f->gene[0],
                (double)f->gene[1], (double)f->gene[2]);
    }
}
