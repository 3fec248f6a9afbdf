/* SPDX-License-Identifier: Apache-2.0 */
#include "copies.h"

#include "halo/bands.h"
#include "halo/boxes.h"
#include "halo/counts.h"
#include "halo/ghosts.h"
#include "halo/lists.h"
#include "population/population.h"
#include "snapshot/create.h"

#include <mass/random.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RADIUS_MOST = 4, PARTITIONS_MOST = 7, RANKS_MOST = 8, ARRAYS = 2 };

/* What one draw is. */
typedef struct scene {
    mass_comm *comm;
    uint64_t number;
    mass_model model;
    mass_callback stencil;
    mass_domain *domain;
    int32_t worlds, radius, depth; /* depth: of bands */
    bool agents;
    /* Agents of all ranks in canonical order. */
    int64_t agent_count, own_count, own_first; /* own_first: number of this rank's first one in world 0 */
    int64_t *agent_world, *agent_place, *agent_own; /* agent_own: number among this rank's, or -1 */
    mass_band *band;
    /* Elements of a list. */
    int64_t first[RANKS_MOST * PARTITIONS_MOST + 1];
    mass_list_copies listed[RANKS_MOST][PARTITIONS_MOST];
    mass_list_halo *list;
    mass_buffer owned[ARRAYS][PARTITIONS_MOST], copied[ARRAYS][PARTITIONS_MOST];
} scene;

static _Noreturn void fail(const scene *s, const char *what, int64_t at)
{
    fprintf(stderr, "draw %llu, rank %d of %d: %s, at %lld\n", (unsigned long long)s->number, s->comm->rank,
            s->comm->size, what, (long long)at);
    s->comm->table->abort(s->comm, 1);
    abort();
}

static void check(const scene *s, mass_status status, const mass_error *e)
{
    if (status != MASS_OK) fail(s, e->text, status);
}

static uint32_t draw(const scene *s, uint64_t entity, uint32_t which, uint32_t below)
{
    return mass_random_block(7, entity, s->number, 0, which).v[0] % below;
}

/* ---- all copies, as a plain list ---- */

/* Numbers that say where copy and element are; those of other ranks have no memory here. */
typedef struct copy {
    int64_t element;
    int32_t part; /* that has the copy */
    void *at;     /* of the copy, or NULL */
    bool refreshed_only; /* nothing is contributed there */
} copy;

typedef struct kind {
    const char *name;
    int64_t elements;
    copy *list;
    int64_t count;
    void **own;  /* [elements] or NULL */
    size_t size; /* 4 or 8; the values are signed */
} kind;

static void add_copy(kind *k, int64_t element, int32_t part, void *at, bool refreshed_only)
{
    if ((k->count & (k->count - 1)) == 0) /* the next power of two */
        k->list = realloc(k->list, (size_t)(k->count ? 2 * k->count : 1) * sizeof *k->list);
    k->list[k->count++] = (copy){element, part, at, refreshed_only};
}

static int64_t get(const kind *k, const void *at)
{
    int32_t small;
    int64_t value;
    memcpy(&small, at, sizeof small);
    if (k->size == sizeof small) return small;
    memcpy(&value, at, sizeof value);
    return value;
}

static void set(const kind *k, void *at, int64_t value)
{
    const int32_t small = (int32_t)value;
    if (k->size == sizeof small) memcpy(at, &small, sizeof small);
    else memcpy(at, &value, sizeof value);
}

/* Some value of an element or a contribution, which fits into k->size bytes. */
static int64_t value_of(const scene *s, const kind *k, int64_t at, uint32_t round)
{
    const mass_random4 r = mass_random_block(9, (uint64_t)at, s->number, 1, round);
    const uint64_t all = (uint64_t)r.v[0] << 32 | r.v[1];
    return k->size == 4 ? (int64_t)(int32_t)r.v[0] : (int64_t)all;
}

