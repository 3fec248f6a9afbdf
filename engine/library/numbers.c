/* SPDX-License-Identifier: Apache-2.0 */
/* What a program reads of a run besides places and agents: its description, messages, tallies and hash. */
#include "library/run.h"
#include "base/plural.h"
#include "command/run/info_json.h"
#include "device/cpu/threads.h"
#include "snapshot/create.h"
#include "snapshot/hash.h"
#include "snapshot/save.h"
#include "state/key_counts.h"
#include "state/tally.h"
#include "text/json.h"
#include "text/suggest.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const mass_engine_now *mass_engine_look(const mass_engine *run) { return &run->now; }

const char *mass_engine_message(mass_engine *run)
{
    mass_error error;
    if (mass_library_enter(run, &error) != MASS_OK) return NULL;
    free(run->told);
    run->told = run->first;
    if (run->told) {
        run->first = run->told->next;
        if (!run->first) run->last = NULL;
        run->now.messages--;
    }
    mass_library_leave(run, MASS_OK, &error);
    return run->told ? run->told->text : NULL;
}

/* ---- the description ---- */

/* Adds to the attributes of a plugin's description: the members of structs, and whether the engine derives the values
 * or a stream gives them. */
static void describe_attributes(const mass_model *m, json_t *list)
{
    for (uint32_t i = 0; i < m->attribute_count; i++) {
        const mass_attribute_def *a = &m->attributes[i];
        json_t *o = json_array_get(list, i), *members = json_array();
        for (uint32_t k = 0; k < a->member_count; k++)
            json_array_append_new(members, json_pack("{s:s, s:s, s:i}", "name", a->members[k].name, "type",
                                                     mass_type_name(a->members[k].type), "offset",
                                                     (int)a->members[k].offset));
        json_object_set_new(o, "members", members);
        json_object_set_new(o, "derived", json_boolean(a->derived));
        json_object_set_new(o, "streamed", json_boolean(a->streamed));
    }
}

/* Returns the description of the model and the run; NULL if memory is short. */
static json_t *describe(mass_engine *run)
{
    mass_session *s = &run->session;
    const mass_domain *d = s->domain;
    const double bytes = mass_domain_bytes(&s->model, d->partition_count, d->share.worlds);
    json_t *o = mass_info_json(&s->model, &d->share, s->loaded.entry, s->loaded.path, bytes);
    if (!o) return NULL;
    describe_attributes(&s->model, json_object_get(o, "attributes"));
    json_object_set_new(o, "seed", json_integer((json_int_t)d->seed));
    json_object_set_new(o, "worlds", json_integer(d->share.worlds));
    json_object_set_new(o, "first_world", json_integer(d->first_world));
    json_object_set_new(o, "partitions", json_integer(d->partition_count));
    json_object_set_new(o, "device", json_string(s->device->table->name(s->device)));
    json_object_set_new(o, "picture", json_boolean(s->model.picture.declared));
    return o;
}

const char *mass_engine_describe(mass_engine *run)
{
    mass_error error;
    if (mass_library_enter_here(run, &error) != MASS_OK) return NULL;
    if (!run->description) {
        json_t *o = describe(run);
        run->description = o ? json_dumps(o, JSON_REAL_PRECISION(17)) : NULL;
        json_decref(o);
    }
    const mass_status status = run->description ? MASS_OK : mass_error_memory(&error, 1 << 16, "the description");
    mass_library_leave(run, status, &error);
    return run->description;
}

/* ---- tallies ---- */

/* Returns the number of a tally that people see; -1, with the error and the most similar name, if there is none. */
static int find_tally(const mass_model *m, const char *name, mass_error *error)
{
    char meant[MASS_SUGGESTION_SIZE];
    const int found = mass_model_find_tally(m, name);
    if (found >= 0 && !m->tallies[found].hidden) return found;
    const bool near = mass_suggest_tally(m, name, meant)[0];
    mass_error_set(error, MASS_BAD_USAGE, "%s has no tally %.200s%s%s%s", m->plugin, name,
                   near ? ": did you mean " : "", meant, near ? "?" : "");
    return -1;
}

