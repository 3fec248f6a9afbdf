/* SPDX-License-Identifier: Apache-2.0 */
/* Who stands where at the start. Done on the host, so that it is the same for every device. */
#include "domain/population.h"

#include <mass/random.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 8, DRAWS = ROUNDS + 1 }; /* of each population: those of mass_permuted_u64, which deals out the seats of
                                            places with a capacity; the last is for places without one */
static const uint32_t PLACING = MASS_PHASES_MAX; /* the phase of the draws: no phase of a schedule has that number */

/* The agents of all worlds, as they are found. */
typedef struct crowd {
    uint32_t *cell;
    uint64_t *id;
    uint64_t count, room;
} crowd;

static mass_status add_agents(crowd *c, uint64_t agents, uint32_t cell, uint64_t first_id, mass_error *error)
{
    if (c->count + agents > c->room) {
        uint64_t room = c->room * 2 > c->count + agents ? c->room * 2 : c->count + agents;
        if (c->count + agents >= UINT32_MAX - 1)
            return mass_error_set(error, MASS_BAD_USAGE, "more than 2^32 - 3 agents are asked for");
        uint32_t *cells = realloc(c->cell, room * sizeof *cells);
        if (cells) c->cell = cells;
        uint64_t *ids = realloc(c->id, room * sizeof *ids);
        if (ids) c->id = ids;
        if (!cells || !ids) return mass_error_memory(error, room * (sizeof *ids + sizeof *cells), "a population");
        c->room = room;
    }
    for (uint64_t i = 0; i < agents; i++, c->count++) c->cell[c->count] = cell, c->id[c->count] = first_id + i;
    return MASS_OK;
}

/* `count` of the declaration, in one world. */
static int64_t count_in(const mass_domain *d, const mass_population_def *p, int32_t world)
{
    return p->counts ? p->counts[d->share.first_world + world] : p->count;
}

/* Agents 0 to count - 1 at random, put in order of their places by counting. */
static mass_status place_at_random(const mass_domain *d, const mass_population_def *p, int32_t world, crowd *c,
                                   mass_error *error)
{
    const uint64_t places = (uint64_t)mass_space_places(&d->model->spaces[p->space]);
    const uint64_t key = mass_random_key(d->seed, (uint64_t)d->first_world + (uint64_t)world);
    const uint64_t n = (uint64_t)count_in(d, p, world);
    const uint32_t first = (uint32_t)(p - d->model->populations) * DRAWS;
    if (p->capacity && n > places * p->capacity)
        return mass_error_set(error, MASS_BAD_USAGE, "population %s: %" PRIu64 " agents do not fit on %" PRIu64
                              " places that hold %u each", p->name, n, places, p->capacity);
    if (n >= UINT32_MAX - 1) return mass_error_set(error, MASS_BAD_USAGE, "more than 2^32 - 3 agents are asked for");
    uint32_t *place = malloc((n + 1) * sizeof *place), *next = calloc(places + 1, sizeof *next);
    uint64_t *sorted = malloc((n + 1) * sizeof *sorted);
    mass_status status =
        place && next && sorted ? MASS_OK : mass_error_memory(error, n * 12 + places * 4, "a population");
    for (uint64_t k = 0; status == MASS_OK && k < n; k++) {
        const mass_random4 r = mass_random_block(key, k, 0, PLACING, first + ROUNDS);
        const uint64_t seat = p->capacity ? mass_permuted_u64(key, 0, PLACING, first, k, places * p->capacity) : 0;
        place[k] = p->capacity ? (uint32_t)(seat / p->capacity) : mass_below_u32((uint32_t)places, r.v[0], r.v[1]);
        next[place[k] + 1]++;
    }
    for (uint64_t i = 0; status == MASS_OK && i < places; i++) next[i + 1] += next[i];
    for (uint64_t k = 0; status == MASS_OK && k < n; k++) sorted[next[place[k]]++] = k;
    for (uint64_t i = 0; status == MASS_OK && i < n; i++)
        status = add_agents(c, 1, (uint32_t)((uint64_t)world * places + place[sorted[i]]), sorted[i], error);
    free(place);
    free(next);
    free(sorted);
    return status;
}