static void begin(const scene *s, const kind *k, uint32_t round)
{
    for (int64_t i = 0; i < k->elements; i++)
        if (k->own[i]) set(k, k->own[i], value_of(s, k, i, round));
}

static void expect_copies(const scene *s, const kind *k, uint32_t round)
{
    for (int64_t i = 0; i < k->count; i++) {
        const copy *c = &k->list[i];
        if (c->at && get(k, c->at) != get(k, &(int64_t){value_of(s, k, c->element, round)})) fail(s, k->name, i);
    }
}

/* What contribution i is: of one writer at most if they replace. */
static int64_t contribution(const scene *s, const kind *k, mass_combination_kind how, int64_t i, const int64_t *writer)
{
    if (how == MASS_COMBINATION_REPLACE && writer[k->list[i].element] != i) return -1;
    return value_of(s, k, i, 100 + how);
}

static int64_t combined(const kind *k, mass_combination_kind how, int64_t a, int64_t b)
{
    if (how == MASS_COMBINATION_LEAST) return b < a ? b : a;
    if (how == MASS_COMBINATION_REPLACE) return b == -1 ? a : b;
    const int64_t sum = (int64_t)((uint64_t)a + (uint64_t)b);
    return k->size == 4 ? (int64_t)(int32_t)sum : sum;
}

/* [elements] the copy of each that writes it. */
static int64_t *find_writers(const scene *s, const kind *k)
{
    int64_t *writer = malloc((size_t)(k->elements + 1) * sizeof *writer);
    for (int64_t i = 0; i < k->elements; i++) writer[i] = -1;
    for (int64_t i = 0; i < k->count; i++)
        if (!k->list[i].refreshed_only && draw(s, (uint64_t)i, 40, 3) == 0) writer[k->list[i].element] = i;
    return writer;
}

static void contribute(const scene *s, const kind *k, mass_combination_kind how, const int64_t *writer)
{
    for (int64_t i = 0; i < k->count; i++)
        if (k->list[i].at && !k->list[i].refreshed_only) set(k, k->list[i].at, contribution(s, k, how, i, writer));
}

static void expect_combined(const scene *s, const kind *k, mass_combination_kind how, const int64_t *writer)
{
    int64_t *expected = malloc((size_t)(k->elements + 1) * sizeof *expected);
    for (int64_t i = 0; i < k->elements; i++) expected[i] = value_of(s, k, i, 50);
    for (int64_t i = 0; i < k->count; i++) {
        int64_t *e = &expected[k->list[i].element];
        if (!k->list[i].refreshed_only) *e = combined(k, how, *e, contribution(s, k, how, i, writer));
    }
    for (int64_t i = 0; i < k->elements; i++)
        if (k->own[i] && get(k, k->own[i]) != expected[i]) fail(s, k->name, i);
    free(expected);
}

static void free_kind(kind *k)
{
    free(k->list);
    free(k->own);
    *k = (kind){0};
}

/* ---- boxes of places ---- */

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
                    const bool far = at[axis] < -reach || at[axis] >= extent[axis] + reach;
                    add_copy(k, element, part, element_at(s, array, part, world, at), other || far);
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
        s->domain->partitions[0][p].arrays[array].fresh = 0;
        s->domain->partitions[0][p].arrays[array].deep = 0;
    }
}

/* Of one rank: only the ghosts of the partition that are stale are refreshed. */
static void expect_others_alone(scene *s, const kind *k, uint32_t array)
{
    mass_error e = {0};
    const int32_t partitions = s->domain->partition_count, stale = (int32_t)draw(s, array, 42, (uint32_t)partitions);
    begin(s, k, 3);
    s->domain->partitions[0][stale].arrays[array].fresh = 0;
    check(s, mass_ghosts_refresh(s->domain, array, 0, &e), &e);
    for (int64_t i = 0; i < k->count; i++) {
        const copy *c = &k->list[i];
        const uint32_t round = c->part == stale ? 3 : 1;
        if (!c->refreshed_only && get(k, c->at) != get(k, &(int64_t){value_of(s, k, c->element, round)}))
            fail(s, "ghosts of one partition", i);
    }
}

