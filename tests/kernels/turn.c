/* SPDX-License-Identifier: Apache-2.0 */
/* The order of a phase in turn against qsort, and copies of places against plain loops. */
#include "cpu/kernels.h"
#include "bits.h"

#include <criterion/criterion.h>
#include <mass/random.h>
#include <stdlib.h>
#include <string.h>

/* ---- the order ---- */

typedef struct moment {
    uint64_t key, id;
    uint32_t agent;
} moment;

static int compare(const void *x, const void *y)
{
    const moment *a = x, *b = y;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

enum { WORLDS = 3, PLACES = 10, STEP = 7, PHASE = 2 };

/* Orders `count` agents, of which world 1 has most and world 2 is closed. twins: each id is there twice in a world. */
static void expect_ordered(uint32_t count, bool twins)
{
    const uint64_t keys[WORLDS] = {mass_random_key(5, 0), mass_random_key(5, 1), mass_random_key(5, 2)};
    const uint32_t begins[WORLDS + 1] = {0, count / 8, count - count / 16, count}, gates[WORLDS] = {0, 0, 1};
    uint32_t start[WORLDS * PLACES + 1] = {0};
    uint64_t *id = malloc((count + 1) * sizeof *id);
    moment *plain = malloc((count + 1) * sizeof *plain);
    char *memory = malloc(mass_cpu_turn_order_bytes(count) + 1);
    mass_turn turn = {0};
    cr_assert(id && plain && memory);
    for (int w = 0; w <= WORLDS; w++) start[w * PLACES] = begins[w];
    for (uint32_t i = 0; i < count; i++) id[i] = (twins ? i / 2 : i) * UINT64_C(0x9e3779b97f4a7c15);
    const mass_turn_order_work work = {.turn = &turn, .id = id, .start = start, .count = count, .places = PLACES,
        .worlds = WORLDS, .gates = gates, .random_keys = keys, .step = STEP, .phase = PHASE, .memory = memory};
    mass_cpu_turn_order(&work);
    for (int w = 0; w < WORLDS - 1; w++) {
        const uint32_t first = begins[w], end = begins[w + 1];
        for (uint32_t i = first; i < end; i++) {
            const mass_random4 r = mass_random_block(keys[w], id[i], STEP, PHASE, MASS_LOTTERY_DRAW);
            plain[i] = (moment){(uint64_t)r.v[0] << 32 | r.v[1], id[i], i};
        }
        qsort(plain + first, end - first, sizeof *plain, compare);
        for (uint32_t i = first; i < end; i++)
            if (twins) cr_assert_eq(id[turn.order[i]], plain[i].id, "%u of %u", i, count);
            else cr_assert_eq(turn.order[i], plain[i].agent, "%u of %u", i, count);
    }
    free(id);
    free(plain);
    free(memory);
}

Test(turn_order, is_by_key_and_id)
{
    static const uint32_t counts[] = {0, 1, 2, 16, 40, 500, 2600, 5000, 300000}; /* so many share upper bits */
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        expect_ordered(counts[i], false);
        expect_ordered(counts[i], true);
    }
}

/* ---- copies of places ---- */

/* A space of 2 worlds, cut along y in two partitions with a ghost on every side. Bits begin at whole words. */
enum { X = 13, Y = 6, CUT = 4, Z = 2, GHOST = 1, PITCH = 128, SIDES = 2 };

/* Copies both partitions to the copy and, changed, back; and compares each place. size: 0 for bits. */
static void expect_copied(size_t size)
{
    const size_t unit = size ? size : 1, places = (size_t)WORLDS * X * Y * Z;
    const int64_t plane = PITCH * (Y + 2 * GHOST), stride = plane * (Z + 2 * GHOST);
    const size_t elements = (size_t)stride * WORLDS, bytes = size ? elements * size : elements / 8;
    const int64_t origin = size ? plane + PITCH + GHOST : plane + PITCH + 64;
    unsigned char *const array[SIDES] = {malloc(bytes), malloc(bytes)}, *const copy = malloc(places * unit);
    unsigned char *const before = malloc(bytes);
    cr_assert(array[0] && array[1] && copy && before);
    for (int side = 0; side < SIDES; side++)
        for (size_t b = 0; b < bytes; b++) array[side][b] = (unsigned char)(b * 37 + b / 251 + (size_t)side);
    for (int back = 0; back < 2; back++)
        for (int side = 0; side < SIDES; side++) {
            const int64_t height = side ? Y - CUT : CUT;
            char *const place = (char *)array[side] + (size ? origin * (int64_t)size : origin / 8);
            const mass_turn_places_work w = {.place = place,
                .copy = (char *)copy, .size = size, .worlds = WORLDS, .world_stride = stride, .plane = plane,
                .pitch = PITCH, .origin = {0, side ? CUT : 0, 0}, .extent = {X, height, Z}, .space = {X, Y, Z}};
            memcpy(before, array[side], bytes);
            mass_cpu_turn_copy_places(&w, back != 0);
            for (size_t p = 0; p < places; p++) {
                const int64_t x = (int64_t)p % X, y = (int64_t)p / X % Y, z = (int64_t)p / (X * Y) % Z;
                const int64_t world = (int64_t)p / (X * Y * Z), row = y - (side ? CUT : 0);
                const int64_t at = origin + world * stride + z * plane + row * PITCH;
                if ((y >= CUT) != (side == 1)) continue;
                if (size) cr_assert_eq(memcmp(copy + p * size, array[side] + (size_t)(at + x) * size, size), 0);
                else cr_assert_eq(copy[p], array[side][(at + x) / 8] >> ((at + x) % 8) & 1);
                if (size) memcpy(before + (size_t)(at + x) * size, copy + p * size, size);
                else before[(at + x) / 8] = (unsigned char)((before[(at + x) / 8] & ~(1u << (at + x) % 8)) |
                                                           (unsigned)copy[p] << (at + x) % 8);
            }
            cr_assert_eq(memcmp(before, array[side], bytes), 0, "%zu: only these places change", size);
            for (size_t b = 0; back == 0 && side == 1 && b < places * unit; b++)
                copy[b] = (unsigned char)(size ? copy[b] ^ 0x5a : !copy[b]);
        }
    free(array[0]);
    free(array[1]);
    free(copy);
    free(before);
}

Test(turn_places, come_and_go_with_their_partitions)
{
    static const size_t sizes[] = {0, 1, 2, 4, 8, 12};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) expect_copied(sizes[i]);
}
