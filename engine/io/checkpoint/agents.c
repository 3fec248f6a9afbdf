/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the rules that hold among the attributes of a checkpoint's agents. A function that returns bool, and says no
 * more, returns false at the first fault, with the reader's error set. */
#include "io/checkpoint/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { WINDOW = 1 << 12 }; /* agents that are checked at once */

typedef struct window {
    uint64_t id[WINDOW];
    int64_t place[WINDOW];
    int32_t world[WINDOW];
    uint8_t lost[WINDOW];
} window;

/* The state of checking one population, agent by agent. */
typedef struct checks {
    mass_reader *reader;
    uint32_t population; /* index in the checkpoint's model */
    const mass_agents_columns *memory;
    mass_column columns[MASS_AGENT_COLUMNS], next_ids, ids; /* ids: read again, to find twins */
    uint64_t agent; /* agents checked so far */
    int32_t world;  /* these three: of the last agent */
    int64_t place;
    uint64_t id, residents; /* residents: agents on its place so far */
    uint64_t world_first;   /* number of the first agent in its world */
    int64_t next_id;        /* of its world */
    window window;
} checks;

/* Refuses the present agent. what: the fault, as the end of the message. Returns false. */
static bool bad(const checks *k, const char *what)
{
    return mass_reader_damaged(k->reader, "agent %" PRIu64 " of population '%s' (counted from 0) %s", k->agent,
                               k->reader->c->model.populations[k->population].name, what);
}

/* Returns true if an agent follows the last one in order of world, place and id. Call it after begin_world if the world
 * is new. */
static bool follows(const checks *k, int32_t world, int64_t place, uint64_t id)
{
    if (k->agent == k->world_first) return k->agent == 0 || world > k->world;
    return place == k->place ? id > k->id : place > k->place;
}

/* Checks that no two agents of the world that just ended have one id. */
static bool end_world(checks *k)
{
    const mass_ids ids = {.memory = k->memory->id ? k->memory->id + k->world_first : NULL, .column = &k->ids,
                          .first = k->world_first, .count = k->agent - k->world_first, .bound = (uint64_t)k->next_id};
    bool found;
    uint64_t twin;
    if (!mass_ids_find_twin(k->reader, &ids, &found, &twin)) return false;
    return !found || mass_reader_damaged(k->reader, "two agents of population '%s' in a world have the id %" PRIu64,
                                         k->reader->c->model.populations[k->population].name, twin);
}

/* Ends the check of the former world, if any, and reads the next one's next id, from the file unless it is in
 * memory. */
static bool begin_world(checks *k, int32_t world)
{
    if (k->agent > 0 && !end_world(k)) return false;
    k->world_first = k->agent;
    if (!k->memory->next_id) return mass_column_read(&k->next_ids, (uint64_t)world, 1, &k->next_id);
    k->next_id = k->memory->next_id[world];
    return true;
}

/* Checks the next agent and advances to it. At a new world, first checks the ids of the former one. */
static bool check_one(checks *k, uint64_t id, uint8_t lost, int32_t world, int64_t place)
{
    const mass_checkpoint *c = k->reader->c;
    const mass_population_def *p = &c->model.populations[k->population];
    if (world < 0 || world >= c->worlds) return bad(k, "is in a world that does not exist");
    if (place < 0 || place >= mass_space_places(&c->model.spaces[p->space]))
        return bad(k, "is on a place that does not exist");
    if (lost > 1) return bad(k, "has a lost that is neither 0 nor 1");
    if ((k->agent == 0 || world != k->world) && !begin_world(k, world)) return false;
    if (k->next_id < 0 || id >= (uint64_t)k->next_id) return bad(k, "has an id that no agent was given yet");
    if (!follows(k, world, place, id)) return bad(k, "is out of the order of world, place and id");
    k->residents = k->agent > k->world_first && place == k->place ? k->residents + 1 : 1;
    if (p->capacity && k->residents > p->capacity) return bad(k, "is on a place that is full");
    k->world = world, k->place = place, k->id = id;
    k->agent++;
    return true;
}

/* Checks `count` agents one after another, against those checked before. Stops at the first fault. */
static bool check_some(checks *k, uint64_t count, const mass_agents_columns *columns)
{
    for (uint64_t i = 0; i < count; i++)
        if (!check_one(k, columns->id[i], columns->lost[i], columns->world[i], columns->place[i])) return false;
    return true;
}

/* ---- columns of the file ---- */

/* Opens the population's id, lost, world and place columns, the ids a second time, and its next ids by world. */
static bool open_columns(checks *k)
{
    mass_reader *r = k->reader;
    const mass_model *m = &r->c->model;
    const mass_population_def *p = &m->populations[k->population];
    const hid_t types[MASS_AGENT_COLUMNS] = {[MASS_AGENT_ID] = H5T_STD_U64LE, [MASS_AGENT_LOST] = H5T_STD_U8LE,
                                             [MASS_AGENT_WORLD] = H5T_STD_I32LE, [MASS_AGENT_PLACE] = H5T_STD_I64LE};
    char path[2 * MASS_NAME_SIZE + 32];
    bool good = true;
    for (uint32_t i = 0; good && i < MASS_AGENT_COLUMNS; i++) {
        snprintf(path, sizeof path, "/agents/%s/%s", p->name, m->attributes[p->first_attribute + i].name);
        good = mass_column_begin(r, r->c->file, path, types[i], &k->columns[i]) &&
               (i != MASS_AGENT_ID || mass_column_begin(r, r->c->file, path, types[i], &k->ids));
    }
    snprintf(path, sizeof path, "/tallies/%s/accumulator", m->tallies[p->next_id].name);
    return good && mass_column_begin(r, r->c->file, path, H5T_STD_I64LE, &k->next_ids);
}

/* Reads all agents from the file in windows, and checks them. The ids of the last world remain to be checked. */
static bool check_windows(checks *k)
{
    const uint64_t count = k->reader->c->agents[k->population];
    window *w = &k->window;
    const mass_agents_columns columns = {w->id, w->lost, w->world, w->place, NULL};
    bool good = true;
    for (uint64_t first = 0; good && first < count; first += WINDOW) {
        const uint64_t some = count - first < WINDOW ? count - first : WINDOW;
        good = mass_column_read(&k->columns[MASS_AGENT_ID], first, some, w->id) &&
               mass_column_read(&k->columns[MASS_AGENT_LOST], first, some, w->lost) &&
               mass_column_read(&k->columns[MASS_AGENT_WORLD], first, some, w->world) &&
               mass_column_read(&k->columns[MASS_AGENT_PLACE], first, some, w->place) && check_some(k, some, &columns);
    }
    return good;
}

bool mass_reader_check_agents(mass_reader *r, uint32_t population, const mass_agents_columns *columns)
{
    checks *k = calloc(1, sizeof *k);
    if (!k) return mass_reader_no_memory(r, sizeof *k);
    k->reader = r;
    k->population = population;
    k->memory = columns;
    bool good = columns->id ? check_some(k, r->c->agents[population], columns) : open_columns(k) && check_windows(k);
    good = good && (k->agent == 0 || end_world(k));
    for (uint32_t i = 0; i < MASS_AGENT_COLUMNS; i++) mass_column_end(&k->columns[i]);
    mass_column_end(&k->next_ids);
    mass_column_end(&k->ids);
    free(k);
    return good;
}
