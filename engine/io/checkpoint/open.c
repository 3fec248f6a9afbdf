/* SPDX-License-Identifier: Apache-2.0 */
/* Opens checkpoints, which may be damaged or hostile. Every type, rank, extent and size is compared with what a
 * checkpoint needs, before memory is allocated or data is read. */
#include "io/checkpoint/axes.h"
#include "base/plural.h"
#include "io/checkpoint/parts.h"
#include "io/checkpoint/reader.h"
#include "snapshot/state_hash.h"
#include "state/stop_state.h"

#include <hdf5.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- declarations ---- */

/* Returns the MASS type of an HDF5 type; MASS_TYPE_NONE if there is none. */
static uint32_t number_of(hid_t type)
{
    for (uint32_t t = MASS_I8; t <= MASS_F64; t++)
        if (H5Tequal(type, mass_hdf5_number_type(t)) > 0) return t;
    return MASS_TYPE_NONE;
}

/* Reads the members of a compound type; the caller frees their names with H5free_memory. Returns their number; 0 if
 * there are too many. */
static int read_members(hid_t type, mass_member members[MASS_READER_MEMBERS_MAX])
{
    const int count = H5Tget_nmembers(type);
    if (count < 1 || count > MASS_READER_MEMBERS_MAX) return 0;
    for (int i = 0; i < count; i++) {
        const hid_t member = H5Tget_member_type(type, (unsigned)i);
        members[i].name = H5Tget_member_name(type, (unsigned)i);
        members[i].type = number_of(member);
        members[i].offset = (uint32_t)H5Tget_member_offset(type, (unsigned)i);
        H5Tclose(member);
    }
    return count;
}

/* Declares an attribute of a population or, if that is negative, of the newest space. Its type is the data set's, or
 * bits if the set's bytes are bits. check_attribute then compares the set with the declaration. */
static bool declare_attribute(mass_reader *r, hid_t set, const char *name, int population, uint32_t length,
                              const char *mass_type)
{
    mass_model *m = &r->c->model;
    mass_error why = {0};
    mass_member *members = calloc(MASS_READER_MEMBERS_MAX, sizeof *members);
    if (!members) return mass_reader_no_memory(r, MASS_READER_MEMBERS_MAX * sizeof *members);
    const hid_t type = H5Dget_type(set);
    mass_attribute a = {.struct_size = sizeof a,
                        .name = name,
                        .space = m->spaces[m->space_count - 1].name,
                        .population = population < 0 ? NULL : m->populations[population].name,
                        .length = length,
                        .type = number_of(type)};
    if (H5Tget_class(type) == H5T_COMPOUND && H5Tget_size(type) <= MASS_READER_MEMBERS_MAX * sizeof(uint64_t)) {
        a.type = MASS_STRUCT;
        a.element_size = (uint32_t)H5Tget_size(type);
        a.member_count = (uint32_t)read_members(type, members);
        a.members = members;
    }
    if (a.type == MASS_U8 && strcmp(mass_type, mass_type_name(MASS_BIT)) == 0) a.type = MASS_BIT;
    const bool good = mass_model_add_attribute(m, &a, &why) == MASS_OK || mass_reader_refused(r, &why);
    for (uint32_t i = 0; i < a.member_count; i++) H5free_memory((void *)members[i].name);
    free(members);
    H5Tclose(type);
    return good;
}

/* Checks an attribute's type and, unless parts hold its values, its extents and layout; reads no values. */
static bool check_attribute(mass_reader *r, hid_t set, const mass_attribute_def *a)
{
    const mass_checkpoint_shape shape =
        mass_checkpoint_attribute_shape(&r->c->model, a, r->c->worlds, r->c->agents);
    const hid_t type = mass_checkpoint_component_type(a);
    const bool good = mass_reader_check_type(r, set, type, a->name) &&
                      (r->c->parts || (mass_reader_check_extents(r, set, &shape, a->name) &&
                                       mass_reader_check_layout(r, set, &shape, a->component_size, a->name)));
    H5Tclose(type);
    return good;
}

