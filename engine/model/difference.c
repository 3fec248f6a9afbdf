/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two models that were made from one plugin: whether worlds of one run can have both. Its functions return
 * true if the two agree in what their comments name. */
#include "model/claims.h"
#include "model/network.h"

#include <string.h>

/* Compares names, sizes, axes that wrap, and the edge of a cell to the last bit. */
static bool same_spaces(const mass_model *a, const mass_model *b)
{
    bool same = a->space_count == b->space_count;
    for (uint32_t i = 0; same && i < a->space_count; i++) {
        const mass_space_def *s = &a->spaces[i], *t = &b->spaces[i];
        same = strcmp(s->name, t->name) == 0 && s->dimensions == t->dimensions && s->torus == t->torus &&
               memcmp(&s->cell, &t->cell, sizeof s->cell) == 0 && memcmp(s->size, t->size, sizeof s->size) == 0;
    }
    return same;
}

/* Compares the edges of networks. */
static bool same_networks(const mass_model *a, const mass_model *b)
{
    bool same = !a->networks == !b->networks && (!a->networks || a->networks->count == b->networks->count);
    for (uint32_t i = 0; same && a->networks && i < a->networks->count; i++)
        same = a->networks->list[i].hash == b->networks->list[i].hash;
    return same;
}

/* Compares which requests for edges networks take, and when they end edges. */
static bool same_links(const mass_model *a, const mass_model *b)
{
    bool same = true;
    for (uint32_t i = 0; same && a->networks && i < a->networks->count; i++) {
        const mass_network_def *s = &a->networks->list[i], *t = &b->networks->list[i];
        same = s->simple == t->simple && strcmp(s->dies_name, t->dies_name) == 0;
    }
    return same;
}

/* Compares what the state depends on: not help, unit, range and names of values. */
static bool same_attributes(const mass_model *a, const mass_model *b)
{
    bool same = a->attribute_count == b->attribute_count;
    for (uint32_t i = 0; same && i < a->attribute_count; i++) {
        const mass_attribute_def *s = &a->attributes[i], *t = &b->attributes[i];
        same = strcmp(s->name, t->name) == 0 && s->space == t->space && s->type == t->type && s->length == t->length &&
               s->layout == t->layout && s->population == t->population && s->component_size == t->component_size &&
               s->flushed == t->flushed &&
               memcmp(s->initial, t->initial, s->component_size) == 0 && s->member_count == t->member_count;
        for (uint32_t k = 0; same && k < s->member_count; k++)
            same = strcmp(s->members[k].name, t->members[k].name) == 0 && s->members[k].type == t->members[k].type;
    }
    return same;
}

/* Compares what the state depends on: not help, count and colours. */
static bool same_populations(const mass_model *a, const mass_model *b)
{
    bool same = a->population_count == b->population_count;
    for (uint32_t i = 0; same && i < a->population_count; i++) {
        const mass_population_def *s = &a->populations[i], *t = &b->populations[i];
        same = strcmp(s->name, t->name) == 0 && s->space == t->space && s->capacity == t->capacity &&
               s->conflict == t->conflict && s->constant == t->constant && s->children == t->children &&
               s->initial == t->initial && s->sprouts == t->sprouts && s->position == t->position &&
               s->at_edge == t->at_edge && s->table == t->table && s->priority == t->priority &&
               s->where == t->where && s->born == t->born && s->died == t->died && s->unborn == t->unborn &&
               s->alive == t->alive;
    }
    return same;
}

/* Compares what accumulators depend on: not help, unit and range of bins. */
static bool same_tallies(const mass_model *a, const mass_model *b)
{
    bool same = a->tally_count == b->tally_count;
    for (uint32_t i = 0; same && i < a->tally_count; i++) {
        const mass_tally_def *s = &a->tallies[i], *t = &b->tallies[i];
        same = strcmp(s->name, t->name) == 0 && s->access == t->access && s->kind == t->kind &&
               s->fraction_bits == t->fraction_bits && s->cumulative == t->cumulative && s->bins == t->bins &&
               s->keys == t->keys && s->reduced == t->reduced &&
               memcmp(&s->initial, &t->initial, sizeof s->initial) == 0;
    }
    return same;
}

/* Compares operations, targets and ranges. */
static bool same_reductions(const mass_model *a, const mass_model *b)
{
    bool same = a->reduction_count == b->reduction_count;
    for (uint32_t i = 0; same && i < a->reduction_count; i++) {
        const mass_reduction_def *s = &a->reductions[i], *t = &b->reductions[i];
        same = s->operation == t->operation && s->attribute == t->attribute && s->component == t->component &&
               memcmp(&s->low, &t->low, sizeof s->low) == 0 && memcmp(&s->high, &t->high, sizeof s->high) == 0;
    }
    return same;
}

bool mass_model_same_condition(const mass_phase_def *a, const mass_phase_def *b)
{
    const mass_condition_def *s = &a->condition, *t = &b->condition;
    if (!a->conditional || !b->conditional) return a->conditional == b->conditional;
    return s->tally == t->tally && s->relation == t->relation && memcmp(&s->value, &t->value, sizeof s->value) == 0 &&
           s->parameter == t->parameter && s->population == t->population;
}

/* Compares the order in which bodies in turn act, and whether they do so along the axes alone. */
static bool same_turn(const mass_phase_def *a, const mass_phase_def *b)
{
    return strcmp(a->turn_name, b->turn_name) == 0 && a->turn_order == b->turn_order &&
           strcmp(a->turn_by, b->turn_by) == 0 && a->turn_reversed == b->turn_reversed &&
           a->turn_scope.axes == b->turn_scope.axes;
}

/* Compares schedules, what phases run over, orders, conditions, and how far agents are that claims pair. Callbacks must
 * be the same object. */
static bool same_phases(const mass_model *a, const mass_model *b)
{
    bool same = a->phase_count == b->phase_count;
    for (uint32_t i = 0; same && i < a->phase_count; i++) {
        const mass_phase_def *s = &a->phases[i], *t = &b->phases[i];
        same = s->schedule == t->schedule && s->space == t->space && s->population == t->population &&
               s->declared == t->declared && s->order == t->order && same_turn(s, t) &&
               (s->reach == t->reach || !mass_claims_are_decided(a, s)) && mass_model_same_condition(s, t);
    }
    return same;
}

/* Compares names, types and the values of texts, not those of numbers. */
static bool same_parameters(const mass_parameters *a, const mass_parameters *b)
{
    bool same = a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; i++) {
        const mass_parameter_slot *s = &a->slots[i], *t = &b->slots[i];
        same = strcmp(s->name, t->name) == 0 && s->type == t->type && s->constant == t->constant &&
               (s->type != MASS_TEXT || strcmp(s->text, t->text) == 0);
    }
    return same;
}

const char *mass_model_difference(const mass_model *a, const mass_model *b)
{
    if (!same_spaces(a, b)) return "it has another space";
    if (!same_networks(a, b)) return "its network has other edges";
    if (!same_links(a, b)) return "its network has another .simple or .dies";
    if (!same_attributes(a, b)) return "it has other attributes, or default values";
    if (!same_populations(a, b)) return "it has other populations";
    if (!same_tallies(a, b)) return "it has other tallies";
    if (!same_reductions(a, b)) return "it has other reductions";
    if (!same_phases(a, b)) return "it has another schedule";
    return same_parameters(&a->parameters, &b->parameters) ? NULL : "it has other parameters or texts";
}
