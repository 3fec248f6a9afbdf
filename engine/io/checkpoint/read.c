/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and verifies the data of an opened checkpoint against its hashes. A function that returns bool, and says no
 * more, returns false at the first fault, with the reader's error set. */
#include "io/checkpoint/boxes.h"
#include "base/plural.h"
#include "io/checkpoint/parts.h"
#include "io/checkpoint/reader.h"
#include "snapshot/snapshot.h"

#include "snapshot/state_hash.h"

#include <mass/impl/exact.h>

#include <hdf5.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Opens the set of an attribute at its place. The caller closes it. */
static hid_t open_data(mass_reader *r, uint32_t attribute)
{
    const hid_t set = mass_hdf5_set_at(r->c->file, &r->c->attribute_places[attribute], r->c->source.origin);
    if (set < 0) mass_reader_unreadable(r, r->c->model.attributes[attribute].name);
    return set;
}

/* Compares the hash of an attribute's values with the one written. If they differ, names the damaged part, if any. */
static bool check_hash(mass_reader *r, uint32_t attribute, const uint8_t hash[16])
{
    return memcmp(hash, r->c->hashes[attribute], 16) == 0 || (r->c->parts && mass_parts_blame(r, attribute)) ||
           mass_reader_damaged(r, "the values of '%s' are not those written",
                   r->c->model.attributes[attribute].name);
}

/* Copies an attribute's hash as the file states it; `owner` is a mass_checkpoint. */
static void attribute_hash(const void *owner, uint32_t index, uint8_t hash[16])
{
    const mass_checkpoint *c = owner;
    memcpy(hash, c->hashes[index], 16);
}

/* Copies a tally's hash as the file states it; `owner` is a mass_checkpoint. */
static void tally_hash(const void *owner, uint32_t index, uint8_t hash[16])
{
    const mass_checkpoint *c = owner;
    memcpy(hash, c->tally_hashes[index], 16);
}

/* Compares the hash of all attributes' and tallies' stated hashes with the state hash. Each was compared with its
 * values before. */
static bool check_state_hash(mass_reader *r)
{
    const mass_checkpoint *c = r->c;
    const mass_hashed_state state = {&c->model, c->hash_version, c->worlds, c->agents, c->step, attribute_hash,
                                     tally_hash, c};
    char hex[33];
    mass_state_hash(&state, hex);
    return strcmp(hex, c->state_hash) == 0 || mass_reader_damaged(r, "its state_hash is not that of its "
                                                         "contents");
}

bool mass_reader_stream(mass_reader *r, uint32_t attribute, mass_reader_values_seen *seen, void *context)
{
    const mass_attribute_def *a = &r->c->model.attributes[attribute];
    const mass_checkpoint_shape shape = mass_checkpoint_attribute_shape(&r->c->model, a, r->c->worlds, r->c->agents);
    const bool parts = r->c->parts != NULL;
    const hid_t set = parts ? 0 : open_data(r, attribute), type = mass_checkpoint_component_type(a);
    void *values = malloc(MASS_READER_BOX_BYTES);
    mass_box box = {0};
    uint8_t hash[16];
    mass_bytes_hash h;
    mass_bytes_hash_begin(&h, r->c->hash_version);
    bool good = set >= 0 && (values || mass_reader_no_memory(r, MASS_READER_BOX_BYTES));
    while (good && mass_box_next(&shape, &box)) {
        good = parts ? mass_parts_read(r, attribute, box.first, box.components, values)
                     : mass_box_read(set, type, &shape, &box, values) || mass_reader_unreadable(r, a->name);
        if (good) mass_bytes_hash_add(&h, values, box.components * a->component_size);
        good = good && (!seen || seen(context, values, box.components));
    }
    mass_bytes_hash_end(&h, hash);
    free(values);
    H5Tclose(type);
    if (set > 0) H5Dclose(set);
    return good && check_hash(r, attribute, hash);
}

