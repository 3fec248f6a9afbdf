/* SPDX-License-Identifier: Apache-2.0 */
/* A glance at a space shows what its whole picture shows, with places left out. */
#include "io/picture/picture.h"
#include "snapshot/create.h"
#include "state/box.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t palette_colours[] = {0x000000, 0xffffff};

typedef struct world {
    mass_model model;
    mass_device *device;
    mass_domain *domain;
    mass_palette palette;
} world;

static double field(mass_gidx x, mass_gidx y, mass_gidx z, const mass_gidx size[3])
{
    return (double)x / (double)size[0] / 2 + (double)y / (double)size[1] / 4 + (double)z / (double)size[2] / 4;
}

/* A space of a smooth field, the second of two components. */
static void make_world(world *w, mass_gidx nx, mass_gidx ny, mass_gidx nz)
{
    mass_error error = {0}, *e = &error;
    const mass_gidx size[3] = {nx, ny, nz};
    static const float initial[2];
    *w = (world){0};
    mass_model_add_space(&w->model, &(mass_space){.struct_size = sizeof(mass_space), .name = "s", .dimensions_min = 3,
                                                  .dimensions_max = 3, .size = {nx, ny, nz}}, NULL, 0, e);
    mass_model_add_attribute(&w->model, &(mass_attribute){.struct_size = sizeof(mass_attribute), .space = "s",
                                                          .name = "a", .type = MASS_F32, .length = 2,
                                                          .initial = initial}, e);
    mass_model_set_picture(&w->model, &(mass_picture){.struct_size = sizeof(mass_picture), .space = "s",
                                                      .attribute = "a", .component = 1, .low = 0, .high = 1,
                                                      .palette = palette_colours, .colours = 2}, e);
    mass_model_resolve(&w->model, e);
    mass_cpu_table.open(0, 2, &w->device, e);
    mass_domain_create(&w->model, w->device, &(mass_domain_options){.partitions = 1, .worlds = 1}, &w->domain, e);
    float *values = malloc((size_t)(nx * ny * nz) * 2 * sizeof *values), *at = values;
    for (mass_gidx z = 0; z < nz; z++)
        for (mass_gidx y = 0; y < ny; y++)
            for (mass_gidx x = 0; x < nx; x++, at += 2) at[1] = (float)field(x, y, z, size), at[0] = 7;
    mass_domain_write(w->domain, 0, 0, (const mass_gidx[3]){0}, size, values, e);
    free(values);
    mass_picture_palette(&w->model, &w->palette, e);
    cr_assert_eq(error.status, MASS_OK, "%s", error.text);
}

static void free_world(world *w)
{
    mass_domain_free(w->domain);
    mass_device_close(w->device);
    mass_model_free(&w->model);
}

static mass_raster glance(world *w, mass_gidx slice, int32_t columns, int32_t rows)
{
    mass_error error = {0};
    mass_raster r;
    cr_assert_eq(mass_picture_glance(w->domain, slice, columns, rows, &w->palette, &r, &error), MASS_OK, "%s",
                 error.text);
    cr_assert(r.width >= 1 && r.width <= columns && r.height >= 1 && r.height <= rows);
    return r;
}

Test(picture, a_glance_at_a_small_space_is_its_picture)
{
    world w;
    mass_error error = {0};
    mass_raster all;
    make_world(&w, 60, 41, 2);
    mass_raster r = glance(&w, -1, 60, 50);
    cr_assert_eq(mass_picture_draw(w.domain, -1, 60, &w.palette, &all, &error), MASS_OK);
    cr_assert(r.width == 60 && r.height == 41 && all.width == 60 && all.height == 41);
    cr_assert_eq(memcmp(r.index, all.index, 60 * 41), 0);
    mass_raster_free(&all);
    mass_raster_free(&r);
    free_world(&w);
}

/* Where a pixel lies in the space, the field is what it shows, but for the places of its block. */
static void expect_field(mass_gidx nx, mass_gidx ny, mass_gidx nz, mass_gidx slice, int32_t columns, int32_t rows)
{
    world w;
    make_world(&w, nx, ny, nz);
    const mass_gidx size[3] = {nx, ny, nz}, z = slice < 0 ? nz / 2 : slice;
    mass_raster r = glance(&w, slice, columns, rows);
    cr_expect(2 * r.width > columns || 2 * r.height > rows, "%d x %d of %d x %d", r.width, r.height, columns, rows);
    for (int32_t y = 0; y < r.height; y++)
        for (int32_t x = 0; x < r.width; x++) {
            const double found = r.index[y * r.width + x] / 255.0;
            const double wanted = field(nx * (2 * x + 1) / (2 * r.width), ny * (2 * y + 1) / (2 * r.height), z, size);
            cr_assert_float_eq(found, wanted, 0.5 / r.width + 0.25 / r.height + 0.01, "pixel %d, %d", x, y);
        }
    mass_raster_free(&r);
    free_world(&w);
}

Test(picture, a_glance_at_a_large_space_shows_all_of_it)
{
    expect_field(1000, 1000, 1, -1, 40, 30);
    expect_field(1999, 331, 1, -1, 79, 42);
    expect_field(200, 3001, 1, -1, 79, 42);
    expect_field(401, 399, 5, -1, 10, 10);
    expect_field(401, 399, 5, 4, 10, 10);
    expect_field(3000, 1, 1, -1, 50, 40);
}