/* Checks how many places a row of bits has: its bytes alone do not tell. Other attributes pass. */
static bool check_places(mass_reader *r, hid_t set, const mass_attribute_def *a)
{
    uint64_t places;
    if (a->type != MASS_BIT) return true;
    return mass_reader_u64(r, set, "extent", INT64_MAX, &places) &&
           (places == (uint64_t)r->c->model.spaces[a->space].size[0] ||
            mass_reader_damaged(r, "'%s' has other extents than its space or population", a->name));
}

/* Compares a data set with a declared attribute, without its values, and keeps its place and hash for later reads. */
static bool accept_attribute(mass_reader *r, hid_t set, uint32_t attribute, const char *mass_type, uint64_t length)
{
    const mass_attribute_def *a = &r->c->model.attributes[attribute];
    if (strcmp(mass_type, mass_type_name(a->type)) != 0)
        return mass_reader_damaged(r, "'%s' is not of type %s", a->name, mass_type);
    if (length != a->length)
        return mass_reader_damaged(r, "'%s' has %" PRIu64 " component%s", a->name, length, mass_plural(length));
    return check_attribute(r, set, a) && check_places(r, set, a) &&
           (!r->c->parts || mass_parts_open_set(r, set, attribute)) &&
           mass_reader_keep_place(r, set, &r->c->attribute_places, r->c->model.attribute_count, attribute) &&
           mass_reader_keep_hash(r, set, &r->c->hashes, r->c->model.attribute_count, attribute);
}

/* Opens an attribute's data set: virtual in a master of parts, unless another program copied the values in, which ends
 * c->parts. Negative, with the error set, on failure. */
static hid_t open_set(mass_reader *r, hid_t group, const char *name)
{
    const hid_t set = r->c->parts ? mass_hdf5_virtual_set(group, name) : -1;
    if (set >= 0) return set;
    if (!r->c->parts || mass_parts_leave(r)) return mass_reader_set(r, group, name);
    mass_reader_unreadable(r, name);
    return -1;
}

/* Opens an attribute of the newest space, or of a population, if the model has room for it. A population has some
 * attributes from the start. Refuses one without components. */
static bool open_owned(mass_reader *r, hid_t group, const char *name, int population)
{
    const mass_model *m = &r->c->model;
    uint64_t length = 0;
    char type[16];
    if (m->attribute_count >= MASS_CHECKPOINT_OBJECTS_MAX)
        return mass_reader_damaged(r, "it holds too many attributes");
    const hid_t set = open_set(r, group, name);
    if (set < 0) return false;
    bool good = mass_reader_u64(r, set, "length", MASS_LENGTH_MAX, &length) &&
                mass_reader_text(r, set, "mass_type", type, 16);
    if (good && length == 0) good = mass_reader_damaged(r, "'%s' has no components", name);
    int known = population < 0 ? -1 : mass_model_find_agent_attribute(m, (uint32_t)population, name);
    if (good && known < 0) {
        good = declare_attribute(r, set, name, population, (uint32_t)length, type);
        known = (int)m->attribute_count - 1;
    }
    good = good && accept_attribute(r, set, (uint32_t)known, type, length);
    H5Dclose(set);
    return good;
}

/* Opens an attribute of the last space; skips axes. */
static bool open_attribute(mass_reader *r, hid_t group, const char *name)
{
    return mass_reader_is_axis(group, name) || open_owned(r, group, name, -1);
}

/* Opens an attribute of the last population; skips axes. */
static bool open_agent_attribute(mass_reader *r, hid_t group, const char *name)
{
    return mass_reader_is_axis(group, name) || open_owned(r, group, name, (int)r->c->model.population_count - 1);
}

/* Checks an axis of the newest space, once its attributes are known; skips all else. */
static bool open_axis(mass_reader *r, hid_t group, const char *name)
{
    const mass_axes_group whose = {-1, r->c->model.space_count - 1};
    return !mass_reader_is_axis(group, name) || mass_reader_check_axis(r, group, &whose, name);
}

/* Checks an axis of the last population; skips all else. */
static bool open_agent_axis(mass_reader *r, hid_t group, const char *name)
{
    const mass_axes_group whose = {(int32_t)r->c->model.population_count - 1, 0};
    return !mass_reader_is_axis(group, name) || mass_reader_check_axis(r, group, &whose, name);
}