/* Reads all values of an attribute into the snapshot's attribute `into`, of the same type, and checks their hash. */
static bool read_attribute(mass_reader *r, uint32_t attribute, mass_snapshot *s, uint32_t into)
{
    const mass_attribute_def *a = &r->c->model.attributes[attribute];
    if (a->type != s->model->attributes[into].type) return mass_reader_damaged(r, "'%s' is of another type", a->name);
    const hid_t set = r->c->parts ? 0 : open_data(r, attribute);
    if (set < 0) return false;
    const hid_t type = mass_checkpoint_component_type(a);
    const bool good = r->c->parts ? mass_parts_read(r, attribute, 0, mass_snapshot_size(s, into) / a->component_size,
                                                    s->attributes[into])
                                  : H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, s->attributes[into]) >= 0 ||
                                        mass_reader_unreadable(r, a->name);
    if (set > 0) H5Dclose(set);
    H5Tclose(type);
    if (!good) return false;
    uint8_t hash[16];
    mass_bytes_hash h;
    mass_bytes_hash_begin(&h, r->c->hash_version);
    mass_bytes_hash_add(&h, s->attributes[into], mass_snapshot_size(s, into));
    mass_bytes_hash_end(&h, hash);
    return check_hash(r, attribute, hash);
}

/* ---- tallies: they also have values, which have to follow from the accumulators ---- */

enum { TALLY_WINDOW = 1 << 16 };

/* No run gives so many ids, and a run that resumes has enough left. */
static const int64_t next_id_most = INT64_MAX / 4 * 3;

/* Returns true if the tally is a population's id counter. */
static bool is_next_id(const mass_model *m, uint32_t tally)
{
    for (uint32_t p = 0; p < m->population_count; p++)
        if (m->populations[p].next_id == tally) return true;
    return false;
}

/* Returns true if an exact sum's digits are in range, its last digit has room to grow, and its counts are valid. */
static bool is_settled(const int64_t *words)
{
    const int64_t most = INT64_MAX / 2;
    bool settled = words[MASS_EXACT_DIGITS - 1] >= -most && words[MASS_EXACT_DIGITS - 1] <= most;
    for (int i = 0; i < MASS_EXACT_DIGITS - 1; i++) settled = settled && words[i] >> MASS_EXACT_BITS == 0;
    for (int i = MASS_EXACT_NAN; i < MASS_EXACT_WORDS; i++) settled = settled && words[i] >= 0 && words[i] <= most;
    return settled;
}

typedef struct tally_check {
    mass_reader *reader;
    const mass_tally_def *tally;
    bool ids;
    XXH3_state_t hash; /* hash of the accumulators */
} tally_check;

/* Returns true if NaN is the value at step 0 of a tally that only steps compute. */
static bool is_unknown(const tally_check *k, int64_t accumulator, double value)
{
    return k->reader->c->step == 0 && isnan(value) && accumulator == mass_tally_neutral(k->tally);
}

/* Checks that a tally's accumulators, [words] of each value, are possible and give the stored values. Returns false,
 * with the error set, at the first that is not. */
static bool check_values(const tally_check *k, uint64_t count, size_t words, const int64_t *accumulators,
                         const double *values)
{
    const mass_tally_def *t = k->tally;
    for (uint64_t i = 0; i < count; i++) {
        const int64_t *own = accumulators + i * words;
        if (mass_tally_is_exact(t) && !is_settled(own))
            return mass_reader_damaged(k->reader, "tally '%s' is not a sum that a run has", t->name);
        if (k->ids && (*own < 0 || *own > next_id_most))
            return mass_reader_damaged(k->reader, "tally '%s' is %" PRId64 ", which no run gets to", t->name, *own);
        const double value = mass_tally_value(t, own);
        /* earlier versions stored a number where the value now is NaN */
        const bool none = (mass_tally_is_fixed_sum(t) && isnan(value)) || is_unknown(k, *own, values[i]);
        if (!none && memcmp(&value, &values[i], sizeof value) != 0)
            return mass_reader_damaged(k->reader, "the values of tally '%s' are not those written", t->name);
        if (t->kind == MASS_TALLY_REAL && !mass_tally_is_exact(t) && !mass_tally_is_kept(t) && isnan(value))
            return mass_reader_damaged(k->reader, "tally '%s' is not a number", t->name);
    }
    return true;
}

/* Checks a tally window by window, and adds its accumulators to k->hash; `out`, if not NULL, gets them all. window and
 * value: [TALLY_WINDOW] each, to work in. */