static mass_status place_everywhere(const mass_domain *d, const mass_population_def *p, int32_t world, crowd *c,
                                    mass_error *error)
{
    const int64_t places = mass_space_places(&d->model->spaces[p->space]), asked = count_in(d, p, world);
    const int64_t each = asked ? asked : 1;
    if (p->capacity && each > p->capacity)
        return mass_error_set(error, MASS_BAD_USAGE, "population %s: %" PRId64 " agents do not fit on a place that "
                              "holds %u", p->name, each, p->capacity);
    mass_status status = MASS_OK;
    for (int64_t i = 0; status == MASS_OK && i < places; i++)
        status = add_agents(c, (uint64_t)each, (uint32_t)(world * places + i), (uint64_t)(i * each), error);
    return status;
}

static int64_t number_at(const void *values, uint32_t type, int64_t i)
{
    switch (type) {
    case MASS_I8: return ((const int8_t *)values)[i];
    case MASS_U8: return ((const uint8_t *)values)[i];
    case MASS_I16: return ((const int16_t *)values)[i];
    case MASS_U16: return ((const uint16_t *)values)[i];
    case MASS_I32: return ((const int32_t *)values)[i];
    case MASS_U32: return ((const uint32_t *)values)[i];
    case MASS_I64: return ((const int64_t *)values)[i];
    default: return ((const uint64_t *)values)[i] > INT64_MAX ? INT64_MAX : (int64_t)((const uint64_t *)values)[i];
    }
}

static mass_status place_by_attribute(mass_domain *d, const mass_population_def *p, int32_t world, crowd *c,
                                      mass_error *error)
{
    const mass_space_def *s = &d->model->spaces[p->space];
    const mass_attribute_def *a = &d->model->attributes[p->where];
    const int64_t places = mass_space_places(s);
    void *values = malloc((size_t)places * a->component_size);
    if (!values) return mass_error_memory(error, (size_t)places * a->component_size, "a population");
    const mass_call_box all = {(uint32_t)p->where, world, 1, false, {0, 0, 0}, {s->size[0], s->size[1], s->size[2]}};
    mass_status status = mass_domain_move_own(d, &all, values, error);
    uint64_t id = 0;
    for (int64_t i = 0; status == MASS_OK && i < places; i++) {
        const int64_t n = number_at(values, a->type, i);
        if (n < 0 || (p->capacity && n > p->capacity))
            status = mass_error_set(error, MASS_BAD_USAGE, "population %s: attribute '%s' asks for %" PRId64 " agents "
                                    "on place %" PRId64, p->name, a->name, n, i);
        else if (n > 0) status = add_agents(c, (uint64_t)n, (uint32_t)(world * places + i), id, error);
        id += (uint64_t)n;
    }
    free(values);
    return status;
}

/* Every world counts its ids from 0. */
static mass_status upload_next_ids(mass_domain *d, const mass_population_def *p, const int64_t *next, mass_error *error)
{
    const mass_buffer tally = mass_domain_tally(d, (uint32_t)p->next_id);
    return mass_buffer_upload(tally, next, (size_t)d->worlds * sizeof *next, error);
}

static mass_status populate_by_table(mass_domain *d, uint32_t population, const mass_table *t, mass_error *error)
{
    const mass_status status = mass_population_set(d, population, t->count, t->id, t->cell, t->values, error);
    return status == MASS_OK ? upload_next_ids(d, &d->model->populations[population], t->next_id, error) : status;
}

mass_status mass_population_populate(mass_domain *d, uint32_t population, mass_error *error)
{
    const mass_population_def *p = &d->model->populations[population];
    if (d->populations[population].table)
        return populate_by_table(d, population, d->populations[population].table, error);
    crowd c = {0};
    int64_t *next = calloc((size_t)d->worlds, sizeof *next);
    mass_status status = next ? MASS_OK : mass_error_memory(error, (size_t)d->worlds * sizeof *next, "a population");
    for (int32_t w = 0; status == MASS_OK && w < d->worlds; w++) {
        const uint64_t before = c.count;
        if (p->initial == MASS_EVERY_PLACE) status = place_everywhere(d, p, w, &c, error);
        else if (p->initial == MASS_BY_ATTRIBUTE) status = place_by_attribute(d, p, w, &c, error);
        else status = place_at_random(d, p, w, &c, error);
        if (status == MASS_OK) next[w] = (int64_t)(c.count - before);
    }
    if (status == MASS_OK)
        status = mass_population_set(d, population, (uint32_t)c.count, c.id, c.cell, NULL, error);
    if (status == MASS_OK) status = upload_next_ids(d, p, next, error);
    free(next);
    free(c.cell);
    free(c.id);
    return status;
}
