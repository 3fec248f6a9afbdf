/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the values of a checkpoint against the ranges that the model declares. */
#include "io/checkpoint/reader.h"
#include "snapshot/snapshot.h"

#include "model/range.h"
#include "text/number.h"

#include <inttypes.h>
#include <stdio.h>

/* Describes the owner of a value: "agent 17", or "place (3, 4) of world 1". The world is named if there are several. */
static void show_owner(const mass_checkpoint *c, const mass_model *m, const mass_stray_value *v, char out[160])
{
    const mass_attribute_def *a = &m->attributes[v->attribute];
    const uint64_t element = v->index / a->length;
    int64_t world = v->world;
    int used;
    if (a->population >= 0) used = snprintf(out, 160, "agent %" PRIu64, v->id);
    else {
        const mass_space_def *space = &m->spaces[a->space];
        uint64_t place = element % (uint64_t)mass_space_places(space);
        world = (int64_t)(element / (uint64_t)mass_space_places(space));
        used = snprintf(out, 160, "place (");
        for (uint32_t d = 0; d < space->dimensions; place /= (uint64_t)space->size[d++])
            used += snprintf(out + used, 160 - (size_t)used, "%s%" PRIu64, d ? ", " : "",
                             place % (uint64_t)space->size[d]);
        used += snprintf(out + used, 160 - (size_t)used, ")");
    }
    if (c->worlds > 1) snprintf(out + used, 160 - (size_t)used, " of world %" PRId64, c->first_world + world);
}

mass_status mass_checkpoint_refuse_value(const mass_checkpoint *c, const mass_model *m, const mass_stray_value *v,
                                         mass_error *error)
{
    const mass_attribute_def *a = &m->attributes[v->attribute];
    char owner[160], value[MASS_NUMBER_SIZE], range[MASS_RANGE_TEXT];
    char component[16] = "";
    show_owner(c, m, v, owner);
    if (a->length > 1) snprintf(component, sizeof component, "[%u]", (uint32_t)(v->index % a->length));
    return mass_error_set(error, MASS_BAD_INPUT, "%s: '%s%s' of %s is %s, and %s has %s", c->path, a->name, component,
                          owner, mass_number_show(mass_number_at(a->type, v->at), value), m->plugin,
                          mass_range_show(a, range));
}

/* Refuses the value at an index as out of range, naming its place, or its agent's id and world. */
static mass_status refuse(const mass_checkpoint *c, const mass_snapshot *s, uint32_t attribute, size_t index,
                          mass_error *error)
{
    const mass_attribute_def *a = &s->model->attributes[attribute];
    mass_stray_value v = {attribute, index, (const char *)s->attributes[attribute] + index * a->component_size, 0, 0};
    if (a->population >= 0) {
        void *const *columns = s->attributes + s->model->populations[a->population].first_attribute;
        v.world = ((const int32_t *)columns[MASS_AGENT_WORLD])[index / a->length];
        v.id = ((const uint64_t *)columns[MASS_AGENT_ID])[index / a->length];
    }
    return mass_checkpoint_refuse_value(c, s->model, &v, error);
}

mass_status mass_checkpoint_check_ranges(const mass_checkpoint *c, const mass_snapshot *s, mass_error *error)
{
    for (uint32_t i = 0; i < s->model->attribute_count; i++) {
        const mass_attribute_def *a = &s->model->attributes[i];
        if (!a->ranged || a->streamed) continue;
        const size_t elements = a->population >= 0 ? s->agents[a->population]
                                : (size_t)mass_space_places(&s->model->spaces[a->space]) * (size_t)s->worlds;
        const size_t count = elements * a->length, first = mass_range_find(a, s->attributes[i], count);
        if (first < count) return refuse(c, s, i, first, error);
    }
    return MASS_OK;
}
