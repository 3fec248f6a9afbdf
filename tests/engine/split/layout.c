/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts: rows lie apart and start where vector loads want them. */
#include "split/layout.h"
#include "split/share.h"

#include <mass/random.h>

#include <criterion/criterion.h>
#include <stdlib.h>

static uint32_t draw(uint64_t n, uint32_t which, uint32_t below)
{
    return mass_random_block(7, n, 0, 0, which).v[0] % below;
}

/* A model of one space, with arrays of the given sizes, as a resolved model has them. */
typedef struct scene {
    mass_model *model;
    mass_array_def arrays[4];
} scene;

static scene make_scene(uint32_t dimensions, const mass_gidx size[3], int32_t ghost, const size_t *sizes,
                        uint32_t count)
{
    scene s = {.model = calloc(1, sizeof *s.model)};
    mass_space_def *space = &s.model->spaces[0];
    *space = (mass_space_def){.dimensions = dimensions, .size = {1, 1, 1}, .array_count = count};
    for (uint32_t a = 0; a < dimensions; a++) {
        space->size[a] = size[a];
        space->ghost[a] = ghost;
    }
    for (uint32_t i = 0; i < count; i++) s.arrays[i].element_size = sizes[i];
    s.model->space_count = 1;
    s.model->array_count = count;
    return s;
}

static mass_layout layout_of(scene *s, int32_t index, int32_t count, int32_t worlds)
{
    const mass_share share = mass_share_make(mass_comm_self(), worlds, count, NULL);
    const mass_gidx first = mass_share_row(&share, s->model->spaces, index);
    const mass_gidx end = mass_share_row(&share, s->model->spaces, index + 1);
    mass_layout l;
    s->model->arrays = s->arrays;
    cr_assert(mass_layout_make(s->model, 0, first, end - first, worlds, &l));
    return l;
}

/* ---- partitions ---- */

Test(layout, the_slowest_axis_is_cut_and_no_other)
{
    for (uint32_t dimensions = 1; dimensions <= 3; dimensions++) {
        const size_t byte = 1;
        scene s = make_scene(dimensions, (const mass_gidx[3]){11, 12, 13}, 2, &byte, 1);
        mass_gidx next = 0;
        for (int32_t i = 0; i < 5; i++) {
            const mass_layout l = layout_of(&s, i, 5, 1);
            for (uint32_t a = 0; a < 3; a++) {
                const bool slab = a == dimensions - 1;
                cr_assert_eq(l.origin[a], slab ? next : 0);
                cr_assert(slab || l.extent[a] == s.model->spaces[0].size[a]);
                cr_assert_eq(l.ghost[a], a < dimensions ? 2 : 0);
            }
            next += l.extent[dimensions - 1];
        }
        cr_assert_eq(next, s.model->spaces[0].size[dimensions - 1]);
        free(s.model);
    }
}

/* ---- memory ---- */

/* Elements that a place of a world, or a ghost, lies at. */
static int64_t at(const mass_layout *l, int64_t x, int64_t y, int64_t z, int64_t world)
{
    return l->first + world * l->world_stride + z * l->plane + y * l->pitch + x;
}

/* Random shapes of every kind of element. */
static mass_layout random_layout(uint64_t n, int32_t *worlds, size_t *smallest, size_t *largest)
{
    static const size_t element_sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 40, 64, 100, 4096};
    const uint32_t dimensions = 1 + draw(n, 0, 3), count = 1 + draw(n, 1, 4);
    const mass_gidx size[3] = {1 + draw(n, 2, 300), 1 + draw(n, 3, 20), 1 + draw(n, 4, 9)};
    size_t sizes[4];
    *smallest = SIZE_MAX;
    *largest = 0;
    for (uint32_t i = 0; i < count; i++) {
        sizes[i] = element_sizes[draw(n, 5 + i, sizeof element_sizes / sizeof *element_sizes)];
        if (sizes[i] < *smallest) *smallest = sizes[i];
        if (sizes[i] > *largest) *largest = sizes[i];
    }
    *worlds = 1 + (int32_t)draw(n, 9, 4);
    scene s = make_scene(dimensions, size, (int32_t)draw(n, 10, 20), sizes, count);
    const int32_t partitions = 1 + (int32_t)draw(n, 11, (uint32_t)size[dimensions - 1]);
    const mass_layout l = layout_of(&s, (int32_t)draw(n, 12, (uint32_t)partitions), partitions, *worlds);
    free(s.model);
    return l;
}