static bool check_windows(tally_check *k, mass_column *from, mass_column *values, int64_t *window, double *value,
                          int64_t *out)
{
    const size_t words = from->count / values->count;
    const uint64_t most = TALLY_WINDOW / words;
    bool good = true;
    for (uint64_t first = 0, some; good && first < values->count; first += some) {
        some = values->count - first < most ? values->count - first : most;
        int64_t *to = out ? out + first * words : window;
        good = mass_column_read(from, first * words, some * words, to) &&
               mass_column_read(values, first, some, value) && check_values(k, some, words, to, value);
        if (good) XXH3_128bits_update(&k->hash, to, some * words * sizeof *to);
    }
    return good;
}

/* Checks a tally's hash. Version 1 has none. */
static bool check_tally_hash(mass_reader *r, uint32_t tally, const uint8_t hash[16])
{
    return r->c->hash_version == 1 || memcmp(hash, r->c->tally_hashes[tally], 16) == 0 ||
           mass_reader_damaged(r, "tally '%s' is not as it was written", r->c->model.tallies[tally].name);
}

/* Reads and checks a tally's keys and their hash. lists, [worlds], or NULL: gets them. */
static bool read_keys(mass_reader *r, uint32_t tally, mass_key_list *lists)
{
    const mass_tally_def *t = &r->c->model.tallies[tally];
    uint8_t hash[16] = {0};
    if (!mass_reader_read_keys(r, t, lists)) return false;
    if (lists) mass_tally_hash(t, r->c->worlds, NULL, lists, hash);
    else if (r->c->hash_version > 1 && !mass_reader_hash_keys(r, t, hash)) return false;
    return check_tally_hash(r, tally, hash);
}

/* Reads the accumulators of a tally without keys, piece by piece. Checks that the stored values follow from them, and
 * their hash. out: [worlds][words] gets the accumulators; NULL: only checks. Returns false with the error set. */
static bool read_tally(mass_reader *r, uint32_t tally, int64_t *out)
{
    const mass_tally_def *t = &r->c->model.tallies[tally];
    tally_check k = {.reader = r, .tally = t, .ids = is_next_id(&r->c->model, tally)};
    uint8_t hash[16];
    mass_column from = {0}, values = {0};
    int64_t *window = malloc(TALLY_WINDOW * sizeof *window);
    double *value = malloc(TALLY_WINDOW * sizeof *value);
    bool good = (window && value) || mass_reader_no_memory(r, TALLY_WINDOW * 2 * sizeof *window);
    mass_hash_start(&k.hash);
    const hid_t group = good ? mass_hdf5_group_at(r->c->file, &r->c->tally_places[tally]) : -1;
    good = good && (group >= 0 || mass_reader_unreadable(r, t->name)) &&
           mass_column_begin(r, group, "accumulator", H5T_STD_I64LE, &from) &&
           mass_column_begin(r, group, "value", H5T_IEEE_F64LE, &values) &&
           check_windows(&k, &from, &values, window, value, out);
    mass_hash_digest(&k.hash, hash);
    good = good && check_tally_hash(r, tally, hash);
    mass_column_end(&from);
    mass_column_end(&values);
    if (group >= 0) H5Gclose(group);
    free(window);
    free(value);
    return good;
}

/* Reads a tally with its checks, and keeps nothing. */
static bool verify_tally(mass_reader *r, uint32_t tally)
{
    const mass_tally_def *t = &r->c->model.tallies[tally];
    return t->keys ? read_keys(r, tally, NULL) : read_tally(r, tally, NULL);
}

/* Refuses unless the snapshot has room for exactly as many agents of each population as the checkpoint has. */
static mass_status check_room(const mass_checkpoint *c, const mass_snapshot *s, mass_error *error)
{
    uint64_t counts[MASS_POPULATIONS_MAX] = {0};
    mass_checkpoint_agents(c, s->model, counts);
    for (uint32_t i = 0; i < s->model->population_count; i++)
        if (counts[i] != s->agents[i])
            return mass_error_set(error, MASS_BAD_INPUT, "%s has %" PRIu64 " agent%s of population '%s', and there is "
                                  "room for %" PRIu64, c->path, counts[i], mass_plural(counts[i]),
                                  s->model->populations[i].name, s->agents[i]);
    return MASS_OK;
}

/* Checks places, order and ids of a population's agents, which the snapshot has already, with its tallies; reads no
 * file. population: of the checkpoint's model. */
