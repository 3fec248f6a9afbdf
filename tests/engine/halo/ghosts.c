/* SPDX-License-Identifier: Apache-2.0 */
/* Ghosts of random spaces, partitions and elements. After a refresh every place and every ghost has the value that a
 * plain modulo gives. Beyond a bounded edge a ghost has the attribute's default. */
#include "halo/ghosts.h"
#include "snapshot/create.h"
#include "state/box.h"

#include <mass/random.h>

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { ATTRIBUTES = 5, RADIUS_MAX = 5 };

static uint32_t draw(uint64_t n, uint32_t which, uint32_t below)
{
    return mass_random_block(11, n, 0, 0, which).v[0] % below;
}

static void scramble(void *memory, size_t bytes, uint64_t seed)
{
    for (size_t i = 0; i < bytes; i++) ((uint8_t *)memory)[i] = (uint8_t)mass_random_block(seed, i, 1, 0, 0).v[0];
}

/* ---- a model with every kind of element ---- */

static const mass_member rgb[] = {{"r", MASS_U8, 0}, {"g", MASS_U8, 1}, {"b", MASS_U8, 2}};
static const uint8_t initial[] = {0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8};
static const mass_attribute attributes[ATTRIBUTES] = {
    {.name = "bytes", .type = MASS_U8, .length = 1, .initial = initial},
    {.name = "planes", .type = MASS_U16, .length = 2, .initial = initial},
    {.name = "doubles", .type = MASS_I64, .length = 1, .initial = initial},
    {.name = "structs", .type = MASS_STRUCT, .length = 2, .initial = initial, .element_size = 3, .member_count = 3,
     .members = rgb},
    {.name = "interleaved", .type = MASS_I32, .length = 3, .layout = MASS_INTERLEAVED, .initial = initial}};

static const mass_field fields[] = {{"old", "bytes", MASS_READ, MASS_U8, 1, 0},
                                    {"new", "bytes", MASS_WRITE, MASS_U8, 1, 0}};
static const mass_form form = {.struct_size = sizeof(mass_form)};

/* What a test draws. */
typedef struct shape {
    uint32_t dimensions, torus;
    mass_gidx size[3];
    int32_t radius, partitions, worlds;
} shape;

typedef struct scene {
    shape shape;
    mass_callback stencil;
    mass_model model;
    mass_device *device;
    mass_domain *domain;
    uint8_t *plain[ATTRIBUTES]; /* [worlds][nz][ny][nx][length] */
} scene;

static size_t plain_bytes(const scene *s, uint32_t attribute)
{
    return (size_t)s->shape.worlds * (size_t)mass_space_places(&s->model.spaces[0]) *
           mass_element_size(&s->model.attributes[attribute]);
}

