/* SPDX-License-Identifier: Apache-2.0 */
/* Resolves a model: from the names in its callbacks' fields to arrays, parameters and tallies. */
#include "bits.h"
#include "model/anybody.h"
#include "model/claims.h"
#include "model/conditions.h"
#include "model/heading.h"
#include "model/kept.h"
#include "model/network.h"
#include "model/positions.h"
#include "model/resolve_field.h"
#include "model/shared_turns.h"
#include "model/total.h"
#include "model/turns.h"

#include <inttypes.h>
#include <stdlib.h>

/* Lays out the arrays of a population, all of them buffered. Id and lost come first, since they are declared first. */
static void lay_out_agents(mass_model *m, uint32_t population)
{
    mass_population_def *p = &m->populations[population];
    p->first_array = m->array_count;
    for (uint32_t i = 0; i < m->attribute_count; i++) {
        mass_attribute_def *a = &m->attributes[i];
        if (a->population != (int32_t)population || a->derived) continue;
        a->first_array = m->array_count;
        const bool planes = a->layout == MASS_PLANES;
        for (uint32_t c = 0; c < (planes ? a->length : 1); c++)
            m->arrays[m->array_count++] = (mass_array_def){.attribute = i, .component = c, .buffered = true,
                .element_size = planes ? a->component_size : mass_element_size(a)};
    }
    p->array_count = m->array_count - p->first_array;
}

/* Makes the list of arrays, space by space, then those of agents. Spaces of bits on a line are cut at whole words. */
static mass_status lay_out_arrays(mass_model *m, mass_error *error)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->attribute_count; i++)
        count += m->attributes[i].layout == MASS_PLANES ? m->attributes[i].length : 1;
    m->arrays = calloc(count ? count : 1, sizeof *m->arrays);
    if (!m->arrays) return mass_error_memory(error, count * sizeof *m->arrays, "the attribute registry");
    for (uint32_t s = 0; s < m->space_count; s++) {
        m->spaces[s].first_array = m->array_count;
        for (uint32_t i = 0; i < m->attribute_count; i++) {
            mass_attribute_def *a = &m->attributes[i];
            if (a->space != s || a->population >= 0) continue;
            a->first_array = m->array_count;
            const bool planes = a->layout == MASS_PLANES;
            for (uint32_t c = 0; c < (planes ? a->length : 1); c++)
                m->arrays[m->array_count++] = (mass_array_def){.attribute = i, .component = c,
                    .element_size = planes ? a->component_size : mass_element_size(a), .bits = a->type == MASS_BIT};
        }
        m->spaces[s].array_count = m->array_count - m->spaces[s].first_array;
        for (uint32_t i = m->spaces[s].first_array; i < m->array_count; i++)
            if (m->arrays[i].bits && m->spaces[s].dimensions == 1) m->spaces[s].cut_every = MASS_BITS_LINE;
    }
    for (uint32_t p = 0; p < m->population_count; p++) lay_out_agents(m, p);
    return MASS_OK;
}

/* Returns whether two fields are of one array of what the callback runs over, and one of them writes it. */
static bool share_own(const mass_target *a, const mass_target *b)
{
    const mass_access_traits *x = mass_access_of(a->access), *y = mass_access_of(b->access);
    return x->own && y->own && a->index == b->index && ((x->effect | y->effect) & MASS_EFFECT_WRITES);
}

