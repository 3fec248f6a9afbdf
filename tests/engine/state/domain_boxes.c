/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes in global coordinates are read and written as in a plain array. */
#include "../expect.h"
#include "typed_model.h"
#include "process/sanitized.h"
#include "snapshot/create.h"
#include "state/box.h"

#include <mass/random.h>

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static uint32_t draw(uint64_t n, uint32_t which, uint32_t below)
{
    return mass_random_block(13, n, 0, 0, which).v[0] % below;
}

/* One attribute as a plain array: [worlds][nz][ny][nx] elements. */
typedef struct plain {
    const mass_space_def *space;
    size_t element;
    uint8_t *bytes;
} plain;

static uint8_t *plain_at(const plain *p, int32_t world, mass_gidx x, mass_gidx y, mass_gidx z)
{
    const mass_gidx *n = p->space->size;
    return p->bytes + (size_t)(((world * n[2] + z) * n[1] + y) * n[0] + x) * p->element;
}

/* Row by row between a box and the plain array. */
static void plain_box(const plain *p, int32_t world, const mass_gidx o[3], const mass_gidx n[3], uint8_t *box,
                      bool write)
{
    const size_t row = (size_t)n[0] * p->element;
    for (mass_gidx z = 0; z < n[2]; z++)
        for (mass_gidx y = 0; y < n[1]; y++, box += row) {
            uint8_t *there = plain_at(p, world, o[0], o[1] + y, o[2] + z);
            if (write) memcpy(there, box, row);
            else memcpy(box, there, row);
        }
}

static void random_box(uint64_t n, const mass_space_def *s, mass_gidx origin[3], mass_gidx extent[3])
{
    for (uint32_t a = 0; a < 3; a++) {
        origin[a] = draw(n, 2 * a, (uint32_t)s->size[a]);
        extent[a] = 1 + draw(n, 2 * a + 1, (uint32_t)(s->size[a] - origin[a]));
    }
}

static void try_attribute(mass_domain *d, uint32_t attribute, uint64_t seed)
{
    const mass_attribute_def *a = &d->model->attributes[attribute];
    const mass_space_def *s = &d->model->spaces[a->space];
    plain p = {s, mass_element_size(a), NULL};
    const size_t places = (size_t)mass_space_places(s), bytes = places * p.element;
    p.bytes = malloc(bytes * (size_t)d->worlds);
    uint8_t *box = malloc(bytes + 1), *expected = malloc(bytes);
    for (size_t i = 0; i < bytes * (size_t)d->worlds; i++) p.bytes[i] = a->initial[i % a->component_size];
    for (uint64_t k = 0; k < 12; k++) {
        mass_gidx o[3], n[3];
        random_box(100 * seed + k, s, o, n);
        const int32_t world = (int32_t)draw(100 * seed + k, 6, (uint32_t)d->worlds);
        const size_t used = (size_t)(n[0] * n[1] * n[2]) * p.element;
        if (k % 2 == 0) {
            scramble(box, used, 1000 * seed + k);
            for (size_t i = 0; a->type == MASS_BIT && i < used; i++) box[i] &= 1;
            plain_box(&p, world, o, n, box, true);
            EXPECT_OK(mass_domain_write(d, attribute, world, o, n, box, e));
        } else {
            memset(box, 0x5a, bytes + 1);
            plain_box(&p, world, o, n, expected, false);
            EXPECT_OK(mass_domain_read(d, attribute, world, o, n, box, e));
            cr_assert_eq(memcmp(box, expected, used), 0, "%s", a->name);
            cr_assert_eq(box[used], 0x5a, "%s", a->name);
        }
    }
    for (int32_t w = 0; w < d->worlds; w++) {
        EXPECT_OK(mass_domain_read(d, attribute, w, zero, s->size, box, e));
        cr_assert_eq(memcmp(box, plain_at(&p, w, 0, 0, 0), bytes), 0, "%s, world %d", a->name, w);
    }
    free(expected);
    free(box);
    free(p.bytes);
}

static void try_boxes(uint32_t dimensions, uint64_t seed)
{
    mass_gidx size[3] = {1, 1, 1};
    for (uint32_t a = 0; a < dimensions; a++) size[a] = 1 + draw(seed, a, dimensions == 3 ? 9 : 25);
    const mass_gidx rows = size[dimensions - 1] < 9 ? size[dimensions - 1] : 9; /* the other space has 9 */
    mass_model *m = make_model(dimensions, size);
    mass_device *device = open_device(&mass_cpu_table);
    mass_domain *d = make_domain(m, device, 1 + (int32_t)draw(seed, 4, (uint32_t)rows), 1 + (int32_t)draw(seed, 5, 3));
    for (uint32_t i = 0; i < m->attribute_count; i++) try_attribute(d, i, 100 * seed + i);
    mass_domain_free(d);
    mass_device_close(device);
    free_model(m);
}

