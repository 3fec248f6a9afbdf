/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes of places: ghosts of random depth, on spaces with edges and without. */
#include "reference.h"

#include "halo/boxes.h"
#include "halo/ghosts.h"

#include <stdlib.h>

/* The place that a ghost shows, or -1. */
static int64_t place_shown(const mass_space_def *s, const mass_gidx at[3])
{
    mass_gidx inside[3];
    for (int a = 0; a < 3; a++) {
        inside[a] = s->torus >> a & 1 ? (at[a] % s->size[a] + s->size[a]) % s->size[a] : at[a];
        if (inside[a] < 0 || inside[a] >= s->size[a]) return -1;
    }
    return (inside[2] * s->size[1] + inside[1]) * s->size[0] + inside[0];
}

static void *element_at(const scene *s, uint32_t array, int32_t part, int32_t world, const mass_lidx at[3])
{
    const int32_t own = part - s->domain->share.first_partition;
    if (own < 0 || own >= s->domain->partition_count) return NULL;
    const mass_partition *p = &s->domain->partitions[0][own];
    return (char *)mass_array_at(s->domain, p, array, false) +
           (world * p->layout.world_stride + at[2] * p->layout.plane + at[1] * p->layout.pitch + at[0]) *
               (int64_t)s->model.arrays[array].element_size;
}

/* Contributions come from the first `reach` layers, but for their corners. */
static void list_part(const scene *s, kind *k, uint32_t array, int32_t reach, int32_t part, int32_t world)
{
    const mass_space_def *space = &s->model.spaces[0];
    const uint32_t axis = mass_slab_axis(space);
    mass_gidx origin[3] = {0}, extent[3] = {space->size[0], space->size[1], space->size[2]};
    origin[axis] = mass_share_row(&s->domain->share, space, part);
    extent[axis] = mass_share_row(&s->domain->share, space, part + 1) - origin[axis];
    mass_lidx at[3];
    const int32_t *g = space->ghost;
    for (at[2] = -g[2]; at[2] < extent[2] + g[2]; at[2]++)
        for (at[1] = -g[1]; at[1] < extent[1] + g[1]; at[1]++)
            for (at[0] = -g[0]; at[0] < extent[0] + g[0]; at[0]++) {
                const mass_gidx global[3] = {origin[0] + at[0], origin[1] + at[1], origin[2] + at[2]};
                const int64_t place = place_shown(space, global), element = world * mass_space_places(space) + place;
                bool other = false;
                for (uint32_t a = 0; a < axis; a++) other |= at[a] < 0 || at[a] >= extent[a];
                if (place < 0) continue;
                if (at[axis] < 0 || at[axis] >= extent[axis]) {
                    const bool remote = at[axis] < -reach || at[axis] >= extent[axis] + reach;
                    kind_add(k, element, part, element_at(s, array, part, world, at), other || remote);
                }
                else if (!other) {
                    void *own = element_at(s, array, part, world, at);
                    if (own) k->own[element] = own;
                }
            }
}

static kind boxes_of(const scene *s, uint32_t array, int32_t reach)
{
    kind k = {.name = "a box of places", .elements = s->worlds * mass_space_places(&s->model.spaces[0]),
              .size = s->model.arrays[array].element_size};
    k.own = calloc((size_t)k.elements + 1, sizeof *k.own);
    for (int32_t part = 0; part < s->domain->share.partitions; part++)
        for (int32_t w = 0; w < s->worlds; w++) list_part(s, &k, array, reach, part, w);
    return k;
}

static void make_stale(scene *s, uint32_t array)
{
    for (int32_t p = 0; p < s->domain->partition_count; p++) {
        s->domain->partitions[0][p].arrays[array].valid = 0;
        s->domain->partitions[0][p].arrays[array].valid_depth = 0;
    }
}

/* Of one rank: only the ghosts of the partition that are stale are refreshed. */
static void expect_others_alone(scene *s, const kind *k, uint32_t array)
{
    mass_error e = {0};
    const uint32_t partitions = (uint32_t)s->domain->partition_count;
    const int32_t stale = (int32_t)scene_draw(s, array, 42, partitions);
    kind_begin(s, k, 3);
    s->domain->partitions[0][stale].arrays[array].valid = 0;
    scene_check(s, mass_ghosts_refresh(s->domain, array, 0, &e), &e);
    for (int64_t i = 0; i < k->count; i++) {
        const copy *c = &k->list[i];
        const uint32_t round = c->part == stale ? 3 : 1;
        if (!c->refreshed_only && !kind_is_copied(s, k, c, round)) scene_fail(s, "ghosts of one partition", i);
    }
}

void check_boxes(scene *s)
{
    mass_error e = {0};
    const uint32_t axis = mass_slab_axis(&s->model.spaces[0]);
    const uint32_t both[ARRAYS] = {0, 1};
    const int32_t reach = 1 + (int32_t)scene_draw(s, 0, 41, (uint32_t)s->radius);
    kind k[ARRAYS];
    for (uint32_t a = 0; a < ARRAYS; a++) {
        k[a] = boxes_of(s, a, reach);
        kind_begin(s, &k[a], 1);
        make_stale(s, a);
        scene_check(s, mass_ghosts_refresh(s->domain, a, 0, &e), &e);
    }
    scene_check(s, mass_ghosts_exchange(s->domain, both, ARRAYS, INT32_MAX, s->model.spaces[0].ghost[axis], &e), &e);
    scene_check(s, s->domain->device->table->launch->synchronise(s->domain->device, &e), &e);
    for (uint32_t a = 0; a < ARRAYS; a++) kind_expect_copies(s, &k[a], 1);
    for (uint32_t a = 0; a < ARRAYS && s->comm->size == 1; a++) expect_others_alone(s, &k[a], a);
    for (int how = MASS_COMBINATION_ADD; how <= MASS_COMBINATION_REPLACE; how++) {
        int64_t *writer[ARRAYS];
        for (uint32_t a = 0; a < ARRAYS; a++) {
            writer[a] = kind_find_writers(s, &k[a]);
            kind_begin(s, &k[a], 50);
            kind_contribute(s, &k[a], (mass_combination_kind)how, writer[a]);
            scene_check(s, mass_boxes_combine_own(s->domain, a, reach, (mass_combination_kind)how, &e), &e);
        }
        if (mass_share_is_split(&s->domain->share))
            scene_check(s, mass_boxes_combine(s->domain, both, ARRAYS, reach, (mass_combination_kind)how, &e), &e);
        scene_check(s, s->domain->device->table->launch->synchronise(s->domain->device, &e), &e);
        for (uint32_t a = 0; a < ARRAYS; a++) {
            kind_expect_combined(s, &k[a], (mass_combination_kind)how, writer[a]);
            free(writer[a]);
        }
    }
    for (uint32_t a = 0; a < ARRAYS; a++) kind_free(&k[a]);
}