static void check_boxes(scene *s)
{
    mass_error e = {0};
    const uint32_t axis = mass_slab_axis(&s->model.spaces[0]);
    const uint32_t both[ARRAYS] = {0, 1};
    const int32_t reach = 1 + (int32_t)draw(s, 0, 41, (uint32_t)s->radius);
    kind k[ARRAYS];
    for (uint32_t a = 0; a < ARRAYS; a++) {
        k[a] = boxes_of(s, a, reach);
        begin(s, &k[a], 1);
        make_stale(s, a);
        check(s, mass_ghosts_refresh(s->domain, a, 0, &e), &e);
    }
    check(s, mass_ghosts_exchange(s->domain, both, ARRAYS, INT32_MAX, s->model.spaces[0].ghost[axis], &e), &e);
    check(s, s->domain->device->table->launch->synchronise(s->domain->device, &e), &e);
    for (uint32_t a = 0; a < ARRAYS; a++) expect_copies(s, &k[a], 1);
    for (uint32_t a = 0; a < ARRAYS && s->comm->size == 1; a++) expect_others_alone(s, &k[a], a);
    for (int how = MASS_COMBINATION_ADD; how <= MASS_COMBINATION_REPLACE; how++) {
        int64_t *writer[ARRAYS];
        for (uint32_t a = 0; a < ARRAYS; a++) {
            writer[a] = find_writers(s, &k[a]);
            begin(s, &k[a], 50);
            contribute(s, &k[a], (mass_combination_kind)how, writer[a]);
            check(s, mass_boxes_combine_own(s->domain, a, reach, (mass_combination_kind)how, &e), &e);
        }
        if (mass_share_is_cut(&s->domain->share))
            check(s, mass_boxes_combine(s->domain, both, ARRAYS, reach, (mass_combination_kind)how, &e), &e);
        check(s, s->domain->device->table->launch->synchronise(s->domain->device, &e), &e);
        for (uint32_t a = 0; a < ARRAYS; a++) {
            expect_combined(s, &k[a], (mass_combination_kind)how, writer[a]);
            free(writer[a]);
        }
    }
    for (uint32_t a = 0; a < ARRAYS; a++) free_kind(&k[a]);
}

/* ---- lists ---- */

static int32_t parts_of(const scene *s) { return s->comm->size * s->domain->partition_count; }

/* Ranges, of which some are empty, and copies of any elements, some of them twice. */
static void draw_lists(scene *s, uint32_t most)
{
    const int32_t parts = parts_of(s);
    for (int32_t p = 0; p < parts; p++) s->first[p + 1] = s->first[p] + draw(s, (uint64_t)p, 20, most);
    if (s->first[parts] == 0) s->first[parts] = 1;
    for (int32_t p = 0; p < parts; p++) {
        mass_list_copies *c = &s->listed[p / s->domain->partition_count][p % s->domain->partition_count];
        int64_t *element = malloc((most + 1) * sizeof *element);
        c->count = draw(s, (uint64_t)p, 21, most + 1);
        c->element = element;
        for (int64_t i = 0; i < c->count; i++)
            element[i] = draw(s, (uint64_t)(p * 1000 + i), 22, (uint32_t)s->first[parts]);
    }
}

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
                                                   (size_t)(w * count + i) * k.size;
            for (int64_t i = 0; i < c->count; i++)
                add_copy(&k, w * all + c->element[i], p,
                         here ? (char *)s->copied[array][p - own].address + (size_t)(w * c->count + i) * k.size : NULL,
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
            check(s, mass_buffer_allocate(device, owned * size + 1, &s->owned[a][p], &e), &e);
            check(s, mass_buffer_allocate(device, copied * size + 1, &s->copied[a][p], &e), &e);
        }
    }
    check(s, mass_list_halo_make(s->domain, s->first, s->listed[s->comm->rank], &s->list, &e), &e);
}

