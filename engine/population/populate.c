/* SPDX-License-Identifier: Apache-2.0 */
/* Places the initial agents. The host does it, so that they are the same on every device. If ranks split a space,
 * each rank finds the agents of its own places. */
#include "halo/counts.h"
#include "base/plural.h"
#include "population/populate.h"
#include "population/place_draws.h"
#include "population/population.h"
#include "population/relink_start.h"
#include "model/network.h"
#include "population/positions.h"
#include "population/table.h"
#include "ranks/rpc.h"
#include "state/box.h"
#include "state/tally.h"

#include <mass/random.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 1 << 26 }; /* bytes of an attribute that are read at once */
/* DRAWS: random draws of each population. The first ROUNDS are those of mass_permuted_u64, which gives each agent a
 * seat if places have a capacity. The next one is for places without a capacity. */
enum { ROUNDS = 8, DRAWS = MASS_DRAWS_OF_PLACES };
static const uint32_t PLACING = MASS_PHASE_OF_PLACES;

/* A growing list of the agents of all worlds. */
typedef struct agent_list {
    uint32_t *cell;
    uint64_t *id;
    uint64_t count, room;
} agent_list;

/* Appends `agents` agents at a cell, with ascending ids from first_id on. On failure the agents so far stay. Refuses
 * more than 2^32 - 3. */
