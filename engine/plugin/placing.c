/* SPDX-License-Identifier: Apache-2.0 */
/* Adds the agents of a plugin's load. Each call becomes rows of a table of initial agents, one table for each
 * population. They go to the domain when load has returned. */
#include "plugin/probe.h"
#include "base/plural.h"
#include "plugin/services.h"
#include "model/positions.h"
#include "population/gather.h"
#include "population/table_rows.h"
#include "process/signals.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rows of a population. */
typedef struct placed {
    mass_table_request request;
    mass_table_rows rows; /* without a request until the first call */
    char where[MASS_NAME_SIZE + 32]; /* for messages: "load, population ants" */
    uint32_t *residents; /* [places] of a trial's only world; else NULL */
} placed;

struct mass_placed {
    placed of[MASS_POPULATIONS_MAX];
};

/* An array of one call: a coordinate, the ids, or a component of an attribute. */
typedef struct given {
    mass_table_column column;
    const char *values; /* of the first agent */
    uint32_t type;      /* MASS_STRUCT: bytes to copy */
    size_t stride;      /* bytes from one agent to the next */
} given;

/* A call that adds agents. */
typedef struct call {
    mass_engine_host *host;
    mass_placing placing;
    placed *to;
    given *arrays; /* places first */
    uint32_t count, places, room;
} call;

static const char *const axes[] = {"x", "y", "z"};

/* Returns the population of the call. Call it after find_rows. */
static const mass_population_def *population_of(const call *c)
{
    return &c->host->model->populations[c->to->request.population];
}

/* ---- the arrays of a call ---- */

/* Appends an array to those of the call. On failure these stay. */
static mass_status add_array(call *c, const given *array)
{
    if (c->count == c->room) {
        const uint32_t room = c->room * 2 + 8;
        given *larger = realloc(c->arrays, room * sizeof *larger);
        if (!larger) return mass_error_memory(c->host->error, room * sizeof *larger, "agents");
        c->arrays = larger;
        c->room = room;
    }
    c->arrays[c->count++] = *array;
    return MASS_OK;
}

/* Adds an array of places or ids, whose values have 8 bytes each. */
static mass_status add_own(call *c, const char *name, mass_table_role role, uint32_t type, const void *values)
{
    given array = {.column = {.role = role}, .values = values, .type = type, .stride = 8};
    snprintf(array.column.name, sizeof array.column.name, "%s", name);
    return add_array(c, &array);
}

/* Adds the arrays of places: `place`, or one for each axis; none for agents with positions. Refuses arrays that are
 * too many, or are missing although there are agents. Sets c->places. */
static mass_status add_places(call *c)
{
    const mass_placing *p = &c->placing;
    const mass_gidx *const along[] = {p->x, p->y, p->z};
    const mass_population_def *def = population_of(c);
    const mass_space_def *space = &c->host->model->spaces[def->space];
    mass_status status = MASS_OK;
    if (p->place && (p->x || p->y || p->z))
        return mass_error_set(c->host->error, MASS_BAD_PLUGIN, "load gives agents of population %s both .place and "
                              "coordinates: give one of them", def->name);
    if (def->position >= 0) {
        if (p->place || p->x || p->y || p->z)
            return mass_error_set(c->host->error, MASS_BAD_PLUGIN, "load gives agents of population %s places, and "
                                  "they have positions: give it MASS_COLUMN(%s, points)", def->name,
                                  c->host->model->attributes[def->position].name);
        return MASS_OK;
    }
    for (uint32_t a = 0; status == MASS_OK && !p->place && a < 3; a++) {
        const bool needed = a < space->dimensions;
        if (needed && along[a]) status = add_own(c, axes[a], (mass_table_role)a, MASS_I64, along[a]);
        else if (along[a] || (needed && p->count))
            return mass_error_set(c->host->error, MASS_BAD_PLUGIN, "load gives agents of population %s %s .%s, and "
                                  "space %s has %u dimension%s", def->name, needed ? "no" : "an array", axes[a],
                                  space->name, space->dimensions, mass_plural(space->dimensions));
    }
    if (p->place) status = add_own(c, "place", MASS_TABLE_PLACE, MASS_I64, p->place);
    c->places = c->count;
    return status;
}

/* Refuses a column of values, of which `what` is wrong. */
static mass_status refuse_column(const call *c, const mass_agent_column *column, const char *what)
{
    return mass_error_set(c->host->error, MASS_BAD_PLUGIN, "load gives attribute '%s' of population '%s', %s",
                          column->attribute, population_of(c)->name, what);
}

