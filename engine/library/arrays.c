/* SPDX-License-Identifier: Apache-2.0 */
/* The values of places and agents: found by name, read, written, viewed. */
#include "library/run.h"
#include "base/plural.h"
#include "model/range.h"
#include "population/gather.h"
#include "ranks/transfer.h"
#include "snapshot/chunks.h"
#include "state/box.h"
#include "text/suggest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- finding ---- */

const mass_attribute_def *mass_library_attribute(const mass_engine *run, uint32_t attribute, mass_error *error)
{
    const mass_model *m = &run->session.model;
    if (attribute < m->attribute_count) return &m->attributes[attribute];
    if (mass_library_is_of_edges(run, attribute)) {
        mass_error_set(error, MASS_BAD_USAGE, "edges of a network that does not change are only read");
        return NULL;
    }
    mass_error_set(error, MASS_BAD_USAGE, "%s has %u attribute%s, and none with number %u", m->plugin,
                   m->attribute_count, mass_plural(m->attribute_count), attribute);
    return NULL;
}

/* Returns the number of the attribute called "NAME" in the first space, "OWNER.NAME", or "NETWORK.edges.NAME"; -1:
 * none. */
static int find_named(const mass_model *m, const char *name)
{
    char owner[MASS_NAME_SIZE];
    const char *dot = strchr(name, '.');
    const int of_edges = mass_library_find_edges(m, name);
    if (of_edges >= 0) return of_edges;
    if (!dot) return mass_model_find_attribute(m, 0, name);
    if ((size_t)(dot - name) >= sizeof owner) return -1;
    snprintf(owner, sizeof owner, "%.*s", (int)(dot - name), name);
    const int population = mass_model_find_population(m, owner), space = mass_model_find_space(m, owner);
    if (population >= 0) return mass_model_named_agent_attribute(m, (uint32_t)population, dot + 1);
    return space >= 0 ? mass_model_find_attribute(m, (uint32_t)space, dot + 1) : -1;
}

/* Refuses a name that the model does not have, with the most similar one, or with the names of all attributes of
 * places. */
static mass_status refuse_name(const mass_model *m, const char *name, mass_error *error)
{
    char meant[MASS_SUGGESTION_SIZE], names[400] = "";
    const mass_status refused = mass_library_refuse_edges(m, name, error);
    if (refused != MASS_OK) return refused;
    if (mass_suggest_attribute(m, name, true, meant)[0])
        return mass_error_set(error, MASS_BAD_USAGE, "%s has no attribute %.200s: did you mean %s?", m->plugin, name,
                              meant);
    for (uint32_t i = 0; i < m->attribute_count; i++) {
        const size_t used = strlen(names);
        if (m->attributes[i].population < 0)
            snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", m->attributes[i].name);
    }
    return mass_error_set(error, MASS_BAD_USAGE, "%s has no attribute %.200s; its places have %s", m->plugin, name,
                          names[0] ? names : "none");
}

/* Returns the bytes of an attribute of bits as it is stored, in all worlds; 0 for others. */
static uint64_t packed_bytes(const mass_engine *run, const mass_attribute_def *a)
{
    if (a->type != MASS_BIT) return 0;
    return (uint64_t)mass_stored_places(a, &run->session.model.spaces[a->space]) * a->length *
           (uint64_t)run->session.domain->share.worlds;
}

/* Fills in what an array of an attribute is now, with the extents worlds, z, y, x, components; or agents, 1, 1, 1,
 * components. */