/* Reads a space's dimensions, size and torus, and adds it to the checkpoint's model. */
static bool declare_space(mass_reader *r, hid_t group, const char *name)
{
    uint64_t dimensions, torus;
    mass_space s = {.struct_size = sizeof s, .name = name};
    mass_error why = {0};
    if (!mass_reader_u64(r, group, "dimensions", 3, &dimensions)) return false;
    if (dimensions == 0) return mass_reader_damaged(r, "space '%s' has no dimensions", name);
    if (!mass_reader_values(r, group, "size", H5T_STD_I64LE, dimensions, s.size)) return false;
    if (!mass_reader_u64(r, group, "torus", (1u << dimensions) - 1, &torus)) return false;
    s.dimensions_min = s.dimensions_max = (uint32_t)dimensions;
    s.torus = (uint32_t)torus;
    return mass_model_add_space(&r->c->model, &s, s.size, s.dimensions_min, &why) == MASS_OK ||
           mass_reader_refused(r, &why);
}

/* Adds a space to the checkpoint's model, with all its attributes, then checks its axes. */
static bool open_space(mass_reader *r, hid_t places, const char *name)
{
    const hid_t group = mass_reader_group(r, places, name);
    if (group < 0) return false;
    const bool good = declare_space(r, group, name);
    H5Gclose(group);
    return good && mass_reader_walk(r, places, name, open_attribute) && mass_reader_walk(r, places, name, open_axis);
}

/* Adds a population to the checkpoint's model, with the engine's own columns and the tally of its next ids; sets its
 * number of agents. */
static bool declare_population(mass_reader *r, hid_t group, const char *name)
{
    mass_model *m = &r->c->model;
    uint64_t capacity, agents;
    char space[MASS_NAME_SIZE];
    mass_error why = {0};
    if (!mass_reader_text(r, group, "space", space, sizeof space) ||
        !mass_reader_u64(r, group, "capacity", UINT32_MAX, &capacity) ||
        !mass_reader_u64(r, group, "agents", INT64_MAX / MASS_LENGTH_MAX, &agents))
        return false;
    const mass_population p = {
        .struct_size = sizeof p, .name = name, .space = space, .capacity = (uint32_t)capacity};
    if (mass_model_add_population(m, &p, &why) != MASS_OK) return mass_reader_refused(r, &why);
    r->c->agents[m->population_count - 1] = agents;
    return true;
}

/* Refuses the last population if it lacks one of the engine's own columns. */
static bool has_all_columns(mass_reader *r, hid_t group)
{
    const mass_model *m = &r->c->model;
    const mass_population_def *p = &m->populations[m->population_count - 1];
    for (uint32_t i = 0; i < MASS_AGENT_COLUMNS; i++)
        if (H5Lexists(group, m->attributes[p->first_attribute + i].name, H5P_DEFAULT) <= 0)
            return mass_reader_damaged(r, "population '%s' has no '%s'", p->name,
                                       m->attributes[p->first_attribute + i].name);
    return true;
}

/* Adds a population to the checkpoint's model, with all its attributes; checks its axes and columns. */
static bool open_population(mass_reader *r, hid_t agents, const char *name)
{
    const hid_t group = mass_reader_group(r, agents, name);
    if (group < 0) return false;
    const bool good = declare_population(r, group, name) && mass_reader_walk(r, agents, name, open_agent_attribute) &&
                      mass_reader_walk(r, agents, name, open_agent_axis) && has_all_columns(r, group);
    H5Gclose(group);
    return good;
}

/* Adds the populations of /agents, if there is one, to the checkpoint's model. Refuses /agents without a population. */
static bool open_populations(mass_reader *r)
{
    bool has;
    if (!mass_reader_has_link(r, r->c->file, "agents", &has)) return false;
    if (!has) return true;
    return mass_reader_walk(r, r->c->file, "agents", open_population) &&
           (r->c->model.population_count > 0 || mass_reader_damaged(r, "it holds '/agents' and no population"));
}

/* ---- the file ---- */

/* Opens the file, and marks it as repacked if its groups are stored as other programs store them. */
static bool open_file(mass_reader *r)
{
    H5G_info_t facts;
    r->c->file = mass_hdf5_open(&r->c->source);
    if (r->c->file < 0 || H5Gget_info(r->c->file, &facts) < 0) return mass_reader_unreadable(r, "its frame");
    r->c->repacked = facts.storage_type != H5G_STORAGE_TYPE_COMPACT;
    if (r->c->repacked) r->c->source.origin = MASS_HDF5_REPACKED;
    return true;
}

