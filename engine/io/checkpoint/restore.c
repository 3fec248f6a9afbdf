/* SPDX-License-Identifier: Apache-2.0 */
/* Passes the contents of a checkpoint to a sink, chunk by chunk. A function that returns bool, and says no more,
 * returns false at the first fault, with the reader's error set. */
#include "io/checkpoint/reader.h"
#include "snapshot/snapshot.h"

#include "model/positions.h"
#include "model/range.h"
#include "ranks/transfer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 1 << 14 }; /* agents that are counted at once */

typedef struct restoring {
    mass_reader *reader;
    const mass_snapshot_sink *sink;
    const mass_snapshot *numbers;
    mass_stray_value stray; /* the first value out of range */
    uint64_t stray_bytes;   /* that value, of at most 8 bytes */
    bool strays;
} restoring;

/* An attribute on its way to the sink. */
typedef struct giving {
    restoring *all;
    const mass_attribute_def *def; /* in the model */
    uint32_t attribute;
    uint64_t given, read;  /* elements given, and components read */
    size_t held, room;     /* bytes of the buffer */
    char *buffer;
    uint64_t width;        /* components of a row, if bits were stored as bytes; else 0 */
    mass_column place;     /* of positions: the places of their agents; else it is zero */
} giving;

/* Copies a sink's error to the reader. Returns false. */
static bool refuse(restoring *v, const mass_error *why)
{
    mass_error_set(v->reader->error, why->status, "%s", why->text);
    return false;
}

/* Opens one of the engine's own columns, number `which`, of a population of the checkpoint's model. */
static bool open_column(mass_reader *r, uint32_t population, uint32_t which, hid_t type, mass_column *out)
{
    const mass_model *m = &r->c->model;
    const mass_population_def *p = &m->populations[population];
    char path[2 * MASS_NAME_SIZE + 32];
    snprintf(path, sizeof path, "/agents/%s/%s", p->name, m->attributes[p->first_attribute + which].name);
    return mass_column_begin(r, r->c->file, path, type, out);
}

/* Reads the id and the world of an agent, by its number in the file. population: of the run's model. */
static bool read_agent(restoring *v, int32_t population, uint64_t agent, uint64_t *id, int32_t *world)
{
    mass_reader *r = v->reader;
    mass_column ids = {0}, worlds = {0};
    const int from = mass_model_find_population(&r->c->model, v->numbers->model->populations[population].name);
    const bool good = open_column(r, (uint32_t)from, MASS_AGENT_ID, H5T_STD_U64LE, &ids) &&
                      open_column(r, (uint32_t)from, MASS_AGENT_WORLD, H5T_STD_I32LE, &worlds) &&
                      mass_column_read(&ids, agent, 1, id) && mass_column_read(&worlds, agent, 1, world);
    mass_column_end(&ids);
    mass_column_end(&worlds);
    return good;
}

/* Refuses an agent whose position is not in its place, with its id and world, which it reads for that. Returns
 * false. */
static bool refuse_point(const giving *g, uint64_t agent, const char *point, int64_t place)
{
    restoring *v = g->all;
    const mass_model *m = v->numbers->model;
    const uint32_t population = (uint32_t)g->def->population;
    const mass_space_def *s = &m->spaces[g->def->space];
    char at[100] = "";
    uint64_t id;
    int32_t world;
    size_t used = 0;
    if (!read_agent(v, g->def->population, agent, &id, &world)) return false;
    for (uint32_t a = 0; a < s->dimensions; a++)
        used += (size_t)snprintf(at + used, sizeof at - used, "%s%.9g", a ? ", " : "",
                                 mass_positions_coordinate(m, population, point, a));
    mass_error_set(v->reader->error, MASS_BAD_INPUT, "%s: agent %" PRIu64 " of population %s in world %" PRId32 " has "
                   "the position (%s), which is not in its place, %" PRId64 ", with cells of %.9g", v->reader->c->path,
                   id, m->populations[population].name, world, at, place, s->cell);
    return false;
}

/* Checks that the first agents of the buffer, which have positions, are in the places of these. */
static bool check_points(giving *g, uint64_t count)
{
    enum { AT_ONCE = 512 };
    int64_t places[AT_ONCE];
    const size_t size = mass_element_size(g->def);
    for (uint64_t first = 0; first < count; first += AT_ONCE) {
        const uint64_t some = count - first < AT_ONCE ? count - first : AT_ONCE;
        if (!mass_column_read(&g->place, g->given + first, some, places)) return false;
        for (uint64_t i = 0; i < some; i++) {
            const char *const point = g->buffer + (first + i) * size;
            int64_t place;
            if (mass_positions_find_place(g->all->numbers->model, (uint32_t)g->def->population, point, &place) >= 0 ||
                place != places[i])
                return refuse_point(g, g->given + first + i, point, places[i]);
        }
    }
    return true;
}