static mass_status describe_attribute(mass_engine *run, uint32_t attribute, mass_engine_array *out, mass_error *error)
{
    const mass_model *m = &run->session.model;
    const mass_attribute_def *a = &m->attributes[attribute];
    const mass_space_def *s = &m->spaces[a->space];
    mass_engine_array array = {.struct_size = sizeof array, .attribute = attribute, .type = a->type,
                               .of_agents = a->population >= 0, .value_bytes = a->component_size,
                               .packed_bytes = packed_bytes(run, a)};
    uint64_t agents = 0;
    if (a->population >= 0) {
        const mass_status status = mass_population_count(run->session.domain, (uint32_t)a->population, &agents, error);
        if (status != MASS_OK) return status;
    }
    const int64_t places[] = {run->session.domain->share.worlds, s->size[2], s->size[1], s->size[0]};
    const int64_t of_agents[] = {(int64_t)agents, 1, 1, 1};
    memcpy(array.extent, a->population >= 0 ? of_agents : places, sizeof places);
    array.extent[4] = a->length;
    array.bytes = array.value_bytes;
    for (int i = 0; i < 5; i++) array.bytes *= (uint64_t)array.extent[i];
    *out = array;
    return MASS_OK;
}

/* Fills in what an array is now. MASS_BAD_USAGE if there is none of this number, or if out->struct_size is that of
 * another version. */
static mass_status describe(mass_engine *run, uint32_t attribute, mass_engine_array *out, mass_error *error)
{
    if (out->struct_size != sizeof *out)
        return mass_error_set(error, MASS_BAD_USAGE, "a mass_engine_array of %u bytes, and this library's has %zu: set "
                              "struct_size", out->struct_size, sizeof *out);
    if (mass_library_is_of_edges(run, attribute)) {
        mass_library_describe_edges(run, attribute, out);
        return MASS_OK;
    }
    return mass_library_attribute(run, attribute, error) ? describe_attribute(run, attribute, out, error)
                                                         : error->status;
}

int mass_engine_find(mass_engine *run, const char *name, mass_engine_array *out)
{
    mass_error error;
    const int entered = mass_library_enter_to_read(run, &error);
    if (entered != MASS_OK) return entered;
    const int found = find_named(&run->session.model, name);
    const mass_status status = found < 0 ? refuse_name(&run->session.model, name, &error)
                                         : describe(run, (uint32_t)found, out, &error);
    return mass_library_leave(run, status, &error);
}

int mass_engine_array_of(mass_engine *run, uint32_t attribute, mass_engine_array *out)
{
    mass_error error;
    const int entered = mass_library_enter_to_read(run, &error);
    if (entered != MASS_OK) return entered;
    return mass_library_leave(run, describe(run, attribute, out, &error), &error);
}

/* ---- reading ---- */

/* Makes the box of a call; NULL is all of the attribute. Refuses a box that is not within the space and the worlds. */
static mass_status make_box(const mass_engine *run, uint32_t attribute, const mass_engine_box *box, mass_rpc_box *out,
                            mass_error *error)
{
    const mass_model *m = &run->session.model;
    const mass_attribute_def *a = &m->attributes[attribute];
    const mass_space_def *s = &m->spaces[a->space];
    const int32_t worlds = run->session.domain->share.worlds;
    *out = (mass_rpc_box){.attribute = attribute, .worlds = worlds};
    memcpy(out->extent, s->size, sizeof out->extent);
    if (!box) return MASS_OK;
    bool fits = box->world >= 0 && box->worlds >= 1 && box->worlds <= worlds && box->world <= worlds - box->worlds;
    for (int i = 0; i < 3; i++)
        fits &= box->origin[i] >= 0 && box->extent[i] >= 1 && box->extent[i] <= s->size[i] &&
                box->origin[i] <= s->size[i] - box->extent[i];
    if (!fits)
        return mass_error_set(error, MASS_BAD_USAGE, "the box is not in the space of %s, of %" PRId64 " x %" PRId64
                              " x %" PRId64 " places in %d world%s", a->name, s->size[0], s->size[1], s->size[2],
                              worlds, mass_plural(worlds));
    out->world = box->world;
    out->worlds = box->worlds;
    memcpy(out->origin, box->origin, sizeof out->origin);
    memcpy(out->extent, box->extent, sizeof out->extent);
    return MASS_OK;
}