/* Copies the values of a tally in a world; NaN where there is none. words: scratch for its accumulators. */
static mass_status read_world(mass_engine *run, uint32_t tally, int32_t world, int64_t *words, double *to,
                              mass_error *error)
{
    const mass_tally_def *t = &run->session.model.tallies[tally];
    const mass_status status =
        mass_domain_read_tally(run->session.domain, tally, world, 0, t->words, words, error);
    if (status != MASS_OK) return status;
    for (uint32_t i = 0; i < mass_tally_values(t); i++) {
        const int64_t *at = words + (t->bins ? i : 0);
        const bool known = !mass_tally_is_unknown(t, run->session.run->step) && !mass_tally_is_empty(t, at);
        to[i] = known ? mass_tally_value(t, at) : NAN;
    }
    return MASS_OK;
}

/* Copies the values of a tally in all worlds. Refuses one by key, and a `count` other than that of all values. */
static mass_status read_tally(mass_engine *run, const char *name, double *values, uint64_t count, mass_error *error)
{
    const mass_model *m = &run->session.model;
    const int32_t worlds = run->session.domain->share.worlds;
    const int tally = find_tally(m, name, error);
    if (tally < 0) return error->status;
    const mass_tally_def *t = &m->tallies[tally];
    const uint64_t all = (uint64_t)mass_tally_values(t) * (uint64_t)worlds;
    if (t->keys) return mass_error_set(error, MASS_BAD_USAGE, "tally %s counts by key: it has no one value", name);
    if (count != all)
        return mass_error_set(error, MASS_BAD_USAGE, "tally %s has %" PRIu64 " value%s, and not %" PRIu64, name, all,
                              mass_plural(all), count);
    int64_t *words = malloc((t->words + 1) * sizeof *words);
    if (!words) return mass_error_memory(error, t->words * sizeof *words, "a tally");
    mass_status status = MASS_OK;
    for (int32_t w = 0; status == MASS_OK && w < worlds; w++)
        status = read_world(run, (uint32_t)tally, w, words, values + (size_t)w * mass_tally_values(t), error);
    free(words);
    return status;
}

int mass_engine_tally(mass_engine *run, const char *name, double *values, uint64_t count)
{
    mass_error error;
    const int entered = mass_library_enter_to_read(run, &error);
    if (entered != MASS_OK) return entered;
    return mass_library_leave(run, read_tally(run, name, values, count, &error), &error);
}

/* Reads the keys of a tally in a world, which the run keeps until the next read. Frees those before. Worlds count from
 * the run's first. */
static mass_status read_keys(mass_engine *run, const char *name, int32_t world, mass_engine_key_list *out,
                             mass_error *error)
{
    const mass_model *m = &run->session.model;
    const int tally = find_tally(m, name, error);
    if (tally < 0) return error->status;
    if (!m->tallies[tally].keys)
        return mass_error_set(error, MASS_BAD_USAGE, "tally %s does not count by key", name);
    if (world < 0 || world >= run->session.domain->share.worlds)
        return mass_error_set(error, MASS_BAD_USAGE, "there is no world %d: worlds count from 0 here", world);
    mass_key_list_free(&run->keys);
    run->keys = (mass_key_list){0};
    const mass_status status =
        mass_domain_read_keys_of(run->session.domain, (uint32_t)tally, world, 1, &run->keys, error);
    if (status != MASS_OK) return status;
    const mass_key_list *list = &run->keys;
    *out = (mass_engine_key_list){.count = list->count, .counts = list->counts, .keys = list->keys};
    if (list->texts) out->texts = list->bytes ? (const char *)list->bytes : ""; /* no text at all */
    return MASS_OK;
}

int mass_engine_keys(mass_engine *run, const char *name, int32_t world, mass_engine_key_list *out)
{
    mass_error error;
    const int entered = mass_library_enter_to_read(run, &error);
    if (entered != MASS_OK) return entered;
    return mass_library_leave(run, read_keys(run, name, world, out, &error), &error);
}

int mass_engine_check(mass_engine *run)
{
    mass_error error;
    const int entered = mass_library_enter_to_read(run, &error);
    if (entered != MASS_OK) return entered;
    return mass_library_leave(run, mass_session_check_ranges(&run->session, &error), &error);
}

int mass_engine_hash(mass_engine *run, char hex[33])
{
    mass_error error;
    mass_snapshot numbers;
    const int entered = mass_library_enter_to_read(run, &error);
    if (entered != MASS_OK) return entered;
    mass_status status = mass_domain_save_numbers(run->session.domain, &numbers, &error);
    if (status == MASS_OK) {
        numbers.step = run->session.run->step;
        status = mass_domain_hash(run->session.domain, &numbers, hex, &error);
        mass_snapshot_free(&numbers);
    }
    return mass_library_leave(run, status, &error);
}