/* Refuses a file without a checkpoint's format, or of an unknown version. Sets the version of its hashes. */
static bool check_format(mass_reader *r)
{
    char format[64];
    uint64_t version;
    bool has;
    if (!mass_reader_has_value(r, r->c->file, "format", &has)) return false;
    if (!has) {
        mass_error_set(r->error, MASS_BAD_INPUT,
                       "%s is an HDF5 file but not a checkpoint: give a file that "
                       "--checkpoint wrote",
                       r->c->path);
        return false;
    }
    if (!mass_reader_text(r, r->c->file, "format", format, sizeof format)) return false;
    if (strcmp(format, MASS_CHECKPOINT_FORMAT_NAME) != 0)
        return mass_reader_damaged(r, "its format is '%s'", format);
    if (!mass_reader_u64(r, r->c->file, "format_version", UINT64_MAX, &version)) return false;
    r->c->hash_version = version == 1 ? 1 : MASS_STATE_HASH_VERSION;
    if (version == 1 || version == MASS_CHECKPOINT_FORMAT) return true;
    mass_error_set(r->error, MASS_BAD_INPUT,
                   "%s has checkpoint format %" PRIu64 ", and this mass-engine reads "
                   "formats 1 to %d: use the version that wrote it",
                   r->c->path, version, MASS_CHECKPOINT_FORMAT);
    return false;
}

/* Returns true for [a-z][a-z0-9_-]* of at most 31 characters. The name finds a plugin's file, so it must not be a
 * path. */
static bool is_plugin_name(const char *name)
{
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    return length >= 1 && length <= 31 && name[length] == '\0' && name[0] >= 'a' && name[0] <= 'z';
}

/* Reads a hash that earlier versions did not write; leaves `hex` as it is if it is not there. */
static bool read_later_hash(mass_reader *r, const char *name, char hex[33])
{
    bool has;
    return mass_reader_has_value(r, r->c->file, name, &has) &&
           (!has || mass_reader_hash(r, r->c->file, name, hex));
}

/* Reads what the root says of the run into the checkpoint, each value within its range. */
static bool read_facts(mass_reader *r)
{
    mass_checkpoint *c = r->c;
    uint64_t major, minor, worlds, first_world, keep, hashes = 0;
    if (!mass_reader_text(r, c->file, "plugin", c->model.plugin, sizeof c->model.plugin) ||
        !mass_reader_text(r, c->file, "plugin_version", c->model.version, sizeof c->model.version) ||
        !mass_reader_text(r, c->file, "engine_version", c->engine_version, sizeof c->engine_version) ||
        !mass_reader_u64(r, c->file, "abi_major", UINT16_MAX, &major) ||
        !mass_reader_u64(r, c->file, "abi_minor", UINT16_MAX, &minor) ||
        !mass_reader_hash(r, c->file, "schema", c->schema) ||
        !mass_reader_hash(r, c->file, "state_hash", c->state_hash) ||
        !mass_reader_u64(r, c->file, "seed", INT64_MAX, &c->seed) ||
        !mass_reader_u64(r, c->file, "step", MASS_STEPS_MAX, &c->step) ||
        !mass_reader_u64(r, c->file, "worlds", MASS_WORLDS_MAX, &worlds) ||
        !mass_reader_u64(r, c->file, "first_world", MASS_WORLDS_MAX, &first_world) ||
        !mass_reader_u64(r, c->file, "checkpoint_every", INT64_MAX, &c->every) ||
        !mass_reader_u64(r, c->file, "last_step", MASS_STEPS_MAX, &c->last_step) ||
        !mass_reader_u64(r, c->file, "keep", INT32_MAX, &keep) ||
        !read_later_hash(r, "identity", c->identity) || !read_later_hash(r, "run", c->run) ||
        !read_later_hash(r, "plugin_hash", c->plugin_hash) ||
        (c->hash_version > 1 && !mass_reader_u64(r, c->file, "state_hash_version", UINT32_MAX, &hashes)))
        return false;
    if (c->hash_version > 1 && hashes != c->hash_version)
        return mass_reader_damaged(r, "its state_hash is of version %" PRIu64, hashes);
    if (!is_plugin_name(c->model.plugin)) return mass_reader_damaged(r, "its plugin's name is not valid");
    if (worlds == 0) return mass_reader_damaged(r, "it has no worlds");
    c->abi_major = (uint32_t)major;
    c->abi_minor = (uint32_t)minor;
    c->worlds = (int32_t)worlds;
    c->first_world = (int32_t)first_world;
    c->keep = (uint32_t)keep;
    return true;
}

