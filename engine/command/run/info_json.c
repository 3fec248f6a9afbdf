/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/info_json.h"
#include "command/run/info_network.h"
#include "command/run/info_words.h"
#include "model/network.h"
#include "text/json.h"
#include "text/list.h"

#include <math.h>
#include <stdio.h>

static const char *const overs[] = {"", "places", "agents", "residents", "occupied", "worlds", "turns",
                                    "turns"};
static const char *const conflicts[] = {"lowest id", "highest priority", "lottery"};
static const char *const initials[] = {"random places", "every place", "by attribute", "from table", "by load"};
static const char *const kinds[] = {"integer", "real", "fixed"};

/* Returns a new object for a parameter: name, type, help, unit, value. It has by_default if that is set, and range if
 * it has an end, null for the other. A list has length and by_step, a choice has choices. */
static json_t *parameter_json(const mass_parameter_slot *p)
{
    const uint32_t type = p->list == MASS_INTEGER ? MASS_INTEGER_LIST : p->list ? MASS_REAL_LIST : p->type;
    json_t *o = json_pack("{s:s, s:s, s:o, s:o}", "name", p->name, "type", mass_info_parameter_types[type], "help",
                          mass_text_json(p->help), "unit", mass_text_json(p->unit));
    if (p->type == MASS_INTEGER) json_object_set_new(o, "value", json_integer(p->integer));
    else if (p->type == MASS_REAL) json_object_set_new(o, "value", json_real(p->real));
    else if (p->list) json_object_set_new(o, "value", mass_list_json(p, p->text));
    else json_object_set_new(o, "value", mass_text_json(p->text));
    if (p->by_default[0]) json_object_set_new(o, "by_default", mass_text_json(p->by_default));
    const bool from = mass_parameter_has_least(p), to = mass_parameter_has_most(p);
    const bool whole = mass_parameter_number(p) == MASS_INTEGER;
    if (from || to) {
        json_t *least = !from ? json_null() : whole ? json_integer(p->integer_min) : json_real(p->real_min);
        json_t *most = !to ? json_null() : whole ? json_integer(p->integer_max) : json_real(p->real_max);
        json_object_set_new(o, "range", json_pack("[o, o]", least, most));
    }
    if (p->list) {
        json_object_set_new(o, "length", json_integer((json_int_t)p->length));
        json_object_set_new(o, "by_step", json_boolean(p->by_step));
    } else if (p->type == MASS_CHOICE) {
        json_t *list = json_array();
        for (int i = 0; p->choices[i]; i++) json_array_append_new(list, mass_text_json(p->choices[i]));
        json_object_set_new(o, "choices", list);
    }
    return o;
}

/* Returns a new object for a space: name, size, edges by axis, and the ghosts of its first axis. */
static json_t *space_json(const mass_space_def *s)
{
    json_t *size = json_array(), *edges = json_object();
    for (uint32_t a = 0; a < s->dimensions; a++) {
        json_array_append_new(size, json_integer(s->size[a]));
        json_object_set_new(edges, mass_info_axes[a], json_string(s->torus >> a & 1 ? "torus" : "bounded"));
    }
    return json_pack("{s:s, s:o, s:o, s:i}", "name", s->name, "size", size, "edges", edges, "ghosts", s->ghost[0]);
}

/* Returns an end of a range as JSON, null if it is open. */
static json_t *end_json(double end) { return isfinite(end) ? json_real(end) : json_null(); }

/* Returns the names of values: {"0": "empty", "1": "tree"}. Values without a name are left out. */
static json_t *names_json(const mass_attribute_def *a)
{
    json_t *o = json_object();
    for (uint32_t i = 0; i < a->name_count; i++) {
        char value[32];
        snprintf(value, sizeof value, "%.0f", a->first_name + i);
        if (a->names[i]) json_object_set_new(o, value, mass_text_json(a->names[i]));
    }
    return o;
}

/* Returns a new object for an attribute of places or agents. It has population, range and names only if the attribute
 * does. */
