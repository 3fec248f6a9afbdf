/* SPDX-License-Identifier: Apache-2.0 */
#include "known.h"
#include "run.h"
#include "stray.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 6, ROOM = 4096 };

static const int64_t offsets[OFFSETS] = STRAY_OFFSETS, numbers[NUMBERS] = STRAY_NUMBERS;

typedef struct walker {
    int64_t place, dx, dy, child;
    uint64_t id;
    uint32_t crowd, born, weight;
    uint8_t seen, lost;
} walker;

typedef struct world {
    int64_t nx, ny;
    walker all[ROOM];
    int count;
    uint64_t next_id;
} world;

static int64_t ground(const world *w, int64_t x, int64_t y)
{
    if (y < 0 || y >= w->ny) return DEFAULT;
    return (modulo(x, w->nx) * 5 + y * 3) % 6;
}

static int within(int64_t offset, int64_t reach) { return offset >= -reach && offset <= reach; }

/* The place at an offset, or -1: y has edges, x wraps. */
static int64_t place_at(const world *w, int64_t x, int64_t y, int64_t dx, int64_t dy)
{
    const __int128 to = (__int128)y + dy;
    if (to < 0 || to >= w->ny) return -1;
    const __int128 across = ((__int128)x + dx) % w->nx;
    return (int64_t)to * w->nx + (int64_t)(across < 0 ? across + w->nx : across);
}

static uint32_t crowd_at(const world *w, int64_t place)
{
    uint32_t n = 0;
    for (int i = 0; i < w->count; i++) n += w->all[i].place == place;
    return n;
}

static int canonical(const void *a, const void *b)
{
    const walker *p = a, *q = b;
    if (p->place != q->place) return p->place < q->place ? -1 : 1;
    return p->id < q->id ? -1 : p->id > q->id;
}

static void look(world *w, uint64_t step)
{
    for (int i = 0; i < w->count; i++) {
        walker *a = &w->all[i];
        const int64_t x = a->place % w->nx, y = a->place / w->nx;
        a->dx = offsets[(a->id * 7 + step * 3) % OFFSETS];
        a->dy = offsets[(a->id * 5 / 3 + step) % OFFSETS];
        a->child = numbers[(a->id + step) % NUMBERS];
        const int near = within(a->dx, REACH) && within(a->dy, REACH);
        const int64_t seen = near ? ground(w, x + a->dx, y + a->dy) : DEFAULT;
        a->seen = (uint8_t)(10 * seen + ground(w, x, y));
        const int64_t place = near ? place_at(w, x, y, a->dx, a->dy) : -1;
        a->crowd = place < 0 ? 0 : crowd_at(w, place);
    }
}

static void bear(world *w, uint64_t step)
{
    const int parents = w->count;
    for (int i = 0; i < parents; i++) {
        const walker *a = &w->all[i];
        if ((a->id + step) % 4 != 0) continue;
        int64_t place[CHILDREN] = {a->place, a->place};
        uint32_t born[CHILDREN] = {10, 11};
        const int is_child = a->child >= 0 && a->child < CHILDREN;
        born[is_child ? a->child : CHILDREN - 1] = 12;
        const int64_t asked = place_at(w, a->place % w->nx, a->place / w->nx, a->dy, a->dx);
        if (is_child && asked >= 0) place[a->child] = asked;
        for (int k = 0; k < CHILDREN; k++)
            w->all[w->count++] = (walker){.place = place[k], .id = w->next_id++, .born = born[k]};
    }
    for (int i = 0; i < parents; i++) {
        const int64_t to = place_at(w, w->all[i].place % w->nx, w->all[i].place / w->nx, w->all[i].dx, w->all[i].dy);
        if (to >= 0) w->all[i].place = to;
    }
}

static void move(world *w)
{
    for (int i = 0; i < w->count; i++) {
        const int64_t to = place_at(w, w->all[i].place % w->nx, w->all[i].place / w->nx, w->all[i].dx, w->all[i].dy);
        if (to >= 0) w->all[i].place = to;
    }
}

