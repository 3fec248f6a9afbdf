/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that a checkpoint fits the model that resumes from it. */
#include "io/checkpoint/layout.h"
#include "base/plural.h"
#include "model/list.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int mass_checkpoint_counterpart(const mass_model *from, uint32_t i, const mass_model *to)
{
    const mass_attribute_def *a = &from->attributes[i];
    const bool agents = a->population >= 0;
    const char *name = mass_owner_name(from, a);
    const int owner = agents ? mass_model_find_population(to, name) : mass_model_find_space(to, name);
    if (owner < 0) return -1;
    return agents ? mass_model_find_agent_attribute(to, (uint32_t)owner, a->name)
                  : mass_model_find_attribute(to, (uint32_t)owner, a->name);
}

const char *mass_checkpoint_owner_kind(const mass_attribute_def *a)
{
    return a->population >= 0 ? "population" : "space";
}

void mass_checkpoint_agents(const mass_checkpoint *c, const mass_model *m, uint64_t *counts)
{
    for (uint32_t i = 0; i < m->population_count; i++) {
        const int index = mass_model_find_population(&c->model, m->populations[i].name);
        counts[i] = index < 0 ? 0 : c->agents[index];
    }
}

/* Refuses the checkpoint, since it does not fit the model: MASS_BAD_INPUT. */
static mass_status differs(const mass_checkpoint *c, mass_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static mass_status differs(const mass_checkpoint *c, mass_error *error, const char *format, ...)
{
    char what[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return mass_error_set(error, MASS_BAD_INPUT,
                          "%s does not fit this plugin %s: %s: use version %s of the plugin",
                          c->path, c->model.plugin, what, c->model.version);
}

/* Refuses unless the checkpoint has the space with the same dimensions, size and torus. */
static mass_status match_space(const mass_checkpoint *c, const mass_space_def *is,
                               mass_error *error)
{
    const int index = mass_model_find_space(&c->model, is->name);
    if (index < 0) return differs(c, error, "it has no space '%s'", is->name);
    const mass_space_def *was = &c->model.spaces[index];
    if (was->dimensions != is->dimensions)
        return differs(c, error, "space '%s' had %u dimension%s and now has %u", is->name,
                       was->dimensions, mass_plural(was->dimensions), is->dimensions);
    if (memcmp(was->size, is->size, sizeof was->size) != 0)
        return differs(c, error,
                       "space '%s' had the size %" PRId64 "x%" PRId64 "x%" PRId64 " and now has "
                       "%" PRId64 "x%" PRId64 "x%" PRId64,
                       is->name, was->size[0], was->size[1], was->size[2], is->size[0], is->size[1],
                       is->size[2]);
    if (was->torus != is->torus)
        return differs(c, error, "other axes of space '%s' wrapped", is->name);
    return MASS_OK;
}

/* Refuses unless the checkpoint has the population with the same space and capacity. */
static mass_status match_population(const mass_checkpoint *c, const mass_model *m, uint32_t i, mass_error *error)
{
    const mass_population_def *is = &m->populations[i];
    const int index = mass_model_find_population(&c->model, is->name);
    if (index < 0) return differs(c, error, "it has no population '%s'", is->name);
    const mass_population_def *was = &c->model.populations[index];
    if (strcmp(c->model.spaces[was->space].name, m->spaces[is->space].name) != 0)
        return differs(c, error, "population '%s' lived on space '%s' and now lives on '%s'", is->name,
                       c->model.spaces[was->space].name, m->spaces[is->space].name);
    if (was->capacity != is->capacity)
        return differs(c, error, "a place had room for %u agent%s of population '%s' and now has for %u (0: any "
                       "number)", was->capacity, mass_plural(was->capacity), is->name, is->capacity);
    return MASS_OK;
}

/* Returns true if both attributes have the same members, by name and type, in the same order. */
static bool same_members(const mass_attribute_def *a, const mass_attribute_def *b)
{
    if (a->member_count != b->member_count) return false;
    for (uint32_t i = 0; i < a->member_count; i++)
        if (strcmp(a->members[i].name, b->members[i].name) != 0 ||
            a->members[i].type != b->members[i].type)
            return false;
    return true;
}

/* Refuses unless the checkpoint has the attribute with the same type, length and members. Bytes may become bits. */
static mass_status match_attribute(const mass_checkpoint *c, const mass_model *m, uint32_t i,
                                   mass_error *error)
{
    const mass_attribute_def *is = &m->attributes[i];
    const char *kind = mass_checkpoint_owner_kind(is), *owner = mass_owner_name(m, is);
    const int index = mass_checkpoint_counterpart(m, i, &c->model);
    if (index < 0)
        return differs(c, error, "it has no attribute '%s' of %s '%s'", is->name, kind, owner);
    const mass_attribute_def *was = &c->model.attributes[index];
    const bool packs = was->type == MASS_U8 && is->type == MASS_BIT; /* earlier versions declared bits as bytes */
    if ((was->type != is->type && !packs) || was->length != is->length)
        return differs(c, error, "attribute '%s' of %s '%s' was %s[%u] and now is %s[%u]", is->name, kind, owner,
                       mass_type_name(was->type), was->length, mass_type_name(is->type), is->length);
    if (!same_members(was, is))
        return differs(c, error, "attribute '%s' of %s '%s' had other members", is->name, kind, owner);
    return MASS_OK;
}

/* Refuses unless the checkpoint has the tally in the same form. Reduced tallies need no counterpart. */
static mass_status match_tally(const mass_checkpoint *c, const mass_tally_def *is,
                               mass_error *error)
{
    if (is->reduced) return MASS_OK;
    const int index = mass_model_find_tally(&c->model, is->name);
    if (index < 0) return differs(c, error, "it has no tally '%s'", is->name);
    const mass_tally_def *was = &c->model.tallies[index];
    if (was->kind == is->kind && was->access == is->access &&
        was->fraction_bits == is->fraction_bits && was->cumulative == is->cumulative && was->bins == is->bins &&
        was->keys == is->keys)
        return MASS_OK;
    return differs(c, error, "tally '%s' was of another kind, or had other bins or keys", is->name);
}

/* Returns true if the model has a tally of this name that checkpoints hold. */
static bool keeps_tally(const mass_model *m, const char *name)
{
    const int tally = mass_model_find_tally(m, name);
    return tally >= 0 && !m->tallies[tally].reduced;
}

/* Refuses what the checkpoint has beyond the model. All that the model has was found in it. */
static mass_status match_rest(const mass_checkpoint *c, const mass_model *m, mass_error *error)
{
    for (uint32_t i = 0; i < c->model.space_count; i++)
        if (mass_model_find_space(m, c->model.spaces[i].name) < 0)
            return differs(c, error, "it has a space '%s' that the plugin does not have", c->model.spaces[i].name);
    for (uint32_t i = 0; i < c->model.population_count; i++)
        if (mass_model_find_population(m, c->model.populations[i].name) < 0)
            return differs(c, error, "it has a population '%s' that the plugin does not have",
                           c->model.populations[i].name);
    for (uint32_t i = 0; i < c->model.attribute_count; i++)
        if (mass_checkpoint_counterpart(&c->model, i, m) < 0)
            return differs(c, error, "it has an attribute '%s' that the plugin does not have",
                           c->model.attributes[i].name);
    for (uint32_t i = 0; i < c->model.tally_count; i++)
        if (!keeps_tally(m, c->model.tallies[i].name))
            return differs(c, error, "it has a tally '%s' that the plugin does not have", c->model.tallies[i].name);
    return MASS_OK;
}

mass_status mass_checkpoint_match(const mass_checkpoint *c, const mass_model *m, mass_error *error)
{
    if (strcmp(c->model.plugin, m->plugin) != 0)
        return mass_error_set(error, MASS_BAD_INPUT,
                              "%s was written by plugin %s, not by %s: give --plugin %s", c->path,
                              c->model.plugin, m->plugin, c->model.plugin);
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < m->space_count; i++)
        status = match_space(c, &m->spaces[i], error);
    for (uint32_t i = 0; status == MASS_OK && i < m->population_count; i++)
        status = match_population(c, m, i, error);
    for (uint32_t i = 0; status == MASS_OK && i < m->attribute_count; i++)
        if (!m->attributes[i].streamed) status = match_attribute(c, m, i, error);
    for (uint32_t i = 0; status == MASS_OK && i < m->tally_count; i++)
        status = match_tally(c, &m->tallies[i], error);
    return status == MASS_OK ? match_rest(c, m, error) : status;
}

/* ---- parameters that differ by world ---- */

/* Takes one world's swept value into *out; finds a choice by its text, and adds a new list to the choices. False if it
 * is outside the model's range or choices. */
static bool take_value(const mass_parameter_slot *was, mass_parameter_slot *is, int32_t world, uint64_t *out)
{
    const uint64_t bits = was->swept[world];
    double real;
    memcpy(&real, &bits, sizeof real);
    *out = bits;
    if (is->type == MASS_INTEGER) return (int64_t)bits >= is->integer_min && (int64_t)bits <= is->integer_max;
    if (is->type == MASS_REAL) return isfinite(real) && real >= is->real_min && real <= is->real_max;
    mass_error why = {0};
    if (is->list)
        return mass_list_count(was->choices[bits]) <= is->length &&
               mass_list_meet(is, was->choices[bits], out, &why) == MASS_OK;
    for (*out = 0; is->choices[*out]; ++*out)
        if (strcmp(is->choices[*out], was->choices[bits]) == 0) return true;
    return false;
}

mass_status mass_checkpoint_restore_sweep(const mass_checkpoint *c, mass_model *m, mass_error *error)
{
    for (uint32_t i = 0; i < c->model.parameters.count; i++) {
        const mass_parameter_slot *was = &c->model.parameters.slots[i];
        mass_parameter_slot *is = mass_parameters_find(&m->parameters, was->name);
        if (!was->swept) continue;
        if (!is || is->type != was->type || is->constant != was->constant)
            return differs(c, error, "it has no parameter '%s' of that kind", was->name);
        uint64_t *values = malloc((size_t)c->worlds * sizeof *values);
        if (!values) return mass_error_memory(error, (size_t)c->worlds * sizeof *values, "a sweep");
        free(is->swept);
        is->swept = values;
        m->parameters.worlds = c->worlds;
        for (int32_t w = 0; w < c->worlds; w++)
            if (!take_value(was, is, w, &values[w]))
                return differs(c, error, "parameter '%s' of world %d is out of its range", was->name,
                               c->first_world + w);
    }
    return MASS_OK;
}