static json_t *attribute_json(const mass_model *m, const mass_attribute_def *a)
{
    json_t *o = json_pack("{s:s, s:s, s:s, s:i, s:s, s:o, s:o}", "space", m->spaces[a->space].name, "name", a->name,
                          "type", mass_type_name(a->type), "length", (int)a->length, "layout",
                          a->layout == MASS_PLANES ? "planes" : "interleaved", "help", mass_text_json(a->help), "unit",
                          mass_text_json(a->unit));
    if (a->population >= 0)
        json_object_set_new(o, "population", json_string(m->populations[a->population].name));
    if (a->ranged)
        json_object_set_new(o, "range", json_pack("[o, o]", end_json(a->least), end_json(a->most)));
    if (a->name_count) json_object_set_new(o, "names", names_json(a));
    return o;
}

/* Adds a tally's name under a key, if there is the tally. */
static void set_tally(json_t *o, const char *key, const mass_model *m, int tally)
{
    if (tally >= 0) json_object_set_new(o, key, json_string(m->tallies[tally].name));
}

/* Returns a population's declaration, and the names of its attributes, table and tallies. It has sprouts, priority,
 * where, table and tallies only if the population does. "refused" repeats "unborn". */
static json_t *population_json(const mass_model *m, uint32_t index)
{
    const mass_population_def *p = &m->populations[index];
    const mass_network_def *const network = mass_model_network_of_edges(m, index);
    json_t *attributes = json_array();
    for (uint32_t i = 0; i < m->attribute_count; i++)
        if (m->attributes[i].population == (int32_t)index)
            json_array_append_new(attributes, json_string(m->attributes[i].name));
    json_t *o = json_pack("{s:s, s:o, s:s, s:I, s:s, s:s, s:I, s:I, s:o}", "name", p->name, "help",
                          mass_text_json(p->help), "space", m->spaces[p->space].name, "capacity",
                          (json_int_t)p->capacity, "conflict", conflicts[p->conflict], "initial",
                          network ? "edges of the network" : initials[p->initial], "count",
                          network ? (json_int_t)network->edges : (json_int_t)p->count, "children",
                          (json_int_t)p->children, "attributes", attributes);
    if (p->sprouts) json_object_set_new(o, "sprouts", json_integer(p->sprouts));
    if (p->conflict == MASS_HIGHEST_PRIORITY) json_object_set_new(o, "priority", json_string(p->priority_name));
    if (p->initial == MASS_BY_ATTRIBUTE) json_object_set_new(o, "where", json_string(p->where_name));
    if (p->table >= 0) json_object_set_new(o, "table", json_string(m->parameters.slots[p->table].name));
    set_tally(o, "born", m, p->born);
    set_tally(o, "died", m, p->died);
    set_tally(o, "unborn", m, p->unborn);
    set_tally(o, "refused", m, p->unborn); /* the old name */
    set_tally(o, "alive", m, p->alive);
    return o;
}

/* Returns a new object for the condition of a phase: a tally, a relation, and the value that it is compared with. The
 * members `parameter` and `population`, if there, name what the value is multiplied by. */
static json_t *condition_json(const mass_model *m, const mass_condition_def *c)
{
    json_t *o = json_pack("{s:s, s:s, s:f}", "tally", m->tallies[c->tally].name, "relation",
                          mass_info_relations[c->relation], "value", c->value);
    if (c->parameter >= 0)
        json_object_set_new(o, "parameter", json_string(m->parameters.slots[c->parameter].name));
    if (c->population >= 0) json_object_set_new(o, "population", json_string(m->populations[c->population].name));
    return o;
}

/* Returns a new object for a phase: a callback with its fields, or a manage with its order. It has population, sees,
 * turn and condition only if the phase does. */