/* Checks that the program has exactly the bytes that values need. */
static mass_status check_bytes(const mass_attribute_def *a, uint64_t has, uint64_t needs, mass_error *error)
{
    if (has == needs) return MASS_OK;
    return mass_error_set(error, MASS_BAD_USAGE, "the values of %s are %" PRIu64 " byte%s, and not %" PRIu64, a->name,
                          needs, mass_plural(needs), has);
}

/* Returns the bytes of a box. */
static uint64_t box_bytes(const mass_attribute_def *a, const mass_rpc_box *b)
{
    return (uint64_t)b->worlds * (uint64_t)b->extent[0] * (uint64_t)b->extent[1] * (uint64_t)b->extent[2] *
           mass_element_size(a);
}

/* Reads or writes (`write`) values of places. Refuses attributes of a stream, and data of another size than the box. */
static mass_status move_places(mass_engine *run, uint32_t attribute, const mass_engine_box *box, bool write, void *data,
                               uint64_t bytes, mass_error *error)
{
    const mass_attribute_def *a = &run->session.model.attributes[attribute];
    mass_rpc_box b;
    if (a->streamed)
        return mass_error_set(error, MASS_BAD_USAGE, "%s holds one piece of a stream at a time: it is no part of the "
                              "state", a->name);
    mass_status status = make_box(run, attribute, box, &b, error);
    if (status == MASS_OK) status = check_bytes(a, bytes, box_bytes(a, &b), error);
    b.write = write;
    return status == MASS_OK ? mass_domain_move(run->session.domain, &b, data, error) : status;
}

/* Reads the values of all agents. Refuses a box, and data of another size. Leaves data alone if there is no agent. */
static mass_status read_agents(mass_engine *run, uint32_t attribute, const mass_engine_box *box, void *data,
                               uint64_t bytes, mass_error *error)
{
    const mass_attribute_def *a = &run->session.model.attributes[attribute];
    uint64_t agents = 0;
    if (box) return mass_error_set(error, MASS_BAD_USAGE, "%s is of agents, which have no boxes", a->name);
    mass_status status = mass_population_count(run->session.domain, (uint32_t)a->population, &agents, error);
    if (status == MASS_OK) status = check_bytes(a, bytes, agents * mass_element_size(a), error);
    return status == MASS_OK && agents ? mass_population_read(run->session.domain, attribute, data, error) : status;
}

/* Reads values of edges, agents or places. */
static mass_status read(mass_engine *run, uint32_t attribute, const mass_engine_box *box, void *data, uint64_t bytes,
                        mass_error *error)
{
    if (mass_library_is_of_edges(run, attribute))
        return mass_library_read_edges(run, attribute, box, data, bytes, error);
    const mass_attribute_def *a = mass_library_attribute(run, attribute, error);
    if (!a) return error->status;
    return a->population >= 0 ? read_agents(run, attribute, box, data, bytes, error)
                              : move_places(run, attribute, box, false, data, bytes, error);
}

int mass_engine_read(mass_engine *run, uint32_t attribute, const mass_engine_box *box, void *data, uint64_t bytes)
{
    mass_error error;
    const int entered = mass_library_enter_to_read(run, &error);
    if (entered != MASS_OK) return entered;
    return mass_library_leave(run, read(run, attribute, box, data, bytes, &error), &error);
}

/* Reads bits as they are stored, in all worlds. Refuses attributes of other types, and data of another size. */
static mass_status read_packed(mass_engine *run, uint32_t attribute, void *data, uint64_t bytes, mass_error *error)
{
    const mass_attribute_def *a = mass_library_attribute(run, attribute, error);
    if (!a) return error->status;
    const uint64_t all = packed_bytes(run, a);
    if (all == 0) return mass_error_set(error, MASS_BAD_USAGE, "%s is not stored as bits", a->name);
    const mass_status status = check_bytes(a, bytes, all, error);
    if (status != MASS_OK) return status;
    const mass_gidx *size = run->session.model.spaces[a->space].size;
    const mass_rpc_box box = {.attribute = attribute, .worlds = run->session.domain->share.worlds, .packed = 1,
                              .extent = {(size[0] + 7) / 8, size[1], size[2]}};
    return mass_domain_move(run->session.domain, &box, data, error);
}

