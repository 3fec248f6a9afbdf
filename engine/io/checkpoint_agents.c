/* What has to hold among the attributes of a checkpoint's agents, beyond that each is as it was written. */
#include "io/checkpoint_reader.h"

#include <hdf5.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { WINDOW = 1 << 16 }; /* agents that are read at once */

static bool bad(const mass_agents_check *k, const char *what)
{
    return mass_reader_damaged(k->reader, "agent %" PRIu64 " of population '%s' (counted from 0) %s", k->agent,
                               k->reader->c->model.populations[k->population].name, what);
}

/* Agents are in the order of world, place and id. */
static bool follows(const mass_agents_check *k, int32_t world, int64_t place, uint64_t id)
{
    if (k->agent == 0 || world != k->world) return k->agent == 0 || world > k->world;
    return place == k->place ? id > k->id : place > k->place;
}

static bool check_one(mass_agents_check *k, uint64_t id, uint8_t lost, int32_t world, int64_t place)
{
    const mass_checkpoint *c = k->reader->c;
    const mass_population_def *p = &c->model.populations[k->population];
    if (world < 0 || world >= c->worlds) return bad(k, "is in a world that there is not");
    if (place < 0 || place >= mass_space_places(&c->model.spaces[p->space]))
        return bad(k, "is on a place that there is not");
    if (lost > 1) return bad(k, "is neither lost nor not");
    if (k->next_ids[world] < 0 || id >= (uint64_t)k->next_ids[world])
        return bad(k, "has an id that no agent was given yet");
    if (!follows(k, world, place, id)) return bad(k, "is out of the order of world, place and id");
    k->residents = k->agent > 0 && world == k->world && place == k->place ? k->residents + 1 : 1;
    if (p->capacity && k->residents > p->capacity) return bad(k, "is one too many on its place");
    k->world = world, k->place = place, k->id = id;
    k->agent++;
    return true;
}

bool mass_agents_check_feed(mass_agents_check *k, size_t count, const uint64_t *id, const uint8_t *lost,
                            const int32_t *world, const int64_t *place)
{
    for (size_t i = 0; i < count; i++)
        if (!check_one(k, id[i], lost[i], world[i], place[i])) return false;
    return true;
}

/* ---- from the file ---- */

typedef struct window {
    uint64_t id[WINDOW];
    int64_t place[WINDOW];
    int32_t world[WINDOW];
    uint8_t lost[WINDOW];
} window;

static bool read_rows(hid_t set, hid_t type, hsize_t first, hsize_t count, void *out)
{
    const hid_t space = H5Dget_space(set), memory = H5Screate_simple(1, &count, NULL);
    const bool good = H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &count, NULL) >= 0 &&
                      H5Dread(set, type, memory, space, H5P_DEFAULT, out) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return good;
}

static bool check_windows(mass_agents_check *k, const hid_t sets[MASS_AGENT_COLUMNS], window *w)
{
    const hsize_t count = k->reader->c->agents[k->population];
    for (hsize_t first = 0; first < count; first += WINDOW) {
        const hsize_t some = count - first < WINDOW ? count - first : WINDOW;
        if (!read_rows(sets[MASS_AGENT_ID], H5T_STD_U64LE, first, some, w->id) ||
            !read_rows(sets[MASS_AGENT_LOST], H5T_STD_U8LE, first, some, w->lost) ||
            !read_rows(sets[MASS_AGENT_WORLD], H5T_STD_I32LE, first, some, w->world) ||
            !read_rows(sets[MASS_AGENT_PLACE], H5T_STD_I64LE, first, some, w->place))
            return mass_reader_unreadable(k->reader, "where its agents stand");
        if (!mass_agents_check_feed(k, some, w->id, w->lost, w->world, w->place)) return false;
    }
    return true;
}

bool mass_agents_check_file(mass_reader *r, uint32_t population, const int64_t *next_ids)
{
    const mass_model *m = &r->c->model;
    const mass_population_def *p = &m->populations[population];
    mass_agents_check k = {.reader = r, .population = population, .next_ids = next_ids};
    hid_t sets[MASS_AGENT_COLUMNS];
    window *w = malloc(sizeof *w);
    if (!w) return mass_reader_no_memory(r, sizeof *w);
    bool good = true;
    for (uint32_t i = 0; i < MASS_AGENT_COLUMNS; i++) {
        char name[2 * MASS_NAME_SIZE + 16];
        snprintf(name, sizeof name, "/agents/%s/%s", p->name, m->attributes[p->first_attribute + i].name);
        sets[i] = H5Dopen2(r->c->file, name, H5P_DEFAULT);
        if (good && sets[i] < 0) good = mass_reader_unreadable(r, name);
    }
    good = good && check_windows(&k, sets, w);
    for (uint32_t i = 0; i < MASS_AGENT_COLUMNS; i++)
        if (sets[i] >= 0) H5Dclose(sets[i]);
    free(w);
    return good;
}
