/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the values of a checkpoint lie where the model declares them to. */
#include "io/checkpoint/reader.h"

#include "core/range.h"
#include "text/number.h"

#include <inttypes.h>
#include <stdio.h>

/* "agent 17", "place (3, 4) of world 1": what has value number `index` of an attribute. */
static void show_owner(const mass_snapshot *s, uint32_t attribute, size_t index, char out[160])
{
    const mass_model *m = s->model;
    const mass_attribute_def *a = &m->attributes[attribute];
    const size_t element = index / a->length;
    int64_t world;
    int used;
    if (a->population >= 0) {
        const uint32_t first = m->populations[a->population].first_attribute;
        world = ((const int32_t *)s->attributes[first + MASS_AGENT_WORLD])[element];
        used = snprintf(out, 160, "agent %" PRIu64, ((const uint64_t *)s->attributes[first + MASS_AGENT_ID])[element]);
    } else {
        const mass_space_def *space = &m->spaces[a->space];
        size_t place = element % (size_t)mass_space_places(space);
        world = (int64_t)(element / (size_t)mass_space_places(space));
        used = snprintf(out, 160, "place (");
        for (uint32_t d = 0; d < space->dimensions; place /= (size_t)space->size[d++])
            used += snprintf(out + used, 160 - (size_t)used, "%s%zu", d ? ", " : "", place % (size_t)space->size[d]);
        used += snprintf(out + used, 160 - (size_t)used, ")");
    }
    if (s->worlds > 1) snprintf(out + used, 160 - (size_t)used, " of world %" PRId64, s->first_world + world);
}

static mass_status refuse(const mass_checkpoint *c, const mass_snapshot *s, uint32_t attribute, size_t index,
                          mass_error *error)
{
    const mass_attribute_def *a = &s->model->attributes[attribute];
    char owner[160], value[MASS_NUMBER_SIZE], range[MASS_RANGE_TEXT];
    char component[16] = "";
    show_owner(s, attribute, index, owner);
    if (a->length > 1) snprintf(component, sizeof component, "[%u]", (uint32_t)(index % a->length));
    const void *at = (const char *)s->attributes[attribute] + index * a->component_size;
    return mass_error_set(error, MASS_BAD_INPUT, "%s: '%s%s' of %s is %s, and %s has %s", c->path, a->name, component,
                          owner, mass_number_show(mass_number_at(a->type, at), value), s->model->plugin,
                          mass_range_show(a, range));
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