/* Passes the complete elements of the buffer to the sink; moves the rest to the buffer's start. */
static bool give(giving *g)
{
    const mass_snapshot_sink *sink = g->all->sink;
    const size_t size = mass_element_size(g->def), whole = g->held / size;
    mass_error why = {0};
    if (whole == 0) return true;
    if (g->place.reader && !check_points(g, whole)) return false;
    if (sink->write(sink->context, g->attribute, g->given, whole, g->buffer, &why) != MASS_OK)
        return refuse(g->all, &why);
    g->given += whole;
    g->held -= whole * size;
    memmove(g->buffer, g->buffer + whole * size, g->held);
    return true;
}

/* Remembers the first value out of range in all attributes. It is refused only if all else is as it was written. */
static void look_for_strays(giving *g, const void *values, uint64_t components)
{
    restoring *v = g->all;
    if (!g->def->ranged || v->strays) return;
    const size_t first = mass_range_find(g->def, values, components);
    if (first == components) return;
    v->strays = true;
    memcpy(&v->stray_bytes, (const char *)values + first * g->def->component_size, g->def->component_size);
    v->stray = (mass_stray_value){.attribute = g->attribute, .index = g->read + first, .at = &v->stray_bytes};
}

/* Packs bytes of 0 or 1 into bits, row by row, and passes full buffers to the sink. Refuses other values. */
static bool take_bytes(giving *g, const uint8_t *values, uint64_t components)
{
    const uint64_t length = g->def->length, row = (g->width / length + 7) / 8 * length;
    for (uint64_t i = 0; i < components; i++, g->read++) {
        const uint64_t at = g->read % g->width, x = at / length;
        mass_reader *r = g->all->reader;
        if (at == 0 && g->held + row > g->room && !give(g)) return false;
        if (at == 0) memset(g->buffer + g->held, 0, row);
        if (values[i] > 1) {
            mass_error_set(r->error, MASS_BAD_INPUT, "%s: '%s' has a value of %u, and %s has bits there, which are 0 "
                           "and 1", r->c->path, g->def->name, values[i], g->all->numbers->model->plugin);
            return false;
        }
        g->buffer[g->held + x / 8 * length + at % length] |= (char)(values[i] << x % 8);
        if (at + 1 == g->width) g->held += row;
    }
    return true;
}

/* Takes a chunk of values; passes complete elements to the sink once the buffer is full, and looks for values out of
 * range. */
static bool take_values(void *context, const void *values, uint64_t components)
{
    giving *g = context;
    if (g->width) return take_bytes(g, values, components);
    const size_t bytes = components * g->def->component_size;
    if (g->held + bytes > g->room && !give(g)) return false;
    memcpy(g->buffer + g->held, values, bytes);
    g->held += bytes;
    look_for_strays(g, values, components);
    g->read += components;
    return true;
}

/* Reads attribute `from` of the checkpoint's model, checks its hash, and passes it to the sink. Bytes may become
 * bits. */
static bool give_attribute(restoring *v, uint32_t from)
{
    const mass_model *m = v->numbers->model;
    const uint32_t attribute = (uint32_t)mass_checkpoint_counterpart(&v->reader->c->model, from, m);
    const size_t size = mass_element_size(&m->attributes[attribute]);
    giving g = {.all = v, .def = &m->attributes[attribute], .attribute = attribute,
                .room = mass_transfer_elements(size) * size + MASS_READER_BOX_BYTES};
    const size_t all = mass_snapshot_size(v->numbers, attribute);
    const mass_space_def *space = &m->spaces[g.def->space];
    if (g.def->type == MASS_BIT && v->reader->c->model.attributes[from].type != MASS_BIT)
        g.width = (uint64_t)space->size[0] * g.def->length;
    if (g.width && g.room < g.width) g.room = g.width;
    if (g.room > all) g.room = all;
    g.buffer = malloc(g.room + 1);
    bool good = g.buffer || mass_reader_no_memory(v->reader, g.room);
    if (good && g.def->population >= 0 && m->populations[g.def->population].position == (int)attribute)
        good = open_column(v->reader, (uint32_t)v->reader->c->model.attributes[from].population, MASS_AGENT_PLACE,
                           H5T_STD_I64LE, &g.place);
    good = good && mass_reader_stream(v->reader, from, take_values, &g) && give(&g);
    mass_column_end(&g.place);
    free(g.buffer);
    return good;
}