Test(domain, boxes_of_every_type_are_read_and_written_as_in_a_plain_array)
{
    for (uint64_t seed = 0; seed < 12; seed++) try_boxes(1 + (uint32_t)seed % 3, seed);
}

/* Of 16 MB a component. */
static void try_large(uint32_t dimensions, const mass_gidx size[3])
{
    const size_t bytes = 2 * 8 * (size_t)(size[0] * size[1] * size[2]);
    mass_model m = {.plugin = "large"};
    EXPECT_OK(mass_model_add_space(&m, &(mass_space){.name = "s", .dimensions_min = dimensions, .dimensions_max =
        dimensions, .size = {size[0], size[1], dimensions > 2 ? size[2] : 0}}, NULL, 0, e));
    EXPECT_OK(mass_model_add_attribute(&m, &(mass_attribute){.space = "s", .name = "a", .type = MASS_F64, .length = 2,
                                                             .layout = MASS_PLANES}, e));
    EXPECT_OK(mass_model_resolve(&m, e));
    mass_device *device = open_device(&mass_cpu_table);
    mass_domain *d = make_domain(&m, device, 1, 1);
    uint8_t *box = malloc(bytes), *again = malloc(bytes);
    struct rusage before, after;
    scramble(box, bytes, 7);
    memset(again, 0, bytes);
    getrusage(RUSAGE_SELF, &before);
    EXPECT_OK(mass_domain_write(d, 0, 0, zero, size, box, e));
    EXPECT_OK(mass_domain_read(d, 0, 0, zero, size, again, e));
    getrusage(RUSAGE_SELF, &after);
    cr_assert_eq(memcmp(box, again, bytes), 0);
#if !MASS_SANITIZED /* which keeps what was freed */
    cr_assert_lt(after.ru_maxrss - before.ru_maxrss, 8 << 10, "%ld KiB", after.ru_maxrss - before.ru_maxrss);
#endif
    free(again);
    free(box);
    mass_domain_free(d);
    mass_device_close(device);
    mass_model_free(&m);
}

Test(domain, large_boxes_take_little_memory_besides)
{
    try_large(2, (const mass_gidx[3]){1000, 2000, 1});
    try_large(3, (const mass_gidx[3]){100, 30, 667});
}

Test(domain, an_empty_box_moves_nothing)
{
    mass_model *m = make_model(2, (const mass_gidx[3]){5, 4, 1});
    mass_device *device = open_device(&mass_cpu_table);
    mass_domain *d = make_domain(m, device, 2, 1);
    uint8_t byte = 0x5a;
    EXPECT_OK(mass_domain_read(d, 0, 0, zero, (const mass_gidx[3]){5, 0, 1}, &byte, e));
    EXPECT_OK(mass_domain_read(d, 0, 0, (const mass_gidx[3]){5, 4, 1}, zero, &byte, e));
    cr_assert_eq(byte, 0x5a);
    mass_domain_free(d);
    mass_device_close(device);
    free_model(m);
}

Test(domain, boxes_that_reach_outside_are_refused)
{
    static const struct { mass_gidx origin[3], extent[3]; } bad[] = {
        {{-1, 0, 0}, {1, 1, 1}}, {{0, -1, 0}, {1, 1, 1}}, {{0, 0, -1}, {1, 1, 1}}, {{0, 0, 1}, {1, 1, 1}},
        {{0, 0, 0}, {6, 1, 1}}, {{1, 0, 0}, {5, 1, 1}}, {{0, 4, 0}, {1, 1, 1}}, {{0, 0, 0}, {1, 1, 2}},
        {{0, 0, 0}, {-1, 1, 1}}, {{INT64_MAX, 0, 0}, {1, 1, 1}}, {{1, 0, 0}, {INT64_MAX, 1, 1}},
        {{INT64_MIN, 0, 0}, {1, 1, 1}}, {{0, 0, 0}, {1, INT64_MIN, 1}}};
    mass_model *m = make_model(2, (const mass_gidx[3]){5, 4, 1});
    mass_device *device = open_device(&mass_cpu_table);
    mass_domain *d = make_domain(m, device, 2, 2);
    uint8_t data[512] = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        EXPECT_REFUSAL(mass_domain_read(d, 0, 0, bad[i].origin, bad[i].extent, data, e), MASS_BAD_PLUGIN,
                       "a box of attribute i8_planes reaches outside its space");
        EXPECT_REFUSAL(mass_domain_write(d, 0, 0, bad[i].origin, bad[i].extent, data, e), MASS_BAD_PLUGIN,
                       "a box of attribute i8_planes reaches outside its space");
    }
    EXPECT_REFUSAL(mass_domain_read(d, 0, 2, zero, m->spaces[0].size, data, e), MASS_BAD_PLUGIN, "there is no world 2");
    EXPECT_REFUSAL(mass_domain_write(d, 0, -1, zero, m->spaces[0].size, data, e), MASS_BAD_PLUGIN,
                   "there is no world -1");
    mass_domain_free(d);
    mass_device_close(device);
    free_model(m);
}