static bool check_agents(mass_reader *r, uint32_t population, const mass_snapshot *s)
{
    const mass_model *m = s->model;
    const int index = mass_model_find_population(m, r->c->model.populations[population].name);
    const mass_population_def *p = &m->populations[index];
    void *const *columns = s->attributes + p->first_attribute;
    const mass_agents_columns memory = {
        .id = columns[MASS_AGENT_ID], .lost = columns[MASS_AGENT_LOST], .world = columns[MASS_AGENT_WORLD],
        .place = columns[MASS_AGENT_PLACE],
        .next_id = s->tallies + mass_tally_at(&m->tallies[p->next_id], s->worlds, 0)};
    return mass_reader_check_agents(r, population, &memory);
}

mass_status mass_reader_check_snapshot(const mass_checkpoint *c, const mass_snapshot *s, mass_error *error)
{
    mass_status status = mass_checkpoint_match(c, s->model, error);
    if (status == MASS_OK) status = check_room(c, s, error);
    if (status != MASS_OK || s->worlds == c->worlds) return status;
    return mass_error_set(error, MASS_BAD_INPUT, "%s has %d world%s, and the run has %d: give --worlds %d", c->path,
                          c->worlds, mass_plural(c->worlds), s->worlds, c->worlds);
}

bool mass_reader_tallies(mass_reader *r, mass_snapshot *s)
{
    const mass_checkpoint *c = r->c;
    bool good = true;
    for (uint32_t i = 0; good && i < c->model.tally_count; i++) {
        const size_t into = (size_t)mass_model_find_tally(s->model, c->model.tallies[i].name);
        good = c->model.tallies[i].keys
                   ? read_keys(r, i, s->keys + into * (size_t)s->worlds)
                   : read_tally(r, i, s->tallies + mass_tally_at(&s->model->tallies[into], s->worlds, 0));
    }
    return good;
}

bool mass_reader_end_snapshot(mass_reader *r, mass_snapshot *s)
{
    if (!check_state_hash(r)) return false;
    s->step = r->c->step;
    s->seed = r->c->seed;
    s->first_world = r->c->first_world;
    return true;
}

mass_status mass_checkpoint_read(mass_checkpoint *c, mass_snapshot *s, mass_error *error)
{
    mass_reader r = {.c = c, .error = error};
    const mass_status status = mass_reader_check_snapshot(c, s, error);
    bool good = true;
    mass_hdf5_begin_reading();
    if (status != MASS_OK) return status;
    for (uint32_t i = 0; good && i < c->model.attribute_count; i++)
        good =
            read_attribute(&r, i, s, (uint32_t)mass_checkpoint_counterpart(&c->model, i, s->model));
    good = good && mass_reader_tallies(&r, s);
    for (uint32_t i = 0; good && i < c->model.population_count; i++) good = check_agents(&r, i, s);
    if (!good || !mass_reader_end_snapshot(&r, s)) return error->status;
    return mass_checkpoint_check_ranges(c, s, error);
}

mass_status mass_checkpoint_verify(const char *path, mass_error *error)
{
    mass_hdf5_source source;
    const mass_status status = mass_hdf5_find(path, MASS_HDF5_OURS, mass_checkpoint_remedy, &source, error);
    return status == MASS_OK ? mass_reader_verify(&source, error) : status;
}

mass_status mass_reader_verify(mass_hdf5_source *source, mass_error *error)
{
    static const mass_agents_columns none;
    mass_checkpoint *c;
    const mass_status status = mass_reader_open(source, false, &c, error);
    if (status != MASS_OK) return status;
    mass_reader r = {.c = c, .error = error};
    bool good = true;
    /* values in parts are not read by HDF5; a process that may open the parts verifies them */
    const bool whole = c->parts == NULL;
    for (uint32_t i = 0; whole && good && i < c->model.attribute_count; i++)
        good = mass_reader_stream(&r, i, NULL, NULL);
    for (uint32_t i = 0; good && i < c->model.tally_count; i++) good = verify_tally(&r, i);
    for (uint32_t i = 0; whole && good && i < c->model.population_count; i++)
        good = mass_reader_check_agents(&r, i, &none);
    good = good && check_state_hash(&r);
    mass_checkpoint_close(c);
    return good ? MASS_OK : error->status;
}