static mass_status add_agents(agent_list *c, uint64_t agents, uint32_t cell, uint64_t first_id, mass_error *error)
{
    if (agents >= UINT32_MAX - 1 - c->count)
        return mass_error_set(error, MASS_BAD_USAGE, "more than 2^32 - 3 agents are asked for");
    if (c->count + agents > c->room) {
        uint64_t room = c->room * 2 > c->count + agents ? c->room * 2 : c->count + agents;
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

/* Returns the `count` of the declaration for one world. */
static int64_t count_in(const mass_domain *d, const mass_population_def *p, int32_t world)
{
    return p->counts ? p->counts[d->share.first_world + world] : p->count;
}

/* Returns the first place that this rank holds in a world. */
static uint64_t first_place(const mass_domain *d, const mass_population_def *p)
{
    return (uint64_t)mass_population_first_place(d, (uint32_t)(p - d->model->populations));
}

/* Returns the number of the places of a world that this rank holds. */
static int64_t places_of(const mass_domain *d, const mass_population_def *p)
{
    return d->populations[p - d->model->populations].places;
}

/* The agents of one world on this rank's places, in order of their numbers. */
typedef struct found {
    uint64_t *agent; /* [count] */
    uint32_t *place; /* [count] counted from the rank's first place */
    uint64_t count, room;
} found;

/* Adds an agent and its place to a list, which grows as needed. If memory is short, the list remains as it was. */
static mass_status add_found(found *f, uint64_t agent, uint32_t place, mass_error *error)
{
    if (f->count == f->room) {
        const uint64_t room = f->room + f->room / 2 + 64;
        uint64_t *agents = realloc(f->agent, room * sizeof *agents);
        if (agents) f->agent = agents;
        uint32_t *places = realloc(f->place, room * sizeof *places);
        if (places) f->place = places;
        if (!agents || !places) return mass_error_memory(error, room * sizeof *f, "a population");
        f->room = room;
    }
    f->agent[f->count] = agent;
    f->place[f->count++] = place;
    return MASS_OK;
}

/* Returns a number below n. The value is that of mass_below_u32, for n of 64 bits too. */
static uint64_t below(uint64_t n, mass_random4 r)
{
    return (uint64_t)((unsigned __int128)((uint64_t)r.v[0] << 32 | r.v[1]) * n >> 64);
}

/* Draws the places of agents 0 to n - 1 of a world, and keeps those on this rank. With a capacity it deals out
 * seats, so no place gets too many; else places are drawn one by one. */
static mass_status draw_places(const mass_domain *d, const mass_population_def *p, int32_t world, uint64_t n, found *f,
                               mass_error *error)
{
    const uint64_t all = (uint64_t)mass_space_places(&d->model->spaces[p->space]), first = first_place(d, p);
    const uint64_t key = mass_random_key(d->seed, (uint64_t)d->first_world + (uint64_t)world);
    const uint64_t own = (uint64_t)places_of(d, p);
    const uint32_t draw = (uint32_t)(p - d->model->populations) * DRAWS;
    mass_status status = MASS_OK;
    for (uint64_t k = 0; status == MASS_OK && k < n; k++) {
        const mass_random4 r = mass_random_block(key, k, 0, PLACING, draw + ROUNDS);
        const uint64_t seat = p->capacity ? mass_permuted_u64(key, 0, PLACING, draw, k, all * p->capacity) : 0;
        const uint64_t place = p->capacity ? seat / p->capacity : below(all, r);
        if (place - first < own) status = add_found(f, k, (uint32_t)(place - first), error);
    }
    return status;
}

/* Checks that n agents fit on `all` places, and that they can be counted. Returns MASS_BAD_USAGE if not. */
static mass_status check_random_places(const mass_population_def *p, uint64_t all, uint64_t n, mass_error *error)
{
    if (p->capacity && all > UINT64_MAX / p->capacity)
        return mass_error_set(error, MASS_BAD_USAGE, "population %s: %" PRIu64 " places that hold %u agents each are "
                              "too many to deal out their seats at random", p->name, all, p->capacity);
    if (p->capacity && n > all * p->capacity)
        return mass_error_set(error, MASS_BAD_USAGE, "population %s: %" PRIu64 " agents do not fit on %" PRIu64
                              " place%s that hold%s %u%s", p->name, n, all, mass_plural(all), all == 1 ? "s" : "",
                              p->capacity, all == 1 ? "" : " each");
    if (n >= UINT32_MAX - 1)
        return mass_error_set(error, MASS_BAD_USAGE, "population %s: more than 2^32 - 3 agents are asked for", p->name);
    return MASS_OK;
}

mass_status mass_population_check_start(const mass_model *m, const mass_population_def *p, int64_t count,
                                        mass_error *error)
{
    const int64_t each = count ? count : 1;
    if (p->initial == MASS_RANDOM_PLACES)
        return check_random_places(p, (uint64_t)mass_space_places(&m->spaces[p->space]), (uint64_t)count, error);
    if (p->initial == MASS_EVERY_PLACE && p->capacity && each > p->capacity)
        return mass_error_set(error, MASS_BAD_USAGE, "population %s: %" PRId64 " agents do not fit on a place that "
                              "holds %u", p->name, each, p->capacity);
    return MASS_OK;
}

/* Places agents 0 to count - 1 at random. A counting sort orders them by place. Refuses more agents than the places
 * have seats. */
static mass_status place_at_random(const mass_domain *d, const mass_population_def *p, int32_t world, agent_list *c,
                                   mass_error *error)
{
    const int64_t asked = count_in(d, p, world);
    const uint64_t places = (uint64_t)places_of(d, p);
    found f = {0};
    mass_status status = mass_population_check_start(d->model, p, asked, error);
    if (status != MASS_OK) return status;
    status = draw_places(d, p, world, (uint64_t)asked, &f, error);
    uint32_t *next = calloc(places + 1, sizeof *next);
    uint64_t *sorted = malloc((f.count + 1) * sizeof *sorted);
    if (status == MASS_OK && (!next || !sorted))
        status = mass_error_memory(error, f.count * 8 + places * 4, "a population");
    for (uint64_t i = 0; status == MASS_OK && i < f.count; i++) next[f.place[i] + 1]++;
    for (uint64_t i = 0; status == MASS_OK && i < places; i++) next[i + 1] += next[i];
    for (uint64_t i = 0; status == MASS_OK && i < f.count; i++) sorted[next[f.place[i]]++] = i;
    for (uint64_t i = 0; status == MASS_OK && i < f.count; i++)
        status = add_agents(c, 1, (uint32_t)((uint64_t)world * places + f.place[sorted[i]]), f.agent[sorted[i]], error);
    free(f.agent);
    free(f.place);
    free(next);
    free(sorted);
    return status;
}

/* Places `count` agents on every place, one if the declaration has none. Their ids count along the places of the
 * whole space. Refuses more agents than a place has seats. */
static mass_status place_everywhere(const mass_domain *d, const mass_population_def *p, int32_t world, agent_list *c,
                                    mass_error *error)
{
    const int64_t places = places_of(d, p), first = (int64_t)first_place(d, p), asked = count_in(d, p, world);
    const int64_t each = asked ? asked : 1;
    mass_status status = mass_population_check_start(d->model, p, asked, error);
    for (int64_t i = 0; status == MASS_OK && i < places; i++)
        status = add_agents(c, (uint64_t)each, (uint32_t)(world * places + i), (uint64_t)((first + i) * each), error);
    return status;
}

/* Returns element i as an integer, INT64_MAX at the most. */
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

/* Places as many agents on each place as an attribute's value says. Refuses a value that is negative or too large.
 * Ids count from 0 on this rank. first: the place of the first value; cell: its cell; *id: the next id, which grows. */
static mass_status place_rows(const mass_domain *d, const mass_population_def *p, const void *values, int64_t count,
                              int64_t first, uint64_t cell, uint64_t *id, agent_list *c, mass_error *error)
{
    const mass_attribute_def *a = &d->model->attributes[p->where];
    mass_status status = MASS_OK;
    for (int64_t i = 0; status == MASS_OK && i < count; i++) {
        const int64_t n = number_at(values, a->type, i);
        if (n < 0 || (p->capacity && n > p->capacity))
            status = mass_error_set(error, MASS_BAD_USAGE, "population %s: attribute '%s' asks for %" PRId64 " agent%s "
                                    "on place %" PRId64, p->name, a->name, n, mass_plural(n), first + i);
        else if (n > 0) status = add_agents(c, (uint64_t)n, (uint32_t)(cell + (uint64_t)i), *id, error);
        *id += (uint64_t)n;
    }
    return status;
}

/* Places agents by an attribute, which it reads some rows at a time: there may be many more places than agents. */
static mass_status place_by_attribute(mass_domain *d, const mass_population_def *p, int32_t world, agent_list *c,
                                      mass_error *error)
{
    const mass_space_def *s = &d->model->spaces[p->space];
    const mass_attribute_def *a = &d->model->attributes[p->where];
    const uint32_t axis = mass_slab_axis(s);
    const int64_t places = places_of(d, p), first = (int64_t)first_place(d, p);
    const int64_t row = mass_space_places(s) / s->size[axis], rows = places / row;
    const int64_t fit = WINDOW / (row * (int64_t)a->component_size), most = fit > rows ? rows : fit > 0 ? fit : 1;
    mass_rpc_box box = {(uint32_t)p->where, world, 1, false, false, {0, 0, 0}, {s->size[0], s->size[1], s->size[2]}};
    void *values = malloc((size_t)(most * row) * a->component_size);
    if (!values) return mass_error_memory(error, (size_t)(most * row) * a->component_size, "a population");
    mass_status status = MASS_OK;
    uint64_t id = 0;
    for (int64_t at = 0; status == MASS_OK && at < rows; at += box.extent[axis]) {
        box.origin[axis] = first / row + at;
        box.extent[axis] = rows - at < most ? rows - at : most;
        status = mass_domain_move_own(d, &box, values, error);
        if (status == MASS_OK)
            status = place_rows(d, p, values, box.extent[axis] * row, first + at * row,
                                (uint64_t)(world * places + at * row), &id, c, error);
    }
    free(values);
    return status;
}

/* Shifts ids, so that they continue those of the ranks before this one. before: [worlds] this rank's agents in each
 * world; those of the ranks before it when this returns. All ranks call it together. */
static mass_status shift_ids(const mass_domain *d, const mass_population_def *p, int64_t *before, agent_list *c,
                             mass_error *error)
{
    const mass_status status = d->share.comm->table->scan(d->share.comm, before, (size_t)d->worlds, error);
    for (uint64_t i = 0; status == MASS_OK && i < c->count; i++)
        c->id[i] += (uint64_t)before[c->cell[i] / places_of(d, p)];
    return status;
}

/* Uploads next_id. Ids of each world count from 0. If ranks split the space, a rank's share of next_id is the number
 * of its agents. */
static mass_status upload_next_ids(mass_domain *d, const mass_population_def *p, const int64_t *next, mass_error *error)
{
    const mass_buffer tally = mass_domain_tally(d, (uint32_t)p->next_id);
    return mass_buffer_upload(tally, next, (size_t)d->worlds * sizeof *next, error);
}

/* Sets a population's agents, ids and values as a table lists them, and the next free ids. */
static mass_status populate_by_table(mass_domain *d, uint32_t population, const mass_table *t, mass_error *error)
{
    const mass_status status = mass_population_set(d, population, t->count, t->id, t->cell, t->values, error);
    return status == MASS_OK ? upload_next_ids(d, &d->model->populations[population], t->next_id, error) : status;
}

/* Places the agents of all worlds by the population's rule. counts: [2][worlds] this rank's agents in each world, then
 * room for the same number; NULL: memory is short, which is a failure. All ranks call it together. */
static mass_status place(mass_domain *d, const mass_population_def *p, int64_t *counts, agent_list *c,
                         mass_error *error)
{
    const size_t worlds = (size_t)d->worlds;
    mass_status status = counts ? MASS_OK : mass_error_memory(error, 2 * worlds * sizeof *counts, "a population");
    for (int32_t w = 0; status == MASS_OK && w < d->worlds; w++) {
        const uint64_t before = c->count;
        if (p->initial == MASS_BY_LOAD) continue; /* load has added none, or there would be a table */
        if (p->initial == MASS_EVERY_PLACE) status = place_everywhere(d, p, w, c, error);
        else if (p->initial == MASS_BY_ATTRIBUTE) status = place_by_attribute(d, p, w, c, error);
        else status = place_at_random(d, p, w, c, error);
        counts[w] = (int64_t)(c->count - before);
    }
    if (p->initial != MASS_BY_ATTRIBUTE || !mass_share_is_split(&d->share)) return status;
    status = mass_rpc_agree(d->share.comm, status, error);
    if (status != MASS_OK) return status;
    memcpy(counts + worlds, counts, worlds * sizeof *counts);
    return shift_ids(d, p, counts + worlds, c, error);
}

/* Sets a population's agents as its rule for the start says, and the next free ids. All ranks call it together. */
static mass_status populate_by_rule(mass_domain *d, uint32_t population, mass_error *error)
{
    const mass_population_def *p = &d->model->populations[population];
    agent_list c = {0};
    int64_t *counts = calloc((size_t)d->worlds, 2 * sizeof *counts);
    mass_status status = place(d, p, counts, &c, error);
    if (status == MASS_OK && p->position >= 0)
        status = mass_population_set_points(d, population, (uint32_t)c.count, c.id, c.cell, error);
    else if (status == MASS_OK)
        status = mass_population_set(d, population, (uint32_t)c.count, c.id, c.cell, NULL, error);
    if (status == MASS_OK) status = upload_next_ids(d, p, counts, error);
    free(counts);
    free(c.cell);
    free(c.id);
    return status;
}

mass_status mass_population_populate(mass_domain *d, uint32_t population, mass_error *error)
{
    const mass_table *table = d->populations[population].table;
    mass_status status = MASS_OK;
    if (mass_model_is_of_edges(d->model, population)) status = mass_relink_populate(d, population, error);
    else if (table) status = populate_by_table(d, population, table, error);
    else status = populate_by_rule(d, population, error);
    if (!mass_share_is_split(&d->share)) return status;
    status = mass_rpc_agree(d->share.comm, status, error);
    return status == MASS_OK ? mass_place_counts_refresh(d, population, error) : status;
}
