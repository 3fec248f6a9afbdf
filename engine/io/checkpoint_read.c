/* Reading and verifying the data of an opened checkpoint against its hashes. */
#include "io/checkpoint_reader.h"

#include "domain/state_hash.h"

#include <hdf5.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hid_t open_data(const mass_checkpoint *c, uint32_t attribute)
{
    const mass_attribute_def *a = &c->model.attributes[attribute];
    char name[2 * MASS_NAME_SIZE + 16];
    snprintf(name, sizeof name, "/%s/%s/%s", a->population >= 0 ? "agents" : "places",
             mass_owner_name(&c->model, a), a->name);
    return H5Dopen2(c->file, name, H5P_DEFAULT);
}

static bool check_hash(mass_reader *r, uint32_t attribute, const uint8_t hash[16])
{
    return memcmp(hash, r->c->hashes[attribute], 16) == 0 ||
           mass_reader_damaged(r, "the values of '%s' are not those written",
                   r->c->model.attributes[attribute].name);
}

static void stored_hash(const void *owner, uint32_t attribute, uint8_t hash[16])
{
    const mass_checkpoint *c = owner;
    memcpy(hash, c->hashes[attribute], 16);
}

/* After every attribute was held against its hash. */
static bool check_state_hash(mass_reader *r)
{
    const mass_checkpoint *c = r->c;
    char hex[33];
    mass_state_hash(&c->model, c->worlds, c->agents, c->step, stored_hash, c, hex);
    return strcmp(hex, c->state_hash) == 0 || mass_reader_damaged(r, "its state_hash is not that of its "
                                                         "contents");
}

/* The box after the one at `start`, in row-major order; false after the last. */
static bool next_box(const mass_checkpoint_shape *s, hsize_t start[5])
{
    for (int i = s->rank - 1; i >= 0; i--) {
        start[i] += s->box[i];
        if (start[i] < s->extent[i]) return true;
        start[i] = 0;
    }
    return false;
}

static bool read_box(hid_t set, hid_t type, hid_t space, const mass_checkpoint_shape *s,
                     const hsize_t start[5], void *bytes, size_t *elements)
{
    hsize_t count[5];
    *elements = 1;
    for (int i = 0; i < s->rank; i++) {
        const hsize_t left = s->extent[i] - start[i];
        count[i] = left < s->box[i] ? left : s->box[i];
        *elements *= count[i];
    }
    const hid_t memory = H5Screate_simple(s->rank, count, NULL);
    const bool good = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                      H5Dread(set, type, memory, space, H5P_DEFAULT, bytes) >= 0;
    H5Sclose(memory);
    return good;
}

/* Hashes an attribute's values, a box of at most 1 MiB at a time. */
static bool stream(mass_reader *r, hid_t set, uint32_t attribute, void *bytes)
{
    const mass_attribute_def *a = &r->c->model.attributes[attribute];
    const mass_checkpoint_shape shape =
        mass_checkpoint_attribute_shape(&r->c->model, a, r->c->worlds, r->c->agents);
    const hid_t space = H5Dget_space(set), type = mass_checkpoint_component_type(a);
    hsize_t start[5] = {0};
    uint8_t hash[16];
    size_t elements;
    mass_bytes_hash h;
    mass_bytes_hash_begin(&h);
    bool good = true, more = a->population < 0 || r->c->agents[a->population] > 0;
    while (good && more) {
        good =
            read_box(set, type, space, &shape, start, bytes, &elements) || mass_reader_unreadable(r, a->name);
        if (good) mass_bytes_hash_add(&h, bytes, elements * a->component_size);
        more = next_box(&shape, start);
    }
    mass_bytes_hash_end(&h, hash);
    H5Tclose(type);
    H5Sclose(space);
    return good && check_hash(r, attribute, hash);
}

static bool verify_attribute(mass_reader *r, uint32_t attribute)
{
    void *bytes = malloc(MASS_READER_BOX_BYTES);
    if (!bytes) return mass_reader_no_memory(r, MASS_READER_BOX_BYTES);
    const hid_t set = open_data(r->c, attribute);
    const bool good = set >= 0 ? stream(r, set, attribute, bytes)
                               : mass_reader_unreadable(r, r->c->model.attributes[attribute].name);
    if (set >= 0) H5Dclose(set);
    free(bytes);
    return good;
}

static bool read_attribute(mass_reader *r, uint32_t attribute, mass_snapshot *s, uint32_t into)
{
    const mass_attribute_def *a = &r->c->model.attributes[attribute];
    uint8_t hash[16];
    const hid_t set = open_data(r->c, attribute), type = mass_checkpoint_component_type(a);
    const bool good =
        set >= 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, s->attributes[into]) >= 0;
    if (!good) mass_reader_unreadable(r, a->name);
    if (set >= 0) H5Dclose(set);
    H5Tclose(type);
    if (!good) return false;
    mass_snapshot_hash_attribute(s, into, hash);
    return check_hash(r, attribute, hash);
}

static bool read_numbers(mass_reader *r, const char *tally, const char *part, hid_t type, void *out)
{
    char name[MASS_NAME_SIZE + 32];
    snprintf(name, sizeof name, "/tallies/%s/%s", tally, part);
    const hid_t set = H5Dopen2(r->c->file, name, H5P_DEFAULT);
    const bool good = set >= 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
    if (!good) mass_reader_unreadable(r, name);
    if (set >= 0) H5Dclose(set);
    return good;
}

