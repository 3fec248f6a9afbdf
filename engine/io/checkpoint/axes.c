/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and checks the axes of data sets over places and agents, and over the worlds of a sweep. They are dimension
 * scales next to the data sets, so that xarray and other programs can open a group. Axes are not part of the state: a
 * checkpoint of an earlier version, without them, is valid. Axes that exist have to be as this program writes them. */
#include "io/checkpoint/axes.h"
#include "snapshot/snapshot.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHARED_MOST = 5, ATTRIBUTES_MOST = 1000 /* HDF5 takes seconds for thousands */ };

static const char ending[] = "-axis", of_components[] = "-component"; /* attributes' names contain no '-' */

/* ---- a group's attributes ---- */

/* Returns true if the attribute belongs to the group's population or space; streamed ones belong to none. */
static bool is_of(const mass_attribute_def *a, const mass_axes_group *g)
{
    return a->population == g->population && (g->population >= 0 || (a->space == g->space && !a->streamed));
}

/* Finds an attribute of the group by name; -1 if there is none. */
static int find(const mass_model *m, const mass_axes_group *g, const char *name)
{
    return g->population >= 0 ? mass_model_find_agent_attribute(m, (uint32_t)g->population, name)
                              : mass_model_find_attribute(m, g->space, name);
}

/* Writes the name of a shared axis: its label, with "-axis" if an attribute has that name. */
static void name_shared(const mass_model *m, const mass_axes_group *g, const char *label, char out[MASS_AXIS_NAME_SIZE])
{
    snprintf(out, MASS_AXIS_NAME_SIZE, "%s%s", label, find(m, g, label) >= 0 ? ending : "");
}

/* Writes label number i of an attribute's shape. */
static void label_of(const mass_checkpoint_shape *s, int i, char out[16])
{
    const char *at = s->labels;
    while (i-- > 0) at += strcspn(at, " ") + 1;
    snprintf(out, 16, "%.*s", (int)strcspn(at, " "), at);
}

/* ---- writing ---- */

typedef struct shared_axis {
    char label[16];
    int64_t scale;
} shared_axis;

typedef struct writing {
    mass_hdf5_writer *out;
    int64_t group;
    const mass_snapshot *snapshot;
    const mass_axes_group *whose;
    shared_axis shared[SHARED_MOST];
    int count;
} writing;

/* Writes the worlds' numbers as a dimension scale; returns it open. On failure marks the writer. */
static int64_t put_worlds(mass_hdf5_writer *w, int64_t group, const char *name, int32_t worlds, int32_t first_world)
{
    int64_t *numbers = malloc((size_t)worlds * sizeof *numbers);
    if (!numbers) return mass_hdf5_failed(w), -1;
    for (int32_t i = 0; i < worlds; i++) numbers[i] = first_world + (int64_t)i;
    const int64_t scale = mass_hdf5_put_list(w, group, name, H5T_STD_I64LE, sizeof *numbers, (uint64_t)worlds, numbers);
    mass_hdf5_make_scale(w, scale, name);
    free(numbers);
    return scale;
}

/* Returns the scale of a shared axis, open; writes it at the first use and keeps it in w->shared. */
static int64_t shared(writing *w, const char *label, uint64_t extent)
{
    char name[MASS_AXIS_NAME_SIZE];
    for (int i = 0; i < w->count; i++)
        if (strcmp(w->shared[i].label, label) == 0) return w->shared[i].scale;
    name_shared(w->snapshot->model, w->whose, label, name);
    shared_axis *a = &w->shared[w->count++];
    snprintf(a->label, sizeof a->label, "%s", label);
    a->scale = strcmp(label, "world") == 0
                   ? put_worlds(w->out, w->group, name, w->snapshot->worlds, w->snapshot->first_world)
                   : mass_hdf5_put_axis(w->out, w->group, name, extent);
    return a->scale;
}

/* Attaches scales to all axes of an attribute's data set; writes the scales that are not there yet. */
static void attach(writing *w, const mass_attribute_def *a)
{
    const mass_checkpoint_shape s = mass_checkpoint_attribute_shape(w->snapshot->model, a, w->snapshot->worlds,
                                                                    w->snapshot->agents);
    const int64_t set = mass_hdf5_check(w->out, H5Dopen2(w->group, a->name, H5P_DEFAULT));
    for (int i = 0; !w->out->failed && i < s.rank; i++) {
        char label[16], name[MASS_AXIS_NAME_SIZE];
        label_of(&s, i, label);
        const bool own = strcmp(label, "component") == 0;
        snprintf(name, sizeof name, "%s%s", a->name, of_components);
        const int64_t scale = own ? mass_hdf5_put_axis(w->out, w->group, name, s.extent[i])
                                  : shared(w, label, s.extent[i]);
        mass_hdf5_attach_scale(w->out, set, scale, (unsigned)i);
        if (own) mass_hdf5_done(w->out, scale, H5Dclose);
    }
    mass_hdf5_done(w->out, set, H5Dclose);
}

void mass_checkpoint_put_axes(mass_hdf5_writer *out, int64_t group, const mass_snapshot *s,
                              const mass_axes_group *whose)
{
    writing w = {.out = out, .group = group, .snapshot = s, .whose = whose};
    const mass_model *m = s->model;
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->attribute_count; i++) count += is_of(&m->attributes[i], whose);
    for (uint32_t i = 0; !out->failed && count <= ATTRIBUTES_MOST && i < m->attribute_count; i++)
        if (is_of(&m->attributes[i], whose)) attach(&w, &m->attributes[i]);
    while (w.count > 0) mass_hdf5_done(out, w.shared[--w.count].scale, H5Dclose);
}

