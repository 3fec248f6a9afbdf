/* SPDX-License-Identifier: Apache-2.0 */
/* A glance at a space shows what its whole picture shows, with places left out. Agents are where they are, and point to
 * where they head. */
#include "io/picture/picture.h"
#include "population/population.h"
#include "snapshot/create.h"
#include "state/box.h"

#include <criterion/criterion.h>
#include <math.h>
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

/* ---- agents with positions ---- */

enum { NX = 30, NY = 20, NZ = 3, LAYER = 1 };
static const double cell = 2;

/* An agent at (x, y) in a layer, with a direction as its population has it. */
typedef struct agent {
    double x, y;
    int layer;
    double first, second;
} agent;

/* What a population has: its name, the attribute of its directions, and if this is declared. */
typedef struct flock {
    const char *name, *attribute, *unit, *heading;
    uint32_t length;
    agent agents[4];
    uint32_t count;
} flock;

/* In the order of their places. Of vectors, the longest in the layer is 4 long. */
static const flock flocks[] = {
    {"birds", "way", NULL, "way", 2,
     {{33, 7, 0, 90, 0}, {3.5, 5, 1, 2, 0}, {59.9, 8, 1, -2.4, 3.2}, {41, 29, 1, (double)INFINITY, 1}}, 4},
    {"fish", "turn", "degrees", NULL, 1, {{12, 1, 1, 135, 0}, {20, 3.9, 1, (double)NAN, 0}, {1, 30, 2, 9, 0}}, 3},
    {"worms", "turn", "rad", "turn", 1, {{17, 21, 1, -2, 0}, {9, 37, 1, 1e6, 0}}, 2},
    {"stones", "weight", NULL, NULL, 1, {{28, 14, 1, 1, 0}}, 1}};
enum { FLOCKS = sizeof flocks / sizeof *flocks };

static void declare_flock(mass_model *m, const flock *f, mass_error *e)
{
    const mass_drawn drawn = {.colours = 1, .palette = palette_colours, .heading = f->heading};
    mass_model_add_population(m, &(mass_population){.struct_size = sizeof(mass_population), .name = f->name,
                                                    .space = "s", .initial = MASS_BY_LOAD, .drawn = &drawn}, e);
    mass_model_add_attribute(m, &(mass_attribute){.struct_size = sizeof(mass_attribute), .population = f->name,
                                                  .name = "position", .type = MASS_F64, .length = 3,
                                                  .layout = MASS_INTERLEAVED, .position = 1}, e);
    mass_model_add_attribute(m, &(mass_attribute){.struct_size = sizeof(mass_attribute), .population = f->name,
                                                  .name = f->attribute, .type = MASS_F32, .length = f->length,
                                                  .unit = f->unit}, e);
    cr_assert_eq(e->status, MASS_OK, "%s", e->text);
}

/* Puts the agents of a population where they are. */
static void place_flock(world *w, uint32_t population, mass_error *e)
{
    const flock *const f = &flocks[population];
    uint64_t id[4];
    uint32_t place[4];
    double position[4][3];
    float direction[8];
    void **values = calloc(w->model.attribute_count, sizeof *values);
    for (uint32_t i = 0; i < f->count; i++) {
        const agent *const a = &f->agents[i];
        const double at[3] = {a->x, a->y, (a->layer + 0.5) * cell};
        id[i] = i;
        place[i] = (uint32_t)((a->layer * NY + (int)(a->y / cell)) * NX + (int)(a->x / cell));
        memcpy(position[i], at, sizeof at);
        direction[i * f->length] = (float)a->first;
        if (f->length > 1) direction[i * f->length + 1] = (float)a->second;
    }
    values[w->model.populations[population].first_attribute + MASS_AGENT_ID] = id;
    values[w->model.populations[population].position] = position;
    values[w->model.populations[population].position + 1] = direction;
    mass_population_set(w->domain, population, f->count, id, place, values, e);
    cr_assert_eq(e->status, MASS_OK, "%s", e->text);
    free(values);
}

/* A space that is joined along x, with the flocks. */
static void make_flocks(world *w)
{
    mass_error error = {0}, *e = &error;
    *w = (world){0};
    mass_model_add_space(&w->model, &(mass_space){.struct_size = sizeof(mass_space), .name = "s", .dimensions_min = 3,
                                                  .dimensions_max = 3, .size = {NX, NY, NZ}, .torus = 1, .cell = cell},
                         NULL, 0, e);
    mass_model_add_attribute(&w->model, &(mass_attribute){.struct_size = sizeof(mass_attribute), .space = "s",
                                                          .name = "air", .type = MASS_U8}, e);
    for (int i = 0; i < FLOCKS; i++) declare_flock(&w->model, &flocks[i], e);
    mass_model_set_picture(&w->model, &(mass_picture){.struct_size = sizeof(mass_picture), .space = "s",
                                                      .attribute = "air", .low = 0, .high = 1,
                                                      .palette = palette_colours, .colours = 2}, e);
    mass_model_resolve(&w->model, e);
    mass_cpu_table.open(0, 2, &w->device, e);
    mass_domain_create(&w->model, w->device, &(mass_domain_options){.partitions = 1, .worlds = 1}, &w->domain, e);
    mass_picture_palette(&w->model, &w->palette, e);
    cr_assert_eq(error.status, MASS_OK, "%s", error.text);
    for (uint32_t i = 0; i < FLOCKS; i++) place_flock(w, i, e);
}

/* Draws the flocks, given the direction of each agent. */
static mass_raster draw_flocks(const mass_palette *palette, const double (*directions)[4][2])
{
    const double row[NX * NY] = {0};
    mass_error error = {0};
    mass_drawing *drawing;
    mass_raster r;
    cr_assert_eq(mass_raster_begin(&drawing, NX, NY, 2048, palette, &error), MASS_OK);
    mass_raster_rows(drawing, NY, row);
    for (int f = 0; f < FLOCKS; f++)
        for (uint32_t i = 0; i < flocks[f].count; i++) {
            const agent *const a = &flocks[f].agents[i];
            const uint8_t colour = (uint8_t)(palette->last + 1 + f);
            if (a->layer == LAYER)
                mass_raster_arrow(drawing, a->x / cell, a->y / cell, directions[f][i][0], directions[f][i][1], 1,
                                  colour);
        }
    mass_raster_end(drawing, &r);
    return r;
}

/* Headings are vectors, whose longest in the layer counts as 1, or angles; what is no number is none. */
Test(picture, agents_with_headings_are_arrows)
{
    static double directions[FLOCKS][4][2] = {{{0, 0}, {0.5, 0}, {-0.6, 0.8}}, {{-0.70710678, 0.70710678}}};
    const double turns[] = {-2, 1e6};
    world w;
    mass_error error = {0};
    mass_raster r;
    for (int i = 0; i < 2; i++) directions[2][i][0] = cos(turns[i]), directions[2][i][1] = sin(turns[i]);
    make_flocks(&w);
    cr_assert_eq(mass_picture_draw(w.domain, LAYER, 2048, &w.palette, &r, &error), MASS_OK, "%s", error.text);
    mass_raster expected = draw_flocks(&w.palette, directions);
    cr_assert(r.width == expected.width && r.height == expected.height);
    cr_assert_eq(memcmp(r.index, expected.index, (size_t)r.width * (size_t)r.height), 0);
    mass_raster_free(&expected);
    mass_raster_free(&r);
    free_world(&w);
}