static void free_lists(scene *s)
{
    for (int32_t p = 0; p < parts_of(s); p++)
        free((int64_t *)(uintptr_t)s->listed[p / s->domain->partition_count][p % s->domain->partition_count].element);
    for (int32_t p = 0; p < s->domain->partition_count; p++)
        for (uint32_t a = 0; a < ARRAYS; a++) {
            mass_buffer_release(&s->owned[a][p]);
            mass_buffer_release(&s->copied[a][p]);
        }
    mass_list_halo_free(s->list);
}

static void check_lists(scene *s)
{
    mass_error e = {0};
    mass_list_values values[ARRAYS];
    kind k[ARRAYS];
    make_lists(s);
    for (uint32_t a = 0; a < ARRAYS; a++) {
        k[a] = lists_of(s, a);
        values[a] = (mass_list_values){s->owned[a], s->copied[a], k[a].size, {0}};
        begin(s, &k[a], 2);
    }
    check(s, mass_list_refresh(s->domain, s->list, values, ARRAYS, &e), &e);
    check(s, s->domain->device->table->launch->synchronise(s->domain->device, &e), &e);
    for (uint32_t a = 0; a < ARRAYS; a++) expect_copies(s, &k[a], 2);
    for (int how = MASS_COMBINATION_ADD; how <= MASS_COMBINATION_REPLACE; how++) {
        int64_t *writer[ARRAYS];
        for (uint32_t a = 0; a < ARRAYS; a++) {
            values[a].how = (mass_combination){(mass_combination_kind)how, k[a].size, true};
            writer[a] = find_writers(s, &k[a]);
            begin(s, &k[a], 50);
            contribute(s, &k[a], (mass_combination_kind)how, writer[a]);
        }
        check(s, mass_list_combine(s->domain, s->list, values, ARRAYS, &e), &e);
        check(s, s->domain->device->table->launch->synchronise(s->domain->device, &e), &e);
        for (uint32_t a = 0; a < ARRAYS; a++) {
            expect_combined(s, &k[a], (mass_combination_kind)how, writer[a]);
            free(writer[a]);
        }
    }
    for (uint32_t a = 0; a < ARRAYS; a++) free_kind(&k[a]);
    free_lists(s);
}

/* Recordings have to be made again after the same exchange. */
static void check_changes(const scene *s)
{
    mass_error e = {0};
    int64_t both[2] = {(int64_t)s->domain->changes, -(int64_t)s->domain->changes};
    check(s, s->comm->table->all_reduce(s->comm, MASS_REDUCE_MOST, both, 2, &e), &e);
    if (both[0] != -both[1]) fail(s, "memory moves at different times", both[0]);
}

/* A rank lists an element that there is not: all ranks hear of it. */
static void check_no_such_element(scene *s)
{
    mass_error e = {0};
    const int64_t first[RANKS_MOST * PARTITIONS_MOST + 1] = {0}, element = 0;
    mass_list_copies none[PARTITIONS_MOST] = {{&element, s->comm->rank == s->comm->size - 1}};
    mass_list_halo *list = NULL;
    if (mass_list_halo_make(s->domain, first, none, &list, &e) != MASS_BAD_USAGE || list ||
        !strstr(e.text, "a list names element 0, but there are only 0"))
        fail(s, e.text, e.status);
}

/* ---- bands of agents ---- */

static uint64_t id_of(int64_t agent) { return (uint64_t)agent * 3 + 1; }