/* Checks which accesses a callback combines on one array, and marks arrays that need old and new values apart. */
static mass_status check_accesses(mass_model *m, const mass_phase_def *p, mass_error *error)
{
    const uint32_t over = p->callback->over;
    for (uint32_t i = 0; i < p->callback->field_count; i++) {
        const mass_target *a = &p->targets[i];
        for (uint32_t j = i + 1; j < p->callback->field_count; j++) {
            const mass_target *b = &p->targets[j];
            if (a->access == b->access && a->index == b->index && mass_access_class_of(a->access, over) ==
                                                                      MASS_CLASS_REQUEST)
                return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s: fields %s and %s are one attribute: have "
                                      "it in %s once", p->callback->name, p->callback->fields[i].name,
                                      p->callback->fields[j].name, mass_access_of(a->access)->entry);
            if (!share_own(a, b)) continue;
            const bool apart = mass_access_keeps_apart(a->access, b->access, over) ||
                               mass_access_keeps_apart(b->access, a->access, over);
            if (!apart || p->callback->radius == 0)
                return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s: fields %s and %s are one attribute: a "
                                      "map takes it in UPDATES, a stencil in READS and in WRITES", p->callback->name,
                                      p->callback->fields[i].name, p->callback->fields[j].name);
            m->arrays[a->index].buffered = true;
        }
    }
    return MASS_OK;
}

/* Checks a callback over agents: an attribute that it writes is one field, or one field reads or changes it and another
 * gives it to children. */
static mass_status check_agent_accesses(const mass_model *m, const mass_phase_def *p, mass_error *error)
{
    (void)m;
    for (uint32_t i = 0; i < p->callback->field_count; i++)
        for (uint32_t j = i + 1; j < p->callback->field_count; j++) {
            const mass_target *a = &p->targets[i], *b = &p->targets[j];
            const mass_access_traits *access = mass_access_of(a->access);
            const bool twice = a->access == b->access && a->index == b->index && (access->effect & MASS_EFFECT_WRITES);
            if (twice || share_own(a, b))
                return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s: fields %s and %s are one attribute: have "
                                      "it in %s once", p->callback->name, p->callback->fields[i].name,
                                      p->callback->fields[j].name, access->races ? access->entry : "UPDATES");
        }
    return MASS_OK;
}

/* Checks fields that read a row: the callback has no radius, and other fields may not write what they read. */
static mass_status check_items(const mass_phase_def *p, mass_error *error)
{
    for (uint32_t i = 0; i < p->callback->field_count; i++) {
        const mass_access_traits *access = mass_access_of(p->targets[i].access);
        if (access->reach != MASS_REACH_ROW) continue;
        if (p->callback->radius != 0)
            return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: %s are of a row, and the callback "
                                  "has a radius of %d: make it a MASS_MAP", p->callback->name,
                                  p->callback->fields[i].name, access->entry, p->callback->radius);
        for (uint32_t k = 0; k < p->callback->field_count; k++)
            if ((mass_access_of(p->targets[k].access)->effect & MASS_EFFECT_WRITES) &&
                p->targets[k].index == p->targets[i].index)
                return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s: field %s looks at the attribute that field "
                                      "%s writes", p->callback->name, p->callback->fields[i].name,
                                      p->callback->fields[k].name);
    }
    return MASS_OK;
}

/* Checks a callback that counts keys. It may run again with larger tables, so it may do nothing else. Texts must be in
 * one array, by which they are found. */
static mass_status check_keys(const mass_model *m, const mass_phase_def *p, mass_error *error)
{
    uint32_t keys = 0, inputs = 0, others = 0;
    bool texts = false;
    for (uint32_t i = 0; i < p->callback->field_count; i++) {
        const uint32_t access = p->targets[i].access;
        const mass_access_traits *traits = mass_access_of(access);
        keys += access == MASS_KEYS;
        inputs += traits->addressed && p->callback->fields[i].type != MASS_BIT;
        others += access != MASS_KEYS && traits->effect != MASS_EFFECT_READS;
        texts |= access == MASS_KEYS && m->tallies[p->targets[i].index].keys == MASS_KEYS_TEXTS;
    }
    if (keys > 0 && (keys > 1 || others > 0))
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s counts by key, and may have no other tally and "
                              "write nothing", p->callback->name);
    if (texts && inputs != 1)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s counts texts, and needs one attribute that has "
                              "them, by ITEMS, SEES or MEETS, not %u", p->callback->name, inputs);
    return MASS_OK;
}

/* Checks fields that add to places. The sums are complete after the phase; during it, they would depend on the order of
 * calls. So no other field may have the same array. */