/* Refuses any object of the root that the format does not have; /parts is allowed only with parts. */
static bool check_root_link(mass_reader *r, hid_t root, const char *name)
{
    (void)root;
    return strcmp(name, "places") == 0 || strcmp(name, "agents") == 0 ||
           strcmp(name, "tallies") == 0 || strcmp(name, "parameters") == 0 || strcmp(name, "until") == 0 ||
           strcmp(name, "inputs") == 0 || strcmp(name, "events") == 0 || strcmp(name, "networks") == 0 ||
           (r->c->parts && strcmp(name, "parts") == 0) ||
           mass_reader_damaged(r, "it holds '/%s', which this format does not have", name);
}

/* Checks that the schema of the model that was read is the one written in the file. */
static bool check_schema(mass_reader *r)
{
    char schema[33];
    if (!mass_checkpoint_schema(&r->c->model, schema)) return mass_reader_no_memory(r, MASS_NAME_SIZE);
    return strcmp(schema, r->c->schema) == 0 || mass_reader_damaged(r, "its schema is not the one it was "
                                                           "written with");
}

/* Closes the checkpoint's file, source and parts, then frees it. */
static void free_checkpoint(mass_checkpoint *c)
{
    if (c->file >= 0) H5Fclose(c->file);
    mass_hdf5_close_source(&c->source);
    mass_parts_close(c);
    mass_model_free(&c->model);
    mass_until_state_free(&c->until);
    mass_inputs_free(&c->inputs);
    free(c->events.text);
    free(c->hashes);
    free(c->tally_hashes);
    free(c->attribute_places);
    free(c->tally_places);
    free(c->path);
    free(c);
}

const char mass_checkpoint_remedy[] = "give a file that --checkpoint wrote";

mass_checkpoint *mass_reader_begin(mass_hdf5_source *source, mass_error *error)
{
    mass_checkpoint *c = calloc(1, sizeof *c);
    if (c) c->path = strdup(source->path);
    if (!c || !c->path) {
        free(c);
        mass_hdf5_close_source(source);
        mass_error_memory(error, sizeof *c, "a checkpoint");
        return NULL;
    }
    c->file = -1;
    c->source = *source;
    c->source.path = c->path;
    *source = (mass_hdf5_source){0};
    return c;
}

mass_status mass_reader_open(mass_hdf5_source *source, bool keeps, mass_checkpoint **out, mass_error *error)
{
    *out = NULL;
    mass_checkpoint *c = mass_reader_begin(source, error);
    if (!c) return error->status;
    mass_reader r = {.c = c, .error = error, .keeps = keeps};
    if (open_file(&r) && check_format(&r) && read_facts(&r) && mass_parts_open(&r) &&
        mass_reader_walk(&r, c->file, "/", check_root_link) && mass_reader_parameters(&r) &&
        mass_reader_walk(&r, c->file, "places", open_space) && open_populations(&r) && mass_reader_open_tallies(&r) &&
        mass_reader_until(&r) && mass_reader_inputs(&r) && mass_reader_events(&r) && mass_reader_networks(&r) &&
        check_schema(&r) &&
        mass_parts_open_counts(&r)) {
        *out = c;
        return MASS_OK;
    }
    free_checkpoint(c);
    return error->status;
}

mass_status mass_checkpoint_open(const char *path, mass_checkpoint **out, mass_error *error)
{
    mass_hdf5_source source;
    *out = NULL;
    const mass_status status = mass_hdf5_find(path, MASS_HDF5_OURS, mass_checkpoint_remedy, &source, error);
    return status == MASS_OK ? mass_reader_open(&source, true, out, error) : status;
}

void mass_checkpoint_close(mass_checkpoint *c)
{
    if (c) free_checkpoint(c);
}
