/* SPDX-License-Identifier: Apache-2.0 */
#include "model/resolve_field.h"
#include "model/kept.h"
#include "model/list.h"
#include "model/network.h"
#include "model/total.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Splits "temperature[1]" into name and component. For a name alone, the component is 0 and *indexed false. Returns
 * false for other forms, and for names that are too long. */
static bool split_target(const char *target, char name[MASS_NAME_SIZE], uint32_t *component, bool *indexed)
{
    const char *bracket = strchr(target, '[');
    const size_t length = bracket ? (size_t)(bracket - target) : strlen(target);
    if (length >= MASS_NAME_SIZE) return false;
    memcpy(name, target, length);
    name[length] = '\0';
    *component = 0;
    *indexed = bracket != NULL;
    if (!bracket) return true;
    unsigned index;
    int used = 0;
    if (sscanf(bracket, "[%4u]%n", &index, &used) != 1 || used == 0 || bracket[used] != '\0') return false;
    *component = index;
    return true;
}


/* Sets *out to the array of a field. Checks that name, component, type and access fit. */
static mass_status resolve_attribute(const mass_model *m, const mass_phase_def *p, const mass_field *f,
                                     mass_target *out, mass_error *error)
{
    const char *callback = p->callback->name;
    char name[MASS_NAME_SIZE];
    uint32_t component;
    bool indexed;
    const bool agents = mass_access_is_of_agents(f->access, p->callback->over);
    if (agents && f->population >= p->population_count)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: it is of population %u of those that the "
                              "callback sees, which are %u", callback, f->name, f->population, p->population_count);
    const bool requests = mass_access_class_of(f->access, p->callback->over) == MASS_CLASS_REQUEST;
    const bool any = mass_access_of(f->access)->any_population && !(requests && p->callback->over == MASS_OVER_AGENTS);
    if (agents && f->population && !any)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: %s takes attributes of population '%s' "
                              "alone, and '%s' is of '%s'", callback, f->name, mass_access_of(f->access)->entry,
                              m->populations[p->population].name, f->target,
                              m->populations[p->populations[f->population]].name);
    const mass_population_def *owner = agents ? &m->populations[p->populations[f->population]] : NULL;
    const int index = !split_target(f->target, name, &component, &indexed) ? -1
                    : agents ? mass_model_named_agent_attribute(m, p->populations[f->population], name)
                             : mass_model_find_attribute(m, p->space, name);
    if (index < 0 || m->attributes[index].derived)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: %s '%s' has no attribute '%s'",
                              callback, f->name, agents ? "population" : "space",
                              agents ? owner->name : m->spaces[p->space].name, f->target);
    const mass_attribute_def *a = &m->attributes[index];
    if (a->flushed && mass_access_of(f->access)->races)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: attribute '%s' has .flush, which does "
                              "not go with %s", callback, f->name, a->name, mass_access_of(f->access)->entry);
    if (a->flushed && mass_phase_is_in_turn(p) && mass_access_of(f->access)->effect != MASS_EFFECT_READS)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: attribute '%s' has .flush, and bodies in "
                              "turn may only read it", callback, f->name, a->name);
    /* a population's first two arrays are the engine's own */
    if (agents && mass_access_of(f->access)->effect != MASS_EFFECT_READS && a->first_array < owner->first_array + 2)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: '%s' is the engine's, and is only read",
                              callback, f->name, a->name);
    if (a->layout == MASS_INTERLEAVED) {
        if (indexed || f->size != mass_element_size(a))
            return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: attribute '%s' is interleaved, "
                                  "so that the field's type is a struct of its %u components", callback, f->name,
                                  a->name, a->length);
        *out = (mass_target){f->access, a->first_array};
        return MASS_OK;
    }
    if (component >= a->length || (a->length > 1 && !indexed))
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: attribute '%s' has components [0] to "
                              "[%u]", callback, f->name, a->name, a->length - 1);
    const bool point = agents && owner->position == index && f->type == MASS_STRUCT; /* of one coordinate */
    if (f->size != a->component_size || (f->type != a->type && !point))
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: its type has to be that of attribute "
                              "'%s', %s of %zu bytes", callback, f->name, a->name, mass_type_name(a->type),
                              a->component_size);
    *out = (mass_target){f->access, a->first_array + component};
    return MASS_OK;
}