static mass_status check_apart(const mass_phase_def *p, mass_error *error)
{
    const uint32_t over = p->callback->over;
    for (uint32_t i = 0; i < p->callback->field_count; i++)
        for (uint32_t j = 0; j < p->callback->field_count; j++) {
            const mass_field *a = &p->callback->fields[i], *b = &p->callback->fields[j];
            if (j != i && mass_access_does_to_places(a->access, over, MASS_EFFECT_ADDS) &&
                mass_access_is_attribute(b->access, over) && p->targets[i].index == p->targets[j].index)
                return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s: fields %s and %s are one attribute: one "
                                      "that is in SCATTERS is in no other entry of the callback",
                                      p->callback->name, a->name, b->name);
        }
    return MASS_OK;
}

/* Returns the set of fields (bit i is field i) that the callback writes as numbers of `type` to attributes with
 * .flush. */
static uint64_t flushed_fields(const mass_model *m, const mass_phase_def *p, uint32_t type)
{
    uint64_t fields = 0;
    for (uint32_t i = 0; i < p->callback->field_count && i < 64; i++) {
        const mass_access_class class = mass_phase_class(p, i);
        const bool array = class == MASS_CLASS_PLACES || class == MASS_CLASS_AGENTS ||
                           class == MASS_CLASS_REQUEST || class == MASS_CLASS_SPROUTS;
        if (!array || !(mass_access_of(p->targets[i].access)->effect & MASS_EFFECT_WRITES)) continue;
        const mass_attribute_def *a = &m->attributes[m->arrays[p->targets[i].index].attribute];
        if (a->flushed && a->type == type) fields |= (uint64_t)1 << i;
    }
    return fields;
}

bool mass_phase_is_apart(const mass_phase_def *p, uint32_t i)
{
    const mass_target *a = &p->targets[i];
    const bool adds = mass_access_of(a->access)->effect == MASS_EFFECT_ADDS;
    for (uint32_t k = 0; k < p->callback->field_count; k++) {
        const mass_target *b = &p->targets[k];
        if (b->index != a->index || mass_phase_class(p, k) != MASS_CLASS_AGENTS) continue;
        if (adds ? b->access != a->access : (mass_access_of(b->access)->effect & MASS_EFFECT_WRITES) != 0) return true;
    }
    return false;
}

/* Returns whether the callback of a phase names a population with positions. */
static bool names_positions(const mass_model *m, const mass_phase_def *p)
{
    bool any = false;
    for (uint32_t i = 0; i < p->population_count; i++) any |= m->populations[p->populations[i]].position >= 0;
    return any;
}

/* Checks a phase that names other agents. Marks the arrays that need memory of their own. *any: sets it to true if some
 * are nearby. */
static mass_status find_nearby(mass_model *m, const mass_phase_def *p, bool *any, mass_error *error)
{
    const mass_callback *c = p->callback;
    for (uint32_t i = 0; i < c->field_count; i++) {
        const mass_target *t = &p->targets[i];
        const bool near = mass_access_is_nearby(t->access, c->over);
        if (!near && !mass_phase_is_anywhere(p, i)) continue;
        if (near && p->reach == 0 && c->over == MASS_OVER_AGENTS)
            return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: it is in %s%s, and the phase has no "
                                  "reach: give it .reach, 1 or more, as far as the body walks", c->name,
                                  c->fields[i].name, mass_access_of(t->access)->entry,
                                  names_positions(m, p) ? " or WITHIN" : "");
        *any |= near;
        const bool apart = mass_phase_is_apart(p, i), adds = mass_access_of(t->access)->effect == MASS_EFFECT_ADDS;
        m->arrays[t->index].before |= apart && !adds;
        m->arrays[t->index].added |= apart && adds;
    }
    m->nearby |= *any;
    return MASS_OK;
}

/* Returns whether a phase needs ghosts as wide as its reach. nearby: it names agents nearby. To name agents nearby, a
 * body needs none. A phase in turn acts on the places themselves. */
