/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/job.h"
#include "io/input/edge_arrays.h"
#include "model/list.h"
#include "command/run/rank_options.h"
#include "base/memory_stream.h"
#include "ranks/rpc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing: values one after the other ---- */

static void put(FILE *to, const void *bytes, size_t size) { fwrite(bytes, 1, size, to); }
static void put_number(FILE *to, uint64_t value) { put(to, &value, sizeof value); }

/* Writes a list of so many bytes, which the reader knows, or that there is none. */
static void put_list(FILE *to, const void *list, size_t bytes)
{
    put_number(to, list != NULL);
    if (list) put(to, list, bytes);
}

/* Writes a text with its zero byte. The reader can tell NULL from "". */
static void put_text(FILE *to, const char *text)
{
    put_number(to, text ? strlen(text) + 1 : 0);
    if (text) put(to, text, strlen(text) + 1);
}

/* Writes the number of texts, which NULL ends, and the texts. */
static void put_texts(FILE *to, char *const *texts)
{
    uint64_t count = 0;
    while (texts[count]) count++;
    put_number(to, count);
    for (uint64_t i = 0; i < count; i++) put_text(to, texts[i]);
}

/* Returns a setting's value. For a list in a file, which another host may not have, its numbers. */
static const char *value_of(const mass_model *m, const mass_setting *s)
{
    const mass_parameter_slot *slot = mass_parameters_find(&m->parameters, s->name);
    return slot && slot->list && s->value[0] == '@' ? slot->text : s->value;
}

/* Writes the settings, sizes and seed with which the plugin is opened, then the stored spaces, if it is opened for a
 * checkpoint. */
static void put_opening(FILE *to, const mass_opening *o, const mass_model *m)
{
    put_number(to, o->setting_count);
    for (uint32_t i = 0; i < o->setting_count; i++) {
        put_text(to, o->settings[i].name);
        put_text(to, value_of(m, &o->settings[i]));
    }
    put(to, o->size, sizeof o->size);
    put_number(to, o->dimensions);
    put_number(to, o->seed);
    put_number(to, o->resumed);
    put_number(to, o->stored ? o->stored->space_count : 0);
    for (uint32_t i = 0; o->stored && i < o->stored->space_count; i++) {
        const mass_space_def *space = &o->stored->spaces[i];
        put_text(to, space->name);
        put(to, space->size, sizeof space->size);
        put_number(to, space->dimensions);
    }
}

/* Writes what the command has changed in the model since the plugin's open: sizes, a sweep, numbers of agents, phases
 * of the start that files replace. */
static void put_model(FILE *to, const mass_model *m, int32_t worlds)
{
    for (uint32_t i = 0; i < m->space_count; i++) put(to, m->spaces[i].size, sizeof m->spaces[i].size);
    put_number(to, (uint64_t)m->parameters.worlds);
    for (uint32_t i = 0; i < m->parameters.count; i++) {
        const mass_parameter_slot *slot = &m->parameters.slots[i];
        put_list(to, slot->swept, (size_t)worlds * sizeof(uint64_t));
        if (slot->list && slot->swept) put_texts(to, slot->choices);
    }
    for (uint32_t i = 0; i < m->population_count; i++) {
        put_number(to, (uint64_t)m->populations[i].count);
        put_list(to, m->populations[i].counts, (size_t)worlds * sizeof(int64_t));
    }
    for (uint32_t i = 0; i < m->phase_count; i++) put_number(to, m->phases[i].replaced);
}

/* Writes all that ranks above 0 need to make the same run, then the model, for comparison. */
static void put_job(FILE *to, const mass_session *s)
{
    char path[PATH_MAX];
    put_text(to, MASS_ENGINE_VERSION);
    char *same = mass_same_options();
    put_text(to, same);
    free(same);
    put_text(to, realpath(s->loaded.path, path) ? path : s->loaded.path);
    put_text(to, s->model.plugin);
    put_text(to, s->owner.facts.plugin_hash);
    put_opening(to, &s->opening, &s->model);
    put_number(to, s->options->tally_count);
    for (uint32_t i = 0; i < s->options->tally_count; i++) put_text(to, s->options->tallies[i]);
    put_text(to, mass_session_until(s));
    put_number(to, (uint64_t)mass_session_worlds(s));
    put_number(to, (uint64_t)(s->checkpoint ? s->checkpoint->first_world : s->options->first_world));
    put_number(to, (uint64_t)s->options->partitions);
    put_number(to, (uint64_t)s->options->fuse);
    put_number(to, s->first_step);
    put_list(to, s->options->shares, s->options->share_count * sizeof *s->options->shares);
    put_number(to, s->options->edge_shares);
    put_model(to, &s->model, mass_session_worlds(s));
}

