/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a checkpoint under a temporary name, closes it, reads it back and makes it durable. Only then it gets its
 * name. HDF5 1.10 may close a file without an error although its writes failed. Therefore the space of all data is
 * reserved first, and every return code is checked. Everything but the data is read back from the closed file, with its
 * checksums. */
#include "comm/watch.h"
#include "io/checkpoint/axes.h"
#include "io/checkpoint/boxes.h"
#include "io/checkpoint/parts.h"
#include "io/checkpoint/writer.h"
#include "io/folder/ownership.h"
#include "snapshot/snapshot.h"
#include "snapshot/state_hash.h"
#include "state/stop_state.h"
#include "text/parameter.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PARAMETERS_BYTES_MAX = 1 << 20 };

/* Marks the writer as failed if an HDF5 result is negative. Returns the result. */
static hid_t check(mass_checkpoint_writer *w, hid_t result) { return mass_hdf5_check(&w->out, result); }

/* Closes an HDF5 object; a failure marks the writer. */
static void done(mass_checkpoint_writer *w, hid_t id, herr_t (*close_id)(hid_t))
{
    mass_hdf5_done(&w->out, id, close_id);
}

/* ---- HDF5 attributes ---- */

/* Writes one value as an HDF5 attribute. */
static void put_one(mass_checkpoint_writer *w, hid_t at, const char *name, hid_t type, const void *value)
{
    mass_hdf5_put(&w->out, at, name, type, 0, value);
}

/* Writes one number as an HDF5 attribute. */
static void put_u64(mass_checkpoint_writer *w, hid_t at, const char *name, uint64_t value)
{
    mass_hdf5_put_u64(&w->out, at, name, value);
}

/* Writes one text as an HDF5 attribute. */
static void put_text(mass_checkpoint_writer *w, hid_t at, const char *name, const char *text)
{
    mass_hdf5_put_text(&w->out, at, name, text);
}

/* ---- the contents ---- */

/* Writes an attribute's set with its values, or links to the parts; then what describes it. Sets w->hashes[i]. */
static void put_attribute(mass_checkpoint_writer *w, hid_t group, uint32_t i)
{
    const mass_model *m = w->snapshot->model;
    const mass_attribute_def *a = &m->attributes[i];
    const mass_checkpoint_shape shape =
        mass_checkpoint_attribute_shape(m, a, w->snapshot->worlds, w->snapshot->agents);
    char hex[33];
    const mass_parts_written *parts = w->settings->parts;
    const hid_t type = check(w, mass_checkpoint_component_type(a));
    const hid_t set = parts ? mass_parts_put_set(&w->out, group, parts, w->snapshot, i)
                            : mass_checkpoint_make_data(w, group, a->name, type, &shape);
    if (parts) memcpy(w->hashes[i], parts->hashes[i], sizeof w->hashes[i]);
    else if (!w->out.failed) mass_checkpoint_put_values(&w->out, set, w->snapshot, i, w->hashes[i]);
    mass_hash_format(w->hashes[i], hex);
    put_text(w, set, "dimension_labels", shape.labels);
    put_text(w, set, "mass_type", mass_type_name(a->type));
    put_u64(w, set, "length", a->length);
    if (a->type == MASS_BIT) put_u64(w, set, "extent", (uint64_t)m->spaces[a->space].size[0]);
    put_text(w, set, "hash", hex);
    mass_checkpoint_put_note(w, set, "unit", a->unit);
    mass_checkpoint_put_note(w, set, "help", a->help);
    done(w, set, H5Dclose);
    done(w, type, H5Tclose);
}

/* Counts the stored attributes of a population, or of a space if `population` is negative. */
static uint32_t stored_attributes(const mass_model *m, int32_t population, uint32_t space)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->attribute_count; i++) {
        const mass_attribute_def *a = &m->attributes[i];
        count += a->population == population && (population >= 0 || (a->space == space && !a->streamed));
    }
    return count;
}