int mass_engine_read_packed(mass_engine *run, uint32_t attribute, void *data, uint64_t bytes)
{
    mass_error error;
    const int entered = mass_library_enter_to_read(run, &error);
    if (entered != MASS_OK) return entered;
    return mass_library_leave(run, read_packed(run, attribute, data, bytes, &error), &error);
}

/* ---- writing ---- */

/* Refuses values that the attribute cannot have: bits above 1, and what is out of its range. */
static mass_status check_values(const mass_attribute_def *a, const void *data, uint64_t bytes, mass_error *error)
{
    const size_t count = bytes / a->component_size;
    const uint8_t *bits = data;
    char range[MASS_RANGE_TEXT];
    for (size_t i = 0; a->type == MASS_BIT && i < count; i++)
        if (bits[i] > 1)
            return mass_error_set(error, MASS_BAD_INPUT, "value %zu of %s is %u, and bits are 0 or 1", i, a->name,
                                  bits[i]);
    const size_t found = mass_range_find(a, data, count);
    if (found == count) return MASS_OK;
    return mass_error_set(error, MASS_BAD_INPUT, "value %zu of %s is %.17g, and its range is %s", found, a->name,
                          mass_range_value(a, (const char *)data + found * a->component_size),
                          mass_range_show(a, range));
}

/* Reads all columns of a population but one, which becomes a copy of `data`. columns: one for each of the model's
 * attributes, NULL at first. The caller frees them, on failure too. */
static mass_status read_columns(mass_engine *run, uint32_t attribute, uint64_t agents, const void *data, void **columns,
                                mass_error *error)
{
    const mass_model *m = &run->session.model;
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < m->attribute_count; i++) {
        const mass_attribute_def *a = &m->attributes[i];
        if (a->population != m->attributes[attribute].population) continue;
        const size_t bytes = agents * mass_element_size(a);
        columns[i] = malloc(bytes + 1);
        if (!columns[i]) status = mass_error_memory(error, bytes, "agents");
        else if (i == attribute) memcpy(columns[i], data, bytes);
        else status = mass_population_read(run->session.domain, i, columns[i], error);
    }
    return status;
}

/* Gives a population over ranks all of its agents again, as a checkpoint does. columns: as of read_columns. */
static mass_status give_agents(mass_domain *d, uint32_t population, uint64_t agents, void *const *columns,
                               mass_error *error)
{
    const uint32_t first = d->model->populations[population].first_attribute;
    mass_error ignored = {0};
    mass_status status = mass_chunks_begin(d, MASS_CHUNKS_RESTORE, error);
    if (status != MASS_OK) return status;
    mass_chunks_count_agents(d, population, columns[first + MASS_AGENT_WORLD], columns[first + MASS_AGENT_PLACE],
                             agents);
    status = mass_chunks_begin_agents(d, population, error);
    for (uint32_t i = 0; status == MASS_OK && i < d->model->attribute_count; i++) {
        const size_t size = mass_element_size(&d->model->attributes[i]);
        const uint64_t most = mass_transfer_elements(size);
        for (uint64_t at = 0; status == MASS_OK && columns[i] && at < agents; at += most)
            status = mass_chunks_write(d, i, at, agents - at < most ? agents - at : most,
                                       (const char *)columns[i] + at * size, error);
    }
    if (status == MASS_OK) status = mass_chunks_end_agents(d, population, error);
    const mass_status ended = mass_chunks_end(d, status == MASS_OK ? error : &ignored);
    return status == MASS_OK ? ended : status;
}

