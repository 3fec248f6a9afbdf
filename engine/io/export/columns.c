/* SPDX-License-Identifier: Apache-2.0 */
/* What an export has of a snapshot: its worlds, and the columns of attributes. */
#include "io/export/format.h"
#include "snapshot/snapshot.h"

#include <stdlib.h>
#include <string.h>

mass_status mass_export_worlds(const mass_snapshot *s, mass_export_visit *each, void *context, mass_error *error)
{
    const uint32_t populations = s->model->population_count;
    const size_t worlds = (size_t)s->worlds;
    uint64_t *counts = calloc(populations * worlds + 1, sizeof *counts);
    if (!counts) return mass_error_memory(error, populations * worlds * sizeof *counts, "fields");
    for (uint32_t p = 0; p < populations; p++) mass_snapshot_count_agents(s, p, counts + p * worlds);
    mass_export_world w = {.snapshot = s};
    mass_status status = MASS_OK;
    for (; status == MASS_OK && w.world < s->worlds; w.world++) {
        if (s->worlds > 1) snprintf(w.prefix, sizeof w.prefix, "/world_%d", s->first_world + w.world);
        for (uint32_t p = 0; p < populations; p++) {
            w.first[p] += w.agents[p];
            w.agents[p] = counts[p * worlds + (size_t)w.world];
        }
        status = each(context, &w, error);
    }
    free(counts);
    return status;
}

bool mass_export_is_continuous(const mass_model *m, uint32_t space)
{
    for (uint32_t p = 0; p < m->population_count; p++)
        if (m->populations[p].space == space && m->populations[p].position >= 0) return true;
    return false;
}

bool mass_export_is_vector(const mass_model *m, uint32_t attribute)
{
    const mass_attribute_def *a = &m->attributes[attribute];
    const int position = a->population < 0 ? -1 : m->populations[a->population].position;
    return position >= 0 && position != (int)attribute && a->length == 2 &&
           (a->type == MASS_F32 || a->type == MASS_F64);
}

void mass_export_points_path(const mass_export_world *w, uint32_t population, const char *name,
                             char path[MASS_EXPORT_PATH])
{
    snprintf(path, MASS_EXPORT_PATH, "%s/points/%s/%s", w->prefix, w->snapshot->model->populations[population].name,
             name);
}

/* Adds the axes of one world: agents, or z, y and x. Returns the number of its first element. */
static uint64_t measure(const mass_export_world *w, const mass_attribute_def *a, mass_export_column *c)
{
    const mass_space_def *s = &w->snapshot->model->spaces[a->space];
    if (a->population >= 0) {
        c->extent[c->rank++] = w->agents[a->population];
        return w->first[a->population];
    }
    for (int axis = 2; axis >= 0; axis--) c->extent[c->rank++] = (uint64_t)s->size[axis];
    return (uint64_t)w->world * (uint64_t)mass_stored_places(a, s);
}

bool mass_export_column_of(const mass_export_world *w, uint32_t attribute, uint32_t member, mass_export_column *out)
{
    const mass_model *m = w->snapshot->model;
    const mass_attribute_def *a = &m->attributes[attribute];
    const mass_member_def *part = a->type == MASS_STRUCT && member < a->member_count ? &a->members[member] : NULL;
    if (!part && (a->type == MASS_STRUCT || member > 0)) return false;
    mass_export_column c = {.type = part ? part->type : a->type, .components = a->length, .stride = a->component_size};
    snprintf(c.name, sizeof c.name, "%s%s%s", a->name, part ? "." : "", part ? part->name : "");
    snprintf(c.path, sizeof c.path, "%s/%s/%s/%s", w->prefix, a->population >= 0 ? "agents" : "places",
             mass_owner_name(m, a), c.name);
    const uint64_t first = measure(w, a, &c);
    if (a->length > 1) c.extent[c.rank++] = a->length;
    c.count = 1;
    for (int i = 0; i < c.rank; i++) c.count *= c.extent[i];
    c.values = (const uint8_t *)w->snapshot->attributes[attribute] + first * mass_element_size(a) +
               (part ? part->offset : 0);
    *out = c;
    return true;
}