/* Writes a space's group: its form, its stored attributes with their values, and its axes. */
static void put_space(mass_checkpoint_writer *w, hid_t places, uint32_t index)
{
    static const char *const labels[] = {"x", "y x", "z y x"};
    const mass_model *m = w->snapshot->model;
    const mass_space_def *s = &m->spaces[index];
    const hid_t group = mass_checkpoint_make_large_group(w, places, s->name, stored_attributes(m, -1, index));
    mass_hdf5_put(&w->out, group, "size", H5T_STD_I64LE, s->dimensions, s->size);
    put_u64(w, group, "dimensions", s->dimensions);
    put_u64(w, group, "torus", s->torus);
    put_text(w, group, "dimension_labels", labels[s->dimensions - 1]);
    for (uint32_t i = 0; i < m->attribute_count; i++)
        if (m->attributes[i].population < 0 && m->attributes[i].space == index && !m->attributes[i].streamed)
            put_attribute(w, group, i);
    mass_checkpoint_put_axes(&w->out, group, w->snapshot, &(mass_axes_group){-1, index});
    done(w, group, H5Gclose);
}

/* Writes a population's group: its form, its attributes with their values, and its axes. */
static void put_population(mass_checkpoint_writer *w, hid_t agents, uint32_t index)
{
    const mass_model *m = w->snapshot->model;
    const mass_population_def *p = &m->populations[index];
    const hid_t group = mass_checkpoint_make_large_group(w, agents, p->name, stored_attributes(m, (int32_t)index, 0));
    put_text(w, group, "space", m->spaces[p->space].name);
    put_u64(w, group, "capacity", p->capacity);
    put_u64(w, group, "agents", w->snapshot->agents[index]);
    for (uint32_t i = 0; i < m->attribute_count; i++)
        if (m->attributes[i].population == (int32_t)index) put_attribute(w, group, i);
    mass_checkpoint_put_axes(&w->out, group, w->snapshot, &(mass_axes_group){(int32_t)index, p->space});
    done(w, group, H5Gclose);
}

/* Writes /agents with all populations; nothing if the model has none. */
static void put_populations(mass_checkpoint_writer *w)
{
    const mass_model *m = w->snapshot->model;
    if (m->population_count == 0) return;
    const hid_t agents = mass_checkpoint_make_group(w, w->out.file, "agents");
    for (uint32_t i = 0; i < m->population_count; i++) put_population(w, agents, i);
    done(w, agents, H5Gclose);
}

/* Writes a parameter's value and its kind as HDF5 attributes; a sweep's values are written apart. */
static void put_parameter(mass_checkpoint_writer *w, hid_t group, const mass_parameter_slot *p)
{
    char name[MASS_NAME_SIZE + 8], kind[32];
    if (p->type == MASS_INTEGER)
        put_one(w, group, p->name, H5T_STD_I64LE, &p->integer);
    else if (p->type == MASS_REAL)
        put_one(w, group, p->name, H5T_IEEE_F64LE, &p->real);
    else
        put_text(w, group, p->name, p->text);
    snprintf(name, sizeof name, "%s.kind", p->name);
    snprintf(kind, sizeof kind, "%s%s%s", mass_checkpoint_parameter_kinds[p->type],
             p->constant ? " constant"
             : p->given  ? " given"
                         : "", p->swept ? " swept" : "");
    put_text(w, group, name, kind);
}

/* Returns the size of the longest choice that a world has, with its final zero. */
static size_t choice_size(const mass_parameter_slot *p, int32_t worlds)
{
    size_t size = 1;
    for (int32_t w = 0; w < worlds; w++) {
        const size_t length = strlen(p->choices[p->swept[w]]) + 1;
        if (length > size) size = length;
    }
    return size;
}

/* Writes the worlds' values of a swept parameter: numbers as they are, choices as texts. */
static void put_swept(mass_checkpoint_writer *w, hid_t group, const mass_parameter_slot *p)
{
    const size_t worlds = (uint32_t)w->snapshot->worlds;
    const size_t size = p->type == MASS_CHOICE ? choice_size(p, w->snapshot->worlds) : sizeof(uint64_t);
    const mass_checkpoint_shape shape = mass_checkpoint_tally_shape(w->snapshot->worlds, "", 1);
    char hex[33], *values = calloc(worlds, size);
    if (!values) {
        mass_hdf5_failed(&w->out);
        return;
    }
    for (size_t i = 0; i < worlds; i++) {
        if (p->type == MASS_CHOICE) snprintf(values + i * size, size, "%s", p->choices[p->swept[i]]);
        else memcpy(values + i * size, &p->swept[i], size);
    }
    const hid_t type = check(w, mass_checkpoint_swept_type(p->type, size));
    const hid_t set = mass_checkpoint_put_data(w, group, p->name, type, &shape, values);
    mass_checkpoint_hash_bytes(values, worlds * size, hex);
    put_text(w, set, "hash", hex);
    done(w, set, H5Dclose);
    done(w, type, H5Tclose);
    free(values);
}