/* Writes values of agents: gives the population all of its columns again, with one of them changed. Refuses a box,
 * positions, and what the engine sets. Does nothing if there is no agent. If giving fails, the run is broken. */
static mass_status write_agents(mass_engine *run, uint32_t attribute, const mass_engine_box *box, const void *data,
                                uint64_t bytes, mass_error *error)
{
    const mass_model *m = &run->session.model;
    const mass_attribute_def *a = &m->attributes[attribute];
    const uint32_t population = (uint32_t)a->population, first = m->populations[population].first_attribute;
    uint64_t agents = 0;
    if (box) return mass_error_set(error, MASS_BAD_USAGE, "%s is of agents, which have no boxes", a->name);
    if (attribute >= first && attribute < first + MASS_AGENT_COLUMNS)
        return mass_error_set(error, MASS_BAD_USAGE, "%s.%s is the engine's, and cannot be set",
                              m->populations[population].name, a->name);
    if ((int)attribute == m->populations[population].position)
        return mass_error_set(error, MASS_BAD_USAGE, "%s.%s is where agents stand, and cannot be set: they move by "
                              "themselves", m->populations[population].name, a->name);
    mass_status status = mass_population_count(run->session.domain, population, &agents, error);
    if (status == MASS_OK) status = check_bytes(a, bytes, agents * mass_element_size(a), error);
    if (status != MASS_OK || agents == 0) return status;
    void **columns = calloc(m->attribute_count, sizeof *columns);
    if (!columns) return mass_error_memory(error, m->attribute_count * sizeof *columns, "agents");
    status = read_columns(run, attribute, agents, data, columns, error);
    if (status == MASS_OK) {
        status = run->comm ? give_agents(run->session.domain, population, agents, columns, error)
                           : mass_population_set_share(run->session.domain, population, agents, columns, error);
        run->now.broken |= status != MASS_OK;
    }
    for (uint32_t i = 0; i < m->attribute_count; i++) free(columns[i]);
    free(columns);
    return status;
}

int mass_engine_write(mass_engine *run, uint32_t attribute, const mass_engine_box *box, const void *data,
                      uint64_t bytes)
{
    mass_error error;
    const int entered = mass_library_enter_to_change(run, &error);
    if (entered != MASS_OK) return entered;
    const mass_attribute_def *a = mass_library_attribute(run, attribute, &error);
    mass_status status = a ? check_values(a, data, bytes, &error) : error.status;
    if (status == MASS_OK)
        status = a->population >= 0 ? write_agents(run, attribute, box, data, bytes, &error)
                                    : move_places(run, attribute, box, true, (void *)(uintptr_t)data, bytes, &error);
    if (status == MASS_OK) run->written = true;
    return mass_library_leave(run, status, &error);
}

/* ---- views ---- */

/* Sets *stride to the bytes from one component to the next, of components that are arrays of their own; 0 if there is
 * one. Returns false if these are not evenly spaced. */
static bool space_planes(const mass_domain *d, const mass_partition *p, const mass_attribute_def *a, int64_t *stride)
{
    const intptr_t first = (intptr_t)mass_array_at(d, p, a->first_array, false);
    *stride = 0;
    for (uint32_t k = 1; k < a->length; k++) {
        const intptr_t at = (intptr_t)mass_array_at(d, p, a->first_array + k, false);
        if (k == 1) *stride = at - first;
        if (at - first != *stride * (int64_t)k) return false;
    }
    return true;
}

/* Fills in the view of an attribute of places, if its values are in one array: of the host, or of `any` device.
 * Otherwise returns MASS_NO_DEVICE with the reason; MASS_BAD_USAGE if there is no such attribute. */
