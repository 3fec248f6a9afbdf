/* SPDX-License-Identifier: Apache-2.0 */
/* Stencils see their neighbours, against a few plain loops, in spaces and partitions of every shape. */
#include "../expect.h"
#include "run/stepper.h"
#include "snapshot/create.h"
#include "state/box.h"

#include "device/cpu/cpu.h"

#include <mass/kernel.h>

#include <stdlib.h>

enum { REACH = 3, SIDE_MAX = 12, BLEND_STEPS = 3 };

/* Weights that tell every offset from every other. */
static int64_t weight(int dx, int dy) { return 1 + (dx + REACH) + 17 * (dy + REACH); }

MASS_STENCIL(blend, 2, 3, READS(TYPED(old, int64_t, value)), WRITES(TYPED(next, int64_t, value)))
{
    int64_t sum = 0;
    for (int dy = -REACH; dy <= REACH; dy++)
        for (int dx = -REACH; dx <= REACH; dx++)
            sum += weight(dx, dy) * NEAR(old, dx, dy);
    OUT(next) = sum % 1000003;
}

typedef struct sheet {
    int64_t at[SIDE_MAX][SIDE_MAX];
} sheet;

static sheet blended(const sheet *old, const mass_space *s, int64_t initial)
{
    sheet next = {0};
    const mass_gidx nx = s->size[0], ny = s->size[1];
    for (mass_gidx y = 0; y < ny; y++)
        for (mass_gidx x = 0; x < nx; x++) {
            for (int dy = -REACH; dy <= REACH; dy++)
                for (int dx = -REACH; dx <= REACH; dx++) {
                    mass_gidx u = x + dx, v = y + dy;
                    if (s->torus & MASS_AXIS_X) u = (u % nx + nx) % nx;
                    if (s->torus & MASS_AXIS_Y) v = (v % ny + ny) % ny;
                    const bool inside = u >= 0 && u < nx && v >= 0 && v < ny;
                    next.at[y][x] += weight(dx, dy) * (inside ? old->at[v][u] : initial);
                }
            next.at[y][x] %= 1000003;
        }
    return next;
}

static void try_blend(const mass_space *space, int32_t partitions, int threads)
{
    static const int64_t initial = 5;
    const mass_gidx zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
    mass_model *m = calloc(1, sizeof *m);
    mass_device *device;
    mass_domain *d;
    mass_stepper *stepper;
    EXPECT_OK(mass_model_add_space(m, space, NULL, 0, e));
    EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.space = "s", .name = "value", .type = MASS_I64,
                                               .initial = &initial}, e));
    EXPECT_OK(mass_model_add_phase(m, &(mass_phase){.schedule = MASS_STEP, .callback = &blend}, e));
    EXPECT_OK(mass_model_resolve(m, e));
    EXPECT_OK(mass_cpu_open(&mass_cpu_table, threads, &device, e));
    EXPECT_OK(mass_domain_create(m, device, &(mass_domain_options){partitions, 2, 0, 1, NULL, NULL, 0}, &d, e));
    sheet value[2] = {0};
    for (int32_t w = 0; w < 2; w++)
        for (mass_gidx y = 0; y < space->size[1]; y++)
            for (mass_gidx x = 0; x < space->size[0]; x++) {
                value[w].at[y][x] = mass_random_block(3, (uint64_t)(100 * y + x), (uint64_t)w, 0, 0).v[0] % 1000;
                EXPECT_OK(mass_domain_write(d, 0, w, (const mass_gidx[3]){x, y, 0}, one, &value[w].at[y][x], e));
            }
    EXPECT_OK(mass_stepper_create(d, NULL, 0, &stepper, e));
    EXPECT_OK(mass_stepper_advance(stepper, BLEND_STEPS, NULL, e));
    for (int32_t w = 0; w < 2; w++) {
        int64_t shown[SIDE_MAX * SIDE_MAX];
        for (int k = 0; k < BLEND_STEPS; k++) value[w] = blended(&value[w], space, initial);
        EXPECT_OK(mass_domain_read(d, 0, w, zero, m->spaces[0].size, shown, e));
        for (mass_gidx y = 0; y < space->size[1]; y++)
            cr_assert_arr_eq(&shown[y * space->size[0]], value[w].at[y], (size_t)space->size[0] * sizeof *shown,
                             "row %d of %d x %d, torus %u, %d partitions", (int)y, (int)space->size[0],
                             (int)space->size[1], space->torus, partitions);
    }
    mass_stepper_free(stepper);
    mass_domain_free(d);
    mass_device_close(device);
    mass_model_free(m);
    free(m);
}

/* Extents from less than the reach to more than twice of it. */
Test(stepper, stencils_see_their_neighbours_at_every_edge)
{
    for (uint32_t torus = 0; torus < 4; torus++)
        for (mass_gidx nx = 1; nx <= SIDE_MAX; nx += 1 + nx / 4)
            for (mass_gidx ny = 1; ny <= SIDE_MAX; ny += 1 + ny / 4) {
                const mass_space space = {.name = "s", .dimensions_min = 2, .dimensions_max = 2, .torus = torus,
                                          .size = {nx, ny}};
                for (int32_t partitions = 1; partitions <= ny && partitions <= 7; partitions += 2)
                    try_blend(&space, partitions, 1 + (int)(nx % 2));
            }
}