/* Writes the state of `steady` in all worlds, if the stop condition has any. */
static void put_steady(mass_checkpoint_writer *w, hid_t group, const mass_until_state *u)
{
    const size_t count = (size_t)u->steady_count * (size_t)w->snapshot->worlds;
    const mass_checkpoint_shape shape = mass_checkpoint_steady_shape(u->steady_count, w->snapshot->worlds);
    double *last = malloc((count + 1) * sizeof *last);
    int64_t *unchanged = malloc((count + 1) * sizeof *unchanged);
    if (!last || !unchanged) {
        mass_hdf5_failed(&w->out);
    } else if (count > 0) {
        for (size_t i = 0; i < count; i++) last[i] = u->steady[i].last, unchanged[i] = u->steady[i].unchanged;
        done(w, mass_checkpoint_put_data(w, group, "last", H5T_IEEE_F64LE, &shape, last), H5Dclose);
        done(w, mass_checkpoint_put_data(w, group, "unchanged", H5T_STD_I64LE, &shape, unchanged), H5Dclose);
    }
    free(last);
    free(unchanged);
}

/* Writes the stop condition and its state to /until; nothing if there is none. */
static void put_until(mass_checkpoint_writer *w)
{
    const mass_until_state *u = &w->snapshot->until;
    if (!u->text) return;
    const hid_t group = mass_checkpoint_make_group(w, w->out.file, "until");
    put_text(w, group, "expression", u->text);
    put_u64(w, group, "held", u->held);
    put_u64(w, group, "steady", u->steady_count);
    put_steady(w, group, u);
    done(w, group, H5Gclose);
}

/* Writes the names and hashes of the input files to /inputs, not their contents; nothing if there are none. */
static void put_inputs(mass_checkpoint_writer *w)
{
    const mass_inputs *inputs = w->settings->inputs;
    if (!inputs || inputs->count == 0) return;
    const hid_t all = mass_checkpoint_make_group(w, w->out.file, "inputs");
    for (uint32_t i = 0; i < inputs->count; i++) {
        const hid_t group = mass_checkpoint_make_group(w, all, inputs->list[i].name);
        put_text(w, group, "file", inputs->list[i].file);
        put_text(w, group, "hash", inputs->list[i].hash);
        done(w, group, H5Gclose);
    }
    done(w, all, H5Gclose);
}

/* Writes the events' text, its hash and how many were applied to /events; nothing if there is none. */
static void put_events(mass_checkpoint_writer *w)
{
    const mass_recorded_events *e = &w->settings->events;
    char hex[33];
    if (!e->text) return;
    const mass_checkpoint_shape shape = mass_checkpoint_keys_shape("byte", e->size, 1);
    const hid_t group = mass_checkpoint_make_group(w, w->out.file, "events");
    mass_checkpoint_hash_bytes(e->text, e->size, hex);
    put_u64(w, group, "applied", e->applied);
    put_u64(w, group, "bytes", e->size);
    put_text(w, group, "hash", hex);
    done(w, mass_checkpoint_put_data(w, group, "text", H5T_STD_U8LE, &shape, e->text), H5Dclose);
    done(w, group, H5Gclose);
}

/* Writes what the root says of format, plugin, run and owner, as HDF5 attributes. */
static void put_facts(mass_checkpoint_writer *w)
{
    const mass_snapshot *s = w->snapshot;
    char hex[33];
    put_text(w, w->out.file, "format", MASS_CHECKPOINT_FORMAT_NAME);
    put_u64(w, w->out.file, "format_version", MASS_CHECKPOINT_FORMAT);
    put_text(w, w->out.file, "engine_version", MASS_ENGINE_VERSION);
    put_text(w, w->out.file, "plugin", s->model->plugin);
    put_text(w, w->out.file, "plugin_version", s->model->version);
    put_u64(w, w->out.file, "abi_major", MASS_ABI_MAJOR);
    put_u64(w, w->out.file, "abi_minor", MASS_ABI_MINOR);
    if (!mass_checkpoint_schema(s->model, hex)) mass_hdf5_failed(&w->out); /* errno has the reason */
    put_text(w, w->out.file, "schema", hex);
    put_u64(w, w->out.file, "seed", s->seed);
    put_u64(w, w->out.file, "step", s->step);
    put_u64(w, w->out.file, "worlds", (uint64_t)s->worlds);
    put_u64(w, w->out.file, "first_world", (uint64_t)s->first_world);
    put_u64(w, w->out.file, "checkpoint_every", w->settings->every);
    put_u64(w, w->out.file, "last_step", w->settings->last_step);
    put_u64(w, w->out.file, "keep", w->settings->keep);
    if (w->settings->owner) put_text(w, w->out.file, "run", w->settings->owner->facts.run);
    mass_hdf5_put_owner(&w->out, w->settings->owner);
    if (w->settings->parts) mass_parts_put_facts(&w->out, w->settings->parts);
}