static mass_status view(mass_engine *run, uint32_t attribute, bool any, mass_engine_view *out, mass_error *error)
{
    const mass_domain *d = run->session.domain;
    if (mass_library_is_of_edges(run, attribute))
        return mass_error_set(error, MASS_NO_DEVICE, "no view of edges without a copy");
    const mass_attribute_def *a = mass_library_attribute(run, attribute, error);
    if (!a) return error->status;
    const bool on_host = d->device->table->memory->in_host_memory;
    const char *why = a->population >= 0        ? "its values are of agents"
                      : a->streamed             ? "it is one piece of a stream"
                      : a->type == MASS_BIT     ? "its values are bits"
                      : run->comm               ? "its space is divided over ranks"
                      : !on_host && !any        ? "its values are on a GPU"
                      : d->partition_count != 1 ? "its space has several partitions" : NULL;
    if (why) return mass_error_set(error, MASS_NO_DEVICE, "no view of %s without a copy: %s", a->name, why);
    const mass_partition *p = &d->partitions[a->space][0];
    const mass_layout *l = &p->layout;
    const bool planes = a->length > 1 && a->layout == MASS_PLANES;
    const int64_t size = (int64_t)(planes ? a->component_size : mass_element_size(a));
    *out = (mass_engine_view){.values = mass_array_at(d, p, a->first_array, false),
                              .stride = {l->world_stride * size, l->plane * size, l->pitch * size, size,
                                         (int64_t)a->component_size}};
    if (!planes || space_planes(d, p, a, &out->stride[4])) return MASS_OK;
    return mass_error_set(error, MASS_NO_DEVICE, "no view of %s without a copy: its components are apart", a->name);
}

int mass_engine_view_begin(mass_engine *run, uint32_t attribute, mass_engine_view *out)
{
    mass_error error;
    const int entered = mass_library_enter_to_read(run, &error);
    if (entered != MASS_OK) return entered;
    const mass_status status = view(run, attribute, false, out, &error);
    if (status == MASS_OK) run->viewed++;
    return mass_library_leave(run, status, &error);
}

void mass_engine_view_end(mass_engine *run)
{
    mass_error error;
    if (mass_library_enter(run, &error) != MASS_OK) return;
    if (run->viewed > 0) run->viewed--;
    mass_library_leave(run, MASS_OK, &error);
}

/* Waits for the device's work on an array, and finds the number of the GPU. In host memory it is -1, without a wait. */
static mass_status await_array(const mass_domain *d, const mass_attribute_def *a, int32_t *gpu, mass_error *error)
{
    uint8_t byte;
    *gpu = -1;
    if (d->device->table->memory->in_host_memory) return MASS_OK;
    if (sscanf(d->device->table->name(d->device), "cuda:%" SCNd32, gpu) != 1)
        return mass_error_set(error, MASS_NO_DEVICE, "no view of %s: its values are on a device without a number",
                              a->name);
    return mass_buffer_download(mass_array_from(d, &d->partitions[a->space][0], a->first_array, false), &byte, 1,
                                error); /* copies come after all work before them */
}

int mass_engine_device_view_begin(mass_engine *run, uint32_t attribute, mass_engine_device_view *out)
{
    mass_error error;
    mass_engine_device_view found = {.struct_size = sizeof found};
    const int entered = mass_library_enter_to_read(run, &error);
    if (entered != MASS_OK) return entered;
    mass_status status = MASS_OK;
    if (out->struct_size != sizeof found)
        status = mass_error_set(&error, MASS_BAD_USAGE, "a mass_engine_device_view of %u bytes, and this library's has "
                                "%zu: set struct_size", out->struct_size, sizeof found);
    if (status == MASS_OK) status = view(run, attribute, true, &found.view, &error);
    if (status == MASS_OK)
        status = await_array(run->session.domain, mass_library_attribute(run, attribute, &error), &found.gpu, &error);
    if (status == MASS_OK) {
        *out = found;
        run->viewed++;
    }
    return mass_library_leave(run, status, &error);
}