/* Draws who stands where, of all ranks, and makes this rank's agents. */
static void draw_agents(scene *s, uint32_t round)
{
    mass_error e = {0};
    const mass_population_def *p = &s->model.populations[0];
    const mass_population_state *state = &s->domain->populations[0];
    const int64_t places = mass_space_places(&s->model.spaces[0]);
    const int64_t before = mass_population_first_place(s->domain, 0), most = s->worlds * places * 3;
    const uint32_t each = p->capacity == 1 ? 2 : 4, seldom = 1 + draw(s, round, 30, 4);
    uint64_t *id = malloc((size_t)most * sizeof *id);
    uint32_t *cell = malloc((size_t)most * sizeof *cell);
    s->agent_count = s->own_count = 0;
    for (int64_t w = 0; w < s->worlds; w++)
        for (int64_t place = 0; place < places; place++) {
            const uint64_t at = (uint64_t)(w * places + place);
            const uint32_t here = draw(s, at, 31 + round, seldom) ? 0 : draw(s, at, 34 + round, each);
            const bool own = place >= before && place < before + state->places;
            for (uint32_t j = 0; j < here; j++) {
                s->agent_world[s->agent_count] = w;
                s->agent_place[s->agent_count] = place;
                s->agent_own[s->agent_count] = own ? s->own_count : -1;
                id[s->own_count] = id_of(s->agent_count);
                cell[s->own_count] = (uint32_t)(w * state->places + place - before);
                s->own_count += own;
                s->agent_count++;
            }
        }
    check(s, mass_population_set(s->domain, 0, (uint32_t)s->own_count, id, cell, NULL, &e), &e);
    free(id);
    free(cell);
}

/* The agents of a rank's band, in order: those on each row beside it. Compares this rank's cells and ids. */
static void list_band(const scene *s, kind *k, int32_t rank, uint32_t array)
{
    const mass_space_def *space = &s->model.spaces[0];
    const uint32_t axis = mass_slab_axis(space);
    const int64_t rows = space->size[axis], row = mass_space_places(space) / rows;
    const int64_t first = mass_share_first_row(&s->domain->share, space, rank);
    const int64_t end = mass_share_first_row(&s->domain->share, space, rank + 1);
    const bool here = rank == s->comm->rank;
    const uint32_t *start = s->band->start.address, *cell = s->band->cell.address;
    int64_t number = 0;
    for (int64_t w = 0; w < s->worlds; w++)
        for (int64_t i = 0; i < 2 * s->depth; i++) {
            int64_t at = i < s->depth ? first - s->depth + i : end + i - s->depth;
            const bool beyond = at < 0 || at >= rows;
            if (beyond && !(space->torus >> axis & 1)) continue;
            at = (at % rows + rows) % rows;
            for (int64_t a = 0; a < s->agent_count; a++) {
                if (s->agent_world[a] != w || s->agent_place[a] / row != at) continue;
                const int64_t c = (2 * w * s->depth + i) * row + s->agent_place[a] % row;
                if (here && (number >= s->band->count || cell[number] != c || start[c] > number ||
                             start[c + 1] <= number ||
                             ((const uint64_t *)s->band->values[0].address)[number] != id_of(a)))
                    fail(s, "an agent of a band", number);
                add_copy(k, a, rank, here ? (char *)s->band->values[array].address + (size_t)number * k->size : NULL,
                         false);
                number++;
            }
        }
    if (here && number != s->band->count) fail(s, "agents of a band", number);
}

static kind band_of(const scene *s, uint32_t array)
{
    const mass_population_state *state = &s->domain->populations[0];
    kind k = {.name = "a band of agents", .elements = s->agent_count,
              .size = s->model.arrays[s->band->arrays[array]].element_size};
    const uint32_t index = s->band->arrays[array] - s->model.populations[0].first_array;
    k.own = calloc((size_t)k.elements + 1, sizeof *k.own);
    for (int64_t a = 0; a < s->agent_count; a++)
        if (s->agent_own[a] >= 0)
            k.own[a] = (char *)state->arrays[index].buffer[state->current].address + (size_t)s->agent_own[a] * k.size;
    for (int32_t r = 0; r < s->comm->size && mass_share_is_cut(&s->domain->share); r++) list_band(s, &k, r, array);
    return k;
}