Test(layout, rows_with_their_ghosts_lie_apart_and_inside)
{
    for (uint64_t n = 0; n < 5000; n++) {
        int32_t worlds;
        size_t smallest, largest;
        const mass_layout l = random_layout(n, &worlds, &smallest, &largest);
        cr_assert_geq(at(&l, -l.ghost[0], -l.ghost[1], -l.ghost[2], 0), 0);
        cr_assert_geq(l.pitch, l.extent[0] + 2 * l.ghost[0]);
        cr_assert_geq(l.plane, l.pitch * (l.extent[1] + 2 * l.ghost[1]));
        cr_assert_geq(l.world_stride, l.plane * (l.extent[2] + 2 * l.ghost[2]));
        const int64_t last = at(&l, l.extent[0] + l.ghost[0] - 1, l.extent[1] + l.ghost[1] - 1,
                                l.extent[2] + l.ghost[2] - 1, worlds - 1);
        cr_assert_lt(last, l.elements);
    }
}

Test(layout, rows_start_where_four_or_eight_places_load_at_once)
{
    for (uint64_t n = 0; n < 5000; n++) {
        int32_t worlds;
        size_t smallest, largest;
        const mass_layout l = random_layout(n, &worlds, &smallest, &largest);
        for (int64_t y = -l.ghost[1]; y < l.extent[1] + l.ghost[1]; y++)
            cr_assert_eq(at(&l, 0, y, l.extent[2] - 1, worlds - 1) % 8, 0,
                         "elements of %zu to %zu bytes, pitch %lld", smallest, largest, (long long)l.pitch);
    }
}

Test(layout, rows_of_the_smallest_numbers_start_lines_of_memory)
{
    for (uint64_t n = 0; n < 5000; n++) {
        int32_t worlds;
        size_t smallest, largest;
        const mass_layout l = random_layout(n, &worlds, &smallest, &largest);
        if (smallest > 8 || (smallest & (smallest - 1))) continue;
        cr_assert_eq((size_t)at(&l, 0, 0, 0, worlds - 1) * smallest % 64, 0);
        cr_assert_eq((size_t)l.pitch * smallest % 64, 0);
    }
}

Test(layout, what_cannot_be_addressed_is_refused_and_nothing_written)
{
    const size_t byte = 1;
    scene s = make_scene(3, (const mass_gidx[3]){1 << 20, 1 << 20, 1 << 20}, 0, &byte, 1);
    s.model->arrays = s.arrays;
    mass_layout l = {.pitch = 77};
    cr_assert_not(mass_layout_make(s.model, 0, 0, 1 << 20, 1, &l));
    cr_assert_eq(l.pitch, 77);
    s.model->spaces[0].size[2] = 1 << 8;
    cr_assert(mass_layout_make(s.model, 0, 0, 1 << 8, 4, &l));
    cr_assert_not(mass_layout_make(s.model, 0, 0, 1 << 8, INT32_MAX / 2, &l));
    free(s.model);
}

/* ---- bits ---- */

Test(layout, rows_of_bits_begin_lines_and_have_a_word_on_either_side)
{
    for (uint64_t n = 0; n < 2000; n++) {
        const size_t sizes[2] = {1, (size_t)1 << draw(n, 0, 4)};
        const mass_gidx size[3] = {1 + draw(n, 1, 3000), 1 + draw(n, 2, 9), 1 + draw(n, 3, 4)};
        const int32_t ghost = (int32_t)draw(n, 4, n % 5 == 0 ? 600 : 4);
        scene s = make_scene(1 + draw(n, 5, 3), size, ghost, sizes, 2);
        s.arrays[0].bits = true;
        const mass_layout l = layout_of(&s, 0, 1, 1 + (int32_t)draw(n, 6, 3));
        const int64_t strides[] = {l.pitch, l.plane, l.world_stride, l.first, l.elements};
        for (int i = 0; i < 5; i++) cr_assert_eq(strides[i] % 512, 0);
        const int64_t behind = (l.extent[0] + ghost + 63) / 64 * 64, before = l.pitch - (ghost + 63) / 64 * 64;
        cr_assert_geq(before - behind, 64);
        cr_assert_geq(l.first - l.ghost[2] * l.plane - l.ghost[1] * l.pitch, ghost + 64);
        free(s.model);
    }
}
