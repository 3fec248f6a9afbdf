/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes of blocks, against libxxhash's of bytes that are put together one by one. */
#include "cpu/kernels.h"
#include "teams.h"

#include <criterion/criterion.h>
#include <mass/random.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { PARTS = 3, ARRAYS = 3, GHOSTS = 3 };

/* Arrays of partitions with ghosts around them, of bytes like no other. */
typedef struct scene {
    mass_blocks blocks;
    mass_blocks_part parts[PARTS];
    const void *arrays[PARTS * ARRAYS];
    uint8_t *memory[PARTS * ARRAYS];
} scene;

/* Slabs along y of a space, unevenly cut. */
static scene make_scene(int64_t nx, const int64_t ny[PARTS], int64_t worlds, uint32_t size, int32_t arrays)
{
    scene s = {.blocks = {.part_count = PARTS, .array_count = arrays, .size = size, .worlds = worlds}};
    for (int32_t i = 0; i < PARTS; i++) {
        const int64_t pitch = nx + GHOSTS, plane = pitch * (ny[i] + 2), elements = plane * worlds + 8;
        s.parts[i] = (mass_blocks_part){s.blocks.elements, {nx, ny[i], 1}, pitch, plane, plane, 0};
        s.blocks.elements += nx * ny[i];
        for (int32_t k = 0; k < arrays; k++) {
            uint8_t *memory = aligned_alloc(64, ((size_t)elements * size + 63) / 64 * 64);
            for (int64_t b = 0; b < elements * size; b++)
                memory[b] = (uint8_t)mass_random_block(7, (uint64_t)b, (uint64_t)i, (uint32_t)k, 0).v[0];
            s.memory[i * arrays + k] = memory;
            s.arrays[i * arrays + k] = memory + 8 * size;
        }
    }
    return s;
}

/* Where s is now. */
static const mass_blocks *blocks_of(scene *s)
{
    s->blocks.parts = s->parts;
    s->blocks.arrays = s->arrays;
    return &s->blocks;
}

static void free_scene(scene *s)
{
    for (int i = 0; i < PARTS * s->blocks.array_count; i++) free(s->memory[i]);
}

/* Its canonical bytes, the caller's to free. */
static uint8_t *canonical(const scene *s)
{
    const mass_blocks *b = &s->blocks;
    uint8_t *out = malloc((size_t)mass_blocks_bytes(b) + 1), *at = out;
    for (int64_t w = 0; w < b->worlds; w++)
        for (int i = 0; i < PARTS; i++)
            for (int64_t y = 0; y < s->parts[i].extent[1]; y++)
                for (int64_t x = 0; x < s->parts[i].extent[0]; x++)
                    for (int32_t k = 0; k < b->array_count; k++, at += b->size)
                        memcpy(at, (const uint8_t *)s->arrays[i * b->array_count + k] +
                                   (w * s->parts[i].world_stride + y * s->parts[i].pitch + x) * b->size, b->size);
    return out;
}

static void expect_hashes(const mass_blocks *b, const uint8_t *bytes)
{
    const int64_t size = mass_blocks_bytes(b), count = (size + MASS_BLOCK_BYTES - 1) / MASS_BLOCK_BYTES;
    uint64_t *one = calloc((size_t)count + 1, sizeof *one), *two = calloc((size_t)count + 1, sizeof *two);
    mass_cpu_hash_blocks(b, 0, count, one, NULL);
    mass_cpu_hash_blocks(b, 0, count, two, team_of(2));
    for (int64_t i = 0; i < count; i++) {
        const int64_t left = size - i * MASS_BLOCK_BYTES;
        const size_t some = (size_t)(left < MASS_BLOCK_BYTES ? left : MASS_BLOCK_BYTES);
        cr_assert_eq(one[i], XXH64(bytes + i * MASS_BLOCK_BYTES, some, 0), "block %lld of %lld bytes", (long long)i,
                     (long long)size);
        cr_assert_eq(two[i], one[i]);
    }
    free(one);
    free(two);
}

Test(blocks, are_hashed_over_ghosts_planes_worlds_and_cuts)
{
    static const int64_t widths[] = {1, 3, 8, 37, 512, 4099}, heights[][PARTS] = {{1, 1, 1}, {5, 2, 11}};
    static const uint32_t sizes[] = {1, 2, 4, 8, 5, 12, 16};
    for (size_t x = 0; x < 6; x++)
        for (size_t y = 0; y < 2; y++)
            for (size_t k = 0; k < 7; k++)
                for (int32_t arrays = 1; arrays <= ARRAYS; arrays += 2) {
                    scene s = make_scene(widths[x], heights[y], 2, sizes[k], arrays);
                    uint8_t *bytes = canonical(&s);
                    expect_hashes(blocks_of(&s), bytes);
                    free(bytes);
                    free_scene(&s);
                }
}

/* All that the end of a block can be. */
Test(blocks, of_any_length_are_hashed)
{
    for (int64_t length = 1; length <= 100; length++) {
        scene s = make_scene(length, (const int64_t[PARTS]){1, 1, 1}, 1, 1, 1);
        uint8_t *bytes = canonical(&s);
        expect_hashes(blocks_of(&s), bytes);
        free(bytes);
        free_scene(&s);
    }
}

Test(blocks, of_worlds_and_places_are_read_off_cells)
{
    enum { COUNT = 3001, PLACES = 70000 };
    static uint32_t cell[COUNT];
    static int32_t world[COUNT];
    static int64_t place[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        cell[i] = i * 1400000u;
        world[i] = (int32_t)(cell[i] / PLACES);
        place[i] = cell[i] % PLACES;
    }
    const mass_blocks_part part = {.extent = {COUNT, 1, 1}};
    const void *const array = cell;
    mass_blocks b = {.parts = &part, .arrays = &array, .part_count = 1, .array_count = 1, .size = 4,
                     .derived = MASS_BLOCKS_WORLDS, .elements = COUNT, .worlds = 1, .cells = PLACES};
    expect_hashes(&b, (const uint8_t *)world);
    b.derived = MASS_BLOCKS_PLACES;
    b.size = 8;
    expect_hashes(&b, (const uint8_t *)place);
}