/* A tally has no hash: its values, which follow from the accumulators, are held against them. */
static bool read_tally(mass_reader *r, uint32_t tally, int64_t *accumulators)
{
    const mass_tally_def *t = &r->c->model.tallies[tally];
    const size_t each = mass_tally_values(t), count = (size_t)r->c->worlds * each;
    double *values = malloc(count * sizeof *values);
    if (!values) return mass_reader_no_memory(r, count * sizeof *values);
    bool good = read_numbers(r, t->name, "accumulator", H5T_STD_I64LE, accumulators) &&
                read_numbers(r, t->name, "value", H5T_IEEE_F64LE, values);
    for (size_t i = 0; good && i < count; i++) {
        const double value = mass_tally_value(t, accumulators + i / each * t->words + i % each);
        if (memcmp(&value, &values[i], sizeof value) != 0)
            good = mass_reader_damaged(r, "the values of tally '%s' are not those written", t->name);
    }
    free(values);
    return good;
}

/* Keys are checked as they are read. */
static bool verify_keys(mass_reader *r, const mass_tally_def *t)
{
    const size_t worlds = (size_t)r->c->worlds;
    mass_key_list *lists = calloc(worlds, sizeof *lists);
    if (!lists) return mass_reader_no_memory(r, worlds * sizeof *lists);
    const bool good = mass_reader_read_keys(r, t, lists);
    for (size_t w = 0; w < worlds; w++) mass_key_list_free(&lists[w]);
    free(lists);
    return good;
}

/* And the population whose next ids it is. */
static bool verify_tally(mass_reader *r, uint32_t tally)
{
    const mass_model *m = &r->c->model;
    if (m->tallies[tally].keys) return verify_keys(r, &m->tallies[tally]);
    const size_t bytes = (size_t)r->c->worlds * m->tallies[tally].words * sizeof(int64_t);
    int64_t *accumulators = malloc(bytes);
    if (!accumulators) return mass_reader_no_memory(r, bytes);
    bool good = read_tally(r, tally, accumulators);
    for (uint32_t p = 0; good && p < m->population_count; p++)
        if (m->populations[p].next_id == tally) good = mass_agents_check_file(r, p, accumulators);
    free(accumulators);
    return good;
}

/* Room for as many agents as there are. */
static mass_status check_room(const mass_checkpoint *c, const mass_snapshot *s, mass_error *error)
{
    uint64_t counts[MASS_POPULATIONS_MAX] = {0};
    mass_checkpoint_agents(c, s->model, counts);
    for (uint32_t i = 0; i < s->model->population_count; i++)
        if (counts[i] != s->agents[i])
            return mass_error_set(error, MASS_BAD_INPUT, "%s has %" PRIu64 " agents of population '%s', and there is "
                                  "room for %" PRIu64, c->path, counts[i], s->model->populations[i].name, s->agents[i]);
    return MASS_OK;
}

/* A population of the checkpoint, once it is read. */
static bool check_agents(mass_reader *r, uint32_t population, const mass_snapshot *s)
{
    const mass_model *m = s->model;
    const int index = mass_model_find_population(m, r->c->model.populations[population].name);
    const mass_population_def *p = &m->populations[index];
    void *const *columns = s->attributes + p->first_attribute;
    mass_agents_check k = {.reader = r, .population = population,
        .next_ids = s->tallies + mass_tally_at(&m->tallies[p->next_id], s->worlds, 0)};
    return mass_agents_check_feed(&k, s->agents[index], columns[MASS_AGENT_ID], columns[MASS_AGENT_LOST],
                                  columns[MASS_AGENT_WORLD], columns[MASS_AGENT_PLACE]);
}

mass_status mass_checkpoint_read(mass_checkpoint *c, mass_snapshot *s, mass_error *error)
{
    mass_reader r = {.c = c, .error = error};
    mass_status status = mass_checkpoint_match(c, s->model, error);
    if (status == MASS_OK) status = check_room(c, s, error);
    if (status != MASS_OK) return status;
    if (s->worlds != c->worlds)
        return mass_error_set(error, MASS_BAD_INPUT,
                              "%s has %d worlds, and the run has %d: give --worlds %d", c->path,
                              c->worlds, s->worlds, c->worlds);
    bool good = true;
    for (uint32_t i = 0; good && i < c->model.attribute_count; i++)
        good =
            read_attribute(&r, i, s, (uint32_t)mass_checkpoint_counterpart(&c->model, i, s->model));
    for (uint32_t i = 0; good && i < c->model.tally_count; i++) {
        const size_t into = (size_t)mass_model_find_tally(s->model, c->model.tallies[i].name);
        good = c->model.tallies[i].keys
                   ? mass_reader_read_keys(&r, &c->model.tallies[i], s->keys + into * (size_t)s->worlds)
                   : read_tally(&r, i, s->tallies + mass_tally_at(&s->model->tallies[into], s->worlds, 0));
    }
    for (uint32_t i = 0; good && i < c->model.population_count; i++) good = check_agents(&r, i, s);
    if (!good || !check_state_hash(&r)) return error->status;
    s->step = c->step;
    s->seed = c->seed;
    s->first_world = c->first_world;
    return mass_checkpoint_check_ranges(c, s, error);
}

mass_status mass_checkpoint_verify(const char *path, mass_error *error)
{
    mass_checkpoint *c;
    const mass_status status = mass_checkpoint_open(path, &c, error);
    if (status != MASS_OK) return status;
    mass_reader r = {.c = c, .error = error};
    bool good = true;
    for (uint32_t i = 0; good && i < c->model.attribute_count; i++) good = verify_attribute(&r, i);
    for (uint32_t i = 0; good && i < c->model.tally_count; i++) good = verify_tally(&r, i);
    good = good && check_state_hash(&r);
    mass_checkpoint_close(c);
    return good ? MASS_OK : error->status;
}