/* Refuses accesses that the field's element type cannot have. */
static mass_status check_elements(const mass_phase_def *p, const mass_field *f, mass_error *error)
{
    const mass_access_traits *access = mass_access_of(f->access);
    if (f->type == MASS_BIT && (access->races || access->reach == MASS_REACH_ROW))
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: attribute '%s' is of bits, which have no "
                              "addresses that %s could give: make it uint8_t", p->callback->name, f->name, f->target,
                              access->entry);
    if (access->elements != MASS_ELEMENTS_COUNTERS || (f->type >= MASS_I32 && f->type <= MASS_U64)) return MASS_OK;
    return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: it adds to attribute '%s' of type %s: "
                          "%s takes i32, u32, i64 and u64", p->callback->name, f->name, f->target,
                          mass_type_name(f->type), access->entry);
}

/* Checks that a field of a list has room for the list and that the parameter is one. Sets *out. */
static mass_status resolve_list(const mass_model *m, const mass_phase_def *p, const mass_field *f,
                                const mass_parameter_slot *slot, mass_target *out, mass_error *error)
{
    if (!slot->list)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: parameter '%s' is one value and no list: "
                              "it is GIVEN", p->callback->name, f->name, f->target);
    if (f->type != MASS_STRUCT)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: parameter '%s' is a list: LISTS(%s) "
                              "takes it", p->callback->name, f->name, f->target, f->target);
    if (f->size != mass_list_words(slot) * sizeof(uint64_t))
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: it is not a list of %" PRIu64 " values, "
                              "which parameter '%s' is", p->callback->name, f->name, slot->length, f->target);
    *out = (mass_target){f->access, (uint32_t)(slot - m->parameters.slots)};
    return MASS_OK;
}

/* Sets *out to the parameter of a field: one value, or a list. Checks that its type is the field's; a text has none
 * that fits. */
static mass_status resolve_parameter(const mass_model *m, const mass_phase_def *p, const mass_field *f,
                                     mass_target *out, mass_error *error)
{
    const mass_parameter_slot *slot = mass_parameters_find(&m->parameters, f->target);
    if (!slot)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: there is no parameter '%s'",
                              p->callback->name, f->name, f->target);
    if (slot->list || f->type == MASS_STRUCT) return resolve_list(m, p, f, slot, out, error);
    const uint32_t type = slot->type == MASS_REAL ? MASS_F64 : MASS_I64;
    if (slot->type == MASS_TEXT || f->type != type)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: parameter '%s' %s", p->callback->name,
                              f->name, f->target, slot->type == MASS_TEXT ? "is a text, which kernels cannot read"
                              : type == MASS_F64 ? "is real: the field's type has to be double"
                              : "is an integer: the field's type has to be int64_t");
    *out = (mass_target){f->access, (uint32_t)(slot - m->parameters.slots)};
    return MASS_OK;
}

/* Sets *out to the tally of a field and checks its access and type. Refuses world attributes and reductions. Notes in
 * the phase that it tallies, and if the tally is cumulative or counts by key. */
