/* SPDX-License-Identifier: Apache-2.0 */
/* Writes one step of an export as an HDF5 file. */
#include "io/checkpoint/checkpoint.h"
#include "io/export/format.h"
#include "model/positions.h"
#include "io/hdf5/scales.h"
#include "snapshot/snapshot.h"

#include <errno.h>
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct writing {
    mass_hdf5_writer out;
    int64_t sets; /* data sets written so far */
} writing;

/* ---- axes: each is a dimension scale next to the data ---- */

typedef struct axes {
    int rank;
    const char *label[MASS_EXPORT_AXES];
    int64_t scale[MASS_EXPORT_AXES];
} axes;

/* Adds an axis under `folder`, such as "/places/grid/x", to *a. label: its name in DIMENSION_LABELS. close_axes()
 * closes it. */
static void add_axis(writing *w, axes *a, const char *folder, const char *label, const char *name, uint64_t extent)
{
    char path[2 * MASS_EXPORT_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    a->label[a->rank] = label;
    a->scale[a->rank++] = w->out.failed ? -1 : mass_hdf5_put_axis(&w->out, w->out.file, path, extent);
    w->sets++;
}

/* Closes all axes but the first `rank`. */
static void close_axes(writing *w, axes *a, int rank)
{
    while (a->rank > rank) mass_hdf5_done(&w->out, a->scale[--a->rank], H5Dclose);
}

/* Adds an axis. If an attribute has its name (`taken`), "-axis" is appended; no attribute has such a name. */
static void add_named(writing *w, axes *a, const char *folder, const char *label, bool taken, uint64_t extent)
{
    char name[MASS_NAME_SIZE];
    snprintf(name, sizeof name, "%s%s", label, taken ? "-axis" : "");
    add_axis(w, a, folder, label, name, extent);
}

/* Writes the path of a world's group for a space or a population. */
static void folder_of(const mass_export_world *world, const char *kind, const char *owner, char out[MASS_EXPORT_PATH])
{
    snprintf(out, MASS_EXPORT_PATH, "%s/%s/%s", world->prefix, kind, owner);
}

/* Returns true if the space has attributes. */
static bool has_attributes(const mass_model *m, uint32_t space)
{
    for (uint32_t i = 0; i < m->attribute_count; i++)
        if (m->attributes[i].population < 0 && m->attributes[i].space == space) return true;
    return false;
}

/* Writes the axes of a space, and returns their scales open; none if it has no attributes. */
static axes axes_of_space(writing *w, const mass_export_world *world, uint32_t space)
{
    static const char *const labels[] = {"z", "y", "x"};
    const mass_model *m = world->snapshot->model;
    char folder[MASS_EXPORT_PATH];
    axes a = {0};
    folder_of(world, "places", m->spaces[space].name, folder);
    for (int i = 0; i < 3 && has_attributes(m, space); i++)
        add_named(w, &a, folder, labels[i], mass_model_find_attribute(m, space, labels[i]) >= 0,
                  (uint64_t)m->spaces[space].size[2 - i]);
    return a;
}

/* Writes a population's axis of agents, and returns its scale open. It is called agent-axis if an attribute is called
 * agent. */
static axes axes_of_population(writing *w, const mass_export_world *world, uint32_t population)
{
    const mass_model *m = world->snapshot->model;
    char folder[MASS_EXPORT_PATH];
    axes a = {0};
    folder_of(world, "agents", m->populations[population].name, folder);
    add_named(w, &a, folder, "agent", mass_model_find_agent_attribute(m, population, "agent") >= 0,
              world->agents[population]);
    return a;
}

/* ---- data sets ---- */

/* Writes a data set with labels and scales, the first `rank` of *a, and counts it in w->sets. def: has its unit and
 * help; NULL: none. */
static void put_set(writing *w, const char *path, uint32_t type, const uint64_t *extent, const void *values,
                    const axes *a, int rank, const mass_attribute_def *def)
{
    const int64_t set = mass_hdf5_put_data(&w->out, path, type, rank, extent, values);
    mass_hdf5_put_labels(&w->out, set, a->label, rank);
    for (int i = 0; i < rank; i++) mass_hdf5_attach_scale(&w->out, set, a->scale[i], (unsigned)i);
    if (def && def->unit && def->unit[0]) mass_hdf5_put_text(&w->out, set, "unit", def->unit);
    if (def && def->help && def->help[0]) mass_hdf5_put_text(&w->out, set, "help", def->help);
    mass_hdf5_done(&w->out, set, H5Dclose);
    w->sets++;
}

/* Unpacks bits into bytes of 0 or 1. */
static void unpack(const mass_export_column *c, uint8_t *to)
{
    const uint64_t width = c->extent[2], components = c->components, row = (width + 7) / 8 * components;
    const uint8_t *from = c->values;
    for (uint64_t i = 0; i < c->count; i += width * components, from += row)
        for (uint64_t k = 0; k < width * components; k++, to++) {
            const uint64_t x = k / components;
            *to = from[x / 8 * components + k % components] >> x % 8 & 1;
        }
}

/* Writes a column with its scales. Members of structs and bits are copied into a contiguous array first. A failure
 * marks the writer. */
static void put_column(writing *w, const mass_export_column *c, const axes *along, const mass_attribute_def *a)
{
    const size_t size = mass_type_size(c->type);
    uint8_t *together = NULL;
    if (c->stride != size || c->type == MASS_BIT) {
        together = malloc(c->count * size + 1);
        if (!together) {
            errno = ENOMEM;
            mass_hdf5_failed(&w->out);
            return;
        }
        if (c->type == MASS_BIT) unpack(c, together);
        else for (uint64_t i = 0; i < c->count; i++) memcpy(together + i * size, c->values + i * c->stride, size);
    }
    put_set(w, c->path, c->type, c->extent, together ? together : c->values, along, c->rank, a);
    free(together);
}

/* Writes all members of an attribute. Components are along one axis. */
static void put_attribute(writing *w, const mass_export_world *world, uint32_t attribute, axes *a)
{
    const mass_model *m = world->snapshot->model;
    const mass_attribute_def *def = &m->attributes[attribute];
    const int before = a->rank;
    char folder[MASS_EXPORT_PATH], name[MASS_NAME_SIZE + 16];
    mass_export_column c;
    if (def->length > 1) {
        folder_of(world, def->population >= 0 ? "agents" : "places", mass_owner_name(m, def), folder);
        snprintf(name, sizeof name, "%s-component", def->name);
        add_axis(w, a, folder, "component", name, def->length);
    }
    for (uint32_t member = 0; !w->out.failed && mass_export_column_of(world, attribute, member, &c); member++)
        put_column(w, &c, a, def);
    close_axes(w, a, before);
}

/* Writes all attributes of a population, or of a space if `population` is negative, then closes its axes. */
static void put_owned(writing *w, const mass_export_world *world, int32_t population, uint32_t space, axes a)
{
    const mass_model *m = world->snapshot->model;
    for (uint32_t i = 0; !w->out.failed && i < m->attribute_count; i++)
        if (m->attributes[i].population == population && (population >= 0 || m->attributes[i].space == space))
            put_attribute(w, world, i, &a);
    close_axes(w, &a, 0);
}

/* Sets the point of agent i of a world: its position, its node, or the middle of its place. */
static void locate(const mass_export_world *world, uint32_t population, uint64_t i, int64_t place, double at[3])
{
    const mass_model *m = world->snapshot->model;
    const mass_population_def *p = &m->populations[population];
    const mass_space_def *s = &m->spaces[p->space];
    const bool continuous = mass_export_is_continuous(m, p->space);
    if (mass_model_network_of(m, p->space)) {
        mass_export_locate_node(s->size[0], place, at);
        return;
    }
    for (uint32_t a = 0; a < 3; a++) {
        at[a] = (double)(place % s->size[a]);
        if (continuous) at[a] = (at[a] + 0.5) * s->cell;
        place /= s->size[a];
    }
    if (p->position < 0) return;
    const char *const points = world->snapshot->attributes[p->position];
    const size_t size = mass_element_size(&m->attributes[p->position]);
    for (uint32_t a = 0; a < s->dimensions; a++)
        at[a] = mass_positions_coordinate(m, population, points + (world->first[population] + i) * size, a);
}

/* Writes an attribute of two components as vectors of three, of which the last one is 0. */
static void put_vectors(writing *w, const mass_export_world *world, uint32_t attribute, const axes *along)
{
    const mass_attribute_def *def = &world->snapshot->model->attributes[attribute];
    const uint64_t count = world->agents[def->population], extent[2] = {count, 3};
    char path[MASS_EXPORT_PATH], *vectors = calloc(count + 1, 3 * def->component_size);
    if (!vectors) {
        errno = ENOMEM;
        mass_hdf5_failed(&w->out);
        return;
    }
    const size_t size = mass_element_size(def);
    const char *from = world->snapshot->attributes[attribute];
    from += world->first[def->population] * size;
    for (uint64_t i = 0; i < count; i++) memcpy(vectors + i * 3 * def->component_size, from + i * size, size);
    mass_export_points_path(world, (uint32_t)def->population, def->name, path);
    put_set(w, path, def->type, extent, vectors, along, 2, def);
    free(vectors);
}

/* Writes the agents of a population as points for the index: their positions (x, y and z, f64), their numbers, and
 * vectors. A failure is noted in w->out. */
static void put_points(writing *w, const mass_export_world *world, uint32_t population)
{
    const mass_model *m = world->snapshot->model;
    const mass_population_def *p = &m->populations[population];
    const int64_t *place = (const int64_t *)world->snapshot->attributes[p->first_attribute + MASS_AGENT_PLACE] +
                           world->first[population];
    const uint64_t count = world->agents[population], extent[2] = {count, 3};
    char path[MASS_EXPORT_PATH];
    axes a = {0};
    double *position = malloc((count * 3 + 1) * sizeof *position);
    uint32_t *vertex = malloc((count + 1) * sizeof *vertex);
    if (!position || !vertex) {
        errno = ENOMEM;
        mass_hdf5_failed(&w->out);
    }
    for (uint64_t i = 0; !w->out.failed && i < count; i++) {
        locate(world, population, i, place[i], position + 3 * i);
        vertex[i] = (uint32_t)i;
    }
    if (!w->out.failed) {
        folder_of(world, "points", p->name, path);
        add_axis(w, &a, path, "agent", "agent", count);
        add_axis(w, &a, path, "axis", "axis", 3);
        mass_export_points_path(world, population, "position", path);
        put_set(w, path, MASS_F64, extent, position, &a, 2, NULL);
        mass_export_points_path(world, population, "vertex", path);
        put_set(w, path, MASS_U32, extent, vertex, &a, 1, NULL);
        for (uint32_t i = 0; !w->out.failed && i < m->attribute_count; i++)
            if (m->attributes[i].population == (int32_t)population && mass_export_is_vector(m, i))
                put_vectors(w, world, i, &a);
        close_axes(w, &a, 0);
    }
    free(position);
    free(vertex);
}

/* Returns an array, or NULL after it has noted that memory is short. */
static void *take(writing *w, uint64_t count, size_t size)
{
    void *array = malloc((size_t)count * size + 1);
    if (array) return array;
    errno = ENOMEM;
    mass_hdf5_failed(&w->out);
    return NULL;
}

/* Writes the two ends of edges as set `ends` of a folder. */
static void put_ends(writing *w, const char *folder, uint64_t count, const uint32_t *ends)
{
    const uint64_t extent[2] = {count, 2};
    char path[2 * MASS_EXPORT_PATH];
    axes a = {0};
    add_axis(w, &a, folder, "edge", "edge", count);
    add_axis(w, &a, folder, "end", "end", 2);
    snprintf(path, sizeof path, "%s/ends", folder);
    put_set(w, path, MASS_U32, extent, ends, &a, 2, NULL);
    close_axes(w, &a, 0);
}

/* Writes the ends of edges that change, which are agents: from `source` to their place. */
static void put_changing_ends(writing *w, const mass_export_world *world, const mass_network_def *n)
{
    const mass_model *m = world->snapshot->model;
    const uint32_t population = (uint32_t)n->population;
    const uint64_t count = world->agents[population], first = world->first[population];
    const int64_t *place = (const int64_t *)world->snapshot->attributes[m->populations[population].first_attribute +
                                                                        MASS_AGENT_PLACE] + first;
    const uint32_t *source = (const uint32_t *)world->snapshot->attributes[n->source] + first;
    uint32_t *const ends = take(w, count, 2 * sizeof *ends);
    char folder[MASS_EXPORT_PATH];
    if (!ends) return;
    for (uint64_t i = 0; i < count; i++) ends[2 * i] = source[i], ends[2 * i + 1] = (uint32_t)place[i];
    folder_of(world, "points", m->populations[population].name, folder);
    put_ends(w, folder, count, ends);
    free(ends);
}

/* Writes an attribute of edges that do not change: value number[i] for edge i. */
static void put_edge_values(writing *w, const mass_network_def *n, const mass_edge_attribute_def *e,
                            const uint64_t *number, const axes *a)
{
    const mass_attribute_def about = {.help = e->help};
    char path[MASS_EXPORT_PATH];
    uint8_t *const values = take(w, n->edges, e->size);
    if (!values) return;
    for (uint64_t i = 0; i < n->edges; i++) memcpy(values + i * e->size, e->values + number[i] * e->size, e->size);
    snprintf(path, sizeof path, "/edges/%s/%s", n->name, e->name);
    put_set(w, path, e->type, &n->edges, values, a, 1, &about);
    free(values);
}

/* Writes the edges of a network or set, and their attributes. */
static void put_edges(writing *w, const mass_model *m, uint32_t network)
{
    const struct mass_networks *const all = m->networks;
    const mass_network_def *const n = &all->list[network];
    uint32_t *const ends = take(w, n->edges, 2 * sizeof *ends);
    uint64_t *const number = take(w, n->edges, sizeof *number);
    char folder[MASS_EXPORT_PATH];
    axes a = {0};
    if (ends && number) {
        mass_export_list_edges(n, ends, number);
        snprintf(folder, sizeof folder, "/networks/%s", n->name);
        put_ends(w, folder, n->edges, ends);
        bool has = false, taken = false;
        for (uint32_t i = 0; i < all->attribute_count; i++) {
            has |= all->attributes[i].network == network;
            taken |= all->attributes[i].network == network && strcmp(all->attributes[i].name, "edge") == 0;
        }
        snprintf(folder, sizeof folder, "/edges/%s", n->name);
        if (has) add_named(w, &a, folder, "edge", taken, n->edges);
        for (uint32_t i = 0; !w->out.failed && i < all->attribute_count; i++)
            if (all->attributes[i].network == network) put_edge_values(w, n, &all->attributes[i], number, &a);
        close_axes(w, &a, 0);
    }
    free(ends);
    free(number);
}

/* Writes the points of a network's nodes, and their numbers. */
static void put_nodes(writing *w, const mass_network_def *n)
{
    const uint64_t nodes = (uint64_t)n->ends.nodes, extent[2] = {nodes, 3};
    double *const position = take(w, nodes, 3 * sizeof *position);
    uint32_t *const vertex = take(w, nodes, sizeof *vertex);
    char folder[MASS_EXPORT_PATH], path[2 * MASS_EXPORT_PATH];
    axes a = {0};
    if (position && vertex) {
        for (uint64_t i = 0; i < nodes; i++) {
            mass_export_locate_node(n->ends.nodes, (mass_gidx)i, position + 3 * i);
            vertex[i] = (uint32_t)i;
        }
        snprintf(folder, sizeof folder, "/networks/%s", n->name);
        add_axis(w, &a, folder, "node", "node", nodes);
        add_axis(w, &a, folder, "axis", "axis", 3);
        snprintf(path, sizeof path, "%s/position", folder);
        put_set(w, path, MASS_F64, extent, position, &a, 2, NULL);
        snprintf(path, sizeof path, "%s/vertex", folder);
        put_set(w, path, MASS_U32, extent, vertex, &a, 1, NULL);
        close_axes(w, &a, 0);
    }
    free(position);
    free(vertex);
}

/* Writes what all worlds have of networks. */
static void put_networks(writing *w, const mass_model *m)
{
    for (uint32_t i = 0; m->networks && !w->out.failed && i < m->networks->count; i++) {
        if (!m->networks->list[i].set) put_nodes(w, &m->networks->list[i]);
        if (!w->out.failed && mass_export_has_edges(&m->networks->list[i])) put_edges(w, m, i);
    }
}

/* Writes all attributes of one world, and its agents' points; `context` is a writing. */
static mass_status put_world(void *context, const mass_export_world *world, mass_error *error)
{
    writing *w = context;
    const mass_model *m = world->snapshot->model;
    (void)error;
    for (uint32_t i = 0; !w->out.failed && i < m->space_count; i++)
        put_owned(w, world, -1, i, axes_of_space(w, world, i));
    for (uint32_t p = 0; !w->out.failed && p < m->population_count; p++) {
        put_owned(w, world, (int32_t)p, 0, axes_of_population(w, world, p));
        const mass_network_def *const n = mass_model_network_of_edges(m, p);
        if (w->out.failed) break;
        if (n) put_changing_ends(w, world, n);
        else put_points(w, world, p);
    }
    return MASS_OK;
}

/* Writes what the root says of format, plugin, run and owner, as HDF5 attributes. */
static void put_facts(writing *w, const mass_ownership *owner, const mass_snapshot *s)
{
    mass_hdf5_writer *out = &w->out;
    mass_hdf5_put_text(out, out->file, "format", MASS_EXPORT_FORMAT_NAME);
    mass_hdf5_put_u64(out, out->file, "format_version", MASS_EXPORT_FORMAT);
    mass_hdf5_put_text(out, out->file, "engine_version", MASS_ENGINE_VERSION);
    mass_hdf5_put_text(out, out->file, "plugin", s->model->plugin);
    mass_hdf5_put_text(out, out->file, "plugin_version", s->model->version);
    mass_hdf5_put_text(out, out->file, "run", owner->facts.run);
    mass_hdf5_put_u64(out, out->file, "seed", s->seed);
    mass_hdf5_put_u64(out, out->file, "step", s->step);
    mass_hdf5_put_u64(out, out->file, "worlds", (uint64_t)s->worlds);
    mass_hdf5_put_u64(out, out->file, "first_world", (uint64_t)s->first_world);
    mass_hdf5_put_owner(out, owner);
    mass_hdf5_put_made(out, owner);
}

/* Returns the bytes of an attribute's values in the file: bits are bytes there, and vectors are written a second time,
 * with three components. */
static size_t bytes_of_attribute(const mass_snapshot *s, uint32_t attribute)
{
    const mass_attribute_def *a = &s->model->attributes[attribute];
    if (a->streamed) return 0;
    if (a->type == MASS_BIT)
        return (size_t)s->worlds * (size_t)mass_space_places(&s->model->spaces[a->space]) * a->length;
    const bool vector = mass_export_is_vector(s->model, attribute);
    return mass_snapshot_size(s, attribute) + (vector ? s->agents[a->population] * 3 * a->component_size : 0);
}

/* Estimates the size of the file, for which disk space is reserved: attributes, networks, agents' points, and an
 * allowance for each data set, axes too. An export has no tallies. The last chunk of a set may take more. */
static size_t bytes_of(const mass_snapshot *s)
{
    const mass_model *m = s->model;
    const size_t worlds = (size_t)s->worlds;
    size_t bytes = 0, sets = (5 * m->population_count + 3 * m->space_count) * worlds;
    for (uint32_t i = 0; m->networks && i < m->networks->count; i++) {
        const mass_network_def *const n = &m->networks->list[i];
        bytes += (size_t)n->ends.nodes * 28 + (size_t)n->edges * 8;
        sets += 7;
        for (uint32_t k = 0; k < m->networks->attribute_count; k++)
            if (m->networks->attributes[k].network == i)
                bytes += (size_t)n->edges * m->networks->attributes[k].size, sets += 2;
    }
    for (uint32_t p = 0; p < m->population_count; p++) bytes += s->agents[p] * 28;
    for (uint32_t i = 0; i < m->attribute_count; i++) {
        bytes += bytes_of_attribute(s, i);
        sets += worlds * (1 + (m->attributes[i].member_count ? m->attributes[i].member_count : 1));
    }
    return bytes + sets * 4096;
}

mass_status mass_export_write(const char *folder, const mass_ownership *owner, const mass_snapshot *s,
                              mass_error *error)
{
    char path[PATH_MAX], temporary[PATH_MAX];
    writing w = {.out.file = -1};
    if (!mass_export_name(folder, s->step, path) || !mass_export_temporary_name(folder, owner, s->step, temporary))
        return mass_error_set(error, MASS_BAD_USAGE, "the fields folder's path is too long: give a shorter one");
    mass_hdf5_create(&w.out, temporary, bytes_of(s) + (owner->made ? strlen(owner->made) : 0));
    if (!w.out.failed) put_facts(&w, owner, s);
    if (!w.out.failed) put_networks(&w, s->model);
    mass_status status = w.out.failed ? MASS_OK : mass_export_worlds(s, put_world, &w, error);
    mass_hdf5_close(&w.out);
    if (status == MASS_OK && !w.out.failed && mass_hdf5_count_sets(temporary) != w.sets)
        mass_hdf5_unreadable(&w.out, "data sets are missing");
    if (status == MASS_OK) mass_hdf5_publish(&w.out, temporary, path, folder, owner);
    if (status == MASS_OK && w.out.failed)
        status = mass_error_set(error, MASS_FAILED, "cannot write fields %s: %s", path, w.out.reason);
    if (status != MASS_OK) unlink(w.out.named ? path : temporary); /* no index names it */
    return status;
}