/* Copies an attribute's hash, which put_attribute found; `owner` is the writer. */
static void attribute_hash(const void *owner, uint32_t index, uint8_t hash[16])
{
    const mass_checkpoint_writer *w = owner;
    memcpy(hash, w->hashes[index], 16);
}

/* Copies a tally's hash, which was found when it was written; `owner` is the writer. */
static void tally_hash(const void *owner, uint32_t index, uint8_t hash[16])
{
    const mass_checkpoint_writer *w = owner;
    memcpy(hash, w->tally_hashes[index], 16);
}

/* Writes the hash of the whole state. All attributes and tallies have to be written before. */
static void put_state_hash(mass_checkpoint_writer *w)
{
    const mass_snapshot *s = w->snapshot;
    const mass_hashed_state state = {s->model, MASS_STATE_HASH_VERSION, s->worlds, s->agents, s->step, attribute_hash,
                                     tally_hash, w};
    char hex[33];
    mass_state_hash(&state, hex);
    put_text(w, w->out.file, "state_hash", hex);
    put_u64(w, w->out.file, "state_hash_version", MASS_STATE_HASH_VERSION);
}

/* Writes everything into the open file; the state's hash after the attributes and tallies. */
static void put_all(mass_checkpoint_writer *w)
{
    const mass_model *m = w->snapshot->model;
    put_facts(w);
    const hid_t parameters = mass_checkpoint_make_group(w, w->out.file, "parameters");
    for (uint32_t i = 0; i < m->parameters.count; i++) {
        put_parameter(w, parameters, &m->parameters.slots[i]);
        if (m->parameters.slots[i].swept) put_swept(w, parameters, &m->parameters.slots[i]);
    }
    mass_checkpoint_put_parameter_axis(&w->out, parameters, w->snapshot);
    done(w, parameters, H5Gclose);
    const hid_t places = mass_checkpoint_make_group(w, w->out.file, "places");
    for (uint32_t i = 0; i < m->space_count; i++) put_space(w, places, i);
    done(w, places, H5Gclose);
    put_populations(w);
    mass_checkpoint_put_tallies(w);
    if (w->settings->parts) mass_parts_put_counts(&w->out, w->settings->parts, m);
    put_state_hash(w);
    put_until(w);
    put_inputs(w);
    put_events(w);
    mass_checkpoint_put_networks(w);
}

/* ---- the file ---- */

/* Returns the bytes of all attributes of the snapshot. */
static size_t bytes_of(const mass_snapshot *s)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < s->model->attribute_count; i++) bytes += mass_snapshot_size(s, i);
    return bytes;
}

/* Replaces `path`, a temporary name, by the whole checkpoint and closes it. Failures are in w->out. Publishes
 * nothing. */
static void write_file(mass_checkpoint_writer *w, const char *path)
{
    unlink(path); /* left by a failed attempt */
    mass_checkpoint_create(w, path);
    const size_t bytes = (w->settings->parts ? 0 : bytes_of(w->snapshot)) + w->settings->events.size;
    if (!w->out.failed) mass_hdf5_reserve(&w->out, bytes);
    if (!w->out.failed) put_all(w);
    done(w, w->group_list, H5Pclose);
    done(w, w->out.file, H5Fclose);
}

/* Opens the written file and checks all but the data against its checksums; each write of data was checked. A fault
 * marks the writer. */
static void read_back(mass_checkpoint_writer *w, const char *path)
{
    mass_checkpoint *c;
    mass_error error = {0};
    if (w->out.failed) return;
    if (mass_checkpoint_open(path, &c, &error) != MASS_OK) {
        mass_hdf5_unreadable(&w->out, error.text);
        return;
    }
    if (!mass_hdf5_scales_whole(c->file)) mass_hdf5_unreadable(&w->out, "an axis leads nowhere");
    mass_checkpoint_close(c);
}