static bool needs_ghosts(const mass_phase_def *p, bool nearby)
{
    bool places = !nearby;
    if (mass_phase_is_in_turn(p)) return false;
    for (uint32_t i = 0; i < p->callback->field_count; i++)
        places |= mass_phase_class(p, i) == MASS_CLASS_PLACES &&
                  mass_access_of(p->targets[i].access)->reach == MASS_REACH_AROUND;
    return places;
}

/* Resolves a phase's fields and checks its accesses. Widens the space's ghosts to its reach, and marks the
 * populations of a phase in turn. */
static mass_status resolve_phase(mass_model *m, mass_phase_def *p, mass_error *error)
{
    const mass_callback *c = p->callback;
    const bool of_agents = c->over == MASS_OVER_AGENTS || (mass_phase_is_in_turn(p) && p->population >= 0);
    const bool lists_none = c->field_count == 0 && (of_agents || c->asks); /* agents may still move, or be asked */
    if ((!lists_none && (c->field_count == 0 || c->field_count > 256 || !c->fields)) || c->form_count == 0 || !c->forms)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s has no fields or no forms", c->name);
    p->targets = calloc(c->field_count + 1, sizeof *p->targets);
    if (!p->targets) return mass_error_memory(error, c->field_count * sizeof *p->targets, "a callback");
    mass_status status = mass_network_check_phase(m, p, error);
    for (uint32_t i = 0; status == MASS_OK && i < c->field_count; i++)
        status = mass_phase_resolve_field(m, p, i, error);
    if (status != MASS_OK) return status;
    p->flush_floats = flushed_fields(m, p, MASS_F32);
    p->flush_doubles = flushed_fields(m, p, MASS_F64);
    uint32_t bins = 0;
    for (uint32_t i = 0; i < c->field_count; i++) bins += c->fields[i].access == MASS_BINS;
    if (bins > MASS_BINS_FIELDS)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s has %u tallies in BINS; it may have %d", c->name,
                              bins, MASS_BINS_FIELDS);
    bool nearby = false;
    status = check_items(p, error);
    if (status == MASS_OK) status = check_keys(m, p, error);
    if (status == MASS_OK) status = find_nearby(m, p, &nearby, error);
    if (status != MASS_OK) return status;
    mass_space_def *s = &m->spaces[p->space];
    for (uint32_t a = 0; a < s->dimensions && needs_ghosts(p, nearby); a++)
        if (s->ghost[a] < p->reach) s->ghost[a] = p->reach;
    status = check_apart(p, error);
    if (status == MASS_OK) status = mass_model_resolve_anybody(m, p, error);
    if (status != MASS_OK) return status;
    if (c->over == MASS_OVER_WORLDS) return mass_kept_check_phase(m, p, error);
    for (uint32_t k = 0; mass_phase_is_in_turn(p) && k < p->population_count; k++)
        m->populations[p->populations[k]].in_turn = true;
    if (mass_phase_is_in_turn(p)) {
        mass_turn_resolve_scope(p);
        status = mass_turn_resolve_order(m, p, error);
    }
    if (status != MASS_OK) return status;
    return of_agents ? check_agent_accesses(m, p, error) : check_accesses(m, p, error);
}

/* Finds the attributes for a population's priority and start, if its rules need them, and checks their types. Sets
 * .priority and .where. */