static scene *make_scene(const shape *drawn)
{
    mass_error e = {0};
    scene *s = calloc(1, sizeof *s);
    s->shape = *drawn;
    mass_space space = {.name = "s", .dimensions_min = 1, .dimensions_max = 3, .torus = drawn->torus};
    memcpy(space.size, drawn->size, sizeof space.size);
    mass_model_add_space(&s->model, &space, drawn->size, drawn->dimensions, &e);
    for (uint32_t i = 0; i < ATTRIBUTES; i++) {
        mass_attribute a = attributes[i];
        a.space = "s";
        mass_model_add_attribute(&s->model, &a, &e);
    }
    s->stencil = (mass_callback){.struct_size = sizeof s->stencil, .over = MASS_OVER_PLACES, .name = "stencil",
        .radius = drawn->radius, .field_count = drawn->radius ? 2 : 1, .field_size = sizeof(mass_field),
        .fields = fields, .form_count = 1, .form_size = sizeof form, .forms = &form};
    mass_model_add_phase(&s->model, &(mass_phase){.schedule = MASS_STEP, .callback = &s->stencil}, &e);
    mass_model_resolve(&s->model, &e);
    mass_cpu_table.open(0, 1 + drawn->worlds % 2, &s->device, &e);
    const mass_domain_options options = {.partitions = drawn->partitions, .worlds = drawn->worlds};
    mass_domain_create(&s->model, s->device, &options, &s->domain, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
    for (uint32_t i = 0; i < ATTRIBUTES; i++) s->plain[i] = malloc(plain_bytes(s, i));
    return s;
}

static void discard(scene *s)
{
    for (uint32_t i = 0; i < ATTRIBUTES; i++) free(s->plain[i]);
    mass_domain_free(s->domain);
    mass_device_close(s->device);
    mass_model_free(&s->model);
    free(s);
}

static void write_everything(scene *s, uint64_t seed)
{
    mass_error e = {0};
    const mass_gidx origin[3] = {0, 0, 0};
    for (uint32_t i = 0; i < ATTRIBUTES; i++) {
        const size_t world = plain_bytes(s, i) / (size_t)s->shape.worlds;
        scramble(s->plain[i], plain_bytes(s, i), seed + i);
        for (int32_t w = 0; w < s->shape.worlds; w++)
            mass_domain_write(s->domain, i, w, origin, s->model.spaces[0].size, s->plain[i] + (size_t)w * world, &e);
    }
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
}

/* ---- the reference ---- */

/* The row-major number of the place that a ghost shows, or -1 where there is none. */
static int64_t place_shown(const mass_space_def *s, const mass_gidx at[3])
{
    mass_gidx inside[3];
    for (int a = 0; a < 3; a++) {
        inside[a] = at[a];
        if (s->torus >> a & 1) inside[a] = ((at[a] % s->size[a]) + s->size[a]) % s->size[a];
        if (inside[a] < 0 || inside[a] >= s->size[a]) return -1;
    }
    return (inside[2] * s->size[1] + inside[1]) * s->size[0] + inside[0];
}

static void check_element(const scene *s, uint32_t array, const mass_partition *p, int32_t world, const mass_lidx at[3])
{
    const mass_array_def *def = &s->model.arrays[array];
    const mass_attribute_def *a = &s->model.attributes[def->attribute];
    const mass_space_def *space = &s->model.spaces[0];
    const mass_layout *l = &p->layout;
    const mass_gidx global[3] = {l->origin[0] + at[0], l->origin[1] + at[1], l->origin[2] + at[2]};
    const int64_t place = place_shown(space, global);
    const char *shown = (const char *)mass_array_at(s->domain, p, array, false) +
                        (world * l->world_stride + at[2] * l->plane + at[1] * l->pitch + at[0]) *
                            (int64_t)def->element_size;
    for (size_t c = 0; c < def->element_size / a->component_size; c++) {
        const uint8_t *expected = a->initial;
        if (place >= 0)
            expected = s->plain[def->attribute] +
                       ((size_t)(world * mass_space_places(space) + place) * a->length + def->component + c) *
                           a->component_size;
        cr_assert_eq(memcmp(shown + c * a->component_size, expected, a->component_size), 0,
                     "%s, world %d, at (%lld, %lld, %lld) of %lld x %lld x %lld, torus %u, radius %d, %d partitions",
                     a->name, world, (long long)global[0], (long long)global[1], (long long)global[2],
                     (long long)space->size[0], (long long)space->size[1], (long long)space->size[2], space->torus,
                     s->shape.radius, s->shape.partitions);
    }
}

static void check_array(const scene *s, uint32_t array)
{
    for (int32_t i = 0; i < s->shape.partitions; i++) {
        const mass_partition *p = &s->domain->partitions[0][i];
        const int32_t *g = p->layout.ghost;
        const mass_lidx *n = p->layout.extent;
        for (int32_t w = 0; w < s->shape.worlds; w++)
            for (mass_lidx z = -g[2]; z < n[2] + g[2]; z++)
                for (mass_lidx y = -g[1]; y < n[1] + g[1]; y++)
                    for (mass_lidx x = -g[0]; x < n[0] + g[0]; x++)
                        check_element(s, array, p, w, (const mass_lidx[3]){x, y, z});
    }
}

static void refresh_and_check(scene *s)
{
    mass_error e = {0};
    for (uint32_t i = 0; i < s->model.array_count; i++) {
        cr_assert_eq(mass_ghosts_refresh(s->domain, i, 0, &e), MASS_OK, "%s", e.text);
        check_array(s, i);
    }
}

/* Small extents, so that radii reach round a torus more than once and over several partitions. */
static shape random_shape(uint64_t n, uint32_t dimensions)
{
    shape s = {.dimensions = dimensions, .torus = draw(n, 0, 8), .size = {1, 1, 1},
        .radius = (int32_t)draw(n, 1, RADIUS_MAX + 1), .worlds = 1 + (int32_t)draw(n, 2, 3)};
    for (uint32_t a = 0; a < dimensions; a++) s.size[a] = 1 + draw(n, 3 + a, n % 3 ? 12 : 4);
    const mass_gidx rows = s.size[dimensions - 1];
    s.partitions = 1 + (int32_t)draw(n, 6, rows < 7 ? (uint32_t)rows : 7);
    return s;
}

static void try_shapes(uint32_t dimensions, uint64_t count)
{
    for (uint64_t n = 0; n < count; n++) {
        const shape drawn = random_shape(1000 * dimensions + n, dimensions);
        scene *s = make_scene(&drawn);
        cr_assert_eq(s->model.spaces[0].ghost[0], drawn.radius);
        write_everything(s, 2 * n);
        refresh_and_check(s);
        write_everything(s, 2 * n + 1);
        refresh_and_check(s);
        discard(s);
    }
}

Test(ghosts, show_the_right_places_of_one_dimensional_spaces) { try_shapes(1, 400); }
Test(ghosts, show_the_right_places_of_two_dimensional_spaces) { try_shapes(2, 150); }
Test(ghosts, show_the_right_places_of_three_dimensional_spaces) { try_shapes(3, 40); }

Test(ghosts, show_the_defaults_before_anything_is_written)
{
    for (uint32_t torus = 0; torus < 8; torus++) {
        const shape drawn = {.dimensions = 2, .torus = torus, .size = {5, 4, 1}, .radius = 3, .partitions = 2,
                             .worlds = 2};
        scene *s = make_scene(&drawn);
        for (uint32_t i = 0; i < ATTRIBUTES; i++)
            for (size_t at = 0; at < plain_bytes(s, i); at += s->model.attributes[i].component_size)
                memcpy(s->plain[i] + at, initial, s->model.attributes[i].component_size);
        for (uint32_t i = 0; i < s->model.array_count; i++) check_array(s, i);
        refresh_and_check(s);
        discard(s);
    }
}

Test(ghosts, follow_the_buffer_that_holds_the_present_values)
{
    const shape drawn = {.dimensions = 2, .torus = MASS_AXIS_X, .size = {6, 7, 1}, .radius = 2, .partitions = 3,
                         .worlds = 2};
    scene *s = make_scene(&drawn);
    cr_assert(s->model.arrays[0].buffered);
    for (uint64_t n = 0; n < 4; n++) {
        s->domain->current[0] ^= 1;
        write_everything(s, n);
        refresh_and_check(s);
    }
    discard(s);
}

Test(ghosts, are_left_alone_while_they_are_fresh)
{
    const shape drawn = {.dimensions = 1, .torus = MASS_AXIS_X, .size = {8, 1, 1}, .radius = 1, .partitions = 1,
                         .worlds = 1};
    scene *s = make_scene(&drawn);
    mass_error e = {0};
    write_everything(s, 1);
    refresh_and_check(s);
    uint8_t *places = mass_array_at(s->domain, &s->domain->partitions[0][0], 0, false);
    places[-1] ^= 1; /* as nobody does: what a second copy would mend */
    const uint8_t before = places[-1];
    cr_assert_eq(mass_ghosts_refresh(s->domain, 0, 0, &e), MASS_OK);
    cr_assert_eq(places[-1], before);
    write_everything(s, 2);
    refresh_and_check(s);
    discard(s);
}

Test(ghosts, come_right_at_corners_when_one_axis_follows_later)
{
    const shape drawn = {.dimensions = 2, .torus = MASS_AXES_ALL, .size = {9, 7, 1}, .radius = 2, .partitions = 1,
                         .worlds = 2};
    scene *s = make_scene(&drawn);
    mass_error e = {0};
    for (uint64_t n = 0; n < 3; n++) {
        write_everything(s, n);
        for (uint32_t i = 0; i < s->model.array_count; i++)
            cr_assert_eq(mass_ghosts_refresh(s->domain, i, n == 1 ? MASS_AXIS_Y : MASS_AXIS_X, &e), MASS_OK);
        refresh_and_check(s);
    }
    discard(s);
}