/* Returns the name of the worlds' axis in the group of parameters. */
static const char *worlds_of_parameters(const mass_parameters *list)
{
    const mass_parameter_slot *slot = mass_parameters_find(list, "world");
    return slot && slot->swept ? "world-axis" : "world";
}

void mass_checkpoint_put_parameter_axis(mass_hdf5_writer *w, int64_t group, const mass_snapshot *s)
{
    const mass_parameters *list = &s->model->parameters;
    if (list->worlds == 0) return;
    const int64_t scale = put_worlds(w, group, worlds_of_parameters(list), s->worlds, s->first_world);
    for (uint32_t i = 0; !w->failed && i < list->count && i < ATTRIBUTES_MOST; i++) {
        if (!list->slots[i].swept) continue;
        const int64_t set = mass_hdf5_check(w, H5Dopen2(group, list->slots[i].name, H5P_DEFAULT));
        mass_hdf5_attach_scale(w, set, scale, 0);
        mass_hdf5_done(w, set, H5Dclose);
    }
    mass_hdf5_done(w, scale, H5Dclose);
}

/* ---- reading ---- */

bool mass_reader_is_axis(int64_t group, const char *name)
{
    static const char *const labels[] = {"world", "z", "y", "x", "agent"};
    if (strchr(name, '-')) return true;
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (strcmp(name, labels[i]) == 0) return H5Aexists_by_name(group, name, "CLASS", H5P_DEFAULT) > 0;
    return false;
}

/* Checks a set that numbers the worlds: its type, extents, layout and all its values. */
static bool check_worlds(mass_reader *r, int64_t group, int64_t set, const char *name)
{
    const mass_checkpoint_shape shape = mass_checkpoint_tally_shape(r->c->worlds, "", 1);
    mass_column numbers = {0};
    bool good = mass_reader_check_type(r, set, H5T_STD_I64LE, name) &&
                mass_reader_check_extents(r, set, &shape, name) &&
                mass_reader_check_layout(r, set, &shape, sizeof(int64_t), name);
    good = good && mass_column_begin(r, group, name, H5T_STD_I64LE, &numbers);
    for (int32_t i = 0; good && i < r->c->worlds; i++) {
        int64_t number;
        good = mass_column_read(&numbers, (uint64_t)i, 1, &number) &&
               (number == r->c->first_world + (int64_t)i ||
                mass_reader_damaged(r, "its numbers of worlds are wrong"));
    }
    mass_column_end(&numbers);
    return good;
}

/* Checks an axis of this extent, without values. In a repacked file it may have some. */
static bool check_empty(mass_reader *r, int64_t set, uint64_t extent, const char *name)
{
    const mass_checkpoint_shape shape = mass_checkpoint_keys_shape("", extent, 1);
    return mass_reader_check_type(r, set, H5T_STD_U8LE, name) && mass_reader_check_extents(r, set, &shape, name) &&
           (r->c->source.origin == MASS_HDF5_REPACKED || H5Dget_storage_size(set) == 0 ||
            mass_reader_damaged(r, "axis '%s' has values", name));
}

/* Finds the extent of an axis by its name: x, y, z, x-bytes, agent, or the components of an attribute with several.
 * Returns false if no axis of the group has that name. */
static bool find_extent(const mass_reader *r, const mass_axes_group *g, const char *name, uint64_t *extent)
{
    static const char *const axes[] = {"x", "y", "z"};
    const mass_model *m = &r->c->model;
    char shared_name[MASS_AXIS_NAME_SIZE], own[MASS_AXIS_NAME_SIZE];
    for (uint32_t i = 0; g->population < 0 && i < m->spaces[g->space].dimensions; i++) {
        name_shared(m, g, axes[i], shared_name);
        if (strcmp(name, shared_name) == 0) return *extent = (uint64_t)m->spaces[g->space].size[i], true;
    }
    if (g->population < 0 && strcmp(name, "x-bytes") == 0)
        return *extent = (uint64_t)(m->spaces[g->space].size[0] + 7) / 8, true;
    name_shared(m, g, "agent", shared_name);
    if (g->population >= 0 && strcmp(name, shared_name) == 0) return *extent = r->c->agents[g->population], true;
    const size_t length = strlen(name), end = strlen(of_components);
    if (length <= end || strcmp(name + length - end, of_components) != 0) return false;
    snprintf(own, sizeof own, "%.*s", (int)(length - end), name);
    const int attribute = find(m, g, own);
    *extent = attribute >= 0 ? m->attributes[attribute].length : 0;
    return *extent > 1;
}

bool mass_reader_check_axis(mass_reader *r, int64_t group, const mass_axes_group *g, const char *name)
{
    char worlds[MASS_AXIS_NAME_SIZE];
    uint64_t extent = 0;
    name_shared(&r->c->model, g, "world", worlds);
    const bool of_worlds = g->population < 0 && r->c->worlds > 1 && strcmp(name, worlds) == 0;
    if (!of_worlds && !find_extent(r, g, name, &extent))
        return mass_reader_damaged(r, "it holds '%s', which is not an axis of its attributes", name);
    const int64_t set = mass_reader_set(r, group, name);
    if (set < 0) return false;
    const bool good = of_worlds ? check_worlds(r, group, set, name) : check_empty(r, set, extent, name);
    H5Dclose(set);
    return good;
}

bool mass_reader_check_parameter_axis(mass_reader *r, int64_t group, const char *name)
{
    if (strcmp(name, worlds_of_parameters(&r->c->model.parameters)) != 0)
        return mass_reader_damaged(r, "it holds '/parameters/%s', which is not an axis of its parameters", name);
    const int64_t set = mass_reader_set(r, group, name);
    const bool good = set >= 0 && check_worlds(r, group, set, name);
    if (set >= 0) H5Dclose(set);
    return good;
}