/* Adds an array for each component of an attribute, named "name[0]" and so on; one for a struct. */
static mass_status add_components(call *c, const mass_agent_column *v, uint32_t attribute)
{
    const mass_attribute_def *a = &c->host->model->attributes[attribute];
    const bool whole = v->type == MASS_STRUCT, bytes = a->type == MASS_STRUCT;
    mass_status status = MASS_OK;
    for (uint32_t k = 0; status == MASS_OK && k < (bytes ? 1 : a->length); k++) {
        given array = {.column = {.role = MASS_TABLE_ATTRIBUTE, .attribute = attribute, .component = k},
                       .values = (const char *)v->values + k * a->component_size, .stride = v->size,
                       .type = whole ? a->type : v->type};
        const int length = snprintf(array.column.name, sizeof array.column.name, "%s", a->name);
        if (a->length > 1)
            snprintf(array.column.name + length, sizeof array.column.name - (size_t)length, "[%u]", k);
        status = add_array(c, &array);
    }
    return status;
}

/* Adds the arrays of a column, one for each component. Refuses an attribute that is not declared or is there twice,
 * and elements that do not suit it. */
static mass_status add_column(call *c, const mass_agent_column *v)
{
    const mass_model *m = c->host->model;
    const uint32_t first = population_of(c)->first_attribute + MASS_AGENT_COLUMNS;
    const int index = mass_model_find_agent_attribute(m, c->to->request.population, v->attribute);
    if (index < 0 || (uint32_t)index < first) return refuse_column(c, v, "which it did not declare");
    const mass_attribute_def *a = &m->attributes[index];
    const bool point = index == population_of(c)->position && v->type == MASS_STRUCT;
    const bool whole = a->type == MASS_STRUCT || a->length > 1 || point;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->arrays[i].column.role == MASS_TABLE_ATTRIBUTE && c->arrays[i].column.attribute == (uint32_t)index)
            return refuse_column(c, v, "twice in one call");
    if (!v->values && c->placing.count) return refuse_column(c, v, "without an array");
    if (whole && (v->type != MASS_STRUCT || v->size != mass_element_size(a)))
        return refuse_column(c, v, "in an array of other elements than those of the attribute");
    if (!whole && (v->type <= MASS_TYPE_NONE || v->type >= MASS_STRUCT || v->size != mass_type_size(v->type)))
        return refuse_column(c, v, "in an array of another type than int8_t to uint64_t, float, double or "
                             "bool");
    return add_components(c, v, (uint32_t)index);
}

/* Adds all columns of the call, up to one without an attribute's name. */
static mass_status add_columns(call *c)
{
    static const mass_sized sized = {"agent column", sizeof(mass_agent_column),
                                     MASS_THROUGH(mass_agent_column, size)};
    const char *next = (const char *)c->placing.columns;
    mass_agent_column own;
    mass_status status = MASS_OK;
    for (; status == MASS_OK && next; next += c->placing.column_size) {
        status = mass_sized_take(&sized, &own, next, c->placing.column_size, c->host->error);
        if (status == MASS_OK && !own.attribute) break;
        if (status == MASS_OK) status = add_column(c, &own);
    }
    return status;
}

/* ---- a trial, whose spaces are smaller ---- */

/* Returns a coordinate, or a place, moved into a trial's space as on a torus, and notes if it was outside.
 * role: the axis, or MASS_TABLE_PLACE. */
static mass_number fit(const call *c, mass_table_role role, mass_number n)
{
    const mass_space_def *s = &c->host->model->spaces[population_of(c)->space];
    const int64_t extent = role == MASS_TABLE_PLACE ? mass_space_places(s) : s->size[role];
    const int64_t inside = (n.i % extent + extent) % extent;
    c->host->fitted |= inside != n.i;
    return (mass_number){.kind = MASS_NUMBER_SIGNED, .i = inside};
}

/* Returns a coordinate of a point within a trial's space, into which it wraps from outside; then notes that in the
 * host (fitted). What is no finite number stays. */
static mass_number fit_point(const call *c, const mass_table_column *column, mass_number n)
{
    const mass_space_def *s = &c->host->model->spaces[population_of(c)->space];
    const double length = (double)s->size[column->component] * s->cell;
    if (n.kind != MASS_NUMBER_REAL || !isfinite(n.f) || (n.f >= 0 && n.f < length)) return n;
    const double rest = fmod(n.f, length), inside = rest < 0 ? rest + length : rest;
    c->host->fitted = true;
    return (mass_number){.kind = MASS_NUMBER_REAL, .f = inside < length ? inside : 0};
}

/* Returns true if an array of the call gives agents their places or positions. */
static bool locates(const call *c, const given *array)
{
    return array < c->arrays + c->places || (array->column.role == MASS_TABLE_ATTRIBUTE &&
                                             (int)array->column.attribute == population_of(c)->position);
}

