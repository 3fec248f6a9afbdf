/* SPDX-License-Identifier: Apache-2.0 */
/* Bands of agents next to the boundaries: values change, and then agents come, go and move. */
#include "reference.h"

#include "population/population.h"

#include <stdlib.h>

static uint64_t id_of(int64_t agent) { return (uint64_t)agent * 3 + 1; }

/* Draws who stands where, of all ranks, and makes this rank's agents. */
static void draw_agents(scene *s, uint32_t round)
{
    mass_error e = {0};
    const mass_population_def *p = &s->model.populations[0];
    const mass_population_state *state = &s->domain->populations[0];
    const int64_t places = mass_space_places(&s->model.spaces[0]);
    const int64_t before = mass_population_first_place(s->domain, 0), most = s->worlds * places * 3;
    const uint32_t each = p->capacity == 1 ? 2 : 4, seldom = 1 + scene_draw(s, round, 30, 4);
    uint64_t *id = malloc((size_t)most * sizeof *id);
    uint32_t *cell = malloc((size_t)most * sizeof *cell);
    s->agent_count = s->own_count = 0;
    for (int64_t w = 0; w < s->worlds; w++)
        for (int64_t place = 0; place < places; place++) {
            const uint64_t at = (uint64_t)(w * places + place);
            const uint32_t here = scene_draw(s, at, 31 + round, seldom) ? 0 : scene_draw(s, at, 34 + round, each);
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
    scene_check(s, mass_population_set(s->domain, 0, (uint32_t)s->own_count, id, cell, NULL, &e), &e);
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
                    scene_fail(s, "an agent of a band", number);
                kind_add(k, a, rank, here ? (char *)s->band->values[array].address + (size_t)number * k->size : NULL,
                         false);
                number++;
            }
        }
    if (here && number != s->band->count) scene_fail(s, "agents of a band", number);
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
    for (int32_t r = 0; r < s->comm->size && mass_share_is_split(&s->domain->share); r++) list_band(s, &k, r, array);
    return k;
}

void check_bands(scene *s)
{
    mass_error e = {0};
    const mass_population_def *p = &s->model.populations[0];
    const uint32_t arrays[ARRAYS] = {p->first_array + 2, p->first_array + 3};
    const int64_t most = s->worlds * mass_space_places(&s->model.spaces[0]) * 3 + 1;
    s->agent_world = malloc(3 * (size_t)most * sizeof *s->agent_world);
    s->agent_place = s->agent_world + most;
    s->agent_own = s->agent_place + most;
    scene_check(s, mass_band_make(s->domain, 0, s->depth, arrays, ARRAYS, &s->band, &e), &e);
    for (uint32_t round = 0; round < 6; round++) {
        if (round % 2 == 0) draw_agents(s, round / 2);
        if (round % 2 == 0) scene_check(s, mass_band_refresh(s->domain, s->band, true, &e), &e);
        for (uint32_t a = 1; a <= ARRAYS; a++) {
            kind k = band_of(s, a);
            kind_begin(s, &k, round);
            scene_check(s, mass_band_refresh(s->domain, s->band, false, &e), &e);
            kind_expect_copies(s, &k, round);
            const mass_combination_kind how = (mass_combination_kind)(round / 2);
            int64_t *writer = kind_find_writers(s, &k);
            kind_begin(s, &k, 50);
            kind_contribute(s, &k, how, writer);
            scene_check(s, mass_band_combine(s->domain, s->band, a, &(mass_combination){how, k.size, true}, &e), &e);
            kind_expect_combined(s, &k, how, writer);
            free(writer);
            kind_free(&k);
        }
    }
    mass_band_free(s->band);
    free(s->agent_world);
}