/* Sets MASS_BAD_PLUGIN: the model declares more objects than a checkpoint holds. */
static mass_status refuse_number(const mass_model *m, uint32_t count, const char *what, mass_error *error)
{
    return mass_error_set(error, MASS_BAD_PLUGIN, "%s declares %u %s, and a checkpoint holds at most %d: run without "
                          "--checkpoint", m->plugin, count, what, MASS_CHECKPOINT_OBJECTS_MAX);
}

/* Refuses parameters that are too large: a resumed run passes them as arguments to a subprocess, and the system
 * limits those. */
static mass_status check_parameters(const mass_model *m, mass_error *error)
{
    size_t bytes = 0;
    char value[64];
    for (uint32_t i = 0; i < m->parameters.count; i++) {
        const mass_parameter_slot *p = &m->parameters.slots[i];
        bytes += strlen(p->name) + strlen(mass_parameter_format(p, value)) + 24;
        if (p->text && strlen(p->text) > MASS_CHECKPOINT_TEXT_MAX)
            return mass_error_set(error, MASS_BAD_USAGE, "parameter %s: its text of %zu bytes does not fit a "
                                  "checkpoint, which holds at most %d: shorten it, or run without --checkpoint",
                                  p->name, strlen(p->text), MASS_CHECKPOINT_TEXT_MAX);
    }
    if (bytes <= PARAMETERS_BYTES_MAX) return MASS_OK;
    return mass_error_set(error, MASS_BAD_USAGE, "the parameters of %s have %zu bytes, and a checkpoint holds at most "
                          "%d: shorten them, or run without --checkpoint", m->plugin, bytes, PARAMETERS_BYTES_MAX);
}

mass_status mass_checkpoint_check_model(const mass_model *m, mass_error *error)
{
    if (m->parameters.count > MASS_CHECKPOINT_OBJECTS_MAX)
        return refuse_number(m, m->parameters.count, "parameters", error);
    if (m->attribute_count > MASS_CHECKPOINT_OBJECTS_MAX)
        return refuse_number(m, m->attribute_count, "attributes", error);
    if (m->tally_count > MASS_CHECKPOINT_OBJECTS_MAX) return refuse_number(m, m->tally_count, "tallies", error);
    return check_parameters(m, error);
}

mass_status mass_checkpoint_write(const mass_checkpoint_settings *settings, const mass_snapshot *s,
                                  char path[PATH_MAX], mass_error *error)
{
    char temporary[PATH_MAX], final[PATH_MAX];
    mass_checkpoint_writer w = {.out = {.file = -1}, .settings = settings, .snapshot = s, .group_list = -1};
    if (!mass_checkpoint_name(settings->folder, s->step, final) ||
        !mass_checkpoint_temporary_name(settings->folder, settings->owner, s->step, temporary))
        return mass_error_set(error, MASS_BAD_USAGE,
                              "the checkpoint folder's path is too long: give a shorter one");
    const mass_status status = mass_checkpoint_check_model(s->model, error);
    if (status != MASS_OK) return status;
    const size_t hashes = (size_t)s->model->attribute_count + s->model->tally_count + 1;
    w.hashes = calloc(hashes, sizeof *w.hashes);
    if (!w.hashes) return mass_error_memory(error, hashes * sizeof *w.hashes, "a checkpoint");
    w.tally_hashes = w.hashes + s->model->attribute_count;
    mass_run_facts before;
    mass_file_facts(final, &before);
    mass_hdf5_start();
    const char *other = mass_comm_watch_writes(final);
    write_file(&w, temporary);
    read_back(&w, temporary);
    mass_hdf5_publish(&w.out, temporary, final, settings->folder, settings->owner);
    mass_comm_watch_writes(other);
    free(w.hashes);
    if (w.out.failed) {
        unlink(temporary);
        return mass_error_set(error, MASS_FAILED, "cannot write checkpoint %s: %s", final, w.out.reason);
    }
    mass_checkpoint_prune(settings, final);
    if (before.parts[0]) mass_part_sweep(settings->folder, before.parts, NULL); /* parts of the replaced file */
    if (path) memcpy(path, final, PATH_MAX);
    return MASS_OK;
}
