/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of elements by their numbers: any rank may copy any element, and some of them twice. */
#include "reference.h"

#include "device/buffer.h"

#include <stdlib.h>
#include <string.h>

enum { WIDE = 99 }; /* elements, more than any part has */

static int32_t parts_of(const scene *s) { return s->comm->size * s->domain->partition_count; }

/* Ranges, of which some are empty, and copies of any elements, some of them twice. */
void draw_lists(scene *s, uint32_t most)
{
    const int32_t parts = parts_of(s);
    for (int32_t p = 0; p < parts; p++) s->first[p + 1] = s->first[p] + scene_draw(s, (uint64_t)p, 20, most);
    if (s->first[parts] == 0) s->first[parts] = 1;
    for (int32_t p = 0; p < parts; p++) {
        mass_list_copies *c = &s->listed[p / s->domain->partition_count][p % s->domain->partition_count];
        int64_t *element = malloc((most + 1) * sizeof *element);
        c->count = scene_draw(s, (uint64_t)p, 21, most + 1);
        c->element = element;
        for (int64_t i = 0; i < c->count; i++)
            element[i] = scene_draw(s, (uint64_t)(p * 1000 + i), 22, (uint32_t)s->first[parts]);
        if (scene_draw(s, (uint64_t)p, 23, 2) == 0) continue; /* copies in the order of the list; else in another one */
        uint32_t *slot = malloc(((size_t)c->count + 1) * sizeof *slot);
        for (int64_t i = 0; i < c->count; i++) slot[i] = (uint32_t)(c->count - 1 - i);
        c->slot = slot;
    }
}

/* Returns the elements from a world to the next one: the second array has more than there are. */
static int64_t stride_of(uint32_t array, int64_t count) { return array ? WIDE : count; }

static kind lists_of(const scene *s, uint32_t array)
{
    const int32_t parts = parts_of(s), each = s->domain->partition_count, own = s->comm->rank * each;
    const int64_t all = s->first[parts];
    kind k = {.name = "a list", .elements = s->worlds * all, .size = array ? 8 : 4};
    k.own = calloc((size_t)k.elements + 1, sizeof *k.own);
    for (int32_t p = 0; p < parts; p++)
        for (int32_t w = 0; w < s->worlds; w++) {
            const mass_list_copies *c = &s->listed[p / each][p % each];
            const bool here = p >= own && p < own + each;
            const int64_t count = s->first[p + 1] - s->first[p];
            for (int64_t i = 0; here && i < count; i++)
                k.own[w * all + s->first[p] + i] = (char *)s->owned[array][p - own].address +
                                                   (size_t)(w * stride_of(array, count) + i) * k.size;
            for (int64_t i = 0; i < c->count; i++)
                kind_add(&k, w * all + c->element[i], p,
                         here ? (char *)s->copied[array][p - own].address +
                                    (size_t)(w * stride_of(array, c->count) + (c->slot ? c->slot[i] : i)) * k.size
                              : NULL,
                         false);
        }
    return k;
}

static void make_lists(scene *s)
{
    mass_error e = {0};
    mass_device *device = s->domain->device;
    for (int32_t p = 0; p < s->domain->partition_count; p++) {
        const int32_t part = s->comm->rank * s->domain->partition_count + p;
        for (uint32_t a = 0; a < ARRAYS; a++) {
            const size_t size = 8 * (size_t)s->worlds, owned = (size_t)(s->first[part + 1] - s->first[part]);
            const size_t copied = (size_t)s->listed[s->comm->rank][p].count;
            const size_t more = a ? WIDE : 0;
            scene_check(s, mass_buffer_allocate(device, (owned + more) * size + 1, &s->owned[a][p], &e), &e);
            scene_check(s, mass_buffer_allocate(device, (copied + more) * size + 1, &s->copied[a][p], &e), &e);
        }
    }
    scene_check(s, mass_list_halo_make(s->domain, s->first, s->listed[s->comm->rank], &s->list, &e), &e);
}

static void free_lists(scene *s)
{
    for (int32_t p = 0; p < parts_of(s); p++) {
        const mass_list_copies *c = &s->listed[p / s->domain->partition_count][p % s->domain->partition_count];
        free((int64_t *)(uintptr_t)c->element);
        free((uint32_t *)(uintptr_t)c->slot);
    }
    for (int32_t p = 0; p < s->domain->partition_count; p++)
        for (uint32_t a = 0; a < ARRAYS; a++) {
            mass_buffer_release(&s->owned[a][p]);
            mass_buffer_release(&s->copied[a][p]);
        }
    mass_list_halo_free(s->list);
}

void check_lists(scene *s)
{
    mass_error e = {0};
    mass_list_values values[ARRAYS];
    kind k[ARRAYS];
    make_lists(s);
    for (uint32_t a = 0; a < ARRAYS; a++) {
        k[a] = lists_of(s, a);
        values[a] = (mass_list_values){s->owned[a], s->copied[a], k[a].size, {0}, a ? WIDE : 0, a ? WIDE : 0};
        kind_begin(s, &k[a], 2);
    }
    scene_check(s, mass_list_refresh(s->domain, s->list, values, ARRAYS, &e), &e);
    scene_check(s, s->domain->device->table->launch->synchronise(s->domain->device, &e), &e);
    for (uint32_t a = 0; a < ARRAYS; a++) kind_expect_copies(s, &k[a], 2);
    for (int how = MASS_COMBINATION_ADD; how <= MASS_COMBINATION_REPLACE; how++) {
        int64_t *writer[ARRAYS];
        for (uint32_t a = 0; a < ARRAYS; a++) {
            values[a].how = (mass_combination){(mass_combination_kind)how, k[a].size, true};
            writer[a] = kind_find_writers(s, &k[a]);
            kind_begin(s, &k[a], 50);
            kind_contribute(s, &k[a], (mass_combination_kind)how, writer[a]);
        }
        scene_check(s, mass_list_combine(s->domain, s->list, values, ARRAYS, &e), &e);
        scene_check(s, s->domain->device->table->launch->synchronise(s->domain->device, &e), &e);
        for (uint32_t a = 0; a < ARRAYS; a++) {
            kind_expect_combined(s, &k[a], (mass_combination_kind)how, writer[a]);
            free(writer[a]);
        }
    }
    for (uint32_t a = 0; a < ARRAYS; a++) kind_free(&k[a]);
    free_lists(s);
}

void check_no_such_element(scene *s)
{
    mass_error e = {0};
    const int64_t first[RANKS_MOST * PARTITIONS_MOST + 1] = {0}, element = 0;
    mass_list_copies none[PARTITIONS_MOST] = {{&element, s->comm->rank == s->comm->size - 1, NULL}};
    mass_list_halo *list = NULL;
    if (mass_list_halo_make(s->domain, first, none, &list, &e) != MASS_BAD_USAGE || list ||
        !strstr(e.text, "a list names element 0, but there are only 0"))
        scene_fail(s, e.text, e.status);
}