/* Returns the place of an agent that has its coordinates or its position. A position that is outside has place 0. */
static uint64_t place_of(const call *c, uint64_t row)
{
    const mass_table_rows *rows = &c->to->rows;
    const mass_model *m = c->host->model;
    const int position = population_of(c)->position;
    int64_t place = 0;
    if (position < 0) return rows->place[row];
    mass_positions_find_place(m, c->to->request.population,
                              (const char *)rows->values[position] + row * mass_element_size(&m->attributes[position]),
                              &place);
    return (uint64_t)place;
}

/* Takes a seat on a place of a trial. Returns false if there is none, and notes that agents were left out. */
static bool take_seat(const call *c, uint64_t place)
{
    const uint32_t capacity = population_of(c)->capacity;
    const uint32_t most = capacity && capacity < MASS_PROBE_COUNT ? capacity : MASS_PROBE_COUNT;
    if (c->to->residents[place] < most) return ++c->to->residents[place];
    c->host->fitted = true;
    return false;
}

/* ---- rows ---- */

/* Stores what an array has of an agent in a row. In a trial, moves places and positions into the smaller space. */
static mass_status put(const call *c, const given *array, int64_t agent, uint64_t row)
{
    mass_table_rows *rows = &c->to->rows;
    const char *from = array->values + (size_t)agent * array->stride;
    if (array->type == MASS_STRUCT) { /* of one element */
        memcpy((char *)rows->values[array->column.attribute] + row * array->stride, from, array->stride);
        return MASS_OK;
    }
    mass_number n = mass_number_at(array->type, from);
    if (c->to->residents && locates(c, array))
        n = array < c->arrays + c->places ? fit(c, array->column.role, n) : fit_point(c, &array->column, n);
    return mass_table_put_in(rows, &array->column, row, n, c->host->error);
}

/* Stores what the arrays have of an agent in a row: its place or position, or else the rest. */
static mass_status put_some(const call *c, int64_t agent, uint64_t row, bool location)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < c->count; i++)
        if (locates(c, &c->arrays[i]) == location) status = put(c, &c->arrays[i], agent, row);
    return status;
}

/* Stores an agent in the next row, for which there is room. In a trial, leaves it out if its place is full. */
static mass_status put_agent(const call *c, int64_t agent)
{
    mass_table_rows *rows = &c->to->rows;
    const uint64_t row = rows->count;
    const mass_gidx first = c->host->domain->first_world;
    rows->place[row] = 0;
    rows->world[row] = c->placing.world == MASS_EVERY_WORLD ? MASS_EVERY_WORLD : (int32_t)first + c->placing.world;
    if (rows->id) rows->id[row] = MASS_TABLE_UNNUMBERED;
    mass_status status = put_some(c, agent, row, true);
    if (status == MASS_OK && c->to->residents && !take_seat(c, place_of(c, row))) return MASS_OK;
    if (status == MASS_OK) status = put_some(c, agent, row, false);
    if (status == MASS_OK) rows->count++;
    return status;
}

/* Makes room for the agents of the call, and columns for what it gives: ids and attributes. Rows get default values;
 * put_agent fills them. */
static mass_status make_room(const call *c)
{
    mass_table_rows *rows = &c->to->rows;
    mass_error *error = c->host->error;
    mass_status status = mass_table_widen(rows, rows->count + (uint64_t)c->placing.count, error);
    if (status == MASS_OK && c->placing.id) status = mass_table_hold_ids(rows, error);
    for (uint32_t i = 0; status == MASS_OK && i < c->count; i++)
        if (c->arrays[i].column.role == MASS_TABLE_ATTRIBUTE)
            status = mass_table_hold_values(rows, c->arrays[i].column.attribute, error);
    return status;
}

/* Refuses agents without positions in continuous space. */
static mass_status check_positions(const call *c)
{
    const mass_population_def *p = population_of(c);
    bool found = p->position < 0 || c->placing.count == 0;
    for (uint32_t i = 0; i < c->count; i++)
        found |= c->arrays[i].column.role == MASS_TABLE_ATTRIBUTE &&
                 (int)c->arrays[i].column.attribute == p->position;
    if (found) return MASS_OK;
    return mass_error_set(c->host->error, MASS_BAD_PLUGIN, "load gives agents of population %s no positions: give it "
                          "MASS_COLUMN(%s, points)", p->name, c->host->model->attributes[p->position].name);
}