static json_t *phase_json(const mass_model *m, const mass_phase_def *p)
{
    const mass_callback *c = p->callback;
    json_t *fields = json_array();
    for (uint32_t i = 0; c && i < c->field_count; i++)
        json_array_append_new(fields, json_pack("{s:s, s:s, s:s}", "name", c->fields[i].name, "access",
                                                mass_access_of(c->fields[i].access)->entry, "target",
                                                c->fields[i].target));
    json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:i, s:o}", "name", c ? c->name : "manage", "over",
                          c ? overs[c->over] : "agents", "schedule", p->schedule == MASS_START ? "start" : "step",
                          "space", m->spaces[p->space].name, "radius", (int)p->reach, "fields", fields);
    if (p->population >= 0) json_object_set_new(o, "population", json_string(m->populations[p->population].name));
    json_t *seen = json_array();
    for (uint32_t k = p->population >= 0; k < p->population_count; k++)
        json_array_append_new(seen, json_string(m->populations[p->populations[k]].name));
    if (json_array_size(seen)) json_object_set(o, "sees", seen);
    json_decref(seen);
    if (!c)
        json_object_set_new(o, "order", json_pack("[s, s, s]", mass_info_orders[p->order][0],
                                                  mass_info_orders[p->order][1],
                                                  mass_info_orders[p->order][2]));
    if (p->turn_name[0]) json_object_set_new(o, "turn", json_string(p->turn_name));
    if (p->conditional) json_object_set_new(o, "condition", condition_json(m, &p->condition));
    return o;
}

/* Returns a new object for a tally. It has bins, keys and range only if the tally does. */
static json_t *tally_json(const mass_tally_def *t)
{
    json_t *o = json_pack("{s:s, s:s, s:s, s:b, s:b, s:o, s:o}", "name", t->name, "operation",
                          mass_tally_operation_of(t->access)->name, "kind", kinds[t->kind], "cumulative",
                          t->cumulative, "reduction", t->reduced, "help", mass_text_json(t->help), "unit",
                          mass_text_json(t->unit));
    if (t->bins) json_object_set_new(o, "bins", json_integer(t->bins));
    if (t->keys) json_object_set_new(o, "keys", json_string(mass_info_keys[t->keys]));
    if (t->low < t->high) json_object_set_new(o, "range", json_pack("[f, f]", t->low, t->high));
    return o;
}

json_t *mass_info_json(const mass_model *m, const mass_share *share, const mass_plugin *entry, const char *path,
                       double bytes)
{
    char abi[16];
    snprintf(abi, sizeof abi, "%d.%d", entry->abi_major, entry->abi_minor);
    json_t *parameters = json_array(), *spaces = json_array(), *populations = json_array(),
           *attributes = json_array(), *tallies = json_array(), *callbacks = json_array(), *logs = json_array();
    for (uint32_t i = 0; i < m->parameters.count; i++)
        if (!m->parameters.slots[i].constant)
            json_array_append_new(parameters, parameter_json(&m->parameters.slots[i]));
    for (uint32_t i = 0; i < m->space_count; i++) json_array_append_new(spaces, space_json(&m->spaces[i]));
    for (uint32_t i = 0; i < m->population_count; i++) json_array_append_new(populations, population_json(m, i));
    for (uint32_t i = 0; i < m->attribute_count; i++)
        json_array_append_new(attributes, attribute_json(m, &m->attributes[i]));
    for (uint32_t i = 0; i < m->tally_count; i++)
        if (!m->tallies[i].hidden) json_array_append_new(tallies, tally_json(&m->tallies[i]));
    for (uint32_t i = 0; i < m->phase_count; i++)
        if (m->phases[i].schedule != MASS_OBSERVE) json_array_append_new(callbacks, phase_json(m, &m->phases[i]));
    for (uint32_t i = 0; i < m->series_count; i++)
        json_array_append_new(logs, json_pack("{s:s, s:o, s:o}", "name", m->series[i].name, "expression",
                                              mass_text_json(m->series[i].expression), "unit",
                                              mass_text_json(m->series[i].unit)));
    json_t *info = json_pack("{s:s, s:o, s:o, s:o, s:s, s:b, s:b, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I}",
        "plugin", m->plugin, "version", mass_text_json(m->version), "help", mass_text_json(m->help), "path",
        mass_text_json(path), "abi", abi, "device_code", entry->device_code != NULL, "reproducible", m->racy == NULL,
        "steps", (json_int_t)m->default_steps, "parameters", parameters, "spaces", spaces, "populations", populations,
        "attributes", attributes, "tallies", tallies, "callbacks", callbacks, "logs", logs, "memory_bytes",
        (json_int_t)bytes);
    if (m->networks) {
        json_object_set_new(info, "networks", mass_info_networks_json(share, m));
        json_object_set_new(info, "edges_bytes", json_integer((json_int_t)m->networks->making));
    }
    return info;
}
