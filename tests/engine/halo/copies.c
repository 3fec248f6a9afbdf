/* SPDX-License-Identifier: Apache-2.0 */
#include "copies.h"

#include "reference.h"
#include "snapshot/create.h"

#include <stdlib.h>

/* Recordings have to be made again after the same exchange. */
static void check_changes(const scene *s)
{
    mass_error e = {0};
    int64_t both[2] = {(int64_t)s->domain->changes, -(int64_t)s->domain->changes};
    scene_check(s, s->comm->table->all_reduce(s->comm, MASS_REDUCE_MOST, both, 2, &e), &e);
    if (both[0] != -both[1]) scene_fail(s, "memory moves at different times", both[0]);
}

static const mass_field fields[] = {{"a", "small", MASS_READ, MASS_I32, 4, 0},
                                    {"b", "small", MASS_WRITE, MASS_I32, 4, 0}};
static const mass_form form = {.struct_size = sizeof(mass_form)};

static void make_model(scene *s, uint32_t dimensions, const mass_gidx *size, mass_error *e)
{
    const mass_space space = {.name = "s", .dimensions_min = 1, .dimensions_max = 3, .torus = scene_draw(s, 0, 5, 8),
                              .size = {size[0], size[1], size[2]}};
    mass_model_add_space(&s->model, &space, size, dimensions, e);
    mass_model_add_attribute(&s->model, &(mass_attribute){.space = "s", .name = "small", .type = MASS_I32}, e);
    mass_model_add_attribute(&s->model, &(mass_attribute){.space = "s", .name = "large", .type = MASS_I64}, e);
    if (s->agents) {
        mass_model_add_population(&s->model, &(mass_population){.name = "p", .space = "s",
                                                                .capacity = scene_draw(s, 0, 6, 2)}, e);
        mass_model_add_attribute(&s->model, &(mass_attribute){.population = "p", .name = "i", .type = MASS_I32}, e);
        mass_model_add_attribute(&s->model, &(mass_attribute){.population = "p", .name = "l", .type = MASS_I64}, e);
    }
    s->stencil = (mass_callback){.struct_size = sizeof s->stencil, .over = MASS_OVER_PLACES, .name = "stencil",
        .radius = s->radius, .field_count = s->radius ? 2 : 1, .field_size = sizeof(mass_field), .fields = fields,
        .form_count = 1, .form_size = sizeof form, .forms = &form};
    mass_model_add_phase(&s->model, &(mass_phase){.schedule = MASS_STEP, .callback = &s->stencil}, e);
    mass_model_resolve(&s->model, e);
}

/* Small extents, so that slabs are thinner than the reach, which goes round a torus more than once. */
static void check_one(scene *s, mass_device *device, mass_link *link)
{
    mass_error e = {0};
    const int32_t ranks = s->comm->size;
    const uint32_t dimensions = 1 + scene_draw(s, 0, 0, 3);
    const uint32_t partitions = 1 + scene_draw(s, 0, 1, link ? 3 : PARTITIONS_MOST);
    mass_gidx size[3] = {1, 1, 1};
    int32_t shares[RANKS_MOST];
    for (uint32_t a = 0; a < dimensions; a++) size[a] = 1 + scene_draw(s, a, 2, 7);
    size[dimensions - 1] = ranks * (int32_t)partitions + scene_draw(s, 0, 3, 9);
    for (int32_t r = 0; r < ranks; r++) shares[r] = 1 + (int32_t)scene_draw(s, (uint64_t)r, 4, 20);
    s->worlds = ranks > 2 ? 1 + (int32_t)scene_draw(s, 0, 8, 2) : 1; /* fewer than ranks, which cut the space then */
    if (ranks == 1) s->worlds = 1 + (int32_t)scene_draw(s, 0, 8, 3);
    s->radius = (int32_t)scene_draw(s, 0, 9, RADIUS_MOST + 1);
    s->depth = 1 + (int32_t)scene_draw(s, 0, 10, RADIUS_MOST);
    s->agents = device->table->memory->in_host_memory;
    make_model(s, dimensions, size, &e);
    const mass_domain_options o = {.partitions = (int32_t)partitions, .worlds = s->worlds, .comm = s->comm,
                                   .shares = s->number % 2 ? shares : NULL};
    scene_check(s, e.status == MASS_OK ? mass_domain_create(&s->model, device, &o, &s->domain, &e) : e.status, &e);
    s->domain->share.link = link;
    if (s->radius > 0) check_boxes(s);
    draw_lists(s, 12);
    check_lists(s);
    check_changes(s);
    check_no_such_element(s);
    if (s->agents) check_bands(s);
    mass_domain_free(s->domain);
    mass_model_free(&s->model);
}

void check_copies(mass_comm *comm, mass_device *device, mass_link *link, uint64_t first, uint64_t count)
{
    for (uint64_t n = first; n < first + count; n++) {
        scene *s = calloc(1, sizeof *s);
        s->comm = comm;
        s->number = n;
        check_one(s, device, link);
        free(s);
    }
}