static mass_status resolve_population(mass_model *m, mass_population_def *p, mass_error *error)
{
    const uint32_t self = (uint32_t)(p - m->populations);
    if (p->conflict == MASS_HIGHEST_PRIORITY) {
        const int a = mass_model_named_agent_attribute(m, self, p->priority_name);
        const uint32_t type = a < 0 ? MASS_TYPE_NONE : m->attributes[a].type;
        if (m->attributes[a < 0 ? 0 : a].length != 1 || (type != MASS_I32 && type != MASS_U32 && type != MASS_I64 &&
            type != MASS_U64 && type != MASS_F32 && type != MASS_F64))
            return mass_error_set(error, MASS_BAD_PLUGIN, "population %s: its priority '%s' is not an attribute of it "
                                  "of type i32, u32, i64, u64, f32 or f64", p->name, p->priority_name);
        p->priority = (int)m->attributes[a].first_array;
    }
    if (p->initial == MASS_BY_ATTRIBUTE) {
        p->where = mass_model_find_attribute(m, p->space, p->where_name);
        const uint32_t type = p->where < 0 ? MASS_TYPE_NONE : m->attributes[p->where].type;
        if (type < MASS_I8 || type > MASS_U64 || m->attributes[p->where].length != 1)
            return mass_error_set(error, MASS_BAD_PLUGIN, "population %s: '%s', which says where it starts, is not an "
                                  "integer attribute of its space", p->name, p->where_name);
    }
    return MASS_OK;
}

/* Sets .drawn to the attribute that selects an agent's colour, if one is declared. It must be an integer. */
static mass_status resolve_drawn(mass_model *m, mass_population_def *p, mass_error *error)
{
    if (!p->drawn_name[0]) return MASS_OK;
    p->drawn = mass_model_named_agent_attribute(m, (uint32_t)(p - m->populations), p->drawn_name);
    const uint32_t type = p->drawn < 0 ? MASS_TYPE_NONE : m->attributes[p->drawn].type;
    if (type < MASS_I8 || type > MASS_U64 || m->attributes[p->drawn].length != 1)
        return mass_error_set(error, MASS_BAD_PLUGIN, "population %s: '%s', which chooses the colour that an agent is "
                              "drawn in, is not an integer attribute of it", p->name, p->drawn_name);
    return MASS_OK;
}

/* Returns whether a phase gives values to sprouts of a population. */
static bool gives_sprouts(const mass_phase_def *p, uint32_t population)
{
    for (uint32_t i = 0; p->callback && i < p->callback->field_count; i++)
        if (mass_phase_class(p, i) == MASS_CLASS_SPROUTS &&
            p->populations[p->callback->fields[i].population] == population)
            return true;
    return false;
}

/* Refuses a network with .links that no RELINKS manages. managed: one does. Refuses also a callback that asks for edges
 * after the last RELINKS of its schedule. last: for each schedule, the last phase that asks and has no RELINKS behind
 * it, or NULL. */
static mass_status check_links(const mass_model *m, uint32_t population, bool managed,
                               const mass_phase_def *const last[MASS_STEP + 1], mass_error *error)
{
    const char *const network = m->spaces[m->populations[population].space].name;
    if (!managed)
        return mass_error_set(error, MASS_BAD_PLUGIN, "network '%s' has .links, and no phase changes its edges: "
                              "declare one, RELINKS(%s)", network, network);
    for (uint32_t s = 0; s <= MASS_STEP; s++)
        if (last[s])
            return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s asks for edges of network '%s', and no phase "
                                  "after it makes them: declare RELINKS%s(%s) behind it", last[s]->callback->name,
                                  network, s == MASS_START ? "_AT_START" : "", network);
    return MASS_OK;
}

/* Checks that a manage follows the phases that give values to sprouts of a population, at the start and in steps,
 * and that there is one if the population has sprouts. For the edges of a network it makes the checks of
 * check_links. */
static mass_status check_sprouts(const mass_model *m, uint32_t population, mass_error *error)
{
    const mass_phase_def *last[MASS_STEP + 1] = {NULL};
    bool managed = m->populations[population].sprouts == 0;
    for (uint32_t i = 0; i < m->phase_count; i++) {
        const mass_phase_def *p = &m->phases[i];
        const bool manages = !p->callback && p->population == (int32_t)population;
        if (p->schedule > MASS_STEP) continue;
        managed |= manages;
        if (manages) last[p->schedule] = NULL;
        else if (gives_sprouts(p, population)) last[p->schedule] = p;
    }
    if (mass_model_is_of_edges(m, population)) return check_links(m, population, managed, last, error);
    if (!managed)
        return mass_error_set(error, MASS_BAD_PLUGIN, "population '%s' has .sprouts, and no manage adds them: declare "
                              "one, MANAGES(%s)", m->populations[population].name, m->populations[population].name);
    for (uint32_t s = 0; s <= MASS_STEP; s++)
        if (last[s])
            return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s gives values to sprouts of population '%s', and "
                                  "no manage after it adds them: declare MANAGES(%s) behind it",
                                  last[s]->callback->name, m->populations[population].name,
                                  m->populations[population].name);
    return MASS_OK;
}