mass_status mass_job_send(mass_session *s, mass_error *error)
{
    mass_comm *comm = s->comm;
    char *bytes = NULL;
    size_t size = 0;
    if (comm->size == 1) return MASS_OK;
    FILE *to = mass_memory_stream(&bytes, &size);
    if (to) put_job(to, s);
    if (!to || fclose(to) != 0) return mass_error_memory(error, size, "what the other ranks are told");
    uint64_t length = size; /* sent first; 0 if the run was cancelled */
    mass_status status = comm->table->broadcast(comm, &length, sizeof length, error);
    if (status == MASS_OK) status = comm->table->broadcast(comm, bytes, size, error);
    free(bytes);
    return status;
}

void mass_job_cancel(mass_comm *comm)
{
    mass_error ignored = {0};
    uint64_t none = 0;
    if (comm->size > 1) comm->table->broadcast(comm, &none, sizeof none, &ignored);
}

/* ---- reading ---- */

/* Returns the next `size` bytes. Returns NULL if the job has less left, and from then on. */
static const void *take(mass_job *j, size_t size)
{
    const char *at = j->bytes + j->read;
    if (size > j->size - j->read) {
        j->read = j->size;
        return NULL;
    }
    j->read += size;
    return at;
}

/* Takes the next number; 0 if the message is too short. */
static uint64_t take_number(mass_job *j)
{
    uint64_t value = 0;
    const void *at = take(j, sizeof value);
    if (at) memcpy(&value, at, sizeof value);
    return value;
}

/* Copies the next bytes; leaves `to` if the message is too short. */
static void take_into(mass_job *j, void *to, size_t size)
{
    const void *at = take(j, size);
    if (at && size) memcpy(to, at, size);
}

/* Takes the next text, which stays in the message; NULL: none, or the message is too short. */
static const char *take_text(mass_job *j)
{
    const size_t size = take_number(j);
    return size ? take(j, size) : NULL;
}

/* Reads what put_list wrote, into memory of its own; NULL if there was no list. Its bytes are undefined if the message
 * is too short. Returns false if memory is short. */
static bool take_list(mass_job *j, size_t size, void **out)
{
    *out = NULL;
    if (take_number(j) == 0) return true;
    *out = malloc(size + 1);
    if (*out) take_into(j, *out, size);
    return *out != NULL;
}

/* Takes settings, size, seed and stored spaces. Returns false if memory is short. Bytes that are missing read as 0. */
static bool take_opening(mass_job *j)
{
    mass_opening *o = &j->opening;
    *o = (mass_opening){.setting_count = (uint32_t)take_number(j), .quiet = true,
                        .read_edges = mass_edge_arrays_read_again};
    j->settings = calloc((size_t)o->setting_count + 1, sizeof *j->settings);
    if (!j->settings) return false;
    for (uint32_t i = 0; i < o->setting_count; i++) {
        j->settings[i].name = take_text(j);
        j->settings[i].value = take_text(j);
    }
    o->settings = j->settings;
    take_into(j, o->size, sizeof o->size);
    o->dimensions = (uint32_t)take_number(j);
    o->seed = take_number(j);
    o->resumed = take_number(j) != 0;
    const uint64_t spaces = take_number(j);
    for (uint64_t i = 0; i < spaces && i < MASS_SPACES_MAX; i++) {
        mass_space_def *space = &j->stored.spaces[j->stored.space_count++];
        const char *name = take_text(j);
        snprintf(space->name, sizeof space->name, "%s", name ? name : "");
        take_into(j, space->size, sizeof space->size);
        space->dimensions = (uint32_t)take_number(j);
    }
    if (spaces) o->stored = &j->stored;
    return true;
}