static mass_status resolve_tally(const mass_model *m, mass_phase_def *p, const mass_field *f, mass_target *out,
                                 mass_error *error)
{
    const int index = mass_model_find_tally(m, f->target);
    if (index < 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: there is no tally '%s'",
                              p->callback->name, f->name, f->target);
    const mass_tally_def *t = &m->tallies[index];
    if (mass_tally_is_kept(t))
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: '%s' is a world attribute, to which "
                              "nothing is added: a MASS_ONCE writes it by UPDATES", p->callback->name, f->name,
                              f->target);
    if (t->reduced)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: tally '%s' is a reduction, which only "
                              "the engine adds to", p->callback->name, f->name, f->target);
    const uint32_t type = t->kind == MASS_TALLY_REAL ? MASS_F64 : MASS_I64;
    const uint32_t access = mass_tally_access(t);
    const mass_access_traits *traits = mass_access_of(access);
    if (access != f->access || f->type != type)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: tally '%s' takes %s, and is added to as "
                              "%s: write %s(%s) of %s", p->callback->name, f->name, f->target,
                              type == MASS_F64 ? "reals" : "integers", traits->name, traits->entry, f->target,
                              type == MASS_F64 ? "double" : "int64_t");
    p->tallies = true;
    p->cumulative |= t->cumulative;
    p->keys |= t->keys != 0;
    *out = (mass_target){f->access, (uint32_t)index};
    return MASS_OK;
}

/* Checks field i, which gives values to sprouts, and marks its array. Refuses a population without sprouts, and an
 * attribute that is there twice. */
static mass_status note_sprout(mass_model *m, const mass_phase_def *p, uint32_t i, mass_error *error)
{
    const mass_field *f = &p->callback->fields[i];
    const mass_population_def *owner = &m->populations[p->populations[f->population]];
    if (owner->sprouts == 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: population '%s' declares no .sprouts: "
                              "set it to the most that a place may bring forth at once", p->callback->name, f->name,
                              owner->name);
    for (uint32_t k = 0; k < i; k++)
        if (p->targets[k].access == f->access && p->targets[k].index == p->targets[i].index)
            return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s: fields %s and %s are one attribute: have it in "
                                  "%s once", p->callback->name, p->callback->fields[k].name, f->name,
                                  mass_access_of(f->access)->entry);
    m->arrays[p->targets[i].index].sprout = true;
    return MASS_OK;
}

mass_status mass_phase_resolve_field(mass_model *m, mass_phase_def *p, uint32_t i, mass_error *error)
{
    const mass_field *f = &p->callback->fields[i];
    if (!mass_name_valid(f->name) || !f->target)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s: field %u has no name or target",
                              p->callback->name, i);
    if (f->access == 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: it has no access: give it .access = "
                              "MASS_READ, or another that mass/callback.h lists", p->callback->name, f->name);
    const mass_access_class class = mass_access_class_of(f->access, p->callback->over);
    if (class == MASS_CLASS_NONE)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: it has access %u, which this kind of "
                              "callback does not: mass/callback.h lists them", p->callback->name, f->name, f->access);
    if (class == MASS_CLASS_WORLD) return resolve_parameter(m, p, f, &p->targets[i], error);
    if (class == MASS_CLASS_KEPT) return mass_kept_resolve(m, p, f, &p->targets[i], error);
    if (class == MASS_CLASS_TOTAL) return mass_total_resolve(m, p, f, &p->targets[i], error);
    if (class == MASS_CLASS_EDGES) return mass_network_resolve(m, p, i, &p->targets[i], error);
    if (class == MASS_CLASS_ACCUMULATOR) return resolve_tally(m, p, f, &p->targets[i], error);
    mass_status status = resolve_attribute(m, p, f, &p->targets[i], error);
    if (status == MASS_OK) status = check_elements(p, f, error);
    if (mass_access_does_to_places(f->access, p->callback->over, MASS_EFFECT_ADDS))
        m->spaces[p->space].scattered = true;
    if (status == MASS_OK && class == MASS_CLASS_REQUEST) m->arrays[p->targets[i].index].child = true;
    if (status == MASS_OK && class == MASS_CLASS_SPROUTS) status = note_sprout(m, p, i, error);
    if (mass_access_of(f->access)->races) m->racy = p->callback;
    return status;
}