static void listen(world *w, uint64_t step, int64_t *heard)
{
    for (int64_t place = 0; place < w->nx * w->ny; place++) {
        const uint64_t n = (uint64_t)(place % w->nx * 31 + place / w->nx * 17) + step;
        const int64_t named = n % 3 ? (int64_t)(n * 13 % 400) : numbers[n / 3 % NUMBERS];
        int64_t sum = 0;
        for (int i = 0; i < w->count; i++) {
            walker *a = &w->all[i];
            if (a->place != place) continue;
            a->weight += (uint32_t)(1 + a->id % 3);
            sum += a->weight + a->born;
        }
        walker nobody = {0};
        const int known = named >= 0 && named < w->count && w->all[named].place == place;
        walker *a = known ? &w->all[named] : &nobody;
        a->weight += known ? 100 : 0;
        /* Of nobody nothing is kept: what is added to it is there until the body ends. */
        heard[place] = 1000 * sum + 10 * (known ? a->weight : 100) + !known + a->born;
    }
}

static int read_at(const world *w, int64_t place, uint64_t step)
{
    const int64_t x = place % w->nx, y = place / w->nx;
    const int64_t ox = offsets[((uint64_t)(x + 3 * y) + step) % OFFSETS];
    const int64_t oy = offsets[((uint64_t)(x / 2 + y) + step) % OFFSETS];
    const int64_t there = within(ox, 1) && within(oy, 1) ? ground(w, x + ox, y + oy) : DEFAULT;
    return (int)(10 * there + ground(w, x, y + 1));
}

static void expect_column(const world *w, const char *path, const char *name, size_t size, const void *first,
                          const char *options)
{
    dataset d = dataset_read(path, text("/agents/walker/%s", name));
    cr_assert_eq(d.size, size * (size_t)w->count, "%s of %zu bytes: %s", name, d.size, options);
    for (int i = 0; i < w->count; i++)
        cr_assert_eq(memcmp(d.bytes + (size_t)i * size, (const char *)first + (size_t)i * sizeof(walker), size), 0,
                     "%s of agent %llu at %s: %s", name, (unsigned long long)w->all[i].id, path, options);
    free(d.bytes);
}
#define EXPECT(NAME) expect_column(w, path, #NAME, sizeof w->all->NAME, &w->all->NAME, options)

static void expect_world(const world *w, const char *path, const int64_t *heard, uint64_t step, const char *options)
{
    EXPECT(id);
    EXPECT(place);
    EXPECT(lost);
    EXPECT(seen);
    EXPECT(crowd);
    EXPECT(born);
    EXPECT(weight);
    dataset h = dataset_read(path, "/places/grid/heard"), r = dataset_read(path, "/places/grid/read");
    for (int64_t i = 0; i < w->nx * w->ny; i++) {
        cr_assert_eq(memcmp(h.bytes + i * 8, heard + i, 8), 0, "heard at %lld, %s: %s", (long long)i, path, options);
        cr_assert_eq(r.bytes[i], read_at(w, i, step), "read at %lld, %s: %s", (long long)i, path, options);
    }
    free(h.bytes);
    free(r.bytes);
}

static void start(world *w, const char *path)
{
    dataset id = dataset_read(path, "/agents/walker/id"), place = dataset_read(path, "/agents/walker/place");
    w->count = (int)(id.size / 8);
    w->next_id = (uint64_t)w->count;
    for (int i = 0; i < w->count; i++) {
        memcpy(&w->all[i].id, id.bytes + i * 8, 8);
        memcpy(&w->all[i].place, place.bytes + i * 8, 8);
    }
    free(id.bytes);
    free(place.bytes);
}

void expect_strays(int nx, int ny, int births, const char *options)
{
    static world w;
    w = (world){.nx = nx, .ny = ny};
    int64_t *heard = calloc((size_t)(nx * ny), sizeof *heard);
    const char *folder = folder_make(), *before = folder_make();
    const char *run = text("--plugin '%s/stray.so' --size %dx%d --set births=%d --seed 1 %s", MASS_TEST_PLUGINS, nx, ny,
                           births, options);
    engine_write(text("%s --steps 0 --checkpoint '%s'", run, before));
    engine_write(text("%s --steps %d --checkpoint '%s' --checkpoint-every 1 --keep 0", run, STEPS, folder));
    start(&w, checkpoint_path(before, 0));
    for (uint64_t step = 1; step <= STEPS; step++) {
        look(&w, step);
        if (births) bear(&w, step);
        else move(&w);
        qsort(w.all, (size_t)w.count, sizeof *w.all, canonical);
        listen(&w, step, heard);
        expect_world(&w, checkpoint_path(folder, step), heard, step, options);
    }
    free(heard);
}