/* Reads the job up to the model, and checks that engine and options are rank 0's. ranks: their number. */
static mass_status take_head(mass_job *j, int32_t ranks, mass_error *error)
{
    const char *engine = take_text(j);
    if (!engine || strcmp(engine, MASS_ENGINE_VERSION) != 0)
        return mass_error_set(error, MASS_BAD_USAGE, "this is mass-engine " MASS_ENGINE_VERSION ", and rank 0 is %s: "
                              "all ranks have to run the same", engine ? engine : "another");
    const mass_status same = mass_same_options_check(take_text(j), error);
    if (same != MASS_OK) return same;
    j->path = take_text(j);
    j->plugin = take_text(j);
    j->plugin_hash = take_text(j);
    bool room = take_opening(j);
    j->tally_count = (uint32_t)take_number(j);
    j->tallies = calloc((size_t)j->tally_count + 1, sizeof *j->tallies);
    room &= j->tallies != NULL;
    if (!room) return mass_error_memory(error, j->size, "what rank 0 tells");
    for (uint32_t i = 0; i < j->tally_count; i++) j->tallies[i] = take_text(j);
    j->until = take_text(j);
    j->worlds = (int32_t)take_number(j);
    j->first_world = (int32_t)take_number(j);
    j->partitions = (int32_t)take_number(j);
    j->fuse = (int32_t)take_number(j);
    j->first_step = take_number(j);
    void *shares;
    room = take_list(j, (size_t)ranks * sizeof *j->shares, &shares);
    j->shares = shares;
    j->edge_shares = take_number(j) != 0;
    return room ? MASS_OK : mass_error_memory(error, j->size, "what rank 0 tells");
}

mass_status mass_job_receive(mass_comm *comm, mass_job *job, bool *cancelled, mass_error *error)
{
    uint64_t size = 0;
    *job = (mass_job){0};
    *cancelled = false;
    mass_status status = comm->table->broadcast(comm, &size, sizeof size, error);
    if (status != MASS_OK) return status;
    *cancelled = size == 0;
    if (*cancelled) return MASS_OK;
    job->size = size;
    job->bytes = malloc(size);
    if (!job->bytes) return mass_rpc_abandon(comm, mass_error_memory(error, size, "what rank 0 tells"), error);
    status = comm->table->broadcast(comm, job->bytes, job->size, error);
    return status == MASS_OK ? take_head(job, comm->size, error) : status;
}

/* Checks that the sizes of spaces, which a plugin may read from a file, are those of rank 0, in the job. */
static mass_status check_spaces(mass_job *j, const mass_model *m, mass_error *error)
{
    for (uint32_t i = 0; i < m->space_count; i++) {
        mass_gidx size[3] = {0};
        take_into(j, size, sizeof size);
        if (memcmp(size, m->spaces[i].size, sizeof size) != 0)
            return mass_error_set(error, MASS_BAD_INPUT, "plugin %s makes space %s of another size here than on rank "
                                  "0: do all ranks see the same input?", m->plugin, m->spaces[i].name);
    }
    return MASS_OK;
}

/* Reads what put_texts wrote into the choices of a list, in place of those that it had. Returns false if memory is
 * short. */
static bool take_texts(mass_job *j, mass_parameter_slot *slot)
{
    uint64_t number;
    mass_error ignored = {0};
    bool room = true;
    mass_list_free(slot);
    for (uint64_t i = take_number(j); room && i > 0; i--) {
        const char *text = take_text(j);
        room = !text || mass_list_meet(slot, text, &number, &ignored) == MASS_OK;
    }
    return room;
}

/* Reads what put_model wrote after the sizes, which check_spaces reads before, into a model. Returns false if memory is
 * short. */
static bool take_model(mass_job *j, mass_model *m)
{
    bool room = true;
    void *list;
    m->parameters.worlds = (int32_t)take_number(j);
    for (uint32_t i = 0; room && i < m->parameters.count; i++) {
        room = take_list(j, (size_t)j->worlds * sizeof(uint64_t), &list);
        mass_parameter_slot *slot = &m->parameters.slots[i];
        slot->swept = list;
        if (room && slot->list && slot->swept) room = take_texts(j, slot);
    }
    for (uint32_t i = 0; room && i < m->population_count; i++) {
        m->populations[i].count = (int64_t)take_number(j);
        room = take_list(j, (size_t)j->worlds * sizeof(int64_t), &list);
        m->populations[i].counts = list;
    }
    for (uint32_t i = 0; room && i < m->phase_count; i++) m->phases[i].replaced = take_number(j) != 0;
    return room;
}

mass_status mass_job_apply(mass_job *job, mass_model *m, mass_error *error)
{
    const mass_status status = check_spaces(job, m, error);
    if (status != MASS_OK) return status;
    if (!take_model(job, m)) return mass_error_memory(error, job->size, "what rank 0 tells");
    if (job->read == job->size) return MASS_OK;
    return mass_error_set(error, MASS_BAD_PLUGIN, "plugin %s declares another model here than on rank 0", m->plugin);
}

void mass_job_free(mass_job *job)
{
    free(job->bytes);
    free(job->settings);
    free(job->tallies);
    free(job->shares);
    *job = (mass_job){0};
}