/* ---- agents ---- */

/* Checks worlds and places again: somebody may have changed the file since the first check. Returns false, without an
 * error, if one does not exist. */
static bool are_there(const mass_checkpoint *c, uint32_t population, const int32_t *world, const int64_t *place,
                      uint64_t count)
{
    const int64_t places = mass_space_places(&c->model.spaces[c->model.populations[population].space]);
    bool there = true;
    for (uint64_t i = 0; i < count; i++)
        there = there && world[i] >= 0 && world[i] < c->worlds && place[i] >= 0 && place[i] < places;
    return there;
}

/* Reads all agents' worlds and places in windows, checks that they exist, and passes them to the sink. into: the
 * population in the run's model. */
static bool count_agents(restoring *v, uint32_t population, uint32_t into)
{
    mass_reader *r = v->reader;
    const uint64_t count = r->c->agents[population];
    mass_column world = {0}, place = {0};
    int32_t *worlds = malloc(WINDOW * sizeof *worlds);
    int64_t *places = malloc(WINDOW * sizeof *places);
    bool good = (worlds && places) || mass_reader_no_memory(r, WINDOW * (sizeof *worlds + sizeof *places));
    good = good && open_column(r, population, MASS_AGENT_WORLD, H5T_STD_I32LE, &world) &&
           open_column(r, population, MASS_AGENT_PLACE, H5T_STD_I64LE, &place);
    for (uint64_t first = 0; good && first < count; first += WINDOW) {
        const uint64_t some = count - first < WINDOW ? count - first : WINDOW;
        good = mass_column_read(&world, first, some, worlds) && mass_column_read(&place, first, some, places) &&
               (are_there(r->c, population, worlds, places, some) ||
                mass_reader_damaged(r, "agents are on places that do not exist"));
        if (good) v->sink->count_agents(v->sink->context, into, worlds, places, some);
    }
    mass_column_end(&world);
    mass_column_end(&place);
    free(worlds);
    free(places);
    return good;
}

/* Checks the agents of a population, counts them, and passes all of their attributes. */
static bool give_population(restoring *v, uint32_t population)
{
    static const mass_agents_columns from_file;
    mass_reader *r = v->reader;
    const mass_model *from = &r->c->model;
    const int into = mass_model_find_population(v->numbers->model, from->populations[population].name);
    mass_error why = {0};
    if (!mass_reader_check_agents(r, population, &from_file) || !count_agents(v, population, (uint32_t)into))
        return false;
    bool good = v->sink->begin_agents(v->sink->context, (uint32_t)into, &why) == MASS_OK || refuse(v, &why);
    for (uint32_t i = 0; good && i < from->attribute_count; i++)
        if (from->attributes[i].population == (int32_t)population) good = give_attribute(v, i);
    return good &&
           (v->sink->end_agents(v->sink->context, (uint32_t)into, &why) == MASS_OK || refuse(v, &why));
}

/* ---- the checkpoint ---- */

/* Refuses the value out of range. For an agent, reads its id and world from the file. */
static mass_status refuse_stray(restoring *v)
{
    mass_reader *r = v->reader;
    const mass_model *m = v->numbers->model;
    const mass_attribute_def *a = &m->attributes[v->stray.attribute];
    if (a->population >= 0 && !read_agent(v, a->population, v->stray.index / a->length, &v->stray.id, &v->stray.world))
        return r->error->status;
    return mass_checkpoint_refuse_value(r->c, m, &v->stray, r->error);
}

mass_status mass_checkpoint_restore(mass_checkpoint *c, mass_snapshot *s, const mass_snapshot_sink *sink,
                                    mass_error *error)
{
    mass_reader r = {.c = c, .error = error};
    restoring v = {.reader = &r, .sink = sink, .numbers = s};
    const mass_status status = mass_reader_check_snapshot(c, s, error);
    bool good = true;
    if (status != MASS_OK) return status;
    mass_hdf5_begin_reading();
    for (uint32_t i = 0; good && i < c->model.attribute_count; i++)
        if (c->model.attributes[i].population < 0) good = give_attribute(&v, i);
    good = good && mass_reader_tallies(&r, s);
    for (uint32_t i = 0; good && i < c->model.population_count; i++) good = give_population(&v, i);
    if (!good || !mass_reader_end_snapshot(&r, s)) return error->status;
    return v.strays ? refuse_stray(&v) : MASS_OK;
}