/* Returns whether a phase counts a tally of a population's births, deaths or refused births. */
static bool counts_lives(const mass_model *m, const mass_phase_def *p, int tally)
{
    bool counts = false;
    for (uint32_t i = 0; i < m->population_count; i++) {
        const mass_population_def *of = &m->populations[i];
        counts |= mass_phase_applies(p, i) && (of->born == tally || of->died == tally || of->unborn == tally);
    }
    return counts;
}

/* Returns whether a tally counts before the first step: in a start phase, or as agents alive. */
static bool is_counted_at_start(const mass_model *m, uint32_t tally)
{
    for (uint32_t i = 0; i < m->population_count; i++)
        if (m->populations[i].alive == (int)tally) return true;
    for (uint32_t i = 0; i < m->phase_count; i++) {
        const mass_phase_def *p = &m->phases[i];
        if (p->schedule != MASS_START) continue;
        if (counts_lives(m, p, (int)tally)) return true;
        for (uint32_t f = 0; p->callback && f < p->callback->field_count; f++)
            if (mass_access_is_tally(p->targets[f].access) && p->targets[f].index == tally) return true;
    }
    return false;
}

/* Sets .at_start of all tallies, and marks those that have no value at step 0. Cumulative, hidden and reduced ones are
 * not marked. */
static void find_late(mass_model *m)
{
    for (uint32_t i = 0; i < m->tally_count; i++) {
        mass_tally_def *t = &m->tallies[i];
        t->at_start = is_counted_at_start(m, i);
        t->late = !t->cumulative && !t->hidden && !t->reduced && !t->at_start;
    }
}

mass_status mass_model_resolve(mass_model *m, mass_error *error)
{
    if (m->space_count == 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "it declares no space");
    mass_status status = lay_out_arrays(m, error);
    for (uint32_t i = 0; status == MASS_OK && i < m->population_count; i++)
        status = resolve_population(m, &m->populations[i], error);
    for (uint32_t i = 0; status == MASS_OK && i < m->population_count; i++)
        status = resolve_drawn(m, &m->populations[i], error);
    for (uint32_t i = 0; status == MASS_OK && i < m->population_count; i++)
        status = mass_heading_resolve(m, i, error);
    if (status == MASS_OK) status = mass_network_resolve_dies(m, error);
    for (uint32_t i = 0; status == MASS_OK && i < m->phase_count; i++)
        if (m->phases[i].callback) status = resolve_phase(m, &m->phases[i], error);
    for (uint32_t i = 0; status == MASS_OK && i < m->population_count; i++) status = check_sprouts(m, i, error);
    if (status == MASS_OK) status = mass_positions_check(m, error);
    if (status == MASS_OK) status = mass_conditions_check(m, error);
    if (status == MASS_OK) status = mass_model_check_stream(m, error);
    if (status == MASS_OK && m->picture.declared) {
        const mass_attribute_def *a = &m->attributes[m->picture.attribute];
        m->picture.array = a->first_array + (a->layout == MASS_PLANES ? m->picture.component : 0);
    }
    if (status == MASS_OK) find_late(m);
    if (status == MASS_OK) status = mass_totals_check(m, error);
    if (status == MASS_OK) status = mass_claims_check(m, error);
    if (status == MASS_OK) status = mass_turns_check(m, error);
    if (status == MASS_OK) status = mass_shared_turns_check(m, error);
    return status == MASS_OK ? mass_model_resolve_reductions(m, error) : status;
}