/* Values change, and then agents come, go and move. */
static void check_bands(scene *s)
{
    mass_error e = {0};
    const mass_population_def *p = &s->model.populations[0];
    const uint32_t arrays[ARRAYS] = {p->first_array + 2, p->first_array + 3};
    const int64_t most = s->worlds * mass_space_places(&s->model.spaces[0]) * 3 + 1;
    s->agent_world = malloc(3 * (size_t)most * sizeof *s->agent_world);
    s->agent_place = s->agent_world + most;
    s->agent_own = s->agent_place + most;
    check(s, mass_band_make(s->domain, 0, s->depth, arrays, ARRAYS, &s->band, &e), &e);
    for (uint32_t round = 0; round < 6; round++) {
        if (round % 2 == 0) draw_agents(s, round / 2);
        if (round % 2 == 0) check(s, mass_band_refresh(s->domain, s->band, true, &e), &e);
        for (uint32_t a = 1; a <= ARRAYS; a++) {
            kind k = band_of(s, a);
            begin(s, &k, round);
            check(s, mass_band_refresh(s->domain, s->band, false, &e), &e);
            expect_copies(s, &k, round);
            const mass_combination_kind how = (mass_combination_kind)(round / 2);
            int64_t *writer = find_writers(s, &k);
            begin(s, &k, 50);
            contribute(s, &k, how, writer);
            check(s, mass_band_combine(s->domain, s->band, a, &(mass_combination){how, k.size, true}, &e), &e);
            expect_combined(s, &k, how, writer);
            free(writer);
            free_kind(&k);
        }
    }
    mass_band_free(s->band);
    free(s->agent_world);
}

/* ---- draws ---- */

static const mass_field fields[] = {{"a", "small", MASS_READ, MASS_I32, 4, 0},
                                    {"b", "small", MASS_WRITE, MASS_I32, 4, 0}};
static const mass_form form = {.struct_size = sizeof(mass_form)};

static void make_model(scene *s, uint32_t dimensions, const mass_gidx *size, mass_error *e)
{
    const mass_space space = {.name = "s", .dimensions_min = 1, .dimensions_max = 3, .torus = draw(s, 0, 5, 8),
                              .size = {size[0], size[1], size[2]}};
    mass_model_add_space(&s->model, &space, size, dimensions, e);
    mass_model_add_attribute(&s->model, &(mass_attribute){.space = "s", .name = "small", .type = MASS_I32}, e);
    mass_model_add_attribute(&s->model, &(mass_attribute){.space = "s", .name = "large", .type = MASS_I64}, e);
    if (s->agents) {
        mass_model_add_population(&s->model, &(mass_population){.name = "p", .space = "s",
                                                                .capacity = draw(s, 0, 6, 2)}, e);
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
    const uint32_t dimensions = 1 + draw(s, 0, 0, 3), partitions = 1 + draw(s, 0, 1, link ? 3 : PARTITIONS_MOST);
    mass_gidx size[3] = {1, 1, 1};
    int32_t shares[RANKS_MOST];
    for (uint32_t a = 0; a < dimensions; a++) size[a] = 1 + draw(s, a, 2, 7);
    size[dimensions - 1] = ranks * (int32_t)partitions + draw(s, 0, 3, 9);
    for (int32_t r = 0; r < ranks; r++) shares[r] = 1 + (int32_t)draw(s, (uint64_t)r, 4, 20);
    s->worlds = ranks > 2 ? 1 + (int32_t)draw(s, 0, 8, 2) : 1; /* fewer than ranks, which cut the space then */
    if (ranks == 1) s->worlds = 1 + (int32_t)draw(s, 0, 8, 3);
    s->radius = (int32_t)draw(s, 0, 9, RADIUS_MOST + 1);
    s->depth = 1 + (int32_t)draw(s, 0, 10, RADIUS_MOST);
    s->agents = device->table->memory->in_host_memory;
    make_model(s, dimensions, size, &e);
    const mass_domain_options o = {.partitions = (int32_t)partitions, .worlds = s->worlds, .comm = s->comm,
                                   .shares = s->number % 2 ? shares : NULL};
    check(s, e.status == MASS_OK ? mass_domain_create(&s->model, device, &o, &s->domain, &e) : e.status, &e);
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