/* Adds the arrays of the call, checks them, and adds all its agents. */
static mass_status add_agents(call *c)
{
    mass_status status = add_places(c);
    if (status == MASS_OK && c->placing.id) status = add_own(c, "id", MASS_TABLE_ID, MASS_U64, c->placing.id);
    if (status == MASS_OK) status = add_columns(c);
    if (status == MASS_OK) status = check_positions(c);
    if (status == MASS_OK) status = make_room(c);
    for (int64_t i = 0; status == MASS_OK && i < c->placing.count; i++) status = put_agent(c, i);
    return status;
}

/* ---- the service ---- */

/* Sets c->to to the rows of the call's population. Makes them at its first call; in a trial with counts by place. */
static mass_status find_rows(call *c, uint32_t population)
{
    mass_engine_host *h = c->host;
    const mass_population_def *p = &h->model->populations[population];
    if (!h->placed && !(h->placed = calloc(1, sizeof *h->placed)))
        return mass_error_memory(h->error, sizeof *h->placed, "agents");
    c->to = &h->placed->of[population];
    if (c->to->rows.request) return MASS_OK;
    c->to->request = (mass_table_request){h->model, population, h->domain->share.worlds,
                                          (int32_t)h->domain->first_world};
    snprintf(c->to->where, sizeof c->to->where, "load, population %s", p->name);
    c->to->rows = (mass_table_rows){.request = &c->to->request, .path = c->to->where, .by_hand = true};
    c->to->rows.world = calloc(1, sizeof *c->to->rows.world);
    const uint64_t places = h->opening->extent_limit ? (uint64_t)mass_space_places(&h->model->spaces[p->space]) : 0;
    if (places) c->to->residents = calloc(places, sizeof *c->to->residents);
    if (c->to->rows.world && (!places || c->to->residents)) return MASS_OK;
    return mass_error_memory(h->error, places * sizeof *c->to->residents, "agents");
}

/* Checks the population, the world and the number of agents of the call, and finds its rows. */
static mass_status check_call(call *c)
{
    const mass_placing *p = &c->placing;
    mass_error *error = c->host->error;
    const int index = mass_model_find_population(c->host->model, p->population);
    const int32_t worlds = c->host->domain->share.worlds;
    if (index < 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "load adds agents to population '%s', which it did not declare",
                              p->population ? p->population : "");
    if (c->host->model->populations[index].initial != MASS_BY_LOAD)
        return mass_error_set(error, MASS_BAD_PLUGIN, "load adds agents to population %s, which starts in another way: "
                              "declare it with .initial = MASS_BY_LOAD", p->population);
    if (p->world != MASS_EVERY_WORLD && (p->world < 0 || p->world >= worlds))
        return mass_error_set(error, MASS_BAD_PLUGIN, "load adds agents of population %s to world %d, and the run has "
                              "%d", p->population, p->world, worlds);
    if (p->count < 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "load adds %" PRId64 " agents to population %s", p->count,
                              p->population);
    return find_rows(c, (uint32_t)index);
}

/* Adds agents to a population while load is running. After an earlier error it only returns that, and a signal ends
 * it, too. */
static mass_status add(mass_host *host, const mass_placing *d)
{
    static const mass_sized sized = {"agents", sizeof(mass_placing), MASS_THROUGH(mass_placing, column_size)};
    call c = {.host = self(host)};
    mass_error *error = c.host->error;
    if (error->status != MASS_OK) return error->status;
    if (!c.host->loading) return mass_error_set(error, MASS_BAD_PLUGIN, "it adds agents, and load is not running");
    mass_status status = mass_signals_check(error);
    if (status == MASS_OK) status = mass_sized_take(&sized, &c.placing, d, d ? d->struct_size : 0, error);
    if (status == MASS_OK) status = check_call(&c);
    if (status == MASS_OK) status = add_agents(&c);
    free(c.arrays);
    return status;
}

const mass_placing_table mass_host_placing_table = {sizeof mass_host_placing_table, add};

mass_status mass_placed_start(mass_engine_host *h, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; h->placed && status == MASS_OK && i < h->model->population_count; i++) {
        const mass_table_rows *rows = &h->placed->of[i].rows;
        mass_table table;
        if (rows->count == 0 || h->domain->populations[i].table) continue;
        status = mass_table_finish(rows, &table, error);
        mass_table_rows_free(&h->placed->of[i].rows);
        h->placed->of[i].rows = (mass_table_rows){0};
        if (status == MASS_OK) status = mass_population_take_table(h->domain, i, &table, error);
    }
    return status;
}

void mass_placed_free(mass_engine_host *h)
{
    for (uint32_t i = 0; h->placed && i < MASS_POPULATIONS_MAX; i++) {
        mass_table_rows_free(&h->placed->of[i].rows);
        free(h->placed->of[i].residents);
    }
    free(h->placed);
    h->placed = NULL;
}
